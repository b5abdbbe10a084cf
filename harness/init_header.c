/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header that "openclaw init" writes: a [test] a kernel, with arguments of
 * the right types and values that are made up so that it runs at once.
 * What a kernel needs beyond its types is guessed: 64 work-items, 64 elements
 * in each buffer, numbers in them that are indices of all others.
 */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "clw_values.h"
#include "errors.h"
#include "init_kernels.h"

/* The launch that is guessed. */
struct shape {
	unsigned int dimensions;
	size_t global[3], local[3];
	bool has_local;
	size_t elements;	/* of every buffer */
	size_t extent;		/* what a "size" is */
};

/* An argument as the driver described it. */
struct arg {
	size_t index;
	const char *name;	/* "" where unknown */
	const char *type;	/* "float4*" */
	const char *address, *access;
	bool is_const, is_pointer;
	uint64_t size_bytes;	/* of a type that is not ours, 0: unknown */
	bool is_ours;		/* a type of clw.h, of one pointer */
	struct claw_clw_type ours;
};

/* ---- types ----------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *name)
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

static struct arg read_arg(const json_t *object, size_t index)
{
	struct arg arg = {
		.index = index, .name = text_of(object, "name"),
		.type = text_of(object, "type"),
		.address = text_of(object, "address"),
		.access = text_of(object, "access"),
		.is_const = json_is_true(json_object_get(object, "const")),
		.size_bytes = (uint64_t)json_integer_value(
			json_object_get(object, "size")),
	};
	const char *is = text_of(object, "is");
	size_t length = strlen(arg.type);

	arg.is_pointer = length > 0 && arg.type[length - 1] == '*';
	length -= arg.is_pointer;
	while (length > 0 && arg.type[length - 1] == ' ')
		length--;
	arg.is_ours = *is ? parse_type(is, strlen(is), &arg.ours) :
		parse_type(arg.type, length, &arg.ours);
	return arg;
}

static bool is_image(const struct arg *arg)
{
	return strcmp(arg->type, "image2d_t") == 0;
}

static bool is_sampler(const struct arg *arg)
{
	return strcmp(arg->type, "sampler_t") == 0;
}

/* Why there can be no line for it, or NULL. */
static const char *refuse(const json_t *object, const struct arg *arg)
{
	const char *star = strchr(arg->type, '*');

	if (!json_is_object(object))
		return "is not described by the driver";
	if (json_is_true(json_object_get(object, "pipe")))
		return "is a pipe, which a header cannot give";
	if (is_image(arg) || is_sampler(arg))
		return NULL;
	if (strncmp(arg->type, "image", 5) == 0)
		return "is an image other than image2d_t, which a header "
			"cannot give";
	if (star && star[1])
		return "is a pointer to pointers, which a header cannot give";
	if (!arg->is_ours && !arg->is_pointer)
		return "is a struct, which a header cannot give by value";
	if (!arg->is_ours && (arg->size_bytes == 0 ||
			      arg->size_bytes > (1 << 20)))
		return "points to a type of unknown size";
	return NULL;
}

/* ---- guesses --------------------------------------------------------- */

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

static bool is_size(const struct arg *arg)
{
	return !arg->is_pointer && arg->is_ours &&
		arg->ours.base < CLAW_CLW_HALF && is_size_name(arg->name);
}

/* Does the source ask for get_global_id(dimension) anywhere? */
static bool asks_for(const char *source, char dimension)
{
	static const char name[] = "get_global_id";

	while ((source = strstr(source, name))) {
		source += sizeof(name) - 1;
		source += strspn(source, " \t\r\n(");
		if (*source == dimension)
			return true;
	}
	return false;
}

static struct shape guess_shape(const char *source, const json_t *kernel)
{
	const json_t *local = json_object_get(kernel, "local");
	const json_t *args = json_object_get(kernel, "args");
	struct shape shape = { .dimensions = 1, .elements = 1 };
	size_t sizes = 0;

