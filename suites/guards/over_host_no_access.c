/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scratch memory that the host never looks at.
 */
#include "guards.h"

static const char source[] =
	"kernel void scratch(global int *tmp)\n"
	"{\n"
	"	tmp[get_global_id(0)] = 0x26272829;\n"
	"}\n"
	"kernel void gather(global const int *tmp, global int *out)\n"
	"{\n"
	"	out[get_global_id(0)] = tmp[get_global_id(0)];\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel fill = kernel_of(&cl, source, "scratch");
	cl_kernel gather = kernel_of(&cl, source, "gather");
	cl_mem tmp = buffer_of(&cl, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS,
			       BYTES, NULL);
	cl_mem out = buffer_of(&cl, CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY,
			       BYTES, NULL);
#ifdef PLANTED
	const size_t items = ITEMS + 1;
#else
	const size_t items = ITEMS;
#endif
	cl_int got[ITEMS];

	set_arg(fill, 0, tmp);
	set_arg(gather, 0, tmp);
	set_arg(gather, 1, out);
	/* PLANTED: guard scratch 0 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, fill, 1, NULL, &items, NULL, 0, NULL, NULL));
	run(cl.queue, gather, ITEMS);
	read_all(cl.queue, out, BYTES, got);
	expect(got[ITEMS - 1], 0x26272829);
	must(clReleaseKernel(gather));
	must(clReleaseMemObject(out));
	close_with(&cl, fill, tmp);
	return 0;
}
