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

#define CLAW_HISTORY_FILE "openclaw.db"

struct claw_history;

/* The file that runs go to without being asked: OPENCLAW_HISTORY (empty: none), else
 * openclaw.db beside openclaw.yaml, else in the working directory, where it
 * exists; absolute, malloced, or NULL. */
char *claw_history_find(void);

/* Open it, with new tables where is_new and there is no file. error: one line that
 * names it. Returns 0, -CLAW_E_NOT_FOUND, -CLAW_E_IO, -CLAW_E_DAMAGED (no
 * SQLite file, or not one of ours) or -CLAW_E_VERSION (a newer openclaw's). */
int claw_history_open(const char *path, bool is_new,
		      struct claw_history **ret_history, char *error,
		      size_t error_size);
void claw_history_close(struct claw_history *history);

/* Add the run in DIRECTORY, in place of what was known of it. ret_is_new: it was
 * not there. What did not come to its
 * end is taken as far as it goes. error as above; another error than those of
 * claw_past_run_read() is -CLAW_E_IO. 1: it is merged of other runs, which count
 * themselves, and is left out. */
int claw_history_add(struct claw_history *history, const char *directory,
		     bool *ret_is_new, char *error, size_t error_size);
/* The run that this process ended goes into the file at path, if it ended one. What
 * does not work is said on stderr, and nothing else: a history fails no run. */
void claw_history_note(const char *path);
/* Remove runs that began before that time (seconds since 1970). ret_count: how
 * many. 0 or -CLAW_E_IO. */
int claw_history_prune(struct claw_history *history, int64_t before,
		       uint64_t *ret_count, char *error, size_t error_size);

/* One result of a series. */
struct claw_history_point {
	char class;			/* of its verdict: 'p', 'f', 's', 'u' */
	bool is_flaky;			/* as the run itself saw */
	uint64_t duration_us;
	const char *commit, *verdict;	/* of the history's memory; commit may be "" */
	int64_t started;		/* of its run, seconds since 1970 */
};

/* What is asked for; texts may be NULL: all. */
struct claw_history_query {
	int64_t since;			/* seconds since 1970 */
	const char *name, *device;	/* patterns of fnmatch(3) */
};

struct claw_history_series {
	const char *suite, *name, *configuration, *device, *machine;
	const struct claw_history_point *points;
	size_t count;
};

typedef void claw_history_visit(void *user,
				const struct claw_history_series *series);

/* All series, sorted by their names. 0 or -CLAW_E_IO. */
int claw_history_each(struct claw_history *history,
		      const struct claw_history_query *query,
		      claw_history_visit *visit, void *user, char *error,
		      size_t error_size);

/* A finding, which has no line in its name: what is above it in its file may
 * change. */
struct claw_history_finding {
	const char *kind, *kernel, *file, *what;
	unsigned int line;		/* where it was seen last; 0: not known */
	int64_t first, last;		/* runs that saw it: seconds since 1970 */
	const char *first_commit, *last_commit;	/* or "" */
	uint64_t runs;
	bool is_in_last;		/* the last run of its case has it */
};

typedef void claw_history_visit_finding(void *user,
					const struct claw_history_finding *one);

int claw_history_each_finding(struct claw_history *history,
			      const struct claw_history_query *query,
			      claw_history_visit_finding *visit, void *user,
			      char *error, size_t error_size);

/* Runs in the history. */
uint64_t claw_history_runs(struct claw_history *history);

#endif
