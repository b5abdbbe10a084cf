/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the program has forgotten by the ends of its runs, by the place that made
 * it: the ledger of each run that ends by itself, and well, is judged there as
 * "openclaw check" does (CLAW_LEAK_DEFINITE). What is made once and kept to the
 * end of the process is none; an error exit or a crash may leave all it has.
 */
#ifndef CLAW_SOAK_LEAKS_H
#define CLAW_SOAK_LEAKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "soak_left.h"

struct claw_soak_leak {
	char *site;		/* stable: "clCreateBuffer < load < main" */
	char *place;		/* "load (tile.c:88)", or NULL */
	char *text;		/* of the first run that had it, one line */
	uint64_t runs;		/* that ended with some */
	uint64_t told;		/* of these, by events */
	uint64_t least, most;	/* objects at the end of one */
	bool recalled;		/* of some runs only their number is known */
	uint64_t now;		/* of the run that is being added */
};

enum { CLAW_SOAK_LEAKS = 256 };

struct claw_soak_leaks {
	struct claw_soak_leak *items;
	size_t count;
	uint64_t judged, unknown;	/* runs */
	char *why;		/* of the first that is unknown, or NULL */
	uint64_t others;	/* leaks of runs that the table has no room for */
};

/* One more run: left is what it left, NULL: nothing was alive. */
void claw_soak_leaks_add(struct claw_soak_leaks *leaks,
			 const struct claw_soak_left *left);
/* A run of which that cannot be said; the first reason is kept. */
void claw_soak_leaks_doubt(struct claw_soak_leaks *leaks, const char *why);
/* So many runs of a soak that goes on had it. */
void claw_soak_leaks_recall(struct claw_soak_leaks *leaks, const char *site,
			    const char *text, uint64_t runs);
/* "buffer from clCreateBuffer at load (tile.c:88), never released, 3 of them:
 * at the end of 12 of 14 runs, 3 to 5 in each", malloced, or NULL. */
char *claw_soak_leak_text(const struct claw_soak_leak *leak, uint64_t runs);
void claw_soak_leaks_release(struct claw_soak_leaks *leaks);

#endif
