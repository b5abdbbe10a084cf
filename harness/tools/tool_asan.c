/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel sanitizer: no tool under the program but probes in its kernels,
 * on whatever device they run. What they found is in the session.
 */
#include "config.h"

#include "tools.h"

#include <stdio.h>
#include <stdlib.h>

#include "faults/shared/probe_format.h"
#include "harness/base/errors.h"
#include "harness/session/instrument_program.h"
#include "harness/check/kernel_findings.h"

static int prepare(struct claw_under *under,
		   const struct claw_under_config *config)
{
	char *helper = claw_instrument_program();

	if (!helper) {
		snprintf(under->why, sizeof(under->why), "%s",
			 claw_instrument_missing());
		return 0;
	}
	free(helper);
	under->has_device = config->has_device;
	under->device = config->device;
	return config->icd ? claw_under_set_driver(under, config, config->icd) : 0;
}

static int start(const struct claw_under *under,
		 const struct claw_under_config *config,
		 const char *case_directory, struct claw_under_run *run)
{
	(void)under;
	(void)config;
	(void)case_directory;
	/* Buffers must be as large as a kernel file says. */
	claw_under_add_env(run, "OPENCLAW_GUARD", "0");
	return 0;
}

/* Who judges asks again for the gap. */
static int read_session(const struct claw_under_run *run,
			struct claw_findings *findings)
{
	const struct claw_session session = { .directory = run->session };
	char *gap;
	int ret = claw_kernel_findings(&session, run->kernel_file, findings,
				       &gap);

	free(gap);
	return ret == -CLAW_E_IO ? -CLAW_E_DAMAGED : ret;
}

const struct claw_under_row claw_under_asan = {
	.name = "asan",
	.summary = "the kernel sanitizer, on the drivers of this machine",
	.probes = CLAW_PROBE_ASAN,
	.checks = 1u << CLAW_FINDING_INVALID_READ |
		  1u << CLAW_FINDING_INVALID_WRITE |
		  1u << CLAW_FINDING_MISALIGNED |
		  1u << CLAW_FINDING_ARRAY_INDEX |
		  1u << CLAW_FINDING_WRONG_RESULT,
	.no_guards = "it checks every access itself, and an access to a guard "
		     "zone would look valid to it",
	.prepare = prepare, .start = start, .read = read_session,
};

const struct claw_under_row claw_under_races = {
	.name = "races",
	.summary = "the kernel sanitizer's search for data races",
	.probes = CLAW_PROBE_RACES,
	.checks = 1u << CLAW_FINDING_RACE | 1u << CLAW_FINDING_WRONG_RESULT,
	.prepare = prepare, .start = start, .read = read_session,
};

const struct claw_under_row claw_under_barriers = {
	.name = "barriers",
	.summary = "the kernel sanitizer's search for barriers that not all reach",
	.probes = CLAW_PROBE_BARRIERS,
	.checks = 1u << CLAW_FINDING_DIVERGENCE |
		  1u << CLAW_FINDING_WRONG_RESULT,
	.prepare = prepare, .start = start, .read = read_session,
};

const struct claw_under_row claw_under_init = {
	.name = "init",
	.summary = "the kernel sanitizer's search for reads of what nobody wrote",
	.probes = CLAW_PROBE_UNWRITTEN,
	.checks = 1u << CLAW_FINDING_UNINITIALIZED |
		  1u << CLAW_FINDING_WRONG_RESULT,
	.prepare = prepare, .start = start, .read = read_session,
};
