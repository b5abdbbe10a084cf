/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What several.test runs where more devices are shown than there are:
 *
 *	list			the devices of all platforms, and of each type
 *	objects			what a context, queues and programs of all the
 *				devices say of them, and a kernel on each
 *	parts			a part of the last device
 *	groups			the largest work-group on each
 *	memory KIB COUNT	buffers of that size in one context, used by each
 *				device's queue in turn, until there are no more
 *	go			a launch by each queue, then one by each again,
 *				and what each device and a new context say
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

enum { MAX = 8, ITEMS = 64 };

static const char source[] =
	"kernel void twice(global int *out) {"
	" out[get_global_id(0)] = 2 * (int)get_global_id(0); }";

static cl_device_id devices[MAX];
static cl_uint count;
static cl_context context;
static cl_command_queue queues[MAX];
static cl_mem result;

static void must(cl_int err, const char *what)
{
	if (!err)
		return;
	printf("%s: %d\n", what, err);
	exit(2);
}

static void name_of(cl_device_id device, char name[128])
{
	snprintf(name, 128, "none");
	clGetDeviceInfo(device, CL_DEVICE_NAME, 128, name, NULL);
}

static cl_uint count_of(cl_platform_id platform, cl_device_type type)
{
	cl_uint found = 0;

	return clGetDeviceIDs(platform, type, 0, NULL, &found) ? 0 : found;
}

/* Of the platform that the loader or the driver takes then. */
static void list_of_no_platform(void)
{
	cl_uint found = 0;
	cl_int err;
	cl_context all = clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL,
						 NULL, NULL, &err);

	if (all)
		clGetContextInfo(all, CL_CONTEXT_NUM_DEVICES, sizeof(found),
				 &found, NULL);
	printf("from type, no platform: %u (%d)\n", found, err);
	if (all)
		clReleaseContext(all);
}

static int list(void)
{
	cl_platform_id platforms[MAX];
	cl_uint platform_count = 0;

	must(clGetPlatformIDs(MAX, platforms, &platform_count),
	     "clGetPlatformIDs");
	for (cl_uint p = 0; p < platform_count && p < MAX; p++) {
		cl_uint found = 0;
		cl_context all;
		cl_int err = clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL,
					    MAX, devices, &found);
		cl_context_properties properties[] = {
			CL_CONTEXT_PLATFORM,
			(cl_context_properties)platforms[p], 0,
		};

		printf("%u devices (%d), default %u, GPUs %u, CPUs %u\n",
		       found, err,
		       count_of(platforms[p], CL_DEVICE_TYPE_DEFAULT),
		       count_of(platforms[p], CL_DEVICE_TYPE_GPU),
		       count_of(platforms[p], CL_DEVICE_TYPE_CPU));
		for (cl_uint i = 0; i < found; i++) {
			char name[128];

			name_of(devices[i], name);
			printf("device: %s\n", name);
		}
		all = clCreateContextFromType(properties, CL_DEVICE_TYPE_ALL,
					      NULL, NULL, &err);
		found = 0;
		if (all)
			clGetContextInfo(all, CL_CONTEXT_NUM_DEVICES,
					 sizeof(found), &found, NULL);
		printf("from type: %u (%d)\n", found, err);
		if (all)
			clReleaseContext(all);
	}
	list_of_no_platform();
	return 0;
}

static void open_all(void)
{
	cl_platform_id platform;
	cl_int err;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX, devices, &count),
	     "clGetDeviceIDs");
	context = clCreateContext(NULL, count, devices, NULL, NULL, &err);
	must(err, "clCreateContext");
	for (cl_uint i = 0; i < count; i++) {
		queues[i] = clCreateCommandQueue(context, devices[i], 0, &err);
		must(err, "clCreateCommandQueue");
	}
	result = clCreateBuffer(context, 0, ITEMS * sizeof(int), NULL, &err);
	must(err, "clCreateBuffer");
}

static void close_all(void)
{
	clReleaseMemObject(result);
	for (cl_uint i = 0; i < count; i++)
		clReleaseCommandQueue(queues[i]);
	clReleaseContext(context);
}

/* Is that list the devices in their order? */
static const char *same(const cl_device_id *list, size_t bytes)
{
	return bytes == count * sizeof(*list) &&
	       !memcmp(list, devices, bytes) ? "as given" : "others";
}

static cl_int launch(cl_program program, cl_command_queue queue,
		     int *ret_sum)
{
	size_t items = ITEMS;
	int out[ITEMS];
	cl_int err;
	cl_kernel kernel = clCreateKernel(program, "twice", &err);

	*ret_sum = 0;
	if (!err)
		err = clSetKernelArg(kernel, 0, sizeof(result), &result);
	if (!err)
		err = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items,
					     NULL, 0, NULL, NULL);
	if (!err)
		err = clEnqueueReadBuffer(queue, result, CL_TRUE, 0,
					  sizeof(out), out, 0, NULL, NULL);
	for (int i = 0; !err && i < ITEMS; i++)
		*ret_sum += out[i];
	if (kernel)
		clReleaseKernel(kernel);
	return err;
}

