/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may stand behind the values of an argument of a kernel file
 * (doc/clw-format.md, OPTION), and what an image must say of itself.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/cl_types.h"
#include "clw_values.h"

/* ---- words ----------------------------------------------------------- */

enum option {
	OPTION_TOLERANCE, OPTION_GUARD, OPTION_OFFSET, OPTION_ALIAS,
	OPTION_FREED, OPTION_READ_ONLY, OPTION_WRITE_ONLY,
	OPTION_USE_HOST_PTR, OPTION_ALLOC_HOST_PTR, OPTION_COPY_HOST_PTR,
	/* of images */
	OPTION_IMAGE_TYPE, OPTION_IMAGE_WIDTH, OPTION_IMAGE_HEIGHT,
	OPTION_CHANNEL_ORDER, OPTION_CHANNEL_TYPE,
	OPTION_COUNT,
};
static const char *const option_words[] = {
	"tolerance", "guard", "offset", "alias", "freed", "read_only",
	"write_only", "use_host_ptr", "alloc_host_ptr", "copy_host_ptr",
	"image_type", "image_width", "image_height", "image_channel_order",
	"image_channel_data_type", NULL,
};
#define BIT(option_) (UINT32_C(1) << (option_))
#define IMAGE_OPTIONS \
	(BIT(OPTION_IMAGE_TYPE) | BIT(OPTION_IMAGE_WIDTH) | \
	 BIT(OPTION_IMAGE_HEIGHT) | BIT(OPTION_CHANNEL_ORDER) | \
	 BIT(OPTION_CHANNEL_TYPE))
#define FLAG_OPTIONS \
	(BIT(OPTION_READ_ONLY) | BIT(OPTION_WRITE_ONLY) | \
	 BIT(OPTION_USE_HOST_PTR) | BIT(OPTION_ALLOC_HOST_PTR) | \
	 BIT(OPTION_COPY_HOST_PTR))
#define BUFFER_OPTIONS \
	(FLAG_OPTIONS | BIT(OPTION_TOLERANCE) | BIT(OPTION_GUARD) | \
	 BIT(OPTION_OFFSET) | BIT(OPTION_ALIAS) | BIT(OPTION_FREED))

struct number_of {	/* a word and what cl.h calls it */
	uint32_t number;
	unsigned int size;	/* channels of an order; bytes of a type */
};

static const char *const order_words[] = {
	"R", "Rx", "A", "INTENSITY", "LUMINANCE", "RG", "RGx", "RA", "RGB",
	"RGBx", "RGBA", "ARGB", "BGRA", NULL,
};
static const struct number_of orders[] = {
	{ CL_R, 1 }, { CL_Rx, 1 }, { CL_A, 1 }, { CL_INTENSITY, 1 },
	{ CL_LUMINANCE, 1 }, { CL_RG, 2 }, { CL_RGx, 2 }, { CL_RA, 2 },
	{ CL_RGB, 3 }, { CL_RGBx, 3 }, { CL_RGBA, 4 }, { CL_ARGB, 4 },
	{ CL_BGRA, 4 },
};

/* A packed type holds all channels: its size is that of the pixel. */
static const char *const channel_words[] = {
	"SNORM_INT8", "SNORM_INT16", "UNORM_INT8", "UNORM_INT16",
	"SIGNED_INT8", "SIGNED_INT16", "SIGNED_INT32", "UNSIGNED_INT8",
	"UNSIGNED_INT16", "UNSIGNED_INT32", "HALF_FLOAT", "FLOAT",
	"UNORM_SHORT_565", "UNORM_SHORT_555", "UNORM_INT_101010", NULL,
};
static const struct number_of channels[] = {
	{ CL_SNORM_INT8, 1 }, { CL_SNORM_INT16, 2 }, { CL_UNORM_INT8, 1 },
	{ CL_UNORM_INT16, 2 }, { CL_SIGNED_INT8, 1 }, { CL_SIGNED_INT16, 2 },
	{ CL_SIGNED_INT32, 4 }, { CL_UNSIGNED_INT8, 1 },
	{ CL_UNSIGNED_INT16, 2 }, { CL_UNSIGNED_INT32, 4 },
	{ CL_HALF_FLOAT, 2 }, { CL_FLOAT, 4 }, { CL_UNORM_SHORT_565, 2 },
	{ CL_UNORM_SHORT_555, 2 }, { CL_UNORM_INT_101010, 4 },
};
enum { FIRST_PACKED = 12 };

/* One of a list of words. */
int claw_clw_read_choice(struct claw_clw_reader *reader,
			 const char *const *list, const char *what,
			 unsigned int *ret_position)
{
	struct claw_clw_word word;
	int position;

	claw_clw_next_word(&reader->cursor, &word);
	position = claw_clw_word_find(&word, list);
	if (position < 0)
		return claw_clw_fail_word(reader, &word, list, "expected %s",
					  what);
	*ret_position = (unsigned int)position;
	return 0;
}

