/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaks: what the ledgers of a run hold at its end, grouped by where it was
 * made, largest first, with the words for a person.
 */
#ifndef CLAW_LEAKS_H
#define CLAW_LEAKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/readers/journal_reader.h"
#include "harness/readers/ledger_reader.h"
#include "suppressions.h"
#include "harness/readers/symbolize.h"

/* Criteria of leaks. */
enum claw_leak_check {
	/*
	 * The program has forgotten it, or more of the kind will come: its
	 * context has no reference of the program's left, or a site has made
	 * more than one that is alive, of contexts, queues, programs and
	 * kernels CLAW_LEAK_MANY; of these two not counting the first of each
	 * source or name. What a program makes once and keeps to its end is
	 * none, nor is a cache.
	 */
	CLAW_LEAK_DEFINITE,
	CLAW_LEAK_ALL,		/* everything that is alive */
};

enum { CLAW_LEAK_MANY = 32 };	/* more than a program has devices or kernels
				 * that it makes in one place */

/* One creation site's objects of one kind, in one process. */
struct claw_leak {
	enum claw_obj object;
	bool is_part;		/* of a larger memory object */
	char *api;		/* that made them: "clEnqueueNDRangeKernel" */
	char *place;		/* "blur (blur.c:212)", "pipeline.py:88 (load_tile)",
				 * or NULL */
	char *name;		/* stable name of the site, 8 frames */
	char **words;		/* functions, files and modules of all frames: for
				 * suppressions; text_list.h */
	char *stack;		/* one line a frame */
	char *file;		/* of the place, or NULL */
	unsigned int line;
	uint64_t count;
	uint64_t references;	/* that the program holds; of mappings: maps that
				 * no unmap followed */
	uint64_t size_bytes;	/* as the program asked for */
	uint64_t bytes;		/* of the device's memory, of their own */
	uint64_t held_bytes;	/* of memory objects that the program has no
				 * reference to and that these hold, each counted once */
	char *held_text;	/* "1,440 buffers from clCreateBuffer at main
				 * (blur.c:200), 720 MiB", one line a site, or NULL */
	uint64_t retained;	/* how many of them were retained */
	uint64_t extra_references;	/* of those, references that no release took */
	char *retain_place;	/* of the last retain of them, or NULL */
	bool definite;
	uint32_t pid;
	const char *suppressed_by;	/* the suppression that matches, or NULL; borrowed */
};

struct claw_leaks {
	struct claw_leak *items;	/* largest first: bytes + held_bytes, then count */
	size_t count;
	uint64_t not_known;	/* objects that the guest had no room for */
};

/*
 * Add one process's. journal: of the same process, for sites and names.
 * Returns 0 or -CLAW_E_LIMIT (leak_graph.h).
 */
int claw_leaks_add(struct claw_leaks *leaks, const struct claw_ledger *ledger,
		   const struct claw_journal *journal,
		   struct claw_symbolizer *symbolizer);
/* May that find something definite? Asks no symbols: false is certain. */
bool claw_leaks_may_be_definite(const struct claw_ledger *ledger);
void claw_leaks_sort(struct claw_leaks *leaks);
void claw_leaks_release(struct claw_leaks *leaks);

/*
 * "event from clEnqueueNDRangeKernel at blur (blur.c:212), never released,
 * 1,440 of them, keeps 720 MiB of buffers alive on NVIDIA"; malloced.
 */
char *claw_leak_text(const struct claw_leak *leak);
/* "event clEnqueueNDRangeKernel < blur < main": the same in every build that
 * has these functions; malloced. */
char *claw_leak_name(const struct claw_leak *leak);
/* "event", "sub-buffer", "command queue"; of an object that this call made. */
const char *claw_leak_noun(enum claw_obj object, const char *api);

/* Of the leaks that which asks for. */
void claw_leaks_suppress(struct claw_leaks *leaks, enum claw_leak_check which,
			 struct claw_suppressions *suppressions);
/* A line that keeps the leak silent, and no other of another chain:
 * "leak:^clCreateBuffer < load_tile < main$". */
void claw_leak_write_suppression(const struct claw_leak *leak, FILE *out);

#endif
