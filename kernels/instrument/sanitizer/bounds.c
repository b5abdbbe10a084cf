/* SPDX-License-Identifier: Apache-2.0 */
/* Where an object begins and how long it is, as text: see sanitizer_private.h. */
#include "config.h"

#include "sanitizer_private.h"
#include "harness/base/memory.h"

#include <stdlib.h>

/* A pointer that may lead to several has the name of none. */
static bool is_one(const struct claw_roots *roots)
{
	for (size_t i = 1; i < roots->count; i++)
		if (!clang_equalCursors(roots->list[0].declaration,
					roots->list[i].declaration))
			return false;
	return roots->count > 0;
}

char *claw_check_object(const struct claw_roots *roots)
{
	char *name = NULL;

	if (is_one(roots) && (roots->list[0].kind == CLAW_ROOT_PARAMETER ||
			      roots->list[0].kind == CLAW_ROOT_VARIABLE))
		name = claw_nodes_name(roots->list[0].declaration);
	if (name && name[0])
		return name;
	free(name);
	name = claw_strdup("-");
	return name;
}

/* An address as a number is another for a generic pointer: on GPUs local and
 * private memory have a place in the one space. */
static void make_generic(struct claw_bounds *bounds, const char *what,
			 enum claw_space from)
{
	snprintf(bounds->lo, sizeof(bounds->lo),
		 "(ulong)(const volatile __generic char *)(const volatile %s char *)%s",
		 claw_space_words[from], what);
}

static void set_parameter(struct claw_bounds *bounds,
			  const struct claw_root *root, enum claw_space space,
			  bool is_kernel)
{
	unsigned int parameter = root->parameter;
	enum claw_space own = claw_type_space(claw_type_pointee(
		clang_getCursorType(root->declaration)));
	char low[32];

	snprintf(low, sizeof(low), "__claw_l%u", parameter);
	if (space == CLAW_SPACE_GENERIC && own != space)
		make_generic(bounds, low, own);
	else
		snprintf(bounds->lo, sizeof(bounds->lo), "%s", low);
	snprintf(bounds->bytes, sizeof(bounds->bytes), "__claw_n%u", parameter);
	if (is_kernel)
		snprintf(bounds->object, sizeof(bounds->object), "%uu",
			 parameter + 1);
	else
		snprintf(bounds->object, sizeof(bounds->object), "__claw_o%u",
			 parameter);
}

static void set_variable(struct claw_bounds *bounds,
			 const struct claw_root *root, enum claw_space space)
{
	char *name = claw_nodes_name(root->declaration), *address;

	address = claw_format("&%s", name);
	if (space == CLAW_SPACE_GENERIC)
		make_generic(bounds, address, claw_type_space(root->type));
	else
		snprintf(bounds->lo, sizeof(bounds->lo), "(ulong)%s", address);
	snprintf(bounds->bytes, sizeof(bounds->bytes), "%lldUL",
		 claw_type_size(root->type));
	free(address);
	free(name);
}

struct claw_bounds claw_bounds_of(const struct claw_body *body,
				  const struct claw_root *root,
				  enum claw_space space)
{
	struct claw_bounds bounds = {
		.lo = "0UL", .bytes = "__CLAW_ANY", .object = "0u",
	};

	if (root->kind == CLAW_ROOT_PARAMETER)
		set_parameter(&bounds, root, space, body->function->is_kernel);
	else if (root->kind == CLAW_ROOT_VARIABLE)
		set_variable(&bounds, root, space);
	else if (root->kind == CLAW_ROOT_NULL)
		snprintf(bounds.bytes, sizeof(bounds.bytes), "0UL");
	return bounds;
}

void claw_roots_only_visible(struct claw_body *body, struct claw_roots *roots,
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

/* What a function is told of a pointer beside its bounds. */
enum { SHADOWS = 2 };

struct shadows {
	unsigned int count;
	char words[SHADOWS][CLAW_SHADOW_WORDS];
};

/* root NULL: of what nobody knows. */
static struct shadows shadows_of(struct claw_body *body,
				 const struct claw_root *root)
{
	static const struct claw_root unknown = { .kind = CLAW_ROOT_UNKNOWN };
	const struct claw_rewrite *rewrite = body->sanitizer->rewrite;
	struct shadows shadows = { .count = 0 };

	if (!root)
		root = &unknown;
	if (claw_races_are_asked(rewrite))
		claw_race_shadow(body, root, shadows.words[shadows.count++]);
	if (claw_init_is_asked(rewrite))
		claw_init_shadow(body, root, shadows.words[shadows.count++]);
	return shadows;
}

/* Of two objects the one that the pointer is in. */
static void pick_bounds(struct claw_body *body,
			const struct claw_roots *roots, const char *pointer,
			enum claw_space space, bool with_shadow, FILE *out)
{
	struct claw_bounds one = claw_bounds_of(body, &roots->list[0], space);
	struct claw_bounds two = claw_bounds_of(body, &roots->list[1], space);
	struct shadows first = shadows_of(body, &roots->list[0]);
	struct shadows second = shadows_of(body, &roots->list[1]);
	const char *pick[][2] = {
		{ one.lo, two.lo }, { one.bytes, two.bytes },
		{ one.object, two.object },
		{ first.words[0], second.words[0] },
		{ first.words[1], second.words[1] },
	};

	for (size_t i = 0; i < 3 + (with_shadow ? first.count : 0); i++)
		fprintf(out, ", (__CLAW_UP_TO(%s, %s, %s) ? %s : %s)", pointer,
			one.lo, one.bytes, pick[i][0], pick[i][1]);
}

static void put_bounds(struct claw_body *body, struct claw_node *pointer,
		       enum claw_space space, bool with_shadow, FILE *out)
{
	struct claw_roots roots = { .count = 0 };
	struct claw_node *plain = claw_nodes_strip(pointer);

	claw_roots_of_pointer(body, pointer, &roots);
	claw_roots_only_visible(body, &roots, pointer->start);
	if (roots.count == 2 && plain->kind == CXCursor_DeclRefExpr) {
		char *name = claw_nodes_name(plain->cursor);

		pick_bounds(body, &roots, name, space, with_shadow, out);
		free(name);
		return;
	}
	const struct claw_root *root = roots.count == 1 ? &roots.list[0] : NULL;
	struct shadows shadows = shadows_of(body, root);

	if (root) {
		struct claw_bounds bounds = claw_bounds_of(body, root, space);

		fprintf(out, ", %s, %s, %s", bounds.lo, bounds.bytes,
			bounds.object);
	} else {
		fputs(", 0UL, __CLAW_ANY, 0u", out);
	}
	for (unsigned int i = 0; with_shadow && i < shadows.count; i++)
		fprintf(out, ", %s", shadows.words[i]);
}

void claw_check_given(struct claw_body *body, struct claw_node *pointer,
		      enum claw_space space, FILE *out)
{
	put_bounds(body, pointer, space, true, out);
}

void claw_check_bounds(struct claw_body *body, struct claw_node *pointer,
		       enum claw_space space, FILE *out)
{
	put_bounds(body, pointer, space, false, out);
}
