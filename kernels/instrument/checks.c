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
 * named once and evaluated once. See sanitizer.h.
 */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sanitizer.h"

static const char *const kind_names[] = {
	"read", "write", "update", "atomic", "divide", "shift",
};

/* One that is about to be written. */
struct check {
	struct claw_body *body;
	struct claw_node *node;		/* the place, or the pointer */
	enum claw_access_kind kind;
	enum claw_space space;
	unsigned long long bytes;
	long long align;
	bool align_asked, bounds_asked;
	bool is_step;	/* as far from the object's begin as a multiple of bytes */
	const char *flag;
	struct claw_roots roots;
	unsigned int number, name;	/* of the access; of its variables */
	unsigned int indices;		/* checks of indices inside */
};

char *claw_check_object(const struct claw_roots *roots)
{
	char *name = NULL;

	if (roots->count && (roots->list[0].kind == CLAW_ROOT_PARAMETER ||
			     roots->list[0].kind == CLAW_ROOT_VARIABLE))
		name = claw_nodes_name(roots->list[0].declaration);
	if (name && name[0])
		return name;
	free(name);
	name = strdup("-");
	if (!name)
		abort();
	return name;
}

/* The source on one line, as a map's last word. */
static void write_source(FILE *out, const char *text, size_t bytes)
{
	bool blank = false;

	for (size_t i = 0; i < bytes && i < 200; i++) {
		if (isspace((unsigned char)text[i])) {
			blank = true;
			continue;
		}
		if (blank)
			fputc(' ', out);
		blank = false;
		if (text[i] == '%')
			fputs("%25", out);
		else
			fputc(text[i], out);
	}
	fputc('\n', out);
}

unsigned int claw_check_number(struct claw_body *body,
			       const struct claw_node *node,
			       enum claw_access_kind kind, const char *space,
			       unsigned long long bytes, const char *object)
{
	struct claw_rewrite *rewrite = body->sanitizer->rewrite;
	struct claw_place place;

	claw_unit_place(rewrite->unit, node->start, &place);
	unsigned int file = claw_rewrite_file(rewrite, place.file);

	fprintf(rewrite->map.stream, "access %u %u %u %u %s %s %llu %s %s ",
		rewrite->accesses, file, place.line, place.column,
		kind_names[kind], space, bytes, body->function->name, object);
	write_source(rewrite->map.stream, rewrite->unit->text + node->start,
		     node->end - node->start);
	return rewrite->accesses++;
}

/* LO, BYTES, OBJECT of a root as text. */
struct bounds { char lo[300], bytes[64], object[32]; };

static struct bounds bounds_of(const struct claw_body *body,
			       const struct claw_root *root)
{
	struct bounds bounds;
	char *name;

	switch (root->kind) {
	case CLAW_ROOT_PARAMETER:
		snprintf(bounds.lo, sizeof(bounds.lo), "__claw_l%u",
			 root->parameter);
		snprintf(bounds.bytes, sizeof(bounds.bytes), "__claw_n%u",
			 root->parameter);
		if (body->function->is_kernel)
			snprintf(bounds.object, sizeof(bounds.object), "%uu",
				 root->parameter + 1);
		else
			snprintf(bounds.object, sizeof(bounds.object),
				 "__claw_o%u", root->parameter);
		break;
	case CLAW_ROOT_VARIABLE:
		name = claw_nodes_name(root->declaration);
		snprintf(bounds.lo, sizeof(bounds.lo), "(ulong)&%s", name);
		snprintf(bounds.bytes, sizeof(bounds.bytes), "%lldUL",
			 claw_type_size(root->type));
		snprintf(bounds.object, sizeof(bounds.object), "0u");
		free(name);
		break;
	default:
		snprintf(bounds.lo, sizeof(bounds.lo), "0UL");
		snprintf(bounds.bytes, sizeof(bounds.bytes), "%s",
			 root->kind == CLAW_ROOT_NULL ? "0UL" : "__CLAW_ANY");
		snprintf(bounds.object, sizeof(bounds.object), "0u");
	}
	return bounds;
}

/* Roots that cannot be named where they are needed are unknown ones. */
static void only_visible(struct claw_body *body, struct claw_roots *roots,
			 size_t offset)
{
	for (size_t i = 0; i < roots->count; i++) {
		const struct claw_root *root = &roots->list[i];

		if (root->kind != CLAW_ROOT_VARIABLE ||
		    (claw_root_visible(body, root, offset) &&
		     claw_type_size(root->type) > 0))
			continue;
		roots->list[0].kind = CLAW_ROOT_UNKNOWN;
		roots->count = 1;
	}
}

