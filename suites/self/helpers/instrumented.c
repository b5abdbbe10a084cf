/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of instrumented kernels run: programs whose launches are
 * known, in all the ways that a kernel comes to be and gets its arguments. The
 * devices are the first platform's. What is printed is the same with probes as
 * without. The texts are such that suites/self/lib/fake_instrument.awk reads them.
 *
 *	instrumented WORD...
 */
#include "config.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/shared/cl_types.h"

enum { COUNT = 64, DEVICES = 4, THREADS = 4, ROUNDS = 25 };

static const char plain[] =
	"__kernel void fill(__global int *out, int value)\n"
	"{\n"
	"	out[get_global_id(0)] = value + VALUE;\n"
	"}\n"
	"__kernel void other(__global int *out)\n"
	"{\n"
	"	out[get_global_id(0)] += 1;\n"
	"}\n";

static const char with_all[] =
	"__kernel void mixed(__global int *out, __local int *part, "
	"__constant int *add, __global int *none, __read_only image2d_t image, "
	"sampler_t sampler)\n"
	"{\n"
	"	size_t i = get_local_id(0);\n"
	"	int4 t = read_imagei(image, sampler, (int2)(1, 1));\n"
	"\n"
	"	part[i] = (int)i;\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	if (!none)\n"
	"		out[i] = part[get_local_size(0) - 1 - i] + add[1] + t.y;\n"
	"}\n";

static const char of_header[] = "#define ADDED 5\n";
static const char with_header[] =
	"#include \"added.h\"\n"
	"int twice(int value);\n"
	"__kernel void linked(__global int *out)\n"
	"{\n"
	"	out[get_global_id(0)] = twice((int)get_global_id(0)) + 5;\n"
	"}\n";
static const char other_object[] =
	"int twice(int value);\n"
	"int twice(int value)\n"
	"{\n"
	"	return 2 * value;\n"
	"}\n";

static const char fixed[] =
	"__attribute__((reqd_work_group_size(4, 1, 1)))\n"
	"__kernel void four(__global int *out)\n"
	"{\n"
	"	out[get_global_id(0)] = (int)get_local_size(0);\n"
	"}\n"
	"__kernel void one(__global int *out)\n"
	"{\n"
	"	out[0] += 3;\n"
	"}\n";

static const char refused[] =
	"/* REFUSE_ME */\n"
	"__kernel void fill(__global int *out, int value)\n"
	"{\n"
	"	out[get_global_id(0)] = value;\n"
	"}\n";

static const char for_small[] =
	"__kernel void small(__global int *out)\n"
	"{\n"
	"	out[get_global_id(0)] = (int)get_local_size(0);\n"
	"}\n";

static const char for_broken[] =
	"__kernel void broken(__global int *out)\n"
	"{\n"
	"	out[get_global_id(0)] = 19;\n"
	"}\n";

/* Most of them: a driver builds that once. */
#define SAME "-DVALUE=1"

static cl_platform_id platform;
static cl_device_id devices[DEVICES];
static cl_uint device_count;
static cl_context context;
static cl_command_queue queue;
static cl_mem buffer;

static void need(cl_int err, const char *what)
{
	if (err == CL_SUCCESS)
		return;
	fprintf(stderr, "instrumented: %s: %d\n", what, err);
	exit(2);
}

static void begin(cl_command_queue_properties properties)
{
	cl_int err;

	need(clGetPlatformIDs(1, &platform, NULL), "platforms");
	need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, devices,
			    &device_count), "devices");
	if (device_count > DEVICES)
		device_count = DEVICES;
	context = clCreateContext(NULL, device_count, devices, NULL, NULL,
				  &err);
	need(err, "context");
	queue = clCreateCommandQueue(context, devices[0], properties, &err);
	need(err, "queue");
	buffer = clCreateBuffer(context, CL_MEM_READ_WRITE,
				COUNT * sizeof(cl_int), NULL, &err);
	need(err, "buffer");
}

static void end(void)
{
	need(clReleaseMemObject(buffer), "release");
	need(clReleaseCommandQueue(queue), "release");
	need(clReleaseContext(context), "release");
}

static cl_program create(const char *text)
{
	cl_int err;
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL,
						       &err);

	need(err, "program");
	return program;
}

