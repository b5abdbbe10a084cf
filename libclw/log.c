/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines on stderr, by CLW_LOG_LEVEL, and what they are made of: sizes, times.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "clw_private.h"

static int level_of_process;		/* atomic */
static int memory_debug;		/* atomic */
static int layer;			/* atomic; 1: it is there */

void clw_log_set(int level)
{
	__atomic_store_n(&level_of_process, level, __ATOMIC_RELAXED);
}

void clwSetDebugMemory(int on)
{
	__atomic_store_n(&memory_debug, on != 0, __ATOMIC_RELAXED);
}

bool clw_log_is_on(int level)
{
	return level <= __atomic_load_n(&level_of_process, __ATOMIC_RELAXED) ||
	       __atomic_load_n(&memory_debug, __ATOMIC_RELAXED);
}

void clw_layer_ask(cl_platform_id platform)
{
	bool is_there = clGetExtensionFunctionAddressForPlatform(platform,
			"clawArmOPENCLAW") != NULL;

	__atomic_store_n(&layer, is_there, __ATOMIC_RELAXED);
}

bool clw_layer_is_there(void)
{
	return __atomic_load_n(&layer, __ATOMIC_RELAXED);
}

/* One write(2) a line. */
__attribute__((format(printf, 2, 0)))
static void write_line(const char *level, const char *format, va_list args)
{
	char line[CLW_TEXT];
	int saved = errno, room = (int)sizeof(line) - 1, length = 0;
	ssize_t written;

	if (level)
		length = snprintf(line, sizeof(line), "[CLW %s] ", level);
	length += vsnprintf(line + length, (size_t)(room - length), format,
			    args);
	if (length > room - 1)
		length = room - 1;
	line[length++] = '\n';
	written = write(STDERR_FILENO, line, (size_t)length);
	(void)written;
	errno = saved;
}

static const char *level_name(int level)
{
	static const char *const names[] = { "", "ERROR", "WARN", "INFO", "DEBUG" };

	return names[level];
}

void clw_log(int level, const char *format, ...)
{
	va_list args;

	if (!clw_log_is_on(level) || clw_layer_is_there())
		return;
	va_start(args, format);
	write_line(level_name(level), format, args);
	va_end(args);
}

void clw_log_own(int level, const char *format, ...)
{
	va_list args;

	if (!clw_log_is_on(level))
		return;
	va_start(args, format);
	write_line(level_name(level), format, args);
	va_end(args);
}

void clw_log_plain(int level, const char *format, ...)
{
	va_list args;

	if (!clw_log_is_on(level) || clw_layer_is_there())
		return;
	va_start(args, format);
	write_line(NULL, format, args);
	va_end(args);
}

/* ---- sizes -------------------------------------------------------------- */

/* units: of 1, 1024, 1024 * 1024 and so on; exact, or one digit behind the
 * point. */
static const char *size_text(uint64_t bytes, const char *const units[4],
			     char text[CLW_SIZE_TEXT])
{
	unsigned int unit = 0;
	uint64_t whole, tenths;

	while (unit < 3 && bytes >> (10 * (unit + 1)))
		unit++;
	whole = bytes >> (10 * unit);
	tenths = (bytes - (whole << (10 * unit))) * 10 >> (10 * unit);
	if (whole << (10 * unit) == bytes)
		snprintf(text, CLW_SIZE_TEXT, "%" PRIu64 "%s", whole,
			 units[unit]);
	else
		snprintf(text, CLW_SIZE_TEXT, "%" PRIu64 ".%" PRIu64 "%s",
			 whole, tenths, units[unit]);
	return text;
}

const char *clw_size_text(uint64_t bytes, char text[CLW_SIZE_TEXT])
{
	static const char *const units[4] = { " B", " KiB", " MiB", " GiB" };

	/* Memory is counted in MiB up to 16 GiB, as devices have it. */
	if (bytes >= UINT64_C(1) << 30 && bytes < UINT64_C(1) << 34 &&
	    !(bytes & ((1 << 20) - 1))) {
		snprintf(text, CLW_SIZE_TEXT, "%" PRIu64 " MiB", bytes >> 20);
		return text;
	}
	return size_text(bytes, units, text);
}

const char *clw_size_short(uint64_t bytes, char text[CLW_SIZE_TEXT])
{
	static const char *const units[4] = { "B", "KB", "MB", "GB" };

	return size_text(bytes, units, text);
}

/* ---- time --------------------------------------------------------------- */

uint64_t clw_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * CLW_NS_PER_S + (uint64_t)now.tv_nsec;
}

void clw_sleep_ns(uint64_t ns)
{
	struct timespec left = {
		.tv_sec = (time_t)(ns / CLW_NS_PER_S),
		.tv_nsec = (long)(ns % CLW_NS_PER_S),
	};

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

uint64_t clw_deadline(uint64_t timeout_ns)
{
	uint64_t now = clw_now_ns();

	return !timeout_ns || timeout_ns > UINT64_MAX - now ? UINT64_MAX :
	       now + timeout_ns;
}
