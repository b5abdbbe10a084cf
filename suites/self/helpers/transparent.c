/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A legal program that prints what it is told where a layer could show
 * through: transparent.test compares its output under each mode with that of a
 * plain run.
 *
 *	transparent [nobody] [WORD...]
 *
 * Each word is one of the table at the end; without any, all of them that
 * change nothing of the process. With nobody, it becomes that user first. What this driver cannot do is printed, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

enum {
	COUNT = 256,
	BYTES = COUNT * 4,
	MANY = 64,
	SETTLES_MS = 300,
	PIECE = 8 << 20,
	NOBODY = 65534,
};

#define LENGTH(array_) (sizeof(array_) / sizeof((array_)[0]))

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static const char *const source =
	"kernel void add(global int *a, int b)"
	" { a[get_global_id(0)] += b; }\n"
	"kernel void put(global int *a, constant int *b)"
	" { a[get_global_id(0)] = b[0]; }\n";

static void must(cl_int err, const char *what)
{
	if (!err)
		return;
	printf("%s: %d\n", what, err);
	exit(2);
}

static cl_mem make_buffer(size_t bytes)
{
	cl_int err;
	cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL,
				       &err);

	must(err, "clCreateBuffer");
	return buffer;
}

static cl_kernel make_kernel(const char *name)
{
	cl_int err;
	cl_kernel kernel = clCreateKernel(program, name, &err);

	must(err, "clCreateKernel");
	return kernel;
}

static void open_device(void)
{
	cl_int err;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	     "clGetDeviceIDs");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	must(err, "clCreateContext");
	queue = clCreateCommandQueue(context, device,
				     CL_QUEUE_PROFILING_ENABLE, &err);
	must(err, "clCreateCommandQueue");
	program = clCreateProgramWithSource(context, 1,
					    (const char **)&source, NULL,
					    &err);
	must(err, "clCreateProgramWithSource");
	must(clBuildProgram(program, 1, &device, "", NULL, NULL),
	     "clBuildProgram");
}

static void close_device(void)
{
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
}

/* ---- reference counts */

typedef cl_int (*ask)(void *object, cl_uint name, size_t room, void *value,
		      size_t *bytes);

/* Drivers give up their own references behind the last command's end: the
 * smallest count that is seen. */
static cl_uint settled(ask query, void *object, cl_uint name)
{
	struct timespec pause = { 0, 1000000 };
	cl_uint least = 0;

	for (int i = 0; i < SETTLES_MS && least != 1; i++) {
		cl_uint count = 0;

		if (query(object, name, sizeof(count), &count, NULL))
			return 0;
		if (!i || count < least)
			least = count;
		if (least > 1)
			nanosleep(&pause, NULL);
	}
	return least;
}

#define REFERENCES(what_, query_, object_, name_)			\
	printf("%s: %u references\n", what_,				\
	       settled((ask)(void (*)(void))(query_), object_, name_))

static void launch(cl_kernel kernel, cl_mem mem, cl_event *event)
{
	size_t size = COUNT;
	cl_int one = 1;

	must(clSetKernelArg(kernel, 0, sizeof(mem), &mem), "clSetKernelArg");
	must(clSetKernelArg(kernel, 1, sizeof(one), &one), "clSetKernelArg");
	must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0,
				    NULL, event), "clEnqueueNDRangeKernel");
}

static void of_parts(void)
{
	const cl_device_partition_property by_counts[] = {
		CL_DEVICE_PARTITION_EQUALLY, 1, 0
	};
	cl_device_id parts[MANY] = { NULL };
	cl_uint count = 0;
	cl_int err = clCreateSubDevices(device, by_counts, MANY, parts,
					&count);

	printf("parts: %d, %u\n", err, count);
	for (cl_uint i = 0; !err && i < count && i < MANY; i++) {
		REFERENCES("part", clGetDeviceInfo, parts[i],
			   CL_DEVICE_REFERENCE_COUNT);
		clReleaseDevice(parts[i]);
	}
}

