/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Staging memory of the host's, freed where the upload fails and again by the
 * common clean-up.
 * EXPECT: crash clEnqueueWriteBuffer oom
 */
#include "sweep.h"

struct transfer {
	cl_int *staging;
	cl_mem mem;
};

static cl_int upload(const struct setup *cl, struct transfer *transfer)
{
	cl_int err = try_write(cl, transfer->mem, transfer->staging);

	if (err == CL_SUCCESS)
		return err;
	free(transfer->staging);
	/* PLANTED: the pointer is kept, and freed again */
#ifndef PLANTED
	transfer->staging = NULL;
#endif
	return err;
}

static void transfer_release(struct transfer *transfer)
{
	must(clReleaseMemObject(transfer->mem));
	free(transfer->staging);
}

int main(void)
{
	struct setup cl = open_cl();
	struct transfer transfer = {
		.staging = malloc(BYTES), .mem = make_buffer(&cl, BYTES),
	};
	cl_int back[ITEMS] = { 0 }, err;

	need(transfer.staging != NULL, "memory");
	count_up(transfer.staging);
	err = upload(&cl, &transfer);
	if (err == CL_SUCCESS) {
		read_ints(&cl, transfer.mem, back);
		print_result(sum_of(back, ITEMS));
	}
	transfer_release(&transfer);
	close_cl(&cl);
	return err == CL_SUCCESS ? 0 : failed("the upload", err);
}
