# Tests of openclaw itself: libcheck programs (unit), fuzzers (fuzz), what they
# and the scripts start (helpers), drivers and layers (driver), and scripts that
# print TAP: quick and slow.
unit_programs = suites/self/unit/check_arm suites/self/unit/check_bisect \
	suites/self/unit/check_clw \
	suites/self/unit/check_coverage suites/self/unit/check_crash \
	suites/self/unit/check_crash_ends suites/self/unit/check_dump \
	suites/self/unit/check_expected suites/self/unit/check_explore \
	suites/self/unit/check_finding \
	suites/self/unit/check_found suites/self/unit/check_history \
	suites/self/unit/check_history_file \
	suites/self/unit/check_hold_back \
	suites/self/unit/check_journal suites/self/unit/check_judge \
	suites/self/unit/check_judged suites/self/unit/check_leaks \
	suites/self/unit/check_ledger suites/self/unit/check_libcheck_verdicts \
	suites/self/unit/check_life suites/self/unit/check_meters \
	suites/self/unit/check_metrics suites/self/unit/check_minimise \
	suites/self/unit/check_model suites/self/unit/check_old_kernel \
	suites/self/unit/check_options suites/self/unit/check_outside \
	suites/self/unit/check_place suites/self/unit/check_plan \
	suites/self/unit/check_plan_yaml suites/self/unit/check_profile \
	suites/self/unit/check_records suites/self/unit/check_runner \
	suites/self/unit/check_soak_leaks suites/self/unit/check_soak_records \
	suites/self/unit/check_soak_verdict suites/self/unit/check_suite \
	suites/self/unit/check_telemetry suites/self/unit/check_tools \
	suites/self/unit/check_usage suites/self/unit/check_verdicts
fuzz_programs = suites/self/fuzz/fuzz_batch suites/self/fuzz/fuzz_clw suites/self/fuzz/fuzz_clw_cache \
	suites/self/fuzz/fuzz_dump \
	suites/self/fuzz/fuzz_found suites/self/fuzz/fuzz_instrument \
	suites/self/fuzz/fuzz_journal suites/self/fuzz/fuzz_known \
	suites/self/fuzz/fuzz_ledger suites/self/fuzz/fuzz_meters \
	suites/self/fuzz/fuzz_model suites/self/fuzz/fuzz_oclgrind_log \
	suites/self/fuzz/fuzz_plan suites/self/fuzz/fuzz_plan_yaml \
	suites/self/fuzz/fuzz_probe_map suites/self/fuzz/fuzz_probes \
	suites/self/fuzz/fuzz_records suites/self/fuzz/fuzz_suite \
	suites/self/fuzz/fuzz_trace suites/self/fuzz/fuzz_valgrind
if HOST
check_PROGRAMS += $(unit_programs) $(fuzz_programs) \
	suites/self/unit/check_planted $(host_helpers)
endif
suites_self_unit_check_planted_SOURCES = suites/self/unit/check_planted.c \
	$(suite_frame)
suites_self_unit_check_planted_LDADD = $(suite_libs)
suites_self_fuzz_fuzz_clw_cache_LDADD = libclw.a $(clw_libs)
suites_self_fuzz_fuzz_instrument_SOURCES = \
	suites/self/fuzz/fuzz_instrument.c kernels/instrument/unit/options.c \
	kernels/instrument/unit/request.c
suites_self_fuzz_fuzz_instrument_CPPFLAGS = $(AM_CPPFLAGS) $(LIBCLANG_CFLAGS)
suites_self_fuzz_fuzz_model_SOURCES = suites/self/fuzz/fuzz_model.c \
	suites/self/fuzz/fuzz_model_guest.c

# Helpers that read what the guest left, or are openclaw's own parts.
host_helpers = \
	suites/self/helpers/dump_dump suites/self/helpers/hostile_dump \
	suites/self/helpers/journal_dump suites/self/helpers/ledger_dump \
	suites/self/helpers/meter_dump suites/self/helpers/probe_runner \
	suites/self/helpers/probe_session suites/self/helpers/soak_writer \
	suites/self/helpers/trace_dump suites/self/helpers/wrapdrive_matrix

