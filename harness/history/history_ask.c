/* SPDX-License-Identifier: Apache-2.0 */
/* Series, findings and coverage of a history. */
#include "config.h"

#include "history_private.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "history_plot.h"

/* ?1: since, ?2, ?3: patterns */
#define LIKE_QUERY							\
	" (?2 IS NULL OR is_like(?2, suite || '/' || item.name)"		\
	" OR is_like(?2, item.name)) AND is_like(?3, series.device)"
#define BY_NAME	" suite, item.name, configuration, series.device, machine"

static sqlite3_stmt *ask(struct claw_history *history, const char *text,
			 const struct claw_history_query *query)
{
	return claw_history_with(history, text, "iss", query->since,
				 query->name, query->device);
}

static struct claw_history_names names_of(sqlite3_stmt *row, int first)
{
	return (struct claw_history_names) {
		.suite = claw_history_text(row, first),
		.name = claw_history_text(row, first + 1),
		.configuration = claw_history_text(row, first + 2),
		.device = claw_history_text(row, first + 3),
		.machine = claw_history_text(row, first + 4),
	};
}

static int end(struct claw_history *history, int step, char *error, size_t size)
{
	int ret = step == SQLITE_DONE ? 0 :
		claw_history_fail(history, error, size);

	claw_history_do(history, "COMMIT");
	return ret;
}

/* ---- series ----------------------------------------------------------------------- */

/* Of a run in a series, all but its time. */
static struct claw_history_point point_of(struct claw_history *history,
					  int64_t series, int64_t run)
{
	static const char text[] = "SELECT run.started, \"commit\", verdict,"
		" class, driver FROM run JOIN result ON result.series = ?"
		" AND result.started = run.started AND result.run = run.id"
		" JOIN device ON device.id = result.device WHERE run.id = ?";
	struct claw_history_point point = {
		.run = run, .commit = NULL, .verdict = NULL, .driver = NULL,
	};
	sqlite3_stmt *row = run ? claw_history_with(history, text, "ii",
						    series, run) : NULL;

	if (row && sqlite3_step(row) == SQLITE_ROW) {
		point.started = sqlite3_column_int64(row, 0);
		point.commit = claw_strdup(claw_history_text(row, 1));
		point.verdict = claw_strdup(claw_history_text(row, 2));
		point.class = *claw_history_text(row, 3);
		point.driver = claw_strdup(claw_history_text(row, 4));
	}
	sqlite3_reset(row);
	return point;
}

static void free_point(struct claw_history_point *point)
{
	free((char *)point->commit);
	free((char *)point->verdict);
	free((char *)point->driver);
}

/* Columns of a row from "judge" on. */
static struct claw_history_summary summary_of(sqlite3_stmt *row, int first)
{
	return (struct claw_history_summary) {
		.from = sqlite3_column_int64(row, first + 1),
		.trend = (enum claw_history_trend)
			sqlite3_column_int(row, first + 2),
		.passed = sqlite3_column_int64(row, first + 3),
		.failed = sqlite3_column_int64(row, first + 4),
		.ratio = sqlite3_column_double(row, first + 5),
		.before = sqlite3_column_int64(row, first + 6),
		.after = sqlite3_column_int64(row, first + 7),
		.times_before = sqlite3_column_int64(row, first + 8),
		.times_after = sqlite3_column_int64(row, first + 9),
	};
}

static void tell(struct claw_history *history, sqlite3_stmt *row,
		 const struct claw_history_summary *summary,
		 claw_history_visit *visit, void *user)
{
	int64_t id = sqlite3_column_int64(row, 0);
	struct claw_history_state state = {
		.id = id, .names = names_of(row, 1),
		.results = (uint64_t)sqlite3_column_int64(row, 6),
		.trend = summary->trend < CLAW_TREND_COUNT ? summary->trend :
			CLAW_TREND_NONE,
		.passed = (uint64_t)summary->passed,
		.failed = (uint64_t)summary->failed, .ratio = summary->ratio,
		.before = point_of(history, id, summary->before),
		.after = point_of(history, id, summary->after),
		.times_before = point_of(history, id, summary->times_before),
		.times_after = point_of(history, id, summary->times_after),
	};

	if (state.trend == CLAW_TREND_FLAKY)
		claw_history_interval(state.failed, state.failed + state.passed,
				      &state.low, &state.high);
	visit(user, &state);
	free_point(&state.before);
	free_point(&state.after);
	free_point(&state.times_before);
	free_point(&state.times_after);
}

