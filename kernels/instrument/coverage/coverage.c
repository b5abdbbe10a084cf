/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Probes of coverage. A counter N is the macro __claw_cN where it is counted.
 * Counters of functions near to a kernel are private to a work-item, bits or
 * counts in its context (members mI), and are added to the words when the
 * kernel ends; what would be too many goes to the words at once.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "coverage.h"
#include "coverage_private.h"
#include "harness/base/memory.h"
#include "faults/shared/probe_format.h"

struct line_count {
	struct claw_flow_line line;
	struct claw_sum count;
};

struct coverage {
	struct claw_rewrite *rewrite;
	struct claw_calls calls;
	struct line_count *lines;
	size_t line_count;
	struct claw_walk_numbers numbers;
	struct claw_implied implied;
};

static struct coverage *of(const struct claw_rewrite *rewrite)
{
	return rewrite->of_probes[0];
}

static bool is_hit(const struct claw_rewrite *rewrite)
{
	return !(rewrite->request->modes & CLAW_PROBE_COUNT);
}

/* Counters of one private member. */
static unsigned int member_counters(const struct claw_rewrite *rewrite)
{
	return is_hit(rewrite) ? 32 : 1;
}

static void tell_line(void *data, const struct claw_flow_line *line,
		      const struct claw_sum *count)
{
	struct coverage *coverage = data;
	struct line_count *grown = claw_grow(coverage->lines,
					     coverage->line_count + 1,
					     sizeof(*grown));

	coverage->lines = grown;
	struct line_count *added = &grown[coverage->line_count++];

	memset(added, 0, sizeof(*added));
	added->line = *line;
	claw_sum_add(&added->count, count, 1);
}

static int compare(const void *one, const void *two)
{
	const struct line_count *a = one, *b = two;

	if (a->line.file != b->line.file)
		return a->line.file < b->line.file ? -1 : 1;
	return a->line.line < b->line.line ? -1 : a->line.line > b->line.line;
}

/* A line that several functions have is written once. */
static void write_lines(struct coverage *coverage)
{
	FILE *out = coverage->rewrite->map.stream;

	if (coverage->line_count)
		qsort(coverage->lines, coverage->line_count,
		      sizeof(*coverage->lines), compare);
	for (size_t i = 0; i < coverage->line_count; i++) {
		struct line_count *line = &coverage->lines[i];

		if (i + 1 < coverage->line_count &&
		    compare(line, line + 1) == 0) {
			claw_sum_add(&line[1].count, &line->count, 1);
			continue;
		}
		fprintf(out, "line %u %u ", line->line.file, line->line.line);
		claw_sum_write(&line->count, is_hit(coverage->rewrite), out);
		fputc('\n', out);
	}
}

static void write_function(struct coverage *coverage, struct claw_walk *walk,
			   unsigned int first_counter, const char *branches)
{
	struct claw_rewrite *rewrite = coverage->rewrite;
	const struct claw_function *function = walk->function;
	struct claw_flow_line first = claw_walk_line(walk, function->name_at);
	struct claw_flow_line last = claw_walk_line(walk, function->body_end);

	fprintf(rewrite->map.stream, "function %u %u %u %u %s\n", first_counter,
		first.file, first.line, last.line, function->name);
	fputs(branches, rewrite->map.stream);
	claw_flow_tell_lines(&walk->flow, is_hit(rewrite), tell_line, coverage);
}

/* It runs without counters. */
static void leave_out(struct coverage *coverage, struct claw_walk *walk,
		      size_t edits, unsigned int counters)
{
	struct claw_rewrite *rewrite = coverage->rewrite;
	struct claw_flow_line line = claw_walk_line(walk,
						    walk->function->name_at);
	size_t start, end;

	if (claw_unit_range(rewrite->unit, walk->why_at, &start, &end))
		line = claw_walk_line(walk, start);
	claw_edits_forget(&rewrite->edits, edits);
	rewrite->counters = counters;
	fprintf(rewrite->map.stream, "plain %s %u %u %s\n",
		walk->function->name, line.file, line.line, walk->why);
}

