/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Templates of addresses.
 *
 *	TEMPLATE = ( "http://" | "https://" ) { PLACEHOLDER | CHARACTER }
 *	PLACEHOLDER = "{commit}" | "{file}" | "{line}"
 */
#include "config.h"

#include "source_url.h"

#include <stddef.h>
#include <string.h>

enum { TEMPLATE_MAX = 2000 };

const char *claw_source_url;

unsigned int claw_source_url_placeholder(const char *text)
{
	static const char *const names[] = { "{commit}", "{file}", "{line}" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(text, names[i], strlen(names[i])) == 0)
			return (unsigned int)strlen(names[i]);
	return 0;
}

/* A page puts it between quotes: nothing in it may end them. */
static bool is_plain(char c)
{
	return c > ' ' && c < 0x7f && !strchr("\"'<>\\`{}", c);
}

bool claw_source_url_is_valid(const char *text)
{
	bool is_web = strncmp(text, "http://", 7) == 0 ||
		      strncmp(text, "https://", 8) == 0;

	if (!is_web || !strstr(text, "{file}") || strlen(text) > TEMPLATE_MAX)
		return false;
	while (*text) {
		unsigned int length = claw_source_url_placeholder(text);

		if (length == 0 && !is_plain(*text))
			return false;
		text += length ? length : 1;
	}
	return true;
}
