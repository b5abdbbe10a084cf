guest_sources += %reldir%/found.c %reldir%/hold_back.c %reldir%/kept.c \
	%reldir%/life.c %reldir%/life_ends.c %reldir%/life_maps.c \
	%reldir%/life_notes.c %reldir%/life_uses.c %reldir%/life_waits.c \
	%reldir%/memory_room.c
libopenclaw_heap_so_SOURCES += %reldir%/heap.c %reldir%/heap_pages.c \
	%reldir%/heap_root.c
