/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of meters measure: programs whose calls, bytes, failures and
 * objects are known. The device is the first there is.
 *
 *	metered WORD
 */
#include "config.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/shared/cl_types.h"
#include "faults/shared/openclaw.h"

enum { BYTES = 4096, LAUNCHES = 10, THREADS = 4, THREAD_ROUNDS = 500 };

static const char source[] =
	"kernel void twice(global int *v)\n"
	"{\n"
	"	v[get_global_id(0)] *= 2;\n"
	"}\n"
	"kernel void sums(global int *v, local int *l)\n"
	"{\n"
	"	size_t i = get_local_id(0);\n"
	"	l[i] = v[get_global_id(0)];\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	v[get_global_id(0)] = l[0] + l[i];\n"
	"}\n";

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static cl_mem buffer;
static char data[BYTES];

static void need(cl_int err, const char *what)
{
	if (err == CL_SUCCESS)
		return;
	fprintf(stderr, "metered: %s: %d\n", what, err);
	exit(2);
}

/* Nine calls; four objects, one of 4096 bytes; one build. */
static void begin(cl_command_queue_properties properties)
{
	const char *text = source;
	cl_int err;

	need(clGetPlatformIDs(1, &platform, NULL), "platforms");
	need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	     "devices");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	need(err, "context");
	queue = clCreateCommandQueue(context, device, properties, &err);
	need(err, "queue");
	program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
	need(err, "program");
	need(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
	kernel = clCreateKernel(program, "twice", &err);
	need(err, "kernel");
	buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &err);
	need(err, "buffer");
	need(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "argument");
}

/* Six calls. */
static void end(void)
{
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
}

static void launch(cl_uint count, const cl_event *waits, cl_event *event)
{
	size_t size = BYTES / sizeof(int);

	need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, count,
				    waits, event), "launch");
}

static void transfer(void)
{
	size_t at[3] = { 0 }, region[3] = { 16, 4, 2 };
	void *mapped;
	cl_int err;

	need(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, BYTES, data, 0,
				  NULL, NULL), "write");
	need(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, at, at, region,
				      0, 0, 0, 0, data, 0, NULL, NULL),
	     "write rect");
	need(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1000, data, 0,
				 NULL, NULL), "read");
	need(clEnqueueCopyBuffer(queue, buffer, buffer, 0, 2048, 100, 0, NULL,
				 NULL), "copy");
	need(clEnqueueFillBuffer(queue, buffer, "\1\2\3\4", 4, 0, 200, 0, NULL,
				 NULL), "fill");
	mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0,
				    300, 0, NULL, NULL, &err);
	need(err, "map");
	need(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL),
	     "unmap");
	need(clFinish(queue), "finish");
}

/* The first five fail; the code of one is not asked for. */
static void fail(void)
{
	cl_uint number;
	cl_int err;

	clCreateBuffer(context, 0, 0, NULL, NULL);
	clCreateBuffer(context, 0, 0, NULL, &err);
	clSetKernelArg(kernel, 99, sizeof(buffer), &buffer);
	clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, 1, &number, NULL);
	clEnqueueReadBuffer(queue, buffer, CL_TRUE, BYTES, 1, data, 0, NULL,
			    NULL);
	clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(number),
			&number, NULL);
}

/* ---- the words */

static __attribute__((noinline)) cl_mem lose(void)
{
	cl_int err;
	cl_mem lost = clCreateBuffer(context, 0, BYTES, NULL, &err);

	need(err, "buffer");
	return lost;
}

/* A peak of 3 * 4096 bytes, two lost buffers of one line and an event. */
static void work(void)
{
	cl_event event;
	cl_mem lost = NULL;

	begin(0);
	transfer();
	for (int i = 0; i < LAUNCHES; i++)
		launch(0, NULL, i ? NULL : &event);
	need(clFinish(queue), "finish");
	/* One call of it, whatever the compiler makes of the loop. */
	for (volatile int i = 0; i < 2; i++)
		lost = lose();
	need(clRetainMemObject(lost), "retain");
	fail();
	end();
}

static void killed(void)
{
	work();
	kill(getpid(), SIGKILL);
}

static void forked(void)
{
	pid_t child;

	begin(0);
	child = fork();
	if (child == 0) {
		/* Nothing of the parent's device is touched. */
		cl_uint count;

		clGetPlatformIDs(0, NULL, &count);
		clGetPlatformIDs(0, NULL, &count);
		clGetDeviceInfo(NULL, CL_DEVICE_NAME, 0, NULL, NULL);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	end();
}

static void *make_and_free(void *unused)
{
	size_t size = 64;

	(void)unused;
	for (int i = 0; i < THREAD_ROUNDS; i++) {
		cl_mem mem = clCreateBuffer(context, 0, 128, NULL, NULL);
		cl_event event;

		need(clEnqueueFillBuffer(queue, mem, "\1", 1, 0, size, 0, NULL,
					 &event), "fill");
		need(clWaitForEvents(1, &event), "wait");
		clReleaseEvent(event);
		clReleaseMemObject(mem);
	}
	return NULL;
}

static void threads(void)
{
	pthread_t thread[THREADS];

	begin(0);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, make_and_free, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	end();
}

/* Of four launches, two are waited for by the first's event (it is younger
 * than no other), one by the second's, one by nobody. */
static void waits(void)
{
	cl_event first, second;

	begin(0);
	launch(0, NULL, NULL);
	launch(0, NULL, &first);
	launch(0, NULL, &second);
	need(clWaitForEvents(1, &first), "wait");
	launch(0, NULL, NULL);
	need(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 4, data, 0, NULL,
				 NULL), "read");
	need(clWaitForEvents(1, &second), "wait");
	clReleaseEvent(first);
	clReleaseEvent(second);
	end();
}

