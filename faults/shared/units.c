/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct claw_unit claw_duration_units[] = {
	{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
	{ "m", 60e9 }, { "min", 60e9 }, { "h", 3600e9 }, { "d", 86400e9 },
	{ NULL, 0 },
};

const struct claw_unit claw_size_units[] = {
	{ "B", 1 },
	{ "KiB", 0x1p10 }, { "MiB", 0x1p20 }, { "GiB", 0x1p30 },
	{ "TiB", 0x1p40 },
	{ "K", 0x1p10 }, { "M", 0x1p20 }, { "G", 0x1p30 }, { "T", 0x1p40 },
	{ "KB", 1e3 }, { "MB", 1e6 }, { "GB", 1e9 }, { "TB", 1e12 },
	{ NULL, 0 },
};

double claw_unit_factor(const struct claw_unit *units, const char *text,
			size_t length)
{
	while (units->name && (strlen(units->name) != length ||
			       memcmp(units->name, text, length)))
		units++;
	return units->factor;
}

/* ---- sizes to be read -------------------------------------------------- */

/* units: of 1, 1024, 1024 * 1024 and so on. */
static const char *size_text(uint64_t bytes, const char *const units[4],
			     char text[CLAW_SIZE_TEXT])
{
	unsigned int unit = 0;
	unsigned int tenths;
	uint64_t whole;

	while (unit < 3 && bytes >> (10 * (unit + 1)))
		unit++;
	whole = bytes >> (10 * unit);
	tenths = (bytes - (whole << (10 * unit))) * 10 >> (10 * unit) & 15;
	if (whole << (10 * unit) == bytes)
		snprintf(text, CLAW_SIZE_TEXT, "%" PRIu64 "%s", whole,
			 units[unit]);
	else
		snprintf(text, CLAW_SIZE_TEXT, "%" PRIu64 ".%u%s", whole,
			 tenths, units[unit]);
	return text;
}

const char *claw_size_text(uint64_t bytes, char text[CLAW_SIZE_TEXT])
{
	static const char *const units[4] = { " B", " KiB", " MiB", " GiB" };

	/* Memory is counted in MiB up to 16 GiB, as devices have it. */
	if (bytes >= UINT64_C(1) << 30 && bytes < UINT64_C(1) << 34 &&
	    !(bytes & ((1 << 20) - 1))) {
		snprintf(text, CLAW_SIZE_TEXT, "%" PRIu64 " MiB", bytes >> 20);
		return text;
	}
	return size_text(bytes, units, text);
}

const char *claw_size_short(uint64_t bytes, char text[CLAW_SIZE_TEXT])
{
	static const char *const units[4] = { "B", "KB", "MB", "GB" };

	return size_text(bytes, units, text);
}
