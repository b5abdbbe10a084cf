/* SPDX-License-Identifier: Apache-2.0 */
/* What a file is that was given in place of a dump, and what to run on it. */
#ifndef CLAW_CRASH_INPUT_H
#define CLAW_CRASH_INPUT_H

/* Why claw_dump_read() did not take it, for claw_die(): malloced; ret_status is
 * the exit status. */
char *claw_crash_input_refusal(const char *command, const char *path, int error,
			       int *ret_status);

#endif
