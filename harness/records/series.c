/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of a soak's series, and values in words.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "series.h"

const struct claw_series claw_series[CLAW_SERIES_COUNT] = {
#define CLAW_SERIES(id, name, unit, shape, group, title) \
	[CLAW_SERIES_##id] = { name, title, CLAW_UNIT_##unit, \
			       CLAW_SHAPE_##shape, CLAW_GROUP_##group },
#include "series.def"
#undef CLAW_SERIES
};

int claw_series_find(const char *name)
{
	for (int i = 0; i < CLAW_SERIES_COUNT; i++)
		if (strcmp(claw_series[i].name, name) == 0)
			return i;
	return -1;
}

void claw_sample_init(struct claw_sample *sample)
{
	*sample = (struct claw_sample){ .run = 1 };
	for (int i = 0; i < CLAW_SERIES_COUNT; i++)
		sample->values[i] = NAN;
}

static void print_bytes(char *text, size_t size, double value)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB",
					     "TiB" };
	size_t unit = 0;

	while (fabs(value) >= 1024 && unit < 4) {
		value /= 1024;
		unit++;
	}
	snprintf(text, size, "%.*f %s", unit && fabs(value) < 100 ? 1 : 0,
		 value, units[unit]);
}

/* Thousands apart; part of one where there is little. */
static void print_count(char *text, size_t size, double value)
{
	char digits[48];
	size_t length, at = 0;

	if (fabs(value) < 10 && value != floor(value)) {
		snprintf(text, size, "%.2g", value);
		return;
	}
	snprintf(digits, sizeof(digits), "%.0f", fmin(fmax(value, -1e18), 1e18));
	length = strlen(digits);
	for (size_t i = 0; i < length && at + 2 < size; i++) {
		if (i && digits[i - 1] != '-' && (length - i) % 3 == 0)
			text[at++] = ',';
		text[at++] = digits[i];
	}
	if (size)
		text[at] = '\0';
}

static void print_ms(char *text, size_t size, double value)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	size_t unit = 2;

	/* What would be rounded to 1,000 is 1 of the next one. */
	for (; unit > 0 && value != 0 && fabs(value) < 0.9995; unit--)
		value *= 1000;
	for (; unit < 3 && fabs(value) >= 999.5; unit++)
		value /= 1000;
	snprintf(text, size, fabs(value) < 999.5 ? "%.3g %s" : "%.0f %s", value,
		 units[unit]);
}

void claw_series_print(char *text, size_t size, enum claw_series_unit unit,
		       double value)
{
	static const char *const suffixes[] = {
		[CLAW_UNIT_PER_S] = " a second", [CLAW_UNIT_CELSIUS] = " C",
		[CLAW_UNIT_MHZ] = " MHz", [CLAW_UNIT_PERCENT] = " %",
		[CLAW_UNIT_WATT] = " W",
	};
	size_t length;

	if (isnan(value)) {
		snprintf(text, size, "not measurable");
	} else if (unit == CLAW_UNIT_BYTES) {
		print_bytes(text, size, value);
	} else if (unit == CLAW_UNIT_MS) {
		print_ms(text, size, value);
	} else {
		print_count(text, size, value);
		length = strlen(text);
		if (unit != CLAW_UNIT_COUNT)
			snprintf(text + length, size - length, "%s",
				 suffixes[unit]);
	}
}
