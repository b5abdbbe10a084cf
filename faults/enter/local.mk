guest_sources += %reldir%/arm.c %reldir%/begin.c %reldir%/checked.c %reldir%/enter.c \
	%reldir%/session.c %reldir%/ways.c
