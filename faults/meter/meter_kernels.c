/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Meters of kernels. The driver is asked at the first launch of each kernel
 * object; kernels of one name of which it says the same are one.
 */
#include "config.h"

#include "meter_kernels.h"

#include <string.h>

#include "meter.h"

#ifndef CL_KERNEL_SPILL_MEM_SIZE_INTEL
#define CL_KERNEL_SPILL_MEM_SIZE_INTEL 0x4109
#endif

enum { KNOWN = 256, TRIES = 1000, EXTENSIONS_MAX = 8192 };

/* Kernel objects that were launched: where their meter is. */
static struct {
	uint64_t handle;	/* 0: free */
	uint32_t slot;		/* CLAW_METER_KERNELS: there was no room for it */
} known[KNOWN];
static uint32_t lock;

void claw_meter_kernels_begin(void)
{
	memset(known, 0, sizeof(known));
	lock = 0;
}

static unsigned int place_of(uint64_t handle)
{
	return (unsigned int)(handle * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

/* ---- what the driver says */

static uint64_t ask(cl_kernel kernel, cl_device_id device,
		    cl_kernel_work_group_info what, bool is_size)
{
	cl_ulong bytes = 0;
	size_t size = 0;
	cl_int err = claw_next.clGetKernelWorkGroupInfo(kernel, device, what,
			is_size ? sizeof(size) : sizeof(bytes),
			is_size ? (void *)&size : (void *)&bytes, NULL);

	return err ? UINT64_MAX : is_size ? size : bytes;
}

/* Asked of others, it is an error that some drivers print. */
static bool tells_spills(cl_device_id device)
{
	static cl_device_id latest;
	static bool tells;
	static char extensions[EXTENSIONS_MAX];

	if (device == latest)
		return tells;
	if (claw_next.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS,
				      sizeof(extensions) - 1, extensions, NULL))
		extensions[0] = '\0';
	tells = strstr(extensions, "cl_intel_required_subgroup_size");
	latest = device;
	return tells;
}

/* Under the lock. */
static void describe(const struct claw_call *call, cl_kernel kernel,
		     struct claw_meter_kernel *ret_kernel)
{
	char name[1024];
	size_t length;
	cl_device_id device = NULL;

	memset(ret_kernel, 0, sizeof(*ret_kernel));
	claw_device_of_call(call, &device, 1);
	claw_ours_begin();
	if (claw_next.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME,
				      sizeof(name), name, NULL))
		memcpy(name, "?", 2);
	ret_kernel->local_bytes = ask(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE,
				      false);
	ret_kernel->private_bytes = ask(kernel, device,
					CL_KERNEL_PRIVATE_MEM_SIZE, false);
	ret_kernel->work_group_size = ask(kernel, device,
					  CL_KERNEL_WORK_GROUP_SIZE, true);
	ret_kernel->multiple = ask(kernel, device,
		CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, true);
	ret_kernel->spill_bytes = tells_spills(device) ?
		ask(kernel, device, CL_KERNEL_SPILL_MEM_SIZE_INTEL, false) :
		UINT64_MAX;
	claw_ours_end();
	length = strnlen(name, sizeof(ret_kernel->name) - 1);
	memcpy(ret_kernel->name, name, length);
}

/* ---- its meter */

static bool is_same(const struct claw_meter_kernel *a,
		    const struct claw_meter_kernel *b)
{
	return !strcmp(a->name, b->name) && a->local_bytes == b->local_bytes &&
	       a->private_bytes == b->private_bytes &&
	       a->work_group_size == b->work_group_size &&
	       a->multiple == b->multiple && a->spill_bytes == b->spill_bytes;
}

/* Under the lock; the name's first byte is written last. */
static uint32_t find_slot(const struct claw_meter_kernel *wanted)
{
	struct claw_meter_kernel *kernels = claw_own_meters.file->kernels;
	uint32_t i;

	for (i = 0; i < CLAW_METER_KERNELS && *kernels[i].name; i++)
		if (is_same(&kernels[i], wanted))
			return i;
	if (i < CLAW_METER_KERNELS) {
		struct claw_meter_kernel *new = &kernels[i];

		*new = *wanted;
		new->name[0] = '\0';
		__atomic_store_n(&new->name[0], wanted->name[0],
				 __ATOMIC_RELEASE);
	}
	return i;
}

static uint32_t learn(const struct claw_call *call, cl_kernel kernel)
{
	struct claw_meter_kernel wanted;
	uint32_t slot;

	for (unsigned int i = 0; __atomic_exchange_n(&lock, 1,
						     __ATOMIC_ACQUIRE); i++)
		if (i == TRIES)
			return CLAW_METER_KERNELS;
	describe(call, kernel, &wanted);
	slot = find_slot(&wanted);
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
	return slot;
}

void claw_meter_kernel_launched(const struct claw_call *call)
{
	cl_kernel kernel = CLAW_ARG(call, clEnqueueNDRangeKernel, kernel);
	uint64_t handle = (uintptr_t)kernel;
	unsigned int place = place_of(handle);
	uint32_t slot;

	if (__atomic_load_n(&known[place].handle, __ATOMIC_ACQUIRE) == handle) {
		slot = __atomic_load_n(&known[place].slot, __ATOMIC_RELAXED);
	} else {
		slot = learn(call, kernel);
		__atomic_store_n(&known[place].handle, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&known[place].slot, slot, __ATOMIC_RELEASE);
		__atomic_store_n(&known[place].handle, handle,
				 __ATOMIC_RELEASE);
	}
	if (slot < CLAW_METER_KERNELS)
		__atomic_fetch_add(
			&claw_own_meters.file->kernels[slot].launches, 1,
			__ATOMIC_RELAXED);
}

void claw_meter_kernel_gone(uint64_t handle)
{
	unsigned int place = place_of(handle);

	if (__atomic_load_n(&known[place].handle, __ATOMIC_RELAXED) == handle)
		__atomic_store_n(&known[place].handle, 0, __ATOMIC_RELAXED);
}
