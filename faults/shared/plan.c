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
 *	       | "driver-crash" | "break"
 *	       | "delay=" DURATION [ ".." DURATION ]
 *	WHEN   = "when=" FIRST [ ".." [ LAST ] ] [ "+" [ STEP ] ]
 *	       | "p=" NUMBER "%" | "above=" SIZE | "after=" DURATION
 *	       | "kernel=" GLOB | "device=" N | "thread=" N | "site=" HASH
 *	       | "at=" ( FUNCTION | FILE ":" LINE ) | "exe=" GLOB | "times=" N
 *	       | "pc=" BUILDID "+0x" LOW "-0x" HIGH	(made of at= by the host)
 *	CODE     = CL_ name | negative number
 *	DURATION = NUMBER ( "ns" | "us" | "ms" | "s" | "m" | "h" )
 *	SIZE     = NUMBER ( "B" | "KiB" | "MiB" | "GiB" | "TiB" | "K" | "M"
 *			  | "G" | "T" | "KB" | "MB" | "GB" | "TB" )
 *
 * A value may stand in double quotes, in which \" and \\ are the characters
 * themselves. At most one fault and one delay a rule; each condition once.
 */
#include "config.h"

#include "plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct claw_fault_info claw_fault_table[CLAW_FAULT_COUNT] = {
	[CLAW_FAULT_NONE] = { "none", "", "", NULL },
#define UNSEEN NULL
#define FAULT(id_, name_, code_, summary_, seen_) \
	[CLAW_FAULT_##id_] = { name_, code_, summary_, seen_ },
#include "faults.def"
#undef FAULT
#undef UNSEEN
};

const char *const claw_crash_names[CLAW_CRASH_KINDS] = {
	"illegal-access", "misaligned", "trap",
};

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
	uint32_t seen;			/* bits: conditions met so far */
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

/* Edit distance, up to a limit, of two words; for "did you mean". */
static unsigned int word_distance(const char *a, size_t a_length, const char *b)
{
	unsigned int row[64];
	size_t b_length = strlen(b);

	if (a_length >= 63 || b_length >= 63)
		return 99;
	for (size_t j = 0; j <= b_length; j++)
		row[j] = (unsigned int)j;
	for (size_t i = 1; i <= a_length; i++) {
		unsigned int diagonal = row[0];

		row[0] = (unsigned int)i;
		for (size_t j = 1; j <= b_length; j++) {
			unsigned int cost = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < cost)
				cost = row[j] + 1;
			if (row[j - 1] + 1 < cost)
				cost = row[j - 1] + 1;
			row[j] = cost;
		}
	}
	return row[b_length];
}

struct nearest {
	const char *word;
	size_t length;
	const char *best;
	unsigned int distance;
};

static void nearest_consider(struct nearest *n, const char *candidate)
{
	unsigned int distance = word_distance(n->word, n->length, candidate);

	if (distance < n->distance) {
		n->distance = distance;
		n->best = candidate;
	}
}

