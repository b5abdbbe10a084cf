/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs as a driver built them: what it gives for one is kept, and given
 * back to it in a later run, so that it need not compile the same text again.
 */
#include "config.h"

#include "instrument_private.h"

#include <stdlib.h>
#include <string.h>

enum { BINARY_MAX = 32 << 20 };

/* Some drivers compile once more for a binary (pocl: each kernel, for any
 * work-group size). A process that has waited this long asks for no more; the
 * next run goes on. */
static const uint64_t KEEP_NS = 2000000000;
static uint64_t kept_ns;

bool claw_binary_sizes_get(cl_program program,
			   struct claw_binary_sizes *ret_sizes)
{
	size_t bytes = 0, same = 0;

	if (claw_next.clGetProgramInfo(program, CL_PROGRAM_DEVICES,
				       sizeof(ret_sizes->devices),
				       ret_sizes->devices, &bytes) ||
	    claw_next.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES,
				       sizeof(ret_sizes->sizes),
				       ret_sizes->sizes, &same))
		return false;
	ret_sizes->count = (unsigned int)(bytes / sizeof(cl_device_id));
	return ret_sizes->count <= CLAW_PROBE_DEVICES &&
	       same / sizeof(size_t) == ret_sizes->count;
}

static cl_program create(cl_context context, cl_device_id device,
			 const struct claw_text *text)
{
	const unsigned char *bytes = (const unsigned char *)text->bytes;
	cl_int err = CL_SUCCESS, status = CL_SUCCESS;
	cl_program program = claw_next.clCreateProgramWithBinary(context, 1,
		&device, &text->length, &bytes, &status, &err);

	if (program && (err || status)) {
		claw_next.clReleaseProgram(program);
		program = NULL;
	}
	return program;
}

cl_program claw_binary_load(const char *key, cl_context context,
			    cl_device_id device, const char *options)
{
	struct claw_text text;
	cl_program program;

	if (!claw_cache_read(key, ".bin", &text))
		return NULL;
	program = create(context, device, &text);
	free(text.bytes);
	if (program && claw_next.clBuildProgram(program, 1, &device, options,
						NULL, NULL)) {
		claw_next.clReleaseProgram(program);
		program = NULL;
	}
	if (!program)
		claw_cache_remove(key, ".bin");
	return program;
}

static void keep(const char *key, cl_program program, unsigned int which,
		 const struct claw_binary_sizes *sizes)
{
	unsigned char *list[CLAW_PROBE_DEVICES] = { NULL };
	size_t size = sizes->sizes[which];

	list[which] = malloc(size);
	/* rusticl of Mesa 22.3 aborts where the size is larger than needed. */
	if (list[which] &&
	    !claw_next.clGetProgramInfo(program, CL_PROGRAM_BINARIES,
					sizes->count * sizeof(*list), list,
					NULL))
		claw_cache_write(key, ".bin", (const char *)list[which], size);
	free(list[which]);
}

static void find_and_keep(const char *key, cl_program program,
			  cl_device_id device)
{
	struct claw_binary_sizes sizes;

	if (!claw_binary_sizes_get(program, &sizes))
		return;
	for (unsigned int i = 0; i < sizes.count; i++)
		if (sizes.devices[i] == device && sizes.sizes[i] &&
		    sizes.sizes[i] <= BINARY_MAX)
			keep(key, program, i, &sizes);
}

void claw_binary_keep(const char *key, cl_program program, cl_device_id device)
{
	uint64_t begin = claw_now_ns();

	if (__atomic_load_n(&kept_ns, __ATOMIC_RELAXED) >= KEEP_NS)
		return;
	find_and_keep(key, program, device);
	__atomic_add_fetch(&kept_ns, claw_now_ns() - begin, __ATOMIC_RELAXED);
}
