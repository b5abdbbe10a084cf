guest_sources += %reldir%/early.c %reldir%/early_calls.c \
	%reldir%/early_gates.c %reldir%/early_memory.c %reldir%/early_pages.c \
	%reldir%/early_signal.c
