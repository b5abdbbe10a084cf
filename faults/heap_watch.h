/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between libopenclaw-heap.so, which is preloaded and sees the program's
 * free(), and the layer, which looks it up by this name and says what it
 * wants to be told.
 */
#ifndef CLAW_HEAP_WATCH_H
#define CLAW_HEAP_WATCH_H

#include <stdbool.h>
#include <stddef.h>

#define CLAW_HEAP_SYMBOL "openclaw_heap_version_1"

struct claw_heap_watch {
	/* Would freeing() have something to say of this memory? */
	bool (*is_watched)(const void *memory, size_t bytes);
	/* It goes now. bytes 0: not known, from there on. */
	void (*freeing)(const void *memory, size_t bytes);
};

/* What the symbol is: a function. NULL: tell nobody. */
typedef void claw_heap_tell(const struct claw_heap_watch *watch);

#endif
