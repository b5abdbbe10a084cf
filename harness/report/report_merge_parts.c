/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which parts soaks that are merged have, and where each stands in the whole. A
 * segment (one start of the harness) is the same in two directories when it
 * began at the same moment on the same start of the machine: the one with more
 * records is taken.
 */
#include "config.h"

#include "report_merge_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

struct finding {
	struct claw_merge_parts *parts;
	size_t run;
	double totals[CLAW_SERIES_COUNT];	/* of the run, so far */
};

int claw_merge_read(const struct claw_past_run *run,
		    const struct claw_records_visitor *visitor, void *user)
{
	char *path = claw_path_in(run->directory, "records.jsonl");
	bool complete;
	uint64_t damaged;
	int ret = claw_records_read(path, visitor, user, &complete, &damaged);

	free(path);
	return ret;
}

/* ---- finding them ------------------------------------------------------ */

static void see_segment(void *user, const struct claw_soak_segment *segment)
{
	struct finding *finding = user;
	struct claw_merge_parts *parts = finding->parts;
	struct claw_merge_part *part;

	parts->items = claw_one_more(parts->items, parts->count,
				     sizeof(*parts->items));
	part = &parts->items[parts->count++];
	*part = (struct claw_merge_part){
		.run = finding->run,
		.number = segment->segment,
		.started = claw_strdup(segment->started ? segment->started :
							  ""),
		.boot_id = claw_strdup(segment->boot_id ? segment->boot_id :
							  ""),
		.wall_ms = segment->wall_ms,
		.t_ms = segment->t_ms,
		.last_ms = segment->t_ms};
	memcpy(part->before, finding->totals, sizeof(part->before));
	memcpy(part->after, finding->totals, sizeof(part->after));
}

/* A record of the segment; one whose segment is lost is left out: NULL. */
static struct claw_merge_part *see_record(struct finding *finding,
					  uint64_t number, uint64_t t_ms)
{
	for (size_t i = finding->parts->count; i-- > 0;) {
		struct claw_merge_part *part = &finding->parts->items[i];

		if (part->run != finding->run)
			break;
		if (part->number != number)
			continue;
		part->records++;
		if (t_ms > part->last_ms)
			part->last_ms = t_ms;
		return part;
	}
	return NULL;
}

static void see_sample(void *user, const struct claw_sample *sample,
		       const struct claw_sample_site *sites, size_t site_count)
{
	struct finding *finding = user;
	struct claw_merge_part *part = see_record(finding, sample->segment,
						  sample->t_ms);

	(void)sites;
	(void)site_count;
	for (int i = 0; part && i < CLAW_SERIES_COUNT; i++)
		if (claw_series[i].shape == CLAW_SHAPE_TOTAL &&
		    !isnan(sample->values[i]))
			part->after[i] = finding->totals[i] =
				sample->values[i];
}

static void see_event(void *user, const struct claw_soak_event *event)
{
	see_record(user, event->segment, event->t_ms);
}

static int same_moment(const struct claw_merge_part *a,
		       const struct claw_merge_part *b)
{
	int order = (a->wall_ms > b->wall_ms) - (a->wall_ms < b->wall_ms);

	if (order == 0)
		order = strcmp(a->started, b->started);
	return order ? order : strcmp(a->boot_id, b->boot_id);
}

/* By moment; of the same one the part with the most records comes first. */
static int compare(const void *a, const void *b)
{
	const struct claw_merge_part *one = a, *other = b;
	int order = same_moment(one, other);

	if (order == 0)
		order = (one->records < other->records) -
			(one->records > other->records);
	if (order == 0)
		order = (one->run > other->run) - (one->run < other->run);
	return order;
}

static const struct claw_merge_part *
first_of(const struct claw_merge_parts *parts, size_t run)
{
	for (size_t i = 0; i < parts->count; i++)
		if (parts->items[i].run == run)
			return &parts->items[i];
	return NULL;
}

static void swap_runs(struct claw_merge_parts *parts,
		      struct claw_past_run **runs, size_t a, size_t b)
{
	struct claw_past_run *run = runs[a];

	runs[a] = runs[b];
	runs[b] = run;
	for (size_t i = 0; i < parts->count; i++) {
		struct claw_merge_part *part = &parts->items[i];

		if (part->run == a)
			part->run = b;
		else if (part->run == b)
			part->run = a;
	}
}

/* Runs by their first segment, so that the order of words means nothing. */
static void sort_runs(struct claw_merge_parts *parts,
		      struct claw_past_run **runs, size_t run_count)
{
	for (size_t i = 1; i < run_count; i++)
		for (size_t j = i; j > 0; j--) {
			const struct claw_merge_part *one =
				first_of(parts, j - 1);
			const struct claw_merge_part *other =
				first_of(parts, j);

			if (!one || !other || same_moment(one, other) <= 0)
				break;
			swap_runs(parts, runs, j, j - 1);
		}
}

