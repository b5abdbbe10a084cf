/* SPDX-License-Identifier: Apache-2.0 */
/* Readings: how a kernel's work sizes may depend on its arguments. */
#include "config.h"

#include "explore_relations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

enum { LOCALS = 8, RELATIONS = 64 };

static const struct claw_explore_reading none = {
	.scalars = { -1, -1, -1 }, .second = -1, .pitch = -1,
};

static bool is_size(const struct claw_explore_kernel *kernel, unsigned int arg)
{
	return kernel->args[arg].role == CLAW_ROLE_INTEGER &&
	       kernel->args[arg].is_size;
}

/* Dimension by dimension: none, or one of the size arguments. */
static void choose(const struct claw_explore_kernel *kernel, unsigned int at,
		   struct claw_explore_reading choice,
		   struct claw_explore_reading *choices, unsigned int *count)
{
	if (at == kernel->dimensions) {
		if (*count < RELATIONS)
			choices[(*count)++] = choice;
		return;
	}
	choice.scalars[at] = -1;
	choose(kernel, at + 1, choice, choices, count);
	for (unsigned int i = 0; !kernel->is_guarded[at] &&
	     i < kernel->arg_count; i++) {
		if (!is_size(kernel, i))
			continue;
		choice.scalars[at] = (int8_t)i;
		choose(kernel, at + 1, choice, choices, count);
	}
}

/* One dimension over all elements of a matrix. */
static void choose_products(const struct claw_explore_kernel *kernel,
			    struct claw_explore_reading *choices,
			    unsigned int *count)
{
	for (unsigned int i = 0; i < kernel->arg_count; i++)
		for (unsigned int j = i + 1; j < kernel->arg_count; j++)
			if (is_size(kernel, i) && is_size(kernel, j) &&
			    kernel->dimensions == 1 && !kernel->is_guarded[0] &&
			    *count < RELATIONS) {
				choices[*count] = none;
				choices[*count].scalars[0] = (int8_t)i;
				choices[(*count)++].second = (int8_t)j;
			}
}

/* The elements of a row are told by a constant, or by an argument in bytes. */
static void choose_rows(const struct claw_explore_kernel *kernel,
			struct claw_explore_reading *choices,
			unsigned int *count)
{
	uint32_t unit = 0;

	if (kernel->dimensions < 2)
		return;
	for (unsigned int i = 0; i < kernel->rows.count && i < 2 &&
	     *count < RELATIONS; i++) {
		choices[*count] = none;
		choices[(*count)++].limit = kernel->rows.items[i];
	}
	for (unsigned int i = 0; i < kernel->arg_count && !unit; i++)
		if (kernel->args[i].role == CLAW_ROLE_BUFFER)
			unit = (uint32_t)claw_explore_element(&kernel->args[i]);
	for (unsigned int i = 0; i < kernel->arg_count && unit > 1 &&
	     kernel->is_bytewise && *count < RELATIONS; i++)
		if (is_size(kernel, i)) {
			choices[*count] = none;
			choices[*count].pitch = (int8_t)i;
			choices[(*count)++].unit = unit;
		}
}

/* Do rows and loops say more than its sizes do? */
static bool is_bound(const struct claw_explore_kernel *kernel,
		     const struct claw_explore_reading *choice)
{
	bool found = kernel->bound_count > 0;

	for (unsigned int i = 0; i < kernel->dimensions; i++)
		found |= kernel->margins[i] && choice->scalars[i] >= 0 &&
			(i || choice->second < 0);
	return found;
}

/* least: a smaller number is too often something else. */
static unsigned int add_fixed(const struct claw_explore_kernel *kernel,
			      uint32_t items, uint32_t least,
			      struct claw_explore_reading *locals,
			      unsigned int count)
{
	uint64_t group = items;

	for (unsigned int i = 1; i < kernel->dimensions &&
	     group <= kernel->max_group; i++)
		group *= items;
	if (items < least || group > kernel->max_group)
		return 0;
	for (unsigned int i = 0; i < count; i++)
		if (locals[i].fixed == items)
			return 0;
	locals[count] = (struct claw_explore_reading) {
		.local = CLAW_LOCAL_FIXED, .fixed = items,
	};
	return 1;
}

/* What there is of local sizes where groups matter. */
static unsigned int list_locals(const struct claw_explore_kernel *kernel,
				struct claw_explore_reading *locals)
{
	unsigned int count = 0;

