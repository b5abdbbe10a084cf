/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the log levels. */
#include "config.h"

#include "log_level.h"

#include <strings.h>

static const char *const names[] = {
	[CLAW_LOG_OFF] = "OFF", [CLAW_LOG_ERROR] = "ERROR",
	[CLAW_LOG_WARN] = "WARN", [CLAW_LOG_INFO] = "INFO",
	[CLAW_LOG_DEBUG] = "DEBUG",
};

const char *claw_log_level_name(enum claw_log_level level)
{
	return names[level];
}

int claw_log_level_find(const char *text)
{
	for (int i = CLAW_LOG_OFF; text && i <= CLAW_LOG_DEBUG; i++)
		if (strcasecmp(text, names[i]) == 0)
			return i;
	return -1;
}