static cl_program build(const char *text, const char *options)
{
	cl_program program = create(text);

	need(clBuildProgram(program, 0, NULL, options, NULL, NULL), "build");
	return program;
}

static cl_kernel kernel_of(cl_program program, const char *name)
{
	cl_int err;
	cl_kernel kernel = clCreateKernel(program, name, &err);

	need(err, name);
	return kernel;
}

static void set(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	need(clSetKernelArg(kernel, index, size, value), "argument");
}

static void launch_in(cl_command_queue where, cl_kernel kernel, size_t size)
{
	need(clEnqueueNDRangeKernel(where, kernel, 1, NULL, &size, NULL, 0,
				    NULL, NULL), "launch");
}

static void launch(cl_kernel kernel)
{
	launch_in(queue, kernel, COUNT);
}

static void print_all(const char *what)
{
	cl_int values[COUNT];

	need(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(values),
				 values, 0, NULL, NULL), "read");
	printf("%s:", what);
	for (unsigned int i = 0; i < COUNT; i += 9)
		printf(" %d", values[i]);
	putchar('\n');
}

static cl_kernel fill_of(cl_program program, cl_int value)
{
	cl_kernel kernel = kernel_of(program, "fill");

	set(kernel, 0, sizeof(buffer), &buffer);
	set(kernel, 1, sizeof(value), &value);
	return kernel;
}

static void drop(cl_kernel kernel, cl_program program)
{
	need(clReleaseKernel(kernel), "release");
	if (program)
		need(clReleaseProgram(program), "release");
}

/* ---- what there is to run; each once */

/* Three launches, then one of what it is built anew. */
static void builds(void)
{
	cl_program program = build(plain, "-D VALUE=7 -cl-mad-enable");
	cl_kernel kernel = fill_of(program, 10);

	for (int i = 0; i < 3; i++)
		launch(kernel);
	print_all("builds");
	drop(kernel, NULL);
	need(clBuildProgram(program, device_count, devices, "-DVALUE=9", NULL,
			    NULL), "build");
	kernel = fill_of(program, 20);
	launch(kernel);
	print_all("rebuilt");
	drop(kernel, program);
}

static pthread_mutex_t built_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t built = PTHREAD_COND_INITIALIZER;
static int is_built;

static void CL_CALLBACK on_built(cl_program program, void *user)
{
	(void)program;
	pthread_mutex_lock(&built_lock);
	is_built = user == &is_built;
	pthread_cond_signal(&built);
	pthread_mutex_unlock(&built_lock);
}

static void callback(void)
{
	cl_program program = create(plain);
	cl_kernel kernel;

	need(clBuildProgram(program, 0, NULL, SAME, on_built,
			    &is_built), "build");
	pthread_mutex_lock(&built_lock);
	while (!is_built)
		pthread_cond_wait(&built, &built_lock);
	pthread_mutex_unlock(&built_lock);
	kernel = fill_of(program, 30);
	launch(kernel);
	print_all("callback");
	drop(kernel, program);
}

static cl_kernel inside_kernel;

static void CL_CALLBACK on_inside(cl_program program, void *user)
{
	(void)user;
	inside_kernel = fill_of(program, 35);
	on_built(program, &is_built);
}

/* The kernel is created where nothing may be built. */
static void inside(void)
{
	cl_program program = create(plain);

	is_built = 0;
	need(clBuildProgram(program, 0, NULL, SAME, on_inside, NULL), "build");
	pthread_mutex_lock(&built_lock);
	while (!is_built)
		pthread_cond_wait(&built, &built_lock);
	pthread_mutex_unlock(&built_lock);
	launch(inside_kernel);
	print_all("inside");
	drop(inside_kernel, program);
}

static void objects(void)
{
	cl_program header = create(of_header), parts[2], linked;
	const char *name = "added.h";
	cl_kernel kernel;
	cl_int err;

	parts[0] = create(with_header);
	parts[1] = create(other_object);
	need(clCompileProgram(parts[0], 0, NULL, "", 1, &header, &name, NULL,
			      NULL), "compile");
	need(clCompileProgram(parts[1], 0, NULL, NULL, 0, NULL, NULL, NULL,
			      NULL), "compile");
	need(clReleaseProgram(header), "release");
	linked = clLinkProgram(context, 0, NULL, "", 2, parts, NULL, NULL,
			       &err);
	need(err, "link");
	need(clReleaseProgram(parts[0]), "release");
	need(clReleaseProgram(parts[1]), "release");
	kernel = kernel_of(linked, "linked");
	set(kernel, 0, sizeof(buffer), &buffer);
	launch(kernel);
	print_all("objects");
	drop(kernel, linked);
}

