/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of accesses: see unit/rewrite.h and sanitizer_private.h. */
#ifndef CLAW_INSTRUMENT_SANITIZER_H
#define CLAW_INSTRUMENT_SANITIZER_H

#include "kernels/instrument/unit/rewrite.h"

extern const struct claw_probes_kind claw_probes_sanitizer;

#endif
