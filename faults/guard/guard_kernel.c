/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looking at zones with a kernel: what the guest has on each device of a
 * context (a queue, a program, a board), and putting the kernel behind a launch
 * of the program's. It is tried out first, on zones that are broken.
 */
#include "config.h"

#include "guard_private.h"

#include <stdlib.h>
#include <string.h>

#include "guard_source.h"

/* The kernel's arguments; the first eight are buffers. */
enum {
	ARG_BYTES = CLAW_CHECK_ZONES,
	ARG_STARTS,
	ARG_SIDES,
	ARG_HOW,
	ARG_BOARD,
	GROUP_MAX = 256,
	GROUP_MAX_SHARED = 8,	/* where work-items run one after the other */
};

/* A driver's callback may call the program, and that us: not a second time. */
static __thread bool inside __attribute__((tls_model(CLAW_TLS_MODEL)));

static bool enter(pthread_mutex_t *lock)
{
	if (inside)
		return false;
	inside = true;
	pthread_mutex_lock(lock);
	return true;
}

static void leave(pthread_mutex_t *lock)
{
	pthread_mutex_unlock(lock);
	inside = false;
}

/* ---- one look; under the lock */

static bool set_whole(struct claw_guard_home *home, unsigned int i, cl_mem mem)
{
	if (home->set[i] == mem)
		return true;
	home->set[i] = NULL;
	if (claw_next.clSetKernelArg(home->kernel, i, sizeof(mem), &mem))
		return false;
	home->set[i] = mem;
	return true;
}

static bool set_arguments(struct claw_guard_home *home,
			  const struct claw_check *check)
{
	cl_ulong bytes[CLAW_CHECK_ZONES] = { 0 };
	cl_uint starts[CLAW_CHECK_ZONES] = { 0 };
	cl_uint sides[CLAW_CHECK_ZONES] = { 0 };
	cl_uint how[4] = {
		check->count,
		CLAW_BOARD_RESULTS + check->slot * CLAW_BOARD_SLOT_WORDS,
		CLAW_BOARD_DONE + check->slot, check->mark,
	};

	for (unsigned int i = 0; i < check->count; i++) {
		const struct claw_zone *zone = check->items[i].zone;

		bytes[i] = zone->bytes;
		starts[i] = zone->start;
		sides[i] = (cl_uint)zone->front | (cl_uint)zone->back << 16;
		if (!set_whole(home, i, zone->whole))
			return false;
	}
	return !claw_next.clSetKernelArg(home->kernel, ARG_BYTES, sizeof(bytes),
					 bytes) &&
	       !claw_next.clSetKernelArg(home->kernel, ARG_STARTS,
					 sizeof(starts), starts) &&
	       !claw_next.clSetKernelArg(home->kernel, ARG_SIDES, sizeof(sides),
					 sides) &&
	       !claw_next.clSetKernelArg(home->kernel, ARG_HOW, sizeof(how),
					 how);
}

static bool enqueue(struct claw_guard_home *home, cl_command_queue queue,
		    struct claw_check *check, cl_event launch,
		    cl_event *ret_event)
{
	if (!home->free_count)
		claw_board_collect(home, true);
	if (!home->free_count)
		return false;
	check->slot = home->free_slots[--home->free_count];
	check->mark = ++home->mark ? home->mark : ++home->mark;
	if (set_arguments(home, check) &&
	    !claw_next.clEnqueueNDRangeKernel(queue, home->kernel, 1, NULL,
					      &home->group, &home->group,
					      launch ? 1 : 0,
					      launch ? &launch : NULL,
					      ret_event)) {
		claw_board_add(home, check);
		return true;
	}
	home->free_slots[home->free_count++] = (uint16_t)check->slot;
	return false;
}

bool claw_home_enqueue(struct claw_guard_home *home, struct claw_check *check,
		       cl_event launch, cl_event *ret_event)
{
	bool done;

	if (!enter(&home->lock))
		return false;
	done = home->works &&
	       enqueue(home, check->queue, check, launch, ret_event);
	leave(&home->lock);
	return done;
}

void claw_home_collect(struct claw_guard_home *home, bool now)
{
	if (!__atomic_load_n(&home->oldest, __ATOMIC_RELAXED) ||
	    !enter(&home->lock))
		return;
	if (home->works)
		claw_board_collect(home, now);
	leave(&home->lock);
}

