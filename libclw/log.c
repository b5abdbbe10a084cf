/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines on stderr, by CLW_LOG_LEVEL, and the clock.
 */
#include "config.h"

#include <errno.h>
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

void clw_log(int level, const char *format, ...)
{
	va_list args;

	if (!clw_log_is_on(level) || clw_layer_is_there())
		return;
	va_start(args, format);
	write_line(claw_log_level_name(level), format, args);
	va_end(args);
}

void clw_log_own(int level, const char *format, ...)
{
	va_list args;

	if (!clw_log_is_on(level))
		return;
	va_start(args, format);
	write_line(claw_log_level_name(level), format, args);
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
