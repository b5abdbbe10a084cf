/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Natural lengths of a buffer. Where the kernel compares an id with an argument,
 * the global size of that dimension is no length: the kernel copes with more
 * work-items than elements. But it is one of a buffer that has an element for
 * each work-item, whatever was compared.
 */
#include "config.h"

#include "explore_relations.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/memory.h"

enum { FEW = 6 };

struct list {
	const struct claw_explore_kernel *kernel;
	struct claw_explore_length *lengths;
	unsigned int count;
};

static bool is_same(const struct claw_explore_length *a,
		    const struct claw_explore_length *b)
{
	return a->count == b->count && a->is_sum == b->is_sum &&
	       a->each == b->each && a->times == b->times &&
	       a->plus == b->plus &&
	       memcmp(a->terms, b->terms, sizeof(a->terms)) == 0;
}

static void add(struct list *list, const struct claw_explore_length *length)
{
	for (unsigned int i = 0; i < list->count; i++)
		if (is_same(&list->lengths[i], length))
			return;
	if (list->count < CLAW_EXPLORE_LENGTHS)
		list->lengths[list->count++] = *length;
}

/* ---- products -------------------------------------------------------- */

/* Terms that may be factors: sizes, other numbers, work sizes. */
struct terms {
	unsigned int count;
	uint8_t items[CLAW_TERM_COUNT];
};

static void add_scalars(const struct claw_explore_kernel *kernel, bool sizes,
			struct terms *terms)
{
	for (unsigned int i = 0; i < kernel->arg_count; i++)
		if (kernel->args[i].role == CLAW_ROLE_INTEGER &&
		    kernel->args[i].is_size == sizes)
			terms->items[terms->count++] = (uint8_t)i;
}

static void add_globals(const struct claw_explore_kernel *kernel,
			const struct claw_explore_arg *arg, struct terms *terms)
{
	for (unsigned int i = 0; i < kernel->dimensions; i++)
		if (!kernel->is_guarded[i] || arg->free_ids >> i & 1)
			terms->items[terms->count++] =
				(uint8_t)(CLAW_TERM_GLOBAL + i);
}

static struct claw_explore_length of(unsigned int count, const uint8_t *terms)
{
	struct claw_explore_length length;

	memset(&length, 0, sizeof(length));
	length.count = (uint8_t)count;
	length.times = 1;
	memcpy(length.terms, terms, count);
	return length;
}

/* Of one, two, three factors of the terms; each may be there twice. */
static void add_products(struct list *list, const struct terms *terms,
			 unsigned int factors)
{
	for (unsigned int i = 0; i < terms->count; i++) {
		uint8_t at[3] = { terms->items[i], 0, 0 };
		struct claw_explore_length length = of(1, at);

		if (factors == 1)
			add(list, &length);
		for (unsigned int j = i; factors > 1 && j < terms->count; j++) {
			at[1] = terms->items[j];
			length = of(2, at);
			if (factors == 2)
				add(list, &length);
			for (unsigned int k = j + 1; factors > 2 &&
			     k < terms->count; k++) {
				at[2] = terms->items[k];
				length = of(3, at);
				add(list, &length);
			}
		}
	}
}

static void add_sums(struct list *list, const struct terms *terms)
{
	for (unsigned int i = 0; i < terms->count; i++)
		for (unsigned int j = i + 1; j < terms->count; j++) {
			uint8_t at[2] = { terms->items[i], terms->items[j] };
			struct claw_explore_length length = of(2, at);

			length.is_sum = true;
			add(list, &length);
		}
}

/* ---- constants ------------------------------------------------------- */

/* "for (i = 0; i < 3; i++) sum += a[id + i]": each reaches 2 beyond its own. */
static void add_reaches(struct list *list, unsigned int count)
{
	const struct claw_explore_numbers *limits = &list->kernel->limits;

	for (unsigned int j = 0; j < limits->count && j < 4; j++)
		for (unsigned int i = 0; i < count && i < FEW; i++) {
			struct claw_explore_length length = list->lengths[i];

			length.plus = limits->items[j] - 1;
			add(list, &length);
			length.plus = limits->items[j];
			add(list, &length);
		}
}

/* What there is so far, times and plus what the text shows. */
static void add_variants(struct list *list, bool has_bounds)
{
	const struct claw_explore_numbers *factors = &list->kernel->factors;
	const struct claw_explore_numbers *adders = &list->kernel->adders;
	unsigned int count = list->count;

	for (unsigned int i = 0; has_bounds && i < count; i++) {
		struct claw_explore_length length = list->lengths[i];

		length.plus = 1;
		add(list, &length);
	}
	for (unsigned int j = 0; j < factors->count && j < 4; j++)
		for (unsigned int i = 0; i < count; i++) {
			struct claw_explore_length length = list->lengths[i];

			length.times = factors->items[j];
			add(list, &length);
			/* A header before what is strided. */
			length.plus = adders->count ? adders->items[0] : 1;
			if (i < FEW)
				add(list, &length);
			length.plus = 1;
			if (i < FEW)
				add(list, &length);
		}
	add_reaches(list, count);
	for (unsigned int j = 0; j < adders->count && j < 4; j++)
		for (unsigned int i = 0; i < count; i++) {
			struct claw_explore_length length = list->lengths[i];

			length.each = adders->items[j];
			if (length.count < 3 && !length.is_sum)
				add(list, &length);
		}
}

