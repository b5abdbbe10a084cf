/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a device says of itself outside of OpenCL: NVIDIA's management library
 * (libnvidia-ml.so.1, opened with dlopen), AMD's and Intel's files in
 * /sys/class/drm. Nothing of a device is ever changed.
 */
#ifndef CLAW_TELEMETRY_H
#define CLAW_TELEMETRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct claw_telemetry;	/* one device */

struct claw_telemetry_values {
	double used_bytes, total_bytes, temperature, clock_mhz, power_watt;
	double utilization;		/* percent of the time that it computed */
	double ecc_corrected, ecc_uncorrected, pcie_replays;	/* NAN: not measurable */
	uint64_t throttle_reasons;	/* bits of the vendor's; 0: none */
	bool has_throttle;
	char throttle_text[160];	/* "thermal slowdown, power cap", "" */
};

/* The device with that PCI address ("0000:65:00.0"), or, pci NULL, the only one
 * there is whose name is like name (NULL: the only one at all). NULL: none, why
 * in error ("no NVIDIA management library (libnvidia-ml.so.1)", ...). root: ""
 * or a directory that stands for / (tests; libnvidia-ml.so.1 lies in it). */
struct claw_telemetry *claw_telemetry_open(const char *pci, const char *name,
					   const char *root, char *error,
					   size_t error_size);
void claw_telemetry_close(struct claw_telemetry *telemetry);
const char *claw_telemetry_source(const struct claw_telemetry *telemetry);	/* "NVML 580.159.04" */
void claw_telemetry_read(struct claw_telemetry *telemetry,
			 struct claw_telemetry_values *ret_values);

#endif
