report_sources += %reldir%/changes.c %reldir%/cobertura.c %reldir%/detection.c \
	%reldir%/error_paths.c %reldir%/event_rows.c %reldir%/formats.c \
	%reldir%/gather.c %reldir%/head_json.c %reldir%/json.c %reldir%/junit.c \
	%reldir%/lcov.c %reldir%/link_base.c %reldir%/matrix.c %reldir%/points.c \
	%reldir%/sarif.c %reldir%/source.c %reldir%/stability.c %reldir%/summary.c \
	%reldir%/swept.c %reldir%/tap.c %reldir%/text.c %reldir%/text_soak.c
