/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One bit of a read flips. The driver reads as ever; the bit flips before the
 * program can know that the read is complete: in the driver's callback, or
 * when a call returns that may say so, whichever comes first.
 */
#include "config.h"

#include "ecc.h"

#include <pthread.h>
#include <stdatomic.h>

#include "faults/early/early.h"

enum { MAX_READS = 256 };

static struct claw_spoilt_read {
	unsigned char *at;	/* in the program's memory */
	cl_event event;		/* a reference of ours, or NULL */
	uint8_t mask;
	bool used, over;
	unsigned int askers;	/* threads that ask the driver about it */
	uint16_t early;		/* early.c's read + 1 that copies it, 0: none */
	uint64_t early_use;	/* the how manieth of that place */
	bool flipped;
	_Atomic bool made;	/* the driver has it, the event is there */
	_Atomic bool called;	/* the driver's callback will not come again */
} reads[MAX_READS];
static _Atomic unsigned int pending;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Who has seen that it is flipped sees the bit; nothing is called within. */
static pthread_mutex_t flip_lock = PTHREAD_MUTEX_INITIALIZER;

void claw_ecc_reset(void)
{
	pthread_mutex_init(&lock, NULL);
	pthread_mutex_init(&flip_lock, NULL);
	for (unsigned int i = 0; i < MAX_READS; i++) {
		reads[i].used = false;
		atomic_store(&reads[i].made, false);
	}
	atomic_store(&pending, 0);
}

bool claw_ecc_is_on(void)
{
	return atomic_load_explicit(&pending, memory_order_relaxed);
}

static void flip(struct claw_spoilt_read *read)
{
	pthread_mutex_lock(&flip_lock);
	if (!read->flipped)
		*read->at ^= read->mask;
	read->flipped = true;
	pthread_mutex_unlock(&flip_lock);
}

static void CL_CALLBACK on_complete(cl_event event, cl_int status, void *user)
{
	struct claw_spoilt_read *read = user;

	(void)event;
	if (status == CL_COMPLETE)
		flip(read);
	atomic_store(&read->called, true);
}

static struct claw_spoilt_read *take_place(void)
{
	struct claw_spoilt_read *read = NULL;

	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < MAX_READS && !read; i++)
		if (!reads[i].used)
			read = &reads[i];
	if (read) {
		read->used = true;
		read->over = read->flipped = false;
		read->askers = 0;
		read->event = NULL;
		read->early = 0;
		atomic_store(&read->called, false);
		atomic_fetch_add(&pending, 1);
	}
	pthread_mutex_unlock(&lock);
	return read;
}

/* Under the lock. */
static void free_place(struct claw_spoilt_read *read)
{
	atomic_store(&read->made, false);
	read->used = false;
	atomic_fetch_sub(&pending, 1);
}

static void give_back(struct claw_spoilt_read *read)
{
	pthread_mutex_lock(&lock);
	free_place(read);
	pthread_mutex_unlock(&lock);
}

/* The first byte that the read writes, and how many follow it in a row. */
static unsigned char *first_byte(const struct claw_call *call,
				 uint64_t *ret_bytes)
{
	const struct claw_touch *host = claw_api_find_host(call->api);
	const size_t *origin, *region;
	unsigned char *at;
	size_t row, slice;

	*ret_bytes = 1;
	at = host ? CLAW_ARG_AT(call, unsigned char *, host->memory) : NULL;
	if (!at || host->kind == CLAW_TOUCH_HOST_PIXELS)
		return at;
	if (host->kind == CLAW_TOUCH_HOST) {
		*ret_bytes = CLAW_ARG_AT(call, size_t, host->size);
		return at;
	}
	origin = CLAW_ARG_AT(call, size_t *, host->at);
	region = CLAW_ARG_AT(call, size_t *, host->size);
	if (!origin || !region)
		return NULL;
	*ret_bytes = region[0];
	row = CLAW_ARG_AT(call, size_t, host->row);
	slice = CLAW_ARG_AT(call, size_t, host->slice);
	row = row ? row : region[0];
	slice = slice ? slice : row * region[1];
	return at + origin[0] + origin[1] * row + origin[2] * slice;
}

