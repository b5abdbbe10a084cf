host_sources += %reldir%/crash.c %reldir%/crash_causes_arguments.c \
	%reldir%/crash_causes_end.c %reldir%/crash_causes_handles.c \
	%reldir%/crash_causes_memory.c %reldir%/crash_causes_order.c \
	%reldir%/crash_causes_seen.c %reldir%/crash_ends.c %reldir%/crash_facts.c \
	%reldir%/crash_input.c %reldir%/crash_kernel.c %reldir%/crash_memory.c \
	%reldir%/crash_output.c %reldir%/crash_suspects.c %reldir%/crash_words.c
