/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which errors of which functions the faults of a sweep have shown to the
 * program, what became of each, and which it was never shown.
 */
#ifndef CLAW_SWEEP_SHOWN_H
#define CLAW_SWEEP_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "faults/shared/api.h"
#include "harness/records/records.h"

/* The environment record of a sweep that names the functions which the
 * program calls without faults, with a space between. */
#define CLAW_SWEEP_CALLED "called"

struct claw_sweep_pair {
	enum claw_api api;
	cl_int code;
	uint64_t counts[CLAW_VERDICT_COUNT];	/* points, by verdict */
};

struct claw_sweep_shown {
	bool called[CLAW_API_COUNT];	/* without faults */
	struct claw_sweep_pair *pairs;	/* by function, then by code */
	size_t count;
};

/* Functions that the program calls without faults, as the record has them. */
void claw_sweep_shown_call(struct claw_sweep_shown *shown, const char *names);

/*
 * A point that has ended. rules: its rules, of which the last one counts. A
 * fault that gives no error, or one that did not fire, shows nothing.
 */
void claw_sweep_shown_add(struct claw_sweep_shown *shown, const char *rules,
			  enum claw_verdict verdict);
void claw_sweep_shown_release(struct claw_sweep_shown *shown);

bool claw_sweep_shown_has(const struct claw_sweep_shown *shown,
			  enum claw_api api, cl_int code);
/* Functions that were shown any; errors that the specification allows for
 * what is called and that were not shown. */
size_t claw_sweep_shown_functions(const struct claw_sweep_shown *shown);
size_t claw_sweep_shown_never(const struct claw_sweep_shown *shown);

/* "3 handled, 1 CRASH". */
void claw_sweep_pair_print(FILE *out, const struct claw_sweep_pair *pair);
/* "shown to the program: 12 errors of 5 functions; ..."; all: and a line a
 * pair, then those that were not shown, a line a function. */
void claw_sweep_shown_print(FILE *out, const struct claw_sweep_shown *shown,
			    bool all);

#endif
