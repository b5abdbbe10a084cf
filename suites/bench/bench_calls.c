/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a call costs: ns per call of pairs of calls, printed one a line.
 * make bench runs it again and again under different layers and compares.
 *
 *	bench_calls [DIVIDE]	five pairs, each often (or that much less)
 *	bench_calls PAIR [DIVIDE]	one of them: retain+release, set-arg, ...
 *	bench_calls crowd [N]	a buffer made and released beside N others (100,000)
 *	bench_calls live [N]	references of N live objects (1,000,000), at random
 *	bench_calls shared [N]	one object's references, in N threads (8)
 *	bench_calls cycles [N]	N times make and release (10,000,000), and what
 *				the process and its session's files take, in KiB,
 *				before and after
 *	bench_calls scale WHAT N	calls where N of them are alive or at work
 *				(buffers, events, queues, kernels, threads), and
 *				the bytes that each takes
 */
#include "config.h"

#include <dirent.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "faults/shared/cl_types.h"

enum { ROUNDS = 9, MAX_THREADS = 64, SHARED_PAIRS = 200000,
       SCALE_PAIRS = 200000, SCALE_ROUNDS = 3 };

static cl_device_id device;
static cl_program program;
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
	return 0;
}

/* ---- many objects */

/* In another order than they were made in, read one after the other. */
static void shuffle(void **objects, long count)
{
	unsigned long long random = 88172645463325252ull;

	for (long i = count - 1; i > 0; i--) {
		long j;
		void *other;

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		j = (long)(random % (unsigned long long)(i + 1));
		other = objects[j];
		objects[j] = objects[i];
		objects[i] = other;
	}
}

static void measure_live(long count)
{
	cl_event *events = calloc((size_t)count, sizeof(*events));
	double best = 1e18;
	cl_int err = CL_SUCCESS;

	for (long i = 0; events && i < count && !err; i++)
		events[i] = clCreateUserEvent(context, &err);
	if (!events || err)
		exit(77);
	shuffle((void **)events, count);
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

/* ---- many objects that stay as they are */

static void measure_crowd(long count)
{
	cl_int err = CL_SUCCESS;

	for (long i = 0; i < count && !err; i++)
		clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &err);
	if (err)
		exit(77);
	printf("create+release@%ld %.3f\n", count,
	       measure(create_release, 20000));
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

/* ---- at scale */

static void **objects;
static long object_count;

static void *object_of(long i)
{
	return objects[i % object_count];
}

static void *make_buffer(void)
{
	return clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, NULL);
}

static void *make_event(void)
{
	size_t global = 1;
	cl_event event = NULL;

	clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL,
			       &event);
	return event;
}

static void *make_queue(void)
{
	return clCreateCommandQueue(context, device, 0, NULL);
}

static void *make_kernel(void)
{
	cl_kernel made = clCreateKernel(program, "copy", NULL);

	clSetKernelArg(made, 0, sizeof(buffer), &buffer);
	clSetKernelArg(made, 1, sizeof(buffer), &buffer);
	return made;
}

static void hold_buffer(long i)
{
	clRetainMemObject(object_of(i));
	clReleaseMemObject(object_of(i));
}

static void hold_event(long i)
{
	clRetainEvent(object_of(i));
	clReleaseEvent(object_of(i));
}

static void use_queue(long i)
{
	size_t global = 1;
	cl_event event;

	clEnqueueNDRangeKernel(object_of(i), kernel, 1, NULL, &global, NULL, 0,
			       NULL, &event);
	clReleaseEvent(event);
	if (i / object_count % 8 == 7)
		clFinish(object_of(i));
}

static void use_kernel(long i)
{
	size_t global = 1;

	clSetKernelArg(object_of(i), 0, sizeof(buffer), &buffer);
	clEnqueueNDRangeKernel(queue, object_of(i), 1, NULL, &global, NULL, 0,
			       NULL, NULL);
	if (i % 64 == 63)
		clFinish(queue);
}

static void make_and_release(long i)
{
	(void)i;
	create_release();
}

static void enqueue_and_release(long i)
{
	(void)i;
	enqueue_event();
	if (i % 64 == 63)
		clFinish(queue);
}

static const struct scale {
	const char *what;
	void *(*make)(void);
	struct {
		const char *name;
		void (*pair)(long i);
	} pairs[3];
} scales[] = {
	{ "buffers", make_buffer,
	  { { "retain+release", hold_buffer },
	    { "create+release", make_and_release },
	    { "event+release", enqueue_and_release } } },
	{ "events", make_event, { { "retain+release", hold_event } } },
	{ "queues", make_queue, { { "event+release", use_queue } } },
	{ "kernels", make_kernel, { { "set-arg+enqueue", use_kernel } } },
};

