/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The history: finished runs in an SQLite file, which many processes may write at
 * a time. A run is its records (records.jsonl): the same run is there once.
 *
 * Questions are about series: one case in one configuration on one device and
 * machine, its results in the order of their runs.
 */
#ifndef CLAW_HISTORY_H
#define CLAW_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct claw_history;
struct claw_past_run;		/* past_run.h */
struct claw_user_config;	/* user_config.h */

#define CLAW_HISTORY_VARIABLE "OPENCLAW_HISTORY"

/* The file that runs go to: the given one, of an option or the variable (empty:
 * none; NULL: not given), else that of openclaw.yaml, else openclaw.db beside
 * openclaw.yaml or in the working directory, where it exists. Absolute, as a command
 * may go to another folder; malloced, or NULL. */
char *claw_history_find(const char *given,
			const struct claw_user_config *config);

/* Open it, with new tables where is_new and there is no file. error: one line that
 * names it. Returns 0, -CLAW_E_NOT_FOUND, -CLAW_E_IO, -CLAW_E_LOCKED,
 * -CLAW_E_DAMAGED (no SQLite file, or not one of ours) or -CLAW_E_VERSION (a newer
 * openclaw's). */
int claw_history_open(const char *path, bool is_new,
		      struct claw_history **ret_history, char *error,
		      size_t error_size);
void claw_history_close(struct claw_history *history);

/* Add the run in DIRECTORY, in place of what was known of it. ret_is_new: it was
 * not there. What did not come to its
 * end is taken as far as it goes. error as above, -CLAW_E_IO and -CLAW_E_LOCKED
 * being of the history, and those of claw_past_run_read(), of which -CLAW_E_IO is
 * -CLAW_E_DAMAGED. 1: it is merged of other runs, which count themselves, and is
 * left out. */
int claw_history_add(struct claw_history *history, const char *directory,
		     bool *ret_is_new, char *error, size_t error_size);
/* One that was read. 0, -CLAW_E_IO or -CLAW_E_LOCKED. */
int claw_history_add_run(struct claw_history *history,
			 const struct claw_past_run *run, bool *ret_is_new,
			 char *error, size_t error_size);
/* What is added from now on is written together each half a second, until
 * claw_history_settle(); an error loses what was not written yet. */
void claw_history_bulk(struct claw_history *history);
/* Keep the judgement of each series with new results, so that nobody who asks has
 * to judge it. Errors as above. */
int claw_history_settle(struct claw_history *history, char *error, size_t size);
/* The run that this process ended goes into the file at path, if it ended one. What
 * does not work is said on stderr, and nothing else: a history fails no run.
 * is_given: somebody asked for this run. */
void claw_history_note(const char *path, bool is_given);
/* Remove runs that began before that time (seconds since 1970). ret_count: how
 * many. 0, -CLAW_E_IO or -CLAW_E_LOCKED. */
int claw_history_prune(struct claw_history *history, int64_t before,
		       uint64_t *ret_count, char *error, size_t error_size);

/* ---- questions ---------------------------------------------------------------- */

/* One result of a series. */
struct claw_history_point {
	char class;			/* of its verdict: 'p', 'f', 's', 'u' */
	bool is_flaky;			/* as the run itself saw */
	uint64_t duration_us;
	int64_t run;			/* 0: there is none */
	int64_t device;			/* and its driver: equal or not */
	int64_t started;		/* of its run, seconds since 1970 */
	const char *commit, *verdict, *driver;	/* "" or NULL: not known */
};

struct claw_history_series {
	const struct claw_history_point *points;
	size_t count;
};

/* What is asked for; texts may be NULL: all. */
struct claw_history_query {
	int64_t since;			/* seconds since 1970 */
	const char *name, *device;	/* patterns of fnmatch(3) */
};

struct claw_history_names {
	const char *suite, *name, *configuration, *device, *machine;
};

/* A series, judged. Its texts live as long as the call that hands it out. */
struct claw_history_state {
	int64_t id;
	struct claw_history_names names;
	uint64_t results;
	unsigned int trend;		/* enum claw_history_trend */
	uint64_t passed, failed;	/* of those that a trend is of */
	double low, high;		/* flaky: how often it fails, with 95 % */
	double ratio;			/* of times; 0: they did not change */
	struct claw_history_point before, after, times_before, times_after;
};

typedef void claw_history_visit(void *user,
				const struct claw_history_state *state);

/* All series, sorted by their names. 0, -CLAW_E_IO or -CLAW_E_LOCKED. */
int claw_history_each(struct claw_history *history,
		      const struct claw_history_query *query,
		      claw_history_visit *visit, void *user, char *error,
		      size_t error_size);

/* A finding, which has no line in its name: what is above it in its file may
 * change. It is there if it was seen since then; first and results are of the
 * whole history. */
struct claw_history_finding {
	const char *kind, *kernel, *file, *what;
	unsigned int line;		/* where it was seen last; 0: not known */
	int64_t first, last;		/* runs that saw it: seconds since 1970 */
	const char *first_commit, *last_commit;	/* or "" */
	uint64_t results;		/* that have it */
	bool is_in_last;		/* the last result of a series has it */
};

typedef void claw_history_visit_finding(void *user,
					const struct claw_history_finding *one);

int claw_history_each_finding(struct claw_history *history,
			      const struct claw_history_query *query,
			      claw_history_visit_finding *visit, void *user,
			      char *error, size_t error_size);

/* How much of its kernels a series covered in a run. */
struct claw_history_covered {
	int64_t started;
	const char *commit;		/* or "" */
	uint64_t hit, total;
};

/* kind: "lines", "functions", "branches", "counters" (of explore). The newest
 * results, in order. */
typedef void claw_history_visit_coverage(void *user,
	const struct claw_history_names *names, const char *kind,
	const struct claw_history_covered *points, size_t count);

int claw_history_each_coverage(struct claw_history *history,
			       const struct claw_history_query *query,
			       claw_history_visit_coverage *visit, void *user,
			       char *error, size_t error_size);

/* Runs in the history. */
uint64_t claw_history_runs(struct claw_history *history);

#endif
