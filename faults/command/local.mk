guest_sources += %reldir%/command_accesses.c %reldir%/command_end.c %reldir%/command_enqueue.c \
	%reldir%/command_events.c %reldir%/command_findings.c \
	%reldir%/command_kernels.c %reldir%/command_lock.c %reldir%/command_memory.c \
	%reldir%/command_order.c %reldir%/command_parameters.c \
	%reldir%/command_records.c %reldir%/commands.c %reldir%/host_frames.c \
	%reldir%/host_freed.c %reldir%/host_mappings.c %reldir%/host_sources.c
