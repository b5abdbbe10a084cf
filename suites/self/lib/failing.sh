# SPDX-License-Identifier: Apache-2.0
# For scripts that look at failures from within a program (helpers/failing.c):
# after lib.sh.
#
#	failing RULE [OPTION...] -- WORD...	what the program says, joined
#	says TEXT				that is what it said
#	find_oclgrind				its library, or nothing

dir=$(cd "$(dirname "$OPENCLAW")" && pwd)
failing=$dir/suites/self/helpers/failing
mkdir "$work/cache" "$work/icd" || exit 99
POCL_CACHE_DIR=$work/cache
export POCL_CACHE_DIR
launch=clEnqueueNDRangeKernel:kernel=trigger

failing()
{
	rule=$1 options=
	shift
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	# shellcheck disable=SC2086
	run "$OPENCLAW" inject $options --fault "$rule" -- "$failing" "$@"
	paste -sd' ' "$work/out" >"$work/line"
}

says()
{
	[ "$(cat "$work/line")" = "$*" ] && return
	echo "the program said: $(cat "$work/line")"
	echo "expected:         $*"
	head -n 20 "$work/err"
	return 1
}

find_oclgrind()
{
	for file in /usr/lib/oclgrind/liboclgrind-rt-icd.so \
		/usr/lib/*/oclgrind/liboclgrind-rt-icd.so; do
		[ -e "$file" ] && echo "$file" && break
	done
}
