host_sources += %reldir%/cmd_sweep.c %reldir%/cmd_sweep_finish.c \
	%reldir%/cmd_sweep_known.c %reldir%/cmd_sweep_run.c \
	%reldir%/cmd_sweep_tools.c %reldir%/sweep.c %reldir%/sweep_again.c \
	%reldir%/sweep_benign.c %reldir%/sweep_calls.c \
	%reldir%/sweep_jobs.c %reldir%/sweep_keep.c %reldir%/sweep_kinds.c %reldir%/sweep_known.c \
	%reldir%/sweep_look.c %reldir%/sweep_loop.c %reldir%/sweep_past.c \
	%reldir%/sweep_place.c %reldir%/sweep_plan.c %reldir%/sweep_points.c \
	%reldir%/sweep_same.c %reldir%/sweep_signature.c %reldir%/sweep_slot.c \
	%reldir%/sweep_text.c %reldir%/sweep_unrun.c
