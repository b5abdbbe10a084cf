/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches each kernel of some files a few times and prints the shortest time
 * of each, and what it made of its buffers: a line of words a kernel,
 *
 *	FILE KERNEL DEVICE-NS WALL-NS HASH
 *	FILE KERNEL - WHY
 *
 *	bench_kernels [-c] [-r TIMES] [-d DIVISOR] [-o OPTIONS] FILE.cl...
 *
 * TIMES [5] launches are timed, of a DIVISOR-th [1] of the work-items. -c: in
 * place of the device's time the process's processor time. HASH is
 * of all buffers after the first launch. Options of a build in FILE.cl.options
 * come before OPTIONS. A file is a process: one that ends badly takes no other
 * with it.
 */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench_arguments.h"

enum { KERNELS = 64, NAME = 128, LIMIT_SECONDS = 120 };

static unsigned int times = 5, divisor = 1;
static bool by_cpu;
static const char *more_options = "";

struct bench {
	const char *file;
	char *text;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
};

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t now_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

/* Of all threads, the driver's, too. */
static uint64_t cpu_ns(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* The file's text, the caller's; NULL: there is none. */
static char *read_file(const char *path)
{
	FILE *in = fopen(path, "r");
	char *text = NULL;
	size_t room = 0;

	if (!in)
		return NULL;
	if (getdelim(&text, &room, '\0', in) < 0) {
		free(text);
		text = NULL;
	}
	fclose(in);
	return text;
}

static void say_why(const struct bench *bench, const char *name, const char *why)
{
	printf("%s %s - %s\n", bench->file, name, why);
}

static cl_int begin(struct bench *bench)
{
	cl_platform_id platform;
	cl_int err = clGetPlatformIDs(1, &platform, NULL);

	if (err == CL_SUCCESS)
		err = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1,
				     &bench->device, NULL);
	if (err == CL_SUCCESS)
		bench->context = clCreateContext(NULL, 1, &bench->device, NULL,
						 NULL, &err);
	if (err == CL_SUCCESS)
		bench->queue = clCreateCommandQueue(bench->context,
						    bench->device,
						    CL_QUEUE_PROFILING_ENABLE,
						    &err);
	return err;
}

static cl_int build(struct bench *bench)
{
	const char *text = bench->text;
	char *own, *options, path[4096];
	cl_int err;

	snprintf(path, sizeof(path), "%s.options", bench->file);
	own = read_file(path);
	if (own)
		own[strcspn(own, "\n")] = '\0';
	if (asprintf(&options, "%s %s", own ? own : "", more_options) < 0)
		return CL_OUT_OF_HOST_MEMORY;
	bench->program = clCreateProgramWithSource(bench->context, 1, &text,
						   NULL, &err);
	if (err == CL_SUCCESS)
		err = clBuildProgram(bench->program, 1, &bench->device, options,
				     NULL, NULL);
	free(own);
	free(options);
	return err;
}

/* Of the buffers, which then are as they were. */
static uint64_t hash_buffers(const struct bench *bench,
			     struct bench_arguments *arguments)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (unsigned int i = 0; i < arguments->buffer_count; i++) {
		struct bench_buffer *buffer = &arguments->buffers[i];
		unsigned char *now = malloc(buffer->bytes);

		if (!now || clEnqueueReadBuffer(bench->queue, buffer->memory,
						CL_TRUE, 0, buffer->bytes, now,
						0, NULL, NULL)) {
			free(now);
			return 0;
		}
		for (size_t k = 0; k < buffer->bytes; k++)
			hash = (hash ^ now[k]) * 0x100000001b3u;
		free(now);
		clEnqueueWriteBuffer(bench->queue, buffer->memory, CL_TRUE, 0,
				     buffer->bytes, buffer->content, 0, NULL,
				     NULL);
	}
	return hash;
}

static uint64_t device_ns(cl_event event)
{
	cl_ulong start = 0, end = 0;

	clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
				sizeof(start), &start, NULL);
	clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end),
				&end, NULL);
	return end - start;
}