static void each(void)
{
	cl_program program = build(plain, SAME);
	cl_kernel kernels[4];
	cl_uint made = 0;
	cl_int value = 40;
	char name[32];

	need(clCreateKernelsInProgram(program, 4, kernels, &made), "kernels");
	for (cl_uint i = 0; i < made; i++) {
		need(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME,
				     sizeof(name), name, NULL), "name");
		if (strcmp(name, "fill") != 0)
			continue;
		set(kernels[i], 0, sizeof(buffer), &buffer);
		set(kernels[i], 1, sizeof(value), &value);
		need(clRetainKernel(kernels[i]), "retain");
		need(clReleaseKernel(kernels[i]), "release");
		launch(kernels[i]);
	}
	print_all("each");
	for (cl_uint i = 0; i < made; i++)
		need(clReleaseKernel(kernels[i]), "release");
	need(clRetainProgram(program), "retain");
	need(clReleaseProgram(program), "release");
	need(clReleaseProgram(program), "release");
}

/* Of the second half of the buffer; an image, a sampler, local memory, a
 * buffer that is NULL. */
static void arguments(void)
{
	static const cl_image_format format = { CL_RGBA, CL_SIGNED_INT32 };
	static const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 2,
		.image_height = 2,
	};
	cl_buffer_region half = {
		COUNT / 2 * sizeof(cl_int), COUNT / 2 * sizeof(cl_int),
	};
	cl_int pixels[16], add[2] = { 100, 200 };
	cl_program program = build(with_all, NULL);
	cl_kernel kernel = kernel_of(program, "mixed");
	size_t size = COUNT / 2;
	cl_mem image, constant, part;
	cl_sampler sampler;
	cl_int err;

	for (int i = 0; i < 16; i++)
		pixels[i] = 1000 * i;
	image = clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
			      &format, &desc, pixels, &err);
	need(err, "image");
	sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
				  CL_FILTER_NEAREST, &err);
	need(err, "sampler");
	constant = clCreateBuffer(context, CL_MEM_READ_ONLY |
				  CL_MEM_COPY_HOST_PTR, sizeof(add), add, &err);
	need(err, "constant");
	part = clCreateSubBuffer(buffer, CL_MEM_READ_WRITE,
				 CL_BUFFER_CREATE_TYPE_REGION, &half, &err);
	need(err, "part");
	set(kernel, 0, sizeof(part), &part);
	set(kernel, 1, size * sizeof(cl_int), NULL);
	set(kernel, 2, sizeof(constant), &constant);
	set(kernel, 3, sizeof(cl_mem), NULL);
	set(kernel, 4, sizeof(image), &image);
	set(kernel, 5, sizeof(sampler), &sampler);
	need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0,
				    NULL, NULL), "launch");
	print_all("arguments");
	drop(kernel, program);
	need(clReleaseMemObject(part), "release");
	need(clReleaseMemObject(constant), "release");
	need(clReleaseMemObject(image), "release");
	need(clReleaseSampler(sampler), "release");
}

static void clones(void)
{
	cl_program program = build(plain, SAME);
	cl_kernel kernel = fill_of(program, 50), copy;
	cl_int err, value = 60;

	copy = clCloneKernel(kernel, &err);
	need(err, "clone");
	set(kernel, 1, sizeof(value), &value);
	drop(kernel, NULL);
	launch(copy);
	print_all("clone");
	drop(copy, program);
}

static void shared(void)
{
	cl_program program = build(plain, SAME);
	cl_kernel kernel = kernel_of(program, "fill");
	cl_int *memory = clSVMAlloc(context, CL_MEM_READ_WRITE,
				    2 * COUNT * sizeof(cl_int), 0);
	cl_int value = 70;

	need(memory ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "shared memory");
	need(clSetKernelArgSVMPointer(kernel, 0, memory + COUNT), "pointer");
	set(kernel, 1, sizeof(value), &value);
	need(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS,
				 sizeof(memory), &memory), "pointers");
	launch(kernel);
	need(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory,
			     2 * COUNT * sizeof(cl_int), 0, NULL, NULL), "map");
	printf("shared: %d %d\n", memory[COUNT], memory[2 * COUNT - 1]);
	need(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL), "unmap");
	need(clFinish(queue), "finish");
	drop(kernel, program);
	clSVMFree(context, memory);
}

