#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How much of openclaw's own code its quick tests run, and of the kernels of a
# suite of ours, in one report: DIR/coverage.info, and DIR/index.html with
# genhtml. Fails when of an area below fewer lines or branches have run than
# are asked for. "make check-code-coverage" calls it in the build directory.
#
# Only the files of the areas are compiled to be counted; everything else is
# what "make" built. In the environment: srcdir, CC, GCOV, LCOV, COVER_CFLAGS,
# COVER_LIBS, and COVER_KERNELS, the suite. COVER_FILES=1 prints files, too.
#
#	code_coverage.sh DIR [LINES-PERCENT [BRANCHES-PERCENT]]
set -eu

dir=$1 least_lines=${2-90} least_branches=${3-80}
: "${srcdir:=.}" "${CC:=gcc}" "${LCOV:=lcov}" "${GCOV:=gcov}"
: "${COVER_CFLAGS=}" "${COVER_LIBS=}" "${COVER_KERNELS=bounds}"
LC_ALL=C
export LC_ALL
# What is run here counts for itself, and leaves nothing elsewhere.
unset OPENCL_LAYERS OPENCLAW_SESSION OPENCLAW_FAULTS CLW_DEVICE_ID GCOV_PREFIX
# make has quotes around strings, which the shell has taken.
COVER_CFLAGS=$(echo "$COVER_CFLAGS" | tr "'" '"')

# ---- what belongs to which area --------------------------------------------

areas='parser journal verdict supervisor'
# What is not ours: kernel files, suites, rules and plans of faults, options,
# settings, logs and reports of tools and of libcheck, dumps, traces, tracefiles.
# (Device models, ledgers and what a dump says of its machine are read by tests
# that take longer than all of these, and not in here.)
# shellcheck disable=SC2034
parser='harness/cases/clw/clw.c harness/cases/clw/clw_args.c harness/cases/clw/clw_check.c
	harness/cases/clw/clw_keys.c harness/cases/clw/clw_names.c harness/cases/clw/clw_options.c
	harness/cases/clw/clw_source.c harness/cases/clw/clw_values.c harness/cases/clw/clw_words.c
	harness/session/plan_yaml.c harness/files/yaml_doc.c harness/session/fault_plan.c
	faults/shared/plan.c harness/base/options.c harness/check/suppressions.c
	harness/session/user_config.c harness/session/user_config_keys.c
	harness/cases/suite/suite.c harness/cases/suite/suite_entry.c harness/cases/suite/suite_operand.c
	harness/cases/suite/suite_words.c harness/cases/suite/suite_yaml.c harness/cases/suite/suite_source.c
	harness/cases/suite/suite_cases.c harness/cases/suite/suite_kernels.c
	harness/files/libcheck_xml.c harness/tools/tool_oclgrind_log.c
	harness/tools/tool_valgrind_log.c harness/tools/tool_valgrind_xml.c
	harness/cases/suite/case_report.c harness/machine/xid.c
	harness/cover/probe_map.c harness/cover/coverage_baseline.c
	harness/records/records_read.c harness/records/records_line.c
	harness/crash/dump/dump_read.c harness/crash/dump/dump_unpack.c harness/crash/dump/dump_parts.c
	harness/crash/dump/dump_trace.c harness/crash/trace/trace_args.c harness/crash/trace/trace_build.c
	harness/crash/trace/trace_contents.c harness/crash/trace/trace_files.c
	harness/crash/trace/trace_handles.c harness/crash/trace/trace_kernel_args.c
	harness/crash/trace/trace_objects.c harness/crash/trace/trace_records.c'
# What the guest writes, and what the host reads of it.
# shellcheck disable=SC2034
journal='faults/journal/journal.c faults/journal/journal_tables.c faults/journal/journal_threads.c
	harness/readers/journal_reader.c harness/readers/found_reader.c
	harness/readers/meter_reader.c harness/readers/probe_reader.c'
# From what happened to one word: of a run with faults, and of a case.
# (Soaks and crashes have words of their own.)
# shellcheck disable=SC2034
verdict='harness/judge/verdict.c harness/evidence/evidence.c harness/judge/judge.c
	harness/judge/judged_found.c harness/judge/judged_zones.c harness/files/results.c
	harness/files/unstable.c harness/records/finding.c
	harness/cases/run/run_judge.c harness/cases/run/run_program.c harness/cases/run/run_libcheck.c
	harness/cases/run/run_expect.c harness/cases/run/run_fault.c harness/cases/run/run_where.c
	harness/cases/run/run_tally.c'
# Starts programs, waits for them, keeps what they print, says where they hang,
# ends them.
# (What is done before and after a judged run is in judged_run.c, and not here.)
# shellcheck disable=SC2034
supervisor='harness/process/runner.c harness/process/proctree.c harness/process/capture.c
	harness/readers/stacks.c'

