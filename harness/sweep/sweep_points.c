/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Make points of calls: choose, name, order.
 */
#include "config.h"

#include "sweep_points.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "faults/shared/plan.h"
#include "harness/check/leak_site.h"
#include "sweep_calls.h"
#include "harness/base/text.h"

enum {
	COMPOUND_CALLS = 4,	/* different ones after a fault */
};

/* What a walk through a run's calls goes by. */
struct finding {
	struct claw_sweep_points *points;
	struct claw_symbolizer *symbolizer;
	size_t parent;
	size_t compounds;
};

/* Does a person ask for releases in so many words? */
static bool names_releases(const char *glob)
{
	return claw_begins(glob, "clRelease") || claw_begins(glob, "clSVMFree");
}

static bool is_wanted(const struct claw_sweep_choice *choice, enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];
	bool releases = info->groups & CLAW_G_RELEASE;

	if (info->fails_as == CLAW_VOID)
		return false;
	if (!choice->functions || choice->functions->count == 0)
		return !releases;
	for (size_t i = 0; i < choice->functions->count; i++) {
		const char *glob = choice->functions->items[i];

		if ((!releases || names_releases(glob)) &&
		    claw_glob_match(glob, info->name))
			return true;
	}
	return false;
}

/* ---- sites ------------------------------------------------------------ */

static bool same_name(const struct claw_sweep_site *a,
		      const struct claw_sweep_site *b)
{
	return a->api == b->api && strcmp(a->name, b->name) == 0;
}

/* Are the points that a run shows of hardening, as its own is? */
static bool is_hardening(const struct finding *f)
{
	return f->parent != CLAW_SWEEP_NOT_REVEALED &&
		f->points->items[f->parent].kind.hardening;
}

/* The site of the call, new or known. */
static size_t get_site(struct finding *f, const struct claw_sweep_call *call)
{
	struct claw_sweep_points *points = f->points;
	struct claw_site_words words;
	struct claw_sweep_site *site;

	for (size_t i = 0; i < points->site_count; i++)
		if (points->sites[i].hash == call->site->hash &&
		    points->sites[i].api == call->api)
			return i;
	points->sites = claw_one_more(points->sites, points->site_count,
				      sizeof(*points->sites));
	claw_site_words_find(f->symbolizer, call->journal, call->record->site,
			     &words);
	site = &points->sites[points->site_count];
	*site = (struct claw_sweep_site) {
		.api = call->api, .hash = call->site->hash,
		.name = words.name, .file = words.file,
		.place = words.place ? words.place :
			claw_strdup("an unknown call site"),
		.line = words.line, .stack = words.stack,
		.alike = points->site_count,
		.is_python = call->site->kind == CLAW_SITE_PYTHON,
		.hardening = is_hardening(f),
	};
	points->has_python |= site->is_python;
	words.name = words.place = words.file = words.stack = NULL;
	claw_site_words_release(&words);
	for (size_t i = 0; i < points->site_count; i++) {
		const struct claw_sweep_site *other = &points->sites[i];

		if (other->api == site->api && *site->stack &&
		    other->hardening <= site->hardening &&
		    strcmp(other->stack, site->stack) == 0) {
			site->alike = other->alike;
			break;
		}
	}
	return points->site_count++;
}

/* Which of the calls of that name this is, from 1. */
static uint64_t count_name(struct claw_sweep_points *points, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (same_name(&points->sites[i], &points->sites[index]))
			return ++points->sites[i].calls;
	return ++points->sites[index].calls;
}

/* ---- points ----------------------------------------------------------- */

static char *make_name(const struct claw_sweep_points *points,
		       const struct claw_sweep_point *point, uint64_t ordinal)
{
	const struct claw_sweep_site *site = &points->sites[point->site];
	const char *before = point->revealed_by == CLAW_SWEEP_NOT_REVEALED ?
		NULL : points->items[point->revealed_by].name;
	char mode[24];

	claw_sweep_mode_text(point->kind.mode, point->kind.burst, mode);
	return claw_format("%s%s%s %s %s at %s #%" PRIu64,
			   before ? before : "", before ? ", then " : "",
			   claw_api_table[site->api].name, point->kind.action,
			   mode, site->name, ordinal);
}

/* Where memory is gone, it is gone for every caller: by the number among all
 * calls of the function, but where threads make that a matter of chance. */
