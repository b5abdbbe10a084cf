host_sources += %reldir%/check_report.c %reldir%/check_summary.c \
	%reldir%/cmd_check.c %reldir%/cmd_check_finish.c %reldir%/cmd_check_now.c \
	%reldir%/cmd_check_run.c %reldir%/found_access.c %reldir%/found_groups.c \
	%reldir%/found_report.c %reldir%/found_scan.c %reldir%/found_text.c \
	%reldir%/found_words.c %reldir%/guard_findings.c %reldir%/kernel_findings.c \
	%reldir%/leak_graph.c %reldir%/leak_places.c %reldir%/leak_scan.c \
	%reldir%/leak_site.c %reldir%/leak_text.c %reldir%/leaks.c \
	%reldir%/site_names.c %reldir%/suppressions.c