/* "; did you mean X?" or "" into buffer. */
static const char *nearest_text(const struct nearest *n, char *buffer,
				size_t size)
{
	if (!n->best || n->distance > 2 + n->length / 6)
		return "";
	snprintf(buffer, size, "; did you mean %s?", n->best);
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

/* Whole number; false on overflow or no digit. *text moves behind it. */
static bool read_uint(const char **text, uint64_t *ret_number)
{
	const char *p = *text;
	uint64_t number = 0;

	while (*p >= '0' && *p <= '9') {
		unsigned int digit = (unsigned int)(*p - '0');

		if (number > (UINT64_MAX - digit) / 10)
			return false;
		number = number * 10 + digit;
		p++;
	}
	if (p == *text)
		return false;
	*text = p;
	*ret_number = number;
	return true;
}

static bool read_hex(const char **text, uint64_t *ret_number)
{
	const char *p = *text;
	uint64_t number = 0;
	int digits = 0;

	for (;; p++, digits++) {
		unsigned int digit;

		if (*p >= '0' && *p <= '9')
			digit = (unsigned int)(*p - '0');
		else if (*p >= 'a' && *p <= 'f')
			digit = (unsigned int)(*p - 'a') + 10;
		else if (*p >= 'A' && *p <= 'F')
			digit = (unsigned int)(*p - 'A') + 10;
		else
			break;
		if (digits == 16)
			return false;
		number = number << 4 | digit;
	}
	if (!digits)
		return false;
	*text = p;
	*ret_number = number;
	return true;
}

struct unit {
	const char *name;
	double factor;
};

static const struct unit duration_units[] = {
	{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
	{ "m", 60e9 }, { "h", 3600e9 }, { NULL, 0 },
};

static const struct unit size_units[] = {
	{ "B", 1 },
	{ "KiB", 1024. }, { "MiB", 1048576. }, { "GiB", 1073741824. },
	{ "TiB", 1099511627776. },
	{ "K", 1024. }, { "M", 1048576. }, { "G", 1073741824. },
	{ "T", 1099511627776. },
	{ "KB", 1e3 }, { "MB", 1e6 }, { "GB", 1e9 }, { "TB", 1e12 },
	{ NULL, 0 },
};

/*
 * A quantity of text[0..length) with one of the units. what: "duration" or
 * "size"; where: its place in the rule.
 */
static int read_quantity(struct parser *p, const char *text, size_t length,
			 const char *where, const char *what,
			 const struct unit *units, uint64_t *ret_value)
{
	bool is_size = units == size_units;
	const char *example = is_size ? "\"64MiB\"" : "\"500ms\"";
	const char *list = is_size ? "B KiB MiB GiB TiB KB MB GB TB"
				   : "ns us ms s m h";
	double number;
	const char *unit = read_number(text, &number);

	if (!unit || unit > text + length)
		return refuse(p, where, "expected a %s such as %s; found \"%.*s\"",
			      what, example, (int)length, text);
	size_t unit_length = length - (size_t)(unit - text);

	if (!unit_length)
		return refuse(p, where, "expected a unit (%s) after the %s, "
			      "as in %s; found the bare number \"%.*s\" "
			      "(only options take one)", list, what, example,
			      (int)length, text);
	for (; units->name; units++)
		if (strlen(units->name) == unit_length &&
		    !memcmp(units->name, unit, unit_length))
			break;
	if (!units->name)
		return refuse(p, where, "expected a unit (%s); found \"%.*s\"",
			      list, (int)unit_length, unit);
	if (number * units->factor >= 9.2e18)
		return refuse(p, where, "the %s \"%.*s\" is too large", what,
			      (int)length, text);
	*ret_value = (uint64_t)(number * units->factor + 0.5);
	return 0;
}

/* One rule is one line, wherever it is written. */
static int refuse_control(struct parser *p)
{
	for (size_t i = 0; i < p->word_length; i++)
		if ((unsigned char)p->word[i] < ' ')
			return refuse(p, p->value, "expected no control "
				      "character in a value; found 0x%02x",
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
			return refuse(p, open, "expected a closing '\"'");
		p->at++;
		if (*p->at && *p->at != ':')
			return refuse(p, p->at, "expected ':' or the end after "
				      "the quoted value; found \"%.20s\"", p->at);
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
		return refuse(p, p->value, "expected a value after \"=\"");
	return refuse_control(p);
}

static int need_value(struct parser *p, const char *name, const char *what)
{
	if (p->value)
		return 0;
	return refuse(p, p->at, "expected \"=\" and %s after \"%s\"", what, name);
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
			      "@any); found \"%.*s\"", (int)length, p->text);
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
			      "@group; found %s",
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
			struct nearest n = { target, length, NULL, 99 };
			char hint[96];

			for (unsigned int i = 0; i < CLAW_API_COUNT; i++)
				nearest_consider(&n, claw_api_table[i].name);
			return refuse(p, p->text, "expected an OpenCL function, "
				      "a glob or a @group; found \"%.80s\"%s",
				      target, nearest_text(&n, hint, sizeof(hint)));
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

/* ------------------------------------------------------------- actions */

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
	if (read_uint(&word, &number) && !*word && number &&
	    number <= INT32_MAX) {
		if (!negative)
			return refuse(p, p->value, "expected a negative number "
				      "or a CL_ name; found \"%s\"", p->word);
		p->rule->error = -(cl_int)number;
		return 0;
	}
	return refuse(p, p->value, "expected an OpenCL error code such as "
		      "CL_OUT_OF_RESOURCES; found \"%.80s\"", p->word);
}

static int parse_null_kinds(struct parser *p)
{
	static const struct { const char *name; unsigned int kind; } kinds[] = {
		{ "handle", CLAW_NULL_HANDLE }, { "map", CLAW_NULL_MAP },
		{ "arg", CLAW_NULL_ARG },
	};
	const char *word = p->word;

	if (!p->value) {
		p->rule->null_kinds = CLAW_NULL_HANDLE | CLAW_NULL_MAP |
				      CLAW_NULL_ARG;
		return 0;
	}
	for (;;) {
		size_t length = strcspn(word, ",");
		size_t i;

		for (i = 0; i < 3; i++)
			if (strlen(kinds[i].name) == length &&
			    !memcmp(kinds[i].name, word, length))
				break;
		if (i == 3)
			return refuse(p, p->value + (word - p->word),
				      "expected handle, map or arg; found "
				      "\"%.*s\"", (int)length, word);
		p->rule->null_kinds |= kinds[i].kind;
		if (!word[length])
			return 0;
		word += length + 1;
	}
}

static int parse_hang(struct parser *p)
{
	if (!p->value)
		return 0;
	return read_quantity(p, p->word, p->word_length, p->value, "duration",
			     duration_units, &p->rule->hang_ns);
}

static int parse_build_fail(struct parser *p)
{
	p->rule->build_log = true;
	if (!p->value || !strcmp(p->word, "log"))
		return 0;
	p->rule->build_log = false;
	if (!strcmp(p->word, "no-log"))
		return 0;
	return refuse(p, p->value, "expected log or no-log; found \"%.80s\"",
		      p->word);
}

static int parse_crash(struct parser *p)
{
	for (unsigned int kind = 0; kind < CLAW_CRASH_KINDS; kind++)
		if (!p->value || !strcmp(p->word, claw_crash_names[kind])) {
			p->rule->crash = (enum claw_crash_kind)kind;
			return 0;
		}
	return refuse(p, p->value, "expected illegal-access, misaligned or "
		      "trap; found \"%.80s\"", p->word);
}

static int parse_ecc(struct parser *p)
{
	p->rule->correctable = p->value && !strcmp(p->word, "correctable");
	if (!p->value || p->rule->correctable ||
	    !strcmp(p->word, "uncorrectable"))
		return 0;
	return refuse(p, p->value, "expected uncorrectable or correctable; "
		      "found \"%.80s\"", p->word);
}

static int parse_stall(struct parser *p)
{
	return read_quantity(p, p->word, p->word_length, p->value, "duration",
			     duration_units, &p->rule->stall_ns);
}

static int parse_part_percent(struct parser *p)
{
	double *percent = &p->rule->part_percent;
	const char *end;

	*percent = 50;
	if (!p->value)
		return 0;
	end = read_number(p->word, percent);
	if (!end || strcmp(end, "%") || *percent <= 0 || *percent >= 100)
		return refuse(p, p->value, "expected a share of the "
			      "work-items such as \"50%%\"; found \"%.80s\"",
			      p->word);
	return 0;
}

static int parse_factor(struct parser *p)
{
	const char *end;

	if (need_value(p, "throttle", "a factor such as \"4\""))
		return -1;
	end = read_number(p->word, &p->rule->factor);
	if (!end || *end || p->rule->factor < 1 || p->rule->factor > 1e6)
		return refuse(p, p->value, "expected a factor from 1 to "
			      "1000000; found \"%.80s\"", p->word);
	return 0;
}

static int parse_delay(struct parser *p)
{
	const char *dots = strstr(p->word, "..");
	size_t low = dots ? (size_t)(dots - p->word) : p->word_length;

	if (p->rule->has_delay)
		return refuse(p, p->part, "duplicate action \"delay\"");
	if (need_value(p, "delay", "a duration such as \"500ms\""))
		return -1;
	p->rule->has_delay = true;
	if (read_quantity(p, p->word, low, p->value, "duration",
			  duration_units, &p->rule->delay_low_ns))
		return -1;
	p->rule->delay_high_ns = p->rule->delay_low_ns;
	if (!dots)
		return 0;
	if (read_quantity(p, dots + 2, p->word_length - low - 2,
			  p->value + low + 2, "duration", duration_units,
			  &p->rule->delay_high_ns))
		return -1;
	if (p->rule->delay_high_ns < p->rule->delay_low_ns)
		return refuse(p, p->value, "expected a range from short to "
			      "long; found \"%.80s\"", p->word);
	return 0;
}

/* ---------------------------------------------------------- conditions */

static int parse_count(struct parser *p, uint64_t low, uint64_t high,
		       const char *what, uint64_t *ret_number)
{
	const char *word = p->word;

	if (!read_uint(&word, ret_number) || *word || *ret_number < low ||
	    *ret_number > high)
		return refuse(p, p->value, "expected %s; found \"%.80s\"", what,
			      p->word);
	return 0;
}

static int parse_when(struct parser *p)
{
	struct claw_rule *rule = p->rule;
	const char *word = p->word;

	rule->has_when = true;
	rule->when_step = 1;
	if (!read_uint(&word, &rule->when_first) || !rule->when_first)
		return refuse(p, p->value, "expected a call number from 1; "
			      "found \"%.80s\"", p->word);
	rule->when_last = rule->when_first;
	if (!strncmp(word, "..", 2)) {
		word += 2;
		rule->when_last = UINT64_MAX;
		if (*word >= '0' && *word <= '9' &&
		    (!read_uint(&word, &rule->when_last) ||
		     rule->when_last < rule->when_first))
			return refuse(p, p->value, "expected a range from low "
				      "to high; found \"%.80s\"", p->word);
	} else if (*word == '+') {
		rule->when_last = UINT64_MAX;
	}
	if (*word == '+') {
		word++;
		if (*word && (!read_uint(&word, &rule->when_step) ||
			      !rule->when_step))
			return refuse(p, p->value, "expected a step from 1 "
				      "after \"+\"; found \"%.80s\"", p->word);
	}
	if (*word)
		return refuse(p, p->value + (word - p->word), "expected "
			      "FIRST[..[LAST]][+STEP]; found \"%.40s\"", word);
	return 0;
}

static int parse_percent(struct parser *p)
{
	const char *end = read_number(p->word, &p->rule->percent);

	if (!end || strcmp(end, "%"))
		return refuse(p, p->value, "expected a percentage such as "
			      "\"10%%\"; found \"%.80s\"", p->word);
	if (p->rule->percent > 100)
		return refuse(p, p->value, "expected at most 100%%; found "
			      "\"%.80s\"", p->word);
	return 0;
}

static int parse_above(struct parser *p)
{
	p->rule->has_above = true;
	return read_quantity(p, p->word, p->word_length, p->value, "size",
			     size_units, &p->rule->above_bytes);
}

static int parse_after(struct parser *p)
{
	p->rule->has_after = true;
	return read_quantity(p, p->word, p->word_length, p->value, "duration",
			     duration_units, &p->rule->after_ns);
}

static int parse_kernel(struct parser *p)
{
	memcpy(p->rule->kernel, p->word, p->word_length + 1);
	return 0;
}

static int parse_device(struct parser *p)
{
	uint64_t number = 0;

	if (parse_count(p, 0, 4095, "a device number from 0", &number))
		return -1;
	p->rule->device = (int)number;
	return 0;
}

static int parse_thread(struct parser *p)
{
	uint64_t number = 0;

	if (parse_count(p, 1, UINT32_MAX, "a thread number from 1", &number))
		return -1;
	p->rule->thread = (unsigned int)number;
	return 0;
}

static int parse_site(struct parser *p)
{
	const char *word = p->word;

	if (!read_hex(&word, &p->rule->site) || *word || !p->rule->site)
		return refuse(p, p->value, "expected a site: up to 16 hex "
			      "digits, not all 0; found \"%.80s\"", p->word);
	return 0;
}

static int parse_at(struct parser *p)
{
	const char *colon = strrchr(p->word, ':');

	if (colon && colon > p->word && colon[-1] != ':' &&
	    colon[1] && strspn(colon + 1, "0123456789") != strlen(colon + 1) &&
	    !strchr(p->word, '('))
		return refuse(p, p->value, "expected FUNCTION or FILE:LINE; "
			      "found \"%.80s\"", p->word);
	memcpy(p->rule->at, p->word, p->word_length + 1);
	return 0;
}

static int parse_exe(struct parser *p)
{
	memcpy(p->rule->exe, p->word, p->word_length + 1);
	return 0;
}

static int parse_times(struct parser *p)
{
	return parse_count(p, 1, UINT64_MAX, "a number from 1", &p->rule->times);
}

static int parse_recover(struct parser *p)
{
	if (!strcmp(p->word, "context")) {
		p->rule->recover_context = true;
		return 0;
	}
	return read_quantity(p, p->word, p->word_length, p->value, "duration",
			     duration_units, &p->rule->recover_ns);
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

		if (!read_hex(&end, &byte) || *end)
			goto bad;
		pc->build_id[i / 2] = (uint8_t)byte;
	}
	pc->build_id_bytes = (uint32_t)(length / 2);
	word += length;
	if (strncmp(word, "+0x", 3))
		goto bad;
	word += 3;
	if (!read_hex(&word, &pc->low) || strncmp(word, "-0x", 3))
		goto bad;
	word += 3;
	if (!read_hex(&word, &pc->high) || *word || pc->high <= pc->low)
		goto bad;
	p->rule->pc_count++;
	return 0;
bad:
	return refuse(p, p->value, "expected BUILDID+0xLOW-0xHIGH; found "
		      "\"%.80s\"", p->word);
}

static const struct condition {
	const char *name;
	const char *what;
	int (*parse)(struct parser *p);
	bool repeats;
} conditions[] = {
	{ "when", "a call number", parse_when, false },
	{ "p", "a percentage", parse_percent, false },
	{ "above", "a size", parse_above, false },
	{ "after", "a duration", parse_after, false },
	{ "kernel", "a kernel's name or glob", parse_kernel, false },
	{ "device", "a device number", parse_device, false },
	{ "thread", "a thread number", parse_thread, false },
	{ "site", "a site's hash", parse_site, false },
	{ "at", "FUNCTION or FILE:LINE", parse_at, false },
	{ "exe", "a program's name or glob", parse_exe, false },
	{ "times", "a number", parse_times, false },
	{ "recover", "a duration or context", parse_recover, false },
	{ "pc", "a place", parse_pc, true },
};
enum { CONDITION_COUNT = sizeof(conditions) / sizeof(conditions[0]) };

static int parse_fault(struct parser *p, enum claw_fault fault)
{
	const char *name = claw_fault_table[fault].name;

	if (p->rule->fault == fault)
		return refuse(p, p->part, "duplicate action \"%s\"", name);
	if (p->rule->fault)
		return refuse(p, p->part, "expected one fault a rule; found "
			      "\"%s\" after \"%s\"", name,
			      claw_fault_table[p->rule->fault].name);
	p->rule->fault = fault;
	switch (fault) {
	case CLAW_FAULT_ERROR:
		if (need_value(p, name, "a code such as CL_OUT_OF_RESOURCES"))
			return -1;
		return parse_code(p);
	case CLAW_FAULT_NULL:
		return parse_null_kinds(p);
	case CLAW_FAULT_HANG:
		return parse_hang(p);
	case CLAW_FAULT_BUILD_FAIL:
		return parse_build_fail(p);
	case CLAW_FAULT_GPU_CRASH:
		return parse_crash(p);
	case CLAW_FAULT_PARTIAL:
		return parse_part_percent(p);
	case CLAW_FAULT_ECC:
		return parse_ecc(p);
	case CLAW_FAULT_BUILD_DELAY:
		if (need_value(p, name, "a duration such as \"2s\""))
			return -1;
		return parse_stall(p);
	case CLAW_FAULT_PCIE:
		return p->value ? parse_stall(p) : 0;
	case CLAW_FAULT_THROTTLE:
		return parse_factor(p);
	default:
		if (p->value)
			return refuse(p, p->value, "expected no value after "
				      "\"%s\"", name);
		return 0;
	}
}

static int parse_part(struct parser *p)
{
	size_t length = strcspn(p->at, ":=\"");
	char name[64];

	p->part = p->at;
	p->value = NULL;
	if (!length)
		return refuse(p, p->at, "expected an action or a condition; "
			      "found %s", *p->at ? "an empty part" : "the end");
	if (length >= sizeof(name))
		return refuse(p, p->at, "expected an action or a condition; "
			      "found \"%.40s...\"", p->at);
	memcpy(name, p->at, length);
	name[length] = '\0';
	p->at += length;
	if (*p->at == '"')
		return refuse(p, p->at, "expected \"=\" before a quoted value");
	if (*p->at == '=') {
		p->at++;
		if (read_value(p, !strcmp(name, "at")))
			return -1;
	}
	if (!strcmp(name, "delay"))
		return parse_delay(p);
	for (unsigned int fault = 1; fault < CLAW_FAULT_COUNT; fault++)
		if (!strcmp(name, claw_fault_table[fault].name))
			return parse_fault(p, (enum claw_fault)fault);
	for (unsigned int i = 0; i < CONDITION_COUNT; i++) {
		if (strcmp(name, conditions[i].name))
			continue;
		if (p->seen >> i & 1 && !conditions[i].repeats)
			return refuse(p, p->part, "duplicate condition \"%s\"",
				      name);
		p->seen |= 1u << i;
		if (need_value(p, name, conditions[i].what))
			return -1;
		return conditions[i].parse(p);
	}

	struct nearest n = { name, length, NULL, 99 };
	char hint[96];

	nearest_consider(&n, "delay");
	for (unsigned int fault = 1; fault < CLAW_FAULT_COUNT; fault++)
		nearest_consider(&n, claw_fault_table[fault].name);
	for (unsigned int i = 0; i + 1 < CONDITION_COUNT; i++)
		nearest_consider(&n, conditions[i].name);
	return refuse(p, p->part, "expected a fault (error= oom oom-host delay= "
		      "null invalid-handle device-lost gpu-crash partial "
		      "hang build-fail build-delay= ecc pcie throttle= "
		      "driver-crash break) or a condition; found \"%s\"%s", name,
		      nearest_text(&n, hint, sizeof(hint)));
}

/* ------------------------------------------------------- applicability */

/* A launch of a kernel's work-items, into a queue. */
static bool is_launch(enum claw_api api)
{
	return claw_api_find_param(api, CLAW_P_KERNEL) >= 0 &&
	       claw_api_find_param(api, CLAW_P_QUEUE) >= 0 &&
	       claw_api_table[api].groups & CLAW_G_ENQUEUE;
}

/* Bytes go from the device to the program's own memory. */
static bool reads_back(enum claw_api api)
{
	const struct claw_touch *host = claw_api_find_host(api);

	return host && host->access == CLAW_TOUCH_WRITES;
}

/* They cross the bus, one way or the other. */
static bool crosses_bus(enum claw_api api)
{
	return claw_api_table[api].groups & CLAW_G_TRANSFER &&
	       claw_api_allows(api, CL_OUT_OF_RESOURCES) &&
	       (claw_api_find_param(api, CLAW_P_BLOCKING) >= 0 ||
		api == CLAW_API_clEnqueueUnmapMemObject ||
		api == CLAW_API_clEnqueueMigrateMemObjects);
}

static bool creates_handle(const struct claw_api_info *info)
{
	return info->fails_as == CLAW_HANDLE && info->effect == CLAW_CREATES;
}

/* Calls whose failure can come from the device being gone. */
static bool touches_device(const struct claw_api_info *info, enum claw_api api)
{
	if (info->groups & (CLAW_G_QUERY | CLAW_G_RELEASE) ||
	    info->effect == CLAW_RETAINS || info->fails_as == CLAW_VOID)
		return false;
	if (info->effect == CLAW_CREATES && info->object == CLAW_OBJ_CONTEXT)
		return true;
	return claw_api_allows(api, CL_OUT_OF_RESOURCES) &&
	       (claw_api_find_param(api, CLAW_P_CONTEXT) >= 0 ||
		claw_api_find_param(api, CLAW_P_QUEUE) >= 0 ||
		claw_api_find_param(api, CLAW_P_OPTIONAL_QUEUE) >= 0 ||
		claw_api_find_param(api, CLAW_P_MEM) >= 0 ||
		claw_api_find_param(api, CLAW_P_PROGRAM) >= 0 ||
		claw_api_find_param(api, CLAW_P_KERNEL) >= 0 ||
		claw_api_find_param(api, CLAW_P_EVENTS) >= 0 ||
		claw_api_find_param(api, CLAW_P_COMMAND_BUFFER) >= 0);
}

cl_int claw_rule_code(const struct claw_rule *rule, enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];

	switch (rule->fault) {
	case CLAW_FAULT_ERROR:
		return rule->error;
	case CLAW_FAULT_OOM:
		if (claw_api_allows(api, CL_MEM_OBJECT_ALLOCATION_FAILURE))
			return CL_MEM_OBJECT_ALLOCATION_FAILURE;
		if (claw_api_allows(api, CL_OUT_OF_RESOURCES))
			return CL_OUT_OF_RESOURCES;
		return 0;
	case CLAW_FAULT_OOM_HOST:
		return claw_api_allows(api, CL_OUT_OF_HOST_MEMORY) ?
			CL_OUT_OF_HOST_MEMORY : 0;
	case CLAW_FAULT_DEVICE_LOST:
		if (!touches_device(info, api))
			return 0;
		if (info->object == CLAW_OBJ_CONTEXT &&
		    info->effect == CLAW_CREATES)
			return CL_DEVICE_NOT_AVAILABLE;
		return CL_OUT_OF_RESOURCES;
	case CLAW_FAULT_BUILD_FAIL:
		return info->groups & CLAW_G_BUILD && info->code_count ?
			info->codes[0] : 0;
	case CLAW_FAULT_PCIE:
		return CL_OUT_OF_RESOURCES;
	default:
		return 0;
	}
}

