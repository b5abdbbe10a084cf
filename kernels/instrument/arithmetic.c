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
 * left alone. See sanitizer.h.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "faults/probe_format.h"
#include "sanitizer.h"

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
	char *words = strdup(last ? "" : spelled);

	clang_disposeString(string);
	if (!words)
		abort();
	/* "const __private int" is as good as "int". */
	for (char *at; (at = strstr(words, "__"));)
		memset(at, ' ', strcspn(at, " "));
	for (char *at; (at = strstr(words, "const "));)
		memset(at, ' ', 6);
	for (char *at; (at = strstr(words, "volatile "));)
		memset(at, ' ', 9);
	return words;
}

static void write_bad(FILE *out, unsigned int number, int why,
		      const char *offset, unsigned int name, int bits)
{
	fprintf(out, "__claw_record(__claw->p, CLAW_A + %uu, 0u, %du, 0UL, %s__claw_y%u, %dUL, __CLAW_IDS)",
		number, why, offset, name, bits);
}

/* The divisor alone: x /= y, where what is divided cannot be named twice. */
static void wrap_divisor(struct claw_body *body, struct claw_node *node,
			 const char *type, unsigned int number)
{
	struct claw_edits *edits = &body->sanitizer->rewrite->edits;
	unsigned int name = body->sanitizer->numbers++;
	struct claw_words words;
	char before[200];

	claw_words_init(&words);
	snprintf(before, sizeof(before), "({ const %s __claw_y%u = (", type,
		 name);
	fprintf(words.stream, "); __CLAW_LIKELY(__claw_y%u != 0) ? __claw_y%u : (",
		name, name);
	write_bad(words.stream, number, CLAW_WHY_DIVIDE, "(ulong)", name, 0);
	fprintf(words.stream, ", (%s)1); })", type);
	claw_edits_wrap(edits, node->last->start, node->last->end, before,
			claw_words_text(&words));
	claw_words_release(&words);
}

static void wrap_division(struct claw_body *body, struct claw_node *node,
			  const char *type, unsigned int number)
{
	struct claw_edits *edits = &body->sanitizer->rewrite->edits;
	unsigned int name = body->sanitizer->numbers++;
	bool is_unsigned = claw_type_is_unsigned(node->type);
	long long bits = 8 * claw_type_size(node->type);
	size_t at = claw_unit_skip_blank(body->sanitizer->rewrite->unit,
					 node->first->end);
	struct claw_words words;
	char before[200];

	claw_words_init(&words);
	snprintf(before, sizeof(before), "({ const %s __claw_x%u = (", type,
		 name);
	fprintf(words.stream, "); __CLAW_LIKELY(__claw_y%u != 0", name);
	if (!is_unsigned)
		fprintf(words.stream, " && !(__claw_y%u == -1 && __claw_x%u == (%s)(1UL << %lld))",
			name, name, type, bits - 1);
	fprintf(words.stream, ") ? __claw_x%u %c __claw_y%u : (", name,
		node->op == CLAW_OP_DIV ? '/' : '%', name);
	write_bad(words.stream, number, CLAW_WHY_DIVIDE, "(ulong)", name,
		  (int)bits);
	fprintf(words.stream, ", (%s)0); })", type);
	claw_edits_replace(edits, at, at + 1, "); const %s __claw_y%u = (",
			   type, name);
	claw_edits_wrap(edits, node->start, node->end, before,
			claw_words_text(&words));
	claw_words_release(&words);
}

static void wrap_distance(struct claw_body *body, struct claw_node *node,
			  const char *type, unsigned int number)
{
	unsigned int name = body->sanitizer->numbers++;
	int bits = (int)(8 * claw_type_size(node->type));
	struct claw_words words;
	char before[200];

	claw_words_init(&words);
	snprintf(before, sizeof(before), "({ const %s __claw_y%u = (", type,
		 name);
	fprintf(words.stream, "); if (!__CLAW_LIKELY((ulong)__claw_y%u < %dUL)) ",
		name, bits);
	write_bad(words.stream, number, CLAW_WHY_SHIFT, "(ulong)", name, bits);
	fprintf(words.stream, "; __claw_y%u; })", name);
	claw_edits_wrap(&body->sanitizer->rewrite->edits, node->last->start,
			node->last->end, before, claw_words_text(&words));
	claw_words_release(&words);
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

void claw_check_arithmetic(struct claw_body *body, struct claw_node *node)
{
	bool is_shift = node->op == CLAW_OP_SHL || node->op == CLAW_OP_SHR;
	bool is_division = node->op == CLAW_OP_DIV || node->op == CLAW_OP_MOD;
	long long value;

	if (!(body->sanitizer->rewrite->request->modes & CLAW_PROBE_ARITHMETIC) ||
	    (!is_shift && !is_division) || !node->first ||
	    !claw_type_is_integer(node->type) ||
	    !claw_type_is_integer(node->last->type) ||
	    !claw_type_is_integer(node->first->type) ||
	    is_right(node, is_shift) || claw_nodes_constant(node, &value) ||
	    !is_written_out(body, node->first) ||
	    !is_written_out(body, node->last) ||
	    node->last->start < node->first->end)
		return;
	char *type = type_words(is_shift ? node->last->type : node->type);
	bool is_compound = node->kind == CXCursor_CompoundAssignOperator;
	size_t at = claw_unit_skip_blank(body->sanitizer->rewrite->unit,
					 node->first->end);
	char sign = body->sanitizer->rewrite->unit->text[at];

	if (type[0] && (is_shift || is_compound || sign == '/' || sign == '%')) {
		unsigned int number = claw_check_number(body, node,
			is_shift ? CLAW_SHIFT : CLAW_DIVIDE, "private",
			(unsigned long long)claw_type_size(node->type), "-");

		claw_hoist_note(body, node->start, NULL);
		if (is_shift)
			wrap_distance(body, node, type, number);
		else if (is_compound)
			wrap_divisor(body, node, type, number);
		else
			wrap_division(body, node, type, number);
	}
	free(type);
}
