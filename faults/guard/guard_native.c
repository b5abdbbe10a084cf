/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of ours, which the driver calls in the queue, and looking at zones
 * with one, where the device is the processor that we run on and buffers are in
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

static void look_at_all(struct claw_native *native)
{
	struct claw_check *check = (struct claw_check *)native;

	for (unsigned int i = 0; i < check->count; i++)
		look_at(check, i);
	claw_check_close(check, true);
}

static void free_check(struct claw_native *native)
{
	claw_check_free((struct claw_check *)native);
}

bool claw_native_enqueue(struct claw_check *check, cl_event launch,
			 cl_event *ret_event)
{
	check->native.run = look_at_all;
	check->native.free = free_check;
	return claw_native_put(&check->native, check->queue, launch ? 1 : 0,
			       launch ? &launch : NULL, ret_event);
}

/* ---- any function */

static struct claw_native *finished;	/* a stack, taken as a whole */

/* Where the driver must not be called: soon. */
static void end_later(struct claw_native *native)
{
	native->next = __atomic_load_n(&finished, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&finished, &native->next, native,
					    true, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
}

static void end(struct claw_native *native)
{
	claw_next.clReleaseEvent(native->event);
	native->free(native);
}

bool claw_natives_are_waiting(void)
{
	return __atomic_load_n(&finished, __ATOMIC_RELAXED);
}

void claw_natives_settle(void)
{
	struct claw_native *native, *next;

	if (!claw_natives_are_waiting())
		return;
	native = __atomic_exchange_n(&finished, NULL, __ATOMIC_ACQUIRE);
	claw_ours_begin();
	for (; native; native = next) {
		next = native->next;
		end(native);
	}
	claw_ours_end();
}

/* In a thread of the driver's. */
static void CL_CALLBACK run(void *data)
{
	struct claw_native *native;

	memcpy(&native, data, sizeof(native));
	native->run(native);
	if (!__atomic_sub_fetch(&native->users, 1, __ATOMIC_ACQ_REL))
		end_later(native);
}

/* Its event is kept until it is done: pocl 3.1 aborts when a launch fails of
 * what it waits for, and nobody has its event nor that of the next command. */
bool claw_native_put(struct claw_native *native, cl_command_queue queue,
		     cl_uint wait_count, const cl_event *wait_list,
		     cl_event *ret_event)
{
	cl_event event;

	native->users = 2;
	if (claw_next.clEnqueueNativeKernel(queue, run, &native,
					    sizeof(native), 0, NULL, NULL,
					    wait_count, wait_list, &event))
		return false;
	if (ret_event && !claw_next.clRetainEvent(event))
		*ret_event = event;
	native->event = event;
	if (!__atomic_sub_fetch(&native->users, 1, __ATOMIC_ACQ_REL))
		end(native);
	return true;
}

void claw_natives_begin(void)
{
	finished = NULL;
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

bool claw_native_is_processor(cl_device_id device)
{
	cl_device_type type = 0;

	return !claw_next.clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type),
					  &type, NULL) &&
	       (type & ~(cl_device_type)CL_DEVICE_TYPE_DEFAULT) ==
		CL_DEVICE_TYPE_CPU;
}

static bool may_work(cl_device_id device)
{
	cl_device_exec_capabilities can = 0;

	return claw_next.clEnqueueNativeKernel &&
	       claw_next.clEnqueueFillBuffer &&
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
