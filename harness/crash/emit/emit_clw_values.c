/* SPDX-License-Identifier: Apache-2.0 */
/* See emit_clw_values.h. */
#include "config.h"

#include "emit_clw_values.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { COLUMNS = 78, LONGEST_PERIOD = 64 };

struct claw_clw_type claw_emit_values_type(struct claw_clw_type type,
					   uint64_t bytes)
{
	if (type.width == 3)	/* the fourth has a value, too */
		type.width = 4;
	if (type.base == CLAW_CLW_HALF)
		type.base = CLAW_CLW_USHORT;
	if (!type.width || bytes % claw_clw_type_bytes(type) != 0)
		type = (struct claw_clw_type) { CLAW_CLW_UCHAR, 1 };
	return type;
}

static int64_t signed_of(uint64_t word, size_t bytes)
{
	unsigned int bits = 64 - 8 * (unsigned int)bytes;

	return (int64_t)(word << bits) >> bits;
}

static void put_float(char *text, size_t size, double value, int digits)
{
	if (isnan(value))
		snprintf(text, size, "nan");
	else if (isinf(value))
		snprintf(text, size, "%sinf", value < 0 ? "-" : "");
	else
		snprintf(text, size, "%.*g", digits, value);
}

static void number_text(char *text, size_t size, enum claw_clw_base base,
			const unsigned char *at)
{
	size_t bytes = claw_clw_base_bytes(base);
	uint64_t word = 0;
	float single;
	double value;

	memcpy(&word, at, bytes);
	switch (base) {
	case CLAW_CLW_FLOAT:
		memcpy(&single, at, sizeof(single));
		put_float(text, size, (double)single, 9);
		break;
	case CLAW_CLW_DOUBLE:
		memcpy(&value, at, sizeof(value));
		put_float(text, size, value, 17);
		break;
	case CLAW_CLW_CHAR:
	case CLAW_CLW_SHORT:
	case CLAW_CLW_INT:
	case CLAW_CLW_LONG:
		snprintf(text, size, "%" PRId64, signed_of(word, bytes));
		break;
	default:
		snprintf(text, size, "%" PRIu64, word);
		break;
	}
}

/* After how many numbers they begin again; count: they do not. */
static uint64_t period_of(const unsigned char *bytes, uint64_t count,
			  size_t width)
{
	for (uint64_t period = 1; period <= LONGEST_PERIOD && period < count;
	     period++)
		if (memcmp(bytes, bytes + period * width,
			   (size_t)((count - period) * width)) == 0)
			return period;
	return count;
}

bool claw_emit_values(FILE *out, struct claw_clw_type type, const void *bytes,
		      uint64_t size, unsigned int column)
{
	size_t width = claw_clw_base_bytes(type.base);
	uint64_t count = size / width, written = period_of(bytes, count, width);
	/* A vector is not cut. */
	bool repeats = written < count && written % type.width == 0;
	char text[64];

	if (written < count && type.width % written == 0) {
		repeats = true;
		written = type.width;
	}
	if (!repeats)
		written = count;
	if (written > CLAW_EMIT_VALUES)
		return false;
	if (repeats)
		column += (unsigned int)fprintf(out, " repeat");
	for (uint64_t i = 0; i < written; i++) {
		number_text(text, sizeof(text), type.base,
			    (const unsigned char *)bytes + i * width);
		if (column + strlen(text) + 1 > COLUMNS - 2) {
			fputs(" \\\n   ", out);
			column = 3;
		}
		column += (unsigned int)fprintf(out, " %s", text);
	}
	return true;
}
