host_sources += %reldir%/cmd_cover.c %reldir%/cmd_cover_finish.c \
	%reldir%/cmd_cover_run.c %reldir%/cmd_coverage.c %reldir%/code_lines.c \
	%reldir%/coverage.c %reldir%/coverage_add.c %reldir%/coverage_baseline.c \
	%reldir%/coverage_output.c %reldir%/coverage_say.c %reldir%/gcov.c \
	%reldir%/gcov_files.c %reldir%/gcov_job.c %reldir%/gcov_read.c \
	%reldir%/probe_map.c %reldir%/probed_text.c %reldir%/source_files.c \
	%reldir%/source_finder.c
