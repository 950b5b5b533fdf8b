#!/usr/bin/env bash
# wrk with a key per request, and hey with one key for all, under faults. usage: load_programs.sh BANK
. "$(dirname "$0")/bank.sh"
need curl node wrk hey
start_bank --account card_ok=100000000
arm_p01

timeout 30 wrk -t2 -c32 -d2s -s "$here/charges.lua" "$url" -- "$folder" wrk | grep -E 'requests in|Non-2xx|Socket errors'
cat "$folder"/answered.* >"$folder/answered"

timeout 30 hey -n 2000 -c 50 -m POST -T application/json -H 'Idempotency-Key: hey-1' \
    -d '{"order_id":"H-1","amount":7,"currency":"JPY","source":"card_ok"}' "$url/v1/charges" >"$folder/hey" || true
grep -E '^ *\[[0-9]+\].*responses' "$folder/hey"
grep -q '\[201\]' "$folder/hey"
echo hey-1 >>"$folder/answered"

control DELETE faults >/dev/null
timeout 60 node "$here/reconcile.js" "$url" "$token_file" "$folder/answered"
