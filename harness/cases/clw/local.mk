host_sources += %reldir%/assume.c %reldir%/build_options.c %reldir%/clw.c %reldir%/clw_args.c \
	%reldir%/clw_check.c %reldir%/clw_keys.c %reldir%/clw_names.c \
	%reldir%/clw_options.c %reldir%/clw_random.c %reldir%/clw_source.c \
	%reldir%/clw_values.c %reldir%/clw_words.c %reldir%/cmd_init.c %reldir%/cmd_kernels.c \
	%reldir%/init_args.c %reldir%/init_header.c %reldir%/init_kernels.c \
	%reldir%/init_shape.c %reldir%/init_words.c
