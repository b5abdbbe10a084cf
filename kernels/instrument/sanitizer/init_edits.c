/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The probes of unwritten memory, as words of the text: see init.h. Of an
 * assignment to local memory or a variable they become
 *
 *	({ uint t = 0; T *const w = &(X); *w += (E); SET(w, t ? 0 : 0xff); *w; })
 *
 * where what E reads that was not written sets t.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "faults/shared/probe_format.h"
#include "init.h"

enum { WORDS = 96 };

/* "NAME(SHADOW, " of what asks or sets, for an offset, bytes and more. */
static void put_name(struct claw_body *body, const struct claw_root *root,
		     enum claw_space space, unsigned int unit, const char *what,
		     FILE *out)
{
	const struct claw_cell *cell = root->kind == CLAW_ROOT_VARIABLE ?
		claw_init_cell(body, root->declaration) : NULL;
	char shadow[CLAW_SHADOW_WORDS];
	bool is_by_granule = space == CLAW_SPACE_LOCAL ||
		space == CLAW_SPACE_PRIVATE;

	if (cell) {
		fprintf(out, "__CLAW_%s%u(", what[0] == 'i' ? "IS" : "SET",
			cell->number);
		return;
	}
	claw_init_shadow(body, root, shadow);
	if (is_by_granule)
		fprintf(out, "__claw_%s_%s(%s, ", what, claw_space_names[space],
			shadow);
	else
		fprintf(out, "__claw_%s_%s_%u(%s, ", what,
			claw_space_names[space], unit, shadow);
}

static bool has_shadow(struct claw_body *body, const struct claw_root *root)
{
	return root->kind == CLAW_ROOT_PARAMETER ||
		(root->kind == CLAW_ROOT_VARIABLE &&
		 claw_init_cell(body, root->declaration));
}

/* at: an expression of an offset. */
static void put_test(const struct claw_check *check,
		     const struct claw_root *root, const char *at,
		     const char *object, const char *bytes, FILE *out)
{
	fputs("if (!(", out);
	for (unsigned int i = 0; i < check->parts.count; i++) {
		fputs(i ? " && " : "", out);
		put_name(check->body, root, check->space, check->init_unit,
			 "is", out);
		fprintf(out, "%s + %lluUL, %lluUL)", at,
			check->parts.list[i].from, check->parts.list[i].bytes);
	}
	if (check->init_defer)
		fprintf(out, ")) __claw_t%u = 1u; ", check->init_defer - 1);
	else
		fprintf(out, ")) __CLAW_UNSET(CLAW_A + %uu, %s, %s, %s); ",
			check->number, object, at, bytes);
}

static void put_set(const struct claw_check *check,
		    const struct claw_root *root, const char *at,
		    const char *value, FILE *out)
{
	for (unsigned int i = 0; i < check->parts.count; i++) {
		put_name(check->body, root, check->space, check->init_unit,
			 "set", out);
		fprintf(out, "%s + %lluUL, %lluUL, %s); ", at,
			check->parts.list[i].from, check->parts.list[i].bytes,
			value);
	}
}

/* The call of an atomic function that the pointer is given to, by name. */
static bool calls(const struct claw_node *pointer, const char *word)
{
	const struct claw_node *call = claw_nodes_around(pointer);
	char *name = call && call->kind == CXCursor_CallExpr ?
		claw_callee_name(call) : NULL;
	bool is_it = name && strstr(name, word);

	free(name);
	return is_it;
}

/* Whether the old value counts, and whether the new one is written for sure:
 * a counter in local memory is as unwritten as it was, until it is asked. */
static void uses_of(const struct claw_check *check, bool *reads, bool *writes)
{
	bool is_own = check->space == CLAW_SPACE_LOCAL ||
		check->space == CLAW_SPACE_PRIVATE;

	*reads = check->kind != CLAW_WRITE;
	*writes = check->kind != CLAW_READ;
	if (check->kind == CLAW_UPDATE && check->space != CLAW_SPACE_GLOBAL)
		*writes = false;	/* v[i]++, whose value is used */
	if (check->kind != CLAW_ATOMIC)
		return;
	const struct claw_node *call = claw_nodes_around(check->node);
	bool is_exchange = calls(check->node, "xchg") ||
		(calls(check->node, "exchange") &&
		 !calls(check->node, "compare"));

	if (calls(check->node, "atomic_load")) {
		*writes = false;
	} else if (calls(check->node, "atomic_store") || is_exchange) {
		*reads = is_exchange && !claw_init_is_statement(call);
	} else if (is_own || check->space == CLAW_SPACE_GENERIC) {
		*reads = !claw_init_is_statement(call);
		*writes = false;
	}
}

