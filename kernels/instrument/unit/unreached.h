/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that no kernel of a whole program comes to lose their bodies: a
 * driver compiles, keeps and loads what is left in a fraction of the time where
 * a program includes a library. What the map says of them stays.
 */
#ifndef CLAW_INSTRUMENT_UNREACHED_H
#define CLAW_INSTRUMENT_UNREACHED_H

#include "rewrite.h"

/* When all edits are made. */
void claw_unreached_cut(struct claw_rewrite *rewrite);

#endif
