openclaw_instrument_SOURCES += %reldir%/main.c %reldir%/rewrite.c
