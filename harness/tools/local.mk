host_sources += %reldir%/needs.c %reldir%/tool_asan.c %reldir%/tool_helgrind.c \
	%reldir%/tool_log.c %reldir%/tool_massif.c \
	%reldir%/tool_memcheck.c %reldir%/tool_oclgrind.c \
	%reldir%/tool_oclgrind_log.c %reldir%/tool_rusticl.c \
	%reldir%/tool_sim.c \
	%reldir%/tool_sim_reference.c %reldir%/tool_valgrind.c \
	%reldir%/tool_valgrind_log.c %reldir%/tool_valgrind_xml.c \
	%reldir%/tool_words.c %reldir%/tools.c
