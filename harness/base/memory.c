/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is there, or the end of the program. */
#include "config.h"

#include "memory.h"

#include <stdbool.h>
#include <unistd.h>

#include "errors.h"

static bool is_child;

void claw_memory_in_child(void)
{
	is_child = true;
}

static _Noreturn void die(void)
{
	if (is_child)
		_exit(CLAW_EXIT_INFRA);
	claw_die(CLAW_EXIT_INFRA, "out of memory");
}

void *claw_made(void *made)
{
	if (!made)
		die();
	return made;
}

void *claw_malloc(size_t size)
{
	return claw_made(malloc(size ? size : 1));
}

void *claw_calloc(size_t count, size_t size)
{
	return claw_made(calloc(count ? count : 1, size ? size : 1));
}

void *claw_grow(void *memory, size_t count, size_t size)
{
	return claw_made(reallocarray(memory, count ? count : 1,
				      size ? size : 1));
}

void *claw_one_more(void *array, size_t count, size_t size)
{
	if (array && (count & (count - 1)) != 0)
		return array;
	return claw_grow(array, count ? 2 * count : 1, size);
}

char *claw_strdup(const char *text)
{
	return claw_made(strdup(text));
}

char *claw_strdup_or_null(const char *text)
{
	return text ? claw_strdup(text) : NULL;
}

char *claw_strndup(const char *text, size_t size)
{
	return claw_made(strndup(text, size));
}

char *claw_vformat(const char *format, va_list args)
{
	char *text;

	return vasprintf(&text, format, args) < 0 ? claw_made(NULL) : text;
}

char *claw_format(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = claw_vformat(format, args);
	va_end(args);
	return text;
}

ssize_t claw_getline(char **line, size_t *room, FILE *in)
{
	ssize_t length = getline(line, room, in);

	if (length < 0 && !feof(in) && !ferror(in))
		die();
	return length;
}

FILE *claw_text_begin(char **ret_text, size_t *ret_size)
{
	return claw_made(open_memstream(ret_text, ret_size));
}

void claw_text_end(FILE *out)
{
	if (fclose(out) != 0)
		die();
}
