/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that uses libclw: "clw_use CASE" does one thing and ends with 0 if
 * all was as it should be; else it says what was not. Cases without a number
 * of their own are also what is swept: they handle every failure, print what
 * failed on stderr and end with 3.
 */
#include "config.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libclw/clw.h"

enum { ITEMS = 1024, BYTES = ITEMS * (int)sizeof(float), FAILED = 3 };

static const char source[] =
	"__kernel void twice(__global const float *in, __global float *out,\n"
	"	float factor, __local float *scratch)\n"
	"{\n"
	"	size_t i = get_global_id(0), l = get_local_id(0);\n"
	"	scratch[l] = in[i];\n"
	"	out[i] = scratch[l] * factor;\n"
	"}\n";

/* ---- expectations ----------------------------------------------------------- */

__attribute__((format(printf, 2, 3), noreturn))
static void wrong(int line, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "clw_use.c:%d: ", line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\n%s\n", clwLastReport());
	exit(1);
}

#define TRUE(condition_)						\
	do {								\
		if (!(condition_))					\
			wrong(__LINE__, "not so: %s", #condition_);	\
	} while (0)
#define OK(call_)							\
	do {								\
		int status_ = (call_);					\
		if (status_ != CLW_OK)					\
			wrong(__LINE__, "%s: %s", #call_,		\
			      clwStatusCode(status_));			\
	} while (0)
/* Fails with that, and its message has these words. */
#define FAILS(call_, status_, words_)					\
	do {								\
		int got_ = (call_);					\
		if (got_ != (status_))					\
			wrong(__LINE__, "%s: %s, expected %s", #call_,	\
			      clwStatusCode(got_),			\
			      clwStatusCode(status_));			\
		if (clwLastStatus() != (status_) ||			\
		    !strstr(clwLastError(), clwStatusCode(status_)) ||	\
		    !strstr(clwLastError(), words_))			\
			wrong(__LINE__, "%s: no \"%s\"", #call_, words_); \
	} while (0)

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static struct clw_context *open_context(void)
{
	struct clw_context *context = NULL;

	OK(clwCreateContext(CLW_DEFAULT_DEVICE, &context));
	return context;
}

static struct clw_memory memory_of(struct clw_context *context)
{
	struct clw_memory memory = { .struct_size = sizeof(memory) };

	OK(clwContextMemory(context, &memory));
	return memory;
}

/* It works still: a launch and its result. */
static void works(struct clw_context *context)
{
	struct clw_buffer *in, *out;
	float values[ITEMS], results[ITEMS];

	for (int i = 0; i < ITEMS; i++)
		values[i] = (float)i;
	OK(clwCreateBufferWith(context, values, BYTES, CL_MEM_READ_ONLY |
			       CL_MEM_COPY_HOST_PTR, &in));
	OK(clwCreateBuffer(context, BYTES, CL_MEM_WRITE_ONLY, &out));
	OK(clwEnqueueKernel(context, "compute", 0, NULL, NULL, 2,
			    (struct clw_arg []){ clwArgBuffer(in),
						 clwArgBuffer(out) }));
	OK(clwFinish(context));
	OK(clwEnqueueRead(out, 0, BYTES, results, 0));
	for (int i = 0; i < ITEMS; i++)
		TRUE(results[i] == 2 * values[i]);
	clwReleaseBuffer(in);
	clwReleaseBuffer(out);
}

/* ---- memory ----------------------------------------------------------------- */

static void sizes(void)
{
	struct clw_context *context = open_context();
	struct clw_buffer *buffer = NULL;

	FAILS(clwCreateBuffer(context, 0, 0, &buffer), CLW_INVALID_SIZE,
	      "1<<28 * sizeof(float)");
	FAILS(clwCreateBuffer(context, (size_t)1 << 63, 0, &buffer),
	      CLW_INVALID_SIZE, "past 2^63");
	FAILS(clwCreateBuffer(context, SIZE_MAX, 0, &buffer),
	      CLW_INVALID_SIZE, "past 2^63");
	FAILS(clwCreateBuffer(context, (size_t)1 << 62, 0, &buffer),
	      CLW_OUT_OF_MEMORY, "Cannot allocate 4398046511104 MB (");
	FAILS(clwCreateBuffer(context, BYTES, 0, NULL), CLW_INVALID_ARGUMENT,
	      "ret_buffer");
	FAILS(clwCreateBuffer(NULL, BYTES, 0, &buffer), CLW_INVALID_HANDLE,
	      "NULL");
	FAILS(clwCreateBuffer(context, BYTES, (cl_mem_flags)1 << 60, &buffer),
	      CLW_INVALID_ARGUMENT, "CL_INVALID_VALUE");
	TRUE(!buffer);
	TRUE(strstr(clwLastReport(), "\nCLW_ERROR: clwCreateBuffer failed with "
		    "CL_INVALID_VALUE (-30)\nBacktrace:\n  #0 clwCreateBuffer()"
		    "\n  #1 sizes() at clw_use.c:"));
	TRUE(memory_of(context).buffers == 0);
	TRUE(memory_of(context).used_bytes == 0);
	works(context);
	clwReleaseContext(context);
}

static void flags(void)
{
	struct clw_context *context = open_context();
	struct clw_buffer *buffer;
	float *host = aligned_alloc(4096, BYTES), first;

	OK(clwCreateBuffer(context, BYTES, CL_MEM_READ_ONLY |
			   CL_MEM_COPY_HOST_PTR, &buffer));
	TRUE(clwBufferFlags(buffer) == CL_MEM_READ_ONLY);
	clwReleaseBuffer(buffer);
	OK(clwCreateBuffer(context, BYTES, CL_MEM_USE_HOST_PTR, &buffer));
	TRUE(clwBufferFlags(buffer) == 0);
	clwReleaseBuffer(buffer);
	FAILS(clwCreateBufferWith(context, host, BYTES, CL_MEM_READ_ONLY,
				  &buffer), CLW_INVALID_ARGUMENT,
	      "CL_MEM_USE_HOST_PTR or");
	host[0] = 7;
	OK(clwCreateBufferWith(context, host, BYTES, CL_MEM_READ_WRITE |
			       CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
			       &buffer));
	TRUE(clwBufferFlags(buffer) == (CL_MEM_READ_WRITE |
					CL_MEM_USE_HOST_PTR));
	/* The buffer's own memory: mapped, both ways. */
	first = 3;
	OK(clwEnqueueFill(buffer, 0, BYTES, &first, sizeof(first)));
	OK(clwEnqueueRead(buffer, 0, BYTES, host, 0));
	TRUE(host[0] == 3 && host[ITEMS - 1] == 3);
	host[1] = 9;
	OK(clwEnqueueWrite(buffer, 0, BYTES, host, 0));
	OK(clwFinish(context));
	first = 0;
	OK(clwEnqueueRead(buffer, sizeof(float), sizeof(first), &first, 0));
	TRUE(first == 9);
	clwReleaseBuffer(buffer);
	free(host);
	clwReleaseContext(context);
}

/* CLW_MEM_TIMEOUT_MS=150, and limits that one buffer fills. */
static void timeout(void)
{
	struct clw_context *context = open_context();
	struct clw_buffer *all, *more = NULL;
	double start;

	OK(clwCreateBuffer(context, 4 << 20, 0, &all));
	start = now();
	FAILS(clwCreateBuffer(context, 2 << 20, 0, &more), CLW_MEMORY_TIMEOUT,
	      "Allocation of 2 MiB buffer on device '");
	TRUE(strstr(clwLastError(), "' timed out after 0.150s"));
	TRUE(now() - start >= 0.149 && now() - start < 5);
	/* The caller's goes before the environment's. */
	OK(clwSetMemoryTimeout(context, 0.01));
	FAILS(clwCreateBuffer(context, 2 << 20, 0, &more), CLW_MEMORY_TIMEOUT,
	      "timed out after 0.010s");
	OK(clwSetMemoryTimeout(context, 0));
	FAILS(clwCreateBuffer(context, 2 << 20, 0, &more), CLW_OUT_OF_MEMORY,
	      "Cannot allocate 2 MB (only 1 MB available)");
	FAILS(clwCreateBuffer(context, 6 << 20, 0, &more), CLW_OUT_OF_MEMORY,
	      "Cannot allocate 6 MB");
	FAILS(clwSetMemoryTimeout(context, -1), CLW_INVALID_ARGUMENT, "-1");
	clwReleaseBuffer(all);
	OK(clwCreateBuffer(context, 2 << 20, 0, &more));
	clwReleaseBuffer(more);
	clwReleaseContext(context);
}

static void *release_later(void *buffer)
{
	struct timespec some = { .tv_nsec = 50000000 };

	nanosleep(&some, NULL);
	clwReleaseBuffer(buffer);
	return NULL;
}

/* What another thread releases is had by who waits. Limit: 5 MiB. */
static void waits(void)
{
	struct clw_context *context = open_context();
	struct clw_buffer *all, *more;
	pthread_t thread;

	OK(clwSetMemoryTimeout(context, 30));
	OK(clwCreateBuffer(context, 4 << 20, 0, &all));
	TRUE(pthread_create(&thread, NULL, release_later, all) == 0);
	OK(clwCreateBuffer(context, 4 << 20, 0, &more));
	pthread_join(thread, NULL);
	clwReleaseBuffer(more);
	clwReleaseContext(context);
}

/* A path that is not absolute is where there is room for it; who writes it
 * removes it. */
static void write_file(const char *path, const char *text)
{
	const char *scratch = getenv("TMPDIR");
	FILE *file;

	TRUE(chdir(scratch ? scratch : "/tmp") == 0);
	file = fopen(path, "w");
	TRUE(file);
	fputs(text, file);
	fclose(file);
}

/* The driver waits for a file (STUB_SLOW); it is given up, and cleaned up after
 * when it goes on. */
static void slow_driver(void)
{
	struct clw_context *context = open_context();
	struct clw_buffer *buffer = NULL;
	struct timespec some = { .tv_nsec = 10 * 1000 * 1000 };
	double start;

	OK(clwSetMemoryTimeout(context, 0.1));
	FAILS(clwCreateBuffer(context, BYTES, 0, &buffer), CLW_MEMORY_TIMEOUT,
	      "timed out after 0.100s in the driver");
	for (int i = 1; i < 8; i++)
		FAILS(clwCreateBuffer(context, BYTES, 0, &buffer),
		      CLW_MEMORY_TIMEOUT, "in the driver");
	FAILS(clwCreateBuffer(context, BYTES, 0, &buffer), CLW_MEMORY_TIMEOUT,
	      "still has not returned");
	write_file(strchr(getenv("STUB_SLOW"), '/'), "");
	OK(clwSetMemoryTimeout(context, 60));
	start = now();
	while (clwCreateBuffer(context, BYTES, 0, &buffer) && now() - start < 60)
		nanosleep(&some, NULL);
	clwReleaseBuffer(buffer);
	while (memory_of(context).used_bytes && now() - start < 60)
		nanosleep(&some, NULL);
	TRUE(buffer && memory_of(context).used_bytes == 0);
	clwReleaseContext(context);
}

/* The same of a build. */
static void slow_build(void)
{
	struct clw_context *context = open_context();
	struct clw_kernel *kernel = NULL;
	struct timespec some = { .tv_sec = 1, .tv_nsec = 500000000 };

	OK(clwSetBuildTimeout(context, 0.1));
	FAILS(clwCreateKernelFromSource(context, source, NULL, NULL, &kernel),
	      CLW_KERNEL_COMPILE_TIMEOUT, "has not ended after 0.100s");
	TRUE(!kernel);
	nanosleep(&some, NULL);
	clwReleaseContext(context);
}

/* Limit: 5 MiB. */
static void smaller(void)
{
	struct clw_context *context = open_context();
	struct clw_buffer *buffer, *rest;
	struct clw_chunks *chunks;
	size_t total = 0;

	OK(clwCreateBufferOrSmaller(context, 16 << 20, 1 << 20, 0, &buffer));
	TRUE(clwBufferSize(buffer) == 4 << 20);
	OK(clwCreateBufferOrSmaller(context, 16 << 20, 1000, 0, &rest));
	TRUE(clwBufferSize(rest) == 1 << 20);
	clwReleaseBuffer(rest);
	OK(clwSetMemoryTimeout(context, 1));
	FAILS(clwCreateBufferOrSmaller(context, 16 << 20, 2 << 20, 0, &rest),
	      CLW_MEMORY_TIMEOUT, "Allocation of 2 MiB");
	FAILS(clwCreateBufferOrSmaller(context, 1, 2, 0, &rest),
	      CLW_INVALID_ARGUMENT, "least");
	clwReleaseBuffer(buffer);
	/* 2 MiB pieces, and 1 MiB where those do not fit. */
	OK(clwCreateChunks(context, (4 << 20) + 1000, 2 << 20, 0, &chunks));
	for (size_t i = 0; i < clwChunkCount(chunks); i++) {
		TRUE(clwChunkOffset(chunks, i) == total);
		total += clwBufferSize(clwChunk(chunks, i));
	}
	TRUE(total == (4 << 20) + 1000 && clwChunkCount(chunks) == 3);
	TRUE(!clwChunk(chunks, 3));
	clwReleaseChunks(chunks);
	OK(clwCreateChunks(context, 5 << 20, 4 << 20, 0, &chunks));
	TRUE(clwChunkCount(chunks) == 2);
	clwReleaseChunks(chunks);
	FAILS(clwCreateChunks(context, 6 << 20, 2 << 20, 0, &chunks),
	      CLW_MEMORY_TIMEOUT, "Allocation of 1 MiB");
	TRUE(memory_of(context).buffers == 0);
	TRUE(memory_of(context).peak_bytes == 5 << 20);
	clwReleaseContext(context);
}

static void pressure(void)
{
	struct clw_context *context = open_context();
	struct clw_memory memory = memory_of(context);
	struct clw_chunks *chunks;

	/* On pocl memory is there when it is written to. */
	OK(clwCreateChunks(context, memory.total_bytes / 100 * 90, 0, 0,
			   &chunks));
	clwReleaseChunks(chunks);
	clwReleaseContext(context);
}

static void transfers(void)
{
	struct clw_context *context = open_context();
	struct clw_buffer *one, *two;
	char bytes[64], back[64];
	void *mapped;

	memset(bytes, 5, sizeof(bytes));
	OK(clwCreateBuffer(context, sizeof(bytes), 0, &one));
	OK(clwCreateBuffer(context, sizeof(bytes), 0, &two));
	FAILS(clwEnqueueWrite(one, 1, sizeof(bytes), bytes, 0),
	      CLW_BUFFER_OVERFLOW, "past the end of a buffer of 64 bytes");
	FAILS(clwEnqueueRead(one, 65, 1, back, 0), CLW_BUFFER_OVERFLOW, "65");
	FAILS(clwEnqueueRead(one, 1, SIZE_MAX, back, 0), CLW_BUFFER_OVERFLOW,
	      "from byte 1");
	FAILS(clwEnqueueWrite(one, 0, 0, bytes, 0), CLW_INVALID_SIZE,
	      "0 bytes");
	FAILS(clwEnqueueWrite(one, 0, 1, NULL, 0), CLW_INVALID_ARGUMENT,
	      "NULL");
	FAILS(clwEnqueueWrite(one, 0, 1, bytes, 8), CLW_INVALID_ARGUMENT,
	      "0x8");
	FAILS(clwEnqueueWrite(NULL, 0, 1, bytes, 0), CLW_INVALID_HANDLE,
	      "NULL");
	FAILS(clwEnqueueCopy(one, 0, one, 1, 63), CLW_INVALID_ARGUMENT,
	      "overlap");
	FAILS(clwEnqueueFill(one, 0, 63, bytes, 2), CLW_INVALID_ARGUMENT,
	      "divides");
	OK(clwEnqueueWrite(one, 0, sizeof(bytes), bytes, CLW_ASYNC));
	OK(clwEnqueueCopy(one, 0, two, 32, 32));
	OK(clwEnqueueFill(two, 0, 32, "ab", 2));
	OK(clwEnqueueRead(two, 0, sizeof(back), back, CLW_ASYNC));
	OK(clwFinish(context));
	TRUE(back[0] == 'a' && back[31] == 'b' && back[32] == 5 &&
	     back[63] == 5);
	OK(clwMapBuffer(two, 4, 8, CL_MAP_READ | CL_MAP_WRITE, &mapped));
	TRUE(memcmp(mapped, "abababab", 8) == 0);
	memcpy(mapped, "12345678", 8);
	OK(clwUnmapBuffer(two, mapped));
	OK(clwEnqueueRead(two, 0, sizeof(back), back, 0));
	TRUE(memcmp(back, "abab12345678ab", 14) == 0);
	FAILS(clwMapBuffer(two, 60, 8, CL_MAP_READ, &mapped),
	      CLW_BUFFER_OVERFLOW, "map of 8 bytes");
	FAILS(clwUnmapBuffer(two, NULL), CLW_INVALID_ARGUMENT, "NULL");
	OK(clwLockBuffer(one));
	OK(clwLockBuffer(one));
	OK(clwUnlockBuffer(one));
	OK(clwUnlockBuffer(one));
	FAILS(clwUnlockBuffer(one), CLW_INVALID_ARGUMENT, "not locked");
	TRUE(clwBufferAddress(one) && clwBufferAddress(one) !=
				      clwBufferAddress(two));
	TRUE(!clwBufferAddress(NULL) && !clwBufferSize(NULL));
	clwReleaseContext(context);	/* they keep it */
	clwReleaseBuffer(one);
	clwReleaseBuffer(two);
}

/* ---- kernels ---------------------------------------------------------------- */

static void names(void)
{
	struct clw_context *context = open_context();
	struct clw_kernel *kernel = NULL, *other;
	char path[4096];

	FAILS(clwCreateKernel(context, "nothing", &kernel),
	      CLW_KERNEL_NOT_FOUND, "looked for nothing, nothing.clw and "
	      "nothing.cl in the working directory, CLW_KERNEL_PATH (");
	FAILS(clwCreateKernel(context, "/tmp", &kernel), CLW_KERNEL_NOT_FOUND,
	      "'/tmp': a name with a slash is a path");
	TRUE(!strstr(clwLastError(), "looked for"));
	FAILS(clwCreateKernel(context, "", &kernel), CLW_INVALID_ARGUMENT,
	      "empty");
	FAILS(clwCreateKernel(context, NULL, &kernel), CLW_INVALID_ARGUMENT,
	      "NULL");
	/* Not empty: NVIDIA's compiler of 2025 fails on a kernel that is. */
	write_file("two.cl", "kernel void one(global int *x) { *x = 1; }\n"
		   "kernel void two2(global int *x) { *x = 2; }\n");
	FAILS(clwCreateKernel(context, "two", &kernel), CLW_KERNEL_NOT_FOUND,
	      "name one as FILE:FUNCTION");
	FAILS(clwCreateKernel(context, "two:three", &kernel),
	      CLW_KERNEL_NOT_FOUND, "no kernel function 'three' in two.cl");
	TRUE(!kernel);
	OK(clwCreateKernel(context, "two:two2", &kernel));
	TRUE(strcmp(clwKernelName(kernel), "two2") == 0);
	TRUE(clwKernelArgCount(kernel) == 1);
	OK(clwFindKernel("two.cl:one", path, sizeof(path)));
	TRUE(strcmp(path, "two.cl") == 0);
	clwReleaseKernel(kernel);
	/* Built again where the file is another one. */
	write_file("two.cl", "kernel void alone(global int *x) { *x = 1; }\n");
	OK(clwCreateKernel(context, "two", &kernel));
	TRUE(strcmp(clwKernelName(kernel), "alone") == 0);
	OK(clwCreateKernel(context, "./two.cl", &other));
	clwReleaseKernel(other);
	write_file("two.cl", "kernel void alone(global int *x) { *x = y; }\n");
	FAILS(clwCreateKernel(context, "two", &other),
	      CLW_KERNEL_BUILD_FAILURE, "two.cl for device '");
	TRUE(strstr(clwLastError(), "'y'"));
	unlink("two.cl");
	OK(clwCreateKernel(context, "matrix_multiply_v2", &other));
	TRUE(strcmp(clwKernelName(other), "matrix_multiply") == 0);
	TRUE(strcmp(clwKernelArgName(other, 3), "M") == 0);
	TRUE(strcmp(clwKernelArgType(other, 3), "int") == 0);
	TRUE(clwKernelElementSize(other, 0) == sizeof(float));
	clwReleaseKernel(other);
	clwReleaseKernel(kernel);
	clwReleaseKernel(NULL);
	clwReleaseContext(context);
}

static void arguments(void)
{
	const size_t global = 64, local = 16, odd = 15, none = 0;
	const size_t huge = SIZE_MAX;
	const size_t screen[2] = { 1921, 1081 }, tile[2] = { 16, 16 };
	struct clw_context *context = open_context();
	struct clw_kernel *kernel;
	struct clw_buffer *in, *out;
	float factor = 3, values[64];

	OK(clwCreateKernelFromSource(context, source, NULL, NULL, &kernel));
	OK(clwCreateBuffer(context, sizeof(values), 0, &in));
	OK(clwCreateBuffer(context, sizeof(values), 0, &out));
	OK(clwSetArgBuffer(kernel, 0, in));
	FAILS(clwLaunch(kernel, 1, &global, NULL), CLW_ARGUMENT_NOT_SET,
	      "argument 1 ('out') of kernel twice is not set");
	TRUE(clwLastClCode() == CL_INVALID_KERNEL_ARGS);
	FAILS(clwSetArgBuffer(kernel, 1, NULL), CLW_INVALID_HANDLE,
	      "argument 1 ('out') of kernel twice: the buffer is NULL");
	OK(clwSetArgBuffer(kernel, 1, out));
	FAILS(clwSetArg(kernel, 2, 8, values), CLW_INVALID_ARGUMENT,
	      "argument 2 ('factor')");
	OK(clwSetArg(kernel, 2, sizeof(factor), &factor));
	FAILS(clwSetArgLocal(kernel, 3, (size_t)1 << 40), CLW_INVALID_SIZE,
	      "of local memory; device '");
	OK(clwSetArgLocal(kernel, 3, local * sizeof(float)));
	FAILS(clwSetArg(kernel, 4, 4, &factor), CLW_INVALID_ARGUMENT,
	      "kernel twice has 4");
	FAILS(clwLaunch(kernel, 2, screen, tile), CLW_INVALID_WORK_SIZE,
	      "global size 1921x1081, local size 16x16");
	TRUE(clwLastClCode() == CL_INVALID_WORK_GROUP_SIZE);
	FAILS(clwLaunch(kernel, 1, &global, &odd), CLW_INVALID_WORK_SIZE,
	      "global size is not a multiple of the local size in dimension 0");
	FAILS(clwLaunch(kernel, 1, &global, &huge), CLW_INVALID_WORK_SIZE,
	      "a work-group of the device has at most ");
	TRUE(!strstr(clwLastError(), "round"));
	FAILS(clwLaunch(kernel, 1, &global, &none), CLW_INVALID_WORK_SIZE, "0");
	FAILS(clwLaunch(kernel, 1, &none, NULL), CLW_INVALID_WORK_SIZE, "0");
	FAILS(clwLaunch(kernel, 4, &global, NULL), CLW_INVALID_WORK_SIZE, "4");
	FAILS(clwLaunch(kernel, 1, NULL, NULL), CLW_INVALID_WORK_SIZE, "NULL");
	for (int i = 0; i < 64; i++)
		values[i] = (float)i;
	OK(clwEnqueueWrite(in, 0, sizeof(values), values, 0));
	OK(clwLaunch(kernel, 1, &global, &local));
	OK(clwEnqueueRead(out, 0, sizeof(values), values, 0));
	TRUE(values[63] == 189);
	clwReleaseBuffer(in);
	FAILS(clwLaunch(kernel, 1, &global, &local), CLW_INVALID_HANDLE,
	      "argument 0 ('in') of kernel twice: its buffer was released");
	FAILS(clwSetArgBuffer((struct clw_kernel *)out, 0, out),
	      CLW_INVALID_HANDLE, "the kernel is not a kernel of libclw, or");
	FAILS(clwEnqueueKernel(context, "compute", 0, NULL, NULL, 1,
			       (struct clw_arg []){ clwArgBuffer(out) }),
	      CLW_ARGUMENT_NOT_SET, "argument 1 ('output')");
	clwReleaseKernel(kernel);
	clwReleaseBuffer(out);
	works(context);
	clwReleaseContext(context);
}

/* ---- failures under openclaw -------------------------------------------------- */

/* This process has lost the device: said of every call, and a worker has it. */
static void is_lost(struct clw_context *context, struct clw_buffer *buffer)
{
	struct clw_context *other = NULL;
	struct clw_buffer *more = NULL;
	float value;

	TRUE(strstr(clwLastError(), "this process has lost device NVIDIA H"));
	TRUE(strstr(clwLastError(), " (ID:0)"));
	FAILS(clwFinish(context), CLW_DEVICE_LOST, "has entered unrecoverable "
	      "state");
	FAILS(clwEnqueueRead(buffer, 0, sizeof(value), &value, 0),
	      CLW_DEVICE_LOST, "release it, and run the work in a new process "
	      "(a workload does)");
	FAILS(clwCreateBuffer(context, BYTES, 0, &more), CLW_DEVICE_LOST,
	      "unrecoverable");
	TRUE(clwContextState(context) == CLW_DEVICE_LOST);
	FAILS(clwCreateContext(0, &other), CLW_DEVICE_LOST, "a new process");
	TRUE(strstr(clwLastReport(), "clwCreateContext failed with NVIDIA's "
		    "code for a process that has lost the device (-9999)"));
	TRUE(!more && !other);
	OK(clwResetDevice(0));
	OK(clwWaitForRecovery(0, 20000));
}

/* The second launch fails asynchronously; a new context works or, on an H200,
 * a new process. */
static void crash(bool lost)
{
	struct clw_context *context = open_context();
	struct clw_buffer *in, *out;

	OK(clwCreateBuffer(context, BYTES, 0, &in));
	OK(clwCreateBuffer(context, BYTES, 0, &out));
	for (int i = 0; i < 2; i++)
		OK(clwEnqueueKernel(context, "compute", 0, NULL, NULL, 2,
				    (struct clw_arg []){ clwArgBuffer(in),
							 clwArgBuffer(out) }));
	FAILS(clwFinish(context), CLW_GPU_CRASH, "kernel compute at clw_use.c:");
	/* A driver whose events say which one it was is believed. */
	TRUE(lost == !!strstr(clwLastError(), "one of 2 commands"));
	TRUE(lost || strstr(clwLastError(), "this context has lost device"));
	if (lost)
		is_lost(context, out);
	clwReleaseBuffer(in);
	clwReleaseBuffer(out);
	clwReleaseContext(context);
	if (lost)
		return;
	works(context = open_context());
	clwReleaseContext(context);
}

static void crash_h200(void) { crash(true); }
static void crash_generic(void) { crash(false); }

/* The same without openclaw: a kernel that writes where nothing is. For an
 * H100 or H200; a driver for CPUs takes the process with it. */
static void crash_device(void)
{
	struct clw_context *context = open_context();
	const size_t count = 64;
	const cl_mem nothing = NULL;
	struct clw_kernel *kernel;
	struct clw_buffer *buffer;

	OK(clwCreateKernelFromSource(context, "kernel void stray(global int *x)"
		"{ x[get_global_id(0)] = 1; }", NULL, NULL, &kernel));
	OK(clwCreateBuffer(context, BYTES, 0, &buffer));
	OK(clwSetArg(kernel, 0, sizeof(nothing), &nothing));
	OK(clwLaunch(kernel, 1, &count, NULL));
	FAILS(clwFinish(context), CLW_GPU_CRASH, "kernel stray at clw_use.c:");
	printf("%s\n", clwLastReport());
	is_lost(context, buffer);
	clwReleaseKernel(kernel);
	clwReleaseBuffer(buffer);
	clwReleaseContext(context);
}

/* All memory of a device, in pieces of an eighth, and one more; for devices that
 * have memory of their own. */
static void exhaust(void)
{
	struct clw_context *context = open_context();
	struct clw_buffer *pieces[16];
	size_t piece = memory_of(context).total_bytes / 8, count = 0;
	int status;

	OK(clwSetMemoryTimeout(context, 0.3));
	while (count < 16 && !(status = clwCreateBuffer(context, piece, 0,
							&pieces[count])))
		count++;
	TRUE(count >= 6 && count <= 8 && status == CLW_MEMORY_TIMEOUT);
	printf("%zu pieces of %zu MiB\n%s\n", count, piece >> 20,
	       clwLastReport());
	clwReleaseBuffer(pieces[--count]);
	OK(clwCreateBuffer(context, piece, 0, &pieces[count++]));
	while (count)
		clwReleaseBuffer(pieces[--count]);
	works(context);
	clwReleaseContext(context);
}

/* A launch is refused for what the one before it did, and says so. */
static void crash_next(void)
{
	struct clw_context *context = open_context();
	struct clw_buffer *in, *out;
	int status = CLW_OK;

	OK(clwCreateBuffer(context, BYTES, 0, &in));
	OK(clwCreateBuffer(context, BYTES, 0, &out));
	for (int i = 0; !status && i < 3; i++)
		status = clwEnqueueKernel(context, "compute", 0, NULL, NULL, 2,
			(struct clw_arg []){ clwArgBuffer(in),
					     clwArgBuffer(out) });
	FAILS(status, CLW_GPU_CRASH, "kernel compute at clw_use.c:");
	FAILS(clwFinish(context), CLW_DEVICE_LOST, "release it");
	clwReleaseBuffer(in);
	clwReleaseBuffer(out);
	clwReleaseContext(context);
	works(context = open_context());
	clwReleaseContext(context);
}

/* Only the event of the first launch says that it failed: clFinish() does not.
 * The context has the device still. */
static void event_only(void)
{
	struct clw_context *context = open_context();
	struct timespec some = { .tv_nsec = 50000000 };
	struct clw_buffer *in, *out;

	OK(clwCreateBuffer(context, BYTES, 0, &in));
	OK(clwCreateBuffer(context, BYTES, 0, &out));
	OK(clwEnqueueKernel(context, "compute", 0, NULL, NULL, 2,
			    (struct clw_arg []){ clwArgBuffer(in),
						 clwArgBuffer(out) }));
	nanosleep(&some, NULL);
	FAILS(clwFinish(context), CLW_GPU_CRASH, "the context still has device");
	clwReleaseBuffer(in);
	clwReleaseBuffer(out);
	OK(clwFinish(context));			/* told once */
	works(context);
	clwReleaseContext(context);
}

/* A blocking read meets what an earlier launch did. */
static void crash_read(void)
{
	struct clw_context *context = open_context();
	struct clw_buffer *in, *out;
	float values[ITEMS];

	OK(clwCreateBuffer(context, BYTES, 0, &in));
	OK(clwCreateBuffer(context, BYTES, 0, &out));
	OK(clwEnqueueKernel(context, "compute", 0, NULL, NULL, 2,
			    (struct clw_arg []){ clwArgBuffer(in),
						 clwArgBuffer(out) }));
	FAILS(clwEnqueueRead(out, 0, BYTES, values, 0), CLW_GPU_CRASH,
	      "kernel compute at clw_use.c:");
	clwReleaseBuffer(in);
	clwReleaseBuffer(out);
	clwReleaseContext(context);
}

/* Nobody waits for it: who reads stderr is told. */
static void untold(void)
{
	struct clw_context *context = open_context();
	struct clw_buffer *buffer;

	OK(clwCreateBuffer(context, BYTES, 0, &buffer));
	OK(clwEnqueueKernel(context, "compute", 0, NULL, NULL, 2,
			    (struct clw_arg []){ clwArgBuffer(buffer),
						 clwArgBuffer(buffer) }));
	clwReleaseBuffer(buffer);
	clwReleaseContext(context);
}

/* A launch that does not end (hang), or ends after a second. */
static void hang(void)
{
	struct clw_context *context = open_context();
	struct clw_buffer *in, *out;
	double start = now();

	OK(clwCreateBuffer(context, BYTES, 0, &in));
	OK(clwCreateBuffer(context, BYTES, 0, &out));
	OK(clwSetKernelTimeout(context, 0.2));
	OK(clwEnqueueKernel(context, "compute", 0, NULL, NULL, 2,
			    (struct clw_arg []){ clwArgBuffer(in),
						 clwArgBuffer(out) }));
	FAILS(clwFinish(context), CLW_KERNEL_TIMEOUT, "kernel compute at "
	      "clw_use.c:");
	OK(clwLockBuffer(in));
	FAILS(clwUnlockBuffer(in), CLW_KERNEL_TIMEOUT,
	      "has not ended after 0.200s");
	TRUE(now() - start < 5);
	clwReleaseBuffer(in);
	clwReleaseBuffer(out);
	clwReleaseContext(context);
}

/* Made in the parent, it is of no use in the child; the child's own is. */
static void forked(void)
{
	struct clw_context *context = open_context();
	struct clw_buffer *buffer, *none = NULL;
	pid_t child;
	int status;

	OK(clwCreateBuffer(context, BYTES, 0, &buffer));
	child = fork();
	if (child == 0) {
		FAILS(clwFinish(context), CLW_INVALID_HANDLE, "forked");
		FAILS(clwCreateBuffer(context, 4, 0, &none),
		      CLW_INVALID_HANDLE, "forked");
		clwReleaseBuffer(buffer);
		clwReleaseContext(context);
		_exit(0);
	}
	TRUE(waitpid(child, &status, 0) == child && status == 0);
	OK(clwFinish(context));
	clwReleaseBuffer(buffer);
	clwReleaseContext(context);
}

/* ---- workloads ---------------------------------------------------------------- */

static struct clw_workload *make(const char *name)
{
	struct clw_workload *workload = NULL;

	OK(clwCreateWorkload(name, &workload));
	return workload;
}

static void workload(void)
{
	const float square[16] = { 4, 1, 2, 3, 8, 5, 6, 7, 12, 9, 10, 11, 16,
				   13, 14, 15 };
	const size_t four = 4;
	const float in[4] = { 1, 2, 3, 4 };
	struct clw_workload *work = make("matrix_multiply_v2#square");
	struct clw_result *result;

	OK(clwExecuteWorkload(work, &result));
	TRUE(result->status == CLW_OK && result->attempts == 1);
	TRUE(strcmp(result->code, "ok") == 0 && !*result->message);
	TRUE(result->output_count == 1 && result->outputs[0].index == 2);
	TRUE(strcmp(result->outputs[0].type, "float") == 0);
	TRUE(result->outputs[0].count == 16 && result->outputs[0].size == 64);
	TRUE(memcmp(result->outputs[0].data, square, sizeof(square)) == 0);
	TRUE(result->peak_bytes == 3 * 64 && result->elapsed_ns);
	clwReleaseResult(result);
	clwReleaseWorkload(work);
	/* All of it given, and from another directory. */
	work = make("compute");
	OK(clwSetWorkloadBuffer(work, 0, sizeof(in), in, 0));
	OK(clwSetWorkloadBuffer(work, 1, sizeof(in), NULL, 1));
	OK(clwSetWorkloadSize(work, 1, &four, NULL));
	OK(clwExecuteWorkload(work, &result));
	TRUE(result->output_count == 1 && result->outputs[0].size == 16);
	TRUE(((float *)result->outputs[0].data)[3] == 8);
	TRUE(!*result->outputs[0].type && result->outputs[0].count == 16);
	clwReleaseResult(result);
	clwReleaseWorkload(work);
	clwReleaseResult(NULL);
	clwReleaseWorkload(NULL);
}

static struct clw_result *run_file(const char *text, int64_t seed)
{
	struct clw_workload *work;
	struct clw_result *result;

	write_file("kinds.clw", text);
	work = make("./kinds.clw");
	OK(clwConfigureWorkload(work, "seed", seed));
	OK(clwExecuteWorkload(work, &result));
	clwReleaseWorkload(work);
	unlink("kinds.clw");
	return result;
}

#define HEADER(kernel_, more_)						\
	"/" "*!\n[config]\nkernel_name: " kernel_ "\n"			\
	"[test]\nglobal_size: 4\nlocal_size: null\n" more_ "!*" "/\n"

/* Images, samplers, random contents, parts of buffers, and two arguments of one. */
static void workload_kinds(void)
{
	static const char image[] = HEADER("turn",
		"arg_in: 0 image uchar4 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 "
		"image_type 2d image_width 2 image_height 2 image_channel_order "
		"RGBA image_channel_data_type UNSIGNED_INT8\n"
		"arg_in: 1 sampler normalized_coords 0 addressing_mode "
		"CLAMP_TO_EDGE filter_mode NEAREST\n"
		"arg_out: 2 image uchar4 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 "
		"image_type 2d image_width 2 image_height 2 image_channel_order "
		"RGBA image_channel_data_type UNSIGNED_INT8\n")
		"kernel void turn(read_only image2d_t in, sampler_t s,\n"
		"	write_only image2d_t out)\n"
		"{ int i = get_global_id(0); int2 at = (int2)(i % 2, i / 2);\n"
		"  write_imageui(out, at, read_imageui(in, s, at.yx) + 100); }\n";
	static const unsigned char turned[16] = {
		101, 102, 103, 104, 109, 110, 111, 112,
		105, 106, 107, 108, 113, 114, 115, 116,
	};
	static const char random[] = HEADER("copy",
		"arg_in: 0 buffer float[4] random\n"
		"arg_out: 1 buffer float[4] 0 0 0 0 tolerance inf\n")
		"kernel void copy(global float *in, global float *out)\n"
		"{ out[get_global_id(0)] = in[get_global_id(0)]; }\n";
	static const char parts[] = HEADER("sum",
		"arg_in: 0 buffer int[1032] random\n"
		"arg_in: 1 buffer int[4] 1 2 3 4 alias 0\n"
		"arg_in: 2 buffer int[4] 10 20 30 40 alias 0 offset 4096\n"
		"arg_in: 3 buffer int[4] 100 200 300 400 offset 4096\n"
		"arg_out: 4 buffer int[4] 111 222 333 444\n")
		"kernel void sum(global int *all, global int *a, global int *b,\n"
		"	global int *c, global int *out)\n"
		"{ size_t i = get_global_id(0);\n"
		"  out[i] = all[i] == a[i] && all[1024 + i] == b[i] ?\n"
		"	a[i] + b[i] + c[i] : 0; }\n";
	static const int sums[4] = { 111, 222, 333, 444 };
	struct clw_result *result = run_file(image, 0), *again;

	TRUE(result->output_count == 1 && result->outputs[0].size == 16);
	TRUE(memcmp(result->outputs[0].data, turned, sizeof(turned)) == 0);
	clwReleaseResult(result);
	result = run_file(parts, 0);
	TRUE(memcmp(result->outputs[0].data, sums, sizeof(sums)) == 0);
	clwReleaseResult(result);
	result = run_file(random, 7);
	again = run_file(random, 7);
	TRUE(result->outputs[0].size == 16);
	TRUE(memcmp(result->outputs[0].data, again->outputs[0].data, 16) == 0);
	clwReleaseResult(again);
	again = run_file(random, 8);
	TRUE(memcmp(result->outputs[0].data, again->outputs[0].data, 16) != 0);
	clwReleaseResult(again);
	clwReleaseResult(result);
}

/* Each is one error, and the worker goes on. */
static void fails_file(const char *text, int status, const char *words)
{
	struct clw_workload *work;

	write_file("mistakes.clw", text);
	work = make("./mistakes.clw");
	FAILS(clwExecuteWorkload(work, NULL), status, words);
	clwReleaseWorkload(work);
	unlink("mistakes.clw");
}

#define ONE "kernel void one(global int *a, global int *b) { *a = *b; }\n"

static void workload_mistakes(void)
{
	fails_file(HEADER("one", "arg_in: 0 buffer int[1] 1 freed\n"
		"arg_in: 1 buffer int[1] 1\n") ONE, CLW_INVALID_ARGUMENT,
		"mistakes.clw:7: argument 0 is \"freed\"");
	fails_file(HEADER("one", "arg_in: 0 buffer int[2] 1 1 alias 1\n"
		"arg_in: 1 buffer int[1] 1\n") ONE, CLW_INVALID_ARGUMENT,
		"mistakes.clw:7:9: expected at most the 4 bytes of argument 1, "
		"found 8 from 0 on");
	/* Too wide for some devices; for others, no buffer. */
	fails_file(HEADER("one", "arg_in: 0 buffer int[1] 1\n"
		"arg_in: 1 image uchar random image_type 2d image_width 65536 "
		"image_height 1 image_channel_order R "
		"image_channel_data_type UNSIGNED_INT8\n") ONE,
		CLW_OPENCL_ERROR, "argument 1");
	OK(clwProbeDevice(CLW_DEFAULT_DEVICE, 0));
}

static void workload_wrong(void)
{
	struct clw_workload *work;
	struct clw_result *result;
	const size_t sizes_[2] = { 4, 4 }, odd[2] = { 3, 3 };
	int value = 1;

	FAILS(clwCreateWorkload("", &work), CLW_INVALID_ARGUMENT, "empty");
	work = make("nothing");
	FAILS(clwExecuteWorkload(work, &result), CLW_KERNEL_NOT_FOUND,
	      "nothing");
	TRUE(strcmp(result->code, "clw-kernel-not-found") == 0);
	TRUE(strstr(result->message, "looked for nothing"));
	clwReleaseResult(result);
	FAILS(clwConfigureWorkload(work, "speed", 1), CLW_INVALID_ARGUMENT,
	      "'speed' is no key");
	FAILS(clwConfigureWorkload(work, "max_retry_attempts", -1),
	      CLW_INVALID_ARGUMENT, "max_retry_attempts: expected 0 to 1000");
	clwReleaseWorkload(work);
	work = make("matrix_multiply_v2#round");
	FAILS(clwExecuteWorkload(work, NULL), CLW_INVALID_ARGUMENT,
	      "has no test 'round'");
	clwReleaseWorkload(work);
	work = make("matrix_multiply_v2");
	OK(clwSetWorkloadSize(work, 2, sizes_, odd));
	FAILS(clwExecuteWorkload(work, NULL), CLW_INVALID_WORK_SIZE,
	      "local size 3x3");
	OK(clwSetWorkloadValue(work, 9, sizeof(value), &value));
	FAILS(clwExecuteWorkload(work, NULL), CLW_INVALID_ARGUMENT,
	      "argument 9: kernel matrix_multiply has 6");
	FAILS(clwSetWorkloadBuffer(work, 0, 0, NULL, 0), CLW_INVALID_SIZE, "0");
	clwReleaseWorkload(work);
	work = make("compute");
	OK(clwConfigureWorkload(work, "device", 77));
	FAILS(clwExecuteWorkload(work, NULL), CLW_NO_DEVICE, "no device 77");
	clwReleaseWorkload(work);
	work = make("matrix_multiply_v2");	/* the next call works */
	OK(clwExecuteWorkload(work, NULL));
	clwReleaseWorkload(work);
}

/* A CPU's driver dies of a NULL buffer; this program goes on. */
static void workload_crash(void)
{
	struct clw_workload *work = make("compute_bug");
	struct clw_result *result;

	OK(clwConfigureWorkload(work, "enable_crash_recovery", 1));
	OK(clwConfigureWorkload(work, "max_retry_attempts", 1));
	FAILS(clwExecuteWorkload(work, &result), CLW_GPU_CRASH,
	      "workload compute_bug: ");
	TRUE(result->attempts == 2 && result->output_count == 0);
	TRUE(strcmp(result->code, "clw-gpu-crash") == 0);
	TRUE(strstr(result->message, "while its kernel ran on device '") ||
	     strstr(result->message, "this process has lost device"));
	clwReleaseResult(result);
	TRUE(clwWorkerProcess(CLW_DEFAULT_DEVICE) == 0);
	OK(clwResetDevice(CLW_DEFAULT_DEVICE));
	OK(clwWaitForRecovery(CLW_DEFAULT_DEVICE, 30000));
	clwReleaseWorkload(work);
	work = make("matrix_multiply_v2");
	OK(clwExecuteWorkload(work, NULL));
	clwReleaseWorkload(work);
}

/* Beneath a model that loses the device at the first launch of that kernel in
 * each process: as above, and the probe works. */
static void workload_lost(void)
{
	struct clw_workload *work = make("compute");
	struct clw_result *result;

	FAILS(clwExecuteWorkload(work, &result), CLW_GPU_CRASH,
	      "this process has lost device NVIDIA H200");
	TRUE(result->attempts == 1 && result->cl_code);
	clwReleaseResult(result);
	clwReleaseWorkload(work);
	OK(clwProbeDevice(CLW_DEFAULT_DEVICE, 0));
	work = make("matrix_multiply_v2");
	OK(clwExecuteWorkload(work, NULL));
	clwReleaseWorkload(work);
}

/* A kernel that does not end, or takes long. */
static void workload_hang(void)
{
	struct clw_workload *work;
	const size_t one = 1;
	int limit_ms = 3000;
	char words[64];

	write_file("endless.cl", "kernel void endless(global volatile int *x)\n"
		   "{ while (*x == 0) ; }\n");
	work = make("endless");
	OK(clwSetWorkloadBuffer(work, 0, 4, NULL, 1));
	OK(clwSetWorkloadSize(work, 1, &one, NULL));
	OK(clwProbeDevice(CLW_DEFAULT_DEVICE, 0));	/* it is open */
	if (!getenv("CLW_DEVICE_ID"))
		TRUE(clwWorkerProcess(0) ==
		     clwWorkerProcess(CLW_DEFAULT_DEVICE));
	/* The time must be enough to prepare it, on any machine. */
	do {
		OK(clwConfigureWorkload(work, "gpu_timeout_ms", limit_ms));
		snprintf(words, sizeof(words), "has not ended after %d.000s",
			 limit_ms / 1000);
		FAILS(clwExecuteWorkload(work, NULL), CLW_KERNEL_TIMEOUT,
		      words);
		limit_ms *= 3;
	} while (strstr(clwLastError(), "(it is being prepared)") &&
		 limit_ms < 100000);
	TRUE(strstr(clwLastError(), "(its kernel runs)"));
	TRUE(clwWorkerProcess(CLW_DEFAULT_DEVICE) == 0);
	clwReleaseWorkload(work);
	OK(clwProbeDevice(CLW_DEFAULT_DEVICE, 0));
	unlink("endless.cl");
}

/* Beneath a model that loses the device in each new worker: what the probes
 * failed with, and not that the last one was cut off. */
static void never_recovers(void)
{
	double start = now();

	FAILS(clwWaitForRecovery(CLW_DEFAULT_DEVICE, 1), CLW_KERNEL_TIMEOUT,
	      "has not ended after 0.00");
	FAILS(clwWaitForRecovery(CLW_DEFAULT_DEVICE, 3000), CLW_GPU_CRASH,
	      "this process has lost device NVIDIA H200");
	TRUE(now() - start >= 2.9 && now() - start < 20);
}

static bool has_open(long process, const char *name)
{
	for (int fd = 0; fd < 256; fd++) {
		char link[64], path[4096];
		ssize_t length;

		snprintf(link, sizeof(link), "/proc/%ld/fd/%d", process, fd);
		length = readlink(link, path, sizeof(path) - 1);
		path[length < 0 ? 0 : length] = '\0';
		if (strstr(path, name))
			return true;
	}
	return false;
}

static void *end_later(void *worker)
{
	struct timespec some = { .tv_nsec = 200000000 };

	nanosleep(&some, NULL);
	kill((pid_t)*(long *)worker, SIGKILL);
	return NULL;
}

/* Somebody ends the worker, before a message and while it works. */
static void workload_killed(void)
{
	struct clw_workload *work = make("matrix_multiply_v2");
	struct timespec some = { .tv_nsec = 100000000 };
	pthread_t thread;
	long worker;

	/* A file of the program's is none of the worker's. */
	write_file("secret", "");
	TRUE(fopen("secret", "r"));
	unlink("secret");
	TRUE(has_open(getpid(), "secret"));
	OK(clwExecuteWorkload(work, NULL));
	worker = clwWorkerProcess(CLW_DEFAULT_DEVICE);
	TRUE(worker > 0 && kill((pid_t)worker, SIGKILL) == 0);
	nanosleep(&some, NULL);
	OK(clwExecuteWorkload(work, NULL));
	/* One that dies of it when it is asked. */
	worker = clwWorkerProcess(CLW_DEFAULT_DEVICE);
	TRUE(kill((pid_t)worker, SIGSTOP) == 0);
	TRUE(pthread_create(&thread, NULL, end_later, &worker) == 0);
	OK(clwExecuteWorkload(work, NULL));
	pthread_join(thread, NULL);
	TRUE(clwWorkerProcess(CLW_DEFAULT_DEVICE) != worker);
	worker = clwWorkerProcess(CLW_DEFAULT_DEVICE);
	OK(clwExecuteWorkload(work, NULL));
	TRUE(clwWorkerProcess(CLW_DEFAULT_DEVICE) == worker);
	TRUE(!has_open(worker, "secret"));
	clwEndWorkers();
	TRUE(clwWorkerProcess(CLW_DEFAULT_DEVICE) == 0);
	TRUE(kill((pid_t)worker, 0) < 0);
	setenv("CLW_WORKER", "/proc/nonexistent", 1);
	FAILS(clwExecuteWorkload(work, NULL), CLW_WORKER_LOST,
	      "CLW_WORKER is '/proc/nonexistent', which is no program");
	setenv("CLW_WORKER", "/bin/true", 1);
	FAILS(clwExecuteWorkload(work, NULL), CLW_WORKER_LOST,
	      "has ended without a result");
	unsetenv("CLW_WORKER");
	OK(clwExecuteWorkload(work, NULL));
	clwReleaseWorkload(work);
}

/* ---- threads, and many ---------------------------------------------------------- */

enum { THREADS = 8, ROUNDS = 40 };

static void *use(void *user)
{
	struct clw_context *context = user;
	struct clw_buffer *buffer = NULL;

	for (int i = 0; i < ROUNDS; i++) {
		works(context);
		FAILS(clwCreateBuffer(context, 0, 0, &buffer),
		      CLW_INVALID_SIZE, "size is 0");
		FAILS(clwCreateBuffer(context, SIZE_MAX, 0, &buffer),
		      CLW_INVALID_SIZE, "past 2^63");
	}
	return NULL;
}

static void threads(void)
{
	struct clw_context *context = open_context();
	pthread_t all[THREADS];

	for (int i = 0; i < THREADS; i++)
		TRUE(pthread_create(&all[i], NULL, use, context) == 0);
	for (int i = 0; i < THREADS; i++)
		TRUE(pthread_join(all[i], NULL) == 0);
	TRUE(memory_of(context).buffers == 0);
	clwReleaseContext(context);
}

static long resident_kib(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long all, resident;

	TRUE(file && fscanf(file, "%ld %ld", &all, &resident) == 2);
	fclose(file);
	return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/* COUNT allocations, each used once in a hundred; prints what it grew by. */
static void many(long count)
{
	struct clw_context *context = open_context();
	struct clw_buffer *buffer;
	double start = now();
	long before = 0;
	int pattern = 7;

	for (long i = 0; i < count; i++) {
		if (i == count / 10)
			before = resident_kib();
		OK(clwCreateBuffer(context, BYTES, 0, &buffer));
		if (i % 100 == 0)
			OK(clwEnqueueFill(buffer, 0, BYTES, &pattern,
					  sizeof(pattern)));
		clwReleaseBuffer(buffer);
	}
	OK(clwFinish(context));
	TRUE(memory_of(context).buffers == 0);
	printf("%ld allocations, %.1f us each, resident memory grew by %ld "
	       "KiB after the first tenth\n", count,
	       (now() - start) / (double)count * 1e6,
	       resident_kib() - before);
	TRUE(resident_kib() - before < 4096);
	clwReleaseContext(context);
}

/* ---- programs to be swept --------------------------------------------------------- */

static int give_up(void)
{
	fprintf(stderr, "clw_use: %s\n", clwLastError());
	return FAILED;
}

/* A transfer and a copy. */
static int swept_buffers(void)
{
	struct clw_context *context = NULL;
	struct clw_buffer *one = NULL, *two = NULL;
	char bytes[64] = "sixty-four bytes", back[64] = "";
	int status;

	if ((status = clwCreateContext(CLW_DEFAULT_DEVICE, &context)) ||
	    (status = clwCreateBuffer(context, sizeof(bytes), 0, &one)) ||
	    (status = clwCreateBufferOrSmaller(context, sizeof(bytes),
					       sizeof(bytes), 0, &two)) ||
	    (status = clwEnqueueWrite(one, 0, sizeof(bytes), bytes,
				      CLW_ASYNC)) ||
	    (status = clwEnqueueCopy(one, 0, two, 0, sizeof(bytes))) ||
	    (status = clwFinish(context)) ||
	    (status = clwEnqueueRead(two, 0, sizeof(back), back, 0)))
		status = give_up();
	else
		puts(back);
	clwReleaseBuffer(two);
	clwReleaseBuffer(one);
	clwReleaseContext(context);
	return status;
}

/* Both ways to launch. */
static int swept_kernels(void)
{
	struct clw_context *context = NULL;
	struct clw_kernel *kernel = NULL;
	struct clw_buffer *in = NULL, *out = NULL;
	float values[16] = { 1, 2, 3 };
	const size_t count = 16;
	int status;

	if ((status = clwCreateContext(CLW_DEFAULT_DEVICE, &context)) ||
	    (status = clwCreateBufferWith(context, values, sizeof(values),
		CL_MEM_COPY_HOST_PTR, &in)) ||
	    (status = clwCreateBuffer(context, sizeof(values), 0, &out)) ||
	    (status = clwEnqueueKernel(context, "compute", 0, NULL, NULL, 2,
		(struct clw_arg []){ clwArgBuffer(in), clwArgBuffer(out) })) ||
	    (status = clwCreateKernel(context, "compute", &kernel)) ||
	    (status = clwSetArgBuffer(kernel, 0, out)) ||
	    (status = clwSetArgBuffer(kernel, 1, in)) ||
	    (status = clwLaunch(kernel, 1, &count, NULL)) ||
	    (status = clwFinish(context)) ||
	    (status = clwEnqueueRead(in, 0, sizeof(values), values, 0)))
		status = give_up();
	else
		printf("%g %g %g\n", values[0], values[1], values[2]);
	clwReleaseKernel(kernel);
	clwReleaseBuffer(out);
	clwReleaseBuffer(in);
	clwReleaseContext(context);
	return status;
}

static int swept_workload(void)
{
	struct clw_workload *work = NULL;
	struct clw_result *result = NULL;
	int status;

	if ((status = clwCreateWorkload("matrix_multiply_v2", &work)) ||
	    (status = clwExecuteWorkload(work, &result)))
		status = give_up();
	else
		printf("%g\n", ((float *)result->outputs[0].data)[8]);
	clwReleaseResult(result);
	clwReleaseWorkload(work);
	return status;
}

/* ---- which --------------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*run)(void);
	int (*swept)(void);
} cases[] = {
	{ "sizes", sizes, NULL }, { "flags", flags, NULL },
	{ "timeout", timeout, NULL }, { "waits", waits, NULL },
	{ "slow_driver", slow_driver, NULL }, { "slow_build", slow_build, NULL },
	{ "smaller", smaller, NULL }, { "pressure", pressure, NULL },
	{ "transfers", transfers, NULL }, { "names", names, NULL },
	{ "arguments", arguments, NULL }, { "crash_h200", crash_h200, NULL },
	{ "crash_generic", crash_generic, NULL },
	{ "crash_next", crash_next, NULL }, { "event_only", event_only, NULL },
	{ "crash_device", crash_device, NULL }, { "exhaust", exhaust, NULL },
	{ "crash_read", crash_read, NULL }, { "untold", untold, NULL }, { "hang", hang, NULL },
	{ "forked", forked, NULL }, { "workload", workload, NULL },
	{ "workload_kinds", workload_kinds, NULL },
	{ "workload_mistakes", workload_mistakes, NULL },
	{ "workload_wrong", workload_wrong, NULL },
	{ "workload_crash", workload_crash, NULL },
	{ "workload_lost", workload_lost, NULL },
	{ "never_recovers", never_recovers, NULL },
	{ "workload_hang", workload_hang, NULL },
	{ "workload_killed", workload_killed, NULL },
	{ "threads", threads, NULL },
	{ "swept_buffers", NULL, swept_buffers },
	{ "swept_kernels", NULL, swept_kernels },
	{ "swept_workload", NULL, swept_workload },
};

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (argc == 3 && strcmp(name, "many") == 0) {
		many(strtol(argv[2], NULL, 10));
		return 0;
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (strcmp(name, cases[i].name) != 0)
			continue;
		if (cases[i].swept)
			return cases[i].swept();
		cases[i].run();
		return 0;
	}
	fprintf(stderr, "usage: clw_use CASE\n");
	return 2;
}
