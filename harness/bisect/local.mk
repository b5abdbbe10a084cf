host_sources += %reldir%/bisect_commits.c %reldir%/bisect_drivers.c \
	%reldir%/bisect_found.c %reldir%/bisect_git.c %reldir%/bisect_judge.c \
	%reldir%/bisect_log.c %reldir%/bisect_search.c %reldir%/bisect_times.c \
	%reldir%/cmd_bisect.c
