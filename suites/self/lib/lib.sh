# SPDX-License-Identifier: Apache-2.0
# What every test script shares: TAP on stdout, a scratch directory, and the
# program under test in $OPENCLAW.
#
#	ok DESCRIPTION COMMAND [ARG...]		passes when the command does
#	skip DESCRIPTION REASON
#	run COMMAND [ARG...]		sets $status, leaves $work/out, $work/err
#	wait_until COMMAND [ARG...]	waits for another process
#	finish				prints the plan

set -u
: "${OPENCLAW:=./openclaw}" "${srcdir:=.}"
srcdir=$(cd "$srcdir" && pwd) || exit 99
OPENCLAW=$(cd "$(dirname "$OPENCLAW")" && pwd)/${OPENCLAW##*/}
LC_ALL=C
export LC_ALL
tap_count=0

# Of the slow scripts, another part's: OPENCLAW_TEST_PART=2/4 has the second of
# them, by name, and then every fourth.
is_left_out()
{
	case $0 in
	*/slow/*.test) ;;
	*) return 1 ;;
	esac
	ls "$srcdir"/suites/self/slow/*.test | awk -v script="${0##*/}" \
		-v part="$OPENCLAW_TEST_PART" '
		{ sub(/.*\//, "") }
		$0 == script {
			split(part, of, "/")
			is_in = NR % of[2] == of[1] % of[2]
		}
		END { exit is_in }'
}

if [ "${OPENCLAW_TEST_PART:-1/1}" != 1/1 ] && is_left_out; then
	echo "1..0 # SKIP not of part $OPENCLAW_TEST_PART"
	exit
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/openclaw-test.XXXXXX") || exit 99
work=$(cd "$work" && pwd -P)	# as programs see it
# Of the driver, for all that is judged here: a kernel is compiled once.
OPENCLAW_TEST_CACHE=$work/.kernels
export OPENCLAW_TEST_CACHE
# What programs, drivers and tools leave behind goes with it.
TMPDIR=$work/.tmp
export TMPDIR
# Lines to paste begin with "openclaw" where PATH finds it.
mkdir "$work/.bin" && ln -s "$OPENCLAW" "$work/.bin/openclaw" || exit 99
PATH=$work/.bin:$PATH
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
mkdir "$TMPDIR" || exit 99

ok()
{
	tap_count=$((tap_count + 1))
	description=$1
	shift
	if "$@" >"$work/ok.log" 2>&1; then
		echo "ok $tap_count - $description"
	else
		echo "not ok $tap_count - $description"
		echo "# failed: $*"
		sed 's/^/# /' "$work/ok.log"
	fi
}

skip()
{
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

# No program of a test takes that long, on the busiest machine: it hangs.
hang_seconds=900

# bash says on its stderr which signal ended a program; $status has it.
run()
{
	status=0
	{
		timeout -k 5 "${run_seconds:-$hang_seconds}" "$@" >"$work/out" 2>"$work/err" </dev/null ||
			status=$?
	} 2>/dev/null
}

# wait_until COMMAND [ARG...]: until it succeeds, as long as nothing hangs.
wait_until()
{
	tries=0
	until "$@" >/dev/null 2>&1; do
		[ $((tries += 1)) -lt $((hang_seconds * 20)) ] || return
		sleep 0.05
	done
}

finish()
{
	echo "1..$tap_count"
}

# Checks on the last run; each says what it saw when it fails.
status_is()
{
	[ "$status" = "$1" ] && return
	echo "status $status, expected $1"
	cat "$work/out" "$work/err"
	return 1
}

out_has()
{
	grep -q -e "$1" "$work/out" && return
	echo "stdout lacks: $1"
	head -n 40 "$work/out"
	return 1
}

err_has()
{
	grep -q -e "$1" "$work/err" && return
	echo "stderr lacks: $1"
	head -n 40 "$work/err"
	return 1
}

# One clear line and nothing else on stderr, nothing on stdout.
one_error_line()
{
	[ "$(wc -l <"$work/err")" = 1 ] && [ ! -s "$work/out" ] && return
	echo "expected one line on stderr alone"
	cat "$work/out" "$work/err"
	return 1
}

# The same of env, whose output a shell evaluates: that fails, too.
one_evaluated_error()
{
	[ "$(wc -l <"$work/err")" = 1 ] && [ "$(cat "$work/out")" = false ] &&
		return
	echo "expected one line on stderr, and false"
	cat "$work/out" "$work/err"
	return 1
}

# All of several checks, each a word or a quoted command.
all()
{
	for check in "$@"; do
		eval "$check" || return 1
	done
}

