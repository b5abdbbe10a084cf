host_sources += %reldir%/cmd_history.c %reldir%/history_ask.c \
	%reldir%/history_file.c %reldir%/history_json.c \
	%reldir%/history_judge.c %reldir%/history_page.c \
	%reldir%/history_plot.c %reldir%/history_say.c \
	%reldir%/history_series.c %reldir%/history_store.c \
	%reldir%/history_tables.c