static void of_commands(cl_command_queue_properties order)
{
	cl_command_queue before = queue;
	cl_int err;
	cl_kernel kernel = make_kernel("add");
	cl_mem mem = make_buffer(BYTES);
	cl_event made[3];
	int zero[COUNT] = { 0 };

	queue = clCreateCommandQueue(context, device, order, &err);
	printf("queue: %d\n", err);
	if (err)
		queue = before;
	must(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, BYTES, zero, 0,
				  NULL, &made[0]), "clEnqueueWriteBuffer");
	launch(kernel, mem, &made[1]);
	must(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL),
	     "clEnqueueBarrierWithWaitList");
	launch(kernel, mem, NULL);
	must(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL),
	     "clEnqueueBarrierWithWaitList");
	must(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, BYTES, zero, 0,
				 NULL, &made[2]), "clEnqueueReadBuffer");
	must(clFinish(queue), "clFinish");
	for (unsigned int i = 0; i < LENGTH(made); i++) {
		REFERENCES("event", clGetEventInfo, made[i],
			   CL_EVENT_REFERENCE_COUNT);
		clReleaseEvent(made[i]);
	}
	printf("result %d\n", zero[COUNT - 1]);
	REFERENCES("queue", clGetCommandQueueInfo, queue,
		   CL_QUEUE_REFERENCE_COUNT);
	REFERENCES("kernel", clGetKernelInfo, kernel,
		   CL_KERNEL_REFERENCE_COUNT);
	REFERENCES("buffer", clGetMemObjectInfo, mem,
		   CL_MEM_REFERENCE_COUNT);
	clReleaseKernel(kernel);
	REFERENCES("buffer without its kernel", clGetMemObjectInfo, mem,
		   CL_MEM_REFERENCE_COUNT);
	clReleaseMemObject(mem);
	REFERENCES("queue without its buffer", clGetCommandQueueInfo, queue,
		   CL_QUEUE_REFERENCE_COUNT);
	if (queue != before)
		clReleaseCommandQueue(queue);
	queue = before;
}

static void counts(void)
{
	cl_mem mem = make_buffer(BYTES);
	cl_event user;
	cl_int err;
	cl_sampler sampler = clCreateSampler(context, CL_FALSE,
					     CL_ADDRESS_CLAMP,
					     CL_FILTER_NEAREST, &err);

	of_commands(0);
	of_commands(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	of_parts();
	if (!err) {
		must(clRetainSampler(sampler), "clRetainSampler");
		REFERENCES("sampler", clGetSamplerInfo, sampler,
			   CL_SAMPLER_REFERENCE_COUNT);
		clReleaseSampler(sampler);
		clReleaseSampler(sampler);
	}
	user = clCreateUserEvent(context, &err);
	must(err, "clCreateUserEvent");
	must(clRetainEvent(user), "clRetainEvent");
	REFERENCES("user event", clGetEventInfo, user,
		   CL_EVENT_REFERENCE_COUNT);
	clReleaseEvent(user);
	clReleaseEvent(user);
	REFERENCES("program", clGetProgramInfo, program,
		   CL_PROGRAM_REFERENCE_COUNT);
	REFERENCES("device", clGetDeviceInfo, device,
		   CL_DEVICE_REFERENCE_COUNT);
	clReleaseMemObject(mem);
	REFERENCES("context", clGetContextInfo, context,
		   CL_CONTEXT_REFERENCE_COUNT);
}

/* ---- what a release allows */

static void built_again(void)
{
	cl_kernel kernel = make_kernel("add"), both[2];

	printf("with its kernel: %d\n",
	       clBuildProgram(program, 1, &device, "", NULL, NULL));
	clReleaseKernel(kernel);
	printf("without: %d\n",
	       clBuildProgram(program, 1, &device, "-DB=2", NULL, NULL));
	must(clCreateKernelsInProgram(program, 2, both, NULL),
	     "clCreateKernelsInProgram");
	clReleaseKernel(both[0]);
	clReleaseKernel(both[1]);
	printf("compiled: %d\n",
	       clCompileProgram(program, 1, &device, "", 0, NULL, NULL, NULL,
				NULL));
	printf("built: %d\n",
	       clBuildProgram(program, 1, &device, "", NULL, NULL));
	printf("unloaded: %d\n", clUnloadPlatformCompiler(platform));
}

/* ---- sub-buffers */

/* What is below the stack's end is not zero from now on. */
static __attribute__((noinline)) void stir_stack(void)
{
	volatile unsigned char rest[8192];

	for (size_t i = 0; i < sizeof(rest); i++)
		rest[i] = (unsigned char)(i % 4 ? 0 : 0x51);
}

static void sub_buffers(void)
{
	cl_buffer_region region = { 0, BYTES };
	cl_uint align = 0;
	cl_mem parts[MANY], whole;
	cl_kernel kernel = make_kernel("add");
	int values[COUNT] = { 0 };
	cl_int err;

	must(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN,
			     sizeof(align), &align, NULL), "the alignment");
	align /= 8;
	if (align < BYTES)
		align = BYTES;
	whole = make_buffer((size_t)MANY * align);
	must(clEnqueueFillBuffer(queue, whole, values, 4, 0,
				 (size_t)MANY * align, 0, NULL, NULL),
	     "clEnqueueFillBuffer");
	for (unsigned int i = 0; i < MANY; i++) {
		size_t size = 0, at = 0;
		cl_mem parent = NULL;

		region.origin = (size_t)i * align;
		stir_stack();
		parts[i] = clCreateSubBuffer(whole, CL_MEM_READ_WRITE,
					     CL_BUFFER_CREATE_TYPE_REGION,
					     &region, &err);
		must(err, "clCreateSubBuffer");
		must(clGetMemObjectInfo(parts[i], CL_MEM_SIZE, sizeof(size),
					&size, NULL), "CL_MEM_SIZE");
		must(clGetMemObjectInfo(parts[i], CL_MEM_OFFSET, sizeof(at),
					&at, NULL), "CL_MEM_OFFSET");
		must(clGetMemObjectInfo(parts[i], CL_MEM_ASSOCIATED_MEMOBJECT,
					sizeof(parent), &parent, NULL),
		     "CL_MEM_ASSOCIATED_MEMOBJECT");
		if (size != BYTES || at != region.origin || parent != whole)
			printf("part %u is another\n", i);
		launch(kernel, parts[i], NULL);
	}
	for (unsigned int i = 0; i < MANY; i++)
		must(clReleaseMemObject(parts[i]), "clReleaseMemObject");
	must(clEnqueueReadBuffer(queue, whole, CL_TRUE,
				 (size_t)(MANY - 1) * align, BYTES, values, 0,
				 NULL, NULL), "clEnqueueReadBuffer");
	printf("the last part: %d\n", values[COUNT - 1]);
	clReleaseKernel(kernel);
	REFERENCES("the whole", clGetMemObjectInfo, whole,
		   CL_MEM_REFERENCE_COUNT);
	must(clReleaseMemObject(whole), "clReleaseMemObject");
}

