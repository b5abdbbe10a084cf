/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "did you mean ...?": the known word with the fewest edits from the one that
 * was written.
 */
#ifndef CLAW_NEAREST_H
#define CLAW_NEAREST_H

struct claw_nearest {
	const char *word;
	const char *best;	/* NULL while nothing is near enough */
	unsigned int edits;	/* of best, or one more than is near enough */
};

/* word is borrowed, as is every word that is offered. */
void claw_nearest_init(struct claw_nearest *nearest, const char *word);
void claw_nearest_offer(struct claw_nearest *nearest, const char *known);

#endif
