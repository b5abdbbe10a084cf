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
#include <zlib.h>

#include "reports/report.h"
#include "sweep_known.h"
#include "sweep_shown.h"

enum {
	BAR_CELLS = 20,
	DETAIL_LINES = 40,
};

/* In the order of the table: what is worst comes first. */
static const enum claw_verdict order[] = {
	CLAW_CRASH, CLAW_HANG, CLAW_MISUSE, CLAW_LEAK, CLAW_SWALLOWED,
	CLAW_SANITIZER, CLAW_DEGRADED, CLAW_HANDLED, CLAW_NOT_REACHED,
	CLAW_NOT_INJECTED, CLAW_INFRA,
};
enum { ORDER_COUNT = sizeof(order) / sizeof(*order) };

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* A checksum of a file, to see at a glance whether two sweeps saw the same. */
static bool sum_file(const char *path, uint64_t *ret_bytes, unsigned long *ret)
{
	FILE *in = fopen(path, "re");
	unsigned char bytes[16384];
	size_t size;

	if (!in)
		return false;
	*ret_bytes = 0;
	*ret = crc32(0, NULL, 0);
	while ((size = fread(bytes, 1, sizeof(bytes), in)) > 0) {
		*ret = crc32(*ret, bytes, (uInt)size);
		*ret_bytes += size;
	}
	fclose(in);
	return true;
}

void claw_sweep_print_start(FILE *out, const struct claw_sweep *sweep)
{
	const struct claw_judged_run *run = &sweep->baseline.runs[0];
	const struct claw_sweep_points *points = &sweep->points;
	char *aside = claw_unstable_text(&sweep->baseline.unstable);
	unsigned long sum = 0;
	uint64_t bytes = 0;

	fprintf(out, "baseline: exit %d, %" PRIu64 " OpenCL call%s at %zu "
		"site%s, %.2f s", run->result.code, points->calls,
		plural(points->calls), points->first_sites,
		plural(points->first_sites),
		(double)run->result.duration_us / 1e6);
	if (sum_file(claw_judged_output(run), &bytes, &sum))
		fprintf(out, ", output %" PRIu64 " byte%s, crc32 %08lx", bytes,
			plural(bytes), sum);
	fputc('\n', out);
	if (aside)
		fprintf(out, "set aside: %s\n", aside);
	free(aside);
	fprintf(out, "points: %zu", sweep->first_count);
	if (points->all_count > sweep->first_count)
		fprintf(out, " (of %" PRIu64 " if every call were failed: "
			"--points all)", points->all_count);
	if (sweep->elsewhere > 0)
		fprintf(out, ", %zu of them in other shards",
			sweep->elsewhere);
	fprintf(out, ", seed %" PRIu64 ", %.1f s for each\n",
		sweep->how->choice.seed, (double)sweep->limit_ms / 1e3);
	if (points->lost_calls > 0)
		fprintf(out, "points: not from %" PRIu64 " calls that there "
			"was no room to record\n", points->lost_calls);
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

	if (group->known) {
		fprintf(out, "%-10s %s ", "known", claw_verdict_name(verdict));
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
	char *text = after ? strndup(message, (size_t)(after - message)) : NULL;

	claw_report_put(out, text ? text : message);
	if (text && rest)
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
	if (group->known || !group->again)
		return;
	fprintf(out, "%11s%s\n", "", group->again);
	if (group->not_again) {
		fprintf(out, "%11snot again: ", "");
		claw_report_put(out, group->not_again);
		fputc('\n', out);
	} else if (!group->checked) {
		fprintf(out, "%11s(that line was not run)\n", "");
	}
}

static void print_unreached(FILE *out, const struct claw_sweep *sweep)
{
	for (size_t i = 0; i < sweep->points.count; i++)
		if (sweep->outcomes[i].state == CLAW_SWEEP_DONE &&
		    sweep->outcomes[i].verdict == CLAW_NOT_REACHED)
			fprintf(out, "not-reached: %s\n",
				sweep->points.items[i].name);
}

char *claw_sweep_summary(const struct claw_sweep *sweep)
{
	const struct claw_sweep_points *points = &sweep->points;
	size_t revealed = points->count - sweep->first_count;
	size_t left = points->count - sweep->elsewhere - sweep->done;
	size_t news = claw_sweep_known_news(sweep);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool any = false;

	if (!out)
		return NULL;
	fprintf(out, "%zu point%s", sweep->done, plural(sweep->done));
	if (revealed > 0)
		fprintf(out, " (%zu shown by others)", revealed);
	for (size_t i = 0; i < ORDER_COUNT; i++) {
		if (sweep->counts[order[i]] == 0)
			continue;
		fprintf(out, "%s %" PRIu64 " %s", any ? "," : ":",
			sweep->counts[order[i]], claw_verdict_name(order[i]));
		any = true;
	}
	if (news > 0)
		fprintf(out, "; %zu finding%s", news, plural(news));
	if (sweep->group_count > news)
		fprintf(out, "%s %zu known", news > 0 ? "," : ";",
			sweep->group_count - news);
	if (left > 0)
		fprintf(out, "; %zu not run", left);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* Which errors of which functions the program was shown. */
static void print_shown(FILE *out, const struct claw_sweep *sweep, bool all)
{
	const struct claw_sweep_points *points = &sweep->points;
	struct claw_sweep_shown shown = { .pairs = NULL };
	int ret = 0;

	/* What other shards show is not known here. */
	for (size_t i = 0; sweep->elsewhere == 0 && i < points->first_sites;
	     i++)
		shown.called[points->sites[i].api] = true;
	for (size_t i = 0; ret == 0 && i < points->count; i++)
		if (sweep->outcomes[i].state == CLAW_SWEEP_DONE)
			ret = claw_sweep_shown_add(&shown,
						   points->items[i].rule,
						   sweep->outcomes[i].verdict);
	if (ret == 0)
		claw_sweep_shown_print(out, &shown, all);
	else
		fputs("out of memory\n", out);
	claw_sweep_shown_release(&shown);
}

/* Those that are news, or those that are not. */
static void print_groups(FILE *out, const struct claw_sweep *sweep, bool known,
			 bool verbose, bool color)
{
	for (size_t i = 0; i < ORDER_COUNT; i++)
		for (size_t g = 0; g < sweep->group_count; g++) {
			const struct claw_sweep_group *group =
				&sweep->groups[g];

			if (group->verdict != order[i] ||
			    known != (group->known != NULL))
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

	print_groups(out, sweep, true, verbose, color);
	print_groups(out, sweep, false, verbose, color);
	if (verbose)
		print_unreached(out, sweep);
	print_shown(out, sweep, verbose);
	fprintf(out, "%s\n", summary ? summary : "out of memory");
	free(summary);
}

void claw_sweep_print_points(FILE *out, const struct claw_sweep *sweep)
{
	for (size_t i = 0; i < sweep->points.count; i++) {
		char *fault = claw_sweep_point_fault(&sweep->points, i);

		if (sweep->outcomes[i].state != CLAW_SWEEP_ELSEWHERE)
			fprintf(out, "%s\t%s\n", sweep->points.items[i].name,
				fault ? fault : "");
		free(fault);
	}
}
