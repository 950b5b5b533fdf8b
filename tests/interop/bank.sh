# Sourced by the scripts beside it: a bank of their own on a free port, which ends with them.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bank_program=$1
folder=$(mktemp -d)
bank_pid=
end() {
    local code=$?
    if [ -n "$bank_pid" ]; then
        kill "$bank_pid" 2>/dev/null || true
        wait "$bank_pid" 2>/dev/null || true
    fi
    rm -rf "$folder"
    exit "$code"
}
trap end EXIT

# need PROGRAM...: skips the test, loudly, where one is not installed.
need() {
    for program in "$@"; do
        command -v "$program" >/dev/null && continue
        echo "NOT TESTED: there is no $program here (./dev test installs it)" >&2
        exit 77
    done
}

# start_bank OPTION...: sets url, token_file and the shell function control.
start_bank() {
    token_file=$folder/bank.token
    "$bank_program" --port 0 --token-file "$token_file" "$@" >"$folder/line" 2>"$folder/complaints" &
    bank_pid=$!
    for _ in $(seq 1 200); do
        [ -s "$folder/line" ] && break
        kill -0 "$bank_pid" 2>/dev/null || break
        sleep 0.05
    done
    url=$(sed -n 's/.*"url":"\([^"]*\)".*/\1/p' "$folder/line")
    if [ -z "$url" ]; then
        echo "the bank did not start:" >&2
        cat "$folder/complaints" >&2
        exit 1
    fi
}

control() { # control METHOD PATH [JSON]
    curl -sS --fail-with-body --max-time 10 -X "$1" -H "Authorization: Bearer $(cat "$token_file")" "$url/control/$2" ${3:+-d "$3"}
}

# Faults that strike about every tenth request each, before and after the money moves.
arm_p01() {
    local spec
    for spec in 'after_commit:rst:probability=0.1:seed=11' 'unread:fin:probability=0.1:seed=12' \
        'before_commit:status(code=503,retry_after=0):probability=0.1:seed=13' \
        'mid_answer:fin(at=body):probability=0.1:seed=14' 'late:delay(ms=30):probability=0.1:seed=15'; do
        control POST faults "{\"spec\":\"$spec\"}" >/dev/null
    done
}
