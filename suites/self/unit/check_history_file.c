/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A history's file: findings of several cases and devices, the tables of version
 * 1, and made-up histories whose changes are known.
 */
#include "config.h"

#include "harness/history/history.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/explore/case/explore_case.h"
#include "harness/history/history_judge.h"
#include "harness/records/past_run.h"
#include "harness/records/records_soak.h"
#include "suites/self/lib/run_suite.h"

static char path[256], error[1024];
static struct claw_history *history;
static const struct claw_history_query all = { .since = INT64_MIN };

static void open_new(void)
{
	snprintf(path, sizeof(path), "%s/check_history_file.%d.db",
		 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (int)getpid());
	unlink(path);
	ck_assert_msg(claw_history_open(path, true, &history, error,
					sizeof(error)) == 0, "%s", error);
}

static void remove_file(void)
{
	char more[300];

	claw_history_close(history);
	unlink(path);
	snprintf(more, sizeof(more), "%s-wal", path);
	unlink(more);
	snprintf(more, sizeof(more), "%s-shm", path);
	unlink(more);
}

/* The run of a minute. device, driver: of configuration "native". */
static void add(unsigned int minute, const char *commit, const char *device,
		const char *driver, struct claw_result *results, size_t count)
{
	struct claw_past_fact facts[] = {
		{ NULL, (char *)"commit", (char *)commit },
		{ NULL, (char *)"machine", (char *)"here" },
		{ (char *)"native", (char *)"device", (char *)device },
		{ (char *)"native", (char *)"driver", (char *)driver },
		{ (char *)"steady", (char *)"device", (char *)device },
		{ (char *)"steady", (char *)"driver", (char *)"1" },
	};
	char started[32];
	struct claw_past_run run = {
		.directory = (char *)"/nowhere", .verb = (char *)"test",
		.command = (char *)"openclaw test", .started = started,
		.results = results, .result_count = count, .facts = facts,
		.fact_count = sizeof(facts) / sizeof(*facts),
	};
	time_t when = 1700000000 + 60 * (time_t)minute;
	struct tm parts;
	bool is_new;

	strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ",
		 gmtime_r(&when, &parts));
	ck_assert_msg(claw_history_add_run(history, &run, &is_new, error,
					   sizeof(error)) == 0, "%s", error);
}

/* ---- findings ------------------------------------------------------------------ */

struct found {
	size_t count;
	uint64_t results;
	int64_t first, last;
	bool is_in_last;
};

static void take_finding(void *user, const struct claw_history_finding *one)
{
	struct found *found = user;

	found->count++;
	found->results = one->results;
	found->first = (one->first - 1700000000) / 60;
	found->last = (one->last - 1700000000) / 60;
	found->is_in_last = one->is_in_last;
}

static struct found find(const char *name, const char *device, int since)
{
	const struct claw_history_query query = {
		.since = 1700000000 + 60 * (int64_t)since, .name = name,
		.device = device,
	};
	struct found found = { 0 };

	ck_assert_int_eq(claw_history_each_finding(history, &query,
		take_finding, &found, error, sizeof(error)), 0);
	return found;
}

/* One finding of two cases, a and b. */
static void add_found(unsigned int minute, const char *device, bool in_a,
		      bool in_b)
{
	static char kernel[] = "k", file[] = "here/k.cl", what[] = "write of 4";
	static struct claw_finding finding = {
		.kernel = kernel, .file = file, .what = what, .line = 3,
	};
	static const struct claw_findings findings = {
		.items = &finding, .count = 1,
	};
	struct claw_result results[] = {
		{ .suite = "s", .name = "a", .configuration = "native",
		  .verdict = in_a ? CLAW_FAILED : CLAW_PASSED,
		  .findings = in_a ? &findings : NULL },
		{ .suite = "s", .name = "b", .configuration = "native",
		  .verdict = in_b ? CLAW_FAILED : CLAW_PASSED,
		  .findings = in_b ? &findings : NULL },
	};

	add(minute, "abc", device, "1", results, 2);
}