void claw_home_let_go(struct claw_guard_home *home, cl_mem whole)
{
	if (!enter(&home->lock))
		return;
	for (unsigned int i = 0; home->works && i < CLAW_CHECK_ZONES; i++)
		if (home->set[i] == whole)
			set_whole(home, i, home->board);
	leave(&home->lock);
}

/* ---- trying it out */

enum { TEST_SIDE = 64, TEST_BYTES = 5 };

/* One byte before the buffer's begin, one just behind its end. */
static bool found_both(const struct claw_guard_home *home, uint32_t slot)
{
	const uint32_t *results = home->words + CLAW_BOARD_RESULTS +
				  slot * CLAW_BOARD_SLOT_WORDS;

	return home->words[CLAW_BOARD_DONE + slot] == home->mark &&
	       results[0] == ((TEST_SIDE - 1) << 8 | 1) &&
	       results[CLAW_CHECK_ZONES] == 2;
}

/* The results come to our memory by themselves, or are read once. */
static bool look_once(struct claw_guard_home *home, struct claw_check *check)
{
	uint32_t done;

	if (!enqueue(home, home->queue, check, NULL, NULL))
		return false;
	home->oldest = home->newest = NULL;
	home->free_count++;
	if (claw_next.clFinish(home->queue))
		return false;
	done = home->words[CLAW_BOARD_DONE + check->slot];
	home->shares = done == check->mark;
	return home->shares || claw_board_read(home);
}

static bool test(struct claw_guard_home *home, cl_context context)
{
	struct claw_zone zone = {
		.front = TEST_SIDE, .bytes = TEST_BYTES, .back = TEST_SIDE,
		.start = 7,
	};
	struct claw_check check = { .count = 1, .items[0].zone = &zone };
	uint8_t right[2 * TEST_SIDE + TEST_BYTES], memory[sizeof(right)];
	bool works;
	cl_int err;

	memset(right, 9, sizeof(right));
	claw_zone_fill(&zone, right);
	memcpy(memory, right, sizeof(memory));
	memory[TEST_SIDE - 1] = 1;
	memory[TEST_SIDE + TEST_BYTES] = 2;
	zone.whole = claw_next.clCreateBuffer(context, CL_MEM_READ_WRITE |
					      CL_MEM_COPY_HOST_PTR,
					      sizeof(memory), memory, &err);
	if (!zone.whole)
		return false;
	works = look_once(home, &check) && found_both(home, check.slot) &&
		!claw_next.clEnqueueReadBuffer(home->queue, zone.whole, CL_TRUE,
					       0, sizeof(memory), memory, 0,
					       NULL, NULL) &&
		!memcmp(memory, right, sizeof(right));
	home->seen = home->words[0];
	claw_board_clear(home, check.slot);
	set_whole(home, 0, home->board);
	claw_next.clReleaseMemObject(zone.whole);
	return works;
}

/* ---- the home */

static bool build(struct claw_guard_home *home, cl_context context)
{
	const char *source = claw_guard_source;
	cl_int err;

	home->program = claw_next.clCreateProgramWithSource(context, 1, &source,
							    NULL, &err);
	if (!home->program ||
	    claw_next.clBuildProgram(home->program, 1, &home->device, "", NULL,
				     NULL))
		return false;
	home->kernel = claw_next.clCreateKernel(home->program, "claw_look",
						&err);
	return home->kernel &&
	       !claw_next.clGetKernelWorkGroupInfo(home->kernel, home->device,
		CL_KERNEL_WORK_GROUP_SIZE, sizeof(home->group), &home->group,
		NULL);
}

static bool furnish(struct claw_guard_home *home, cl_context context)
{
	size_t limit;
	cl_int err;

	home->queue = claw_next.clCreateCommandQueue(context, home->device, 0,
						     &err);
	if (!home->queue || !claw_board_make(home, context) ||
	    !build(home, context))
		return false;
	limit = claw_board_is_shared(home) ? GROUP_MAX_SHARED : GROUP_MAX;
	if (home->group > limit)
		home->group = limit;
	for (unsigned int i = 0; i < CLAW_CHECK_ZONES; i++)
		if (!set_whole(home, i, home->board))
			return false;
	return !claw_next.clSetKernelArg(home->kernel, ARG_BOARD,
					 sizeof(home->board), &home->board) &&
	       test(home, context);
}

