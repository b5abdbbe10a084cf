/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device that a case runs on: which one it is, and what is said of it.
 */
#ifndef CLAW_SUITE_DEVICE_H
#define CLAW_SUITE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS	/* clCreateCommandQueue */
#endif
#include <CL/cl.h>

/*
 * The device counted CLW_DEVICE_ID over all platforms, as "openclaw info"
 * counts. Returns NULL, or why there is none: a text that the next call
 * changes.
 */
const char *claw_device_find(cl_platform_id *ret_platform,
			     cl_device_id *ret_device);

/* A query that answers with a text; "not available" when it cannot. */
void claw_device_text(cl_device_id device, cl_device_info info, char *text,
		      size_t size);

/* The same of the driver's own device, whatever model of openclaw's is before
 * it; as claw_device_text() where there is no openclaw. */
void claw_device_text_beneath(cl_device_id device, cl_device_info info,
			      char *text, size_t size);

/* Does a model show it as something else? */
bool claw_device_is_model(cl_device_id device);

/* 120, 210, 300 ... of CL_DEVICE_VERSION; 0: not to be understood. */
unsigned int claw_device_version(cl_device_id device);

/* Facts of the case (case_result.h): platform, device, driver, version, the
 * driver beneath when that is another one, loader. */
void claw_device_say(cl_platform_id platform, cl_device_id device);

#endif
