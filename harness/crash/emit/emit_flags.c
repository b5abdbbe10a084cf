/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the captured calls by the names that cl.h has for them. */
#include "config.h"

#include "emit_parts.h"

#include <inttypes.h>
#include <string.h>

struct name {
	uint64_t value;
	const char *text;
};

#define NAME(name_)	{ (uint64_t)(name_), #name_ }

static const struct name mem_flags[] = {
	NAME(CL_MEM_READ_WRITE), NAME(CL_MEM_WRITE_ONLY),
	NAME(CL_MEM_READ_ONLY), NAME(CL_MEM_USE_HOST_PTR),
	NAME(CL_MEM_ALLOC_HOST_PTR), NAME(CL_MEM_COPY_HOST_PTR),
	NAME(CL_MEM_HOST_WRITE_ONLY), NAME(CL_MEM_HOST_READ_ONLY),
	NAME(CL_MEM_HOST_NO_ACCESS), NAME(CL_MEM_SVM_FINE_GRAIN_BUFFER),
	NAME(CL_MEM_SVM_ATOMICS), NAME(CL_MEM_KERNEL_READ_AND_WRITE),
	{ 0, NULL },
};
static const struct name map_flags[] = {
	NAME(CL_MAP_READ), NAME(CL_MAP_WRITE),
	NAME(CL_MAP_WRITE_INVALIDATE_REGION), { 0, NULL },
};
static const struct name queue_properties[] = {
	NAME(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
	NAME(CL_QUEUE_PROFILING_ENABLE), NAME(CL_QUEUE_ON_DEVICE),
	NAME(CL_QUEUE_ON_DEVICE_DEFAULT), { 0, NULL },
};
static const struct name migration_flags[] = {
	NAME(CL_MIGRATE_MEM_OBJECT_HOST),
	NAME(CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED), { 0, NULL },
};
static const struct name device_types[] = {
	NAME(CL_DEVICE_TYPE_DEFAULT), NAME(CL_DEVICE_TYPE_CPU),
	NAME(CL_DEVICE_TYPE_GPU), NAME(CL_DEVICE_TYPE_ACCELERATOR),
	NAME(CL_DEVICE_TYPE_CUSTOM), { 0, NULL },
};
static const struct name numbers[] = {
	NAME(CL_MEM_OBJECT_BUFFER), NAME(CL_MEM_OBJECT_IMAGE2D),
	NAME(CL_MEM_OBJECT_IMAGE3D), NAME(CL_MEM_OBJECT_IMAGE2D_ARRAY),
	NAME(CL_MEM_OBJECT_IMAGE1D), NAME(CL_MEM_OBJECT_IMAGE1D_ARRAY),
	NAME(CL_MEM_OBJECT_IMAGE1D_BUFFER), NAME(CL_R), NAME(CL_A),
	NAME(CL_RG), NAME(CL_RA), NAME(CL_RGB), NAME(CL_RGBA), NAME(CL_BGRA),
	NAME(CL_ARGB), NAME(CL_INTENSITY), NAME(CL_LUMINANCE),
	NAME(CL_DEPTH), NAME(CL_SNORM_INT8), NAME(CL_SNORM_INT16),
	NAME(CL_UNORM_INT8), NAME(CL_UNORM_INT16),
	NAME(CL_UNORM_SHORT_565), NAME(CL_UNORM_SHORT_555),
	NAME(CL_UNORM_INT_101010), NAME(CL_SIGNED_INT8),
	NAME(CL_SIGNED_INT16), NAME(CL_SIGNED_INT32),
	NAME(CL_UNSIGNED_INT8), NAME(CL_UNSIGNED_INT16),
	NAME(CL_UNSIGNED_INT32), NAME(CL_HALF_FLOAT), NAME(CL_FLOAT),
	NAME(CL_BUFFER_CREATE_TYPE_REGION), NAME(CL_ADDRESS_NONE),
	NAME(CL_ADDRESS_CLAMP_TO_EDGE), NAME(CL_ADDRESS_CLAMP),
	NAME(CL_ADDRESS_REPEAT), NAME(CL_ADDRESS_MIRRORED_REPEAT),
	NAME(CL_FILTER_NEAREST), NAME(CL_FILTER_LINEAR), { 0, NULL },
};
static const struct name keys[] = {
	NAME(CL_CONTEXT_PLATFORM), NAME(CL_CONTEXT_INTEROP_USER_SYNC),
	NAME(CL_QUEUE_PROPERTIES), NAME(CL_QUEUE_SIZE),
	NAME(CL_SAMPLER_NORMALIZED_COORDS), NAME(CL_SAMPLER_ADDRESSING_MODE),
	NAME(CL_SAMPLER_FILTER_MODE), { 0, NULL },
};

static bool put_one(FILE *out, const struct name *names, uint64_t value)
{
	for (; names->text; names++)
		if (names->value == value) {
			fputs(names->text, out);
			return true;
		}
	return false;
}

/* "A | B | 0x100" */
static void put_bits(FILE *out, const struct name *names, uint64_t value)
{
	const char *between = "";

	for (; names->text; names++) {
		if (!(value & names->value))
			continue;
		fprintf(out, "%s%s", between, names->text);
		value &= ~names->value;
		between = " | ";
	}
	if (value)
		fprintf(out, "%s%#" PRIx64, between, value);
	else if (!*between)
		fputc('0', out);
}

void claw_emit_number(FILE *out, uint64_t value)
{
	if (!put_one(out, numbers, value))
		fprintf(out, "%#" PRIx64, value);
}

void claw_emit_key(FILE *out, uint64_t key, uint64_t value, bool is_value)
{
	if (!is_value && !put_one(out, keys, value))
		fprintf(out, "%#" PRIx64, value);
	else if (is_value && key == CL_QUEUE_PROPERTIES)
		put_bits(out, queue_properties, value);
	else if (is_value)
		claw_emit_number(out, value);
}

bool claw_emit_flags(FILE *out, enum claw_api api, unsigned int param,
		     uint64_t value)
{
	const char *name = claw_api_table[api].params[param];
	const struct name *names = NULL;

	if (strcmp(name, "map_flags") == 0)
		names = map_flags;
	else if (strcmp(name, "device_type") == 0 &&
		 value != CL_DEVICE_TYPE_ALL)
		names = device_types;
	else if (strcmp(name, "properties") == 0 &&
		 api == CLAW_API_clCreateCommandQueue)
		names = queue_properties;
	else if (strcmp(name, "flags") == 0)
		names = api == CLAW_API_clEnqueueMigrateMemObjects ?
			migration_flags : api == CLAW_API_clEnqueueSVMMap ?
			map_flags : mem_flags;
	else if (!strstr(name, "flags") && !strstr(name, "type") &&
		 !strstr(name, "_mode"))
		return false;
	if (names)
		put_bits(out, names, value);
	else
		claw_emit_number(out, value);
	return true;
}
