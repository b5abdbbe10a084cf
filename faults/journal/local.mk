guest_sources += %reldir%/journal.c %reldir%/journal_tables.c \
	%reldir%/journal_threads.c %reldir%/site.c %reldir%/site_cache.c \
	%reldir%/site_script.c
