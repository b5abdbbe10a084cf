/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts of others without effect on a terminal: the one place that decides
 * which characters are shown by their number; and UTF-8 of what programs print.
 */
#ifndef CLAW_TEXT_CLEAN_H
#define CLAW_TEXT_CLEAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What a program printed, as UTF-8 text without NUL: bytes that are neither
 * become "#x00". malloced. */
char *claw_text_clean(const char *bytes, size_t size);

/* The first character of a text of at least a byte, and its bytes; 0: it is
 * not UTF-8. */
size_t claw_text_decode(const char *text, size_t size, uint32_t *ret_character);

/* Control characters but newline and tab, and those that change the direction
 * of writing. */
bool claw_text_is_hidden(uint32_t character);

/* A text on one line: hidden characters and newlines are "#x1B", and a
 * backslash stands before each character of special. */
void claw_text_put(FILE *out, const char *text, size_t size,
		   const char *special);

#endif
