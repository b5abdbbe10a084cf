guest_link_sources += %reldir%/icd.c %reldir%/icd_calls.c %reldir%/icd_start.c \
	%reldir%/icd_table.c %reldir%/unwind_shim.c
guest_sources += %reldir%/layer.c %reldir%/wrap.c %reldir%/wrap_special.c
