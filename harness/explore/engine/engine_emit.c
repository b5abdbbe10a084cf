/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The corpus as regression cases: of the cases that libFuzzer kept those without
 * a finding, as few as come to all that they come to together.
 */
#include "config.h"

#include "engine.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/files/outside_file.h"

enum {
	TRIES = 20,
	COMPARED = 32, REPEATS = 3,	/* of --against: inputs, launches of each */
};

/* The corpus as kernel files in DIR/folder: of the cases without a finding as
 * few as come to all that they come to together, but least of them, which are
 * made up where there are fewer. */
struct emitted {
	const char *folder;
	bool with_results;
	unsigned int least, repeats;
	unsigned int most;		/* of the smallest; 0: all */
	unsigned int written, left_out;	/* left_out: of the corpus, with a finding */
};

/* Cases by their cost: small ones first. */
struct kept {
	struct claw_explore_case what;
	uint64_t cost;
};

static int compare(const void *a, const void *b)
{
	const struct kept *one = a, *other = b;

	return one->cost < other->cost ? -1 : one->cost > other->cost;
}

static bool read_case(const char *path, struct claw_explore_case *what)
{
	char *bytes = NULL;
	size_t size = 0;
	bool is_whole = claw_outside_read(path, 0, 1 << 16, &bytes, &size) >= 0 &&
		size == sizeof(*what);

	if (is_whole)
		memcpy(what, bytes, sizeof(*what));
	free(bytes);
	return is_whole;
}

/* As a caller launches it who keeps to what is assumed. */
static bool make_natural(const struct claw_engine *engine,
			 struct claw_explore_case *what)
{
	what->reading = engine->verdict.best;
	what->wild = 0;
	claw_engine_set_rules(engine, -1, what);
	return claw_explore_case_settle(&engine->plan, what);
}

/* Those that some program may launch. */
static struct kept *read_corpus(const struct claw_engine *engine,
				size_t *ret_count)
{
	char *folder = claw_path_in(engine->directory, "corpus");
	DIR *list = opendir(folder);
	struct kept *cases = NULL;
	struct dirent *entry;

	*ret_count = 0;
	while (list && (entry = readdir(list))) {
		char *path = claw_path_in(folder, entry->d_name);
		struct claw_explore_case what;

		if (*entry->d_name != '.' && read_case(path, &what) &&
		    !what.wild && make_natural(engine, &what)) {
			cases = claw_one_more(cases, *ret_count, sizeof(*cases));
			cases[(*ret_count)++] = (struct kept) {
				what, claw_explore_case_cost(&engine->plan,
							     &what),
			};
		}
		free(path);
	}
	if (list)
		closedir(list);
	free(folder);
	if (cases)
		qsort(cases, *ret_count, sizeof(*cases), compare);
	return cases;
}

/* Does the last launch come to more than those before? */
static bool is_new(const struct claw_engine *engine, uint32_t *covered)
{
	bool more = false;

	for (uint32_t i = 0; i < engine->answer.counter_words &&
	     i < CLAW_EXPLORE_COUNTER_WORDS; i++) {
		more |= engine->answer.counters[i] & ~covered[i];
		covered[i] |= engine->answer.counters[i];
	}
	return more;
}

/* Launches that end without a finding. */
static bool is_clean(struct claw_engine *engine,
		     const struct claw_explore_case *what,
		     unsigned int *left_out)
{
	if (claw_engine_launch(engine, what))
		return false;
	*left_out += engine->answer.found_count > 0;
	return !engine->answer.found_count;
}

/* Of the corpus, those that are kept first. */
static size_t choose(struct claw_engine *engine, const struct emitted *to,
		     struct kept *cases, size_t count, unsigned int *left_out)
{
	uint32_t covered[CLAW_EXPLORE_COUNTER_WORDS] = { 0 };
	size_t chosen = 0;

	for (size_t i = 0; i < count; i++) {
		struct kept one = cases[i];

		if (!is_clean(engine, &one.what, left_out) ||
		    (!is_new(engine, covered) && i >= to->least))
			continue;
		cases[chosen++] = one;
	}
	return chosen;
}

/* Others near them, until there are enough. */
static size_t make_up(struct claw_engine *engine, const struct emitted *to,
		      struct kept **cases, size_t count)
{
	uint64_t random = engine->seed + 1;
	size_t known = count;
	unsigned int none = 0;

	for (size_t i = 0; known && count < to->least && i < to->least * TRIES;
	     i++) {
		struct kept one = (*cases)[i % known];

		claw_explore_case_mutate(&engine->plan, &random, &one.what);
		if (!make_natural(engine, &one.what) ||
		    !is_clean(engine, &one.what, &none))
			continue;
		one.cost = claw_explore_case_cost(&engine->plan, &one.what);
		*cases = claw_one_more(*cases, count, sizeof(**cases));
		(*cases)[count++] = one;
	}
	return count;
}

static bool write_case(const char *path, const struct claw_explore_case *what)
{
	FILE *out = fopen(path, "we");
	bool is_whole = out && fwrite(what, sizeof(*what), 1, out) == 1;

	return out && !fclose(out) && is_whole;
}

