/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of an exploration: of each finding the smallest case that still has
 * it, as a kernel file; DIR/result.json says what each is and what is assumed.
 */
#include "config.h"

#include "engine.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/clock.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/records/finding.h"

enum { LAUNCHES = 600, SEARCHED = 1500, MANY = 32 };

/* To find a case of a finding again, and to make it smaller: of each, and of all. */
enum { SECONDS = 8, SECONDS_OF_ALL = 60 };

/* One finding whose case is made smaller. */
struct smaller {
	struct claw_engine *engine;
	const struct claw_probe_found *wanted;
	bool is_wild;
	struct claw_explore_case best;
	uint64_t cost, until_ns;
	unsigned int launches;
	struct claw_probe_found seen;	/* as best has it */
};

/* ---- does a case have it? --------------------------------------------------- */

static bool has(struct smaller *smaller, struct claw_explore_case *what)
{
	struct claw_engine *engine = smaller->engine;
	uint32_t reading = what->reading;

	if (!claw_explore_case_settle(&engine->plan, what) ||
	    (!smaller->is_wild && (what->reading != reading || what->wild)))
		return false;
	smaller->launches++;
	if (claw_engine_launch(engine, what))
		return false;
	for (uint32_t i = 0; i < engine->answer.found_count; i++)
		if (claw_explore_found_is(&engine->answer.found[i],
					  smaller->wanted)) {
			smaller->seen = engine->answer.found[i];
			return true;
		}
	return false;
}

static bool is_over(const struct smaller *smaller, unsigned int launches)
{
	return smaller->launches >= launches ||
	       claw_clock_mono_ns() > smaller->until_ns;
}

static bool try(struct smaller *smaller, struct claw_explore_case what)
{
	struct claw_explore_case settled = what;
	struct claw_probe_found seen = smaller->seen;
	uint64_t cost;

	if (is_over(smaller, LAUNCHES) ||
	    !claw_explore_case_settle(&smaller->engine->plan, &settled))
		return false;
	cost = claw_explore_case_cost(&smaller->engine->plan, &settled);
	if (cost >= smaller->cost || !has(smaller, &what)) {
		smaller->seen = seen;
		return false;
	}
	smaller->best = what;
	smaller->cost = cost;
	return true;
}

static void shrink(struct smaller *smaller)
{
	const struct claw_explore_plan *plan = &smaller->engine->plan;
	bool done = true;

	while (done && !is_over(smaller, LAUNCHES)) {
		done = false;
		for (unsigned int i = 0; i < claw_engine_steps(plan); i++) {
			struct claw_explore_case what = smaller->best;

			claw_engine_step(plan, i, &what);
			done |= try(smaller, what);
		}
	}
}

/* ---- where to begin ------------------------------------------------------------- */

/* The case as it was kept, under the reading that is assumed; else one near
 * it. */
static bool begin(struct smaller *smaller, const struct claw_explore_found *found)
{
	struct claw_engine *engine = smaller->engine;
	int wrong = claw_explore_found_arg(&engine->plan, smaller->wanted);
	struct claw_explore_case from = found->tame, what;
	uint64_t random = engine->seed + 1;

	from.reading = engine->verdict.best;
	claw_engine_set_rules(engine, wrong, &from);
	what = from;
	for (unsigned int i = 0; i < SEARCHED && !is_over(smaller, SEARCHED);
	     i++) {
		if (has(smaller, &what)) {
			smaller->best = what;
			return true;
		}
		what = from;
		claw_explore_case_mutate(&engine->plan, &random, &what);
		what.reading = from.reading;
		what.wild = 0;
		claw_engine_set_rules(engine, wrong, &what);
	}
	what = found->tame;
	return has(smaller, &what) ? smaller->best = what, true : false;
}

/* A wild case that has it with the lengths that fit, and not without what is
 * wild in it. */
static bool begin_wild(struct smaller *smaller,
		       const struct claw_explore_found *found)
{
	struct claw_engine *engine = smaller->engine;
	int arg = claw_explore_found_arg(&engine->plan, smaller->wanted);

	for (uint32_t bit = 0; bit <= CLAW_WILD_COUNT; bit++) {
		struct claw_explore_case what = found->wild;

		what.wild = bit < CLAW_WILD_COUNT ? 1u << bit : what.wild;
		if (arg >= 0) {
			what.reading = engine->verdict.best;
			claw_engine_set_rules(engine, -1, &what);
		}
		if (!has(smaller, &what))
			continue;
		smaller->best = what;
		return true;
	}
	return false;
}

