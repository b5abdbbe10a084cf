/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings: what the guest finds wrong with what the program does
 * (found_format.h). Any thread may add any time, but not from a handler of a
 * fatal signal.
 */
#ifndef CLAW_FOUND_H
#define CLAW_FOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "faults/shared/api.h"
#include "faults/shared/found_format.h"
#include "faults/journal/journal.h"

/* Begin in this process, or anew in a forked child, for these modes
 * (enum claw_found_mode, 0: off). False, said on stderr: there is no room for
 * the file. */
CLAW_HIDDEN bool claw_found_begin(uint32_t modes);
CLAW_HIDDEN void claw_found_add_mode(enum claw_found_mode mode);

/* The same finding once more counts in the entry that is there. complete and
 * times of what is given are not looked at; thread is set. */
CLAW_HIDDEN void claw_found_add(const struct claw_found_entry *found);
/* A kernel's access was wrong so many times more, of which nobody knows what was
 * found: these count in the first finding of it, if there is one. */
CLAW_HIDDEN void claw_found_add_times(uint32_t probes, uint32_t access,
				      uint64_t more);

CLAW_HIDDEN void claw_found_count(enum claw_found_count what, uint64_t more);
CLAW_HIDDEN uint64_t claw_found_counted(enum claw_found_count what);

/* A place: the call in progress, looked up now; or one that was kept. */
CLAW_HIDDEN struct claw_found_place
claw_found_here(enum claw_api api, enum claw_obj object);
static inline struct claw_found_place
claw_found_place(uint32_t site, unsigned int api, enum claw_obj object)
{
	return (struct claw_found_place){
		.site = site, .api = (uint16_t)api, .object = (uint8_t)object,
	};
}
static inline struct claw_found_place claw_found_nowhere(void)
{
	return (struct claw_found_place){ .api = CLAW_FOUND_NO_API };
}

#endif
