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

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/files/outside_file.h"

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
		    claw_explore_case_settle(&engine->plan, &what) &&
		    !what.wild) {
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

static bool write_one(const struct claw_engine *engine,
		      const struct claw_explore_case *what, unsigned int number)
{
	char *path = claw_format("%s/suite/%s-%u.clw", engine->directory,
				 engine->plan.kernel.name, number);
	bool done = claw_engine_write(engine, what, path, "# openclaw explore: "
		"a regression case\n", engine->keeps_results) == 0;

	free(path);
	return done;
}

unsigned int claw_engine_emit(struct claw_engine *engine,
			      unsigned int *ret_left_out)
{
	uint32_t covered[CLAW_EXPLORE_COUNTER_WORDS] = { 0 };
	char *folder = claw_path_in(engine->directory, "suite");
	unsigned int written = 0;
	size_t count;
	struct kept *cases = read_corpus(engine, &count);

	*ret_left_out = 0;
	mkdir(folder, 0777);
	for (size_t i = 0; i < count; i++) {
		if (claw_engine_launch(engine, &cases[i].what))
			continue;
		if (engine->answer.found_count) {
			++*ret_left_out;
			continue;
		}
		if (!is_new(engine, covered))
			continue;
		written += write_one(engine, &cases[i].what, written + 1);
	}
	free(cases);
	free(folder);
	return written;
}
