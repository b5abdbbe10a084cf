/* SPDX-License-Identifier: Apache-2.0 */
/* Which device is which model. */
#include "config.h"

#include "model_table.h"

#include <stdio.h>

struct claw_model claw_models[CLAW_MODELS_MAX] CLAW_HIDDEN;
unsigned int claw_models_known CLAW_HIDDEN;

unsigned int claw_model_of_device(cl_device_id device)
{
	int index = claw_device_index(device);

	if (index < 0 && device)
		index = claw_device_index(claw_device_whole(device));
	return index < 0 ? 0 : index < CLAW_MODELS_MAX ? (unsigned int)index :
		CLAW_MODELS_MAX - 1;
}

unsigned int claw_model_of_call(const struct claw_call *call)
{
	cl_device_id devices[16];

	return claw_device_of_call(call, devices, 16) ?
		claw_model_of_device(devices[0]) : 0;
}

void claw_model_name(unsigned int device, char *name, size_t size)
{
	const struct claw_model *model = claw_model_get(device);

	snprintf(name, size, "%s", *model->name ? model->name : "the device");
}

void claw_model_show_name(const struct claw_call *call, char *name, size_t size)
{
	cl_device_id devices[16], device;

	if (claw_models_are_on()) {
		claw_model_name(claw_model_of_call(call), name, size);
		return;
	}
	device = claw_device_of_call(call, devices, 16) ? devices[0] : NULL;
	claw_ours_begin();
	if (!device || claw_next.clGetDeviceInfo(device, CL_DEVICE_NAME,
						 size - 1, name, NULL))
		snprintf(name, size, "not known");
	name[size - 1] = '\0';
	claw_ours_end();
}
