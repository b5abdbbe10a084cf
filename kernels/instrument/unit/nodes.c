/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of cursors: see nodes.h. */
#include "config.h"

#include "nodes.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

struct grow {
	const struct claw_unit *unit;
	struct claw_node *parent;
};

/* Of (int4)(x) libclang leaves out the last parenthesis, and so it does of all
 * that ends there. */
static void find_end(const struct claw_unit *unit, struct claw_node *node)
{
	if (node->end == 0 || node->kind == CXCursor_ParenExpr)
		return;
	if (node->kind == CXCursor_CStyleCastExpr) {
		size_t open = claw_unit_skip_blank(unit,
			claw_unit_closing(unit, node->start) + 1);
		size_t close = unit->text[open] != '(' ? 0 :
			claw_unit_closing(unit, open) + 1;

		if (close > node->end && node->last && node->end == node->last->end)
			node->end = close;
	} else if (node->last && node->last->end > node->end) {
		node->end = node->last->end;
	}
}

static enum CXChildVisitResult add_child(CXCursor cursor, CXCursor parent,
					 CXClientData data)
{
	struct grow *grow = data;
	struct claw_node *node = claw_calloc(1, sizeof(*node));

	(void)parent;
	node->cursor = cursor;
	node->kind = clang_getCursorKind(cursor);
	node->parent = grow->parent;
	if (!clang_isStatement(node->kind))
		node->type = clang_getCursorType(cursor);
	if (!claw_unit_range(grow->unit, cursor, &node->start, &node->end))
		node->start = node->end = 0;
	if (grow->parent->last)
		grow->parent->last->next = node;
	else
		grow->parent->first = node;
	grow->parent->last = node;

	struct grow below = { grow->unit, node };

	clang_visitChildren(cursor, add_child, &below);
	find_end(grow->unit, node);
	return CXChildVisit_Continue;
}

static const struct { const char *text; enum claw_operator op; } binary[] = {
	{ "<<", CLAW_OP_SHL }, { ">>", CLAW_OP_SHR }, { "<=", CLAW_OP_LE },
	{ ">=", CLAW_OP_GE }, { "==", CLAW_OP_EQ }, { "!=", CLAW_OP_NE },
	{ "&&", CLAW_OP_LAND }, { "||", CLAW_OP_LOR }, { "+", CLAW_OP_ADD },
	{ "-", CLAW_OP_SUB }, { "*", CLAW_OP_MUL }, { "/", CLAW_OP_DIV },
	{ "%", CLAW_OP_MOD }, { "<", CLAW_OP_LT }, { ">", CLAW_OP_GT },
	{ "&", CLAW_OP_AND }, { "|", CLAW_OP_OR }, { "^", CLAW_OP_XOR },
	{ "=", CLAW_OP_ASSIGN }, { ",", CLAW_OP_COMMA },
}, unary[] = {
	{ "++", CLAW_OP_INC }, { "--", CLAW_OP_DEC }, { "*", CLAW_OP_DEREF },
	{ "&", CLAW_OP_ADDRESS }, { "-", CLAW_OP_MINUS }, { "+", CLAW_OP_PLUS },
	{ "~", CLAW_OP_NOT }, { "!", CLAW_OP_LNOT },
};

static enum claw_operator read_binary(const char *text)
{
	for (size_t i = 0; i < sizeof(binary) / sizeof(binary[0]); i++)
		if (strncmp(text, binary[i].text, strlen(binary[i].text)) == 0)
			return binary[i].op;
	return CLAW_OP_NONE;
}

static enum claw_operator read_unary(const char *text)
{
	for (size_t i = 0; i < sizeof(unary) / sizeof(unary[0]); i++)
		if (strncmp(text, unary[i].text, strlen(unary[i].text)) == 0)
			return unary[i].op;
	return CLAW_OP_NONE;
}

/* Line markers lie behind a newline: over them, too. */
static size_t skip_space(const struct claw_unit *unit, size_t offset)
{
	offset = claw_unit_skip_blank(unit, offset);
	while (unit->text[offset] == '#' && offset > 0 &&
	       unit->text[offset - 1] == '\n')
		offset = claw_unit_skip_blank(unit, offset +
			strcspn(unit->text + offset, "\n"));
	return offset;
}

static void find_operator(const struct claw_unit *unit, struct claw_node *node)
{
	struct claw_node *one = node->first;

	if (node->end == 0 || !one || one->end == 0)
		return;
	if (node->kind == CXCursor_UnaryOperator) {
		bool postfix = one->start == node->start;

		node->op = read_unary(unit->text + (postfix ?
			skip_space(unit, one->end) : node->start));
	} else if (node->kind == CXCursor_BinaryOperator ||
		   node->kind == CXCursor_CompoundAssignOperator) {
		node->op = read_binary(unit->text + skip_space(unit, one->end));
	}
}

