#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a call costs under this layer and under others: no layer, each peer, then
# this one idle and in the modes of "openclaw check", in turn, round after
# round; the best round counts. Two tables: ns a call, and how many times as
# long as without a layer. The system's driver is used.
#
#	peers.sh OPENCLAW LAYER BENCH_CALLS ROUNDS [PEER_LAYER...]
set -eu

openclaw=$1 layer=$2 bench=$3 rounds=$4
shift 4
work=$(mktemp -d "${TMPDIR:-/tmp}/openclaw-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset OPENCL_LAYERS OPENCLAW_SESSION OPENCLAW_FAULTS OPENCLAW_LAYERS

for peer; do
	[ -e "$peer" ] || { echo "peers.sh: cannot find $peer" >&2; exit 64; }
done
mkdir "$work/idle"
: >"$work/idle/rules"
echo 'version=1' >"$work/idle/config"

measure()
{
	name=$1
	shift
	for words in 5 crowd; do
		rm -rf "$work/check" "$work"/idle/journal.*
		env "$@" "$bench" $words 2>"$work/log" >"$work/out" || {
			cat "$work/log" >&2
			exit 1
		}
		sed "s/^/$name /" "$work/out" >>"$work/figures"
	done
}

check()
{
	measure "$1" "$openclaw" check --error-exitcode 0 $2 \
		--output "$work/check" --
}

round=0
while [ $round -lt "$rounds" ]; do
	round=$((round + 1))
	measure direct A=
	for peer; do
		measure "$(basename "$peer")" OPENCL_LAYERS="$(realpath "$peer")"
	done
	measure idle OPENCL_LAYERS="$layer" OPENCLAW_SESSION="$work/idle"
	check --leaks --leaks
	check check ''
	check --guards --guards
done

awk -v rounds="$rounds" '
	!(($1, $2) in best) || $3 < best[$1, $2] { best[$1, $2] = $3 }
	!($1 in named) { named[$1] = 1; names[++count] = $1 }
	!($2 in seen) { seen[$2] = 1; calls[++call_count] = $2 }
	function head(text) {
		printf "%-28s", text
		for (j = 1; j <= call_count; j++)
			printf " %22s", calls[j]
		print ""
	}
	END {
		head("ns a call, best of " rounds)
		for (i = 1; i <= count; i++) {
			printf "%-28s", names[i]
			for (j = 1; j <= call_count; j++)
				printf " %22.1f", best[names[i], calls[j]]
			print ""
		}
		print ""
		head("times without a layer")
		for (i = 2; i <= count; i++) {
			printf "%-28s", names[i]
			for (j = 1; j <= call_count; j++)
				printf " %22.2f", best[names[i], calls[j]] / best["direct", calls[j]]
			print ""
		}
	}' "$work/figures"
