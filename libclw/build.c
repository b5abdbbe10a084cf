/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs: built once a context, in a thread that can be given up.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cache.h"

/* So that the types of arguments can be asked for. */
#define OPTIONS "-cl-kernel-arg-info"

struct clw_program {
	struct clw_program *next;
	char *path;
	struct timespec changed;
	off_t size;
	struct clw_built built;
	uint64_t number;		/* another one each time it is built */
};

/* ---- building ------------------------------------------------------------- */

struct build {
	struct clw_task task;
	struct clw_context *context;
	cl_program program;		/* its own, until it has run */
	char *options;
	cl_int err;
};

static void run(struct clw_task *task)
{
	struct build *build = (struct build *)task;

	build->err = clBuildProgram(build->program, 1,
				    &build->context->device.id, build->options,
				    NULL, NULL);
}

static void free_build(struct build *build)
{
	struct clw_context *context = build->context;

	free(build->options);
	free(build);
	clw_context_put(context);
}

static void drop(struct clw_task *task)
{
	clReleaseProgram(((struct build *)task)->program);
	free_build((struct build *)task);
}

static int fail_build(struct clw_context *context, cl_program program,
		      cl_int err, const char *what)
{
	char *log;
	size_t size = 0;
	int status;

	if (err != CL_BUILD_PROGRAM_FAILURE && err != CL_INVALID_BUILD_OPTIONS &&
	    err != CL_COMPILER_NOT_AVAILABLE)
		return clw_context_fail(context, err, false, "%s: the build "
					"failed", what);
	clGetProgramBuildInfo(program, context->device.id,
			      CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
	log = size && size < SIZE_MAX ? calloc(1, size + 1) : NULL;
	if (log && clGetProgramBuildInfo(program, context->device.id,
					 CL_PROGRAM_BUILD_LOG, size, log, NULL))
		log[0] = '\0';
	status = clw_fail_cl(CLW_KERNEL_BUILD_FAILURE, err, "%s for device "
			     "'%s': %s (%d)%s%.1400s", what,
			     context->device.name, clw_cl_name(err), err,
			     log && log[0] ? "\n" : "", log ? log : "");
	free(log);
	return status;
}

static struct build *new_build(struct clw_context *context, cl_program program,
			       const char *options)
{
	struct build *build = malloc(sizeof(*build));
	size_t size = sizeof(OPTIONS) + 1 + (options ? strlen(options) : 0);

	if (!build)
		return NULL;
	*build = (struct build){
		.task = { run, drop }, .context = context, .program = program,
		.options = malloc(size),
	};
	if (!build->options) {
		free(build);
		return NULL;
	}
	snprintf(build->options, size, OPTIONS "%s%s", options ? " " : "",
		 options ? options : "");
	clw_context_get(context);
	return build;
}

/* Takes the program, and gives it back on success alone. */
static int build_program(struct clw_context *context, cl_program program,
			 const char *what, const char *options)
{
	struct build *build = new_build(context, program, options);
	uint64_t timeout_ns;
	int status = CLW_OK;
	cl_int err;

	if (!build) {
		clReleaseProgram(program);
		return clw_fail_memory();
	}
	pthread_mutex_lock(&context->lock);
	timeout_ns = context->build_timeout_ns;
	pthread_mutex_unlock(&context->lock);
	if (!timeout_ns)
		run(&build->task);
	else if (!clw_task_run(context, &build->task, timeout_ns))
		return clw_fail(CLW_KERNEL_COMPILE_TIMEOUT, "the build of %s "
				"has not ended after %.3fs on device '%s', and "
				"is given up", what, (double)timeout_ns /
				(double)CLW_NS_PER_S, context->device.name);
	err = build->err;
	free_build(build);
	if (err) {
		status = fail_build(context, program, err, what);
		clReleaseProgram(program);
	}
	return status;
}

static int build_source(struct clw_context *context, const char *what,
			const char *text, size_t size, const char *options,
			cl_program *ret_program)
{
	cl_int err = CL_SUCCESS;
	cl_program program = clCreateProgramWithSource(context->handle, 1,
						       &text, &size, &err);
	int status;

	if (!program)
		return clw_context_fail(context, err ? err :
					CL_OUT_OF_HOST_MEMORY, false,
					"%s: no program", what);
	status = build_program(context, program, what, options);
	if (!status)
		*ret_program = program;
	return status;
}

/* Of an earlier process, if that works; why it does not is nobody's business. */
static bool build_binary(struct clw_context *context,
			 const struct clw_wire *key, const char *what,
			 const char *options, struct clw_built *built)
{
	cl_program program = clw_cache_load(context, key, &built->described);
	struct clw_error before;

	if (!program)
		return false;
	clw_error_get(&before);
	if (!build_program(context, program, what, options)) {
		clw_log_own(CLAW_LOG_DEBUG, "Program of %s: as an earlier "
			    "process built it", what);
		built->handle = program;
		return true;
	}
	clw_error_set(&before);
	clw_cache_drop(key);
	clw_wire_clear(&built->described);
	return false;
}

int clw_build_text(struct clw_context *context, const char *what,
		   const char *text, size_t size, const char *options,
		   struct clw_built *ret_built)
{
	struct clw_built built = { .handle = NULL };
	struct clw_wire key;
	int status = CLW_OK;

	clw_cache_key(context, text, size, options, &key);
	if (!build_binary(context, &key, what, options, &built)) {
		status = build_source(context, what, text, size, options,
				      &built.handle);
		if (!status)
			clw_cache_store(&key, built.handle);
	}
	clw_wire_clear(&key);
	if (!status)
		*ret_built = built;
	return status;
}

void clw_built_clear(struct clw_built *built)
{
	if (built->handle)
		clReleaseProgram(built->handle);
	built->handle = NULL;
	clw_wire_clear(&built->described);
}

/* ---- those that are built ---------------------------------------------------- */

static bool is_same(const struct clw_program *program,
		    const struct stat *status)
{
	return program->size == status->st_size &&
	       program->changed.tv_sec == status->st_mtim.tv_sec &&
	       program->changed.tv_nsec == status->st_mtim.tv_nsec;
}

static struct clw_program *known(struct clw_context *context, const char *path)
{
	for (struct clw_program *program = context->programs; program;
	     program = program->next)
		if (strcmp(program->path, path) == 0)
			return program;
	return NULL;
}

static int read_and_build(struct clw_context *context, const char *path,
			  struct clw_built *ret_built)
{
	char *text;
	size_t size;
	int status = clw_source_read(path, &text, &size);

	if (status)
		return status;
	status = clw_build_text(context, path, text, size, NULL, ret_built);
	free(text);
	return status;
}

static struct clw_program *new_program(const char *path)
{
	struct clw_program *program = calloc(1, sizeof(*program));

	if (!program)
		return NULL;
	program->path = strdup(path);
	if (program->path)
		return program;
	free(program);
	return NULL;
}

/* A program that is not known yet, or has changed. */
static int build_again(struct clw_context *context, const char *path,
		       struct clw_program *program, const struct stat *now)
{
	static uint64_t number;		/* atomic */
	struct clw_built built;
	int status = read_and_build(context, path, &built);

	if (status)
		return status;
	clw_built_clear(&program->built);
	program->built = built;
	program->number = __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED);
	program->changed = now->st_mtim;
	program->size = now->st_size;
	return CLW_OK;
}

int clw_build_file(struct clw_context *context, const char *path,
		   const struct clw_built **ret_built, uint64_t *ret_number)
{
	struct clw_program *program = known(context, path);
	struct stat now = { .st_size = 0 };
	int status = CLW_OK;

	stat(path, &now);
	if (!program) {
		program = new_program(path);
		if (!program)
			return clw_fail_memory();
		program->next = context->programs;
		context->programs = program;
	}
	if (!program->built.handle || !is_same(program, &now))
		status = build_again(context, path, program, &now);
	if (status)
		return status;
	*ret_built = &program->built;
	*ret_number = program->number;
	return CLW_OK;
}

bool clw_programs_have(const struct clw_context *context, const void *object)
{
	for (const struct clw_program *program = context->programs; program;
	     program = program->next)
		if (program->built.handle == object)
			return true;
	return false;
}

void clw_programs_free(struct clw_context *context)
{
	while (context->programs) {
		struct clw_program *program = context->programs;

		context->programs = program->next;
		clw_built_clear(&program->built);
		free(program->path);
		free(program);
	}
}
