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

enum { MAX_READS = 256 };

static struct spoilt_read {
	unsigned char *at;
	cl_event event;		/* a reference of ours, or NULL */
	uint8_t mask;
	bool used;
	_Atomic bool flipped;
	_Atomic bool made;	/* the driver has it, the event is there */
	_Atomic bool called;	/* the driver's callback will not come again */
} reads[MAX_READS];
static _Atomic unsigned int pending;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The read that this thread is making. */
static __thread struct spoilt_read *making
	__attribute__((tls_model("initial-exec")));

void claw_ecc_reset(void)
{
	pthread_mutex_init(&lock, NULL);
	for (unsigned int i = 0; i < MAX_READS; i++)
		reads[i].used = false;
	atomic_store(&pending, 0);
}

bool claw_ecc_is_on(void)
{
	return atomic_load_explicit(&pending, memory_order_relaxed);
}

static void flip(struct spoilt_read *read)
{
	if (!atomic_exchange(&read->flipped, true))
		*read->at ^= read->mask;
}

static void CL_CALLBACK on_complete(cl_event event, cl_int status, void *user)
{
	struct spoilt_read *read = user;

	(void)event;
	if (status == CL_COMPLETE)
		flip(read);
	atomic_store(&read->called, true);
}

static struct spoilt_read *take_place(void)
{
	struct spoilt_read *read = NULL;

	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < MAX_READS && !read; i++)
		if (!reads[i].used)
			read = &reads[i];
	if (read) {
		read->used = true;
		read->event = NULL;
		atomic_store(&read->flipped, false);
		atomic_store(&read->made, false);
		atomic_store(&read->called, false);
		atomic_fetch_add(&pending, 1);
	}
	pthread_mutex_unlock(&lock);
	return read;
}

static void give_back(struct spoilt_read *read)
{
	if (read->event)
		claw_next.clReleaseEvent(read->event);
	pthread_mutex_lock(&lock);
	read->used = false;
	atomic_fetch_sub(&pending, 1);
	pthread_mutex_unlock(&lock);
}

/* A byte that the read writes, and how many follow it. */
static unsigned char *first_byte(const struct claw_call *call,
				 uint64_t *ret_bytes)
{
	const void *const *args = call->args;
	unsigned char *at;
	const size_t *origin;

	*ret_bytes = 1;
	if (call->api == CLAW_API_clEnqueueReadBuffer) {
		*ret_bytes = *(const size_t *)args[4];
		return *(unsigned char *const *)args[5];
	}
	if (call->api == CLAW_API_clEnqueueReadImage)
		return *(unsigned char *const *)args[7];
	at = *(unsigned char *const *)args[10];
	origin = *(const size_t *const *)args[4];
	if (!at || !origin)
		return NULL;
	return at + origin[0] + origin[1] * *(const size_t *)args[8] +
	       origin[2] * *(const size_t *)args[9];
}

void claw_ecc_before(struct claw_call *call, unsigned int rule)
{
	uint64_t bytes;
	unsigned char *at = first_byte(call, &bytes);
	cl_event **event_out = (cl_event **)(uintptr_t)
		claw_arg_address(call, CLAW_P_EVENT_OUT);
	double where = claw_random(claw_guest.seed, rule, call->ordinal, 2);
	struct spoilt_read *read = at && bytes ? take_place() : NULL;

	if (!read)
		return;
	claw_watch_all();
	call->post = true;
	read->at = at + (uint64_t)(where * (double)bytes);
	read->mask = (uint8_t)(1u << (unsigned int)(where * 8192) % 8);
	if (!*event_out)
		*event_out = &read->event;	/* the parameter is our copy */
	making = read;
}

static void made(struct claw_call *call, struct spoilt_read *read)
{
	const cl_bool *blocking = claw_arg_address(call, CLAW_P_BLOCKING);
	cl_event *event = claw_arg_pointer(call, CLAW_P_EVENT_OUT);

	if (!call->err && *blocking)
		flip(read);
	if (call->err || *blocking) {
		if (call->err)
			read->event = NULL;
		give_back(read);
		return;
	}
	if (event != &read->event) {
		read->event = *event;
		claw_next.clRetainEvent(read->event);
	}
	if (claw_next.clSetEventCallback(read->event, CL_COMPLETE, on_complete,
					 read))
		atomic_store(&read->called, true);
	atomic_store(&read->made, true);
}

/* Is it over, one way or the other? */
static bool settle_one(struct spoilt_read *read)
{
	cl_int status = CL_QUEUED;

	if (claw_next.clGetEventInfo(read->event,
				     CL_EVENT_COMMAND_EXECUTION_STATUS,
				     sizeof(status), &status, NULL) ||
	    status > CL_COMPLETE)
		return false;
	if (status == CL_COMPLETE)
		flip(read);
	return atomic_load(&read->called);
}

static void settle(void)
{
	for (unsigned int i = 0; i < MAX_READS; i++) {
		struct spoilt_read *read = &reads[i];
		bool over;

		if (!atomic_load(&read->made))
			continue;
		over = settle_one(read) &&
		       atomic_exchange(&read->made, false);
		if (over)
			give_back(read);
	}
}

void claw_ecc_after(struct claw_call *call)
{
	struct spoilt_read *read = making;

	claw_ours_begin();
	if (read) {
		made(call, read);
		making = NULL;
	}
	settle();
	claw_ours_end();
}