	for (size_t i = 0; i < json_array_size(args); i++) {
		struct arg arg = read_arg(json_array_get(args, i), i);

		sizes += is_size(&arg);
	}
	if (asks_for(source, '2'))
		shape.dimensions = 3;
	else if (asks_for(source, '1'))
		shape.dimensions = 2;
	/* What it computes of two sizes may still be an index. */
	shape.extent = shape.dimensions == 3 ? 4 :
		shape.dimensions == 2 || sizes > 1 ? 8 : 64;
	shape.has_local = local;
	for (unsigned int i = 0; i < 3; i++) {
		shape.local[i] = (size_t)json_integer_value(
			json_array_get(local, i));
		if (shape.local[i] > 1 && shape.dimensions < i + 1)
			shape.dimensions = i + 1;
	}
	for (unsigned int i = 0; i < shape.dimensions; i++) {
		size_t unit = shape.local[i] ? shape.local[i] : 1;
		size_t wanted = shape.dimensions == 1 ? 64 : shape.extent;

		shape.global[i] = (wanted + unit - 1) / unit * unit;
		shape.elements *= shape.global[i];
	}
	if (shape.elements < 64)
		shape.elements = 64;
	return shape;
}

/* ---- lines ----------------------------------------------------------- */

static void write_type(FILE *out, struct claw_clw_type type)
{
	fputs(claw_clw_base_name(type.base), out);
	if (type.width > 1)
		fprintf(out, "%u", type.width);
}

static void write_sized(FILE *out, struct claw_clw_type type, size_t count)
{
	write_type(out, type);
	fprintf(out, "[%zu]", count);
}

static void write_by_value(FILE *out, const struct arg *arg,
			   const struct shape *shape)
{
	write_type(out, arg->ours);
	for (unsigned int i = 0; i < arg->ours.width; i++)
		fprintf(out, " %zu", is_size(arg) ? shape->extent : 1);
}

static void write_buffer(FILE *out, const struct arg *arg,
			 const struct shape *shape)
{
	fputs("buffer ", out);
	if (!arg->is_ours) {
		fprintf(out, "uchar[%zu] repeat 0",
			shape->elements * (size_t)arg->size_bytes);
		return;
	}
	write_sized(out, arg->ours, shape->elements);
	/* Numbers that are in range where they are used as indices. */
	fputs(arg->ours.base < CLAW_CLW_HALF ? " repeat 0 1 2 3 4 5 6 7" :
	      " random", out);
}

static void write_image(FILE *out, const struct arg *arg)
{
	bool is_read = strcmp(arg->access, "write_only") != 0;

	fprintf(out, "image float4 %s image_type 2d image_width 8 "
		"image_height 8 \\\n          image_channel_order RGBA "
		"image_channel_data_type FLOAT%s", is_read ? "random" :
		"undefined", is_read ? "" : " write_only");
}

/* The comment behind a line: the argument's name and what to know of it. */
static void write_remark(FILE *out, const struct arg *arg)
{
	fprintf(out, "  # %s", *arg->name ? arg->name : "?");
	if (is_image(arg))
		fputs(": give the format and size that the kernel expects",
		      out);
	else if (!arg->is_ours && arg->is_pointer &&
		 strcmp(arg->address, "local") != 0)
		fprintf(out, ": give the bytes of elements of %zu bytes",
			(size_t)arg->size_bytes);
	fputc('\n', out);
}

static void write_arg(FILE *out, const struct arg *arg,
		      const struct shape *shape)
{
	static const struct claw_clw_type uchar = { CLAW_CLW_UCHAR, 1 };

	fprintf(out, "arg_in: %zu ", arg->index);
	if (is_image(arg)) {
		write_image(out, arg);
	} else if (is_sampler(arg)) {
		fputs("sampler normalized_coords 0 addressing_mode "
		      "CLAMP_TO_EDGE filter_mode NEAREST", out);
	} else if (!arg->is_pointer) {
		write_by_value(out, arg, shape);
	} else if (strcmp(arg->address, "local") == 0) {
		fputs("local ", out);
		write_sized(out, arg->is_ours ? arg->ours : uchar,
			    arg->is_ours ? shape->elements :
			    shape->elements * (size_t)arg->size_bytes);
	} else {
		write_buffer(out, arg, shape);
	}
	write_remark(out, arg);
}

/* What may be a result, to be filled in. */
static void write_result(FILE *out, const struct arg *arg,
			 const struct shape *shape)
{
	if (!arg->is_pointer || arg->is_const || !arg->is_ours ||
	    strcmp(arg->address, "global") != 0)
		return;
	fprintf(out, "#arg_out: %zu buffer ", arg->index);
	write_sized(out, arg->ours, shape->elements);
	fprintf(out, " repeat 0%s  # what %s must hold then\n",
		arg->ours.base < CLAW_CLW_HALF ? "" : " tolerance 4 ulp",
		*arg->name ? arg->name : "it");
}

static void write_sizes(FILE *out, const char *key, const size_t sizes[3])
{
	fprintf(out, "%s: %zu %zu %zu\n", key, sizes[0], sizes[1], sizes[2]);
}

