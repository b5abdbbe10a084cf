/* SPDX-License-Identifier: Apache-2.0 */
/* Why nothing was seen of a program. */
#ifndef CLAW_WHY_NOT_H
#define CLAW_WHY_NOT_H

struct claw_evidence;
struct claw_program;

/* What keeps openclaw out of a program, by its file and the layer's alone. why:
 * malloced, NULL: nothing that can be seen. advice: what to do, or NULL. */
struct claw_obstacle {
	char *why;
	const char *advice;
};
struct claw_obstacle claw_program_obstacle(const struct claw_program *program);

/* Why no call of it was seen in the journals, one line, malloced. */
char *claw_program_why_not(const struct claw_program *program,
			   const struct claw_evidence *evidence);

#endif
