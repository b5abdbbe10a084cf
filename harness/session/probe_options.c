/* SPDX-License-Identifier: Apache-2.0 */
/* Options of kernels' probes, for a line to paste. */
#include "config.h"

#include "probe_options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/kernel_checks.h"
#include "harness/base/errors.h"
#include "fault_plan.h"

const char *claw_probe_options_verify(const struct claw_probe_options *given)
{
	static const char *const words[] = { "first", "all", "none" };

	for (size_t i = 0; given->verify && i < sizeof(words) / sizeof(*words);
	     i++)
		if (strcmp(given->verify, words[i]) == 0)
			return i > 0 ? words[i] : NULL;
	if (given->verify)
		claw_die(CLAW_EXIT_USAGE, "--verify: expected first, all or "
			 "none, found \"%s\"", given->verify);
	return NULL;
}

uint32_t claw_probe_options_checks(const struct claw_probe_options *given)
{
	uint32_t modes = CLAW_PROBE_ASAN;
	const char *bad;

	if (given->checks && *given->checks &&
	    !claw_kernel_checks_parse(given->checks, &modes, &bad))
		claw_die(CLAW_EXIT_USAGE, "--kernels: expected one or more of "
			 "%s, with one comma between each, found \"%s\"",
			 claw_kernel_checks_names, given->checks);
	if (given->same_value && !(modes & CLAW_PROBE_RACES))
		claw_die(CLAW_EXIT_USAGE, "--same-value: expected races among "
			 "--kernels, found \"%s\"", given->checks &&
			 *given->checks ? given->checks : "bounds");
	return modes | claw_probe_options_more(given);
}

void claw_probe_options_put(const struct claw_session_probes *probes,
			    FILE *out)
{
	char *kernel = probes->kernel ?
		claw_shell_quote_printable(probes->kernel) : NULL;

	if (probes->modes & CLAW_PROBE_ARITHMETIC)
		fputs(" --arithmetic", out);
	if (probes->modes & CLAW_PROBE_SAME_VALUE)
		fputs(" --same-value", out);
	if (probes->print_limit)
		fprintf(out, " --print-limit %" PRIu64, probes->print_limit);
	if (probes->kernel)
		fprintf(out, " --kernel-name %s", kernel ? kernel :
			probes->kernel);
	if (probes->launch_skip)
		fprintf(out, " --launch-skip %" PRIu64, probes->launch_skip);
	if (probes->launch_count)
		fprintf(out, " --launch-count %" PRIu64, probes->launch_count);
	if (probes->verify)
		fprintf(out, " --verify %s", probes->verify);
	free(kernel);
}
