host_sources += %reldir%/baseline.c %reldir%/cmd_clean.c %reldir%/cmd_ended.c %reldir%/cmd_output.c \
	%reldir%/commit.c \
	%reldir%/diagnosis.c %reldir%/explain.c %reldir%/explain_json.c \
	%reldir%/finding.c %reldir%/output.c %reldir%/output_parent.c %reldir%/past_run.c %reldir%/records.c \
	%reldir%/records_continue.c %reldir%/records_line.c %reldir%/records_read.c \
	%reldir%/records_soak.c %reldir%/records_write.c \
	%reldir%/result.c %reldir%/series.c %reldir%/soak_json.c
