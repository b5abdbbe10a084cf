/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What several.test runs about memory that is no buffer's:
 *
 *	image			an image larger than this machine's memory
 *	shared KIB COUNT	shared memory of that size from the host, from each
 *				device and by clSVMAlloc, until there is no more;
 *				and again when it is given back
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

enum { MAX = 8, MOST = 64, SIDE = 2048, ALLOC_DEVICE = 0x419D };

typedef void *host_alloc(cl_context, const uint64_t *, size_t, cl_uint,
			 cl_int *);
typedef void *device_alloc(cl_context, cl_device_id, const uint64_t *, size_t,
			   cl_uint, cl_int *);
typedef cl_int usm_free(cl_context, void *);
typedef cl_int usm_info(cl_context, const void *, cl_uint, size_t, void *,
			size_t *);

static cl_platform_id platform;
static cl_device_id devices[MAX];
static cl_uint count;
static cl_context context;
static cl_command_queue queue;

static void must(cl_int err, const char *what)
{
	if (!err)
		return;
	printf("%s: %d\n", what, err);
	exit(2);
}

static void open_all(void)
{
	cl_int err;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX, devices, &count),
	     "clGetDeviceIDs");
	context = clCreateContext(NULL, count, devices, NULL, NULL, &err);
	must(err, "clCreateContext");
	queue = clCreateCommandQueue(context, devices[0], 0, &err);
	must(err, "clCreateCommandQueue");
}

static void *find(const char *name)
{
	return clGetExtensionFunctionAddressForPlatform(platform, name);
}

/* ---- images */

static const cl_image_format format = { CL_RGBA, CL_FLOAT };

static cl_mem make_image(size_t side, cl_int *err)
{
	cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE3D,
		.image_width = side, .image_height = side, .image_depth = side,
	};

	return clCreateImage(context, 0, &format, &desc, NULL, err);
}

static void say_size(cl_mem mem)
{
	size_t width = 0, height = 0, depth = 0, row = 0, bytes = 0;

	clGetImageInfo(mem, CL_IMAGE_WIDTH, sizeof(width), &width, NULL);
	clGetImageInfo(mem, CL_IMAGE_HEIGHT, sizeof(height), &height, NULL);
	clGetImageInfo(mem, CL_IMAGE_DEPTH, sizeof(depth), &depth, NULL);
	clGetImageInfo(mem, CL_IMAGE_ROW_PITCH, sizeof(row), &row, NULL);
	clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
	printf("size: %zu %zu %zu, row %d, bytes %d\n", width, height, depth,
	       row == SIDE * 16, bytes == (size_t)SIDE * SIDE * SIDE * 16);
}

static void on_a_buffer(void)
{
	cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER,
		.image_width = 1000,
	};
	const size_t start[3] = { 0, 0, 0 }, region[3] = { 100, 1, 1 };
	float data[400];
	size_t width = 0;
	cl_int err;
	cl_mem buffer = clCreateBuffer(context, 0, (size_t)100 << 30, NULL,
				       &err), mem;

	must(err, "clCreateBuffer");
	desc.mem_object = buffer;
	mem = clCreateImage(context, 0, &format, &desc, NULL, &err);
	printf("on a buffer: %d", err);
	if (!mem)
		exit(2);
	clGetImageInfo(mem, CL_IMAGE_WIDTH, sizeof(width), &width, NULL);
	data[399] = 7;
	printf(", width %zu, read %d", width,
	       clEnqueueReadImage(queue, mem, CL_TRUE, start, region, 0, 0,
				  data, 0, NULL, NULL));
	printf(", %d\n", (int)data[399]);
	clReleaseMemObject(mem);
	clReleaseMemObject(buffer);
}

