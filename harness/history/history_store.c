/* SPDX-License-Identifier: Apache-2.0 */
/* Runs into a history, and out of it. */
#include "config.h"

#include "history_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "faults/shared/clock.h"
#include "harness/base/errors.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/records/baseline.h"
#include "harness/records/commit.h"
#include "harness/records/past_run.h"
#include "harness/records/records_soak.h"

enum { TOGETHER_MS = 500 };	/* others wait so long */

/* A run that goes in. */
struct adding {
	struct claw_history *history;
	const struct claw_past_run *run;
	int64_t id, started;
	const char *machine;
};

/* ---- names ------------------------------------------------------------------------ */

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

/* What is said of one configuration, or of all of them. */
static const char *fact_of(const struct claw_past_run *run,
			   const char *configuration, const char *key)
{
	const char *value = claw_past_run_fact(run, configuration ?
					       configuration : "native", key);

	return or_empty(value ? value : claw_past_run_fact(run, NULL, key));
}

static int64_t device_of(const struct adding *adding, const char *configuration,
			 const char **ret_name)
{
	static const char find[] = "SELECT id FROM device WHERE name = ?"
		" AND driver = ?";
	static const char insert[] = "INSERT INTO device(name, driver)"
		" VALUES(?, ?)";
	struct claw_history *history = adding->history;
	const char *name = fact_of(adding->run, configuration, "device");
	const char *driver = fact_of(adding->run, configuration, "driver");
	int64_t id = claw_history_number(history, find, "ss", name, driver);

	*ret_name = name;
	if (id >= 0)
		return id;
	return claw_history_run(history, insert, "ss", name, driver) ?
		sqlite3_last_insert_rowid(history->db) : -1;
}

/* Cases of a sweep, a check and so on are of one program, or of one file: the word
 * behind "--", a soak's workload, the kernel's file, else the last word; without
 * its folder. */
static char *subject_of(const struct claw_past_run *run,
			const struct claw_result *result)
{
	const char *command = or_empty(run->command);
	const char *program = strstr(command, " -- ");
	const char *last = strrchr(command, ' ');
	const char *workload = fact_of(run, result->configuration,
				       CLAW_FACT_WORKLOAD);
	char *word, *subject;

	if (!program && (*workload || result->file))
		return claw_strdup(claw_base_name(*workload ? workload :
						  result->file));
	program = program ? program + strlen(" -- ") : last ? last + 1 : command;
	word = claw_strndup(program, strcspn(program, " "));
	subject = claw_strdup(claw_base_name(word));
	free(word);
	return subject;
}

static char *suite_of(const struct claw_past_run *run,
		      const struct claw_result *result)
{
	char *subject, *suite;

	if (strcmp(or_empty(run->verb), "test") == 0)
		return claw_strdup_or_null(or_empty(result->suite));
	subject = subject_of(run, result);
	suite = claw_format("%s %s", or_empty(result->suite), subject);
	free(subject);
	return suite;
}

/* What was planned: a check that passed and its leak are results of one. */
static int64_t item_of(const struct adding *adding,
		       const struct claw_result *result)
{
	static const char find[] = "SELECT id FROM item WHERE suite = ?"
		" AND name = ? AND configuration = ?";
	static const char insert[] = "INSERT INTO item(suite, name,"
		" configuration) VALUES(?, ?, ?)";
	struct claw_history *history = adding->history;
	char *suite = suite_of(adding->run, result);
	const char *name = or_empty(claw_result_item_key(result).name);
	const char *configuration = result->configuration ?
		result->configuration : "native";
	int64_t id = claw_history_number(history, find, "sss", suite, name,
					 configuration);

	if (id < 0 && claw_history_run(history, insert, "sss", suite, name,
				       configuration))
		id = sqlite3_last_insert_rowid(history->db);
	free(suite);
	return id;
}

static int64_t series_of(const struct adding *adding,
			 const struct claw_result *result, const char *device)
{
	static const char find[] = "SELECT id FROM series WHERE item = ?"
		" AND device = ? AND machine = ?";
	static const char insert[] = "INSERT INTO series(item, device, machine)"
		" VALUES(?, ?, ?)";
	struct claw_history *history = adding->history;
	int64_t item = item_of(adding, result), id;

	if (item < 0)
		return -1;
	id = claw_history_number(history, find, "iss", item, device,
				 adding->machine);
	if (id >= 0)
		return id;
	return claw_history_run(history, insert, "iss", item, device,
				adding->machine) ?
		sqlite3_last_insert_rowid(history->db) : -1;
}

/* ---- add -------------------------------------------------------------------------- */

static int64_t finding_of(struct claw_history *history,
			  const struct claw_finding *finding)
{
	static const char find[] = "SELECT id FROM finding WHERE kind = ?"
		" AND kernel = ? AND file = ? AND what = ?";
	static const char insert[] = "INSERT INTO finding(kind, kernel, file,"
		" what) VALUES(?, ?, ?, ?)";
	const char *kind = claw_finding_kind_name(finding->kind);
	const char *kernel = or_empty(finding->kernel);
	const char *file = claw_finding_end_of_path(or_empty(finding->file));
	char *what = claw_finding_without_numbers(or_empty(finding->what));
	int64_t id = claw_history_number(history, find, "ssss", kind, kernel,
					 file, what);

	if (id < 0 && claw_history_run(history, insert, "ssss", kind, kernel,
				       file, what))
		id = sqlite3_last_insert_rowid(history->db);
	free(what);
	return id;
}

