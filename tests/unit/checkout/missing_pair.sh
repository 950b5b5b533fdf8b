#!/bin/sh
# missing_pair.sh COMPILER ROOT FLAG...: transition.cpp compiles, and without any one pair of its table it does not.
set -eu
compiler=$1
root=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compiles() {
    "$compiler" -std=c++20 -fPIC -fsyntax-only -I"$root" "$@" "$work/table.cpp" 2>"$work/says"
}

table=$root/core/checkout/transition.cpp
cp "$table" "$work/table.cpp"
if ! compiles "$@"; then
    cat "$work/says"
    echo "the whole table does not compile"
    exit 1
fi

pairs=$(grep -c 'void operator()(const state::' "$table")
if [ "$pairs" -ne 192 ]; then
    echo "the table has $pairs pairs, not 12 states x 16 events"
    exit 1
fi

for pair in 'state::Sending &, const event::WaitElapsed' 'state::Voided &, const event::TriedAgain'; do
    # The line goes out of the overload set by being named otherwise.
    sed "s/void operator()(const $pair /void missing(const $pair /" "$table" >"$work/table.cpp"
    if cmp -s "$table" "$work/table.cpp"; then
        echo "no such line in the table: $pair"
        exit 1
    fi
    if compiles "$@"; then
        echo "compiles without the pair: $pair"
        exit 1
    fi
done
