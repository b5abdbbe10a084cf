/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header that "openclaw init" writes: a [test] a kernel, with arguments of
 * the right types and values that are made up so that it runs at once: 64
 * elements in each buffer, numbers in them that are indices of all others.
 */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "init_args.h"
#include "init_kernels.h"
#include "harness/base/memory.h"

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

static void write_by_value(FILE *out, const struct claw_init_arg *arg,
			   const struct claw_init_shape *shape)
{
	struct claw_clw_type type = arg->ours;

	if (!arg->is_ours)
		claw_init_find_bytes_type(arg->size_bytes, &type);
	write_type(out, type);
	for (unsigned int i = 0; i < type.width; i++)
		fprintf(out, " %zu", !arg->is_ours ? (size_t)0 :
			claw_init_is_size(arg) ? shape->extent : 1);
}

static void write_buffer(FILE *out, const struct claw_init_arg *arg,
			 const struct claw_init_shape *shape)
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

/* As large as the launch, whatever of its ids is a place in it. */
static void write_image(FILE *out, const struct claw_init_source *source,
			const struct claw_init_arg *arg,
			const struct claw_init_shape *shape)
{
	bool is_read = strcmp(arg->access, "write_only") != 0;
	const char *suffix = claw_init_image_suffix(source, arg->name,
						    !is_read);
	bool is_float = strcmp(suffix, "f") == 0;
	bool is_signed = strcmp(suffix, "i") == 0;
	size_t side = shape->global[0] > 8 ? shape->global[0] : 8;

	if (shape->dimensions > 1 && shape->global[1] > side)
		side = shape->global[1];
	fprintf(out, "image %s %s image_type 2d image_width %zu image_height "
		"%zu \\\n          image_channel_order RGBA "
		"image_channel_data_type %s%s",
		is_float ? "float4" : is_signed ? "int4" : "uint4",
		!is_read ? "undefined" : is_float ? "random" :
		"repeat 0 1 2 3 4 5 6 7", side, side,
		is_float ? "FLOAT" : is_signed ? "SIGNED_INT32" :
		"UNSIGNED_INT32", is_read ? "" : " write_only");
}

/* The comment behind a line: the argument's name and what to know of it. */
static void write_remark(FILE *out, const struct claw_init_arg *arg)
{
	fprintf(out, "  # %s", *arg->name ? arg->name : "?");
	if (claw_init_is_sampler(arg))
		;	/* nothing to say */
	else if (claw_init_is_image(arg))
		fputs(": set the format and size that the kernel expects",
		      out);
	else if (strncmp(arg->type, "void", 4) == 0)
		fputs(": set the type and size that the kernel expects", out);
	else if (!arg->is_ours && !arg->is_pointer)
		fprintf(out, ": set the %zu bytes of this %s",
			(size_t)arg->size_bytes, arg->type);
	else if (!arg->is_ours && strcmp(arg->address, "local") != 0)
		fprintf(out, ": set the bytes of elements of %zu bytes",
			(size_t)arg->size_bytes);
	fputc('\n', out);
}

