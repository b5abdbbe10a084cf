/* SPDX-License-Identifier: Apache-2.0 */
/* An argument, as "openclaw __kernels" describes it, and its type. */
#include "config.h"

#include "init_args.h"

#include <string.h>

#include "clw_values.h"

const char *claw_init_text(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}

/* Drivers say "uint" or "unsigned int". */
static bool parse_type(const char *text, size_t length,
		       struct claw_clw_type *ret_type)
{
	static const char word[] = "unsigned ";
	char name[64];

	if (length > sizeof(word) && length < sizeof(name) - 1 &&
	    strncmp(text, word, sizeof(word) - 1) == 0) {
		name[0] = 'u';
		memcpy(name + 1, text + sizeof(word) - 1,
		       length - (sizeof(word) - 1));
		return claw_clw_type_parse(name, length - sizeof(word) + 2,
					   ret_type);
	}
	return claw_clw_type_parse(text, length, ret_type);
}

struct claw_init_arg claw_init_read_arg(const json_t *args, size_t index)
{
	const json_t *object = json_array_get(args, index);
	struct claw_init_arg arg = {
		.index = index, .name = claw_init_text(object, "name"),
		.type = claw_init_text(object, "type"),
		.address = claw_init_text(object, "address"),
		.access = claw_init_text(object, "access"),
		.is_const = json_is_true(json_object_get(object, "const")),
		.size_bytes = (uint64_t)json_integer_value(
			json_object_get(object, "size")),
	};
	const char *is = claw_init_text(object, "is");
	size_t length = strlen(arg.type);

	if (strncmp(arg.type, "void", 4) == 0)
		arg.size_bytes = 128;
	arg.is_pointer = length > 0 && arg.type[length - 1] == '*';
	length -= arg.is_pointer;
	while (length > 0 && arg.type[length - 1] == ' ')
		length--;
	arg.is_ours = *is ? parse_type(is, strlen(is), &arg.ours) :
		parse_type(arg.type, length, &arg.ours);
	return arg;
}

bool claw_init_is_image(const struct claw_init_arg *arg)
{
	return strcmp(arg->type, "image2d_t") == 0;
}

bool claw_init_find_bytes_type(uint64_t size_bytes,
			       struct claw_clw_type *ret_type)
{
	static const enum claw_clw_base bases[] = {
		CLAW_CLW_UCHAR, CLAW_CLW_USHORT, CLAW_CLW_UINT,
		CLAW_CLW_ULONG,
	};
	static const unsigned int widths[] = { 1, 2, 4, 8, 16 };

	for (size_t i = 0; i < 4; i++) {
		for (size_t j = 0; j < 5; j++) {
			struct claw_clw_type type = { bases[i], widths[j] };

			if (claw_clw_type_bytes(type) != size_bytes)
				continue;
			*ret_type = type;
			return true;
		}
	}
	return false;
}

bool claw_init_is_sampler(const struct claw_init_arg *arg)
{
	return strcmp(arg->type, "sampler_t") == 0;
}

const char *claw_init_refuse(const json_t *object,
			     const struct claw_init_arg *arg)
{
	const char *star = strchr(arg->type, '*');
	struct claw_clw_type type;

	if (!json_is_object(object))
		return "is not described by the driver";
	if (json_is_true(json_object_get(object, "pipe")))
		return "is a pipe, which kernel files do not support";
	if (claw_init_is_image(arg) || claw_init_is_sampler(arg))
		return NULL;
	if (strncmp(arg->type, "image", 5) == 0)
		return "is an image other than image2d_t, which kernel files "
			"do not support";
	if (star && star[1])
		return "is a pointer to pointers, which kernel files do not "
		       "support";
	if (!arg->is_ours && !arg->is_pointer &&
	    !claw_init_find_bytes_type(arg->size_bytes, &type))
		return "is a struct of a size that no OpenCL type has, which "
			"kernel files do not support";
	if (!arg->is_ours && (arg->size_bytes == 0 ||
			      arg->size_bytes > (1 << 20)))
		return "points to a type of unknown size";
	return NULL;
}
