/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A layer that stands above a driver which uses the program's memory in place,
 * and makes a device of it that has no native kernels and, unless
 * GUARDS_IN_PLACE is set, buffers of its own: those with a host pointer are
 * copies, which a mapping does not show at the program's address either.
 * suites/self/slow/guards.test sees with it what guard zones do to a program on such
 * a device.
 */
#include "config.h"

#include <stdlib.h>

#include "faults/shared/api_sig.h"
#include "suites/bench/layer.h"

static CLAW_RET_clCreateBuffer CL_API_CALL
create CLAW_PARAMS(clCreateBuffer)
{
	if (flags & CL_MEM_USE_HOST_PTR && !getenv("GUARDS_IN_PLACE"))
		flags ^= CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR;
	return next.clCreateBuffer CLAW_ARGS(clCreateBuffer);
}

static CLAW_RET_clGetDeviceInfo CL_API_CALL
device_info CLAW_PARAMS(clGetDeviceInfo)
{
	cl_int err = next.clGetDeviceInfo CLAW_ARGS(clGetDeviceInfo);

	if (!err && param_value &&
	    param_name == CL_DEVICE_EXECUTION_CAPABILITIES)
		*(cl_device_exec_capabilities *)param_value = CL_EXEC_KERNEL;
	return err;
}

static void replace(struct _cl_icd_dispatch *table)
{
	table->clCreateBuffer = create;
	table->clGetDeviceInfo = device_info;
}
