/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read a fault plan with libyaml's event parser. The grammar of a plan is so
 * small that each event is either the one expected or an error at its place:
 * nesting, aliases and second documents end at their first event.
 */
#include "config.h"

#include "plan_yaml.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "faults/shared/nearest.h"
#include "harness/files/outside_file.h"

struct reader {
	yaml_parser_t parser;
	yaml_event_t event;
	bool has_event;
	bool is_utf8;
	const char *name, *bytes;
	size_t size;
	bool allow_illegal;
	struct claw_plan_yaml *plan;
	char *error;
	size_t error_size;
};

static int fail_at(struct reader *r, size_t line, size_t column,
		   const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* line and column from 0, as libyaml counts. */
static int fail_at(struct reader *r, size_t line, size_t column,
		   const char *format, ...)
{
	va_list args;
	int length = snprintf(r->error, r->error_size, "%s:%zu:%zu: ", r->name,
			      line + 1, column + 1);

	if (length < 0 || (size_t)length >= r->error_size)
		return -CLAW_E_SYNTAX;
	va_start(args, format);
	vsnprintf(r->error + length, r->error_size - (size_t)length, format,
		  args);
	va_end(args);
	return -CLAW_E_SYNTAX;
}

static const char *event_words(const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_ALIAS_EVENT:
		return "an alias";
	case YAML_SCALAR_EVENT:
		return event->data.scalar.length ? "a word" : "nothing";
	case YAML_SEQUENCE_START_EVENT:
		return "a list";
	case YAML_MAPPING_START_EVENT:
		return "a mapping";
	case YAML_DOCUMENT_START_EVENT:
		return "a second document";
	case YAML_STREAM_END_EVENT:
	case YAML_DOCUMENT_END_EVENT:
		return "the end";
	default:
		return "something else";
	}
}

static int fail_found(struct reader *r, const char *expected)
{
	const yaml_event_t *event = &r->event;

	return fail_at(r, event->start_mark.line, event->start_mark.column,
		       "expected %s, found %s", expected, event_words(event));
}

static void drop_event(struct reader *r)
{
	if (r->has_event)
		yaml_event_delete(&r->event);
	r->has_event = false;
}

static int next_event(struct reader *r)
{
	const yaml_parser_t *p = &r->parser;

	drop_event(r);
	if (yaml_parser_parse(&r->parser, &r->event)) {
		r->has_event = true;
		return 0;
	}
	if (p->error == YAML_MEMORY_ERROR)
		claw_made(NULL);
	if (p->error == YAML_READER_ERROR) {
		size_t line = 0, column = 0;

		for (size_t i = 0; i < p->problem_offset && i < r->size; i++) {
			column = r->bytes[i] == '\n' ? 0 : column + 1;
			line += r->bytes[i] == '\n';
		}
		return fail_at(r, line, column, "expected text in UTF-8; %s",
			       p->problem ? p->problem : "found other bytes");
	}
	return fail_at(r, p->problem_mark.line, p->problem_mark.column,
		       "expected YAML; %s%s%s",
		       p->problem ? p->problem : "found something else",
		       p->context ? " " : "", p->context ? p->context : "");
}