/* The type of what is touched as text, for "__typeof__(...) *"; malloc'ed.
 * NULL: there are no words for it. */
static char *type_words(const struct check *check, CXType type)
{
	const struct claw_unit *unit = check->body->sanitizer->rewrite->unit;
	const struct claw_node *node = check->node;
	CXString string = clang_getTypeSpelling(type);
	const char *spelled = clang_getCString(string);
	char *words = NULL;
	size_t bytes = node->end - node->start;

	if (!strchr(spelled, '(') && !strstr(spelled, "unnamed") &&
	    !strstr(spelled, "anonymous")) {
		words = strdup(spelled);
	} else if (!memchr(unit->text + node->start, '\n', bytes)) {
		bool place = !claw_type_is_pointer(node->type) ||
			clang_equalTypes(node->type, type);

		if (asprintf(&words, "%s(%.*s)", place ? "" : "*", (int)bytes,
			     unit->text + node->start) < 0)
			abort();
	}
	clang_disposeString(string);
	return words;
}

static const char *sink_macro(enum claw_space space)
{
	static const char *const macros[CLAW_SPACES] = {
		"__CLAW_SINK_PRIVATE", "__CLAW_SINK_GLOBAL",
		"__CLAW_SINK_CONSTANT", "__CLAW_SINK_LOCAL",
		"__CLAW_SINK_GLOBAL",
	};

	return macros[space];
}

/* Where a wrong access goes, as a pointer of the address variable's type. */
static void write_sink(const struct check *check, struct claw_words *words)
{
	if (check->bytes > 256) {
		fprintf(words->stream, "__claw_a%u", check->name);
		return;
	}
	fprintf(words->stream, "(const volatile %s char *)%s(%llu)",
		claw_space_words[check->space], sink_macro(check->space),
		check->kind == CLAW_READ ? (check->bytes + 7) / 8 : 0);
}

static void mark_sinks(const struct check *check)
{
	if (check->space == CLAW_SPACE_LOCAL)
		check->body->touches_local = true;
	else if (check->space == CLAW_SPACE_PRIVATE)
		check->body->touches_private = true;
}

/* What is asked of it, for who looks for texts without checks. */
static void note(const struct check *check)
{
	if (check->bounds_asked)
		claw_hoist_note(check->body, check->node->start, check->flag);
	if (check->align_asked)
		claw_hoist_note(check->body, check->node->start, NULL);
}

/* What decides, and what is done when it is not good. */
static void write_decision(const struct check *check, struct claw_words *words)
{
	FILE *out = words->stream;
	struct bounds first = bounds_of(check->body, &check->roots.list[0]);

	if (check->indices && !check->align_asked && !check->bounds_asked) {
		fprintf(out, "__claw_b%u ? ", check->name);
		write_sink(check, words);
		fprintf(out, " : __claw_a%u", check->name);
		return;
	}
	if (check->indices) {
		fprintf(out, "__claw_b%u ? ", check->name);
		write_sink(check, words);
		fputs(" : ", out);
	}
	fputs("__CLAW_LIKELY(", out);
	if (check->bounds_asked) {
		fputc('(', out);
		if (check->flag)
			fprintf(out, "%s || ", check->flag);
		for (size_t i = 0; i < check->roots.count; i++) {
			struct bounds bounds = bounds_of(check->body,
				&check->roots.list[i]);

			fprintf(out, "%s__CLAW_IN%s(__claw_a%u, %s, %s, %lluUL)",
				i ? " || " : "", check->is_step ? "_STEP" : "",
				check->name, bounds.lo, bounds.bytes,
				check->bytes);
		}
		fputc(')', out);
	}
	if (check->align_asked)
		fprintf(out, "%s((ulong)__claw_a%u & %lldUL) == 0",
			check->bounds_asked ? " && " : "", check->name,
			check->align - 1);
	fprintf(out, ") ? __claw_a%u : (__claw_bad(__claw->p, CLAW_A + %uu, %s, %lluu | %lldu << 16, (ulong)__claw_a%u, %s, %s, __CLAW_IDS), ",
		check->name, check->number, first.object,
		check->bytes < 65535 ? check->bytes : 65535,
		check->align_asked ? check->align - 1 : 0, check->name,
		first.lo, first.bytes);
	write_sink(check, words);
	fputc(')', out);
}

/* Words may hold no newline: where one would, the place stays as it is. */
static void wrap(const struct check *check, size_t start, size_t end,
		 const char *before, struct claw_words *after)
{
	claw_edits_wrap(&check->body->sanitizer->rewrite->edits, start, end,
			before, claw_words_text(after));
}

