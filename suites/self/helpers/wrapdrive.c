/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call any function of api.def once, rightly, on the stub driver, and say what
 * came back and whether the driver was reached. Without a layer every call
 * succeeds, so what a layer makes of it shows.
 *
 *	wrapdrive [--null-errcode] [--args] FUNCTION [TIMES]
 *	wrapdrive [--null-errcode] [--args] --all
 *
 * One line a call, of fields between tabs:
 *
 *	clCreateBuffer	result=handle	errcode=CL_SUCCESS	event=none
 *	reached=1	ms=0
 *
 *	result	a code's name, or its number; handle, pointer or NULL; void
 *	errcode	what *errcode_ret holds after the call; untouched; none when
 *		the function has no such parameter or it was NULL
 *	event	what the out-event holds: set, NULL, untouched; none
 *	reached	how often the driver's function was called meanwhile. The
 *		loader answers a few functions by itself (clGetPlatformIDs):
 *		compare with a run without a layer
 *	ms	how long the call took
 *	args	with --args: what the driver got, in hexadecimal
 *
 * Arguments are found by their role, then by the parameter's name. Objects
 * that a call needs are made by other functions than the one called, so that
 * a rule for that one hits nothing else.
 *
 * Exit status 0; 2 for wrong usage; 3 when an object could not be made or
 * the function is nowhere.
 */
#include "config.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "faults/shared/api.h"
#include "faults/shared/api_sig.h"
#include "suites/self/driver/stub_api.h"

#define LENGTH(array_) (sizeof(array_) / sizeof((array_)[0]))

enum { UNTOUCHED_CODE = 987654321, SVM_BYTES = 4096, BUFFER_BYTES = 4096 };

typedef void (*any_function)(void);

/* Objects for one call, made when first wanted. */
static struct {
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_mem buffer, other_buffer, image, other_image, pipe;
	cl_sampler sampler;
	cl_program source_program, program;
	cl_kernel kernel;
	cl_event event, user_event, done_event;
	void *svm, *other_svm, *usm, *mapping;
	cl_command_buffer_khr command_buffer;
	cl_mutable_command_khr mutable_command;
	cl_semaphore_khr semaphore;
} made;

static const char *current;		/* the function called */
static bool null_errcode;
static cl_int errcode;
static cl_event out_event;
static char out_event_untouched;	/* its address is no event */
static unsigned char scratch[16384];

static void give_up(const char *what, cl_int code)
{
	const char *name = claw_code_name(code);

	fprintf(stderr, "wrapdrive: %s: %s: %s\n", current, what,
		name ? name : "failed");
	exit(3);
}

static void check(const char *what, cl_int code)
{
	if (code != CL_SUCCESS)
		give_up(what, code);
}

/* --- objects --- */

static cl_platform_id platform(void)
{
	if (!made.platform)
		check("clGetPlatformIDs",
		      clGetPlatformIDs(1, &made.platform, NULL));
	return made.platform;
}

static any_function extension(const char *name)
{
	void *found = clGetExtensionFunctionAddressForPlatform(platform(),
							       name);

	if (!found)
		give_up(name, CL_SUCCESS);
	return (any_function)(uintptr_t)found;
}

static void *get_platform(void)
{
	return platform();
}

static void *get_device(void)
{
	if (!made.device)
		check("clGetDeviceIDs",
		      clGetDeviceIDs(platform(), CL_DEVICE_TYPE_GPU, 1,
				     &made.device, NULL));
	return made.device;
}

static void *get_context(void)
{
	cl_device_id device = get_device();
	cl_int err = CL_SUCCESS;

	if (!made.context)
		made.context = clCreateContext(NULL, 1, &device, NULL, NULL,
					       &err);
	check("clCreateContext", err);
	return made.context;
}

static void *get_queue(void)
{
	cl_int err = CL_SUCCESS;

	if (!made.queue)
		made.queue = clCreateCommandQueue(get_context(), get_device(),
						  CL_QUEUE_PROFILING_ENABLE,
						  &err);
	check("clCreateCommandQueue", err);
	return made.queue;
}

static cl_mem a_buffer(cl_mem *mem)
{
	cl_int err = CL_SUCCESS;

	if (!*mem)
		*mem = clCreateBuffer(get_context(), CL_MEM_READ_WRITE,
				      BUFFER_BYTES, NULL, &err);
	check("clCreateBuffer", err);
	return *mem;
}

