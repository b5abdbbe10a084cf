/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw report merge" of soaks. A segment (one start of the harness) is the
 * same in two directories when it began at the same moment on the same start of
 * the machine: the one with more records is taken. All of them stand one behind
 * the other by wall time, and the soak's own time goes on from one to the next.
 */
#include "config.h"

#include "report_merge.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../reports/report.h"
#include "errors.h"
#include "options.h"
#include "records_soak.h"
#include "soak_sites.h"
#include "text.h"

struct part {
	size_t run;		/* in runs */
	uint64_t number;	/* of the segment, in that run's records */
	char *started, *boot_id;
	int64_t wall_ms;
	uint64_t t_ms, last_ms;	/* as it began and ended, in that run */
	uint64_t records;
	uint64_t new_number, shift_ms;
};

struct soaks {
	struct claw_past_run **runs;
	size_t run_count;
	struct part *parts;
	size_t part_count;
	size_t reading;		/* a run */
	struct claw_records *records;
	uint64_t counts[CLAW_VERDICT_COUNT], results, segments, samples;
	bool incomplete;	/* a part is missing */
	bool unfinished;	/* a run's last segment has no end */
};

static void check(int ret, const char *directory)
{
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", directory,
			 ret == -CLAW_E_IO ? strerror(errno) :
			 claw_error_text(ret));
}

static char *copy(const char *text)
{
	char *own = strdup(text ? text : "");

	check(own ? 0 : -CLAW_E_NO_MEMORY, "report merge");
	return own;
}

static void read_run(const struct claw_past_run *run,
		     const struct claw_records_visitor *visitor, void *user)
{
	char *path = claw_path_in(run->directory, "records.jsonl");
	bool complete;
	uint64_t damaged;

	check(path ? 0 : -CLAW_E_NO_MEMORY, run->directory);
	check(claw_records_read(path, visitor, user, &complete, &damaged),
	      path);
	free(path);
}

/* ---- which parts there are -------------------------------------------- */

static void see_segment(void *user, const struct claw_soak_segment *segment)
{
	struct soaks *soaks = user;
	struct part *parts = realloc(soaks->parts, (soaks->part_count + 1) *
				     sizeof(*parts));

	check(parts ? 0 : -CLAW_E_NO_MEMORY, "report merge");
	soaks->parts = parts;
	parts[soaks->part_count++] = (struct part){
		.run = soaks->reading, .number = segment->segment,
		.started = copy(segment->started),
		.boot_id = copy(segment->boot_id), .wall_ms = segment->wall_ms,
		.t_ms = segment->t_ms, .last_ms = segment->t_ms };
}

/* A record of the segment; one whose segment is lost is left out. */
static void see_record(struct soaks *soaks, uint64_t number, uint64_t t_ms)
{
	for (size_t i = soaks->part_count; i-- > 0;) {
		struct part *part = &soaks->parts[i];

		if (part->run != soaks->reading)
			break;
		if (part->number != number)
			continue;
		part->records++;
		if (t_ms > part->last_ms)
			part->last_ms = t_ms;
		return;
	}
}

static void see_sample(void *user, const struct claw_sample *sample,
		       const struct claw_sample_site *sites, size_t site_count)
{
	(void)sites;
	(void)site_count;
	see_record(user, sample->segment, sample->t_ms);
}

static void see_event(void *user, const struct claw_soak_event *event)
{
	see_record(user, event->segment, event->t_ms);
}

static int same_moment(const struct part *a, const struct part *b)
{
	int order = (a->wall_ms > b->wall_ms) - (a->wall_ms < b->wall_ms);

	if (order == 0)
		order = strcmp(a->started, b->started);
	return order ? order : strcmp(a->boot_id, b->boot_id);
}

/* By moment; of the same one the part with the most records comes first. */
static int compare_parts(const void *a, const void *b)
{
	const struct part *one = a, *other = b;
	int order = same_moment(one, other);

	if (order == 0)
		order = (one->records < other->records) -
			(one->records > other->records);
	if (order == 0)
		order = (one->run > other->run) - (one->run < other->run);
	return order;
}

static void find_parts(struct soaks *soaks)
{
	static const struct claw_records_visitor visitor = {
		.segment = see_segment, .sample = see_sample,
		.event = see_event,
	};

	for (size_t i = 0; i < soaks->run_count; i++) {
		soaks->reading = i;
		read_run(soaks->runs[i], &visitor, soaks);
	}
	qsort(soaks->parts, soaks->part_count, sizeof(*soaks->parts),
	      compare_parts);
}

