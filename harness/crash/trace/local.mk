host_sources += %reldir%/trace.c %reldir%/trace_args.c %reldir%/trace_build.c \
	%reldir%/trace_bytes.c %reldir%/trace_contents.c %reldir%/trace_files.c \
	%reldir%/trace_handles.c %reldir%/trace_kernel_args.c \
	%reldir%/trace_objects.c %reldir%/trace_read.c %reldir%/trace_records.c \
	%reldir%/trace_select.c %reldir%/trace_write.c
