/* SPDX-License-Identifier: Apache-2.0 */
/* Valgrind, for the rows of its tools. */
#ifndef CLAW_TOOL_VALGRIND_H
#define CLAW_TOOL_VALGRIND_H

#include "tools.h"

/*
 * Fill in Valgrind, our suppressions and the driver (config->icd, else
 * Oclgrind's), or why. Returns 0 or -CLAW_E_*.
 */
int claw_valgrind_prepare(struct claw_under *under,
			  const struct claw_under_config *config);

/* The words that every tool of it is started with, and NAME=VALUE as an
 * option. 0 or -CLAW_E_NO_MEMORY. */
int claw_valgrind_begin(const struct claw_under *under,
			struct claw_under_run *run, const char *tool);
int claw_valgrind_add(struct claw_under_run *run, const char *name,
		      const char *value);

/* case_directory/NAME as a malloced text, or NULL. */
char *claw_valgrind_log(const char *case_directory, const char *name);

/*
 * What the tool wrote as XML, as findings.
 *
 * Errors that a clean program has, too (their kind, and the functions at the
 * top of their stacks), are the driver's and left out, unless the reported
 * program's own code is at the top, or made the block that they are about.
 * baseline: such a program's XML, or NULL. Leaks count only where the program's
 * own code made the block.
 *
 * What a killed process wrote counts. 0, -CLAW_E_NO_MEMORY, or
 * -CLAW_E_DAMAGED: path is no such file.
 */
int claw_valgrind_read_xml(const char *path, const char *baseline,
			   struct claw_findings *findings);

/*
 * Run a clean program under the same tool and driver, once a run of openclaw,
 * and set under->baseline to what was written of it. Where there is no such
 * program the baseline stays NULL. 0 or -CLAW_E_*.
 */
int claw_valgrind_measure(struct claw_under *under,
			  const struct claw_under_config *config);

#endif
