/* SPDX-License-Identifier: Apache-2.0 */
/* What a program printed, as text that JSON can hold. */
#include "config.h"

#include "records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

char *claw_text_clean(const char *bytes, size_t size)
{
	const unsigned char *in = (const unsigned char *)bytes;
	char *text = malloc(size * 4 + 1), *out = text;

	if (!text)
		return NULL;
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
