/* SPDX-License-Identifier: Apache-2.0 */
/* Valgrind's helgrind: races between the threads of the host's side. */
#include "config.h"

#include "tools.h"

#include "harness/base/errors.h"
#include "tool_valgrind.h"

static int start(const struct claw_under *under,
		 const struct claw_under_config *config,
		 const char *case_directory, struct claw_under_run *run)
{
	(void)config;
	run->log = claw_valgrind_log(case_directory, "helgrind.%p.xml");
	claw_valgrind_begin(under, run, "helgrind");
	claw_under_add_word(run, "--xml=yes");
	claw_valgrind_add_log(run, "--xml-file");
	return 0;
}

static int read_log(const struct claw_under_run *run,
		    struct claw_findings *findings)
{
	return claw_valgrind_read_xml(run->log, run->baseline, findings);
}

const struct claw_under_row claw_under_helgrind = {
	.name = "helgrind",
	.summary = "races of the host's threads, on oclgrind's simulator or --icd",
	.checks = 1u << CLAW_FINDING_HOST_RACE |
		  1u << CLAW_FINDING_WRONG_RESULT,
	.prepare = claw_valgrind_prepare_compared,
	.start = start, .read = read_log,
};
