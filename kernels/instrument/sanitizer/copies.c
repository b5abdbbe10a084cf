/* SPDX-License-Identifier: Apache-2.0 */
/*
 * async_work_group_copy and its strided sister:
 *
 *	({ T *d = (D); const T *s = (S); size_t n = (N); size_t t = (STRIDE);
 *	   OK ? 0 : bad(); async_work_group_copy(d, s, OK ? n : 0, t, EVENT); })
 *
 * Nothing is copied where not all of it is good. See sanitizer_private.h.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "faults/shared/probe_format.h"
#include "sanitizer_private.h"

struct copy {
	struct claw_body *body;
	struct claw_node *arguments[5];	/* to, from, elements, stride, event */
	unsigned int name;
	bool is_strided;
};

/* The bytes of one side, as text of the names that the rewritten call has. */
static void write_bytes(FILE *out, const struct copy *copy,
			enum claw_space space, long long size)
{
	/* The stride is that of global memory. */
	if (copy->is_strided && space != CLAW_SPACE_LOCAL)
		fprintf(out, "((__claw_e%u - 1) * __claw_t%u + 1) * %lldUL",
			copy->name, copy->name, size);
	else
		fprintf(out, "__claw_e%u * %lldUL", copy->name, size);
}

/* Each work-item sees to some of the elements, which are nobody's own. */
static void write_race(const struct copy *copy, int side, unsigned int number,
		       const struct claw_roots *roots, FILE *out)
{
	struct claw_node *pointer = copy->arguments[side];
	CXType element = claw_type_pointee(pointer->type);
	struct claw_check check = {
		.body = copy->body, .node = pointer, .number = number,
		.kind = side ? CLAW_READ : CLAW_WRITE, .is_copy = true,
		.space = claw_type_space(element), .roots = *roots,
		.bytes = (unsigned long long)claw_type_size(element),
	};
	unsigned int name = copy->name;
	char at[64];

	if (!claw_race_ask(&check, claw_type_align(element)))
		return;
	snprintf(at, sizeof(at), "(__claw_%c%u + __claw_q%u * ", side ? 's' : 'd',
		 name, name);
	fprintf(out, "for (size_t __claw_q%u = __claw->lid; __claw_q%u < __claw_e%u; __claw_q%u += __claw->lsz) { const ulong __claw_a%u = (ulong)%s",
		name, name, name, name, name, at);
	if (copy->is_strided && check.space != CLAW_SPACE_LOCAL)
		fprintf(out, "__claw_t%u); ", name);
	else
		fputs("1); ", out);
	snprintf(at, sizeof(at), "__claw_a%u", name);
	claw_race_put(&check, at, "255u", out);
	fputs("} ", out);
}

/* The number of its access; 0: it has none. */
static unsigned int write_side(const struct copy *copy, int side, FILE *out)
{
	struct claw_node *pointer = copy->arguments[side];
	CXType element = claw_type_pointee(pointer->type);
	enum claw_space space = claw_type_space(element);
	long long size = claw_type_size(element);
	struct claw_roots roots = { .count = 0 };

	claw_roots_of_pointer(copy->body, pointer, &roots);
	if (claw_roots_unknown(&roots) || size <= 0) {
		claw_check_unchecked(copy->body, pointer);
		return 0;
	}
	char *object = claw_check_object(&roots);
	unsigned int number = claw_check_number(copy->body, pointer,
		side ? CLAW_READ : CLAW_WRITE, claw_space_names[space],
		(unsigned long long)size, object);

	free(object);
	if (claw_check_is_on(copy->body, CLAW_PROBE_ASAN)) {
		fprintf(out, "if (__claw_e%u && __claw_bad_range(__claw->p, CLAW_A + %uu, (ulong)__claw_%c%u, ",
			copy->name, number, side ? 's' : 'd', copy->name);
		write_bytes(out, copy, space, size);
		claw_check_bounds(copy->body, pointer, space, out);
		fprintf(out, ", __CLAW_IDS)) __claw_o%u = 0; ", copy->name);
	}
	write_race(copy, side, number, &roots, out);
	return number;
}

/* The comma between two arguments; 0: there is none to be seen. */
static size_t comma_behind(const struct copy *copy, int index)
{
	const struct claw_unit *unit = copy->body->sanitizer->rewrite->unit;
	size_t at = claw_unit_skip_blank(unit, copy->arguments[index]->end);

	return unit->text[at] == ',' ? at : 0;
}

