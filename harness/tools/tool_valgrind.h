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

/*
 * The same; and with a driver that was asked for, run a clean program under
 * the same tool and driver, once a run of openclaw, and set under->baseline to
 * what was written of it. Where there is no such program, or runs have a
 * baseline of their own, it stays NULL. 0 or -CLAW_E_*.
 */
int claw_valgrind_prepare_compared(struct claw_under *under,
				   const struct claw_under_config *config);

/* The words that every tool of it is started with, and NAME=VALUE as an
 * option. */
void claw_valgrind_begin(const struct claw_under *under,
			 struct claw_under_run *run, const char *tool);
void claw_valgrind_add(struct claw_under_run *run, const char *name,
		       const char *value);

/* ---- tool_valgrind_log.c ----------------------------------------------- */

/* case_directory/NAME as a malloced text. "%p" in NAME: a file a process. */
char *claw_valgrind_log(const char *case_directory, const char *name);

/* OPTION=LOG for run->log, in Valgrind's spelling. */
void claw_valgrind_add_log(struct claw_under_run *run, const char *option);

/* Every file that log stands for, in the order of their names, until take()
 * returns something else than 0, which is returned then. -CLAW_E_DAMAGED when
 * there is none. */
int claw_valgrind_each_log(const char *log,
			   int (*take)(const char *path, void *user),
			   void *user);

/* ---- tool_valgrind_xml.c ----------------------------------------------- */

/*
 * What the tool wrote as XML, as findings. log and baseline are as
 * claw_valgrind_each_log() has them.
 *
 * Errors that a clean program has, too (their kind, and the functions at the
 * top of their stacks), are the driver's and left out, unless the reported
 * program's own code is at the top, or made the block that they are about.
 * baseline: such a program's XML, or NULL. Leaks count only where the program's
 * own code made the block.
 *
 * 0 or -CLAW_E_DAMAGED: there is no such file, or one has
 * no end. What is there of it counts: its process was killed, or the errors
 * that a program has at its end are missing.
 */
int claw_valgrind_read_xml(const char *log, const char *baseline,
			   struct claw_findings *findings);

#endif
