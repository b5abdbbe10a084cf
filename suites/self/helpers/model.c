/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What model.test runs beneath a device model:
 *
 *	info			what the first GPU says of itself
 *	fill KIB COUNT [keep]	make COUNT buffers of that size and write one
 *				byte into each; how many there were, and why no
 *				more
 *	event KIB COUNT		the same, by the events of writes that do not
 *				block
 *	map KIB COUNT		the same with a mapping each, in host memory
 *	loop KIB COUNT [leak]	a launch on a fresh buffer each time; its event
 *				is released, or is not
 *	split KIB		fill the device, give every second one back, ask
 *				for one of twice the size, and for one again
 *	pending KIB		a buffer of that size is released while a
 *				command on it waits, and asked for again
 *	random THREADS COUNT [keep]
 *				makes and releases, and looks whether what is
 *				free is the rest, to the byte; then whether
 *				all is free again, unless the last are kept
 *	large			a buffer larger than this machine's memory
 *	several KIB		what each device says, and how many buffers of
 *				that size it takes by itself
 *	plain			a small program whose output is the same on any
 *				device
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

enum { LIVE = 64, FREE_MEMORY_AMD = 0x4039 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void must(cl_int err, const char *what)
{
	if (!err)
		return;
	printf("%s: %d\n", what, err);
	exit(2);
}

static void CL_CALLBACK hear(const char *text, const void *info, size_t size,
			     void *user)
{
	(void)info;
	(void)size;
	(void)user;
	printf("told: %s\n", text);
}

static void open_device(cl_device_type type)
{
	cl_platform_id platform;
	cl_int err;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, type, 1, &device, NULL),
	     "clGetDeviceIDs");
	context = clCreateContext(NULL, 1, &device, hear, NULL, &err);
	must(err, "clCreateContext");
	queue = clCreateCommandQueue(context, device, 0, &err);
	must(err, "clCreateCommandQueue");
}

static void close_device(void)
{
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
}

static void print_text(const char *what, cl_device_info query)
{
	char text[256] = "";
	size_t size = 0;

	must(clGetDeviceInfo(device, query, 0, NULL, &size), what);
	must(clGetDeviceInfo(device, query, sizeof(text), text, NULL), what);
	printf("%s: %s%s\n", what, text,
	       size == strlen(text) + 1 ? "" : " (of another size)");
}

static uint64_t number(cl_device_info query, size_t size)
{
	unsigned char bytes[8] = { 0 };
	uint64_t wide;
	uint32_t narrow;

	must(clGetDeviceInfo(device, query, size, bytes, NULL), "a number");
	memcpy(&wide, bytes, sizeof(wide));
	memcpy(&narrow, bytes, sizeof(narrow));
	return size == 8 ? wide : narrow;
}

static int info(void)
{
	cl_platform_id platform;
	cl_uint cpus = 0;
	char text[256];
	cl_int err;

	open_device(CL_DEVICE_TYPE_GPU);
	print_text("name", CL_DEVICE_NAME);
	print_text("vendor", CL_DEVICE_VENDOR);
	print_text("version", CL_DEVICE_VERSION);
	print_text("language", CL_DEVICE_OPENCL_C_VERSION);
	print_text("driver", CL_DRIVER_VERSION);
	printf("type: %llu\n", (unsigned long long)
	       number(CL_DEVICE_TYPE, 8));
	printf("memory: %llu\n", (unsigned long long)
	       number(CL_DEVICE_GLOBAL_MEM_SIZE, 8));
	printf("largest: %llu\n", (unsigned long long)
	       number(CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8));
	printf("local: %d\n",
	       number(CL_DEVICE_LOCAL_MEM_SIZE, 8) <= 49152);
	printf("group: %d\n", number(CL_DEVICE_MAX_WORK_GROUP_SIZE,
				     sizeof(size_t)) <= 1024);
	printf("units: %llu\n", (unsigned long long)
	       number(CL_DEVICE_MAX_COMPUTE_UNITS, 4));
	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(text), text,
			       NULL), "CL_PLATFORM_NAME");
	printf("platform: %s\n", text);
	err = clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 0, NULL, &cpus);
	printf("cpus: %d\n", err);
	close_device();
	return 0;
}

static cl_int use(cl_mem mem)
{
	static const unsigned char byte = 1;
	cl_int err = clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, 1, &byte, 0,
					  NULL, NULL);

	return err ? err : clFinish(queue);
}

