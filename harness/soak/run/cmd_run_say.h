/* SPDX-License-Identifier: Apache-2.0 */
/* What a person sees of a single run of a kernel file. */
#ifndef CLAW_CMD_RUN_SAY_H
#define CLAW_CMD_RUN_SAY_H

#include <stdbool.h>

#include "harness/cases/clw/clw.h"
#include "harness/crash/capture/workload.h"

/* On stdout, before the test runs, and of its end; there what it said on
 * stderr goes to stderr, too. has_probes: its times are those of kernels with
 * probes. */
void claw_run_say_head(const struct claw_clw *clw,
		       const struct claw_clw_test *test);
void claw_run_say_result(const struct claw_workload_result *result,
			 bool has_probes);

/* The runtime's own words for a crash on the device, where it was one. device:
 * --device, or NULL. */
void claw_run_say_crash(const struct claw_clw *clw,
			const struct claw_workload_result *result,
			const char *device);

#endif