/* Only what is waited for by itself. */
static void disordered(void)
{
	cl_event event[3];

	begin(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	for (int i = 0; i < 3; i++)
		launch(i > 0, i ? &event[i - 1] : NULL, &event[i]);
	need(clWaitForEvents(1, &event[1]), "wait");
	need(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, data, 1,
				 &event[2], NULL), "read");
	launch(0, NULL, NULL);
	launch(0, NULL, NULL);
	need(clFinish(queue), "finish");
	for (int i = 0; i < 3; i++)
		clReleaseEvent(event[i]);
	end();
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int told;

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *user)
{
	(void)event;
	(void)user;
	pthread_mutex_lock(&lock);
	told = status == CL_COMPLETE ? 1 : status;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static void wait_told(void)
{
	pthread_mutex_lock(&lock);
	while (!told)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

/* Waits that are no call: of a callback, and of a query. */
static void learns(void)
{
	cl_int status = CL_QUEUED;
	cl_event event;

	begin(0);
	launch(0, NULL, NULL);
	launch(0, NULL, &event);
	need(clSetEventCallback(event, CL_COMPLETE, on_event, NULL),
	     "callback");
	need(clFlush(queue), "flush");
	wait_told();
	clReleaseEvent(event);
	launch(0, NULL, &event);
	need(clFlush(queue), "flush");
	while (status != CL_COMPLETE)
		need(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
				    sizeof(status), &status, NULL), "status");
	clReleaseEvent(event);
	need(clFinish(queue), "finish");
	end();
}

/* One event that ends negative: asked for and waited for. */
static void negative(void)
{
	cl_int status;
	cl_event event;

	begin(0);
	event = clCreateUserEvent(context, NULL);
	need(clSetUserEventStatus(event, -42), "status");
	for (int i = 0; i < 3; i++)
		clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
			       sizeof(status), &status, NULL);
	clWaitForEvents(1, &event);
	clReleaseEvent(event);
	end();
}

/* The same, called back, which not every driver does. */
static void called_back(void)
{
	cl_event event;

	begin(0);
	event = clCreateUserEvent(context, NULL);
	need(clSetEventCallback(event, CL_COMPLETE, on_event, NULL),
	     "callback");
	need(clSetUserEventStatus(event, -42), "status");
	wait_told();
	clReleaseEvent(event);
	end();
}

/* Two kernels; the same one again from another program is the same. */
static void kernels(void)
{
	size_t size = 64, local = 16;
	cl_kernel other;
	cl_int err;

	for (int i = 0; i < 2; i++) {
		begin(0);
		other = clCreateKernel(program, "sums", &err);
		need(err, "kernel");
		need(clSetKernelArg(other, 0, sizeof(buffer), &buffer), "argument");
		need(clSetKernelArg(other, 1, 16 * sizeof(int), NULL), "argument");
		launch(0, NULL, NULL);
		for (int j = 0; j < 3; j++)
			need(clEnqueueNDRangeKernel(queue, other, 1, NULL,
						    &size, &local, 0, NULL,
						    NULL), "launch");
		need(clFinish(queue), "finish");
		clReleaseKernel(other);
		end();
	}
}

static void images(void)
{
	cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = 16, .image_height = 8,
	};
	size_t at[3] = { 0 }, region[3] = { 16, 2, 1 };
	cl_mem image;
	cl_int err;

	begin(0);
	image = clCreateImage(context, 0, &format, &desc, NULL, &err);
	need(err, "image");
	need(clEnqueueWriteImage(queue, image, CL_TRUE, at, region, 0, 0, data,
				 0, NULL, NULL), "write");
	need(clEnqueueReadImage(queue, image, CL_TRUE, at, region, 0, 0, data,
				0, NULL, NULL), "read");
	need(clEnqueueCopyImageToBuffer(queue, image, buffer, at, region, 0, 0,
					NULL, NULL), "copy");
	need(clFinish(queue), "finish");
	clReleaseMemObject(image);
	end();
}

static void iterations(void)
{
	begin(0);
	for (int i = 0; i < 5; i++)
		CLAW_ITERATION(i != 3);
	end();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *word;
		void (*run)(void);
	} words[] = {
		{ "work", work }, { "killed", killed }, { "forked", forked },
		{ "threads", threads }, { "waits", waits },
		{ "disordered", disordered }, { "learns", learns },
		{ "negative", negative }, { "kernels", kernels },
		{ "called-back", called_back },
		{ "images", images }, { "iterations", iterations },
	};

	for (size_t i = 0; argc == 2 && i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(argv[1], words[i].word)) {
			words[i].run();
			return 0;
		}
	fprintf(stderr, "metered: no such word\n");
	return 64;
}
