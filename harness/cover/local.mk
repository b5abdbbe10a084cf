host_sources += %reldir%/cobertura.c %reldir%/code_lines.c \
	%reldir%/coverage.c %reldir%/coverage_add.c %reldir%/coverage_baseline.c \
	%reldir%/coverage_output.c %reldir%/coverage_say.c %reldir%/gcov.c \
	%reldir%/gcov_files.c %reldir%/gcov_job.c %reldir%/gcov_read.c \
	%reldir%/lcov.c %reldir%/probe_map.c %reldir%/probed_text.c \
	%reldir%/source_files.c %reldir%/source_finder.c %reldir%/source_lines.c