static bool goes_by_site(const struct claw_sweep_point *point,
			 const struct claw_sweep_call *call)
{
	return point->kind.mode == CLAW_SWEEP_ONCE || call->threaded;
}

static char *make_rule(const struct claw_sweep_point *point,
		       const struct claw_sweep_call *call, bool by_site)
{
	uint64_t first = by_site ? call->at_site : call->of_api;
	char place[32] = "", last[32] = "";

	if (by_site)
		snprintf(place, sizeof(place), ":site=%" PRIx64,
			 call->site->hash);
	if (point->kind.mode == CLAW_SWEEP_FROM_HERE)
		snprintf(last, sizeof(last), "..");
	else if (point->kind.mode == CLAW_SWEEP_BURST)
		snprintf(last, sizeof(last), "..%" PRIu64,
			 first + point->kind.burst - 1);
	return claw_format("%s:%s%s:when=%" PRIu64 "%s%s%s",
			   claw_api_table[call->api].name, point->kind.action,
			   place, first, last, call->exe ? ":exe=" : "",
			   call->exe ? call->exe : "");
}

static void point_release(struct claw_sweep_point *point)
{
	free(point->name);
	free(point->rule);
	free(point->other_rule);
}

bool claw_sweep_point_turn(struct claw_sweep_point *point)
{
	if (!point->other_rule)
		return false;
	free(point->rule);
	point->rule = point->other_rule;
	point->other_rule = NULL;
	point->of_api = 0;
	return true;
}

/* Is there one of that name after the same point? Without a point before it,
 * names differ by their ordinals. */
static bool has_point(const struct claw_sweep_points *points, size_t parent,
		      const char *name)
{
	for (size_t i = points->count; parent != CLAW_SWEEP_NOT_REVEALED &&
	     i > 0 && points->items[i - 1].revealed_by == parent; i--)
		if (strcmp(points->items[i - 1].name, name) == 0)
			return true;
	return false;
}

static void add_point(struct finding *f, const struct claw_sweep_call *call,
		      size_t site, const struct claw_sweep_kind *kind,
		      size_t nth_kind, uint64_t ordinal)
{
	struct claw_sweep_points *points = f->points;
	struct claw_sweep_point point = {
		.site = site, .kind = *kind, .at_site = call->at_site,
		.nth_kind = nth_kind, .revealed_by = f->parent,
	};

	point.kind.hardening = point.kind.hardening || is_hardening(f);
	do {
		free(point.name);
		point.name = make_name(points, &point, ordinal++);
	} while (has_point(points, f->parent, point.name));
	point.of_api = goes_by_site(&point, call) ? 0 : call->of_api;
	point.rule = make_rule(&point, call, goes_by_site(&point, call));
	point.other_rule = make_rule(&point, call,
				     !goes_by_site(&point, call));
	points->items = claw_one_more(points->items, points->count,
				      sizeof(*points->items));
	points->items[points->count++] = point;
}

/* All faults of a call; only counted where it is not to be tried. */
static void add_call(struct finding *f, const struct claw_sweep_call *call,
		     size_t site, uint64_t ordinal, bool tried)
{
	struct claw_sweep_points *points = f->points;
	size_t count = 0;
	struct claw_sweep_kind *kinds =
		claw_sweep_kinds_of(&points->choice.kinds, call->api,
				    points->has_python, &count);

	points->all_count += f->parent == CLAW_SWEEP_NOT_REVEALED ? count : 0;
	for (size_t i = 0; tried && i < count; i++)
		add_point(f, call, site, &kinds[i], i, ordinal);
	free(kinds);
}

static void visit_baseline(const struct claw_sweep_call *call, void *user)
{
	struct finding *f = user;
	struct claw_sweep_points *points = f->points;
	uint64_t depth = points->choice.depth;
	size_t alike;

	points->calls++;
	if (!*call->mark)
		*call->mark = (uint32_t)get_site(f, call) + 1;
	if (!is_wanted(&points->choice, call->api))
		return;
	alike = points->sites[*call->mark - 1].alike;
	add_call(f, call, *call->mark - 1,
		 count_name(points, *call->mark - 1),
		 ++points->sites[alike].seen <= depth || depth == 0);
}

