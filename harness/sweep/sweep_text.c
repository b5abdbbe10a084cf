/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines about a sweep: its start, its progress, its table.
 */
#include "config.h"

#include "sweep_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/hash.h"
#include "harness/base/memory.h"
#include "reports/report.h"
#include "reports/sweep_handlers.h"
#include "sweep_again.h"
#include "sweep_known.h"
#include "sweep_look.h"
#include "reports/sweep_shown.h"

enum {
	BAR_CELLS = 20,
	DETAIL_LINES = 40,
	FIRST_RUN_LINES = 3,
};

/* In the order of the table: what is worst comes first. */
static const enum claw_verdict order[] = {
	CLAW_CRASH, CLAW_HANG, CLAW_MISUSE, CLAW_LEAK, CLAW_SWALLOWED,
	CLAW_SANITIZER, CLAW_DEGRADED, CLAW_HANDLED, CLAW_NOT_REACHED,
	CLAW_NOT_INJECTED, CLAW_INCONCLUSIVE, CLAW_INFRA,
};
enum { ORDER_COUNT = sizeof(order) / sizeof(*order) };

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* What it produces, to see at a glance whether two sweeps saw the same. */
static void print_hash(FILE *out, const char *path)
{
	char text[CLAW_HASH_TEXT_BYTES];
	uint64_t bytes;

	if (claw_hash_file(path, text, &bytes))
		fprintf(out, "sha256 %s (%" PRIu64 " byte%s)", text, bytes,
			plural(bytes));
	else
		fputs("not there", out);
}

static void print_artifacts(FILE *out, const struct claw_judged_run *run)
{
	for (size_t i = 0; i < run->setup->artifacts.count; i++) {
		char *copy = claw_judged_artifact(run, i);

		fputs("artifact: ", out);
		claw_report_put(out, run->setup->artifacts.items[i]);
		fputc(' ', out);
		print_hash(out, copy);
		fputc('\n', out);
		free(copy);
	}
}

/* What is run besides the points. */
static void print_looks(FILE *out, const struct claw_sweep *sweep)
{
	for (size_t i = 0; i < sweep->look_count; i++) {
		const struct claw_sweep_look *look = &sweep->looks[i];
		const struct claw_judged_run *run = &look->baseline.runs[0];

		fprintf(out, "under %s: %.2f s; each handled point is "
			"repeated there, timeout %.1f s per run\n",
			look->judge.tool->under.row->name,
			(double)run->result.duration_us / 1e6,
			(double)look->limit_ms / 1e3);
	}
}

static double slower_s(const struct claw_judge_baseline *baseline)
{
	uint64_t a_us = baseline->runs[0].result.duration_us;
	uint64_t b_us = baseline->runs[1].result.duration_us;

	return (double)(a_us > b_us ? a_us : b_us) / 1e6;
}

/* As long as the runs without faults take: what hangs takes longer, what ends
 * early less, and points that faults show are not known yet. */
static void print_estimate(FILE *out, const struct claw_sweep *sweep)
{
	size_t points = sweep->first_count - sweep->elsewhere;
	double seconds = slower_s(&sweep->baseline);

	for (size_t i = 0; i < sweep->look_count; i++)
		seconds += slower_s(&sweep->looks[i].baseline);
	seconds *= (double)points / sweep->how->jobs;
	if (seconds < 120)
		fprintf(out, "estimate: %.0f s", seconds < 1 ? 1 : seconds);
	else
		fprintf(out, "estimate: %.0f min", seconds / 60);
	fprintf(out, " for %zu point%s at the speed of the baseline", points,
		plural(points));
	if (sweep->how->jobs > 1)
		fprintf(out, ", %u at a time", sweep->how->jobs);
	fputc('\n', out);
}

