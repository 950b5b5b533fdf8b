#!/usr/bin/env bash
# Every curl call of mock-server/README.md against the real program: what strangers copy from there works.
# usage: readme_calls.sh BANK README
. "$(dirname "$0")/bank.sh"
need curl
readme=$2
start_bank

# The commands of the fenced blocks, one a line; what is shown of answers and other programs is left out.
awk '/^```/ { inside = !inside; next } inside { while (sub(/\\$/, "")) { getline more; $0 = $0 more } print }' "$readme" |
    grep -E '^(T=|curl )' | grep -v 'https://' |
    sed -e "s#http://127.0.0.1:8080#$url#g" -e "s#/tmp/bank.token#$token_file#g" >"$folder/calls"

cd "$folder" # where the file of its scenario is
cat >answer-lost.json <<'TXT'
{"name":"Answer lost, then trouble","seed":42,
 "bank":{"strategy":"atomic","accounts":{"card_ok":100000}},
 "steps":[{"selector":{"route":"charge","attempt":1},"placement":"after_commit","manifestation":{"kind":"hold"}},
          {"selector":{"route":"charge","attempt":2},"placement":"unread","manifestation":{"kind":"status","code":503,"retry_after":"2"}}],
 "expect":{"charges_per_order":1,"outcome":"approved","replayed":true,"max_wire_sends":3}}
TXT
curl() { command curl -sS --max-time 2 -o "$folder/body" -w '%{http_code}' "$@"; }
run_id() { command curl -s --max-time 2 "$url/healthz" | sed -n 's/.*"run_id":"\([^"]*\)".*/\1/p' || true; }
run=$(run_id)
eval "$(grep -m1 '^T=' "$folder/calls")" # some speak of it before they define it
calls=0 wrong=0
while IFS= read -r call; do
    if [[ $call == T=* ]]; then
        eval "$call"
        continue
    fi
    calls=$((calls + 1))
    # A stream of events does not end by itself.
    status=$(eval "$call" 2>"$folder/said") || [[ $call == *control/events* ]] || status="failed: $(cat "$folder/said")"
    case "$status" in
    2??) ;;
    404) # the number in an example is nobody's
        [[ $call == */control/held/* || $call == */control/faults/* ]] || wrong=$((wrong + 1)) ;;
    *) wrong=$((wrong + 1)) ;;
    esac
    echo "$status  ${call//$url/URL}"
    [[ $status == 2?? ]] || cat "$folder/body" 2>/dev/null || true
    if [[ $call == *control/restart* ]]; then # it goes down after its answer, and is back as another run
        before=$run
        for _ in $(seq 1 200); do
            run=$(run_id)
            [ -n "$run" ] && [ "$run" != "$before" ] && break
            sleep 0.05
        done
    fi
done <"$folder/calls"
echo "$calls calls, $wrong wrong"
[ "$calls" -ge 10 ] && [ "$wrong" -eq 0 ]
