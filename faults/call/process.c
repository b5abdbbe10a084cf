/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What there is once a process, beneath all else: the driver's table, the page
 * of ways, what the session says, a line on stderr.
 */
#include "config.h"

#include "guest.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct claw_page claw_page;
struct claw_guest claw_guest;
/* Where it lies within a page is 2 ns of a call of 50: stores of the wrappers
 * meet loads at the same distance from a page's begin. */
struct _cl_icd_dispatch claw_next __attribute__((aligned(CLAW_PAGE_BYTES)));
pthread_mutex_t claw_ways_lock = PTHREAD_MUTEX_INITIALIZER;
_Atomic bool claw_watching;

void claw_watch_all(void)
{
	if (atomic_exchange(&claw_watching, true))
		return;
	pthread_mutex_lock(&claw_ways_lock);
	for (unsigned int api = 0; api < CLAW_API_COUNT; api++)
		__atomic_store_n(&claw_page.way[api], CLAW_LONG,
				 __ATOMIC_RELAXED);
	pthread_mutex_unlock(&claw_ways_lock);
}

void claw_say(const char *format, ...)
{
	char line[512];
	int length = snprintf(line, sizeof(line), "openclaw: ");
	va_list args;
	ssize_t written;

	va_start(args, format);
	length += vsnprintf(line + length, sizeof(line) - (size_t)length - 1,
			    format, args);
	va_end(args);
	if (length > (int)sizeof(line) - 2)
		length = (int)sizeof(line) - 2;
	line[length++] = '\n';
	written = write(STDERR_FILENO, line, (size_t)length);
	(void)written;
}

void claw_copy_text(char *to, size_t size, const char *from, size_t length)
{
	if (length >= size)
		length = size - 1;
	memcpy(to, from, length);
	to[length] = '\0';
}
