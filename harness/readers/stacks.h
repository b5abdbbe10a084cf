/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stacks of processes that hang, as text for a person: one block a
 * thread, innermost frame first, read through ptrace() with libdwfl.
 */
#ifndef CLAW_STACKS_H
#define CLAW_STACKS_H

#include <sys/types.h>

/* The caller frees the text. What cannot be read says why. NULL without
 * memory. Takes at most about ten seconds. */
char *claw_stacks_text(const pid_t *pids, size_t count);

#endif
