/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The launch that "openclaw init" makes up: 64 work-items, in groups of 16
 * where that matters, and buffers that their ids are indices of.
 */
#include "config.h"

#include "init_args.h"

#include <string.h>
#include <strings.h>

enum { MAX_ELEMENTS = 1 << 16 };	/* of a buffer that is made larger */

/* "n", "width", "num_rows": how many of something. */
static bool is_size_name(const char *name)
{
	static const char *const whole[] = {
		"n", "m", "w", "h", "d", "sz", "cnt", "total", "end", "limit",
		"elements", NULL,
	};
	static const char *const part[] = {
		"size", "count", "len", "width", "height", "depth", "num",
		"rows", "cols", "columns", "stride", "pitch", "dim", NULL,
	};
	size_t length = strlen(name);

	for (size_t i = 0; whole[i]; i++)
		if (strcasecmp(name, whole[i]) == 0)
			return true;
	for (size_t i = 0; part[i]; i++)
		if (strcasestr(name, part[i]))
			return true;
	return strncasecmp(name, "n_", 2) == 0 ||
		(length > 2 && strcasecmp(name + length - 2, "_n") == 0);
}

bool claw_init_is_size(const struct claw_init_arg *arg)
{
	return !arg->is_pointer && arg->is_ours &&
		arg->ours.base < CLAW_CLW_HALF && is_size_name(arg->name);
}

/* Groups smaller than the launch: with one work-item each, as some drivers
 * choose, there is nothing to see of barriers and local memory. */
static void guess_groups(struct claw_init_shape *shape,
			 const struct claw_init_source *source,
			 const json_t *args)
{
	static const size_t groups[3][3] = {
		{ 16, 0, 0 }, { 4, 4, 0 }, { 4, 2, 2 },
	};
	bool has_groups = claw_init_has_groups(source);

	for (size_t i = 0; i < json_array_size(args); i++) {
		struct claw_init_arg arg = claw_init_read_arg(args, i);

		has_groups |= strcmp(arg.address, "local") == 0;
	}
	if (!has_groups)
		return;
	shape->has_local = true;
	memcpy(shape->local, groups[shape->dimensions - 1],
	       sizeof(shape->local));
}

/* Room for what a kernel computes of the launch's sizes, as far as that is
 * reasonable. */
static size_t guess_elements(const struct claw_init_shape *shape)
{
	size_t elements = 1, powers = 1;

	for (unsigned int i = 0; i < shape->dimensions; i++) {
		elements *= shape->global[i];
		powers *= shape->extent;
	}
	if (powers > elements && powers <= MAX_ELEMENTS)
		elements = powers;
	return elements < 64 ? 64 : elements;
}

struct claw_init_shape
claw_init_guess_shape(const struct claw_init_source *source,
		      const json_t *kernel)
{
	const json_t *local = json_object_get(kernel, "local");
	const json_t *args = json_object_get(kernel, "args");
	struct claw_init_shape shape = {
		.dimensions = claw_init_dimensions(source),
	};
	size_t sizes = 0, side;

	for (size_t i = 0; i < json_array_size(args); i++) {
		struct claw_init_arg arg = claw_init_read_arg(args, i);

		sizes += claw_init_is_size(&arg);
	}
	/* What it computes of two sizes may still be an index. */
	shape.extent = shape.dimensions == 3 ? 4 :
		shape.dimensions == 2 || sizes > 1 ? 8 : 64;
	side = shape.extent;
	shape.has_local = local;
	for (unsigned int i = 0; i < 3; i++) {
		shape.local[i] = (size_t)json_integer_value(
			json_array_get(local, i));
		if (shape.local[i] > 1 && shape.dimensions < i + 1)
			shape.dimensions = i + 1;
	}
	for (unsigned int i = 0; i < shape.dimensions; i++) {
		size_t unit = shape.local[i] ? shape.local[i] : 1;
		size_t wanted = shape.dimensions == 1 ? 64 : side;

		shape.global[i] = (wanted + unit - 1) / unit * unit;
		if (shape.dimensions > 1 && shape.global[i] > shape.extent)
			shape.extent = shape.global[i];
	}
	shape.elements = guess_elements(&shape);
	if (!shape.has_local)
		guess_groups(&shape, source, args);
	return shape;
}