bool claw_ecc_before(struct claw_call *call, unsigned int rule)
{
	uint64_t bytes;
	unsigned char *at = first_byte(call, &bytes);
	double where = claw_random(claw_guest.seed, rule, call->ordinal, 2);
	struct claw_spoilt_read *read = at && bytes ? take_place() : NULL;

	if (!read)
		return false;
	claw_watch_all();
	call->post = true;
	read->at = at + (uint64_t)(where * (double)bytes);
	read->mask = (uint8_t)(1u << (unsigned int)(where * 8192) % 8);
	call->ecc.read = read;
	return true;
}

/* The driver has it, and it is not complete, or not where it belongs. */
static void keep(const struct claw_call *call, struct claw_spoilt_read *read)
{
	const cl_event *event = claw_arg_pointer(call, CLAW_P_EVENT_OUT);

	read->event = *event;
	claw_next.clRetainEvent(read->event);
	if (call->early.read) {
		read->early = call->early.read;
		read->early_use = claw_early_use(call->early.read);
		atomic_store(&read->called, true);
	} else if (claw_next.clSetEventCallback(read->event, CL_COMPLETE,
						on_complete, read)) {
		atomic_store(&read->called, true);
	}
	atomic_store(&read->made, true);
}

void claw_ecc_made(struct claw_call *call, bool taken)
{
	const cl_bool *blocking = claw_arg_address(call, CLAW_P_BLOCKING);
	struct claw_spoilt_read *read = call->ecc.read;

	if (taken && (!*blocking || call->early.read)) {
		claw_ours_begin();
		keep(call, read);
		claw_ours_end();
		return;
	}
	if (taken)
		flip(read);
	give_back(read);
}

/* early.c brings it to the program's memory: is it there? *ret_lost: it never
 * will be, for the memory is gone. */
static bool is_in_place(const struct claw_spoilt_read *read, bool *ret_lost)
{
	*ret_lost = false;
	return !read->early ||
	       claw_early_is_in_place(read->early, read->early_use, ret_lost);
}

/* Is it over, one way or the other? */
static bool settle_one(struct claw_spoilt_read *read)
{
	cl_int status = CL_QUEUED;
	bool lost;

	if (!is_in_place(read, &lost) ||
	    claw_next.clGetEventInfo(read->event,
				     CL_EVENT_COMMAND_EXECUTION_STATUS,
				     sizeof(status), &status, NULL) ||
	    status > CL_COMPLETE)
		return false;
	if (status == CL_COMPLETE && !lost) {
		if (read->early)
			claw_early_touching((uintptr_t)read->at, 1);
		flip(read);
	}
	return atomic_load(&read->called);
}

/* Whoever asks keeps the place; the last one that does gives it back. */
static bool begin_asking(struct claw_spoilt_read *read)
{
	bool asks;

	if (!atomic_load(&read->made))
		return false;
	pthread_mutex_lock(&lock);
	asks = atomic_load(&read->made) && !read->over;
	read->askers += asks;
	pthread_mutex_unlock(&lock);
	return asks;
}

static void end_asking(struct claw_spoilt_read *read, bool over)
{
	cl_event event = NULL;

	pthread_mutex_lock(&lock);
	read->over |= over;
	if (!--read->askers && read->over) {
		event = read->event;
		free_place(read);
	}
	pthread_mutex_unlock(&lock);
	if (event)
		claw_next.clReleaseEvent(event);
}

void claw_ecc_look(void)
{
	claw_ours_begin();
	for (unsigned int i = 0; i < MAX_READS; i++)
		if (begin_asking(&reads[i]))
			end_asking(&reads[i], settle_one(&reads[i]));
	claw_ours_end();
}
