host_sources += %reldir%/byte_source.c %reldir%/directories.c \
	%reldir%/hash.c %reldir%/libcheck_xml.c \
	%reldir%/new_file.c %reldir%/outside_file.c %reldir%/results.c \
	%reldir%/shown_files.c %reldir%/small_file.c %reldir%/spare_memory.c \
	%reldir%/unstable.c %reldir%/yaml_doc.c %reldir%/yaml_out.c
