/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of what runs: see unit/rewrite.h and coverage_private.h. */
#ifndef CLAW_INSTRUMENT_COVERAGE_H
#define CLAW_INSTRUMENT_COVERAGE_H

#include "kernels/instrument/unit/rewrite.h"

extern const struct claw_probes_kind claw_probes_coverage;

#endif
