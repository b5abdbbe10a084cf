/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer that cannot be had with its contents is made without and filled
 * afterwards, from a copy of the contents that nobody frees: memory of the
 * host's, which no ledger of OpenCL objects knows.
 * EXPECT: valgrind host-leak clCreateBuffer oom
 */
#include "../sweep.h"

static cl_mem upload(const struct setup *cl, cl_int *values)
{
	cl_int err, *copy;
	cl_mem mem = clCreateBuffer(cl->context, CL_MEM_READ_WRITE |
				    CL_MEM_COPY_HOST_PTR, BYTES, values, &err);

	if (mem && err == CL_SUCCESS)
		return mem;
	copy = malloc(BYTES);
	need(copy != NULL, "memory");
	memcpy(copy, values, BYTES);
	mem = make_buffer(cl, BYTES);
	write_ints(cl, mem, copy);
	/* PLANTED: the copy stays */
#ifndef PLANTED
	free(copy);
#endif
	return mem;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_int values[ITEMS];
	cl_mem mem;

	count_up(values);
	mem = upload(&cl, values);
	memset(values, 0, sizeof(values));
	read_ints(&cl, mem, values);
	print_result(sum_of(values, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
