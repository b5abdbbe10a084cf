/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of staging buffers grows when a request is larger than all before,
 * and the old buffer of the slot is then forgotten: once in hundreds of
 * requests. No short test sees it; after days the device is full.
 */
#include "lifetime.h"

enum { SLOTS = 4, REQUESTS = 2000, GROWS_EVERY = 500 };

struct slot {
	cl_mem mem;
	size_t size;
};

static void make_room(const struct setup *cl, struct slot *slot, size_t size)
{
	cl_int err;

	if (size <= slot->size)
		return;
#ifndef PLANTED
	if (slot->mem)
		must(clReleaseMemObject(slot->mem));
#endif
	/* PLANTED: leak buffer */
	slot->mem = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, size, NULL,
				   &err);
	must(err);
	slot->size = size;
}

int main(void)
{
	struct setup cl = open_device();
	struct slot slots[SLOTS] = { { NULL, 0 } };

	for (int i = 0; i < REQUESTS; i++) {
		size_t size = (size_t)(1 + i / GROWS_EVERY) * BYTES;
		cl_int value = i;

		make_room(&cl, &slots[i % SLOTS], size);
		must(clEnqueueWriteBuffer(cl.queue, slots[i % SLOTS].mem,
					  CL_TRUE, 0, sizeof(value), &value, 0,
					  NULL, NULL));
	}
	for (int i = 0; i < SLOTS; i++)
		must(clReleaseMemObject(slots[i].mem));
	close_device(&cl);
	return 0;
}
