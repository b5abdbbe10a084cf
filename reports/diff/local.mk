report_sources += %reldir%/diff.c %reldir%/diff_page.c %reldir%/diff_profile.c \
	%reldir%/diff_side.c %reldir%/diff_soak.c %reldir%/diff_text.c