struct claw_node *claw_nodes_new(const struct claw_unit *unit, CXCursor cursor)
{
	struct claw_node *root = claw_calloc(1, sizeof(*root));
	struct grow grow = { unit, root };

	root->cursor = cursor;
	root->kind = clang_getCursorKind(cursor);
	claw_unit_range(unit, cursor, &root->start, &root->end);
	clang_visitChildren(cursor, add_child, &grow);
	for (struct claw_node *node = root; node;
	     node = claw_nodes_next(root, node))
		find_operator(unit, node);
	return root;
}

void claw_nodes_free(struct claw_node *node)
{
	if (!node)
		return;
	for (struct claw_node *child = node->first, *next; child; child = next) {
		next = child->next;
		claw_nodes_free(child);
	}
	free(node);
}

struct claw_node *claw_nodes_next(const struct claw_node *root,
				  struct claw_node *node)
{
	if (node->first)
		return node->first;
	while (node != root && !node->next)
		node = node->parent;
	return node == root ? NULL : node->next;
}

struct claw_node *claw_nodes_child(const struct claw_node *node, size_t index)
{
	struct claw_node *child = node->first;

	while (child && index--)
		child = child->next;
	return child;
}

size_t claw_nodes_count(const struct claw_node *node)
{
	size_t count = 0;

	for (struct claw_node *child = node->first; child; child = child->next)
		count++;
	return count;
}

/* An implicit conversion: one child in the same place. */
static bool is_implicit(const struct claw_node *node)
{
	return node->kind == CXCursor_UnexposedExpr && node->first &&
		!node->first->next && node->first->start == node->start &&
		node->first->end == node->end;
}

struct claw_node *claw_nodes_strip(struct claw_node *node)
{
	while (node && (is_implicit(node) ||
			(node->kind == CXCursor_ParenExpr && node->first)))
		node = node->first;
	return node;
}

struct claw_node *claw_nodes_bare(struct claw_node *node)
{
	while (node && node->kind == CXCursor_ParenExpr && node->first)
		node = node->first;
	return node;
}

struct claw_node *claw_nodes_around(const struct claw_node *node)
{
	struct claw_node *around = node->parent;

	while (around && (is_implicit(around) ||
			  around->kind == CXCursor_ParenExpr))
		around = around->parent;
	return around;
}

void claw_nodes_for(const struct claw_unit *unit, const struct claw_node *node,
		    struct claw_for *ret)
{
	size_t open = node->start, semicolon[2] = { 0, 0 };

	memset(ret, 0, sizeof(*ret));
	while (open < node->end && unit->text[open] != '(')
		open++;
	size_t close = claw_unit_closing(unit, open);
	int depth = 0, found = 0;

	for (size_t at = open; at < close && found < 2; at++) {
		char c = unit->text[at];

		if (c && strchr("([{", c))
			depth++;
		else if (c && strchr(")]}", c))
			depth--;
		else if (c == ';' && depth == 1)
			semicolon[found++] = at;
	}
	for (struct claw_node *child = node->first; child; child = child->next) {
		if (child->start > close)
			ret->body = child;
		else if (child->start > semicolon[1])
			ret->step = child;
		else if (child->start > semicolon[0])
			ret->condition = child;
		else
			ret->init = child;
	}
}

bool claw_nodes_is_loop(const struct claw_node *node)
{
	return node->kind == CXCursor_ForStmt ||
		node->kind == CXCursor_WhileStmt || node->kind == CXCursor_DoStmt;
}

CXCursor claw_nodes_declaration(const struct claw_node *node)
{
	return clang_getCanonicalCursor(clang_getCursorReferenced(node->cursor));
}

char *claw_nodes_name(CXCursor cursor)
{
	CXString string = clang_getCursorSpelling(cursor);
	const char *bytes = clang_getCString(string);
	char *copied = claw_strdup(bytes ? bytes : "");

	clang_disposeString(string);
	return copied;
}

bool claw_nodes_constant(const struct claw_node *node, long long *ret)
{
	CXEvalResult result = clang_Cursor_Evaluate(node->cursor);
	bool is_int = result &&
		clang_EvalResult_getKind(result) == CXEval_Int;

	if (is_int)
		*ret = clang_EvalResult_isUnsignedInt(result) ?
			(long long)clang_EvalResult_getAsUnsigned(result) :
			clang_EvalResult_getAsLongLong(result);
	if (result)
		clang_EvalResult_dispose(result);
	return is_int;
}