START_TEST(findings__are_of_cases_and_devices)
{
	struct found found;

	open_new();
	add_found(1, "GPU A", true, true);
	add_found(2, "GPU A", true, false);
	add_found(3, "GPU B", false, false);
	add_found(4, "GPU B", false, true);
	found = find(NULL, NULL, 0);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_uint_eq(found.results, 4);
	ck_assert(found.first == 1 && found.last == 4 && found.is_in_last);
	found = find("a", NULL, 0);	/* b has it later */
	ck_assert(found.results == 2 && found.first == 1 && found.last == 2);
	found = find("s/b", "GPU A", 0);
	ck_assert(found.results == 1 && found.last == 1 && !found.is_in_last);
	found = find(NULL, "GPU B", 0);
	ck_assert(found.results == 1 && found.first == 4 && found.is_in_last);
	ck_assert_uint_eq(find("a", "GPU B", 0).count, 0);
	/* Since then, but when it was seen first is what it is. */
	ck_assert_int_eq(find(NULL, NULL, 3).first, 1);
	ck_assert_uint_eq(find("a", NULL, 3).count, 0);
	remove_file();
}
END_TEST

START_TEST(findings__of_removed_runs_are_forgotten)
{
	uint64_t removed;
	struct found found;

	open_new();
	for (unsigned int i = 1; i < 6; i++)
		add_found(i, "GPU", true, i < 3);
	ck_assert_int_eq(claw_history_prune(history, 1700000000 + 60 * 3,
		&removed, error, sizeof(error)), 0);
	ck_assert_uint_eq(removed, 2);
	found = find(NULL, NULL, 0);
	ck_assert(found.results == 3 && found.first == 3 && found.last == 5);
	ck_assert_uint_eq(find("b", NULL, 0).count, 0);
	add_found(4, "GPU", false, true);	/* the same run, now another */
	found = find(NULL, NULL, 0);
	ck_assert(found.results == 3 && found.first == 3 && found.last == 5);
	ck_assert_uint_eq(claw_history_runs(history), 3);
	remove_file();
}
END_TEST

/* ---- series ---------------------------------------------------------------------- */

struct state {
	unsigned int trend, count;
	uint64_t results, passed, failed;
	double ratio;
};

static void take_state(void *user, const struct claw_history_state *one)
{
	struct state *state = user;

	*state = (struct state) {
		.trend = one->trend, .count = state->count + 1,
		.results = one->results, .passed = one->passed,
		.failed = one->failed, .ratio = one->ratio,
	};
}

static struct state ask(unsigned int since)
{
	const struct claw_history_query query = {
		.since = 1700000000 + 60 * (int64_t)since,
	};
	struct state state = { 0 };

	ck_assert_int_eq(claw_history_each(history, &query, take_state, &state,
					   error, sizeof(error)), 0);
	return state;
}

static void add_one(unsigned int minute, char class, uint64_t ms)
{
	struct claw_result result = {
		.suite = "s", .name = "a", .configuration = "native",
		.verdict = class == 'p' ? CLAW_PASSED : CLAW_FAILED,
		.duration_us = 1000 * ms,
	};
	char commit[16];

	snprintf(commit, sizeof(commit), "c%u.%u", minute, (unsigned int)ms);
	add(minute, commit, "GPU", "1", &result, 1);
}

