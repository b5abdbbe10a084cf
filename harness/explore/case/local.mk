host_sources += %reldir%/explore_bounds.c %reldir%/explore_case.c %reldir%/explore_fill.c \
	%reldir%/explore_judge.c %reldir%/explore_kernel.c %reldir%/explore_launches.c \
	%reldir%/explore_lengths.c %reldir%/explore_readings.c \
	%reldir%/explore_state.c %reldir%/explore_text.c