/* A part of a buffer over shared memory: what is behind it is there, too. */
static void shared_part(void)
{
	cl_program program = build(plain, SAME);
	cl_kernel kernel = kernel_of(program, "fill");
	cl_buffer_region half = { 0, COUNT * sizeof(cl_int) };
	cl_int *memory = clSVMAlloc(context, CL_MEM_READ_WRITE,
				    2 * COUNT * sizeof(cl_int), 0);
	cl_int value = 80, err;
	cl_mem whole, part;

	need(memory ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "shared memory");
	whole = clCreateBuffer(context, CL_MEM_USE_HOST_PTR,
			       2 * COUNT * sizeof(cl_int), memory, &err);
	need(err, "a buffer over it");
	part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &half,
				 &err);
	need(err, "a part");
	set(kernel, 0, sizeof(part), &part);
	set(kernel, 1, sizeof(value), &value);
	launch(kernel);
	need(clFinish(queue), "finish");
	drop(kernel, program);
	need(clReleaseMemObject(part), "part");
	need(clReleaseMemObject(whole), "whole");
	clSVMFree(context, memory);
}

/* One kernel, whose arguments stay: every thread may launch it. */
static void *run_thread(void *data)
{
	cl_kernel *kernel = data;
	cl_int err;
	cl_command_queue own = clCreateCommandQueue(context, devices[0], 0,
						    &err);

	need(err, "queue");
	for (int i = 0; i < ROUNDS; i++)
		launch_in(own, *kernel, COUNT);
	need(clFinish(own), "finish");
	need(clReleaseCommandQueue(own), "release");
	return NULL;
}

static void threads(void)
{
	cl_program program = build(plain, "-DVALUE=5");
	cl_kernel kernel = fill_of(program, 80);
	pthread_t ids[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&ids[i], NULL, run_thread, &kernel);
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	print_all("threads");
	drop(kernel, program);
}

static void tasks(void)
{
	static const cl_int zero;
	cl_program program = build(fixed, "-Werror");
	cl_kernel four = kernel_of(program, "four");
	cl_kernel one = kernel_of(program, "one");
	size_t size = COUNT, three = 3, rest = 4;

	need(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0,
				 COUNT * sizeof(zero), 0, NULL, NULL), "fill");
	set(four, 0, sizeof(buffer), &buffer);
	set(one, 0, sizeof(buffer), &buffer);
	need(clEnqueueNDRangeKernel(queue, four, 1, NULL, &size, &rest, 0,
				    NULL, NULL), "launch");
	printf("group of 3: %d\n",
	       clEnqueueNDRangeKernel(queue, four, 1, NULL, &size, &three, 0,
				      NULL, NULL));
	need(clEnqueueTask(queue, one, 0, NULL, NULL), "task");
	print_all("tasks");
	drop(one, NULL);
	drop(four, program);
}

/* All of it is given up before anything is waited for. */
static void early(void)
{
	cl_program program = build(plain, SAME);
	cl_kernel kernel = fill_of(program, 90);

	launch(kernel);
	drop(kernel, program);
	print_all("early");
}

static void disorder(void)
{
	cl_program program = build(plain, SAME);
	cl_kernel kernel = fill_of(program, 100);
	cl_command_queue own;
	cl_int err;

	own = clCreateCommandQueue(context, devices[0],
				   CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
				   &err);
	need(err, "queue");
	launch_in(own, kernel, COUNT);
	need(clFinish(own), "finish");
	print_all("disorder");
	need(clReleaseCommandQueue(own), "release");
	drop(kernel, program);
}

static void others(void)
{
	cl_program program = build(refused, NULL);
	cl_kernel kernel = fill_of(program, 110);

	launch(kernel);
	print_all("refused");
	drop(kernel, program);
}

