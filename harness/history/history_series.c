/* SPDX-License-Identifier: Apache-2.0 */
/* The last results of a series, and what is kept of them in its row. */
#include "config.h"

#include "history_private.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"

enum { SETTLED_AT_ONCE = 256 };	/* series, while others wait */

/* ---- points --------------------------------------------------------------------- */

static char *commit_of(struct claw_history *history, int64_t run)
{
	static const char text[] = "SELECT \"commit\" FROM run WHERE id = ?";
	sqlite3_stmt *row = claw_history_with(history, text, "i", run);
	char *commit = claw_strdup(row && sqlite3_step(row) == SQLITE_ROW ?
				   claw_history_text(row, 0) : "");

	sqlite3_reset(row);
	return commit;
}

static int count_changes(const struct claw_history_point *points, int count)
{
	char before = 0;
	int changes = 0;

	for (int i = 0; i < count; i++) {
		if (points[i].class != 'p' && points[i].class != 'f')
			continue;
		changes += before && before != points[i].class;
		before = points[i].class;
	}
	return changes;
}

/* Nobody asks for the others, nor for any where more than two changes are no
 * commit's (history_judge.h). */
static void add_commits(struct claw_history *history,
			struct claw_history_point *points, int count)
{
	if (count_changes(points, count) > 2)
		return;
	for (int i = 0; i < count; i++)
		if ((i > 0 && points[i].class != points[i - 1].class) ||
		    (i + 1 < count && points[i].class != points[i + 1].class))
			points[i].commit = commit_of(history, points[i].run);
}

static void turn_round(struct claw_history_point *points, int count)
{
	for (int i = 0, j = count - 1; i < j; i++, j--) {
		struct claw_history_point point = points[i];

		points[i] = points[j];
		points[j] = point;
	}
}

int claw_history_read_points(struct claw_history *history, int64_t series,
			     int64_t since,
			     struct claw_history_point **ret_points)
{
	static const char text[] = "SELECT started, run, class, is_flaky,"
		" duration_us, device FROM result WHERE series = ?"
		" AND started >= ? ORDER BY started DESC, run DESC LIMIT ?";
	struct claw_history_point *points =
		claw_calloc(CLAW_HISTORY_RECENT, sizeof(*points));
	sqlite3_stmt *row = claw_history_with(history, text, "iii", series,
		since, (int64_t)CLAW_HISTORY_RECENT);
	int count = 0, step = SQLITE_ERROR;

	while (row && (step = sqlite3_step(row)) == SQLITE_ROW)
		points[count++] = (struct claw_history_point) {
			.started = sqlite3_column_int64(row, 0),
			.run = sqlite3_column_int64(row, 1),
			.class = *claw_history_text(row, 2),
			.is_flaky = sqlite3_column_int(row, 3),
			.duration_us = (uint64_t)sqlite3_column_int64(row, 4),
			.device = sqlite3_column_int64(row, 5),
		};
	if (step != SQLITE_DONE) {
		claw_history_free_points(points, count);
		return -1;
	}
	turn_round(points, count);
	add_commits(history, points, count);
	*ret_points = points;
	return count;
}

void claw_history_free_points(struct claw_history_point *points, int count)
{
	for (int i = 0; i < count; i++)
		free((char *)points[i].commit);
	free(points);
}

/* ---- judgements ------------------------------------------------------------------- */

static void put_trend(const struct claw_history_series *series,
		      const struct claw_history_judged *judged,
		      struct claw_history_summary *to)
{
	bool is_change = judged->trend == CLAW_TREND_NEW ||
		judged->trend == CLAW_TREND_BACK ||
		judged->trend == CLAW_TREND_FIXED;

	to->trend = judged->trend;
	to->passed = (int64_t)judged->passed;
	to->failed = (int64_t)judged->failed;
	to->before = is_change ? series->points[judged->before].run : 0;
	to->after = is_change ? series->points[judged->at].run : 0;
}

bool claw_history_summarize(struct claw_history *history, int64_t id,
			    struct claw_history_summary *ret_summary)
{
	struct claw_history_series series = { .count = 0 };
	struct claw_history_judged judged;
	struct claw_history_point *points;
	int count = claw_history_read_points(history, id, INT64_MIN, &points);

