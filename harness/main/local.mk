host_sources += %reldir%/cmd_complete.c %reldir%/cmd_completion.c %reldir%/cmd_doctor.c \
	%reldir%/cmd_explain.c %reldir%/cmd_man.c %reldir%/found.c \
	%reldir%/machine_place.c