static void walk_function(struct coverage *coverage, size_t number)
{
	struct claw_rewrite *rewrite = coverage->rewrite;
	struct claw_call_node *node = &coverage->calls.nodes[number];
	struct claw_words branches;
	struct claw_walk walk = {
		.rewrite = rewrite, .function = node->function,
		.numbers = &coverage->numbers,
		.calls = rewrite->request->is_separate ? NULL :
			&coverage->calls,
	};
	size_t edits = rewrite->edits.count;

	claw_words_init(&branches);
	walk.branches = branches.stream;
	node->first_counter = rewrite->counters;
	if (!node->function->is_kernel)
		claw_edits_insert(&rewrite->edits, node->function->body + 1,
				  "__claw_c%u;", node->first_counter);
	if (claw_walk_run(&walk)) {
		claw_implied_add(&coverage->implied, &walk);
		write_function(coverage, &walk, node->first_counter,
			       claw_words_text(&branches));
	} else {
		leave_out(coverage, &walk, edits, node->first_counter);
	}
	node->counters = rewrite->counters - node->first_counter;
	claw_walk_release(&walk);
	claw_words_release(&branches);
}

/* How a macro begins, and what it does: if_so: where its parameter t is so. */
static void define_head(FILE *out, unsigned int n, bool if_so)
{
	fprintf(out, if_so ? "#define __claw_w%u(t) " : "#define __claw_c%u ",
		n);
}

static void define_count(FILE *out, bool direct, unsigned int n, bool if_so)
{
	define_head(out, n, if_so);
	fprintf(out, direct ? "__claw_add(__claw->p, %uu, %s)\n" :
		"(__claw->m%u += %s)\n", n, if_so ? "(uint)(t)" : "1u");
}

static void set_bits(FILE *out, bool direct, unsigned int word, uint32_t bits,
		     bool if_so)
{
	char which[48];

	snprintf(which, sizeof(which), if_so ? "0x%xu & -(uint)(t)" : "0x%xu",
		 bits);
	fprintf(out, direct ? "__claw_hit(__claw->p, %uu, %s)" :
		"__claw->m%u |= %s", word, which);
}

/* Does the function that a counter is of count into the words? */
static bool is_direct(const struct coverage *coverage, unsigned int counter)
{
	const struct claw_calls *calls = &coverage->calls;

	for (size_t i = 0; i < calls->count; i++)
		if (counter - calls->nodes[i].first_counter <
		    calls->nodes[i].counters)
			return calls->nodes[i].is_direct;
	return false;
}

/* One that counts sets all bits that it implies, a word at a time. */
static void define_hit(struct coverage *coverage, bool direct, unsigned int n,
		       bool if_so)
{
	FILE *out = coverage->rewrite->helpers.stream;
	struct claw_sum all = { NULL, 0 };
	claw_implied_of(&coverage->implied, &coverage->calls, n, &all);
	const char *between = "(";

	define_head(out, n, if_so);
	for (size_t i = 0; i < all.count;) {
		unsigned int word = all.terms[i].counter / 32;
		uint32_t bits = 0, bits_direct = 0;

		for (; i < all.count && all.terms[i].counter / 32 == word; i++) {
			unsigned int at = all.terms[i].counter;
			bool goes = at == n ? direct : is_direct(coverage, at);

			*(goes ? &bits_direct : &bits) |= UINT32_C(1) << at % 32;
		}
		for (int goes = 0; goes < 2; goes++) {
			if (!(goes ? bits_direct : bits))
				continue;
			fputs(between, out);
			set_bits(out, goes, word, goes ? bits_direct : bits,
				 if_so);
			between = ", ";
		}
	}
	fputs(")\n", out);
	claw_sum_release(&all);
}

static void define_counter(struct coverage *coverage, bool direct,
			   unsigned int n, bool if_so)
{
	if (is_hit(coverage->rewrite))
		define_hit(coverage, direct, n, if_so);
	else
		define_count(coverage->rewrite->helpers.stream, direct, n,
			     if_so);
}

/* What the macros of a function's counters do: __claw_cN counts, __claw_wN(t)
 * does if t, without a branch. */
