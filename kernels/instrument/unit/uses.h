/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel's text does to the memory objects that it is given.
 */
#ifndef CLAW_INSTRUMENT_USES_H
#define CLAW_INSTRUMENT_USES_H

#include "unit.h"

/* Lines "argument NAME INDEX USE" of a map (map.h), one a parameter. What could
 * write counts as writing: a pointer that is stored, cast, or given to a
 * function that may write there. */
void claw_uses_write(FILE *out, const struct claw_unit *unit,
		     const struct claw_function *kernel);

#endif
