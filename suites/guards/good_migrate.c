/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers and parts are moved to the device, to the host and back.
 * Needs: the migration of memory objects
 */
#include "guards.h"

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = add_one(&cl);
	cl_mem mems[2] = { new_ints(&cl) };
	cl_int got[ITEMS], err;
	cl_event event;
	cl_command_type type = 0;

	mems[1] = part_of(mems[0], 0, 512);
	set_arg(kernel, 0, mems[0]);
	run(cl.queue, kernel, ITEMS);
	err = clEnqueueMigrateMemObjects(cl.queue, 2, mems, 0, 0, NULL,
					 &event);
	need(err == CL_SUCCESS, "the migration of memory objects");
	must(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type,
			    NULL));
	holds(type == CL_COMMAND_MIGRATE_MEM_OBJECTS);
	must(clReleaseEvent(event));
	run(cl.queue, kernel, ITEMS);
	must(clEnqueueMigrateMemObjects(cl.queue, 1, mems,
					CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL,
					NULL));
	read_all(cl.queue, mems[0], BYTES, got);
	expect(got[ITEMS - 1], 2);
	printf("none: %d\n", clEnqueueMigrateMemObjects(cl.queue, 0, NULL, 0,
							0, NULL, NULL));
	must(clReleaseMemObject(mems[1]));
	close_with(&cl, kernel, mems[0]);
	return 0;
}
