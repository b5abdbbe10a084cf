/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw explore: search for inputs, shapes and sizes with which a kernel goes
 * wrong, without any host code.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explore.h"
#include "faults/shared/trace_hash.h"
#include "harness/base/cores.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "harness/base/paths.h"
#include "harness/base/shared_options.h"
#include "harness/base/text.h"
#include "harness/cover/coverage_output.h"
#include "harness/cover/coverage_say.h"
#include "harness/explore/random/random_kernel.h"
#include "harness/files/new_file.h"
#include "harness/files/outside_file.h"
#include "harness/machine/device_choice.h"
#include "harness/session/door.h"
#include "harness/session/instrument_program.h"
#include "reports/write/report_files.h"

enum {
	BUDGET_MS = 60000, RANDOM_BUDGET_MS = 2000,
	ULP = 4, ULP_MAX = 1 << 24, RANDOM_MAX = 100,
};

enum { LAUNCHES_BYTES_MAX = 64 << 20 };

static struct claw_explore_given given;

static const struct claw_option explore_options[] = {
	{ "kernel", 'k', OPT_STRINGS, "NAME",
	  "explore only this kernel; may be repeated [default: all]",
	  &given.kernels },
	{ "budget", 'b', OPT_DURATION, "TIME",
	  "time for each kernel, its first build apart [default: 60s, with "
	  "--random 2s]", &given.budget_ms },
	{ "jobs", 'j', OPT_COUNT, "N",
	  "engines at a time [default: one per core]", &given.jobs },
	{ "build-options", 0, OPT_STRING, "TEXT",
	  "OpenCL compiler options [default: the file's]",
	  &given.build_options },
	{ "seed", 0, OPT_STRING, "N",
	  "seed of the search [default: 1]", &given.seed_text },
	{ "unguided", 0, OPT_FLAG, NULL,
	  "make up each launch anew, whatever the earlier ones reached: for "
	  "comparison", &given.unguided },
	{ "emit-suite", 0, OPT_FLAG, NULL,
	  "write the cases that cover most as kernel files to DIR/KERNEL/suite",
	  &given.emit_suite },
	{ "expect", 0, OPT_FLAG, NULL,
	  "with --emit-suite: expect the results that this device computed",
	  &given.expect },
	{ "launches", 0, OPT_STRINGS, "FILE.clw",
	  "assume only what the launches in FILE keep to; may be repeated",
	  &given.launches },
	{ "against", 0, OPT_STRINGS, "TARGET",
	  "compare results with oclgrind, device:N, icd:NAME or a build "
	  "option; may be repeated", &given.against },
	{ "random", 0, OPT_COUNT, "N",
	  "first write FILE with N kernels made up to test compilers, for "
	  "--against", &given.random },
	{ "ulp", 0, OPT_COUNT, "N",
	  "floating-point results may differ by N units in the last place "
	  "[default: 4]", &given.ulp },
	{ "resume", 0, OPT_STRING, "DIR",
	  "continue the exploration in DIR", &given.resume },
	CLAW_SHARD_OPTION("kernels", &given.shard_text),
	CLAW_BATCH_OPTIONS,
	CLAW_DEVICE_OPTION(0, "CLW_DEVICE_ID, 0", &given.device),
	CLAW_OUTPUT_OPTION("explore", &given.output),
	CLAW_HISTORY_OPTION,
	CLAW_FORCE_OPTION(&given.force),
	CLAW_ERROR_EXITCODE_OPTION("", &given.error_exitcode),
	{ "quiet", 'q', OPT_FLAG, NULL, "print no progress", &given.quiet },
	{ 0 },
};

extern const struct claw_command claw_cmd_explore;

/* Everything of one command. */
struct exploring {
	struct claw_explore_file file;
	struct claw_cmd_output output;
	struct claw_coverage coverage;
	json_t *kernels;		/* explore.json */
	unsigned int explored, findings, unknown;
	bool is_cancelled;
};

/* ---- what is needed ------------------------------------------------------ */

