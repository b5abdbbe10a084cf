/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel with probes beside the same without: see instrument_verify.h. */
#include "config.h"

#include "instrument_verify.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "faults/call/own_session.h"

enum { TRIES = 3, AGAIN = 2, NAP_NS = 50000 };

static const uint64_t REACHED_NS = 2000000000;	/* what the launch waits for */
static const uint64_t RUN_NS = 5000000000;	/* of one launch of ours */

struct claw_verified {
	struct claw_verified *next;	/* of the same words */
	enum claw_verified_state state;
	uint32_t tries;
	bool is_said;			/* it is counted as the same, */
	bool is_counted;		/* as one that cannot be verified */
	char name[];
};

/* One launch that is tried out. */
struct trial {
	const struct claw_call *call;
	struct claw_probed_kernel *kernel;
	struct claw_kernel_twin *twin;
	struct claw_verify_copies copies;
	cl_mem words;			/* that the trial's probes write to */
	uint64_t hash[2];		/* of what the last run wrote */
	uint32_t why;			/* enum claw_probe_unverified; 0: no reason */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- what is known */

struct claw_verified *claw_verified_of(struct claw_words *words,
				       const char *name)
{
	struct claw_verified *at;

	pthread_mutex_lock(&lock);
	for (at = words->verified; at && strcmp(at->name, name);)
		at = at->next;
	if (!at)
		at = calloc(1, sizeof(*at) + strlen(name) + 1);
	if (at && !*at->name) {
		memcpy(at->name, name, strlen(name));
		at->next = words->verified;
		words->verified = at;
	}
	pthread_mutex_unlock(&lock);
	return at;
}

static void keep(const struct trial *trial, struct claw_verified *verified)
{
	struct claw_probe_header *file = trial->twin->twin->words->file;
	char why[CLAW_PROBE_WHY];

	if (verified->state == CLAW_VERIFIED_SAME) {
		__atomic_add_fetch(&file->verified, !verified->is_said,
				   __ATOMIC_RELAXED);
		verified->is_said = true;
	} else if (verified->state == CLAW_VERIFIED_CHANGED) {
		__atomic_add_fetch(&file->changed, 1, __ATOMIC_RELAXED);
		__atomic_sub_fetch(&file->verified, verified->is_said,
				   __ATOMIC_RELAXED);
		claw_probe_why(why, "kernel %s: results with and without "
			       "probes differ with this driver, so it ran "
			       "without them",
			       verified->name);
		memcpy(file->why, why, sizeof(why));
		if (claw_own_session_is_own())
			claw_say("%s", why);
	}
	__atomic_add_fetch(&file->compared, !trial->why, __ATOMIC_RELAXED);
	if (claw_instrument_config.verify == CLAW_VERIFY_ALL)
		__atomic_add_fetch(&file->left_out, trial->why != 0,
				   __ATOMIC_RELAXED);
	__atomic_or_fetch(&file->unverified_why, trial->why, __ATOMIC_RELAXED);
	if (trial->why && !verified->is_counted &&
	    verified->state == CLAW_VERIFIED_NOT) {
		verified->is_counted = true;
		__atomic_add_fetch(&file->unverified, 1, __ATOMIC_RELAXED);
	} else if (!trial->why && verified->is_counted) {
		verified->is_counted = false;
		__atomic_sub_fetch(&file->unverified, 1, __ATOMIC_RELAXED);
	}
}

/* ---- waiting, without the program's queues being held up for ever */

/* 1: done, 0: not in time, -1: failed. */
static int wait_for(cl_event event, uint64_t until_ns)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };
	cl_int status = CL_QUEUED;

	for (;;) {
		if (claw_next.clGetEventInfo(event,
				CL_EVENT_COMMAND_EXECUTION_STATUS,
				sizeof(status), &status, NULL) || status < 0)
			return -1;
		if (status == CL_COMPLETE)
			return 1;
		if (claw_now_ns() > until_ns)
			return 0;
		nanosleep(&nap, NULL);
	}
}

/* The program's own thread may have to end it. */
static bool is_users(cl_event event)
{
	cl_command_type type = 0;

	return claw_next.clGetEventInfo(event, CL_EVENT_COMMAND_TYPE,
					sizeof(type), &type, NULL) ||
	       type == CL_COMMAND_USER;
}

