host_sources += %reldir%/arena.c %reldir%/cores.c %reldir%/errand.c %reldir%/error_file.c \
	%reldir%/errors.c %reldir%/interrupt.c %reldir%/memory.c %reldir%/name_index.c \
	%reldir%/options.c %reldir%/paths.c %reldir%/quantity.c \
	%reldir%/shard.c %reldir%/source_url.c \
	%reldir%/text_clean.c %reldir%/text_list.c %reldir%/trend.c %reldir%/words.c
