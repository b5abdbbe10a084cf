host_sources += %reldir%/cmd_report.c %reldir%/cmd_report_diff.c \
	%reldir%/cmd_report_merge.c %reldir%/report_merge.c %reldir%/report_merge_devices.c \
	%reldir%/report_merge_parts.c %reldir%/report_merge_same.c \
	%reldir%/report_merge_soak.c
