/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of checks. A place E becomes
 *
 *	(*(T *)({ const volatile char *a = &(E); OK ? a : (bad(), sink); }))
 *
 * and an index of an array of known size
 *
 *	({ const ulong i = I; i < N ? i : (b = 1, bad(), 0); })
 *
 * where b, of the place around it, sends the place to the sink. A place is
 * named once and evaluated once. See sanitizer_private.h and sanitizer.h.
 */
#include "config.h"

#include "faults/shared/probe_format.h"
#include "init.h"
#include "sanitizer_private.h"

#include <stdlib.h>

/* Where a place begins: a pointer that it goes through, or a variable. */
static bool goes_through_pointer(struct claw_body *body,
				 struct claw_node *place)
{
	struct claw_node *base, *index;

	for (;;) {
		place = claw_nodes_strip(place);
		if (!place)
			return false;
		switch (place->kind) {
		case CXCursor_UnaryOperator:
			return place->op == CLAW_OP_DEREF;
		case CXCursor_ArraySubscriptExpr:
			claw_subscript_parts(place, &base, &index);
			if (!claw_type_is_array(claw_nodes_strip(base)->type) &&
			    !claw_type_is_vector(base->type))
				return true;
			place = base;
			break;
		case CXCursor_MemberRefExpr:
			if (!place->first)
				return false;
			if (claw_member_is_arrow(place))
				return true;
			place = place->first;
			break;
		default:
			if (!claw_is_swizzle(body, place))
				return false;
			place = place->first;
		}
	}
}

bool claw_check_is_on(const struct claw_body *body, unsigned int mode)
{
	return body->sanitizer->rewrite->request->modes & mode;
}

static bool is_bounds(const struct claw_body *body)
{
	return claw_check_is_on(body, CLAW_PROBE_ASAN);
}

/* What is to be asked of a pointer's target. asked: place or pointer. */
static void ask_bounds(struct claw_check *check, struct claw_asked *asked)
{
	bool always = false;

	check->bounds_asked = is_bounds(check->body);
	if (!check->bounds_asked)
		return;
	if (check->roots.count != 1 ||
	    (check->roots.list[0].kind != CLAW_ROOT_PARAMETER &&
	     check->roots.list[0].kind != CLAW_ROOT_VARIABLE))
		return;
	asked->bytes = check->bytes;
	asked->root = &check->roots.list[0];
	check->flag = claw_hoist_bytes(check->body, asked, check->node, &always);
	check->bounds_asked = !always;
}

/* known: what the address is a multiple of for sure, as the object's begin is. */
static void set_alignment(struct claw_check *check, long long known)
{
	unsigned long long bytes = check->bytes;

	check->align_asked = is_bounds(check->body) && check->align > 1 &&
		known < check->align;
	check->is_step = known > 0 && (bytes & (bytes - 1)) == 0 &&
		bytes <= (unsigned long long)known;
}

/* The struct with the word "packed" that a place is in: a pointer to the place
 * alone would have lost the word. NULL: none. */
static struct claw_node *find_packed(struct claw_node *node)
{
	long long align = claw_type_align(node->type);
	struct claw_node *place = claw_nodes_strip(node), *base, *index;

	while (place->kind == CXCursor_ArraySubscriptExpr) {
		claw_subscript_parts(place, &base, &index);
		place = claw_nodes_strip(base);
		if (!claw_type_is_array(place->type))
			return NULL;
	}
	if (place->kind != CXCursor_MemberRefExpr || !place->first)
		return NULL;
	CXType record = place->first->type;

	if (claw_type_is_pointer(record))
		record = claw_type_pointee(record);
	return claw_type_align(record) < align ? place : NULL;
}

/* "const volatile char *const a = (const volatile char *)", for an address. */
static void write_address(const struct claw_check *check, FILE *out)
{
	const char *space = claw_space_words[check->space];

	fprintf(out, "const volatile %s char *const __claw_a%u = (const volatile %s char *)",
		space, check->name, space);
}

static void wrap(const struct claw_check *check, struct claw_words *before,
		 struct claw_words *after)
{
	claw_edits_wrap(&check->body->sanitizer->rewrite->edits,
			check->node->start, check->node->end,
			claw_words_text(before), claw_words_text(after));
}

