/* SPDX-License-Identifier: Apache-2.0 */
/* The site of a call without unwinding the stack each time. */
#ifndef CLAW_SITE_CACHE_H
#define CLAW_SITE_CACHE_H

#include <stdint.h>

#include "journal.h"

/* In a process, or a forked child, that has asked nothing yet. */
CLAW_HIDDEN void claw_site_cache_begin(void);

/* The number under which the journal keeps the site of the call in progress,
 * 0 when it has no room for it. Any thread; no lock on a hit. */
CLAW_HIDDEN uint32_t claw_site_cached(void);

#endif
