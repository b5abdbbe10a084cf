/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the guest found wrong in the processes of a run (faults/shared/found_format.h),
 * grouped by where it happened, with the words for a person.
 */
#ifndef CLAW_FOUND_GROUPS_H
#define CLAW_FOUND_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "found_access.h"
#include "harness/readers/found_reader.h"
#include "harness/readers/journal_reader.h"
#include "leak_site.h"
#include "suppressions.h"

enum { CLAW_FOUND_PLACES = 3 };	/* at, second, third */

/* A place in words. */
struct claw_found_where {
	char *api;		/* the call, or NULL: none of OpenCL's */
	enum claw_obj object;
	struct claw_site_words site;
};

/* The same kind of finding at the same places, whichever threads and
 * processes. */
struct claw_found_group {
	enum claw_found_kind kind;
	struct claw_found_where where[CLAW_FOUND_PLACES];
	struct claw_found_entry first;	/* name and values are of this one */
	struct claw_found_access access;	/* of the kernel sanitizer's */
	struct claw_found_access other;	/* of a race, further up in the text; of a
						 * divergence: the condition */
	bool is_turned;			/* other is the access whose object is told */
	bool is_sure;
	uint64_t times;
	uint32_t pid, last_pid;		/* of the first and the last */
	size_t processes;		/* that it happened in */
	char *key;
	const char *suppressed_by;	/* the suppression that matches, or NULL; borrowed */
};

struct claw_found_groups {
	struct claw_found_group *items;	/* errors in the order they happened, then notes */
	size_t count;
	/* Where accesses of kernels are looked up, and the file of the entries
	 * that are added; borrowed, or NULL: they are not. */
	struct claw_found_accesses *accesses;
	const char *path;
};

/* Add one process's. journal: of the same process. 0 or -CLAW_E_IO (errno set:
 * a text of no file could not be written). */
int claw_found_groups_add(struct claw_found_groups *groups,
			  const struct claw_found_file *found,
			  const struct claw_journal *journal,
			  struct claw_symbolizer *symbolizer);
void claw_found_groups_sort(struct claw_found_groups *groups);
void claw_found_groups_release(struct claw_found_groups *groups);

void claw_found_groups_suppress(struct claw_found_groups *groups,
				struct claw_suppressions *suppressions);

/* What has to be looked for so that this kind is found. */
enum claw_found_mode claw_found_kind_mode(enum claw_found_kind kind);
/* Something a kernel does; it is a sanitizer's then. */
bool claw_found_kind_is_sanitizer(enum claw_found_kind kind);
/* "use after release", "guard zone": what a line begins with. */
const char *claw_found_kind_title(enum claw_found_kind kind);

/*
 * "clEnqueueWriteBuffer at upload (tile.c:88) uses a buffer that
 * clReleaseMemObject at drop_tile (tile.c:61) released; made by clCreateBuffer
 * at load (tile.c:40); 3 times"; malloced.
 */
char *claw_found_text(const struct claw_found_group *group);
/* The same of a kernel's without what a finding (finding.h) says itself:
 * kernel, place, work-item. */
char *claw_found_brief(const struct claw_found_group *group);
/* "use-after-release < clEnqueueWriteBuffer < upload < main": the same in
 * every build that has these functions; malloced. */
char *claw_found_chain(const struct claw_found_group *group);
/* The stacks of its places, each below its call; malloced. */
char *claw_found_stacks(const struct claw_found_group *group);
/* "guards": what keeps this kind silent. */
const char *claw_found_suppression(enum claw_found_kind kind);
/* A line that keeps this one silent, and no other of another chain. */
void claw_found_write_suppression(const struct claw_found_group *group,
				  FILE *out);

#endif
