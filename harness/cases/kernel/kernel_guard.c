/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guard zones: bytes of ours behind a buffer, and before a sub-buffer, that
 * hold a pattern. What of it has changed after the run was written by a
 * kernel that left its buffer.
 */
#include "config.h"

#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suites/case_result.h"

enum { POISON = 0xcb };

/*
 * The bytes of a zone are none that kernels like to write: not 0, 1, 0xff, no
 * small number, positive or negative, no ASCII, not POISON. No two bytes next
 * to each other are equal, and no two at one place in the zones of two of the
 * first 47 arguments: what is copied from zone to zone is seen. The two
 * patterns have no byte in common, and every second launch has the other one:
 * what one launch writes there and is the pattern's own, the next one shows.
 */
static const struct {
	unsigned char first, count;	/* count is a prime number */
} patterns[2] = { { 0x84, 59 }, { 0xcc, 47 } };

static unsigned char guard_byte(const struct claw_kernel_object *object,
				bool is_front, size_t at)
{
	unsigned int count = patterns[object->pattern].count;
	size_t step = at % count * 17 + is_front * 29 +
		      (size_t)claw_kernel_about(object)->index * 7;

	return (unsigned char)(patterns[object->pattern].first + step % count);
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
		printf("argument %u has no guard zone: cannot create a larger "
		       "buffer\n", claw_kernel_about(object)->index);
		return 0;
	}
	return bytes;
}

/* How many bytes were changed, and where the first and the last one of them
 * are: it may be more, because a byte that was written can be the pattern's
 * own. */
struct change {
	size_t first, last, count;
};

/* Places are offsets in the buffer, those before it negative. */
static void report(struct claw_kernel_run *run,
		   const struct claw_kernel_object *object, bool is_front,
		   const struct change *change)
{
	const struct claw_clw_arg *arg = claw_kernel_about(object);
	size_t first = is_front ? object->front_bytes - change->first :
				  object->size_bytes + change->first;
	size_t last = is_front ? object->front_bytes - change->last :
				 object->size_bytes + change->last;
	const char *sign = is_front ? "-" : "";
	char which[64], text[256];

	if (change->count == 1)
		snprintf(which, sizeof(which), "byte %s%zu", sign, first);
	else
		snprintf(which, sizeof(which), "from byte %s%zu to %s%zu",
			 sign, first, sign, last);
	snprintf(text, sizeof(text), "argument %u (%s, %zu bytes): at least "
		 "%zu byte%s of the guard zone %s changed, %s", arg->index,
		 claw_kernel_type(arg), object->size_bytes, change->count,
		 change->count == 1 ? "" : "s",
		 is_front ? "before its start" : "after its end", which);
	/* How large each access was cannot be seen. */
	claw_case_result_line("finding", "invalid-write", "global",
			      run->test->kernel, run->clw->path, "0", "0", "0",
			      text, NULL);
	printf("invalid-write: %s\n", text);
	claw_kernel_fail(run, arg->line, "%s", text);
}

static void look(struct claw_kernel_run *run,
		 const struct claw_kernel_object *object, bool is_front,
		 const unsigned char *bytes, size_t count)
{
	struct change change = { 0 };

	for (size_t i = 0; i < count; i++) {
		if (bytes[i] == guard_byte(object, is_front, i))
			continue;
		if (change.count++ == 0)
			change.first = i;
		change.last = i;
	}
	if (change.count > 0)
		report(run, object, is_front, &change);
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
		claw_kernel_at(run, object);
		if (!check_zone(run, object, true) ||
		    !check_zone(run, object, false))
			return;
	}
}