static void put(const struct copy *copy, size_t start, size_t open, size_t end)
{
	struct claw_edits *edits = &copy->body->sanitizer->rewrite->edits;
	unsigned int name = copy->name, number;
	char callee[64];
	struct claw_words words;

	snprintf(callee, sizeof(callee), "async_work_group_%s",
		 copy->is_strided ? "strided_copy" : "copy");
	CXString to = clang_getTypeSpelling(
		claw_type_pointee(copy->arguments[0]->type));

	claw_edits_replace(edits, start, open + 1,
		"({ __typeof__(%s) *const __claw_d%u = (",
		clang_getCString(to), name);
	clang_disposeString(to);
	to = clang_getTypeSpelling(claw_type_pointee(
		copy->arguments[1]->type));
	claw_edits_replace(edits, comma_behind(copy, 0),
		comma_behind(copy, 0) + 1,
		"); __typeof__(%s) *const __claw_s%u = (", clang_getCString(to),
		name);
	clang_disposeString(to);
	claw_edits_replace(edits, comma_behind(copy, 1),
		comma_behind(copy, 1) + 1, "); const size_t __claw_e%u = (",
		name);
	if (copy->is_strided)
		claw_edits_replace(edits, comma_behind(copy, 2),
			comma_behind(copy, 2) + 1,
			"); const size_t __claw_t%u = (", name);
	claw_words_init(&words);
	fprintf(words.stream, "); int __claw_o%u = 1; ", name);
	write_side(copy, 0, words.stream);
	number = write_side(copy, 1, words.stream);
	claw_init_put_copy(copy->body, copy->arguments[0], copy->arguments[1],
			   name, number, copy->is_strided, words.stream);
	fprintf(words.stream, "%s(__claw_d%u, __claw_s%u, __claw_o%u ? __claw_e%u : (size_t)0, ",
		callee, name, name, name, name);
	if (copy->is_strided)
		fprintf(words.stream, "__claw_t%u, ", name);
	size_t last = comma_behind(copy, copy->is_strided ? 3 : 2);

	claw_edits_replace(edits, last, last + 1, "%s",
			   claw_words_text(&words));
	claw_words_release(&words);
	claw_edits_insert(edits, end, "; })");
}

static bool has_words(CXType type)
{
	CXString string = clang_getTypeSpelling(type);
	const char *spelled = clang_getCString(string);
	bool good = !strchr(spelled, '(') && !strstr(spelled, "nnamed");

	clang_disposeString(string);
	return good;
}

/* False: it is not written so that it could be. */
static bool check(struct claw_body *body, struct claw_node *call,
		  bool is_strided)
{
	const struct claw_unit *unit = body->sanitizer->rewrite->unit;
	struct copy copy = {
		.body = body, .is_strided = is_strided,
		.name = body->sanitizer->numbers++,
	};
	int count = is_strided ? 5 : 4;
	size_t open = call->start;

	if (body->sanitizer->is_survey) {
		claw_own_call(body, call);
		return true;
	}
	for (int i = 0; i < count; i++) {
		copy.arguments[i] = claw_argument(call, (size_t)i);
		if (!copy.arguments[i] ||
		    copy.arguments[i]->end <= copy.arguments[i]->start ||
		    (i < count - 1 && !comma_behind(&copy, i)))
			return false;
	}
	while (open < call->end && unit->text[open] != '(')
		open++;
	if (call->end <= open || unit->text[call->end - 1] != ')')
		return false;
	for (int side = 0; side < 2; side++)
		if (!claw_type_is_pointer(copy.arguments[side]->type) ||
		    !has_words(claw_type_pointee(copy.arguments[side]->type)))
			return false;
	claw_hoist_note(body, call->start, NULL);
	put(&copy, call->start, open, call->end);
	return true;
}

void claw_check_copy(struct claw_body *body, struct claw_node *call,
		     bool is_strided)
{
	if (!check(body, call, is_strided)) {
		claw_init_unknown_call(body, call);
		claw_check_unchecked(body, call);
		return;
	}
	if (claw_check_is_on(body, CLAW_PROBE_RACES) &&
	    !body->sanitizer->is_survey && !claw_copy_is_waited_for(body, call))
		claw_check_unchecked(body, call);
}
