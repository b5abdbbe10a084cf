/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the device beneath a model says of itself. A test that knows how a
 * driver deviates has to know which driver it has, whatever a model shows
 * (suites/suite_device.h).
 */
#include "config.h"

#include "model.h"

#include <string.h>

static cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info info,
				      size_t size, void *value,
				      size_t *size_ret)
{
	cl_int err;

	claw_ours_begin();
	err = claw_next.clGetDeviceInfo(device, info, size, value, size_ret);
	claw_ours_end();
	return err;
}

void *claw_beneath_find(const char *name)
{
	if (strcmp(name, "clawDeviceInfoOPENCLAW"))
		return NULL;
	return __extension__ (void *)device_info;
}
