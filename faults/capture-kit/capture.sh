#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run an OpenCL program; when it crashes, or its device does, keep what is
# needed to find out why. Needs a shell, the OpenCL loader and
# libopenclaw-layer.so beside this file. See README.

say()
{
	printf 'capture.sh: %s\n' "$*" >&2
}

usage()
{
	say "usage: capture.sh [--redact] [--buffers none|hash|all] [--icd]" \
		"[--always] [-o DIR] PROGRAM [ARG...] ($1)"
	exit 64
}

keys='' buffers=hash door=layer directory=$PWD/openclaw-crash
while [ $# -gt 0 ]; do
	case $1 in
	--redact) keys="$keys capture_redact=1" ;;
	--always) keys="$keys capture_keep=1" ;;
	--icd) door=icd ;;
	--buffers)
		case ${2-} in
		none | hash | all) buffers=$2 ;;
		*) usage "--buffers: expected none, hash or all, found '${2-}'" ;;
		esac
		shift ;;
	-o)
		case ${2-} in
		'') usage "-o: expected a directory" ;;
		/*) directory=$2 ;;
		*) directory=$PWD/$2 ;;
		esac
		shift ;;
	--) shift; break ;;
	-*) usage "unknown option $1" ;;
	*) break ;;
	esac
	shift
done
[ $# -gt 0 ] || usage "no program to run"

case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
here=$(cd "$here" && pwd) || exit 99
layer=$here/libopenclaw-layer.so
if [ ! -r "$layer" ]; then
	say "$layer is not there: unpack the whole kit"
	exit 99
fi
case $layer in
*:*) say "$here has a ':' in its path: unpack the kit elsewhere"; exit 99 ;;
esac

CLW_CRASH_DUMP=1
CLW_CRASH_DUMP_PATH=$directory
OPENCLAW_CAPTURE="capture=$buffers$keys"
export CLW_CRASH_DUMP CLW_CRASH_DUMP_PATH OPENCLAW_CAPTURE
if [ $door = icd ]; then
	OPENCLAW_ICD_TARGET=${OCL_ICD_VENDORS:-${OPENCL_VENDOR_PATH:-/etc/OpenCL/vendors}}
	OCL_ICD_VENDORS=$layer
	OCL_ICD_FILENAMES=$layer
	export OPENCLAW_ICD_TARGET OCL_ICD_VENDORS OCL_ICD_FILENAMES
else
	OPENCL_LAYERS=$layer${OPENCL_LAYERS:+:$OPENCL_LAYERS}
	OPENCLAW_LAYERS=$OPENCL_LAYERS
	export OPENCL_LAYERS OPENCLAW_LAYERS
fi
unset OPENCLAW_SESSION

# Those of earlier runs say nothing of this one.
earlier=:
for session in "$directory"/session_*; do
	earlier=$earlier${session##*/}:
done

# An interrupt is for the program; we still pack what it leaves.
trap : INT
status=0
"$@" || status=$?
trap - INT

found=
for session in "$directory"/session_*; do
	case $earlier in
	*":${session##*/}:"*) continue ;;
	esac
	[ -d "$session" ] && found=$session
done
if [ -z "$found" ]; then
	say "ended with $status; nothing was captured: no crash was seen" \
		"(where one was to be seen, the OpenCL loader may know no" \
		"layers: try --icd)"
	exit $status
fi

# Most of the files is nothing: gzip makes them small, where tar has it.
pack()
{
	tar -C "${directory%/*}" "$1" "$2" "${directory##*/}" 2>/dev/null &&
		archive=$2
}
archive=
umask 077	# a program's memory
if command -v tar >/dev/null 2>&1; then
	pack -czf "$directory.$$.tar.gz" || pack -cf "$directory.$$.tar"
fi
if [ -n "$archive" ]; then
	say "ended with $status; send $archive"
else
	say "ended with $status; send the directory $directory"
fi
say "(README tells what it holds; $directory may be removed then)"
exit $status
