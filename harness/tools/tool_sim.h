/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Oclgrind's .sim files: a kernel, its sizes and arguments, run by the program
 * oclgrind-kernel without any host program, loader or layer.
 */
#ifndef CLAW_TOOL_SIM_H
#define CLAW_TOOL_SIM_H

#include "tools.h"

/*
 * The words that run a file (absolute) with every check on, in its directory
 * (ret_run->directory). Options that its first line gives ("# ARGS: ...") are
 * added; for an interactive one ret_run->stdin_path is the .inp file beside
 * it. Its log goes to case_directory.
 *
 * Returns 0 or -CLAW_E_IO (errno set: the file cannot be read). The caller
 * releases with claw_under_run_release().
 */
int claw_sim_start(const char *file, const char *case_directory,
		   struct claw_under_run *ret_run);

/* What it found; files are those that the kernels are in. 0,
 * or -CLAW_E_DAMAGED: there is no log, so nothing was
 * simulated. */
int claw_sim_read(const struct claw_under_run *run,
		  struct claw_findings *findings);

/* FILE.sim as FILE.suffix; malloced. */
char *claw_sim_beside(const char *file, const char *suffix);

/* ---- tool_sim_reference.c ---------------------------------------------- */

/*
 * What must be found, by the lines "ERROR text" of the .ref file beside it, as
 * Oclgrind's own tests have it; none without that file. Each kind and space
 * once. The caller frees *ret_expected.
 */
void claw_sim_expected(const char *file,
		       struct claw_expected_finding **ret_expected,
		       size_t *ret_count);

/* The first line of the .ref file that the output does not have. */
struct claw_sim_difference {
	char file[512];		/* the .ref file */
	unsigned int line;	/* from 1; 0: it is empty */
	char text[256];		/* "expected ..., found ..."; "": none */
};

/*
 * Compare what was printed (run->stdout_path) with the lines "EXACT text" and
 * "MATCH words"; without a .ref file nothing differs. 0 or
 * -CLAW_E_DAMAGED: what was printed cannot be read.
 */
int claw_sim_compare(const struct claw_under_run *run,
		     struct claw_sim_difference *ret_difference);

#endif