static int fill(size_t bytes, unsigned int count)
{
	cl_int made = CL_SUCCESS, used = CL_SUCCESS;
	cl_mem *mems = calloc(count, sizeof(*mems));
	unsigned int n = 0;

	while (mems && n < count) {
		mems[n] = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes,
					 NULL, &made);
		if (made)
			break;
		used = use(mems[n]);
		if (used) {
			clReleaseMemObject(mems[n]);
			break;
		}
		n++;
	}
	printf("%u, create %d, use %d, finish %d\n", n, made, used,
	       clFinish(queue));
	for (unsigned int i = 0; mems && i < n; i++)
		clReleaseMemObject(mems[i]);
	free(mems);
	return 0;
}

static int by_event(size_t bytes, unsigned int count)
{
	static const unsigned char byte = 1;
	cl_int made = 0, used = 0, waited = 0, status = 0, after;
	unsigned int n = 0;

	for (; n < count && status >= 0; n++) {
		cl_event event = NULL, next = NULL;
		cl_mem mem = clCreateBuffer(context, 0, bytes, NULL, &made);

		must(made, "clCreateBuffer");
		used = clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, 1, &byte,
					    0, NULL, &event);
		must(used, "clEnqueueWriteBuffer");
		waited = clWaitForEvents(1, &event);
		must(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
				    sizeof(status), &status, NULL), "status");
		after = clEnqueueMarkerWithWaitList(queue, 1, &event, &next);
		if (status < 0)
			printf("after it: %d, %d\n", after,
			       clWaitForEvents(1, &next));
		if (next)
			clReleaseEvent(next);
		clReleaseEvent(event);
	}
	printf("%u, wait %d, status %d, finish %d\n", n, waited, status,
	       clFinish(queue));
	return 0;
}

static int map(size_t bytes, unsigned int count)
{
	unsigned int n = 0;
	cl_int made = 0, mapped = 0;

	for (; n < count && !made && !mapped; n++) {
		cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes,
					    NULL, &made);
		void *pointer = made ? NULL :
			clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_WRITE, 0,
					   bytes, 0, NULL, NULL, &mapped);

		if (!pointer)
			break;
	}
	printf("%u, create %d, map %d\n", n, made, mapped);
	clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &made);
	printf("host memory: %d\n", made);
	return 0;
}

static cl_kernel build(void)
{
	static const char *source =
		"kernel void set(global int *out)"
		"{ out[get_global_id(0)] = (int)get_global_id(0) * 3; }";
	cl_int err;
	cl_program program = clCreateProgramWithSource(context, 1, &source,
						       NULL, &err);
	cl_kernel kernel;

	must(err, "clCreateProgramWithSource");
	must(clBuildProgram(program, 1, &device, "", NULL, NULL),
	     "clBuildProgram");
	kernel = clCreateKernel(program, "set", &err);
	must(err, "clCreateKernel");
	clReleaseProgram(program);
	return kernel;
}

static int loop(size_t bytes, unsigned int count, bool leak)
{
	cl_kernel kernel = build();
	size_t items = 16;
	unsigned int n = 0;
	cl_int err = 0;

	for (; n < count && !err; n++) {
		cl_event event = NULL;
		cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes,
					    NULL, &err);

		if (err)
			break;
		must(clSetKernelArg(kernel, 0, sizeof(mem), &mem), "arg");
		err = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items,
					     NULL, 0, NULL, &event);
		clReleaseMemObject(mem);
		if (err)
			break;
		must(clWaitForEvents(1, &event), "wait");
		if (!leak)
			clReleaseEvent(event);
	}
	printf("%u iterations, %d\n", n, err);
	clReleaseKernel(kernel);
	return 0;
}

static int split(size_t bytes)
{
	cl_mem mems[LIVE], more;
	cl_int err = 0;
	unsigned int n = 0;

	while (n < LIVE) {
		mems[n] = clCreateBuffer(context, 0, bytes, NULL, &err);
		if (err)
			break;
		n++;
	}
	printf("%u\n", n);
	for (unsigned int i = 0; i < n; i += 2)
		clReleaseMemObject(mems[i]);
	more = clCreateBuffer(context, 0, 2 * bytes, NULL, &err);
	printf("twice: %d\n", err);
	if (!err)
		clReleaseMemObject(more);
	more = clCreateBuffer(context, 0, bytes, NULL, &err);
	printf("once: %d\n", err);
	return 0;
}

