/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A judged run of a program that was built with gcc --coverage.
 */
#ifndef CLAW_JUDGED_GCOV_H
#define CLAW_JUDGED_GCOV_H

#include <stdbool.h>

#include "judged_run.h"

/* Before the program: its data goes where it mixes with no other run's. */
int claw_judged_gcov_prepare(struct claw_judged_run *run);

/*
 * After it: read that data into run->first_run. true: gcov runs, and done is
 * called with the run when it has ended, or when all was cancelled meanwhile.
 * false: nothing is to be waited for.
 */
bool claw_judged_gcov_read(struct claw_judged_run *run,
			   void (*done)(struct claw_judged_run *run,
					bool cancelled));

#endif