static void measure_made(const struct scale *scale, long count)
{
	long resident = resident_kib();
	double start = now_ns();

	objects = calloc((size_t)count, sizeof(*objects));
	if (!objects)
		exit(77);
	memset(objects, 1, (size_t)count * sizeof(*objects));
	for (object_count = 0; object_count < count; object_count++) {
		objects[object_count] = scale->make();
		if (!objects[object_count])
			exit(77);
	}
	printf("made %.3f\n", (now_ns() - start) / (double)count);
	printf("bytes %.1f\n", (double)(resident_kib() - resident) * 1024 /
	       (double)count - sizeof(*objects));
	shuffle(objects, count);
	for (size_t k = 0; k < 3 && scale->pairs[k].name; k++) {
		double best = 1e18;

		for (int round = 0; round < SCALE_ROUNDS; round++) {
			start = now_ns();
			for (long i = 0; i < SCALE_PAIRS; i++)
				scale->pairs[k].pair(i);
			if (now_ns() - start < best)
				best = now_ns() - start;
			clFinish(queue);
		}
		printf("%s %.3f\n", scale->pairs[k].name,
		       best / SCALE_PAIRS / 2);
	}
}

static void *work_apart(void *rest)
{
	cl_mem mine = make_buffer();
	cl_command_queue own_queue = make_queue();
	cl_kernel own_kernel = make_kernel();
	size_t global = 1;

	clSetKernelArg(own_kernel, 1, sizeof(mine), &mine);
	pthread_barrier_wait(&barrier);
	for (long i = *(const long *)rest; i > 0; i--) {
		cl_event event;

		clSetKernelArg(own_kernel, 0, sizeof(mine), &mine);
		clEnqueueNDRangeKernel(own_queue, own_kernel, 1, NULL, &global,
				       NULL, 0, NULL, &event);
		clReleaseEvent(event);
		clRetainMemObject(mine);
		clReleaseMemObject(mine);
		clReleaseMemObject(make_buffer());
		if (i % 64 == 0)
			clFinish(own_queue);
	}
	pthread_barrier_wait(&barrier);
	clReleaseMemObject(mine);
	clReleaseKernel(own_kernel);
	clReleaseCommandQueue(own_queue);
	return NULL;
}

/* CPU time of all threads, a call: seven of each turn. */
static void measure_threads(int count)
{
	pthread_t threads[MAX_THREADS];
	long turns = SCALE_PAIRS / count;
	double start;

	if (count < 1 || count > MAX_THREADS)
		exit(64);
	pthread_barrier_init(&barrier, NULL, (unsigned int)count + 1);
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, work_apart, &turns))
			exit(77);
	pthread_barrier_wait(&barrier);
	start = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	pthread_barrier_wait(&barrier);
	printf("mixed %.3f\n", (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - start) /
	       (double)turns / 7 / count);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

static int measure_scale(const char *what, long count)
{
	if (count < 1)
		return 64;
	if (!strcmp(what, "threads")) {
		measure_threads((int)count);
		return 0;
	}
	for (size_t i = 0; i < sizeof(scales) / sizeof(*scales); i++)
		if (!strcmp(what, scales[i].what)) {
			measure_made(&scales[i], count);
			return 0;	/* the objects go with the process */
		}
	return 64;
}

/* All of them, or the one with that name. */
static void measure_pairs(const char *name, long divide)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (!name || !strcmp(name, cases[i].name))
			printf("%s %.3f\n", cases[i].name,
			       measure(cases[i].pair,
				       cases[i].pairs / divide + 1));
}

static bool is_pair(const char *name)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (!strcmp(name, cases[i].name))
			return true;
	return false;
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
	if (!strcmp(word, "scale"))
		return argc == 4 ? measure_scale(argv[2],
			strtol(argv[3], NULL, 10)) : 64;
	if (!strcmp(word, "live"))
		measure_live(count > 0 ? count : 1000000);
	else if (!strcmp(word, "crowd"))
		measure_crowd(count > 0 ? count : 100000);
	else if (!strcmp(word, "shared"))
		measure_shared(count > 0 ? (int)count : 8);
	else if (!strcmp(word, "cycles"))
		measure_cycles(count > 0 ? count : 10000000);
	else if (is_pair(word))
		measure_pairs(word, count > 0 ? count : 1);
	else if (divide < 1)
		return 64;
	else
		measure_pairs(NULL, divide);
	return 0;
}
