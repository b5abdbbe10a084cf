/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw __kernels": build a program and tell its kernels' arguments, as the
 * driver knows them, in a process of its own, because a compiler may crash or
 * hang. Prints JSON Lines that init_kernels.c reads, each flushed at once.
 */
#include "config.h"

#include <dlfcn.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/cl_types.h"
#include "harness/machine/answers.h"
#include "build_options.h"
#include "clw_values.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "harness/files/outside_file.h"

enum { MAX_DEVICES = 64, MAX_KERNELS = 4096, MAX_ARGS = 1024 };

/* The functions that are asked, as the loader has them. */
#define FUNCTIONS(X_) \
	X_(clGetPlatformIDs) X_(clGetPlatformInfo) X_(clGetDeviceIDs) \
	X_(clGetDeviceInfo) X_(clCreateContext) \
	X_(clCreateProgramWithSource) X_(clBuildProgram) \
	X_(clGetProgramBuildInfo) X_(clCreateKernelsInProgram) \
	X_(clGetKernelInfo) X_(clGetKernelArgInfo) \
	X_(clGetKernelWorkGroupInfo) X_(clCreateKernel) X_(clSetKernelArg) \
	X_(clCreateBuffer) X_(clCreateCommandQueue) X_(clEnqueueNDRangeKernel) \
	X_(clEnqueueReadBuffer) X_(clReleaseMemObject)
static struct {
#define MEMBER(name_) __typeof__(name_) *name_;
	FUNCTIONS(MEMBER)
#undef MEMBER
} cl;

static json_t *to_text(char *text)
{
	return claw_answer_text(text, strlen(text));
}

/* ---- the driver ------------------------------------------------------ */

static bool load(void)
{
	void *library;

	claw_answer_stage("loading libOpenCL.so.1");
	library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return false;
#define LOAD(name_)						\
	*(void **)&cl.name_ = dlsym(library, #name_);		\
	if (!cl.name_)						\
		return false;
	FUNCTIONS(LOAD)
#undef LOAD
	return true;
}

static bool can_compile(cl_device_id device)
{
	cl_bool can = CL_FALSE;

	return cl.clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE,
				  sizeof(can), &can, NULL) == CL_SUCCESS && can;
}

/* Oclgrind's messages name its own "input.cl", whatever "#line" says; pocl
 * calls what has a built-in function's name "_cl_NAME". */
static bool is_oclgrind, is_pocl;

/* The first device that has a compiler, pocl's before others': it is a CPU's
 * and knows everything about arguments. */
static cl_device_id find_device(void)
{
	cl_platform_id platforms[MAX_DEVICES];
	cl_device_id devices[MAX_DEVICES], found = NULL;
	cl_uint platform_count = 0, device_count;
	char name[256];

	claw_answer_stage("asking for devices");
	if (cl.clGetPlatformIDs(MAX_DEVICES, platforms, &platform_count) !=
	    CL_SUCCESS)
		return NULL;
	for (cl_uint i = 0; i < platform_count && i < MAX_DEVICES; i++) {
		memset(name, 0, sizeof(name));
		device_count = 0;
		cl.clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME,
				     sizeof(name) - 1, name, NULL);
		cl.clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL,
				  MAX_DEVICES, devices, &device_count);
		for (cl_uint j = 0; j < device_count && j < MAX_DEVICES; j++) {
			if (!can_compile(devices[j]))
				continue;
			if (strstr(name, "Portable Computing Language")) {
				is_oclgrind = false;
				is_pocl = true;
				return devices[j];
			}
			if (!found) {
				found = devices[j];
				is_oclgrind = strcmp(name, "Oclgrind") == 0;
			}
			break;
		}
	}
	return found;
}

/* ---- the program ----------------------------------------------------- */

static char *build_log(cl_program program, cl_device_id device)
{
	size_t size = 0;
	char *log;

	if (cl.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0,
				     NULL, &size) != CL_SUCCESS ||
	    size > (size_t)4 << 20)
		return NULL;
	log = claw_calloc(1, size + 1);
	cl.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size,
				 log, NULL);
	return log;
}

/* NULL: it does not build; ret_log is set then, perhaps to NULL. */
static cl_program build(cl_context context, cl_device_id device,
			const char *source, const char *options,
			cl_int *ret_code, char **ret_log)
{
	cl_program program = cl.clCreateProgramWithSource(context, 1, &source,
							  NULL, ret_code);

	*ret_log = NULL;
	if (*ret_code != CL_SUCCESS)
		return NULL;
	*ret_code = cl.clBuildProgram(program, 1, &device, options, NULL,
				      NULL);
	if (*ret_code == CL_SUCCESS)
		return program;
	*ret_log = build_log(program, device);
	return NULL;
}

