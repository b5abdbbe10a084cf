/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw report merge": one run of several, of which each did a part. Every
 * case that any of them planned must have a result.
 */
#include "config.h"

#include "cmd_report.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/write/report_files.h"
#include "harness/base/memory.h"
#include "harness/base/errors.h"
#include "harness/base/name_index.h"
#include "harness/base/text.h"
#include "harness/records/records.h"
#include "report_merge.h"

enum { MISSING_SHOWN = 20 };

/* The newest run that has results of a planned case; of two that began in the same
 * second, the one that says the worst. */
struct choice {
	const struct claw_past_run *run;	/* NULL: none has */
	size_t number;			/* of the run */
	int badness;
};

/* One that is written. */
struct taken {
	size_t item;		/* in planned */
	const struct claw_result *result;
};

struct merging {
	struct claw_past_run **runs;
	size_t run_count;
	struct claw_planned *planned;	/* of all runs, each once; borrowed texts */
	size_t planned_count;
	struct claw_name_index index;	/* of planned */
	struct choice *choices;		/* by planned case */
	struct taken *taken;		/* by planned case */
	size_t taken_count;
	struct claw_records *records;
	uint64_t counts[CLAW_VERDICT_COUNT], results;
	size_t missing;
	bool is_other_plan;	/* the parts do not fit */
};

/* ---- what was planned -------------------------------------------------- */

static bool find_planned(const struct merging *merging,
			 struct claw_case_key key, size_t *ret_item)
{
	char *text = claw_case_key_text(key);
	bool is_there = claw_name_index_find(&merging->index, text, ret_item);

	free(text);
	return is_there;
}

static void add_planned(struct merging *merging,
			const struct claw_planned *planned)
{
	struct claw_planned *own;
	size_t item;
	char *text;

	if (find_planned(merging, claw_planned_key(planned), &item))
		return;
	text = claw_case_key_text(claw_planned_key(planned));
	claw_name_index_add(&merging->index, text, merging->planned_count);
	free(text);
	own = &merging->planned[merging->planned_count++];
	*own = *planned;
	own->elsewhere = false;
}

static void gather_planned(struct merging *merging)
{
	size_t most = 0;

	for (size_t i = 0; i < merging->run_count; i++)
		most += merging->runs[i]->planned_count;
	merging->planned = claw_calloc(most, sizeof(*merging->planned));
	for (size_t i = 0; i < merging->run_count; i++)
		for (size_t j = 0; j < merging->runs[i]->planned_count; j++)
			add_planned(merging, &merging->runs[i]->planned[j]);
}

/* ---- whose results ----------------------------------------------------- */

static int badness_of(const struct claw_result *result)
{
	static const char classes[] = "spnuf";

	return (int)(strchr(classes, claw_verdict_class(result->verdict)) -
		     classes);
}

static void offer(struct choice *choice, const struct claw_past_run *run,
		  size_t number, int badness)
{
	int order = choice->run ?
		strcmp(run->started ? run->started : "",
		       choice->run->started ? choice->run->started : "") : 1;

	if (choice->run == run ? badness > choice->badness :
	    order > 0 || (order == 0 && badness > choice->badness))
		*choice = (struct choice) { run, number, badness };
}

static void choose_runs(struct merging *merging)
{
	size_t item, most = 0;

	merging->choices = claw_calloc(merging->planned_count,
				       sizeof(*merging->choices));
	for (size_t i = 0; i < merging->run_count; i++) {
		const struct claw_past_run *run = merging->runs[i];

		most += run->result_count;
		for (size_t j = 0; j < run->result_count; j++)
			if (find_planned(merging, claw_result_item_key(
							&run->results[j]),
					 &item))
				offer(&merging->choices[item], run, i,
				      badness_of(&run->results[j]));
	}
	merging->taken = claw_calloc(most, sizeof(*merging->taken));
}

/* Results of one run are in one array. */
static int compare_taken(const void *a, const void *b)
{
	const struct taken *one = a, *other = b;

	if (one->item != other->item)
		return one->item < other->item ? -1 : 1;
	return one->result < other->result ? -1 : one->result > other->result;
}

static void take_results(struct merging *merging)
{
	size_t item;

	for (size_t i = 0; i < merging->run_count; i++) {
		const struct claw_past_run *run = merging->runs[i];

		for (size_t j = 0; j < run->result_count; j++)
			if (find_planned(merging, claw_result_item_key(
							&run->results[j]),
					 &item) &&
			    merging->choices[item].run == run)
				merging->taken[merging->taken_count++] =
					(struct taken) {
						item, &run->results[j],
					};
	}
	qsort(merging->taken, merging->taken_count, sizeof(*merging->taken),
	      compare_taken);
}