/* ---- options --------------------------------------------------------- */

/* So many ulp are any value to piglit, for lgamma(). */
enum { ANY_VALUE_ULP = 1 << 24 };

static int read_tolerance(struct claw_clw_reader *reader,
			  struct claw_clw_arg_draft *draft)
{
	bool is_float = draft->arg.type.base >= CLAW_CLW_HALF;
	struct claw_clw_word word, unit;
	struct claw_clw_cursor before;
	uint64_t whole = 0;
	double value = -1;
	char *end;

	claw_clw_next_word(&reader->cursor, &word);
	if (claw_clw_is_number(&word))
		value = strtod(word.text, &end);
	before = reader->cursor;
	claw_clw_next_word(&reader->cursor, &unit);
	if (!claw_clw_word_is(&unit, "ulp")) {
		reader->cursor = before;
		unit.length = 0;
	}
	if (unit.length > 0 && !is_float)
		return claw_clw_fail_word(reader, &unit, NULL, "expected a "
			"tolerance without a unit for %s",
			claw_clw_base_name(draft->arg.type.base));
	if (unit.length > 0 || !is_float) {
		if (!claw_clw_word_uint(&word, UINT64_MAX, &whole))
			return claw_clw_fail_word(reader, &word, NULL,
				"expected a whole number as tolerance");
		value = (double)whole;
	} else if (!(value >= 0) || *end || strchr(word.text, '(')) {
		return claw_clw_fail_word(reader, &word, NULL,
			"expected a number from 0 as tolerance");
	}
	if (unit.length > 0)
		draft->arg.tolerance_ulp = whole;
	else
		draft->arg.tolerance = value;
	if (unit.length > 0 && !reader->is_strict && whole >= ANY_VALUE_ULP &&
	    draft->arg.type.base == CLAW_CLW_FLOAT)
		draft->arg.tolerance = INFINITY;
	return 0;
}

int claw_clw_read_index(struct claw_clw_reader *reader,
			unsigned int *ret_index)
{
	uint64_t index;
	int ret = claw_clw_read_uint(reader, "the number of an argument", 0,
				     CLAW_CLW_INDEX_MAX, &index);

	if (ret == 0)
		*ret_index = (unsigned int)index;
	return ret;
}

static int read_extent(struct claw_clw_reader *reader, const char *what,
		       size_t *ret_extent)
{
	uint64_t extent;
	int ret = claw_clw_read_uint(reader, what, 1, 65536, &extent);

	if (ret == 0)
		*ret_extent = (size_t)extent;
	return ret;
}

static int read_image_type(struct claw_clw_reader *reader)
{
	struct claw_clw_word word;

	claw_clw_next_word(&reader->cursor, &word);
	if (claw_clw_word_is(&word, "2d"))
		return 0;
	return claw_clw_fail_word(reader, &word, NULL, "expected 2d, the only "
				  "image type so far");
}

static int read_image_option(struct claw_clw_reader *reader,
			     struct claw_clw_arg_draft *draft,
			     enum option option)
{
	struct claw_clw_image *image = &draft->arg.image;
	int ret;

	switch (option) {
	case OPTION_IMAGE_TYPE:
		return read_image_type(reader);
	case OPTION_IMAGE_WIDTH:
		return read_extent(reader, "a width", &image->width);
	case OPTION_IMAGE_HEIGHT:
		return read_extent(reader, "a height", &image->height);
	case OPTION_CHANNEL_ORDER:
		ret = claw_clw_read_choice(reader, order_words,
					   "a channel order such as RGBA",
					   &draft->order);
		image->channel_order = orders[draft->order].number;
		return ret;
	default:
		ret = claw_clw_read_choice(reader, channel_words,
					   "a channel type such as FLOAT",
					   &draft->channel);
		image->channel_type = channels[draft->channel].number;
		return ret;
	}
}

static int read_option(struct claw_clw_reader *reader,
		       struct claw_clw_arg_draft *draft,
		       enum option option)
{
	struct claw_clw_arg *arg = &draft->arg;

