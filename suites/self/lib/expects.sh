#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# expects.sh STATUS [WORDS...] -- PROGRAM [ARG...]: it ends with that status
# ("not 0": with any other than 0), and its output has what these patterns of
# grep match. Prints what it has printed.
wanted=$1
shift
words=$(mktemp) || exit 99
output=$(mktemp) || exit 99
trap 'rm -f "$words" "$output"' EXIT
while [ "$1" != -- ]; do
	printf '%s\n' "$1" >>"$words"
	shift
done
shift
status=0
"$@" >"$output" 2>&1 </dev/null || status=$?
cat "$output"
case $wanted in
"not 0") [ "$status" != 0 ] ;;
*) [ "$status" = "$wanted" ] ;;
esac || { echo "status $status, expected $wanted" >&2; exit 1; }
while read -r line; do
	grep -q -e "$line" "$output" && continue
	echo "output lacks: $line" >&2
	exit 1
done <"$words"
