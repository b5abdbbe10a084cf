guest_sources += %reldir%/begin.c %reldir%/enter.c %reldir%/session.c \
	%reldir%/ways.c
