host_sources += %reldir%/capture.c %reldir%/processes.c %reldir%/proctree.c \
	%reldir%/runner.c
