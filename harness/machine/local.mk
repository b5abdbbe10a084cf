host_sources += %reldir%/answers.c %reldir%/cmd_info.c %reldir%/cmd_info_api.c \
	%reldir%/cmd_info_memory.c %reldir%/cmd_info_record.c %reldir%/cmd_query.c \
	%reldir%/device_choice.c %reldir%/free_memory.c %reldir%/kernel_log.c \
	%reldir%/machine.c %reldir%/query_device.c %reldir%/query_telemetry.c \
	%reldir%/record_faults.c %reldir%/telemetry.c %reldir%/telemetry_nvml.c \
	%reldir%/telemetry_sysfs.c %reldir%/usage.c %reldir%/usage_cpu.c \
	%reldir%/usage_host.c %reldir%/xid.c
