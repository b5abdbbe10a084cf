openclaw_device_faults_SOURCES += %reldir%/device_faults.c \
	%reldir%/device_faults_limits.c %reldir%/device_faults_more.c \
	%reldir%/device_faults_steps.c
