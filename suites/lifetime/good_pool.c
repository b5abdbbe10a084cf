/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool makes buffers when it is empty, never releases one while the program
 * works, and all at its end.
 */
#include "lifetime.h"

enum { POOL = 16 };

static cl_mem idle[POOL];
static int idle_count;

static cl_mem take(const struct setup *cl)
{
	return idle_count ? idle[--idle_count] : new_ints(cl);
}

static void give_back(cl_mem mem)
{
	idle[idle_count++] = mem;
}

int main(void)
{
	struct setup cl = open_device();

	for (int i = 0; i < 100; i++) {
		int wanted = 1 + i % POOL;
		cl_mem used[POOL];

		for (int j = 0; j < wanted; j++)
			used[j] = take(&cl);
		for (int j = 0; j < wanted; j++)
			give_back(used[j]);
	}
	while (idle_count)
		must(clReleaseMemObject(idle[--idle_count]));
	close_device(&cl);
	return 0;
}
