report_sources += %reldir%/html.c %reldir%/html_about.c %reldir%/html_chart.c \
	%reldir%/html_charts.c %reldir%/html_coverage.c %reldir%/html_data.c \
	%reldir%/html_errors.c %reldir%/html_events.c %reldir%/html_findings.c \
	%reldir%/html_page.c %reldir%/html_profile.c %reldir%/html_samples.c \
	%reldir%/html_place.c %reldir%/html_scale.c %reldir%/html_soak.c %reldir%/html_source.c \
	%reldir%/html_svg.c %reldir%/html_sweep.c %reldir%/html_tests.c \
	%reldir%/html_text.c %reldir%/html_verdict.c
