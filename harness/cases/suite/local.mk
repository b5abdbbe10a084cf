host_sources += %reldir%/case_report.c %reldir%/suite.c %reldir%/suite_cases.c \
	%reldir%/suite_entry.c %reldir%/suite_kernels.c %reldir%/suite_operand.c \
	%reldir%/suite_source.c %reldir%/suite_words.c %reldir%/suite_yaml.c
