/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Oclgrind wrote about a run, as findings. Read from Oclgrind 21.10's
 * own words; a report that is not known is a kernel-error.
 *
 * A finding's file is "" when the report names the source that the program
 * handed over as text: only the host knows where that came from.
 */
#ifndef CLAW_TOOL_OCLGRIND_LOG_H
#define CLAW_TOOL_OCLGRIND_LOG_H

#include <stdio.h>

#include "harness/records/finding.h"

enum claw_oclgrind_text {
	CLAW_OCLGRIND_LOG,	/* OCLGRIND_LOG: everything is its own */
	CLAW_OCLGRIND_STDERR,	/* of a process: its reports among other words */
};

/* Add what the text says: what was cut off or damaged is left out. */
void claw_oclgrind_read_stream(FILE *in, enum claw_oclgrind_text which,
			       struct claw_findings *findings);

/* The same of a file. -CLAW_E_NOT_FOUND when there is none, -CLAW_E_IO (errno
 * set) when it cannot be read. */
int claw_oclgrind_read(const char *path, enum claw_oclgrind_text which,
		       struct claw_findings *findings);

#endif
