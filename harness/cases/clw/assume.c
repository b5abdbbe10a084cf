/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ASSUME  = SUM COMPARE SUM | "power_of_two(" SUM ")"
 * COMPARE = "<=" | "<" | ">=" | ">" | "=="
 * SUM     = PRODUCT { ("+" | "-") PRODUCT }
 * PRODUCT = ATOM { ("*" | "/" | "%") ATOM }
 * ATOM    = NUMBER | NAME | "len(" NAME ")" | "(" SUM ")"
 *         | ("global_size" | "local_size") [ "[" 0|1|2 "]" ]
 */
#include "config.h"

#include "assume.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"

enum { OR_EQUAL = 128, DEPTH = 16, POWER = '^' };

struct reader {
	const char *at;
	struct claw_assume *assume;
	const char *expected;		/* NULL: all is well so far */
	unsigned int depth;
};

static void skip(struct reader *reader)
{
	reader->at += strspn(reader->at, " \t");
}

static int fail(struct reader *reader, const char *expected)
{
	if (!reader->expected)
		reader->expected = expected;
	return -1;
}

static bool take(struct reader *reader, const char *word)
{
	size_t length = strlen(word);

	skip(reader);
	if (strncmp(reader->at, word, length) != 0)
		return false;
	reader->at += length;
	return true;
}

static bool is_name_byte(char byte)
{
	return isalnum((unsigned char)byte) || byte == '_';
}

/* Not the beginning of a longer name. */
static bool take_name(struct reader *reader, const char *name)
{
	const char *from = reader->at;

	if (take(reader, name) && !is_name_byte(*reader->at))
		return true;
	reader->at = from;
	return false;
}

/* The index of a new node, or -1. */
static int add(struct reader *reader, struct claw_assume_node node)
{
	if (reader->assume->count == CLAW_ASSUME_NODES)
		return fail(reader, "fewer numbers, names and operators");
	reader->assume->nodes[reader->assume->count] = node;
	return (int)reader->assume->count++;
}

static int add_operator(struct reader *reader, int operator, int left,
			int right)
{
	return left < 0 || right < 0 ? -1 : add(reader,
		(struct claw_assume_node) {
			.what = CLAW_ASSUME_OPERATOR, .number = operator,
			.left = (uint8_t)left, .right = (uint8_t)right,
		});
}

static int read_sum(struct reader *reader);

static int read_name(struct reader *reader, struct claw_assume_node node)
{
	size_t length = 0;

	skip(reader);
	while (is_name_byte(reader->at[length]))
		length++;
	if (!length || isdigit((unsigned char)*reader->at))
		return fail(reader, "a number or a name");
	if (length >= CLAW_ASSUME_NAME)
		return fail(reader, "a name of at most 63 bytes");
	memcpy(node.name, reader->at, length);
	reader->at += length;
	return add(reader, node);
}

static int read_size(struct reader *reader, enum claw_assume_what what)
{
	struct claw_assume_node node = { .what = what };

	if (take(reader, "[")) {
		skip(reader);
		if (*reader->at < '0' || *reader->at > '2')
			return fail(reader, "0, 1 or 2");
		node.number = *reader->at++ - '0';
		if (!take(reader, "]"))
			return fail(reader, "]");
	}
	return add(reader, node);
}

static int read_number(struct reader *reader)
{
	char *end;
	unsigned long number = strtoul(reader->at, &end, 10);

	if (number > INT32_MAX)
		return fail(reader, "a number below 2147483648");
	reader->at = end;
	return add(reader, (struct claw_assume_node) {
		.what = CLAW_ASSUME_NUMBER, .number = (int64_t)number,
	});
}

static int read_atom(struct reader *reader)
{
	int inner;

	skip(reader);
	if (isdigit((unsigned char)*reader->at))
		return read_number(reader);
	if (take_name(reader, "global_size"))
		return read_size(reader, CLAW_ASSUME_GLOBAL);
	if (take_name(reader, "local_size"))
		return read_size(reader, CLAW_ASSUME_LOCAL);
	if (take(reader, "len("))
		inner = read_name(reader, (struct claw_assume_node) {
			.what = CLAW_ASSUME_LENGTH,
		});
	else if (!take(reader, "("))
		return read_name(reader, (struct claw_assume_node) {
			.what = CLAW_ASSUME_ARGUMENT,
		});
	else
		inner = read_sum(reader);
	if (inner >= 0 && !take(reader, ")"))
		return fail(reader, ")");
	return inner;
}

