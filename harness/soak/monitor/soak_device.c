/* SPDX-License-Identifier: Apache-2.0 */
/* Ask the drivers once, in a child, what a soak's device is. */
#include "config.h"

#include "soak_device.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/errors.h"
#include "harness/machine/machine.h"
#include "harness/base/memory.h"
#include "harness/session/session.h"

static char *copy(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? claw_strdup(text) : NULL;
}

static const json_t *platform_of(const struct claw_machine *machine,
				 const json_t *device)
{
	json_t *platform, *one;
	size_t i, j;

	json_array_foreach(machine->platforms, i, platform)
		json_array_foreach(json_object_get(platform, "devices"), j, one)
			if (one == device)
				return platform;
	return NULL;
}

static void take(struct claw_machine *machine, const char *number,
		 struct claw_soak_device *device)
{
	size_t index = number ? strtoul(number, NULL, 10) : 0;
	const json_t *one = claw_machine_find_device(machine, index);
	const json_t *bytes;

	/* CLW_DEVICE_ID has left one. */
	if (!one)
		one = claw_machine_find_device(machine, 0);
	if (!one)
		return;
	device->name = copy(one, "name");
	device->driver = copy(one, "driver_version");
	device->pci = copy(one, "pci");
	device->platform = copy(platform_of(machine, one), "name");
	bytes = json_object_get(one, "global_mem_bytes");
	if (json_is_integer(bytes))
		device->bytes = (double)json_integer_value(bytes);
}

int claw_soak_device_find(const char *models, const char *number,
			  struct claw_soak_device *ret_device)
{
	const struct claw_session_config config = { .models = models };
	struct claw_machine *machine = NULL;
	struct claw_session *session = NULL;
	int ret = 0;

	*ret_device = (struct claw_soak_device){ .bytes = NAN };
	if (models)
		ret = claw_session_new(NULL, NULL, 0, &config, &session);
	if (ret == 0)
		ret = claw_machine_ask(session ? session->environment : NULL,
				       &machine);
	if (ret == 0)
		take(machine, number, ret_device);
	claw_machine_free(machine);
	claw_session_free(session);
	return ret == -CLAW_E_CANCELLED ? ret : 0;
}

void claw_soak_device_release(struct claw_soak_device *device)
{
	free(device->name);
	free(device->platform);
	free(device->driver);
	free(device->pci);
}

void claw_soak_device_record(const struct claw_soak_device *device,
			     struct claw_records *records)
{
	const struct { const char *key, *value; } facts[] = {
		{ "platform", device->platform }, { "device", device->name },
		{ "driver", device->driver },
	};

	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		if (facts[i].value)
			claw_records_environment(records, "native",
						 facts[i].key, facts[i].value);
}

struct claw_telemetry *claw_soak_device_telemetry(
	const struct claw_soak_device *device, char *error, size_t error_size)
{
	if (device->pci || device->name)
		return claw_telemetry_open(device->pci, device->name, "",
					   error, error_size);
	snprintf(error, error_size, "no device is known");
	return NULL;
}
