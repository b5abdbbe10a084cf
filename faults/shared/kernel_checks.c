/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "kernel_checks.h"

#include <stdio.h>
#include <string.h>

#include "probe_format.h"

static const struct {
	const char *name;
	uint32_t mode;
} checks[] = {
#define CHECK(name_, mode_) { #name_, mode_ },
#include "kernel_checks.def"
#undef CHECK
	{ "all", CLAW_PROBE_CHECKS },
};

const char claw_kernel_checks_names[] =
#define CHECK(name_, mode_) #name_ ", "
#include "kernel_checks.def"
#undef CHECK
	"all";

enum { CHECKS = sizeof(checks) / sizeof(*checks) };

bool claw_kernel_checks_parse(const char *list, uint32_t *ret_modes,
			      const char **ret_bad)
{
	*ret_modes = 0;
	do {
		size_t length = strcspn(list, ","), i = 0;

		while (i < CHECKS && (strlen(checks[i].name) != length ||
				      strncmp(checks[i].name, list, length)))
			i++;
		*ret_bad = list;
		if (i == CHECKS)
			return false;
		*ret_modes |= checks[i].mode;
		list += length;
	} while (*list++ == ',');
	return true;
}

void claw_kernel_checks_text(uint32_t modes,
			     char text[CLAW_KERNEL_CHECKS_BYTES])
{
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < CHECKS - 1; i++)
		if (modes & checks[i].mode)
			length += (size_t)snprintf(text + length,
				CLAW_KERNEL_CHECKS_BYTES - length, "%s%s",
				length ? "," : "", checks[i].name);
}
