/* SPDX-License-Identifier: Apache-2.0 */
/* Oclgrind, for the rows and programs that run on its simulator. */
#ifndef CLAW_TOOL_OCLGRIND_H
#define CLAW_TOOL_OCLGRIND_H

#include "tools.h"

/* Fill in the ICD and its one device, or why there is none. */
int claw_oclgrind_prepare(struct claw_under *under,
			  const struct claw_under_config *config);

/* What the user has set in the environment stays in all of these. */
void claw_oclgrind_set_memory(struct claw_under_run *run);
/* Every check on, and the same reports in the same order each time. */
void claw_oclgrind_set_checks(struct claw_under_run *run);

/* Have its log, of all processes, in directory/oclgrind.log. 0 or -CLAW_E_IO
 * (errno set). */
int claw_oclgrind_set_log(struct claw_under_run *run, const char *directory);
/* What is in it, after the last process; none is no error. 0
 * or -CLAW_E_DAMAGED. */
int claw_oclgrind_read_log(const struct claw_under_run *run,
			   struct claw_findings *findings);

#endif
