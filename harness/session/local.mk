host_sources += %reldir%/at.c %reldir%/called.c %reldir%/door.c %reldir%/fault_plan.c \
	%reldir%/icd_files.c %reldir%/icd_names.c %reldir%/instrument_program.c %reldir%/model_failure.c \
	%reldir%/model_failure_calls.c %reldir%/model_failure_values.c \
	%reldir%/model_keys.c %reldir%/model_option.c %reldir%/model_text.c \
	%reldir%/model_yaml.c %reldir%/plan_yaml.c %reldir%/preload.c \
	%reldir%/preset.c %reldir%/probe_options.c %reldir%/program.c %reldir%/program_cache.c \
	%reldir%/session.c %reldir%/session_config.c %reldir%/user_config.c \
	%reldir%/user_config_keys.c
