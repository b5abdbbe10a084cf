/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads of what nobody wrote: which objects have a shadow, how fine it is, and
 * where it is. See init.h.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "faults/shared/probe_format.h"
#include "init.h"

enum { GRANULE_MAX = 16, UNIT_MAX = 8, CELL_BYTES_MAX = 65536 };

bool claw_init_is_asked(const struct claw_rewrite *rewrite)
{
	return rewrite->request->modes & CLAW_PROBE_UNWRITTEN;
}

/* ---- objects ----------------------------------------------------------- */

static bool holds_values(CXType type)
{
	type = clang_getCanonicalType(type);
	while (claw_type_is_array(type))
		type = clang_getCanonicalType(claw_type_pointee(type));
	return type.kind == CXType_Record || claw_type_is_vector(type) ||
		claw_type_is_integer(type) || type.kind == CXType_Float ||
		type.kind == CXType_Double || type.kind == CXType_Half ||
		type.kind == CXType_Float16;
}

static bool is_named(const struct claw_body *body,
		     const struct claw_variable *variable)
{
	for (struct claw_node *node = body->root; node;
	     node = claw_nodes_next(body->root, node))
		if (node->kind == CXCursor_DeclRefExpr &&
		    claw_variables_find(body, node) == variable)
			return true;
	return false;
}

static bool is_cell(const struct claw_body *body,
		    const struct claw_variable *variable)
{
	enum claw_space space = claw_type_space(variable->type);
	long long size = claw_type_size(variable->type);
	CXCursor value = variable->node ? clang_Cursor_getVarDeclInitializer(
		variable->node->cursor) : clang_getNullCursor();

	if (variable->is_parameter || size <= 0 || size > CELL_BYTES_MAX ||
	    !clang_Cursor_isNull(value) || !holds_values(variable->type))
		return false;
	if (space == CLAW_SPACE_LOCAL)
		return body->function->is_kernel && body->caller_count == 0;
	return space == CLAW_SPACE_PRIVATE && is_named(body, variable) &&
		clang_Cursor_getStorageClass(variable->node->cursor) !=
			CX_SC_Static &&
		(claw_type_is_array(variable->type) ||
		 clang_getCanonicalType(variable->type).kind == CXType_Record ||
		 !claw_init_is_sure(body, variable));
}

static size_t behind(const struct claw_variable *variable)
{
	const struct claw_node *node = variable->node;

	return claw_type_space(variable->type) == CLAW_SPACE_LOCAL &&
		node->parent->kind == CXCursor_DeclStmt ? node->parent->end :
		node->end;
}

static void add_cell(struct claw_body *body,
		     const struct claw_variable *variable)
{
	struct claw_init *init = body->init;

	init->cells = claw_grow(init->cells, init->cell_count + 1,
				sizeof(*init->cells));
	init->cells[init->cell_count++] = (struct claw_cell){
		.declaration = variable->declaration, .type = variable->type,
		.name = variable->name, .behind = behind(variable),
		.space = claw_type_space(variable->type),
		.number = body->sanitizer->numbers++,
	};
}

void claw_init_find(struct claw_body *body)
{
	if (!claw_init_is_asked(body->sanitizer->rewrite))
		return;
	body->init = claw_calloc(1, sizeof(*body->init));
	body->init->shades = claw_calloc(body->function->parameters + 1,
					 sizeof(*body->init->shades));
	for (size_t i = 0; i < body->variable_count; i++)
		if (is_cell(body, &body->variables[i]))
			add_cell(body, &body->variables[i]);
	for (struct claw_node *node = body->root; node;
	     node = claw_nodes_next(body->root, node))
		if (node->kind == CXCursor_GCCAsmStmt)
			body->sanitizer->wild_spaces = ~0u;
}

struct claw_cell *claw_init_cell(const struct claw_body *body,
				 CXCursor declaration)
{
	for (size_t i = 0; body->init && i < body->init->cell_count; i++)
		if (clang_equalCursors(body->init->cells[i].declaration,
				       declaration))
			return &body->init->cells[i];
	return NULL;
}

