/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is to be launched: the request, and for what it leaves open the first
 * test of the file, or the one that it names.
 */
#include "config.h"

#include "clw_worker.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/errors.h"

int claw_worker_fail(struct claw_worker_error *error, int status,
		     const char *format, ...)
{
	va_list args;

	error->status = status;
	error->cl_code = CL_SUCCESS;
	va_start(args, format);
	vsnprintf(error->message, sizeof(error->message), format, args);
	va_end(args);
	return status;
}

int claw_worker_fail_clw(struct claw_worker_error *error)
{
	const char *text = clwLastError(), *colon = strstr(text, ": ");

	claw_worker_fail(error, clwLastStatus(), "%s", colon ? colon + 2 :
			 text);
	error->cl_code = clwLastClCode();
	return error->status;
}

/* ---- the request ----------------------------------------------------------- */

static void read_arg(struct clw_wire *request, struct claw_worker_run *run)
{
	struct claw_worker_arg arg = { .is_there = true };
	uint64_t index = clw_get(request);
	size_t size;

	arg.kind = (enum clw_arg_kind)clw_get(request);
	arg.is_output = clw_get(request) != 0;
	arg.size = (size_t)clw_get(request);
	arg.data = clw_get_bytes(request, &size);
	if (!size)
		arg.data = NULL;
	arg.count = arg.size;
	if (index >= CLAW_WORKER_ARGS || (size && size != arg.size))
		request->is_bad = true;
	else
		run->args[index] = arg;
}

static void read_request(struct clw_wire *request, struct claw_worker_run *run)
{
	uint64_t count;

	run->path = clw_get_text(request);
	run->function = clw_get_text(request);
	run->test = clw_get_text(request);
	run->seed = clw_get(request);
	run->dimensions = (unsigned int)clw_get(request);
	run->has_local = clw_get(request) != 0;
	for (unsigned int i = 0; i < 3; i++) {
		run->global[i] = (size_t)clw_get(request);
		run->local[i] = (size_t)clw_get(request);
	}
	count = clw_get(request);
	for (uint64_t i = 0; i < count && !request->is_bad; i++)
		read_arg(request, run);
}

/* ---- the file --------------------------------------------------------------- */

/* Of an arg_out line the values are what a test expects, not what is there. */
static void take(struct claw_worker_arg *arg, const struct claw_clw_arg *line,
		 bool is_output)
{
	*(is_output ? &arg->out : &arg->in) = line;
	arg->is_there = true;
	arg->kind = line->kind == CLAW_CLW_LOCAL ? CLW_ARG_LOCAL :
		    line->kind == CLAW_CLW_VALUE ? CLW_ARG_VALUE :
		    CLW_ARG_BUFFER;
	arg->is_output |= is_output;
	arg->size = line->size_bytes;
	arg->count = line->count;
	arg->is_null |= line->fill == CLAW_CLW_NULL;
	if (!is_output && line->fill == CLAW_CLW_DATA)
		arg->data = line->data;
	if (line->type.width > 1)
		snprintf(arg->type, sizeof(arg->type), "%s%u",
			 claw_clw_base_name(line->type.base),
			 line->type.width);
	else
		snprintf(arg->type, sizeof(arg->type), "%s",
			 claw_clw_base_name(line->type.base));
}

static int take_lines(struct claw_worker_run *run, const bool *is_given,
		      const struct claw_clw_arg *lines, size_t count,
		      bool is_output, struct claw_worker_error *error)
{
	for (size_t i = 0; i < count; i++) {
		const struct claw_clw_arg *line = &lines[i];

		if (line->index >= CLAW_WORKER_ARGS ||
		    is_given[line->index])
			continue;
		if (line->is_freed)
			return claw_worker_fail(error, CLW_INVALID_ARGUMENT,
				"%s:%u: argument %u is \"freed\", which is a "
				"mistake for \"openclaw test\"; give the "
				"argument yourself", run->path, line->line,
				line->index);
		take(&run->args[line->index], line, is_output);
	}
	return CLW_OK;
}

static int take_test(struct claw_worker_run *run,
		     const struct claw_clw_test *test,
		     struct claw_worker_error *error)
{
	bool is_given[CLAW_WORKER_ARGS];
	int status;

	for (unsigned int i = 0; i < CLAW_WORKER_ARGS; i++)
		is_given[i] = run->args[i].is_there;
	if (!*run->function && test->kernel)
		run->function = test->kernel;
	if (!run->dimensions) {
		run->dimensions = test->dimensions;
		run->has_local = test->has_local;
		memcpy(run->global, test->global, sizeof(run->global));
		memcpy(run->local, test->local, sizeof(run->local));
	}
	status = take_lines(run, is_given, test->in, test->in_count, false,
			    error);
	return status ? status : take_lines(run, is_given, test->out,
					    test->out_count, true, error);
}

static int fail_test(const struct claw_worker_run *run,
		     struct claw_worker_error *error)
{
	return claw_worker_fail(error, CLW_INVALID_ARGUMENT, "%s has no test "
				"'%.80s'", run->path, run->test);
}

static int read_file(struct claw_worker_run *run,
		     struct claw_worker_error *error)
{
	const struct claw_clw_test *test;
	struct claw_clw_error why;
	int ret = claw_clw_read(run->path, &run->file, &why);

	if (ret == -CLAW_E_NOT_FOUND)
		return *run->test ? fail_test(run, error) : CLW_OK;
	if (ret < 0)
		return claw_worker_fail(error, CLW_INVALID_ARGUMENT, "%s",
					why.message);
	test = *run->test ? NULL : run->file->tests;
	for (size_t i = 0; !test && i < run->file->test_count; i++) {
		const struct claw_clw_test *one = &run->file->tests[i];

		if (strcmp(one->name ? one->name : "", run->test) == 0 ||
		    strcmp(one->case_name, run->test) == 0)
			test = one;
	}
	return test ? take_test(run, test, error) : fail_test(run, error);
}

int claw_worker_take(struct clw_wire *request, struct claw_worker_run *run,
		     struct claw_worker_error *error)
{
	int status;

	read_request(request, run);
	if (request->is_bad)
		return claw_worker_fail(error, CLW_WORKER_LOST, "the request "
					"is not whole");
	status = read_file(run, error);
	if (status)
		return status;
	for (unsigned int i = 0; i < CLAW_WORKER_ARGS; i++)
		if (run->args[i].is_there)
			run->count = i + 1;
	if (!run->dimensions)
		return claw_worker_fail(error, CLW_INVALID_WORK_SIZE, "%s says "
					"no global size, and none is given",
					run->path);
	return CLW_OK;
}
