host_sources += %reldir%/cmd_crash_analyze.c %reldir%/crash_calls.c \
	%reldir%/crash_contents.c %reldir%/crash_deep.c %reldir%/crash_json.c \
	%reldir%/crash_next.c %reldir%/crash_objects.c %reldir%/crash_polls.c \
	%reldir%/crash_report.c %reldir%/crash_rows.c %reldir%/crash_said.c
