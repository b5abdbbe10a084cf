guest_sources += %reldir%/device.c %reldir%/device_builds.c \
	%reldir%/device_events.c %reldir%/device_hang.c %reldir%/device_loss.c \
	%reldir%/ecc.c %reldir%/failure.c %reldir%/failure_contexts.c \
	%reldir%/failure_gates.c %reldir%/failure_generic.c \
	%reldir%/failure_launch.c %reldir%/failure_lines.c \
	%reldir%/failure_live.c %reldir%/failure_said.c \
	%reldir%/failure_subject.c %reldir%/stand_in.c %reldir%/throttle.c
