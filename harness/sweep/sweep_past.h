/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sweep that was cut short: its command line, and what it has found out,
 * from its records.
 */
#ifndef CLAW_SWEEP_PAST_H
#define CLAW_SWEEP_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/records/past_run.h"
#include "sweep.h"

struct claw_sweep_past {
	struct claw_past_run *run;
	char **argv;		/* as it was given; argv[0] is "sweep" */
	int argc;
	uint64_t seed;
};

/* 0, -CLAW_E_USAGE (no sweep, or one that is over) or what reading its records
 * gives; error: one line. The caller releases. */
int claw_sweep_past_read(const char *directory,
			 struct claw_sweep_past *ret_past, char *error,
			 size_t error_size);
void claw_sweep_past_release(struct claw_sweep_past *past);

/*
 * Take over what is known of the points from number `from` on. Points that
 * have shown others run again, only for that.
 *
 * Returns 0, or -CLAW_E_NOT_FOUND: one of its points is not there, so the
 * program is another one now (from 0 only).
 */
int claw_sweep_past_take(const struct claw_sweep_past *past,
			 struct claw_sweep *sweep, size_t from);

bool claw_sweep_past_has_planned(const struct claw_sweep_past *past,
				 const char *name);

/* How long its parts have run, up to the last result. */
uint64_t claw_sweep_past_spent_ms(const struct claw_sweep_past *past);

#endif
