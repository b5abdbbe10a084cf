/* SPDX-License-Identifier: Apache-2.0 */
/* Why nothing was seen of a program. */
#ifndef CLAW_WHY_NOT_H
#define CLAW_WHY_NOT_H

struct claw_evidence;
struct claw_program;

/* Why no call of it was seen in the journals, one line, malloced. */
char *claw_program_why_not(const struct claw_program *program,
			   const struct claw_evidence *evidence);

#endif