int claw_history_each(struct claw_history *history,
		      const struct claw_history_query *query,
		      claw_history_visit *visit, void *user, char *error,
		      size_t error_size)
{
	static const char text[] = "SELECT series.id, suite, item.name,"
		" configuration, series.device, machine, results, judge,"
		" judged_from, trend, passed, failed, ratio, trend_before,"
		" trend_after, times_before, times_after FROM series"
		" JOIN item ON item.id = series.item WHERE results > 0"
		" AND last >= ?1 AND" LIKE_QUERY " ORDER BY" BY_NAME;
	sqlite3_stmt *row;
	int step = SQLITE_ERROR;

	/* All of it as it is now, whoever writes. */
	claw_history_do(history, "BEGIN");
	row = ask(history, text, query);
	while (row && (step = sqlite3_step(row)) == SQLITE_ROW) {
		int64_t id = sqlite3_column_int64(row, 0);
		struct claw_history_summary summary = summary_of(row, 7);

		if (sqlite3_column_int(row, 7) != CLAW_HISTORY_JUDGE &&
		    !claw_history_summarize(history, id, &summary))
			break;
		if (!claw_history_narrow(history, id, query->since, &summary))
			break;
		tell(history, row, &summary, visit, user);
	}
	return end(history, step, error, error_size);
}

/* ---- findings ---------------------------------------------------------------------- */

/* A finding, of the series that have it, which come row by row. */
struct gathering {
	struct claw_history_finding finding;	/* own texts */
	int64_t id, first_run, last_run;
	claw_history_visit_finding *visit;
	void *user;
	int64_t since;
};

static void end_finding(struct gathering *to)
{
	struct claw_history_finding *finding = &to->finding;

	if (finding->results && finding->last >= to->since)
		to->visit(to->user, finding);
	free((char *)finding->kind);
	free((char *)finding->kernel);
	free((char *)finding->file);
	free((char *)finding->what);
	free((char *)finding->first_commit);
	free((char *)finding->last_commit);
	memset(finding, 0, sizeof(*finding));
}

static void begin_finding(struct gathering *to, sqlite3_stmt *row)
{
	end_finding(to);
	to->finding.kind = claw_strdup(claw_history_text(row, 1));
	to->finding.kernel = claw_strdup(claw_history_text(row, 2));
	to->finding.file = claw_strdup(claw_history_text(row, 3));
	to->finding.what = claw_strdup(claw_history_text(row, 4));
	to->id = sqlite3_column_int64(row, 0);
}

static bool is_before(int64_t time, int64_t run, int64_t other_time,
		      int64_t other_run)
{
	return time < other_time || (time == other_time && run < other_run);
}

static void add_series(struct gathering *to, sqlite3_stmt *row)
{
	struct claw_history_finding *finding = &to->finding;
	int64_t first = sqlite3_column_int64(row, 5);
	int64_t first_run = sqlite3_column_int64(row, 6);
	int64_t last = sqlite3_column_int64(row, 7);
	int64_t last_run = sqlite3_column_int64(row, 8);
	bool is_new = finding->results == 0;

	if (is_new || is_before(first, first_run, finding->first,
				to->first_run)) {
		finding->first = first;
		to->first_run = first_run;
		free((char *)finding->first_commit);
		finding->first_commit = claw_strdup(claw_history_text(row, 11));
	}
	if (is_new || is_before(finding->last, to->last_run, last, last_run)) {
		finding->last = last;
		to->last_run = last_run;
		finding->line = (unsigned int)sqlite3_column_int64(row, 9);
		free((char *)finding->last_commit);
		finding->last_commit = claw_strdup(claw_history_text(row, 12));
	}
	finding->results += (uint64_t)sqlite3_column_int64(row, 10);
	finding->is_in_last |= sqlite3_column_int64(row, 13) == last_run;
}

int claw_history_each_finding(struct claw_history *history,
			      const struct claw_history_query *query,
			      claw_history_visit_finding *visit, void *user,
			      char *error, size_t error_size)
{
	static const char text[] = "SELECT finding.id, kind, kernel, file, what,"
		" first, first_run, found.last, last_run, line, found.results,"
		" one.\"commit\", other.\"commit\", (SELECT run FROM result"
		" WHERE result.series = found.series ORDER BY started DESC,"
		" run DESC LIMIT 1) FROM found"
		" JOIN finding ON finding.id = found.finding"
		" JOIN series ON series.id = found.series"
		" JOIN item ON item.id = series.item"
		" JOIN run AS one ON one.id = first_run"
		" JOIN run AS other ON other.id = last_run"
		" WHERE" LIKE_QUERY
		" ORDER BY file, kernel, kind, what, finding.id";
	struct gathering gathering = {
		.visit = visit, .user = user, .since = query->since,
	};
	sqlite3_stmt *row;
	int step = SQLITE_ERROR;

	claw_history_do(history, "BEGIN");
	row = ask(history, text, query);
	while (row && (step = sqlite3_step(row)) == SQLITE_ROW) {
		if (!gathering.finding.results ||
		    gathering.id != sqlite3_column_int64(row, 0))
			begin_finding(&gathering, row);
		add_series(&gathering, row);
	}
	end_finding(&gathering);
	return end(history, step, error, error_size);
}

/* ---- coverage ---------------------------------------------------------------------- */

