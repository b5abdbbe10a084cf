/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw run" for long ("openclaw soak"): what its options say, and the
 * command.
 */
#ifndef CLAW_CMD_SOAK_H
#define CLAW_CMD_SOAK_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/cases/clw/clw.h"
#include "harness/session/fault_plan.h"
#include "harness/base/options.h"

extern const struct claw_command claw_cmd_run;	/* cmd_run.c */

/* Numbers that nobody gave. */
#define CLAW_SOAK_NOT_GIVEN UINT64_MAX

struct claw_soak_given {
	/* shared with a single run */
	const char *workload, *test, *device, *output;
	const struct claw_strings *models;
	uint64_t seed, timeout_ms;
	/* of a soak */
	struct claw_fault_options faults;
	struct claw_strings stop_on;
	const char *resume, *notify, *metrics, *max_disk;
	uint64_t duration_ms, iterations, interval_ms, retries, gpu_timeout_ms;
	bool force;
	bool asks_anew;		/* --duration or --iterations, given with --resume,
				 * is not what it was */
};

struct claw_soak_config;	/* soak.h */

/* cmd_soak_options.c: what was given, models left out; dies of what is wrong. */
void claw_soak_configure(const struct claw_soak_given *given, bool is_kernel,
			 struct claw_soak_config *ret_config);
/* On stderr: how long, where to, how to go on with it; too few samples. */
void claw_soak_say_begin(const struct claw_soak_config *config,
			 const char *name, const char *directory);

/*
 * argv: the command's words as they were given. program: what follows "--", or
 * NULL. clw: the kernel file, or NULL. The exit status.
 */
int claw_cmd_soak(const struct claw_soak_given *given, int argc,
		  char *const *argv, char *const *program,
		  const struct claw_clw *clw);

#endif