static uint64_t time_from_now(const struct claw_engine *engine)
{
	uint64_t seconds = SECONDS_OF_ALL / (engine->state->found_count + 1);

	seconds = seconds < 1 ? 1 : seconds > SECONDS ? SECONDS : seconds;
	return claw_clock_mono_ns() + seconds * UINT64_C(1000000000);
}

/* True: smaller->best has the finding. */
static bool make_smaller(struct smaller *smaller,
			 const struct claw_explore_found *found)
{
	smaller->until_ns = time_from_now(smaller->engine);
	if (smaller->is_wild ? !begin_wild(smaller, found) :
	    !begin(smaller, found))
		return false;
	smaller->launches = 0;
	smaller->until_ns = time_from_now(smaller->engine);
	smaller->cost = claw_explore_case_cost(&smaller->engine->plan,
					       &smaller->best);
	shrink(smaller);
	return true;
}

/* ---- words ------------------------------------------------------------------------ */

static const char *kind_of(const struct claw_probe_found *found)
{
	static const enum claw_finding_kind kinds[] = {
		[CLAW_WHY_MISALIGNED] = CLAW_FINDING_MISALIGNED,
		[CLAW_WHY_DIVIDE] = CLAW_FINDING_KERNEL_OTHER,
		[CLAW_WHY_SHIFT] = CLAW_FINDING_KERNEL_OTHER,
		[CLAW_WHY_RACE] = CLAW_FINDING_RACE,
		[CLAW_WHY_DIVERGENCE] = CLAW_FINDING_DIVERGENCE,
		[CLAW_WHY_UNWRITTEN] = CLAW_FINDING_UNINITIALIZED,
	};

	if (found->why == CLAW_EXPLORE_CRASH || found->why == CLAW_EXPLORE_HANG)
		return found->why == CLAW_EXPLORE_HANG ? "hang" : "crash";
	if (found->why == CLAW_WHY_BOUNDS || found->why == CLAW_WHY_NULL ||
	    found->why == CLAW_WHY_PIXEL)
		return claw_finding_kind_name(
			strcmp(found->kind, "read") == 0 ?
			CLAW_FINDING_INVALID_READ : CLAW_FINDING_INVALID_WRITE);
	return claw_finding_kind_name(found->why < CLAW_WHY_COUNT ?
				      kinds[found->why] :
				      CLAW_FINDING_KERNEL_OTHER);
}

/* What is beyond what any program gives: "n == -3", "contents of idx". */
static char *wild_text(const struct claw_engine *engine,
		       const struct claw_explore_case *what)
{
	struct claw_explore_case tame = *what;
	const char *comma = "";
	char *text;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	tame.wild = 0;
	claw_explore_case_settle(&engine->plan, &tame);
	for (unsigned int i = 0; i < engine->plan.kernel.arg_count; i++) {
		const struct claw_explore_arg *arg = &engine->plan.kernel.args[i];
		const struct claw_explore_value *value = &what->values[i];

		if (what->wild & CLAW_WILD_SCALARS &&
		    arg->role == CLAW_ROLE_INTEGER &&
		    value->number != tame.values[i].number)
			fprintf(out, "%s%s is as %" PRId64, comma, arg->name,
				value->number);
		else if (what->wild & CLAW_WILD_CONTENTS &&
			 arg->role == CLAW_ROLE_BUFFER &&
			 (arg->is_counter || arg->is_from_one ||
			  value->fill % CLAW_FILL_COUNT == CLAW_FILL_WILD ||
			  value->fill % CLAW_FILL_COUNT ==
			  CLAW_FILL_CONSTANTS))
			fprintf(out, "%sa value in %s is out of range", comma,
				arg->name);
		else
			continue;
		comma = ", ";
	}
	if (memcmp(what->offset, tame.offset, sizeof(what->offset)))
		fprintf(out, "%sthe global offset is %u,%u,%u", comma,
			what->offset[0], what->offset[1], what->offset[2]);
	claw_text_end(out);
	return text;
}

