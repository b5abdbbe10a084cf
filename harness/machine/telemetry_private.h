/* SPDX-License-Identifier: Apache-2.0 */
/* Where a device's figures come from: one struct telemetry_kind a source. */
#ifndef CLAW_TELEMETRY_PRIVATE_H
#define CLAW_TELEMETRY_PRIVATE_H

#include "telemetry.h"

struct telemetry_kind {
	/* The device, or NULL, why in error. pci, name and root as in
	 * claw_telemetry_open(); pci has been brought into sysfs' form. */
	struct claw_telemetry *(*open)(const char *pci, const char *name,
				       const char *root, char *error,
				       size_t error_size);
	void (*close)(struct claw_telemetry *telemetry);
	/* All values are NAN, throttle_text is "". */
	void (*read)(struct claw_telemetry *telemetry,
		     struct claw_telemetry_values *values);
};

extern const struct telemetry_kind claw_telemetry_nvml, claw_telemetry_sysfs;

/* The first member of a kind's own. */
struct claw_telemetry {
	const struct telemetry_kind *kind;
	char source[128];
};

/* Append ", TEXT" to throttle_text. */
void claw_telemetry_add_reason(struct claw_telemetry_values *values,
			       const char *text);

#endif