static void write_results(struct merging *merging, char *const *devices)
{
	struct claw_merge_devices *by_device =
		claw_merge_devices_new(devices, merging->run_count);

	choose_runs(merging);
	take_results(merging);
	for (size_t i = 0; i < merging->taken_count; i++) {
		const struct taken *taken = &merging->taken[i];
		struct claw_result result = *taken->result;

		claw_merge_devices_add(by_device, by_device ? devices[
				       merging->choices[taken->item].number] :
				       "", &result);
		claw_records_result(merging->records, &result);
		merging->counts[result.verdict]++;
		merging->results++;
	}
	claw_merge_devices_put(by_device, merging->records);
	claw_merge_devices_free(by_device);
}

static void say_other_plan(struct merging *merging, const char *one,
			   const char *other)
{
	claw_warn("%s: %s: cases may be missing", one, other);
	merging->is_other_plan = true;
}

/* Which of all shards a run is; false: it is none of those. */
static bool find_shard(const struct claw_past_run *run, size_t count,
		       size_t *ret_number)
{
	const char *text = claw_past_run_fact(run, NULL, CLAW_FACT_SHARD);
	size_t number, of;

	if (!text || sscanf(text, "%zu/%zu", &number, &of) != 2 ||
	    of != count || number < 1 || number > of)
		return false;
	*ret_number = number;
	return true;
}

static void say_absent(struct merging *merging, const bool *is_here,
		       size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (is_here[i])
			continue;
		claw_warn("shard %zu/%zu is missing%s", i + 1, count, i == 0 ?
			  ", which lists all cases" : "");
		merging->is_other_plan = true;
	}
}

/* Shards with ":own" (shard.h): all are there, all had one plan, and the first names
 * its cases. The plan grows when cases reveal others; its sum does not. */
static void check_plan(struct merging *merging)
{
	const struct claw_past_run *first = NULL;
	size_t count = 0, number;
	bool *is_here = NULL;

	for (size_t i = 0; i < merging->run_count; i++) {
		const struct claw_past_run *run = merging->runs[i];
		const char *plan = claw_past_run_fact(run, NULL,
						      CLAW_FACT_PLAN);
		const char *shard = claw_past_run_fact(run, NULL,
						       CLAW_FACT_SHARD);

		if (!plan)
			continue;
		if (!first) {
			first = run;
			sscanf(shard ? shard : "", "%*u/%zu", &count);
			is_here = claw_calloc(count, sizeof(*is_here));
		}
		if (strcmp(plan, claw_past_run_fact(first, NULL,
						    CLAW_FACT_PLAN)) != 0)
			say_other_plan(merging, run->directory, "another plan "
				       "than the first run has");
		else if (find_shard(run, count, &number))
			is_here[number - 1] = true;
		else
			say_other_plan(merging, run->directory, "expected a "
				       "shard of as many as the first run "
				       "is of");
	}
	say_absent(merging, is_here, count);
	free(is_here);
}

static void say_missing(struct merging *merging)
{
	check_plan(merging);
	for (size_t i = 0; i < merging->planned_count; i++) {
		char *text;

		if (merging->choices[i].run)
			continue;
		text = claw_case_key_text(claw_planned_key(
						&merging->planned[i]));
		if (merging->missing++ < MISSING_SHOWN)
			claw_warn("planned, but no run has a result: %s", text);
		free(text);
	}
}

/* ---- all of it --------------------------------------------------------- */

/* The runs of the command line; the caller frees the array. */
static struct claw_past_run **read_runs(const struct claw_report_words *words)
{
	struct claw_past_run **runs = claw_calloc((size_t)words->count,
						  sizeof(*runs));

	for (int i = 0; i < words->count; i++)
		runs[i] = claw_cmd_report_read("merge", words->items[i]);
	return runs;
}

/* Whether run can be merged with first; says why not. */
static bool can_merge(const struct claw_past_run *run,
		      const struct claw_past_run *first)
{
	bool is_soak = run->segment_count > 0;

	if (is_soak != (first->segment_count > 0)) {
		claw_warn("report merge: %s: expected %s as %s is, found %s",
			  run->directory, is_soak ? "a run with cases" :
			  "a soak", first->directory, is_soak ? "a soak" :
			  "another run");
		return false;
	}
	if (!is_soak && !claw_past_run_has_plan(run)) {
		claw_warn("report merge: %s: expected a run of \"openclaw "
			  "test\" or of \"openclaw sweep\", found one of "
			  "\"%s\" without a list of its cases",
			  run->directory, run->verb ? run->verb :
			  "an unknown command");
		return false;
	}
	return true;
}

