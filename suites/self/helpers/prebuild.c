/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds programs that sources_layer.so has written, for the first device there
 * is, and so fills the driver's cache. pocl reads its library of functions once
 * a process: that takes longer than everything else it does for a small
 * kernel.
 *
 *	prebuild FILE...
 *
 * What does not build is not its business. Exit status 77 without a device.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/cl_types.h"

enum { PLATFORMS = 16, LARGEST = 1 << 20 };

static cl_device_id find_device(void)
{
	cl_platform_id platforms[PLATFORMS];
	cl_device_id device = NULL;
	cl_uint count = 0;

	if (clGetPlatformIDs(PLATFORMS, platforms, &count))
		return NULL;
	for (cl_uint i = 0; i < count && i < PLATFORMS && !device; i++)
		clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device,
			       NULL);
	return device;
}

/* Its text, or NULL. */
static char *read_whole(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, LARGEST);

	if (!file || !text || fread(text, 1, LARGEST - 1, file) == 0) {
		free(text);
		text = NULL;
	}
	if (file)
		fclose(file);
	return text;
}

static void build(cl_context context, cl_device_id device, char *text)
{
	char *end = strchr(text, '\n');
	const char *source;
	cl_program program;

	if (!end)
		return;
	*end = 0;
	source = end + 1;
	program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
	if (!program)
		return;
	clBuildProgram(program, 1, &device, text, NULL, NULL);
	clReleaseProgram(program);
}

int main(int argc, char **argv)
{
	cl_device_id device = find_device();
	cl_context context = device ?
		clCreateContext(NULL, 1, &device, NULL, NULL, NULL) : NULL;

	if (!context)
		return 77;
	for (int i = 1; i < argc; i++) {
		char *text = read_whole(argv[i]);

		if (text)
			build(context, device, text);
		free(text);
	}
	clReleaseContext(context);
	return 0;
}
