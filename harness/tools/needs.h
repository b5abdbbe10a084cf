/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a case needs of the machine it runs on, and whether it is here.
 */
#ifndef CLAW_NEEDS_H
#define CLAW_NEEDS_H

#include <stddef.h>
#include <stdint.h>

#include "tools.h"

/* What a case needs of the machine; what is not there is a skip. */
struct claw_case_needs {
	char **extensions;	/* of the device; NULL-terminated, or NULL */
	uint64_t memory_bytes;	/* global memory of the device, 0: any */
	char *device_type;	/* "cpu", "gpu", "accelerator", or NULL */
	char **programs;	/* on PATH; NULL-terminated, or NULL */
};

/*
 * What is missing under a tool: one line, "" when nothing is. The device is
 * the one that the tool runs on, else the first. Drivers are asked once a
 * tool, by a process of its own: call it while no runner exists.
 */
void claw_needs_check(const struct claw_case_needs *needs,
		      const struct claw_under *under, char *why,
		      size_t why_size);

/* Is the device there that the tool was told to run on? As above. */
void claw_needs_check_device(const struct claw_under *under, char *why,
			     size_t why_size);

#endif