static void check_programs(void)
{
	char *engine = claw_libexec_program(CLAW_EXPLORE_PROGRAM);
	char *helper = claw_instrument_program();

	if (!helper)
		claw_die(CLAW_EXIT_SKIPPED, "explore: %s",
			 claw_instrument_missing());
	if (!strchr(engine, '/') || access(engine, X_OK) != 0)
		claw_die(CLAW_EXIT_SKIPPED, "explore: " CLAW_EXPLORE_PROGRAM
			 " is missing: openclaw was built without clang's "
			 "libFuzzer (Debian package libclang-rt"
			 CLAW_LLVM_SUFFIX "-dev)");
	free(helper);
	free(engine);
}

static void check_given(void)
{
	char *end, error[512];

	if (given.resume && (given.output || access(given.resume, R_OK) != 0))
		claw_die(CLAW_EXIT_USAGE, "explore: option --resume: expected "
			 "the directory of an earlier exploration, and no "
			 "--output");
	if (given.shard_text && claw_shard_parse(given.shard_text, &given.shard,
						 error, sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "explore: %s", error);
	if (given.expect && !given.emit_suite)
		claw_die(CLAW_EXIT_USAGE, "explore: --expect needs "
			 "--emit-suite");
	if (given.random > RANDOM_MAX)
		claw_die(CLAW_EXIT_USAGE, "explore: option --random: expected "
			 "at most %d", RANDOM_MAX);
	if (given.budget_ms == UINT64_MAX)
		given.budget_ms = given.random ? RANDOM_BUDGET_MS : BUDGET_MS;
	if (!given.budget_ms)
		claw_die(CLAW_EXIT_USAGE, "explore: option --budget: expected "
			 "more than 0");
	if (given.ulp > ULP_MAX)
		claw_die(CLAW_EXIT_USAGE, "explore: option --ulp: expected at "
			 "most %d", ULP_MAX);
	given.seed = 1;
	if (!given.seed_text)
		return;
	errno = 0;
	given.seed = strtoull(given.seed_text, &end, 10);
	if (errno || *end || end == given.seed_text || *given.seed_text == '-')
		claw_die(CLAW_EXIT_USAGE, "explore: option --seed: expected a "
			 "number, found \"%s\"", given.seed_text);
}

static void write_random(const char *path)
{
	struct claw_new_file file;
	char *text, *there = NULL;
	size_t size;
	FILE *out;

	text = claw_random_kernels(given.seed, (unsigned int)given.random);
	if (claw_outside_read(path, 0, LAUNCHES_BYTES_MAX, &there, &size) == 0 &&
	    strcmp(there, text) == 0) {
		free(there);
		free(text);
		return;
	}
	if (!given.force && access(path, F_OK) == 0)
		claw_die(CLAW_EXIT_USAGE, "explore: --random: %s exists; choose "
			 "another file, or overwrite it with --force", path);
	free(there);
	out = claw_new_file_begin(&file, path);
	if (out)
		fputs(text, out);
	if (!out || claw_new_file_end(&file, true) < 0)
		claw_die(CLAW_EXIT_USAGE, "explore: %s: %s", path,
			 strerror(errno));
	free(text);
}

static bool is_wanted(const char *name)
{
	for (size_t i = 0; i < given.kernels.count; i++)
		if (strcmp(given.kernels.items[i], name) == 0)
			return true;
	return given.kernels.count == 0;
}

/* It is wanted, and not another shard's. */
static bool is_here(const char *name)
{
	return is_wanted(name) &&
	       claw_shard_has(&given.shard, "explore", name, "native");
}

static size_t count_here(const struct claw_explore_file *file)
{
	size_t count = 0;

	for (size_t i = 0; i < json_array_size(file->answer.kernels); i++)
		count += is_here(claw_init_kernel_name(json_array_get(
			file->answer.kernels, i)));
	return count;
}

/* ---- a kernel -------------------------------------------------------------- */

static unsigned int engine_count(void)
{
	uint64_t count = given.jobs ? given.jobs : claw_core_count();

	return count < CLAW_EXPLORE_ENGINES - 1 ? (unsigned int)count :
		CLAW_EXPLORE_ENGINES - 1;
}

static void explore(struct exploring *all, const json_t *kernel)
{
	struct claw_exploration what = {
		.given = &given, .file = &all->file, .about = kernel,
		.directory = claw_path_in(all->output.directory,
					  claw_init_kernel_name(kernel)),
		.engines = engine_count(),
	};
	int ret = claw_exploration_run(&what);

	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "explore: %s: %s", what.directory,
			 ret == -CLAW_E_IO ? strerror(errno) :
			 claw_error_text(ret));
	json_array_append_new(all->kernels, claw_exploration_say(&what,
							 &all->output));
	if (what.session)
		claw_coverage_add(&all->coverage, what.session);
	all->explored++;
	all->findings += what.count;
	all->unknown += !what.is_known;
	for (size_t i = 0; i < what.compared_count; i++) {
		all->findings += what.compared[i].differ > 0;
		all->unknown += claw_compared_is_unknown(&what.compared[i]);
	}
	all->is_cancelled |= what.is_cancelled;
	claw_exploration_release(&what);
}