/* An array of the kernel's own that only many work-items go past: its size may
 * be what limits the launch. 0, or the fewest that do. */
static uint64_t items_needed(const struct smaller *smaller)
{
	const uint32_t *global = smaller->best.global;
	uint64_t items = 1;

	if (smaller->wanted->why != CLAW_WHY_BOUNDS ||
	    smaller->wanted->argument ||
	    strcmp(smaller->wanted->space, "private") != 0)
		return 0;
	for (unsigned int i = 0; i < smaller->engine->plan.kernel.dimensions; i++)
		items *= global[i];
	return items > MANY ? items : 0;
}

static char *only_if(struct smaller *smaller,
		     const struct claw_explore_found *found)
{
	const struct claw_engine *engine = smaller->engine;
	uint64_t items = items_needed(smaller);
	int arg = claw_explore_found_arg(&engine->plan, smaller->wanted);
	char *reading, *text;

	if (smaller->is_wild)
		return wild_text(engine, &smaller->best);
	if (items)
		return claw_format("there are %" PRIu64 " work-items or more",
				   items);
	switch (engine->verdict.excuses[found - engine->state->found]) {
	case CLAW_EXCUSE_CONSTANTS:
		return claw_format("%s has fewer than %" PRIu64 " elements",
				   engine->plan.kernel.args[arg].name,
				   engine->verdict.needed[arg]);
	case CLAW_EXCUSE_BEFORE:
		return claw_format("the global offset is below %u",
				   engine->plan.kernel.subtracted);
	case CLAW_EXCUSE_EQUAL:
		return claw_strdup("a buffer holds the same index twice");
	default:
		break;
	}
	reading = claw_explore_reading_text(&engine->plan.kernel,
		&engine->plan.readings[engine->verdict.best]);
	text = claw_format("not: %s", reading);
	free(reading);
	return text;
}

static char *sentence(const struct claw_engine *engine,
		      const struct claw_probe_found *found)
{
	uint32_t arg = found->argument - 1;
	const char *name = found->argument && arg < engine->plan.kernel.arg_count ?
		engine->plan.kernel.args[arg].name : found->object;

	if (found->why == CLAW_EXPLORE_HANG)
		return claw_strdup("the launch did not end within 20 s");
	if (found->why == CLAW_EXPLORE_CRASH)
		return claw_strdup("the launch ended its process");
	if (found->why == CLAW_WHY_DIVERGENCE)
		return claw_strdup("not all work-items of the group reach it, "
				   "or with other arguments");
	if (found->why == CLAW_WHY_BOUNDS)
		return claw_format("%s memory, %s: byte %" PRId64 " of %" PRIu64,
				   found->space, *name ? name : "?",
				   found->offset, found->bytes);
	return claw_format("%s memory, %s", found->space, *name ? name : "?");
}

/* ---- one finding -------------------------------------------------------------------- */

static json_t *describe(struct smaller *smaller,
			const struct claw_explore_found *found, bool counts,
			bool is_confirmed)
{
	const struct claw_probe_found *seen = &smaller->seen;
	char *only = counts ? NULL : only_if(smaller, found);
	char *text = sentence(smaller->engine, seen);
	char *item = claw_format("%u,%u,%u", seen->global_id[0],
				 seen->global_id[1], seen->global_id[2]);
	json_t *object = json_pack(
		"{s:s, s:i, s:i, s:i, s:s, s:s, s:s, s:I, s:I, s:b, s:b, s:s*}",
		"kind", kind_of(seen), "line", (int)seen->line, "column",
		(int)seen->column, "other_line", (int)seen->other_line,
		"space", seen->space, "text", text, "work_item", item, "times",
		(json_int_t)found->times, "first_ms",
		(json_int_t)found->first_ms, "counts", counts, "confirmed",
		is_confirmed, "only_if", only);

	free(only);
	free(text);
	free(item);
	return claw_made(object);
}

