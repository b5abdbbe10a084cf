/* SPDX-License-Identifier: Apache-2.0 */
/* The device that a soak runs on, as its drivers, or its model, tell. */
#ifndef CLAW_SOAK_DEVICE_H
#define CLAW_SOAK_DEVICE_H

#include "harness/records/records.h"
#include "harness/machine/telemetry.h"

struct claw_soak_device {
	char *name, *platform, *driver, *pci;	/* NULL: not told */
	double bytes;				/* NAN: not told */
};

/* models: for the session, or NULL. number: as CLW_DEVICE_ID has it, or NULL:
 * that, or the first. 0 or -CLAW_E_CANCELLED: a signal came. What drivers do
 * not tell is missing. */
int claw_soak_device_find(const char *models, const char *number,
			  struct claw_soak_device *ret_device);
void claw_soak_device_release(struct claw_soak_device *device);

/* Into the records. */
void claw_soak_device_record(const struct claw_soak_device *device,
			     struct claw_records *records);
/* Its own word, or NULL: why, in error. */
struct claw_telemetry *claw_soak_device_telemetry(
	const struct claw_soak_device *device, char *error, size_t error_size);

#endif
