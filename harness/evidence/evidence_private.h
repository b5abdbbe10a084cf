/* SPDX-License-Identifier: Apache-2.0 */
/* What the texts of an evidence share. */
#ifndef CLAW_EVIDENCE_PRIVATE_H
#define CLAW_EVIDENCE_PRIVATE_H

#include "evidence.h"
#include "harness/readers/symbolize.h"

enum { CLAW_EVIDENCE_FRAMES = 3 };	/* of a stable name */

/* For one text: the evidence's own symbolizer, or one for the occasion. */
struct claw_symbolizer *claw_evidence_take(const struct claw_evidence *e);
void claw_evidence_leave(const struct claw_evidence *e,
			 struct claw_symbolizer *symbolizer);

/* "WHAT at main (tile.c:90)", malloced; without a place where it is not known. */
char *claw_evidence_call_text(const struct claw_evidence *e,
			      const struct claw_journal *journal,
			      const char *what, uint32_t site_number);

#endif
