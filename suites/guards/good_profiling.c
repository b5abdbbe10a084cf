/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times of launches and transfers: each has its four, in their order, and one
 * launch begins after the other has ended.
 */
#include "guards.h"

enum { COUNT = 6 };

static void look(cl_event event, cl_ulong *ended)
{
	static const cl_profiling_info what[] = {
		CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
		CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END,
	};
	cl_ulong times[4];

	for (int i = 0; i < 4; i++) {
		must(clGetEventProfilingInfo(event, what[i], sizeof(times[i]),
					     &times[i], NULL));
		holds(i == 0 || times[i] >= times[i - 1]);
	}
	holds(times[2] >= *ended);
	*ended = times[3];
}

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = new_ints(&cl);
	const size_t items = ITEMS;
	cl_int err, got[ITEMS];
	cl_command_queue timed = clCreateCommandQueue(cl.context, cl.device,
		CL_QUEUE_PROFILING_ENABLE, &err);
	cl_event events[COUNT];
	cl_ulong ended = 0;

	must(err);
	set_arg(kernel, 0, mem);
	for (int i = 0; i < COUNT - 1; i++)
		must(clEnqueueNDRangeKernel(timed, kernel, 1, NULL, &items, NULL, 0, NULL, &events[i]));
	must(clEnqueueReadBuffer(timed, mem, CL_FALSE, 0, BYTES, got, 0, NULL,
				 &events[COUNT - 1]));
	must(clWaitForEvents(1, &events[COUNT - 1]));
	expect(got[0], COUNT - 1);
	for (int i = 0; i < COUNT; i++) {
		look(events[i], &ended);
		must(clReleaseEvent(events[i]));
	}
	must(clReleaseCommandQueue(timed));
	close_with(&cl, kernel, mem);
	return 0;
}
