/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contents of buffers. Values that are not wild are in range wherever they may
 * be indices: below each length and each work size, and a counter begins at 0.
 */
#include "config.h"

#include "explore_case.h"

#include <math.h>
#include <string.h>

#include "harness/cases/clw/clw_values.h"

size_t claw_explore_case_bytes(const struct claw_explore_plan *plan,
			       const struct claw_explore_case *what,
			       unsigned int arg)
{
	return (size_t)what->values[arg].length *
		claw_explore_element(&plan->kernel.args[arg]);
}

/* Indices below it are in range of all that has no constant length. */
static uint64_t range_of(const struct claw_explore_plan *plan,
			 const struct claw_explore_case *what)
{
	uint64_t range = 256;

	for (unsigned int i = 0; i < plan->kernel.dimensions; i++) {
		if (what->global[i] < range)
			range = what->global[i];
		if (plan->kernel.has_groups && what->local[i] < range)
			range = what->local[i];
	}
	for (unsigned int i = 0; i < plan->kernel.arg_count; i++) {
		const struct claw_explore_value *value = &what->values[i];

		if (plan->length_counts[i] && value->length < range &&
		    plan->lengths[i][value->rule].count)
			range = value->length;
		if (plan->kernel.args[i].role == CLAW_ROLE_INTEGER &&
		    plan->kernel.args[i].is_size && value->number > 0 &&
		    (uint64_t)value->number < range)
			range = (uint64_t)value->number;
	}
	for (unsigned int i = 0; i < plan->kernel.literals.count; i++) {
		uint32_t literal = plan->kernel.literals.items[i];

		if (literal > 3 && literal < range)
			range = literal;
	}
	return range;
}

struct source {
	const struct claw_explore_plan *plan;
	uint64_t random, range, at, count;
	enum claw_explore_fill fill;
	bool is_float, is_wild, is_signed;
};

static double wild_number(struct source *source)
{
	const struct claw_explore_numbers *literals =
		&source->plan->kernel.literals;
	static const double numbers[] = {
		-1, -2, 0, 1, 1e9, -1e9, 127, 128, 255, 256, 32767, 65536, 0.5,
	};
	uint64_t kind = claw_explore_random(&source->random);

	if (source->is_float && kind % 16 == 0)
		return (kind >> 8) % 2 ? (double)NAN : (double)INFINITY;
	if (kind % 3 == 0)
		return numbers[(kind >> 8) % (sizeof(numbers) / sizeof(*numbers))];
	if (kind % 3 == 1 && literals->count)
		return (double)literals->items[(kind >> 8) % literals->count] +
			(double)((kind >> 40) % 3) - 1;
	return (double)(int32_t)(kind >> 16) / (source->is_float ? 65536 : 1);
}

static double next_number(struct source *source)
{
	uint64_t random = claw_explore_random(&source->random), number;

	switch (source->fill) {
	case CLAW_FILL_ZERO:
		return 0;
	case CLAW_FILL_ONE:
		return source->range > 1;
	case CLAW_FILL_ORDER:
		return (double)(source->at % source->range);
	case CLAW_FILL_SORTED:
		number = source->at * source->range / source->count;
		return (double)number;
	case CLAW_FILL_CONSTANTS:
	case CLAW_FILL_WILD:
		if (source->is_wild)
			return wild_number(source);
		break;
	default:
		break;
	}
	return (source->is_signed && random & 4 ? -1 : 1) *
		(source->is_float && random % 2 ?
		 (double)(random >> 40) / (1 << 24) :
		 (double)((random >> 8) % source->range));
}

static void store(enum claw_clw_base base, double number, unsigned char *at)
{
	size_t size = claw_clw_base_bytes(base);
	float single = (float)number;
	uint16_t half;
	int64_t whole = isfinite(number) && fabs(number) < 9e18 ?
		(int64_t)number : 0;

	if (base == CLAW_CLW_HALF) {
		half = claw_half_from_double(number);
		memcpy(at, &half, sizeof(half));
	} else if (base == CLAW_CLW_FLOAT) {
		memcpy(at, &single, sizeof(single));
	} else if (base == CLAW_CLW_DOUBLE) {
		memcpy(at, &number, sizeof(number));
	} else {
		memcpy(at, &whole, size);	/* little endian, as kernel files */
	}
}

void claw_explore_case_fill(const struct claw_explore_plan *plan,
			    const struct claw_explore_case *what,
			    unsigned int arg, unsigned char *bytes)
{
	const struct claw_explore_arg *about = &plan->kernel.args[arg];
	const struct claw_explore_value *value = &what->values[arg];
	size_t all = about->role == CLAW_ROLE_OTHER ?
		claw_explore_element(about) :
		claw_explore_case_bytes(plan, what, arg);
	size_t size = claw_clw_base_bytes(about->type.base);
	struct source source = {
		.plan = plan, .random = value->seed,
		.range = range_of(plan, what), .count = all / size,
		.fill = (enum claw_explore_fill)(value->fill % CLAW_FILL_COUNT),
		.is_float = about->type.base >= CLAW_CLW_HALF,
		.is_wild = what->wild & CLAW_WILD_CONTENTS,
		.is_signed = about->is_signed,
	};
	bool is_from_one = about->is_from_one && !source.is_wild;
	size_t kept = value->keep < 32 ? (size_t)1 << value->keep : SIZE_MAX;

	memset(bytes, 0, all);
	if (about->is_counter && !source.is_wild)
		return;
	if (about->units > 1 && !source.is_wild && source.range > 1)
		source.range = 2;
	if (is_from_one && source.range > 1)
		source.range = source.range > 127 ? 127 : source.range - 1;
	for (; source.at < source.count; source.at++) {
		double number = source.at < kept ? next_number(&source) : 0;

		store(about->type.base, number + is_from_one,
		      bytes + source.at * size);
	}
}

bool claw_explore_case_is_distinct(const struct claw_explore_plan *plan,
				   const struct claw_explore_case *what)
{
	uint64_t items = 1;

	for (unsigned int i = 0; i < plan->kernel.dimensions; i++)
		items *= what->global[i];
	if (items > range_of(plan, what))
		return false;
	for (unsigned int i = 0; i < plan->kernel.arg_count; i++)
		if (plan->kernel.args[i].role == CLAW_ROLE_BUFFER &&
		    plan->kernel.args[i].type.base < CLAW_CLW_HALF &&
		    (what->values[i].fill % CLAW_FILL_COUNT != CLAW_FILL_ORDER ||
		     what->values[i].keep < 32))
			return false;
	return true;
}
