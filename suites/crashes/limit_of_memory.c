/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process may have no more memory: a limit stands for the end of that of the
 * machine. The driver says so, and the program gives up.
 *
 * Options: --always
 * Kind: out-of-memory
 * Code: clw-out-of-memory
 * Cause: memory was exhausted.*clCreateBuffer
 */
#include "crashes.h"

#include <sys/resource.h>

enum { STEP = 256 << 20 };

/* What it has now, and four buffers. */
static void limit_memory(void)
{
	struct rlimit limit;
	unsigned long pages = 0;
	FILE *in = fopen("/proc/self/statm", "r");

	if (!in || fscanf(in, "%lu", &pages) != 1)
		exit(FAILED);
	fclose(in);
	limit.rlim_cur = limit.rlim_max = pages * 4096 + 4UL * STEP;
	if (setrlimit(RLIMIT_AS, &limit) != 0)
		exit(FAILED);
}

int main(void)
{
	const cl_int value = 7;
	struct setup cl = open_device();

	work(&cl, USUAL);
	limit_memory();
	for (int i = 0; i < 8; i++) {
		cl_int err;
		cl_mem mem = clCreateBuffer(cl.context, CL_MEM_ALLOC_HOST_PTR,
					    STEP, NULL, &err);

		must(err);
		must(clEnqueueFillBuffer(cl.queue, mem, &value, sizeof(value),
					 0, BYTES, 0, NULL, NULL));
		must(clFinish(cl.queue));
	}
	close_device(&cl);
	return 0;
}