/* NULL: it has no shadow. */
static struct claw_shade *shade_of(struct claw_body *body,
				   const struct claw_root *root)
{
	struct claw_cell *cell = root->kind == CLAW_ROOT_VARIABLE ?
		claw_init_cell(body, root->declaration) : NULL;

	if (root->kind == CLAW_ROOT_PARAMETER)
		return &body->init->shades[root->parameter];
	return cell ? &cell->shade : NULL;
}

bool claw_init_join(struct claw_body *body, const struct claw_root *root,
		    const struct claw_shade *more)
{
	struct claw_shade *shade = shade_of(body, root), was;

	if (!shade)
		return false;
	was = *shade;
	if (more->granule && (!shade->granule ||
			      more->granule < shade->granule))
		shade->granule = more->granule;
	shade->is_read |= more->is_read;
	shade->is_changed |= more->is_changed;
	return was.granule != shade->granule || was.is_read != shade->is_read ||
	       was.is_changed != shade->is_changed;
}

bool claw_init_is_statement(const struct claw_node *node)
{
	const struct claw_node *around = claw_nodes_around(node), *at = node;

	while (at->parent && at->parent != around)
		at = at->parent;
	switch (around ? around->kind : CXCursor_UnexposedExpr) {
	case CXCursor_CompoundStmt:
		return !around->parent || around->parent->kind !=
			CXCursor_StmtExpr || at->next;
	case CXCursor_IfStmt:
		return at != around->first;
	case CXCursor_ForStmt:
	case CXCursor_WhileStmt:
	case CXCursor_CaseStmt:
		return at == around->last;
	case CXCursor_DoStmt:
		return at == around->first;
	case CXCursor_DefaultStmt:
	case CXCursor_LabelStmt:
		return true;
	default:
		return false;
	}
}

/* ---- one access ---------------------------------------------------------- */

/* So many bytes that each part is a multiple, and starts at one. */
static unsigned int granule_of(const struct claw_check *check, long long known)
{
	unsigned long long bits = known > 0 ? (unsigned long long)known :
		GRANULE_MAX;

	for (unsigned int i = 0; i < check->parts.count; i++)
		bits |= check->parts.list[i].from | check->parts.list[i].bytes;
	bits &= -bits;
	return bits > GRANULE_MAX ? GRANULE_MAX : (unsigned int)bits;
}

static bool is_record(CXType type)
{
	return clang_getCanonicalType(type).kind == CXType_Record;
}

/* A struct that is copied whole is read by who uses it. */
static bool is_copied(const struct claw_check *check)
{
	const struct claw_node *around = claw_nodes_around(check->node);

	return !around || around->kind != CXCursor_BinaryOperator ||
		around->op != CLAW_OP_ASSIGN ||
		(claw_type_space(around->first->type) != CLAW_SPACE_GLOBAL);
}

static void set_parts(struct claw_check *check, CXType type)
{
	struct claw_parts *mask = &check->body->init->mask;

	check->parts = *mask;
	mask->count = 0;
	if (check->parts.count)
		return;
	if (check->kind == CLAW_READ &&
	    claw_type_size(type) == (long long)check->bytes) {
		if (!claw_init_parts_of_type(type, &check->parts) ||
		    (is_record(type) && is_copied(check)))
			check->parts.count = 0;
		return;
	}
	check->parts.count = 1;
	check->parts.list[0].from = 0;
	check->parts.list[0].bytes = check->bytes;
}

/* x += e is told of by who writes it whole, of x++ there is only its value. */
static bool is_told_of(const struct claw_check *check)
{
	const struct claw_node *around = claw_nodes_around(check->node);

	return check->kind != CLAW_UPDATE ||
		check->space == CLAW_SPACE_GLOBAL ||
		around->kind == CXCursor_CompoundAssignOperator ||
		(around->kind == CXCursor_UnaryOperator &&
		 !claw_init_is_statement(around));
}

