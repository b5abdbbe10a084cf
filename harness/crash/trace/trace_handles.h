/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A handle for each object of a trace that is written: its own, unless that
 * would be taken for another object's.
 */
#ifndef CLAW_TRACE_HANDLES_H
#define CLAW_TRACE_HANDLES_H

#include "trace.h"

struct claw_trace_handles {
	const struct claw_trace *trace;
	uint64_t *list;		/* by number - 1 */
};

/* unique: no two objects may have the same one. */
void claw_trace_handles_init(struct claw_trace_handles *handles,
			     const struct claw_trace *trace, bool unique);
void claw_trace_handles_release(struct claw_trace_handles *handles);
/* Of an object; of shared memory the address that word was in it. */
uint64_t claw_trace_handles_get(const struct claw_trace_handles *handles,
				claw_object_id id, uint64_t word);

#endif
