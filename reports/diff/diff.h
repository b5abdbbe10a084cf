/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The differences of two runs ("openclaw report diff"): gathered as one
 * JSON object (doc/openclaw-report.man), from which text and page are made.
 */
#ifndef CLAW_DIFF_H
#define CLAW_DIFF_H

#include <jansson.h>
#include <stdio.h>

#include "harness/records/past_run.h"
#include "reports/html/html_samples.h"

enum claw_diff_kind { CLAW_DIFF_CASES, CLAW_DIFF_SOAK, CLAW_DIFF_PROFILE };

struct claw_diff_side {
	const struct claw_past_run *run;	/* borrowed */
	enum claw_diff_kind kind;
	struct claw_html_samples samples;	/* of a soak and a profile */
	json_t *profile;		/* of a profile, or NULL: it has none */
};

/* diff_side.c. 0 or one of claw_records_read()'s. */
int claw_diff_side_init(struct claw_diff_side *side,
			const struct claw_past_run *run);
void claw_diff_side_release(struct claw_diff_side *side);
/* "a soak" */
const char *claw_diff_kind_name(enum claw_diff_kind kind);

/* Both of the same kind. */
json_t *claw_diff_find(const struct claw_diff_side *old,
		       const struct claw_diff_side *new);
/* Exit status that it comes to: 0, 1 when something got worse, 2 when that
 * cannot be said. */
int claw_diff_status(const json_t *diff);

/* Add the members of soaks (diff_soak.c) and profiles (diff_profile.c) to the
 * object. */
void claw_diff_find_soak(json_t *diff, const struct claw_diff_side *old,
			 const struct claw_diff_side *new);
void claw_diff_find_profile(json_t *diff, const struct claw_diff_side *old,
			    const struct claw_diff_side *new);
/* A row: name, title, unit, old, new, ratio. NAN is null. */
json_t *claw_diff_number(double value);
json_t *claw_diff_row(const char *name, const char *title,
		      enum claw_series_unit unit, double old, double new);

/* Of a member of the object that is no number: NAN. */
double claw_diff_get(const json_t *object, const char *name);
/* Its text, or "" */
const char *claw_diff_text(const json_t *object, const char *name);
/* A member in its unit, "" where it is null. */
const char *claw_diff_value(char *text, size_t size, const json_t *object,
			    const char *name, int unit);

/* For a person, without what claw_report_changes() says. */
void claw_diff_print(FILE *out, const json_t *diff);
/* A page without anything beside it. */
void claw_diff_page(FILE *out, const json_t *diff,
		    const struct claw_diff_side *old,
		    const struct claw_diff_side *new);

#endif