/* ---- in the whole ------------------------------------------------------ */

bool claw_merge_is_taken(const struct claw_merge_parts *parts, size_t index)
{
	return index == 0 || same_moment(&parts->items[index - 1],
					 &parts->items[index]) != 0;
}

/* Totals go on from the part before, as time does. A part whose run has not
 * what was before it counts from there already. */
static void shift_totals(struct claw_merge_part *part, double *totals)
{
	for (int i = 0; i < CLAW_SERIES_COUNT; i++) {
		double before = part->before[i];
		double whole = isnan(totals[i]) ? 0 : totals[i];

		if (isnan(before))
			before = part->t_ms > 0 ? whole : 0;
		part->shift[i] = whole > before ? whole - before : 0;
		if (!isnan(part->after[i]))
			totals[i] = part->after[i] + part->shift[i];
	}
}

/* Numbers go up; where there is a hole it stays, so that it can be filled. */
static void place_parts(struct claw_merge_parts *parts)
{
	uint64_t next = 0, end_ms = 0;

	for (size_t i = 0; i < parts->count; i++) {
		struct claw_merge_part *part = &parts->items[i];

		if (!claw_merge_is_taken(parts, i))
			continue;
		part->new_number = part->number > next ? part->number : next;
		for (; next < part->new_number; next++) {
			if (part->new_number - next < 20)
				claw_warn("segment %" PRIu64 " of the soak is "
					  "missing from the directories", next);
			parts->has_hole = true;
		}
		next++;
		part->shift_ms = end_ms > part->t_ms ? end_ms - part->t_ms : 0;
		if (part->last_ms + part->shift_ms > end_ms)
			end_ms = part->last_ms + part->shift_ms;
		shift_totals(part, parts->totals);
		parts->taken++;
	}
}

static void forget(double *totals)
{
	for (int i = 0; i < CLAW_SERIES_COUNT; i++)
		totals[i] = NAN;
}

int claw_merge_parts_find(struct claw_past_run **runs, size_t run_count,
			  struct claw_merge_parts *parts)
{
	static const struct claw_records_visitor visitor = {
		.segment = see_segment, .sample = see_sample,
		.event = see_event,
	};
	struct finding finding = { .parts = parts };

	*parts = (struct claw_merge_parts){ .count = 0 };
	forget(parts->totals);
	for (size_t i = 0; i < run_count; i++) {
		int ret;

		finding.run = i;
		forget(finding.totals);
		ret = claw_merge_read(runs[i], &visitor, &finding);
		if (ret < 0)
			return ret;
	}
	qsort(parts->items, parts->count, sizeof(*parts->items), compare);
	sort_runs(parts, runs, run_count);
	place_parts(parts);
	return 0;
}

void claw_merge_parts_release(struct claw_merge_parts *parts)
{
	for (size_t i = 0; i < parts->count; i++) {
		free(parts->items[i].started);
		free(parts->items[i].boot_id);
	}
	free(parts->items);
}

/* ---- runs -------------------------------------------------------------- */

const struct claw_merge_part *
claw_merge_last_part(const struct claw_merge_parts *parts, size_t run)
{
	const struct claw_merge_part *last = NULL;

	for (size_t i = 0; i < parts->count; i++)
		if (parts->items[i].run == run)
			last = &parts->items[i];
	return last;
}

static size_t count_of(const struct claw_merge_parts *parts, size_t run)
{
	size_t count = 0;

	for (size_t i = 0; i < parts->count; i++)
		count += parts->items[i].run == run;
	return count;
}

/* The part of that moment in the run, or NULL. */
static const struct claw_merge_part *
find_moment(const struct claw_merge_parts *parts, size_t run,
	    const struct claw_merge_part *of)
{
	for (size_t i = 0; i < parts->count; i++)
		if (parts->items[i].run == run &&
		    same_moment(&parts->items[i], of) == 0)
			return &parts->items[i];
	return NULL;
}

/* Has other all of the run's segments, and as much of each? */
static bool is_within(const struct claw_merge_parts *parts,
		      struct claw_past_run *const *runs, size_t run,
		      size_t other)
{
	bool has_more = count_of(parts, other) > count_of(parts, run);
	bool complete = runs[run]->complete;

	for (size_t i = 0; i < parts->count; i++) {
		const struct claw_merge_part *mine = &parts->items[i], *theirs;

		if (mine->run != run)
			continue;
		theirs = find_moment(parts, other, mine);
		if (!theirs || theirs->records < mine->records)
			return false;
		has_more |= theirs->records > mine->records;
	}
	if (has_more)
		return true;
	if (complete != runs[other]->complete)
		return !complete;
	return other < run;
}

bool claw_merge_is_needless(const struct claw_merge_parts *parts,
			    struct claw_past_run *const *runs,
			    size_t run_count, size_t run)
{
	for (size_t i = 0; i < run_count; i++)
		if (i != run && is_within(parts, runs, run, i))
			return true;
	return false;
}
