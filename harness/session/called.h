/* SPDX-License-Identifier: Apache-2.0 */
/* How openclaw begins a line that a person pastes into a shell. */
#ifndef CLAW_CALLED_H
#define CLAW_CALLED_H

/* argv[0] of this program; main() gives it. */
void claw_called_set(const char *argv0);

/*
 * "openclaw" where PATH finds this program by that name. Elsewhere the program
 * as it was called, or its path where it was called by another name; quoted for
 * a shell. The text belongs to this module.
 */
const char *claw_called(void);

#endif