	locals[count++] = (struct claw_explore_reading) { .local = CLAW_LOCAL_FREE };
	if (!kernel->has_groups || kernel->required[0])
		return count;
	locals[count++] = (struct claw_explore_reading) { .local = CLAW_LOCAL_POWER };
	for (unsigned int i = 0; i < kernel->tiles.count && count < LOCALS - 2; i++)
		count += add_fixed(kernel, kernel->tiles.items[i], 2, locals,
				   count);
	/* "if (lid < 8) a[lid] += a[lid + 8]" is for groups of 16. */
	for (unsigned int times = 1; times < 3; times++)
		for (unsigned int i = 0; i < kernel->literals.count &&
		     count < LOCALS - 2; i++)
			count += add_fixed(kernel, times *
				kernel->literals.items[i], 4, locals, count);
	return count;
}

static bool has_scalar(const struct claw_explore_reading *choice)
{
	return choice->scalars[0] >= 0 || choice->scalars[1] >= 0 ||
	       choice->scalars[2] >= 0;
}

/* Of one strength. is_bound: with what rows and loops say besides. */
static unsigned int add_readings(const struct claw_explore_kernel *kernel,
				 const struct claw_explore_reading *choices,
				 unsigned int choice_count,
				 const struct claw_explore_reading *locals,
				 unsigned int local_count, unsigned int strength,
				 bool keeps_bounds,
				 struct claw_explore_reading *readings,
				 unsigned int count)
{
	if ((strength && !kernel->has_groups) ||
	    (strength & 1 && !kernel->may_be_one_group))
		return count;
	for (unsigned int i = 0; i < choice_count; i++)
		for (unsigned int j = 0; j < 2 * local_count; j++) {
			struct claw_explore_reading reading = choices[i];

			if (count == CLAW_EXPLORE_READINGS)
				return count;
			if ((j >= local_count && (!has_scalar(&choices[i]) ||
						  keeps_bounds)) ||
			    (keeps_bounds && !is_bound(kernel, &choices[i])))
				continue;
			reading.local = locals[j % local_count].local;
			reading.fixed = locals[j % local_count].fixed;
			reading.relation = !has_scalar(&choices[i]) ?
				CLAW_RELATION_FREE : j < local_count ?
				CLAW_RELATION_UPTO : CLAW_RELATION_SAME;
			reading.keeps_bounds = keeps_bounds;
			reading.is_one_group = strength & 1;
			reading.is_multiple = strength & 2;
			readings[count++] = reading;
		}
	return count;
}

unsigned int claw_explore_readings(const struct claw_explore_kernel *kernel,
				   struct claw_explore_reading
				   ret_readings[CLAW_EXPLORE_READINGS])
{
	struct claw_explore_reading choices[RELATIONS], locals[LOCALS];
	unsigned int choice_count = 0, local_count, count = 0;

	choose(kernel, 0, none, choices, &choice_count);
	choose_products(kernel, choices, &choice_count);
	choose_rows(kernel, choices, &choice_count);
	local_count = list_locals(kernel, locals);
	for (unsigned int bound = 0; bound < 2; bound++)
		for (unsigned int strength = 0; strength < 4; strength++)
			count = add_readings(kernel, choices, choice_count,
					     locals, local_count, strength,
					     bound, ret_readings, count);
	return count;
}

/* ---- does it hold? ----------------------------------------------------- */

static bool relation_holds(const struct claw_explore_reading *reading,
			   const int64_t *terms, unsigned int dimension)
{
	int8_t scalar = reading->scalars[dimension];
	int64_t global = terms[CLAW_TERM_GLOBAL + dimension], value;

	if (scalar < 0)
		return true;
	value = terms[(unsigned int)scalar];
	if (dimension == 0 && reading->second >= 0 &&
	    __builtin_mul_overflow(value, terms[(unsigned int)reading->second],
				   &value))
		return false;
	return reading->relation == CLAW_RELATION_SAME ? global == value :
		global <= value;
}

static bool rows_hold(const struct claw_explore_reading *reading,
		      const int64_t *terms)
{
	int64_t global = terms[CLAW_TERM_GLOBAL], pitch;

	if (reading->limit && global > reading->limit)
		return false;
	if (reading->pitch < 0)
		return true;
	pitch = terms[(unsigned int)reading->pitch];
	return pitch % reading->unit == 0 && pitch / reading->unit >= global;
}

bool claw_explore_reading_bound(const struct claw_explore_kernel *kernel,
				const struct claw_explore_reading *reading,
				unsigned int at,
				struct claw_explore_bound *ret_bound)
{
	unsigned int dimension = at - kernel->bound_count;

	if (!reading->keeps_bounds || (at >= kernel->bound_count &&
				       dimension >= kernel->dimensions))
		return false;
	if (at < kernel->bound_count) {
		*ret_bound = kernel->bounds[at];
		return true;
	}
	*ret_bound = (struct claw_explore_bound) {
		.dimension = (int8_t)dimension,
		.arg = (uint8_t)(reading->scalars[dimension] < 0 ?
			CLAW_EXPLORE_ARGS : reading->scalars[dimension]),
		.plus = kernel->margins[dimension],
	};
	if (dimension == 0 && reading->second >= 0)
		ret_bound->arg = CLAW_EXPLORE_ARGS;
	return true;
}

