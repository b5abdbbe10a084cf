/* SPDX-License-Identifier: Apache-2.0 */
/* A case as a kernel file that openclaw test runs. */
#include "config.h"

#include "engine.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/cases/clw/clw_values.h"
#include "harness/files/new_file.h"

static void put_type(FILE *out, struct claw_clw_type type)
{
	fputs(claw_clw_base_name(type.base), out);
	if (type.width > 1)
		fprintf(out, "%u", type.width);
}

static void put_float(FILE *out, double number, bool is_double)
{
	if (isnan(number))
		fputs(" nan", out);
	else if (isinf(number))
		fputs(number < 0 ? " -inf" : " inf", out);
	else
		fprintf(out, is_double ? " %.17g" : " %.9g", number);
}

static void put_number(FILE *out, enum claw_clw_base base,
		       const unsigned char *at)
{
	int64_t number = 0;
	uint16_t half;
	float single;
	double wide;

	memcpy(&number, at, claw_clw_base_bytes(base));
	switch (base) {
	case CLAW_CLW_CHAR:
		fprintf(out, " %d", (int8_t)number);
		break;
	case CLAW_CLW_SHORT:
		fprintf(out, " %d", (int16_t)number);
		break;
	case CLAW_CLW_INT:
		fprintf(out, " %d", (int32_t)number);
		break;
	case CLAW_CLW_LONG:
		fprintf(out, " %" PRId64, number);
		break;
	case CLAW_CLW_HALF:
		memcpy(&half, at, sizeof(half));
		put_float(out, claw_half_to_double(half), false);
		break;
	case CLAW_CLW_FLOAT:
		memcpy(&single, at, sizeof(single));
		put_float(out, (double)single, false);
		break;
	case CLAW_CLW_DOUBLE:
		memcpy(&wide, at, sizeof(wide));
		put_float(out, wide, true);
		break;
	default:
		fprintf(out, " %" PRIu64, (uint64_t)number);
		break;
	}
}

/* A vector of 3 takes three numbers and the room of four. */
static void put_values(FILE *out, struct claw_clw_type type, size_t count,
		       const unsigned char *bytes)
{
	size_t size = claw_clw_base_bytes(type.base);
	size_t element = claw_clw_type_bytes(type);
	bool is_same = count > 1;

	for (size_t i = 0; is_same && i < count * element; i += size)
		is_same = memcmp(bytes, bytes + i, size) == 0;
	if (is_same)
		fputs(" repeat", out);
	for (size_t i = 0; i < (is_same ? 1 : count); i++)
		for (size_t j = 0; j < (is_same ? 1 : type.width); j++)
			put_number(out, type.base,
				   bytes + i * element + j * size);
}

static void put_buffer(const struct claw_engine *engine,
		       const struct claw_explore_case *what, unsigned int arg,
		       const unsigned char *bytes, FILE *out)
{
	const struct claw_explore_arg *about = &engine->plan.kernel.args[arg];
	size_t count = what->values[arg].length * about->units;

	fputs(about->role == CLAW_ROLE_LOCAL ? "local " : "buffer ", out);
	put_type(out, about->type);
	fprintf(out, "[%zu]", count);
	if (bytes)
		put_values(out, about->type, count, bytes);
}

static void put_image(const struct claw_engine *engine,
		      const struct claw_explore_case *what, unsigned int arg,
		      FILE *out)
{
	const char *suffix = engine->plan.kernel.args[arg].image;
	char letter = *suffix;

	fprintf(out, "image %s repeat 0 image_type 2d image_width %u "
		"image_height %u image_channel_order RGBA "
		"image_channel_data_type %s",
		letter == 'f' ? "float4" : letter == 'i' ? "int4" : "uint4",
		what->global[0], what->global[1], letter == 'f' ? "FLOAT" :
		letter == 'i' ? "SIGNED_INT32" : "UNSIGNED_INT32");
}

