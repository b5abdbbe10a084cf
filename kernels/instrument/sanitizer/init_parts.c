/* SPDX-License-Identifier: Apache-2.0 */
/* Which bytes of a type hold something: see init.h. */
#include "config.h"

#include <string.h>

#include "init.h"

static bool add_part(struct claw_parts *parts, unsigned long long from,
		     unsigned long long bytes)
{
	if (parts->count &&
	    parts->list[parts->count - 1].from +
	    parts->list[parts->count - 1].bytes == from) {
		parts->list[parts->count - 1].bytes += bytes;
		return true;
	}
	if (parts->count == CLAW_PARTS)
		return false;
	parts->list[parts->count].from = from;
	parts->list[parts->count++].bytes = bytes;
	return true;
}

static bool add_type(struct claw_parts *parts, CXType type,
		     unsigned long long from);

struct fields {
	struct claw_parts *parts;
	unsigned long long from;
	bool is_good;
};

static enum CXVisitorResult add_field(CXCursor field, CXClientData data)
{
	struct fields *fields = data;
	long long bits = clang_Cursor_getOffsetOfField(field);

	fields->is_good = bits >= 0 && !clang_Cursor_isBitField(field) &&
		add_type(fields->parts, clang_getCursorType(field),
			 fields->from + (unsigned long long)bits / 8);
	return fields->is_good ? CXVisit_Continue : CXVisit_Break;
}

static bool add_elements(struct claw_parts *parts, CXType type,
			 unsigned long long from)
{
	CXType element = claw_type_pointee(type);
	long long size = claw_type_size(element);
	long long count = clang_getArraySize(type);

	if (size <= 0)
		return false;
	for (long long i = 0; i < count; i++)
		if (!add_type(parts, element, from +
			      (unsigned long long)(i * size)))
			return false;
	return true;
}

/* Of a union nobody knows which member is meant. */
static bool add_record(struct claw_parts *parts, CXType type,
		       unsigned long long from)
{
	struct fields fields = { .parts = parts, .from = from };

	if (clang_getTypeDeclaration(type).kind != CXCursor_StructDecl)
		return false;
	fields.is_good = true;
	clang_Type_visitFields(type, add_field, &fields);
	return fields.is_good;
}

/* A vector of 3 takes as much as one of 4. */
static bool add_type(struct claw_parts *parts, CXType type,
		     unsigned long long from)
{
	long long size = claw_type_size(type);

	type = clang_getCanonicalType(type);
	if (size <= 0)
		return false;
	if (type.kind == CXType_Record)
		return add_record(parts, type, from);
	if (type.kind == CXType_ConstantArray)
		return add_elements(parts, type, from);
	if (claw_type_is_vector(type))
		size = claw_type_size(claw_type_pointee(type)) *
			clang_getNumElements(type);
	return add_part(parts, from, (unsigned long long)size);
}

bool claw_init_parts_of_type(CXType type, struct claw_parts *ret)
{
	ret->count = 0;
	return add_type(ret, type, 0);
}

/* Number i of the components that a name stands for; -1: there is none. */
static int component(const char *name, size_t length, size_t i, int count)
{
	static const char letters[] = "xyzw", colours[] = "rgba";
	const char *at;
	int half = count == 3 ? 2 : count / 2;

	if (length == 2 && strncmp(name, "lo", 2) == 0)
		return (int)i < half ? (int)i : -1;
	if (length == 2 && strncmp(name, "hi", 2) == 0)
		return (int)i < half ? half + (int)i : -1;
	if (length == 4 && strncmp(name, "even", 4) == 0)
		return (int)i < half ? 2 * (int)i : -1;
	if (length == 3 && strncmp(name, "odd", 3) == 0)
		return (int)i < half ? 2 * (int)i + 1 : -1;
	if (*name == 's' || *name == 'S') {
		static const char digits[] = "0123456789abcdefABCDEF";

		at = i + 1 < length ? strchr(digits, name[i + 1]) : NULL;
		return !at ? -1 : at - digits < 16 ? (int)(at - digits) :
			(int)(at - digits) - 6;
	}
	if (i >= length)
		return -1;
	at = strchr(letters, name[i]);
	if (at)
		return (int)(at - letters);
	at = strchr(colours, name[i]);
	return at ? (int)(at - colours) : -1;
}

bool claw_init_parts_of_swizzle(const struct claw_body *body,
				const struct claw_node *node,
				struct claw_parts *ret)
{
	const struct claw_unit *unit = body->sanitizer->rewrite->unit;
	const char *name = unit->text + node->end;
	CXType type = clang_getCanonicalType(node->first->type);
	size_t length = 0;

	if (claw_type_is_pointer(type))
		type = clang_getCanonicalType(claw_type_pointee(type));
	while (name > unit->text + node->first->end &&
	       strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
		      name[-1])) {
		name--;
		length++;
	}
	ret->count = 0;
	if (!claw_type_is_vector(type) || length == 0)
		return false;
	long long size = claw_type_size(claw_type_pointee(type));
	int count = (int)clang_getNumElements(type), one;

	for (size_t i = 0; (one = component(name, length, i, count)) >= 0; i++)
		if (one < count &&
		    !add_part(ret, (unsigned long long)(one * size),
			      (unsigned long long)size))
			return false;
	return ret->count > 0;
}
