report_sources += %reldir%/formats.c %reldir%/gather.c %reldir%/link_base.c \
	%reldir%/report_files.c