static bool add_finding(const struct adding *adding, int64_t series,
			const struct claw_finding *finding)
{
	static const char text[] = "INSERT INTO seen(finding, series, started,"
		" run, line) VALUES(?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
	int64_t id = finding_of(adding->history, finding);

	return id >= 0 && claw_history_run(adding->history, text, "iiiii", id,
		series, adding->started, adding->id, (int64_t)finding->line);
}

static bool add_findings(const struct adding *adding, int64_t series,
			 const struct claw_findings *findings)
{
	for (size_t i = 0; findings && i < findings->count; i++)
		if (!add_finding(adding, series, &findings->items[i]))
			return false;
	return true;
}

/* "lines=80 lines_hit=60": for each kind what of how many. */
static bool add_coverage(const struct adding *adding, int64_t series,
			 const char *metrics)
{
	static const char text[] = "INSERT OR REPLACE INTO coverage(series, kind,"
		" started, run, hit, total) VALUES(?, ?, ?, ?, ?, ?)";
	static const struct {
		const char *total, *hit;
	} kinds[] = {
		{ "lines", "lines_hit" }, { "functions", "functions_hit" },
		{ "branches", "branches_hit" }, { "counters", "counters_hit" },
	};

	for (size_t i = 0; metrics && i < sizeof(kinds) / sizeof(*kinds); i++) {
		double total = claw_result_metric(metrics, kinds[i].total);
		double hit = claw_result_metric(metrics, kinds[i].hit);

		if (total > 0 && hit >= 0 && hit <= total && total < 1e15 &&
		    !claw_history_run(adding->history, text, "isiiii", series,
				      kinds[i].total, adding->started,
				      adding->id, (int64_t)hit, (int64_t)total))
			return false;
	}
	return true;
}

/* Of several results of a case, one that failed, else the last. */
static bool add_result(const struct adding *adding,
		       const struct claw_result *result)
{
	static const char text[] = "INSERT INTO result(series, started, run,"
		" device, verdict, class, is_flaky, duration_us)"
		" VALUES(?, ?, ?, ?, ?, ?, ?, ?)"
		" ON CONFLICT(series, started, run) DO UPDATE"
		" SET is_flaky = is_flaky OR excluded.is_flaky OR"
		" (class != excluded.class AND class IN ('p', 'f') AND"
		" excluded.class IN ('p', 'f')), duration_us ="
		" excluded.duration_us, verdict = CASE class WHEN 'f' THEN"
		" verdict ELSE excluded.verdict END, class = CASE class WHEN 'f'"
		" THEN class ELSE excluded.class END";
	char class[2] = { claw_verdict_class(result->verdict), '\0' };
	const char *name;
	int64_t device = device_of(adding, result->configuration, &name);
	int64_t series = device < 0 ? -1 : series_of(adding, result, name);

	return series >= 0 &&
	       claw_history_run(adding->history, text, "iiiissii", series,
		adding->started, adding->id, device,
		claw_verdict_name(result->verdict), class,
		(int64_t)result->flaky, (int64_t)result->duration_us) &&
	       add_findings(adding, series, result->findings) &&
	       add_coverage(adding, series, result->metrics);
}

/* "2026-11-28T20:52:46Z", as records have it. */
static int64_t time_of(const char *started)
{
	struct tm when = { 0 };

	return started && strptime(started, "%Y-%m-%dT%H:%M:%S", &when) ?
		(int64_t)timegm(&when) : 0;
}

/* A second is long: how long its first case took tells runs apart; a soak's only
 * one takes longer each time that it goes on. */
static char *key_of(const struct adding *adding)
{
	const struct claw_past_run *run = adding->run;

	return claw_format("%s %s %s %llu %s", or_empty(run->verb),
			   or_empty(run->started), adding->machine,
			   run->result_count && !run->segment_count ?
			   (unsigned long long)run->results[0].duration_us :
			   0ULL,
			   or_empty(run->command));
}

