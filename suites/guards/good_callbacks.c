/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callbacks of events and of memory objects: each once, of the right object.
 */
#include <pthread.h>

#include "guards.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static int completed, destroyed, order[2];
static cl_mem expected_mem;
static cl_event expected_event;
static bool right = true;

static void CL_CALLBACK on_complete(cl_event event, cl_int status, void *user)
{
	pthread_mutex_lock(&lock);
	completed++;
	right &= event == expected_event && status == CL_COMPLETE &&
		 user == &completed;
	pthread_cond_broadcast(&came);
	pthread_mutex_unlock(&lock);
}

static void CL_CALLBACK on_destroyed(cl_mem mem, void *user)
{
	pthread_mutex_lock(&lock);
	if (destroyed < 2)
		order[destroyed] = *(int *)user;
	destroyed++;
	right &= mem == expected_mem;
	pthread_cond_broadcast(&came);
	pthread_mutex_unlock(&lock);
}

static void wait_for(const int *counter, int count)
{
	pthread_mutex_lock(&lock);
	while (*counter < count)
		pthread_cond_wait(&came, &lock);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = buffer_of(&cl, CL_MEM_READ_WRITE, BYTES, NULL);
	const size_t items = ITEMS;
	int one = 1, two = 2;
	cl_event event, gate = new_gate(&cl);

	must(clSetMemObjectDestructorCallback(mem, on_destroyed, &one));
	must(clSetMemObjectDestructorCallback(mem, on_destroyed, &two));
	expected_mem = mem;
	set_arg(kernel, 0, mem);
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 1, &gate, &event));
	expected_event = event;
	must(clSetEventCallback(event, CL_COMPLETE, on_complete, &completed));
	expect(completed, 0);
	open_gate(gate);
	must(clFinish(cl.queue));
	wait_for(&completed, 1);
	must(clReleaseEvent(event));
	must(clReleaseKernel(kernel));
	must(clReleaseMemObject(mem));
	wait_for(&destroyed, 2);
	close_device(&cl);
	expect(completed, 1);
	expect(destroyed, 2);
	holds(right);
	/* The last one registered is called first. */
	printf("order %d %d\n", order[0], order[1]);
	return 0;
}