/* ---- the end ------------------------------------------------------------------ */

static void write_coverage(struct exploring *all)
{
	struct claw_coverage_output files = {
		.directory = all->output.directory, .test_name = "openclaw",
	};
	char *headline = claw_coverage_headline(&all->coverage), *path;
	int ret = claw_coverage_output_write(&all->coverage, &files, &path);

	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", path, strerror(errno));
	claw_records_note(all->output.records, headline);
	if (!given.random)
		claw_explore_put_missed(&all->coverage, stdout);
	printf("%s\nreports: %s\n", headline, all->output.shown);
	free(headline);
}

static void write_json(const struct exploring *all)
{
	char *path = claw_path_in(all->output.directory, "explore.json");

	if (json_dump_file(all->kernels, path, JSON_INDENT(1)))
		claw_die(CLAW_EXIT_INFRA, "%s: %s", path, strerror(errno));
	free(path);
}

static int finish(struct exploring *all)
{
	const struct claw_report_head head = { .verb = "explore" };
	int status = all->findings ? (int)given.error_exitcode :
		all->unknown || all->is_cancelled ? CLAW_EXIT_UNKNOWN :
		CLAW_EXIT_CLEAN;

	if (all->is_cancelled)
		printf("interrupted: %u of %zu kernels explored; --resume %s "
		       "continues\n", all->explored, count_here(&all->file),
		       all->output.shown);

	write_coverage(all);
	write_json(all);
	claw_cmd_output_end(&all->output, status, all->is_cancelled);
	if (claw_report_write_all(all->output.directory, &head) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot write the reports in %s",
			 all->output.shown);
	return status;
}

/* All that decides what a launch is, and which readings there are. */
static char *hash_of_input(const struct claw_explore_file *file)
{
	struct claw_trace_hasher hasher;
	uint64_t hash[2];
	char *text, *bytes = NULL;
	size_t size, more;
	FILE *out = claw_text_begin(&text, &size);

	fprintf(out, "%s%s%zu", file->source, file->options ? file->options : "",
		file->answer.max_group);
	for (size_t i = 0; i < given.launches.count; i++) {
		if (claw_outside_read(given.launches.items[i], 0,
				      LAUNCHES_BYTES_MAX, &bytes, &more) == 0)
			fwrite(bytes, 1, more, out);
		free(bytes);
		bytes = NULL;
	}
	claw_text_end(out);
	claw_trace_hash_begin(&hasher, size, NULL);
	claw_trace_hash_add(&hasher, text, size);
	claw_trace_hash_end(&hasher, hash);
	free(text);
	return claw_format("%016" PRIx64 "%016" PRIx64, hash[0], hash[1]);
}

/* What was found in another text is of no use: DIR/source.json knows which it
 * was. */
static void check_source(const struct exploring *all)
{
	char *path = claw_path_in(all->output.directory, "source.json");
	char *text = hash_of_input(&all->file);
	json_t *source, *before;

	source = claw_made(json_pack("{s:s}", "hash", text));
	before = given.resume ? claw_explore_json(path) : NULL;
	if (given.resume && !json_equal(source, before))
		claw_die(CLAW_EXIT_USAGE, "explore: option --resume: expected "
			 "the text, options and launches that %s is about, "
			 "found others", given.resume);
	if (json_dump_file(source, path, JSON_COMPACT))
		claw_die(CLAW_EXIT_INFRA, "%s: %s", path, strerror(errno));
	json_decref(before);
	json_decref(source);
	free(text);
	free(path);
}

