/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Failures that are allowed to change the program's result:
 * TARGET[:FAULT][:at=FUNCTION], target and fault as in a rule, the function
 * any of those that lead to the call.
 */
#ifndef CLAW_SWEEP_BENIGN_H
#define CLAW_SWEEP_BENIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/options.h"
#include "sweep_points.h"

/* 0, or -CLAW_E_USAGE with one line in error. */
int claw_sweep_benign_check(const struct claw_strings *list, char *error,
			    size_t error_size);

bool claw_sweep_is_benign(const struct claw_strings *list,
			  const struct claw_sweep_points *points, size_t index);

#endif