/* One launch, waited for; what is shorter than before is kept. */
static cl_int launch(const struct bench *bench, cl_kernel kernel,
		     const struct bench_range *range, uint64_t *device,
		     uint64_t *wall)
{
	uint64_t start = now_ns(), cpu = cpu_ns(), took;
	cl_event event;
	cl_int err = clEnqueueNDRangeKernel(bench->queue, kernel,
					    range->dimensions, NULL,
					    range->global,
					    range->local[0] ? range->local :
					    NULL, 0, NULL, &event);

	if (err != CL_SUCCESS)
		return err;
	err = clFinish(bench->queue);
	took = now_ns() - start;
	if (took < *wall)
		*wall = took;
	took = by_cpu ? cpu_ns() - cpu : device_ns(event);
	if (took < *device)
		*device = took;
	clReleaseEvent(event);
	return err;
}

static void divide(struct bench_range *range)
{
	size_t step = range->local[0] ? range->local[0] : 1;
	size_t groups = range->global[0] / step / divisor;

	range->global[0] = (groups ? groups : 1) * step;
}

static void measure(const struct bench *bench, cl_kernel kernel,
		    const char *name)
{
	struct bench_arguments arguments;
	const char *why = bench_arguments_set(&arguments, bench->context,
					      bench->device, kernel, name,
					      bench->text);
	uint64_t device = UINT64_MAX, wall = UINT64_MAX, unused = UINT64_MAX;

	if (!why) {
		divide(&arguments.range);
		if (launch(bench, kernel, &arguments.range, &unused, &unused))
			why = "the driver does not launch it";
	}
	if (!why) {
		uint64_t hash = hash_buffers(bench, &arguments);

		for (unsigned int i = 0; i < times && !why; i++)
			if (launch(bench, kernel, &arguments.range, &device,
				   &wall))
				why = "the driver does not launch it again";
		if (!why)
			printf("%s %s %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n",
			       bench->file, name, device, wall, hash);
	}
	if (why)
		say_why(bench, name, why);
	fflush(stdout);
	bench_arguments_release(&arguments);
}

/* In a process of its own. */
static void run_file(const char *file)
{
	struct bench bench = { .file = file, .text = read_file(file) };
	cl_kernel kernels[KERNELS];
	char name[NAME] = "-";
	cl_uint count = 0;

	alarm(LIMIT_SECONDS);
	if (!bench.text || begin(&bench) != CL_SUCCESS) {
		say_why(&bench, name, "no text, or no device");
	} else if (build(&bench) != CL_SUCCESS ||
		   clCreateKernelsInProgram(bench.program, KERNELS, kernels,
					    &count) != CL_SUCCESS) {
		say_why(&bench, name, "the driver does not build it");
		count = 0;
	}
	for (cl_uint i = 0; i < count; i++) {
		clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME,
				sizeof(name), name, NULL);
		measure(&bench, kernels[i], name);
		clReleaseKernel(kernels[i]);
	}
	if (bench.program)
		clReleaseProgram(bench.program);
	if (bench.queue)
		clReleaseCommandQueue(bench.queue);
	if (bench.context)
		clReleaseContext(bench.context);
	free(bench.text);
}

static void run_apart(const char *file)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		run_file(file);
		exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status != 0)
		printf("%s - - it ended with status %d\n", file, status);
}

int main(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "cr:d:o:")) != -1) {
		if (option == 'r')
			times = (unsigned int)strtoul(optarg, NULL, 10);
		else if (option == 'd')
			divisor = (unsigned int)strtoul(optarg, NULL, 10);
		else if (option == 'o')
			more_options = optarg;
		else if (option == 'c')
			by_cpu = true;
		else
			return 64;
	}
	if (optind == argc || times == 0 || divisor == 0) {
		fputs("usage: bench_kernels [-c] [-r TIMES] [-d DIVISOR] [-o OPTIONS] FILE.cl...\n",
		      stderr);
		return 64;
	}
	for (int i = optind; i < argc; i++)
		run_apart(argv[i]);
	return 0;
}
