/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Follow each name of a parameter through the expressions around it, until a
 * value is loaded or something may be written. See uses.h.
 */
#include "config.h"

#include "uses.h"

#include <stdlib.h>

#include "harness/base/memory.h"
#include "nodes.h"

/* Is what lies there changed, or its address taken? */
static bool is_place_written(const struct claw_node *place)
{
	const struct claw_node *up;

	for (;; place = up) {
		/* Through either one the object can be written elsewhere. */
		if (claw_type_is_pointer(place->type) ||
		    claw_type_is_array(place->type))
			return true;
		up = place->parent;
		switch (up ? up->kind : CXCursor_InvalidCode) {
		case CXCursor_UnexposedExpr:	/* a vector's components, too */
		case CXCursor_ParenExpr:
		case CXCursor_MemberRefExpr:
			continue;
		case CXCursor_ArraySubscriptExpr:
			if (up->first != place)
				return false;	/* an index */
			continue;
		case CXCursor_BinaryOperator:
			return up->first == place &&
				(up->op == CLAW_OP_ASSIGN ||
				 up->op == CLAW_OP_NONE);
		case CXCursor_CompoundAssignOperator:
			return up->first == place;
		case CXCursor_UnaryOperator:
			return up->op == CLAW_OP_INC || up->op == CLAW_OP_DEC ||
			       up->op == CLAW_OP_ADDRESS ||
			       up->op == CLAW_OP_NONE;
		case CXCursor_AsmStmt:
		case CXCursor_GenericSelectionExpr:
			return true;
		case CXCursor_CallExpr:		/* by reference; else it is loaded */
			return place->kind != CXCursor_UnexposedExpr;
		default:
			return false;
		}
	}
}

/* A builtin that takes a pointer to const reads there, unless it gives it back. */
static bool is_given_to_writer(const struct claw_unit *unit,
			       const struct claw_node *call,
			       const struct claw_node *argument)
{
	CXType to = claw_type_pointee(argument->type);

	return claw_unit_callee(unit, call->cursor) ||
	       claw_type_is_pointer(call->type) ||
	       !clang_isConstQualifiedType(clang_getCanonicalType(to));
}

/* Is anything written where the pointer points to, or is it lost of sight? */
static bool is_target_written(const struct claw_unit *unit,
			      const struct claw_node *pointer)
{
	const struct claw_node *up;

	for (;; pointer = up) {
		up = pointer->parent;
		if (!up || !claw_type_is_pointer(pointer->type))
			return true;
		switch (up->kind) {
		case CXCursor_UnexposedExpr:
		case CXCursor_ParenExpr:
			continue;
		case CXCursor_BinaryOperator:
			if (up->op != CLAW_OP_ADD && up->op != CLAW_OP_SUB)
				return true;
			continue;
		case CXCursor_UnaryOperator:
			return up->op != CLAW_OP_DEREF || is_place_written(up);
		case CXCursor_ArraySubscriptExpr:
		case CXCursor_MemberRefExpr:
			return is_place_written(up);
		case CXCursor_CallExpr:
			return is_given_to_writer(unit, up, pointer);
		default:
			return true;
		}
	}
}

/* Which parameters' memory is written, by their indexes; for free(). */
static bool *find_written(const struct claw_unit *unit,
			  const struct claw_function *kernel)
{
	struct claw_node *root = claw_nodes_new(unit, kernel->body_cursor);
	bool *written = claw_calloc(kernel->parameters + 1, sizeof(*written));

	for (struct claw_node *node = root; node;
	     node = claw_nodes_next(root, node)) {
		CXCursor named;
		unsigned int i = 0;

		if (node->kind != CXCursor_DeclRefExpr)
			continue;
		named = claw_nodes_declaration(node);
		while (i < kernel->parameters && !clang_equalCursors(named,
				clang_getCanonicalCursor(clang_Cursor_getArgument(
					kernel->cursor, i))))
			i++;
		written[i] = written[i] || is_target_written(unit, node);
	}
	claw_nodes_free(root);
	return written;
}

static const char *use_of(CXType type, bool is_written)
{
	enum claw_space space;

	type = clang_getCanonicalType(type);
	if (claw_type_is_image(type))
		return type.kind <= CXType_OCLImage3dRO ? "read" : "write";
	if (type.kind == CXType_Pipe)
		return "write";		/* what is read is gone */
	/* "global int list[]" is a pointer, too. */
	if (!claw_type_is_pointer(type) && !claw_type_is_array(type))
		return "none";
	space = claw_type_space(claw_type_pointee(type));
	if (space == CLAW_SPACE_LOCAL)
		return "none";
	/* Const or not: a cast may take that away. */
	return space == CLAW_SPACE_CONSTANT || !is_written ? "read" : "write";
}

void claw_uses_write(FILE *out, const struct claw_unit *unit,
		     const struct claw_function *kernel)
{
	bool *written = find_written(unit, kernel);

	for (unsigned int i = 0; i < kernel->parameters; i++)
		fprintf(out, "argument %s %u %s\n", kernel->name, i,
			use_of(clang_getCursorType(clang_Cursor_getArgument(
					kernel->cursor, i)), written[i]));
	free(written);
}
