guest_sources += %reldir%/instrument.c %reldir%/instrument_ask.c %reldir%/instrument_behind.c \
	%reldir%/instrument_binaries.c \
	%reldir%/instrument_cache.c %reldir%/instrument_cells.c %reldir%/instrument_complete.c \
	%reldir%/instrument_copies.c %reldir%/instrument_found.c \
	%reldir%/instrument_handles.c %reldir%/instrument_known.c \
	%reldir%/instrument_helper.c \
	%reldir%/instrument_kernels.c %reldir%/instrument_launches.c \
	%reldir%/instrument_macros.c %reldir%/instrument_map.c \
	%reldir%/instrument_programs.c %reldir%/instrument_queues.c %reldir%/instrument_reads.c \
	%reldir%/instrument_request.c %reldir%/instrument_rewrite.c \
	%reldir%/instrument_shadow.c %reldir%/instrument_source.c %reldir%/instrument_twins.c \
	%reldir%/instrument_valid.c \
	%reldir%/instrument_verify.c %reldir%/instrument_verify_copies.c \
	%reldir%/instrument_words.c
