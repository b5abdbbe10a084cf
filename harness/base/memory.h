/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is there. Where the system has none, the program says "out of
 * memory" and ends with CLAW_EXIT_INFRA (99): no caller has to ask. Everything
 * is given back with free().
 *
 * The guest (faults/) has none of this: it may not end somebody's program.
 */
#ifndef CLAW_MEMORY_H
#define CLAW_MEMORY_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In a child that was forked for some work: it ends without a word and without
 * what its parent has for its own end. */
void claw_memory_in_child(void);

/* What somebody else's constructor made: dies where that is NULL. */
void *claw_made(void *made) __attribute__((returns_nonnull));

void *claw_malloc(size_t size) __attribute__((malloc, returns_nonnull));
/* count elements of size bytes, all 0; never NULL, also for none. */
void *claw_calloc(size_t count, size_t size)
	__attribute__((malloc, returns_nonnull));
/* memory (or NULL), with room for count elements of size bytes. */
void *claw_grow(void *memory, size_t count, size_t size)
	__attribute__((returns_nonnull, warn_unused_result));
/* An array of count elements that grows by one each time, from NULL: with room
 * for one more. Its memory is doubled at each power of two. */
void *claw_one_more(void *array, size_t count, size_t size)
	__attribute__((returns_nonnull, warn_unused_result));

char *claw_strdup(const char *text)
	__attribute__((malloc, returns_nonnull));
char *claw_strdup_or_null(const char *text);
char *claw_strndup(const char *text, size_t size)
	__attribute__((malloc, returns_nonnull));
/* As printf prints it. */
char *claw_format(const char *format, ...)
	__attribute__((malloc, returns_nonnull, format(printf, 1, 2)));
char *claw_vformat(const char *format, va_list args)
	__attribute__((malloc, returns_nonnull, format(printf, 1, 0)));

/* getline(): -1 is the end of the file, or an error of the stream. */
ssize_t claw_getline(char **line, size_t *room, FILE *in);

/* A stream whose bytes are *ret_text and *ret_size once it is closed with
 * claw_text_end(), which dies where some are missing. */
FILE *claw_text_begin(char **ret_text, size_t *ret_size)
	__attribute__((returns_nonnull));
void claw_text_end(FILE *out);

#endif
