/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a caller keeps to because the kernel's indices are rows of an array:
 * "x + y * pitch" has work-items up to the pitch, and "for (k = 1; k < n - 1;
 * k++)" has a first and a last one.
 */
#include "config.h"

#include "explore_text.h"
#include "explore_words.h"

enum { LOOP_WORDS = 24, DEEPEST = 8 };

static void add_bound(struct claw_explore_kernel *kernel, int dimension,
		      unsigned int arg, uint32_t plus)
{
	for (unsigned int i = 0; i < kernel->bound_count; i++)
		if (kernel->bounds[i].dimension == dimension &&
		    kernel->bounds[i].arg == arg &&
		    kernel->bounds[i].plus == plus)
			return;
	if (kernel->bound_count == CLAW_EXPLORE_BOUNDS)
		return;
	kernel->bounds[kernel->bound_count++] = (struct claw_explore_bound) {
		.dimension = (int8_t)dimension, .arg = (uint8_t)arg,
		.plus = plus,
	};
}

/* ---- rows ------------------------------------------------------------------- */

/* Parts of a sum: arguments that are rows' lengths; ids that are in a row. */
struct sum {
	unsigned int pitches, ids;
};

/* The word that closes the bracket which at opens; limit: there is none. */
static size_t close_of(const struct text *text, size_t at, size_t limit)
{
	size_t depth = 0;

	for (; at < limit; at++) {
		depth += is(text, at, "(") || is(text, at, "[");
		depth -= is(text, at, ")") || is(text, at, "]");
		if (!depth)
			return at;
	}
	return limit;
}

static bool is_enclosed(const struct text *text, size_t from, size_t to)
{
	return from + 1 < to && is(text, from, "(") &&
	       close_of(text, from, to) == to - 1;
}

static bool is_scaling(const struct text *text, size_t at)
{
	return is(text, at, "/") || is(text, at, "%") || is(text, at, "<") ||
	       is(text, at, ">") || is(text, at, "?") || is(text, at, ",");
}

/* One part, between two "+". */
static void read_part(const struct text *text, size_t from, size_t to,
		      struct sum *sum)
{
	unsigned int pitches = 0, ids;
	bool is_product = false, is_scaled = false;
	struct text one = *text;
	uint32_t number;
	size_t end;

	while (is_enclosed(text, from, to))
		from++, to--;
	for (size_t at = from; at < to; at++) {
		int arg = argument_at(text, at);

		is_product |= is(text, at, "*");
		is_scaled |= is_scaling(text, at) ||
			number_at(text, at, &number) || is(text, at, "[") ||
			(is(text, at, "(") && at > from && is_name(text, at - 1) &&
			 !is(text, at - 1, "get_global_id"));
		if (arg >= 0 && text->kernel->args[arg].role == CLAW_ROLE_INTEGER)
			pitches |= 1u << arg;
		if (is(text, at, "(") || is(text, at, "["))
			at = close_of(text, at, to);
	}
	one.count = to;
	ids = ids_from(&one, from, &end);
	if (is_product && !is_scaled && !(pitches & (pitches - 1)))
		sum->pitches |= pitches;
	if (!is_product && !is_scaled && !(ids & (ids - 1)))
		sum->ids |= ids;
}

static void read_sum(struct text *text, size_t from, size_t to, int depth)
{
	struct sum sum = { 0 };
	size_t part = from;

	while (is_enclosed(text, from, to))
		part = ++from, to--;
	for (size_t at = from; at <= to; at++) {
		if (at == to || is(text, at, "+")) {
			read_part(text, part, at, &sum);
			part = at + 1;
		}
		if (at < to && (is(text, at, "(") || is(text, at, "["))) {
			size_t close = close_of(text, at, to);

			if (depth < DEEPEST)
				read_sum(text, at + 1, close, depth + 1);
			at = close;
		}
	}
	for (int i = 0; i < 3; i++)
		for (unsigned int j = 0; j < text->kernel->arg_count; j++)
			if (sum.ids >> i & 1 && sum.pitches >> j & 1)
				add_bound(text->kernel, i, j,
					  text->kernel->margins[i]);
}

/* Each value that is assigned, each index. */
static void find_rows(struct text *text)
{
	for (size_t at = 1; at + 1 < text->count; at++) {
		size_t to = at + 1;

		if (is(text, at, "[")) {
			read_sum(text, at + 1, close_of(text, at, text->count), 0);
		} else if (is(text, at, "=") && is_name(text, at - 1) &&
			   !is(text, at + 1, "=")) {
			while (to < text->count && !is(text, to, ";") &&
			       text->words[to].length)
				to++;
			read_sum(text, at + 1, to, 0);
		}
	}
}

/* ---- loops ---------------------------------------------------------------------- */

/* "k = 1; k < n - 1": n is 2 at least. */
static void read_loop(struct text *text, size_t at)
{
	uint32_t begin, left = 0;
	size_t words[LOOP_WORDS], count = 0;
	int arg;

	for (size_t i = at; i < text->count && count < LOOP_WORDS &&
	     !is(text, i, "{"); i++)
		if (!is(text, i, "(") && !is(text, i, ")"))
			words[count++] = i;
	for (at = 0; at < count && !is(text, words[at], ";"); at++)
		;
	if (at < 2 || at + 4 >= count || !is(text, words[at - 2], "=") ||
	    !number_at(text, words[at - 1], &begin) ||
	    !is(text, words[at + 2], "<"))
		return;
	at += 3 + is(text, words[at + 3], "=");
	arg = argument_at(text, words[at]);
	if (arg < 0 || text->kernel->args[arg].role != CLAW_ROLE_INTEGER ||
	    at + 1 >= count)
		return;
	if (!is(text, words[at + 1], ";") &&
	    (at + 3 >= count || !is(text, words[at + 1], "-") ||
	     !number_at(text, words[at + 2], &left) ||
	     !is(text, words[at + 3], ";")))
		return;
	if (begin + left > 1 && begin <= 64 && left <= 64)
		add_bound(text->kernel, -1, (unsigned int)arg, begin + left);
}

/* ---- all of it ------------------------------------------------------------------ */

/* Where an id is compared with an argument, work-items beyond it do nothing. */
static void drop_guarded(struct claw_explore_kernel *kernel)
{
	unsigned int count = 0, free_ids = 0;

	for (unsigned int i = 0; i < kernel->arg_count; i++)
		free_ids |= kernel->args[i].free_ids;
	for (unsigned int i = 0; i < kernel->bound_count; i++) {
		int dimension = kernel->bounds[i].dimension;

		if (dimension < 0 || !kernel->is_guarded[dimension] ||
		    free_ids >> dimension & 1)
			kernel->bounds[count++] = kernel->bounds[i];
	}
	kernel->bound_count = count;
}

void claw_explore_find_bounds(struct text *text)
{
	find_rows(text);
	for (size_t at = 0; at < text->count; at++)
		if (is(text, at, "for"))
			read_loop(text, at + 1);
	drop_guarded(text->kernel);
}