static int pending(size_t bytes)
{
	static const unsigned char byte = 1;
	cl_int err;
	cl_event gate = clCreateUserEvent(context, &err);
	cl_mem mem = clCreateBuffer(context, 0, bytes, NULL, &err);

	must(err, "clCreateBuffer");
	must(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, 1, &byte, 1, &gate,
				  NULL), "write");
	must(clReleaseMemObject(mem), "release");
	mem = clCreateBuffer(context, 0, bytes, NULL, &err);
	printf("while it waits: %d\n", err);
	if (!err)
		clReleaseMemObject(mem);
	must(clSetUserEventStatus(gate, CL_COMPLETE), "gate");
	must(clFinish(queue), "clFinish");
	mem = clCreateBuffer(context, 0, bytes, NULL, &err);
	printf("when it is done: %d\n", err);
	if (!err)
		clReleaseMemObject(mem);
	clReleaseEvent(gate);
	return 0;
}

/* ---- random */

struct worker {
	pthread_t thread;
	unsigned int number, count;
	uint64_t live;		/* bytes */
	cl_mem mems[LIVE];
	size_t sizes[LIVE];
};

static void *work(void *data)
{
	struct worker *worker = data;
	uint64_t state = worker->number * UINT64_C(0x9e3779b97f4a7c15) + 1;

	for (unsigned int i = 0; i < worker->count; i++) {
		unsigned int at;

		state = state * UINT64_C(6364136223846793005) +
			UINT64_C(1442695040888963407);
		at = (unsigned int)(state >> 33) % LIVE;
		if (worker->mems[at]) {
			must(clReleaseMemObject(worker->mems[at]), "release");
			worker->live -= worker->sizes[at];
			worker->mems[at] = NULL;
		} else {
			size_t size = 1 + (size_t)(state >> 40) % 5000;

			worker->mems[at] = clCreateBuffer(context, 0, size,
							  NULL, NULL);
			if (!worker->mems[at])
				continue;
			worker->sizes[at] = size;
			worker->live += size;
		}
	}
	return NULL;
}

static uint64_t free_kib(void)
{
	size_t kib[2];

	must(clGetDeviceInfo(device, FREE_MEMORY_AMD, sizeof(kib), kib, NULL),
	     "free memory");
	return kib[0];
}

/* To the byte: so many more and one KiB less would be free. */
static uint64_t free_bytes(void)
{
	uint64_t kib = free_kib(), more = 0;

	for (uint64_t now = kib; now == kib && more < 2048; more++) {
		cl_int err;
		cl_mem mem = clCreateBuffer(context, 0, (size_t)more + 1, NULL,
					    &err);

		must(err, "a small buffer");
		now = free_kib();
		must(clReleaseMemObject(mem), "release");
	}
	return kib * 1024 + more - 1;
}

static void release_all(struct worker *worker)
{
	for (unsigned int i = 0; i < LIVE; i++)
		if (worker->mems[i])
			clReleaseMemObject(worker->mems[i]);
}

static int random_work(unsigned int threads, unsigned int count, bool keep)
{
	static struct worker workers[16];
	uint64_t total = free_kib(), live = 0;
	cl_int err;

	for (unsigned int i = 0; i < threads; i++) {
		workers[i].number = i;
		workers[i].count = count / threads;
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	}
	for (unsigned int i = 0; i < threads; i++) {
		pthread_join(workers[i].thread, NULL);
		live += workers[i].live;
	}
	printf("live %llu: %s\n", (unsigned long long)live,
	       free_bytes() == total * 1024 - live ? "as counted" :
	       "counted otherwise");
	if (keep)
		return 0;
	for (unsigned int i = 0; i < threads; i++)
		release_all(&workers[i]);
	clCreateBuffer(context, 0, total * 1024, NULL, &err);
	printf("all of it: %d\n", err);
	clCreateBuffer(context, 0, 1, NULL, &err);
	printf("a byte more: %d\n", err);
	return 0;
}

/* ---- larger than this machine */

