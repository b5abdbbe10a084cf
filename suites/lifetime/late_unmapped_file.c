/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an upload reads is unmapped behind its back: memory of mmap(), which
 * nobody frees.
 * Undefined: the driver reads where nothing is
 */
#include <sys/mman.h>

#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	cl_event gate = new_gate(&cl);
	cl_mem mem = new_ints(&cl);
	void *file = mmap(NULL, LARGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (file == MAP_FAILED)
		return FAILED;
	/* PLANTED: late write from memory that is unmapped */
	must(clEnqueueWriteBuffer(cl.queue, mem, CL_FALSE, 0, BYTES, file, 1,
				  &gate, NULL));
#ifdef PLANTED
	/* HOST: freed by munmap() */
	munmap(file, LARGE);
	open_gate(gate);
	must(clFinish(cl.queue));
#else
	open_gate(gate);
	must(clFinish(cl.queue));
	munmap(file, LARGE);
#endif
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