/* All that the launch has to wait for is done. */
static bool is_reached(const struct trial *trial)
{
	const struct claw_call *call = trial->call;
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	void *const *list;
	cl_uint count = claw_arg_list(call, CLAW_P_WAIT_LIST, &list);
	uint64_t until = claw_now_ns() + REACHED_NS;
	cl_event marker = NULL;
	int done = 1;

	for (cl_uint i = 0; list && done == 1 && i < count; i++) {
		done = wait_for(list[i], is_users(list[i]) ? 0 : until);
	}
	if (done != 1 || !claw_next.clEnqueueMarkerWithWaitList ||
	    claw_next.clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker))
		return false;
	claw_next.clFlush(queue);
	done = wait_for(marker, until);
	claw_next.clReleaseEvent(marker);
	return done == 1;
}

/* ---- runs */

/* 1: it has run, 0: not in time, -1: it does not. */
static int launch(const struct trial *trial, cl_kernel kernel)
{
	const struct claw_call *call = trial->call;
	static const size_t one = 1;
	bool is_task = call->api == CLAW_API_clEnqueueTask;
	cl_command_queue queue = trial->copies.queue;
	cl_event event;
	int done;

	if (is_task ? claw_next.clEnqueueNDRangeKernel(queue, kernel, 1, NULL,
						       &one, &one, 0, NULL,
						       &event) :
		      claw_next.clEnqueueNDRangeKernel(
			      queue, kernel,
			      CLAW_ARG(call, clEnqueueNDRangeKernel, work_dim),
			      CLAW_ARG(call, clEnqueueNDRangeKernel,
				       global_work_offset),
			      CLAW_ARG(call, clEnqueueNDRangeKernel,
				       global_work_size),
			      CLAW_ARG(call, clEnqueueNDRangeKernel,
				       local_work_size),
			      0, NULL, &event))
		return -1;
	claw_next.clFlush(queue);
	done = wait_for(event, claw_now_ns() + RUN_NS);
	claw_next.clReleaseEvent(event);
	return done;
}

/* The kernel on copies as fresh as the first time. False: it cannot be. */
static bool run(struct trial *trial, cl_kernel kernel)
{
	struct claw_verify_copies *copies = &trial->copies;
	int done = -1;

	if (claw_verify_copies_set(copies, kernel, true) &&
	    claw_verify_copies_fill(copies))
		done = launch(trial, kernel);
	claw_verify_copies_set(copies, kernel, false);
	if (done != 1)
		trial->why = done ? CLAW_UNVERIFIED_REFUSED :
			CLAW_UNVERIFIED_LONG;
	else if (!claw_verify_copies_hash(copies, trial->hash))
		trial->why = CLAW_UNVERIFIED_MEMORY;
	return !trial->why;
}

/* Words as they are before anything was counted. */
static cl_mem make_words(const struct claw_words *words)
{
	size_t bytes = (size_t)words->file->words * 4;
	uint32_t *fresh = calloc(1, bytes);
	cl_mem made = NULL;
	cl_int err;

	if (!fresh)
		return NULL;
	memcpy(fresh, words->words, CLAW_PROBE_COUNTERS_AT * 4);
	fresh[CLAW_PROBE_FOUND] = 0;
	made = claw_next.clCreateBuffer(words->context, CL_MEM_READ_WRITE |
					CL_MEM_COPY_HOST_PTR, bytes, fresh,
					&err);
	free(fresh);
	return made;
}

/* A wrong access is what makes results differ, and a device may not survive it
 * without probes. */
static bool has_found(const struct trial *trial)
{
	uint32_t found = 0;

	return claw_instrument_config.modes & CLAW_PROBE_CHECKS &&
	       (claw_next.clEnqueueReadBuffer(trial->copies.queue, trial->words,
					      CL_TRUE, CLAW_PROBE_FOUND * 4, 4,
					      &found, 0, NULL, NULL) || found);
}

static bool run_probed(struct trial *trial)
{
	struct claw_kernel_twin *twin = trial->twin;
	cl_mem words = twin->twin->words->buffer;
	bool done, is_whole;

	if (trial->words)
		claw_next.clReleaseMemObject(trial->words);
	trial->words = make_words(twin->twin->words);
	if (!trial->words || claw_next.clSetKernelArg(twin->kernel,
			twin->hidden.words, sizeof(cl_mem), &trial->words)) {
		trial->why = CLAW_UNVERIFIED_MEMORY;
		return false;
	}
	claw_shadow_set(trial->call, trial->kernel, twin, trial->copies.queue,
			&is_whole);
	claw_cells_set(trial->kernel, twin, trial->copies.queue, true,
		       &is_whole);
	done = claw_twin_fits(twin);
	if (!done)
		trial->why = CLAW_UNVERIFIED_MEMORY;
	done = done && run(trial, twin->kernel);
	claw_shadow_end(twin);
	claw_shadow_leave(twin->twin->words, trial->copies.queue);
	claw_next.clSetKernelArg(twin->kernel, twin->hidden.words,
				 sizeof(words), &words);
	if (done && has_found(trial)) {
		trial->why = CLAW_UNVERIFIED_FINDS;
		done = false;
	}
	return done;
}

