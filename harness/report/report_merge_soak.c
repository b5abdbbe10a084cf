/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw report merge" of soaks of one program: their segments
 * (report_merge_parts.c) stand one behind the other by wall time; the soak's own
 * time and its totals go on from one to the next.
 */
#include "config.h"

#include "report_merge.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reports/write/report_files.h"
#include "harness/base/memory.h"
#include "harness/base/errors.h"
#include "report_merge_parts.h"
#include "harness/soak/monitor/soak_sites.h"

struct soaks {
	struct claw_past_run **runs;
	size_t run_count;
	struct claw_merge_parts parts;
	bool *needless;		/* by run: another one has all of it */
	struct claw_records *records;
	uint64_t counts[CLAW_VERDICT_COUNT], results, samples;
	bool unfinished;	/* a run's last segment has no end */
	bool interrupted;	/* it has one, before its time */
};

static void check(int ret, const char *directory)
{
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", directory,
			 ret == -CLAW_E_IO ? strerror(errno) :
			 claw_error_text(ret));
}

/* ---- what is missing -------------------------------------------------- */

/* A run that was ended from outside, and nobody has more of its last part. */
static void find_unfinished(struct soaks *soaks)
{
	for (size_t i = 0; i < soaks->run_count; i++) {
		const struct claw_past_run *run = soaks->runs[i];
		const struct claw_merge_part *last =
			claw_merge_last_part(&soaks->parts, i);

		if ((run->complete && !run->cancelled) || !last ||
		    !claw_merge_is_taken(&soaks->parts,
					 (size_t)(last - soaks->parts.items)) ||
		    soaks->needless[i])
			continue;
		claw_warn("%s %s", run->directory, run->complete ?
			  "was interrupted" :
			  "is incomplete");
		if (run->complete)
			soaks->interrupted = true;
		else
			soaks->unfinished = true;
	}
}

/* ---- writing ---------------------------------------------------------- */

struct writing {
	struct soaks *soaks;
	const struct claw_merge_part *part;
	struct claw_soak_sites *before, *after;
	int error;
};

static void write_sample(void *user, const struct claw_sample *sample,
			 const struct claw_sample_site *sites,
			 size_t site_count)
{
	struct claw_sample_site changed[CLAW_SOAK_SITES_WRITTEN];
	struct writing *writing = user;
	const struct claw_sample_site *all;
	struct claw_sample whole = *sample;
	size_t count;

	claw_soak_sites_apply(writing->before, sites, site_count, &all, &count);
	if (writing->error < 0 || sample->segment != writing->part->number)
		return;
	count = claw_soak_sites_changed(writing->after, all, count, changed,
					CLAW_SOAK_SITES_WRITTEN);
	whole.segment = writing->part->new_number;
	whole.t_ms += writing->part->shift_ms;
	for (int i = 0; i < CLAW_SERIES_COUNT; i++)
		whole.values[i] += writing->part->shift[i];
	writing->error = claw_records_sample(writing->soaks->records, &whole,
					     changed, count);
	writing->soaks->samples++;
}

static void write_event(void *user, const struct claw_soak_event *event)
{
	struct writing *writing = user;
	struct claw_soak_event whole = *event;

	if (writing->error < 0 || event->segment != writing->part->number)
		return;
	whole.segment = writing->part->new_number;
	whole.t_ms += writing->part->shift_ms;
	writing->error = claw_records_event(writing->soaks->records, &whole);
}

static void write_part(struct soaks *soaks, const struct claw_merge_part *part,
		       struct claw_soak_sites *after, const char *directory)
{
	static const struct claw_records_visitor visitor = {
		.sample = write_sample, .event = write_event,
	};
	struct writing writing = { .soaks = soaks, .part = part,
				   .after = after,
				   .before = claw_soak_sites_new() };

	check(claw_records_segment(soaks->records,
		&(struct claw_soak_segment){
			.segment = part->new_number, .started = part->started,
			.boot_id = *part->boot_id ? part->boot_id : NULL,
			.wall_ms = part->wall_ms,
			.t_ms = part->t_ms + part->shift_ms }), directory);
	check(claw_merge_read(soaks->runs[part->run], &visitor, &writing),
	      directory);
	check(writing.error, directory);
	claw_soak_sites_free(writing.before);
}

/* ---- results ---------------------------------------------------------- */

static int badness(const struct claw_result *result)
{
	static const char classes[] = "spnuf";

	return (int)(strchr(classes, claw_verdict_class(result->verdict)) -
		     classes);
}

/* Of all results of a name the worst, and the first of those. */
static bool is_worst(const struct soaks *soaks, size_t run, size_t index)
{
	const struct claw_result *one = &soaks->runs[run]->results[index];

	for (size_t i = 0; i < soaks->run_count; i++) {
		for (size_t j = 0; j < soaks->runs[i]->result_count; j++) {
			const struct claw_result *other =
				&soaks->runs[i]->results[j];
			bool earlier = i < run || (i == run && j < index);

			if (!claw_case_key_same(claw_result_key(one),
						claw_result_key(other)) ||
			    soaks->needless[i])
				continue;
			if (badness(other) > badness(one) ||
			    (earlier && badness(other) == badness(one)))
				return false;
		}
	}
	return true;
}

/* Iterations of the whole: those of the samples, and what each run counted
 * after its last one. */