/* A kernel file; beside one to compare the case, to make it smaller. */
static bool write_one(struct claw_engine *engine, const char *folder,
		      const struct claw_explore_case *what, unsigned int number)
{
	char *path = claw_format("%s/%s-%u", folder, engine->plan.kernel.name,
				 number);
	char *file = claw_format("%s.clw", path);
	char *bytes = claw_format("%s.case", path);
	bool done = !claw_engine_launch(engine, what) &&
		!engine->answer.found_count &&
		claw_engine_write(engine, what, file, "# openclaw explore: "
			"no finding\n", engine->keeps_results) == 0 &&
		(!engine->repeats || write_case(bytes, what));

	free(bytes);
	free(file);
	free(path);
	return done;
}

/* Small ones first. */
static void write_all(struct claw_engine *engine, struct emitted *to,
		      struct kept *cases, size_t count)
{
	char *folder = claw_path_in(engine->directory, to->folder);

	mkdir(folder, 0777);
	if (count)
		qsort(cases, count, sizeof(*cases), compare);
	if (to->most && count > to->most)
		count = to->most;
	engine->keeps_results = to->with_results;
	engine->repeats = to->repeats;
	for (size_t i = 0; i < count; i++)
		to->written += write_one(engine, folder, &cases[i].what,
					 to->written + 1);
	engine->keeps_results = false;
	engine->repeats = 0;
	free(folder);
}

static void emit(struct claw_engine *engine, struct emitted *to)
{
	size_t count;
	struct kept *cases = read_corpus(engine, &count);

	count = choose(engine, to, cases, count, &to->left_out);
	count = make_up(engine, to, &cases, count);
	write_all(engine, to, cases, count);
	free(cases);
}

static int write_json(const struct claw_engine *engine, const char *name,
		      json_t *what)
{
	char *path = claw_path_in(engine->directory, name);
	int ret = json_dump_file(claw_made(what), path, JSON_INDENT(1));

	json_decref(what);
	free(path);
	return ret ? CLAW_EXIT_INFRA : CLAW_EXIT_CLEAN;
}

int claw_engine_emit(struct claw_engine *engine)
{
	struct emitted suite = {
		.folder = "suite", .with_results = engine->expects,
	}, compared = {
		.folder = CLAW_COMPARED_FOLDER, .with_results = true,
		.least = COMPARED, .repeats = REPEATS,
	};

	claw_explore_judge(engine->state, &engine->plan, &engine->verdict);
	if (engine->emits)
		emit(engine, &suite);
	if (engine->compares)
		emit(engine, &compared);
	return write_json(engine, "emitted.json", json_pack(
		"{s:i, s:i, s:i, s:i}", "emitted", (int)suite.written,
		"left_out", (int)suite.left_out, "to_compare",
		(int)compared.written, "not_to_compare",
		(int)compared.left_out));
}

/* ---- one case, smaller ------------------------------------------------------- */

static bool is_same(const struct claw_explore_case *a,
		    const struct claw_explore_case *b)
{
	return !memcmp(a->global, b->global, sizeof(a->global)) &&
	       !memcmp(a->local, b->local, sizeof(a->local)) &&
	       !memcmp(a->offset, b->offset, sizeof(a->offset)) &&
	       !memcmp(a->values, b->values, sizeof(a->values));
}

/* Is it smaller, another one than those before, and without a finding? */
static bool is_smaller(struct claw_engine *engine, const struct kept *cases,
		       size_t count, uint64_t cost, struct kept *one)
{
	unsigned int none = 0;

	if (!make_natural(engine, &one->what))
		return false;
	one->cost = claw_explore_case_cost(&engine->plan, &one->what);
	for (size_t i = 0; i < count; i++)
		if (is_same(&cases[i].what, &one->what))
			return false;
	return one->cost < cost && is_clean(engine, &one->what, &none);
}

int claw_engine_emit_smaller(struct claw_engine *engine, const char *path)
{
	unsigned int steps = claw_engine_steps(&engine->plan);
	struct emitted to = {
		.folder = CLAW_SMALLER_FOLDER, .with_results = true,
		.repeats = REPEATS, .most = COMPARED,
	};
	struct kept *cases = claw_calloc(steps + 1, sizeof(*cases));
	struct claw_explore_case from;
	size_t count = 0;
	uint64_t cost;

	claw_explore_judge(engine->state, &engine->plan, &engine->verdict);
	if (!read_case(path, &from) || !make_natural(engine, &from)) {
		free(cases);
		return CLAW_EXIT_INFRA;
	}
	cost = claw_explore_case_cost(&engine->plan, &from);
	for (unsigned int i = 0; i < steps; i++) {
		cases[count].what = from;
		claw_engine_step(&engine->plan, i, &cases[count].what);
		count += is_smaller(engine, cases, count, cost, &cases[count]);
	}
	write_all(engine, &to, cases, count);
	free(cases);
	return write_json(engine, "smaller.json", json_pack(
		"{s:i}", "smaller", (int)to.written));
}
