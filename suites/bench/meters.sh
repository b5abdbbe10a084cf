#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What monitoring costs a program of its throughput: without the layer, with it
# and the ledger, and with the meters, which are read once a second meanwhile.
# Each in turn, round after round, so that whatever else the machine does meets
# all of them.
#
#	meters.sh LAYER BENCH_METERS METER_DUMP [ROUNDS [SECONDS]]
#
# On the system's first device (or OCL_ICD_VENDORS's).
set -eu

layer=$1 bench=$2 dump=$3 rounds=${4-30} seconds=${5-1}
work=$(mktemp -d "${TMPDIR:-/tmp}/openclaw-bench.XXXXXX")
reader=
trap '[ -z "$reader" ] || kill "$reader"; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset OPENCL_LAYERS OPENCLAW_SESSION OPENCLAW_FAULTS OPENCLAW_LAYERS

mkdir "$work/sites" "$work/meters"
: >"$work/sites/rules"
: >"$work/meters/rules"
printf 'version=1\nledger=sites\n' >"$work/sites/config"
printf 'version=1\nledger=sites\nmeters=1\n' >"$work/meters/config"

read_on()
{
	while sleep 1; do
		for file in "$work"/meters/meters.*; do
			"$dump" "$file" >/dev/null 2>&1 || :
		done
	done
}

measure()
{
	name=$1
	shift
	for load in work small; do
		env "$@" "$bench" $load "$seconds" |
			sed "s/^/$name /" >>"$work/figures"
		rm -f "$work"/*/*.[0-9]*.[0-9]*
	done
}

round=0
read_on &
reader=$!
while [ $round -lt "$rounds" ]; do
	round=$((round + 1))
	measure without A=
	measure ledger OPENCL_LAYERS="$layer" OPENCLAW_SESSION="$work/sites"
	measure meters OPENCL_LAYERS="$layer" OPENCLAW_SESSION="$work/meters"
done

echo "throughput with the layer, $rounds rounds of $seconds s (median of the \
rounds' differences, and where the middle half of them is)"
for load in work small; do
	for name in without ledger meters; do
		awk -v load=$load -v name=$name \
			'$1 == name && $2 == load { print $3 }' \
			"$work/figures" >"$work/$load.$name"
	done
	for name in ledger meters; do
		paste "$work/$load.without" "$work/$load.$name" |
			awk '{ print ($2 / $1 - 1) * 100, $1 }' | sort -n |
			awk -v load=$load -v name=$name '
			{ more[NR] = $1; sum += $2 }
			END {
				printf "%-6s %-7s %+.2f %%   (%+.2f to %+.2f; %.0f a second without)\n",
					load, name, more[int((NR + 1) / 2)],
					more[int((NR + 3) / 4)],
					more[int((3 * NR + 1) / 4)], sum / NR
			}'
	done
done
