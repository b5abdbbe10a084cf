/* SPDX-License-Identifier: Apache-2.0 */
/* Between the ways of a call and the long one. */
#ifndef CLAW_ENTER_PRIVATE_H
#define CLAW_ENTER_PRIVATE_H

#include "faults/call/guest.h"

/* Columns of the API table that the long way needs, looked up once. -1: no
 * such parameter. */
struct claw_call_shape {
	int8_t errcode, event_out, size, blocking;
	bool is_status, releases_mem;
	_Atomic uint64_t threads;	/* THREADS: bits of the numbers that rules name */
};
extern struct claw_call_shape claw_call_shapes[CLAW_API_COUNT] CLAW_HIDDEN;

static inline bool claw_api_is_recorded(enum claw_api api)
{
	return claw_guest.record != CLAW_RECORD_NONE &&
	       (claw_guest.record_queries ||
		!(claw_api_table[api].groups & CLAW_G_QUERY));
}

/* Does this function wait for something besides its own work? */
static inline bool claw_api_waits(enum claw_api api)
{
	uint32_t groups = claw_api_table[api].groups;

	return groups & (CLAW_G_SYNC | CLAW_G_BUILD) && !(groups & CLAW_G_ENQUEUE);
}

/* Does a driver load its compiler there? LLVM has handlers of its own. */
static inline bool claw_api_starts_driver(enum claw_api api)
{
	return claw_api_table[api].groups & CLAW_G_BUILD ||
	       claw_api_makes_context(api);
}

#endif
