/* SPDX-License-Identifier: Apache-2.0 */
/* Which calls' answers depend on what is alive besides their own objects. */
#include "config.h"

#include "kept.h"

enum {
	QUERIES = 3,
	ANY = 1,		/* every call of the function; no query's name */
	CL_SEMAPHORE_REFERENCE_COUNT = 0x203A,
	CL_COMMAND_BUFFER_REFERENCE_COUNT = 0x1296,
	CL_REFERENCE_COUNT_EXT = 0x4057,
	CL_FREE_MEMORY_AMD = 0x4039,
};

/*
 * From the specification (OpenCL 3.0, unified), all of it read for codes,
 * values and callbacks that depend on another object's life. Sections 4 and 5;
 * that memory runs out is in hold_back.h, and what has a destructor's callback
 * (4.4, 5.5.3, 5.8.1), is in the program's memory (5.2.1, CL_MEM_USE_HOST_PTR)
 * or of another API is never kept (life_waits.c).
 *
 * 4.2	CL_DEVICE_REFERENCE_COUNT; cl_ext_device_fission has another name for
 *	it, and cl_amd_device_attribute_query tells how much memory is free.
 * 4.3	clCreateSubDevices: what is left to partition.
 * 4.4	CL_CONTEXT_REFERENCE_COUNT.
 * 5.1	CL_QUEUE_REFERENCE_COUNT; queues on a device, of which there are few,
 *	are never kept.
 * 5.5.5 CL_MEM_REFERENCE_COUNT; CL_MEM_MAP_COUNT only changes by commands.
 * 5.7	CL_SAMPLER_REFERENCE_COUNT.
 * 5.8.4, 5.8.5	clBuildProgram, clCompileProgram: CL_INVALID_OPERATION as long as
 *	the program has kernels; clLinkProgram makes its own program and says
 *	so only of builds that have not ended.
 * 5.8.8 clUnloadPlatformCompiler: the compiler stays while something uses it.
 * 5.8.9 CL_PROGRAM_REFERENCE_COUNT; the number and names of its kernels are the
 *	executable's, not those of objects.
 * 5.9.4 CL_KERNEL_REFERENCE_COUNT.
 * 5.11	CL_EVENT_REFERENCE_COUNT.
 * cl_khr_command_buffer, cl_khr_semaphore: reference counts.
 */
static const cl_uint shows[CLAW_API_COUNT][QUERIES] = {
	[CLAW_API_clGetDeviceInfo] = {
		CL_DEVICE_REFERENCE_COUNT, CL_REFERENCE_COUNT_EXT,
		CL_FREE_MEMORY_AMD
	},
	[CLAW_API_clCreateSubDevices] = { ANY },
	[CLAW_API_clCreateSubDevicesEXT] = { ANY },
	[CLAW_API_clGetContextInfo] = { CL_CONTEXT_REFERENCE_COUNT },
	[CLAW_API_clGetCommandQueueInfo] = { CL_QUEUE_REFERENCE_COUNT },
	[CLAW_API_clGetMemObjectInfo] = { CL_MEM_REFERENCE_COUNT },
	[CLAW_API_clGetSamplerInfo] = { CL_SAMPLER_REFERENCE_COUNT },
	[CLAW_API_clBuildProgram] = { ANY },
	[CLAW_API_clCompileProgram] = { ANY },
	[CLAW_API_clUnloadCompiler] = { ANY },
	[CLAW_API_clUnloadPlatformCompiler] = { ANY },
	[CLAW_API_clGetProgramInfo] = { CL_PROGRAM_REFERENCE_COUNT },
	[CLAW_API_clGetKernelInfo] = { CL_KERNEL_REFERENCE_COUNT },
	[CLAW_API_clGetEventInfo] = { CL_EVENT_REFERENCE_COUNT },
	[CLAW_API_clGetCommandBufferInfoKHR] = {
		CL_COMMAND_BUFFER_REFERENCE_COUNT
	},
	[CLAW_API_clGetSemaphoreInfoKHR] = { CL_SEMAPHORE_REFERENCE_COUNT },
};

bool claw_kept_may_show(enum claw_api api)
{
	return shows[api][0];
}

bool claw_kept_shows(const struct claw_call *call)
{
	const cl_uint *queries = shows[call->api];

	if (!*queries || *queries == ANY)
		return *queries;
	for (unsigned int i = 0; i < QUERIES && queries[i]; i++)
		if (CLAW_ARG(call, clGetMemObjectInfo, param_name) ==
		    queries[i])
			return true;
	return false;
}
