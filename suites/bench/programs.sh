#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What openclaw costs whole programs: each command line by itself and in each
# mode, by turns, each round in the other order than the one before, so that
# whatever else the machine does meets all of them. Medians of the rounds, of
# processor time (user and system, all processes) and of the wall clock.
#
#	programs.sh OPENCLAW LAYER ROUNDS COMMAND...
#
# COMMAND: a command line for sh, such as "clpeak --kernel-latency"; what it
# prints is dropped. Before anything is measured each one runs once in each mode,
# which fills the caches. OPENCLAW_BENCH_MODES: fewer modes than all of
# "plain idle check guards capture cover kernels". OPENCLAW_BENCH_HOME: a
# directory for the caches, which outlives the run; else each run fills its own.
set -eu

openclaw=$(realpath "$1") layer=$(realpath "$2") rounds=$3
shift 3
modes=${OPENCLAW_BENCH_MODES-plain idle check guards capture cover kernels}
work=$(mktemp -d "${TMPDIR:-/tmp}/openclaw-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset OPENCL_LAYERS OPENCLAW_SESSION OPENCLAW_FAULTS OPENCLAW_LAYERS
export LC_ALL=C
home=${OPENCLAW_BENCH_HOME-$work/home}
mkdir -p "$home"
export HOME="$home" XDG_CACHE_HOME="$home" XDG_DATA_HOME="$home" \
	POCL_CACHE_DIR="$home/pocl"

# in_mode MODE COMMAND
in_mode()
{
	out=$work/out
	case $1 in
	plain) sh -c "$2" ;;
	idle)
		mkdir "$out"
		: >"$out/rules"
		echo 'version=1' >"$out/config"
		OPENCL_LAYERS=$layer OPENCLAW_SESSION=$out sh -c "$2"
		;;
	check) "$openclaw" check -o "$out" -- sh -c "$2" ;;
	guards) "$openclaw" check --guards -o "$out" -- sh -c "$2" ;;
	capture) "$openclaw" capture -o "$out" -- sh -c "$2" ;;
	cover) "$openclaw" cover -o "$out" -- sh -c "$2" ;;
	kernels) "$openclaw" check --kernels -o "$out" -- sh -c "$2" ;;
	esac
}

# measure NUMBER MODE COMMAND: a line of the table: seconds of processor time,
# of the wall clock, exit status.
measure()
{
	begin=$(date +%s%N)
	(
		status=0
		in_mode "$2" "$3" </dev/null >"$work/log" 2>&1 || status=$?
		echo $status >"$work/status"
		times
	) >"$work/times"
	end=$(date +%s%N)
	tail -n 1 "$work/times" | tr 'ms' '  ' |
		awk -v head="$1 $2" -v wall="$((end - begin))" \
			-v status="$(cat "$work/status")" '
			{ print head, $1 * 60 + $2 + $3 * 60 + $4, wall / 1e9, status }
		' >>"$work/table"
	rm -rf "$work/out"
}

backwards=
for mode in $modes; do
	backwards="$mode $backwards"
done
round=0
while [ $round -le "$rounds" ]; do
	number=0
	for command; do
		number=$((number + 1))
		[ $((round % 2)) = 1 ] && order=$modes || order=$backwards
		for mode in $order; do
			measure $number "$mode" "$command"
			# With findings they end with 1, too.
			[ $round != 0 ] || [ "$(cat "$work/status")" -le 2 ] ||
				tail -n 3 "$work/log"
		done
	done
	[ $round != 0 ] || rm "$work/table"
	round=$((round + 1))
done

number=0
for command; do
	number=$((number + 1))
	echo "$number: $command"
done
awk -v modes="$modes" -v rounds="$rounds" '
	function median(what, number, mode,   i, j, n, list, swap) {
		n = count[number, mode]
		for (i = 1; i <= n; i++)
			list[i] = value[what, number, mode, i]
		for (i = 1; i <= n; i++)
			for (j = i + 1; j <= n; j++)
				if (list[j] < list[i]) {
					swap = list[i]; list[i] = list[j]; list[j] = swap
				}
		return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
	}
	{
		i = ++count[$1, $2]
		value["processor", $1, $2, i] = $3
		value["wall", $1, $2, i] = $4
		status[$1, $2] = $5
		if ($1 > programs) programs = $1
	}
	END {
		n = split(modes, mode, " ")
		printf "%-22s", "medians of " rounds " rounds"
		for (m = 1; m <= n; m++) printf " %8s", mode[m]
		print ""
		split("processor wall", kinds, " ")
		for (p = 1; p <= programs; p++) {
			for (w = 1; w <= 2; w++) {
				base = median(kinds[w], p, mode[1])
				printf "%-22s %8.2f", p " " kinds[w] " s, ratios", base
				for (m = 2; m <= n; m++) {
					ratio = median(kinds[w], p, mode[m]) / base
					printf " %8.3f", ratio
					sum[w, m] += log(ratio)
				}
				print ""
			}
			printf "%-22s", p " exit status"
			for (m = 1; m <= n; m++) printf " %8d", status[p, mode[m]]
			print ""
		}
		for (w = 1; w <= 2; w++) {
			printf "%-22s %8s", kinds[w] ", geom. mean", ""
			for (m = 2; m <= n; m++) printf " %8.3f", exp(sum[w, m] / programs)
			print ""
		}
	}' "$work/table"
