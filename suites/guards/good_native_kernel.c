/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function of the host as a kernel: it gets the buffer's own memory.
 * Needs: native kernels
 */
#include "guards.h"

struct words {
	cl_int *memory;
	cl_int count;
};

static void CL_CALLBACK add_all(void *block)
{
	const struct words *words = block;

	for (int i = 0; i < words->count; i++)
		words->memory[i] += 5;
}

int main(void)
{
	struct setup cl = open_device();
	cl_device_exec_capabilities can = 0;
	struct words words = { NULL, ITEMS };
	const void *places[1];
	cl_mem mem;
	cl_int got[ITEMS], err;
	cl_event event;

	must(clGetDeviceInfo(cl.device, CL_DEVICE_EXECUTION_CAPABILITIES,
			     sizeof(can), &can, NULL));
	need(can & CL_EXEC_NATIVE_KERNEL, "native kernels");
	mem = new_ints(&cl);
	words.memory = NULL;
	places[0] = &words.memory;
	err = clEnqueueNativeKernel(cl.queue, add_all, &words, sizeof(words),
				    1, &mem, places, 0, NULL, &event);
	need(err == CL_SUCCESS, "native kernels");
	must(clWaitForEvents(1, &event));
	must(clReleaseEvent(event));
	read_all(cl.queue, mem, BYTES, got);
	expect(got[0], 5);
	expect(got[ITEMS - 1], 5);
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
