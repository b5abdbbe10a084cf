guest_sources += %reldir%/trace.c %reldir%/trace_bases.c \
	%reldir%/trace_before.c %reldir%/trace_callbacks.c %reldir%/trace_contents.c \
	%reldir%/trace_data.c %reldir%/trace_kernels.c %reldir%/trace_launch.c \
	%reldir%/trace_maps.c %reldir%/trace_notify.c %reldir%/trace_payload.c \
	%reldir%/trace_ring.c %reldir%/trace_short.c %reldir%/trace_slots.c \
	%reldir%/trace_source.c