static void write_test(FILE *out, const char *source, const json_t *kernel)
{
	const json_t *args = json_object_get(kernel, "args");
	struct shape shape = guess_shape(source, kernel);

	fprintf(out, "\n[test]\nname: %s\nkernel_name: %s\n",
		text_of(kernel, "name"), text_of(kernel, "name"));
	fprintf(out, "dimensions: %u\n", shape.dimensions);
	write_sizes(out, "global_size", shape.global);
	if (shape.has_local)
		write_sizes(out, "local_size", shape.local);
	for (size_t i = 0; i < json_array_size(args); i++) {
		struct arg arg = read_arg(json_array_get(args, i), i);

		write_arg(out, &arg, &shape);
	}
	for (size_t i = 0; i < json_array_size(args); i++) {
		struct arg arg = read_arg(json_array_get(args, i), i);

		write_result(out, &arg, &shape);
	}
}

/* ---- the whole ------------------------------------------------------- */

/* 1: left out, with a reason; 0: it can be written; or -CLAW_E_NO_MEMORY. */
static int leave_out(struct claw_init_header *header, const json_t *kernel)
{
	const json_t *args = json_object_get(kernel, "args");
	struct claw_init_left_out *one;

	for (size_t i = 0; i < json_array_size(args); i++) {
		const json_t *object = json_array_get(args, i);
		struct arg arg = read_arg(object, i);
		const char *reason = refuse(object, &arg);

		if (!reason)
			continue;
		one = &header->left_out[header->left_out_count];
		if (asprintf(&one->reason, "argument %zu%s%s%s%s%s %s", i,
			     *arg.name ? " (" : "", arg.type,
			     *arg.name && *arg.type ? " " : "", arg.name,
			     *arg.name ? ")" : "", reason) < 0)
			return -CLAW_E_NO_MEMORY;
		one->kernel = text_of(kernel, "name");
		header->left_out_count++;
		return 1;
	}
	return 0;
}

static bool has_double(const struct claw_init_header *header)
{
	for (size_t k = 0; k < header->kernel_count; k++) {
		const json_t *args = json_object_get(header->kernels[k],
						     "args");

		for (size_t i = 0; i < json_array_size(args); i++) {
			struct arg arg = read_arg(json_array_get(args, i), i);

			if (arg.is_ours && arg.ours.base == CLAW_CLW_DOUBLE)
				return true;
		}
	}
	return false;
}

/* Letters and the like: no comment, no end of one. */
static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr("_-. ", *text))
			return false;
	return true;
}

static void write_config(FILE *out, const struct claw_init_header *header)
{
	bool plain = is_plain(header->file);

	fprintf(out, "/*!\n# Made by \"openclaw init\"%s%s. Sizes and values "
		"are made up: a run shows\n# crashes and what a tool under it "
		"finds. To test results, give the values of\n# arg_in, take "
		"the # from an arg_out, and say what it must hold.\n\n"
		"[config]\n", plain ? " of " : "", plain ? header->file : "");
	if (plain)
		fprintf(out, "name: %s\n", header->file);
	if (header->build_options)
		fprintf(out, "build_options: %s\n", header->build_options);
	if (has_double(header))
		fprintf(out, "require_device_extensions: cl_khr_fp64\n");
}

int claw_init_write(FILE *out, struct claw_init_header *header)
{
	header->left_out = calloc(header->kernel_count + 1,
				  sizeof(*header->left_out));
	if (!header->left_out)
		return -CLAW_E_NO_MEMORY;
	write_config(out, header);
	for (size_t i = 0; i < header->kernel_count; i++) {
		int ret = leave_out(header, header->kernels[i]);

		if (ret < 0)
			return ret;
		if (ret > 0)
			continue;
		write_test(out, header->source, header->kernels[i]);
		header->written++;
	}
	if (header->left_out_count > 0)
		fputc('\n', out);
	for (size_t i = 0; i < header->left_out_count; i++)
		fprintf(out, "# Left out: %s: %s.\n",
			header->left_out[i].kernel,
			header->left_out[i].reason);
	fprintf(out, "!*/\n");
	return ferror(out) ? -CLAW_E_NO_MEMORY : 0;
}

void claw_init_header_release(struct claw_init_header *header)
{
	for (size_t i = 0; i < header->left_out_count; i++)
		free(header->left_out[i].reason);
	free(header->left_out);
	header->left_out = NULL;
	header->left_out_count = 0;
}
