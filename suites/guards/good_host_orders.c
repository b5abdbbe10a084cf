/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer in the program's own memory, used by commands of a queue without an
 * order and of another one, which wait for each other's events: what is mapped
 * by one is read there by the next.
 * Needs: a queue that is out of order
 */
#include "guards.h"

static cl_int memory[ITEMS] __attribute__((aligned(4096)));

static cl_command_queue new_free_queue(const struct setup *cl)
{
	cl_command_queue_properties can = 0;
	cl_command_queue queue;
	cl_int err;

	must(clGetDeviceInfo(cl->device, CL_DEVICE_QUEUE_PROPERTIES,
			     sizeof(can), &can, NULL));
	need(can & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
	     "a queue that is out of order");
	queue = clCreateCommandQueue(cl->context, cl->device,
				     CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
				     &err);
	must(err);
	return queue;
}

static cl_event launch_behind(cl_command_queue queue, cl_kernel kernel,
			      cl_event before)
{
	const size_t items = ITEMS;
	cl_event event;

	must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL,
				    before ? 1 : 0, before ? &before : NULL,
				    &event));
	if (before)
		must(clReleaseEvent(before));
	return event;
}

/* Launch, map, and what is mapped written to another buffer. */
static void hand_on(const struct setup *cl, cl_command_queue queue,
		    cl_kernel kernel, cl_mem mem, cl_mem other)
{
	cl_event launched, mapped, written;
	cl_int *map, err;

	launched = launch_behind(queue, kernel, NULL);
	launched = launch_behind(cl->queue, kernel, launched);
	launched = launch_behind(queue, kernel, launched);
	map = clEnqueueMapBuffer(queue, mem, CL_FALSE, CL_MAP_READ, 0, BYTES, 1,
				 &launched, &mapped, &err);
	must(err);
	holds(map == memory);
	must(clReleaseEvent(launched));
	must(clEnqueueWriteBuffer(cl->queue, other, CL_FALSE, 0, BYTES, map, 1,
				  &mapped, &written));
	must(clReleaseEvent(mapped));
	must(clEnqueueUnmapMemObject(queue, mem, map, 1, &written, &mapped));
	must(clReleaseEvent(written));
	must(clWaitForEvents(1, &mapped));
	must(clReleaseEvent(mapped));
}

/* Without an event of its own, in a queue without an order. */
static void fill(cl_command_queue queue, cl_mem mem)
{
	const cl_int value = -7;

	must(clEnqueueFillBuffer(queue, mem, &value, sizeof(value), 512, 256, 0,
				 NULL, NULL));
	must(clFinish(queue));
	must(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
}

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue queue = new_free_queue(&cl);
	cl_kernel kernel = add_one(&cl);
	cl_mem other = new_ints(&cl), mem;
	cl_int got[ITEMS];

	for (int i = 0; i < ITEMS; i++)
		memory[i] = i;
	mem = buffer_of(&cl, CL_MEM_USE_HOST_PTR, BYTES, memory);
	set_arg(kernel, 0, mem);
	for (int round = 1; round <= ROUNDS; round++) {
		hand_on(&cl, queue, kernel, mem, other);
		read_all(cl.queue, other, BYTES, got);
		for (int i = 0; i < ITEMS; i++)
			expect(got[i], i + 3 * round);
	}
	fill(queue, mem);
	run(queue, kernel, ITEMS);
	must(clFinish(queue));
	read_all(cl.queue, mem, BYTES, got);
	expect(got[127], 127 + 3 * ROUNDS + 1);
	expect(got[128], -6);
	printf("in memory: %d %d\n", memory[127], memory[128]);
	must(clReleaseMemObject(other));
	must(clReleaseCommandQueue(queue));
	close_with(&cl, kernel, mem);
	return 0;
}
