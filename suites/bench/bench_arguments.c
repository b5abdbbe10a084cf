/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of kernels that are measured: see bench_arguments.h. */
#include "config.h"

#include "bench_arguments.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MADE_UP_BYTES = 1 << 20, MADE_UP_LOCAL = 8 << 10, MADE_UP_ITEMS = 1024,
	MADE_UP_GROUP = 64, MADE_UP_NUMBER = 16, IMAGE = 64 };

static uint32_t next_word(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 32);
}

static void fill(void *content, size_t words, char kind, uint64_t below)
{
	uint32_t *to = content;
	uint64_t state = 12345;

	for (size_t i = 0; i < words; i++) {
		uint32_t word = next_word(&state);
		float part = (float)(word >> 8) / (1 << 24);

		if (kind == 'z')
			to[i] = 0;
		else if (kind == 'f')
			memcpy(&to[i], &part, sizeof(part));
		else
			to[i] = (uint32_t)(word % below);
	}
}

static cl_int add_buffer(struct bench_arguments *arguments, cl_context context,
			 cl_kernel kernel, cl_uint index, size_t words,
			 char kind, uint64_t below)
{
	struct bench_buffer *buffer =
		&arguments->buffers[arguments->buffer_count];
	cl_int err;

	buffer->bytes = words * sizeof(uint32_t);
	buffer->content = malloc(buffer->bytes);
	if (!buffer->content)
		return CL_OUT_OF_HOST_MEMORY;
	fill(buffer->content, words, kind, below);
	buffer->memory = clCreateBuffer(context,
					CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
					buffer->bytes, buffer->content, &err);
	if (err != CL_SUCCESS) {
		free(buffer->content);
		return err;
	}
	arguments->buffer_count++;
	return clSetKernelArg(kernel, index, sizeof(buffer->memory),
			      &buffer->memory);
}

/* ---- words of a "bench:" line */

static cl_int set_word(struct bench_arguments *arguments, cl_context context,
		       cl_kernel kernel, cl_uint index, const char *word)
{
	char *end;

	if (word[0] == '=' && strchr(word, '.')) {
		float number = strtof(word + 1, NULL);

		return clSetKernelArg(kernel, index, sizeof(number), &number);
	}
	if (word[0] == '=') {
		cl_int number = (cl_int)strtol(word + 1, NULL, 10);

		return clSetKernelArg(kernel, index, sizeof(number), &number);
	}
	if (!strchr("zifl", word[0]) || word[1] != ':')
		return CL_INVALID_VALUE;
	size_t count = strtoull(word + 2, &end, 10);
	uint64_t below = *end == ':' ? strtoull(end + 1, NULL, 10) : 1ull << 32;

	if (word[0] == 'l')
		return clSetKernelArg(kernel, index, count, NULL);
	return add_buffer(arguments, context, kernel, index, count, word[0],
			  below);
}

static cl_uint parse_range(const char *text, size_t to[3])
{
	cl_uint count = 0;
	char *end;

	do {
		to[count++] = strtoull(text, &end, 10);
		text = end + 1;
	} while (*end == ',' && count < 3);
	return count;
}

static const char *set_line(struct bench_arguments *arguments,
			    cl_context context, cl_kernel kernel, char *line)
{
	char *rest = line, *word;
	cl_uint index = 0;

	strtok_r(line, " \t", &rest);	/* the kernel's name */
	while ((word = strtok_r(NULL, " \t", &rest))) {
		if (strncmp(word, "global=", 7) == 0)
			arguments->range.dimensions =
				parse_range(word + 7, arguments->range.global);
		else if (strncmp(word, "local=", 6) == 0)
			parse_range(word + 6, arguments->range.local);
		else if (index == BENCH_ARGUMENTS ||
			 set_word(arguments, context, kernel, index++, word))
			return "the driver does not take an argument of its line";
	}
	return NULL;
}

/* The line "bench: NAME ..." of the text, the caller's; NULL: there is none. */
static char *find_line(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; (at = strstr(at, "bench: "));) {
		at += strlen("bench: ");
		if (strncmp(at, name, length) == 0 && at[length] == ' ')
			return strndup(at, strcspn(at, "\n"));
	}
	return NULL;
}

/* ---- made up */

static const struct {
	const char *name;
	size_t bytes;
} types[] = {
	{ "char", 1 }, { "uchar", 1 }, { "bool", 1 }, { "short", 2 },
	{ "ushort", 2 }, { "half", 2 }, { "int", 4 }, { "uint", 4 },
	{ "long", 8 }, { "ulong", 8 }, { "size_t", 8 }, { "unsigned int", 4 },
	{ "unsigned long", 8 }, { "unsigned char", 1 }, { "unsigned short", 2 },
};

static cl_int set_made_scalar(cl_kernel kernel, cl_uint index, const char *type)
{
	union {
		int64_t whole[32];	/* what has no small number is zeros */
		float number[64];
		double precise[32];
	} value = { .whole = { 0 } };
	size_t bytes = 0;
	cl_int err;

	if (strcmp(type, "float") == 0) {
		value.number[0] = 0.5f;
		bytes = 4;
	} else if (strcmp(type, "double") == 0) {
		value.precise[0] = 0.5;
		bytes = 8;
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcmp(type, types[i].name) == 0) {
			value.whole[0] = MADE_UP_NUMBER;
			bytes = types[i].bytes;
		}
	}
	if (bytes)
		return clSetKernelArg(kernel, index, bytes, &value);
	/* A name of the program's: most are of four bytes, and not every driver
	 * refuses a wrong size. */
	err = clSetKernelArg(kernel, index, 4, &value);
	for (bytes = 1; bytes <= sizeof(value) && err; bytes++)
		err = clSetKernelArg(kernel, index, bytes, &value);
	return err;
}

