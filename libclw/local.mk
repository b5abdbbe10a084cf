clw_sources += %reldir%/allocate.c %reldir%/buffer.c %reldir%/build.c %reldir%/cache.c \
	%reldir%/command.c %reldir%/context.c %reldir%/device.c \
	%reldir%/entry.c %reldir%/error.c %reldir%/kernel.c %reldir%/log.c \
	%reldir%/settings.c %reldir%/source.c %reldir%/task.c \
	%reldir%/transfer.c %reldir%/wire.c %reldir%/worker.c \
	%reldir%/workload.c faults/shared/log_level.c faults/shared/units.c