/* Bytes of the source from the start of that line on, or NULL. */
static const char *find_line(const struct reader *r, size_t line)
{
	const char *at = r->bytes, *end = r->bytes + r->size;

	if (r->size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
		at += 3;
	for (; line > 0 && at; line--) {
		at = memchr(at, '\n', (size_t)(end - at));
		at = at ? at + 1 : NULL;
	}
	return at;
}

/* Characters that a double-quoted scalar's escape takes in the source. */
static size_t escape_length(char letter)
{
	switch (letter) {
	case 'x':
		return 4;
	case 'u':
		return 6;
	case 'U':
		return 10;
	default:
		return 2;
	}
}

/*
 * The column in the file of a column in a one-line scalar. Both from 0.
 * False when it cannot be told.
 */
static bool column_in_file(const struct reader *r, size_t in_rule,
			   size_t *ret_column)
{
	const yaml_event_t *event = &r->event;
	yaml_scalar_style_t style = event->data.scalar.style;
	const char *line = find_line(r, event->start_mark.line);
	const char *end = r->bytes + r->size, *at;

	if (!line || !r->is_utf8 ||
	    event->start_mark.line != event->end_mark.line ||
	    style == YAML_LITERAL_SCALAR_STYLE ||
	    style == YAML_FOLDED_SCALAR_STYLE)
		return false;

	at = line;
	/* libyaml counts characters, we count bytes: skip what precedes. */
	for (size_t i = 0; i < event->start_mark.column && at < end; i++) {
		at++;
		while (at < end && ((unsigned char)*at & 0xc0) == 0x80)
			at++;
	}
	if (style != YAML_PLAIN_SCALAR_STYLE) {
		/* A tag or an anchor may stand before the quote. */
		at = memchr(at, style == YAML_SINGLE_QUOTED_SCALAR_STYLE ?
			    '\'' : '"', (size_t)(end - at));
		if (!at)
			return false;
		at++;
	}
	for (; in_rule > 0 && at < end; in_rule--) {
		size_t skip = 1;

		if (style == YAML_DOUBLE_QUOTED_SCALAR_STYLE && *at == '\\' &&
		    at + 1 < end)
			skip = escape_length(at[1]);
		else if (style == YAML_SINGLE_QUOTED_SCALAR_STYLE &&
			 *at == '\'')
			skip = 2;
		at += (size_t)(end - at) < skip ? (size_t)(end - at) : skip;
	}
	*ret_column = (size_t)(at - line);
	return true;
}

static int take_rule(struct reader *r)
{
	const yaml_event_t *event = &r->event;
	size_t length = event->data.scalar.length, column;
	const char *value = (const char *)event->data.scalar.value;
	struct claw_plan_error error;
	struct claw_rule rule;
	char text[CLAW_RULE_TEXT_MAX];
	int ret;

	while (length > 0 && value[length - 1] &&
	       strchr(" \t\r\n", value[length - 1]))
		length--;
	if (length == 0)
		return fail_found(r, "a rule such as "
				  "clCreateBuffer:oom:when=3");
	if (memchr(value, '\0', length))
		return fail_at(r, event->start_mark.line,
			       event->start_mark.column,
			       "expected a rule, found a NUL byte in it");
	if (length >= sizeof(text))
		return fail_at(r, event->start_mark.line,
			       event->start_mark.column,
			       "expected a rule of less than %zu bytes, found "
			       "%zu", sizeof(text), length);
	memcpy(text, value, length);
	text[length] = '\0';
	if (claw_rule_parse(text, r->allow_illegal, &rule, &error) < 0) {
		if (column_in_file(r, error.column - 1, &column))
			return fail_at(r, event->start_mark.line, column, "%s",
				       error.message);
		return fail_at(r, event->start_mark.line,
			       event->start_mark.column,
			       "column %zu of the rule: %s", error.column,
			       error.message);
	}
	ret = claw_plan_yaml_add(r->plan, &rule);
	if (ret < 0)
		fail_at(r, event->start_mark.line, event->start_mark.column,
			"expected at most %d rules",
			CLAW_JOURNAL_MAX_RULES);
	return ret;
}

static bool scalar_is(const yaml_event_t *event, const char *word)
{
	return event->type == YAML_SCALAR_EVENT &&
		event->data.scalar.length == strlen(word) &&
		memcmp(event->data.scalar.value, word, strlen(word)) == 0;
}

static int fail_key(struct reader *r, const char *expected,
		    const char *const *known)
{
	const yaml_event_t *event = &r->event;
	struct claw_nearest nearest;

	if (event->type != YAML_SCALAR_EVENT)
		return fail_found(r, expected);

	const char *word = (const char *)event->data.scalar.value;
	size_t length = event->data.scalar.length;

	claw_nearest_init(&nearest, word);
	for (; length < 60 && *known; known++)
		claw_nearest_offer(&nearest, *known);
	return fail_at(r, event->start_mark.line, event->start_mark.column,
		       "expected %s, found \"%.60s\"%s%s%s", expected, word,
		       nearest.best ? " (did you mean " : "",
		       nearest.best ? nearest.best : "",
		       nearest.best ? "?)" : "");
}

/* { rule: "..." } */
static int read_rule_mapping(struct reader *r)
{
	static const char *const known[] = { "rule", NULL };
	bool has_rule = false;
	int ret;

	for (;;) {
		ret = next_event(r);
		if (ret < 0)
			return ret;
		if (r->event.type == YAML_MAPPING_END_EVENT)
			break;
		if (!scalar_is(&r->event, "rule"))
			return fail_key(r, "the key rule", known);
		if (has_rule)
			return fail_at(r, r->event.start_mark.line,
				       r->event.start_mark.column,
				       "expected each key once, found rule "
				       "again");
		has_rule = true;
		ret = next_event(r);
		if (ret < 0)
			return ret;
		if (r->event.type != YAML_SCALAR_EVENT)
			return fail_found(r, "a rule");
		ret = take_rule(r);
		if (ret < 0)
			return ret;
	}
	return has_rule ? 0 : fail_at(r, r->event.start_mark.line,
				      r->event.start_mark.column,
				      "expected the key rule, found an empty "
				      "mapping");
}

static int read_faults(struct reader *r)
{
	int ret = next_event(r);

	if (ret < 0)
		return ret;
	if (r->event.type != YAML_SEQUENCE_START_EVENT)
		return fail_found(r, "a list of rules under faults");
	for (;;) {
		ret = next_event(r);
		if (ret < 0)
			return ret;
		switch (r->event.type) {
		case YAML_SEQUENCE_END_EVENT:
			return 0;
		case YAML_SCALAR_EVENT:
			ret = take_rule(r);
			break;
		case YAML_MAPPING_START_EVENT:
			ret = read_rule_mapping(r);
			break;
		default:
			ret = fail_found(r, "a rule or \"rule: RULE\"");
		}
		if (ret < 0)
			return ret;
	}
}

static int read_seed(struct reader *r)
{
	int ret = next_event(r);
	const char *text;
	char *end;

	if (ret < 0)
		return ret;
	if (r->event.type != YAML_SCALAR_EVENT)
		return fail_found(r, "a number as seed");
	text = (const char *)r->event.data.scalar.value;
	errno = 0;
	r->plan->seed = strtoull(text, &end, 0);
	if (errno || *text < '0' || *text > '9' ||
	    end != text + r->event.data.scalar.length)
		return fail_at(r, r->event.start_mark.line,
			       r->event.start_mark.column,
			       "expected a whole number from 0 to %" PRIu64
			       " as seed, found \"%.40s\"", UINT64_MAX, text);
	r->plan->has_seed = true;
	return 0;
}

static int read_plan(struct reader *r)
{
	static const char *const known[] = { "seed", "faults", NULL };
	bool has_seed = false, has_faults = false;
	int ret;

	for (;;) {
		ret = next_event(r);
		if (ret < 0)
			return ret;
		if (r->event.type == YAML_MAPPING_END_EVENT)
			break;

		bool is_seed = scalar_is(&r->event, "seed");
		bool is_faults = scalar_is(&r->event, "faults");

		if (!is_seed && !is_faults)
			return fail_key(r, "the key faults or seed", known);
		if (is_seed ? has_seed : has_faults)
			return fail_at(r, r->event.start_mark.line,
				       r->event.start_mark.column,
				       "expected each key once, found %s again",
				       is_seed ? "seed" : "faults");
		if (is_seed)
			has_seed = true;
		else
			has_faults = true;
		ret = is_seed ? read_seed(r) : read_faults(r);
		if (ret < 0)
			return ret;
	}
	if (!has_faults)
		return fail_at(r, r->event.start_mark.line,
			       r->event.start_mark.column,
			       "expected the key faults, found the end");
	return 0;
}

static int read_stream(struct reader *r)
{
	int ret = next_event(r);	/* stream start */

	if (ret < 0)
		return ret;
	r->is_utf8 = r->event.type == YAML_STREAM_START_EVENT &&
		r->event.data.stream_start.encoding == YAML_UTF8_ENCODING;
	ret = next_event(r);
	if (ret < 0)
		return ret;
	if (r->event.type != YAML_DOCUMENT_START_EVENT)
		return fail_at(r, 0, 0, "expected a mapping with the key "
			       "faults, found an empty file");
	ret = next_event(r);
	if (ret < 0)
		return ret;
	if (r->event.type != YAML_MAPPING_START_EVENT)
		return fail_found(r, "a mapping with the key faults");
	ret = read_plan(r);
	if (ret == 0)
		ret = next_event(r);	/* document end */
	if (ret == 0)
		ret = next_event(r);
	if (ret == 0 && r->event.type != YAML_STREAM_END_EVENT)
		return fail_found(r, "the end of the plan");
	return ret;
}

int claw_plan_yaml_parse(const char *name, const char *bytes, size_t size,
			 bool allow_illegal, struct claw_plan_yaml *plan,
			 char *error, size_t error_size)
{
	struct reader reader = {
		.name = name, .bytes = bytes, .size = size,
		.allow_illegal = allow_illegal, .plan = plan,
		.error = error, .error_size = error_size,
	};
	int ret;

	if (!yaml_parser_initialize(&reader.parser))
		claw_made(NULL);
	yaml_parser_set_input_string(&reader.parser,
				     (const unsigned char *)bytes, size);
	ret = read_stream(&reader);
	drop_event(&reader);
	yaml_parser_delete(&reader.parser);
	/* What was found may hold anything: an error stays one line. */
	for (char *at = error; ret < 0 && *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	return ret;
}

int claw_plan_yaml_read(const char *path, bool allow_illegal,
			struct claw_plan_yaml *plan, char *error,
			size_t error_size)
{
	const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
	char *bytes = NULL;
	size_t size = 0;
	int ret = claw_outside_read(path, CLAW_OUTSIDE_GIVEN,
				    CLAW_PLAN_BYTES_MAX, &bytes, &size);

	if (ret == -CLAW_E_LIMIT)
		snprintf(error, error_size, "%s: expected a plan of at most "
			 "%d MiB, found a larger file", name,
			 CLAW_PLAN_BYTES_MAX >> 20);
	else if (ret == -CLAW_E_IO)
		snprintf(error, error_size, "%s: %s", name,
			 claw_outside_why(path));
	else if (ret < 0)
		snprintf(error, error_size, "%s: %s", name,
			 claw_error_text(ret));
	if (ret < 0)
		return ret;
	ret = claw_plan_yaml_parse(name, bytes, size, allow_illegal, plan,
				   error, error_size);
	free(bytes);
	return ret;
}

int claw_plan_yaml_add(struct claw_plan_yaml *plan,
		       const struct claw_rule *rule)
{
	/* Room is doubled at each power of two. */
	if ((plan->count & (plan->count - 1)) == 0) {
		size_t room = plan->count ? plan->count * 2 : 1;
		struct claw_rule *larger =
			claw_grow(plan->rules, room, sizeof(*larger));

		plan->rules = larger;
	}
	if (plan->count >= CLAW_JOURNAL_MAX_RULES)
		return -CLAW_E_LIMIT;
	plan->rules[plan->count++] = *rule;
	return 0;
}

void claw_plan_yaml_release(struct claw_plan_yaml *plan)
{
	free(plan->rules);
	*plan = (struct claw_plan_yaml) { 0 };
}
