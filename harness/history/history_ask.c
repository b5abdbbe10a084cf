/* SPDX-License-Identifier: Apache-2.0 */
/* Series and findings of a history. */
#include "config.h"

#include "history_private.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"

/* A series that is read, row by row. */
struct reading {
	const struct claw_history_query *query;
	claw_history_visit *visit;
	void *user;
	struct claw_history_series series;	/* own texts */
	int64_t item;
	char *machine;
	struct claw_history_point *points;	/* own texts */
	size_t count;
};

static bool is_wanted(const char *pattern, const char *text)
{
	return !pattern || fnmatch(pattern, text, 0) == 0;
}

/* "NAME" or "SUITE/NAME" */
static bool has_name(const char *pattern, const char *suite, const char *name)
{
	char *whole = claw_format("%s/%s", suite, name);
	bool found = is_wanted(pattern, whole) || is_wanted(pattern, name);

	free(whole);
	return found;
}

static void end_series(struct reading *reading)
{
	struct claw_history_series *series = &reading->series;

	series->points = reading->points;
	series->count = reading->count;
	series->machine = reading->machine;
	if (reading->count && has_name(reading->query->name, series->suite,
				       series->name) &&
	    is_wanted(reading->query->device, series->device))
		reading->visit(reading->user, series);
	for (size_t i = 0; i < reading->count; i++) {
		free((char *)reading->points[i].commit);
		free((char *)reading->points[i].verdict);
	}
	free((char *)series->suite);
	free((char *)series->name);
	free((char *)series->configuration);
	free((char *)series->device);
	free(reading->machine);
	memset(series, 0, sizeof(*series));
	reading->machine = NULL;
	reading->count = 0;
}

static void take_row(struct reading *reading, sqlite3_stmt *row)
{
	int64_t item = sqlite3_column_int64(row, 0);
	const char *device = claw_history_text(row, 1);
	const char *machine = claw_history_text(row, 2);
	struct claw_history_point point = {
		.class = *claw_history_text(row, 6),
		.is_flaky = sqlite3_column_int(row, 7),
		.duration_us = (uint64_t)sqlite3_column_int64(row, 8),
		.commit = claw_strdup(claw_history_text(row, 9)),
		.started = sqlite3_column_int64(row, 10),
		.verdict = claw_strdup(claw_history_text(row, 11)),
	};

	if (reading->count && (item != reading->item ||
			       strcmp(device, reading->series.device) != 0 ||
			       strcmp(machine, reading->machine) != 0))
		end_series(reading);
	if (!reading->count) {
		reading->item = item;
		reading->machine = claw_strdup(machine);
		reading->series.suite = claw_strdup(claw_history_text(row, 3));
		reading->series.name = claw_strdup(claw_history_text(row, 4));
		reading->series.configuration =
			claw_strdup(claw_history_text(row, 5));
		reading->series.device = claw_strdup(device);
	}
	reading->points = claw_one_more(reading->points, reading->count,
					sizeof(*reading->points));
	reading->points[reading->count++] = point;
}

int claw_history_each(struct claw_history *history,
		      const struct claw_history_query *query,
		      claw_history_visit *visit, void *user, char *error,
		      size_t error_size)
{
	sqlite3_stmt *statement = claw_history_ask(history,
		"SELECT result.item, device.name, run.machine, suite,"
		" item.name, configuration, class, is_flaky,"
		" duration_us, \"commit\", started, verdict FROM result"
		" JOIN run ON run.id = result.run"
		" JOIN item ON item.id = result.item"
		" JOIN device ON device.id = result.device WHERE started >= ?"
		" ORDER BY suite, item.name, configuration, device.name,"
		" machine, started, run.id");
	struct reading reading = {
		.query = query, .visit = visit, .user = user,
	};
	int step = SQLITE_ERROR;

	if (statement) {
		sqlite3_bind_int64(statement, 1, query->since);
		while ((step = sqlite3_step(statement)) == SQLITE_ROW)
			take_row(&reading, statement);
	}
	sqlite3_finalize(statement);
	end_series(&reading);
	free(reading.points);
	return step == SQLITE_DONE ? 0 :
		claw_history_fail(history, error, error_size);
}

int claw_history_each_finding(struct claw_history *history,
			      const struct claw_history_query *query,
			      claw_history_visit_finding *visit, void *user,
			      char *error, size_t error_size)
{
	/* With one max() or min(), SQLite takes the other columns from its row. */
	sqlite3_stmt *statement = claw_history_ask(history,
		"WITH times AS (SELECT seen.finding, seen.line, seen.item,"
		" seen.run, started, \"commit\" FROM seen JOIN run"
		" ON run.id = seen.run WHERE started >= ?1),"
		" first AS (SELECT finding, min(started) AS at, \"commit\""
		" FROM times GROUP BY finding),"
		" last AS (SELECT finding, max(started) AS at, \"commit\", line,"
		" item, run, count(DISTINCT run) AS runs FROM times"
		" GROUP BY finding)"
		" SELECT kind, kernel, file, what, last.line, first.at, last.at,"
		" first.\"commit\", last.\"commit\", last.runs,"
		" last.run = (SELECT result.run FROM result JOIN run"
		" ON run.id = result.run WHERE result.item = last.item"
		" ORDER BY started DESC, run.id DESC LIMIT 1), suite, item.name"
		" FROM finding JOIN first ON first.finding = finding.id"
		" JOIN last ON last.finding = finding.id"
		" JOIN item ON item.id = last.item"
		" ORDER BY file, kernel, kind, what");
	int step = SQLITE_ERROR;

	if (statement) {
		sqlite3_bind_int64(statement, 1, query->since);
		while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
			const struct claw_history_finding one = {
				.kind = claw_history_text(statement, 0),
				.kernel = claw_history_text(statement, 1),
				.file = claw_history_text(statement, 2),
				.what = claw_history_text(statement, 3),
				.line = (unsigned int)sqlite3_column_int64(
					statement, 4),
				.first = sqlite3_column_int64(statement, 5),
				.last = sqlite3_column_int64(statement, 6),
				.first_commit = claw_history_text(statement, 7),
				.last_commit = claw_history_text(statement, 8),
				.runs = (uint64_t)sqlite3_column_int64(statement,
								       9),
				.is_in_last = sqlite3_column_int(statement, 10),
			};

			if (has_name(query->name,
				     claw_history_text(statement, 11),
				     claw_history_text(statement, 12)))
				visit(user, &one);
		}
	}
	sqlite3_finalize(statement);
	return step == SQLITE_DONE ? 0 :
		claw_history_fail(history, error, error_size);
}