# The scripts that reach them by the front door, on the stub driver.
scripts=${COVER_SCRIPTS-inject.test guest.test test_command.test suite.test}

# The tests that call them: PROGRAM [ARGUMENT...] a line.
tests='check_clw
check_options
check_plan
check_plan_yaml
check_journal
check_judge
check_judged
check_verdicts
check_libcheck_verdicts
check_expected
check_runner
check_old_kernel
check_arm
check_suite
check_tools
check_finding
check_records
check_dump
check_crash
check_found
check_meters
check_coverage
fuzz_clw 2000 1
fuzz_plan 4000 1
fuzz_plan_yaml 500 1
fuzz_suite 500 1
fuzz_oclgrind_log 500 1
fuzz_valgrind 500 1
fuzz_probe_map 500 1
fuzz_records 100 1
fuzz_dump 500 1
fuzz_trace 500 1
fuzz_found 500 1
fuzz_meters 100 1
fuzz_probes 500 1
fuzz_journal 500 1'

# ---- compile and link -------------------------------------------------------

files=$(for area in $areas; do eval "echo \$$area"; done)
rm -rf "$dir"
mkdir -p "$dir/objects"
here=$(pwd)
dir=$(cd "$dir" && pwd)
srcdir=$(cd "$srcdir" && pwd)

compile()
{
	# shellcheck disable=SC2086
	for file in $files; do
		object=$dir/objects/$(echo "$file" | tr / -)
		echo "$object" "$file"
	done | xargs -P 2 -n 2 sh -c '$CC $COVER_CFLAGS -w -O0 --coverage \
		-fprofile-update=atomic -fprofile-abs-path -fPIC \
		-c -o "${1%.c}.o" "$srcdir/$2"' -
	ar cr "$dir/libcovered.a" "$dir"/objects/faults-journal-*.o
	$CC -fPIC -c -o "$dir/exit.o" "$dir/exit.c"
}

# Children of tests end by _exit(), which counts nothing.
cat >"$dir/exit.c" <<'EOF'
#include <signal.h>

void __gcov_dump(void);
void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));

void __wrap__exit(int status)
{
	signal(SIGXFSZ, SIG_IGN);	/* where a test has no room for files */
	__gcov_dump();
	__real__exit(status);
}
EOF

# A build directory with everything of this one, but the program and the layer,
# which have the counted files in them.
make_tree()
{
	mkdir "$dir/tree"
	for entry in *; do
		case $entry in
		openclaw | libopenclaw-layer.so | "${dir##*/}") continue ;;
		esac
		ln -s "$here/$entry" "$dir/tree/$entry"
	done
	# shellcheck disable=SC2086
	$CC $COVER_CFLAGS --coverage -Wl,--wrap=_exit \
		-o "$dir/tree/openclaw" "$dir/exit.o" \
		harness/main/main.o "$dir"/objects/harness-*.o \
		"$dir/objects/faults-shared-plan.o" libhost.a $COVER_LIBS
	others=
	for object in faults/*/libopenclaw_layer_so-*.o; do
		name=$(echo "$object" | sed 's,libopenclaw_layer_so-,,; s,/,-,g')
		[ -e "$dir/objects/$name" ] || others="$others $object"
	done
	# shellcheck disable=SC2086
	$CC $COVER_CFLAGS --coverage -shared -static-libgcc -pthread \
		-Wl,--version-script="$srcdir/faults/door/layer.map" -Wl,-z,now \
		-Wl,--wrap=_exit -Wl,-z,nodelete \
		-o "$dir/tree/libopenclaw-layer.so" "$dir/exit.o" $others \
		"$dir"/objects/faults-*.o
}

# link PROGRAM: as it was built, but with the counted files before all others.
link()
{
	# shellcheck disable=SC2046,SC2086
	$CC $COVER_CFLAGS --coverage -Wl,--wrap=_exit \
		-o "$dir/$1" "$dir/exit.o" \
		suites/self/*/"$1".o \
		"$dir"/objects/harness-*.o "$dir/objects/faults-shared-plan.o" \
		-Wl,--start-group "$dir/libcovered.a" libguest.a libhost.a \
		-Wl,--end-group $COVER_LIBS
}

export CC COVER_CFLAGS dir srcdir
compile
for program in $(echo "$tests" | awk '!seen[$1]++ { print $1 }'); do
	link "$program"
done

make_tree

# ---- run --------------------------------------------------------------------

