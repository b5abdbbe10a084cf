/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a text upper case and ends it with a full stop, for which the buffer
 * has no room.
 */
#include "guards.h"

enum { LENGTH = 1001 };

static const char source[] =
	"kernel void upper(global const char *in, global char *out, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	out[i] = in[i] & 0xdf;\n"
	"	if (i == n - 1)\n"
	"		out[n] = '.';\n"
	"}\n";

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, source, "upper");
	char text[LENGTH];
	const size_t items = LENGTH;
	const cl_int length = LENGTH;
#ifdef PLANTED
	cl_mem out = buffer_of(&cl, CL_MEM_WRITE_ONLY, LENGTH, NULL);
#else
	cl_mem out = buffer_of(&cl, CL_MEM_WRITE_ONLY, LENGTH + 1, NULL);
#endif
	cl_mem in;

	memset(text, 'x', sizeof(text));
	in = buffer_of(&cl, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
		       sizeof(text), text);
	set_arg(kernel, 0, in);
	set_arg(kernel, 1, out);
	set_arg(kernel, 2, length);
	/* PLANTED: guard upper 1 +0 0x2e */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	read_all(cl.queue, out, LENGTH, text);
	holds(text[0] == 'X' && text[LENGTH - 1] == 'X');
	must(clReleaseMemObject(in));
	close_with(&cl, kernel, out);
	return 0;
}
