/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Escape what stands on a page.
 */
#include "config.h"

#include "html_text.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "harness/base/text_clean.h"

void claw_html_bytes(FILE *out, const char *text, size_t size)
{
	const char *end = text + size;
	uint32_t c;

	for (size_t length; text < end; text += length) {
		length = claw_text_decode(text, (size_t)(end - text), &c);
		if (length == 0) {
			fprintf(out, "#x%02X", (unsigned char)*text);
			length = 1;
		} else if (claw_text_is_hidden(c)) {
			fprintf(out, "#x%02X", (unsigned int)c);
		} else if (c == '&') {
			fputs("&amp;", out);
		} else if (c == '<') {
			fputs("&lt;", out);
		} else if (c == '>') {
			fputs("&gt;", out);
		} else {
			fwrite(text, 1, length, out);
		}
	}
}

/* Where at most size bytes of whole characters end. */
static size_t cut_at(const char *text, size_t size)
{
	while (size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80)
		size--;
	return size;
}

void claw_html_text(FILE *out, const char *text)
{
	size_t size = text ? strlen(text) : 0;
	size_t shown = size > CLAW_HTML_WORD ? cut_at(text, CLAW_HTML_WORD) :
		       size;

	if (text)
		claw_html_bytes(out, text, shown);
	if (shown < size)
		fprintf(out, " ... (%zu bytes omitted)", size - shown);
}

void claw_html_block(FILE *out, const char *text)
{
	size_t size = text ? strlen(text) : 0, head, tail;

	while (size > 0 && text[size - 1] == '\n')
		size--;
	if (size == 0)
		return;
	if (size <= CLAW_HTML_BLOCK) {
		claw_html_bytes(out, text, size);
		return;
	}
	head = cut_at(text, CLAW_HTML_BLOCK / 2);
	tail = cut_at(text, size - CLAW_HTML_BLOCK / 2);
	claw_html_bytes(out, text, head);
	fprintf(out, "\n... %zu bytes omitted ...\n", tail - head);
	claw_html_bytes(out, text + tail, size - tail);
}

void claw_html_encode(FILE *out, const char *path)
{
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;

		if (c < 0x80 && (isalnum(c) || strchr("-_.~/", c)))
			fputc(c, out);
		else
			fprintf(out, "%%%02X", c);
	}
}

void claw_html_address(FILE *out, const char *base, const char *path)
{
	if (base && *base) {
		claw_html_encode(out, base);
		if (base[strlen(base) - 1] != '/')
			fputc('/', out);
	} else {
		while (*path == '/')
			path++;
		fputs("./", out);
	}
	claw_html_encode(out, path);
}

void claw_html_json(FILE *out, const char *text)
{
	size_t size = text ? strlen(text) : 0;
	const char *end;
	uint32_t c;

	if (size > CLAW_HTML_WORD)
		size = cut_at(text, CLAW_HTML_WORD);
	end = text ? text + size : NULL;
	fputc('"', out);
	for (size_t length; text && text < end; text += length) {
		length = claw_text_decode(text, (size_t)(end - text), &c);
		if (length == 0) {
			fprintf(out, "#x%02X", (unsigned char)*text);
			length = 1;
		} else if (claw_text_is_hidden(c)) {
			fprintf(out, "#x%02X", (unsigned int)c);
		} else if (c < 0x80 && (c < 0x20 || strchr("<>&\"'\\", (int)c))) {
			fprintf(out, "\\u%04x", (unsigned int)c);
		} else {
			fwrite(text, 1, length, out);
		}
	}
	fputc('"', out);
}

void claw_html_number(FILE *out, double value)
{
	if (isfinite(value))
		fprintf(out, "%.7g", value);
	else
		fputs("null", out);
}
