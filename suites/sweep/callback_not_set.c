/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Somebody is to be called when the command is done. Who could not be put on
 * the list is never called.
 * EXPECT: hang clSetEventCallback oom-host
 */
#include <pthread.h>
#include <semaphore.h>

#include "sweep.h"

static void CL_CALLBACK tell(cl_event event, cl_int status, void *user)
{
	(void)event;
	(void)status;
	sem_post(user);
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int back[ITEMS] = { 0 }, err;
	const cl_int three = 3;
	cl_event done;
	sem_t told;

	sem_init(&told, 0, 0);
	must(clEnqueueFillBuffer(cl.queue, mem, &three, sizeof(three), 0,
				 BYTES, 0, NULL, &done));
	err = clSetEventCallback(done, CL_COMPLETE, tell, &told);
#ifndef PLANTED
	must(err);
#endif
	(void)err;
	must(clFlush(cl.queue));
	/* PLANTED: nobody may be there to post */
	sem_wait(&told);
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseEvent(done));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}
