host_sources += %reldir%/cmd_explore.c %reldir%/explore_against.c \
	%reldir%/explore_changed.c %reldir%/explore_compared.c \
	%reldir%/explore_file.c \
	%reldir%/explore_missed.c %reldir%/explore_run.c %reldir%/explore_say.c
