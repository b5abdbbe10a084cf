#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The fuzzers under libFuzzer with ASan and UBSan, each for some time:
#
#	fuzz_long.sh [TARGET...]	default: every fuzzer there is
#
# "make fuzz" calls it in the build directory, where the fuzzers are built
# without libFuzzer (they write the seeds) and libhost.a, libguest.a and libclw.a
# say by their members what each of them needs; that is compiled again by clang.
# Exit status: 0; 1 something was found, or a fuzzer did next to nothing; 77
# there is no clang with libFuzzer; 99 it cannot be built.
#
# FUZZ_SECONDS		how long each runs (default 60)
# FUZZ_JOBS		how many at a time (default 2)
# FUZZ_CORPUS		a directory that keeps inputs from one run to the next
# FUZZ_FINDINGS		where what was found is put (default fuzz-findings)
set -u
: "${FUZZ_SECONDS:=60}" "${FUZZ_JOBS:=2}" "${FUZZ_FINDINGS:=fuzz-findings}"
: "${FUZZ_CC:=clang}" "${FUZZ_CFLAGS=}" "${FUZZ_LIBS=}" "${srcdir:=.}"
: "${host_sources=}" "${guest_sources=}" "${clw_sources=}"
smallest_max=6144	# bytes of an input, or the longest seed's
san='-fsanitize=address,undefined -fno-sanitize-recover=all'
# make gives NAME='text'; the shell has to see NAME="text" as it stands.
FUZZ_CFLAGS=$(echo "$FUZZ_CFLAGS" | tr "'" '"')
cc="$FUZZ_CC -std=gnu11 -w -g -O1 -DCLAW_LIBFUZZER $FUZZ_CFLAGS"
cc="$cc -fsanitize=fuzzer-no-link $san"

case $FUZZ_SECONDS$FUZZ_JOBS in
*[!0-9]*)
	echo "FUZZ_SECONDS and FUZZ_JOBS: expected numbers, found" \
		"\"$FUZZ_SECONDS\" and \"$FUZZ_JOBS\"" >&2
	exit 64 ;;
esac
least=$((FUZZ_SECONDS * 5))	# a fuzzer that read fewer inputs did nothing

work=$(mktemp -d "${TMPDIR:-/tmp}/openclaw-fuzz.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
mkdir "$work/objects" "$work/found"

skip()
{
	echo "fuzz: skipped: $*"
	exit 77
}

command -v "${FUZZ_CC%% *}" >/dev/null || skip "there is no $FUZZ_CC"
echo 'int LLVMFuzzerTestOneInput(const char *b, long n) { (void)b; return n < 0; }' \
	>"$work/try.c"
# shellcheck disable=SC2086
if ! $FUZZ_CC -w -fsanitize=fuzzer $san -o "$work/try" "$work/try.c" \
	2>"$work/try.log"; then
	cat "$work/try.log"
	skip "$FUZZ_CC has no libFuzzer (libclang-rt-14-dev or the like)"
fi

# ---- build

# source_of libhost.a libhost_a-dump.o: harness/crash/dump/dump.c; of libclw.a
# a-wire.o: libclw/wire.c
source_of()
{
	base=${2#*a-}
	base=${base%.o}.c
	case $1 in
	*guest*) list=$guest_sources ;;
	*clw*) list=$clw_sources ;;
	*) list=$host_sources ;;
	esac
	for source in $list; do
		if [ "${source##*/}" = "$base" ]; then
			echo "$source"
			return
		fi
	done
	echo "fuzz: no source of $2" >&2
	return 1
}

# Which members of the archives a target needs: "libhost.a libhost_a-dump.o"
members_of()
{
	# shellcheck disable=SC2086
	$FUZZ_CC -fsanitize=fuzzer -Wl,-t,-t,--unresolved-symbols=ignore-all \
		-o "$work/plain" "$@" libguest.a libclw.a libhost.a $FUZZ_LIBS \
		2>"$work/members.err" |
		sed -n -e 's/^(\(lib[hgc][a-z]*\.a\))\(.*\.o\)$/\1 \2/p' \
		-e 's/^.*\(lib[hgc][a-z]*\.a\)(\(.*\.o\))$/\1 \2/p' | sort -u
}

# Its objects' names; what has to be compiled yet goes to $work/todo.
plan_target()
{
	own="suites/self/fuzz/$1.c"
	[ "$1" != fuzz_model ] || own="$own suites/self/fuzz/fuzz_model_guest.c"
	: >"$work/$1.objects"
	for source in $own; do
		object=$work/objects/$(echo "$source" | tr / _).o
		# shellcheck disable=SC2086
		$cc -c -o "$object" "$srcdir/$source" || return 1
		echo "$object" >>"$work/$1.objects"
	done
	# shellcheck disable=SC2046
	members_of $(cat "$work/$1.objects") >"$work/$1.members"
	if ! [ -s "$work/$1.members" ]; then
		echo "fuzz: $1 needs nothing of libhost.a:" >&2
		cat "$work/members.err" >&2
		return 1
	fi
	while read -r library member; do
		source=$(source_of "$library" "$member") || return 1
		object=$work/objects/${library%.a}-$(echo "$source" | tr / _).o
		echo "$object" >>"$work/$1.objects"
		echo "$srcdir/$source $object" >>"$work/todo"
	done <"$work/$1.members"
}

