/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes, as options, suites and device models have them. */
#include "config.h"

#include "quantity.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "faults/shared/units.h"

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
	const char *unit;
	double bytes, factor;

	if (claw_quantity_number(text, &bytes, &unit) < 0 || (!bare && !*unit))
		return -CLAW_E_SYNTAX;
	factor = *unit ? claw_unit_factor(claw_size_units, unit,
					  strlen(unit)) : 1;
	bytes *= factor;
	if (factor <= 0 || bytes != floor(bytes) || bytes > 0x1p53)
		return -CLAW_E_SYNTAX;
	*ret_bytes = (uint64_t)bytes;
	return 0;
}
