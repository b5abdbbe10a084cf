/* SPDX-License-Identifier: Apache-2.0 */
/* openclaw-instrument, which puts probes into kernels: where it is. */
#ifndef CLAW_INSTRUMENT_PROGRAM_H
#define CLAW_INSTRUMENT_PROGRAM_H

#define CLAW_INSTRUMENT_NAME "openclaw-instrument"

/* OPENCLAW_INSTRUMENT, or beside our other programs; malloced, NULL: it is
 * nowhere. */
char *claw_instrument_program(void);

/* What to say of one that is nowhere; one line. */
const char *claw_instrument_missing(void);

#endif
