/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer in the program's own memory, which it reads and writes without
 * mapping it: a driver that works there shows it, after each way to learn that
 * a launch is complete. What the program writes beside what a kernel does is
 * left alone, and two buffers may have the same memory.
 */
#include <sched.h>

#include "guards.h"

static const char source[] =
	"kernel void count(global int *v)\n"
	"{\n"
	"	v[get_global_id(0)] += 1;\n"
	"}\n"
	"kernel void even(global int *v)\n"
	"{\n"
	"	v[2 * get_global_id(0)] = 1000 + v[2 * get_global_id(0) + 1];\n"
	"}\n"
	"kernel void twice(global const int *from, global int *to)\n"
	"{\n"
	"	to[get_global_id(0)] = 2 * from[get_global_id(0)];\n"
	"}\n"
	"kernel void bytes(global uchar *v)\n"
	"{\n"
	"	v[3 * get_global_id(0)] = 0xc0;\n"
	"}\n";

static cl_int memory[ITEMS] __attribute__((aligned(4096)));
static int told;

static void print(const char *when)
{
	printf("%s: %d %d %d\n", when, memory[0], memory[1],
	       memory[ITEMS - 1]);
}

static cl_event start(const struct setup *cl, cl_kernel kernel, size_t items)
{
	cl_event event;

	must(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &items, NULL, 0,
				    NULL, &event));
	return event;
}

static void CL_CALLBACK tell(cl_event event, cl_int status, void *data)
{
	(void)event;
	(void)status;
	(void)data;
	print("called back");
	__atomic_store_n(&told, 1, __ATOMIC_RELEASE);
}

static void wait_each_way(const struct setup *cl, cl_kernel kernel)
{
	cl_int status = CL_QUEUED;
	cl_event event;

	memory[0] = 10;
	run(cl->queue, kernel, ITEMS);
	must(clFinish(cl->queue));
	print("finished");
	memory[0] = 20;
	event = start(cl, kernel, ITEMS);
	must(clWaitForEvents(1, &event));
	print("waited for");
	must(clReleaseEvent(event));
	memory[0] = 30;
	event = start(cl, kernel, ITEMS);
	must(clSetEventCallback(event, CL_COMPLETE, tell, NULL));
	must(clFlush(cl->queue));
	must(clWaitForEvents(1, &event));
	while (!__atomic_load_n(&told, __ATOMIC_ACQUIRE))
		sched_yield();
	must(clReleaseEvent(event));
	memory[0] = 40;
	event = start(cl, kernel, ITEMS);
	must(clFlush(cl->queue));
	while (status > CL_COMPLETE)
		must(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
				    sizeof(status), &status, NULL));
	print("seen complete");
	must(clReleaseEvent(event));
}

/* The kernel reads what is there when it runs, and leaves what the program
 * writes meanwhile. */
static void write_meanwhile(const struct setup *cl, cl_kernel kernel)
{
	cl_event gate = new_gate(cl);
	const size_t items = ITEMS / 2;

	must(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &items, NULL, 1,
				    &gate, NULL));
	for (int i = 1; i < ITEMS; i += 2)
		memory[i] = i;
	open_gate(gate);
	must(clFinish(cl->queue));
	print("written before it ran");
	run(cl->queue, kernel, items);
	for (int i = 1; i < ITEMS; i += 2)
		memory[i] = i;
	must(clFinish(cl->queue));
	print("written again");
}

static void mix_bytes(const struct setup *cl, cl_kernel kernel)
{
	cl_uchar *bytes = (cl_uchar *)memory;
	int sum = 0;

	run(cl->queue, kernel, BYTES / 3);
	for (int i = 0; i + 2 < BYTES; i += 3)
		bytes[i + 1] = bytes[i + 2] = 7;
	must(clFinish(cl->queue));
	for (int i = 0; i < BYTES / 3 * 3; i++)
		sum += bytes[i];
	printf("bytes: %d\n", sum);
}

static void overlap(const struct setup *cl, cl_kernel kernel, cl_mem mem)
{
	cl_mem half = buffer_of(cl, CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR,
				BYTES / 2, memory + ITEMS / 2);

	for (int i = 0; i < ITEMS; i++)
		memory[i] = i;
	set_arg(kernel, 0, mem);
	set_arg(kernel, 1, half);
	run(cl->queue, kernel, ITEMS / 2);
	must(clFinish(cl->queue));
	print("two buffers");
	set_arg(kernel, 0, half);
	set_arg(kernel, 1, mem);
	run(cl->queue, kernel, ITEMS / 2);
	must(clFinish(cl->queue));
	print("and back");
	must(clReleaseMemObject(half));
}

int main(void)
{
	struct setup cl = open_device();
	cl_kernel count = kernel_of(&cl, source, "count");
	cl_kernel even = kernel_of(&cl, source, "even");
	cl_kernel twice = kernel_of(&cl, source, "twice");
	cl_kernel bytes = kernel_of(&cl, source, "bytes");
	cl_mem mem = buffer_of(&cl, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
			       BYTES, memory);

	set_arg(count, 0, mem);
	set_arg(even, 0, mem);
	set_arg(bytes, 0, mem);
	wait_each_way(&cl, count);
	write_meanwhile(&cl, even);
	mix_bytes(&cl, bytes);
	overlap(&cl, twice, mem);
	must(clReleaseKernel(even));
	must(clReleaseKernel(twice));
	must(clReleaseKernel(bytes));
	close_with(&cl, count, mem);
	return 0;
}
