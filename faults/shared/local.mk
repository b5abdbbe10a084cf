shared_sources += %reldir%/api.c %reldir%/plan.c
