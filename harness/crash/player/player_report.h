/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What openclaw-replay says while it goes on, line by line, because it may end
 * at any call: WORD, tab, number of the call (0: none), tab, text.
 */
#ifndef CLAW_PLAYER_REPORT_H
#define CLAW_PLAYER_REPORT_H

#define CLAW_PLAYER_CANNOT	"cannot"	/* nothing was done: text is why */
#define CLAW_PLAYER_DEVICE	"device"	/* text: its name */
#define CLAW_PLAYER_SKIPPED	"skipped"	/* the call; text is why */
#define CLAW_PLAYER_ADAPTED	"adapted"	/* it was done, but not quite so */
#define CLAW_PLAYER_MADE_UP	"made-up"	/* contents: text says of what */
#define CLAW_PLAYER_DIFFERS	"differs"	/* it returned something else */
#define CLAW_PLAYER_UNFIRED	"unfired"	/* the rule in text did not fire */
#define CLAW_PLAYER_READ	"read"	/* text: bytes, space, hash */
#define CLAW_PLAYER_DONE	"done"	/* all calls; text: how many were done */

enum { CLAW_PLAYER_NO_DEVICE = 77 };	/* exit status */

#endif
