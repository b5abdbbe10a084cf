/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is refused, and with what: a guard zone makes no wrong size right.
 */
#include "guards.h"

static void make(const struct setup *cl, const char *what, cl_mem_flags flags,
		 size_t size, void *host)
{
	cl_int err = 1;
	cl_mem mem = clCreateBuffer(cl->context, flags, size, host, &err);

	printf("%s: %d%s\n", what, err, mem ? "" : ", NULL");
	if (mem)
		must(clReleaseMemObject(mem));
	mem = clCreateBuffer(cl->context, flags, size, host, NULL);
	if (mem)
		must(clReleaseMemObject(mem));
}

static void use(const struct setup *cl)
{
	cl_mem mem = new_ints(cl);
	cl_kernel kernel = add_one(cl);
	size_t items = ITEMS, local = 7, none = 0;
	cl_int values[ITEMS];
	cl_uchar small = 0;

	printf("no argument: %d\n", clEnqueueNDRangeKernel(cl->queue, kernel,
		1, NULL, &items, NULL, 0, NULL, NULL));
	printf("size of an argument: %d\n",
	       clSetKernelArg(kernel, 0, sizeof(mem) + 1, &mem));
	printf("a byte for a buffer: %d\n",
	       clSetKernelArg(kernel, 0, sizeof(small), &small));
	printf("argument 1: %d\n",
	       clSetKernelArg(kernel, 1, sizeof(mem), &mem));
	set_arg(kernel, 0, mem);
	printf("local size: %d\n", clEnqueueNDRangeKernel(cl->queue, kernel,
		1, NULL, &items, &local, 0, NULL, NULL));
	printf("no dimension: %d\n", clEnqueueNDRangeKernel(cl->queue, kernel,
		0, NULL, &items, NULL, 0, NULL, NULL));
	printf("four dimensions: %d\n", clEnqueueNDRangeKernel(cl->queue,
		kernel, 4, NULL, &items, NULL, 0, NULL, NULL));
	printf("no items: %d\n", clEnqueueNDRangeKernel(cl->queue, kernel, 1,
		NULL, &none, NULL, 0, NULL, NULL));
	printf("no memory: %d\n", clEnqueueReadBuffer(cl->queue, mem, CL_TRUE,
		0, 4, NULL, 0, NULL, NULL));
	printf("nothing: %d\n", clEnqueueReadBuffer(cl->queue, mem, CL_TRUE, 0,
		0, values, 0, NULL, NULL));
	printf("over itself: %d\n", clEnqueueCopyBuffer(cl->queue, mem, mem, 0,
		4, 8, 0, NULL, NULL));
	must(clFinish(cl->queue));
	read_all(cl->queue, mem, BYTES, values);
	close_with(cl, kernel, mem);
}

/* Larger than the device has, and the program's copy is not: the driver looks
 * at the size first. (A GPU's may not: it is not asked.) */
static void make_too_large(const struct setup *cl)
{
	cl_device_type type = 0;
	cl_ulong largest = 0;
	cl_int memory[4] = { 0 };

	must(clGetDeviceInfo(cl->device, CL_DEVICE_TYPE, sizeof(type), &type,
			     NULL));
	must(clGetDeviceInfo(cl->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
			     sizeof(largest), &largest, NULL));
	if (type == CL_DEVICE_TYPE_CPU)
		make(cl, "a copy of too much", CL_MEM_COPY_HOST_PTR,
		     (size_t)largest + 1, memory);
}

int main(void)
{
	struct setup cl = open_device();
	cl_int memory[4] = { 0 };

	make(&cl, "zero bytes", CL_MEM_READ_WRITE, 0, NULL);
	make(&cl, "zero bytes of memory", CL_MEM_USE_HOST_PTR, 0, memory);
	make(&cl, "read and write only", CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
	     16, NULL);
	make(&cl, "use and alloc", CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
	     16, memory);
	make(&cl, "use and copy", CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
	     16, memory);
	make(&cl, "no memory to use", CL_MEM_USE_HOST_PTR, 16, NULL);
	make(&cl, "no memory to copy", CL_MEM_COPY_HOST_PTR, 16, NULL);
	make(&cl, "memory for nothing", CL_MEM_READ_WRITE, 16, memory);
	make(&cl, "flags of none", (cl_mem_flags)1 << 40, 16, NULL);
	make(&cl, "no flags", 0, 16, NULL);
	make_too_large(&cl);
	use(&cl);
	return 0;
}
