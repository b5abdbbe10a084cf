/* SPDX-License-Identifier: Apache-2.0 */
/* What a program printed, as text that JSON and terminals can hold. */
#include "config.h"

#include "text_clean.h"

#include <string.h>

#include "memory.h"

/* Bytes of the valid UTF-8 character at text, or 0. No surrogates, nothing
 * beyond U+10FFFF, no overlong form (Unicode, table 3-7). */
static size_t utf8_length(const unsigned char *text, size_t size)
{
	size_t length = text[0] < 0x80 ? 1 : text[0] >= 0xf0 ? 4 :
			text[0] >= 0xe0 ? 3 : 2;
	unsigned char low = 0x80, high = 0xbf;

	if (length == 1)
		return 1;
	if (text[0] < 0xc2 || text[0] > 0xf4 || length > size)
		return 0;
	if (text[0] == 0xe0)
		low = 0xa0;
	else if (text[0] == 0xed)
		high = 0x9f;
	else if (text[0] == 0xf0)
		low = 0x90;
	else if (text[0] == 0xf4)
		high = 0x8f;
	if (text[1] < low || text[1] > high)
		return 0;
	for (size_t i = 2; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	return length;
}

size_t claw_text_decode(const char *text, size_t size, uint32_t *ret_character)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t length = utf8_length(at, size);
	uint32_t c = length <= 1 ? *at : *at & (0x7fu >> length);

	for (size_t i = 1; i < length; i++)
		c = c << 6 | (at[i] & 0x3f);
	*ret_character = length ? c : 0xfffd;
	return length;
}

bool claw_text_is_hidden(uint32_t c)
{
	return (c < 0x20 && c != '\n' && c != '\t') ||
	       (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e ||
	       c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069) || c == 0xfeff ||
	       (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xd800 && c < 0xe000) ||
	       (c & 0xfffe) == 0xfffe;
}

void claw_text_put(FILE *out, const char *text, size_t size,
		   const char *special)
{
	const char *mark = strchr(special, '#') ? "\\#" : "#";
	uint32_t c;

	for (size_t i = 0, length; i < size; i += length) {
		length = claw_text_decode(text + i, size - i, &c);
		if (length == 0) {
			length = 1;
			fprintf(out, "%sx%02X", mark, (unsigned char)text[i]);
		} else if (claw_text_is_hidden(c) || c == '\n') {
			fprintf(out, "%sx%02X", mark, (unsigned int)c);
		} else {
			if (c < 0x80 && strchr(special, (int)c))
				fputc('\\', out);
			fwrite(text + i, 1, length, out);
		}
	}
}

char *claw_text_clean(const char *bytes, size_t size)
{
	const unsigned char *in = (const unsigned char *)bytes;
	char *text = claw_malloc(size * 4 + 1), *out = text;

	for (size_t i = 0; i < size;) {
		size_t length = utf8_length(in + i, size - i);

		if (length == 0 || in[i] == '\0') {
			out += snprintf(out, 5, "#x%02X", in[i]);
			i++;
		} else {
			memcpy(out, in + i, length);
			out += length;
			i += length;
		}
	}
	*out = '\0';
	return text;
}
