#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a call costs, and what an object takes, where there are many objects,
# queues, kernels or threads, in each mode: ns of CPU time a call in the small and
# in the large case, best of the rounds, each mode in turn; of both what the mode
# adds to no layer, and the ratio of that; bytes of memory an object, less what
# it takes without a layer.
#
#	scale.sh OPENCLAW LAYER BENCH_CALLS STUB_ICD [ROUNDS [CASE...]]
#
# CASE: buffers=1000,1000000, say. OPENCLAW_BENCH_ICD=native measures on the
# system's driver, not the stub; OPENCLAW_BENCH_MODES: fewer modes.
set -eu

openclaw=$(realpath "$1") layer=$(realpath "$2") bench=$(realpath "$3")
stub=$4 rounds=${5-3}
shift $(($# < 5 ? $# : 5))
cases=${*:-buffers=1000,1000000 events=1000,1000000 queues=16,10000
	kernels=16,100000 threads=1,64}
modes=${OPENCLAW_BENCH_MODES-direct leaks check guards journal capture}
work=$(mktemp -d "${TMPDIR:-/tmp}/openclaw-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset OPENCL_LAYERS OPENCLAW_SESSION OPENCLAW_FAULTS OPENCLAW_LAYERS

if [ "${OPENCLAW_BENCH_ICD-stub}" = stub ]; then
	mkdir "$work/vendors"
	echo "$stub" >"$work/vendors/stub.icd"
	OCL_ICD_VENDORS=$work/vendors
	export OCL_ICD_VENDORS
fi
mkdir "$work/ring"

beneath()
{
	mode=$1
	shift
	case $mode in
	direct) "$@" ;;
	leaks) "$openclaw" check --leaks -o "$work/out" -- "$@" ;;
	check) "$openclaw" check -o "$work/out" -- "$@" ;;
	guards) "$openclaw" check --leaks --lifetime --guards \
		-o "$work/out" -- "$@" ;;
	journal)
		: >"$work/ring/rules"
		printf 'version=1\nrecord=last\nrecord_queries=1\n' \
			>"$work/ring/config"
		OPENCL_LAYERS=$layer OPENCLAW_SESSION=$work/ring "$@" ;;
	capture) "$openclaw" capture -o "$work/out" -- "$@" ;;
	esac
}

round=0
while [ $round -lt "$rounds" ]; do
	round=$((round + 1))
	for words in $cases; do
		what=${words%%=*} counts=${words#*=}
		for size in small large; do
			[ $size = small ] && n=${counts%,*} || n=${counts#*,}
			for mode in $modes; do
				beneath "$mode" "$bench" scale "$what" "$n" \
					>"$work/figures" 2>"$work/said" || :
				[ -s "$work/figures" ] || cat "$work/said"
				sed "s/^/$what $mode $size /" \
					"$work/figures" >>"$work/table"
				rm -rf "$work/out" "$work/ring"/*
			done
		done
	done
done

echo "small to large: $cases, best of $rounds rounds" | tr -s '\n\t' ' '
awk -v modes="$modes" '
	{
		key = $1 SUBSEP $4
		if (!(key in seen)) { seen[key] = 1; keys[++count] = key }
		if (!((key, $2, $3) in best) || $5 < best[key, $2, $3])
			best[key, $2, $3] = $5
	}
	END {
		printf "\n%-24s %-8s %9s %9s %9s %9s %6s\n", "ns a call", "",
			"small", "large", "+small", "+large", "ratio"
		n = split(modes, mode, " ")
		for (i = 1; i <= count; i++) for (m = 1; m <= n; m++) {
			split(keys[i], part, SUBSEP)
			small = best[keys[i], mode[m], "small"]
			large = best[keys[i], mode[m], "large"]
			small_more = small - best[keys[i], "direct", "small"]
			large_more = large - best[keys[i], "direct", "large"]
			name = part[1] " " part[2]
			if (part[2] == "bytes" && mode[m] != "direct")
				printf "%-24s %-8s %39.0f\n", name, mode[m], large_more
			else if (part[2] != "bytes" && mode[m] == "direct")
				printf "%-24s %-8s %9.1f %9.1f %19s %6.2f\n", name,
					mode[m], small, large, "", large / small
			else if (part[2] != "bytes")
				printf "%-24s %-8s %9.1f %9.1f %+9.1f %+9.1f %6.2f\n",
					name, mode[m], small, large, small_more,
					large_more, large_more / small_more
		}
	}' "$work/table"