/* Is the part the one of its moment that is taken? */
static bool is_taken(const struct soaks *soaks, size_t index)
{
	return index == 0 || same_moment(&soaks->parts[index - 1],
					 &soaks->parts[index]) != 0;
}

/* ---- what is missing -------------------------------------------------- */

static const struct part *last_part(const struct soaks *soaks, size_t run)
{
	const struct part *last = NULL;

	for (size_t i = 0; i < soaks->part_count; i++)
		if (soaks->parts[i].run == run)
			last = &soaks->parts[i];
	return last;
}

/* Numbers go up; where there is a hole it stays, so that it can be filled. */
static void number_parts(struct soaks *soaks)
{
	uint64_t next = 0, end_ms = 0;

	for (size_t i = 0; i < soaks->part_count; i++) {
		struct part *part = &soaks->parts[i];

		if (!is_taken(soaks, i))
			continue;
		part->new_number = part->number > next ? part->number : next;
		for (; next < part->new_number; next++) {
			if (part->new_number - next < 20)
				claw_warn("segment %" PRIu64 " of the soak is "
					  "in none of the directories", next);
			soaks->incomplete = true;
		}
		next++;
		part->shift_ms = end_ms > part->t_ms ? end_ms - part->t_ms : 0;
		if (part->last_ms + part->shift_ms > end_ms)
			end_ms = part->last_ms + part->shift_ms;
		soaks->segments++;
	}
}

/* A run that was ended from outside, and nobody has more of its last part. */
static void find_unfinished(struct soaks *soaks)
{
	for (size_t i = 0; i < soaks->run_count; i++) {
		const struct part *last = last_part(soaks, i);

		if (soaks->runs[i]->complete || !last ||
		    !is_taken(soaks, (size_t)(last - soaks->parts)))
			continue;
		claw_warn("%s did not come to its end",
			  soaks->runs[i]->directory);
		soaks->incomplete = soaks->unfinished = true;
	}
}

/* ---- writing ---------------------------------------------------------- */

struct writing {
	struct soaks *soaks;
	const struct part *part;
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
	int ret = claw_soak_sites_apply(writing->before, sites, site_count,
					&all, &count);

	if (writing->error < 0 || sample->segment != writing->part->number)
		return;
	if (ret == 0)
		ret = claw_soak_sites_changed(writing->after, all, count,
					      changed, CLAW_SOAK_SITES_WRITTEN);
	whole.segment = writing->part->new_number;
	whole.t_ms += writing->part->shift_ms;
	if (ret >= 0)
		ret = claw_records_sample(writing->soaks->records, &whole,
					  changed, (size_t)ret);
	writing->soaks->samples++;
	writing->error = ret;
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

static void write_part(struct soaks *soaks, const struct part *part,
		       struct claw_soak_sites *after, const char *directory)
{
	static const struct claw_records_visitor visitor = {
		.sample = write_sample, .event = write_event,
	};
	struct writing writing = { .soaks = soaks, .part = part,
				   .after = after };

	writing.before = claw_soak_sites_new();
	check(writing.before ? 0 : -CLAW_E_NO_MEMORY, directory);
	check(claw_records_segment(soaks->records,
		&(struct claw_soak_segment){
			.segment = part->new_number, .started = part->started,
			.boot_id = *part->boot_id ? part->boot_id : NULL,
			.wall_ms = part->wall_ms,
			.t_ms = part->t_ms + part->shift_ms }), directory);
	read_run(soaks->runs[part->run], &visitor, &writing);
	check(writing.error, directory);
	claw_soak_sites_free(writing.before);
}

/* ---- results ---------------------------------------------------------- */

static bool has_moment_of(const struct soaks *soaks, size_t run,
			  const struct part *part)
{
	for (size_t i = 0; i < soaks->part_count; i++)
		if (soaks->parts[i].run == run &&
		    same_moment(&soaks->parts[i], part) == 0)
			return true;
	return false;
}

static uint64_t records_of(const struct soaks *soaks, size_t run)
{
	uint64_t count = 0;

	for (size_t i = 0; i < soaks->part_count; i++)
		if (soaks->parts[i].run == run)
			count += soaks->parts[i].records + 1;
	return count;
}

/* Has other all of the run's segments, and as much of them? */
static bool is_within(const struct soaks *soaks, size_t run, size_t other)
{
	uint64_t mine = records_of(soaks, run);
	uint64_t theirs = records_of(soaks, other);
	bool complete = soaks->runs[run]->complete;

	for (size_t i = 0; i < soaks->part_count; i++)
		if (soaks->parts[i].run == run &&
		    !has_moment_of(soaks, other, &soaks->parts[i]))
			return false;
	if (mine != theirs)
		return mine < theirs;
	if (complete != soaks->runs[other]->complete)
		return !complete;
	return other < run;
}

static bool is_needless(const struct soaks *soaks, size_t run)
{
	for (size_t i = 0; i < soaks->run_count; i++)
		if (i != run && is_within(soaks, run, i))
			return true;
	return false;
}

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
			    is_needless(soaks, i))
				continue;
			if (badness(other) > badness(one) ||
			    (earlier && badness(other) == badness(one)))
				return false;
		}
	}
	return true;
}

