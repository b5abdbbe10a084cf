/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of all alignments, what is refused, and that a part is where it should
 * be in the whole.
 * Parts: a kernel is given a sub-buffer that ends inside its buffer
 */
#include "guards.h"

static void try_part(cl_mem mem, cl_mem_flags flags, size_t origin,
		     size_t size)
{
	const cl_buffer_region region = { origin, size };
	cl_int err = 1;
	cl_mem part = clCreateSubBuffer(mem, flags,
					CL_BUFFER_CREATE_TYPE_REGION, &region,
					&err);

	printf("part at %zu of %zu, flags %#llx: %d%s\n", origin, size,
	       (unsigned long long)flags, err, part ? "" : ", NULL");
	if (part)
		must(clReleaseMemObject(part));
}

static void refuse(const struct setup *cl, cl_mem mem, size_t size)
{
	const cl_buffer_region all = { 0, size };
	size_t step = alignment_of(cl);
	cl_mem part = part_of(mem, step, step), other;
	cl_int err;

	for (size_t origin = 0; origin < step * 2; origin++)
		try_part(mem, CL_MEM_READ_WRITE, origin, 4);
	try_part(mem, CL_MEM_READ_WRITE, 0, size);
	try_part(mem, CL_MEM_READ_WRITE, 0, size + 1);
	try_part(mem, CL_MEM_READ_WRITE, size - step, step + 1);
	try_part(mem, CL_MEM_READ_WRITE, size, 1);
	try_part(mem, CL_MEM_READ_WRITE, size + step, step);
	try_part(mem, CL_MEM_READ_WRITE, step, 0);
	try_part(mem, 0, step, step);
	try_part(mem, CL_MEM_READ_ONLY, step, step);
	try_part(mem, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, step, step);
	try_part(mem, CL_MEM_USE_HOST_PTR, step, step);
	try_part(part, CL_MEM_READ_WRITE, 0, 4);
	other = clCreateSubBuffer(mem, 0, 0x1234, &all, &err);
	printf("another type: %d\n", err);
	if (other)
		must(clReleaseMemObject(other));
	other = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, NULL,
				  &err);
	printf("no region: %d\n", err);
	if (other)
		must(clReleaseMemObject(other));
	must(clReleaseMemObject(part));
}

static const char source[] =
	"kernel void sign_part(global uchar *part, uchar with)\n"
	"{\n"
	"	part[get_global_id(0)] = with;\n"
	"}\n";

/* Each part writes itself; the whole has them all. */
static void write_parts(const struct setup *cl, cl_mem mem, size_t size)
{
	cl_kernel kernel = kernel_of(cl, source, "sign_part");
	size_t step = alignment_of(cl), count = size / step;
	cl_uchar *bytes = calloc(size, 1);

	holds(bytes != NULL);
	write_all(cl->queue, mem, size, bytes);
	for (size_t i = 0; i < count; i++) {
		size_t length = step - i % 7;
		cl_mem part = part_of(mem, i * step, length);
		cl_uchar with = (cl_uchar)(i + 1);

		set_arg(kernel, 0, part);
		set_arg(kernel, 1, with);
		run(cl->queue, kernel, length);
		must(clReleaseMemObject(part));
	}
	read_all(cl->queue, mem, size, bytes);
	for (size_t i = 0; i < size; i++)
		expect(bytes[i], i / step < count &&
		       i % step < step - i / step % 7 ?
		       (cl_int)(i / step + 1) : 0);
	free(bytes);
	must(clReleaseKernel(kernel));
}

int main(void)
{
	struct setup cl = open_device();
	const size_t size = 16 * alignment_of(&cl);
	cl_mem mem = buffer_of(&cl, CL_MEM_READ_WRITE, size, NULL);

	refuse(&cl, mem, size);
	write_parts(&cl, mem, size);
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
