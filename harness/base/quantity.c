/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes and durations, as options, suites and device models have them. */
#include "config.h"

#include "quantity.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "faults/shared/units.h"

int claw_quantity_number(const char *text, double *ret_number,
			 const char **ret_unit)
{
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return -CLAW_E_SYNTAX;
	*ret_number = strtod(text, &end);
	*ret_unit = end;
	return end == text + strspn(text, "0123456789.") &&
		isfinite(*ret_number) ? 0 : -CLAW_E_SYNTAX;
}

/* bare: the unit of a number alone, or NULL. */
static int read(const struct claw_unit *units, const char *text,
		const char *bare, double *ret_amount)
{
	const char *unit;
	double number, factor;

	if (claw_quantity_number(text, &number, &unit) < 0)
		return -CLAW_E_SYNTAX;
	if (!*unit && bare)
		unit = bare;
	factor = claw_unit_factor(units, unit, strlen(unit));
	*ret_amount = number * factor;
	return factor > 0 ? 0 : -CLAW_E_SYNTAX;
}

int claw_size_parse(const char *text, uint64_t *ret_bytes)
{
	double bytes;

	if (read(claw_size_units, text, NULL, &bytes) < 0 ||
	    bytes != floor(bytes) || bytes > 0x1p53)
		return -CLAW_E_SYNTAX;
	*ret_bytes = (uint64_t)bytes;
	return 0;
}

int claw_duration_parse(const char *text, uint64_t *ret_ms)
{
	double ns;

	if (read(claw_duration_units, text, "s", &ns) < 0 || ns >= 9e21)
		return -CLAW_E_SYNTAX;
	*ret_ms = (uint64_t)ceil(ns / 1e6);
	return 0;
}

int claw_duration_ns_parse(const char *text, uint64_t *ret_ns)
{
	double ns;

	if (read(claw_duration_units, text, NULL, &ns) < 0 || ns > 0x1p63)
		return -CLAW_E_SYNTAX;
	*ret_ns = (uint64_t)ceil(ns);
	return 0;
}
