#!/usr/bin/env bash
# A Node client with retries under faults: every sale it saw approved was charged, once. usage: node_client.sh BANK
. "$(dirname "$0")/bank.sh"
need curl node
start_bank --account card_ok=10000000 --store "sqlite:$folder/bank.db"
arm_p01
timeout 60 node "$here/retrying_client.js" "$url" "$folder/answered" 400
control GET faults | grep -o '"fired":[0-9]*' | tr '\n' ' '
echo
control DELETE faults >/dev/null
timeout 20 node "$here/reconcile.js" "$url" "$token_file" "$folder/answered"
# 400 sales of 100, and not a yen more.
control GET accounts | grep -q '"balance":9960000,[^}]*"source":"card_ok"'
