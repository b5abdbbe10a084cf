/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strings of programs, drivers and kernels on a page: nothing in them can begin
 * or end markup or script, turn the direction of writing around, or make the
 * page long. One function for each place that a string can stand at.
 */
#ifndef CLAW_HTML_TEXT_H
#define CLAW_HTML_TEXT_H

#include <stdio.h>

enum {
	CLAW_HTML_WORD = 1000,		/* bytes of a name, message, cell */
	CLAW_HTML_LINE = 16 * 1024,	/* of a line to paste: whole or not */
	CLAW_HTML_BLOCK = 16 * 1024,	/* of output: head and tail */
};

/* Between tags. What is over CLAW_HTML_WORD bytes is left out, and how much.
 * NULL is nothing. */
void claw_html_text(FILE *out, const char *text);
/* The same of the first size bytes, none of which is left out. */
void claw_html_bytes(FILE *out, const char *text, size_t size);
/* Many lines, for a <pre>: head and tail of what is over CLAW_HTML_BLOCK. */
void claw_html_block(FILE *out, const char *text);
/* A path in an address. */
void claw_html_encode(FILE *out, const char *path);
/* A path as the address of a link, which is below base ("" or NULL: the page's
 * own directory): it can name nothing but a file. */
void claw_html_address(FILE *out, const char *base, const char *path);
/* A string, with its quotes, in JSON in a <script>. Cut likewise. */
void claw_html_json(FILE *out, const char *text);
/* A number there; NAN and infinities are null. */
void claw_html_number(FILE *out, double value);

#endif