static void *get_buffer(void)
{
	return a_buffer(&made.buffer);
}

static void *get_other_buffer(void)
{
	return a_buffer(&made.other_buffer);
}

static const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
static const cl_image_desc desc = {
	.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16,
	.image_height = 16,
};

static cl_mem an_image(cl_mem *mem)
{
	cl_int err = CL_SUCCESS;

	if (!*mem)
		*mem = clCreateImage(get_context(), CL_MEM_READ_WRITE, &format,
				     &desc, NULL, &err);
	check("clCreateImage", err);
	return *mem;
}

static void *get_image(void)
{
	return an_image(&made.image);
}

static void *get_other_image(void)
{
	return an_image(&made.other_image);
}

static void *get_pipe(void)
{
	cl_int err = CL_SUCCESS;

	if (!made.pipe)
		made.pipe = clCreatePipe(get_context(), 0, 16, 16, NULL, &err);
	check("clCreatePipe", err);
	return made.pipe;
}

static void *get_mapping(void)
{
	cl_int err = CL_SUCCESS;

	if (!made.mapping)
		made.mapping = clEnqueueMapBuffer(get_queue(), get_buffer(),
						  CL_TRUE, CL_MAP_READ, 0, 64,
						  0, NULL, NULL, &err);
	check("clEnqueueMapBuffer", err);
	return made.mapping;
}

static void *get_sampler(void)
{
	cl_int err = CL_SUCCESS;

	if (!made.sampler)
		made.sampler = clCreateSampler(get_context(), CL_TRUE,
					       CL_ADDRESS_CLAMP,
					       CL_FILTER_NEAREST, &err);
	check("clCreateSampler", err);
	return made.sampler;
}

#define SOURCE "kernel void nothing() { } kernel void more() { }"

static void *get_source_program(void)
{
	const char *text = SOURCE;
	cl_int err = CL_SUCCESS;

	if (!made.source_program)
		made.source_program = clCreateProgramWithSource(
			get_context(), 1, &text, NULL, &err);
	check("clCreateProgramWithSource", err);
	return made.source_program;
}

static void *get_program(void)
{
	if (!made.program) {
		made.program = get_source_program();
		check("clBuildProgram",
		      clBuildProgram(made.program, 0, NULL, NULL, NULL, NULL));
	}
	return made.program;
}

static void *get_kernel(void)
{
	cl_int err = CL_SUCCESS;

	if (!made.kernel)
		made.kernel = clCreateKernel(get_program(), "nothing", &err);
	check("clCreateKernel", err);
	return made.kernel;
}

static void *get_user_event(void)
{
	cl_int err = CL_SUCCESS;

	if (!made.user_event)
		made.user_event = clCreateUserEvent(get_context(), &err);
	check("clCreateUserEvent", err);
	return made.user_event;
}

/* For wait lists: complete, and not a command's. */
static void *get_done_event(void)
{
	if (!made.done_event) {
		made.done_event = get_user_event();
		check("clSetUserEventStatus",
		      clSetUserEventStatus(made.done_event, CL_COMPLETE));
	}
	return made.done_event;
}

/* A command's, so that it has been profiled. */
static void *get_event(void)
{
	if (!made.event)
		check("clEnqueueMarkerWithWaitList",
		      clEnqueueMarkerWithWaitList(get_queue(), 0, NULL,
						  &made.event));
	return made.event;
}

static void *some_svm(void **svm)
{
	if (!*svm)
		*svm = clSVMAlloc(get_context(), CL_MEM_READ_WRITE, SVM_BYTES,
				  0);
	if (!*svm)
		give_up("clSVMAlloc", CL_SUCCESS);
	return *svm;
}

static void *get_svm(void)
{
	return some_svm(&made.svm);
}

static void *get_other_svm(void)
{
	return some_svm(&made.other_svm);
}

static void *get_usm(void)
{
	cl_int err = CL_SUCCESS;

	if (!made.usm)
		made.usm = ((claw_pfn_clHostMemAllocINTEL)
			    extension("clHostMemAllocINTEL"))
			   (get_context(), NULL, SVM_BYTES, 0, &err);
	check("clHostMemAllocINTEL", err);
	return made.usm;
}

static void *get_command_buffer(void)
{
	cl_command_queue queue = get_queue();
	cl_int err = CL_SUCCESS;

	if (!made.command_buffer)
		made.command_buffer = ((claw_pfn_clCreateCommandBufferKHR)
				       extension("clCreateCommandBufferKHR"))
				      (1, &queue, NULL, &err);
	check("clCreateCommandBufferKHR", err);
	return made.command_buffer;
}