static void clear_out(struct claw_guard_home *home)
{
	home->works = false;
	if (home->kernel)
		claw_next.clReleaseKernel(home->kernel);
	if (home->program)
		claw_next.clReleaseProgram(home->program);
	if (home->board)
		claw_next.clReleaseMemObject(home->board);
	if (home->queue)
		claw_next.clReleaseCommandQueue(home->queue);
	home->kernel = NULL;
	home->program = NULL;
	home->board = NULL;
	home->queue = NULL;
	home->words = NULL;
}

void claw_home_release(struct claw_guard_home *home)
{
	if (!enter(&home->lock))
		return;
	if (home->works) {
		claw_board_collect(home, true);
		claw_board_give_up(home);
		clear_out(home);
	}
	leave(&home->lock);
}

/* ---- finding it */

static cl_uint context_references(cl_context context)
{
	cl_uint count = 0;

	claw_next.clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT,
				   sizeof(count), &count, NULL);
	return count;
}

/* One that does not work is remembered, too. */
static struct claw_guard_home *make(struct claw_guard_context *context,
				    cl_device_id device)
{
	struct claw_guard_home *home = calloc(1, sizeof(*home));
	cl_uint before = context_references(context->context);

	if (!home)
		return NULL;
	pthread_mutex_init(&home->lock, NULL);
	home->device = device;
	home->works = furnish(home, context->context);
	if (home->works)
		__atomic_fetch_add(&context->home_references,
				   context_references(context->context) -
				   before, __ATOMIC_RELAXED);
	else
		clear_out(home);
	return home;
}

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static uint32_t made;		/* homes, in this process */

bool claw_homes_are_any(void)
{
	return __atomic_load_n(&made, __ATOMIC_RELAXED) != 0;
}

void claw_homes_begin(void)
{
	pthread_mutex_init(&making, NULL);
	inside = false;
	made = 0;
}

static struct claw_guard_home *find(struct claw_guard_context *context,
				    cl_device_id device)
{
	struct claw_guard_home *home =
		__atomic_load_n(&context->homes, __ATOMIC_ACQUIRE);

	while (home && home->device != device)
		home = home->next;
	return home;
}

struct claw_guard_home *claw_home_of(struct claw_guard_context *context,
				     cl_command_queue queue)
{
	cl_device_id device = NULL;
	struct claw_guard_home *home;

	if (claw_next.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE,
					    sizeof(device), &device, NULL))
		return NULL;
	home = find(context, device);
	if (home || !enter(&making))
		return home && home->works ? home : NULL;
	home = find(context, device);
	if (!home) {
		home = make(context, device);
		if (home) {
			__atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
			home->next = context->homes;
			__atomic_store_n(&context->homes, home,
					 __ATOMIC_RELEASE);
		}
	}
	leave(&making);
	return home && home->works ? home : NULL;
}

bool claw_home_write(struct claw_guard_home *home, const struct claw_zone *zone,
		     const void *from)
{
	bool done;

	if (!enter(&home->lock))
		return false;
	done = home->works &&
	       !claw_next.clEnqueueWriteBuffer(home->queue, zone->whole,
					       CL_TRUE, zone->front,
					       zone->bytes, from, 0, NULL,
					       NULL);
	leave(&home->lock);
	return done;
}

bool claw_home_paint(struct claw_guard_home *home,
		     struct claw_zone *const *zones, unsigned int count)
{
	bool done = enter(&home->lock);

	if (!done)
		return false;
	done = home->works;
	for (unsigned int i = 0; i < count && done; i++) {
		const struct claw_zone *zone = zones[i];
		const uint8_t *pattern = claw_pattern() + zone->start * 4;
		size_t end = zone->front + zone->bytes;

		done = !claw_next.clEnqueueWriteBuffer(home->queue, zone->whole,
				CL_FALSE, 0, zone->front, pattern, 0, NULL,
				NULL) &&
		       !claw_next.clEnqueueWriteBuffer(home->queue, zone->whole,
				CL_FALSE, end, zone->back,
				pattern + zone->front + zone->bytes % 4, 0,
				NULL, NULL);
	}
	if (done)
		done = !claw_next.clFinish(home->queue);
	leave(&home->lock);
	return done;
}
