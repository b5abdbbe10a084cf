/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of parameters, worked out once from the text of their declarations
 * in api_sig.h.
 */
#include "config.h"

#include "trace_shape.h"

#include <string.h>

#include "faults/shared/api_sig.h"
#include "harness/base/text.h"

enum { TYPE_BYTES = 64 };

#define TEXT(...)	#__VA_ARGS__
#define TEXT_OF(...)	TEXT(__VA_ARGS__)

/* "cl_context context; const size_t *sizes; ..." */
static const char *const fields[CLAW_API_COUNT] = {
#define API(name_, ...)	[CLAW_API_##name_] = TEXT_OF(CLAW_FIELDS_##name_),
#define EXT API
#include "faults/shared/api.def"
#undef EXT
#undef API
};

static struct claw_shape shapes[CLAW_API_COUNT][CLAW_MAX_PARAMS];
static bool known[CLAW_API_COUNT];

static const struct {
	const char *type;
	enum claw_obj object;
	uint8_t bytes;
} types[] = {
	{ "cl_platform_id", CLAW_OBJ_PLATFORM, 8 },
	{ "cl_device_id", CLAW_OBJ_DEVICE, 8 },
	{ "cl_context", CLAW_OBJ_CONTEXT, 8 },
	{ "cl_command_queue", CLAW_OBJ_QUEUE, 8 },
	{ "cl_mem", CLAW_OBJ_MEM, 8 },
	{ "cl_sampler", CLAW_OBJ_SAMPLER, 8 },
	{ "cl_program", CLAW_OBJ_PROGRAM, 8 },
	{ "cl_kernel", CLAW_OBJ_KERNEL, 8 },
	{ "cl_event", CLAW_OBJ_EVENT, 8 },
	{ "cl_semaphore_khr", CLAW_OBJ_SEMAPHORE, 8 },
	{ "cl_command_buffer_khr", CLAW_OBJ_COMMAND_BUFFER, 8 },
	{ "cl_int", CLAW_OBJ_NONE, 4 },
	{ "cl_uint", CLAW_OBJ_NONE, 4 },
	{ "cl_GLuint", CLAW_OBJ_NONE, 4 },
	{ "cl_gl_object_type", CLAW_OBJ_NONE, 4 },
	{ "cl_ulong", CLAW_OBJ_NONE, 8 },
	{ "cl_command_queue_properties", CLAW_OBJ_NONE, 8 },
	{ "size_t", CLAW_OBJ_NONE, 8 },
	{ "cl_image_format", CLAW_OBJ_NONE, 8 },
	{ "cl_mutable_command_khr", CLAW_OBJ_NONE, 8 },
};

/* A declaration taken apart: "const cl_event *list" is const, "cl_event", 1. */
struct declared {
	char type[TYPE_BYTES];
	bool is_const, is_function;
	unsigned int stars;
	const char *name;
};

/* One declaration of fields[]. */
static struct declared take_apart(const char *text, size_t length)
{
	struct declared found = { .is_const = false };
	size_t end;

	while (length > 0 && *text == ' ') {
		text++;
		length--;
	}
	if (claw_begins(text, "const ")) {
		found.is_const = true;
		text += strlen("const ");
		length -= strlen("const ");
	}
	found.is_function = memchr(text, '(', length) != NULL;
	end = strcspn(text, " *(");
	if (end > length)
		end = length;
	if (end < sizeof(found.type))
		memcpy(found.type, text, end);
	for (size_t i = end; i < length; i++)
		found.stars += text[i] == '*';
	return found;
}

static void set_type(const struct declared *declared, struct claw_shape *shape)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(types[i].type, declared->type)) {
			shape->object = types[i].object;
			shape->element_bytes = types[i].bytes;
		}
}

/* The parameters of clCommand*KHR are words whose types say nothing. */
static void set_type_by_name(const char *name, struct claw_shape *shape)
{
	static const struct {
		const char *name;
		enum claw_obj object;
	} names[] = {
		{ "kernel", CLAW_OBJ_KERNEL },
		{ "buffer", CLAW_OBJ_MEM }, { "image", CLAW_OBJ_MEM },
		{ "src_buffer", CLAW_OBJ_MEM }, { "dst_buffer", CLAW_OBJ_MEM },
		{ "src_image", CLAW_OBJ_MEM }, { "dst_image", CLAW_OBJ_MEM },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i].name, name))
			shape->object = names[i].object;
}

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names)
		if (!strcmp(name, *names++))
			return true;
	return false;
}