void claw_init_put(const struct claw_check *check, const char *address,
		   const char *value, FILE *out)
{
	unsigned int name = check->name;
	bool reads, writes;
	char at[WORDS];

	uses_of(check, &reads, &writes);
	snprintf(at, sizeof(at), "__claw_z%u", name);
	for (size_t i = 0; i < check->roots.count && (reads || writes); i++) {
		const struct claw_root *root = &check->roots.list[i];
		struct claw_bounds bounds = claw_bounds_of(check->body, root,
							   check->space);

		if (!has_shadow(check->body, root))
			continue;
		fprintf(out, "if (__CLAW_IN(%s, %s, %s, %lluUL)) { const ulong %s = (ulong)%s - (%s); ",
			address, bounds.lo, bounds.bytes, check->bytes, at,
			address, bounds.lo);
		if (reads)
			put_test(check, root, at, bounds.object, bounds.bytes,
				 out);
		if (writes)
			put_set(check, root, at, value, out);
		fputs("} ", out);
	}
}

/* ---- copies by a whole group ---------------------------------------------- */

/* "IS(...)", "SET(...": of an element, whose address is NAMEn. False: there is
 * no shadow, or nobody knows whose. */
static bool put_element(struct claw_body *body, struct claw_node *pointer,
			char name, unsigned int number, const char *what,
			FILE *out)
{
	CXType element = claw_type_pointee(pointer->type);
	enum claw_space space = claw_type_space(element);
	long long size = claw_type_size(element);
	struct claw_shade shade = { .granule = 1 };
	struct claw_roots roots = { .count = 0 };

	claw_roots_of_pointer(body, pointer, &roots);
	claw_roots_only_visible(body, &roots, pointer->start);
	if (roots.count != 1 || size <= 0 || !has_shadow(body, &roots.list[0]))
		return false;
	struct claw_bounds bounds = claw_bounds_of(body, &roots.list[0], space);

	shade.is_read = what[0] == 'i';
	shade.is_changed = !shade.is_read;
	claw_init_join(body, &roots.list[0], &shade);
	fprintf(out, shade.is_read ? "!__CLAW_IN(__claw_%c%u, %s, %s, %lldUL) || " :
		"if (__CLAW_IN(__claw_%c%u, %s, %s, %lldUL)) ", name, number,
		bounds.lo, bounds.bytes, size);
	put_name(body, &roots.list[0], space, 1, what, out);
	fprintf(out, "__claw_%c%u - (%s), %lldUL", name, number, bounds.lo,
		size);
	return true;
}

static void put_address(const char *to, const char *from, bool strides,
			unsigned int number, FILE *out)
{
	fprintf(out, "const ulong __claw_%s%u = (ulong)(__claw_%s%u + __claw_q%u * ",
		to, number, from, number, number);
	if (strides)
		fprintf(out, "__claw_t%u); ", number);
	else
		fputs("1); ", out);
}

static bool strides(struct claw_node *pointer, bool is_strided)
{
	return is_strided && claw_type_space(claw_type_pointee(
		pointer->type)) != CLAW_SPACE_LOCAL;
}

void claw_init_put_copy(struct claw_body *body, struct claw_node *to,
			struct claw_node *from, unsigned int name,
			unsigned int number, bool is_strided, FILE *out)
{
	bool leaves = claw_type_space(claw_type_pointee(to->type)) !=
		CLAW_SPACE_LOCAL;

	if (!body->init)
		return;
	fprintf(out, "for (size_t __claw_q%u = __CLAW_CELL_LID; __claw_q%u < (__claw_o%u ? __claw_e%u : (size_t)0); __claw_q%u += __CLAW_CELL_LSZ) { ",
		name, name, name, name, name);
	put_address("x", "d", strides(to, is_strided), name, out);
	put_address("y", "s", strides(from, is_strided), name, out);
	fprintf(out, "const bool __claw_z%u = ", name);
	if (put_element(body, from, 'y', name, "is", out))
		fputs("); ", out);
	else
		fputs("true; ", out);
	if (leaves)
		fprintf(out, "if (!__claw_z%u) __CLAW_UNSET(CLAW_A + %uu, 0u, 0UL, 0UL); ",
			name, number);
	if (!put_element(body, to, 'x', name, "set", out))
		claw_init_missed(body, claw_type_space(claw_type_pointee(
			to->type)), CLAW_WRITE);
	else if (leaves)
		fputs(", __CLAW_WROTE); ", out);
	else
		fprintf(out, ", __claw_z%u ? __CLAW_WROTE : (uchar)0); ", name);
	fputs("} ", out);
}

