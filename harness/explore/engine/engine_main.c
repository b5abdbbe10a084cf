/* SPDX-License-Identifier: Apache-2.0 */
/* The program openclaw-explore: its command line, and what it is about. */
#include "config.h"

#include "engine.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/clock.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/cases/clw/build_options.h"
#include "harness/explore/case/explore_launches.h"

static struct claw_engine engine;

static int usage(int status)
{
	fputs("usage: openclaw-explore --directory DIR [--number N] [--seed N]\n"
	      "                        [--seconds N] [--offset MS]\n"
	      "                        [--unguided] [--finish]\n"
	      "                        [--emit] [--compare] [--expect] [--ulp N]\n"
	      "                        [--smaller CASE]\n"
	      "Runs cases of a kernel; openclaw explore starts it.\n",
	      status ? stderr : stdout);
	return status;
}

static void read_assumptions(const json_t *texts)
{
	size_t count = json_array_size(texts), at;
	const char *expected;

	engine.assumes = claw_calloc(count, sizeof(*engine.assumes));
	for (size_t i = 0; i < count; i++)
		if (claw_assume_parse(json_string_value(json_array_get(texts,
			i)), &engine.assumes[engine.assume_count], &at,
				      &expected) == 0)
			engine.assume_count++;
}

/* A folder that is neither in the file's nor absolute is the working
 * directory's; a case that is written may be built elsewhere. */
static char *absolute_options(const char *file, const char *source,
			      const char *given)
{
	char *options = claw_build_options(file, source, given), *all = options;
	char *here = realpath(".", NULL);

	if (here && options) {
		char *of_here = claw_path_in(here, "x");

		all = claw_build_options(of_here, source, options);
		free(of_here);
		free(options);
	}
	free(here);
	return all;
}

/* DIR/kernel.json, which openclaw explore wrote. */
static int read_kernel(void)
{
	char *path = claw_path_in(engine.directory, "kernel.json"), *why = NULL;
	json_t *about = claw_explore_json(path);
	const char *file, *given, *source, *source_file, *text;
	struct claw_explore_kernel kernel;
	size_t max_group;
	int ret;

	free(path);
	file = json_string_value(json_object_get(about, "file"));
	given = json_string_value(json_object_get(about, "options"));
	source = json_string_value(json_object_get(about, "source"));
	text = json_string_value(json_object_get(about, "text"));
	source_file = json_string_value(json_object_get(about, "source_file"));
	max_group = (size_t)json_integer_value(json_object_get(about,
							       "max_group"));
	if (!file || !source || !source_file || !text) {
		fprintf(stderr, "openclaw-explore: expected kernel.json in %s\n",
			engine.directory);
		return -CLAW_E_DAMAGED;
	}
	engine.source = claw_strdup(source);
	engine.given = claw_strdup_or_null(given);
	engine.options = absolute_options(file, source_file, given);
	ret = claw_explore_kernel_read(json_object_get(about, "kernel"), text,
				       given, &kernel, &why);
	free(why);
	read_assumptions(json_object_get(about, "assume"));
	if (ret == 0 && engine.options) {
		claw_explore_plan_make(&kernel, max_group, &engine.plan);
		claw_explore_plan_restrict(&engine.plan, json_object_get(
			about, "launches"));
	}
	json_decref(about);
	if (ret < 0 || !engine.options)
		return -CLAW_E_DAMAGED;
	engine.plan.assumes = engine.assumes;
	engine.plan.assume_count = engine.assume_count;
	return 0;
}

/* The first launch has the copy with probes built. */
static void learn_reach(void)
{
	struct claw_explore_case what;

	claw_explore_case_begin(&engine.plan, &what);
	claw_engine_run(&engine, &what);
	if (__atomic_load_n(&engine.state->has_reach, __ATOMIC_ACQUIRE))
		return;
	engine.state->reach_count = engine.reach(engine.plan.kernel.name,
		engine.state->reach, CLAW_EXPLORE_COUNTER_WORDS);
	__atomic_store_n(&engine.state->has_reach, 1, __ATOMIC_RELEASE);
	claw_explore_state_cover(engine.state, engine.answer.counters,
				 engine.answer.counter_words,
				 claw_engine_now(&engine));
}

static int read_options(int argc, char **argv, bool *ret_finish)
{
	static const struct option words[] = {
		{ "directory", required_argument, NULL, 'd' },
		{ "number", required_argument, NULL, 'n' },
		{ "seed", required_argument, NULL, 's' },
		{ "seconds", required_argument, NULL, 't' },
		{ "offset", required_argument, NULL, 'o' },
		{ "finish", no_argument, NULL, 'f' },
		{ "emit", no_argument, NULL, 'e' },
		{ "expect", no_argument, NULL, 'x' },
		{ "compare", no_argument, NULL, 'c' },
		{ "ulp", required_argument, NULL, 'p' },
		{ "smaller", required_argument, NULL, 'm' },
		{ "unguided", no_argument, NULL, 'u' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int letter;

	while ((letter = getopt_long(argc, argv, "h", words, NULL)) != -1) {
		uint64_t number = optarg && letter != 'd' && letter != 'm' ?
			strtoull(optarg, NULL, 10) : 0;

		if (letter == 'd')
			engine.directory = optarg;
		else if (letter == 'm')
			engine.smaller = optarg;
		else if (letter == 'n')
			engine.number = (unsigned int)number;
		else if (letter == 's')
			engine.seed = number;
		else if (letter == 't')
			engine.seconds = number;
		else if (letter == 'o')
			engine.offset_ms = number;
		else if (letter == 'f')
			*ret_finish = true;
		else if (letter == 'e')
			engine.emits = true;
		else if (letter == 'u')
			engine.is_unguided = true;
		else if (letter == 'x')
			engine.expects = true;
		else if (letter == 'c')
			engine.compares = true;
		else if (letter == 'p')
			engine.ulp = (unsigned int)number;
		else
			return letter == 'h' ? 0 : -CLAW_E_USAGE;
	}
	return engine.directory && optind == argc ? 1 : -CLAW_E_USAGE;
}

int main(int argc, char **argv)
{
	bool finish = false;
	int ret = read_options(argc, argv, &finish);

	if (ret <= 0)
		return usage(ret ? CLAW_EXIT_USAGE : 0);
	engine.start_ms = claw_clock_mono_ns() / 1000000;
	if (claw_explore_state_open(engine.directory, &engine.state) < 0) {
		fprintf(stderr, "openclaw-explore: %s: %s\n", engine.directory,
			strerror(errno));
		return CLAW_EXIT_INFRA;
	}
	if (read_kernel() < 0 || claw_engine_open(&engine) < 0)
		return CLAW_EXIT_SKIPPED;
	learn_reach();
	if (engine.smaller)
		return claw_engine_emit_smaller(&engine, engine.smaller);
	if (engine.emits || engine.compares)
		return claw_engine_emit(&engine);
	return finish ? claw_engine_finish(&engine) :
		claw_engine_fuzz(&engine, argv[0]);
}
