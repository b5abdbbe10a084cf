/* SPDX-License-Identifier: Apache-2.0 */
/* Valgrind's memcheck over the host's side of a program: the row "valgrind". */
#include "config.h"

#include "tools.h"

#include <stdlib.h>

#include "harness/base/errors.h"
#include "tool_oclgrind.h"
#include "tool_valgrind.h"

static int start(const struct claw_under *under,
		 const struct claw_under_config *config,
		 const char *case_directory, struct claw_under_run *run)
{
	static const char *const words[] = {
		"--leak-check=full", "--show-leak-kinds=definite",
		"--errors-for-leak-kinds=definite", "--xml=yes",
	};
	(void)config;
	run->log = claw_valgrind_log(case_directory, "valgrind.%p.xml");
	claw_valgrind_begin(under, run, "memcheck");
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		claw_under_add_word(run, words[i]);
	claw_valgrind_add_log(run, "--xml-file");
	return claw_oclgrind_set_log(run, case_directory);
}

static int read_logs(const struct claw_under_run *run,
		     struct claw_findings *findings)
{
	int ret = claw_valgrind_read_xml(run->log, run->baseline, findings);

	return ret < 0 ? ret : claw_oclgrind_read_log(run, findings);
}

const struct claw_under_row claw_under_valgrind = {
	.name = "valgrind",
	.summary = "memcheck over the host's side, on oclgrind's simulator or --icd",
	.no_guards = "an access to a guard zone would look valid to it",
	.in_all = true,
	.checks = 1u << CLAW_FINDING_HOST_READ |
		  1u << CLAW_FINDING_HOST_WRITE |
		  1u << CLAW_FINDING_HOST_UNINIT |
		  1u << CLAW_FINDING_HOST_FREE |
		  1u << CLAW_FINDING_HOST_LEAK |
		  1u << CLAW_FINDING_WRONG_RESULT,
	.prepare = claw_valgrind_prepare_compared,
	.start = start, .read = read_logs,
};
