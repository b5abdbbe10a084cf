/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw __query": ask the machine's libraries about themselves, in a
 * process of its own, because a driver may crash or hang in any of these
 * calls. Prints JSON Lines that machine.c reads; each line is flushed at
 * once, so that what was learned before a crash is not lost. "stage" lines
 * say what is tried next.
 */
#include "config.h"

#include <dlfcn.h>
#include <jansson.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/cl_types.h"
#include "answers.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "query_device.h"

enum { MAX_DEVICES = 1024, INTEGRATED_MEMORY_NV = 0x4006 };

/* clGetICDLoaderInfoOCLICD() of cl_loader_layers/ocl_icd.h, which differ in
 * where they are declared. */
enum { LOADER_OCL_VERSION = 1, LOADER_VERSION, LOADER_NAME, LOADER_VENDOR };
typedef cl_int loader_info_fn(cl_uint name, size_t size, void *value,
			      size_t *ret_size);

/* The functions that are asked, as the loader has them. */
static struct {
	__typeof__(clGetPlatformIDs) *get_platforms;
	__typeof__(clGetPlatformInfo) *platform_info;
	__typeof__(clGetDeviceIDs) *get_devices;
	__typeof__(clGetDeviceInfo) *device_info;
	__typeof__(clGetExtensionFunctionAddressForPlatform) *extension_of;
	loader_info_fn *loader_info;
} cl;

enum value_kind { TEXT, U32, U64, SIZE, BOOL };

struct field {
	const char *name;
	cl_uint what;
	enum value_kind kind;
	const char *extension;	/* ask only when the device has it */
};

static const struct field platform_fields[] = {
	{ "name", CL_PLATFORM_NAME, TEXT, NULL },
	{ "vendor", CL_PLATFORM_VENDOR, TEXT, NULL },
	{ "version", CL_PLATFORM_VERSION, TEXT, NULL },
	{ "profile", CL_PLATFORM_PROFILE, TEXT, NULL },
	{ "extensions", CL_PLATFORM_EXTENSIONS, TEXT, NULL },
	{ "icd_suffix", CL_PLATFORM_ICD_SUFFIX_KHR, TEXT, NULL },
};

static const struct field device_fields[] = {
	{ "name", CL_DEVICE_NAME, TEXT, NULL },
	{ "vendor", CL_DEVICE_VENDOR, TEXT, NULL },
	{ "type", CL_DEVICE_TYPE, U64, NULL },
	{ "version", CL_DEVICE_VERSION, TEXT, NULL },
	{ "driver_version", CL_DRIVER_VERSION, TEXT, NULL },
	{ "opencl_c_version", CL_DEVICE_OPENCL_C_VERSION, TEXT, NULL },
	{ "available", CL_DEVICE_AVAILABLE, BOOL, NULL },
	{ "compiler_available", CL_DEVICE_COMPILER_AVAILABLE, BOOL, NULL },
	{ "image_support", CL_DEVICE_IMAGE_SUPPORT, BOOL, NULL },
	{ "compute_units", CL_DEVICE_MAX_COMPUTE_UNITS, U32, NULL },
	{ "max_work_group_size", CL_DEVICE_MAX_WORK_GROUP_SIZE, SIZE, NULL },
	{ "global_mem_bytes", CL_DEVICE_GLOBAL_MEM_SIZE, U64, NULL },
	{ "local_mem_bytes", CL_DEVICE_LOCAL_MEM_SIZE, U64, NULL },
	{ "max_alloc_bytes", CL_DEVICE_MAX_MEM_ALLOC_SIZE, U64, NULL },
	{ "constant_bytes", CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, U64, NULL },
	{ "mem_base_addr_align_bits", CL_DEVICE_MEM_BASE_ADDR_ALIGN, U32,
	  NULL },
	{ "extensions", CL_DEVICE_EXTENSIONS, TEXT, NULL },
	{ "host_unified_memory", CL_DEVICE_HOST_UNIFIED_MEMORY, BOOL, NULL },
	{ "integrated_memory", INTEGRATED_MEMORY_NV, BOOL,
	  "cl_nv_device_attribute_query" },
};

