host_sources += %reldir%/capture.c %reldir%/cost.c %reldir%/processes.c %reldir%/proctree.c \
	%reldir%/runner.c %reldir%/waits.c
