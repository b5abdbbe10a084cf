guest_sources += %reldir%/crash_log.c %reldir%/fault_log.c %reldir%/log.c \
	%reldir%/slow.c %reldir%/watch.c
