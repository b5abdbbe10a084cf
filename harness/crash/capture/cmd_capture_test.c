/* SPDX-License-Identifier: Apache-2.0 */
/* See capture_test.h. */
#include "config.h"

#include "capture_test.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/plan.h"
#include "harness/crash/emit/emit_clw.h"
#include "harness/session/called.h"
#include "harness/session/fault_plan.h"
#include "harness/base/errors.h"
#include "harness/base/text.h"

/* The launch (index + 1) that was meant, or 0. What is read back before it
 * names it, where the ring has forgotten others. */
static uint32_t find_launch(const struct claw_trace *trace,
			    const struct claw_capture_test *test)
{
	uint64_t number = 0;
	uint32_t found = 0;

	for (uint32_t i = 0; i < trace->call_count; i++) {
		const struct claw_trace_call *call = &trace->calls[i];

		if (call->api != CLAW_API_clEnqueueNDRangeKernel ||
		    call->result != 0 || !call->returned ||
		    (test->kernel && !claw_glob_match(test->kernel,
				claw_trace_kernel_name(trace,
					claw_trace_launched(call)))))
			continue;
		for (uint32_t n = 0; n < call->kernel_arg_count; n++)
			if (call->kernel_args[n].before)
				return i + 1;
		if (++number == test->launch && !trace->forgotten)
			found = i + 1;
	}
	return found;
}

static void emit(const struct claw_dump *dump, const char *path,
		 const struct claw_capture_test *test)
{
	const struct claw_replay_spec replay = {
		.dump = dump, .trace = dump->trace,
	};
	struct claw_emit_clw spec = {
		.dump = dump, .trace = dump->trace,
		.launch = find_launch(dump->trace, test),
		.name = claw_base_name(path), .path = test->path,
		.replay = &replay,
	};
	char *why = NULL, *quoted;
	int ret;

	if (!spec.launch)
		claw_die(CLAW_EXIT_UNKNOWN, "capture: --emit-test: no launch %" PRIu64
			 " of %s: no test written",
			 test->launch, test->kernel ? test->kernel :
			 "a kernel");
	ret = claw_emit_clw(&spec, &why);
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", test->path, ret ==
			 -CLAW_E_IO ? strerror(errno) : claw_error_text(ret));
	if (why)
		claw_die(CLAW_EXIT_UNKNOWN, "capture: --emit-test: %s: no "
			 "test written", why);
	quoted = claw_shell_quote(test->path);
	claw_warn("%s: a test of launch %" PRIu64 " of %s; next: %s test %s",
		  test->path, test->launch,
		  claw_trace_kernel_name(dump->trace, claw_trace_launched(
			&dump->trace->calls[spec.launch - 1])), claw_called(),
		  quoted);
	free(quoted);
}

void claw_capture_test_write(const struct claw_capture_test *test)
{
	char *link = claw_path_in(test->dumps, "latest.dmp");
	struct claw_dump *dump = NULL;
	int ret = claw_dump_read(link, NULL, &dump);
	char *path = realpath(link, NULL);

	if (ret < 0 || !dump->trace)
		claw_die(CLAW_EXIT_UNKNOWN, "capture: --emit-test: no dump of "
			 "the run");
	emit(dump, path ? path : link, test);
	claw_dump_free(dump);
	free(path);
	free(link);
}
