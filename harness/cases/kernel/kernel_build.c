/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Build a kernel file's program in a version of OpenCL C that the file and
 * the device agree on, and make the test's kernel.
 */
#include "config.h"

#include "kernel.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cases/clw/build_options.h"
#include "harness/base/memory.h"

/* "OpenCL C 1.2 ..." as 12; every OpenCL has 1.0. */
static unsigned int device_clc(cl_device_id device)
{
	unsigned int major, minor;
	char text[256];

	claw_device_text(device, CL_DEVICE_OPENCL_C_VERSION, text,
			 sizeof(text));
	if (sscanf(text, "OpenCL C %u.%u", &major, &minor) != 2)
		return 10;
	return major * 10 + minor;
}

/* A device of 3.0 may have newer ones than it says there: the oldest that is
 * new enough, or 0. */
static unsigned int newer_clc(const struct claw_kernel_run *run)
{
	cl_name_version versions[32];
	unsigned int best = 0;
	size_t size = 0;

	if (claw_device_version(run->device) < 300 ||
	    clGetDeviceInfo(run->device, CL_DEVICE_OPENCL_C_ALL_VERSIONS,
			    sizeof(versions), versions, &size) != CL_SUCCESS)
		return 0;
	for (size_t i = 0; i < size / sizeof(versions[0]); i++) {
		unsigned int clc = CL_VERSION_MAJOR(versions[i].version) * 10 +
				   CL_VERSION_MINOR(versions[i].version);

		if (clc >= run->clw->clc_version_min &&
		    (best == 0 || clc < best))
			best = clc;
	}
	return best;
}

/* ret_clc: what to build with, 0: the compiler's own choice. */
static bool choose_clc(struct claw_kernel_run *run, unsigned int *ret_clc)
{
	const struct claw_clw *clw = run->clw;
	unsigned int clc = device_clc(run->device), own = clc;

	if (clc < clw->clc_version_min)
		clc = newer_clc(run);
	if (clc < clw->clc_version_min)
		return claw_kernel_skip(run, "needs OpenCL C %u.%u; this "
					"device has %u.%u",
					clw->clc_version_min / 10,
					clw->clc_version_min % 10, own / 10,
					own % 10);
	if (clw->clc_version_max > 0 && clc > clw->clc_version_max)
		clc = clw->clc_version_max;
	*ret_clc = clw->clc_version_min || clw->clc_version_max ? clc : 0;
	return true;
}

static char *build_log(const struct claw_kernel_run *run)
{
	size_t size = 0;
	char *log;

	if (clGetProgramBuildInfo(run->program, run->device,
				  CL_PROGRAM_BUILD_LOG, 0, NULL, &size) !=
	    CL_SUCCESS)
		return NULL;
	log = claw_calloc(1, size + 1);
	clGetProgramBuildInfo(run->program, run->device, CL_PROGRAM_BUILD_LOG,
			      size, log, NULL);
	return log;
}

/* The first line with "error" in it, else the first with anything. */
static void first_error(const char *log, char *line, size_t size)
{
	const char *best = NULL;

	for (const char *at = log; *at; ) {
		size_t length = strcspn(at, "\n");
		const char *word = strcasestr(at, "error");

		if (word && word < at + length) {
			best = at;
			break;
		}
		if (!best && strspn(at, " \t\r") < length)
			best = at;
		at += length + (at[length] == '\n');
	}
	snprintf(line, size, "%.*s", best ? (int)strcspn(best, "\r\n") : 11,
		 best ? best : "without log");
}

/* Is what a compiler calls so, up to the colon, a file that the source
 * includes? The source itself has a name of the driver's making. */
static bool is_included(const struct claw_kernel_run *run, const char *name,
			size_t length)
{
	const char *end = name + length, *start = end;
	char base[256];

	while (start > name && !strchr("/\\ \"'", start[-1]))
		start--;
	snprintf(base, sizeof(base), "%.*s", (int)(end - start), start);
	return strchr(base, '.') && (strstr(run->clw->source, base) ||
		(length > 2 && strcmp(base + strlen(base) - 2, ".h") == 0));
}

/* The colon before the number of a line, or NULL. */
static const char *line_colon(const char *text)
{
	while ((text = strchr(text, ':')) && !isdigit((unsigned char)text[1]))
		text++;
	return text;
}

/* "input.cl:12:9: error: ...": the line of the source, 0 when there is none. */
static unsigned int error_line(const struct claw_kernel_run *run,
			       const char *text)
{
	const char *colon = line_colon(text);

	return !colon || is_included(run, text, (size_t)(colon - text)) ? 0 :
		(unsigned int)strtoul(colon + 1, NULL, 10);
}

/* "/root/.cache/pocl/kcache/tempfile_a8X.cl:12:9: ..." is of our file: the
 * name that the driver made for the source is nobody's. One line; size of the
 * text that it is written to. */
static void put_source_name(const struct claw_kernel_run *run, const char *line,
			    char *text, size_t size)
{
	const char *path = run->clw->source_path, *base = strrchr(path, '/');
	const char *end = line_colon(line), *start = end ? end : line;

	while (start > line && !strchr(" \t\"'", start[-1]))
		start--;
	if (!end || !memchr(start, '/', (size_t)(end - start)) ||
	    is_included(run, start, (size_t)(end - start)))
		snprintf(text, size, "%s", line);
	else
		snprintf(text, size, "%.*s%s%s", (int)(start - line), line,
			 base ? base + 1 : path, end);
}

