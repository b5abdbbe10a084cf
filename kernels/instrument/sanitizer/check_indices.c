/* SPDX-License-Identifier: Apache-2.0 */
/* Indices of arrays whose size is in their type: see sanitizer_private.h. */
#include "config.h"

#include "sanitizer_private.h"

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

static void write_index(const struct claw_check *check,
			struct claw_node *array, struct claw_node *index,
			unsigned long long count, const char *flag)
{
	struct claw_sanitizer *sanitizer = check->body->sanitizer;
	long long size = claw_type_size(claw_type_pointee(array->type));
	unsigned int name = sanitizer->numbers++;
	struct claw_words before, after;

	claw_words_init(&before);
	claw_words_init(&after);
	fprintf(before.stream, "({ const ulong __claw_i%u = (ulong)(", name);
	fprintf(after.stream, "); __CLAW_LIKELY(%s%s__claw_i%u < %lluUL) ? __claw_i%u : (__claw_b%u = 1, __claw_bad_index(__claw->p, CLAW_A + %uu, __claw_i%u, %lldUL, %lluUL, __CLAW_IDS), 0UL); })",
		flag ? flag : "", flag ? " || " : "", name, count, name,
		check->name, check->number, name, size, count);
	claw_edits_wrap(&sanitizer->rewrite->edits, index->start, index->end,
			claw_words_text(&before), claw_words_text(&after));
	claw_words_release(&before);
	claw_words_release(&after);
}

static void check_index(struct claw_check *check, struct claw_node *array,
			struct claw_node *index)
{
	unsigned long long count = believed_count(array);
	bool always = false;

	if (!count)
		return;
	const char *flag = claw_hoist_index(check->body, index, count,
					    check->node, &always);
	if (always || index->end <= index->start)
		return;
	claw_hoist_note(check->body, index->start, flag);
	if (!check->indices++)
		claw_check_name(check);
	write_index(check, array, index, count, flag);
}

void claw_check_indices(struct claw_check *check, struct claw_node *place,
			long long *required)
{
	struct claw_node *base, *index;

	place = claw_nodes_strip(place);
	if (place->kind == CXCursor_ArraySubscriptExpr) {
		claw_subscript_parts(place, &base, &index);
		struct claw_node *array = claw_nodes_strip(base);

		if (claw_type_is_array(array->type)) {
			claw_check_indices(check, array, required);
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
			claw_check_indices(check, place->first, required);
	}
}
