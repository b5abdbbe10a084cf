/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parser of the fault grammar, shared by guest and host. It allocates
 * nothing, obeys no locale and points at the column of what it refuses.
 *
 *	RULE   = TARGET ":" PART { ":" PART }
 *	TARGET = function | glob with "*" or "?" | "@" group
 *	PART   = ACTION | WHEN
 *	ACTION = "error=" CODE | "oom" | "oom-host"
 *	       | "null" [ "=" KIND { "," KIND } ]	KIND = handle | map | arg
 *	       | "invalid-handle"
 *	       | "device-lost" | "recover=" ( DURATION | "context" )
 *	       | "gpu-crash" [ "=" ( "illegal-access" | "misaligned" | "trap" ) ]
 *	       | "partial" [ "=" NUMBER "%" ]
 *	       | "hang" [ "=" DURATION ]
 *	       | "build-fail" [ "=" ( "log" | "no-log" ) ]
 *	       | "build-delay=" DURATION
 *	       | "ecc" [ "=" ( "uncorrectable" | "correctable" ) ]
 *	       | "pcie" [ "=" DURATION ] | "throttle=" NUMBER
 *	       | "power=" NUMBER
 *	       | "driver-crash" | "break"
 *	       | "delay=" DURATION [ ".." DURATION ]
 *	WHEN   = "when=" FIRST [ ".." [ LAST ] ] [ "+" [ STEP ] ]
 *	       | "p=" NUMBER "%" | "above=" SIZE | "after=" DURATION
 *	       | "kernel=" GLOB | "device=" N | "thread=" N | "site=" HASH
 *	       | "at=" ( FUNCTION | FILE ":" LINE ) | "exe=" GLOB | "times=" N
 *	       | "pc=" BUILDID "+0x" LOW "-0x" HIGH	(made of at= by the host)
 *	CODE     = CL_ name | negative number
 *	DURATION, SIZE: see units.h
 *
 * A value may stand in double quotes, in which \" and \\ are the characters
 * themselves. At most one fault and one delay a rule; each condition once.
 */
#include "config.h"

#include "plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "nearest.h"
#include "units.h"

/* Where the parser stands. word holds the part's value without quotes. */
struct parser {
	const char *text;
	const char *at;			/* next character to read */
	struct claw_rule *rule;
	struct claw_plan_error *error;
	bool allow_illegal;
	const char *part;		/* start of the part being read */
	const char *value;		/* start of its value, NULL without "=" */
	const char *code;		/* start of the code of error= */
	char word[CLAW_RULE_WORD_MAX];
	size_t word_length;
};

struct writer {
	char *text;
	size_t size, length;
};

/* What stands behind "=", of a fault, of the delay or of a condition. */
struct value {
	const char *name;
	uint32_t bit;			/* of claw_rule.has; 0: a fault's */
	enum claw_fault_value kind;
	const char *what;		/* is expected: in words, or the words */
	size_t at;			/* offset in struct claw_rule */
	uint64_t low, high;		/* of a count */
	/* Where it is of use, and such a function in words. NULL: anywhere. */
	bool (*is_for)(enum claw_api api);
	const char *whose;
};

