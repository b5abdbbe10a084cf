/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw __query telemetry": what a device says of itself outside of
 * OpenCL, asked in a process of its own because a vendor's library may hang,
 * too.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "answers.h"
#include "harness/base/errors.h"
#include "query_device.h"
#include "telemetry.h"

/* What cannot be measured is left out. */
static void add(json_t *object, const char *name, double value)
{
	if (!isnan(value))
		json_object_set_new(object, name, json_real(value));
}

int claw_query_telemetry(const char *pci, const char *name)
{
	const char *root = getenv("OPENCLAW_TEST_ROOT");
	struct claw_telemetry_values values;
	struct claw_telemetry *telemetry;
	char error[512];
	json_t *object;

	claw_answer_stage("asking for telemetry");
	telemetry = claw_telemetry_open(pci && *pci ? pci : NULL,
					name && *name ? name : NULL,
					root ? root : "", error, sizeof(error));
	if (!telemetry) {
		claw_answer(json_pack("{s:s, s:s}", "t", "no-telemetry",
				      "error", error));
		return CLAW_EXIT_CLEAN;
	}
	claw_telemetry_read(telemetry, &values);
	object = json_pack("{s:s, s:s}", "t", "telemetry", "source",
			   claw_telemetry_source(telemetry));
	add(object, "used_bytes", values.used_bytes);
	add(object, "total_bytes", values.total_bytes);
	add(object, "temperature_celsius", values.temperature);
	add(object, "clock_mhz", values.clock_mhz);
	add(object, "power_watt", values.power_watt);
	add(object, "ecc_corrected", values.ecc_corrected);
	add(object, "ecc_uncorrected", values.ecc_uncorrected);
	add(object, "pcie_replays", values.pcie_replays);
	if (values.has_throttle)
		json_object_set_new(object, "throttle",
				    json_string(values.throttle_text));
	claw_answer(object);
	claw_telemetry_close(telemetry);
	return CLAW_EXIT_CLEAN;
}