static void write_case(struct smaller *smaller, unsigned int number,
		       json_t *object)
{
	struct claw_engine *engine = smaller->engine;
	char *name = claw_format("%s-%u.clw", engine->plan.kernel.name, number);
	char *path = claw_path_in(engine->directory, name);
	char *about = claw_format("# openclaw explore: %s in line %u of the "
		"kernel's own text; %s\n",
		kind_of(&smaller->seen), smaller->seen.line,
		json_string_value(json_object_get(object, "text")));

	if (claw_engine_write(engine, &smaller->best, path, about, false) == 0)
		json_object_set_new(object, "case", json_string(path));
	free(about);
	free(path);
	free(name);
}

static bool is_process_end(const struct claw_explore_found *found)
{
	return found->what.why >= CLAW_WHY_COUNT;
}

static void finish_one(struct claw_engine *engine, unsigned int at,
		       unsigned int *number, json_t *list)
{
	const struct claw_explore_found *found = &engine->state->found[at];
	int arg = claw_explore_found_arg(&engine->plan, &found->what);
	bool counts = engine->verdict.counts[at], is_confirmed = true;
	struct smaller smaller = {
		.engine = engine, .wanted = &found->what,
		.is_wild = !found->has_case, .seen = found->what,
	};
	json_t *object;

	if (engine->verdict.is_open ||
	    (arg >= 0 && engine->verdict.open_args >> arg & 1))
		return;
	/* One length or another fits: that is how lengths are found out. */
	if (!counts && found->has_case && arg >= 0 &&
	    !engine->verdict.excuses[at]) {
		if (!found->has_wild || engine->verdict.rules[arg] < 0)
			return;
		smaller.is_wild = true;
	}
	if (is_process_end(found))
		smaller.best = found->has_case ? found->tame : found->wild;
	else
		is_confirmed = make_smaller(&smaller, found);
	if (!is_confirmed && smaller.is_wild)
		return;
	if (!is_confirmed)
		smaller.best = found->has_case ? found->tame : found->wild;
	if (!claw_explore_case_settle(&engine->plan, &smaller.best))
		return;
	counts = counts && !items_needed(&smaller);
	object = describe(&smaller, found, counts, is_confirmed);
	write_case(&smaller, ++*number, object);
	json_array_append_new(list, object);
}

static json_t *assumptions(const struct claw_engine *engine)
{
	json_t *list = claw_made(json_array());
	char *text = claw_explore_reading_text(&engine->plan.kernel,
		&engine->plan.readings[engine->verdict.best]), *saved = NULL;

	for (char *one = strtok_r(text, ",", &saved); one;
	     one = strtok_r(NULL, ",", &saved))
		json_array_append_new(list, json_string(one + (*one == ' ')));
	free(text);
	for (unsigned int i = 0; i < engine->plan.kernel.arg_count; i++) {
		const struct claw_explore_arg *arg = &engine->plan.kernel.args[i];
		char *length, *line;

		if (!engine->plan.length_counts[i] ||
		    engine->verdict.rules[i] < 0 || arg->role == CLAW_ROLE_IMAGE)
			continue;
		length = claw_explore_length_text(&engine->plan.kernel,
			&engine->plan.lengths[i][engine->verdict.rules[i]]);
		line = claw_format("len(%s) >= %s", arg->name, length);
		json_array_append_new(list, json_string(line));
		free(line);
		free(length);
	}
	return list;
}

int claw_engine_finish(struct claw_engine *engine)
{
	json_t *list = claw_made(json_array()), *result;
	char *path = claw_path_in(engine->directory, "result.json");
	unsigned int number = 0;
	int ret;

	claw_engine_settle(engine);
	for (unsigned int i = 0; i < engine->state->found_count; i++)
		finish_one(engine, i, &number, list);
	result = claw_made(json_pack("{s:o, s:b, s:o, s:i, s:i}", "findings",
		list, "open", engine->verdict.is_open ||
		engine->verdict.open_args, "assume",
		assumptions(engine), "readings",
		(int)engine->plan.reading_count, "reading_runs",
		(int)engine->state->runs[engine->verdict.best]));
	ret = json_dump_file(result, path, JSON_INDENT(1));
	json_decref(result);
	free(path);
	return ret ? CLAW_EXIT_INFRA : CLAW_EXIT_CLEAN;
}