	switch (option) {
	case OPTION_TOLERANCE:
		return read_tolerance(reader, draft);
	case OPTION_GUARD:
		arg->has_guard = true;
		return claw_clw_read_bytes(reader, "a guard zone",
					   CLAW_CLW_BUFFER_BYTES_MAX,
					   &arg->guard_bytes);
	case OPTION_OFFSET:
		arg->is_sub_buffer = true;
		return claw_clw_read_bytes(reader, "an offset",
					   UINT64_C(1) << 40,
					   &arg->offset_bytes);
	case OPTION_ALIAS:
		arg->has_alias = true;
		return claw_clw_read_index(reader, &arg->alias);
	case OPTION_FREED:
		arg->is_freed = true;
		return 0;
	case OPTION_READ_ONLY:
		arg->mem_flags |= CL_MEM_READ_ONLY;
		return 0;
	case OPTION_WRITE_ONLY:
		arg->mem_flags |= CL_MEM_WRITE_ONLY;
		return 0;
	case OPTION_USE_HOST_PTR:
		arg->mem_flags |= CL_MEM_USE_HOST_PTR;
		return 0;
	case OPTION_ALLOC_HOST_PTR:
		arg->mem_flags |= CL_MEM_ALLOC_HOST_PTR;
		return 0;
	case OPTION_COPY_HOST_PTR:
		arg->mem_flags |= CL_MEM_COPY_HOST_PTR;
		return 0;
	default:
		return read_image_option(reader, draft, option);
	}
}

/* Flags that clCreateBuffer() refuses together. */
static bool is_conflict(uint64_t flags)
{
	return ((flags & CL_MEM_READ_ONLY) && (flags & CL_MEM_WRITE_ONLY)) ||
		((flags & CL_MEM_USE_HOST_PTR) &&
		 (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)));
}

static int check_option(struct claw_clw_reader *reader,
			const struct claw_clw_arg_draft *draft,
			const struct claw_clw_word *word, enum option option)
{
	if (draft->options & BIT(option))
		return claw_clw_fail_word(reader, word, NULL,
					  "expected each option once");
	if (option == OPTION_TOLERANCE && draft->is_in)
		return claw_clw_fail_word(reader, word, NULL, "expected no "
					  "tolerance in arg_in");
	if (option == OPTION_FREED && !draft->is_in)
		return claw_clw_fail_word(reader, word, NULL, "expected an "
					  "argument that can be read back");
	if (draft->fill == CLAW_CLW_FILL_NULL && !(BIT(option) & IMAGE_OPTIONS))
		return claw_clw_fail_word(reader, word, NULL, "expected no "
					  "option for a NULL argument");
	return 0;
}

static uint32_t allowed_options(enum claw_clw_arg_kind kind)
{
	switch (kind) {
	case CLAW_CLW_BUFFER:
		return BUFFER_OPTIONS;
	case CLAW_CLW_IMAGE:
		return IMAGE_OPTIONS | FLAG_OPTIONS | BIT(OPTION_TOLERANCE) |
			BIT(OPTION_FREED);
	default:
		return 0;
	}
}

int claw_clw_read_options(struct claw_clw_reader *reader,
			  struct claw_clw_arg_draft *draft)
{
	uint32_t allowed = allowed_options(draft->arg.kind);
	const char *known[OPTION_COUNT + 1] = { 0 };
	size_t count = 0;

	for (int i = 0; i < OPTION_COUNT; i++)
		if (allowed & BIT(i))
			known[count++] = option_words[i];
	for (;;) {
		struct claw_clw_word word;
		int option, ret;

		claw_clw_next_word(&reader->cursor, &word);
		if (word.length == 0)
			return 0;
		option = claw_clw_word_find(&word, option_words);
		if (option < 0 || !(allowed & BIT(option)))
			return claw_clw_fail_word(reader, &word, known,
				!allowed ? "expected a number" :
				draft->fill > CLAW_CLW_FILL_REPEAT ?
				"expected an option" :
				"expected a number or an option");
		ret = check_option(reader, draft, &word, (enum option)option);
		if (ret == 0)
			ret = read_option(reader, draft, (enum option)option);
		if (ret < 0)
			return ret;
		if (is_conflict(draft->arg.mem_flags))
			return claw_clw_fail_word(reader, &word, NULL,
				"expected flags that go together");
		draft->options |= BIT(option);
	}
}

/* Elements are pixels. */
int claw_clw_check_image(struct claw_clw_reader *reader,
			 const struct claw_clw_arg_draft *draft)
{
	uint32_t missing = IMAGE_OPTIONS & ~draft->options;
	size_t pixel = channels[draft->channel].size;
	size_t bytes = claw_clw_type_bytes(draft->arg.type);
	int option = 0;

	if (missing) {
		while (!(missing & BIT(option)))
			option++;
		return claw_clw_fail(reader, claw_clw_place(&reader->cursor),
			"expected %s, found the end of the line",
			option_words[option]);
	}
	if (draft->channel < FIRST_PACKED)
		pixel *= orders[draft->order].size;
	if (pixel != bytes)
		return claw_clw_fail_word(reader, &draft->type_word, NULL,
			"expected a type of %zu bytes for a pixel of %s %s",
			pixel, order_words[draft->order],
			channel_words[draft->channel]);
	return 0;
}