static void say_damaged(const struct merging *merging)
{
	for (size_t i = 0; i < merging->run_count; i++) {
		const struct claw_past_run *run = merging->runs[i];

		if (run->damaged > 0)
			claw_warn("%s is damaged: %" PRIu64 " lines are "
				  "ignored", run->directory, run->damaged);
	}
}

/* What they all are runs of; what differs is run by "openclaw test", which
 * can name any case. */
static const char *common_verb(const struct merging *merging)
{
	const char *verb = merging->runs[0]->verb;

	for (size_t i = 1; i < merging->run_count; i++)
		if (!claw_report_same(verb, merging->runs[i]->verb))
			return "test";
	return verb ? verb : "test";
}

/* 0: they have several. */
static uint64_t common_seed(const struct merging *merging)
{
	uint64_t seed = merging->runs[0]->seed;

	for (size_t i = 1; i < merging->run_count; i++)
		if (merging->runs[i]->seed != seed)
			return 0;
	return seed;
}

static void check(int ret, const char *directory)
{
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", directory,
			 ret == -CLAW_E_IO ? strerror(errno) :
			 claw_error_text(ret));
}

/* The inputs are read whole: the directory may be one of them. */
static char *write_records(struct merging *merging,
			   const struct claw_report_words *words)
{
	char *directory = claw_merge_open(words);

	check(claw_records_new_at(directory, common_verb(merging), words->argc,
				  words->argv, merging->planned_count,
				  common_seed(merging), words->started,
				  &merging->records), directory);
	for (size_t i = 0; i < merging->planned_count; i++)
		claw_records_planned(merging->records, &merging->planned[i]);
	claw_merge_facts(merging->records, merging->runs, merging->run_count);
	write_results(merging, words->devices);
	say_missing(merging);
	claw_merge_notes(merging->records, merging->runs, merging->run_count,
			 words->note);
	return directory;
}

static void free_runs(struct merging *merging)
{
	for (size_t i = 0; i < merging->run_count; i++)
		claw_past_run_free(merging->runs[i]);
	free(merging->runs);
	free(merging->planned);
	free(merging->choices);
	free(merging->taken);
	claw_name_index_clear(&merging->index);
}

int claw_merge_runs(const struct claw_report_words *words,
		    struct claw_past_run **runs, size_t run_count)
{
	struct merging merging = { .runs = runs, .run_count = run_count };
	struct claw_report_head head = { .source_root = words->source_root };
	char *directory;
	int status;

	say_damaged(&merging);
	gather_planned(&merging);
	if (merging.runs[0]->segment_count > 0) {
		status = claw_merge_soaks(words, merging.runs,
					  merging.run_count);
		free_runs(&merging);
		return status;
	}
	directory = write_records(&merging, words);
	if (merging.missing > 0)
		claw_warn("%zu of %zu planned cases have no result in %zu "
			  "director%s", merging.missing, merging.planned_count,
			  merging.run_count, merging.run_count == 1 ? "y" :
			  "ies");
	status = claw_merge_status(merging.runs, merging.run_count,
				   merging.counts, merging.results,
				   merging.missing > 0 ||
				   merging.is_other_plan || words->cancelled);
	if (status == CLAW_EXIT_FINDINGS && words->has_findings_status)
		status = words->findings_status;
	check(claw_records_end(merging.records, status, words->cancelled),
	      directory);
	claw_records_free(merging.records);
	head.verb = common_verb(&merging);
	check(claw_report_write_all(directory, &head), directory);
	if (!words->is_open)
		printf("%" PRIu64 " results of %zu cases in %s\n",
		       merging.results, merging.planned_count, directory);
	free_runs(&merging);
	free(directory);
	return status;
}

int claw_cmd_report_merge(const struct claw_report_words *words)
{
	struct merging merging = { .run_count = (size_t)words->count };

	if (words->count < 1)
		claw_die(CLAW_EXIT_USAGE, "report merge: expected DIR..., the "
			 "output directories of runs, found none");
	if (!words->output)
		claw_die(CLAW_EXIT_USAGE, "report merge: expected --output "
			 "DIR, the directory of the merged run, found none");
	merging.runs = read_runs(words);
	for (size_t i = 0; i < merging.run_count; i++)
		if (!can_merge(merging.runs[i], merging.runs[0])) {
			free_runs(&merging);
			return CLAW_EXIT_USAGE;
		}
	return claw_merge_runs(words, merging.runs, merging.run_count);
}
