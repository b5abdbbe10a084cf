/* SPDX-License-Identifier: Apache-2.0 */
/* Choose the device that a case runs on, and say what it is. */
#include "config.h"

#include "suite_device.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_result.h"

enum { MAX_DEVICES = 64 };

const char *claw_device_find(cl_platform_id *ret_platform,
			     cl_device_id *ret_device)
{
	static char why[128];
	const char *wanted_text = getenv("CLW_DEVICE_ID");
	unsigned long wanted = 0, place;
	cl_platform_id platforms[MAX_DEVICES];
	cl_uint platform_count = 0;
	unsigned long seen = 0;
	cl_int err;

	if (wanted_text && *wanted_text) {
		char *end;

		wanted = strtoul(wanted_text, &end, 10);
		if (*end || *wanted_text == '-')
			return "CLW_DEVICE_ID is not a number";
	}
	err = clGetPlatformIDs(MAX_DEVICES, platforms, &platform_count);
	if (err != CL_SUCCESS || platform_count == 0)
		return "no OpenCL platform (no ICD is installed, or none "
		       "can be loaded)";
	if (platform_count > MAX_DEVICES)
		platform_count = MAX_DEVICES;
	/* Beneath openclaw it is the only one that is shown. */
	place = clGetExtensionFunctionAddressForPlatform(platforms[0],
			"clawArmOPENCLAW") ? 0 : wanted;
	for (cl_uint p = 0; p < platform_count; p++) {
		cl_device_id devices[MAX_DEVICES];
		cl_uint count = 0;

		err = clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL,
				     MAX_DEVICES, devices, &count);
		if (err != CL_SUCCESS)
			continue;
		if (place < seen + count && place - seen < MAX_DEVICES) {
			*ret_platform = platforms[p];
			*ret_device = devices[place - seen];
			return NULL;
		}
		seen += count;
	}
	if (seen == 0 && !wanted)
		return "no OpenCL device on any platform";
	if (place == wanted)
		snprintf(why, sizeof(why), "no device %lu: there are %lu",
			 wanted, seen);
	else
		snprintf(why, sizeof(why), "no device %lu", wanted);
	return why;
}

void claw_device_text(cl_device_id device, cl_device_info info, char *text,
		      size_t size)
{
	text[0] = '\0';
	if (clGetDeviceInfo(device, info, size - 1, text, NULL) != CL_SUCCESS)
		snprintf(text, size, "not available");
	text[size - 1] = '\0';
}

void claw_device_text_beneath(cl_device_id device, cl_device_info info,
			      char *text, size_t size)
{
	typedef cl_int CL_API_CALL device_info(cl_device_id, cl_device_info,
					       size_t, void *, size_t *);
	static const char name[] = "clawDeviceInfoOPENCLAW";
	cl_platform_id platform = NULL;
	union {
		void *object;
		device_info *function;
	} beneath = { NULL };

	if (clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(platform),
			    &platform, NULL) == CL_SUCCESS)
		beneath.object = clGetExtensionFunctionAddressForPlatform(
			platform, name);
	text[0] = '\0';
	if (!beneath.object)
		claw_device_text(device, info, text, size);
	else if (beneath.function(device, info, size - 1, text, NULL) !=
		 CL_SUCCESS)
		snprintf(text, size, "not available");
	text[size - 1] = '\0';
}

bool claw_device_is_model(cl_device_id device)
{
	static const cl_device_info infos[] = {
		CL_DEVICE_NAME, CL_DEVICE_VERSION, CL_DRIVER_VERSION,
	};
	char shown[256], real[256];

	for (size_t i = 0; i < sizeof(infos) / sizeof(*infos); i++) {
		claw_device_text(device, infos[i], shown, sizeof(shown));
		claw_device_text_beneath(device, infos[i], real, sizeof(real));
		if (strcmp(shown, real) != 0)
			return true;
	}
	return false;
}

unsigned int claw_device_version(cl_device_id device)
{
	unsigned int major = 0, minor = 0;
	char text[256];

	claw_device_text(device, CL_DEVICE_VERSION, text, sizeof(text));
	if (sscanf(text, "OpenCL %u.%u", &major, &minor) != 2)
		return 0;
	return major * 100 + minor * 10;
}

/* What loads the drivers: its own words where it has some (ocl-icd), else
 * the file that clGetPlatformIDs is in. */
static void say_loader(void)
{
	typedef cl_int loader_info(cl_uint, size_t, void *, size_t *);
	enum { LOADER_VERSION = 2, LOADER_VENDOR = 4 };	/* ocl_icd.h */
	char text[PATH_MAX + 160], vendor[64], version[64];
	union {
		void *object;
		loader_info *function;
	} info = { clGetExtensionFunctionAddress("clGetICDLoaderInfoOCLICD") };
	union {
		void *object;
		cl_int (*function)(cl_uint, cl_platform_id *, cl_uint *);
	} get = { .function = clGetPlatformIDs };
	Dl_info where;
	const char *path = "not available";

	memset(vendor, 0, sizeof(vendor));
	memset(version, 0, sizeof(version));
	if (dladdr(get.object, &where) && where.dli_fname)
		path = where.dli_fname;
	if (info.object &&
	    info.function(LOADER_VENDOR, sizeof(vendor) - 1, vendor,
			  NULL) == 0 &&
	    info.function(LOADER_VERSION, sizeof(version) - 1, version,
			  NULL) == 0)
		snprintf(text, sizeof(text), "%s %s",
			 strstr(vendor, "OCL Icd") ? "ocl-icd" :
			 strstr(vendor, "Khronos") ? "Khronos loader" :
			 vendor, version);
	else
		snprintf(text, sizeof(text), "%s", path);
	claw_case_result_fact("loader", text);
}

/* A result under a model says little without the driver that gave it. */
static void say_beneath(cl_device_id device)
{
	char name[256], driver[256], text[600];

	if (!claw_device_is_model(device))
		return;
	claw_device_text_beneath(device, CL_DEVICE_NAME, name, sizeof(name));
	claw_device_text_beneath(device, CL_DRIVER_VERSION, driver,
				 sizeof(driver));
	snprintf(text, sizeof(text), "%s, driver %s", name, driver);
	claw_case_result_fact("beneath", text);
}

void claw_device_say(cl_platform_id platform, cl_device_id device)
{
	char text[512] = "";

	if (clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(text) - 1,
			      text, NULL) == CL_SUCCESS)
		claw_case_result_fact("platform", text);
	claw_device_text(device, CL_DEVICE_NAME, text, sizeof(text));
	claw_case_result_fact("device", text);
	claw_device_text(device, CL_DRIVER_VERSION, text, sizeof(text));
	claw_case_result_fact("driver", text);
	claw_device_text(device, CL_DEVICE_VERSION, text, sizeof(text));
	claw_case_result_fact("version", text);
	say_beneath(device);
	say_loader();
}