/* Returns how many; -1: an error. Own commits. */
static int read_covered(struct claw_history *history, int64_t series,
			const char *kind, int64_t since,
			struct claw_history_covered *points)
{
	static const char text[] = "SELECT coverage.started, \"commit\", hit,"
		" total FROM (SELECT * FROM coverage WHERE series = ?"
		" AND kind = ? AND started >= ? ORDER BY started DESC, run DESC"
		" LIMIT ?) AS coverage JOIN run ON run.id = coverage.run"
		" ORDER BY coverage.started, run.id";
	sqlite3_stmt *row = claw_history_with(history, text, "isii", series,
		kind, since, (int64_t)CLAW_HISTORY_RECENT);
	int count = 0, step = SQLITE_ERROR;

	while (row && (step = sqlite3_step(row)) == SQLITE_ROW)
		points[count++] = (struct claw_history_covered) {
			.started = sqlite3_column_int64(row, 0),
			.commit = claw_strdup(claw_history_text(row, 1)),
			.hit = (uint64_t)sqlite3_column_int64(row, 2),
			.total = (uint64_t)sqlite3_column_int64(row, 3),
		};
	return step == SQLITE_DONE ? count : -1;
}

static bool tell_coverage(struct claw_history *history, sqlite3_stmt *row,
			  int64_t since, claw_history_visit_coverage *visit,
			  void *user)
{
	struct claw_history_covered *points =
		claw_calloc(CLAW_HISTORY_RECENT, sizeof(*points));
	const struct claw_history_names names = names_of(row, 1);
	const char *kind = claw_history_text(row, 6);
	int count = read_covered(history, sqlite3_column_int64(row, 0), kind,
				 since, points);

	if (count > 0)
		visit(user, &names, kind, points, (size_t)count);
	for (int i = 0; i < count; i++)
		free((char *)points[i].commit);
	free(points);
	return count >= 0;
}

int claw_history_each_coverage(struct claw_history *history,
			       const struct claw_history_query *query,
			       claw_history_visit_coverage *visit, void *user,
			       char *error, size_t error_size)
{
	/* Kinds one by one: what has none costs a look into an index. */
	static const char text[] = "SELECT series.id, suite, item.name,"
		" configuration, series.device, machine, kinds.kind"
		" FROM series JOIN item ON item.id = series.item JOIN"
		" (SELECT 'branches' AS kind UNION SELECT 'counters' UNION"
		" SELECT 'functions' UNION SELECT 'lines') AS kinds"
		" WHERE last >= ?1 AND" LIKE_QUERY " AND EXISTS (SELECT 1 FROM"
		" coverage WHERE series = series.id AND kind = kinds.kind)"
		" ORDER BY" BY_NAME ", kinds.kind";
	sqlite3_stmt *row;
	int step = SQLITE_ERROR;

	claw_history_do(history, "BEGIN");
	row = ask(history, text, query);
	while (row && (step = sqlite3_step(row)) == SQLITE_ROW)
		if (!tell_coverage(history, row, query->since, visit, user)) {
			step = SQLITE_ERROR;
			break;
		}
	return end(history, step, error, error_size);
}

/* ---- runs ------------------------------------------------------------------------- */

int claw_history_bars(struct claw_history *history,
		      const struct claw_history_query *query, size_t most,
		      struct claw_history_bar *bars)
{
	static const char text[] = "SELECT run.started, total(class = 'p'),"
		" total(class = 'f'), count(*) FROM (SELECT id, started FROM run"
		" WHERE started >= ?1 ORDER BY started DESC, id DESC LIMIT ?4)"
		" AS run CROSS JOIN result ON result.run = run.id"
		" JOIN series ON series.id = result.series"
		" JOIN item ON item.id = series.item WHERE" LIKE_QUERY
		" GROUP BY run.started, run.id ORDER BY run.started, run.id";
	sqlite3_stmt *row = claw_history_with(history, text, "issi",
		query->since, query->name, query->device, (int64_t)most);
	int count = 0, step = SQLITE_ERROR;

	while (row && (step = sqlite3_step(row)) == SQLITE_ROW) {
		struct claw_history_bar *bar = &bars[count++];

		bar->started = sqlite3_column_int64(row, 0);
		bar->passed = (uint64_t)sqlite3_column_int64(row, 1);
		bar->failed = (uint64_t)sqlite3_column_int64(row, 2);
		bar->other = (uint64_t)sqlite3_column_int64(row, 3) -
			bar->passed - bar->failed;
	}
	return step == SQLITE_DONE ? count : -1;
}

void claw_history_range(struct claw_history *history, int64_t since,
			int64_t *ret_from, int64_t *ret_to)
{
	*ret_from = claw_history_number(history, "SELECT min(started) FROM run"
					" WHERE started >= ?", "i", since);
	*ret_to = claw_history_number(history, "SELECT max(started) FROM run",
				      "");
}