static int image(void)
{
	const size_t origin[3] = { SIDE - 2, SIDE - 2, SIDE - 2 };
	const size_t start[3] = { 0, 0, 0 }, region[3] = { 2, 2, 2 };
	float data[32], color[4] = { 7, 7, 7, 7 };
	unsigned char bytes[64];
	size_t row = 0, slice = 0;
	cl_event event;
	cl_command_type type = 0;
	cl_int err;
	cl_mem mem, small, buffer;
	float *pointer;

	mem = make_image(SIDE, &err);
	printf("create: %d\n", err);
	if (err)
		return 0;
	say_size(mem);
	memset(data, 7, sizeof(data));
	printf("write: %d\n", clEnqueueWriteImage(queue, mem, CL_TRUE, origin,
		region, 0, 0, data, 0, NULL, NULL));
	printf("read: %d", clEnqueueReadImage(queue, mem, CL_TRUE, origin,
		region, 0, 0, data, 0, NULL, &event));
	must(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type,
			    NULL), "type");
	clReleaseEvent(event);
	printf(", %d %d, type %d\n", (int)data[0], (int)data[31],
	       type == CL_COMMAND_READ_IMAGE);
	printf("fill: %d\n", clEnqueueFillImage(queue, mem, color, origin,
		region, 0, NULL, NULL));
	small = make_image(4, &err);
	must(err, "a small image");
	must(clEnqueueFillImage(queue, small, color, start, region, 0, NULL,
				NULL), "clEnqueueFillImage");
	printf("copy: %d", clEnqueueCopyImage(queue, mem, small, origin, start,
					      region, 0, NULL, NULL));
	must(clEnqueueReadImage(queue, small, CL_TRUE, start, region, 0, 0,
				data, 0, NULL, NULL), "clEnqueueReadImage");
	printf(", %d %d\n", (int)data[0], (int)data[31]);
	memset(bytes, 7, sizeof(bytes));
	buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(bytes),
				bytes, &err);
	must(err, "clCreateBuffer");
	row = 1;
	printf("to buffer: %d", clEnqueueCopyImageToBuffer(queue, mem, buffer,
		origin, (const size_t[]){ 2, 1, 1 }, 16, 0, NULL, NULL));
	must(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(bytes),
				 bytes, 0, NULL, NULL), "clEnqueueReadBuffer");
	printf(", %d %d %d %d\n", bytes[15], bytes[16], bytes[47], bytes[48]);
	pointer = clEnqueueMapImage(queue, mem, CL_TRUE, CL_MAP_WRITE, origin,
				    region, &row, &slice, 0, NULL, NULL, &err);
	printf("map: %d, row %zu, slice %zu", err, row, slice);
	if (pointer)
		pointer[31] = 1;
	printf(", unmap: %d\n", clEnqueueUnmapMemObject(queue, mem, pointer, 0,
							NULL, NULL));
	printf("finish: %d\n", clFinish(queue));
	clReleaseMemObject(buffer);
	clReleaseMemObject(small);
	clReleaseMemObject(mem);
	on_a_buffer();
	/* What no driver has is no phantom either. */
	mem = make_image((size_t)1 << 30, &err);
	printf("too large: %s\n", mem ? "made" : "refused");
	return 0;
}

/* ---- shared memory */

/* From the device of that number, the host (-1), or by clSVMAlloc (-2). */
static void *take(int from, size_t bytes, cl_int *err)
{
	union {
		void *object;
		host_alloc *host;
		device_alloc *device;
	} alloc;

	*err = CL_SUCCESS;
	if (from == -2)
		return clSVMAlloc(context, CL_MEM_READ_WRITE, bytes, 0);
	alloc.object = find(from < 0 ? "clHostMemAllocINTEL" :
			    "clDeviceMemAllocINTEL");
	if (!alloc.object) {
		printf("no shared memory here\n");
		exit(0);
	}
	return from < 0 ? alloc.host(context, NULL, bytes, 0, err) :
		alloc.device(context, devices[from], NULL, bytes, 0, err);
}

static void give_back(int from, void *memory)
{
	union {
		void *object;
		usm_free *function;
	} give = { find("clMemFreeINTEL") };

	if (from == -2)
		clSVMFree(context, memory);
	else if (give.object)
		must(give.function(context, memory), "clMemFreeINTEL");
}

static unsigned int take_all(int from, size_t bytes, unsigned int most,
			     void *all[MOST], cl_int *err)
{
	unsigned int had = 0;

	while (had < most && (all[had] = take(from, bytes, err)))
		had++;
	return had;
}

static const char *owner(int from, const void *memory)
{
	cl_device_id of = NULL;
	union {
		void *object;
		usm_info *function;
	} info = { find("clGetMemAllocInfoINTEL") };

	if (from < 0 || !memory || !info.object)
		return "nobody's";
	info.function(context, memory, ALLOC_DEVICE, sizeof(of), &of, NULL);
	return of == devices[from] ? "its own" : "another's";
}

static int shared(size_t bytes, unsigned int most)
{
	void *all[MAX + 2][MOST];
	unsigned int had[MAX + 2];

	for (unsigned int turn = 0; turn < 2; turn++) {
		for (int from = -2; from < (int)count; from++) {
			unsigned int i = (unsigned int)(from + 2);
			cl_int err;

			had[i] = take_all(from, bytes, most, all[i], &err);
			printf("turn %u, from %d: %u, %d, %s\n", turn, from,
			       had[i], err, owner(from, had[i] ? all[i][0] :
						  NULL));
			/* The first device's, as clSVMAlloc()'s is. */
			while (from == -2 && had[i])
				give_back(from, all[i][--had[i]]);
		}
		for (int from = -1; from < (int)count; from++)
			while (had[from + 2])
				give_back(from, all[from + 2]
					  [--had[from + 2]]);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "image";
	int status = 2;

	open_all();
	if (strcmp(what, "image") == 0)
		status = image();
	else if (strcmp(what, "shared") == 0 && argc > 3 &&
		 strtoul(argv[3], NULL, 10) <= MOST)
		status = shared(strtoull(argv[2], NULL, 10) << 10,
				(unsigned int)strtoul(argv[3], NULL, 10));
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return status;
}
