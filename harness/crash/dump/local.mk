host_sources += %reldir%/dump.c %reldir%/dump_copy.c %reldir%/dump_log.c \
	%reldir%/dump_meta.c %reldir%/dump_parts.c %reldir%/dump_read.c \
	%reldir%/dump_session.c %reldir%/dump_stacks.c %reldir%/dump_trace.c \
	%reldir%/dump_trigger.c %reldir%/dump_unpack.c %reldir%/dump_write.c
