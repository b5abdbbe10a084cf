host_sources += %reldir%/dwfl_lines.c %reldir%/dwfl_offline.c \
	%reldir%/found_reader.c %reldir%/journal_reader.c %reldir%/ledger_reader.c \
	%reldir%/meter_reader.c %reldir%/probe_reader.c %reldir%/stacks.c \
	%reldir%/symbolize.c
