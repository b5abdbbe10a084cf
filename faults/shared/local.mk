shared_sources += %reldir%/api.c %reldir%/faults.c %reldir%/kernel_checks.c \
	%reldir%/log_level.c %reldir%/nearest.c %reldir%/plan.c \
	%reldir%/units.c
