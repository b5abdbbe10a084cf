guest_sources += %reldir%/apply.c %reldir%/match.c %reldir%/rules.c