/* One that goes on with --resume has more results now: it keeps its place. */
static bool empty_run(struct claw_history *history, int64_t run)
{
	static const char *const tables[] = {
		"DELETE FROM result WHERE run = ?",
		"DELETE FROM seen WHERE run = ?",
		"DELETE FROM coverage WHERE run = ?",
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		if (!claw_history_run(history, tables[i], "i", run))
			return false;
	return true;
}

static bool add_head(struct adding *adding, bool *ret_is_new)
{
	static const char find[] = "SELECT id FROM run WHERE key = ?";
	static const char insert[] = "INSERT OR REPLACE INTO run(id, key, verb,"
		" command, started, machine, \"commit\", directory,"
		" is_complete) VALUES(nullif(?, -1), ?, ?, ?, ?, ?, ?, ?, ?)";
	const struct claw_past_run *run = adding->run;
	struct claw_history *history = adding->history;
	char *directory = realpath(or_empty(run->directory), NULL);
	char *key = key_of(adding);
	bool done;

	adding->id = claw_history_number(history, find, "s", key);
	*ret_is_new = adding->id < 0;
	done = (adding->id < 0 || empty_run(history, adding->id)) &&
		claw_history_run(history, insert, "isssisssi", adding->id, key,
			or_empty(run->verb), or_empty(run->command),
			adding->started, adding->machine,
			or_empty(claw_past_run_fact(run, NULL,
						    CLAW_FACT_COMMIT)),
			or_empty(directory), (int64_t)run->complete);
	if (done && adding->id < 0)
		adding->id = sqlite3_last_insert_rowid(history->db);
	free(directory);
	free(key);
	return done;
}

void claw_history_bulk(struct claw_history *history)
{
	history->is_bulk = true;
}

/* A run is there as a whole, or not. SQLite results. */
static int begin_run(struct claw_history *history)
{
	if (!sqlite3_get_autocommit(history->db))
		return SQLITE_OK;
	history->began_ms = claw_clock_mono_ms();
	return claw_history_do(history, "BEGIN IMMEDIATE");
}

static int end_run(struct claw_history *history)
{
	return history->is_bulk &&
	       claw_clock_mono_ms() - history->began_ms < TOGETHER_MS ?
		SQLITE_OK : claw_history_do(history, "COMMIT");
}

int claw_history_add_run(struct claw_history *history,
			 const struct claw_past_run *run, bool *ret_is_new,
			 char *error, size_t error_size)
{
	struct adding adding = {
		.history = history, .run = run, .started = time_of(run->started),
		.machine = or_empty(claw_past_run_fact(run, NULL,
						       CLAW_FACT_MACHINE)),
	};
	bool done = begin_run(history) == SQLITE_OK;
	int ret;

	if (!done)
		return claw_history_fail(history, error, error_size);
	done = add_head(&adding, ret_is_new);
	for (size_t i = 0; done && i < run->result_count; i++)
		done = add_result(&adding, &run->results[i]);
	if (done && end_run(history) == SQLITE_OK)
		return 0;
	ret = claw_history_fail(history, error, error_size);
	claw_history_do(history, "ROLLBACK");
	return ret;
}

int claw_history_add(struct claw_history *history, const char *directory,
		     bool *ret_is_new, char *error, size_t error_size)
{
	struct claw_past_run *run;
	int ret = claw_past_run_read(directory, &run, error, error_size);

	if (ret < 0)
		return ret == -CLAW_E_IO ? -CLAW_E_DAMAGED : ret;
	ret = claw_begins(or_empty(run->command), "report ") ? 1 :
		claw_history_add_run(history, run, ret_is_new, error,
				     error_size);
	claw_past_run_free(run);
	return ret;
}

/* The run is in it already: without its judgements only a question takes longer. */
static int add_ended(const char *path, char *error, size_t size)
{
	struct claw_history *history;
	bool is_new;
	int ret = claw_history_open(path, true, &history, error, size);

	if (ret < 0)
		return ret;
	ret = claw_history_add(history, claw_records_ended(), &is_new, error,
			       size);
	if (ret == 0) {
		char unused[1024];

		claw_history_settle(history, unused, sizeof(unused));
	}
	claw_history_close(history);
	return ret;
}

void claw_history_note(const char *path, bool is_given)
{
	char error[4096];

	if (!claw_records_ended()) {
		if (is_given)
			fprintf(stderr, "openclaw: history: this run kept no "
				"records; it is not in %s\n", path);
		return;
	}
	claw_interrupt_begin();
	if (add_ended(path, error, sizeof(error)) < 0)
		fprintf(stderr, "openclaw: history: %s; this run is not in it\n",
			error);
	claw_interrupt_end();
}

/* ---- prune ------------------------------------------------------------------------ */

int claw_history_prune(struct claw_history *history, int64_t before,
		       uint64_t *ret_count, char *error, size_t error_size)
{
	static const char runs[] = "DELETE FROM run WHERE started < ?";
	bool done = claw_history_do(history, "BEGIN IMMEDIATE") == SQLITE_OK &&
		claw_history_run(history, runs, "i", before);
	int ret;

	*ret_count = done ? (uint64_t)sqlite3_changes(history->db) : 0;
	if (done && claw_history_do(history,
		"DELETE FROM series WHERE results = 0;"
		"DELETE FROM item WHERE id NOT IN (SELECT item FROM series);"
		"DELETE FROM finding WHERE id NOT IN (SELECT finding FROM found);"
		"COMMIT;PRAGMA incremental_vacuum") == SQLITE_OK)
		return claw_history_settle(history, error, error_size);
	ret = claw_history_fail(history, error, error_size);
	claw_history_do(history, "ROLLBACK");
	return ret;
}

uint64_t claw_history_runs(struct claw_history *history)
{
	int64_t count = claw_history_number(history,
					    "SELECT count(*) FROM run", "");

	return count < 0 ? 0 : (uint64_t)count;
}
