/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes, as options, suites and device models have them. */
#include "config.h"

#include "quantity.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"

int claw_quantity_number(const char *text, double *ret_number,
			 const char **ret_unit)
{
	char *end;

	if (*text < '0' || *text > '9' || text[strspn(text, "0123456789.")] ==
	    'x')
		return -CLAW_E_SYNTAX;
	errno = 0;
	*ret_number = strtod(text, &end);
	*ret_unit = end;
	return errno || end == text || !isfinite(*ret_number) ?
		-CLAW_E_SYNTAX : 0;
}

int claw_size_parse(const char *text, bool bare, uint64_t *ret_bytes)
{
	static const struct {
		const char *name;
		double bytes;
	} units[] = {
		{ "", 1 }, { "B", 1 },
		{ "KiB", 0x1p10 }, { "MiB", 0x1p20 }, { "GiB", 0x1p30 },
		{ "TiB", 0x1p40 },
		{ "K", 0x1p10 }, { "M", 0x1p20 }, { "G", 0x1p30 },
		{ "T", 0x1p40 },
		{ "KB", 1e3 }, { "MB", 1e6 }, { "GB", 1e9 }, { "TB", 1e12 },
	};
	const char *unit;
	double value;

	if (claw_quantity_number(text, &value, &unit) < 0 || (!bare && !*unit))
		return -CLAW_E_SYNTAX;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		double bytes = value * units[i].bytes;

		if (strcmp(unit, units[i].name) != 0)
			continue;
		if (bytes != floor(bytes) || bytes > 0x1p53)
			return -CLAW_E_SYNTAX;
		*ret_bytes = (uint64_t)bytes;
		return 0;
	}
	return -CLAW_E_SYNTAX;
}
