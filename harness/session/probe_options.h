/* SPDX-License-Identifier: Apache-2.0 */
/* Options of commands that have kernels rewritten, as compute-sanitizer names
 * them. */
#ifndef CLAW_PROBE_OPTIONS_H
#define CLAW_PROBE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "session.h"

struct claw_probe_options {
	const char *kernel;
	uint64_t launch_skip, launch_count, print_limit;
	const char *checks;		/* "bounds,races"; NULL: not given, "": the default */
	bool arithmetic;		/* with the sanitizer */
	bool same_value;		/* with its search for races */
	const char *verify;
};

static inline bool
claw_probe_options_are_part(const struct claw_probe_options *given)
{
	return given->kernel || given->launch_skip || given->launch_count;
}

/* What is asked of the sanitizer's modes besides. */
static inline uint32_t
claw_probe_options_more(const struct claw_probe_options *given)
{
	return (given->arithmetic ? CLAW_PROBE_ARITHMETIC : 0) |
		(given->same_value ? CLAW_PROBE_SAME_VALUE : 0);
}

/* The sanitizer's modes; ends with a usage error. */
uint32_t claw_probe_options_checks(const struct claw_probe_options *given);

#define CLAW_PROBE_OPTIONS(given_)					\
	{ "kernel-name", 0, OPT_STRING, "GLOB",				\
	  "instrument only kernels with a matching name [default: all]",	\
	  &(given_)->kernel },						\
	{ "launch-skip", 0, OPT_UINT, "N",				\
	  "do not instrument the first N launches [default: 0]",	\
	  &(given_)->launch_skip },					\
	{ "launch-count", 0, OPT_COUNT, "N",				\
	  "instrument at most N launches [default: all]", &(given_)->launch_count },			\
	{ "verify", 0, OPT_STRING, "first|all|none",			\
	  "compare launches with and without probes: first, all or none " \
	  "[default: first]\n" \
	  "Each kernel's first launch, or each launch, is also run on copies " \
	  "of its buffers with and without probes, and the results are " \
	  "compared.",	\
	  &(given_)->verify }

#define CLAW_SANITIZER_OPTIONS(given_)					\
	{ "arithmetic", 0, OPT_FLAG, NULL,				\
	  "kernel sanitizer: also check divisions and shifts", \
	  &(given_)->arithmetic },					\
	{ "same-value", 0, OPT_FLAG, NULL,				\
	  "races: also report work-items that write the same value",	\
	  &(given_)->same_value },					\
	{ "print-limit", 0, OPT_COUNT, "N",				\
	  "kernel sanitizer: print only the first N errors [default: 100]\n" \
	  "The report has all.", &(given_)->print_limit }

/* --verify as the session has it; ends with a usage error. */
const char *claw_probe_options_verify(const struct claw_probe_options *given);

/* The session's probes, but for their modes. */
static inline struct claw_session_probes
claw_probe_options_get(const struct claw_probe_options *given, uint32_t modes)
{
	return (struct claw_session_probes) {
		.modes = modes, .kernel = given->kernel,
		.launch_skip = given->launch_skip,
		.launch_count = given->launch_count,
		.print_limit = given->print_limit,
		.verify = claw_probe_options_verify(given),
	};
}

/* " --kernel-name blur --launch-skip 2": what a run depends on. */
void claw_probe_options_put(const struct claw_session_probes *probes,
			    FILE *out);

#endif