link_target()
{
	# shellcheck disable=SC2046,SC2086
	$FUZZ_CC -fsanitize=fuzzer $san -o "$work/$1" \
		$(cat "$work/$1.objects") $FUZZ_LIBS
}

build()
{
	: >"$work/todo"
	for target in "$@"; do
		plan_target "$target" || return 1
	done
	sort -u "$work/todo" |
		xargs -P "$FUZZ_JOBS" -L 1 sh -c \
			'$0 -c -o "$2" "$1" || exit 255' "$cc" || return 1
	for target in "$@"; do
		link_target "$target" || return 1
	done
}

# ---- run

longest()
{
	find "$1" -type f -printf '%s\n' | sort -rn | head -n 1
}

seeds_of()
{
	mkdir "$work/seeds-$1" || return 1
	if [ "$1" = fuzz_model ]; then
		"suites/self/fuzz/$1" --write "$work/seeds-$1" \
			"$srcdir"/faults/devices/*.yaml
	else
		"suites/self/fuzz/$1" --write "$work/seeds-$1"
	fi
}

# Of each input that is found the name begins with the target's.
run_target()
{
	corpus=${FUZZ_CORPUS:-$work/corpus}/$1
	dictionary=
	mkdir -p "$corpus" && seeds_of "$1" || return 1
	if [ -f "$work/seeds-$1/words.dict" ]; then
		mv "$work/seeds-$1/words.dict" "$work/$1.dict"
		dictionary=-dict=$work/$1.dict
	fi
	max=$(longest "$work/seeds-$1")
	[ "${max:-0}" -ge $smallest_max ] || max=$smallest_max
	# shellcheck disable=SC2086
	TMPDIR=$work "$work/$1" -max_total_time="$FUZZ_SECONDS" -max_len="$max" \
		-timeout=60 -rss_limit_mb=2560 -print_final_stats=1 \
		-artifact_prefix="$work/found/$1-" $dictionary \
		"$corpus" "$work/seeds-$1" >"$work/$1.log" 2>&1
	echo $? >"$work/$1.status"
}

# What a fuzzer said of a finding, without what it said before that.
report()
{
	grep -n -m 1 -e 'ERROR: ' -e 'runtime error:' "$1" >"$work/at"
	tail -n "+$(sed 's/:.*//;q' "$work/at" | grep . || echo 1)" "$1" |
		grep -v '^#[0-9]*[[:space:]]' | head -n 60
}

# One line a target.
judge()
{
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$1.log")
	found=$(find "$work/found" -name "$1-*" | wc -l)
	status=$(cat "$work/$1.status" 2>/dev/null || echo 99)
	echo "$1: ${runs:-unknown} executions in $FUZZ_SECONDS s," \
		"$found findings"
	if [ "$found" != 0 ] || [ "$status" != 0 ]; then
		echo "$1: FAILED (status $status):"
		report "$work/$1.log"
		return 1
	fi
	if [ "${runs:-0}" -lt $least ]; then
		echo "$1: FAILED: fewer than $least executions"
		return 1
	fi
}

keep_findings()
{
	[ -n "$(ls "$work/found")" ] || return 0
	mkdir -p "$FUZZ_FINDINGS" && cp "$work"/found/* "$FUZZ_FINDINGS" &&
		echo "what was found is in $FUZZ_FINDINGS; again:" \
			"suites/self/fuzz/TARGET FILE, of a text --read FILE"
}

if [ $# = 0 ]; then
	for file in "$srcdir"/suites/self/fuzz/fuzz_*.c; do
		target=${file##*/}
		target=${target%.c}
		[ "$target" = fuzz_model_guest ] || set -- "$@" "$target"
	done
fi
for target in "$@"; do
	if ! [ -x "suites/self/fuzz/$target" ]; then
		echo "fuzz: there is no fuzzer \"$target\"" >&2
		exit 64
	fi
done
build "$@" || { echo 'fuzz: it cannot be built' >&2; exit 99; }
echo "built: $*"
running=0
for target in "$@"; do
	run_target "$target" &
	running=$((running + 1))
	if [ "$running" -ge "$FUZZ_JOBS" ]; then
		wait
		running=0
	fi
done
wait
failed=0
for target in "$@"; do
	judge "$target" || failed=1
done
keep_findings
exit $failed