static int large(void)
{
	size_t bytes = (size_t)100 << 30, told = 0, items = 16;
	unsigned char data[64];
	cl_command_type type = 0;
	cl_kernel kernel = build();
	cl_buffer_region region = { (size_t)50 << 30, (size_t)1 << 30 };
	cl_event event;
	cl_int err;
	cl_mem mem = clCreateBuffer(context, 0, bytes, NULL, &err), small, part;
	unsigned char *pointer;

	printf("create: %d\n", err);
	must(clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(told), &told, NULL),
	     "size");
	printf("size: %d\n", told == bytes);
	memset(data, 7, sizeof(data));
	printf("write: %d\n", clEnqueueWriteBuffer(queue, mem, CL_TRUE,
		bytes - 64, 64, data, 0, NULL, NULL));
	printf("read: %d", clEnqueueReadBuffer(queue, mem, CL_TRUE, bytes - 64,
					       64, data, 0, NULL, &event));
	must(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type,
			    NULL), "type");
	printf(", %d, type %d\n", data[0], type == CL_COMMAND_READ_BUFFER);
	clReleaseEvent(event);
	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem), "arg");
	printf("launch: %d\n", clEnqueueNDRangeKernel(queue, kernel, 1, NULL,
		&items, NULL, 0, NULL, NULL));
	small = clCreateBuffer(context, 0, 64, NULL, &err);
	memset(data, 7, sizeof(data));
	must(clEnqueueWriteBuffer(queue, small, CL_TRUE, 0, 64, data, 0, NULL,
				  NULL), "write");
	printf("copy: %d", clEnqueueCopyBuffer(queue, mem, small, 0, 0, 64, 0,
					       NULL, NULL));
	must(clEnqueueReadBuffer(queue, small, CL_TRUE, 0, 64, data, 0, NULL,
				 NULL), "read");
	printf(", %d\n", data[63]);
	pointer = clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_WRITE,
				     bytes / 2, 1 << 20, 0, NULL, NULL, &err);
	printf("map: %d", err);
	if (pointer)
		pointer[(1 << 20) - 1] = 1;
	printf(", unmap: %d\n", clEnqueueUnmapMemObject(queue, mem, pointer, 0,
							NULL, NULL));
	part = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region,
				 &err);
	printf("part: %d", err);
	printf(", fill: %d\n", clEnqueueFillBuffer(queue, part, data, 1, 0,
						   (size_t)1 << 30, 0, NULL,
						   NULL));
	printf("finish: %d\n", clFinish(queue));
	clReleaseMemObject(part);
	clReleaseMemObject(small);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	return 0;
}

/* ---- several devices */

static int several(size_t bytes)
{
	cl_platform_id platform;
	cl_device_id devices[16];
	cl_uint count = 0, gpus = 0;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices, &count),
	     "clGetDeviceIDs");
	clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, NULL, &gpus);
	printf("%u devices, %u GPUs\n", count, gpus);
	for (cl_uint i = 0; i < count; i++) {
		cl_int err;

		device = devices[i];
		context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
		must(err, "clCreateContext");
		queue = clCreateCommandQueue(context, device, 0, &err);
		must(err, "clCreateCommandQueue");
		print_text("name", CL_DEVICE_NAME);
		fill(bytes, 64);
		if (i + 1 < count)	/* the last one is main()'s to close */
			close_device();
	}
	return 0;
}

static int plain(void)
{
	cl_kernel kernel = build();
	size_t items = 16;
	cl_int out[16], sum = 0, err;
	cl_mem mem = clCreateBuffer(context, 0, sizeof(out), NULL, &err);

	must(err, "clCreateBuffer");
	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem), "arg");
	must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				    NULL, NULL), "launch");
	must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(out), out, 0,
				 NULL, NULL), "read");
	for (unsigned int i = 0; i < 16; i++)
		sum += out[i];
	printf("%d\n", sum);
	clReleaseMemObject(mem);
	clReleaseKernel(kernel);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "plain";
	size_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	unsigned int count = argc > 3 ? (unsigned int)strtoul(argv[3], NULL,
							       10) : 0;
	int status = 2;

	if (strcmp(what, "info") == 0)
		return info();
	if (strcmp(what, "several") == 0)
		status = several(first << 10);
	else
		open_device(CL_DEVICE_TYPE_ALL);
	if (strcmp(what, "fill") == 0)
		status = fill(first << 10, count);
	else if (strcmp(what, "event") == 0)
		status = by_event(first << 10, count);
	else if (strcmp(what, "map") == 0)
		status = map(first << 10, count);
	else if (strcmp(what, "loop") == 0)
		status = loop(first << 10, count, argc > 4);
	else if (strcmp(what, "split") == 0)
		status = split(first << 10);
	else if (strcmp(what, "pending") == 0)
		status = pending(first << 10);
	else if (strcmp(what, "random") == 0)
		status = random_work((unsigned int)first, count, argc > 4);
	else if (strcmp(what, "large") == 0)
		status = large();
	else if (strcmp(what, "plain") == 0)
		status = plain();
	close_device();
	return status;
}
