host_sources += %reldir%/cmd_history.c %reldir%/history_ask.c \
	%reldir%/history_judge.c %reldir%/history_store.c
