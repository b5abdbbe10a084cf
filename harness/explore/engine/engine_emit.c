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

static bool write_one(struct claw_engine *engine, const char *folder,
		      const struct claw_explore_case *what, unsigned int number)
{
	char *path = claw_format("%s/%s-%u.clw", folder,
				 engine->plan.kernel.name, number);
	bool done = !claw_engine_launch(engine, what) &&
		!engine->answer.found_count &&
		claw_engine_write(engine, what, path, "# openclaw explore: "
			"no finding\n", engine->keeps_results) == 0;

	free(path);
	return done;
}

static void emit(struct claw_engine *engine, struct emitted *to)
{
	char *folder = claw_path_in(engine->directory, to->folder);
	size_t count;
	struct kept *cases = read_corpus(engine, &count);

	mkdir(folder, 0777);
	count = choose(engine, to, cases, count, &to->left_out);
	count = make_up(engine, to, &cases, count);
	if (count)
		qsort(cases, count, sizeof(*cases), compare);
	engine->keeps_results = to->with_results;
	engine->repeats = to->repeats;
	for (size_t i = 0; i < count; i++)
		to->written += write_one(engine, folder, &cases[i].what,
					 to->written + 1);
	engine->keeps_results = false;
	engine->repeats = 0;
	free(cases);
	free(folder);
}

int claw_engine_emit(struct claw_engine *engine)
{
	struct emitted suite = {
		.folder = "suite", .with_results = engine->expects,
	}, compared = {
		.folder = CLAW_COMPARED_FOLDER, .with_results = true,
		.least = COMPARED, .repeats = REPEATS,
	};
	char *path = claw_path_in(engine->directory, "emitted.json");
	json_t *result;
	int ret;

	claw_explore_judge(engine->state, &engine->plan, &engine->verdict);
	if (engine->emits)
		emit(engine, &suite);
	if (engine->compares)
		emit(engine, &compared);
	result = claw_made(json_pack("{s:i, s:i, s:i, s:i}",
		"emitted", (int)suite.written, "left_out",
		(int)suite.left_out, "to_compare", (int)compared.written,
		"not_to_compare", (int)compared.left_out));
	ret = json_dump_file(result, path, JSON_INDENT(1));
	json_decref(result);
	free(path);
	return ret ? CLAW_EXIT_INFRA : CLAW_EXIT_CLEAN;
}
