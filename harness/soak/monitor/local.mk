host_sources += %reldir%/cmd_profile.c %reldir%/metrics_file.c \
	%reldir%/profile.c %reldir%/profile_fragments.c %reldir%/profile_json.c \
	%reldir%/profile_say.c %reldir%/profile_timeline.c %reldir%/sampler.c \
	%reldir%/sampler_processes.c %reldir%/soak_clock.c %reldir%/soak_device.c \
	%reldir%/soak_sites.c %reldir%/xid_watch.c