/* Can this rule's fault happen in this function? broad: the function was
 * not named but came in through a group. */
static bool fault_applies(const struct parser *p, enum claw_api api, bool broad)
{
	const struct claw_rule *rule = p->rule;
	const struct claw_api_info *info = &claw_api_table[api];

	/* A failed release frees nothing and says little. */
	if (broad && info->groups & CLAW_G_RELEASE && rule->fault)
		return false;
	switch (rule->fault) {
	case CLAW_FAULT_ERROR:
		return info->fails_as != CLAW_VOID && info->code_count &&
		       (p->allow_illegal || claw_api_allows(api, rule->error));
	case CLAW_FAULT_OOM:
	case CLAW_FAULT_OOM_HOST:
	case CLAW_FAULT_DEVICE_LOST:
	case CLAW_FAULT_BUILD_FAIL:
		return claw_rule_code(rule, api) != 0;
	case CLAW_FAULT_NULL:
		if (creates_handle(info))
			return rule->null_kinds & CLAW_NULL_HANDLE;
		if (info->fails_as == CLAW_POINTER)
			return rule->null_kinds & CLAW_NULL_MAP &&
			       info->groups & (CLAW_G_ALLOC | CLAW_G_TRANSFER);
		return rule->null_kinds & CLAW_NULL_ARG &&
		       api == CLAW_API_clSetKernelArg;
	case CLAW_FAULT_INVALID_HANDLE:
		return creates_handle(info);
	case CLAW_FAULT_HANG:
		return !broad || !(info->groups & CLAW_G_QUERY);
	case CLAW_FAULT_GPU_CRASH:
	case CLAW_FAULT_THROTTLE:
		return is_launch(api);
	case CLAW_FAULT_PARTIAL:
		return api == CLAW_API_clEnqueueNDRangeKernel;
	case CLAW_FAULT_BUILD_DELAY:
		return info->groups & CLAW_G_BUILD;
	case CLAW_FAULT_ECC:
		return reads_back(api);
	case CLAW_FAULT_PCIE:
		return crosses_bus(api);
	default:
		return true;
	}
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
			      "\"%s\" can happen; found %s", fault, name);
	snprintf(number, sizeof(number), "%d", (int)rule->error);
	return refuse(p, p->code, "expected a code that the specification "
		      "allows for %s (openclaw inject --list); found %s (use "
		      "--allow-illegal to have it all the same)", name,
		      code ? code : number);
}

