/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Four floats a work-item, and a number of floats that is not a multiple of
 * four: the last store has a tail.
 */
#include "guards.h"

enum { COUNT = 1022, GROUPS = 256 };

static const char source[] =
	"kernel void scale(global float *v, float by, int groups)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	if (i < groups)\n"
	"		vstore4((float4)(3.7f) * by, i, v);\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "scale");
	cl_mem mem = buffer_of(&cl, CL_MEM_READ_WRITE, COUNT * sizeof(float),
			       NULL);
	const size_t items = GROUPS;
	const cl_float by = 1.3f;
#ifdef PLANTED
	const cl_int groups = (COUNT + 3) / 4;
#else
	const cl_int groups = COUNT / 4;
#endif
	cl_float got[4];

	set_arg(kernel, 0, mem);
	set_arg(kernel, 1, by);
	set_arg(kernel, 2, groups);
	/* PLANTED: guard scale 0 +0 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	read_all(cl.queue, mem, sizeof(got), got);
	holds(got[3] > 4.8f && got[3] < 4.82f);
	close_with(&cl, kernel, mem);
	return 0;
}
