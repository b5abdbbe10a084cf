/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a history share. */
#ifndef CLAW_HISTORY_PRIVATE_H
#define CLAW_HISTORY_PRIVATE_H

#include <sqlite3.h>

#include "history.h"
#include "history_judge.h"

enum {
	CLAW_HISTORY_VERSION = 2,	/* of the tables */
	CLAW_HISTORY_STEPS = 3,		/* texts of a migration */
	CLAW_HISTORY_RECENT = 400,	/* results of a series that are judged */
};

struct claw_history {
	sqlite3 *db;
	char *path;
	int came;			/* a signal, while it waited */
	bool is_bulk;			/* several runs are one transaction, */
	uint64_t began_ms;		/* that began then */
	struct claw_history_kept {
		const char *text;
		sqlite3_stmt *statement;
	} *kept;
	size_t kept_count;
};

/* history_tables.c: each brings a file from the version that is its index to
 * the next one. */
extern const char *const
claw_history_migrations[CLAW_HISTORY_VERSION][CLAW_HISTORY_STEPS];

/* The last error as one line that names the file; returns -CLAW_E_LOCKED or
 * -CLAW_E_IO. */
int claw_history_fail(struct claw_history *history, char *error, size_t size);
/* An SQLite result code. */
int claw_history_do(struct claw_history *history, const char *text);
/*
 * A statement with values for its "?": types has a letter for each, 'i' an
 * int64_t, 'd' a double, 's' a text that lives as long as the values are used,
 * NULL is NULL. It is kept: text is a constant, asked for again once all of its
 * rows were read. NULL: an error.
 */
sqlite3_stmt *claw_history_with(struct claw_history *history, const char *text,
				const char *types, ...);
/* Run one that has no rows. */
bool claw_history_run(struct claw_history *history, const char *text,
		      const char *types, ...);
/* The first column of its first row; -1: there is none, or an error. */
int64_t claw_history_number(struct claw_history *history, const char *text,
			    const char *types, ...);
/* Of a row; never NULL. */
const char *claw_history_text(sqlite3_stmt *row, int column);

/* The judgement of a series, as its row has it: the changes are runs; 0: none. */
struct claw_history_summary {
	enum claw_history_trend trend;
	int64_t passed, failed;		/* of the results that were judged, */
	int64_t from;			/* the first of which began then */
	double ratio;			/* of times; 0: they did not change */
	int64_t before, after, times_before, times_after;
};

/* history_series.c: the last results of a series since then, in order; own texts. Commits
 * are there beside changes alone, drivers and verdicts nowhere: see
 * claw_history_point(). Returns how many; -1: an error. */
int claw_history_read_points(struct claw_history *history, int64_t series,
			     int64_t since,
			     struct claw_history_point **ret_points);
void claw_history_free_points(struct claw_history_point *points, int count);
/* false: an error. */
bool claw_history_summarize(struct claw_history *history, int64_t series,
			    struct claw_history_summary *ret_summary);
/* What changed since then, of what the summary has. */
bool claw_history_narrow(struct claw_history *history, int64_t series,
			 int64_t since, struct claw_history_summary *summary);

/* history_ask.c: results of the newest runs, at most so many, oldest first, that
 * have some. Returns how many; -1: an error. */
struct claw_history_bar;	/* history_plot.h */
int claw_history_bars(struct claw_history *history,
		      const struct claw_history_query *query, size_t most,
		      struct claw_history_bar *bars);
/* When the first and the last run since then began. */
void claw_history_range(struct claw_history *history, int64_t since,
			int64_t *ret_from, int64_t *ret_to);

#endif
