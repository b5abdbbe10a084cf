/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which contents go into a dump: a program may have given gigabytes to its
 * buffers, and the dump is to be sent. Those of the last launches' memory and
 * the programs' texts do, whatever their size, and of the others the newest.
 */
#ifndef CLAW_DUMP_CHOOSE_H
#define CLAW_DUMP_CHOOSE_H

#include "harness/crash/trace/trace.h"

enum {
	CLAW_DUMP_LAUNCHES = 4,		/* the last, whose memory is wanted */
	CLAW_DUMP_OTHER_BYTES = 12 << 20,	/* of all other contents */
};

/* The other contents have no bytes any more, as if they had not been kept. */
void claw_dump_leave_out(struct claw_trace *trace);

#endif