/* What is written is not known here. */
static void put_shadows(const struct claw_check *check, bool race, bool init,
			FILE *out)
{
	char address[32];

	snprintf(address, sizeof(address), "__claw_a%u", check->name);
	if (race)
		claw_race_put(check, address, "255u", out);
	if (init)
		claw_init_put(check, address, "__CLAW_WROTE", out);
}

/* Of v.x += e nothing is left to be said. */
static bool is_left(const struct claw_check *check)
{
	return check->kind == CLAW_UPDATE &&
		check->space != CLAW_SPACE_GLOBAL &&
		claw_nodes_around(check->node)->kind !=
			CXCursor_UnaryOperator;
}

static void write_place(struct claw_check *check, const char *type)
{
	struct claw_words before, after;
	bool race, init, is_assigned;

	claw_words_init(&before);
	claw_words_init(&after);
	claw_check_begin(check);
	is_assigned = check->init_asked && claw_init_assign(check);
	init = check->init_asked && !is_assigned && !is_left(check);
	race = check->race_asked &&
		(is_assigned || !claw_race_assign(check));
	if (!race && !init && !check->bounds_asked && !check->align_asked &&
	    !check->indices)
		goto out;
	fprintf(before.stream, "(*(__typeof__(%s) *)({ ", type);
	if (check->indices)
		fprintf(before.stream, "int __claw_b%u = 0; ", check->name);
	write_address(check, before.stream);
	fputs("&(", before.stream);
	fputs("); ", after.stream);
	put_shadows(check, race, init, after.stream);
	claw_check_decide(check, after.stream);
	fputs("; }))", after.stream);
	wrap(check, &before, &after);
out:
	claw_words_release(&before);
	claw_words_release(&after);
}

/* Asks what is to be asked; whether there is anything. */
static bool prepare_place(struct claw_check *check, bool through)
{
	struct claw_asked asked = { .place = check->node };
	struct claw_node *node = check->node;

	check->align = claw_type_align(node->type);
	if (is_bounds(check->body))
		claw_check_indices(check, node, &check->align);
	if (through && claw_roots_unknown(&check->roots)) {
		claw_check_unchecked(check->body, node);
		claw_init_missed(check->body, check->space, check->kind);
	} else {
		long long known = claw_alignment_of_place(check->body, node);

		claw_race_ask(check, known);
		claw_init_ask(check, node->type, known);
		if (through) {
			ask_bounds(check, &asked);
			set_alignment(check, known);
		}
	}
	return check->bounds_asked || check->align_asked || check->indices ||
		check->race_asked || check->init_asked;
}

static void check_whole_place(struct claw_body *body, struct claw_node *node,
			      enum claw_access_kind kind)
{
	struct claw_check check = {
		.body = body, .node = node, .kind = kind,
		.space = claw_type_space(node->type),
		.name = body->sanitizer->numbers++,
	};
	long long size = claw_type_size(node->type);
	bool through = goes_through_pointer(body, node);

	claw_roots_of_place(body, node, &check.roots);
	if (through)
		claw_roots_only_visible(body, &check.roots, node->start);
	if (claw_roots_unknown(&check.roots) && !through)
		return;
	check.bytes = size > 0 ? (unsigned long long)size : 0;
	if (body->sanitizer->is_survey) {
		claw_own_see(&check, &(struct claw_asked){ .place = node });
		return;
	}
	char *type = size > 0 ? claw_check_type(&check, node->type) : NULL;

	if (!type)
		claw_check_unchecked(body, node);
	if (!type || !claw_wrapped_add(body, node))
		claw_init_missed(body, check.space, kind);
	else if (prepare_place(&check, through))
		write_place(&check, type);
	free(type);
}

void claw_check_place(struct claw_body *body, struct claw_node *node,
		      enum claw_access_kind kind)
{
	struct claw_node *packed = find_packed(node);

	if (!packed)
		check_whole_place(body, node, kind);
	else if (claw_member_is_arrow(packed))
		claw_check_pointer(body, packed->first, kind);
	else
		claw_check_place(body, packed->first, kind);
}

/* A check of what a pointer points at: false, none is needed or can be. */
static bool prepare_pointer(struct claw_check *check,
			    struct claw_asked *asked, long long known_align)
{
	struct claw_node *pointer = check->node;

