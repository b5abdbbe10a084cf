/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of a device model's keys, and the values that each kind has.
 *
 *	SIZE, DURATION: as in quantity.h, with a unit
 *	PERCENT  = NUMBER "%"
 *	COUNT    = DIGITS
 */
#include "config.h"

#include "model.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/quantity.h"

const struct claw_model_key claw_model_keys[CLAW_MODEL_KEY_COUNT] = {
#define KEY(key_, kind_, fallback_, lowest_, highest_, words_, meaning_)	\
	[CLAW_MODEL_KEY_##key_] = {					\
		#key_, CLAW_MODEL_##kind_, fallback_, lowest_, highest_,	\
		words_, meaning_,					\
	},
#include "faults/shared/model_keys.def"
#undef KEY
};

static int percent(const char *text, uint64_t *ret_permille)
{
	const char *unit;
	double value;

	if (claw_quantity_number(text, &value, &unit) < 0 || strcmp(unit, "%") != 0 ||
	    value > 1e6)
		return -CLAW_E_SYNTAX;
	*ret_permille = (uint64_t)llround(value * 10);
	return 0;
}

static int count(const char *text, uint64_t *ret_count)
{
	char *end;

	if (*text < '0' || *text > '9')
		return -CLAW_E_SYNTAX;
	errno = 0;
	*ret_count = strtoull(text, &end, 10);
	return errno || *end ? -CLAW_E_SYNTAX : 0;
}

static int word(const char *words, const char *text, uint64_t *ret_number)
{
	size_t length = strlen(text), part;
	uint64_t i = 0;

	for (; *words; words += part + (words[part] == ' '), i++) {
		part = strcspn(words, " ");
		if (part == length && memcmp(words, text, part) == 0) {
			*ret_number = i;
			return 0;
		}
	}
	return -CLAW_E_SYNTAX;
}

/* "OpenCL 3.0", and what follows a blank. */
static bool is_version(const char *text, const char *head)
{
	size_t major, minor;

	if (strncmp(text, head, strlen(head)) != 0)
		return false;
	text += strlen(head);
	major = strspn(text, "0123456789");
	if (!major || text[major] != '.')
		return false;
	minor = strspn(text + major + 1, "0123456789");
	return minor && strchr(" ", text[major + 1 + minor]);
}

static int text_value(const char *head, const char *text, char *value,
		      size_t value_size)
{
	size_t length = strlen(text);

	if (*head && !is_version(text, head))
		return -CLAW_E_SYNTAX;

	if (length > CLAW_MODEL_TEXT_BYTES || length >= value_size)
		return -CLAW_E_SYNTAX;
	for (const char *at = text; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			return -CLAW_E_SYNTAX;
	memcpy(value, text, length + 1);
	return 0;
}

/* "1 to 4096", in the kind's own unit. */
static void expect(const struct claw_model_key *key, char *expected,
		   size_t size_)
{
	switch (key->kind) {
	case CLAW_MODEL_SIZE:
		snprintf(expected, size_, "a size with its unit (\"512MiB\")%s",
			 key->highest == UINT64_C(1) << 40 ?
			 " of at most 1TiB" : "");
		break;
	case CLAW_MODEL_PERCENT:
		snprintf(expected, size_, "a percentage from \"%" PRIu64
			 "%%\" to \"%" PRIu64 "%%\"", key->lowest / 10,
			 key->highest / 10);
		break;
	case CLAW_MODEL_DURATION:
		snprintf(expected, size_, "a duration with its unit (\"30s\")");
		break;
	case CLAW_MODEL_COUNT:
		if (key->highest >= INT64_MAX)
			snprintf(expected, size_, "a number");
		else
			snprintf(expected, size_, "a number from %" PRIu64
				 " to %" PRIu64, key->lowest, key->highest);
		break;
	case CLAW_MODEL_WORD:
		snprintf(expected, size_, "one of: %s", key->words);
		break;
	case CLAW_MODEL_TEXT:
		if (*key->words) {
			snprintf(expected, size_, "a version (\"%s3.0 ...\")",
				 key->words);
			break;
		}
		snprintf(expected, size_, "a text of at most %d bytes on one "
			 "line", CLAW_MODEL_TEXT_BYTES);
		break;
	}
}

int claw_model_value(const struct claw_model_key *key, const char *text,
		     char *value, size_t value_size, char *expected,
		     size_t expected_size)
{
	uint64_t found = 0;
	int ret = -CLAW_E_SYNTAX;

	switch (key->kind) {
	case CLAW_MODEL_SIZE:
		ret = claw_size_parse(text, &found);
		break;
	case CLAW_MODEL_COUNT: ret = count(text, &found); break;
	case CLAW_MODEL_PERCENT: ret = percent(text, &found); break;
	case CLAW_MODEL_DURATION:
		ret = claw_duration_ns_parse(text, &found);
		break;
	case CLAW_MODEL_WORD: ret = word(key->words, text, &found); break;
	case CLAW_MODEL_TEXT: ret = text_value(key->words, text, value,
						 value_size); break;
	}
	if (ret == 0 && key->kind != CLAW_MODEL_WORD &&
	    key->kind != CLAW_MODEL_TEXT &&
	    (found < key->lowest || found > key->highest))
		ret = -CLAW_E_SYNTAX;
	if (ret == 0 && key->kind != CLAW_MODEL_TEXT)
		snprintf(value, value_size, "%" PRIu64, found);
	if (ret < 0)
		expect(key, expected, expected_size);
	return ret;
}
