/* SPDX-License-Identifier: Apache-2.0 */
/* Types of arguments, and their numbers from text to device memory. */
#include "config.h"

#include "clw_values.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/base/memory.h"

/* ---- types ----------------------------------------------------------- */

/* min, max: of an integer. A signed one may be written as the unsigned number
 * that has the same bits, too. */
static const struct {
	const char *name;
	size_t bytes;
	int64_t min;
	uint64_t max;
} bases[] = {
	[CLAW_CLW_CHAR] = { "char", 1, INT8_MIN, INT8_MAX },
	[CLAW_CLW_UCHAR] = { "uchar", 1, 0, UINT8_MAX },
	[CLAW_CLW_SHORT] = { "short", 2, INT16_MIN, INT16_MAX },
	[CLAW_CLW_USHORT] = { "ushort", 2, 0, UINT16_MAX },
	[CLAW_CLW_INT] = { "int", 4, INT32_MIN, INT32_MAX },
	[CLAW_CLW_UINT] = { "uint", 4, 0, UINT32_MAX },
	[CLAW_CLW_LONG] = { "long", 8, INT64_MIN, INT64_MAX },
	[CLAW_CLW_ULONG] = { "ulong", 8, 0, UINT64_MAX },
	[CLAW_CLW_HALF] = { "half", 2, 0, 0 },
	[CLAW_CLW_FLOAT] = { "float", 4, 0, 0 },
	[CLAW_CLW_DOUBLE] = { "double", 8, 0, 0 },
};

#define WIDTHS(base_) \
	base_, base_ "2", base_ "3", base_ "4", base_ "8", base_ "16"
const char *const claw_clw_type_names[] = {
	WIDTHS("char"), WIDTHS("uchar"), WIDTHS("short"), WIDTHS("ushort"),
	WIDTHS("int"), WIDTHS("uint"), WIDTHS("long"), WIDTHS("ulong"),
	WIDTHS("half"), WIDTHS("float"), WIDTHS("double"), NULL,
};
static const unsigned int widths[] = { 1, 2, 3, 4, 8, 16 };
enum { WIDTH_COUNT = sizeof(widths) / sizeof(widths[0]) };

size_t claw_clw_base_bytes(enum claw_clw_base base)
{
	return bases[base].bytes;
}

static size_t places(struct claw_clw_type type)
{
	return type.width == 3 ? 4 : type.width;
}

size_t claw_clw_type_bytes(struct claw_clw_type type)
{
	return bases[type.base].bytes * places(type);
}

const char *claw_clw_base_name(enum claw_clw_base base)
{
	return bases[base].name;
}

bool claw_clw_type_parse(const char *text, size_t length,
			 struct claw_clw_type *ret_type)
{
	for (unsigned int i = 0; claw_clw_type_names[i]; i++) {
		if (strlen(claw_clw_type_names[i]) != length ||
		    memcmp(claw_clw_type_names[i], text, length) != 0)
			continue;
		ret_type->base = (enum claw_clw_base)(i / WIDTH_COUNT);
		ret_type->width = widths[i % WIDTH_COUNT];
		return true;
	}
	return false;
}

/* ---- half ------------------------------------------------------------ */

uint16_t claw_half_from_double(double value)
{
	uint16_t sign = signbit(value) ? 0x8000 : 0;
	double size = fabs(value);
	int exponent;

	if (isnan(value))
		return sign | 0x7e00;
	if (size >= 65520)	/* half way past the largest one, 65504 */
		return sign | 0x7c00;
	if (size < ldexp(1, -14))	/* subnormal, or just not */
		return sign | (uint16_t)nearbyint(ldexp(size, 24));
	frexp(size, &exponent);	/* size is in [0.5, 1) * 2^exponent */
	/* A mantissa that is rounded up to 2048 carries into the exponent. */
	return sign | (uint16_t)(((unsigned int)(exponent + 13) << 10) +
				 (unsigned int)nearbyint(
					 ldexp(size, 11 - exponent)));
}

double claw_half_to_double(uint16_t half)
{
	int exponent = half >> 10 & 31, mantissa = half & 1023;
	double size;

	if (exponent == 31)
		size = mantissa ? NAN : INFINITY;
	else if (exponent == 0)
		size = ldexp(mantissa, -24);
	else
		size = ldexp(mantissa + 1024, exponent - 25);
	return half & 0x8000 ? -size : size;
}

/* ---- numbers --------------------------------------------------------- */

static const char *const named[] = {
	"nan", "inf", "infinity", "true", "false", NULL,
};

static const char *skip_sign(const char *text)
{
	return *text == '+' || *text == '-' ? text + 1 : text;
}

bool claw_clw_is_number(const struct claw_clw_word *word)
{
	const char *text = skip_sign(word->text);

	for (size_t i = 0; named[i]; i++)
		if (strcasecmp(text, named[i]) == 0)
			return true;
	return isdigit((unsigned char)*text) ||
		(*text == '.' && isdigit((unsigned char)text[1]));
}

static int read_integer(struct claw_clw_reader *reader,
			const struct claw_clw_word *word,
			enum claw_clw_base base, uint64_t *ret_value)
{
	bool is_negative = word->text[0] == '-', is_number;
	uint64_t max = bases[base].max, value = 0;
	struct claw_clw_word digits = *word;
	const char *start = skip_sign(word->text);