/* Failures in minutes 2 and 6; slower from minute 20 on. */
START_TEST(since__is_what_happened_since_then)
{
	struct state state;

	open_new();
	for (unsigned int i = 1; i <= 40; i++)
		add_one(i, i == 2 || i == 6 ? 'f' : 'p', i < 20 ? 50 : 90);
	for (int i = 0; i < 2; i++) {	/* not judged, and judged */
		state = ask(0);
		ck_assert_uint_eq(state.trend, CLAW_TREND_FLAKY);
		ck_assert(state.failed == 2 && state.passed == 38);
		ck_assert(state.ratio > 1.7 && state.ratio < 1.9);
		state = ask(6);
		ck_assert_uint_eq(state.trend, CLAW_TREND_FIXED);
		ck_assert(state.failed == 1 && state.ratio > 1.7);
		state = ask(20);
		ck_assert(state.trend == CLAW_TREND_NONE && state.ratio > 1.7);
		state = ask(21);
		ck_assert(state.trend == CLAW_TREND_NONE && state.count == 1);
		ck_assert(!(state.ratio > 0));
		ck_assert_uint_eq(ask(41).count, 0);
		ck_assert_int_eq(claw_history_settle(history, error,
						     sizeof(error)), 0);
	}
	remove_file();
}
END_TEST

START_TEST(judgements__are_of_what_is_there)
{
	uint64_t removed;

	open_new();
	for (unsigned int i = 1; i <= 10; i++)
		add_one(i, 'p', 10);
	ck_assert_int_eq(claw_history_settle(history, error, sizeof(error)), 0);
	ck_assert_uint_eq(ask(0).trend, CLAW_TREND_NONE);
	add_one(11, 'f', 10);
	ck_assert_uint_eq(ask(0).trend, CLAW_TREND_NEW);
	ck_assert_int_eq(claw_history_settle(history, error, sizeof(error)), 0);
	ck_assert_int_eq(claw_history_prune(history, 1700000000 + 60 * 11,
		&removed, error, sizeof(error)), 0);
	ck_assert_uint_eq(ask(0).trend, CLAW_TREND_FAILS);
	ck_assert_uint_eq(ask(0).results, 1);
	remove_file();
}
END_TEST

/* What cannot be told apart by time is in the order in which it came first. */
START_TEST(runs__of_one_second_keep_their_order)
{
	open_new();
	add_one(1, 'p', 10);
	add_one(1, 'p', 11);
	add_one(1, 'f', 12);
	ck_assert_uint_eq(ask(0).trend, CLAW_TREND_NEW);
	add_one(1, 'p', 10);		/* with --resume */
	ck_assert_uint_eq(ask(0).trend, CLAW_TREND_NEW);
	ck_assert_uint_eq(ask(0).results, 3);
	remove_file();
}
END_TEST

/* Together, and not at all when nobody settles. */
START_TEST(bulk__is_there_when_it_is_settled)
{
	open_new();
	claw_history_bulk(history);
	for (unsigned int i = 1; i < 20; i++)
		add_one(i, 'p', 10);
	ck_assert_int_eq(claw_history_settle(history, error, sizeof(error)), 0);
	claw_history_close(history);
	ck_assert_int_eq(claw_history_open(path, false, &history, error,
					   sizeof(error)), 0);
	ck_assert_uint_eq(claw_history_runs(history), 19);
	ck_assert_uint_eq(ask(0).results, 19);
	remove_file();
}
END_TEST

static void take_suite(void *user, const struct claw_history_state *state)
{
	snprintf(user, 64, "%s of %d", state->names.suite, (int)state->results);
}

static void add_named(const char *verb, const char *command, const char *file,
		      const char *workload, uint64_t segments, uint64_t ms)
{
	struct claw_result result = {
		.suite = verb, .name = "a", .verdict = CLAW_PASSED,
		.file = file, .duration_us = 1000 * ms,
	};
	struct claw_past_fact fact = {
		(char *)"native", (char *)CLAW_FACT_WORKLOAD, (char *)workload,
	};
	struct claw_past_run run = {
		.directory = (char *)"/nowhere", .verb = (char *)verb,
		.command = (char *)command, .segment_count = segments,
		.started = (char *)"2026-11-28T20:52:46Z", .results = &result,
		.result_count = 1, .facts = &fact,
		.fact_count = workload ? 1 : 0,
	};
	bool is_new;

	ck_assert_int_eq(claw_history_add_run(history, &run, &is_new, error,
					      sizeof(error)), 0);
}

