guest_sources += %reldir%/guard_arguments.c %reldir%/guard_board.c \
	%reldir%/guard_checks.c %reldir%/guard_contexts.c %reldir%/guard_create.c \
	%reldir%/guard_events.c %reldir%/guard_images.c %reldir%/guard_kernel.c \
	%reldir%/guard_launches.c %reldir%/guard_maps.c %reldir%/guard_native.c \
	%reldir%/guard_order.c %reldir%/guard_part.c %reldir%/guard_pattern.c \
	%reldir%/guard_queries.c %reldir%/guard_ranges.c %reldir%/guard_shadow.c \
	%reldir%/guard_sync.c %reldir%/guard_table.c %reldir%/guards.c
