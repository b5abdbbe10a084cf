/* SPDX-License-Identifier: Apache-2.0 */
/* Processes of this machine, by what /proc says of them now. */
#ifndef CLAW_PROCESSES_H
#define CLAW_PROCESSES_H

#include <stdbool.h>

/* Visit a process and those that it and they have started, that many
 * generations down, until visit() says false. Returns whether it never did. */
bool claw_processes_walk(long pid, int generations,
			 bool (*visit)(long pid, void *user), void *user);

/* What the program of the process was started with: the value of a variable,
 * malloced; NULL: it has none, or *ret_readable is false: the process has ended
 * or is another user's. */
char *claw_process_variable(long pid, const char *name, bool *ret_readable);

#endif
