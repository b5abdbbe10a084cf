/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the parts of device_faults: the objects of a run and its final
 * messages.
 */
#ifndef CLAW_DEVICE_FAULTS_H
#define CLAW_DEVICE_FAULTS_H

#include <stdbool.h>

#include "faults/shared/cl_types.h"

enum { BUFFER_BYTES = 1 << 20, ITEMS = 256, UNTOLD = 12345 };

/* Two contexts on the device, two in-order queues in the first. With two
 * devices ("two_") the first context is of both, and its other queue and the
 * other context are the second's. */
struct objects {
	cl_platform_id platform;
	cl_device_id device, second;	/* second: device, but for two */
	cl_context context, other_context;
	cl_command_queue queue, other_queue, far_queue;
	cl_program program;
	cl_kernel kernel, trigger, far_kernel;
	cl_mem buffer, other_buffer, far_buffer;
	cl_event event;		/* of the launch that faults, or NULL */
	char *host;		/* BUFFER_BYTES */
	cl_ulong memory_bytes, largest_bytes;
};

/* device_faults.c: one call and what it returned, in order. */
void say(const char *step, long code);

/* device_faults_steps.c: the calls made once something has gone wrong. */
bool step_exists(const char *name);
/* Make the call of that name about buffer. */
cl_int step_run(const char *name, struct objects *o, cl_mem buffer);
/* Make all of them, in the recordings' order. */
void steps_run_all(struct objects *o, cl_mem buffer);
void steps_list(void);
cl_program steps_program(cl_context context, cl_device_id device,
			 const char *source);

/* device_faults_more.c: what needs no fault */
/* A user event ends with -5 while a launch waits for it. */
void more_user_event(struct objects *o, const char *first);
/* Fork: the child makes the calls, and the parent once it has ended, or the
 * other way round. Returns in the one whose line is to be printed. */
void more_fork(struct objects *o, const char *first, bool in_child);

/* device_faults_limits.c */
/* Buffers of an eighth of the device's memory, created and used by the call
 * of that name until one cannot be; that one, or NULL. */
cl_mem limits_run_out(struct objects *o, const char *first);
/* A row of requests that are invalid or too large. */
void limits_exceed(struct objects *o);

#endif
