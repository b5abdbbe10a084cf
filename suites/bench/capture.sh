#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What "openclaw capture" costs a program of ten million calls and 4 GiB of
# buffers: the program's memory with and without it, time, and the dump's size.
# Takes some minutes, 5 GiB of memory and 2 GiB of disk.
#
#	capture.sh OPENCLAW BENCH_CAPTURE [CALLS [BUFFERS [MIB]]]
set -eu

openclaw=$1 bench=$2
shift 2
mib=${3-256}
work=$(mktemp -d "${TMPDIR:-/tmp}/openclaw-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset OPENCL_LAYERS OPENCLAW_SESSION OPENCLAW_FAULTS OPENCLAW_LAYERS
# shellcheck disable=SC3045
ulimit -c 0

# memory FILE: KiB of it that are in memory.
memory() { awk '$1 == "VmRSS:" { print $2 }' "$1"; }

# The first one fills the driver's cache of kernels.
"$bench" 1 1 1 >/dev/null || :
echo "calls ${1-10000000}, buffers ${2-16} of $mib MiB"
start=$(date +%s)
"$bench" "$@" >"$work/plain" || :
plain=$(memory "$work/plain")
echo "without: $((plain / 1024)) MiB, $(($(date +%s) - start)) s"
for buffers in none hash launch; do
	start=$(date +%s)
	kernel=
	[ $buffers != launch ] || kernel='--kernel store --launch 1'
	# shellcheck disable=SC2086
	"$openclaw" capture --buffers $buffers $kernel -o "$work/$buffers" -- \
		"$bench" "$@" >"$work/out" 2>"$work/err" || :
	with=$(memory "$work/out")
	dump=$(stat -L -c %s "$work/$buffers/latest.dmp" || echo 0)
	echo "--buffers $buffers: $(((with - plain) / 1024)) MiB more," \
		"$(($(date +%s) - start)) s, dump $((dump >> 20)) MiB" \
		"(at most 64 MiB more, and $((mib + 16)) MiB)"
	rm -rf "${work:?}/$buffers"
done
