/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory of a device is free, and who says so. */
#ifndef CLAW_FREE_MEMORY_H
#define CLAW_FREE_MEMORY_H

#include <jansson.h>

struct claw_free_memory {
	double bytes;		/* NAN: nobody can say */
	double percent;		/* of the device's memory, NAN: that is not known */
	char source[160];	/* "NVML 580.159.04", or "" */
	char why[512];		/* nobody can say, one line, or "" */
};

/*
 * Of a device as claw_machine_ask() tells of it: the model's account, the
 * driver's extension, else what the vendor's library or the kernel's driver
 * says, whom a child process asks.
 */
void claw_free_memory_find(const json_t *device,
			   struct claw_free_memory *ret_free);

#endif