# OpenCL programs, and the driver beneath them: not sanitized, so that they
# load anywhere. Each is one file; what it includes is in its .d file.
plain_cc = $(AM_V_CC)$(MKDIR_P) $(@D) && $(CC) $(DEFS) $(DEFAULT_INCLUDES) \
	$(AM_CPPFLAGS) $(CPPFLAGS) $(plain_cflags) $(CFLAGS) -MMD -MP \
	-MF $(@:.so=).d $(LDFLAGS) -o $@
plain_program = $(plain_cc) $< $(plain_more) $(OPENCL_LIBS) $(plain_libs) -pthread -ldl
plain_shared = $(plain_cc) -fPIC -shared -pthread
plain_helpers = $(filter-out $(host_helpers),$(basename \
	$(call files,suites/self/helpers/*.c)))
$(plain_helpers): %: %.c
	$(plain_program)
suites/self/helpers/fidelity: plain_libs = $(JANSSON_CFLAGS) $(JANSSON_LIBS)
suites/self/helpers/plain_check: plain_libs = $(CHECK_CFLAGS) $(CHECK_LIBS)
clw_helpers = suites/self/helpers/clw_memory suites/self/helpers/clw_use
$(clw_helpers): plain_more = libclw.so.0 -Wl,-rpath,'$(abs_builddir)'
$(clw_helpers): libclw.so.0
suites/self/helpers/wrapdrive: plain_more = $(tables) -Wl,--no-as-needed
# The tables of the guest, which the driver and what calls it go through.
tables = $(filter %.c,$(shared_sources:%=$(srcdir)/%))

# The stub driver, in variants: an ICD that needs no device; and layers and
# libraries that are in the way.
stub_icd_two = -DSTUB_DEVICES=2
stub_icd_null = -DSTUB_NULL_SLOTS
stub_icd_short = -DSTUB_SHORT
stub_icd_const = -DSTUB_CONST
stubs = $(addprefix suites/self/driver/,stub_icd.so stub_icd_two.so \
	stub_icd_null.so stub_icd_short.so stub_icd_const.so)
stub_headers = $(call files,suites/self/driver/*.h faults/shared/*.h \
	faults/shared/*.def) $(tables)
suites/self/helpers/wrapdrive: $(stub_headers)
$(stubs): suites/self/driver/stub_icd.c $(stub_headers)
	$(plain_shared) $($(basename $(@F))) $< $(tables)
beside = $(addprefix suites/self/driver/,apart_layer.so made_nvml.so \
	sources_layer.so no_memory.so)
$(beside): %.so: %.c
	$(plain_shared) -fvisibility=hidden $<
plain_built = $(plain_helpers) $(stubs) $(beside)
-include $(wildcard suites/self/helpers/*.d suites/self/driver/*.d \
	suites/bench/*.d)
CLEANFILES += $(plain_built)
mostlyclean-local:
	rm -f suites/self/helpers/*.d suites/self/driver/*.d suites/bench/*.d

# ---- scripts ---------------------------------------------------------------

# Scripts that take more than some seconds (configure --disable-slow-tests), or
# that run drivers in programs of ours: a sanitizer there reports the drivers. The
# longest begin first.
slow_scripts = suites/self/slow/sweep_all.test suites/self/slow/guards.test \
	suites/self/slow/lifetime.test suites/self/slow/examples.test \
	suites/self/slow/instrument.test suites/self/slow/sweep.test \
	suites/self/slow/soak.test suites/self/slow/kernel_runner.test \
	suites/self/slow/sweep_known.test suites/self/slow/crashes.test \
	suites/self/slow/asan.test suites/self/slow/barriers.test \
	suites/self/slow/bisect.test suites/self/slow/cross.test \
	suites/self/slow/planted.test \
	suites/self/slow/sweep_under.test \
	suites/self/slow/soak_live.test suites/self/slow/soaks.test \
	suites/self/slow/fates.test suites/self/slow/minimise.test \
	suites/self/slow/repro.test suites/self/slow/complete.test \
	suites/self/slow/cover.test suites/self/slow/crash.test \
	suites/self/slow/deb.test suites/self/slow/debuginfod.test suites/self/slow/driver_hang.test \
	suites/self/slow/emit.test suites/self/slow/explain.test \
	suites/self/slow/explore.test \
	suites/self/slow/batch.test suites/self/slow/gcov_twins.test suites/self/slow/history.test suites/self/slow/hostile.test \
	suites/self/slow/init.test suites/self/slow/instrument_text.test \
	suites/self/slow/kept.test suites/self/slow/loader.test suites/self/slow/libclw.test suites/self/slow/libclw_cache.test suites/self/slow/libclw_installed.test suites/self/slow/libclw_seeds.test \
	suites/self/slow/model.test suites/self/slow/presets.test suites/self/slow/pyopenclaw.test suites/self/slow/pyopenclaw_seeds.test suites/self/slow/pytest_plugin.test suites/self/slow/race_pairs.test suites/self/slow/races.test suites/self/slow/readme.test \
	suites/self/slow/sanitizer_text.test suites/self/slow/seeds.test \
	suites/self/slow/several.test suites/self/slow/slurm.test suites/self/slow/suite.test \
	suites/self/slow/suites.test suites/self/slow/tools.test \
	suites/self/slow/driver_report.test \
	suites/self/slow/trace.test suites/self/slow/transparent.test \
	suites/self/slow/valgrind.test suites/self/slow/verify.test \
	suites/self/slow/wrapdrive.test suites/self/slow/wrapdrive_icd.test
quick_scripts = suites/self/quick/capture.test suites/self/quick/check.test suites/self/quick/ci_action.test \
	suites/self/quick/clang.test suites/self/quick/clean.test suites/self/quick/completion.test \
	suites/self/quick/failure.test suites/self/quick/frame.test \
	suites/self/quick/fuzz.test suites/self/quick/guest.test \
	suites/self/quick/guest_icd.test suites/self/quick/house.test suites/self/quick/html.test \
	suites/self/quick/icd.test suites/self/quick/inject.test \
	suites/self/quick/inject_icd.test suites/self/quick/late.test \
	suites/self/quick/layer_symbols.test suites/self/quick/ledger.test \
	suites/self/quick/machine.test suites/self/quick/manual.test suites/self/quick/memory_time.test \
	suites/self/quick/meters.test suites/self/quick/no_memory.test suites/self/quick/paste.test suites/self/quick/profile.test \
	suites/self/quick/regression.test suites/self/quick/report_diff.test \
	suites/self/quick/sarif.test suites/self/quick/soak_records.test suites/self/quick/stability.test \
	suites/self/quick/sweep_engine.test suites/self/quick/words.test suites/self/quick/sweep_handlers.test \
	suites/self/quick/test_command.test
TESTS =
if HOST
if SLOW_TESTS
TESTS += $(slow_scripts)
endif
TESTS += $(quick_scripts) $(unit_programs)
endif

# libcheck programs print TAP, too. A timeout is for what hangs, however slow the
# machine.
TEST_LOG_COMPILER = $(SHELL)
LOG_DRIVER = $(TEST_LOG_DRIVER)
LOG_COMPILER = env CK_TAP_LOG_FILE_NAME=- CK_VERBOSITY=silent \
	CK_DEFAULT_TIMEOUT=60 CK_TIMEOUT_MULTIPLIER=4
TEST_EXTENSIONS = .test
TEST_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = \
	srcdir='$(srcdir)'; export srcdir; \
	OPENCLAW='$(abs_top_builddir)/openclaw'; export OPENCLAW; \
	CLAW_COMMANDS='$(commands)'; export CLAW_COMMANDS; \
	CLAW_COVERAGE='$(enable_coverage)'; export CLAW_COVERAGE; \
	CLAW_SANITIZERS='$(enable_sanitizers)'; export CLAW_SANITIZERS; \
	OPENCLAW_TEST_MISBEHAVE='$(abs_builddir)/suites/self/helpers/misbehave'; \
	export OPENCLAW_TEST_MISBEHAVE; \
	OBJDUMP='$(OBJDUMP)'; export OBJDUMP; \
	CC='$(CC)'; export CC; \
	XDG_CACHE_HOME='$(abs_builddir)/tests.cache'; export XDG_CACHE_HOME; \
	unset OPENCL_LAYERS OPENCLAW_FAULTS OPENCLAW_SESSION NO_COLOR \
		CLW_DEVICE_ID;

# The programs of a corpus are built where a script that runs them is among
# TESTS; elsewhere, as in distcheck, it is seen that they could be: that no
# source is missing.
wanted = $(if $(filter suites/self/slow/$(1) suites/self/slow/$(1).test, \
	$(TESTS)),$(2))
if HOST
check_DATA = $(plain_built) \
	$(call wanted,lifetime,$(lifetime_built)) \
	$(call wanted,guards,$(lifetime_built) $(guards_built)) \
	$(call wanted,sweep,$(sweep_built)) \
	$(call wanted,sweep_all,$(sweep_built)) \
	$(call wanted,sweep_under,$(sweep_under_built)) \
	$(call wanted,crashes,$(crashes_built)) \
	$(call wanted,soaks,suites/soaks/soaker)
not_wanted = $(filter-out $(check_DATA),$(corpora) suites/soaks/soaker)
check-local:
	@$(if $(not_wanted),$(MAKE) -n $(not_wanted) >/dev/null)
else
check-local:
	@echo 'no test can run: configured with --disable-host' >&2; exit 77
endif

# The inner "make check" of distcheck has the quick tests only.
AM_DISTCHECK_CONFIGURE_FLAGS = --disable-slow-tests

# What to run before each commit: the libcheck programs, under a minute.
check-quick:
	$(MAKE) check TESTS='$(unit_programs)'
# One of them under a debugger: make debug TEST=suites/self/unit/check_plan
# [WITH='valgrind -q']
WITH = gdb --args
debug: $(TEST)
	$(AM_TESTS_ENVIRONMENT) CK_FORK=no $(WITH) ./$(TEST)
# What programs can say of the sources: under a minute on two cores. Variables
# that "ok" of scripts evaluates seem unused to shellcheck, or unset. Words that
# are right here: -L; suites/self misspells on purpose.
lint: lint-scripts lint-words lint-cppcheck lint-clang-tidy
lint-scripts:
	cd $(srcdir) && shellcheck -s sh -x -P SCRIPTDIR -S warning -e SC2034,SC2154 \
		suites/self/*/*.test suites/self/*/*.sh suites/bench/*.sh \
		faults/capture-kit/capture.sh
	cd $(srcdir) && shellcheck -S warning .ci/run autogen.sh maint/verify-probes \
		maint/*-deb debian/tests/packages debian/tests/sweep
	cd $(srcdir) && pyflakes3 $$(grep -l '^#!.*python' maint/*-* maint/conformance) \
		maint/*/*.py python/*/*.py
lint-words:
	cd $(srcdir) && codespell -L bu,nd,ons,renderd,te,ue,whats -S 'suites/self,*.png,*.lintian-overrides' \
		.ci/run autogen.sh configure.ac Makefile.am NEWS README.md HACKING.md \
		doc faults harness kernels libclw maint python reports suites \
		debian Containerfile .devcontainer openclaw.spec.in
lint-cppcheck:
	cd $(srcdir) && cppcheck -q -j2 --error-exitcode=1 \
		--enable=warning,portability --suppressions-list=maint/cppcheck.supp \
		-I. -I'$(abs_builddir)' $(DEFS) $(lint_folders)
lint-clang-tidy:
	@clang-tidy --version >/dev/null
	find $(addprefix $(srcdir)/,$(lint_folders)) -name '*.c' | \
		xargs -P2 -n 12 sh -c 'clang-tidy --quiet "$$@" -- \
		-std=gnu11 $(lint_flags)' sh 2>/dev/null
lint_folders = faults harness kernels/instrument libclw reports
lint_flags = $(DEFS) $(DEFAULT_INCLUDES) $(subst ",\",$(subst ',,$(AM_CPPFLAGS))) \
	$(CPPFLAGS) $(host_cflags) $(LIBCLANG_CFLAGS) -DCLAW_CLANG=\"clang\"
# For clangd: what compiles each file, written while everything is compiled.
compile-commands:
	$(MAKE) clean && bear --output $(top_srcdir)/compile_commands.json -- \
		$(MAKE) all $(check_PROGRAMS) $(check_LIBRARIES)

# ---- further runs ----------------------------------------------------------

# The lines and branches that the quick tests run, of the parts that everything
# stands on: a table, code-coverage/html, and a status.
check-code-coverage: all $(check_PROGRAMS) $(check_LIBRARIES) $(check_DATA)
	@srcdir=$(srcdir) CC='$(CC)' LCOV='$(LCOV)' \
		OPENCLAW_TEST_MISBEHAVE='$(abs_builddir)/suites/self/helpers/misbehave' \
		COVER_CFLAGS="$(DEFS) -I. $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS)" \
		COVER_LIBS="$(LDFLAGS) $(CHECK_LIBS) $(host_libs) $(OPENCL_LIBS) -lpthread" \
		$(SHELL) $(srcdir)/suites/self/lib/code_coverage.sh code-coverage 90 80

# The fuzzers under libFuzzer, two at a time: FUZZ_SECONDS of each.
# make fuzz FUZZ_SECONDS=600 FUZZ_TARGETS='fuzz_dump fuzz_trace'
FUZZ_SECONDS = 60
FUZZ_JOBS = 2
FUZZ_TARGETS =
FUZZ_CC = clang
fuzz: libhost.a libguest.a libclw.a $(fuzz_programs)
	@srcdir=$(srcdir) FUZZ_CC="$(FUZZ_CC)" FUZZ_SECONDS=$(FUZZ_SECONDS) \
		FUZZ_JOBS=$(FUZZ_JOBS) FUZZ_LIBS="$(host_libs) $(OPENCL_LIBS)" \
		FUZZ_CFLAGS="$(DEFS) -I. $(AM_CPPFLAGS) $(host_cflags)" \
		host_sources="$(libhost_a_SOURCES)" \
		guest_sources="$(libguest_a_SOURCES)" \
		clw_sources="$(libclw_a_SOURCES)" \
		$(SHELL) $(srcdir)/suites/self/fuzz/fuzz_long.sh $(FUZZ_TARGETS)

# Random kernels under the kernel sanitizer, FUZZ_TEXTS of a dozen each.
fuzz-sanitizer: all suites/self/helpers/probe_runner
	$(srcdir)/maint/fuzz-sanitizer . $(FUZZ_SEED) $(FUZZ_TEXTS)
# Random kernels under the check for data races, FUZZ_TEXTS of three functions each.
fuzz-races: all
	$(srcdir)/maint/fuzz-races . $(FUZZ_SEED) $(FUZZ_TEXTS)
FUZZ_SEED = 1
FUZZ_TEXTS = 100

# The tests that mention time, FLAKY_TIMES each beside a load: which fail by
# chance? make check-flaky TESTS='suites/self/quick/late.test' FLAKY_TIMES=20
FLAKY_TIMES = 100
FLAKY_JOBS = 2
check-flaky: all $(check_PROGRAMS) $(check_LIBRARIES) $(check_DATA)
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/maint/check-flaky \
		--times $(FLAKY_TIMES) --jobs $(FLAKY_JOBS) \
		--program '$(LOG_COMPILER)' \
		$(if $(filter command,$(firstword $(origin TESTS))),--all) $(TESTS)

# Do the device models do what was recorded of the devices?
fidelity: openclaw libopenclaw-layer.so openclaw-device-faults \
		suites/self/helpers/fidelity
	$(SHELL) $(srcdir)/suites/self/device_faults/fidelity.sh \
		$(abs_builddir)/openclaw $(abs_builddir)/suites/self/helpers \
		nvidia-h200 $(srcdir)/suites/self/device_faults/*.jsonl
.PHONY: check-code-coverage check-flaky check-quick compile-commands debug fidelity fuzz fuzz-races fuzz-sanitizer lint