void claw_sweep_print_start(FILE *out, const struct claw_sweep *sweep)
{
	const struct claw_judged_run *run = &sweep->baseline.runs[0];
	const struct claw_sweep_points *points = &sweep->points;
	char *compared = claw_compared_text(&sweep->baseline.compared);
	char *notes = claw_judge_notes(&sweep->baseline);

	fputs("baseline: ", out);
	if (sweep->how->judge->tool)
		fprintf(out, "under %s, ", claw_sweep_configuration(sweep));
	fprintf(out, "exit %d, %" PRIu64 " OpenCL call%s at %zu "
		"site%s, %.2f s, output ", run->result.code, points->calls,
		plural(points->calls), points->first_sites,
		plural(points->first_sites),
		(double)run->result.duration_us / 1e6);
	print_hash(out, claw_judged_output(run));
	fputc('\n', out);
	print_artifacts(out, run);
	fprintf(out, "compared: %s\n", compared);
	if (notes)
		claw_report_lines(out, "", notes, 10);
	free(compared);
	free(notes);
	fprintf(out, "points: %zu", sweep->first_count);
	if (points->all_count > sweep->first_count)
		fprintf(out, " (%" PRIu64 " with --points all)",
			points->all_count);
	if (sweep->elsewhere > 0)
		fprintf(out, ", %zu of them in other shards",
			sweep->elsewhere);
	fprintf(out, ", seed %" PRIu64 ", timeout %.1f s per run\n",
		sweep->how->choice.seed, (double)sweep->limit_ms / 1e3);
	if (points->lost_calls > 0)
		fprintf(out, "points: %" PRIu64 " calls were not recorded and "
			"are not included\n", points->lost_calls);
	print_looks(out, sweep);
	print_estimate(out, sweep);
}

void claw_sweep_print_progress(FILE *out, const struct claw_sweep *sweep,
			       uint64_t elapsed_ms)
{
	size_t all = sweep->points.count - sweep->elsewhere;
	size_t filled = all ? sweep->done * BAR_CELLS / all : BAR_CELLS;
	uint64_t left_s = sweep->done ? elapsed_ms * (all - sweep->done) /
		sweep->done / 1000 : 0;

	fputc('[', out);
	for (size_t i = 0; i < BAR_CELLS; i++)
		fputc(i < filled ? '#' : '-', out);
	fprintf(out, "] %zu/%zu", sweep->done, all);
	for (size_t i = 0; i < ORDER_COUNT; i++)
		if (order[i] != CLAW_HANDLED && sweep->counts[order[i]] > 0)
			fprintf(out, "  %" PRIu64 " %s",
				sweep->counts[order[i]],
				claw_verdict_name(order[i]));
	if (sweep->done > 0)
		fprintf(out, "  %02" PRIu64 ":%02" PRIu64 " left", left_s / 60,
			left_s % 60);
}

/* "clCreateBuffer:oom", "clCreateBuffer:oom from-here"; of a point that comes
 * after another, that, too. */
static void print_fault(FILE *out, const struct claw_sweep_points *points,
			size_t index)
{
	const struct claw_sweep_point *point = &points->items[index];
	char mode[24];

	if (point->revealed_by != CLAW_SWEEP_NOT_REVEALED) {
		print_fault(out, points, point->revealed_by);
		fputs(", then ", out);
	}
	claw_sweep_mode_text(point->kind.mode, point->kind.burst, mode);
	fprintf(out, "%s:%s%s%s",
		claw_api_table[points->sites[point->site].api].name,
		point->kind.action,
		point->kind.mode == CLAW_SWEEP_ONCE ? "" : " ",
		point->kind.mode == CLAW_SWEEP_ONCE ? "" : mode);
}

static void print_verdict(FILE *out, const struct claw_sweep_group *group,
			  bool color)
{
	enum claw_verdict verdict = group->verdict;
	char word[16];
	size_t i = 0;

	if (group->known || group->hardening) {
		fprintf(out, "%-10s %s ", group->known ? "known" : "hardening",
			claw_verdict_name(verdict));
		return;
	}
	for (const char *c = claw_verdict_name(verdict);
	     *c && i + 1 < sizeof(word); c++)
		word[i++] = (char)toupper((unsigned char)*c);
	word[i] = '\0';
	fprintf(out, "%s%-10s%s ", color ? "\033[31m" : "", word,
		color ? "\033[0m" : "");
}

