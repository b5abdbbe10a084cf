/* SPDX-License-Identifier: Apache-2.0 */
/* Ask in turn who may know how much memory of a device is free. */
#include "config.h"

#include "free_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/cl_types.h"
#include "harness/base/errors.h"
#include "machine.h"
#include "harness/base/memory.h"

enum { TIMEOUT_MS = 10000 };

/* What OpenCL itself said, if it did. */
static bool find_told(const json_t *device, struct claw_free_memory *ret)
{
	const json_t *kib = json_object_get(device, "free_mem_kib");
	const char *by = claw_machine_text(device, "free_by");

	if (!json_is_integer(kib))
		return false;
	ret->bytes = 1024. * (double)json_integer_value(kib);
	snprintf(ret->source, sizeof(ret->source), "%s",
		 strcmp(by, "model") == 0 ? "the device model's account" :
		 "the driver (cl_amd_device_attribute_query)");
	return true;
}

static void take_answer(const json_t *line, struct claw_free_memory *ret)
{
	const char *type = claw_machine_text(line, "t");
	const json_t *used = json_object_get(line, "used_bytes");
	const json_t *total = json_object_get(line, "total_bytes");

	if (strcmp(type, "no-telemetry") == 0) {
		snprintf(ret->why, sizeof(ret->why), "%s",
			 claw_machine_text(line, "error"));
	} else if (strcmp(type, "telemetry") == 0) {
		const char *source = claw_machine_text(line, "source");

		*ret->why = '\0';
		if (json_is_real(used) && json_is_real(total)) {
			ret->bytes = json_real_value(total) -
				json_real_value(used);
			snprintf(ret->source, sizeof(ret->source), "%s",
				 source);
		} else {
			snprintf(ret->why, sizeof(ret->why), "%s does not "
				 "report this device's memory", source);
		}
	}
}

/* Each line of an answer is an object. */
static void read_answer(const struct claw_run_result *run,
			struct claw_free_memory *ret)
{
	const char *at = run->out.head;
	size_t left = run->out.head_bytes;

	snprintf(ret->why, sizeof(ret->why), "not queried: its driver %s",
		 run->end == CLAW_END_TIMEOUT ? "did not respond" :
		 "ended the process");
	while (left) {
		const char *end = memchr(at, '\n', left);
		size_t length = end ? (size_t)(end - at) : left;
		json_t *line = json_loadb(at, length, 0, NULL);

		if (line)
			take_answer(line, ret);
		json_decref(line);
		at += length + (end != NULL);
		left -= length + (end != NULL);
	}
}

static void ask_telemetry(const json_t *device,
			  struct claw_free_memory *ret)
{
	const char *pci = json_string_value(json_object_get(device, "pci"));
	const char *name = json_string_value(json_object_get(device, "name"));
	char *self = claw_machine_self();
	struct claw_run_result result = { 0 };
	struct claw_run_spec spec;
	char *argv[6], what[] = "telemetry", none[] = "";
	char *pci_copy = claw_strdup(pci ? pci : none);
	char *name_copy = claw_strdup(name ? name : none);

	snprintf(ret->why, sizeof(ret->why), "%s",
		 claw_error_text(-CLAW_E_SPAWN));
	if (self) {
		claw_machine_prepare(&spec, self, argv, NULL);
		argv[2] = what;
		argv[3] = pci_copy;
		argv[4] = name_copy;
		argv[5] = NULL;
		spec.timeout_ms = TIMEOUT_MS;
		if (claw_run_once(&spec, &result) == 0)
			read_answer(&result, ret);
		claw_run_result_release(&result);
	}
	free(name_copy);
	free(pci_copy);
	free(self);
}

void claw_free_memory_find(const json_t *device,
			   struct claw_free_memory *ret_free)
{
	const json_t *total = json_object_get(device, "global_mem_bytes");
	json_int_t type = json_integer_value(json_object_get(device, "type"));

	*ret_free = (struct claw_free_memory){ .bytes = NAN, .percent = NAN };
	if (!find_told(device, ret_free)) {
		if (type & CL_DEVICE_TYPE_CPU)
			snprintf(ret_free->why, sizeof(ret_free->why),
				 "this device uses the machine's memory");
		else
			ask_telemetry(device, ret_free);
	}
	if (json_integer_value(total) > 0)
		ret_free->percent = fmin(100, 100 * ret_free->bytes /
			(double)json_integer_value(total));
}