/* Without blanks at its end. */
static json_t *text_value(char *bytes, size_t size)
{
	size = strnlen(bytes, size);
	while (size && strchr(" \t\n\r", bytes[size - 1]))
		size--;
	return claw_answer_text(bytes, size);
}

/* The bytes of an answer as JSON, or NULL when they are not what the
 * specification says. */
static json_t *to_json(enum value_kind kind, void *bytes, size_t size)
{
	uint64_t wide = 0;

	switch (kind) {
	case TEXT:
		return text_value(bytes, size);
	case U32:
	case BOOL:
		if (size != sizeof(cl_uint))
			return NULL;
		break;
	case U64:
		if (size != sizeof(cl_ulong))
			return NULL;
		break;
	case SIZE:
		if (size != sizeof(size_t))
			return NULL;
		break;
	default:
		return NULL;
	}
	memcpy(&wide, bytes, size);
	return kind == BOOL ? json_boolean(wide != 0) :
			      json_integer((json_int_t)wide);
}

/* Ask for each field of one platform (device NULL) or device. What the
 * driver does not answer is left out. */
static void ask_fields(json_t *object, const struct field *fields,
		       size_t count, cl_platform_id platform,
		       cl_device_id device)
{
	for (size_t i = 0; i < count; i++) {
		const struct field *field = &fields[i];
		const char *extensions = json_string_value(
			json_object_get(object, "extensions"));
		size_t size = 0;
		json_t *value;
		char *bytes;
		cl_int err;

		if (field->extension && !claw_query_has_word(extensions, field->extension))
			continue;
		err = device ?
		      cl.device_info(device, field->what, 0, NULL, &size) :
		      cl.platform_info(platform, field->what, 0, NULL, &size);
		if (err != CL_SUCCESS || size > (size_t)16 << 20)
			continue;
		bytes = claw_calloc(1, size + 1);
		err = device ?
		      cl.device_info(device, field->what, size, bytes, NULL) :
		      cl.platform_info(platform, field->what, size, bytes,
				       NULL);
		value = err == CL_SUCCESS ?
			to_json(field->kind, bytes, size) : NULL;
		if (value)
			json_object_set_new(object, field->name, value);
		free(bytes);
	}
}

/* The layer's clGetDeviceInfo() of what is beneath a model; NULL: we are not
 * beneath the layer. */
static claw_query_info *find_beneath(cl_platform_id platform)
{
	claw_query_info *beneath = NULL;

	if (cl.extension_of)
		*(void **)&beneath = cl.extension_of(platform,
			"clawDeviceInfoOPENCLAW");
	return beneath;
}

static void ask_devices(cl_platform_id platform, size_t index,
			json_int_t *number)
{
	claw_query_info *beneath = find_beneath(platform);
	cl_device_id devices[MAX_DEVICES];
	cl_uint count = 0;
	cl_int err = cl.get_devices(platform, CL_DEVICE_TYPE_ALL, MAX_DEVICES,
				    devices, &count);

	if (err != CL_SUCCESS) {
		claw_answer(json_pack("{s:s, s:I, s:i}", "t", "no-devices",
				 "platform", (json_int_t)index, "code", err));
		return;
	}
	for (cl_uint i = 0; i < count && i < MAX_DEVICES; i++) {
		json_t *object = json_pack("{s:s, s:I, s:I}", "t", "device",
					   "number", *number,
					   "platform", (json_int_t)index);
		char text[64];

		snprintf(text, sizeof(text), CLAW_STAGE_DEVICE " %d",
			 (int)*number);
		claw_answer_stage(text);
		++*number;
		ask_fields(object, device_fields,
			   sizeof(device_fields) / sizeof(device_fields[0]),
			   platform, devices[i]);
		claw_query_pci(object, cl.device_info, devices[i]);
		claw_query_free(object, cl.device_info, beneath, devices[i]);
		claw_answer(object);
	}
}

