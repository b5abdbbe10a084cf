host_sources += %reldir%/cmd_test.c %reldir%/run.c %reldir%/run_case.c \
	%reldir%/run_coverage.c %reldir%/run_detail.c %reldir%/run_expect.c \
	%reldir%/run_fault.c %reldir%/run_filter.c %reldir%/run_judge.c \
	%reldir%/run_libcheck.c %reldir%/run_plan.c %reldir%/run_program.c \
	%reldir%/run_reproduce.c %reldir%/run_suites.c %reldir%/run_tally.c \
	%reldir%/run_where.c
