/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a call costs: ns per call of pairs of calls, printed one a line.
 * make bench runs it again and again under different layers and compares.
 *
 *	bench_calls [DIVIDE]	five pairs, each often (or that much less)
 *	bench_calls live [N]	references of N live objects (1,000,000), at random
 *	bench_calls shared [N]	one object's references, in N threads (8)
 *	bench_calls cycles [N]	N times make and release (10,000,000), and what
 *				the process and its session's files take, in KiB,
 *				before and after
 */
#include "config.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "faults/shared/cl_types.h"

enum { ROUNDS = 9, MAX_THREADS = 64, SHARED_PAIRS = 200000 };

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem buffer;

static double clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Of this thread: what else the machine does is not counted. */
static double now_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void retain_release(void)
{
	clRetainMemObject(buffer);
	clReleaseMemObject(buffer);
}

static void set_arg(void)
{
	clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
	clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
}

static void create_release(void)
{
	cl_int err;

	clReleaseMemObject(clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL,
					  &err));
}

static void enqueue_event(void)
{
	size_t global = 1;
	cl_event event;

	clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL,
			       &event);
	clReleaseEvent(event);
}

static void enqueue(void)
{
	size_t global = 1;

	clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL,
			       NULL);
	clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL,
			       NULL);
}

static const struct {
	const char *name;
	void (*pair)(void);
	long pairs;		/* a round */
} cases[] = {
	{ "retain+release", retain_release, 400000 },
	{ "set-arg", set_arg, 400000 },
	{ "create+release", create_release, 100000 },
	{ "enqueue", enqueue, 50000 },
	{ "event+release", enqueue_event, 50000 },
};

/* The best of a few rounds: what disturbs a round only makes it longer. */
static double measure(void (*pair)(void), long pairs)
{
	double best = 1e18;

	for (int round = 0; round < ROUNDS; round++) {
		double start = now_ns();

		for (long i = 0; i < pairs; i++)
			pair();
		double each = (now_ns() - start) / (double)pairs / 2;

		clFinish(queue);

		if (each < best)
			best = each;
	}
	return best;
}

static int set_up(void)
{
	const char *source = "kernel void copy(global int *a, global int *b)"
			     "{ b[get_global_id(0)] = a[get_global_id(0)]; }";
	cl_platform_id platform;
	cl_device_id device;
	cl_program program;
	cl_int err;

	if (clGetPlatformIDs(1, &platform, NULL) ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
		return -1;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	queue = clCreateCommandQueue(context, device, 0, &err);
	buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &err);
	program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
	if (err || clBuildProgram(program, 1, &device, "", NULL, NULL))
		return -1;
	kernel = clCreateKernel(program, "copy", &err);
	if (err || clSetKernelArg(kernel, 0, sizeof(buffer), &buffer) ||
	    clSetKernelArg(kernel, 1, sizeof(buffer), &buffer))
		return -1;
	clReleaseProgram(program);
	return 0;
}

/* ---- many objects */

static void measure_live(long count)
{
	cl_event *events = calloc((size_t)count, sizeof(*events));
	unsigned long long random = 88172645463325252ull;
	double best = 1e18;
	cl_int err = CL_SUCCESS;

	for (long i = 0; events && i < count && !err; i++)
		events[i] = clCreateUserEvent(context, &err);
	if (!events || err)
		exit(77);
	/* In another order than they were made in, read one after the other. */
	for (long i = count - 1; i > 0; i--) {
		long j;
		cl_event other;

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		j = (long)(random % (unsigned long long)(i + 1));
		other = events[j];
		events[j] = events[i];
		events[i] = other;
	}
	for (int round = 0; round < 3; round++) {
		double start = now_ns();

		for (long i = 0; i < count; i++)
			clRetainEvent(events[i]);
		for (long i = 0; i < count; i++)
			clReleaseEvent(events[i]);
		if ((now_ns() - start) / (double)count / 2 < best)
			best = (now_ns() - start) / (double)count / 2;
	}
	printf("random %.3f\n", best);
	/* The objects go with the process. */
}

/* ---- many threads */

static pthread_barrier_t barrier;

static void *use_shared(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&barrier);
	for (long i = 0; i < SHARED_PAIRS; i++)
		retain_release();
	pthread_barrier_wait(&barrier);
	return NULL;
}

/* ns of the wall clock, a call of any of the threads. */
static void measure_shared(int count)
{
	pthread_t threads[MAX_THREADS];
	double start;

	if (count < 1 || count > MAX_THREADS)
		exit(64);
	pthread_barrier_init(&barrier, NULL, (unsigned int)count + 1);
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, use_shared, NULL))
			exit(77);
	pthread_barrier_wait(&barrier);
	start = clock_ns(CLOCK_MONOTONIC);
	pthread_barrier_wait(&barrier);
	printf("shared %.3f\n", (clock_ns(CLOCK_MONOTONIC) - start) /
	       SHARED_PAIRS / 2 / count);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

/* ---- what stays */

/* What the session's files take of the disk, in KiB. */
static long files_kib(void)
{
	const char *session = getenv("OPENCLAW_SESSION");
	DIR *directory = session ? opendir(session) : NULL;
	struct dirent *entry;
	struct stat st;
	long blocks = 0;

	while (directory && (entry = readdir(directory)))
		if (!fstatat(dirfd(directory), entry->d_name, &st, 0) &&
		    S_ISREG(st.st_mode))
			blocks += (long)st.st_blocks;
	if (directory)
		closedir(directory);
	return blocks / 2;
}

/* Pages in memory, shared ones among them, in KiB. */
static long resident_kib(void)
{
	FILE *statm = fopen("/proc/self/statm", "r");
	long pages = 0;

	if (statm) {
		if (fscanf(statm, "%*s %ld", &pages) != 1)
			pages = 0;
		fclose(statm);
	}
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void measure_cycles(long count)
{
	long files, resident;

	for (long i = 0; i < 10000; i++)
		create_release();
	files = files_kib();
	resident = resident_kib();
	for (long i = 0; i < count; i++)
		create_release();
	printf("files-before %ld\nfiles-after %ld\n", files, files_kib());
	printf("memory-before %ld\nmemory-after %ld\n", resident,
	       resident_kib());
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";
	long count = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	long divide = *word ? strtol(word, NULL, 10) : 1;

	if (set_up()) {
		fprintf(stderr, "bench_calls: no OpenCL device\n");
		return 77;
	}
	if (!strcmp(word, "live"))
		measure_live(count > 0 ? count : 1000000);
	else if (!strcmp(word, "shared"))
		measure_shared(count > 0 ? (int)count : 8);
	else if (!strcmp(word, "cycles"))
		measure_cycles(count > 0 ? count : 10000000);
	else if (divide < 1)
		return 64;
	else
		for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
			printf("%s %.3f\n", cases[i].name,
			       measure(cases[i].pair,
				       cases[i].pairs / divide + 1));
	return 0;
}