# Both print what failed on descriptor 3, its name on standard output.
run_tests()
{
	while read -r program arguments; do
		# shellcheck disable=SC2086
		CK_VERBOSITY=normal CK_FORK=${CK_FORK-yes} \
			timeout 120 "$dir/$program" $arguments \
			>"$dir/$program.log" 2>&1 </dev/null || {
			echo "$program"
			tail -n 20 "$dir/$program.log" >&3
		}
	done
}

run_scripts()
{
	for script in $scripts; do
		(cd "$dir/tree" && OPENCLAW=$dir/tree/openclaw timeout 300 \
			sh "$srcdir"/suites/self/*/"$script" \
			>"$dir/$script.log" 2>&1) &&
			! grep -q '^not ok' "$dir/$script.log" || {
			echo "$script"
			grep -A 5 '^not ok' "$dir/$script.log" |
				head -n 20 >&3
		}
	done
}

exec 3>&1
run_scripts >"$dir/failed-scripts" &
scripts_pid=$!
echo "$tests" | run_tests >"$dir/failed"
wait "$scripts_pid"
failed=$(cat "$dir/failed" "$dir/failed-scripts" | tr '\n' ' ')

# The kernels of a suite, when they can have probes here.
kernels=
status=0
"$dir/tree/openclaw" test --suite "$COVER_KERNELS" --coverage --force -o "$dir/kernels" \
	>"$dir/kernels.log" 2>&1 || status=$?
case $status in
0) kernels=$dir/kernels/coverage.info ;;
77) ;;
*)
	failed="${failed}kernels "
	tail -n 20 "$dir/kernels.log"
	;;
esac

# ---- one report -------------------------------------------------------------

# lcov 1.x and 2.x have other words for it, and 2.x refuses the first.
case $("$LCOV" --version) in
*'version 1.'*) branches='--rc lcov_branch_coverage=1' ;;
*) branches=--branch-coverage ;;
esac
# shellcheck disable=SC2086
"$LCOV" --quiet --capture --directory "$dir/objects" --gcov-tool "$GCOV" \
	$branches --output-file "$dir/host.info" >"$dir/lcov.log" 2>&1 || {
	cat "$dir/lcov.log"
	exit 1
}
cp "$dir/host.info" "$dir/coverage.info"
if [ -s "$kernels" ]; then
	# shellcheck disable=SC2086
	"$LCOV" --quiet $branches --add-tracefile "$dir/host.info" \
		--add-tracefile "$kernels" --output-file "$dir/coverage.info" \
		>>"$dir/lcov.log" 2>&1 || {
		cat "$dir/lcov.log"
		exit 1
	}
fi

# shellcheck disable=SC2016
of_area='
BEGIN {
	n = split(files, list, /[ \t\n]+/)
	for (i = 1; i <= n; i++)
		wanted[root "/" list[i]] = 1
}
/^SF:/ { mine = substr($0, 4) in wanted }
mine && /^DA:/ {
	lines++
	lines_run += substr($0, index($0, ",") + 1) + 0 > 0
}
mine && /^BRDA:/ {
	branches++
	branches_run += $0 !~ /,(0|-)$/
}
END {
	if (!lines || !branches) {
		printf "%-12s nothing of it was counted\n", area
		exit 1
	}
	bad = lines_run * 100 < lines * least_lines ||
	      branches_run * 100 < branches * least_branches
	printf "%-12s lines %5.1f %% of %5d   branches %5.1f %% of %5d%s\n",
		area, lines_run * 100 / lines, lines,
		branches_run * 100 / branches, branches,
		bad ? "   too few" : ""
	exit bad
}'
of()
{
	awk -v area="$1" -v files="$2" -v root="$srcdir" \
		-v least_lines="$least_lines" \
		-v least_branches="$least_branches" "$of_area" "$dir/host.info"
}

bad=
if [ "${COVER_FILES-}" ]; then
	for file in $files; do
		of "$file" "$file" || :
	done
fi
for area in $areas; do
	eval "list=\$$area"
	of "$area" "$list" || bad="$bad $area"
done
if [ -s "$kernels" ]; then
	awk -F, '/^DA:/ { lines++; run += $2 > 0 } END {
		printf "%-12s lines %5.1f %% of %5d (suite)\n", "kernels",
			run * 100 / lines, lines }' "$kernels"
else
	echo "kernels      not counted: $(tail -n 1 "$dir/kernels.log")"
fi
if command -v genhtml >/dev/null 2>&1; then
	genhtml --quiet --branch-coverage --ignore-errors source \
		--output-directory "$dir/html" "$dir/coverage.info" \
		>"$dir/genhtml.log" 2>&1 && echo "report: $dir/html/index.html"
fi
cd "$here"
[ -z "$failed" ] || echo "failed: $failed"
[ -z "$failed$bad" ]