static cl_int set_made_image(struct bench_arguments *arguments,
			     cl_context context, cl_kernel kernel,
			     cl_uint index, const char *type)
{
	cl_image_format format = { CL_RGBA, CL_FLOAT };
	cl_image_desc about = { .image_width = IMAGE, .image_height = IMAGE,
		.image_depth = 1, .image_type = CL_MEM_OBJECT_IMAGE2D };
	cl_int err;

	if (strncmp(type, "image3d", 7) == 0) {
		about.image_type = CL_MEM_OBJECT_IMAGE3D;
		about.image_depth = IMAGE;
	} else if (strncmp(type, "image1d", 7) == 0) {
		about.image_type = CL_MEM_OBJECT_IMAGE1D;
		about.image_height = 1;
	}
	cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format,
				     &about, NULL, &err);
	if (err != CL_SUCCESS)
		return err;
	arguments->images[arguments->image_count++] = image;
	return clSetKernelArg(kernel, index, sizeof(image), &image);
}

static cl_int set_made_sampler(struct bench_arguments *arguments,
			       cl_context context, cl_kernel kernel,
			       cl_uint index)
{
	cl_int err;
	cl_sampler sampler = clCreateSampler(context, CL_FALSE,
					     CL_ADDRESS_CLAMP_TO_EDGE,
					     CL_FILTER_NEAREST, &err);
	if (err != CL_SUCCESS)
		return err;
	arguments->samplers[arguments->sampler_count++] = sampler;
	return clSetKernelArg(kernel, index, sizeof(sampler), &sampler);
}

static cl_int set_made_up(struct bench_arguments *arguments, cl_context context,
			  cl_kernel kernel, cl_uint index)
{
	cl_kernel_arg_address_qualifier space = 0;
	char type[256] = "";
	cl_int err = clGetKernelArgInfo(kernel, index,
					CL_KERNEL_ARG_ADDRESS_QUALIFIER,
					sizeof(space), &space, NULL);

	if (err == CL_SUCCESS)
		err = clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME,
					 sizeof(type), type, NULL);
	if (err != CL_SUCCESS)
		return err;
	if (strncmp(type, "image", 5) == 0)
		return set_made_image(arguments, context, kernel, index, type);
	if (strncmp(type, "sampler_t", 9) == 0)
		return set_made_sampler(arguments, context, kernel, index);
	if (space == CL_KERNEL_ARG_ADDRESS_LOCAL)
		return clSetKernelArg(kernel, index, MADE_UP_LOCAL, NULL);
	if (space == CL_KERNEL_ARG_ADDRESS_PRIVATE)
		return set_made_scalar(kernel, index, type);
	bool is_real = strncmp(type, "float", 5) == 0;

	return add_buffer(arguments, context, kernel, index,
			  space == CL_KERNEL_ARG_ADDRESS_CONSTANT ?
			  8192 : MADE_UP_BYTES / sizeof(uint32_t),
			  is_real ? 'f' : 'i', MADE_UP_NUMBER);
}

static const char *make_up(struct bench_arguments *arguments,
			   cl_context context, cl_device_id device,
			   cl_kernel kernel)
{
	struct bench_range *range = &arguments->range;
	cl_uint count = 0;
	size_t most = 0;

	clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count, NULL);
	if (count > BENCH_ARGUMENTS)
		return "more arguments than are made up";
	for (cl_uint i = 0; i < count; i++)
		if (set_made_up(arguments, context, kernel, i) != CL_SUCCESS)
			return "an argument that cannot be made up";
	clGetKernelWorkGroupInfo(kernel, device,
				 CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
				 sizeof(range->local), range->local, NULL);
	clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
				 sizeof(most), &most, NULL);
	range->dimensions = range->local[0] ? 3 : 1;
	if (!range->local[0])
		range->local[0] = most < MADE_UP_GROUP ? 1 : MADE_UP_GROUP;
	range->global[0] = MADE_UP_ITEMS;
	range->global[1] = range->local[1];
	range->global[2] = range->local[2];
	return NULL;
}

const char *bench_arguments_set(struct bench_arguments *arguments,
				cl_context context, cl_device_id device,
				cl_kernel kernel, const char *name,
				const char *text)
{
	char *line = find_line(text, name);

	memset(arguments, 0, sizeof(*arguments));
	if (!line)
		return make_up(arguments, context, device, kernel);
	const char *problem = set_line(arguments, context, kernel, line);

	free(line);
	if (!problem && arguments->range.dimensions == 0)
		return "its line has no global=";
	return problem;
}

void bench_arguments_release(struct bench_arguments *arguments)
{
	for (unsigned int i = 0; i < arguments->buffer_count; i++) {
		clReleaseMemObject(arguments->buffers[i].memory);
		free(arguments->buffers[i].content);
	}
	for (unsigned int i = 0; i < arguments->image_count; i++)
		clReleaseMemObject(arguments->images[i]);
	for (unsigned int i = 0; i < arguments->sampler_count; i++)
		clReleaseSampler(arguments->samplers[i]);
}