static double all_iterations(const struct soaks *soaks)
{
	double sum = soaks->parts.totals[CLAW_SERIES_ITERATIONS];

	for (size_t i = 0; i < soaks->run_count; i++) {
		const struct claw_past_run *run = soaks->runs[i];
		const struct claw_merge_part *last =
			claw_merge_last_part(&soaks->parts, i);
		double sampled = last ? last->after[CLAW_SERIES_ITERATIONS] :
				 NAN;

		for (size_t j = 0; !soaks->needless[i] &&
		     j < run->result_count; j++) {
			double told = claw_soak_told(&run->results[j],
						     CLAW_TOLD_ITERATIONS);

			if (isnan(told))
				continue;
			told -= isnan(sampled) ? 0 : sampled;
			sum = (isnan(sum) ? 0 : sum) + (told > 0 ? told : 0);
		}
	}
	return sum;
}

static void write_result(struct soaks *soaks, const struct claw_result *result,
			 const char *directory)
{
	struct claw_result whole = *result;
	double iterations = all_iterations(soaks);
	char metrics[64], message[128];

	if (claw_soak_is_workload(result) && !isnan(iterations)) {
		snprintf(metrics, sizeof(metrics), "iterations=%.0f",
			 iterations);
		whole.metrics = metrics;
		snprintf(message, sizeof(message), "%.0f iteration%s in %zu "
			 "segment%s", iterations, iterations == 1 ? "" : "s",
			 soaks->parts.taken, soaks->parts.taken == 1 ? "" :
			 "s");
		if (whole.verdict == CLAW_PASSED)
			whole.message = message;
	}
	check(claw_records_result(soaks->records, &whole), directory);
	soaks->counts[whole.verdict]++;
	soaks->results++;
}

static void write_results(struct soaks *soaks, const char *directory)
{
	for (size_t i = 0; i < soaks->run_count; i++) {
		const struct claw_past_run *run = soaks->runs[i];

		for (size_t j = 0; !soaks->needless[i] &&
		     j < run->result_count; j++)
			if (is_worst(soaks, i, j))
				write_result(soaks, &run->results[j],
					     directory);
	}
}

/* ---- all of it -------------------------------------------------------- */

/* Samples are read while the whole is written: it cannot be a part, too. */
static void refuse_same(const char *output, const char *directory)
{
	struct stat one, other;

	if (stat(output, &one) == 0 && stat(directory, &other) == 0 &&
	    one.st_dev == other.st_dev && one.st_ino == other.st_ino)
		claw_die(CLAW_EXIT_USAGE, "report merge: expected another "
			 "--output than the soaks to merge, found %s", output);
}

static char *open_records(struct soaks *soaks,
			  const struct claw_report_words *words)
{
	char *directory = claw_merge_open(words);

	check(claw_records_new_at(directory, soaks->runs[0]->verb ?
				  soaks->runs[0]->verb : "run", words->argc,
				  words->argv, soaks->runs[0]->planned_number,
				  0, words->started, &soaks->records),
	      directory);
	return directory;
}

static void write_all(struct soaks *soaks, const char *directory,
		      const char *note)
{
	struct claw_soak_sites *after = claw_soak_sites_new();

	claw_merge_facts(soaks->records, soaks->runs, soaks->run_count);
	for (size_t i = 0; i < soaks->parts.count; i++)
		if (claw_merge_is_taken(&soaks->parts, i))
			write_part(soaks, &soaks->parts.items[i], after,
				   directory);
	claw_merge_notes(soaks->records, soaks->runs, soaks->run_count, note);
	write_results(soaks, directory);
	claw_soak_sites_free(after);
}

static void find_parts(struct soaks *soaks)
{
	check(claw_merge_parts_find(soaks->runs, soaks->run_count,
				    &soaks->parts), "report merge");
	soaks->needless = claw_calloc(soaks->run_count, sizeof(bool));
	for (size_t i = 0; i < soaks->run_count; i++)
		soaks->needless[i] = claw_merge_is_needless(&soaks->parts,
			soaks->runs, soaks->run_count, i);
	find_unfinished(soaks);
}

int claw_merge_soaks(const struct claw_report_words *words,
		     struct claw_past_run **runs, size_t run_count)
{
	struct soaks soaks = { .runs = runs, .run_count = run_count };
	struct claw_report_head head = { .source_root = words->source_root,
					 .verb = "run" };
	char *directory;
	int status;

	for (size_t i = 0; i < run_count; i++)
		refuse_same(words->output, runs[i]->directory);
	claw_merge_check_same(runs, run_count);
	find_parts(&soaks);
	directory = open_records(&soaks, words);
	write_all(&soaks, directory, words->note);
	status = claw_merge_status(runs, run_count, soaks.counts,
				   soaks.results, soaks.parts.has_hole ||
				   soaks.unfinished || soaks.interrupted);
	if (!soaks.unfinished)
		check(claw_records_end(soaks.records, status,
				       soaks.interrupted), directory);
	claw_records_free(soaks.records);
	check(claw_report_write_all(directory, &head), directory);
	if (!words->is_open)
		printf("%zu segment%s and %" PRIu64 " samples in %s\n",
		       soaks.parts.taken, soaks.parts.taken == 1 ? "" : "s",
		       soaks.samples, directory);
	claw_merge_parts_release(&soaks.parts);
	free(soaks.needless);
	free(directory);
	return status;
}