/* The runs so far differ: are they the same each time, so that the difference
 * can be the probes' doing? What local memory holds at first, say, is not. */
static bool is_steady(struct trial *trial)
{
	uint64_t plain[2];

	memcpy(plain, trial->hash, sizeof(plain));
	for (unsigned int i = 0; i < AGAIN && !trial->why; i++)
		if (run(trial, trial->kernel->entry.handle) &&
		    memcmp(plain, trial->hash, sizeof(plain)))
			trial->why = CLAW_UNVERIFIED_VARIES;
	if (!trial->why && run_probed(trial) &&
	    !memcmp(plain, trial->hash, sizeof(plain)))
		trial->why = CLAW_UNVERIFIED_VARIES;
	return !trial->why;
}

static enum claw_verified_state compare(struct trial *trial)
{
	uint64_t probed[2];

	if (!run_probed(trial))
		return CLAW_VERIFIED_NOT;
	memcpy(probed, trial->hash, sizeof(probed));
	if (!run(trial, trial->kernel->entry.handle))
		return CLAW_VERIFIED_NOT;
	if (!memcmp(probed, trial->hash, sizeof(probed)))
		return CLAW_VERIFIED_SAME;
	return is_steady(trial) ? CLAW_VERIFIED_CHANGED : CLAW_VERIFIED_NOT;
}

static enum claw_verified_state try_out(struct trial *trial)
{
	enum claw_verified_state state = CLAW_VERIFIED_NOT;

	if (trial->twin->twin->prints)
		trial->why = CLAW_UNVERIFIED_PRINTS;
	else if (claw_is_called_back() || !is_reached(trial))
		trial->why = CLAW_UNVERIFIED_WAITS;
	else
		trial->why = claw_verify_copies_make(&trial->copies,
						     trial->kernel,
						     trial->twin);
	if (!trial->why)
		state = trial->copies.count ? compare(trial) :
			CLAW_VERIFIED_SAME;
	/* What has not ended may be using them still. */
	if (trial->why != CLAW_UNVERIFIED_LONG) {
		claw_verify_copies_release(&trial->copies);
		if (trial->words)
			claw_next.clReleaseMemObject(trial->words);
	}
	return state;
}

/* Oclgrind interprets kernels, and would tell of what it finds once more. */
static bool is_asked(const struct claw_kernel_twin *twin)
{
	return claw_instrument_config.verify != CLAW_VERIFY_NONE &&
	       twin->verified &&
	       !strstr(twin->twin->words->file->device, "Oclgrind");
}

static bool is_due(const struct claw_verified *verified)
{
	bool is_all = claw_instrument_config.verify == CLAW_VERIFY_ALL;

	return verified->state != CLAW_VERIFIED_CHANGED &&
	       (is_all || (verified->state == CLAW_VERIFIED_NOT &&
			   verified->tries < TRIES));
}

bool claw_verify_launch(const struct claw_call *call,
			struct claw_probed_kernel *kernel,
			struct claw_kernel_twin *twin)
{
	struct claw_verified *verified = twin->verified;
	struct trial trial = { .call = call, .kernel = kernel, .twin = twin };
	enum claw_verified_state state;

	if (is_asked(twin) && is_due(verified)) {
		claw_twins_note(true);
		state = try_out(&trial);
		claw_twins_note(false);
		if (!trial.why)
			verified->state = state;
		/* What may be otherwise the next time is tried again. */
		verified->tries = trial.why == CLAW_UNVERIFIED_WAITS ||
			trial.why == CLAW_UNVERIFIED_REFUSED ?
			verified->tries + 1 : TRIES;
		keep(&trial, verified);
	}
	return !verified || verified->state != CLAW_VERIFIED_CHANGED;
}

void claw_verify_begin(void)
{
	pthread_mutex_init(&lock, NULL);
}
