/* SPDX-License-Identifier: Apache-2.0 */
/* Keep the first reason. */
#include "config.h"

#include "gap.h"

#include <stdarg.h>
#include <stdio.h>

#include "errors.h"

int claw_gap_add(char **gap, const char *format, ...)
{
	va_list args;
	int made = 0;

	va_start(args, format);
	if (!*gap)
		made = vasprintf(gap, format, args);
	va_end(args);
	if (made >= 0)
		return 0;
	*gap = NULL;
	return -CLAW_E_NO_MEMORY;
}
