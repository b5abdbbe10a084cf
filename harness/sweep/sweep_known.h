/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings of a sweep that somebody knows and has accepted:
 *
 *	known:
 *	- finding: unheeded clCreateBuffer at new_tile
 *	  at: [new_tile < load < main]		       # optional, or one text
 *	  example: clCreateBuffer oom once at ... #1   # optional
 *	  reason: the old reader, goes in May	       # optional
 *
 * A finding is named by its signature, and by the chains of functions that
 * call what fails: the same mistake made by another caller is another one.
 * There are no lines or addresses: a later build has the same names.
 */
#ifndef CLAW_SWEEP_KNOWN_H
#define CLAW_SWEEP_KNOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "sweep.h"

struct claw_sweep_known_finding {
	char *finding;		/* its signature */
	char **at;		/* chains, text_list.h; NULL: any */
	char *example;		/* a point that has shown it, or NULL */
	char *reason;		/* or NULL */
	char *origin;		/* "known.yaml:3" */
};

struct claw_sweep_known {
	struct claw_sweep_known_finding *items;
	size_t count;
};

/*
 * Read the file, or the text that stands for it. error: one line,
 * "FILE:LINE:COLUMN: expected ...", or "FILE: why not".
 *
 * Returns 0, -CLAW_E_IO, -CLAW_E_SYNTAX or -CLAW_E_LIMIT.
 */
int claw_sweep_known_read(const char *path, struct claw_sweep_known *ret_known,
			  char *error, size_t error_size);
int claw_sweep_known_parse(const char *path, const char *bytes, size_t size,
			   struct claw_sweep_known *ret_known, char *error,
			   size_t error_size);
void claw_sweep_known_release(struct claw_sweep_known *known);

/* The one that a finding with that signature at the point is, or NULL. */
const struct claw_sweep_known_finding *
claw_sweep_known_find(const struct claw_sweep_known *known,
		      const struct claw_sweep *sweep, size_t point,
		      const char *signature);
/* Set `known` of the point, and of its group: that is known as long as all its
 * points are, and else shown by one that is not. */
void claw_sweep_known_mark(const struct claw_sweep_known *known,
			   struct claw_sweep *sweep, size_t point);
void claw_sweep_known_mark_all(const struct claw_sweep_known *known,
			       struct claw_sweep *sweep);
/* Has the sweep shown it? */
bool claw_sweep_known_is_there(const struct claw_sweep_known_finding *finding,
			       const struct claw_sweep *sweep);
/* Groups that are neither known nor of hardening alone. */
size_t claw_sweep_known_news(const struct claw_sweep *sweep);

/*
 * Write all findings of the sweep as known ones; those that were keep their
 * example and reason.
 *
 * keep: also what the sweep has not shown, for it was not whole.
 *
 * Returns 0, or -CLAW_E_IO (errno set): the file is as it was.
 */
int claw_sweep_known_write(const char *path,
			   const struct claw_sweep_known *known,
			   const struct claw_sweep *sweep, bool keep);

#endif