	if (count < 0)
		return false;
	series.points = points;
	series.count = (size_t)count;
	claw_history_judge(&series, &judged);
	*ret_summary = (struct claw_history_summary) {
		.from = count ? points[0].started : 0, .ratio = judged.ratio,
	};
	put_trend(&series, &judged, ret_summary);
	if (judged.ratio > 0) {
		ret_summary->times_before = points[judged.slower_before].run;
		ret_summary->times_after = points[judged.slower_at].run;
	}
	claw_history_free_points(points, count);
	return true;
}

bool claw_history_narrow(struct claw_history *history, int64_t id,
			 int64_t since, struct claw_history_summary *summary)
{
	static const char started[] = "SELECT started FROM run WHERE id = ?";
	struct claw_history_series series;
	struct claw_history_judged judged;
	struct claw_history_point *points;
	int count;

	if (since <= summary->from)
		return true;
	if (summary->ratio > 0 && claw_history_number(history, started, "i",
	    summary->times_after) < since)
		summary->ratio = 0;
	/* What never fails did not since then: no reason to read it. */
	if (summary->trend == CLAW_TREND_NONE)
		return true;
	count = claw_history_read_points(history, id, since, &points);
	if (count < 0)
		return false;
	series.points = points;
	series.count = (size_t)count;
	claw_history_judge_trend(&series, &judged);
	put_trend(&series, &judged, summary);
	claw_history_free_points(points, count);
	return true;
}

/* ---- keep them -------------------------------------------------------------------- */

static bool keep(struct claw_history *history, int64_t series,
		 const struct claw_history_summary *summary)
{
	static const char text[] = "UPDATE series SET judge = ?, judged_from = ?,"
		" trend = ?, passed = ?, failed = ?, ratio = ?,"
		" trend_before = ?, trend_after = ?, times_before = ?,"
		" times_after = ? WHERE id = ?";

	return claw_history_run(history, text, "iiiiidiiiii",
		(int64_t)CLAW_HISTORY_JUDGE, summary->from,
		(int64_t)summary->trend, summary->passed, summary->failed,
		summary->ratio, summary->before, summary->after,
		summary->times_before, summary->times_after, series);
}

/* The next ones behind *series, which becomes the last of them; how many they
 * are; -1: an error. */
static int settle_some(struct claw_history *history, int64_t *series)
{
	static const char text[] = "SELECT id FROM series WHERE id > ?"
		" AND judge != ? ORDER BY id LIMIT ?";
	int64_t ids[SETTLED_AT_ONCE];
	sqlite3_stmt *row = claw_history_with(history, text, "iii", *series,
		(int64_t)CLAW_HISTORY_JUDGE, (int64_t)SETTLED_AT_ONCE);
	int count = 0, step = SQLITE_ERROR;

	while (row && (step = sqlite3_step(row)) == SQLITE_ROW)
		ids[count++] = sqlite3_column_int64(row, 0);
	for (int i = 0; step == SQLITE_DONE && i < count; i++) {
		struct claw_history_summary summary;

		if (!claw_history_summarize(history, ids[i], &summary) ||
		    !keep(history, ids[i], &summary))
			return -1;
		*series = ids[i];
	}
	return step == SQLITE_DONE ? count : -1;
}

int claw_history_settle(struct claw_history *history, char *error, size_t size)
{
	int64_t series = 0;
	int count = SETTLED_AT_ONCE, ret;

	if (!sqlite3_get_autocommit(history->db) &&
	    claw_history_do(history, "COMMIT") != SQLITE_OK)
		return claw_history_fail(history, error, size);
	while (count == SETTLED_AT_ONCE) {
		if (claw_history_do(history, "BEGIN IMMEDIATE") != SQLITE_OK)
			return claw_history_fail(history, error, size);
		count = settle_some(history, &series);
		if (count < 0 || claw_history_do(history, "COMMIT") !=
		    SQLITE_OK) {
			ret = claw_history_fail(history, error, size);
			claw_history_do(history, "ROLLBACK");
			return ret;
		}
	}
	return 0;
}
