guest_sources += %reldir%/graves.c %reldir%/ledger.c %reldir%/ledger_calls.c \
	%reldir%/ledger_holds.c %reldir%/ledger_links.c %reldir%/ledger_look.c \
	%reldir%/ledger_space.c %reldir%/ledger_table.c %reldir%/ledger_turn.c
