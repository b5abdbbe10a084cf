host_sources += %reldir%/cmd_run.c %reldir%/cmd_run_coverage.c \
	%reldir%/cmd_run_json.c %reldir%/cmd_run_say.c %reldir%/cmd_soak.c \
	%reldir%/cmd_soak_options.c %reldir%/soak.c %reldir%/soak_causes.c \
	%reldir%/soak_crowd.c %reldir%/soak_disk.c %reldir%/soak_ended.c \
	%reldir%/soak_ends.c %reldir%/soak_events.c %reldir%/soak_evidence.c \
	%reldir%/soak_files.c %reldir%/soak_finished.c %reldir%/soak_leaks.c \
	%reldir%/soak_left.c %reldir%/soak_notify.c %reldir%/soak_results.c \
	%reldir%/soak_resume.c %reldir%/soak_say.c %reldir%/soak_subject.c \
	%reldir%/soak_verdict.c %reldir%/soak_watch.c %reldir%/soak_workload.c
