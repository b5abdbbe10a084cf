#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How many instructions a pair of calls takes under this layer and under others,
# on the stub driver, whose own are in each figure: Valgrind counts them, so that
# other load changes nothing. Each case runs with few and with many pairs, and the
# difference is divided by theirs: what is done once does not count.
#
#	instructions.sh OPENCLAW BENCH_CALLS STUB_ICD [PEER_LAYER...]
#
# OPENCLAW_BENCH_CASES: fewer cases than all that have pairs.
set -eu

openclaw=$(realpath "$1") bench=$(realpath "$2") stub=$(realpath "$3")
shift 3
cases=${OPENCLAW_BENCH_CASES-retain+release set-arg create+release enqueue \
	event+release}
work=$(mktemp -d "${TMPDIR:-/tmp}/openclaw-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset OPENCL_LAYERS OPENCLAW_SESSION OPENCLAW_FAULTS OPENCLAW_LAYERS
mkdir "$work/vendors"
echo "$stub" >"$work/vendors/stub.icd"
export OCL_ICD_VENDORS="$work/vendors"

# count CASE DIVIDE COMMAND...: what the process takes.
count()
{
	case=$1 divide=$2
	shift 2
	"$@" valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		--log-file="$work/log" "$bench" "$case" "$divide" \
		>"$work/said" 2>&1 || {
		cat "$work/said" >&2
		exit 1
	}
	sed -n 's/.*Collected : //p' "$work/log"
	rm -rf "$work/out"
}

# bench_calls has nine rounds of PAIRS / DIVIDE + 1.
row()
{
	name=$1
	shift
	printf '%-24s' "$name"
	for case in $cases; do
		case $case in
		retain+release | set-arg) pairs=400000 ;;
		create+release) pairs=100000 ;;
		*) pairs=50000 ;;
		esac
		few=$(count "$case" $((pairs / 50)) "$@")
		many=$(count "$case" $((pairs / 500)) "$@")
		printf ' %15s' $(((many - few) / 9 / 450))
	done
	echo
}

printf '%-24s' 'instructions a pair'
for case in $cases; do
	printf ' %15s' "$case"
done
echo
row direct env
for peer; do
	row "$(basename "$peer")" env OPENCL_LAYERS="$(realpath "$peer")"
done
row check "$openclaw" check --error-exitcode 0 -o "$work/out" --
