# The suites: a libcheck program each, where there is one, and their kernels;
# and the corpora, small programs with a mistake and without it.
suite_data = $(call files,suites/*.yaml suites/valgrind.supp)
suite_kernels = $(filter-out %/planted_out_of_bounds.clw %/planted_race.clw \
	%/planted_uninitialized.clw,$(call files,kernels/*.clw kernels/*/*.clw))

case_frame = suites/case_result.c suites/suite_device.c
suite_frame = suites/suite_main.c $(case_frame)
# Suites about the host's code: the tests arm faults themselves.
host_side_frame = $(suite_frame) suites/host_side.c
suite_libs = $(CHECK_LIBS) $(OPENCL_LIBS)

if HOST
nobase_pkglibexec_PROGRAMS += \
	suites/check_async_release suites/check_kernel_memory \
	suites/check_leak_loops suites/check_seeds \
	suites/check_timeouts_and_loss suites/check_users_failures
endif
suites_check_async_release_SOURCES = suites/check_async_release.c $(host_side_frame)
suites_check_async_release_LDADD = $(suite_libs)
suites_check_kernel_memory_SOURCES = suites/check_kernel_memory.c $(suite_frame)
suites_check_kernel_memory_LDADD = $(suite_libs)
suites_check_leak_loops_SOURCES = suites/check_leak_loops.c $(host_side_frame)
suites_check_leak_loops_LDADD = $(suite_libs)
suites_check_seeds_SOURCES = suites/check_seeds.c $(host_side_frame)
suites_check_seeds_LDADD = $(suite_libs)
suites_check_timeouts_and_loss_SOURCES = suites/check_timeouts_and_loss.c \
	$(host_side_frame)
suites_check_timeouts_and_loss_LDADD = $(suite_libs)
suites_check_users_failures_SOURCES = suites/check_users_failures.c \
	$(host_side_frame)
suites_check_users_failures_LDADD = $(suite_libs)

# ---- corpora ---------------------------------------------------------------

# Small host programs, with a leak or lifetime error (lifetime), an access
# outside of a buffer (guards), a mistake in how an error is handled (sweep, and
# sweep/under, which only a tool sees), and without it: built twice, with
# -DPLANTED and without, but the good_ ones; programs that come to grief
# (crashes). As users' programs are: with debug information, without anything
# of ours. Without a C++ compiler its program says so.
corpus_programs = $(basename $(call files,suites/$(1)/*.c suites/$(1)/*.cc))
corpus_planted = $(addsuffix _planted,$(filter-out suites/$(1)/good_%, \
	$(call corpus_programs,$(1))))
corpus = $(call corpus_programs,$(1)) $(call corpus_planted,$(1))
lifetime_built = $(call corpus,lifetime)
guards_built = $(call corpus,guards)
sweep_built = $(call corpus,sweep)
sweep_under_built = $(call corpus,sweep/under)
crashes_built = $(call corpus_programs,crashes)
corpora = $(lifetime_built) $(guards_built) $(sweep_built) \
	$(sweep_under_built) $(crashes_built)
corpora_headers = suites/lifetime/lifetime.h suites/guards/guards.h \
	suites/sweep/sweep.h suites/sweep/under/under.h suites/crashes/crashes.h

corpus_flags = $(OPENCL_CFLAGS) $(CPPFLAGS)
corpus_link = -g -pthread $(LDFLAGS) -o $@ $< $(OPENCL_LIBS)
corpus_cc = $(AM_V_CC)$(MKDIR_P) $(@D) && \
	$(CC) $(CLAW_CFLAGS) $(corpus_flags) $(CFLAGS)
corpus_cxx = $(AM_V_GEN)$(MKDIR_P) $(@D) && \
	if command -v $(CXX) >/dev/null; then \
		$(CXX) $(corpus_flags) $(CXXFLAGS)
no_cxx = ; else \
		printf '%s\n' '\#!/bin/sh' 'echo needs a C++ compiler' \
			'exit 77' >$@ && chmod +x $@; fi
in_cc = $(basename $(call files,suites/*/*.cc))
$(filter $(in_cc),$(corpora)): %: %.cc $(corpora_headers)
	$(corpus_cxx) $(corpus_link) $(no_cxx)
