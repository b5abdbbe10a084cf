/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the cases of kernel files twice on the first device, as they are and
 * as openclaw-instrument rewrites them, without a guest in between: what
 * differs between the results is a mistake of the rewriting, and what the
 * probes found is told a line each.
 *
 *	probe_runner [--mode MODE] [--keep DIR] [--bench N] HELPER FILE.clw...
 *
 *	case FILE NAME same|differs|skip|cannot|broken [words]
 *	found FILE NAME WHY KIND SPACE LINE OBJECT (gid) offset bytes	times
 *	bench FILE NAME PLAIN-NS PROBED-NS RATIO
 */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "faults/shared/probe_format.h"
#include "harness/cases/clw/clw.h"

enum { ROOM = 32, PER_ACCESS = 4 };

struct driver {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	char version[128], extensions[8192];
};

static const char *helper, *mode = "asan", *keep;
static char folder[4096];
static int bench;

/* ---- what the helper makes of a source -------------------------------- */

struct map {
	char *text;
	unsigned int accesses, counters;
};

static char *read_file(const char *path)
{
	FILE *in = fopen(path, "rb");
	char *text = NULL;

	if (!in)
		return NULL;
	fseek(in, 0, SEEK_END);
	long size = ftell(in);

	rewind(in);
	text = calloc(1, (size_t)size + 1);
	if (text && fread(text, 1, (size_t)size, in) != (size_t)size) {
		free(text);
		text = NULL;
	}
	fclose(in);
	return text;
}

static void write_request(const struct driver *driver,
			  const struct claw_clw *clw, const char *path)
{
	FILE *out = fopen(path, "w");
	const char *options = clw->build_options ? clw->build_options : "";
	char directory[4096];

	if (!out || !getcwd(directory, sizeof(directory)))
		exit(99);
	fputs("openclaw-instrument 1\n", out);
	for (const char *at = mode; *at; at += strcspn(at, ","), at += *at == ',')
		fprintf(out, "mode %.*s\n", (int)strcspn(at, ","), at);
	fprintf(out, "version %s\nextensions %s\naddress-bits 64\nname %s\n"
		"directory %s\nmacro __OPENCL_VERSION__ 120\n"
		"macro __OPENCL_C_VERSION__ 120\noptions %zu\n%s\nsource %zu\n%s\n",
		driver->version, driver->extensions, clw->source_path, directory,
		strlen(options), options, strlen(clw->source), clw->source);
	fclose(out);
}

/* False: it cannot; why is said. */
static bool rewrite(const struct driver *driver, const struct claw_clw *clw,
		    char **ret_text, struct map *map)
{
	char request[4200], out[4200], path[4300], command[13000], line[512] = "";

	snprintf(request, sizeof(request), "%s/request", folder);
	snprintf(out, sizeof(out), "%s/%s", folder, clw->name);
	write_request(driver, clw, request);
	snprintf(command, sizeof(command), "'%s' '%s' '%s'", helper, request, out);
	FILE *pipe = popen(command, "r");

	if (!pipe)
		exit(99);
	if (fgets(line, sizeof(line), pipe))
		line[strcspn(line, "\n")] = '\0';
	if (pclose(pipe) != 0) {
		printf("case %s - cannot %s\n", clw->name, line);
		return false;
	}
	snprintf(path, sizeof(path), "%s.cl", out);
	*ret_text = read_file(path);
	if (!keep)
		unlink(path);
	snprintf(path, sizeof(path), "%s.map", out);
	map->text = read_file(path);
	if (!keep) {
		unlink(path);
		unlink(request);
	}
	if (!*ret_text || !map->text)
		exit(99);
	const char *counters = strstr(map->text, "\ncounters ");
	const char *accesses = strstr(map->text, "\naccesses ");

	map->counters = counters ? (unsigned int)strtoul(counters + 10, NULL, 10) : 0;
	map->accesses = accesses ? (unsigned int)strtoul(accesses + 10, NULL, 10) : 0;
	return true;
}

/* The line of the map that begins with words; NULL: none. */
static const char *find_line(const struct map *map, const char *words)
{
	char wanted[300];

	snprintf(wanted, sizeof(wanted), "\n%s ", words);
	const char *at = strstr(map->text, wanted);

	return at ? at + 1 : NULL;
}

