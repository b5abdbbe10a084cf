/* SPDX-License-Identifier: Apache-2.0 */
/*
 * git, as a program: none of the user's hooks runs, no lock is taken in the
 * user's checkout, and variables that point git to another repository do not
 * count.
 */
#ifndef CLAW_BISECT_GIT_H
#define CLAW_BISECT_GIT_H

/* Variables for everything that runs in a work tree of ours; NULL-terminated. */
extern char *const claw_bisect_git_env[];

struct claw_bisect_git {
	int status;		/* exit status; -1: it did not run to its end */
	int signal;		/* that interrupted us, or 0; it is passed on,
				 * too (interrupt.h) */
	char *out;		/* stdout without the newline at its end */
	char *error;		/* one line: what git printed first on stderr, or
				 * why it did not run */
};

/* Run "git WORD..." (NULL after the last) in a directory, or in ours (NULL). The
 * caller releases it. */
struct claw_bisect_git claw_bisect_git(const char *directory, ...)
	__attribute__((sentinel));
void claw_bisect_git_release(struct claw_bisect_git *git);

#endif