static void keep_only(struct claw_rule *rule, bool (*test)(enum claw_api))
{
	for (unsigned int api = 0; api < CLAW_API_COUNT; api++)
		if (!test((enum claw_api)api))
			target_remove(rule, api);
}

static int check_targets(struct parser *p, bool single)
{
	struct claw_rule *rule = p->rule;
	bool broad = *p->text == '@' && strncmp(p->text, "@release", 8);

	for (unsigned int api = 0; api < CLAW_API_COUNT; api++) {
		if (!claw_rule_targets(rule, (enum claw_api)api) ||
		    fault_applies(p, (enum claw_api)api, broad))
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
	if (rule->has_above)
		keep_only(rule, has_size);
	if (!has_targets(rule))
		return refuse(p, p->text, "above= needs a function that asks "
			      "for bytes; \"%.*s\" does not",
			      (int)strcspn(p->text, ":"), p->text);
	if (*rule->kernel)
		keep_only(rule, has_kernel);
	if (!has_targets(rule))
		return refuse(p, p->text, "kernel= needs a function that is "
			      "given a kernel; \"%.*s\" is not",
			      (int)strcspn(p->text, ":"), p->text);
	if (rule->device >= 0)
		keep_only(rule, has_device);
	if (!has_targets(rule))
		return refuse(p, p->text, "device= needs a function that "
			      "concerns a device; \"%.*s\" does not",
			      (int)strcspn(p->text, ":"), p->text);
	return 0;
}

/* ----------------------------------------------------------- canonical */

struct writer {
	char *text;
	size_t size, length;
};

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

static void put_quoted(struct writer *w, const char *name, const char *value)
{
	put(w, ":%s=", name);
	if (!value[strcspn(value, ":;\"= ")]) {
		put(w, "%s", value);
		return;
	}
	put(w, "\"");
	for (; *value; value++)
		put(w, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
	put(w, "\"");
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

/* A number without the locale's decimal point. */
static void put_number(struct writer *w, const char *name, double number,
		       const char *unit)
{
	uint64_t millionths = (uint64_t)(number * 1e6 + 0.5);
	char fraction[8];
	int length = 6;

	snprintf(fraction, sizeof(fraction), "%06llu",
		 (unsigned long long)(millionths % 1000000));
	while (length && fraction[length - 1] == '0')
		length--;
	put(w, "%s=%llu%s%.*s%s", name,
	    (unsigned long long)(millionths / 1000000), length ? "." : "",
	    length, fraction, unit);
}

static void put_fault(struct writer *w, const struct claw_rule *rule)
{
	const char *name = claw_fault_table[rule->fault].name;
	const char *code;
	const char *comma = "=";

	if (!rule->fault)
		return;
	put(w, ":%s", name);
	switch (rule->fault) {
	case CLAW_FAULT_ERROR:
		code = claw_code_name(rule->error);
		if (code)
			put(w, "=%s", code);
		else
			put(w, "=%d", (int)rule->error);
		break;
	case CLAW_FAULT_NULL:
		if (rule->null_kinds == 7)
			break;
		for (unsigned int i = 0; i < 3; i++) {
			static const char *const kinds[] = { "handle", "map", "arg" };

			if (!(rule->null_kinds >> i & 1))
				continue;
			put(w, "%s%s", comma, kinds[i]);
			comma = ",";
		}
		break;
	case CLAW_FAULT_HANG:
		if (rule->hang_ns) {
			put(w, "=");
			put_duration(w, rule->hang_ns);
		}
		break;
	case CLAW_FAULT_BUILD_FAIL:
		if (!rule->build_log)
			put(w, "=no-log");
		break;
	case CLAW_FAULT_GPU_CRASH:
		if (rule->crash)
			put(w, "=%s", claw_crash_names[rule->crash]);
		break;
	case CLAW_FAULT_PARTIAL:
		if (rule->part_percent < 50 || rule->part_percent > 50)
			put_number(w, "", rule->part_percent, "%");
		break;
	case CLAW_FAULT_ECC:
		if (rule->correctable)
			put(w, "=correctable");
		break;
	case CLAW_FAULT_BUILD_DELAY:
	case CLAW_FAULT_PCIE:
		if (rule->stall_ns) {
			put(w, "=");
			put_duration(w, rule->stall_ns);
		}
		break;
	case CLAW_FAULT_THROTTLE:
		put_number(w, "", rule->factor, "");
		break;
	case CLAW_FAULT_DEVICE_LOST:
		if (rule->recover_context) {
			put(w, ":recover=context");
		} else if (rule->recover_ns) {
			put(w, ":recover=");
			put_duration(w, rule->recover_ns);
		}
		break;
	default:
		break;
	}
}

static void put_when(struct writer *w, const struct claw_rule *rule)
{
	if (!rule->has_when)
		return;
	put(w, ":when=%llu", (unsigned long long)rule->when_first);
	if (rule->when_last == UINT64_MAX)
		put(w, "..");
	else if (rule->when_last != rule->when_first)
		put(w, "..%llu", (unsigned long long)rule->when_last);
	if (rule->when_step != 1)
		put(w, "+%llu", (unsigned long long)rule->when_step);
}

static void put_conditions(struct writer *w, const struct claw_rule *rule)
{
	put_when(w, rule);
	if (rule->percent >= 0)
		put_number(w, ":p", rule->percent, "%");
	if (rule->has_above) {
		put(w, ":above=");
		put_size(w, rule->above_bytes);
	}
	if (rule->has_after) {
		put(w, ":after=");
		put_duration(w, rule->after_ns);
	}
	if (*rule->kernel)
		put_quoted(w, "kernel", rule->kernel);
	if (rule->device >= 0)
		put(w, ":device=%d", rule->device);
	if (rule->thread)
		put(w, ":thread=%u", rule->thread);
	if (rule->site)
		put(w, ":site=%llx", (unsigned long long)rule->site);
	if (*rule->at)
		put_quoted(w, "at", rule->at);
	for (unsigned int i = 0; i < rule->pc_count; i++) {
		const struct claw_pc_range *pc = &rule->pcs[i];

		put(w, ":pc=");
		for (unsigned int j = 0; j < pc->build_id_bytes; j++)
			put(w, "%02x", pc->build_id[j]);
		put(w, "+0x%llx-0x%llx", (unsigned long long)pc->low,
		    (unsigned long long)pc->high);
	}
	if (*rule->exe)
		put_quoted(w, "exe", rule->exe);
	if (rule->times)
		put(w, ":times=%llu", (unsigned long long)rule->times);
}

static int write_canonical(struct parser *p, const char *target)
{
	struct claw_rule *rule = p->rule;
	struct writer w = { rule->text, sizeof(rule->text), 0 };

	put(&w, "%s", target);
	put_fault(&w, rule);
	if (rule->has_delay) {
		put(&w, ":delay=");
		put_duration(&w, rule->delay_low_ns);
		if (rule->delay_high_ns != rule->delay_low_ns) {
			put(&w, "..");
			put_duration(&w, rule->delay_high_ns);
		}
	}
	put_conditions(&w, rule);
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
	char target[128];
	bool single;

	memset(ret_rule, 0, sizeof(*ret_rule));
	memset(reterr, 0, sizeof(*reterr));
	ret_rule->device = -1;
	ret_rule->percent = -1;
	if (parse_target(&p, target, sizeof(target), &single))
		return -1;
	if (*p.at != ':')
		return refuse(&p, p.at, "expected \":\" and an action after "
			      "the target");
	while (*p.at == ':') {
		p.at++;
		if (parse_part(&p))
			return -1;
	}
	if (!ret_rule->fault && !ret_rule->has_delay)
		return refuse(&p, p.at, "expected an action (error= oom oom-host "
			      "delay= null invalid-handle device-lost "
			      "gpu-crash partial hang build-fail build-delay= "
			      "ecc pcie throttle= driver-crash break); found only "
			      "conditions");
	if ((ret_rule->recover_ns || ret_rule->recover_context) &&
	    ret_rule->fault != CLAW_FAULT_DEVICE_LOST)
		return refuse(&p, text, "recover= belongs to device-lost");
	if (check_targets(&p, single))
		return -1;
	return write_canonical(&p, target);
}
