guest_sources += %reldir%/crash_log.c %reldir%/log.c %reldir%/memory_use.c \
	%reldir%/slow.c %reldir%/watch.c
