/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that is linked with no OpenCL loader: it opens one (the first word,
 * or libOpenCL.so.1) and looks each function up, as many programs do. Further
 * words: "entries" asks for functions that a loader's or driver's table may
 * lack; "leak" releases no buffer. Status 3: a call failed.
 */
#include "config.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/cl_types.h"

static void *loader;
static int word_count;
static char **words;

static bool has_word(const char *word)
{
	for (int i = 1; i < word_count; i++)
		if (strcmp(words[i], word) == 0)
			return true;
	return false;
}

static void say(const char *name, cl_int err)
{
	printf("%s: %d\n", name, err);
	if (err)
		exit(3);
}

#define LOOK_UP(name_) \
	__typeof__(name_) *do_##name_ = NULL; \
	*(void **)&do_##name_ = dlsym(loader, #name_)

static cl_mem make(cl_context context)
{
	LOOK_UP(clCreateBuffer);
	cl_int err = -77;
	cl_mem buffer = do_clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL,
					  &err);

	say("clCreateBuffer", err);
	return buffer;
}

/* Of OpenCL 1.0, 2.1 and 3.0, and by both ways to ask for an extension. */
static void entries(cl_platform_id platform, cl_context context)
{
	LOOK_UP(clUnloadCompiler);
	LOOK_UP(clGetHostTimer);
	LOOK_UP(clCreateBufferWithProperties);
	LOOK_UP(clGetExtensionFunctionAddress);
	LOOK_UP(clGetExtensionFunctionAddressForPlatform);
	LOOK_UP(clReleaseMemObject);
	cl_int err = -77;
	cl_mem buffer;

	printf("clUnloadCompiler: %d\n", do_clUnloadCompiler());
	printf("clGetHostTimer: %s\n", do_clGetHostTimer ? "is there" : "none");
	buffer = do_clCreateBufferWithProperties(context, NULL,
		CL_MEM_READ_WRITE, 64, NULL, &err);
	say("clCreateBufferWithProperties", err);
	say("clReleaseMemObject", do_clReleaseMemObject(buffer));
	printf("clIcdGetPlatformIDsKHR: %s, %s\n",
	       do_clGetExtensionFunctionAddress("clIcdGetPlatformIDsKHR") ?
	       "found" : "none",
	       do_clGetExtensionFunctionAddressForPlatform(platform,
		"clIcdGetPlatformIDsKHR") ? "found" : "none");
	printf("clNoSuchFunction: %s\n",
	       do_clGetExtensionFunctionAddressForPlatform(platform,
		"clNoSuchFunction") ? "found" : "none");
}

int main(int argc, char **argv)
{
	bool named = argc > 1 && strchr(argv[1], '/');

	word_count = argc;
	words = argv;
	loader = dlopen(named ? argv[1] : "libOpenCL.so.1",
			RTLD_NOW | RTLD_LOCAL);
	if (!loader) {
		fprintf(stderr, "opened: %s\n", dlerror());
		return 4;
	}

	LOOK_UP(clGetPlatformIDs);
	LOOK_UP(clGetDeviceIDs);
	LOOK_UP(clCreateContext);
	LOOK_UP(clReleaseMemObject);
	LOOK_UP(clReleaseContext);
	cl_platform_id platform = NULL;
	cl_device_id device = NULL;
	cl_int err = -77;
	cl_context context;
	cl_mem buffer;

	say("clGetPlatformIDs", do_clGetPlatformIDs(1, &platform, NULL));
	say("clGetDeviceIDs", do_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1,
						&device, NULL));
	context = do_clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	say("clCreateContext", err);
	if (has_word("entries"))
		entries(platform, context);
	buffer = make(context);
	if (!has_word("leak"))
		say("clReleaseMemObject", do_clReleaseMemObject(buffer));
	say("clReleaseContext", do_clReleaseContext(context));
	return 0;
}
