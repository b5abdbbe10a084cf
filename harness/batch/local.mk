host_sources += %reldir%/batch_file.c %reldir%/batch_follow.c \
	%reldir%/batch_kubernetes.c %reldir%/batch_local.c \
	%reldir%/batch_queue.c %reldir%/batch_result.c %reldir%/batch_run.c \
	%reldir%/batch_slurm.c %reldir%/batch_words.c %reldir%/cmd_take.c
