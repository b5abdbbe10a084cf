/* SPDX-License-Identifier: Apache-2.0 */
/* The words for a program that did not start, or that failed. */
#include "config.h"

#include "cmd_ended.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/words.h"

/* Is it in the working directory, where PATH does not look? */
static bool is_here(const char *name)
{
	return *name && !strchr(name, '/') && access(name, X_OK) == 0;
}

void claw_cmd_look_at_program(const char *name,
			      struct claw_program *ret_program)
{
	int why = 0;

	if (claw_program_look(name, ret_program, &why) == 0)
		return;
	if (why == ENOENT && is_here(name))
		claw_die(CLAW_EXIT_NO_PROGRAM, "%s: not in PATH; did you mean "
			 "./%s?", name, name);
	claw_die(why == ENOENT || why == ENOTDIR ? CLAW_EXIT_NO_PROGRAM :
		 CLAW_EXIT_NOT_EXECUTABLE, "%s: %s", name, strerror(why));
}

int claw_cmd_not_started(const struct claw_run_result *run,
			 const char *program)
{
	const char *why = strerror(run->code);

	switch (run->end) {
	case CLAW_END_NOT_FOUND:
		claw_warn("%s: %s", program, why);
		return CLAW_EXIT_NO_PROGRAM;
	case CLAW_END_NOT_EXECUTABLE:
		claw_warn("%s: %s", program, run->code == ENOENT ?
			  "its interpreter does not exist" : why);
		return CLAW_EXIT_NOT_EXECUTABLE;
	case CLAW_END_INFRA:
		claw_warn("cannot start %s: %s", program, why);
		return CLAW_EXIT_INFRA;
	default:
		return -1;
	}
}

char *claw_cmd_own_failure(const struct claw_run_result *run,
			   const char *program, uint64_t timeout_ms)
{
	char *text = NULL;

	if (run->end == CLAW_END_TIMEOUT)
		text = claw_format("%s did not exit within %g s and was killed",
				   program, (double)timeout_ms / 1e3);
	else if (run->end == CLAW_END_SIGNAL)
		text = claw_format("%s was killed by %s%s", program,
				   claw_signal_words(run->code),
				   run->core_dumped ? " (core dumped)" : "");
	else if (run->end == CLAW_END_EXIT && run->code != 0)
		text = claw_format("%s exited with status %d", program,
				   run->code);
	return text;
}