/* ---- images whose descriptions have anything where their type looks at
 * nothing (OpenCL 3.0 API, 5.3.1.2) */

static void image_of(const cl_image_desc *desc, const size_t region[3])
{
	static const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	static const size_t origin[3];
	unsigned int values[64] = { 7 };
	size_t count = region[0] * region[1] * region[2];
	cl_mem image;
	cl_int err;

	values[count - 1] = desc->image_type;
	image = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, desc,
			      values, &err);
	printf("image %x of %zu: %d\n", desc->image_type, count, err);
	if (err)
		return;
	memset(values, 0, sizeof(values));
	must(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0,
				values, 0, NULL, NULL), "clEnqueueReadImage");
	printf("it has %u and %x\n", values[0], values[count - 1]);
	must(clReleaseMemObject(image), "clReleaseMemObject");
}

static void images(void)
{
	static const struct {
		cl_mem_object_type type;
		size_t height, depth, layers, region[3];
	} all[] = {
		{ CL_MEM_OBJECT_IMAGE1D, 0, 0, 0, { 8, 1, 1 } },
		{ CL_MEM_OBJECT_IMAGE1D_ARRAY, 0, 0, 3, { 8, 3, 1 } },
		{ CL_MEM_OBJECT_IMAGE2D, 3, 0, 0, { 8, 3, 1 } },
		{ CL_MEM_OBJECT_IMAGE2D_ARRAY, 3, 0, 2, { 8, 3, 2 } },
		{ CL_MEM_OBJECT_IMAGE3D, 3, 2, 0, { 8, 3, 2 } },
	};
	const size_t any = SIZE_MAX / 3;

	for (unsigned int i = 0; i < LENGTH(all); i++) {
		const cl_image_desc desc = {
			.image_type = all[i].type,
			.image_width = 8,
			.image_height = all[i].height ? all[i].height : any,
			.image_depth = all[i].depth ? all[i].depth : any,
			.image_array_size = all[i].layers ? all[i].layers : any,
		};

		image_of(&desc, all[i].region);
	}
}

/* ---- destructors */

static void CL_CALLBACK hear(cl_mem mem, void *name)
{
	(void)mem;
	printf("destroyed: %s\n", (const char *)name);
}

