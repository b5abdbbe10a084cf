openclaw_instrument_SOURCES += %reldir%/main.c
