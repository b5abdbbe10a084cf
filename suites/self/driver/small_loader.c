/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL loader for C libraries that no package has one for: the stub
 * driver, which it is linked with, below one layer (OPENCL_LAYERS).
 */
#include "config.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "faults/shared/api.h"
#include "faults/shared/api_sig.h"
#include "faults/shared/cl_types.h"

typedef cl_int (CL_API_CALL *init_layer)(cl_uint,
					 const struct _cl_icd_dispatch *,
					 cl_uint *,
					 const struct _cl_icd_dispatch **);

cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint count, cl_platform_id *ids,
					  cl_uint *ret_count);

static const struct _cl_icd_dispatch *table;

static void put_layer(const char *path)
{
	void *layer = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	init_layer init = NULL;
	cl_uint slots = sizeof(*table) / sizeof(void *);

	if (layer)
		init = __extension__ (init_layer)dlsym(layer, "clInitLayer");
	if (!init || init(slots, table, &slots, &table) != CL_SUCCESS)
		fprintf(stderr, "small loader: %s: %s\n", path,
			layer ? "no layer" : dlerror());
}

static void begin(void)
{
	const char *path = getenv("OPENCL_LAYERS");
	cl_platform_id platform = NULL;

	clIcdGetPlatformIDsKHR(1, &platform, NULL);
	table = *(const struct _cl_icd_dispatch *const *)platform;
	if (path && *path)
		put_layer(path);
}

static const struct _cl_icd_dispatch *get_table(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, begin);
	return table;
}

#define API(name_, ...)							\
	CLAW_RET_##name_ CL_API_CALL name_ CLAW_PARAMS(name_)		\
	{ return get_table()->name_ CLAW_ARGS(name_); }
#define EXT(...)
#include "faults/shared/api.def"
#undef API
#undef EXT