static void define_counters(struct coverage *coverage,
			    const struct claw_call_node *node)
{
	FILE *out = coverage->rewrite->helpers.stream;

	for (unsigned int i = 0; i < node->counters; i++) {
		unsigned int n = node->first_counter + i;

		if (i == 0 && node->is_implied) {
			fprintf(out, "#define __claw_c%u\n", n);
			continue;
		}
		define_counter(coverage, node->is_direct, n, false);
		if (coverage->rewrite->has_regions)
			define_counter(coverage, node->is_direct, n, true);
	}
}

/* How a word is looked at that other work-items may be changing. Oclgrind calls
 * all but an atomic function a race, and has reason to. */
static const char *look_at_word(const struct claw_rewrite *rewrite)
{
	return rewrite->request->version &&
	       strcasestr(rewrite->request->version, "oclgrind") ?
		"atomic_or((volatile __global uint *)p, 0u)" : "*p";
}

static void write_helpers(struct coverage *coverage)
{
	const struct claw_rewrite *rewrite = coverage->rewrite;
	FILE *out = coverage->rewrite->helpers.stream;
	const char *word = look_at_word(rewrite);

	/* Their branches are none of the kernel's. */
	if (rewrite->has_regions)
		fputs("__attribute__((noinline)) ", out);
	if (is_hit(rewrite))
		fprintf(out,
"__CLAW_STATIC void __claw_hit(__global uint *p, uint w, uint bits) {"
" p += %u + CLAW_C / 32 + w;"
" if (bits & ~%s) atomic_or((volatile __global uint *)p, bits); }\n",
			(unsigned int)CLAW_PROBE_COUNTERS_AT, word);
	else
		fprintf(out,
"__CLAW_STATIC void __claw_add(__global uint *p, uint w, uint n) {"
" p += %u + CLAW_C + w;"
" if (n && %s != 0xffffffffu && atomic_add((volatile __global uint *)p, n) > 0xffffffffu - n)"
" atomic_xchg((volatile __global uint *)p, 0xffffffffu); }\n",
			(unsigned int)CLAW_PROBE_COUNTERS_AT, word);
}

/* The private members: each that a function that is not direct has. */
static void write_fields(struct coverage *coverage)
{
	struct claw_rewrite *rewrite = coverage->rewrite;
	/* pocl 3.1 loses values of other variables where one that is in no
	 * memory is counted up in a loop with a barrier. */
	const char *kept = rewrite->has_regions ? "volatile " : "";
	unsigned int per = member_counters(rewrite), next = 0;

	for (size_t i = 0; i < coverage->calls.count; i++) {
		const struct claw_call_node *node = &coverage->calls.nodes[i];

		if (node->is_direct || node->counters == 0)
			continue;
		unsigned int first = node->first_counter / per;
		unsigned int last = (node->first_counter + node->counters - 1) /
			per;

		for (next = first > next ? first : next; next <= last; next++)
			fprintf(rewrite->own_fields.stream, "%suint m%u; ",
				kept, next);
	}
}

/* What each kernel can come to. */
static void write_reach(struct coverage *coverage)
{
	struct claw_calls *calls = &coverage->calls;
	FILE *out = coverage->rewrite->map.stream;

	for (size_t i = 0; i < calls->count; i++) {
		const char *name = calls->nodes[i].function->name;
		bool leaves = false;

		if (!calls->nodes[i].function->is_kernel)
			continue;
		claw_calls_reach(calls, &calls->nodes[i]);
		for (size_t k = 0; k < calls->count; k++) {
			const struct claw_call_node *node = &calls->nodes[k];

			if (node->distance < 0)
				continue;
			leaves = leaves || node->leaves;
			if (node->counters)
				fprintf(out, "reach %u %u %s\n",
					node->first_counter, node->counters,
					name);
		}
		if (leaves)
			fprintf(out, "leaves %s\n", name);
	}
}