static void *get_final_command_buffer(void)
{
	void *buffer = get_command_buffer();

	check("clFinalizeCommandBufferKHR",
	      ((claw_pfn_clFinalizeCommandBufferKHR)
	       extension("clFinalizeCommandBufferKHR"))(buffer));
	return buffer;
}

static void *get_mutable_command(void)
{
	if (!made.mutable_command)
		check("clCommandFillBufferKHR",
		      ((claw_pfn_clCommandFillBufferKHR)
		       extension("clCommandFillBufferKHR"))
		      (get_command_buffer(), NULL, NULL, get_buffer(), scratch,
		       (void *)4, NULL, (void *)64, NULL, NULL, NULL,
		       &made.mutable_command));
	return made.mutable_command;
}

static void *get_semaphore(void)
{
	cl_int err = CL_SUCCESS;
	static const char name[] = "clCreateSemaphoreWithPropertiesKHR";

	if (!made.semaphore)
		made.semaphore = ((claw_pfn_clCreateSemaphoreWithPropertiesKHR)
				  extension(name))(get_context(), NULL, &err);
	check(name, err);
	return made.semaphore;
}

/* --- arguments --- */

typedef void *(*getter)(void);

/* By role: one handle, or a list of one. */
static const getter role_getters[CLAW_P_ROLE_COUNT] = {
	[CLAW_P_PLATFORM] = get_platform,
	[CLAW_P_DEVICE] = get_device,
	[CLAW_P_CONTEXT] = get_context,
	[CLAW_P_QUEUE] = get_queue,
	[CLAW_P_MEM] = get_buffer,
	[CLAW_P_SAMPLER] = get_sampler,
	[CLAW_P_PROGRAM] = get_program,
	[CLAW_P_KERNEL] = get_kernel,
	[CLAW_P_EVENT] = get_event,
	[CLAW_P_SEMAPHORE] = get_semaphore,
	[CLAW_P_COMMAND_BUFFER] = get_command_buffer,
	[CLAW_P_OPTIONAL_DEVICE] = get_device,
};

static const getter list_getters[CLAW_P_ROLE_COUNT] = {
	[CLAW_P_DEVICES] = get_device,
	[CLAW_P_QUEUES] = get_queue,
	[CLAW_P_MEMS] = get_buffer,
	[CLAW_P_PROGRAMS] = get_program,
	[CLAW_P_SEMAPHORES] = get_semaphore,
	[CLAW_P_COMMAND_BUFFERS] = get_command_buffer,
	[CLAW_P_EVENTS] = get_event,
	[CLAW_P_WAIT_LIST] = get_done_event,
};

static void CL_CALLBACK on_object(void *object, void *user_data)
{
	(void)object;
	(void)user_data;
}

static void CL_CALLBACK on_event(cl_event event, cl_int status,
				 void *user_data)
{
	(void)event;
	(void)status;
	(void)user_data;
}

static void CL_CALLBACK on_native(void *args)
{
	(void)args;
}

/* A value for a parameter: bytes, or a handle to be made. The first row that
 * fits is taken; NULL fits every function. A parameter without a row and
 * without a role that says what it is stays 0. */
struct value {
	const char *function, *param;
	const void *bytes;
	size_t size;
	getter get;
};

#define V(function_, param_, type_, ...) \
	{ function_, param_, &(const type_){ __VA_ARGS__ }, \
	  sizeof(type_), NULL },
#define H(function_, param_, get_) \
	{ function_, param_, NULL, 0, get_ },
#define P(function_, param_, pointer_) \
	V(function_, param_, void *, (void *)(pointer_))
#define CALL(function_, param_, callback_) \
	V(function_, param_, any_function, (any_function)(callback_))
#define QUERY(function_, name_)	V(function_, "param_name", cl_uint, name_)

static const size_t zero_origin[3], small_region[3] = { 4, 4, 1 };
static const size_t items[3] = { 64, 1, 1 };
static const size_t one_size = SVM_BYTES;
static const size_t source_length = sizeof(SOURCE) - 1;
static const char *const source_strings[] = { SOURCE };
static const char *const header_names[] = { "header.h" };
static const cl_buffer_region sub_region = { 128, 256 };
static const cl_uint one_pattern = 0x5a5a5a5a;
static const intptr_t partition[] = { CL_DEVICE_PARTITION_EQUALLY, 2, 0 };
static const cl_ulong partition_ext[] = { 0x4050, 2, 0 };
static const cl_ulong queue_properties[] =
	{ CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0 };
