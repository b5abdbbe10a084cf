host_sources += %reldir%/capturing.c %reldir%/cmd_capture.c \
	%reldir%/cmd_capture_recover.c %reldir%/cmd_capture_test.c %reldir%/cmd_env.c \
	%reldir%/cmd_inject.c %reldir%/cmd_inject_run.c %reldir%/dump_choose.c \
	%reldir%/dump_file.c %reldir%/dump_head.c %reldir%/dump_holds.c \
	%reldir%/dump_known.c %reldir%/dump_machine.c %reldir%/dump_store.c \
	%reldir%/dump_take.c %reldir%/inject_list.c %reldir%/inject_tool.c \
	%reldir%/workload.c
