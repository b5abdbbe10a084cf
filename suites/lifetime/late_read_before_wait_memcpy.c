/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a rectangle read has yet to write is copied by a function of libc: it is
 * the program's line that has to be named, not memcpy()'s. A copy of the first
 * page only; the wait is for the whole.
 * Options: --early-loads
 */
#include "lifetime.h"

enum { ROW = LARGE / 4, PAGE = 4096 };

int main(void)
{
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { ROW, 4, 1 };
	struct setup cl = open_device();
	cl_event gate = new_gate(&cl);
	cl_mem mem = new_large(&cl, 1);
	char *rows = (char *)aligned_alloc(PAGE, 2 * LARGE);
	char *copy = (char *)malloc(LARGE);
	cl_event done;

	need(rows && copy, "memory");
	memset(rows, 0, 2 * LARGE);
	/* SECOND: reads it */
	must(clEnqueueReadBufferRect(cl.queue, mem, CL_FALSE, origin, origin,
				     region, ROW, 0, 2 * ROW, 0, rows, 1, &gate,
				     &done));
	/* Between its rows nothing is pending. */
	memset(rows + ROW, 2, ROW);
#ifdef PLANTED
	/* PLANTED: late wait for a read */
	memcpy(copy, rows + 2 * ROW, ROW);
	open_gate(gate);
	must(clWaitForEvents(1, &done));
#else
	open_gate(gate);
	must(clWaitForEvents(1, &done));
	memcpy(copy, rows + 2 * ROW, ROW);
	expect(copy[0], 1);
	expect(rows[ROW], 2);
#endif
	printf("%d\n", copy[0]);
	must(clReleaseEvent(done));
	must(clReleaseMemObject(mem));
	free(copy);
	free(rows);
	close_device(&cl);
	return 0;
}