static void add_constants(struct list *list)
{
	const struct claw_explore_numbers *literals = &list->kernel->literals;
	struct claw_explore_length length;

	memset(&length, 0, sizeof(length));
	length.times = 1;
	for (unsigned int more = 0; more < 2; more++)
		for (unsigned int i = 0; i < literals->count; i++) {
			length.plus = literals->items[i] + more;
			if (length.plus && length.plus <= 1 << 20)
				add(list, &length);
		}
	length.plus = 1;
	add(list, &length);
}

unsigned int claw_explore_lengths(const struct claw_explore_kernel *kernel,
				  unsigned int arg, struct claw_explore_length
				  ret_lengths[CLAW_EXPLORE_LENGTHS])
{
	struct list list = { .kernel = kernel, .lengths = ret_lengths };
	struct terms sizes = { 0 }, all = { 0 };
	static const uint8_t groups[] = { CLAW_TERM_GROUPS, CLAW_TERM_LOCAL };
	struct claw_explore_length of_groups = of(1, &groups[0]);
	struct claw_explore_length of_local = of(1, &groups[1]);
	unsigned int most;

	if (kernel->args[arg].role == CLAW_ROLE_LOCAL)
		add(&list, &of_local);
	add_scalars(kernel, true, &sizes);
	most = sizes.count;
	if (kernel->args[arg].role == CLAW_ROLE_BUFFER)
		add_globals(kernel, &kernel->args[arg], &sizes);
	add_products(&list, &sizes, 1);
	for (unsigned int factors = 2; factors <= 3; factors++)
		add_products(&list, &sizes, factors);
	if (kernel->has_groups && kernel->args[arg].role == CLAW_ROLE_BUFFER) {
		add(&list, &of_groups);
		add(&list, &of_local);
	}
	if (list.count > CLAW_EXPLORE_LENGTHS / 4)
		list.count = CLAW_EXPLORE_LENGTHS / 4;
	add_variants(&list, kernel->args[arg].is_bounds);
	all = sizes;
	add_scalars(kernel, false, &all);
	if (list.count > CLAW_EXPLORE_LENGTHS - 48)
		list.count = CLAW_EXPLORE_LENGTHS - 48;
	if (all.count > most)
		add_sums(&list, &all);
	add_products(&list, &all, 2);
	if (list.count > CLAW_EXPLORE_LENGTHS - 24)
		list.count = CLAW_EXPLORE_LENGTHS - 24;
	add_constants(&list);
	return list.count;
}

/* ---- numbers and words ----------------------------------------------- */

uint64_t claw_explore_length_value(const struct claw_explore_length *length,
				   const int64_t *terms)
{
	int64_t value = length->count && !length->is_sum;

	for (unsigned int i = 0; i < length->count; i++) {
		int64_t term = terms[length->terms[i]];

		if (__builtin_add_overflow(term, length->each, &term) ||
		    (length->is_sum ?
		     __builtin_add_overflow(value, term, &value) :
		     __builtin_mul_overflow(value, term, &value)))
			return UINT64_MAX;
	}
	if (__builtin_mul_overflow(value, (int64_t)length->times, &value) ||
	    __builtin_add_overflow(value, (int64_t)length->plus, &value))
		return UINT64_MAX;
	return value < 1 ? 1 : (uint64_t)value;
}

/* As an assumption of a kernel file names it. */
static void put_term(const struct claw_explore_kernel *kernel, uint8_t term,
		     FILE *out)
{
	if (term < CLAW_TERM_GLOBAL) {
		fputs(kernel->args[term].name, out);
		return;
	}
	if (term < CLAW_TERM_GROUPS) {
		fprintf(out, "global_size[%d]", term - CLAW_TERM_GLOBAL);
		return;
	}
	for (unsigned int i = 0; i < kernel->dimensions; i++)
		fprintf(out, term == CLAW_TERM_LOCAL ? "%slocal_size[%u]" :
			"%s(global_size[%u] / local_size[%u])", i ? " * " : "",
			i, i);
}

char *claw_explore_length_text(const struct claw_explore_kernel *kernel,
			       const struct claw_explore_length *length)
{
	bool bracket = length->is_sum && length->times > 1;
	char *text;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	if (length->count && length->times > 1)
		fprintf(out, "%u * ", length->times);
	if (bracket)
		fputc('(', out);
	for (unsigned int i = 0; i < length->count; i++) {
		fputs(!i ? "" : length->is_sum ? " + " : " * ", out);
		if (length->each)
			fputc('(', out);
		put_term(kernel, length->terms[i], out);
		if (length->each)
			fprintf(out, " + %u)", length->each);
	}
	if (bracket)
		fputc(')', out);
	if (length->plus)
		fprintf(out, "%s%u", length->count ? " + " : "", length->plus);
	claw_text_end(out);
	return text;
}
