openclaw_instrument_SOURCES += %reldir%/clang.c %reldir%/columns.c \
	%reldir%/edits.c %reldir%/guard.c %reldir%/hidden.c %reldir%/names.c \
	%reldir%/nodes.c %reldir%/options.c %reldir%/preprocess.c %reldir%/reads.c %reldir%/regions.c \
	%reldir%/request.c %reldir%/rewrite.c %reldir%/types.c %reldir%/unit.c \
	%reldir%/unit_arguments.c %reldir%/unit_places.c %reldir%/unit_text.c \
	%reldir%/unreached.c %reldir%/uses.c
host_sources += %reldir%/request.c