/* "input.cl:3:9: error": with the file's name. malloced. */
static char *name_file(const char *log, const char *path)
{
	static const char name[] = "input.cl:";
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	while (*log) {
		if (strncmp(log, name, sizeof(name) - 1) == 0) {
			fprintf(out, "%s:", path);
			log += sizeof(name) - 1;
		} else {
			fputc(*log++, out);
		}
	}
	claw_text_end(out);
	return text;
}

/* "#line" names the file in the compiler's messages. */
static char *numbered_source(const char *path, const char *source)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);
	/* A byte order mark may only be the first of a text. */
	if (strncmp(source, "\xef\xbb\xbf", 3) == 0)
		source += 3;
	if (!is_oclgrind)
		fputs("#line 1 \"", out);
	for (; !is_oclgrind && *path; path++) {
		if (*path == '"' || *path == '\\')
			fputc('\\', out);
		fputc(*path == '\n' ? '?' : *path, out);
	}
	fprintf(out, "%s%s\n", is_oclgrind ? "" : "\"\n", source);
	claw_text_end(out);
	return text;
}

/* ---- types that have another name ------------------------------------ */

/*
 * A typedef's name says nothing. A kernel of the compiler's and the device's
 * own tells its size, and which of our types it is. (As numbers of an attribute
 * they can be read without a launch, but not with NVIDIA's 580.159.04.)
 */
enum probe { PROBE_DOUBLES, PROBE_TYPES, PROBE_SIZE, PROBE_COUNT };

struct told {
	cl_uint size, type;	/* 1 + position in claw_clw_type_names; 0: none */
};

static char *probe_source(const char *source, const char *type, enum probe probe)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fprintf(out, "%s\n__kernel void claw_probe(__global uint *claw_told) { "
		"claw_told[0] = (uint)sizeof(%s); claw_told[1] = 0", source,
		type);
	for (int i = 0; probe != PROBE_SIZE && claw_clw_type_names[i]; i++) {
		/* Programs without the extension may not name this. */
		if (strncmp(claw_clw_type_names[i], "half", 4) == 0 ||
		    (probe != PROBE_DOUBLES &&
		     strncmp(claw_clw_type_names[i], "double", 6) == 0))
			continue;
		fprintf(out, " + %d * __builtin_types_compatible_p(%s, %s)",
			i + 1, type, claw_clw_type_names[i]);
	}
	fputs("; }\n", out);
	claw_text_end(out);
	return text;
}

/* Is it one of ours, with or without "*"? */
static bool is_known_type(const char *name)
{
	struct claw_clw_type type;
	size_t length = strlen(name);

	if (length > 0 && name[length - 1] == '*')
		length--;
	return claw_clw_type_parse(name, length, &type) ||
		strncmp(name, "image", 5) == 0 ||
		strcmp(name, "sampler_t") == 0;
}

/* ---- kernels --------------------------------------------------------- */

struct asked {
	cl_context context;
	cl_device_id device;
	cl_command_queue queue;
	const char *source, *options;
	json_t *types;		/* by their names: what was told */
};

static bool run_probe(const struct asked *asked, cl_program program,
		      struct told *ret_told)
{
	static const size_t one = 1;
	cl_int code;
	cl_kernel kernel = cl.clCreateKernel(program, "claw_probe", &code);
	struct told zeros = { 0 };
	cl_mem told = cl.clCreateBuffer(asked->context, CL_MEM_READ_WRITE |
					CL_MEM_COPY_HOST_PTR, sizeof(zeros),
					&zeros, &code);
	bool done = kernel && told &&
		!cl.clSetKernelArg(kernel, 0, sizeof(told), &told) &&
		!cl.clEnqueueNDRangeKernel(asked->queue, kernel, 1, NULL, &one,
					   NULL, 0, NULL, NULL) &&
		!cl.clEnqueueReadBuffer(asked->queue, told, CL_TRUE, 0,
					sizeof(*ret_told), ret_told, 0, NULL,
					NULL) && ret_told->size;

	if (told)
		cl.clReleaseMemObject(told);
	return done;
}

/* False: it does not build, or run. */
static bool try_probe(const struct asked *asked, const char *type,
		      enum probe probe, struct told *ret_told)
{
	char *source = probe_source(asked->source, type, probe), *log = NULL;
	cl_program program;
	cl_int code;
	bool done;

	claw_answer_stage("asking for the size of a type");
	program = build(asked->context, asked->device, source, asked->options,
			&code, &log);
	done = program && run_probe(asked, program, ret_told);
	free(log);
	free(source);
	return done;
}

