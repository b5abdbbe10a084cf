openclaw_kernel_SOURCES += %reldir%/kernel_args.c %reldir%/kernel_buffer.c \
	%reldir%/kernel_build.c %reldir%/kernel_compare.c %reldir%/kernel_device.c \
	%reldir%/kernel_guard.c %reldir%/kernel_image.c %reldir%/kernel_launch.c \
	%reldir%/kernel_loop.c %reldir%/kernel_main.c %reldir%/kernel_outcome.c \
	%reldir%/kernel_place.c