static cl_program build(void)
{
	const char *text = source;
	cl_int err;
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL,
						       &err);

	must(err, "clCreateProgramWithSource");
	must(clBuildProgram(program, count, devices, "", NULL, NULL),
	     "clBuildProgram");
	return program;
}

static void say_built(const char *what, cl_program program)
{
	for (cl_uint i = 0; i < count; i++) {
		cl_build_status status = CL_BUILD_ERROR;
		cl_int err = clGetProgramBuildInfo(program, devices[i],
				CL_PROGRAM_BUILD_STATUS, sizeof(status),
				&status, NULL);
		int sum;

		printf("%s on %u: status %d (%d)", what, i, status, err);
		err = launch(program, queues[i], &sum);
		printf(", launch %d, sum %d\n", err, sum);
	}
}

/* What it was built to, and another program of that. */
static void say_binaries(cl_program program)
{
	size_t sizes[MAX] = { 0 }, bytes = 0;
	unsigned char *binaries[MAX] = { NULL };
	cl_int statuses[MAX], err;
	cl_program again;

	must(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(sizes),
			      sizes, &bytes), "CL_PROGRAM_BINARY_SIZES");
	printf("binaries: %zu, %s\n", bytes / sizeof(*sizes),
	       sizes[0] && sizes[count - 1] == sizes[0] ? "of one size" :
	       "of several sizes");
	for (cl_uint i = 0; i < count; i++) {
		binaries[i] = calloc(1, sizes[i] + 1);
		statuses[i] = 1;
	}
	must(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binaries),
			      binaries, &bytes), "CL_PROGRAM_BINARIES");
	printf("binaries: %s\n", bytes == count * sizeof(*binaries) &&
	       !memcmp(binaries[0], binaries[count - 1], sizes[0]) ?
	       "the same" : "others");
	again = clCreateProgramWithBinary(context, count, devices, sizes,
					  (const unsigned char **)binaries,
					  statuses, &err);
	must(err, "clCreateProgramWithBinary");
	printf("statuses: %d and %d\n", statuses[0], statuses[count - 1]);
	must(clBuildProgram(again, count, devices, "", NULL, NULL), "again");
	say_built("binary", again);
	clReleaseProgram(again);
	/* Of the last device alone. */
	again = clCreateProgramWithBinary(context, 1, &devices[count - 1],
					  sizes,
					  (const unsigned char **)binaries,
					  statuses, &err);
	must(err, "clCreateProgramWithBinary");
	cl_device_id of[MAX];

	must(clGetProgramInfo(again, CL_PROGRAM_DEVICES, sizeof(of), of,
			      &bytes), "CL_PROGRAM_DEVICES");
	printf("of one: %zu, %s\n", bytes / sizeof(*of),
	       of[0] == devices[count - 1] ? "as given" : "another");
	clReleaseProgram(again);
	for (cl_uint i = 0; i < count; i++)
		free(binaries[i]);
}

static int objects(void)
{
	cl_device_id given[MAX];
	cl_uint number = 0;
	size_t bytes = 0;
	cl_program program;

	must(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof(given),
			      given, &bytes), "CL_CONTEXT_DEVICES");
	must(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof(number),
			      &number, NULL), "CL_CONTEXT_NUM_DEVICES");
	printf("context: %u, %s\n", number, same(given, bytes));
	printf("too little room: %d\n",
	       clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof(*given),
				given, NULL));
	for (cl_uint i = 0; i < count; i++) {
		cl_device_id of = NULL;

		must(clGetCommandQueueInfo(queues[i], CL_QUEUE_DEVICE,
					   sizeof(of), &of, NULL),
		     "CL_QUEUE_DEVICE");
		printf("queue %u: %s\n", i,
		       of == devices[i] ? "its own" : "another's");
	}
	program = build();
	must(clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof(given),
			      given, &bytes), "CL_PROGRAM_DEVICES");
	must(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof(number),
			      &number, NULL), "CL_PROGRAM_NUM_DEVICES");
	printf("program: %u, %s\n", number, same(given, bytes));
	say_built("source", program);
	say_binaries(program);
	clReleaseProgram(program);
	return 0;
}

/* The largest work-group of a kernel in a context of one device, which need
 * not be named. (Oclgrind 21.10 wants it.) */
