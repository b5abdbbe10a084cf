/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel file's tests again and again in one process, so that what leaks
 * there accumulates. What an iteration did goes to the layer, which counts;
 * words are printed more and more seldom.
 */
#include "config.h"

#include "kernel.h"
#include "harness/base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many iterations in a row with an error of a call: nothing will come of it
 * any more in this process. */
enum { ERRORS_MAX = 3 };

typedef int (CL_API_CALL *iteration_function)(cl_int right);

struct loop {
	struct claw_kernel_run *runs;	/* one a test that can run here */
	size_t count;
	iteration_function tell;	/* NULL: there is no layer */
	uint64_t done, wrong, errors;
	unsigned int errors_in_row;
};

/* Once, twice, 4 times, 8 times ... */
static bool is_worth_a_word(uint64_t count)
{
	return (count & (count - 1)) == 0;
}

static void say(const struct claw_kernel_run *run, const char *what,
		uint64_t count)
{
	fprintf(stderr, "%s: %s (%s %" PRIu64 "): %s\n", run->clw->path,
		run->test->case_name, what, count, run->message);
}

/* ---- the tests ------------------------------------------------------- */

static enum claw_kernel_status add_test(struct loop *loop,
					const struct claw_kernel_options *options,
					const struct claw_clw *clw,
					const struct claw_clw_test *test)
{
	struct claw_kernel_run *run = &loop->runs[loop->count];

	*run = (struct claw_kernel_run){
		.options = *options, .clw = clw, .test = test,
	};
	if (claw_kernel_open(run) && claw_kernel_build(run) && !run->kernel)
		claw_kernel_skip(run, "it is only built, never launched");
	if (run->status == CLAW_KERNEL_HELD) {
		loop->count++;
		return CLAW_KERNEL_HELD;
	}
	fprintf(stderr, "%s: %s%s: %s\n", clw->path, test->case_name,
		run->status == CLAW_KERNEL_SKIPPED ? " skipped" : "",
		run->message);
	claw_kernel_close(run);
	return run->status;
}

/* A test that this device cannot run is left out; of none, that is said. */
static enum claw_kernel_status open_tests(struct loop *loop,
					  const struct claw_kernel_options *options,
					  const struct claw_clw *clw)
{
	enum claw_kernel_status status = CLAW_KERNEL_SKIPPED;

	loop->runs = claw_calloc(clw->test_count, sizeof(*loop->runs));
	for (size_t i = 0; i < clw->test_count; i++) {
		if (options->test && strcmp(options->test,
					    clw->tests[i].case_name) != 0)
			continue;
		status = add_test(loop, options, clw, &clw->tests[i]);
		if (status != CLAW_KERNEL_HELD &&
		    status != CLAW_KERNEL_SKIPPED)
			return status;
	}
	return loop->count ? CLAW_KERNEL_HELD : CLAW_KERNEL_SKIPPED;
}

/* ---- one iteration ---------------------------------------------------- */

static void run_iteration(struct claw_kernel_run *run)
{
	claw_kernel_at(run, NULL);
	if ((run->kernel || claw_kernel_create(run)) &&
	    claw_kernel_launch(run)) {
		claw_kernel_compare(run);
		if (run->status != CLAW_KERNEL_USAGE)
			claw_kernel_guard_check(run);
	}
	run->is_launched = false;
	claw_kernel_release(run);
	if (run->kernel)
		clReleaseKernel(run->kernel);
	run->kernel = NULL;
}

static void tell(const struct loop *loop, bool right)
{
	if (loop->tell)
		loop->tell(right ? CL_TRUE : CL_FALSE);
}

/* HELD: go on. */
static enum claw_kernel_status take_outcome(struct loop *loop,
					    struct claw_kernel_run *run)
{
	enum claw_kernel_status status = run->status;

	if (status == CLAW_KERNEL_USAGE || status == CLAW_KERNEL_BROKEN) {
		fprintf(stderr, "%s: %s\n", run->clw->path, run->message);
		return status;
	}
	loop->errors_in_row = run->is_call ? loop->errors_in_row + 1 : 0;
	if (run->is_call && (is_worth_a_word(++loop->errors) ||
			     loop->errors_in_row == ERRORS_MAX))
		say(run, "error", loop->errors);
	if (status == CLAW_KERNEL_FAILED && !run->is_call &&
	    is_worth_a_word(++loop->wrong))
		say(run, "wrong result", loop->wrong);
	/* What failed has no result, right or wrong. */
	if (!run->is_call) {
		loop->done++;
		tell(loop, status == CLAW_KERNEL_HELD);
	}
	run->status = CLAW_KERNEL_HELD;
	run->message[0] = '\0';
	run->is_call = false;
	return loop->errors_in_row < ERRORS_MAX ? CLAW_KERNEL_HELD :
		CLAW_KERNEL_FAILED;
}

static enum claw_kernel_status run_all(struct loop *loop, uint64_t iterations)
{
	enum claw_kernel_status status = CLAW_KERNEL_HELD;

	for (uint64_t turn = 0; status == CLAW_KERNEL_HELD &&
	     (!iterations || loop->done < iterations); turn++) {
		struct claw_kernel_run *run = &loop->runs[turn % loop->count];

		run_iteration(run);
		status = take_outcome(loop, run);
	}
	return status;
}

enum claw_kernel_status claw_kernel_loop(const struct claw_kernel_options *options,
					 const struct claw_clw *clw)
{
	struct loop loop = { .runs = NULL };
	enum claw_kernel_status status = open_tests(&loop, options, clw);

	if (status == CLAW_KERNEL_HELD) {
		loop.tell = __extension__ (iteration_function)
			clGetExtensionFunctionAddressForPlatform(
				loop.runs[0].platform,
				"clawIterationOPENCLAW");
		status = run_all(&loop, options->iterations);
		printf("iterations: %" PRIu64 ", %" PRIu64 " with a wrong "
		       "result, %" PRIu64 " errors\n", loop.done, loop.wrong,
		       loop.errors);
	}
	for (size_t i = 0; i < loop.count; i++)
		claw_kernel_close(&loop.runs[i]);
	free(loop.runs);
	return status;
}
