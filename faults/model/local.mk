guest_sources += %reldir%/beneath.c %reldir%/memory_use.c %reldir%/model.c \
	%reldir%/model_accounts.c %reldir%/model_alias.c \
	%reldir%/model_alias_calls.c %reldir%/model_alias_programs.c \
	%reldir%/model_devices.c %reldir%/model_extents.c \
	%reldir%/model_info.c %reldir%/model_memory.c %reldir%/model_pending.c \
	%reldir%/model_phantom.c %reldir%/model_phantom_image.c \
	%reldir%/model_use.c
