/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A rectangle of which only the last row reaches past the end.
 */
#include "guards.h"

enum { PITCH = 32, ROWS = 32 };

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = buffer_of(&cl, CL_MEM_READ_WRITE, PITCH * ROWS, NULL);
	const size_t origin[3] = { 16, 28, 0 }, here[3] = { 0, 0, 0 };
	cl_uchar bytes[PITCH * ROWS] = { 1 };
#ifdef PLANTED
	const size_t region[3] = { 17, 4, 1 };
#else
	const size_t region[3] = { 16, 4, 1 };
#endif

	/* PLANTED: range 912 113 1024 */
	clEnqueueWriteBufferRect(cl.queue, mem, CL_TRUE, origin, here, region, PITCH, 0, PITCH, 0, bytes, 0, NULL, NULL);
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}
