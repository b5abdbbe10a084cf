guest_sources += %reldir%/crash_log.c %reldir%/fault_log.c \
	%reldir%/kernel_time.c %reldir%/log.c \
	%reldir%/slow.c %reldir%/watch.c
