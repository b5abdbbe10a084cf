host_sources += %reldir%/cmd_completion.c %reldir%/cmd_doctor.c \
	%reldir%/cmd_explain.c %reldir%/cmd_man.c %reldir%/machine_place.c \
	%reldir%/version.c