static bool is_reached(const struct claw_check *check)
{
	bool any = false;

	for (size_t i = 0; i < check->roots.count; i++)
		any |= shade_of(check->body, &check->roots.list[i]) != NULL;
	return any;
}

bool claw_init_ask(struct claw_check *check, CXType type, long long known)
{
	struct claw_body *body = check->body;
	struct claw_shade one = {
		.is_read = check->kind != CLAW_WRITE,
		.is_changed = check->kind != CLAW_READ,
	};

	if (!body->init || !check->bytes)
		return false;
	set_parts(check, type);
	one.granule = is_record(type) || body->sanitizer->rewrite->request->
		is_separate ? 1 : granule_of(check, known);
	for (size_t i = 0; i < check->roots.count; i++)
		claw_init_join(body, &check->roots.list[i], &one);
	check->init_unit = granule_of(check, known);
	if (check->init_unit > UNIT_MAX)
		check->init_unit = UNIT_MAX;
	check->init_defer = check->kind == CLAW_READ ? body->init->defer : 0;
	check->init_asked = check->parts.count > 0 && is_reached(check) &&
		is_told_of(check);
	return check->init_asked;
}

bool claw_init_is_of_buffers(const struct claw_check *check)
{
	bool is = check->body->function->is_kernel &&
		(check->space == CLAW_SPACE_GLOBAL ||
		 check->space == CLAW_SPACE_CONSTANT);

	for (size_t i = 0; i < check->roots.count; i++)
		is &= check->roots.list[i].kind == CLAW_ROOT_PARAMETER ||
			check->roots.list[i].kind == CLAW_ROOT_NULL;
	return is;
}

void claw_init_missed(struct claw_body *body, enum claw_space space,
		      enum claw_access_kind kind)
{
	if (body->init && kind != CLAW_READ)
		body->sanitizer->wild_spaces |= space == CLAW_SPACE_GENERIC ?
			~0u : 1u << space;
}

/* What the callee has no handle for. */
static bool is_given_well(struct claw_body *body, struct claw_node *argument)
{
	struct claw_roots roots = { .count = 0 };
	struct claw_node *plain = claw_nodes_strip(argument);

	claw_roots_of_pointer(body, argument, &roots);
	claw_roots_only_visible(body, &roots, argument->start);
	return !claw_roots_unknown(&roots) &&
		(roots.count == 1 || (roots.count == 2 &&
				      plain->kind == CXCursor_DeclRefExpr));
}

static void give(struct claw_body *body, struct claw_node *call, bool is_known)
{
	for (struct claw_node *child = call->first; child;
	     child = child->next) {
		CXType type = child->type, to;

		if (child == call->first || !claw_type_is_pointer(type))
			continue;
		to = claw_type_pointee(type);
		if (!clang_isConstQualifiedType(clang_getCanonicalType(to)) &&
		    (!is_known || !is_given_well(body, child)))
			claw_init_missed(body, claw_type_space(to), CLAW_WRITE);
	}
}

void claw_init_call(struct claw_body *body, struct claw_node *call)
{
	const struct claw_function *function = claw_unit_callee(
		body->sanitizer->rewrite->unit, call->cursor);
	struct claw_body *callee = function ?
		claw_body_of(body->sanitizer, function) : NULL;

	if (body->init && function)
		give(body, call, callee && !function->is_kernel);
}

void claw_init_unknown_call(struct claw_body *body, struct claw_node *call)
{
	if (body->init)
		give(body, call, false);
}

void claw_init_mask(struct claw_body *body, const struct claw_node *swizzle)
{
	if (!body->init)
		return;
	body->init->mask.count = 0;
	if (swizzle && !claw_init_parts_of_swizzle(body, swizzle,
						   &body->init->mask))
		body->init->mask.count = 0;
}

unsigned int claw_init_defer(struct claw_body *body, unsigned int defer)
{
	unsigned int was = body->init ? body->init->defer : 0;

	if (body->init)
		body->init->defer = defer;
	return was;
}

