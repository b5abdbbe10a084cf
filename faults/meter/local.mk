guest_sources += %reldir%/meter.c %reldir%/meter_batches.c \
	%reldir%/meter_bytes.c %reldir%/meter_calls.c %reldir%/meter_events.c \
	%reldir%/meter_kernels.c %reldir%/meter_live.c
