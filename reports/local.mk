report_sources += %reldir%/changes.c %reldir%/coverage_part.c \
	%reldir%/detection.c %reldir%/error_paths.c %reldir%/event_rows.c \
	%reldir%/head_json.c %reldir%/json.c %reldir%/junit.c %reldir%/matrix.c \
	%reldir%/points.c %reldir%/report.c %reldir%/sarif.c %reldir%/sarif_rules.c \
	%reldir%/source.c %reldir%/stability.c %reldir%/summary.c %reldir%/sweep_handlers.c \
	%reldir%/sweep_shown.c %reldir%/swept.c %reldir%/tap.c %reldir%/text.c \
	%reldir%/text_soak.c
