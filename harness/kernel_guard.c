/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guard zones: bytes of ours behind a buffer, and before a sub-buffer, that
 * hold a pattern. What of it has changed after the run was written by a
 * kernel that left its buffer.
 */
#include "config.h"

#include "kernel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../suites/case_result.h"

enum { POISON = 0xcb };

/* No byte is 0, and each argument has its own: a kernel that copies one
 * buffer's guard zone over another's is seen. */
static unsigned char guard_byte(const struct claw_kernel_object *object,
				bool is_front, size_t at)
{
	uint32_t x = (claw_kernel_about(object)->index * 2 + is_front) *
		     UINT32_C(0x9e3779b1) + (uint32_t)at * UINT32_C(0x85ebca77);

	x = (x ^ (x >> 15)) * UINT32_C(0xc2b2ae3d);
	return (unsigned char)(x >> 24 | 1);
}

void claw_kernel_guard_fill(const struct claw_kernel_object *object,
			    bool is_front, unsigned char *bytes)
{
	size_t count = is_front ? object->front_bytes : object->guard_bytes;

	for (size_t i = 0; i < count; i++)
		bytes[i] = guard_byte(object, is_front, i);
}

void claw_kernel_poison(unsigned char *bytes, size_t count)
{
	memset(bytes, POISON, count);
}

static size_t wanted_guard(const struct claw_kernel_run *run,
			   const struct claw_kernel_object *object)
{
	if (object->in && object->in->has_guard)
		return object->in->guard_bytes;
	if (object->out && object->out->has_guard)
		return object->out->guard_bytes;
	return run->test->guard_bytes;
}

size_t claw_kernel_guard_bytes(const struct claw_kernel_run *run,
			       const struct claw_kernel_object *object)
{
	size_t bytes = wanted_guard(run, object);
	cl_ulong max = 0;

	if (run->options.bare || object->size_bytes == 0 || bytes == 0)
		return 0;
	/* The largest buffer that can be had has none. */
	if (clGetDeviceInfo(run->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
			    sizeof(max), &max, NULL) == CL_SUCCESS &&
	    object->front_bytes + object->size_bytes + bytes > max) {
		printf("argument %u has no guard zone: no larger buffer can "
		       "be had\n", claw_kernel_about(object)->index);
		return 0;
	}
	return bytes;
}

static void report(struct claw_kernel_run *run,
		   const struct claw_kernel_object *object, bool is_front,
		   size_t first, size_t last, size_t count)
{
	const struct claw_clw_arg *arg = claw_kernel_about(object);
	const char *sign = is_front ? "-" : "";
	char which[64], text[256], size[32];

	/* As offsets in the buffer. */
	first = is_front ? object->front_bytes - first :
			   object->size_bytes + first;
	last = is_front ? object->front_bytes - last :
			  object->size_bytes + last;
	if (first == last)
		snprintf(which, sizeof(which), "byte %s%zu", sign, first);
	else
		snprintf(which, sizeof(which), "bytes %s%zu to %s%zu", sign,
			 first, sign, last);
	snprintf(text, sizeof(text), "argument %u (%s, %zu bytes): %s, %s, "
		 "%s written (%zu of the guard zone)", arg->index,
		 claw_kernel_type(arg), object->size_bytes, which,
		 is_front ? "before its beginning" : "behind its end",
		 first == last ? "was" : "were", count);
	snprintf(size, sizeof(size), "%zu", first > last ? first - last + 1 :
		 last - first + 1);
	claw_case_result_line("finding", "invalid-write", "global",
			      run->test->kernel, run->clw->path, "0", "0",
			      size, text, NULL);
	printf("invalid-write: %s\n", text);
	claw_kernel_fail(run, arg->line, "%s", text);
}

/* The first run of changed bytes, and how many there are in all. */
static void look(struct claw_kernel_run *run,
		 const struct claw_kernel_object *object, bool is_front,
		 const unsigned char *bytes, size_t count)
{
	size_t first = count, last = 0, changed = 0;

	for (size_t i = 0; i < count; i++) {
		if (bytes[i] == guard_byte(object, is_front, i))
			continue;
		if (changed == 0)
			first = last = i;
		else if (i <= last + 4)	/* a byte may be the pattern's own */
			last = i;
		changed++;
	}
	if (changed > 0)
		report(run, object, is_front, first, last, changed);
}

static bool check_zone(struct claw_kernel_run *run,
		       const struct claw_kernel_object *object, bool is_front)
{
	size_t count = is_front ? object->front_bytes : object->guard_bytes;
	size_t from = is_front ? 0 : object->front_bytes + object->size_bytes;
	unsigned char *bytes;
	cl_int err;

	if (count == 0)
		return true;
	bytes = malloc(count);
	if (!bytes)
		return claw_kernel_break(run, "a guard zone");
	err = clEnqueueReadBuffer(run->queue, object->parent ?
				  object->parent : object->memory, CL_TRUE,
				  from, count, bytes, 0, NULL, NULL);
	if (err == CL_SUCCESS)
		look(run, object, is_front, bytes, count);
	free(bytes);
	return err == CL_SUCCESS ||
	       claw_kernel_fail_call(run, "clEnqueueReadBuffer",
				     claw_kernel_about(object), err);
}

void claw_kernel_guard_check(struct claw_kernel_run *run)
{
	for (size_t i = 0; i < run->object_count; i++) {
		const struct claw_kernel_object *object = &run->objects[i];

		if (object->is_freed || object->is_null)
			continue;
		if (!check_zone(run, object, true) ||
		    !check_zone(run, object, false))
			return;
	}
}
