openclaw_instrument_SOURCES += %reldir%/coverage.c %reldir%/coverage_calls.c \
	%reldir%/coverage_conditions.c %reldir%/coverage_flow.c \
	%reldir%/coverage_implied.c \
	%reldir%/coverage_lines.c %reldir%/coverage_loops.c \
	%reldir%/coverage_statements.c %reldir%/coverage_sums.c \
	%reldir%/coverage_switch.c %reldir%/coverage_values.c \
	%reldir%/coverage_walk.c