	if (is_negative)
		max = (uint64_t)-(bases[base].min + 1) + 1;
	if (is_negative && bases[base].min == 0)
		max = 0;
	else if (!reader->is_strict)	/* the low bits are taken */
		max = is_negative ? (uint64_t)INT64_MAX + 1 : UINT64_MAX;
	else if (!is_negative && bases[base].min < 0)
		max = max * 2 + 1;
	memmove(digits.text, start, strlen(start) + 1);
	is_number = isdigit((unsigned char)*digits.text) &&
		claw_clw_word_uint(&digits, max, &value);
	if (strcasecmp(word->text, "true") == 0 ||
	    strcasecmp(word->text, "false") == 0) {
		value = tolower((unsigned char)*word->text) == 't';
		is_number = true;
	}
	if (!is_number)
		return claw_clw_fail_word(reader, word, NULL, "expected a "
			"whole number from %" PRId64 " to %" PRIu64 " (%s)%s",
			bases[base].min, bases[base].min == 0 ?
			bases[base].max : bases[base].max * 2 + 1,
			bases[base].name, claw_clw_word_is_octal(word) ?
			" without leading zeros" : "");
	*ret_value = is_negative ? 0 - value : value;
	return 0;
}

/* What the base makes of a number, so that one too large for it is seen. */
static double convert_float(const char *text, char **end,
			    enum claw_clw_base base, void *ret_value)
{
	double wide = strtod(text, end);
	float narrow = strtof(text, end);
	uint16_t half = claw_half_from_double(wide);

	switch (base) {
	case CLAW_CLW_HALF:
		memcpy(ret_value, &half, sizeof(half));
		return claw_half_to_double(half);
	case CLAW_CLW_FLOAT:
		memcpy(ret_value, &narrow, sizeof(narrow));
		return (double)narrow;
	default:
		memcpy(ret_value, &wide, sizeof(wide));
		return wide;
	}
}

static int read_float(struct claw_clw_reader *reader,
		      const struct claw_clw_word *word,
		      enum claw_clw_base base, void *ret_value)
{
	bool is_true = strcasecmp(word->text, "true") == 0;
	bool is_false = strcasecmp(word->text, "false") == 0;
	const char *text = is_true ? "1" : is_false ? "0" : word->text;
	char *end = NULL;
	double value;

	if (!claw_clw_is_number(word) || strchr(text, '(') ||
	    word->length >= CLAW_CLW_WORD_BYTES)
		return claw_clw_fail_word(reader, word, NULL,
					  "expected a number (%s)",
					  bases[base].name);
	value = convert_float(text, &end, base, ret_value);
	if (*end)
		return claw_clw_fail_word(reader, word, NULL,
					  "expected a number (%s)",
					  bases[base].name);
	if (reader->is_strict && isinf(value) &&
	    isdigit((unsigned char)*skip_sign(text)))
		return claw_clw_fail_word(reader, word, NULL, "expected a "
			"number that a %s can hold, or inf", bases[base].name);
	return 0;
}

/* Write one component; -CLAW_E_SYNTAX with the reason in reader's error. */
static int read_component(struct claw_clw_reader *reader,
			  const struct claw_clw_word *word,
			  enum claw_clw_base base, void *ret_value)
{
	uint64_t value = 0;
	int ret;

	if (base >= CLAW_CLW_HALF)
		return read_float(reader, word, base, ret_value);
	ret = read_integer(reader, word, base, &value);
	if (ret == 0)	/* the low bytes come first */
		memcpy(ret_value, &value, bases[base].bytes);
	return ret;
}

/* ---- arguments ------------------------------------------------------- */

/* Where a component lies: the fourth place of a vector of 3 stays 0. */
static void *find_place(const struct claw_clw_arg *arg, size_t component)
{
	size_t element = component / arg->type.width;
	size_t place = element * places(arg->type) +
		component % arg->type.width;

	return (char *)arg->data + place * bases[arg->type.base].bytes;
}

static bool is_zero(const char *bytes, size_t size)
{
	while (size > 0 && bytes[size - 1] == 0)
		size--;
	return size == 0;
}

/*
 * The first components, given in number, again and again up to total. What is
 * repeated are whole bytes, because of the gaps between vectors of 3.
 */
static void repeat_values(struct claw_clw_arg *arg, size_t given, size_t total)
{
	size_t bytes = bases[arg->type.base].bytes;
	bool has_gaps = arg->type.width == 3;
	size_t block = has_gaps ? given * 3 : given;
	size_t filled = has_gaps ? given * 4 * bytes : given * bytes;

	for (size_t i = given; i < block && i < total; i++)
		memcpy(find_place(arg, i), find_place(arg, i - given), bytes);
	if (filled >= arg->size_bytes || is_zero(arg->data, filled))
		return;		/* there are zeros already */
	while (filled < arg->size_bytes) {
		size_t part = arg->size_bytes - filled < filled ?
			arg->size_bytes - filled : filled;

		memcpy((char *)arg->data + filled, arg->data, part);
		filled += part;
	}
}

int claw_clw_read_values(struct claw_clw_reader *reader,
			 struct claw_clw_cursor from, size_t given,
			 struct claw_clw_arg *arg)
{
	size_t total = arg->count * arg->type.width;

	arg->data = claw_calloc(arg->count, claw_clw_type_bytes(arg->type));
	for (size_t i = 0; i < given; i++) {
		struct claw_clw_word word;
		uint64_t unused;
		int ret;

		claw_clw_next_word(&from, &word);
		/* More than there is room for are read for their mistakes. */
		ret = read_component(reader, &word, arg->type.base,
					  i < total ? find_place(arg, i) :
					  (void *)&unused);
		if (ret < 0)
			return ret;
	}
	if (given < total)
		repeat_values(arg, given, total);
	return 0;
}