void claw_init_wait(struct claw_body *body, const struct claw_node *call)
{
	if (body->init && call->end > call->start)
		claw_edits_wrap(&body->sanitizer->rewrite->edits, call->start,
				call->end, "(",
				", barrier(CLK_LOCAL_MEM_FENCE))");
}

/* ---- assignments --------------------------------------------------------- */

/* Of "X = E", "X += E": the operator, X being the check's place. */
static bool find_operator(const struct claw_check *check,
			  const struct claw_node *assignment, size_t *ret_start,
			  size_t *ret_end)
{
	const struct claw_unit *unit = check->body->sanitizer->rewrite->unit;
	size_t at;

	if (!assignment || !assignment->first ||
	    assignment->first == assignment->last ||
	    assignment->first->end == 0 ||
	    claw_nodes_strip(assignment->first) !=
	    claw_nodes_strip(check->node) ||
	    (assignment->kind != CXCursor_CompoundAssignOperator &&
	     (assignment->kind != CXCursor_BinaryOperator ||
	      assignment->op != CLAW_OP_ASSIGN)))
		return false;
	at = *ret_start = claw_unit_skip_blank(unit, assignment->first->end);
	while (at < assignment->end && strchr("+-*/%<>&|^", unit->text[at]))
		at++;
	*ret_end = at + 1;
	return unit->text[at] == '=' && assignment->end > at + 1;
}

/* A struct that is another one: the other's bytes, or NULL. */
static struct claw_node *find_source(const struct claw_check *check,
				     struct claw_node *assignment)
{
	struct claw_node *value = claw_nodes_strip(assignment->last);

	if (clang_getCanonicalType(check->node->type).kind != CXType_Record ||
	    assignment->kind != CXCursor_BinaryOperator)
		return NULL;
	return value->kind == CXCursor_DeclRefExpr ||
		value->kind == CXCursor_ArraySubscriptExpr ||
		value->kind == CXCursor_MemberRefExpr ||
		(value->kind == CXCursor_UnaryOperator &&
		 value->op == CLAW_OP_DEREF) ? value : NULL;
}

/* "IS(...)" of a byte of what is copied, that many behind its begin. */
static void put_source(const struct claw_check *check,
		       struct claw_node *source, FILE *out)
{
	struct claw_body *body = check->body;
	enum claw_space space = claw_type_space(source->type);
	struct claw_roots roots = { .count = 0 };
	struct claw_shade bytes = { .granule = 1 };

	claw_roots_of_place(body, source, &roots);
	claw_roots_only_visible(body, &roots, source->start);
	if (roots.count != 1 || !has_shadow(body, &roots.list[0])) {
		fputs("true", out);
		return;
	}
	struct claw_bounds bounds = claw_bounds_of(body, &roots.list[0], space);

	claw_init_join(body, &roots.list[0], &bytes);
	fprintf(out, "!__CLAW_IN(__claw_from%u, %s, %s, %lluUL) || ", check->name,
		bounds.lo, bounds.bytes, check->bytes);
	put_name(body, &roots.list[0], space, 1, "is", out);
	fprintf(out, "(ulong)__claw_from%u - (%s) + __claw_q%u, 1UL)", check->name,
		bounds.lo, check->name);
}

