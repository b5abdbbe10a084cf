host_sources += %reldir%/compared.c %reldir%/judge.c %reldir%/judged_found.c \
	%reldir%/judged_gcov.c %reldir%/judged_run.c %reldir%/judged_tool.c \
	%reldir%/judged_words.c %reldir%/judged_zones.c %reldir%/verdict.c