$(filter $(in_cc:=_planted),$(corpora)): %_planted: %.cc $(corpora_headers)
	$(corpus_cxx) -DPLANTED $(corpus_link) $(no_cxx)
in_c = $(filter-out $(in_cc) $(in_cc:=_planted),$(corpora))
$(filter-out %_planted,$(in_c)): %: %.c $(corpora_headers)
	$(corpus_cc) $(corpus_link)
$(filter %_planted,$(in_c)): %_planted: %.c $(corpora_headers)
	$(corpus_cc) -DPLANTED $(corpus_link)

# What "make soaks" and soaks.test run for a while.
soaker_sources = suites/soaks/soaker.c suites/soaks/clean.c \
	suites/soaks/leaking.c
suites/soaks/soaker: $(soaker_sources) suites/soaks/soaker.h \
		faults/shared/openclaw.h
	$(AM_V_CC)$(MKDIR_P) $(@D) && \
		$(CC) $(CLAW_CFLAGS) $(corpus_flags) $(CFLAGS) -o $@ \
		-I$(srcdir) -fno-optimize-sibling-calls -g $(soaker_sources:%=$(srcdir)/%) \
		$(LDFLAGS) $(OPENCL_LIBS) -lpthread
CLEANFILES += $(corpora) suites/soaks/soaker

# ---- tables in doc/ that runs of all of these make, which takes long ---------

# doc/detection.md from a run of every suite. HACKING.md says how a GPU's run
# comes in.
detection: all
	./openclaw test --under native,oclgrind,valgrind,asan,races,barriers,init --output detection-run || \
		test $$? = 1
	./openclaw report --format detection \
		--output $(srcdir)/doc/detection.md detection-run
# doc/sanitizer-detection.md: some minutes.
sanitizer-detection: all
	./openclaw test --suite bounds --suite alignment --suite kernel_memory \
		--suite stack --under asan,oclgrind \
		--output sanitizer-detection-run || test $$? = 1
	$(srcdir)/maint/sanitizer-detection sanitizer-detection-run \
		>sanitizer-detection.md
	mv sanitizer-detection.md $(srcdir)/doc/sanitizer-detection.md
# doc/sweep-detection.md
sweep-detection: all $(sweep_built)
	$(srcdir)/maint/sweep-detection . >sweep-detection.md
	mv sweep-detection.md $(srcdir)/doc/sweep-detection.md
# All of suites/crashes, and doc/repro-detection.md
crashes: all $(crashes_built)
	CLAW_ALL_CRASHES=1 CLAW_CRASHES_TABLE=$(abs_builddir)/repro-detection.md \
		srcdir=$(srcdir) OPENCLAW=./openclaw \
		$(SHELL) $(srcdir)/suites/self/slow/crashes.test
	mv repro-detection.md $(srcdir)/doc/repro-detection.md
# All of suites/soaks, and doc/soak-detection.md: some minutes.
soaks: all suites/soaks/soaker
	CLAW_ALL_SOAKS=1 CLAW_SOAK_TIME=$(SOAK_TIME) \
		CLAW_SOAK_JOBS=$(SOAK_JOBS) \
		CLAW_SOAKS_TABLE=$(abs_builddir)/soak-detection.md \
		srcdir=$(srcdir) OPENCLAW=./openclaw \
		$(SHELL) $(srcdir)/suites/self/slow/soaks.test
	mv soak-detection.md $(srcdir)/doc/soak-detection.md
SOAK_TIME = 25s
SOAK_JOBS = 4
.PHONY: crashes detection sanitizer-detection soaks sweep-detection
