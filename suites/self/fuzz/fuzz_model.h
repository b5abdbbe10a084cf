/* SPDX-License-Identifier: Apache-2.0 */
/* The guest's side of fuzz_model: its headers and the host's have names in
 * common. */
#ifndef CLAW_FUZZ_MODEL_H
#define CLAW_FUZZ_MODEL_H

#include <stdbool.h>

/* Of what follows a fault, as the host wrote it. */
struct fuzz_guest_lines {
	unsigned int states, triggers, answers;
};

/* Forget all rules. */
void fuzz_guest_begin(void);
/* A line behind "failure ". */
void fuzz_guest_read(const char *line);
/* Has the guest a rule for each line, with a meaning? */
bool fuzz_guest_understood(const struct fuzz_guest_lines *lines);

#endif
