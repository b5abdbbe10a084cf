host_sources += %reldir%/minimise.c %reldir%/minimise_needs.c \
	%reldir%/replay.c %reldir%/replay_crash.c %reldir%/replay_report.c \
	%reldir%/replay_rules.c