/* What took hours is not overwritten by the same command line twice. */
static void check_output(void)
{
	char *path = claw_path_in(given.output, "source.json");

	if (access(path, F_OK) == 0)
		claw_die(CLAW_EXIT_USAGE, "explore: %s holds an exploration; "
			 "continue it with --resume %s, choose another "
			 "directory, or overwrite it with --force",
			 given.output, given.output);
	free(path);
}

static void plan(struct exploring *all, int argc, char *const *argv)
{
	const json_t *kernels = all->file.answer.kernels;

	claw_cmd_output_open(given.resume ? given.resume : given.output,
			     "explore", given.force || given.resume, argc, argv,
			     count_here(&all->file) *
			     (1 + given.against.count), given.seed,
			     &all->output);
	check_source(all);
	claw_records_plan_begin(all->output.records, &given.shard);
	for (size_t i = 0; i < json_array_size(kernels); i++) {
		struct claw_planned planned = {
			.suite = "explore",
			.name = claw_init_kernel_name(json_array_get(kernels, i)),
			.configuration = "native",
		};

		if (!is_wanted(planned.name))
			continue;
		planned.elsewhere = !is_here(planned.name);
		claw_records_planned(all->output.records, &planned);
		for (size_t j = 0; j < given.against.count; j++) {
			planned.configuration = given.against.items[j];
			claw_records_planned(all->output.records, &planned);
		}
	}
	claw_records_plan_end(all->output.records);
	claw_coverage_init(&all->coverage, all->output.directory);
	claw_source_finder_add(all->coverage.finder, all->file.path);
}

static int explore_run(int argc, char *const *argv)
{
	struct exploring all = { .kernels = claw_made(json_array()) };
	const json_t *kernels;
	int first, status;

	memset(&given, 0, sizeof(given));
	given.error_exitcode = CLAW_EXIT_FINDINGS;
	given.budget_ms = UINT64_MAX;
	given.ulp = ULP;
	first = claw_command_start(&claw_cmd_explore, argc, argv, false);
	if (argc - first != 1)
		claw_die(CLAW_EXIT_USAGE, "explore: expected one kernel file "
			 "(see openclaw explore --help)");
	check_given();
	check_programs();
	claw_via_choose(NULL);
	claw_device_choice_check(given.device, &(struct claw_strings) { 0 });
	claw_against_check(&given);
	if (given.output && !given.force)
		check_output();
	if (given.random)
		write_random(argv[first]);
	claw_explore_file_open(argv[first], &given, &all.file);
	for (size_t i = 0; i < given.kernels.count; i++)
		claw_init_find_kernel("explore", argv[first], &all.file.answer,
				      given.kernels.items[i]);
	plan(&all, argc, argv);
	kernels = all.file.answer.kernels;
	for (size_t i = 0; i < json_array_size(kernels) && !all.is_cancelled;
	     i++)
		if (is_here(claw_init_kernel_name(json_array_get(kernels, i))))
			explore(&all, json_array_get(kernels, i));
	status = finish(&all);
	claw_coverage_release(&all.coverage);
	claw_cmd_output_release(&all.output);
	claw_explore_file_release(&all.file);
	json_decref(all.kernels);
	return status;
}

const struct claw_command claw_cmd_explore = {
	.name = "explore",
	.summary = "search for inputs with which a kernel goes wrong",
	.usage = "FILE.cl|FILE.clw",
	.description =
		"Launches each kernel of the file again and again with arguments, buffer sizes, contents and work sizes that it "
		"makes up, guided by the branches that run, under the kernel "
		"sanitizer. No host code is needed.\n\n"
		"  openclaw explore blur.cl\n"
		"  openclaw explore --kernel tile --budget 5m blur.cl\n\n"
		"A finding counts if the kernel is wrong for every reading of "
		"its arguments that explore knows; what is assumed is printed. Of each "
		"finding the smallest case is written as a kernel file that "
		"openclaw test runs.\n\n"
		"Exit status: 0 clean, 1 findings or results that differ, 2 "
		"inconclusive (a kernel was not explored or not compared), 64 usage error, 77 a program or device is "
		"missing, 99 openclaw itself failed.",
	.options = explore_options,
	.run = explore_run,
};
