host_sources += %reldir%/compiling.c %reldir%/evidence.c \
	%reldir%/evidence_crash.c %reldir%/gap.c %reldir%/probe_sum.c \
	%reldir%/unseen.c %reldir%/why_not.c