/* Is it a call that the fault has led to, and not one that it has hit? */
static bool is_revealing(struct finding *f, const struct claw_sweep_call *call,
			 size_t site, bool is_new)
{
	const struct claw_sweep_points *points = f->points;

	if (!call->after || call->record->rule || *call->mark ||
	    !is_wanted(&points->choice, call->api))
		return false;
	if (is_new)
		return points->sites[site].alike == site;
	if (!points->choice.compound || f->compounds == COMPOUND_CALLS ||
	    points->items[f->parent].revealed_by != CLAW_SWEEP_NOT_REVEALED)
		return false;
	f->compounds++;
	return true;
}

static void visit_faulted(const struct claw_sweep_call *call, void *user)
{
	struct finding *f = user;
	struct claw_sweep_points *points = f->points;
	size_t known = points->site_count, site;
	bool is_new, revealing;

	if (!call->after)
		return;
	site = get_site(f, call);
	is_new = site >= known ||
		(points->sites[site].hardening && !is_hardening(f));
	points->sites[site].hardening = points->sites[site].hardening &&
		is_hardening(f);
	revealing = is_revealing(f, call, site, is_new);
	*call->mark = 1;
	if (revealing)
		add_call(f, call, site, call->at_site, true);
}

/* -1, 0 or 1: the smaller one first. */
static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_points(const void *a, const void *b, void *user)
{
	const struct claw_sweep_point *x = a, *y = b;
	const struct claw_sweep_points *points = user;
	int order = compare_numbers(x->at_site, y->at_site);

	if (order == 0)
		order = compare_numbers(x->nth_kind, y->nth_kind);
	if (order == 0)
		order = compare_numbers(points->sites[x->site].later,
					points->sites[y->site].later);
	if (order == 0)
		order = compare_numbers(y->site, x->site);
	return order ? order : strcmp(x->name, y->name);
}

/* Sites are in the order of their first calls. */
static void count_later(struct claw_sweep_points *points)
{
	size_t counts[CLAW_API_COUNT] = { 0 };

	for (size_t i = points->site_count; i > 0; i--)
		points->sites[i - 1].later =
			counts[points->sites[i - 1].api]++;
}

static void sort_points(struct claw_sweep_points *points)
{
	if (points->count > 0)
		qsort_r(points->items, points->count, sizeof(*points->items),
			compare_points, points);
}

void claw_sweep_points_find(const struct claw_sweep_choice *choice,
			    const struct claw_evidence *baseline,
			    struct claw_symbolizer *symbolizer,
			    struct claw_sweep_points *ret_points)
{
	struct claw_sweep_points *points = ret_points;
	struct finding f = { points, symbolizer, CLAW_SWEEP_NOT_REVEALED, 0 };

	*points = (struct claw_sweep_points) { .choice = *choice };
	claw_sweep_walk(baseline, visit_baseline, &f);
	points->first_sites = points->site_count;
	points->lost_calls = baseline->dropped_calls;
	count_later(points);
	sort_points(points);
}

void claw_sweep_points_reveal(struct claw_sweep_points *points, size_t index,
			      const struct claw_evidence *evidence,
			      struct claw_symbolizer *symbolizer)
{
	struct finding f = { points, symbolizer, index, 0 };

	claw_sweep_walk(evidence, visit_faulted, &f);
}

void claw_sweep_points_release(struct claw_sweep_points *points)
{
	for (size_t i = 0; i < points->count; i++)
		point_release(&points->items[i]);
	for (size_t i = 0; i < points->site_count; i++) {
		free(points->sites[i].name);
		free(points->sites[i].place);
		free(points->sites[i].file);
		free(points->sites[i].stack);
	}
	free(points->items);
	free(points->sites);
	*points = (struct claw_sweep_points) { .items = NULL };
}

char **claw_sweep_point_rules(const struct claw_sweep_points *points,
			      size_t index, size_t *ret_count)
{
	size_t count = 0;
	char **rules;

	for (size_t i = index; i != CLAW_SWEEP_NOT_REVEALED;
	     i = points->items[i].revealed_by)
		count++;
	rules = claw_calloc(count + 1, sizeof(*rules));
	*ret_count = count;
	for (size_t i = index; i != CLAW_SWEEP_NOT_REVEALED;
	     i = points->items[i].revealed_by)
		rules[--count] = points->items[i].rule;
	return rules;
}

char *claw_sweep_point_fault(const struct claw_sweep_points *points,
			     size_t index)
{
	size_t count, size;
	char **rules = claw_sweep_point_rules(points, index, &count);
	char *text = NULL;
	FILE *out = claw_text_begin(&text, &size);

	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%s", i ? "; " : "", rules[i]);
	free(rules);
	claw_text_end(out);
	return text;
}
