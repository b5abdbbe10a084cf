/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of xid.def, looked for in a log. */
#include "config.h"

#include "xid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct xid {
	unsigned int number;
	const char *code, *whose, *meaning;
} xids[] = {
#define XID(number_, code_, whose_, meaning_)				\
	{ number_, code_, whose_, meaning_ },
#define LINE(...)
#include "xid.def"
#undef XID
#undef LINE
};

static const struct known_line {
	const char *first, *second, *code, *whose, *meaning;
} known_lines[] = {
#define XID(...)
#define LINE(first_, second_, code_, whose_, meaning_)			\
	{ first_, second_, code_, whose_, meaning_ },
#include "xid.def"
#undef XID
#undef LINE
};

enum { LINE_MAX_BYTES = 1024 };	/* of a line that is looked at */

/* The number behind the word, in the line. */
static bool number_after(const char *line, const char *word, int base,
			 uint64_t *ret_number)
{
	const char *at = strstr(line, word);
	char *end;

	if (!at)
		return false;
	at += strlen(word);
	at += strspn(at, " ");
	*ret_number = strtoull(at, &end, base);
	return end > at && *at != '-';
}

/* "faulted @ 0x725f_fb800000", "at address 0x1234". */
static void take_address(const char *line, struct claw_dmesg_line *ret)
{
	const char *at = strstr(line, "faulted @ 0x");
	uint64_t high, low;
	char *end;

	if (!at) {
		ret->has_address = number_after(line, "address", 16,
						&ret->address);
		return;
	}
	high = strtoull(at + strlen("faulted @ "), &end, 16);
	ret->has_address = true;
	ret->address = high;
	if (*end == '_') {
		low = strtoull(end + 1, NULL, 16);
		ret->address = high << 32 | (low & UINT32_MAX);
	}
}

/* "NVRM: Xid (PCI:0000:01:00): 31, pid=..." */
static bool take_xid(const char *line, struct claw_dmesg_line *ret)
{
	const char *at = strstr(line, "NVRM: Xid");
	uint64_t number;

	at = at ? strstr(at, "): ") : NULL;
	if (!at || !number_after(at, "): ", 10, &number) || number == 0 ||
	    number > UINT16_MAX)
		return false;
	ret->xid = (unsigned int)number;
	ret->whose = "device";
	ret->meaning = "an error code unknown to openclaw";
	for (size_t i = 0; i < sizeof(xids) / sizeof(*xids); i++) {
		if (xids[i].number != number)
			continue;
		ret->code = xids[i].code;
		ret->whose = xids[i].whose;
		ret->meaning = xids[i].meaning;
	}
	return true;
}

static bool take_known(const char *line, struct claw_dmesg_line *ret)
{
	for (size_t i = 0; i < sizeof(known_lines) / sizeof(*known_lines);
	     i++) {
		const struct known_line *known = &known_lines[i];

		if (!strstr(line, known->first) ||
		    (known->second && !strstr(line, known->second)))
			continue;
		ret->code = known->code;
		ret->whose = known->whose;
		ret->meaning = known->meaning;
		return true;
	}
	return false;
}

bool claw_dmesg_stamp(const char *line, double *ret_seconds)
{
	char *end;

	if (*line == '<')
		line += strcspn(line, ">\n") + 1;
	if (*line != '[')
		return false;
	*ret_seconds = strtod(line + 1, &end);
	return end > line + 1 && *end == ']';
}

/* "name=negative_index," */
static void take_name(const char *line, struct claw_dmesg_line *ret)
{
	const char *at = strstr(line, "name=");

	if (at)
		snprintf(ret->name, sizeof(ret->name), "%.*s",
			 (int)strcspn(at + strlen("name="), ",\n"),
			 at + strlen("name="));
}

static bool take_line(const char *text, size_t length,
		      struct claw_dmesg_line *ret)
{
	char line[LINE_MAX_BYTES];

	*ret = (struct claw_dmesg_line){ .text = text, .length = length };
	snprintf(line, sizeof(line), "%.*s", (int)(length < sizeof(line) ?
						   length : sizeof(line)),
		 text);
	if (!take_xid(line, ret) && !take_known(line, ret))
		return false;
	if (!number_after(line, "pid=", 10, &ret->pid))
		ret->pid = 0;
	take_name(line, ret);
	ret->has_stamp = claw_dmesg_stamp(line, &ret->stamp);
	take_address(line, ret);
	return true;
}

bool claw_dmesg_next(const char **at, struct claw_dmesg_line *ret_line)
{
	while (*at && **at) {
		const char *text = *at;
		size_t length = strcspn(text, "\n");

		*at = text + length + (text[length] == '\n');
		if (take_line(text, length, ret_line))
			return true;
	}
	return false;
}

const char *claw_dmesg_find_killed(const char *log, uint64_t pid)
{
	static const char *const words[] = { "Killed process", "pid=" };

	for (; log && *log; log += strcspn(log, "\n"),
	     log += *log == '\n') {
		char line[LINE_MAX_BYTES];
		uint64_t number;

		snprintf(line, sizeof(line), "%.*s", (int)strcspn(log, "\n") <
			 LINE_MAX_BYTES ? (int)strcspn(log, "\n") :
			 LINE_MAX_BYTES, log);
		if (!strcasestr(line, "out of memory") &&
		    !strstr(line, "oom-kill:"))
			continue;
		for (size_t i = 0; i < 2; i++)
			if (number_after(line, words[i], 10, &number) &&
			    (!pid || number == pid))
				return log;
	}
	return NULL;
}