/* The message without what the line says already. */
static void print_message(FILE *out, const char *message)
{
	const char *after = strstr(message, " after cl");
	const char *rest = after ? strstr(after, ": ") : NULL;
	char *text = after ? claw_strndup(message, (size_t)(after - message)) :
		claw_strdup(message);

	claw_report_put(out, text);
	if (rest)
		claw_report_put(out, rest);
	free(text);
}

/* Where it is said that it is known, and why. */
static void print_known(FILE *out, const struct claw_sweep_known_finding *known)
{
	fprintf(out, "%11s", "");
	claw_report_put(out, known->origin);
	if (known->reason) {
		fputs(": ", out);
		claw_report_put(out, known->reason);
	}
	fputc('\n', out);
}

void claw_sweep_print_group(FILE *out, const struct claw_sweep *sweep,
			    const struct claw_sweep_group *group, bool color)
{
	const struct claw_sweep_points *points = &sweep->points;
	const struct claw_sweep_point *point = &points->items[group->first];

	print_verdict(out, group, color);
	print_fault(out, points, group->first);
	fputs("  at ", out);
	claw_report_put(out, points->sites[point->site].place);
	fputs("  ", out);
	print_message(out, group->message);
	fprintf(out, "  %zu point%s\n", group->count, plural(group->count));
	if (group->known)
		print_known(out, group->known);
	claw_sweep_handlers_print_lines(out, "           first run",
		sweep->outcomes[group->first].first_run, FIRST_RUN_LINES,
		sweep->how->source_root);
	if (group->known || !group->again)
		return;
	fprintf(out, "%11sreproduce: %s\n", "", group->again);
	if (group->not_again) {
		fprintf(out, "%11sdid not reproduce: ", "");
		claw_report_put(out, group->not_again);
		fputc('\n', out);
	} else if (!group->checked) {
		fprintf(out, "%11s(not verified)\n", "");
	}
}

/* Is nothing known of both, for one reason? Rules that did not fire are one. */
static bool is_alike(const struct claw_sweep_outcome *one,
		     const struct claw_sweep_outcome *other)
{
	return one->why && other->why && one->verdict == other->verdict &&
	       (one->verdict == CLAW_NOT_REACHED ||
		strcmp(one->why, other->why) == 0);
}

/* Points of which nothing is known: all, or one for each reason. */
static void print_unknown(FILE *out, const struct claw_sweep *sweep,
			  bool verbose)
{
	const struct claw_sweep_outcome *outcomes = sweep->outcomes;

	for (size_t i = 0; i < sweep->points.count; i++) {
		size_t first = 0, more = 0;
		char *line;

		if (!outcomes[i].why)
			continue;
		while (!is_alike(&outcomes[first], &outcomes[i]))
			first++;
		if (!verbose && first < i)
			continue;
		for (size_t k = i + 1; k < sweep->points.count; k++)
			more += is_alike(&outcomes[i], &outcomes[k]);
		fprintf(out, "%s: %s: ", claw_verdict_name(outcomes[i].verdict),
			sweep->points.items[i].name);
		claw_report_put(out, outcomes[i].why);
		if (!verbose && more > 0)
			fprintf(out, " (and %zu more: -v lists them)", more);
		line = claw_sweep_again_line(sweep, i, outcomes[i].verdict);
		fprintf(out, "\n%11srun again: %s\n", "", line);
		free(line);
	}
}

