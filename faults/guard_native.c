/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looking at zones with a function of ours, which the driver calls in the
 * queue, where the device is the processor that we run on and buffers are in
 * memory of ours.
 */
#include "config.h"

#include "guard_private.h"

#include <stdlib.h>
#include <string.h>

/* What is not as it was in bytes that begin at offset from the buffer's
 * begin; it is mended. */
static void look(uint8_t *memory, const uint8_t *pattern, size_t bytes,
		 int64_t offset, struct claw_damage *damage)
{
	if (!memcmp(memory, pattern, bytes))
		return;
	for (size_t i = 0; i < bytes; i++) {
		if (memory[i] == pattern[i])
			continue;
		if (!damage->bytes++) {
			damage->offset = offset + (int64_t)i;
			damage->value = memory[i];
		}
		memory[i] = pattern[i];
	}
}

static void look_at(const struct claw_check *check, unsigned int item)
{
	const struct claw_zone *zone = check->items[item].zone;
	const uint8_t *pattern = claw_pattern() + zone->start * 4;
	struct claw_damage damage = { .bytes = 0 };

	look(zone->memory, pattern, zone->front, -(int64_t)zone->front,
	     &damage);
	look(zone->memory + zone->front + zone->bytes,
	     pattern + zone->front + zone->bytes % 4, zone->back,
	     (int64_t)zone->bytes, &damage);
	if (damage.bytes)
		claw_check_found(check, item, &damage);
}

/* In a thread of the driver's. */
static void CL_CALLBACK run(void *data)
{
	struct claw_check *check;

	memcpy(&check, data, sizeof(check));
	for (unsigned int i = 0; i < check->count; i++)
		look_at(check, i);
	claw_check_close(check, true);
	if (!__atomic_sub_fetch(&check->users, 1, __ATOMIC_ACQ_REL))
		claw_check_free_later(check);
}

/* Its event is kept until it is done: pocl 3.1 aborts when a launch fails of
 * what it waits for, and nobody has its event nor that of the next command. */
bool claw_native_enqueue(struct claw_check *check, cl_event launch,
			 cl_event *ret_event)
{
	cl_event event;

	check->users = 2;
	if (claw_next.clEnqueueNativeKernel(check->queue, run, &check,
					    sizeof(check), 0, NULL, NULL,
					    launch ? 1 : 0,
					    launch ? &launch : NULL, &event))
		return false;
	if (ret_event && !claw_next.clRetainEvent(event))
		*ret_event = event;
	check->event = event;
	if (!__atomic_sub_fetch(&check->users, 1, __ATOMIC_ACQ_REL))
		claw_check_free(check);
	return true;
}

/* ---- does it work? */

enum { PROBE_BYTES = 4096, MARK = 0x5a };

struct probe {
	uint8_t *memory;
	bool seen;
};

static void CL_CALLBACK run_probe(void *data)
{
	struct probe *probe;

	memcpy(&probe, data, sizeof(probe));
	probe->seen = probe->memory[PROBE_BYTES / 2] == MARK;
}

static bool try_out(cl_command_queue queue, cl_mem mem, struct probe *probe)
{
	static const uint8_t mark = MARK;

	return !claw_next.clEnqueueFillBuffer(queue, mem, &mark, 1,
					      PROBE_BYTES / 2, 1, 0, NULL,
					      NULL) &&
	       !claw_next.clEnqueueNativeKernel(queue, run_probe, &probe,
						sizeof(probe), 0, NULL, NULL, 0,
						NULL, NULL) &&
	       !claw_next.clFinish(queue) && probe->seen;
}

static bool probe_device(cl_context context, cl_device_id device)
{
	struct probe probe = { .memory = NULL };
	cl_command_queue queue;
	cl_mem mem = NULL;
	void *memory;
	bool works = false;
	cl_int err;

	if (posix_memalign(&memory, PROBE_BYTES, PROBE_BYTES))
		return false;
	memset(memory, 0, PROBE_BYTES);
	probe.memory = memory;
	queue = claw_next.clCreateCommandQueue(context, device, 0, &err);
	if (queue)
		mem = claw_next.clCreateBuffer(context, CL_MEM_USE_HOST_PTR,
					       PROBE_BYTES, memory, &err);
	if (mem)
		works = try_out(queue, mem, &probe);
	if (mem)
		claw_next.clReleaseMemObject(mem);
	if (queue)
		claw_next.clReleaseCommandQueue(queue);
	free(memory);
	return works;
}

/* A simulator says that it is a processor and anything else, too; what a kernel
 * writes outside of a buffer does not reach our memory there. */
static bool may_work(cl_device_id device)
{
	cl_device_type type = 0;
	cl_device_exec_capabilities can = 0;

	return claw_next.clEnqueueNativeKernel &&
	       claw_next.clEnqueueFillBuffer &&
	       !claw_next.clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type),
					  &type, NULL) &&
	       (type & ~(cl_device_type)CL_DEVICE_TYPE_DEFAULT) ==
		CL_DEVICE_TYPE_CPU &&
	       !claw_next.clGetDeviceInfo(device,
					  CL_DEVICE_EXECUTION_CAPABILITIES,
					  sizeof(can), &can, NULL) &&
	       can & CL_EXEC_NATIVE_KERNEL;
}

bool claw_native_works(cl_context context, cl_device_id device)
{
	enum { KNOWN_MAX = 16 };
	static cl_device_id known[KNOWN_MAX];	/* that work */

	if (!may_work(device))
		return false;
	for (unsigned int i = 0; i < KNOWN_MAX; i++) {
		cl_device_id none = NULL;

		if (__atomic_load_n(&known[i], __ATOMIC_RELAXED) == device)
			return true;
		if (known[i])
			continue;
		if (!probe_device(context, device))
			return false;
		__atomic_compare_exchange_n(&known[i], &none, device, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
		return true;
	}
	return probe_device(context, device);
}
