/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects are made and released one after another, and the driver gives most
 * of them the same address. A handle that was released is a new object now.
 */
#include "lifetime.h"

int main(void)
{
	struct setup cl = open_device();
	int again = 0;
	cl_mem last = NULL;

	for (int i = 0; i < 500; i++) {
		cl_mem mem = new_ints(&cl);
		cl_event event = new_gate(&cl);

		again += mem == last;
		last = mem;
		must(clReleaseMemObject(mem));
		open_gate(event);
	}
	printf("the same address %d times\n", again);
	close_device(&cl);
	return 0;
}