static void binary(void)
{
	cl_program source = build(plain, "-DVALUE=11"), program;
	unsigned char *bytes[DEVICES];
	size_t sizes[DEVICES] = { 0 };
	cl_int err, status;
	cl_kernel kernel;

	need(clGetProgramInfo(source, CL_PROGRAM_BINARY_SIZES, sizeof(sizes),
			      sizes, NULL), "sizes");
	for (cl_uint i = 0; i < device_count; i++)
		bytes[i] = malloc(sizes[i] + 1);
	need(clGetProgramInfo(source, CL_PROGRAM_BINARIES, sizeof(bytes),
			      bytes, NULL), "binaries");
	program = clCreateProgramWithBinary(context, 1, devices, sizes,
					    (const unsigned char **)bytes,
					    &status, &err);
	need(err, "binary");
	need(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), "build");
	kernel = fill_of(program, 120);
	launch(kernel);
	print_all("binary");
	drop(kernel, program);
	need(clReleaseProgram(source), "release");
	for (cl_uint i = 0; i < device_count; i++)
		free(bytes[i]);
}

/* The same text again and again. */
static void again(void)
{
	for (int i = 0; i < 5; i++) {
		cl_program program = build(plain, "-DVALUE=12");
		cl_kernel kernel = fill_of(program, i);

		launch(kernel);
		need(clFinish(queue), "finish");
		drop(kernel, program);
	}
	print_all("again");
}

/* A launch on each device. */
static void everywhere(void)
{
	cl_program program = build(plain, "-DVALUE=13");
	cl_kernel kernel = fill_of(program, 130);

	for (cl_uint i = 0; i < device_count; i++) {
		cl_int err;
		cl_command_queue own = clCreateCommandQueue(context,
			devices[i], 0, &err);

		need(err, "queue");
		launch_in(own, kernel, COUNT);
		need(clFinish(own), "finish");
		need(clReleaseCommandQueue(own), "release");
	}
	print_all("everywhere");
	drop(kernel, program);
}

static void print_source(cl_program program)
{
	char text[sizeof(plain)];
	size_t bytes;

	need(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof(text), text,
			      &bytes), "source");
	printf("source: %zu %d\n", bytes, strcmp(text, plain));
	need(clGetProgramBuildInfo(program, devices[0],
				   CL_PROGRAM_BUILD_OPTIONS, sizeof(text), text,
				   NULL), "options");
	printf("options: %s\n", text);
}

static void queries(void)
{
	cl_program program = build(plain, SAME);
	cl_kernel kernel = fill_of(program, 140);
	cl_uint arguments_of = 0;

	launch(kernel);
	print_all("queries");
	need(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(arguments_of),
			     &arguments_of, NULL), "arguments");
	printf("arguments: %u\n", arguments_of);
	print_source(program);
	drop(kernel, program);
}

/* Before any command: drivers count those. */
static void count_references(void)
{
	cl_program program = build(fixed, NULL);
	cl_kernel kernel = kernel_of(program, "one");
	cl_uint references = 0;

	need(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT,
			      sizeof(references), &references, NULL),
	     "references");
	printf("references: %u\n", references);
	drop(kernel, program);
}

static cl_uint context_references(void)
{
	cl_uint references = 0;

	need(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT,
			      sizeof(references), &references, NULL),
	     "references");
	return references;
}

/* A queue for each job, which is released when it has been waited for. A driver
 * may be done with it a little later. */
static void jobs(void)
{
	cl_program program = build(plain, "-DVALUE=14");
	cl_kernel kernel = fill_of(program, 160);
	cl_uint before = context_references();

	for (int i = 0; i < 3; i++) {
		cl_int err;
		cl_command_queue own = clCreateCommandQueue(context,
			devices[0], 0, &err);

		need(err, "queue");
		launch_in(own, kernel, COUNT);
		need(clFinish(own), "finish");
		need(clReleaseCommandQueue(own), "release");
	}
	print_all("jobs");
	for (int i = 0; i < 5000 && context_references() != before; i++)
		usleep(1000);
	printf("jobs: references %u, before %u\n", context_references(),
	       before);
	drop(kernel, program);
}

/* What one queue has waits for another's end; the kernels have nothing in
 * common but their program. */
