guest_sources += %reldir%/call.c %reldir%/call_records.c \
	%reldir%/callback_places.c %reldir%/command_types.c \
	%reldir%/device_whose.c %reldir%/event_callbacks.c \
	%reldir%/exit_thread.c %reldir%/extension.c %reldir%/handles.c \
	%reldir%/model_table.c %reldir%/own_session.c %reldir%/process.c \
	%reldir%/program_memory.c %reldir%/rule_table.c
