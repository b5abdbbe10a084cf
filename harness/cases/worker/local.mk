openclaw_clw_worker_SOURCES += %reldir%/worker_args.c %reldir%/worker_main.c \
	%reldir%/worker_objects.c %reldir%/worker_run.c