unsigned int claw_init_target(struct claw_body *body)
{
	unsigned int target = body->init ? body->init->target : 0;

	if (body->init)
		body->init->target = 0;
	return target;
}

void claw_init_shadow(struct claw_body *body, const struct claw_root *root,
		      char words[CLAW_SHADOW_WORDS])
{
	const struct claw_cell *cell = root->kind == CLAW_ROOT_VARIABLE ?
		claw_init_cell(body, root->declaration) : NULL;

	snprintf(words, CLAW_SHADOW_WORDS, "__CLAW_NO_CELL");
	if (root->kind == CLAW_ROOT_PARAMETER)
		snprintf(words, CLAW_SHADOW_WORDS, "__claw_cell%u",
			 root->parameter);
	else if (cell)
		snprintf(words, CLAW_SHADOW_WORDS, "__CLAW_V%u", cell->number);
}

/* ---- all of them ----------------------------------------------------------- */

static bool spread_call(struct claw_body *callee,
			const struct claw_caller *caller)
{
	bool more = false;

	for (unsigned int i = 0; i < callee->function->parameters; i++) {
		struct claw_node *argument = claw_argument(caller->call, i);
		struct claw_roots roots = { .count = 0 };

		if (!argument || !claw_type_is_pointer(argument->type))
			continue;
		claw_roots_of_pointer(caller->caller, argument, &roots);
		for (size_t k = 0; k < roots.count; k++)
			more |= claw_init_join(caller->caller, &roots.list[k],
					       &callee->init->shades[i]);
	}
	return more;
}

static void spread(struct claw_sanitizer *sanitizer)
{
	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < sanitizer->body_count; i++) {
			struct claw_body *body = &sanitizer->bodies[i];

			for (size_t k = 0; k < body->caller_count; k++)
				if (body->init && body->callers[k].caller->init)
					more |= spread_call(body,
							    &body->callers[k]);
		}
	}
}

static unsigned int shift_of(const struct claw_shade *shade)
{
	unsigned int shift = 0;

	while (shade->granule >> (shift + 1))
		shift++;
	return shift;
}

/* In a copy with probes it has a value all the same: a compiler may think that
 * no sane program comes to where one that has none is used, and leave out the
 * way there. */
static void put_zero(struct claw_body *body, const struct claw_cell *cell)
{
	CXType type = clang_getCanonicalType(cell->type);

	claw_edits_insert(&body->sanitizer->rewrite->edits, cell->behind,
			  type.kind == CXType_Record ||
			  claw_type_is_array(type) ? " = { }" : " = 0");
}

/* So may one that is never written, in local memory: it might be, here. */
static void put_writer(struct claw_body *body, const struct claw_cell *cell)
{
	const char *text = body->sanitizer->rewrite->unit->text;

	if (cell->behind == 0 || text[cell->behind - 1] != ';')
		return;
	claw_edits_insert(&body->sanitizer->rewrite->edits, cell->behind,
			  " if (__claw_vw == ~0u) ((volatile __local uchar *)&%s)[__claw_launch %% %lldu] = (uchar)__claw_launch;",
			  cell->name, claw_type_size(cell->type));
}

static void put_cell(struct claw_body *body, const struct claw_cell *cell,
		     FILE *out)
{
	unsigned int number = cell->number, shift = shift_of(&cell->shade);
	unsigned long long granules =
		(((unsigned long long)claw_type_size(cell->type) - 1) >> shift) + 1;
	const char *space = claw_space_names[cell->space];
	char where[64];

	if (cell->space == CLAW_SPACE_LOCAL) {
		snprintf(where, sizeof(where), "(__claw->vl + %llu)",
			 body->init->local_bytes);
		body->init->local_bytes += granules;
		put_writer(body, cell);
	} else {
		snprintf(where, sizeof(where), "__claw_cells%u", number);
		claw_edits_insert(&body->sanitizer->rewrite->edits,
				  body->function->body + 1,
				  " uchar __claw_cells%u[%llu] = { 0 };", number,
				  granules);
		put_zero(body, cell);
	}
	fprintf(out, "#define __CLAW_V%u __CLAW_CELL(%s, %u, %u)\n", number,
		where, shift, cell->space == CLAW_SPACE_LOCAL ? 1u : 2u);
	fprintf(out, "#define __CLAW_IS%u(at, n) __claw_%s_is(%s, %u, at, n)\n",
		number, space, where, shift);
	fprintf(out, "#define __CLAW_SET%u(at, n, v) __claw_%s_set(%s, %u, at, n, v)\n",
		number, space, where, shift);
}

