/* SPDX-License-Identifier: Apache-2.0 */
/* The processors that the scheduler gives us. */
#include "config.h"

#include "cores.h"

#include <sched.h>

unsigned int claw_core_count(void)
{
	cpu_set_t cores;

	if (sched_getaffinity(0, sizeof(cores), &cores) < 0)
		return 1;
	return CPU_COUNT(&cores) > 0 ? (unsigned int)CPU_COUNT(&cores) : 1;
}