static void put_struct(struct claw_check *check, struct claw_node *source,
		       FILE *out)
{
	char value[64], address[32];

	fprintf(out, "*__claw_w%u = *__claw_from%u; ", check->name, check->name);
	fprintf(out, "for (ulong __claw_q%u = 0UL; __claw_q%u < %lluUL; __claw_q%u++) { const uchar __claw_y%u = (",
		check->name, check->name, check->bytes, check->name,
		check->name);
	put_source(check, source, out);
	fprintf(out, ") ? __CLAW_WROTE : (uchar)0; const ulong __claw_x%u = (ulong)__claw_w%u + __claw_q%u; ",
		check->name, check->name, check->name);
	snprintf(value, sizeof(value), "__claw_y%u", check->name);
	snprintf(address, sizeof(address), "__claw_x%u", check->name);
	check->parts.count = 1;
	check->parts.list[0].from = 0;
	check->parts.list[0].bytes = 1;
	unsigned long long bytes = check->bytes;

	check->bytes = 1;
	check->init_unit = 1;
	claw_init_put(check, address, value, out);
	check->bytes = bytes;
	fputs("} ", out);
}

static void put_value(struct claw_check *check, const char *address,
		      bool is_update, FILE *out)
{
	char value[64];
	enum claw_access_kind kind = check->kind;

	snprintf(value, sizeof(value), is_update ? "(uchar)0" :
		 "(__claw_t%u ? (uchar)0 : __CLAW_WROTE)", check->name);
	if (is_update)
		fprintf(out, "if (__claw_t%u) { ", check->name);
	check->kind = CLAW_WRITE;
	claw_init_put(check, address, value, out);
	check->kind = kind;
	fputs(is_update ? "} " : "", out);
}

/* "w = (E": a race has to know the value before. */
static void put_equals(struct claw_check *check, bool has_value, size_t start,
		       size_t end)
{
	struct claw_edits *edits = &check->body->sanitizer->rewrite->edits;

	if (has_value)
		claw_edits_replace(edits, start, end,
				   " const __typeof__(({ *__claw_w%u; })) __claw_value%u = (",
				   check->name, check->name);
	else
		claw_edits_replace(edits, start, end, " *__claw_w%u %.*s (",
				   check->name, (int)(end - start),
				   check->body->sanitizer->rewrite->unit->text +
				   start);
	check->body->init->target = check->name + 1;
}

static void put_race(struct claw_check *check, const char *address, FILE *out)
{
	char hash[96];

	snprintf(hash, sizeof(hash), "__claw_hash((const __private uchar *)&__claw_value%u, %u)",
		 check->name, check->bytes <= 16 ? (unsigned int)check->bytes :
		 0);
	claw_race_put(check, address, hash, out);
	fprintf(out, "*__claw_w%u = __claw_value%u; ", check->name, check->name);
	check->race_asked = false;
}

bool claw_init_assign(struct claw_check *check)
{
	struct claw_edits *edits = &check->body->sanitizer->rewrite->edits;
	struct claw_node *assignment = claw_nodes_around(check->node), *source;
	bool is_update = check->kind == CLAW_UPDATE, has_value;
	size_t start, end;
	struct claw_words after;
	char address[32], *before;

	if (check->space == CLAW_SPACE_GLOBAL || check->kind == CLAW_READ ||
	    check->kind == CLAW_ATOMIC ||
	    !find_operator(check, assignment, &start, &end))
		return false;
	source = find_source(check, assignment);
	has_value = check->race_asked && !is_update && !source;
	claw_words_init(&after);
	fputs("); ", after.stream);
	snprintf(address, sizeof(address), "__claw_w%u", check->name);
	if (has_value)
		put_race(check, address, after.stream);
	if (source)
		put_struct(check, source, after.stream);
	else
		put_value(check, address, is_update, after.stream);
	if (!claw_init_is_statement(assignment))
		fprintf(after.stream, "*__claw_w%u; ", check->name);
	fputs("})", after.stream);
	before = claw_format("({ uint __claw_t%u = 0u; ", check->name);
	claw_edits_wrap(edits, assignment->start, assignment->end, before,
			claw_words_text(&after));
	free(before);
	claw_words_release(&after);
	/* To a driver a pointer without an address space may be another one. */
	before = claw_format("const __auto_type __claw_w%u = &(", check->name);
	claw_edits_wrap(edits, assignment->first->start,
			assignment->first->end, before, ");");
	free(before);
	if (source) {
		before = claw_format(" const __auto_type __claw_from%u = &(",
				     check->name);
		claw_edits_replace(edits, start, end, "%s", before);
		free(before);
	} else {
		put_equals(check, has_value, start, end);
	}
	return true;
}

