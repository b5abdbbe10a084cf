/* SPDX-License-Identifier: Apache-2.0 */
/* What a dump says of the machine, and of the OpenCL that is on it. */
#include "config.h"

#include <stdlib.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include "harness/records/baseline.h"
#include "harness/crash/dump/dump_meta.h"
#include "harness/base/errors.h"
#include "harness/machine/machine.h"
#include "harness/session/session.h"

json_t *claw_dump_machine(void)
{
	json_t *machine = json_object();
	struct utsname names;
	struct sysinfo info;
	char processor[256];

	if (uname(&names) == 0) {
		json_object_set_new(machine, "os", json_string(names.sysname));
		json_object_set_new(machine, "kernel", json_sprintf("%s %s",
			names.release, names.machine));
	}
	claw_processor_name(processor, sizeof(processor));
	if (*processor)
		json_object_set_new(machine, "cpu", json_string(processor));
	if (sysinfo(&info) == 0)
		json_object_set_new(machine, "memory_bytes", json_integer(
			(json_int_t)info.totalram * info.mem_unit));
	return machine;
}

static void copy_member(json_t *to, const char *name, const json_t *from,
			const char *from_name)
{
	json_t *value = json_object_get(from, from_name);

	if (value)
		json_object_set(to, name, value);
}

static json_t *device_json(const json_t *device)
{
	json_t *object = json_object();

	copy_member(object, "name", device, "name");
	copy_member(object, "version", device, "version");
	copy_member(object, "driver", device, "driver_version");
	copy_member(object, "memory_bytes", device, "global_mem_bytes");
	copy_member(object, "local_memory_bytes", device, "local_mem_bytes");
	return object;
}

static json_t *platform_json(const json_t *platform)
{
	json_t *object = json_object(), *devices = json_array(), *device;
	size_t i;

	copy_member(object, "name", platform, "name");
	copy_member(object, "version", platform, "version");
	json_array_foreach(json_object_get(platform, "devices"), i, device)
		json_array_append_new(devices, device_json(device));
	json_object_set_new(object, "devices", devices);
	return object;
}

json_t *claw_dump_opencl(char *const *set_env)
{
	json_t *opencl = json_object(), *list = json_array(), *platform;
	struct claw_machine *machine = NULL;
	char *layer = claw_layer_path(), *loader;
	int ret = claw_machine_ask(set_env, &machine);
	size_t i;

	if (layer)
		json_object_set_new(opencl, "layer",
				    json_string(PACKAGE_VERSION));
	free(layer);
	if (ret < 0) {
		json_object_set_new(opencl, "problem",
				    json_string(claw_error_text(ret)));
		json_decref(list);
		return opencl;
	}
	loader = machine->loader ? claw_machine_loader_name(machine) : NULL;
	if (loader)
		json_object_set_new(opencl, "loader", json_string(loader));
	free(loader);
	json_array_foreach(machine->platforms, i, platform)
		json_array_append_new(list, platform_json(platform));
	json_object_set_new(opencl, "platforms", list);
	if (machine->problem)
		json_object_set_new(opencl, "problem",
				    json_string(machine->problem));
	claw_machine_free(machine);
	return opencl;
}