static void write_arg(FILE *out, const struct claw_init_source *source,
		      const struct claw_init_arg *arg,
		      const struct claw_init_shape *shape)
{
	static const struct claw_clw_type uchar = { CLAW_CLW_UCHAR, 1 };

	fprintf(out, "arg_in: %zu ", arg->index);
	if (claw_init_is_image(arg)) {
		write_image(out, source, arg, shape);
	} else if (claw_init_is_sampler(arg)) {
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
static void write_result(FILE *out, const struct claw_init_arg *arg,
			 const struct claw_init_shape *shape)
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

static void write_test(FILE *out, const struct claw_init_source *source,
		       const json_t *kernel)
{
	const json_t *args = json_object_get(kernel, "args");
	struct claw_init_shape shape = claw_init_guess_shape(source, kernel);

	fprintf(out, "\n[test]\nname: %s\nkernel_name: %s\n",
		claw_init_text(kernel, "name"), claw_init_text(kernel, "name"));
	fprintf(out, "dimensions: %u\n", shape.dimensions);
	write_sizes(out, "global_size", shape.global);
	if (shape.has_local)
		write_sizes(out, "local_size", shape.local);
	for (size_t i = 0; i < json_array_size(args); i++) {
		struct claw_init_arg arg = claw_init_read_arg(args, i);

		write_arg(out, source, &arg, &shape);
	}
	for (size_t i = 0; i < json_array_size(args); i++) {
		struct claw_init_arg arg = claw_init_read_arg(args, i);

		write_result(out, &arg, &shape);
	}
}

/* ---- the whole ------------------------------------------------------- */

/* Is it left out, with a reason? */
static bool leave_out(struct claw_init_header *header, const json_t *kernel)
{
	const json_t *args = json_object_get(kernel, "args");
	struct claw_init_left_out *one;

	for (size_t i = 0; i < json_array_size(args); i++) {
		const json_t *object = json_array_get(args, i);
		struct claw_init_arg arg = claw_init_read_arg(args, i);
		const char *reason = claw_init_refuse(object, &arg);

		if (!reason)
			continue;
		one = &header->left_out[header->left_out_count];
		one->reason = claw_format("argument %zu%s%s%s%s%s %s", i,
					  *arg.name ? " (" : "", arg.type,
					  *arg.name && *arg.type ? " " : "",
					  arg.name, *arg.name ? ")" : "",
					  reason);
		one->kernel = claw_init_text(kernel, "name");
		header->left_out_count++;
		return true;
	}
	return false;
}

/* A pointer to half needs no extension: vload_half() and vstore_half() are
 * there without. */
static bool needs_extension(const struct claw_init_arg *arg,
			    enum claw_clw_base base)
{
	return arg->is_ours && arg->ours.base == base &&
		(base != CLAW_CLW_HALF || !arg->is_pointer ||
		 arg->ours.width > 1);
}

static bool any_needs_extension(const struct claw_init_header *header,
				enum claw_clw_base base)
{
	for (size_t k = 0; k < header->kernel_count; k++) {
		const json_t *args = json_object_get(header->kernels[k],
						     "args");

		for (size_t i = 0; i < json_array_size(args); i++) {
			struct claw_init_arg arg = claw_init_read_arg(args, i);

			if (needs_extension(&arg, base))
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
	bool plain = is_plain(header->file), has_double, has_half;

	fprintf(out, "/*!\n# Made by \"openclaw init\"%s%s. Sizes and values "
		"are made up: a run shows\n# crashes and what a tool under it "
		"finds. To test results, give the values of\n# arg_in, take "
		"the # from an arg_out, and say what it must hold.\n\n"
		"[config]\n", plain ? " of " : "", plain ? header->file : "");
	if (plain)
		fprintf(out, "name: %s\n", header->file);
	if (header->build_options)
		fprintf(out, "build_options: %s\n", header->build_options);
	has_double = any_needs_extension(header, CLAW_CLW_DOUBLE);
	has_half = any_needs_extension(header, CLAW_CLW_HALF);
	if (has_double || has_half)
		fprintf(out, "require_device_extensions:%s%s\n",
			has_double ? " cl_khr_fp64" : "",
			has_half ? " cl_khr_fp16" : "");
}

static void write_tests(FILE *out, struct claw_init_header *header,
			struct claw_init_source *source)
{
	for (size_t i = 0; i < header->kernel_count; i++) {
		const json_t *kernel = header->kernels[i];

		if (leave_out(header, kernel))
			continue;
		claw_init_source_choose(source, claw_init_text(kernel, "name"));
		write_test(out, source, kernel);
		header->written++;
	}
}

void claw_init_write(FILE *out, struct claw_init_header *header)
{
	struct claw_init_source *source = claw_init_source_new(header->source);

	header->left_out = claw_calloc(header->kernel_count,
				       sizeof(*header->left_out));
	write_config(out, header);
	write_tests(out, header, source);
	if (header->left_out_count > 0)
		fputc('\n', out);
	for (size_t i = 0; i < header->left_out_count; i++)
		fprintf(out, "# Left out: %s: %s.\n",
			header->left_out[i].kernel,
			header->left_out[i].reason);
	fprintf(out, "!*/\n");
	claw_init_source_free(source);
}

void claw_init_header_release(struct claw_init_header *header)
{
	for (size_t i = 0; i < header->left_out_count; i++)
		free(header->left_out[i].reason);
	free(header->left_out);
	header->left_out = NULL;
	header->left_out_count = 0;
}
