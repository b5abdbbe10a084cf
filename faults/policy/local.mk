guest_sources += %reldir%/apply.c %reldir%/arm.c %reldir%/call_records.c \
	%reldir%/match.c %reldir%/rules.c