static int refuse(struct parser *p, const char *where, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int refuse(struct parser *p, const char *where, const char *format, ...)
{
	va_list args;

	p->error->column = (size_t)(where - p->text) + 1;
	va_start(args, format);
	vsnprintf(p->error->message, sizeof(p->error->message), format, args);
	va_end(args);
	return -1;
}

bool claw_glob_match(const char *pattern, const char *text)
{
	const char *star = NULL, *resume = NULL;

	while (*text) {
		if (*pattern == '*') {
			star = pattern++;
			resume = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star + 1;
			text = ++resume;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

double claw_random(uint64_t seed, uint32_t rule, uint64_t ordinal,
		   uint32_t stream)
{
	uint64_t z = seed + UINT64_C(0x9e3779b97f4a7c15) *
		(ordinal + ((uint64_t)rule << 40) + ((uint64_t)stream << 56));

	/* Two rounds: neighbouring keys must not look alike. */
	for (int round = 0; round < 2; round++) {
		z += UINT64_C(0x9e3779b97f4a7c15);
		z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
		z ^= z >> 31;
	}
	return (double)(z >> 11) * 0x1.0p-53;
}

enum { HINT_MAX = 96, LIST_MAX = 256 };

/* "; did you mean X?" or "" into buffer. */
static const char *hint_of(const struct claw_nearest *n, char buffer[HINT_MAX])
{
	if (!n->best)
		return "";
	snprintf(buffer, HINT_MAX, "; did you mean %s?", n->best);
	return buffer;
}

/*
 * Decimal number with an optional fraction, no sign, no locale. Returns the
 * character behind it, or NULL.
 */
static const char *read_number(const char *text, double *ret_number)
{
	double number = 0, scale = 1;
	const char *p = text;

	while (*p >= '0' && *p <= '9')
		number = number * 10 + (*p++ - '0');
	if (p == text)
		return NULL;
	if (*p == '.' && p[1] >= '0' && p[1] <= '9') {
		p++;
		while (*p >= '0' && *p <= '9') {
			scale /= 10;
			number += (*p++ - '0') * scale;
		}
	}
	*ret_number = number;
	return p;
}

static unsigned int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	c |= 'a' - 'A';
	return c >= 'a' && c <= 'f' ? (unsigned int)(c - 'a') + 10 : 16;
}

/* Whole number; false on overflow or no digit. *text moves behind it. */
static bool read_uint(const char **text, unsigned int base,
		      uint64_t *ret_number)
{
	const char *p = *text;
	uint64_t number = 0;
	unsigned int digit;

	for (; (digit = digit_of(*p)) < base; p++) {
		if (number > (UINT64_MAX - digit) / base)
			return false;
		number = number * base + digit;
	}
	if (p == *text)
		return false;
	*text = p;
	*ret_number = number;
	return true;
}

static const struct quantity {
	const char *what, *example, *list;
	const struct claw_unit *units;
} durations = {
	"duration", "\"500ms\"", "ns us ms s m h d", claw_duration_units,
}, sizes = {
	"size", "\"64MiB\"", "B KiB MiB GiB TiB KB MB GB TB", claw_size_units,
};

/* A quantity of text[0..length). where: its place in the rule. */
static int read_quantity(struct parser *p, const char *text, size_t length,
			 const char *where, const struct quantity *of,
			 uint64_t *ret_value)
{
	double number, factor;
	const char *unit = read_number(text, &number);
	size_t unit_length;

	if (!unit || unit > text + length)
		return refuse(p, where, "expected a %s such as %s, found \"%.*s\"",
			      of->what, of->example, (int)length, text);
	unit_length = length - (size_t)(unit - text);
	if (!unit_length)
		return refuse(p, where, "expected a unit (%s) after the %s, "
			      "as in %s, found the bare number \"%.*s\" "
			      "(only options take one)", of->list, of->what,
			      of->example, (int)length, text);
	factor = claw_unit_factor(of->units, unit, unit_length);
	if (factor <= 0)
		return refuse(p, where, "expected a unit (%s), found \"%.*s\"",
			      of->list, (int)unit_length, unit);
	if (number * factor >= 9.2e18)
		return refuse(p, where, "the %s \"%.*s\" is too large",
			      of->what, (int)length, text);
	*ret_value = (uint64_t)(number * factor + 0.5);
	return 0;
}

/* One rule is one line, wherever it is written. */
static int refuse_control(struct parser *p)
{
	for (size_t i = 0; i < p->word_length; i++)
		if ((unsigned char)p->word[i] < ' ')
			return refuse(p, p->value, "expected no control "
				      "character in a value, found 0x%02x",
				      (unsigned char)p->word[i]);
	return 0;
}

/*
 * Read the value behind "=": quoted, or up to the next ":". An unquoted
 * at=FILE:LINE keeps its ":LINE".
 */
static int read_value(struct parser *p, bool keep_line)
{
	p->value = p->at;
	p->word_length = 0;
	if (*p->at == '"') {
		const char *open = p->at++;

		while (*p->at && *p->at != '"') {
			if (*p->at == '\\' && (p->at[1] == '"' || p->at[1] == '\\'))
				p->at++;
			if (p->word_length + 1 >= sizeof(p->word))
				return refuse(p, open, "the value is longer "
					      "than %zu bytes",
					      sizeof(p->word) - 1);
			p->word[p->word_length++] = *p->at++;
		}
		if (!*p->at)
			return refuse(p, open, "expected a closing '\"', found "
				      "none");
		p->at++;
		if (*p->at && *p->at != ':')
			return refuse(p, p->at, "expected ':' or the end after "
				      "the quoted value, found \"%.20s\"", p->at);
	} else {
		size_t length = strcspn(p->at, ":");

		if (keep_line && p->at[length] == ':') {
			size_t digits = strspn(p->at + length + 1, "0123456789");
			char next = p->at[length + 1 + digits];

			if (digits && (next == ':' || !next))
				length += 1 + digits;
		}
		if (length >= sizeof(p->word))
			return refuse(p, p->at, "the value is longer than %zu "
				      "bytes", sizeof(p->word) - 1);
		memcpy(p->word, p->at, length);
		p->word_length = length;
		p->at += length;
	}
	p->word[p->word_length] = '\0';
	if (!p->word_length)
		return refuse(p, p->value, "expected a value after \"=\", found "
			      "none");
	return refuse_control(p);
}

static int need_value(struct parser *p, const struct value *v)
{
	if (p->value)
		return 0;
	return refuse(p, p->at, "expected \"=\" and %s after \"%s\", "
		      "found neither", v->what, v->name);
}

static void put(struct writer *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void put(struct writer *w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int n = vsnprintf(w->text + (w->length < w->size ? w->length : 0),
			  w->length < w->size ? w->size - w->length : 0,
			  format, args);
	va_end(args);
	if (n > 0)
		w->length += (size_t)n;
}

/* The largest unit that says it exactly. */
static void put_duration(struct writer *w, uint64_t ns)
{
	static const struct { uint64_t ns; const char *name; } units[] = {
		{ UINT64_C(3600000000000), "h" }, { UINT64_C(60000000000), "m" },
		{ 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" },
		{ 1, "ns" },
	};
	size_t i = 0;

	while (units[i].ns > 1 && (!ns || ns % units[i].ns))
		i++;
	put(w, "%llu%s", (unsigned long long)(ns / units[i].ns), units[i].name);
}

static void put_size(struct writer *w, uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	size_t i = 0;

	while (i < 4 && bytes && bytes % 1024 == 0) {
		bytes /= 1024;
		i++;
	}
	put(w, "%llu%s", (unsigned long long)bytes, units[i]);
}

static void put_text(struct writer *w, const char *value)
{
	if (!value[strcspn(value, ":;\"= ")]) {
		put(w, "%s", value);
		return;
	}
	put(w, "\"");
	for (; *value; value++)
		put(w, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
	put(w, "\"");
}

/* A number without the locale's decimal point. */
static void put_number(struct writer *w, double number, const char *unit)
{
	uint64_t millionths = (uint64_t)(number * 1e6 + 0.5);
	char fraction[8];
	int length = 6;

	snprintf(fraction, sizeof(fraction), "%06llu",
		 (unsigned long long)(millionths % 1000000));
	while (length && fraction[length - 1] == '0')
		length--;
	put(w, "%llu%s%.*s%s", (unsigned long long)(millionths / 1000000),
	    length ? "." : "", length, fraction, unit);
}

/* ------------------------------------------------------------- targets */

static void target_add(struct claw_rule *rule, unsigned int api)
{
	rule->targets[api / 64] |= UINT64_C(1) << (api % 64);
}

static void target_remove(struct claw_rule *rule, unsigned int api)
{
	rule->targets[api / 64] &= ~(UINT64_C(1) << (api % 64));
}

bool claw_rule_targets(const struct claw_rule *rule, enum claw_api api)
{
	return rule->targets[api / 64] >> (api % 64) & 1;
}

static bool has_targets(const struct claw_rule *rule)
{
	for (size_t i = 0; i < sizeof(rule->targets) / sizeof(*rule->targets); i++)
		if (rule->targets[i])
			return true;
	return false;
}

static int parse_group(struct parser *p, size_t length)
{
	uint32_t bit = claw_group_find(p->text + 1, length - 1);

	if (!bit)
		return refuse(p, p->text, "expected a group (@alloc @transfer "
			      "@enqueue @build @sync @create @query @release "
			      "@any), found \"%.*s\"", (int)length, p->text);
	for (unsigned int api = 0; api < CLAW_API_COUNT; api++)
		if (bit == CLAW_G_ANY || claw_api_table[api].groups & bit)
			target_add(p->rule, api);
	return 0;
}

static int parse_target(struct parser *p, char *target, size_t target_size,
			bool *ret_single)
{
	size_t length = strcspn(p->text, ":");
	bool glob = false;

	if (!length)
		return refuse(p, p->text, "expected a function, a glob or a "
			      "@group, found %s",
			      *p->text ? "\":\"" : "nothing");
	if (length >= target_size)
		return refuse(p, p->text, "the target is longer than %zu bytes",
			      target_size - 1);
	memcpy(target, p->text, length);
	target[length] = '\0';
	p->at = p->text + length;
	*ret_single = false;
	if (*target == '@')
		return parse_group(p, length);
	glob = strpbrk(target, "*?") != NULL;
	if (!glob) {
		int api = claw_api_find(target);

		if (api < 0) {
			struct claw_nearest n;
			char hint[HINT_MAX];

			claw_nearest_init(&n, target);
			for (unsigned int i = 0; i < CLAW_API_COUNT; i++)
				claw_nearest_offer(&n, claw_api_table[i].name);
			return refuse(p, p->text, "expected an OpenCL function, "
				      "a glob or a @group, found \"%.80s\"%s",
				      target, hint_of(&n, hint));
		}
		target_add(p->rule, (unsigned int)api);
		*ret_single = true;
		return 0;
	}
	for (unsigned int api = 0; api < CLAW_API_COUNT; api++)
		if (claw_glob_match(target, claw_api_table[api].name))
			target_add(p->rule, api);
	if (!has_targets(p->rule))
		return refuse(p, p->text, "expected a glob that matches an "
			      "OpenCL function; \"%.80s\" matches none", target);
	return 0;
}

/* -------------------------------------------------------------- values */

static int parse_code(struct parser *p)
{
	const char *word = p->word;
	bool negative = *word == '-';
	uint64_t number;

	p->code = p->value;
	if (!claw_code_find(word, p->word_length, &p->rule->error)) {
		if (p->rule->error)
			return 0;
		return refuse(p, p->value, "expected an error code; "
			      "CL_SUCCESS is none");
	}
	if (negative)
		word++;
	if (read_uint(&word, 10, &number) && !*word && number &&
	    number <= INT32_MAX) {
		if (!negative)
			return refuse(p, p->value, "expected a negative number "
				      "or a CL_ name, found \"%s\"", p->word);
		p->rule->error = -(cl_int)number;
		return 0;
	}
	return refuse(p, p->value, "expected an OpenCL error code such as "
		      "CL_OUT_OF_RESOURCES, found \"%.80s\"", p->word);
}

/* "expected a, b or c, found ..." */
static int refuse_word(struct parser *p, const struct value *v,
		       const char *found, int length)
{
	char list[LIST_MAX];
	struct writer w = { list, sizeof(list), 0 };
	const char *word = v->what;
	size_t size = 0;

	while ((word = claw_fault_next_word(word, &size)))
		put(&w, "%s%.*s", word == v->what ? "" : word[size] ? ", " :
		    " or ", (int)size, word);
	return refuse(p, p->value + (found - p->word), "expected %s, found "
		      "\"%.*s\"", list, length < 80 ? length : 80, found);
}

static int parse_words(struct parser *p, const struct value *v)
{
	const char *word = p->word;
	bool one = v->kind == CLAW_VALUE_WORD;

	for (;;) {
		size_t length = strcspn(word, one ? "" : ",");
		int i = claw_fault_find_word(v->what, word, length);

		if (i < 0)
			return refuse_word(p, v, word, (int)length);
		p->rule->words |= one ? (unsigned int)i : 1u << i;
		if (!word[length])
			return 0;
		word += length + 1;
	}
}

static int parse_number(struct parser *p, const struct value *v,
			const char *unit, double low, double high,
			double *ret_number)
{
	const char *end = read_number(p->word, ret_number);

	if (!end || strcmp(end, unit) || *ret_number < low ||
	    *ret_number > high)
		return refuse(p, p->value, "expected %s, found \"%.80s\"",
			      v->what, p->word);
	return 0;
}

static int parse_count(struct parser *p, const struct value *v,
		       unsigned int base, uint64_t *ret_number)
{
	const char *word = p->word;

	if (!read_uint(&word, base, ret_number) || *word ||
	    *ret_number < v->low || *ret_number > v->high ||
	    (base == 16 && p->word_length > 16))
		return refuse(p, p->value, "expected %s, found \"%.80s\"",
			      v->what, p->word);
	return 0;
}

static int parse_when(struct parser *p)
{
	struct claw_rule *rule = p->rule;
	const char *word = p->word;

	rule->when_step = 1;
	if (!read_uint(&word, 10, &rule->when_first) || !rule->when_first)
		return refuse(p, p->value, "expected a call number from 1, "
			      "found \"%.80s\"", p->word);
	rule->when_last = rule->when_first;
	if (!strncmp(word, "..", 2)) {
		word += 2;
		rule->when_last = UINT64_MAX;
		if (*word >= '0' && *word <= '9' &&
		    (!read_uint(&word, 10, &rule->when_last) ||
		     rule->when_last < rule->when_first))
			return refuse(p, p->value, "expected a range from low "
				      "to high, found \"%.80s\"", p->word);
	} else if (*word == '+') {
		rule->when_last = UINT64_MAX;
	}
	if (*word == '+') {
		word++;
		if (*word && (!read_uint(&word, 10, &rule->when_step) ||
			      !rule->when_step))
			return refuse(p, p->value, "expected a step from 1 "
				      "after \"+\", found \"%.80s\"", p->word);
	}
	if (*word)
		return refuse(p, p->value + (word - p->word), "expected "
			      "FIRST[..[LAST]][+STEP], found \"%.40s\"", word);
	return 0;
}

static int parse_delay(struct parser *p)
{
	const char *dots = strstr(p->word, "..");
	size_t low = dots ? (size_t)(dots - p->word) : p->word_length;

	if (read_quantity(p, p->word, low, p->value, &durations,
			  &p->rule->delay_low_ns))
		return -1;
	p->rule->delay_high_ns = p->rule->delay_low_ns;
	if (!dots)
		return 0;
	if (read_quantity(p, dots + 2, p->word_length - low - 2,
			  p->value + low + 2, &durations,
			  &p->rule->delay_high_ns))
		return -1;
	if (p->rule->delay_high_ns < p->rule->delay_low_ns)
		return refuse(p, p->value, "expected a range from short to "
			      "long, found \"%.80s\"", p->word);
	return 0;
}

static int parse_at(struct parser *p)
{
	const char *colon = strrchr(p->word, ':');

	if (colon && colon > p->word && colon[-1] != ':' &&
	    colon[1] && strspn(colon + 1, "0123456789") != strlen(colon + 1) &&
	    !strchr(p->word, '('))
		return refuse(p, p->value, "expected FUNCTION or FILE:LINE, "
			      "found \"%.80s\"", p->word);
	memcpy(p->rule->at, p->word, p->word_length + 1);
	return 0;
}

static int parse_pc(struct parser *p)
{
	const char *word = p->word;
	struct claw_pc_range *pc = &p->rule->pcs[p->rule->pc_count];
	size_t length = strcspn(word, "+");

	if (p->rule->pc_count == CLAW_RULE_PCS_MAX)
		return refuse(p, p->part, "more than %d places", CLAW_RULE_PCS_MAX);
	if (length % 2 || length / 2 > sizeof(pc->build_id) || !length)
		goto bad;
	for (size_t i = 0; i < length; i += 2) {
		char digits[3] = { word[i], word[i + 1], '\0' };
		const char *end = digits;
		uint64_t byte;

		if (!read_uint(&end, 16, &byte) || *end)
			goto bad;
		pc->build_id[i / 2] = (uint8_t)byte;
	}
	pc->build_id_bytes = (uint32_t)(length / 2);
	word += length;
	if (strncmp(word, "+0x", 3))
		goto bad;
	word += 3;
	if (!read_uint(&word, 16, &pc->low) || strncmp(word, "-0x", 3))
		goto bad;
	word += 3;
	if (!read_uint(&word, 16, &pc->high) || *word || pc->high <= pc->low)
		goto bad;
	p->rule->pc_count++;
	return 0;
bad:
	return refuse(p, p->value, "expected BUILDID+0xLOW-0xHIGH, found "
		      "\"%.80s\"", p->word);
}

static int parse_value(struct parser *p, const struct value *v)
{
	void *at = (char *)p->rule + v->at;

	switch (v->kind) {
	case CLAW_VALUE_CODE:
		return parse_code(p);
	case CLAW_VALUE_WORD:
	case CLAW_VALUE_WORDS:
		return parse_words(p, v);
	case CLAW_VALUE_RECOVER:
		p->rule->recover_context = !strcmp(p->word, "context");
		if (p->rule->recover_context)
			return 0;
		/* Fall through. */
	case CLAW_VALUE_TIME:
	case CLAW_VALUE_MAYBE_TIME:
		return read_quantity(p, p->word, p->word_length, p->value,
				     &durations, at);
	case CLAW_VALUE_TIMES:
		return parse_delay(p);
	case CLAW_VALUE_SIZE:
		return read_quantity(p, p->word, p->word_length, p->value,
				     &sizes, at);
	case CLAW_VALUE_PERCENT:
		return parse_number(p, v, "%", 0, 100, at);
	case CLAW_VALUE_PART:
		return parse_number(p, v, "%", 1e-6, 100 - 1e-6, at);
	case CLAW_VALUE_FACTOR:
		return parse_number(p, v, "", 1, 1e6, at);
	case CLAW_VALUE_COUNT:
		return parse_count(p, v, 10, at);
	case CLAW_VALUE_HASH:
		return parse_count(p, v, 16, at);
	case CLAW_VALUE_WHEN:
		return parse_when(p);
	case CLAW_VALUE_AT:
		return parse_at(p);
	case CLAW_VALUE_TEXT:
		memcpy(at, p->word, p->word_length + 1);
		return 0;
	case CLAW_VALUE_PC:
		return parse_pc(p);
	case CLAW_VALUE_NONE:
		break;
	}
	return refuse(p, p->value, "expected no value after \"%s\", found one",
		      v->name);
}

static void put_code(struct writer *w, cl_int error)
{
	const char *code = claw_code_name(error);

	if (code)
		put(w, "%s", code);
	else
		put(w, "%d", (int)error);
}

static void put_words(struct writer *w, const struct value *v,
		      unsigned int bits)
{
	const char *word = v->what, *comma = "";
	size_t length = 0;

	for (; (word = claw_fault_next_word(word, &length)); bits >>= 1)
		if (bits & 1) {
			put(w, "%s%.*s", comma, (int)length, word);
			comma = ",";
		}
}

static void put_when(struct writer *w, const struct claw_rule *rule)
{
	put(w, "%llu", (unsigned long long)rule->when_first);
	if (rule->when_last == UINT64_MAX)
		put(w, "..");
	else if (rule->when_last != rule->when_first)
		put(w, "..%llu", (unsigned long long)rule->when_last);
	if (rule->when_step != 1)
		put(w, "+%llu", (unsigned long long)rule->when_step);
}

static void put_delay(struct writer *w, const struct claw_rule *rule)
{
	put_duration(w, rule->delay_low_ns);
	if (rule->delay_high_ns != rule->delay_low_ns) {
		put(w, "..");
		put_duration(w, rule->delay_high_ns);
	}
}

static void put_pcs(struct writer *w, const struct claw_rule *rule)
{
	for (unsigned int i = 0; i < rule->pc_count; i++) {
		const struct claw_pc_range *pc = &rule->pcs[i];

		put(w, "%s", i ? ":pc=" : "");
		for (unsigned int j = 0; j < pc->build_id_bytes; j++)
			put(w, "%02x", pc->build_id[j]);
		put(w, "+0x%llx-0x%llx", (unsigned long long)pc->low,
		    (unsigned long long)pc->high);
	}
}

static void put_value(struct writer *w, const struct claw_rule *rule,
		      const struct value *v)
{
	const void *at = (const char *)rule + v->at;
	const uint64_t *number = at;
	const double *real = at;

	switch (v->kind) {
	case CLAW_VALUE_CODE:
		put_code(w, rule->error);
		break;
	case CLAW_VALUE_WORD:
		put_words(w, v, 1u << rule->words);
		break;
	case CLAW_VALUE_WORDS:
		put_words(w, v, rule->words);
		break;
	case CLAW_VALUE_RECOVER:
		if (rule->recover_context) {
			put(w, "context");
			break;
		}
		/* Fall through. */
	case CLAW_VALUE_TIME:
	case CLAW_VALUE_MAYBE_TIME:
		put_duration(w, *number);
		break;
	case CLAW_VALUE_TIMES:
		put_delay(w, rule);
		break;
	case CLAW_VALUE_SIZE:
		put_size(w, *number);
		break;
	case CLAW_VALUE_PERCENT:
	case CLAW_VALUE_PART:
		put_number(w, *real, "%");
		break;
	case CLAW_VALUE_FACTOR:
		put_number(w, *real, "");
		break;
	case CLAW_VALUE_COUNT:
		put(w, "%llu", (unsigned long long)*number);
		break;
	case CLAW_VALUE_HASH:
		put(w, "%llx", (unsigned long long)*number);
		break;
	case CLAW_VALUE_WHEN:
		put_when(w, rule);
		break;
	case CLAW_VALUE_AT:
	case CLAW_VALUE_TEXT:
		put_text(w, at);
		break;
	case CLAW_VALUE_PC:
		put_pcs(w, rule);
		break;
	case CLAW_VALUE_NONE:
		break;
	}
}

/* --------------------------------------------------------------- parts */

#define AT(member_) offsetof(struct claw_rule, member_)

static struct value value_of(enum claw_fault fault)
{
	const struct claw_fault_info *info = &claw_fault_table[fault];
	bool is_time = info->value == CLAW_VALUE_TIME ||
		       info->value == CLAW_VALUE_MAYBE_TIME;

	return (struct value) {
		.name = info->name, .kind = info->value, .what = info->words,
		.at = is_time ? AT(time_ns) : AT(number),
	};
}

static bool needs_value(enum claw_fault fault)
{
	enum claw_fault_value kind = claw_fault_table[fault].value;

	return kind == CLAW_VALUE_CODE || kind == CLAW_VALUE_TIME ||
	       kind == CLAW_VALUE_FACTOR;
}

enum { ALL_WORDS = CLAW_NULL_HANDLE | CLAW_NULL_MAP | CLAW_NULL_ARG, HALF = 50 };

/* Nothing stands behind the fault. */
static void set_default(struct claw_rule *rule)
{
	enum claw_fault_value kind = claw_fault_table[rule->fault].value;

	rule->words = kind == CLAW_VALUE_WORDS ? ALL_WORDS : 0;
	rule->number = kind == CLAW_VALUE_PART ? HALF : 0;
}

static bool is_default(const struct claw_rule *rule)
{
	switch (claw_fault_table[rule->fault].value) {
	case CLAW_VALUE_WORD:
		return rule->words == 0;
	case CLAW_VALUE_WORDS:
		return rule->words == ALL_WORDS;
	case CLAW_VALUE_PART:
		return rule->number >= HALF && rule->number <= HALF;
	default:
		return !needs_value(rule->fault) && rule->time_ns == 0;
	}
}

static int parse_fault(struct parser *p, enum claw_fault fault)
{
	struct value value = value_of(fault);
	struct claw_rule *rule = p->rule;

	if (rule->fault == fault)
		return refuse(p, p->part, "duplicate action \"%s\"", value.name);
	if (rule->fault)
		return refuse(p, p->part, "expected one fault a rule, found "
			      "\"%s\" after \"%s\"", value.name,
			      claw_fault_table[rule->fault].name);
	rule->fault = fault;
	if (needs_value(fault) && need_value(p, &value))
		return -1;
	if (p->value)
		return parse_value(p, &value);
	set_default(rule);
	return 0;
}

static void put_fault(struct writer *w, const struct claw_rule *rule)
{
	struct value value = value_of(rule->fault);

	put(w, ":%s", value.name);
	if (is_default(rule))
		return;
	put(w, "=");
	put_value(w, rule, &value);
}

static bool has_size(enum claw_api api)
{
	return claw_api_find_param(api, CLAW_P_SIZE) >= 0 ||
	       claw_api_makes_image(api) || claw_api_makes_part(api) ||
	       claw_api_find_param(api, CLAW_P_PACKET_SIZE) >= 0 ||
	       claw_api_find_touch(api, CLAW_TOUCH_BUFFER_RECT);
}

static bool has_kernel(enum claw_api api)
{
	return claw_api_find_param(api, CLAW_P_KERNEL) >= 0 ||
	       api == CLAW_API_clCreateKernel;
}

static bool has_device(enum claw_api api)
{
	for (int role = CLAW_P_DEVICE; role <= CLAW_P_EVENTS; role++)
		if (claw_api_find_param(api, (enum claw_role)role) >= 0)
			return true;
	return false;
}

/* In canonical order. */
static const struct value conditions[] = {
	{ "recover", CLAW_HAS_RECOVER, CLAW_VALUE_RECOVER,
	  "a duration or context", .at = AT(recover_ns) },
	{ "delay", CLAW_HAS_DELAY, CLAW_VALUE_TIMES,
	  "a duration such as \"500ms\"", .at = AT(delay_low_ns) },
	{ "when", CLAW_HAS_WHEN, CLAW_VALUE_WHEN, "a call number",
	  .at = AT(when_first) },
	{ "p", CLAW_HAS_PERCENT, CLAW_VALUE_PERCENT,
	  "a percentage such as \"10%\", at most 100%", .at = AT(percent) },
	{ "above", CLAW_HAS_ABOVE, CLAW_VALUE_SIZE, "a size",
	  .at = AT(above_bytes), .is_for = has_size, .whose = "asks for bytes" },
	{ "after", CLAW_HAS_AFTER, CLAW_VALUE_TIME, "a duration",
	  .at = AT(after_ns) },
	{ "kernel", CLAW_HAS_KERNEL, CLAW_VALUE_TEXT, "a kernel's name or glob",
	  .at = AT(kernel), .is_for = has_kernel, .whose = "is given a kernel" },
	{ "device", CLAW_HAS_DEVICE, CLAW_VALUE_COUNT, "a device number from 0",
	  .at = AT(device), .low = 0, .high = 4095, .is_for = has_device,
	  .whose = "concerns a device" },
	{ "thread", CLAW_HAS_THREAD, CLAW_VALUE_COUNT, "a thread number from 1",
	  .at = AT(thread), .low = 1, .high = UINT32_MAX },
	{ "site", CLAW_HAS_SITE, CLAW_VALUE_HASH,
	  "a site: up to 16 hex digits, not all 0",
	  .at = AT(site), .low = 1, .high = UINT64_MAX },
	{ "at", CLAW_HAS_AT, CLAW_VALUE_AT, "FUNCTION or FILE:LINE",
	  .at = AT(at) },
	{ "pc", CLAW_HAS_PC, CLAW_VALUE_PC, "a place", .at = AT(pcs) },
	{ "exe", CLAW_HAS_EXE, CLAW_VALUE_TEXT, "a program's name or glob",
	  .at = AT(exe) },
	{ "times", CLAW_HAS_TIMES, CLAW_VALUE_COUNT, "a number from 1",
	  .at = AT(times), .low = 1, .high = UINT64_MAX },
};
enum { CONDITION_COUNT = sizeof(conditions) / sizeof(conditions[0]) };

const char *claw_rule_condition(size_t place, enum claw_fault_value *ret_value,
				const char **ret_expected)
{
	if (place >= CONDITION_COUNT)
		return NULL;
	*ret_value = conditions[place].kind;
	*ret_expected = conditions[place].what;
	return conditions[place].name;
}

static int parse_condition(struct parser *p, const struct value *v)
{
	if (p->rule->has & v->bit && v->bit != CLAW_HAS_PC)
		return refuse(p, p->part, "duplicate %s \"%s\"",
			      v->bit == CLAW_HAS_DELAY ? "action" : "condition",
			      v->name);
	p->rule->has |= v->bit;
	return need_value(p, v) ? -1 : parse_value(p, v);
}

/* "error= oom delay=", all of them. */
static const char *list_of_faults(char list[LIST_MAX])
{
	struct writer w = { list, LIST_MAX, 0 };

	for (unsigned int i = 1; i < CLAW_FAULT_COUNT; i++)
		put(&w, "%s%s ", claw_fault_table[i].name,
		    needs_value((enum claw_fault)i) ? "=" : "");
	put(&w, "delay=");
	return list;
}

static int refuse_part(struct parser *p, const char *name)
{
	char hint[HINT_MAX], list[LIST_MAX];
	struct claw_nearest n;

	claw_nearest_init(&n, name);
	for (unsigned int fault = 1; fault < CLAW_FAULT_COUNT; fault++)
		claw_nearest_offer(&n, claw_fault_table[fault].name);
	for (unsigned int i = 0; i < CONDITION_COUNT; i++)
		if (conditions[i].bit != CLAW_HAS_PC)
			claw_nearest_offer(&n, conditions[i].name);
	return refuse(p, p->part, "expected a fault (%s) or a condition, "
		      "found \"%s\"%s", list_of_faults(list), name,
		      hint_of(&n, hint));
}

static int parse_part(struct parser *p)
{
	size_t length = strcspn(p->at, ":=\"");
	char name[64];

	p->part = p->at;
	p->value = NULL;
	if (!length)
		return refuse(p, p->at, "expected an action or a condition, "
			      "found %s", *p->at ? "an empty part" : "the end");
	if (length >= sizeof(name))
		return refuse(p, p->at, "expected an action or a condition, "
			      "found \"%.40s...\"", p->at);
	memcpy(name, p->at, length);
	name[length] = '\0';
	p->at += length;
	if (*p->at == '"')
		return refuse(p, p->at, "expected \"=\" before a quoted value, "
			      "found none");
	if (*p->at == '=') {
		p->at++;
		if (read_value(p, !strcmp(name, "at")))
			return -1;
	}
	for (unsigned int fault = 1; fault < CLAW_FAULT_COUNT; fault++)
		if (!strcmp(name, claw_fault_table[fault].name))
			return parse_fault(p, (enum claw_fault)fault);
	for (unsigned int i = 0; i < CONDITION_COUNT; i++)
		if (!strcmp(name, conditions[i].name))
			return parse_condition(p, &conditions[i]);
	return refuse_part(p, name);
}

/* ------------------------------------------------------------- checks */

/* Say why a rule that names one function cannot be. */
static int refuse_single(struct parser *p, enum claw_api api)
{
	const struct claw_rule *rule = p->rule;
	const char *fault = claw_fault_table[rule->fault].name;
	const char *name = claw_api_table[api].name;
	const char *code = claw_code_name(rule->error);
	char number[16];

	if (rule->fault != CLAW_FAULT_ERROR)
		return refuse(p, p->text, "expected a function in which "
			      "\"%s\" can happen, found %s", fault, name);
	snprintf(number, sizeof(number), "%d", (int)rule->error);
	return refuse(p, p->code, "expected a code that the specification "
		      "allows for %s (openclaw inject --list), found %s (use "
		      "--allow-illegal to have it all the same)", name,
		      code ? code : number);
}

static int keep_only(struct parser *p, const struct value *v)
{
	for (unsigned int api = 0; api < CLAW_API_COUNT; api++)
		if (!v->is_for((enum claw_api)api))
			target_remove(p->rule, api);
	if (has_targets(p->rule))
		return 0;
	return refuse(p, p->text, "%s= needs a function that %s; \"%.*s\" is "
		      "none", v->name, v->whose, (int)strcspn(p->text, ":"),
		      p->text);
}

static int check_targets(struct parser *p, bool single)
{
	struct claw_rule *rule = p->rule;
	bool broad = *p->text == '@' && strncmp(p->text, "@release", 8);

	for (unsigned int api = 0; api < CLAW_API_COUNT; api++) {
		if (!claw_rule_targets(rule, (enum claw_api)api) ||
		    claw_fault_applies(rule, (enum claw_api)api, broad,
				       p->allow_illegal))
			continue;
		if (single)
			return refuse_single(p, (enum claw_api)api);
		target_remove(rule, api);
	}
	if (!has_targets(rule))
		return refuse(p, p->text, "expected a target in which \"%s\" "
			      "can happen; it can in none of \"%.*s\"",
			      claw_fault_table[rule->fault].name,
			      (int)strcspn(p->text, ":"), p->text);
	for (unsigned int i = 0; i < CONDITION_COUNT; i++)
		if (rule->has & conditions[i].bit && conditions[i].is_for &&
		    keep_only(p, &conditions[i]))
			return -1;
	return 0;
}

/* --------------------------------------------------------------- rules */

static int write_canonical(struct parser *p, const char *target)
{
	struct claw_rule *rule = p->rule;
	struct writer w = { rule->text, sizeof(rule->text), 0 };

	put(&w, "%s", target);
	if (rule->fault)
		put_fault(&w, rule);
	for (unsigned int i = 0; i < CONDITION_COUNT; i++)
		if (rule->has & conditions[i].bit) {
			put(&w, ":%s=", conditions[i].name);
			put_value(&w, rule, &conditions[i]);
		}
	if (w.length >= w.size)
		return refuse(p, p->text, "the rule is longer than %zu bytes",
			      sizeof(rule->text) - 1);
	return 0;
}

int claw_rule_parse(const char *text, bool allow_illegal,
		    struct claw_rule *ret_rule, struct claw_plan_error *reterr)
{
	struct parser p = {
		.text = text, .at = text, .rule = ret_rule, .error = reterr,
		.allow_illegal = allow_illegal,
	};
	char target[128], list[LIST_MAX];
	bool single;

	memset(ret_rule, 0, sizeof(*ret_rule));
	memset(reterr, 0, sizeof(*reterr));
	ret_rule->device = -1;
	ret_rule->percent = -1;
	if (parse_target(&p, target, sizeof(target), &single))
		return -1;
	if (*p.at != ':')
		return refuse(&p, p.at, "expected \":\" and an action after "
			      "the target, found neither");
	while (*p.at == ':') {
		p.at++;
		if (parse_part(&p))
			return -1;
	}
	if (!ret_rule->fault && !(ret_rule->has & CLAW_HAS_DELAY))
		return refuse(&p, p.at, "expected an action (%s), found only "
			      "conditions", list_of_faults(list));
	if (ret_rule->has & CLAW_HAS_RECOVER &&
	    ret_rule->fault != CLAW_FAULT_DEVICE_LOST)
		return refuse(&p, text, "recover= belongs to device-lost");
	if (check_targets(&p, single))
		return -1;
	return write_canonical(&p, target);
}
