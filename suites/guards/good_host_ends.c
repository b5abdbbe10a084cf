/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a buffer in the program's own memory: released while a launch is
 * pending, and what that writes is there when it is done; the memory given
 * back as soon as the buffer is gone, or before that, once the last command is
 * complete; memory that must not be written to, and is not.
 */
#define _DEFAULT_SOURCE
#include <sched.h>
#include <sys/mman.h>

#include "guards.h"

enum { PAGES = 1 << 16 };

static cl_int *new_memory(void)
{
	cl_int *memory = mmap(NULL, PAGES, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	holds(memory != MAP_FAILED);
	for (int i = 0; i < PAGES / 4; i++)
		memory[i] = i;
	return memory;
}

static void released_early(const struct setup *cl, cl_kernel kernel)
{
	cl_int *memory = new_memory();
	cl_mem mem = buffer_of(cl, CL_MEM_USE_HOST_PTR, PAGES, memory), none;

	set_arg(kernel, 0, mem);
	run(cl->queue, kernel, ITEMS);
	must(clReleaseMemObject(mem));
	must(clFinish(cl->queue));
	printf("released early: %d\n", memory[1]);
	none = new_ints(cl);
	set_arg(kernel, 0, none);
	must(clReleaseMemObject(none));
	must(munmap(memory, PAGES));
}

struct going {
	cl_int *memory;
	int is_gone;
};

static void CL_CALLBACK give_back(cl_mem mem, void *data)
{
	struct going *going = data;

	(void)mem;
	printf("going: %d\n", going->memory[1]);
	must(munmap(going->memory, PAGES));
	__atomic_store_n(&going->is_gone, 1, __ATOMIC_RELEASE);
}

static void given_back(const struct setup *cl, cl_kernel kernel)
{
	struct going going = { .memory = new_memory() };
	cl_mem mem = buffer_of(cl, CL_MEM_USE_HOST_PTR, PAGES, going.memory);
	cl_mem none = new_ints(cl);

	must(clSetMemObjectDestructorCallback(mem, give_back, &going));
	set_arg(kernel, 0, mem);
	run(cl->queue, kernel, ITEMS);
	set_arg(kernel, 0, none);
	must(clReleaseMemObject(mem));
	must(clFlush(cl->queue));
	must(clReleaseMemObject(none));
	must(clFinish(cl->queue));
	while (!__atomic_load_n(&going.is_gone, __ATOMIC_ACQUIRE))
		sched_yield();
}

/* The launch is complete, and something else in the queue is not. */
static void gone_before(const struct setup *cl, cl_kernel kernel)
{
	cl_int *memory = new_memory();
	cl_mem mem = buffer_of(cl, CL_MEM_USE_HOST_PTR, PAGES, memory);
	cl_mem other = new_ints(cl);
	const size_t items = ITEMS;
	cl_event event;

	for (int i = 0; i < ROUNDS; i++) {
		set_arg(kernel, 0, mem);
		must(clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &items,
					    NULL, 0, NULL, &event));
		must(clWaitForEvents(1, &event));
		must(clReleaseEvent(event));
	}
	printf("complete: %d\n", memory[1]);
	must(munmap(memory, PAGES));
	set_arg(kernel, 0, other);
	run(cl->queue, kernel, ITEMS);
	must(clFinish(cl->queue));
	must(clReleaseMemObject(mem));
	must(clReleaseMemObject(other));
}

static const char source[] =
	"kernel void sum(global const int *from, global int *to)\n"
	"{\n"
	"	to[get_global_id(0)] += from[get_global_id(0)];\n"
	"}\n";

static void only_read(const struct setup *cl)
{
	cl_kernel kernel = kernel_of(cl, source, "sum");
	cl_int *memory = new_memory(), got[ITEMS];
	cl_mem to = new_ints(cl), mem;

	must(mprotect(memory, PAGES, PROT_READ));
	mem = buffer_of(cl, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, PAGES,
			memory);
	set_arg(kernel, 0, mem);
	set_arg(kernel, 1, to);
	run(cl->queue, kernel, ITEMS);
	run(cl->queue, kernel, ITEMS);
	read_all(cl->queue, to, BYTES, got);
	expect(got[9], 18);
	must(clReleaseMemObject(mem));
	must(clReleaseMemObject(to));
	must(clReleaseKernel(kernel));
	must(munmap(memory, PAGES));
}

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);

	released_early(&cl, kernel);
	given_back(&cl, kernel);
	gone_before(&cl, kernel);
	only_read(&cl);
	must(clReleaseKernel(kernel));
	close_device(&cl);
	return 0;
}