/* Written by who knows whom, or never looked at. */
static void put_no_cell(const struct claw_cell *cell, FILE *out)
{
	fprintf(out, "#define __CLAW_V%u __CLAW_NO_CELL\n"
		"#define __CLAW_IS%u(at, n) true\n"
		"#define __CLAW_SET%u(at, n, v) (void)0\n", cell->number,
		cell->number, cell->number);
}

static bool is_wild(const struct claw_sanitizer *sanitizer,
		    enum claw_space space)
{
	return sanitizer->wild_spaces >> space & 1;
}

void claw_init_finish(struct claw_sanitizer *sanitizer, FILE *out, FILE *fields)
{
	if (!claw_init_is_asked(sanitizer->rewrite))
		return;
	spread(sanitizer);
	fputs("__local uchar *vl; ", fields);
	claw_init_text(out);
	for (size_t i = 0; i < sanitizer->body_count; i++) {
		struct claw_body *body = &sanitizer->bodies[i];

		for (size_t k = 0; body->init && k < body->init->cell_count;
		     k++) {
			struct claw_cell *cell = &body->init->cells[k];

			if (is_wild(sanitizer, cell->space) ||
			    !cell->shade.is_read || !body->is_reached)
				put_no_cell(cell, out);
			else
				put_cell(body, cell, out);
		}
	}
}

/* ---- a kernel's arguments ---------------------------------------------------- */

static const struct claw_shade *shade_of_argument(const struct claw_body *body,
						  unsigned int i)
{
	static const struct claw_shade none;

	return body && body->init && !body->caller_count ?
		&body->init->shades[i] : &none;
}

static CXType argument_type(const struct claw_function *kernel, unsigned int i)
{
	return clang_getCursorType(clang_Cursor_getArgument(kernel->cursor, i));
}

static unsigned int put_argument(const struct claw_sanitizer *sanitizer,
				 const struct claw_function *kernel,
				 unsigned int i, unsigned int index, FILE *out,
				 FILE *map)
{
	struct claw_body *body = claw_body_of(
		(struct claw_sanitizer *)(uintptr_t)sanitizer, kernel);
	const struct claw_shade *shade = shade_of_argument(body, i);
	enum claw_space space = claw_type_space(claw_type_pointee(
		argument_type(kernel, i)));
	bool is_local = space == CLAW_SPACE_LOCAL;
	bool is_asked = shade->is_read || shade->is_changed;

	fprintf(out, is_local ? ", ulong __claw_co%u" :
		", __global uchar *__claw_cp%u, ulong __claw_co%u", i, i);
	if (kernel->is_definition)
		fprintf(map, "cell %s %u %u %s %u %s\n", kernel->name, index, i,
			claw_space_names[space], shift_of(shade),
			!is_asked || (is_local && is_wild(sanitizer, space)) ?
			"none" : shade->is_changed ? "write" : "read");
	return is_local ? 1 : 2;
}

/* A kernel that another one calls has no shadows, in launches of its own, too:
 * what it writes to nobody sees. */
static bool calls_kernels(const struct claw_sanitizer *sanitizer)
{
	for (size_t i = 0; i < sanitizer->body_count; i++)
		if (sanitizer->bodies[i].function->is_kernel &&
		    sanitizer->bodies[i].caller_count)
			return true;
	return false;
}

