/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soaker NAME [ITERATIONS]: the work, with the behaviour of that name; without
 * ITERATIONS until it is ended. soaker --list: "NAME clean" or "NAME SERIES".
 */
#include <time.h>

#include "soaker.h"
#include "faults/shared/openclaw.h"

static const char source[] =
	"kernel void add(global int *values, int rounds)\n"
	"{\n"
	"	int sum = 0;\n"
	"	for (int i = 0; i < rounds; i++)\n"
	"		sum += i ^ (int)get_global_id(0);\n"
	"	values[get_global_id(0)] = sum - sum + (int)get_global_id(0);\n"
	"}\n";

void soaker_must(cl_int err, const char *what, const char *file, int line)
{
	if (err == CL_SUCCESS)
		return;
	fprintf(stderr, "%s:%d: %s: %d\n", file, line, what, err);
	exit(2);
}

/* Marsaglia's xorshift. */
uint64_t soaker_random(struct soaker *soaker, uint64_t below)
{
	soaker->random ^= soaker->random << 13;
	soaker->random ^= soaker->random >> 7;
	soaker->random ^= soaker->random << 17;
	return soaker->random % below;
}

bool soaker_is_every(const struct soaker *soaker, uint64_t iterations)
{
	return soaker->iteration % iterations == iterations - 1;
}

void soaker_nap(unsigned int microseconds)
{
	const struct timespec time = { .tv_nsec = microseconds * 1000L };

	nanosleep(&time, NULL);
}

cl_mem soaker_buffer(struct soaker *soaker, size_t bytes)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(soaker->context, CL_MEM_READ_WRITE, bytes,
				    NULL, &err);

	must(err);
	return mem;
}

static void open_device(struct soaker *soaker)
{
	const char *text = source;
	cl_platform_id platform;
	cl_int err;

	must(clGetPlatformIDs(1, &platform, NULL));
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &soaker->device,
			    NULL));
	soaker->context = clCreateContext(NULL, 1, &soaker->device, NULL, NULL,
					  &err);
	must(err);
	soaker->queue = clCreateCommandQueue(soaker->context, soaker->device, 0,
					     &err);
	must(err);
	soaker->program = clCreateProgramWithSource(soaker->context, 1, &text,
						    NULL, &err);
	must(err);
	must(clBuildProgram(soaker->program, 1, &soaker->device, "", NULL,
			    NULL));
	soaker->kernel = clCreateKernel(soaker->program, "add", &err);
	must(err);
	soaker->mem = soaker_buffer(soaker, BYTES);
}

static void work(struct soaker *soaker)
{
	static cl_int values[ITEMS];
	const size_t global = ITEMS;
	const cl_int rounds = 1;

	must(clEnqueueWriteBuffer(soaker->queue, soaker->mem, CL_TRUE, 0, BYTES,
				  values, 0, NULL, NULL));
	must(clSetKernelArg(soaker->kernel, 0, sizeof(soaker->mem),
			    &soaker->mem));
	must(clSetKernelArg(soaker->kernel, 1, sizeof(rounds), &rounds));
	for (size_t i = 0; i < soaker->launch_rounds; i++)
		must(clEnqueueNDRangeKernel(soaker->queue, soaker->kernel, 1,
					    NULL, &global, NULL, 0, NULL,
					    NULL));
	must(clEnqueueReadBuffer(soaker->queue, soaker->mem, CL_TRUE, 0, BYTES,
				 values, 0, NULL, NULL));
	for (cl_int i = 0; i < ITEMS; i++)
		if (values[i] != i)
			exit(3);
}

static void close_device(struct soaker *soaker)
{
	must(clReleaseMemObject(soaker->mem));
	must(clReleaseKernel(soaker->kernel));
	must(clReleaseProgram(soaker->program));
	must(clReleaseCommandQueue(soaker->queue));
	must(clReleaseContext(soaker->context));
}

static void list(const struct behaviour *behaviours)
{
	for (; behaviours->name; behaviours++)
		printf("%s %s\n", behaviours->name, behaviours->grows ?
		       behaviours->grows : "clean");
}

static const struct behaviour *find(const struct behaviour *behaviours,
				    const char *name)
{
	for (; behaviours->name; behaviours++)
		if (strcmp(behaviours->name, name) == 0)
			return behaviours;
	return NULL;
}

int main(int argc, char **argv)
{
	struct soaker soaker = {
		.random = 88172645463325252, .launch_rounds = 1, .nap_us = 800,
	};
	const struct behaviour *behaviour;
	uint64_t iterations;

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		list(clean_behaviours);
		list(leaking_behaviours);
		return 0;
	}
	behaviour = argc < 2 ? NULL : find(clean_behaviours, argv[1]);
	if (argc >= 2 && !behaviour)
		behaviour = find(leaking_behaviours, argv[1]);
	if (!behaviour) {
		fprintf(stderr, "usage: soaker NAME [ITERATIONS] | --list\n");
		return 64;
	}
	iterations = argc > 2 ? strtoull(argv[2], NULL, 10) : UINT64_MAX;
	open_device(&soaker);
	for (; soaker.iteration < iterations; soaker.iteration++) {
		work(&soaker);
		behaviour->step(&soaker);
		CLAW_ITERATION(true);
		soaker_nap(soaker.nap_us);
	}
	close_device(&soaker);
	return 0;
}