static int rewrite_all(struct claw_rewrite *rewrite)
{
	struct coverage *coverage = claw_calloc(1, sizeof(*coverage));

	rewrite->of_probes[0] = coverage;
	coverage->rewrite = rewrite;
	claw_calls_init(&coverage->calls, rewrite->unit);
	for (size_t i = 0; i < coverage->calls.count; i++)
		if (coverage->calls.nodes[i].is_used)
			walk_function(coverage, i);
	claw_implied_choose(&coverage->implied, &coverage->calls);
	claw_calls_choose_direct(&coverage->calls, member_counters(rewrite),
				 is_hit(rewrite) ? 16 : 48,
				 rewrite->request->is_separate);
	write_lines(coverage);
	if (is_hit(rewrite))
		write_reach(coverage);
	write_fields(coverage);
	write_helpers(coverage);
	for (size_t i = 0; i < coverage->calls.count; i++)
		define_counters(coverage, &coverage->calls.nodes[i]);
	return 0;
}

/* Of each member that the kernel's functions have: once. */
static void each_member(struct claw_rewrite *rewrite,
			const struct claw_function *kernel,
			void (*write)(struct claw_rewrite *rewrite,
				      const struct claw_call_node *node,
				      unsigned int member, FILE *out),
			FILE *out)
{
	struct claw_calls *calls = &of(rewrite)->calls;
	struct claw_call_node *self = claw_calls_find(calls, kernel);
	unsigned int per = member_counters(rewrite), next = 0;

	if (!self)
		return;
	claw_calls_reach(calls, self);
	for (size_t i = 0; i < calls->count; i++) {
		const struct claw_call_node *node = &calls->nodes[i];

		if (node->distance < 0 || node->is_direct || !node->counters)
			continue;
		unsigned int first = node->first_counter / per;
		unsigned int last = (node->first_counter + node->counters - 1) /
			per;

		for (next = first > next ? first : next; next <= last; next++)
			write(rewrite, self, next, out);
	}
}

/* A kernel's own entry is counted there, too. */
static void begin_member(struct claw_rewrite *rewrite,
			 const struct claw_call_node *self, unsigned int member,
			 FILE *out)
{
	unsigned int per = member_counters(rewrite), value = 0;

	if (!self->is_direct && self->counters &&
	    self->first_counter / per == member)
		value = per == 1 ? 1 : 1u << self->first_counter % 32;
	fprintf(out, " __claw_k.m%u = 0x%xu;", member, value);
}

static bool implies_more(const struct coverage *coverage,
			     const struct claw_call_node *self)
{
	struct claw_sum all = { NULL, 0 };
	size_t count;

	claw_implied_of(&coverage->implied, &coverage->calls,
			self->first_counter, &all);
	count = all.count;
	claw_sum_release(&all);
	return count > 1;
}

static void begin(struct claw_rewrite *rewrite,
		  const struct claw_function *kernel, FILE *out)
{
	const struct claw_call_node *self = claw_calls_find(&of(rewrite)->calls,
							    kernel);

	each_member(rewrite, kernel, begin_member, out);
	if (self && self->counters &&
	    (self->is_direct || implies_more(of(rewrite), self)))
		fprintf(out, " __claw_c%u;", self->first_counter);
}

static void end_member(struct claw_rewrite *rewrite,
		       const struct claw_call_node *self, unsigned int member,
		       FILE *out)
{
	(void)self;
	fprintf(out, " %s(__claw_p, %uu, __claw_k.m%u);",
		is_hit(rewrite) ? "__claw_hit" : "__claw_add", member, member);
}

static void end(struct claw_rewrite *rewrite, const struct claw_function *kernel,
		FILE *out)
{
	each_member(rewrite, kernel, end_member, out);
}

static void release(struct claw_rewrite *rewrite)
{
	struct coverage *coverage = of(rewrite);

	if (!coverage)
		return;
	for (size_t i = 0; i < coverage->line_count; i++)
		claw_sum_release(&coverage->lines[i].count);
	free(coverage->lines);
	free(coverage->numbers.given);
	claw_implied_release(&coverage->implied);
	claw_calls_release(&coverage->calls);
	free(coverage);
	rewrite->of_probes[0] = NULL;
}

const struct claw_probes_kind claw_probes_coverage = {
	.modes = CLAW_PROBE_HIT | CLAW_PROBE_COUNT,
	.rewrite = rewrite_all,
	.begin = begin,
	.end = end,
	.release = release,
};
