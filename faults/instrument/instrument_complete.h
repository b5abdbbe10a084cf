/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that have nothing left to tell: all that they can count was counted,
 * and is in the file of probes. With counters that are bits, and no checks.
 */
#ifndef CLAW_INSTRUMENT_COMPLETE_H
#define CLAW_INSTRUMENT_COMPLETE_H

#include <stdbool.h>
#include <stdint.h>

#include "faults/journal/journal.h"

struct claw_words;
struct claw_complete;

/* Of a kernel of these words, and of the part that it is in; lives as long as
 * the process. NULL: it has to count on. */
CLAW_HIDDEN struct claw_complete *claw_complete_of(struct claw_words *words,
						   uint32_t part,
						   const char *name);
/* NULL never is. It never ceases to be. */
CLAW_HIDDEN bool claw_complete_is(struct claw_complete *complete,
				  const struct claw_words *words);
CLAW_HIDDEN void claw_complete_begin(void);

#endif
