/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw repro --minimise, when a smaller trace has been found: it becomes a
 * dump of its own, and what is said of it.
 */
#ifndef CLAW_REPRO_SMALLER_H
#define CLAW_REPRO_SMALLER_H

#include <jansson.h>
#include <stdio.h>

#include "harness/crash/replay/minimise.h"

struct claw_smaller {
	const struct claw_dump *dump;	/* the original */
	const char *dump_path;
	const struct claw_crash *crash;	/* of it */
	const struct claw_minimised *minimised;
	const char *path;		/* of the smaller one */
	char **left_out;		/* failures that it is shown without: text_list.h */
	/* set by claw_smaller_check(): */
	unsigned int runs, hits;
};

/* "crash-min.dmp" for "crash.dmp", and for a link to that: malloced; NULL without
 * memory. */
char *claw_smaller_name(const char *dump_path);

/* The captured failures that are not in the smaller trace. */
void claw_smaller_find_left_out(struct claw_smaller *smaller);

/* Write it: the smaller trace with what is known of the capture beside it. 0 or
 * -CLAW_E_IO (errno set). */
int claw_smaller_write(const struct claw_smaller *smaller);

/*
 * Read it again and replay that: the same must go wrong in one of three runs.
 *
 * Returns 0, -CLAW_E_NOT_FOUND when it did not, or another error.
 */
int claw_smaller_check(struct claw_smaller *smaller,
		       const struct claw_replay_spec *replay);

void claw_smaller_print(const struct claw_smaller *smaller, FILE *out);
json_t *claw_smaller_json(const struct claw_smaller *smaller);

#endif
