openclaw_explore_SOURCES += %reldir%/engine_device.c %reldir%/engine_emit.c \
	%reldir%/engine_finish.c \
	%reldir%/engine_fuzz.c %reldir%/engine_main.c \
	%reldir%/engine_settle.c %reldir%/engine_smaller.c %reldir%/engine_write.c
