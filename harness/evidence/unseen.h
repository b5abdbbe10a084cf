/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs of a run that use OpenCL where nobody sees it: a process that a
 * program of the run has started without the session's environment ("env -i")
 * has no layer, whatever the others have. It is looked for while the run goes
 * on; what begins and ends between two looks is missed, so that a find is a
 * fact, and none is no proof.
 */
#ifndef CLAW_UNSEEN_H
#define CLAW_UNSEEN_H

struct claw_unseen;

/* Look at the process and all that it starts, until the end; for
 * claw_run_spec.started. user: a struct claw_unseen **, which is set; to NULL
 * where it cannot be done. */
void claw_unseen_begin(int pid, void *user);

/* "PATH (process 12) has OpenCL loaded and ...", malloced, or NULL: none was seen. NULL may be ended. */
char *claw_unseen_end(struct claw_unseen *unseen);

#endif
