/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write a dump whose counts are larger than the lists that they count:
 *
 *	hostile_dump FILE
 */
#include "config.h"

#include <stdio.h>

#include "suites/self/lib/dump_maker.h"

enum { TOO_MANY = 1000000, FAR_TOO_MANY = 0x7fffffff };

static void make_calls(struct made_trace *made)
{
	static const uint64_t event = MADE_EVENT, device = MADE_DEVICE;
	static const char source[] = "kernel void k() { }";
	static const uint64_t size = 4;
	static const int n = 7;

	MADE_CALL(made, clCreateUserEvent, MADE_CONTEXT, 0);
	made_end(made, 0, MADE_EVENT);
	MADE_CALL(made, clSetUserEventStatus, MADE_EVENT, 0);
	made_end(made, 0, 0);
	MADE_CALL(made, clWaitForEvents, TOO_MANY, 0x7ff0);
	made_bytes(made, 1, &event, sizeof(event));
	made_end(made, 0, 0);
	MADE_CALL(made, clWaitForEvents, FAR_TOO_MANY, 0x7ff0);
	made_bytes(made, 1, &event, sizeof(event));
	made_end(made, 0, 0);
	MADE_CALL(made, clEnqueueMarkerWithWaitList, MADE_QUEUE, TOO_MANY,
		  0x7ff0, 0);
	made_bytes(made, 2, &event, sizeof(event));
	made_end(made, 0, 0);
	MADE_CALL(made, clCreateContext, 0, TOO_MANY, 0x7ff0, 0, 0, 0);
	made_bytes(made, 2, &device, sizeof(device));
	made_end(made, 0, 0x800);
	MADE_CALL(made, clCreateProgramWithSource, MADE_CONTEXT, TOO_MANY,
		  0x7ff0, 0, 0);
	made_data(made, CLAW_PAYLOAD_TEXTS, 2, source, sizeof(source) - 1);
	made_end(made, 0, 0x900);
	MADE_CALL(made, clSetKernelArg, MADE_KERNEL, 1, 8 << 20, 0x7ff0);
	made_bytes(made, 3, &n, sizeof(n));
	made_end(made, 0, 0);
	MADE_CALL(made, clEnqueueNDRangeKernel, MADE_QUEUE, MADE_KERNEL, 3, 0,
		  0x7ff0, 0, 0, 0, 0);
	made_bytes(made, 4, &size, sizeof(size));
	made_end(made, 0, 0);
}

int main(int argc, char **argv)
{
	static struct made_trace made;

	if (argc != 2)
		return 2;
	made_trace_init(&made);
	made_objects(&made);
	make_calls(&made);
	if (made_dump(&made, argv[1], NULL, NULL) != 0) {
		fprintf(stderr, "hostile_dump: %s\n", argv[1]);
		return 1;
	}
	return 0;
}
