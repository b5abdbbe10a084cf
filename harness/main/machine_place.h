/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where we run, as far as it explains what OpenCL does or does not do here:
 * WSL2, a container without the device, a driver whose kernel module and
 * library are of two versions, the wrong one of several devices.
 */
#ifndef CLAW_MACHINE_PLACE_H
#define CLAW_MACHINE_PLACE_H

#include <stddef.h>

#include "found.h"
#include "harness/machine/machine.h"

enum claw_place_state { CLAW_PLACE_OK, CLAW_PLACE_NOTE, CLAW_PLACE_BAD };

struct claw_place_remark {
	enum claw_place_state state;
	const char *what;	/* "driver" */
	char text[512], todo[256];	/* todo "": nothing is to be done */
};

struct claw_place {
	struct claw_place_remark remarks[16];
	size_t count;
};

/* root: "" or a directory that stands for / (tests). device_id: CLW_DEVICE_ID
 * or NULL. */
void claw_place_look(struct claw_place *ret_place, const char *root,
		     const struct claw_machine *machine,
		     const struct claw_icd *icds, size_t icd_count,
		     const char *device_id);

#endif