static const cl_ulong some_sampler[] =
	{ CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE, 0 };
static cl_mem argument;

static void *get_argument(void)
{
	argument = get_buffer();
	return &argument;
}

static void *get_svm_list(void)
{
	get_svm();
	return &made.svm;
}

/* The platform is found by it, and by nothing else. */
static void *get_gl_properties(void)
{
	static cl_context_properties properties[3];

	properties[0] = CL_CONTEXT_PLATFORM;
	properties[1] = (cl_context_properties)platform();
	return properties;
}

static const struct value values[] = {
	/* what a role would get wrong */
	H("clBuildProgram", "program", get_source_program)
	H("clCompileProgram", "program", get_source_program)
	V("clCompileProgram", "num_input_headers", cl_uint, 0)
	P("clCompileProgram", "input_headers", NULL)
	P("clCompileProgram", "header_include_names", NULL)
	V("clEnqueueNativeKernel", "num_mem_objects", cl_uint, 0)
	P("clEnqueueNativeKernel", "mem_list", NULL)
	H("clSetUserEventStatus", "event", get_user_event)
	H("clEnqueueCommandBufferKHR", "command_buffer",
	  get_final_command_buffer)
	H("clUpdateMutableCommandsKHR", "command_buffer",
	  get_final_command_buffer)
	H("clRemapCommandBufferKHR", "command_buffer",
	  get_final_command_buffer)
	H("clEnqueueCopyBufferToImage", "dst_image", get_image)
	H(NULL, "image", get_image)
	H(NULL, "src_image", get_image)
	H(NULL, "dst_image", get_other_image)
	H(NULL, "dst_buffer", get_other_buffer)
	H("clCommandFillBufferKHR", "buffer", get_buffer)
	H(NULL, "src_buffer", get_buffer)
	H(NULL, "pipe", get_pipe)
	H("clCommandNDRangeKernelKHR", "kernel", get_kernel)
	H("clGetGLContextInfoKHR", "properties", get_gl_properties)
	CALL("clSetEventCallback", "pfn_notify", on_event)
	CALL("clSetMemObjectDestructorCallback", "pfn_notify", on_object)
	CALL("clSetContextDestructorCallback", "pfn_notify", on_object)
	CALL("clSetProgramReleaseCallback", "pfn_notify", on_object)
	CALL(NULL, "user_func", on_native)

	/* queries */
	QUERY("clGetPlatformInfo", CL_PLATFORM_NAME)
	QUERY("clGetDeviceInfo", CL_DEVICE_NAME)
	QUERY("clGetContextInfo", CL_CONTEXT_NUM_DEVICES)
	QUERY("clGetCommandQueueInfo", CL_QUEUE_PROPERTIES)
	QUERY("clGetMemObjectInfo", CL_MEM_SIZE)
	QUERY("clGetImageInfo", CL_IMAGE_WIDTH)
	QUERY("clGetPipeInfo", CL_PIPE_PACKET_SIZE)
	QUERY("clGetSamplerInfo", CL_SAMPLER_FILTER_MODE)
	QUERY("clGetProgramInfo", CL_PROGRAM_NUM_DEVICES)
	QUERY("clGetProgramBuildInfo", CL_PROGRAM_BUILD_STATUS)
	QUERY("clGetKernelInfo", CL_KERNEL_NUM_ARGS)
	QUERY("clGetKernelArgInfo", CL_KERNEL_ARG_NAME)
	QUERY("clGetKernelWorkGroupInfo", CL_KERNEL_WORK_GROUP_SIZE)
	QUERY("clGetKernelSubGroupInfo",
	      CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE)
	QUERY("clGetKernelSubGroupInfoKHR",
	      CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE)
	QUERY("clGetEventInfo", CL_EVENT_COMMAND_EXECUTION_STATUS)
	QUERY("clGetEventProfilingInfo", CL_PROFILING_COMMAND_START)
	QUERY("clGetGLTextureInfo", CL_GL_MIPMAP_LEVEL)
	QUERY("clGetGLContextInfoKHR", CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR)
	QUERY("clGetCommandBufferInfoKHR", 0x1295)	/* ..._NUM_QUEUES_KHR */
	QUERY("clGetMutableCommandInfoKHR", 0x12a0)	/* its queue */
	QUERY("clGetSemaphoreInfoKHR", 0x203a)	/* ..._REFERENCE_COUNT_KHR */
	QUERY("clGetMemAllocInfoINTEL", 0x419c)	/* CL_MEM_ALLOC_SIZE_INTEL */
	V(NULL, "param_value_size", size_t, 1024)
	P(NULL, "param_value", scratch)
	P(NULL, "param_value_size_ret", scratch + 1024)
	V(NULL, "input_value_size", size_t, sizeof(size_t))
	P(NULL, "input_value", items)
	V("clGetSemaphoreHandleForTypeKHR", "handle_type", cl_uint, 0x2058)
	V(NULL, "handle_size", size_t, sizeof(int))
	P(NULL, "handle_ptr", scratch)
	V(NULL, "num_entries", cl_uint, 4)
	P(NULL, "platforms", scratch)
	P(NULL, "num_platforms", scratch + 1024)
	V("clGetDeviceIDs", "device_type", cl_bitfield, CL_DEVICE_TYPE_GPU)
	V(NULL, "device_type", cl_bitfield, CL_DEVICE_TYPE_DEFAULT)
	P("clGetDeviceIDs", "devices", scratch)
	P("clGetDeviceIDs", "num_devices", scratch + 1024)
	P(NULL, "image_formats", scratch)
	P(NULL, "num_image_formats", scratch + 1024)
	V("clGetSupportedImageFormats", "image_type", cl_uint,
	  CL_MEM_OBJECT_IMAGE2D)
	P(NULL, "device_timestamp", scratch)
	P(NULL, "host_timestamp", scratch + 8)
	P(NULL, "gl_object_type", scratch)
	P(NULL, "gl_object_name", scratch + 8)
	P(NULL, "func_name", "clStubCallsOPENCLAW")
	P(NULL, "old_properties", scratch)

	/* devices, queues */
	P("clCreateSubDevices", "properties", partition)
	V("clCreateSubDevices", "num_devices", cl_uint, 2)
	P("clCreateSubDevices", "num_devices_ret", scratch + 1024)
	P("clCreateSubDevicesEXT", "properties", partition_ext)
	P("clCreateSubDevicesEXT", "num_devices", scratch + 1024)
	P(NULL, "out_devices", scratch)
	V("clCreateCommandQueue", "properties", cl_bitfield,
	  CL_QUEUE_PROFILING_ENABLE)
	V("clSetCommandQueueProperty", "properties", cl_bitfield,
	  CL_QUEUE_PROFILING_ENABLE)
	V(NULL, "enable", cl_bool, CL_TRUE)
	P("clCreateCommandQueueWithProperties", "properties", queue_properties)

	/* memory */
	V("clEnqueueMigrateMemObjects", "flags", cl_bitfield,
	  CL_MIGRATE_MEM_OBJECT_HOST)
	V("clEnqueueSVMMigrateMem", "flags", cl_bitfield,
	  CL_MIGRATE_MEM_OBJECT_HOST)
	V("clEnqueueMigrateMemINTEL", "flags", cl_bitfield,
	  CL_MIGRATE_MEM_OBJECT_HOST)
	V("clEnqueueSVMMap", "flags", cl_bitfield, CL_MAP_WRITE)
	V("clCreateSubBuffer", "flags", cl_bitfield, 0)
	V("clCreatePipe", "flags", cl_bitfield, 0)
	V(NULL, "flags", cl_bitfield, CL_MEM_READ_WRITE)
	V("clCreateBuffer", "size", size_t, BUFFER_BYTES)
	V("clCreateBufferWithProperties", "size", size_t, BUFFER_BYTES)
	V(NULL, "size", size_t, 256)
	V(NULL, "buffer_create_type", cl_uint, CL_BUFFER_CREATE_TYPE_REGION)
	P(NULL, "buffer_create_info", &sub_region)
	P(NULL, "image_format", &format)
	P(NULL, "image_desc", &desc)
	V(NULL, "image_width", size_t, 16)
	V(NULL, "image_height", size_t, 16)
	V(NULL, "image_depth", size_t, 2)
	P("clEnqueueMapImage", "image_row_pitch", scratch)
	P("clEnqueueMapImage", "image_slice_pitch", scratch + 8)
	V(NULL, "pipe_packet_size", cl_uint, 16)
	V(NULL, "pipe_max_packets", cl_uint, 16)
	V(NULL, "map_flags", cl_bitfield, CL_MAP_READ)
	H(NULL, "mapped_ptr", get_mapping)
	H("clMemFreeINTEL", "ptr", get_usm)
	H("clMemBlockingFreeINTEL", "ptr", get_usm)
	H("clGetMemAllocInfoINTEL", "ptr", get_usm)
	H("clEnqueueMigrateMemINTEL", "ptr", get_usm)
	H("clEnqueueMemAdviseINTEL", "ptr", get_usm)
	P(NULL, "ptr", scratch)
	H(NULL, "svm_pointer", get_svm)
	H(NULL, "svm_ptr", get_svm)
	H(NULL, "svm_pointers", get_svm_list)
	V(NULL, "num_svm_pointers", cl_uint, 1)
	P(NULL, "sizes", &one_size)
	H("clEnqueueMemFillINTEL", "dst_ptr", get_usm)
	H("clEnqueueMemsetINTEL", "dst_ptr", get_usm)
	H("clEnqueueMemcpyINTEL", "dst_ptr", get_usm)
	P("clEnqueueMemcpyINTEL", "src_ptr", scratch)
	H(NULL, "dst_ptr", get_svm)
	H(NULL, "src_ptr", get_other_svm)
	P(NULL, "pattern", &one_pattern)
	V(NULL, "pattern_size", size_t, sizeof(one_pattern))
	P(NULL, "fill_color", items)
	P(NULL, "origin", zero_origin)
	P(NULL, "src_origin", zero_origin)
	P(NULL, "dst_origin", zero_origin)
	P(NULL, "buffer_origin", zero_origin)
	P(NULL, "host_origin", zero_origin)
	P(NULL, "region", small_region)
	V(NULL, "bufobj", cl_uint, 1)
	V(NULL, "texture", cl_uint, 1)
	V(NULL, "renderbuffer", cl_uint, 1)
	V(NULL, "target", cl_uint, 0x0de1)	/* GL_TEXTURE_2D */
	P(NULL, "sync", scratch)
	P(NULL, "display", scratch)
	P(NULL, "egldisplay", scratch)
	P(NULL, "eglimage", scratch)
	V(NULL, "normalized_coords", cl_bool, CL_TRUE)
	V(NULL, "addressing_mode", cl_uint, CL_ADDRESS_CLAMP)
	V(NULL, "filter_mode", cl_uint, CL_FILTER_NEAREST)
	P("clCreateSamplerWithProperties", "sampler_properties",
	  some_sampler)

	/* programs, kernels */
	V(NULL, "count", cl_uint, 1)
	P(NULL, "strings", source_strings)
	P("clCreateProgramWithBinary", "lengths", &source_length)
	P(NULL, "binaries", source_strings)
	P(NULL, "binary_status", scratch)
	P(NULL, "il", source_strings)
	V(NULL, "length", size_t, sizeof(source_strings))
	P(NULL, "kernel_names", "copy;fill")
	P(NULL, "kernel_name", "nothing")
	P(NULL, "header_include_names", header_names)
	V(NULL, "num_kernels", cl_uint, 8)
	P(NULL, "kernels", scratch)
	P(NULL, "num_kernels_ret", scratch + 1024)
	V(NULL, "spec_size", size_t, sizeof(cl_uint))
	P(NULL, "spec_value", &one_pattern)
	V("clSetKernelArg", "arg_size", size_t, sizeof(cl_mem))
	H("clSetKernelArg", "arg_value", get_argument)
	H("clSetKernelArgMemPointerINTEL", "arg_value", get_usm)
	H("clSetKernelArgSVMPointer", "arg_value", get_svm)
	V("clSetKernelExecInfo", "param_name", cl_uint,
	  CL_KERNEL_EXEC_INFO_SVM_PTRS)
	V(NULL, "work_dim", cl_uint, 1)
	P(NULL, "global_work_size", items)

	/* events, command buffers, semaphores */
	V(NULL, "command_exec_callback_type", cl_int, CL_COMPLETE)
	V(NULL, "execution_status", cl_int, CL_COMPLETE)
	H(NULL, "command", get_mutable_command)
	P(NULL, "sync_point", scratch)
	V(NULL, "fd", int, -1)
};