static bool bounds_hold(const struct claw_explore_kernel *kernel,
			const struct claw_explore_reading *reading,
			const int64_t *terms)
{
	struct claw_explore_bound bound;

	for (unsigned int i = 0; claw_explore_reading_bound(kernel, reading, i,
							    &bound); i++)
		if (bound.arg < CLAW_EXPLORE_ARGS &&
		    terms[bound.arg] - bound.plus < (bound.dimension < 0 ? 0 :
			terms[CLAW_TERM_GLOBAL + bound.dimension]))
			return false;
	return true;
}

static bool local_holds(const struct claw_explore_reading *reading,
			uint32_t local)
{
	return reading->local == CLAW_LOCAL_FREE ||
	       (reading->local == CLAW_LOCAL_POWER && !(local & (local - 1))) ||
	       (reading->local == CLAW_LOCAL_FIXED && local == reading->fixed);
}

bool claw_explore_reading_holds(const struct claw_explore_kernel *kernel,
				const struct claw_explore_reading *reading,
				const int64_t *terms, const uint32_t *local)
{
	if (!rows_hold(reading, terms) || !bounds_hold(kernel, reading, terms))
		return false;
	for (unsigned int i = 0; i < kernel->dimensions; i++) {
		if (!relation_holds(reading, terms, i) ||
		    !local_holds(reading, local[i]) ||
		    (reading->is_one_group &&
		     terms[CLAW_TERM_GLOBAL + i] != local[i]))
			return false;
		for (unsigned int j = 0; reading->is_multiple &&
		     j < kernel->arg_count; j++)
			if (is_size(kernel, j) && terms[j] % local[i])
				return false;
	}
	return true;
}

/* ---- words ------------------------------------------------------------- */

/* Of one dimension. */
static void put_sizes(const struct claw_explore_kernel *kernel,
		      const struct claw_explore_reading *reading,
		      unsigned int at, FILE *out)
{
	if (reading->scalars[at] >= 0) {
		fprintf(out, ", global_size[%u] %s %s", at,
			reading->relation == CLAW_RELATION_SAME ? "==" : "<=",
			kernel->args[reading->scalars[at]].name);
		if (at == 0 && reading->second >= 0)
			fprintf(out, " * %s",
				kernel->args[reading->second].name);
	}
	if (reading->local == CLAW_LOCAL_POWER)
		fprintf(out, ", power_of_two(local_size[%u])", at);
	if (reading->local == CLAW_LOCAL_FIXED)
		fprintf(out, ", local_size[%u] == %u", at, reading->fixed);
	if (reading->is_one_group)
		fprintf(out, ", global_size[%u] == local_size[%u]", at, at);
	for (unsigned int i = 0; reading->is_multiple && i < kernel->arg_count;
	     i++)
		if (is_size(kernel, i))
			fprintf(out, ", %s %% local_size[%u] == 0",
				kernel->args[i].name, at);
}

static void put_bounds(const struct claw_explore_kernel *kernel,
		       const struct claw_explore_reading *reading, FILE *out)
{
	struct claw_explore_bound bound;

	for (unsigned int i = 0; claw_explore_reading_bound(kernel, reading, i,
							    &bound); i++) {
		if (bound.arg == CLAW_EXPLORE_ARGS ||
		    (i >= kernel->bound_count && !bound.plus))
			continue;
		fprintf(out, ", %s >= ", kernel->args[bound.arg].name);
		if (bound.dimension >= 0)
			fprintf(out, "global_size[%d]%s", bound.dimension,
				bound.plus ? " + " : "");
		if (bound.plus)
			fprintf(out, "%u", bound.plus);
	}
}

char *claw_explore_reading_text(const struct claw_explore_kernel *kernel,
				const struct claw_explore_reading *reading)
{
	char *text, *whole;
	size_t size;
	FILE *out = claw_text_begin(&whole, &size);

	for (unsigned int i = 0; i < kernel->dimensions; i++)
		put_sizes(kernel, reading, i, out);
	put_bounds(kernel, reading, out);
	if (reading->limit)
		fprintf(out, ", global_size[0] <= %u", reading->limit);
	if (reading->pitch >= 0) {
		const char *name = kernel->args[reading->pitch].name;

		fprintf(out, ", %s %% %u == 0, %s >= %u * global_size[0]", name,
			reading->unit, name, reading->unit);
	}
	claw_text_end(out);
	text = claw_strdup(*whole ? whole + 2 : "");
	free(whole);
	return text;
}