static void destructors(void)
{
	cl_mem first = make_buffer(BYTES), second = make_buffer(BYTES);

	clReleaseMemObject(make_buffer(BYTES));
	must(clSetMemObjectDestructorCallback(first, hear, "first"),
	     "clSetMemObjectDestructorCallback");
	must(clSetMemObjectDestructorCallback(first, hear, "first, last set"),
	     "clSetMemObjectDestructorCallback");
	must(clSetMemObjectDestructorCallback(second, hear, "second"),
	     "clSetMemObjectDestructorCallback");
	clReleaseMemObject(second);
	printf("released the second\n");
	clReleaseMemObject(first);
	printf("released the first\n");
}

/* ---- a process that may not do everything */

static uint64_t pages_of_space(void)
{
	char text[64] = "";
	int fd = open("/proc/self/statm", O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	return strtoull(text, NULL, 10);
}

/* As much as the limit allows, again and again. */
static void small_space(void)
{
	static char bytes[PIECE];
	uint64_t space = pages_of_space() * (uint64_t)getpagesize() +
			 12 * PIECE;
	struct rlimit limit = { space, space };
	unsigned int failures = 0;

	must(setrlimit(RLIMIT_AS, &limit), "RLIMIT_AS");
	close_device();
	open_device();
	for (unsigned int i = 0; i < MANY; i++) {
		cl_int err;
		cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, PIECE,
					    NULL, &err);

		failures += err != 0;
		if (err)
			continue;
		failures += clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, PIECE,
						 bytes, 0, NULL, NULL) != 0;
		clReleaseMemObject(mem);
	}
	printf("failures: %u\n", failures);
}

/* Calls of the system that no plain run makes from here on. */
static void filter_calls(void)
{
#define KILL(name_)							\
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name_, 0, 1),		\
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		KILL(process_vm_readv)
		KILL(gettid)
		KILL(getppid)
		KILL(madvise)
		KILL(prctl)
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program_of_all = { LENGTH(code), code };

	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "PR_SET_NO_NEW_PRIVS");
	must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program_of_all),
	     "PR_SET_SECCOMP");
}

static pthread_barrier_t begins;

static void *work(void *none)
{
	static char bytes[2][PIECE / 8];
	int *here = none;
	cl_mem mem;

	pthread_barrier_wait(&begins);
	filter_calls();
	for (int i = 0; i < 8; i++) {
		cl_event event;

		mem = make_buffer(sizeof(bytes[0]));
		must(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0,
					  sizeof(bytes[0]), bytes[*here], 0,
					  NULL, &event),
		     "clEnqueueWriteBuffer");
		must(clWaitForEvents(1, &event), "clWaitForEvents");
		clReleaseEvent(event);
		must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0,
					 sizeof(bytes[0]), bytes[*here], 0,
					 NULL, NULL), "clEnqueueReadBuffer");
		clReleaseMemObject(mem);
	}
	if (!*here) {
		cl_kernel kernel = make_kernel("add");

		mem = make_buffer(BYTES);
		launch(kernel, mem, NULL);
		must(clFinish(queue), "clFinish");
		clReleaseKernel(kernel);
		clReleaseMemObject(mem);
	}
	return NULL;
}

static void *wait_and_work(void *here)
{
	work(here);
	/* A thread's end is libc's, which may call madvise(). */
	pthread_barrier_wait(&begins);
	pause();
	return NULL;
}

/* Two threads under a filter, one of which has made no call before. */
static void filtered(void)
{
	int here = 0, other = 1;
	pthread_t thread;

	pthread_barrier_init(&begins, NULL, 2);
	must(pthread_create(&thread, NULL, wait_and_work, &other),
	     "pthread_create");
	work(&here);
	pthread_barrier_wait(&begins);
	printf("both threads are done\n");
	_exit(0);
}

static const struct {
	const char *name;
	void (*run)(void);
	bool changes;		/* the process: it is asked for by name */
} words[] = {
	{ "counts", counts, false },
	{ "built-again", built_again, false },
	{ "sub-buffers", sub_buffers, false },
	{ "images", images, false },
	{ "destructors", destructors, false },
	{ "small-space", small_space, true },
	{ "filtered", filtered, true },
};

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc > 1 && !strcmp(argv[1], "nobody"))
		must(setuid(NOBODY), "setuid");
	open_device();
	for (unsigned int i = 0; i < LENGTH(words); i++) {
		bool wanted = argc < 2 && !words[i].changes;

		for (int j = 1; j < argc; j++)
			wanted |= !strcmp(argv[j], words[i].name);
		if (!wanted)
			continue;
		printf("---- %s\n", words[i].name);
		words[i].run();
	}
	close_device();
	return 0;
}
