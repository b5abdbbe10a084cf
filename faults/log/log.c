/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines on stderr, by level.
 */
#include "config.h"

#include "log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static enum claw_log_level level_of_run;

void claw_log_begin(void)
{
	int level = claw_log_level_find(getenv("CLW_LOG_LEVEL"));

	level_of_run = level < 0 ? CLAW_LOG_OFF : (enum claw_log_level)level;
}

bool claw_log_is_on(enum claw_log_level level)
{
	return level_of_run >= level;
}

__attribute__((format(printf, 2, 0)))
static void write_line(const char *prefix, const char *format, va_list args)
{
	char line[512];
	int saved = errno;
	int room = (int)sizeof(line) - 1;	/* one for the newline */
	int length = snprintf(line, sizeof(line), "%s", prefix);
	ssize_t written;

	length += vsnprintf(line + length, (size_t)(room - length), format,
			    args);
	if (length > room - 1)
		length = room - 1;
	line[length++] = '\n';
	written = write(STDERR_FILENO, line, (size_t)length);
	(void)written;
	errno = saved;
}

void claw_log(enum claw_log_level level, const char *format, ...)
{
	char prefix[32];
	va_list args;

	if (!claw_log_is_on(level))
		return;
	snprintf(prefix, sizeof(prefix), "[CLW %s] ",
		 claw_log_level_name(level));
	va_start(args, format);
	write_line(prefix, format, args);
	va_end(args);
}

void claw_log_plain(enum claw_log_level level, const char *format, ...)
{
	va_list args;

	if (!claw_log_is_on(level))
		return;
	va_start(args, format);
	write_line("", format, args);
	va_end(args);
}