/* ---- variables ------------------------------------------------------------ */

/* "v = E", "v.x += E" that a variable is the left side of, or NULL. */
static struct claw_node *assignment_of(const struct claw_body *body,
				       struct claw_node *node)
{
	struct claw_node *around = claw_nodes_around(node), *left = node;

	if (around && claw_is_swizzle(body, around)) {
		left = around;
		around = claw_nodes_around(around);
	}
	return around && (around->kind == CXCursor_CompoundAssignOperator ||
			  (around->kind == CXCursor_BinaryOperator &&
			   around->op == CLAW_OP_ASSIGN)) &&
		around->first != around->last &&
		claw_nodes_strip(around->first) == left ? around : NULL;
}

static void put_sets(const struct claw_check *check, const char *value,
		     FILE *out)
{
	put_set(check, &check->roots.list[0], "0UL", value, out);
}

static void write_variable(struct claw_check *check, const char *name)
{
	struct claw_edits *edits = &check->body->sanitizer->rewrite->edits;
	struct claw_node *assignment = assignment_of(check->body, check->node);
	struct claw_words after;
	char *before, value[64];

	claw_check_name(check);
	claw_words_init(&after);
	fputs("; ", after.stream);
	if (check->kind == CLAW_UPDATE)
		fprintf(after.stream, "if (__claw_t%u) { ", check->name);
	snprintf(value, sizeof(value), check->kind == CLAW_UPDATE ?
		 "(uchar)0" : "(__claw_t%u ? (uchar)0 : __CLAW_WROTE)",
		 check->name);
	put_sets(check, value, after.stream);
	if (check->kind == CLAW_UPDATE)
		fputs("} ", after.stream);
	if (!claw_init_is_statement(assignment))
		fprintf(after.stream, "%s; ", name);
	fputs("})", after.stream);
	before = claw_format("({ uint __claw_t%u = 0u; ", check->name);
	claw_edits_wrap(edits, assignment->start, assignment->end, before,
			claw_words_text(&after));
	check->body->init->target = check->name + 1;
	free(before);
	claw_words_release(&after);
}

static void write_struct(struct claw_check *check)
{
	claw_check_name(check);
	if (!claw_init_assign(check))
		claw_init_missed(check->body, CLAW_SPACE_PRIVATE, CLAW_WRITE);
}

static void test_before(struct claw_check *check, const struct claw_node *node)
{
	struct claw_words before;
	char bytes[32];

	claw_check_name(check);
	claw_words_init(&before);
	fputs("({ ", before.stream);
	snprintf(bytes, sizeof(bytes), "%lluUL", check->bytes);
	put_test(check, &check->roots.list[0], "0UL", "0u", bytes,
		 before.stream);
	claw_edits_wrap(&check->body->sanitizer->rewrite->edits, node->start,
			node->end, claw_words_text(&before), "; })");
	claw_words_release(&before);
}

void claw_init_variable(struct claw_body *body, struct claw_node *node,
			enum claw_access_kind kind)
{
	struct claw_check check = {
		.body = body, .node = node, .kind = kind,
		.space = CLAW_SPACE_PRIVATE,
	};
	long long size = claw_type_size(node->type);
	char *name;

	if (!body->init || !claw_init_cell(body, claw_nodes_declaration(node)))
		return;
	claw_roots_of_place(body, node, &check.roots);
	check.bytes = (unsigned long long)size;
	check.name = body->sanitizer->numbers++;
	if (!claw_init_ask(&check, node->type, claw_type_align(node->type)))
		return;
	if (!claw_wrapped_add(body, node)) {
		claw_init_missed(body, CLAW_SPACE_PRIVATE, kind);
		return;
	}
	claw_hoist_note(body, node->start, NULL);
	name = claw_nodes_name(node->cursor);
	if (kind == CLAW_READ)
		test_before(&check, node);
	else if (kind == CLAW_UPDATE && !assignment_of(body, node))
		test_before(&check, claw_nodes_around(node));
	else if (clang_getCanonicalType(node->type).kind == CXType_Record)
		write_struct(&check);
	else
		write_variable(&check, name);
	free(name);
}