static size_t work_group_of(cl_device_id device)
{
	const char *text = source;
	size_t size = 0;
	cl_int err;
	cl_context alone = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	cl_program program;
	cl_kernel kernel;

	must(err, "clCreateContext");
	program = clCreateProgramWithSource(alone, 1, &text, NULL, &err);
	must(err, "clCreateProgramWithSource");
	must(clBuildProgram(program, 0, NULL, "", NULL, NULL),
	     "clBuildProgram");
	kernel = clCreateKernel(program, "twice", &err);
	must(err, "clCreateKernel");
	err = clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE,
				       sizeof(size), &size, NULL);
	if (err == CL_INVALID_DEVICE)
		err = clGetKernelWorkGroupInfo(kernel, device,
					       CL_KERNEL_WORK_GROUP_SIZE,
					       sizeof(size), &size, NULL);
	must(err, "CL_KERNEL_WORK_GROUP_SIZE");
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseContext(alone);
	return size;
}

static int groups(void)
{
	for (cl_uint i = 0; i < count; i++)
		printf("device %u: %zu\n", i, work_group_of(devices[i]));
	return 0;
}

static int parts(void)
{
	static const cl_device_partition_property one[] = {
		CL_DEVICE_PARTITION_BY_COUNTS, 1,
		CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0,
	};
	cl_device_id whole = devices[count - 1], part = NULL, of = NULL;
	char name[128], part_name[128];
	cl_command_queue queue;
	cl_context alone;
	cl_uint made = 0;
	cl_int err = clCreateSubDevices(whole, one, 1, &part, &made);

	if (err) {
		printf("no parts here\n");
		return 0;
	}
	clGetDeviceInfo(part, CL_DEVICE_PARENT_DEVICE, sizeof(of), &of, NULL);
	name_of(whole, name);
	name_of(part, part_name);
	printf("parts: %u, of %s, %s\n", made, of == whole ? "it" : "another",
	       strcmp(name, part_name) ? "with another name" : "of its name");
	alone = clCreateContext(NULL, 1, &part, NULL, NULL, &err);
	must(err, "clCreateContext of a part");
	queue = clCreateCommandQueue(alone, part, 0, &err);
	must(err, "clCreateCommandQueue of a part");
	clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(of), &of, NULL);
	printf("its queue: %s\n", of == part ? "its own" : "another's");
	clReleaseCommandQueue(queue);
	clReleaseContext(alone);
	must(clReleaseDevice(part), "clReleaseDevice");
	return 0;
}

/* Each device's part: none of another's is taken. */
static int memory(size_t bytes, unsigned int most)
{
	cl_mem *mems = calloc(most * MAX, sizeof(*mems));
	unsigned int made = 0;

	for (cl_uint i = 0; mems && i < count; i++) {
		unsigned int had = 0;
		cl_int err = CL_SUCCESS;

		while (had < most && !err) {
			static const unsigned char byte = 1;
			cl_mem mem = clCreateBuffer(context, 0, bytes, NULL,
						    &err);

			if (!err)
				mems[made++] = mem;
			if (!err)
				err = clEnqueueWriteBuffer(queues[i], mem,
					CL_TRUE, 0, 1, &byte, 0, NULL, NULL);
			had += !err;
		}
		printf("device %u: %u, %d\n", i, had, err);
	}
	while (made)
		clReleaseMemObject(mems[--made]);
	free(mems);
	return 0;
}

static int go(void)
{
	cl_program program = build();

	for (unsigned int turn = 0; turn < 2; turn++)
		for (cl_uint i = 0; i < count; i++) {
			int sum;
			cl_int err = launch(program, queues[i], &sum);

			printf("turn %u, device %u: %d, sum %d\n", turn, i,
			       err, sum);
		}
	for (cl_uint i = 0; i < count; i++) {
		cl_bool there = CL_FALSE;
		cl_context alone;
		cl_int err;

		clGetDeviceInfo(devices[i], CL_DEVICE_AVAILABLE, sizeof(there),
				&there, NULL);
		alone = clCreateContext(NULL, 1, &devices[i], NULL, NULL, &err);
		printf("device %u: available %d, a new context %d\n", i,
		       (int)there, err);
		if (alone)
			clReleaseContext(alone);
	}
	clReleaseProgram(program);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "list";
	int status = 2;

	if (strcmp(what, "list") == 0)
		return list();
	open_all();
	if (strcmp(what, "objects") == 0)
		status = objects();
	else if (strcmp(what, "parts") == 0)
		status = parts();
	else if (strcmp(what, "groups") == 0)
		status = groups();
	else if (strcmp(what, "memory") == 0 && argc > 3)
		status = memory(strtoull(argv[2], NULL, 10) << 10,
				(unsigned int)strtoul(argv[3], NULL, 10));
	else if (strcmp(what, "go") == 0)
		status = go();
	close_all();
	return status;
}
