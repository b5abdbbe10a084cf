/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into openclaw: from allocation NO_MEMORY_FROM on there is none.
 * NO_MEMORY_COUNT: a file that is told at the end how many there were. What
 * openclaw starts has all memory.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

#define VISIBLE __attribute__((visibility("default")))

static unsigned long made, from;

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("NO_MEMORY_FROM");

	from = text ? strtoul(text, NULL, 10) : 0;
	unsetenv("NO_MEMORY_FROM");
	unsetenv("LD_PRELOAD");
	made = 0;
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("NO_MEMORY_COUNT");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;

	if (fd >= 0)
		dprintf(fd, "%lu\n", made);
}

static int is_none(void)
{
	if (__atomic_add_fetch(&made, 1, __ATOMIC_RELAXED) < from || from == 0)
		return 0;
	errno = ENOMEM;
	return 1;
}

VISIBLE void *malloc(size_t size)
{
	return is_none() ? NULL : __libc_malloc(size);
}

VISIBLE void *calloc(size_t count, size_t size)
{
	return is_none() ? NULL : __libc_calloc(count, size);
}

VISIBLE void *realloc(void *memory, size_t size)
{
	/* What is there can be made smaller. */
	return (!memory || malloc_usable_size(memory) < size) && is_none() ?
	       NULL : __libc_realloc(memory, size);
}