static const char *type_name(cl_uint number)
{
	for (cl_uint i = 0; claw_clw_type_names[i]; i++)
		if (i + 1 == number)
			return claw_clw_type_names[i];
	return NULL;
}

static json_t *ask_type(const struct asked *asked, const char *type)
{
	json_t *answer = json_object();
	struct told told = { 0 };
	bool done = false;

	for (int i = strstr(asked->source, "double") ? PROBE_DOUBLES :
	     PROBE_TYPES; !done && asked->queue && i < PROBE_COUNT; i++)
		done = try_probe(asked, type, (enum probe)i, &told);
	if (done)
		json_object_set_new(answer, "size", json_integer(told.size));
	if (done && type_name(told.type))
		json_object_set_new(answer, "is",
				    json_string(type_name(told.type)));
	return answer;
}

static void probe_type(const struct asked *asked, json_t *arg)
{
	const char *type = json_string_value(json_object_get(arg, "type"));
	json_t *answer;
	char *bare;

	if (!type || is_known_type(type))
		return;
	bare = claw_strndup(type, strcspn(type, "*"));
	answer = json_object_get(asked->types, bare);
	if (!answer) {
		answer = ask_type(asked, bare);
		json_object_set_new(asked->types, bare, answer);
	}
	json_object_update(arg, answer);
	free(bare);
}

/* A name as the source has it. */
static char *own_name(const struct asked *asked, char *name)
{
	static const char prefix[] = "_cl_";
	const size_t length = sizeof(prefix) - 1;

	if (!is_pocl || strncmp(name, prefix, length) != 0 || !name[length] ||
	    strstr(asked->source, name))
		return name;
	return name + length;
}

static bool ask_arg_text(const struct asked *asked, cl_kernel kernel,
			 cl_uint index, cl_uint what, json_t *arg,
			 const char *name)
{
	char text[1024] = "";

	if (cl.clGetKernelArgInfo(kernel, index, what, sizeof(text) - 1, text,
				  NULL) != CL_SUCCESS)
		return false;
	json_object_set_new(arg, name, to_text(own_name(asked, text)));
	return true;
}

static const char *address_word(cl_uint address)
{
	switch (address) {
	case CL_KERNEL_ARG_ADDRESS_GLOBAL:
		return "global";
	case CL_KERNEL_ARG_ADDRESS_LOCAL:
		return "local";
	case CL_KERNEL_ARG_ADDRESS_CONSTANT:
		return "constant";
	default:
		return "private";
	}
}

static const char *access_word(cl_uint access)
{
	switch (access) {
	case CL_KERNEL_ARG_ACCESS_READ_ONLY:
		return "read_only";
	case CL_KERNEL_ARG_ACCESS_WRITE_ONLY:
		return "write_only";
	case CL_KERNEL_ARG_ACCESS_READ_WRITE:
		return "read_write";
	default:
		return "none";
	}
}

/* NULL: the driver does not tell. */
static json_t *ask_arg(const struct asked *asked, cl_kernel kernel,
		       cl_uint index)
{
	json_t *arg = json_object();
	cl_kernel_arg_type_qualifier qualifier = 0;
	cl_uint address = 0, access = 0;

	if (!ask_arg_text(asked, kernel, index, CL_KERNEL_ARG_TYPE_NAME, arg,
			  "type") ||
	    cl.clGetKernelArgInfo(kernel, index,
				  CL_KERNEL_ARG_ADDRESS_QUALIFIER,
				  sizeof(address), &address, NULL) !=
	    CL_SUCCESS) {
		json_decref(arg);
		return NULL;
	}
	ask_arg_text(asked, kernel, index, CL_KERNEL_ARG_NAME, arg, "name");
	cl.clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER,
			      sizeof(access), &access, NULL);
	cl.clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER,
			      sizeof(qualifier), &qualifier, NULL);
	json_object_set_new(arg, "address",
			    json_string(address_word(address)));
	json_object_set_new(arg, "access", json_string(access_word(access)));
	json_object_set_new(arg, "const", json_boolean(
		(qualifier & CL_KERNEL_ARG_TYPE_CONST) != 0));
	json_object_set_new(arg, "pipe", json_boolean(
		(qualifier & CL_KERNEL_ARG_TYPE_PIPE) != 0));
	probe_type(asked, arg);
	return arg;
}

