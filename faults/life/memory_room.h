/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much memory the process may still have: by RLIMIT_AS, RLIMIT_DATA and its
 * cgroups.
 */
#ifndef CLAW_MEMORY_ROOM_H
#define CLAW_MEMORY_ROOM_H

#include "faults/call/guest.h"

/* Find out which limits there are. */
CLAW_HIDDEN void claw_memory_limits_look(void);
/* Bytes that there are, all in all, by the tightest of them, and how many are
 * left of those; UINT64_MAX where there is no limit, of which nothing is asked
 * then. */
CLAW_HIDDEN uint64_t claw_memory_limit(void);
CLAW_HIDDEN uint64_t claw_memory_room(void);

#endif
