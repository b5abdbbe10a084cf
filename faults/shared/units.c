/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "units.h"

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
