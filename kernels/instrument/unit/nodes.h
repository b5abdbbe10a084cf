/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function's body as a tree with parents, which libclang's cursors do not
 * have: what looks at an expression from all sides works on these.
 */
#ifndef CLAW_INSTRUMENT_NODES_H
#define CLAW_INSTRUMENT_NODES_H

#include <stdbool.h>
#include <stddef.h>

#include "unit.h"

/* Operators whose kind libclang 14 does not tell. */
enum claw_operator {
	CLAW_OP_NONE, CLAW_OP_ADD, CLAW_OP_SUB, CLAW_OP_MUL, CLAW_OP_DIV,
	CLAW_OP_MOD, CLAW_OP_SHL, CLAW_OP_SHR, CLAW_OP_LT, CLAW_OP_GT,
	CLAW_OP_LE, CLAW_OP_GE, CLAW_OP_EQ, CLAW_OP_NE, CLAW_OP_AND,
	CLAW_OP_OR, CLAW_OP_XOR, CLAW_OP_LAND, CLAW_OP_LOR, CLAW_OP_ASSIGN,
	CLAW_OP_COMMA,
	/* unary */
	CLAW_OP_DEREF, CLAW_OP_ADDRESS, CLAW_OP_MINUS, CLAW_OP_PLUS,
	CLAW_OP_NOT, CLAW_OP_LNOT, CLAW_OP_INC, CLAW_OP_DEC,
};

struct claw_node {
	CXCursor cursor;
	enum CXCursorKind kind;
	CXType type;			/* kind CXType_Invalid: it has none */
	size_t start, end;		/* of the text; both 0: not of it */
	struct claw_node *parent, *first, *last, *next;
	/* BinaryOperator, UnaryOperator; of a CompoundAssignOperator the one
	 * that is done before the assignment. */
	enum claw_operator op;
	unsigned int place;		/* of an expression in its function's flow
					 * (flow.h), + 1; 0: none was made */
};

/* The tree of a definition; the caller's, claw_nodes_free(). */
struct claw_node *claw_nodes_new(const struct claw_unit *unit, CXCursor cursor);
void claw_nodes_free(struct claw_node *node);

/* The node behind a node in the order of the text; NULL behind the last of
 * root's. */
struct claw_node *claw_nodes_next(const struct claw_node *root,
				  struct claw_node *node);
/* Child number index from 0, or NULL. */
struct claw_node *claw_nodes_child(const struct claw_node *node, size_t index);
size_t claw_nodes_count(const struct claw_node *node);
/* Without the brackets and the implicit conversions around it. */
struct claw_node *claw_nodes_strip(struct claw_node *node);
/* Only without brackets. */
struct claw_node *claw_nodes_bare(struct claw_node *node);
/* The nearest node around it that is neither brackets nor a conversion. */
struct claw_node *claw_nodes_around(const struct claw_node *node);

/* The four parts of a for statement; any but body may be NULL. */
struct claw_for {
	struct claw_node *init, *condition, *step, *body;
};
void claw_nodes_for(const struct claw_unit *unit, const struct claw_node *node,
		    struct claw_for *ret);
bool claw_nodes_is_loop(const struct claw_node *node);

/* A name's declaration (canonical), of a DeclRefExpr. */
CXCursor claw_nodes_declaration(const struct claw_node *node);
/* A declared name, a called function's name; malloc'ed. */
char *claw_nodes_name(CXCursor cursor);
/* The value of an integer constant expression. */
bool claw_nodes_constant(const struct claw_node *node, long long *ret);

/* Types: canonical ones. */
bool claw_type_is_pointer(CXType type);
bool claw_type_is_array(CXType type);
bool claw_type_is_vector(CXType type);
bool claw_type_is_image(CXType type);
bool claw_type_is_sampler(CXType type);
bool claw_type_is_integer(CXType type);
bool claw_type_is_unsigned(CXType type);
/* Of a pointer, array or vector. */
CXType claw_type_pointee(CXType type);
/* -1: unknown. */
long long claw_type_size(CXType type);
long long claw_type_align(CXType type);

enum claw_space {
	CLAW_SPACE_PRIVATE, CLAW_SPACE_GLOBAL, CLAW_SPACE_CONSTANT,
	CLAW_SPACE_LOCAL, CLAW_SPACE_GENERIC, CLAW_SPACES,
};
/* Of an object's type. */
enum claw_space claw_type_space(CXType type);
extern const char *const claw_space_names[CLAW_SPACES];
/* "__global" ... */
extern const char *const claw_space_words[CLAW_SPACES];

#endif