/* One of the characters, or 0. */
static int take_one(struct reader *reader, const char *of)
{
	skip(reader);
	return *reader->at && strchr(of, *reader->at) ? *reader->at++ : 0;
}

static int read_product(struct reader *reader)
{
	int left = read_atom(reader), operator;

	while (left >= 0 && (operator = take_one(reader, "*/%")))
		left = add_operator(reader, operator, left, read_atom(reader));
	return left;
}

static int read_sum(struct reader *reader)
{
	int left, operator;

	if (++reader->depth > DEPTH)
		return fail(reader, "fewer brackets");
	left = read_product(reader);
	while (left >= 0 && (operator = take_one(reader, "+-")))
		left = add_operator(reader, operator, left,
				    read_product(reader));
	reader->depth--;
	return left;
}

/* One sum: the node has it on both sides. */
static int read_power(struct reader *reader)
{
	int inner = read_sum(reader);

	if (inner >= 0 && !take(reader, ")"))
		return fail(reader, ")");
	return add_operator(reader, POWER, inner, inner);
}

static int read_compare(struct reader *reader)
{
	int left, operator;

	if (take(reader, "power_of_two("))
		return read_power(reader);
	left = read_sum(reader);
	if (left < 0)
		return left;
	operator = take_one(reader, "<>=");
	if (!operator)
		return fail(reader, "<=, <, >=, > or ==");
	if (*reader->at == '=')
		operator += OR_EQUAL, reader->at++;
	else if (operator == '=')
		return fail(reader, "==");
	return add_operator(reader, operator, left, read_sum(reader));
}

int claw_assume_parse(const char *text, struct claw_assume *ret_assume,
		      size_t *reterr_at, const char **reterr_expected)
{
	struct reader reader = { .at = text, .assume = ret_assume };

	memset(ret_assume, 0, sizeof(*ret_assume));
	if (read_compare(&reader) >= 0) {
		skip(&reader);
		if (!*reader.at)
			return 0;
		fail(&reader, "the end");
	}
	*reterr_at = (size_t)(reader.at - text);
	*reterr_expected = reader.expected;
	return -CLAW_E_SYNTAX;
}

/* ---- does it hold? ----------------------------------------------------------- */

static bool calculate(int operator, int64_t left, int64_t right, int64_t *result)
{
	switch (operator) {
	case '+':	return !__builtin_add_overflow(left, right, result);
	case '-':	return !__builtin_sub_overflow(left, right, result);
	case '*':	return !__builtin_mul_overflow(left, right, result);
	case '/':
	case '%':
		if (!right || right == -1)
			return false;
		*result = operator == '/' ? left / right : left % right;
		return true;
	case '<':	*result = left < right; return true;
	case '>':	*result = left > right; return true;
	case '<' + OR_EQUAL:	*result = left <= right; return true;
	case '>' + OR_EQUAL:	*result = left >= right; return true;
	case POWER:
		*result = left > 0 && !(left & (left - 1));
		return true;
	default:	*result = left == right; return true;
	}
}

bool claw_assume_holds(const struct claw_assume *assume,
		       claw_assume_value *value, const void *user)
{
	int64_t values[CLAW_ASSUME_NODES] = { 1 };

	for (unsigned int i = 0; i < assume->count; i++) {
		const struct claw_assume_node *node = &assume->nodes[i];
		bool done = true;

		if (node->what == CLAW_ASSUME_NUMBER)
			values[i] = node->number;
		else if (node->what == CLAW_ASSUME_OPERATOR)
			done = calculate((int)node->number, values[node->left],
					 values[node->right], &values[i]);
		else
			done = value(user, node, &values[i]);
		if (!done)
			return true;
	}
	return assume->count == 0 || values[assume->count - 1];
}