static void ask_kernel(const struct asked *asked, cl_kernel kernel)
{
	json_t *object = json_object(), *args = json_array(), *arg;
	char name[1024] = "";
	size_t sizes[3] = { 0 };
	cl_uint count = 0;

	cl.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name) - 1,
			   name, NULL);
	cl.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count,
			   NULL);
	cl.clGetKernelWorkGroupInfo(kernel, asked->device,
				    CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
				    sizeof(sizes), sizes, NULL);
	json_object_set_new(object, "t", json_string("kernel"));
	json_object_set_new(object, "name", to_text(own_name(asked, name)));
	json_object_set_new(object, "args", args);
	if (sizes[0] > 0)
		json_object_set_new(object, "local", json_pack("[I, I, I]",
			(json_int_t)sizes[0], (json_int_t)sizes[1],
			(json_int_t)sizes[2]));
	for (cl_uint i = 0; i < count && i < MAX_ARGS; i++) {
		arg = ask_arg(asked, kernel, i);
		json_array_append_new(args, arg ? arg : json_null());
	}
	claw_answer(object);
}

static void ask_kernels(const struct asked *asked, cl_program program)
{
	static cl_kernel kernels[MAX_KERNELS];
	cl_uint count = 0;

	claw_answer_stage("asking for kernels");
	cl.clCreateKernelsInProgram(program, MAX_KERNELS, kernels, &count);
	for (cl_uint i = 0; i < count && i < MAX_KERNELS; i++)
		ask_kernel(asked, kernels[i]);
	claw_answer(json_pack("{s:s, s:i}", "t", "end", "count", (int)count));
}

/* ---- the command ----------------------------------------------------- */

static char *build_options(const char *path, const char *given)
{
	char *folders = claw_build_options(path, path, given);
	char *options = claw_format("-cl-kernel-arg-info%s", folders);

	free(folders);
	return options;
}

static void answer_no_build(const char *path, cl_int code, const char *log)
{
	char *named = name_file(log ? log : "", path);

	claw_answer(json_pack("{s:s, s:i, s:o}", "t", "no-build", "code", code,
			 "log", to_text(named)));
	free(named);
}

static char *device_text(cl_device_id device, cl_device_info info)
{
	size_t size = 0;
	char *text;

	if (cl.clGetDeviceInfo(device, info, 0, NULL, &size) != CL_SUCCESS)
		size = 0;
	text = claw_calloc(1, size + 1);
	cl.clGetDeviceInfo(device, info, size, text, NULL);
	return text;
}

static void answer_device(cl_device_id device)
{
	char *version = device_text(device, CL_DEVICE_OPENCL_C_VERSION);
	char *extensions = device_text(device, CL_DEVICE_EXTENSIONS);
	size_t group = 0;

	cl.clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(group),
			   &group, NULL);
	claw_answer(json_pack("{s:s, s:o, s:o, s:I}", "t", "device", "version",
			      to_text(version), "extensions",
			      to_text(extensions), "max_group",
			      (json_int_t)group));
	free(extensions);
	free(version);
}

static int ask(const char *path, const char *given)
{
	struct asked asked = { 0 };
	cl_program program;
	char *text, *source, *options, *log = NULL;
	size_t size;
	cl_int code = 0, queue_code;

	if (claw_outside_read(path, 0, CLAW_CLW_FILE_BYTES_MAX,
				&text, &size) < 0)
		return CLAW_EXIT_USAGE;
	asked.device = load() ? find_device() : NULL;
	if (!asked.device) {
		claw_answer(json_pack("{s:s}", "t", "no-device"));
		free(text);
		return CLAW_EXIT_CLEAN;
	}
	answer_device(asked.device);
	source = numbered_source(path, text);
	options = build_options(path, given);
	asked.source = source;
	asked.options = options;
	asked.types = json_object();
	claw_answer_stage("building the program");
	asked.context = cl.clCreateContext(NULL, 1, &asked.device, NULL, NULL,
					   &code);
	asked.queue = code == CL_SUCCESS ? cl.clCreateCommandQueue(
		asked.context, asked.device, 0, &queue_code) : NULL;
	program = code == CL_SUCCESS ? build(asked.context, asked.device,
		asked.source, options, &code, &log) : NULL;
	if (program)
		ask_kernels(&asked, program);
	else
		answer_no_build(path, code, log);
	json_decref(asked.types);
	free(log);
	free(options);
	free(source);
	free(text);
	return CLAW_EXIT_CLEAN;
}

static int kernels_run(int argc, char *const *argv);

static const struct claw_option kernels_options[] = {
	{ 0 },
};

const struct claw_command claw_cmd_kernels = {
	.name = "__kernels",
	.summary = "build a program and tell its kernels' arguments, for "
		   "other commands",
	.usage = "FILE BUILD-OPTIONS",
	.options = kernels_options,
	.hidden = true,
	.run = kernels_run,
};

static int kernels_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_kernels, argc, argv, true);

	if (argc - first != 2)
		claw_die(CLAW_EXIT_USAGE, "__kernels: expected a file and "
			 "build options");
	claw_answers_begin();
	return ask(argv[first], argv[first + 1]);
}