static struct claw_done *find_done(struct claw_done *table, size_t room,
				   size_t start, size_t end)
{
	size_t at = (start * 31 + end) % room;

	while (table[at].end && (table[at].start != start ||
				 table[at].end != end))
		at = (at + 1) % room;
	return &table[at];
}

/* False: it is there already. */
static bool add_done(struct claw_sanitizer *sanitizer, size_t start, size_t end)
{
	if (2 * sanitizer->done_count >= sanitizer->done_room) {
		size_t room = sanitizer->done_room ?
			2 * sanitizer->done_room + 1 : 1021;
		struct claw_done *table = calloc(room, sizeof(*table));

		if (!table)
			abort();
		for (size_t i = 0; i < sanitizer->done_room; i++)
			if (sanitizer->done[i].end)
				*find_done(table, room, sanitizer->done[i].start,
					   sanitizer->done[i].end) =
					sanitizer->done[i];
		free(sanitizer->done);
		sanitizer->done = table;
		sanitizer->done_room = room;
	}
	struct claw_done *entry = find_done(sanitizer->done,
					    sanitizer->done_room, start, end);

	if (entry->end)
		return false;
	*entry = (struct claw_done){ start, end };
	sanitizer->done_count++;
	return true;
}

/* Whether an edit may be put there: written as one, and not done before. */
static bool can_wrap(struct claw_body *body, const struct claw_node *node)
{
	struct claw_sanitizer *sanitizer = body->sanitizer;
	const char *text = sanitizer->rewrite->unit->text;
	int depth = 0;

	if (node->end <= node->start)
		return false;
	for (size_t i = node->start; i < node->end; i++) {
		if (strchr("([{", text[i]) && text[i])
			depth++;
		else if (strchr(")]}", text[i]) && text[i] && --depth < 0)
			return false;
	}
	if (depth != 0)
		return false;
	return add_done(sanitizer, node->start, node->end);
}

/* An array's elements, as far as its type can be believed: the last member of
 * a struct that is pointed at may be longer than it says. */
static unsigned long long believed_count(struct claw_node *array)
{
	CXType type = clang_getCanonicalType(array->type);
	long long count = type.kind == CXType_ConstantArray ?
		clang_getArraySize(type) : 0;

	if (count <= 1 && array->kind == CXCursor_MemberRefExpr)
		return 0;
	return count > 0 ? (unsigned long long)count : 0;
}

static void check_index(struct check *check, struct claw_node *array,
			struct claw_node *index)
{
	struct claw_body *body = check->body;
	unsigned long long count = believed_count(array);
	bool always = false;

	if (!count)
		return;
	const char *flag = claw_hoist_index(body, index, count, check->node,
					    &always);
	if (always || index->end <= index->start)
		return;
	claw_hoist_note(body, index->start, flag);
	struct claw_words before, after;
	unsigned int number = body->sanitizer->numbers++;
	long long size = claw_type_size(claw_type_pointee(array->type));

	if (!check->indices++) {
		char *object = claw_check_object(&check->roots);

		check->number = claw_check_number(body, check->node,
			check->kind, claw_space_names[check->space],
			check->bytes, object);
		free(object);
	}
	claw_words_init(&before);
	claw_words_init(&after);
	fprintf(before.stream, "({ const ulong __claw_i%u = (ulong)(", number);
	fprintf(after.stream, "); __CLAW_LIKELY(%s%s__claw_i%u < %lluUL) ? __claw_i%u : (__claw_b%u = 1, __claw_bad_index(__claw->p, CLAW_A + %uu, __claw_i%u, %lldUL, %lluUL, __CLAW_IDS), 0UL); })",
		flag ? flag : "", flag ? " || " : "", number, count, number,
		check->name, check->number, number, size, count);
	wrap(check, index->start, index->end, claw_words_text(&before), &after);
	claw_words_release(&before);
	claw_words_release(&after);
}

/* The subscripts of arrays in a place; required: alignment by its structs. */
static void check_inside(struct check *check, struct claw_node *place,
			 long long *required)
{
	struct claw_node *base, *index;

	place = claw_nodes_strip(place);
	if (place->kind == CXCursor_ArraySubscriptExpr) {
		claw_subscript_parts(place, &base, &index);
		struct claw_node *array = claw_nodes_strip(base);

		if (claw_type_is_array(array->type)) {
			check_inside(check, array, required);
			check_index(check, array, index);
		}
	} else if (place->kind == CXCursor_MemberRefExpr && place->first) {
		CXType record = place->first->type;

		if (claw_type_is_pointer(record))
			record = claw_type_pointee(record);
		long long align = claw_type_align(record);

		if (align > 0 && align < *required)
			*required = align;
		if (!claw_member_is_arrow(place))
			check_inside(check, place->first, required);
	}
}

