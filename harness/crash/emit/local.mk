host_sources += %reldir%/emit_args.c %reldir%/emit_c.c %reldir%/emit_calls.c \
	%reldir%/emit_clw.c %reldir%/emit_clw_buffers.c %reldir%/emit_clw_memory.c \
	%reldir%/emit_clw_values.c %reldir%/emit_flags.c %reldir%/emit_frame.c \
	%reldir%/emit_model.c %reldir%/emit_plan.c %reldir%/emit_wrap.c
