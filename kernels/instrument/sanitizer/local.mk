openclaw_instrument_SOURCES += %reldir%/accesses.c %reldir%/alignments.c \
	%reldir%/arithmetic.c %reldir%/barriers.c %reldir%/barriers_text.c \
	%reldir%/bounds.c %reldir%/builtins.c \
	%reldir%/check_decision.c %reldir%/check_indices.c %reldir%/check_map.c \
	%reldir%/checks.c %reldir%/copies.c %reldir%/copy_waits.c %reldir%/flow.c \
	%reldir%/forms.c %reldir%/hoist.c %reldir%/images.c \
	%reldir%/init.c %reldir%/init_edits.c %reldir%/init_parts.c \
	%reldir%/init_sure.c %reldir%/init_text.c \
	%reldir%/own.c %reldir%/preamble.c %reldir%/provenance.c \
	%reldir%/range_arithmetic.c \
	%reldir%/range_bytes.c %reldir%/range_loops.c %reldir%/range_pure.c \
	%reldir%/races.c %reldir%/races_text.c \
	%reldir%/range_variables.c %reldir%/ranges.c %reldir%/sanitizer.c \
	%reldir%/twins.c %reldir%/uniform.c %reldir%/variables.c %reldir%/wrapped.c \
	%reldir%/writes.c
