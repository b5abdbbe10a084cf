/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of a batch: of --on, and of the command line.
 *
 *     ON = ENGINE [ ":" WORD { "," WORD } ]
 *     WORD = "tasks=" N | "pieces=" N | NAME [ "=" VALUE ]
 *
 * "array" is another name of "tasks". A comma in brackets is part of the word:
 * nodelist=n[1,2].
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch_private.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text_list.h"
#include "harness/session/fault_plan.h"

enum { PIECES_PER_TASK = 4 };

const struct claw_engine *const claw_engines[] = {
	&claw_engine_local, &claw_engine_slurm, &claw_engine_kubernetes, NULL,
};

#define FAIL(...)							\
	(snprintf(error, error_size, __VA_ARGS__), -CLAW_E_USAGE)

/* ---- --on ---------------------------------------------------------------- */

static size_t word_length(const char *text)
{
	size_t length = 0;
	int depth = 0;

	for (; text[length] && (text[length] != ',' || depth > 0); length++)
		depth += (text[length] == '[') - (text[length] == ']');
	return length;
}

/* "tasks=40", "array=40" */
static const char *value_of(const char *word, const char *name)
{
	size_t length = strlen(name);

	if (strncmp(word, name, length) != 0)
		return NULL;
	return word[length] == '=' ? word + length + 1 :
	       word[length] ? NULL : "";
}

const char *claw_batch_word(const struct claw_batch *batch, const char *name)
{
	const char *value = NULL;

	for (char **word = batch->engine_words; word && *word && !value; word++)
		value = value_of(*word, name);
	return value;
}

static int take_count(const char *word, const char *value, uint64_t most,
		      uint64_t *ret_count, char *error, size_t error_size)
{
	char *end;

	errno = 0;
	*ret_count = strtoull(value, &end, 10);
	if (isdigit((unsigned char)*value) && !*end && !errno && *ret_count &&
	    *ret_count <= most)
		return 0;
	return FAIL("--on: expected a number from 1 to %" PRIu64 " in \"%s\"",
		    most, word);
}

/* Ours, or the engine's. */
static int take_word(struct claw_batch *batch, char *word, char *error,
		     size_t error_size)
{
	const char *tasks = value_of(word, "tasks");
	const char *pieces = value_of(word, "pieces");
	int ret = 0;

	if (!tasks)
		tasks = value_of(word, "array");
	if (tasks)
		ret = take_count(word, tasks, CLAW_BATCH_TASKS_MAX,
				 &batch->tasks, error, error_size);
	else if (pieces)
		ret = take_count(word, pieces, CLAW_BATCH_PIECES_MAX,
				 &batch->pieces, error, error_size);
	else if (!*word)
		ret = FAIL("--on: expected words with one comma between "
			   "each, found none");
	if (ret == 0 && !tasks && !pieces)
		claw_list_add(&batch->engine_words, word);
	else
		free(word);
	return ret;
}

static const struct claw_engine *find_engine(const char *name, size_t length)
{
	for (size_t i = 0; claw_engines[i]; i++)
		if (strlen(claw_engines[i]->name) == length &&
		    strncmp(claw_engines[i]->name, name, length) == 0)
			return claw_engines[i];
	return NULL;
}

int claw_batch_parse_on(struct claw_batch *batch, const char *text,
			char *error, size_t error_size)
{
	size_t length = strcspn(text, ":");
	const char *at = text + length;
	int ret = 0;

	batch->on = claw_strdup(text);
	batch->engine = find_engine(text, length);
	if (!batch->engine)
		return FAIL("--on: expected local, slurm or kubernetes, found "
			    "\"%.*s\"", (int)length, text);
	while (ret == 0 && *at) {
		length = word_length(++at);
		ret = take_word(batch, claw_strndup(at, length), error,
				error_size);
		at += length;
	}
	if (ret < 0)
		return ret;
	if (!batch->tasks)
		batch->tasks = batch->engine->default_tasks();
	if (!batch->pieces)
		batch->pieces = batch->tasks * PIECES_PER_TASK;
	return batch->engine->check(batch, error, error_size);
}

/* ---- the command line ---------------------------------------------------- */