static const struct value *value_of(const char *function, const char *param)
{
	for (size_t i = 0; i < LENGTH(values); i++)
		if (strcmp(values[i].param, param) == 0 &&
		    (!values[i].function ||
		     strcmp(values[i].function, function) == 0))
			return &values[i];
	return NULL;
}

static void put(void *to, size_t room, const void *from, size_t size)
{
	memcpy(to, from, size < room ? size : room);
}

static void put_pointer(void *to, const void *pointer)
{
	memcpy(to, &pointer, sizeof(pointer));
}

/* Where a list's one handle lies while the call lasts. */
static void *list_slots[CLAW_MAX_PARAMS];

static void fill_param(const struct claw_api_info *info, unsigned int i,
		       void *const *args, const size_t *sizes)
{
	enum claw_role role = (enum claw_role)info->roles[i];
	const struct value *value = value_of(info->name, info->params[i]);

	if (role == CLAW_P_ERRCODE) {
		put_pointer(args[i], null_errcode ? NULL : &errcode);
	} else if (role == CLAW_P_EVENT_OUT) {
		put_pointer(args[i], &out_event);
	} else if (role == CLAW_P_BLOCKING) {
		put(args[i], sizes[i], &(cl_bool){ CL_TRUE }, sizeof(cl_bool));
	} else if (value && value->get) {
		put_pointer(args[i], value->get());
	} else if (value) {
		put(args[i], sizes[i], value->bytes, value->size);
	} else if (role_getters[role]) {
		put_pointer(args[i], role_getters[role]());
	} else if (list_getters[role]) {
		list_slots[i] = list_getters[role]();
		put_pointer(args[i], &list_slots[i]);
		put(args[i - 1], sizes[i - 1], &(cl_uint){ 1 },
		    sizeof(cl_uint));
	}
}