char *claw_sweep_summary(const struct claw_sweep *sweep)
{
	const struct claw_sweep_points *points = &sweep->points;
	size_t revealed = points->count - sweep->first_count;
	size_t left = points->count - sweep->elsewhere - sweep->done;
	size_t news = claw_sweep_known_news(sweep), known = 0, hardening = 0;
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);
	bool any = false;

	fprintf(out, "%zu point%s", sweep->done, plural(sweep->done));
	if (revealed > 0)
		fprintf(out, " (%zu shown by other points)", revealed);
	for (size_t i = 0; i < ORDER_COUNT; i++) {
		if (sweep->counts[order[i]] == 0)
			continue;
		fprintf(out, "%s %" PRIu64 " %s", any ? "," : ":",
			sweep->counts[order[i]], claw_verdict_name(order[i]));
		any = true;
	}
	if (sweep->shared > 0)
		fprintf(out, ", %zu of them by the run of another",
			sweep->shared);
	for (size_t i = 0; i < sweep->look_count; i++)
		fprintf(out, "; %" PRIu64 " repeated under %s",
			claw_sweep_look_count(sweep, i),
			sweep->looks[i].judge.tool->under.row->name);
	for (size_t g = 0; g < sweep->group_count; g++) {
		known += sweep->groups[g].known != NULL;
		hardening += !sweep->groups[g].known &&
			sweep->groups[g].hardening;
	}
	if (news > 0)
		fprintf(out, "; %zu finding%s", news, plural(news));
	if (known > 0)
		fprintf(out, "%s %zu known", news > 0 ? "," : ";", known);
	if (hardening > 0)
		fprintf(out, "%s %zu hardening (not counted)",
			news + known > 0 ? "," : ";", hardening);
	if (left > 0)
		fprintf(out, "; %zu not run", left);
	claw_text_end(out);
	return text;
}

/* Which errors of which functions the program was shown. */
static void print_shown(FILE *out, const struct claw_sweep *sweep, bool all)
{
	const struct claw_sweep_points *points = &sweep->points;
	struct claw_sweep_shown shown = { .pairs = NULL };

	/* What other shards show is not known here. */
	for (size_t i = 0; sweep->elsewhere == 0 && i < points->first_sites;
	     i++)
		shown.called[points->sites[i].api] = true;
	for (size_t i = 0; i < points->count; i++)
		if (sweep->outcomes[i].state == CLAW_SWEEP_DONE)
			claw_sweep_shown_add(&shown, points->items[i].rule,
					     sweep->outcomes[i].verdict);
	claw_sweep_shown_print(out, &shown, all);
	claw_sweep_shown_release(&shown);
}

/* Which lines only faults have led to. */
static void print_handlers(FILE *out, const struct claw_sweep *sweep, bool all)
{
	struct claw_sweep_handlers handlers = { .is_known = false };

	claw_sweep_handlers_begin(&handlers, CLAW_SWEEP_UNRUN, sweep->unrun);
	claw_sweep_handlers_begin(&handlers, CLAW_SWEEP_UNRUN_ELSEWHERE,
				  sweep->unrun_elsewhere);
	for (size_t i = 0; i < sweep->points.count; i++)
		claw_sweep_handlers_add(&handlers,
					sweep->outcomes[i].first_run);
	claw_sweep_handlers_print(out, &handlers, all, sweep->elsewhere == 0,
				  sweep->how->source_root);
	claw_sweep_handlers_release(&handlers);
}

/* Those that count, or those that do not: that are known or of hardening. */
static void print_groups(FILE *out, const struct claw_sweep *sweep,
			 bool counted, bool verbose, bool color)
{
	for (size_t i = 0; i < ORDER_COUNT; i++)
		for (size_t g = 0; g < sweep->group_count; g++) {
			const struct claw_sweep_group *group =
				&sweep->groups[g];

			if (group->verdict != order[i] ||
			    counted == (group->known || group->hardening))
				continue;
			claw_sweep_print_group(out, sweep, group, color);
			if (verbose && group->detail)
				claw_report_lines(out, "    ", group->detail,
						  DETAIL_LINES);
		}
}

void claw_sweep_print_all(FILE *out, const struct claw_sweep *sweep,
			  bool verbose, bool color)
{
	char *summary = claw_sweep_summary(sweep);

	print_groups(out, sweep, false, verbose, color);
	print_groups(out, sweep, true, verbose, color);
	print_unknown(out, sweep, verbose);
	print_shown(out, sweep, verbose);
	print_handlers(out, sweep, verbose);
	fprintf(out, "%s\n", summary);
	free(summary);
}

void claw_sweep_print_points(FILE *out, const struct claw_sweep *sweep)
{
	for (size_t i = 0; i < sweep->points.count; i++) {
		char *fault = claw_sweep_point_fault(&sweep->points, i);

		if (sweep->outcomes[i].state != CLAW_SWEEP_ELSEWHERE)
			fprintf(out, "%s\t%s\n", sweep->points.items[i].name,
				fault);
		free(fault);
	}
}