/* Whose an option is. */
enum use {
	PIECES,		/* of the pieces alone: what has no row */
	WHOLE,		/* main.c's, or of the output directory */
	OWN,		/* of the result alone */
	BOTH,
	REFUSED,
};

static const struct {
	const char *name;
	enum use use;
	const char *why;
} uses[] = {
	{ "on", WHOLE, NULL }, { "detach", WHOLE, NULL },
	{ "output", WHOLE, NULL }, { "force", WHOLE, NULL },
	{ "history", OWN, NULL },
#define REPORT(...)
#define REPORT_FILE(...)
#define REPORT_OPTION(id_, name_, ...) { name_, OWN, NULL },
#include "harness/records/report_formats.def"
#undef REPORT_OPTION
#undef REPORT_FILE
#undef REPORT
	{ "error-exitcode", OWN, NULL }, { "tap", OWN, NULL },
	{ "durations", OWN, NULL },
	{ "quiet", BOTH, NULL }, { "verbose", BOTH, NULL },
	{ "source-root", BOTH, NULL }, { "source-url", BOTH, NULL },
	{ "color", BOTH, NULL },
	{ "shard", REFUSED, "each piece has a shard of its own" },
	{ "resume", REFUSED, "\"openclaw report merge --follow DIR\" "
	  "continues a batch" },
	{ "list", REFUSED, "it runs nothing" },
	{ "dry-run", REFUSED, "it runs nothing" },
	{ "only-new", REFUSED, "\"openclaw report diff OLD NEW\" compares "
	  "the result" },
	{ "emit-suite", REFUSED, "each piece would have a suite of its own" },
	{ "metrics", REFUSED, "the task may be on another machine" },
	{ "random", REFUSED, "each piece would write the file" },
	{ "coverage", REFUSED, "coverage of pieces is not joined" },
	{ "gcov", REFUSED, "coverage of pieces is not joined" },
	{ "rerun-failed", REFUSED, "name the cases with --filter" },
	{ "baseline", REFUSED, "\"openclaw report diff OLD NEW\" compares "
	  "the result" },
	{ "save-accept", REFUSED, "a piece knows only its own findings" },
	{ "save-plan", REFUSED, "a piece knows only its own findings" },
};

/* Verbs that can be done in pieces; a soak is one piece, which is resumed. */
static const struct {
	const char *verb;
	bool stops_at_operand, has_seed, has_budget, is_whole;
} verbs[] = {
	{ "test", false, false, false, false },
	{ "sweep", true, true, true, false },
	{ "explore", false, false, false, false },
	{ "run", false, false, false, true },
};

struct splitting {
	struct claw_batch *batch;
	struct claw_batch_frame frame;
	const char *on, *refused, *why;
	bool has_seed, has_jobs, has_budget, has_exitcode, is_soak;
};

static enum use use_of(const char *name, const char **ret_why)
{
	for (size_t i = 0; i < sizeof(uses) / sizeof(*uses); i++)
		if (strcmp(uses[i].name, name) == 0) {
			*ret_why = uses[i].why;
			return uses[i].use;
		}
	return PIECES;
}

static char *word_of(const struct claw_option *option, const char *text)
{
	return option->type == OPT_FLAG ||
	       (option->type == OPT_OPTIONAL && !*text) ?
		claw_format("--%s", option->name) :
		claw_format("--%s=%s", option->name, text);
}

static void take_whole(struct splitting *all, const char *name,
		       const char *text)
{
	if (strcmp(name, "on") == 0)
		all->on = text;
	else if (strcmp(name, "output") == 0)
		all->frame.output = text;
	else if (strcmp(name, "force") == 0)
		all->frame.force = true;
	else if (strcmp(name, "detach") == 0)
		all->frame.detach = true;
}

static void refuse(struct splitting *all, const char *option, const char *why)
{
	if (all->refused)
		return;
	all->refused = option;
	all->why = why;
}

