#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A history of many results: how fast they go in, how long a question takes (the
# whole process; median of ROUNDS, which other load makes longer, and time of the
# processor).
#
#	history.sh OPENCLAW BENCH_HISTORY [RESULTS [CASES [ROUNDS]]]
#
# RESULTS (10000000) of CASES (1000) a run, in $TMPDIR.
set -eu

openclaw=$1 bench=$2 results=${3-10000000} cases=${4-1000} rounds=${5-9}
work=$(mktemp -d "${TMPDIR:-/tmp}/openclaw-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

"$bench" "$work/openclaw.db" $((results / cases)) "$cases"
du -m "$work/openclaw.db" | awk '{ print "file: " $1 " MiB" }'

rounds_of()
{
	round=0
	while [ $round -lt "$rounds" ]; do
		round=$((round + 1))
		begin=$(date +%s%N)
		"$openclaw" history --history "$work/openclaw.db" "$@" \
			>"$work/out" || [ $? = 2 ]
		echo $((($(date +%s%N) - begin) / 1000)) >>"$work/wall"
	done
	times
}

# ask [OPTION...]: of the processor the mean, with what the loop itself takes.
ask()
{
	rm -f "$work/wall"
	cpu=$(rounds_of "$@" | awk -v rounds="$rounds" 'NR == 2 {
		gsub(/[ms]/, " ")
		printf "%.0f", 1000 * ($1 * 60 + $2 + $3 * 60 + $4) / rounds }')
	sort -n "$work/wall" | awk -v of="$*" -v cpu="$cpu" '{ us[NR] = $1 }
		END { printf "%7.1f ms, %3d ms of the processor: history %s\n",
			us[int((NR + 1) / 2)] / 1000, cpu, of }'
}

ask
ask --json
ask --case 'suite07/*'
ask --case 'case0003'
ask --device 'GPU A'
for days in 1 7 30 90 365; do
	ask --since ${days}d
done
ask --since 7d --case 'suite07/*' --device 'GPU A'
