/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workarounds are chosen by the name of the platform, which everybody has.
 * EXPECT: crash clGetPlatformInfo oom-host
 */
#include "sweep.h"

/* NULL: it has no name. */
static char *name_of(cl_platform_id platform)
{
	size_t size = 0;
	char *name;

	if (clGetPlatformInfo(platform, CL_PLATFORM_NAME, 0, NULL, &size) !=
	    CL_SUCCESS)
		return NULL;
	name = malloc(size);
	if (name && clGetPlatformInfo(platform, CL_PLATFORM_NAME, size, name,
				      NULL) != CL_SUCCESS) {
		free(name);
		name = NULL;
	}
	return name;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], back[ITEMS] = { 0 };
	cl_platform_id platform;
	char *name;

	must(clGetDeviceInfo(cl.device, CL_DEVICE_PLATFORM, sizeof(platform),
			     &platform, NULL));
	name = name_of(platform);
#ifndef PLANTED
	if (!name)
		return failed("the platform's name", CL_INVALID_PLATFORM);
#endif
	/* PLANTED: there may be no name */
	if (strncmp(name, "No such platform", 16) == 0)
		must(clFlush(cl.queue));
	count_up(values);
	write_ints(&cl, mem, values);
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	free(name);
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