/* Where a place begins: a pointer that it goes through, or a variable. */
static bool goes_through_pointer(struct claw_body *body, struct claw_node *place)
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

static void count_unchecked(struct claw_body *body, const struct claw_node *node)
{
	struct claw_rewrite *rewrite = body->sanitizer->rewrite;
	struct claw_place place;

	body->sanitizer->unchecked++;
	if (node->end <= node->start)
		return;
	claw_unit_place(rewrite->unit, node->start, &place);
	unsigned int file = claw_rewrite_file(rewrite, place.file);

	fprintf(rewrite->map.stream, "plain %s %u %u unchecked: ",
		body->function->name, file, place.line);
	write_source(rewrite->map.stream, rewrite->unit->text + node->start,
		     node->end - node->start);
}

/* What is to be asked of a pointer's target. asked: place or pointer. */
static void ask_bounds(struct check *check, struct claw_asked *asked)
{
	bool always = false;

	check->bounds_asked = true;
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
static void set_alignment(struct check *check, long long known)
{
	unsigned long long bytes = check->bytes;

	check->align_asked = check->align > 1 && known < check->align;
	check->is_step = known > 0 && (bytes & (bytes - 1)) == 0 &&
		bytes <= (unsigned long long)known;
}

static void name_access(struct check *check)
{
	char *object = claw_check_object(&check->roots);

	check->number = claw_check_number(check->body, check->node, check->kind,
		claw_space_names[check->space], check->bytes, object);
	free(object);
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

void claw_check_place(struct claw_body *body, struct claw_node *node,
		      enum claw_access_kind kind)
{
	struct claw_node *packed = find_packed(node);

	if (packed && claw_member_is_arrow(packed)) {
		claw_check_pointer(body, packed->first, kind);
		return;
	}
	if (packed) {
		claw_check_place(body, packed->first, kind);
		return;
	}
	struct check check = {
		.body = body, .node = node, .kind = kind,
		.space = claw_type_space(node->type),
		.name = body->sanitizer->numbers++,
	};
	long long size = claw_type_size(node->type);
	bool through = goes_through_pointer(body, node);

	claw_roots_of_place(body, node, &check.roots);
	if (through)
		only_visible(body, &check.roots, node->start);
	if (claw_roots_unknown(&check.roots) && !through)
		return;
	char *type = size > 0 ? type_words(&check, node->type) : NULL;

	if (!type || !can_wrap(body, node)) {
		if (!type)
			count_unchecked(body, node);
		free(type);
		return;
	}
	check.bytes = (unsigned long long)size;
	check.align = claw_type_align(node->type);
	check_inside(&check, node, &check.align);
	if (through && claw_roots_unknown(&check.roots)) {
		count_unchecked(body, node);
	} else if (through) {
		struct claw_asked asked = { .place = node };

		ask_bounds(&check, &asked);
		set_alignment(&check, claw_alignment_of_place(body, node));
	}
	if (check.bounds_asked || check.align_asked || check.indices) {
		struct claw_words before, after;

		if (!check.indices)
			name_access(&check);
		mark_sinks(&check);
		note(&check);
		claw_words_init(&before);
		claw_words_init(&after);
		fputs("(*(__typeof__(", before.stream);
		fprintf(before.stream, "%s) *)({ ", type);
		if (check.indices)
			fprintf(before.stream, "int __claw_b%u = 0; ",
				check.name);
		fprintf(before.stream, "const volatile %s char *const __claw_a%u = (const volatile %s char *)&(",
			claw_space_words[check.space], check.name,
			claw_space_words[check.space]);
		fputs("); ", after.stream);
		write_decision(&check, &after);
		fputs("; }))", after.stream);
		wrap(&check, node->start, node->end, claw_words_text(&before),
		     &after);
		claw_words_release(&before);
		claw_words_release(&after);
	}
	free(type);
}

/* A check of what a pointer points at: false, none is needed or can be. */
static bool prepare_pointer(struct check *check, struct claw_node *pointer,
			    struct claw_asked *asked, long long known_align)
{
	claw_roots_of_pointer(check->body, pointer, &check->roots);
	only_visible(check->body, &check->roots, pointer->start);
	if (claw_roots_unknown(&check->roots)) {
		count_unchecked(check->body, pointer);
		return false;
	}
	ask_bounds(check, asked);
	set_alignment(check, known_align);
	return check->bounds_asked || check->align_asked;
}

void claw_check_pointer(struct claw_body *body, struct claw_node *pointer,
			enum claw_access_kind kind)
{
	CXType pointee = claw_type_pointee(pointer->type);
	struct check check = {
		.body = body, .node = pointer, .kind = kind,
		.space = claw_type_space(pointee),
		.align = claw_type_align(pointee),
		.name = body->sanitizer->numbers++,
	};
	struct claw_asked asked = { .pointer = pointer };
	long long size = claw_type_size(pointee);

	check.bytes = size > 0 ? (unsigned long long)size : 0;
	if (size <= 0 || !prepare_pointer(&check, pointer, &asked,
				claw_alignment_of_pointer(body, pointer)))
		return;
	char *type = type_words(&check, pointee);

	if (!type || !can_wrap(body, pointer)) {
		free(type);
		return;
	}
	struct claw_words before, after;

	name_access(&check);
	mark_sinks(&check);
	note(&check);
	claw_words_init(&before);
	claw_words_init(&after);
	fprintf(before.stream, "((__typeof__(%s) *)({ const volatile %s char *const __claw_a%u = (const volatile %s char *)(",
		type, claw_space_words[check.space], check.name,
		claw_space_words[check.space]);
	fputs("); ", after.stream);
	write_decision(&check, &after);
	fputs("; }))", after.stream);
	wrap(&check, pointer->start, pointer->end, claw_words_text(&before),
	     &after);
	claw_words_release(&before);
	claw_words_release(&after);
	free(type);
}

void claw_check_vector(struct claw_body *body, struct claw_node *index,
		       struct claw_node *pointer, unsigned int factor,
		       unsigned int elements, long long align,
		       enum claw_access_kind kind)
{
	CXType element = claw_type_pointee(pointer->type);
	long long size = claw_type_size(element);
	struct check check = {
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
	    !prepare_pointer(&check, pointer, &asked,
			     known < step ? known : step))
		return;
	char *type = type_words(&check, element);
	size_t comma = claw_unit_skip_blank(body->sanitizer->rewrite->unit,
					    index->end);

	if (!type || body->sanitizer->rewrite->unit->text[comma] != ',' ||
	    !can_wrap(body, pointer)) {
		free(type);
		return;
	}
	struct claw_words before, after;
	struct claw_edits *edits = &body->sanitizer->rewrite->edits;

	name_access(&check);
	mark_sinks(&check);
	note(&check);
	claw_words_init(&before);
	claw_words_init(&after);
	fprintf(before.stream, "(size_t)0, (__typeof__(%s) *)({ const volatile %s char *const __claw_a%u = (const volatile %s char *)(%u * (size_t)(",
		type, claw_space_words[check.space], check.name,
		claw_space_words[check.space], factor);
	claw_edits_wrap(edits, index->start, index->end,
			claw_words_text(&before), ")");
	claw_edits_replace(edits, comma, comma + 1, " + ");
	fputs(")); ", after.stream);
	write_decision(&check, &after);
	fputs("; })", after.stream);
	claw_edits_wrap(edits, pointer->start, pointer->end, "(",
			claw_words_text(&after));
	claw_words_release(&before);
	claw_words_release(&after);
	free(type);
}

void claw_check_bounds(struct claw_body *body, struct claw_node *pointer,
		       FILE *out)
{
	struct claw_roots roots = { .count = 0 };
	struct claw_node *plain = claw_nodes_strip(pointer);

	claw_roots_of_pointer(body, pointer, &roots);
	only_visible(body, &roots, pointer->start);
	struct bounds bounds = bounds_of(body, &roots.list[0]);

	if (roots.count == 2 && plain->kind == CXCursor_DeclRefExpr) {
		struct bounds other = bounds_of(body, &roots.list[1]);
		char *name = claw_nodes_name(plain->cursor);
		const char *pick[][2] = {
			{ bounds.lo, other.lo }, { bounds.bytes, other.bytes },
			{ bounds.object, other.object },
		};

		for (int i = 0; i < 3; i++)
			fprintf(out, ", (__CLAW_UP_TO(%s, %s, %s) ? %s : %s)",
				name, bounds.lo, bounds.bytes, pick[i][0],
				pick[i][1]);
		free(name);
		return;
	}
	if (roots.count != 1) {
		fputs(", 0UL, __CLAW_ANY, 0u", out);
		return;
	}
	fprintf(out, ", %s, %s, %s", bounds.lo, bounds.bytes, bounds.object);
}
