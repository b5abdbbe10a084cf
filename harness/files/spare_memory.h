/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory this process may still have. */
#ifndef CLAW_SPARE_MEMORY_H
#define CLAW_SPARE_MEMORY_H

#include <stdint.h>

/* The least of what the machine has available, RLIMIT_AS leaves and the
 * cgroup (version 2) allows; UINT64_MAX where nothing says. */
uint64_t claw_spare_memory(void);

#endif