static void crossed(void)
{
	cl_program program = build(plain, "-DVALUE=15");
	cl_kernel held = fill_of(program, 170), kernel = fill_of(program, 180);
	cl_int err, value = 0;
	cl_mem other = clCreateBuffer(context, CL_MEM_READ_WRITE,
				      COUNT * sizeof(cl_int), NULL, &err);
	cl_event gate = clCreateUserEvent(context, &err);
	size_t size = COUNT;
	cl_command_queue own;

	need(err, "event");
	own = clCreateCommandQueue(context, devices[0], 0, &err);
	need(err, "queue");
	set(held, 0, sizeof(other), &other);
	need(clEnqueueNDRangeKernel(own, held, 1, NULL, &size, NULL, 1, &gate,
				    NULL), "launch");
	need(clFlush(own), "flush");
	launch(kernel);
	need(clFinish(queue), "finish");
	print_all("crossed");
	need(clSetUserEventStatus(gate, CL_COMPLETE), "gate");
	need(clEnqueueReadBuffer(own, other, CL_TRUE, 0, sizeof(value), &value,
				 0, NULL, NULL), "read");
	printf("crossed: %d\n", value);
	need(clReleaseEvent(gate), "release");
	need(clReleaseCommandQueue(own), "release");
	drop(held, NULL);
	drop(kernel, program);
	need(clReleaseMemObject(other), "release");
}

/* The twin of this one is refused, or not even built. */
static void small(void)
{
	cl_program program = build(for_small, NULL);
	cl_program broken = build(for_broken, NULL);
	cl_kernel kernel = kernel_of(program, "small");
	size_t size = COUNT, half = COUNT / 2;

	set(kernel, 0, sizeof(buffer), &buffer);
	need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &half, 0,
				    NULL, NULL), "launch");
	print_all("small");
	drop(kernel, program);
	kernel = kernel_of(broken, "broken");
	set(kernel, 0, sizeof(buffer), &buffer);
	launch(kernel);
	print_all("broken");
	drop(kernel, broken);
}

/* Just builds and launches once; fails where it is made to. */
static void once(void)
{
	cl_program program = build(plain, "-DVALUE=17");
	cl_kernel kernel = fill_of(program, 170);
	size_t size = COUNT;

	printf("once: %d\n", clEnqueueNDRangeKernel(queue, kernel, 1, NULL,
						    &size, NULL, 0, NULL,
						    NULL));
	need(clFinish(queue), "finish");
	drop(kernel, program);
}

/* The last launch is not waited for, nothing is released. (A driver may not
 * survive the end of a process when it still compiles.) */
static void leave(void)
{
	cl_program program = build(plain, SAME);
	cl_kernel kernel = fill_of(program, 150);

	launch(kernel);
	need(clFinish(queue), "finish");
	launch(kernel);
	need(clFlush(queue), "flush");
	printf("leave\n");
	exit(0);
}

/* The last launch is not even flushed. */
static void abandon(void)
{
	cl_program program = build(plain, "-DVALUE=16");
	cl_kernel kernel = fill_of(program, 190);

	launch(kernel);
	need(clFinish(queue), "finish");
	launch(kernel);
	printf("abandon\n");
	exit(0);
}

static const struct {
	const char *name;
	void (*run)(void);
} words[] = {
	{ "builds", builds }, { "callback", callback }, { "objects", objects },
	{ "each", each }, { "arguments", arguments }, { "clone", clones },
	{ "shared", shared }, { "shared-part", shared_part },
	{ "threads", threads }, { "tasks", tasks },
	{ "early", early }, { "disorder", disorder }, { "refused", others },
	{ "binary", binary }, { "again", again },
	{ "everywhere", everywhere }, { "queries", queries },
	{ "leave", leave }, { "references", count_references },
	{ "inside", inside }, { "small", small }, { "once", once },
	{ "jobs", jobs }, { "crossed", crossed },
	{ "abandon", abandon },
};

/* "fork" before any call: the rest in a child, too, which ends first. */
static void in_child(void)
{
	int status;
	pid_t pid = fork();

	if (pid > 0) {
		waitpid(pid, &status, 0);
		printf("child: %d\n", status);
	}
}

int main(int argc, char **argv)
{
	unsigned int known = sizeof(words) / sizeof(*words);
	bool begun = false;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++) {
		unsigned int j = 0;

		if (strcmp(argv[i], "fork") == 0) {
			in_child();
			continue;
		}
		if (!begun)
			begin(0);
		begun = true;
		while (j < known && strcmp(words[j].name, argv[i]) != 0)
			j++;
		if (j == known)
			return 64;
		words[j].run();
	}
	if (begun)
		end();
	return 0;
}
