/* SPDX-License-Identifier: Apache-2.0 */
/* How answers are given: what each of these needs is asked with one query. */
#ifndef CLAW_HISTORY_TELL_H
#define CLAW_HISTORY_TELL_H

#include <jansson.h>
#include <stdio.h>

#include "history.h"

enum { CLAW_HISTORY_COMMIT_DIGITS = 12 };

/* What a form fills; zero before. */
struct claw_history_answer {
	size_t known;			/* series */
	json_t *series, *findings, *coverage;
};

struct claw_history_form {
	void (*begin)(struct claw_history_answer *answer);
	claw_history_visit *series;	/* user: the answer */
	claw_history_visit_finding *finding;
	claw_history_visit_coverage *coverage;
	void (*end)(struct claw_history_answer *answer, uint64_t runs);
};

extern const struct claw_history_form claw_history_say, claw_history_json;

/* "2026-11-28" */
void claw_history_put_day(char text[16], int64_t seconds);
/* "SUITE/NAME [CONFIGURATION] on DEVICE"; malloced. */
char *claw_history_name(const struct claw_history_names *names);
/* "on 2026-11-28, commit 0123456789ab": where it changed, and with what, the commit
 * or the driver; malloced. */
char *claw_history_change(const struct claw_history_point *before,
			  const struct claw_history_point *after);
/* "in all 12 runs", "in the last 3 runs", "in its only run". */
void claw_history_put_fails(FILE *out, const struct claw_history_state *state);

#endif