START_TEST(suites__are_of_what_was_run)
{
	static const struct {
		const char *verb, *command, *file, *workload, *suite;
		uint64_t segments;
	} rows[] = {
		{ "sweep", "openclaw sweep -- ./dir/blur -x", NULL, NULL,
		  "sweep blur of 2", 0 },
		{ "check", "openclaw check -- blur", "dir/blur.c", NULL,
		  "check blur of 2", 0 },
		{ "explore", "openclaw explore k/x.cl -o out", "k/x.cl", NULL,
		  "explore x.cl of 2", 0 },
		{ "explore", "openclaw explore -o out k/y.cl", NULL, NULL,
		  "explore y.cl of 2", 0 },
		/* A soak that went on is one run. */
		{ "soak", "openclaw run -w k/x.clw -o out", NULL, "k/x.clw",
		  "soak x.clw of 1", 1 },
		{ "soak", "openclaw run -o out -- ./blur 3", NULL, "./blur 3",
		  "soak blur of 1", 2 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char suite[64] = "";

		open_new();
		for (unsigned int ms = 5; ms < 7; ms++)
			add_named(rows[i].verb, rows[i].command, rows[i].file,
				  rows[i].workload, rows[i].segments, ms);
		ck_assert_int_eq(claw_history_each(history, &all, take_suite,
			suite, error, sizeof(error)), 0);
		ck_assert_str_eq(suite, rows[i].suite);
		remove_file();
	}
}
END_TEST

/* ---- coverage -------------------------------------------------------------------- */

static void take_coverage(void *user, const struct claw_history_names *names,
			  const char *kind,
			  const struct claw_history_covered *points,
			  size_t count)
{
	char *text = user;

	(void)names;
	for (size_t i = 0; i < count; i++)
		snprintf(text + strlen(text), 200 - strlen(text),
			 "%s %d of %d; ", kind, (int)points[i].hit,
			 (int)points[i].total);
}

START_TEST(coverage__is_there_in_order)
{
	static const char *const metrics[] = {
		"lines=10 lines_hit=4 functions=0 functions_hit=0",
		"launches=3 counters=9 counters_hit=9", "lines=10 lines_hit=11",
		"lines=12 lines_hit=8", NULL,
	};
	char text[200] = "";

	open_new();
	for (unsigned int i = 0; i < 5; i++) {
		struct claw_result result = {
			.suite = "cover", .name = "k", .configuration = "native",
			.verdict = CLAW_PASSED, .metrics = metrics[4 - i],
		};

		add(10 - i, "abc", "GPU", "1", &result, 1);
	}
	ck_assert_int_eq(claw_history_each_coverage(history, &all,
		take_coverage, text, error, sizeof(error)), 0);
	ck_assert_str_eq(text, "counters 9 of 9; lines 4 of 10; lines 8 of 12; ");
	remove_file();
}
END_TEST

/* ---- older files ------------------------------------------------------------------ */

/* As openclaw wrote it: two runs of a case on one device, whose driver changed; the
 * second has a finding. */
static const char version_1[] =
	"CREATE TABLE run(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"
	" verb TEXT NOT NULL, command TEXT NOT NULL, started INTEGER NOT NULL,"
	" machine TEXT NOT NULL, \"commit\" TEXT NOT NULL,"
	" directory TEXT NOT NULL, is_complete INTEGER NOT NULL);"
	"CREATE INDEX run_started ON run(started);"
	"CREATE TABLE device(id INTEGER PRIMARY KEY, name TEXT NOT NULL,"
	" driver TEXT NOT NULL, UNIQUE(name, driver));"
	"CREATE TABLE item(id INTEGER PRIMARY KEY, suite TEXT NOT NULL,"
	" name TEXT NOT NULL, configuration TEXT NOT NULL,"
	" UNIQUE(suite, name, configuration));"
	"CREATE TABLE result(item INTEGER NOT NULL REFERENCES item(id),"
	" run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"
	" device INTEGER NOT NULL REFERENCES device(id),"
	" verdict TEXT NOT NULL, class TEXT NOT NULL, is_flaky INTEGER NOT"
	" NULL, duration_us INTEGER NOT NULL, PRIMARY KEY(item, run))"
	" WITHOUT ROWID;"
	"CREATE INDEX result_run ON result(run);"
	"CREATE TABLE finding(id INTEGER PRIMARY KEY, kind TEXT NOT NULL,"
	" kernel TEXT NOT NULL, file TEXT NOT NULL, what TEXT NOT NULL,"
	" UNIQUE(kind, kernel, file, what));"
	"CREATE TABLE seen(finding INTEGER NOT NULL REFERENCES finding(id),"
	" run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"
	" item INTEGER NOT NULL REFERENCES item(id), line INTEGER NOT NULL,"
	" PRIMARY KEY(finding, run, item)) WITHOUT ROWID;"
	"CREATE INDEX seen_run ON seen(run);"
	"INSERT INTO run VALUES(7, 'x', 'test', '', 1700000060, 'here', 'c1',"
	" '', 1), (9, 'y', 'test', '', 1700000120, 'here', 'c2', '', 1);"
	"INSERT INTO device VALUES(1, 'GPU', '1'), (2, 'GPU', '2');"
	"INSERT INTO item VALUES(5, 's', 'a', 'native');"
	"INSERT INTO result VALUES(5, 7, 1, 'PASSED', 'p', 0, 10),"
	" (5, 9, 2, 'FAILED', 'f', 0, 10);"
	"INSERT INTO finding VALUES(3, 'invalid-write', 'k', 'k.cl', 'w');"
	"INSERT INTO seen VALUES(3, 9, 5, 12);"
	"PRAGMA application_id = 0x636c6177; PRAGMA user_version = 1";

static void take_migrated(void *user, const struct claw_history_state *state)
{
	unsigned int *count = user;

	++*count;
	ck_assert_uint_eq(state->results, 2);
	ck_assert_uint_eq(state->trend, CLAW_TREND_NEW);
	ck_assert_str_eq(state->after.commit, "c2");
	ck_assert_str_eq(state->before.driver, "1");
	ck_assert_str_eq(state->after.driver, "2");
	ck_assert_str_eq(state->names.device, "GPU");
}

START_TEST(version_1__is_taken_on)
{
	unsigned int series = 0;
	struct found found;
	sqlite3 *db;

	open_new();
	remove_file();
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, version_1, NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(db);
	for (int i = 0; i < 2; i++) {	/* once, and again as it is then */
		ck_assert_msg(claw_history_open(path, false, &history, error,
						sizeof(error)) == 0, "%s",
			      error);
		ck_assert_int_eq(claw_history_each(history, &all,
			take_migrated, &series, error, sizeof(error)), 0);
		found = find("a", "GPU", 0);
		ck_assert(found.count == 1 && found.results == 1 &&
			  found.first == 2 && found.is_in_last);
		ck_assert_uint_eq(claw_history_runs(history), 2);
		claw_history_close(history);
	}
	ck_assert_uint_eq(series, 2);
	ck_assert_int_eq(claw_history_open(path, false, &history, error,
					   sizeof(error)), 0);
	add_found(3, "GPU", true, false);
	ck_assert_uint_eq(find(NULL, NULL, 0).count, 2);
	remove_file();
}
END_TEST

/* ---- made-up histories ------------------------------------------------------------- */

enum { RUNS = 60, ROUNDS = 12, NEAR = 2 };

/* What happens to a case in 60 runs, each of a commit of its own. */
static const struct made {
	const char *name;
	unsigned int flips[3];		/* the class changes before these; 0: end */
	unsigned int percent;		/* that fail by chance */
	unsigned int slow_at, slow_percent;	/* from then on so much of 100 */
	enum claw_history_trend trend;
	unsigned int at;
	bool is_driver;			/* driver 1 -> 2 in run 30 */
} made[] = {
	{ .name = "passes" },
	{ .name = "passes, on a new driver", .is_driver = true },
	{ .name = "noise" }, { .name = "more noise" },
	{ .name = "fails", .flips = { 60 }, .trend = CLAW_TREND_FAILS },
	{ .name = "new", .flips = { 40 }, .trend = CLAW_TREND_NEW, .at = 40 },
	{ .name = "new early", .flips = { 3 }, .trend = CLAW_TREND_NEW, .at = 3 },
	{ .name = "new in the last run", .flips = { 59 },
	  .trend = CLAW_TREND_NEW, .at = 59 },
	{ .name = "new with the driver", .flips = { 30 },
	  .trend = CLAW_TREND_NEW, .at = 30, .is_driver = true },
	{ .name = "fixed", .flips = { 20, 40 }, .trend = CLAW_TREND_FIXED,
	  .at = 40 },
	{ .name = "fixed soon", .flips = { 20, 23 }, .trend = CLAW_TREND_FIXED,
	  .at = 23 },
	{ .name = "fixed with the driver", .flips = { 10, 30 },
	  .trend = CLAW_TREND_FIXED, .at = 30, .is_driver = true },
	{ .name = "failed once", .flips = { 20, 21 },
	  .trend = CLAW_TREND_FLAKY },
	{ .name = "flaky, 10 %", .percent = 10, .trend = CLAW_TREND_FLAKY },
	{ .name = "flaky, 20 %", .percent = 20, .trend = CLAW_TREND_FLAKY },
	{ .name = "flaky, 50 %", .percent = 50, .trend = CLAW_TREND_FLAKY },
	{ .name = "flaky, 80 %", .percent = 80, .trend = CLAW_TREND_FLAKY },
	{ .name = "flaky, 90 %", .percent = 90, .trend = CLAW_TREND_FLAKY },
	{ .name = "slower by 1.3", .slow_at = 30, .slow_percent = 130 },
	{ .name = "slower by 1.5", .slow_at = 45, .slow_percent = 150 },
	{ .name = "slower by 1.5, early", .slow_at = 15, .slow_percent = 150 },
	{ .name = "slower by 2", .slow_at = 40, .slow_percent = 200 },
	{ .name = "slower by 5", .slow_at = 20, .slow_percent = 500 },
	{ .name = "slower with the driver", .slow_at = 30, .slow_percent = 150,
	  .is_driver = true },
	{ .name = "faster by 1.5", .slow_at = 30, .slow_percent = 67 },
	{ .name = "faster by 2", .slow_at = 20, .slow_percent = 50 },
	{ .name = "faster by 4", .slow_at = 45, .slow_percent = 25 },
	{ .name = "slower and new", .flips = { 50 }, .slow_at = 25,
	  .slow_percent = 150, .trend = CLAW_TREND_NEW, .at = 50 },
	{ .name = "slower, then fixed", .flips = { 5, 10 }, .slow_at = 40,
	  .slow_percent = 140, .trend = CLAW_TREND_FIXED, .at = 10 },
	{ .name = "faster and flaky", .percent = 25, .slow_at = 30,
	  .slow_percent = 50, .trend = CLAW_TREND_FLAKY },
};

enum { MADE = sizeof(made) / sizeof(*made) };

static uint64_t seed;
static unsigned int planted, found_right, quiet, found_wrong;

static unsigned int below(unsigned int end)
{
	return (unsigned int)(claw_explore_random(&seed) % end);
}

static bool does_fail(const struct made *one, unsigned int run)
{
	bool fails = one->flips[0] == RUNS;

	for (int i = 0; i < 3 && one->flips[i]; i++)
		fails ^= run >= one->flips[i];
	return fails || (one->percent && below(100) < one->percent);
}

/* 50 ms with 4 % noise, and now and then one that a busy machine delays. */
static uint64_t time_of(const struct made *one, unsigned int run)
{
	double us = 50000, sum = 0;

	for (int i = 0; i < 12; i++)
		sum += below(1000001) / 1e6;
	us *= 1 + 0.04 * (sum - 6);
	if (below(20) == 0)
		us *= 1.7;
	if (one->slow_at && run >= one->slow_at)
		us = us * one->slow_percent / 100;
	return (uint64_t)us;
}

static unsigned int run_of(const struct claw_history_point *point)
{
	return (unsigned int)((point->started - 1700000000) / 60);
}

static bool is_near(unsigned int run, unsigned int other)
{
	return run + NEAR >= other && run <= other + NEAR;
}

static void count_one(bool is_planted, bool is_right, bool is_there,
		      const char *name, const char *what)
{
	planted += is_planted;
	quiet += !is_planted;
	found_right += is_planted && is_right;
	found_wrong += !is_planted && is_there;
	if (is_planted ? !is_right : is_there)
		printf("# %s: %s %s\n", name, is_planted ? "missed: " :
		       "not there: ", what);
}

static void compare(void *user, const struct claw_history_state *state)
{
	const struct made *one = made;
	bool is_driver;

	(void)user;
	while (strcmp(one->name, state->names.name) != 0)
		one++;
	is_driver = one->is_driver && (one->at == 30 || one->slow_at == 30);
	count_one(one->trend, state->trend == one->trend && (!one->at ||
		  run_of(&state->after) == one->at), state->trend, one->name,
		  claw_history_trend_name(state->trend));
	count_one(one->slow_at, state->ratio > 0 && (state->ratio > 1) ==
		  (one->slow_percent > 100) && is_near(run_of(
		  &state->times_after), one->slow_at), state->ratio > 0,
		  one->name, "times");
	if (is_driver && one->at && state->trend == one->trend)
		count_one(true, state->before.driver && strcmp(
			  state->before.driver, state->after.driver) != 0,
			  false, one->name, "driver");
}

static void make_history(void)
{
	struct claw_result results[MADE];
	char commit[16];

	for (unsigned int run = 0; run < RUNS; run++) {
		for (size_t i = 0; i < MADE; i++)
			results[i] = (struct claw_result) {
				.suite = "made", .name = made[i].name,
				.configuration = made[i].is_driver ? "native" :
					"steady",
				.verdict = does_fail(&made[i], run) ?
					CLAW_FAILED : CLAW_PASSED,
				.duration_us = time_of(&made[i], run),
			};
		snprintf(commit, sizeof(commit), "c%u", run);
		add(run, commit, "GPU", run < 30 ? "1" : "2", results, MADE);
	}
}

START_TEST(made_up__changes_are_found_and_no_others)
{
	ck_assert_int_eq(MADE, 30);
	for (unsigned int round = 1; round <= ROUNDS; round++) {
		seed = round;
		open_new();
		make_history();
		if (round % 2)	/* judged before, or when it is asked */
			ck_assert_int_eq(claw_history_settle(history, error,
							     sizeof(error)), 0);
		ck_assert_int_eq(claw_history_each(history, &all, compare, NULL,
						   error, sizeof(error)), 0);
		remove_file();
	}
	printf("# %u of %u planted changes found; %u of %u others wrong\n",
	       found_right, planted, found_wrong, quiet);
	ck_assert_msg(found_right * 100 >= planted * 95, "%u of %u",
		      found_right, planted);
	ck_assert_msg(found_wrong * 100 <= quiet, "%u of %u", found_wrong,
		      quiet);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("history_file");
	TCase *tests = tcase_create("history_file");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, findings__are_of_cases_and_devices);
	tcase_add_test(tests, findings__of_removed_runs_are_forgotten);
	tcase_add_test(tests, since__is_what_happened_since_then);
	tcase_add_test(tests, judgements__are_of_what_is_there);
	tcase_add_test(tests, runs__of_one_second_keep_their_order);
	tcase_add_test(tests, bulk__is_there_when_it_is_settled);
	tcase_add_test(tests, suites__are_of_what_was_run);
	tcase_add_test(tests, coverage__is_there_in_order);
	tcase_add_test(tests, version_1__is_taken_on);
	tcase_add_test(tests, made_up__changes_are_found_and_no_others);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