static void ask_loader(const char *path)
{
	static const char *const names[] = {
		[LOADER_OCL_VERSION] = "opencl", [LOADER_VERSION] = "version",
		[LOADER_NAME] = "name", [LOADER_VENDOR] = "vendor",
	};
	json_t *object = json_pack("{s:s, s:s}", "t", "loader", "path", path);

	for (cl_uint i = LOADER_OCL_VERSION; cl.loader_info &&
	     i <= LOADER_VENDOR; i++) {
		char text[256] = "";

		if (cl.loader_info(i, sizeof(text) - 1, text, NULL) ==
		    CL_SUCCESS)
			json_object_set_new(object, names[i],
					    text_value(text, sizeof(text)));
	}
	claw_answer(object);
}

static int ask_opencl(void)
{
	static cl_platform_id platforms[MAX_DEVICES];
	struct link_map *map = NULL;
	__typeof__(clGetExtensionFunctionAddress) *get_extension;
	json_int_t number = 0;
	cl_uint count = 0;
	void *library;
	cl_int err;

	claw_answer_stage("loading libOpenCL.so.1");
	library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		claw_answer(json_pack("{s:s, s:s}", "t", "no-loader", "error",
				 dlerror()));
		return CLAW_EXIT_CLEAN;
	}
	*(void **)&cl.get_platforms = dlsym(library, "clGetPlatformIDs");
	*(void **)&cl.platform_info = dlsym(library, "clGetPlatformInfo");
	*(void **)&cl.get_devices = dlsym(library, "clGetDeviceIDs");
	*(void **)&cl.device_info = dlsym(library, "clGetDeviceInfo");
	*(void **)&cl.extension_of =
		dlsym(library, "clGetExtensionFunctionAddressForPlatform");
	*(void **)&get_extension =
		dlsym(library, "clGetExtensionFunctionAddress");
	if (get_extension)
		*(void **)&cl.loader_info =
			get_extension("clGetICDLoaderInfoOCLICD");
	if (!cl.get_platforms || !cl.platform_info || !cl.get_devices ||
	    !cl.device_info) {
		claw_answer(json_pack("{s:s, s:s}", "t", "no-loader", "error",
				 "libOpenCL.so.1 lacks clGetPlatformIDs"));
		return CLAW_EXIT_CLEAN;
	}
	dlinfo(library, RTLD_DI_LINKMAP, &map);
	ask_loader(map ? map->l_name : "");
	claw_answer_stage("asking for platforms");
	err = cl.get_platforms(MAX_DEVICES, platforms, &count);
	claw_answer(json_pack("{s:s, s:i, s:i}", "t", "platforms", "code", err,
			 "count", (int)count));
	for (cl_uint i = 0; err == CL_SUCCESS && i < count &&
	     i < MAX_DEVICES; i++) {
		json_t *object = json_pack("{s:s, s:i}", "t", "platform",
					   "index", (int)i);
		char text[64];

		snprintf(text, sizeof(text), "asking platform %u", i);
		claw_answer_stage(text);
		ask_fields(object, platform_fields, sizeof(platform_fields) /
			   sizeof(platform_fields[0]), platforms[i], NULL);
		claw_answer(object);
		ask_devices(platforms[i], i, &number);
	}
	claw_answer_stage("ending");
	return CLAW_EXIT_CLEAN;
}

static int query_run(int argc, char *const *argv);

static const struct claw_option query_options[] = {
	{ 0 },
};

const struct claw_command claw_cmd_query = {
	.name = "__query",
	.summary = "ask the OpenCL loader or a device about themselves, for "
		   "other commands",
	.usage = "opencl | telemetry PCI NAME",
	.options = query_options,
	.hidden = true,
	.run = query_run,
};

static int query_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_query, argc, argv, false);

	claw_answers_begin();
	if (first < argc && strcmp(argv[first], "opencl") == 0)
		return ask_opencl();
	if (first + 2 < argc && strcmp(argv[first], "telemetry") == 0)
		return claw_query_telemetry(argv[first + 1], argv[first + 2]);
	claw_die(CLAW_EXIT_USAGE, "__query: expected opencl or telemetry");
}
