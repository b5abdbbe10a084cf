/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that a text depends on: those that it includes, and those that it
 * would include instead if they were there.
 */
#ifndef CLAW_INSTRUMENT_READS_H
#define CLAW_INSTRUMENT_READS_H

#include <stdio.h>

#include "unit.h"

/* Lines "reads PATH" of a map (map.h); none where that is not known: with
 * __has_include() or -include. */
void claw_reads_write(FILE *out, const struct claw_unit *unit);

#endif