	claw_roots_of_pointer(check->body, pointer, &check->roots);
	claw_roots_only_visible(check->body, &check->roots, pointer->start);
	if (check->body->sanitizer->is_survey) {
		claw_own_see(check, asked);
		return false;
	}
	if (claw_roots_unknown(&check->roots)) {
		claw_check_unchecked(check->body, pointer);
		claw_init_missed(check->body, check->space, check->kind);
		return false;
	}
	claw_race_ask(check, known_align);
	claw_init_ask(check, claw_type_pointee(pointer->type), known_align);
	ask_bounds(check, asked);
	set_alignment(check, known_align);
	return check->bounds_asked || check->align_asked || check->race_asked ||
		check->init_asked;
}

static void write_pointer(struct claw_check *check, const char *type)
{
	struct claw_words before, after;

	claw_words_init(&before);
	claw_words_init(&after);
	claw_check_begin(check);
	fprintf(before.stream, "((__typeof__(%s) *)({ ", type);
	write_address(check, before.stream);
	fputc('(', before.stream);
	fputs("); ", after.stream);
	put_shadows(check, check->race_asked, check->init_asked, after.stream);
	claw_check_decide(check, after.stream);
	fputs("; }))", after.stream);
	wrap(check, &before, &after);
	claw_words_release(&before);
	claw_words_release(&after);
}

void claw_check_pointer(struct claw_body *body, struct claw_node *pointer,
			enum claw_access_kind kind)
{
	CXType pointee = claw_type_pointee(pointer->type);
	struct claw_check check = {
		.body = body, .node = pointer, .kind = kind,
		.space = claw_type_space(pointee),
		.align = claw_type_align(pointee),
		.name = body->sanitizer->numbers++,
	};
	struct claw_asked asked = { .pointer = pointer };
	long long size = claw_type_size(pointee);

	check.bytes = size > 0 ? (unsigned long long)size : 0;
	if (size <= 0 ||
	    !prepare_pointer(&check, &asked,
			     claw_alignment_of_pointer(body, pointer)))
		return;
	char *type = claw_check_type(&check, pointee);

	if (type && claw_wrapped_add(body, pointer))
		write_pointer(&check, type);
	else
		claw_init_missed(body, check.space, kind);
	free(type);
}

/* index and pointer become 0 and pointer + factor * index, checked. */
static void write_vector(struct claw_check *check, const char *type,
			 const struct claw_node *index, unsigned int factor,
			 size_t comma)
{
	struct claw_edits *edits = &check->body->sanitizer->rewrite->edits;
	struct claw_words before, after;

	claw_words_init(&before);
	claw_words_init(&after);
	claw_check_begin(check);
	fprintf(before.stream, "(size_t)0, (__typeof__(%s) *)({ ", type);
	write_address(check, before.stream);
	fprintf(before.stream, "(%u * (size_t)(", factor);
	claw_edits_wrap(edits, index->start, index->end,
			claw_words_text(&before), ")");
	claw_edits_replace(edits, comma, comma + 1, " + ");
	fputs(")); ", after.stream);
	put_shadows(check, check->race_asked, check->init_asked, after.stream);
	claw_check_decide(check, after.stream);
	fputs("; })", after.stream);
	claw_edits_wrap(edits, check->node->start, check->node->end, "(",
			claw_words_text(&after));
	claw_words_release(&before);
	claw_words_release(&after);
}

void claw_check_vector(struct claw_body *body, struct claw_node *index,
		       struct claw_node *pointer, unsigned int factor,
		       unsigned int elements, long long align,
		       enum claw_access_kind kind)
{
	const struct claw_unit *unit = body->sanitizer->rewrite->unit;
	CXType element = claw_type_pointee(pointer->type);
	long long size = claw_type_size(element);
	struct claw_check check = {
		.body = body, .node = pointer, .kind = kind,
		.space = claw_type_space(element), .align = align,
		.bytes = (unsigned long long)size * elements,
		.name = body->sanitizer->numbers++,
	};
	struct claw_asked asked = {
		.pointer = pointer, .index = index, .factor = factor,
	};
	long long known = claw_alignment_of_pointer(body, pointer);
	long long step = size * factor;

	step &= -step;
	if (size <= 0 || index->end <= index->start ||
	    pointer->end <= pointer->start || pointer->start < index->end ||
	    !prepare_pointer(&check, &asked, known < step ? known : step))
		return;
	char *type = claw_check_type(&check, element);
	size_t comma = claw_unit_skip_blank(unit, index->end);

	if (type && unit->text[comma] == ',' && claw_wrapped_add(body, pointer))
		write_vector(&check, type, index, factor, comma);
	else
		claw_init_missed(body, check.space, kind);
	free(type);
}