static void fill(enum claw_api api, void *const *args, const size_t *sizes)
{
	const struct claw_api_info *info = &claw_api_table[api];

	errcode = UNTOUCHED_CODE;
	out_event = (cl_event)(void *)&out_event_untouched;
	for (unsigned int i = 0; i < info->param_count; i++)
		memset(args[i], 0, sizes[i]);
	for (unsigned int i = 0; i < info->param_count; i++)
		fill_param(info, i, args, sizes);
}

/* --- calls --- */

struct outcome {
	enum claw_fails_as kind;
	cl_int status;
	const void *handle;
};

static struct timespec before_call;

static void start_clock(void)
{
	clock_gettime(CLOCK_MONOTONIC, &before_call);
}

#define SIZE_OF(role_, param_, ...)	sizeof(param_),
#define CALL_STATUS(name_)						\
	outcome->status = ((claw_pfn_##name_)function) CLAW_ARGS(name_);
#define CALL_HANDLE(name_)						\
	outcome->handle = ((claw_pfn_##name_)function) CLAW_ARGS(name_);
#define CALL_POINTER CALL_HANDLE
#define CALL_VOID(name_)						\
	((claw_pfn_##name_)function) CLAW_ARGS(name_);

#define API(name_, fails_, ...)						\
	static void call_##name_(any_function function,			\
				 struct outcome *outcome)		\
	{								\
		CLAW_FIELDS(name_)					\
		void *const args_[] = { CLAW_ADDRS(name_) };		\
		const size_t sizes_[] = { CLAW_SIG(name_, SIZE_OF) 0 }; \
									\
		fill(CLAW_API_##name_, args_, sizes_);			\
		outcome->kind = CLAW_##fails_;				\
		start_clock();						\
		CALL_##fails_(name_)					\
	}
#define EXT API
#include "faults/shared/api.def"
#undef EXT
#undef API

static void (*const calls[CLAW_API_COUNT])(any_function, struct outcome *) = {
#define API(name_, ...) [CLAW_API_##name_] = call_##name_,
#define EXT API
#include "faults/shared/api.def"
#undef EXT
#undef API
};

/* The stub's symbol, found in the process without asking the loader: a
 * question through it would be a call more, and could be injected. */
static int find_in_module(struct dl_phdr_info *info, size_t size, void *name)
{
	void *module, *found = NULL;

	(void)size;
	if (!info->dlpi_name || !info->dlpi_name[0])
		return 0;
	module = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
	if (!module)
		return 0;
	found = dlsym(module, *(const char **)name);
	dlclose(module);
	if (!found)
		return 0;
	*(void **)name = found;
	return 1;
}

static void *stub_symbol(const char *name)
{
	const void *found = name;

	return dl_iterate_phdr(find_in_module, &found) ?
	       (void *)(uintptr_t)found : NULL;
}

static any_function function_of(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];
	void *found = info->extension ? NULL : dlsym(RTLD_DEFAULT, info->name);

	return found ? (any_function)(uintptr_t)found : extension(info->name);
}

static void print_code(const char *field, cl_int code)
{
	const char *name = claw_code_name(code);

	if (name)
		printf("\t%s=%s", field, name);
	else
		printf("\t%s=%d", field, code);
}

static void print_result(const struct outcome *outcome)
{
	switch (outcome->kind) {
	case CLAW_STATUS:
		print_code("result", outcome->status);
		break;
	case CLAW_HANDLE:
		printf("\tresult=%s", outcome->handle ? "handle" : "NULL");
		break;
	case CLAW_POINTER:
		printf("\tresult=%s", outcome->handle ? "pointer" : "NULL");
		break;
	case CLAW_VOID:
		printf("\tresult=void");
		break;
	}
}

static void print_outs(enum claw_api api)
{
	if (claw_api_find_param(api, CLAW_P_ERRCODE) < 0 || null_errcode)
		printf("\terrcode=none");
	else if (errcode == UNTOUCHED_CODE)
		printf("\terrcode=untouched");
	else
		print_code("errcode", errcode);
	if (claw_api_find_param(api, CLAW_P_EVENT_OUT) < 0)
		printf("\tevent=none");
	else if (out_event == (cl_event)(void *)&out_event_untouched)
		printf("\tevent=untouched");
	else
		printf("\tevent=%s", out_event ? "set" : "NULL");
}

static void drive(enum claw_api api, bool show_args)
{
	const struct claw_api_info *info = &claw_api_table[api];
	clStubCallsOPENCLAW_fn count;
	clStubArgOPENCLAW_fn arg;
	struct outcome outcome = { CLAW_VOID, 0, NULL };
	struct timespec after;
	cl_ulong before;
	any_function function;

	current = info->name;
	memset(&made, 0, sizeof(made));
	/* The loader looks at its drivers now, not while we count. */
	if (api == CLAW_API_clGetPlatformIDs)
		clGetExtensionFunctionAddress("clIcdGetPlatformIDsKHR");
	else
		platform();
	function = function_of(api);
	count = (clStubCallsOPENCLAW_fn)(uintptr_t)
		stub_symbol("clStubCallsOPENCLAW");
	arg = (clStubArgOPENCLAW_fn)(uintptr_t)
	      stub_symbol("clStubArgOPENCLAW");
	if (!count || !arg)
		give_up("the stub driver is not loaded", CL_SUCCESS);
	before = count(info->name);
	calls[api](function, &outcome);
	clock_gettime(CLOCK_MONOTONIC, &after);
	printf("%s", info->name);
	print_result(&outcome);
	print_outs(api);
	printf("\treached=%" PRIu64 "\tms=%ld",
	       (uint64_t)(count(info->name) - before),
	       (after.tv_sec - before_call.tv_sec) * 1000 +
	       (after.tv_nsec - before_call.tv_nsec) / 1000000);
	for (cl_uint i = 0; show_args && i < info->param_count; i++)
		printf("%s%" PRIx64, i ? "," : "\targs=",
		       (uint64_t)arg(info->name, i));
	putchar('\n');
	fflush(stdout);
}

static int usage(void)
{
	fprintf(stderr, "usage: wrapdrive [--null-errcode] [--args] "
		"{FUNCTION [TIMES] | --all}\n");
	return 2;
}

int main(int argc, char **argv)
{
	bool all = false, show_args = false;
	const char *function = NULL;
	unsigned long times = 1;
	int api;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--null-errcode") == 0)
			null_errcode = true;
		else if (strcmp(argv[i], "--args") == 0)
			show_args = true;
		else if (strcmp(argv[i], "--all") == 0)
			all = true;
		else if (!function)
			function = argv[i];
		else
			times = strtoul(argv[i], NULL, 10);
	}
	if (all == (function != NULL) || times == 0)
		return usage();
	if (all) {
		for (api = 0; api < CLAW_API_COUNT; api++)
			drive((enum claw_api)api, show_args);
		return 0;
	}
	api = claw_api_find(function);
	if (api < 0) {
		fprintf(stderr, "wrapdrive: %s: not in api.def\n", function);
		return 2;
	}
	for (unsigned long i = 0; i < times; i++)
		drive((enum claw_api)api, show_args);
	return 0;
}
