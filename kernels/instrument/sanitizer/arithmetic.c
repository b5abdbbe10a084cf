/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Divisions by zero (and of the least number by -1), shifts by more than there
 * are bits:
 *
 *	({ const T x = (A); const T y = (B); OK ? x / y : (bad(), 0); })
 *	A << ({ const T y = (B); OK || bad(); y; })
 *
 * A shift's result stays what it is: OpenCL C takes the distance modulo the
 * width (6.3 j). Integers only; vectors and what can be seen to be right are
 * left alone. See sanitizer_private.h.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "faults/shared/probe_format.h"
#include "sanitizer_private.h"

static bool is_written_out(const struct claw_body *body,
			   const struct claw_node *node)
{
	const char *text = body->sanitizer->rewrite->unit->text;

	return node->end > node->start &&
		!strchr(")]},;", text[node->start]);
}

/* The type that is calculated in: of a compound assignment its right side's. */
static char *type_words(CXType type)
{
	CXString string = clang_getTypeSpelling(
		clang_getCanonicalType(type));
	const char *spelled = clang_getCString(string);
	const char *last = strrchr(spelled, ')');
	char *words = claw_strdup(last ? "" : spelled);

	clang_disposeString(string);
	/* "const __private int" is as good as "int". */
	for (char *at; (at = strstr(words, "__"));)
		memset(at, ' ', strcspn(at, " "));
	for (char *at; (at = strstr(words, "const "));)
		memset(at, ' ', 6);
	for (char *at; (at = strstr(words, "volatile "));)
		memset(at, ' ', 9);
	return words;
}

/* What is asked about, and how it is written. */
struct question {
	struct claw_body *body;
	struct claw_node *node;
	char *type;			/* that is calculated in */
	unsigned int number, name;	/* of the access; of its variables */
	int bits;
};

static void write_bad(const struct question *question, int why, int bits,
		      FILE *out)
{
	fprintf(out, "__claw_record(__claw->p, CLAW_A + %uu, 0u, %du, 0UL, (ulong)__claw_y%u, %dUL, __CLAW_IDS)",
		question->number, why, question->name, bits);
}

/* "({ const T LETTER = (" ... after it, around a node. */
static void wrap(const struct question *question, const struct claw_node *node,
		 char letter, struct claw_words *after)
{
	char before[200];

	snprintf(before, sizeof(before), "({ const %s __claw_%c%u = (",
		 question->type, letter, question->name);
	claw_edits_wrap(&question->body->sanitizer->rewrite->edits, node->start,
			node->end, before, claw_words_text(after));
}

/* The divisor alone: x /= y, where what is divided cannot be named twice. */
static void write_divisor(const struct question *question,
			  struct claw_words *words)
{
	unsigned int name = question->name;

	fprintf(words->stream, "); __CLAW_LIKELY(__claw_y%u != 0) ? __claw_y%u : (",
		name, name);
	write_bad(question, CLAW_WHY_DIVIDE, 0, words->stream);
	fprintf(words->stream, ", (%s)1); })", question->type);
	wrap(question, question->node->last, 'y', words);
}

/* The operator's place; 0: it is not written there. */
static size_t find_sign(const struct question *question)
{
	const struct claw_unit *unit = question->body->sanitizer->rewrite->unit;
	size_t at = claw_unit_skip_blank(unit, question->node->first->end);

	return unit->text[at] == '/' || unit->text[at] == '%' ? at : 0;
}

static void write_division(const struct question *question,
			   struct claw_words *words)
{
	struct claw_node *node = question->node;
	unsigned int name = question->name;
	size_t at = find_sign(question);

	fprintf(words->stream, "); __CLAW_LIKELY(__claw_y%u != 0", name);
	if (!claw_type_is_unsigned(node->type))
		fprintf(words->stream, " && !(__claw_y%u == -1 && __claw_x%u == (%s)(1UL << %d))",
			name, name, question->type, question->bits - 1);
	fprintf(words->stream, ") ? __claw_x%u %c __claw_y%u : (", name,
		node->op == CLAW_OP_DIV ? '/' : '%', name);
	write_bad(question, CLAW_WHY_DIVIDE, question->bits, words->stream);
	fprintf(words->stream, ", (%s)0); })", question->type);
	claw_edits_replace(&question->body->sanitizer->rewrite->edits, at,
			   at + 1, "); const %s __claw_y%u = (", question->type,
			   name);
	wrap(question, node, 'x', words);
}

static void write_distance(const struct question *question,
			   struct claw_words *words)
{
	fprintf(words->stream, "); if (!__CLAW_LIKELY((ulong)__claw_y%u < %dUL)) ",
		question->name, question->bits);
	write_bad(question, CLAW_WHY_SHIFT, question->bits, words->stream);
	fprintf(words->stream, "; __claw_y%u; })", question->name);
	wrap(question, question->node->last, 'y', words);
}

/* What is on the right side is right for sure. */
static bool is_right(const struct claw_node *node, bool is_shift)
{
	long long value;

	if (!claw_nodes_constant(node->last, &value))
		return false;
	if (is_shift)
		return value >= 0 && value < 8 * claw_type_size(node->type);
	return value != 0 && value != -1;
}

/* An operator on two integers whose right side may be wrong. */
static bool is_asked(const struct claw_body *body, const struct claw_node *node,
		     bool is_shift)
{
	long long value;

	return node->first && claw_type_is_integer(node->type) &&
		claw_type_is_integer(node->last->type) &&
		claw_type_is_integer(node->first->type) &&
		!is_right(node, is_shift) &&
		!claw_nodes_constant(node, &value) &&
		is_written_out(body, node->first) &&
		is_written_out(body, node->last) &&
		node->last->start >= node->first->end;
}

static void write_question(struct question *question, bool is_shift)
{
	struct claw_node *node = question->node;
	struct claw_words words;

	question->bits = (int)(8 * claw_type_size(node->type));
	question->number = claw_check_number(question->body, node,
		is_shift ? CLAW_SHIFT : CLAW_DIVIDE, "private",
		(unsigned long long)claw_type_size(node->type), "-");
	question->name = question->body->sanitizer->numbers++;
	claw_hoist_note(question->body, node->start, NULL);
	claw_words_init(&words);
	if (is_shift)
		write_distance(question, &words);
	else if (node->kind == CXCursor_CompoundAssignOperator)
		write_divisor(question, &words);
	else
		write_division(question, &words);
	claw_words_release(&words);
}

void claw_check_arithmetic(struct claw_body *body, struct claw_node *node)
{
	bool is_shift = node->op == CLAW_OP_SHL || node->op == CLAW_OP_SHR;
	bool is_division = node->op == CLAW_OP_DIV || node->op == CLAW_OP_MOD;
	struct question question = { .body = body, .node = node };

	if (!(body->sanitizer->rewrite->request->modes & CLAW_PROBE_ARITHMETIC) ||
	    (!is_shift && !is_division) || !is_asked(body, node, is_shift))
		return;
	question.type = type_words(is_shift ? node->last->type : node->type);
	if (question.type[0] &&
	    (is_shift || node->kind == CXCursor_CompoundAssignOperator ||
	     find_sign(&question)))
		write_question(&question, is_shift);
	free(question.type);
}