static void put_arg(const struct claw_engine *engine,
		    const struct claw_explore_case *what, unsigned int arg,
		    FILE *out)
{
	const struct claw_explore_arg *about = &engine->plan.kernel.args[arg];
	unsigned char small[128] = { 0 }, *bytes = NULL;

	fprintf(out, "arg_in: %u ", arg);
	switch (about->role) {
	case CLAW_ROLE_INTEGER:
		memcpy(small, &what->values[arg].number, 8);
		put_type(out, about->type);
		put_values(out, about->type, 1, small);
		break;
	case CLAW_ROLE_OTHER:
		if (claw_explore_element(about) <= sizeof(small))
			claw_explore_case_fill(&engine->plan, what, arg, small);
		put_type(out, about->type);
		put_values(out, about->type, 1, small);
		break;
	case CLAW_ROLE_BUFFER:
		bytes = claw_malloc(claw_explore_case_bytes(&engine->plan, what,
							    arg));
		claw_explore_case_fill(&engine->plan, what, arg, bytes);
		put_buffer(engine, what, arg, bytes, out);
		free(bytes);
		break;
	case CLAW_ROLE_LOCAL:
		put_buffer(engine, what, arg, NULL, out);
		break;
	case CLAW_ROLE_IMAGE:
		put_image(engine, what, arg, out);
		break;
	case CLAW_ROLE_SAMPLER:
		fputs("sampler normalized_coords 0 addressing_mode "
		      "CLAMP_TO_EDGE filter_mode NEAREST", out);
		break;
	}
	fprintf(out, "  # %s\n", about->name);
}

static void put_sizes(FILE *out, const char *key, const uint32_t *sizes,
		      unsigned int count)
{
	fprintf(out, "%s:", key);
	for (unsigned int i = 0; i < count; i++)
		fprintf(out, " %u", sizes[i]);
	fputc('\n', out);
}

/* Outputs as this device has them; of a kernel that somebody may mend, so that
 * only what is const is left out. */
static void put_results(const struct claw_engine *engine,
			const struct claw_explore_case *what, FILE *out)
{
	for (unsigned int i = 0; i < engine->plan.kernel.arg_count; i++) {
		const struct claw_explore_arg *about =
			&engine->plan.kernel.args[i];

		if (about->role != CLAW_ROLE_BUFFER || about->is_const ||
		    !engine->results[i])
			continue;
		fprintf(out, "arg_out: %u ", i);
		put_buffer(engine, what, i, engine->results[i], out);
		if (about->type.base >= CLAW_CLW_HALF)
			fprintf(out, " tolerance %u ulp", engine->ulp);
		fputc('\n', out);
	}
}

/* The user's; with the folders to include from where there may be any: the case
 * is in another one. Or NULL. */
static const char *options_of(const struct claw_engine *engine)
{
	bool has_folders = strstr(engine->source, "#include") ||
		(engine->given && strstr(engine->given, "-I"));

	return has_folders && !strstr(engine->options, "/proc/self/fd/") ?
		engine->options + strspn(engine->options, " ") : engine->given;
}

int claw_engine_write(const struct claw_engine *engine,
		      const struct claw_explore_case *what, const char *path,
		      const char *about, bool with_results)
{
	const struct claw_explore_kernel *kernel = &engine->plan.kernel;
	struct claw_new_file file;
	FILE *out = claw_new_file_begin(&file, path);

	if (!out)
		return -CLAW_E_IO;
	fprintf(out, "/*!\n%s[config]\n", about ? about : "");
	if (options_of(engine))
		fprintf(out, "build_options: %s\n", options_of(engine));
	fprintf(out, "\n[test]\nname: %s\nkernel_name: %s\ndimensions: %u\n",
		kernel->name, kernel->name, kernel->dimensions);
	put_sizes(out, "global_size", what->global, kernel->dimensions);
	put_sizes(out, "local_size", what->local, kernel->dimensions);
	if (what->offset[0] || what->offset[1] || what->offset[2])
		put_sizes(out, "global_offset", what->offset,
			  kernel->dimensions);
	if (engine->repeats)
		fprintf(out, "repeat: %u\n", engine->repeats);
	for (unsigned int i = 0; i < kernel->arg_count; i++)
		put_arg(engine, what, i, out);
	if (with_results)
		put_results(engine, what, out);
	fputs("!*/\n", out);
	fputs(engine->source, out);
	return claw_new_file_end(&file, true);
}