/* ---- one run ------------------------------------------------------------ */

struct run {
	const struct driver *driver;
	const struct claw_clw *clw;
	const struct claw_clw_test *test;
	cl_program program;
	cl_kernel kernel;
	const struct map *map;		/* NULL: plain */
	cl_mem buffers[ROOM], parents[ROOM];
	size_t sizes[ROOM];		/* what the hidden arguments say */
	void *results[ROOM];
	size_t result_bytes[ROOM];
	cl_mem words;
	uint32_t *copy;			/* of the words */
	size_t word_count;
	double nanoseconds;
	const char *why;
};

static bool can_run(const struct claw_clw_test *test)
{
	const struct claw_clw_arg *lists[2] = { test->in, test->out };
	size_t counts[2] = { test->in_count, test->out_count };

	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < counts[k]; i++)
			if (lists[k][i].kind == CLAW_CLW_IMAGE ||
			    lists[k][i].kind == CLAW_CLW_SAMPLER ||
			    lists[k][i].is_freed || lists[k][i].has_alias ||
			    lists[k][i].index >= ROOM)
				return false;
	return test->kernel && !test->expect_fault;
}

static bool make_buffer(struct run *run, const struct claw_clw_arg *arg)
{
	unsigned int index = arg->index;
	cl_int err = CL_SUCCESS;
	size_t offset = arg->is_sub_buffer ? arg->offset_bytes : 0;
	size_t whole = offset + arg->size_bytes + (arg->is_sub_buffer ? 256 : 0);

	if (run->buffers[index] || arg->fill == CLAW_CLW_NULL)
		return true;
	void *zeros = calloc(1, whole);

	run->buffers[index] = clCreateBuffer(run->driver->context,
		CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, whole, zeros, &err);
	free(zeros);
	if (err == CL_SUCCESS && arg->is_sub_buffer) {
		cl_buffer_region region = { offset, arg->size_bytes };

		run->parents[index] = run->buffers[index];
		run->buffers[index] = clCreateSubBuffer(run->parents[index],
			CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region,
			&err);
	}
	run->sizes[index] = arg->size_bytes;
	return err == CL_SUCCESS;
}

static bool fill_buffer(struct run *run, const struct claw_clw_arg *arg)
{
	unsigned char *bytes = NULL;
	cl_int err;

	if (arg->fill == CLAW_CLW_RANDOM) {
		bytes = malloc(arg->size_bytes);
		for (size_t i = 0; i < arg->size_bytes; i++)
			bytes[i] = (unsigned char)(i * 37 % 101);
	} else if (arg->fill != CLAW_CLW_DATA || !arg->data) {
		return true;
	}
	err = clEnqueueWriteBuffer(run->driver->queue, run->buffers[arg->index],
				   CL_TRUE, 0, arg->size_bytes,
				   bytes ? bytes : arg->data, 0, NULL, NULL);
	free(bytes);
	return err == CL_SUCCESS;
}

static bool set_own(struct run *run, cl_kernel kernel)
{
	const struct claw_clw_test *test = run->test;

	for (size_t i = 0; i < test->out_count; i++)
		if (test->out[i].kind == CLAW_CLW_BUFFER &&
		    !make_buffer(run, &test->out[i]))
			return false;
	for (size_t i = 0; i < test->in_count; i++) {
		const struct claw_clw_arg *arg = &test->in[i];
		cl_int err = CL_SUCCESS;

		if (arg->kind == CLAW_CLW_BUFFER) {
			if (!make_buffer(run, arg) ||
			    (run->buffers[arg->index] && !fill_buffer(run, arg)))
				return false;
			err = clSetKernelArg(kernel, arg->index, sizeof(cl_mem),
					     run->buffers[arg->index] ?
					     &run->buffers[arg->index] : NULL);
		} else if (arg->kind == CLAW_CLW_LOCAL) {
			run->sizes[arg->index] = arg->size_bytes;
			err = clSetKernelArg(kernel, arg->index,
					     arg->size_bytes, NULL);
		} else {
			err = clSetKernelArg(kernel, arg->index,
					     arg->size_bytes, arg->data);
		}
		if (err != CL_SUCCESS)
			return false;
	}
	for (size_t i = 0; i < test->out_count; i++)
		if (test->out[i].kind == CLAW_CLW_BUFFER &&
		    clSetKernelArg(kernel, test->out[i].index, sizeof(cl_mem),
				   run->buffers[test->out[i].index] ?
				   &run->buffers[test->out[i].index] : NULL))
			return false;
	return true;
}