static void take_option(const struct claw_option *option, const char *text,
			void *user)
{
	struct splitting *all = user;
	const char *why = NULL;
	enum use use = use_of(option->name, &why);

	if (use == WHOLE)
		take_whole(all, option->name, text);
	if (use == REFUSED)
		refuse(all, option->name, why);
	if (strcmp(text, "-") == 0 || strcmp(text, "/dev/stdin") == 0)
		refuse(all, option->name, "of standard input: a task has none");
	/* Each piece would take all of the time. */
	if (strcmp(option->name, "repeat") == 0 &&
	    text[strspn(text, "0123456789")])
		refuse(all, option->name, "for a time: each piece would take "
		       "it");
	if (use == OWN || use == BOTH)
		claw_list_add(&all->batch->own, word_of(option, text));
	if (use == PIECES || use == BOTH)
		claw_list_add(&all->batch->words, word_of(option, text));
	all->has_seed |= strcmp(option->name, "seed") == 0;
	all->has_jobs |= strcmp(option->name, "jobs") == 0;
	all->has_exitcode |= strcmp(option->name, "error-exitcode") == 0;
	all->is_soak |= strcmp(option->name, "duration") == 0 ||
			strcmp(option->name, "iterations") == 0;
	all->has_budget |= strcmp(option->name, "budget") == 0;
}

/* Every piece decides alike; a node need not have our environment. */
static int add_seed(struct claw_batch *batch, char *error, size_t error_size)
{
	const struct claw_fault_options options = { .seed = NULL };
	struct claw_fault_plan plan;
	int ret = claw_fault_plan_load(&options, &plan, error, error_size);

	if (ret < 0)
		return ret;
	claw_list_add(&batch->words, claw_format("--seed=%" PRIu64, plan.seed));
	claw_fault_plan_release(&plan);
	return 0;
}

static int find_verb(const char *name)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (strcmp(verbs[i].verb, name) == 0)
			return (int)i;
	return -1;
}

bool claw_batch_knows(const char *verb)
{
	return find_verb(verb) >= 0;
}

bool claw_batch_stops_at_operand(const char *verb)
{
	return claw_batch_knows(verb) && verbs[find_verb(verb)].stops_at_operand;
}

bool claw_batch_is_soak(const struct claw_batch *batch)
{
	return verbs[find_verb(batch->verb)].is_whole;
}

int claw_batch_split(struct claw_batch *batch,
		     const struct claw_command *command, int argc,
		     char *const *argv, struct claw_batch_frame *ret_frame,
		     char *error, size_t error_size)
{
	struct splitting all = { .batch = batch };
	int verb = find_verb(command->name), first, ret;

	if (verb < 0)
		return FAIL("%s: --on: expected test, sweep, run or "
			    "explore",
			    command->name);
	for (int i = 0; i < argc; i++)
		claw_list_add(&batch->command, claw_strdup(argv[i]));
	ret = claw_options_walk(command->options, argc, argv,
				verbs[verb].stops_at_operand, take_option, &all,
				&first, error, error_size);
	if (ret < 0)
		return ret;
	if (!all.on)
		return FAIL("%s: --detach: expected --on ENGINE, too, found "
			    "none", command->name);
	if (all.refused)
		return FAIL("%s: --on: expected no --%s: %s", command->name,
			    all.refused, all.why);
	if (verbs[verb].is_whole && all.has_exitcode)
		return FAIL("%s: --on: expected no --error-exitcode: a soak "
			    "with findings exits with status 1",
			    command->name);
	if (all.has_budget && verbs[verb].has_budget)
		return FAIL("%s: --on: expected no --budget: which points are "
			    "tried would depend on the tasks", command->name);
	batch->verb = claw_strdup(command->name);
	for (int i = first; i < argc; i++)
		claw_list_add(&batch->operands, claw_strdup(argv[i]));
	if (!all.has_seed && verbs[verb].has_seed &&
	    add_seed(batch, error, error_size) < 0)
		return -CLAW_E_USAGE;
	*ret_frame = all.frame;
	if (verbs[verb].is_whole && !all.is_soak && !batch->operands)
		return FAIL("%s: --on: expected a soak: --duration, "
			    "--iterations or -- PROGRAM", command->name);
	ret = claw_batch_parse_on(batch, all.on, error, error_size);
	if (ret == 0 && verbs[verb].is_whole)
		batch->tasks = batch->pieces = 1;
	/* The tasks are on one machine. */
	if (ret == 0 && !all.has_jobs && !verbs[verb].is_whole &&
	    batch->engine == &claw_engine_local)
		claw_list_add(&batch->words, claw_strdup("--jobs=1"));
	return ret;
}
