/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches: the kernel's twin runs in place of the kernel. One that the driver
 * refuses is repeated with the kernel itself, whose answer is the program's. A
 * kernel that has nothing left to tell runs itself.
 */
#include "config.h"

#include "instrument_valid.h"
#include "instrument_verify.h"

#include <string.h>

static uint64_t asked;			/* launches of kernels that have twins */

static const cl_kernel *kernel_of(const struct claw_call *call)
{
	return claw_arg_address(call, CLAW_P_KERNEL);
}

static void put_kernel(const struct claw_call *call, cl_kernel kernel)
{
	*(cl_kernel *)(uintptr_t)kernel_of(call) = kernel;
}

/* One more of those in the header of its file, if it has one. */
#define COUNT(twin_, which_)						\
	do {								\
		if ((twin_)->twin->words)				\
			__atomic_add_fetch(				\
				&(twin_)->twin->words->file->which_, 1,	\
				__ATOMIC_RELAXED);			\
	} while (0)

/* The twin for the queue's device; NULL: that has none, nor a file. */
static struct claw_kernel_twin *find_twin(struct claw_probed_kernel *kernel,
					  cl_command_queue handle)
{
	struct claw_probed_queue queue;

	claw_probed_queue_get(handle, &queue);
	for (unsigned int i = 0; i < kernel->count; i++)
		if (kernel->twins[i].twin->device == queue.device)
			return &kernel->twins[i];
	return NULL;
}

/* Of all launches the ones that the user asked for. */
static bool is_chosen(void)
{
	uint64_t number = __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
	const struct claw_instrument_config *config = &claw_instrument_config;

	return number >= config->launch_skip &&
	       (!config->launch_count ||
		number - config->launch_skip < config->launch_count);
}

static bool set_hidden(struct claw_call *call,
		       struct claw_probed_kernel *kernel,
		       struct claw_kernel_twin *twin)
{
	cl_uint number;

	if (twin->hidden.launch < 0)
		return true;
	number = claw_probe_found_launch(call, kernel->name, twin);
	return !claw_next.clSetKernelArg(twin->kernel,
					 (cl_uint)twin->hidden.launch,
					 sizeof(number), &number);
}

static bool set_shadow(struct claw_call *call,
		       struct claw_probed_kernel *kernel,
		       struct claw_kernel_twin *twin)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	bool is_whole, is_known;
	bool done = claw_shadow_set(call, kernel, twin, queue, &is_whole) &&
		claw_cells_set(kernel, twin, queue, false, &is_known);

	call->instrument.is_partial = done && !(is_whole && is_known);
	return done;
}

/* Of memory that nobody knows the size of, shared by the system say, no access
 * can be outside. */
static bool is_unbounded(const struct claw_kernel_twin *twin)
{
	unsigned int known = 0, unknown = 0;

	for (unsigned int i = 0; i < twin->hidden.size_count; i++)
		if (twin->sizes[i] == UINT64_MAX)
			unknown++;
		else if (twin->hidden.sizes[i].space != CLAW_MAP_SAMPLER)
			known++;
	return unknown && !known;
}

static void count_unchecked(struct claw_kernel_twin *twin, bool is_partial)
{
	if (!(claw_instrument_config.modes & CLAW_PROBE_CHECKS) ||
	    !twin->twin->words)
		return;
	if (is_unbounded(twin))
		claw_words_why(twin->twin->words,
			       "the size of the memory is not known");
	if (twin->hidden.is_blind || is_unbounded(twin) || is_partial) {
		COUNT(twin, unchecked);
		claw_twin_say("launches are not checked",
			      twin->twin->words->file->why);
	} else if (twin->hidden.is_partly) {
		COUNT(twin, partly);
		claw_twin_say("accesses are not checked",
			      twin->twin->words->file->partly_why);
	}
}

/* A driver's callback within a launch may launch the same kernel. */
static __thread bool inside __attribute__((tls_model(CLAW_TLS_MODEL)));

/* True: it goes on with the twin, inside and with the kernel's lock; or, when
 * that is complete, with the kernel itself. */
static bool take(struct claw_call *call, struct claw_probed_kernel *kernel,
		 struct claw_kernel_twin *twin)
{
	bool is_complete = claw_complete_is(twin->complete, twin->twin->words);
	bool is_right;

