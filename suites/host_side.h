/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the suites about the host's code share: objects made and asked in one
 * line, a witness of an object's end, and faults that are armed in a test
 * (faults/shared/openclaw.h).
 *
 * The planted twin of a test is called after it with "_bug" behind: it does
 * what users' programs did, and holds when the mistake shows.
 */
#ifndef CLAW_HOST_SIDE_H
#define CLAW_HOST_SIDE_H

#include <semaphore.h>
#include <time.h>

#include "suite_main.h"

#define CLAW_FAULT_FAIL(file_, line_, message_) \
	ck_abort_msg("%s:%d: %s", file_, line_, message_)
#include "faults/shared/openclaw.h"

/* The running test fails unless the call, as written, gives CL_SUCCESS. */
#define claw_must(call_)						\
	do {								\
		cl_int must_ = (call_);					\
									\
		claw_expect_code(#call_, must_, CL_SUCCESS);		\
	} while (0)
/* ... gives this code. */
#define claw_must_give(code_, call_)					\
	do {								\
		cl_int gave_ = (call_);					\
									\
		claw_expect_code(#call_, gave_, code_);			\
	} while (0)

/* References that OpenCL counts; the running test fails when the handle is
 * none. The specification calls the counts "immediately stale" and made for
 * finding leaks, which is what they are used for here. */
cl_uint claw_mem_references(cl_mem mem);
cl_uint claw_event_references(cl_event event);
cl_uint claw_kernel_references(cl_kernel kernel);
cl_uint claw_program_references(cl_program program);
cl_uint claw_queue_references(cl_command_queue queue);
cl_uint claw_context_references(cl_context context);
cl_uint claw_mem_maps(cl_mem mem);
cl_int claw_event_status(cl_event event);

/*
 * The running test fails unless the call, which is one of the above, comes to
 * this value: drivers may take their own references back in another thread
 * after a command has ended. Ten seconds at most.
 */
#define claw_comes_to(call_, expected_)					\
	do {								\
		struct claw_patience patience_ = claw_patience_new();	\
									\
		while ((call_) != (expected_) &&			\
		       claw_patience_left(&patience_))			\
			;						\
		ck_assert_int_eq(call_, expected_);			\
	} while (0)

struct claw_patience {
	struct timespec until;
};
struct claw_patience claw_patience_new(void);
/* False when it is used up; gives way to other threads before. */
bool claw_patience_left(const struct claw_patience *patience);

/* In claw_dev's context; the test fails when it cannot be had, and the caller
 * releases it. */
cl_mem claw_new_ints(size_t count);	/* all 0 */
cl_command_queue claw_new_queue(cl_context context);
cl_event claw_new_gate(void);		/* a user event */

/* Let the kernel's argument 0 be mem, and launch it; wait and ret_event may
 * be NULL. Returns the launch's code. */
cl_int claw_launch(cl_command_queue queue, cl_kernel kernel, cl_mem mem,
		   size_t items, const cl_event *wait, cl_event *ret_event);
/* Fails the test when an element is not this. */
void claw_expect_ints(cl_command_queue queue, cl_mem mem, size_t count,
		      cl_int expected);

/* Tells when a memory object or a context is gone. Outlives the object. */
struct claw_witness {
	sem_t gone;
};
void claw_witness_mem(struct claw_witness *witness, cl_mem mem);
/* OpenCL 3.0 only: false where the device knows no such callback. */
bool claw_witness_context(struct claw_witness *witness, cl_context context);
/* Drivers may tell from another thread: waits for that, ten seconds at most. */
bool claw_witness_sees_the_end(struct claw_witness *witness);
/* Nothing has been told so far. */
bool claw_witness_saw_nothing(struct claw_witness *witness);

#endif
