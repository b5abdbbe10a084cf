host_sources += %reldir%/cmd_cover.c %reldir%/cmd_cover_finish.c \
	%reldir%/cmd_cover_run.c %reldir%/cmd_coverage.c
