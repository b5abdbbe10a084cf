openclaw_replay_SOURCES += %reldir%/player_args.c %reldir%/player_callbacks.c \
	%reldir%/player_calls.c %reldir%/player_counts.c %reldir%/player_faults.c \
	%reldir%/player_kernels.c %reldir%/player_layout.c %reldir%/player_main.c \
	%reldir%/player_memory.c %reldir%/player_objects.c
host_sources += %reldir%/replay_order.c
