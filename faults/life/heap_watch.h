/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between libopenclaw-heap.so, which is preloaded and sees the program's
 * free(), and the layer, which looks it up by these names and says what it
 * wants to be told.
 */
#ifndef CLAW_HEAP_WATCH_H
#define CLAW_HEAP_WATCH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#define CLAW_HEAP_SYMBOL "openclaw_heap_version_1"
#define CLAW_HEAP_PAGES_SYMBOL "openclaw_heap_pages_1"

struct claw_heap_watch {
	/* Would freeing() have something to say of this memory? */
	bool (*is_watched)(const void *memory, size_t bytes);
	/* It goes now. bytes 0: not known, from there on. */
	void (*freeing)(const void *memory, size_t bytes);
};

/* What the symbol is: a function. NULL: tell nobody. */
typedef void claw_heap_tell(const struct claw_heap_watch *watch);

/* While pages of the program are closed (early.h). */
struct claw_heap_pages {
	/* The program sets or asks for a signal's action; NULL: it does not.
	 * False: the system is to answer. */
	bool (*action)(int number, const struct sigaction *new_action,
		       struct sigaction *old);
	/* It is about to protect or move this memory. */
	void (*touching)(const void *memory, size_t bytes);
};

typedef void claw_heap_pages_tell(const struct claw_heap_pages *watch);

#endif