	if (kernel->is_wanted && !twin->kernel && !is_complete) {
		COUNT(twin, plain_kernel);
		return false;
	}
	if (!kernel->is_wanted || !is_chosen()) {
		COUNT(twin, plain_other);
		return false;
	}
	call->instrument.kernel = kernel;
	call->instrument.twin = twin;
	if (is_complete)
		return true;
	pthread_mutex_lock(&kernel->lock);
	if (!twin->kernel || !set_hidden(call, kernel, twin)) {
		pthread_mutex_unlock(&kernel->lock);
		call->instrument.kernel = NULL;
		COUNT(twin, plain_refused);
		return false;
	}
	inside = true;
	/* What is tried out first leaves marks of its own. */
	is_right = claw_verify_launch(call, kernel, twin);
	if (!is_right || !set_shadow(call, kernel, twin) ||
	    !claw_twin_fits(twin)) {
		claw_shadow_end(twin);
		inside = false;
		pthread_mutex_unlock(&kernel->lock);
		call->instrument.kernel = NULL;
		if (is_right)
			COUNT(twin, plain_refused);
		else
			COUNT(twin, plain_changed);
		return false;
	}
	put_kernel(call, twin->kernel);
	return true;
}

void claw_launch_before(struct claw_call *call)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	struct claw_probed_kernel *kernel = inside || !queue ? NULL :
		claw_probed_kernel_get(*kernel_of(call));
	struct claw_kernel_twin *twin = kernel && kernel->count ?
		find_twin(kernel, queue) : NULL;

	if (!kernel || (twin && take(call, kernel, twin)))
		return;
	claw_valid_give_up(kernel);
	claw_probed_kernel_put(kernel);
}

static cl_int launch(const struct claw_call *call)
{
#define TASK(name_) CLAW_ARG(call, clEnqueueTask, name_)
#define RANGE(name_) CLAW_ARG(call, clEnqueueNDRangeKernel, name_)
	if (call->api == CLAW_API_clEnqueueTask)
		return claw_next.clEnqueueTask(TASK(command_queue),
			TASK(kernel), TASK(num_events_in_wait_list),
			TASK(event_wait_list), TASK(event));
	return claw_next.clEnqueueNDRangeKernel(RANGE(command_queue),
		RANGE(kernel), RANGE(work_dim), RANGE(global_work_offset),
		RANGE(global_work_size), RANGE(local_work_size),
		RANGE(num_events_in_wait_list), RANGE(event_wait_list),
		RANGE(event));
#undef TASK
#undef RANGE
}

/* The twin has run, or was refused. */
static void end_twin(struct claw_call *call,
		     const struct claw_probed_kernel *kernel,
		     struct claw_kernel_twin *twin)
{
	cl_event *const event = claw_arg_pointer(call, CLAW_P_EVENT_OUT);
	struct claw_probed_queue queue;

	if (!call->err) {
		count_unchecked(twin, call->instrument.is_partial);
		claw_probed_queue_get(claw_arg_pointer(call, CLAW_P_QUEUE),
				      &queue);
		claw_words_launched(twin->twin->words, &queue);
		claw_copies_early(twin->twin->words, &queue, event);
	} else {
		claw_valid_give_up(kernel);
		call->err = launch(call);
		if (!call->err)
			COUNT(twin, plain_refused);
	}
}

void claw_launch_after(struct claw_call *call)
{
	struct claw_probed_kernel *kernel = call->instrument.kernel;
	struct claw_kernel_twin *twin = call->instrument.twin;

	call->instrument.kernel = NULL;
	if (*kernel_of(call) != kernel->entry.handle) {
		put_kernel(call, kernel->entry.handle);
		claw_shadow_end(twin);
		end_twin(call, kernel, twin);
		inside = false;
		pthread_mutex_unlock(&kernel->lock);
	} else if (!call->err) {
		claw_words_launched_plain(twin->twin->words);
	}
	claw_probed_kernel_put(kernel);
}

void claw_launch_other(cl_kernel handle)
{
	struct claw_probed_kernel *kernel = claw_probed_kernel_get(handle);

	if (!kernel)
		return;
	if (kernel->count)
		COUNT(&kernel->twins[0], plain_other);
	claw_valid_give_up(kernel);
	claw_probed_kernel_put(kernel);
}

void claw_launches_begin(void)
{
	asked = 0;
	inside = false;
}