/* What is known of it is what a kernel writes to, and where it reads. */
unsigned int claw_init_parameters(struct claw_sanitizer *sanitizer,
				  const struct claw_function *kernel,
				  unsigned int first, FILE *out, FILE *map)
{
	struct claw_body *body = claw_body_of(sanitizer, kernel);
	unsigned int count = 2;

	if (!claw_init_is_asked(sanitizer->rewrite))
		return 0;
	fputs(", __local uchar *__claw_vl, uint __claw_vw", out);
	if (kernel->is_definition)
		fprintf(map, "cells %s %u %llu %s%s\n", kernel->name, first,
			body && body->init ? body->init->local_bytes : 0,
			is_wild(sanitizer, CLAW_SPACE_GLOBAL) ||
			calls_kernels(sanitizer) ? "global" : "-",
			is_wild(sanitizer, CLAW_SPACE_LOCAL) ||
			is_wild(sanitizer, CLAW_SPACE_PRIVATE) ? "+own" : "");
	for (unsigned int i = 0; i < kernel->parameters; i++)
		if (claw_type_is_pointer(argument_type(kernel, i)))
			count += put_argument(sanitizer, kernel, i,
					      first + count, out, map);
	return count;
}

static bool has_local(const struct claw_body *body)
{
	const struct claw_function *kernel = body->function;
	bool any = body->init->local_bytes > 0;

	for (unsigned int i = 0; i < kernel->parameters; i++)
		any |= claw_type_is_pointer(argument_type(kernel, i)) &&
			claw_type_space(claw_type_pointee(
				argument_type(kernel, i))) == CLAW_SPACE_LOCAL;
	return any;
}

/* "const int __claw_written": of all buffers it is known. */
static void put_written(const struct claw_function *kernel, FILE *out)
{
	fputs(" const int __claw_written = !(0UL", out);
	for (unsigned int i = 0; i < kernel->parameters; i++) {
		CXType type = argument_type(kernel, i);

		if (claw_type_is_pointer(type) && claw_type_space(
			    claw_type_pointee(type)) != CLAW_SPACE_LOCAL)
			fprintf(out, " | __claw_cell%u", i);
	}
	fputs(");", out);
}

void claw_init_begin(struct claw_body *body, FILE *out)
{
	const struct claw_function *kernel = body->function;

	if (!body->init)
		return;
	fputs(" __claw_k.vl = __claw_vl;", out);
	if (has_local(body))
		fputs(" if (__claw_vw) __claw_cells_clear(__claw_vl, __claw_vw);",
		      out);
	for (unsigned int i = 0; i < kernel->parameters; i++) {
		CXType type = argument_type(kernel, i);
		const struct claw_shade *shade = shade_of_argument(body, i);

		if (!claw_type_is_pointer(type))
			continue;
		if (claw_type_space(claw_type_pointee(type)) ==
		    CLAW_SPACE_LOCAL)
			fprintf(out, " const ulong __claw_cell%u = __claw_co%u == ~0UL ? 0UL : __CLAW_CELL(__claw_vl + __claw_co%u, %u, 1);",
				i, i, i, shift_of(shade));
		else
			fprintf(out, " const ulong __claw_cell%u = __claw_co%u == ~0UL ? 0UL : (ulong)(__claw_cp%u + __claw_co%u);",
				i, i, i, i);
	}
	put_written(kernel, out);
}

void claw_init_call_kernel(const struct claw_sanitizer *sanitizer,
			   const struct claw_function *callee, FILE *out)
{
	if (!claw_init_is_asked(sanitizer->rewrite))
		return;
	fputs(", __claw->vl, 0u", out);
	for (unsigned int i = 0; i < callee->parameters; i++) {
		CXType type = argument_type(callee, i);

		if (claw_type_is_pointer(type))
			fputs(claw_type_space(claw_type_pointee(type)) ==
			      CLAW_SPACE_LOCAL ? ", ~0UL" :
			      ", (__global uchar *)0, ~0UL", out);
	}
}

void claw_init_release(struct claw_body *body)
{
	if (!body->init)
		return;
	free(body->init->cells);
	free(body->init->shades);
	free(body->init);
}