/* void * and const void *. */
static enum claw_shape_kind plain_pointer(enum claw_api api,
					  const struct declared *declared,
					  const struct claw_shape *shape)
{
	static const char *const svm[] = {
		"svm_ptr", "svm_pointer", "dst_ptr", "src_ptr", NULL,
	};
	const char *function = claw_api_table[api].name;
	const char *name = declared->name;

	if (claw_begins(function, "clCommand"))
		return shape->object == CLAW_OBJ_NONE ? CLAW_SHAPE_WORD :
			CLAW_SHAPE_OBJECT;
	if (!strcmp(name, "host_ptr"))
		return CLAW_SHAPE_DATA_IN;
	if (!strcmp(name, "mapped_ptr"))
		return CLAW_SHAPE_MAPPED;
	if (!strcmp(name, "il"))
		return CLAW_SHAPE_TEXTS;
	if (!strcmp(name, "ptr"))
		return claw_begins(function, "clEnqueueRead") ?
				CLAW_SHAPE_DATA_OUT :
			claw_begins(function, "clEnqueueWrite") ?
				CLAW_SHAPE_DATA_IN : CLAW_SHAPE_SVM;
	if (!strcmp(name, "arg_value"))
		return api == CLAW_API_clSetKernelArg ? CLAW_SHAPE_IN :
			CLAW_SHAPE_SVM;
	if (is_one_of(name, svm))
		return CLAW_SHAPE_SVM;
	if (!strcmp(name, "param_value") || !strcmp(name, "handle_ptr"))
		return declared->is_const ? CLAW_SHAPE_IN :
			CLAW_SHAPE_VALUE_OUT;
	return CLAW_SHAPE_IN;
}

static enum claw_shape_kind pointer(enum claw_api api,
				    const struct declared *declared,
				    const struct claw_shape *shape)
{
	if (!strcmp(declared->name, "args_mem_loc"))
		return CLAW_SHAPE_IN;
	if (declared->stars > 1)
		return !strcmp(declared->type, "void") ? CLAW_SHAPE_SVM_LIST :
			CLAW_SHAPE_TEXTS;
	if (!strcmp(declared->type, "void"))
		return plain_pointer(api, declared, shape);
	if (strstr(declared->type, "_propert") && declared->is_const)
		return CLAW_SHAPE_PROPERTIES;
	if (!strcmp(declared->name, "lengths"))
		return CLAW_SHAPE_LENGTHS;
	if (declared->is_const)
		return CLAW_SHAPE_IN;
	return shape->object == CLAW_OBJ_NONE ? CLAW_SHAPE_OUT :
		CLAW_SHAPE_OBJECTS_OUT;
}

static enum claw_shape_kind find_kind(enum claw_api api, enum claw_role role,
				      const struct declared *declared,
				      const struct claw_shape *shape)
{
	switch (role) {
	case CLAW_P_ERRCODE:
		return CLAW_SHAPE_ERRCODE;
	case CLAW_P_NOTIFY:
		return CLAW_SHAPE_CALLBACK;
	case CLAW_P_USER_DATA:
		return CLAW_SHAPE_USER_DATA;
	case CLAW_P_EVENT_OUT:
		return CLAW_SHAPE_OBJECTS_OUT;
	case CLAW_P_DEVICES: case CLAW_P_QUEUES: case CLAW_P_MEMS:
	case CLAW_P_PROGRAMS: case CLAW_P_SEMAPHORES:
	case CLAW_P_COMMAND_BUFFERS: case CLAW_P_EVENTS:
	case CLAW_P_WAIT_LIST:
		return CLAW_SHAPE_OBJECTS;
	default:
		break;
	}
	if (declared->is_function)
		return CLAW_SHAPE_CALLBACK;
	if (declared->stars > 0)
		return pointer(api, declared, shape);
	return shape->object == CLAW_OBJ_NONE ? CLAW_SHAPE_WORD :
		CLAW_SHAPE_OBJECT;
}

static void learn(enum claw_api api)
{
	static const char *const lists[] = {
		"image_formats", "binary_status", NULL,
	};
	const struct claw_api_info *info = &claw_api_table[api];
	const char *text = fields[api];

	for (unsigned int i = 0; i < info->param_count; i++) {
		struct claw_shape *shape = &shapes[api][i];
		size_t length = strcspn(text, ";");
		struct declared declared = take_apart(text, length);

		declared.name = info->params[i];
		set_type(&declared, shape);
		if (!strcmp(declared.type, "void"))
			set_type_by_name(declared.name, shape);
		shape->is_pointer = declared.stars > 0 || declared.is_function;
		shape->is_list = is_one_of(declared.name, lists);
		shape->kind = find_kind(api, (enum claw_role)info->roles[i],
					&declared, shape);
		text += length + (text[length] == ';');
	}
	known[api] = true;
}

const struct claw_shape *claw_shape_get(enum claw_api api, unsigned int param)
{
	if (!known[api])
		learn(api);
	return &shapes[api][param];
}

/* Of lists beside each other the one before them all has the count. */
int claw_shape_find_count(enum claw_api api, unsigned int param)
{
	static const char *const sizes[][2] = {
		{ "arg_value", "arg_size" }, { "pattern", "pattern_size" },
		{ "spec_value", "spec_size" }, { "il", "length" },
		{ "param_value", "param_value_size" },
	};
	const struct claw_api_info *info = &claw_api_table[api];

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		if (!strcmp(info->params[param], sizes[i][0]))
			return claw_shape_find_name(api, sizes[i][1]);
	while (param-- > 0) {
		const char *name = info->params[param];

		if (claw_shape_get(api, param)->kind == CLAW_SHAPE_WORD)
			return claw_begins(name, "num_") ||
				!strcmp(name, "count") ||
				!strcmp(name, "work_dim") ? (int)param : -1;
	}
	return -1;
}

int claw_shape_find_name(enum claw_api api, const char *name)
{
	const struct claw_api_info *info = &claw_api_table[api];

	for (int i = 0; i < info->param_count; i++)
		if (!strcmp(info->params[i], name))
			return i;
	return -1;
}
