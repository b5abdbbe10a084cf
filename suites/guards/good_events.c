/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of every command: type, queue, context and status, and what waits for
 * what.
 */
#include "guards.h"

static void look(const struct setup *cl, cl_event event, cl_command_type type)
{
	cl_command_type got_type = 0;
	cl_command_queue queue = NULL;
	cl_context context = NULL;
	cl_int status = 1;

	must(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(got_type),
			    &got_type, NULL));
	must(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue),
			    &queue, NULL));
	must(clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof(context), &context,
			    NULL));
	must(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
			    sizeof(status), &status, NULL));
	holds(got_type == type);
	holds(queue == cl->queue);
	holds(context == cl->context);
	holds(status == CL_COMPLETE);
	must(clReleaseEvent(event));
}

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem mem = new_ints(&cl), other = new_ints(&cl);
	const size_t items = ITEMS, origin[3] = { 0 }, region[3] = { 8, 1, 1 };
	cl_event events[10], gate = new_gate(&cl);
	cl_int err, pattern = 3, values[ITEMS] = { 1 };
	cl_int status = CL_COMPLETE;
	void *map;

	set_arg(kernel, 0, mem);
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 1, &gate, &events[0]));
	must(clEnqueueTask(cl.queue, kernel, 1, &events[0], &events[1]));
	must(clGetEventInfo(events[0], CL_EVENT_COMMAND_EXECUTION_STATUS,
			    sizeof(status), &status, NULL));
	holds(status > CL_COMPLETE);
	must(clEnqueueWriteBuffer(cl.queue, other, CL_FALSE, 0, BYTES, values,
				  0, NULL, &events[2]));
	must(clEnqueueCopyBuffer(cl.queue, mem, other, 0, 0, 16, 0, NULL,
				 &events[3]));
	must(clEnqueueFillBuffer(cl.queue, mem, &pattern, 4, 4, 4, 0, NULL,
				 &events[4]));
	must(clEnqueueMarkerWithWaitList(cl.queue, 1, &events[3], &events[5]));
	must(clEnqueueBarrierWithWaitList(cl.queue, 0, NULL, &events[6]));
	must(clEnqueueReadBufferRect(cl.queue, other, CL_FALSE, origin, origin,
				     region, 0, 0, 0, 0, values, 0, NULL,
				     &events[7]));
	map = clEnqueueMapBuffer(cl.queue, mem, CL_FALSE, CL_MAP_READ, 0,
				 BYTES, 0, NULL, &events[8], &err);
	must(err);
	open_gate(gate);
	must(clWaitForEvents(1, &events[8]));
	expect(*(cl_int *)map, 2);
	must(clEnqueueUnmapMemObject(cl.queue, mem, map, 0, NULL, &events[9]));
	must(clFinish(cl.queue));
	expect(values[0], 2);
	look(&cl, events[0], CL_COMMAND_NDRANGE_KERNEL);
	must(clGetEventInfo(events[1], CL_EVENT_COMMAND_TYPE, sizeof(cl_uint),
			    &pattern, NULL));
	printf("a task is %#x\n", (unsigned int)pattern);
	must(clReleaseEvent(events[1]));
	look(&cl, events[2], CL_COMMAND_WRITE_BUFFER);
	look(&cl, events[3], CL_COMMAND_COPY_BUFFER);
	look(&cl, events[4], CL_COMMAND_FILL_BUFFER);
	look(&cl, events[5], CL_COMMAND_MARKER);
	look(&cl, events[6], CL_COMMAND_BARRIER);
	look(&cl, events[7], CL_COMMAND_READ_BUFFER_RECT);
	look(&cl, events[8], CL_COMMAND_MAP_BUFFER);
	look(&cl, events[9], CL_COMMAND_UNMAP_MEM_OBJECT);
	must(clReleaseMemObject(other));
	close_with(&cl, kernel, mem);
	return 0;
}