static void write_results(struct soaks *soaks, const char *directory)
{
	for (size_t i = 0; i < soaks->run_count; i++) {
		const struct claw_past_run *run = soaks->runs[i];

		for (size_t j = 0; !is_needless(soaks, i) &&
		     j < run->result_count; j++) {
			if (!is_worst(soaks, i, j))
				continue;
			check(claw_records_result(soaks->records,
						  &run->results[j]),
			      directory);
			soaks->counts[run->results[j].verdict]++;
			soaks->results++;
		}
	}
}

/* ---- all of it -------------------------------------------------------- */

static const struct part *first_part(const struct soaks *soaks, size_t run)
{
	for (size_t i = 0; i < soaks->part_count; i++)
		if (soaks->parts[i].run == run)
			return &soaks->parts[i];
	return NULL;
}

/* Runs by their first segment, so that the order of words means nothing. */
static void sort_runs(struct soaks *soaks)
{
	struct claw_past_run *run;

	for (size_t i = 1; i < soaks->run_count; i++)
		for (size_t j = i; j > 0; j--) {
			const struct part *one = first_part(soaks, j - 1);
			const struct part *other = first_part(soaks, j);

			if (!one || !other || same_moment(one, other) <= 0)
				break;
			run = soaks->runs[j];
			soaks->runs[j] = soaks->runs[j - 1];
			soaks->runs[j - 1] = run;
			for (size_t k = 0; k < soaks->part_count; k++) {
				struct part *part = &soaks->parts[k];

				if (part->run == j)
					part->run = j - 1;
				else if (part->run == j - 1)
					part->run = j;
			}
		}
}

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
	char error[PATH_MAX + 256], *directory;
	int ret = claw_output_open(words->output, "merge", words->force,
				   &directory, error, sizeof(error));

	if (ret < 0)
		claw_die(ret == -CLAW_E_USAGE ? CLAW_EXIT_USAGE :
			 CLAW_EXIT_INFRA, "%s", error);
	check(claw_records_new(directory, soaks->runs[0]->verb ?
			       soaks->runs[0]->verb : "run", words->argc,
			       words->argv, soaks->runs[0]->planned_number, 0,
			       &soaks->records), directory);
	return directory;
}

static void write_all(struct soaks *soaks, const char *directory)
{
	struct claw_soak_sites *after = claw_soak_sites_new();

	check(after ? 0 : -CLAW_E_NO_MEMORY, directory);
	claw_merge_facts(soaks->records, soaks->runs, soaks->run_count);
	for (size_t i = 0; i < soaks->part_count; i++)
		if (is_taken(soaks, i))
			write_part(soaks, &soaks->parts[i], after, directory);
	claw_merge_notes(soaks->records, soaks->runs, soaks->run_count);
	write_results(soaks, directory);
	claw_soak_sites_free(after);
}

int claw_merge_soaks(const struct claw_report_words *words,
		     struct claw_past_run **runs, size_t run_count)
{
	struct soaks soaks = { .runs = runs, .run_count = run_count };
	struct claw_report_head head = { .source_root = words->source_root };
	char *directory;
	int status;

	for (size_t i = 0; i < run_count; i++)
		refuse_same(words->output, runs[i]->directory);
	find_parts(&soaks);
	sort_runs(&soaks);
	number_parts(&soaks);
	find_unfinished(&soaks);
	directory = open_records(&soaks, words);
	write_all(&soaks, directory);
	status = claw_merge_status(runs, run_count, soaks.counts,
				   soaks.results, soaks.incomplete);
	if (!soaks.unfinished)
		check(claw_records_end(soaks.records, status, false),
		      directory);
	claw_records_free(soaks.records);
	head.verb = "run";
	check(claw_report_write_all(directory, &head), directory);
	printf("%" PRIu64 " segment%s and %" PRIu64 " samples in %s\n",
	       soaks.segments, soaks.segments == 1 ? "" : "s", soaks.samples,
	       directory);
	for (size_t i = 0; i < soaks.part_count; i++) {
		free(soaks.parts[i].started);
		free(soaks.parts[i].boot_id);
	}
	free(soaks.parts);
	free(directory);
	return status;
}
