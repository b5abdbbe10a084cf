/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reference counts of everything that a launch touches, as they are without
 * guard zones.
 * Parts: a kernel is given a sub-buffer that ends inside its buffer
 */
#include "guards.h"

static cl_uint of_mem(cl_mem mem)
{
	cl_uint count = 0;

	must(clGetMemObjectInfo(mem, CL_MEM_REFERENCE_COUNT, sizeof(count),
				&count, NULL));
	return count;
}

static void print_all(const struct setup *cl, cl_kernel kernel, cl_mem mem,
		      cl_mem part)
{
	cl_uint of_kernel, of_queue, of_context;

	must(clFinish(cl->queue));
	must(clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT,
			     sizeof(of_kernel), &of_kernel, NULL));
	must(clGetCommandQueueInfo(cl->queue, CL_QUEUE_REFERENCE_COUNT,
				   sizeof(of_queue), &of_queue, NULL));
	must(clGetContextInfo(cl->context, CL_CONTEXT_REFERENCE_COUNT,
			      sizeof(of_context), &of_context, NULL));
	/* What a driver holds of its queues and contexts comes and goes. */
	holds(of_queue > 0 && of_context > 0);
	printf("buffer %u, part %u, kernel %u\n", of_mem(mem), of_mem(part),
	       of_kernel);
}

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = buffer_of(&cl, CL_MEM_READ_WRITE, 2 * BYTES, NULL);
	cl_mem part = part_of(mem, BYTES, BYTES);

	print_all(&cl, kernel, mem, part);
	set_arg(kernel, 0, part);
	run(cl.queue, kernel, ITEMS);
	print_all(&cl, kernel, mem, part);
	must(clRetainMemObject(part));
	must(clRetainMemObject(mem));
	holds(of_mem(part) == 2);
	print_all(&cl, kernel, mem, part);
	run(cl.queue, kernel, ITEMS);
	must(clReleaseMemObject(part));
	must(clReleaseMemObject(mem));
	print_all(&cl, kernel, mem, part);
	must(clReleaseMemObject(mem));
	run(cl.queue, kernel, ITEMS);
	must(clFinish(cl.queue));
	close_with(&cl, kernel, part);
	return 0;
}