static void print_log(const struct claw_kernel_run *run, const char *log)
{
	fprintf(stderr, "%s: build log:\n", run->clw->source_path);
	for (const char *at = log; *at;) {
		size_t length = strcspn(at, "\n");
		char line[4096], text[4096 + 256];

		snprintf(line, sizeof(line), "%.*s", (int)length, at);
		put_source_name(run, line, text, sizeof(text));
		/* A line that is longer is printed as it is. */
		if (length < sizeof(line))
			fprintf(stderr, "%s\n", text);
		else
			fprintf(stderr, "%.*s\n", (int)length, at);
		at += length + (at[length] == '\n');
	}
	if (!*log)
		fputs("(empty)\n", stderr);
}

static bool fail_build(struct claw_kernel_run *run, cl_int err)
{
	char *log = build_log(run);
	char first[512], line[512];

	first_error(log ? log : "", first, sizeof(first));
	put_source_name(run, first, line, sizeof(line));
	print_log(run, log ? log : "");
	free(log);
	claw_kernel_fail_call(run, "clBuildProgram", NULL, err);
	snprintf(run->message, sizeof(run->message),
		 "clBuildProgram returned %s: %s", claw_kernel_code(err),
		 line);
	run->line = error_line(run, line);
	run->is_source_line = true;
	return false;
}

static bool is_build_failure(cl_int err)
{
	return err == CL_BUILD_PROGRAM_FAILURE ||
	       err == CL_COMPILE_PROGRAM_FAILURE ||
	       err == CL_INVALID_BUILD_OPTIONS;
}

static bool build_program(struct claw_kernel_run *run, const char *options)
{
	const char *source = run->clw->source;
	cl_int err = CL_SUCCESS;

	run->program = clCreateProgramWithSource(run->context, 1, &source,
						 NULL, &err);
	if (!run->program)
		return claw_kernel_fail_call(run, "clCreateProgramWithSource",
					     NULL, err);
	err = clBuildProgram(run->program, 1, &run->device, options, NULL,
			     NULL);
	if (!run->clw->expect_build_fail)
		return err == CL_SUCCESS || fail_build(run, err);
	if (err == CL_SUCCESS)
		return claw_kernel_fail(run, 0, "the program was built, but "
					"the file says expect_build_fail");
	return is_build_failure(err) || fail_build(run, err);
}

/* Pocl defines the names of built-in functions as others ("step" as
 * "_cl_step"), those of kernels, too. */
static void find_renamed(struct claw_kernel_run *run)
{
	char *name, platform[128] = "";

	clGetPlatformInfo(run->platform, CL_PLATFORM_NAME,
			  sizeof(platform) - 1, platform, NULL);
	if (strcmp(platform, "Portable Computing Language") != 0 ||
	    asprintf(&name, "_cl_%s", run->test->kernel) < 0)
		return;
	run->kernel = clCreateKernel(run->program, name, NULL);
	if (run->kernel)
		printf("kernel %s has the name of a built-in function: this "
		       "driver calls it %s\n", run->test->kernel, name);
	free(name);
}

/* To give it NULL one must know which pointers are to local memory: some drivers
 * tell where they were asked to keep it (from 1.2 on). */
static const char *keep_arguments(const struct claw_kernel_run *run)
{
	bool can = device_clc(run->device) >= 12;

	for (size_t i = 0; can && i < run->test->in_count; i++)
		if (run->test->in[i].fill == CLAW_CLW_NULL)
			return " -cl-kernel-arg-info";
	return "";
}

bool claw_kernel_build(struct claw_kernel_run *run)
{
	const struct claw_clw *clw = run->clw;
	const char *given = clw->build_options;
	unsigned int clc = 0;
	char standard[32] = "", *folders, *options = NULL;
	bool built;

	if (!choose_clc(run, &clc))
		return false;
	if (clc > 10 && !(given && strstr(given, "-cl-std")))
		snprintf(standard, sizeof(standard), " -cl-std=CL%u.%u",
			 clc / 10, clc % 10);
	folders = claw_build_options(clw->path, clw->source_path, given);
	if (!folders || asprintf(&options, "%s%s%s", folders, standard,
				 keep_arguments(run)) < 0)
		options = NULL;
	free(folders);
	if (!options)
		return claw_kernel_break(run, "the build options");
	built = build_program(run, options);
	free(options);
	if (!built || clw->expect_build_fail || !run->test->kernel)
		return built;
	return claw_kernel_create(run);
}

bool claw_kernel_create(struct claw_kernel_run *run)
{
	cl_int err = CL_SUCCESS;

	run->kernel = clCreateKernel(run->program, run->test->kernel, &err);
	if (err == CL_INVALID_KERNEL_NAME)
		find_renamed(run);
	if (run->kernel)
		return true;
	if (err == CL_INVALID_KERNEL_NAME)
		return claw_kernel_fail(run, run->test->line, "clCreateKernel "
					"returned %s: there is no kernel %s",
					claw_kernel_code(err),
					run->test->kernel);
	return claw_kernel_fail_call(run, "clCreateKernel", NULL, err);
}
