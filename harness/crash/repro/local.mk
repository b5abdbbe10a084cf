host_sources += %reldir%/cmd_repro.c %reldir%/cmd_repro_export.c \
	%reldir%/repro.c %reldir%/repro_live.c %reldir%/repro_smaller.c
