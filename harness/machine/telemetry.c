/* SPDX-License-Identifier: Apache-2.0 */
/* Ask the sources in turn which of them knows the device. */
#include "config.h"

#include "telemetry_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct telemetry_kind *const kinds[] = {
	&claw_telemetry_nvml, &claw_telemetry_sysfs,
};

/* "65:00.0", "00000000:65:00.0" and "0000:65:00.0" are one address. */
static void shape_pci(const char *pci, char *shaped, size_t size)
{
	unsigned int domain = 0, bus, device, function = 0;

	if (sscanf(pci, "%x:%x:%x.%x", &domain, &bus, &device, &function) < 3 &&
	    (domain = 0, sscanf(pci, "%x:%x.%x", &bus, &device,
				&function)) < 2)
		snprintf(shaped, size, "%s", pci);
	else
		snprintf(shaped, size, "%04x:%02x:%02x.%x", domain, bus,
			 device, function);
}

struct claw_telemetry *claw_telemetry_open(const char *pci, const char *name,
					   const char *root, char *error,
					   size_t error_size)
{
	char shaped[64], why[2][256];

	if (pci)
		shape_pci(pci, shaped, sizeof(shaped));
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct claw_telemetry *telemetry = kinds[i]->open(
			pci ? shaped : NULL, name, root, why[i],
			sizeof(why[i]));

		if (telemetry) {
			telemetry->kind = kinds[i];
			return telemetry;
		}
	}
	snprintf(error, error_size, "%s; %s", why[0], why[1]);
	return NULL;
}

void claw_telemetry_close(struct claw_telemetry *telemetry)
{
	if (telemetry)
		telemetry->kind->close(telemetry);
}

const char *claw_telemetry_source(const struct claw_telemetry *telemetry)
{
	return telemetry->source;
}

void claw_telemetry_read(struct claw_telemetry *telemetry,
			 struct claw_telemetry_values *ret_values)
{
	*ret_values = (struct claw_telemetry_values){
		.used_bytes = NAN, .total_bytes = NAN, .temperature = NAN,
		.clock_mhz = NAN, .power_watt = NAN, .ecc_corrected = NAN,
		.ecc_uncorrected = NAN, .pcie_replays = NAN, .utilization = NAN,
	};
	telemetry->kind->read(telemetry, ret_values);
}

void claw_telemetry_add_reason(struct claw_telemetry_values *values,
			       const char *text)
{
	size_t length = strlen(values->throttle_text);

	snprintf(values->throttle_text + length,
		 sizeof(values->throttle_text) - length, "%s%s",
		 length ? ", " : "", text);
}
