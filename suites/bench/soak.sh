#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a soak costs a program of its throughput: by itself and under "openclaw
# run", which samples it each second, by turns; each pair in the other order than
# the one before, so that whatever else the machine does meets both. The ratio
# of each pair counts: its median, its quartiles, and the bests of all rounds.
#
#	soak.sh OPENCLAW BENCH_METERS [ROUNDS [SECONDS]]
#
# On the system's first device (or OCL_ICD_VENDORS's).
set -eu

openclaw=$1 bench=$2 rounds=${3-15} seconds=${4-4}
work=$(mktemp -d "${TMPDIR:-/tmp}/openclaw-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset OPENCL_LAYERS OPENCLAW_SESSION OPENCLAW_FAULTS OPENCLAW_LAYERS

alone() { "$bench" "$1" "$seconds" >>"$work/$1.alone"; }

# A soak of so few samples ends unknown.
soaked()
{
	status=0
	# shellcheck disable=SC2016
	"$openclaw" run --iterations 1 --monitor-interval 1s \
		--output "$work/soak" -- sh -c 'exec "$0" "$1" "$2" >>"$3"' \
		"$bench" "$1" "$seconds" "$work/$1.soaked" >"$work/log" 2>&1 ||
		status=$?
	case $status in
	0 | 2) grep -q '"t":"sample"' "$work/soak/records.jsonl" ;;
	*) cat "$work/log"; exit 1 ;;
	esac
	rm -rf "$work/soak"
}

round=0
while [ $round -lt "$rounds" ]; do
	round=$((round + 1))
	for load in work small; do
		if [ $((round % 2)) = 0 ]; then
			alone $load
			soaked $load
		else
			soaked $load
			alone $load
		fi
	done
done

echo "rounds of work a second, sampled each second against alone:" \
	"$rounds pairs of $seconds s"
for load in work small; do
	paste "$work/$load.alone" "$work/$load.soaked" | awk '
		{
			print $4 / $2
			if ($2 > alone) alone = $2
			if ($4 > soaked) soaked = $4
		}
		END { print soaked / alone > "/dev/stderr" }' \
		2>"$work/best" | sort -n >"$work/ratios"
	awk -v load=$load -v best="$(cat "$work/best")" '
		{ ratio[NR] = $1 }
		function percent(value) {
			return sprintf("%+.2f %%", (value - 1) * 100)
		}
		function at(part) { return ratio[int((NR - 1) * part + 1.5)] }
		END {
			printf "%-6s median %s (quartiles %s and %s), bests %s\n",
				load, percent(at(0.5)), percent(at(0.25)),
				percent(at(0.75)), percent(best)
		}' "$work/ratios"
done