static bool make_words(struct run *run)
{
	size_t counters = run->map->counters, accesses = run->map->accesses;
	size_t seen = CLAW_PROBE_COUNTERS_AT + counters;
	size_t records = seen + accesses;
	size_t sink = (records + CLAW_PROBE_RECORDS * CLAW_PROBE_RECORD_WORDS +
		       31) / 32 * 32;
	cl_int err;

	run->word_count = sink + CLAW_PROBE_SINK_BYTES / 4;
	run->copy = calloc(run->word_count, 4);
	run->copy[CLAW_PROBE_CAPACITY] = CLAW_PROBE_RECORDS;
	run->copy[CLAW_PROBE_SEEN_AT] = (uint32_t)seen;
	run->copy[CLAW_PROBE_RECORDS_AT] = (uint32_t)records;
	run->copy[CLAW_PROBE_SINK_AT] = (uint32_t)sink;
	run->copy[CLAW_PROBE_PER_ACCESS] = PER_ACCESS;
	run->words = clCreateBuffer(run->driver->context,
		CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 4 * run->word_count,
		run->copy, &err);
	return err == CL_SUCCESS;
}

static bool set_hidden(struct run *run, cl_kernel kernel)
{
	char words[256];
	unsigned int own = 0, first = 0, index, argument;

	snprintf(words, sizeof(words), "kernel %s", run->test->kernel);
	const char *line = find_line(run->map, words);

	if (!line || sscanf(line, "kernel %*s %u %u", &own, &first) != 2 ||
	    !make_words(run) ||
	    clSetKernelArg(kernel, first, sizeof(cl_mem), &run->words))
		return false;
	snprintf(words, sizeof(words), "launch %s", run->test->kernel);
	line = find_line(run->map, words);
	cl_uint launch = 7;

	if (line && (sscanf(line, "launch %*s %u", &index) != 1 ||
		     clSetKernelArg(kernel, index, sizeof(launch), &launch)))
		return false;
	snprintf(words, sizeof(words), "size %s", run->test->kernel);
	for (line = find_line(run->map, words); line; ) {
		if (sscanf(line, "size %*s %u %u", &index, &argument) != 2)
			return false;
		cl_ulong bytes = run->sizes[argument];

		if (clSetKernelArg(kernel, index, sizeof(bytes), &bytes))
			return false;
		line = strchr(line, '\n');
		line = line && strncmp(line + 1, words, strlen(words)) == 0 ?
			line + 1 : NULL;
	}
	return true;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static bool launch(struct run *run)
{
	const struct claw_clw_test *test = run->test;
	double start = now();
	cl_int err = clEnqueueNDRangeKernel(run->driver->queue, run->kernel,
		test->dimensions, test->has_offset ? test->offset : NULL,
		test->global, test->has_local ? test->local : NULL, 0, NULL,
		NULL);

	if (err == CL_SUCCESS)
		err = clFinish(run->driver->queue);
	double took = now() - start;

	if (run->nanoseconds == 0 || took < run->nanoseconds)
		run->nanoseconds = took;
	return err == CL_SUCCESS;
}

static bool read_back(struct run *run)
{
	for (unsigned int i = 0; i < ROOM; i++) {
		if (!run->buffers[i])
			continue;
		run->result_bytes[i] = run->sizes[i];
		run->results[i] = malloc(run->sizes[i] + 1);
		if (clEnqueueReadBuffer(run->driver->queue, run->buffers[i],
					CL_TRUE, 0, run->sizes[i],
					run->results[i], 0, NULL, NULL))
			return false;
	}
	return !run->words ||
		clEnqueueReadBuffer(run->driver->queue, run->words, CL_TRUE, 0,
				    4 * run->word_count, run->copy, 0, NULL,
				    NULL) == CL_SUCCESS;
}

static bool do_run(struct run *run)
{
	cl_int err;

	run->kernel = clCreateKernel(run->program, run->test->kernel, &err);
	run->why = "no kernel";
	if (err != CL_SUCCESS)
		return false;
	run->why = "arguments";
	if (!set_own(run, run->kernel))
		return false;
	run->why = "hidden arguments";
	if (run->map && !set_hidden(run, run->kernel))
		return false;
	run->why = "launch";
	return launch(run) && read_back(run);
}

static void release_run(struct run *run)
{
	if (run->kernel)
		clReleaseKernel(run->kernel);
	for (unsigned int i = 0; i < ROOM; i++) {
		free(run->results[i]);
		if (run->buffers[i])
			clReleaseMemObject(run->buffers[i]);
		if (run->parents[i])
			clReleaseMemObject(run->parents[i]);
	}
	free(run->copy);
	if (run->words)
		clReleaseMemObject(run->words);
}

/* ---- what is told -------------------------------------------------------- */

static void tell_record(const struct run *run, const uint32_t *record)
{
	static const char *const whys[] = {
		"incomplete", "bounds", "misaligned", "null", "divide", "shift",
		"race",
	};
	char words[64], kind[16] = "?", space[16] = "?", object[200] = "?";
	unsigned int line = 0;

	snprintf(words, sizeof(words), "access %u", record[CLAW_RECORD_ACCESS]);
	const char *at = find_line(run->map, words);

	if (at)
		sscanf(at, "access %*u %*u %u %*u %15s %15s %*u %*s %199s",
		       &line, kind, space, object);
	printf("found %s %s %s %s %s %u %s (%u,%u,%u) %" PRId64 " %" PRIu64
	       " %u object %u launch %u\n", run->clw->name, run->test->case_name,
	       record[CLAW_RECORD_WHY] < CLAW_WHY_COUNT ?
	       whys[record[CLAW_RECORD_WHY]] : "?", kind, space, line, object,
	       record[CLAW_RECORD_GLOBAL_ID], record[CLAW_RECORD_GLOBAL_ID + 1],
	       record[CLAW_RECORD_GLOBAL_ID + 2],
	       (int64_t)(record[CLAW_RECORD_OFFSET] |
			 (uint64_t)record[CLAW_RECORD_OFFSET + 1] << 32),
	       record[CLAW_RECORD_BYTES] |
	       (uint64_t)record[CLAW_RECORD_BYTES + 1] << 32,
	       run->copy[run->copy[CLAW_PROBE_SEEN_AT] +
			 record[CLAW_RECORD_ACCESS]],
	       record[CLAW_RECORD_OBJECT], record[CLAW_RECORD_LAUNCH]);
}

static void tell_found(const struct run *run)
{
	uint32_t found = run->copy[CLAW_PROBE_FOUND];

	for (uint32_t i = 0; i < found && i < CLAW_PROBE_RECORDS; i++)
		tell_record(run, run->copy + run->copy[CLAW_PROBE_RECORDS_AT] +
			    i * CLAW_PROBE_RECORD_WORDS);
}

static bool are_same(const struct run *a, const struct run *b)
{
	for (unsigned int i = 0; i < ROOM; i++)
		if (a->result_bytes[i] &&
		    memcmp(a->results[i], b->results[i], a->result_bytes[i]))
			return false;
	return true;
}

/* A planted mistake may take the plain program down: then only the other. */
static void do_test(const struct driver *driver, const struct claw_clw *clw,
		    const struct claw_clw_test *test, cl_program plain,
		    cl_program probed, const struct map *map)
{
	struct run a = { .driver = driver, .clw = clw, .test = test,
			 .program = plain };
	struct run b = { .driver = driver, .clw = clw, .test = test,
			 .program = probed, .map = map };
	bool is_bug = strstr(clw->name, "_bug") != NULL;

	if (!can_run(test)) {
		printf("case %s %s skip\n", clw->name, test->case_name);
		return;
	}
	printf("case %s %s ", clw->name, test->case_name);
	fflush(stdout);
	if (!do_run(&b))
		printf("broken %s\n", b.why);
	else if (is_bug)
		puts("planted");
	else if (!do_run(&a))
		printf("skip %s\n", a.why);
	else
		puts(are_same(&a, &b) ? "same" : "differs");
	if (b.copy)
		tell_found(&b);
	/* In turn, so that a busy machine is so for both. */
	for (int i = 0; i < bench && a.nanoseconds > 0; i++)
		if (!launch(&a) || !launch(&b))
			break;
	if (bench && a.nanoseconds > 0)
		printf("bench %s %s %.0f %.0f %.2f\n", clw->name,
		       test->case_name, a.nanoseconds, b.nanoseconds,
		       b.nanoseconds / a.nanoseconds);
	fflush(stdout);
	release_run(&a);
	release_run(&b);
}

static cl_program build(const struct driver *driver, const struct claw_clw *clw,
			const char *text)
{
	cl_int err;
	cl_program program = clCreateProgramWithSource(driver->context, 1, &text,
						       NULL, &err);

	if (err == CL_SUCCESS && clBuildProgram(program, 1, &driver->device,
			clw->build_options, NULL, NULL) == CL_SUCCESS)
		return program;
	static char log[65536];

	log[0] = '\0';
	clGetProgramBuildInfo(program, driver->device, CL_PROGRAM_BUILD_LOG,
			      sizeof(log) - 1, log, NULL);
	fprintf(stderr, "%s: %s\n", clw->name, log);
	return NULL;
}

static void do_file(const struct driver *driver, const char *path)
{
	struct claw_clw *clw;
	struct claw_clw_error error;
	struct map map = { .text = NULL };
	char *text = NULL;

	if (claw_clw_read(path, &clw, &error) != 0) {
		printf("case %s - skip %s\n", path, error.message);
		return;
	}
	bool is_bug = strstr(clw->name, "_bug") != NULL;
	cl_program plain = clw->expect_build_fail || is_bug ? NULL :
		build(driver, clw, clw->source);

	if ((plain || is_bug) && rewrite(driver, clw, &text, &map)) {
		cl_program probed = build(driver, clw, text);

		if (!probed)
			printf("case %s - broken build\n", clw->name);
		for (size_t i = 0; probed && i < clw->test_count; i++)
			do_test(driver, clw, &clw->tests[i], plain, probed, &map);
		if (probed)
			clReleaseProgram(probed);
	}
	if (plain)
		clReleaseProgram(plain);
	free(text);
	free(map.text);
	claw_clw_free(clw);
}

static void open_driver(struct driver *driver)
{
	cl_platform_id platform;
	cl_int err = CL_SUCCESS;

	if (clGetPlatformIDs(1, &platform, NULL) ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &driver->device,
			   NULL)) {
		puts("no device");
		exit(77);
	}
	driver->context = clCreateContext(NULL, 1, &driver->device, NULL, NULL,
					  &err);
	if (err == CL_SUCCESS)
		driver->queue = clCreateCommandQueue(driver->context,
						     driver->device, 0, &err);
	if (err != CL_SUCCESS)
		exit(99);
	clGetDeviceInfo(driver->device, CL_DEVICE_OPENCL_C_VERSION,
			sizeof(driver->version), driver->version, NULL);
	clGetDeviceInfo(driver->device, CL_DEVICE_EXTENSIONS,
			sizeof(driver->extensions), driver->extensions, NULL);
}

int main(int argc, char **argv)
{
	struct driver driver = { .device = NULL };
	int at = 1;

	for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
		if (strcmp(argv[at], "--mode") == 0)
			mode = argv[at + 1];
		else if (strcmp(argv[at], "--keep") == 0)
			keep = argv[at + 1];
		else if (strcmp(argv[at], "--bench") == 0)
			bench = (int)strtol(argv[at + 1], NULL, 10);
	}
	if (at + 1 >= argc) {
		fputs("usage: probe_runner [--mode MODE] [--keep DIR] [--bench N] HELPER FILE...\n",
		      stderr);
		return 64;
	}
	helper = argv[at++];
	snprintf(folder, sizeof(folder), "%s", keep ? keep : "/tmp/probe-runner.XXXXXX");
	if (!keep && !mkdtemp(folder))
		return 99;
	open_driver(&driver);
	for (; at < argc; at++)
		do_file(&driver, argv[at]);
	clReleaseCommandQueue(driver.queue);
	clReleaseContext(driver.context);
	if (!keep)
		rmdir(folder);
	return 0;
}
