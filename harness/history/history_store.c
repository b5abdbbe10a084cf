/* SPDX-License-Identifier: Apache-2.0 */
/* The SQLite file of a history: its tables, runs in and out. */
#include "config.h"

#include "history_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/records/baseline.h"
#include "harness/records/commit.h"
#include "harness/records/past_run.h"
#include "harness/session/user_config.h"

enum { TABLES_VERSION = 1, BUSY_MS = 5000, WAIT_MS = 50 };

/* Each brings a file from the version that is its index to the next one. */
static const char *const migrations[TABLES_VERSION] = {
	"CREATE TABLE run(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"
	" verb TEXT NOT NULL, command TEXT NOT NULL, started INTEGER NOT NULL,"
	" machine TEXT NOT NULL, \"commit\" TEXT NOT NULL, directory TEXT NOT NULL,"
	" is_complete INTEGER NOT NULL);"
	"CREATE INDEX run_started ON run(started);"
	"CREATE TABLE device(id INTEGER PRIMARY KEY, name TEXT NOT NULL,"
	" driver TEXT NOT NULL, UNIQUE(name, driver));"
	"CREATE TABLE item(id INTEGER PRIMARY KEY, suite TEXT NOT NULL,"
	" name TEXT NOT NULL, configuration TEXT NOT NULL,"
	" UNIQUE(suite, name, configuration));"
	"CREATE TABLE result(item INTEGER NOT NULL REFERENCES item(id),"
	" run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"
	" device INTEGER NOT NULL REFERENCES device(id),"
	" verdict TEXT NOT NULL, class TEXT NOT NULL, is_flaky INTEGER NOT NULL,"
	" duration_us INTEGER NOT NULL, PRIMARY KEY(item, run)) WITHOUT ROWID;"
	"CREATE INDEX result_run ON result(run);"
	"CREATE TABLE finding(id INTEGER PRIMARY KEY, kind TEXT NOT NULL,"
	" kernel TEXT NOT NULL, file TEXT NOT NULL, what TEXT NOT NULL,"
	" UNIQUE(kind, kernel, file, what));"
	"CREATE TABLE seen(finding INTEGER NOT NULL REFERENCES finding(id),"
	" run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"
	" item INTEGER NOT NULL REFERENCES item(id), line INTEGER NOT NULL,"
	" PRIMARY KEY(finding, run, item)) WITHOUT ROWID;"
	"CREATE INDEX seen_run ON seen(run);",
};

/* A command may go to another folder. */
static char *absolute(const char *path)
{
	char *here = *path == '/' ? NULL : realpath(".", NULL);
	char *whole = here ? claw_path_in(here, path) : claw_strdup(path);

	free(here);
	return whole;
}

char *claw_history_find(void)
{
	struct claw_user_config config;
	const char *given = getenv("OPENCLAW_HISTORY");
	char error[1024], *path = NULL;

	if (given)
		return *given ? absolute(given) : NULL;
	if (claw_user_config_read(&config, error, sizeof(error)) == 0) {
		if (config.path)
			path = claw_format("%.*s" CLAW_HISTORY_FILE,
				(int)(claw_base_name(config.path) - config.path),
				config.path);
		claw_user_config_release(&config);
	}
	if (path && access(path, F_OK) == 0)
		return path;
	free(path);
	return access(CLAW_HISTORY_FILE, F_OK) == 0 ?
		absolute(CLAW_HISTORY_FILE) : NULL;
}

/* ---- SQLite -------------------------------------------------------------------- */

int claw_history_fail(struct claw_history *history, char *error, size_t size)
{
	snprintf(error, size, "%s: %s", history->path,
		 sqlite3_errmsg(history->db));
	return -CLAW_E_IO;
}

int claw_history_do(struct claw_history *history, const char *text)
{
	return sqlite3_exec(history->db, text, NULL, NULL, NULL);
}

sqlite3_stmt *claw_history_ask(struct claw_history *history, const char *text)
{
	sqlite3_stmt *statement = NULL;

	sqlite3_prepare_v2(history->db, text, -1, &statement, NULL);
	return statement;
}

const char *claw_history_text(sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);

	return text ? text : "";
}

void claw_history_bind(sqlite3_stmt *statement, int at, const char *text)
{
	sqlite3_bind_text(statement, at, text ? text : "", -1,
			  SQLITE_TRANSIENT);
}

/* One row, or none: its first column; -1: none, or an error. */
static int64_t first_number(struct claw_history *history, const char *text)
{
	sqlite3_stmt *statement = claw_history_ask(history, text);
	int64_t number = -1;

	if (statement && sqlite3_step(statement) == SQLITE_ROW)
		number = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return number;
}

/* ---- open ------------------------------------------------------------------------ */

/* Somebody else's tables are not touched. application_id: "claw". */
static int check_owner(struct claw_history *history, char *error, size_t size)
{
	int64_t tables = first_number(history,
				      "SELECT count(*) FROM sqlite_schema");

	if (tables < 0) {
		bool is_none = sqlite3_errcode(history->db) == SQLITE_NOTADB;
		int ret = claw_history_fail(history, error, size);

		return is_none ? -CLAW_E_DAMAGED : ret;
	}
	if (tables == 0 || first_number(history, "PRAGMA application_id") ==
	    0x636c6177)
		return 0;
	snprintf(error, size, "%s: expected a history of openclaw",
		 history->path);
	return -CLAW_E_DAMAGED;
}

static int prepare(struct claw_history *history, char *error, size_t size)
{
	int64_t version;
	char end[128];
	int ret = check_owner(history, error, size);

	if (ret < 0)
		return ret;
	/* Who changes the mode does not wait for others that do. */
	for (int i = 0; i < BUSY_MS / WAIT_MS &&
	     claw_history_do(history, "PRAGMA journal_mode = WAL") ==
	     SQLITE_BUSY; i++)
		sqlite3_sleep(WAIT_MS);
	if (claw_history_do(history, "PRAGMA synchronous = NORMAL;"
			    "PRAGMA foreign_keys = ON;BEGIN IMMEDIATE") !=
	    SQLITE_OK)
		return claw_history_fail(history, error, size);
	version = first_number(history, "PRAGMA user_version");
	if (version > TABLES_VERSION) {
		snprintf(error, size, "%s: a newer openclaw wrote it (version "
			 "%d, this one knows %d)", history->path, (int)version,
			 TABLES_VERSION);
		return -CLAW_E_VERSION;
	}
	for (; version >= 0 && version < TABLES_VERSION; version++)
		if (claw_history_do(history, migrations[version]) != SQLITE_OK)
			return claw_history_fail(history, error, size);
	snprintf(end, sizeof(end), "PRAGMA application_id = 0x636c6177;"
		 "PRAGMA user_version = %d;COMMIT", TABLES_VERSION);
	if (claw_history_do(history, end) != SQLITE_OK)
		return claw_history_fail(history, error, size);
	return 0;
}

int claw_history_open(const char *path, bool is_new,
		      struct claw_history **ret_history, char *error,
		      size_t error_size)
{
	struct claw_history *history = claw_calloc(1, sizeof(*history));
	int ret;

	history->path = claw_strdup(path);
	if (!is_new && access(path, F_OK) < 0) {
		snprintf(error, error_size, "%s: there is no history", path);
		claw_history_close(history);
		return -CLAW_E_NOT_FOUND;
	}
	if (sqlite3_open_v2(path, &history->db, SQLITE_OPEN_READWRITE |
			    (is_new ? SQLITE_OPEN_CREATE : 0), NULL) !=
	    SQLITE_OK) {
		claw_history_fail(history, error, error_size);
		claw_history_close(history);
		return -CLAW_E_IO;
	}
	sqlite3_busy_timeout(history->db, BUSY_MS);
	ret = prepare(history, error, error_size);
	if (ret < 0) {
		claw_history_close(history);
		return ret;
	}
	*ret_history = history;
	return 0;
}

void claw_history_close(struct claw_history *history)
{
	if (!history)
		return;
	sqlite3_close(history->db);
	free(history->path);
	free(history);
}

/* ---- add -------------------------------------------------------------------------- */

/* Of a table with a UNIQUE of all its text columns, the row with these texts. -1:
 * an error. */
static int64_t row_of(struct claw_history *history, const char *insert,
		      const char *select, const char *const *texts)
{
	const char *const questions[] = { insert, select };
	int64_t id = -1;

	for (int i = 0; i < 2; i++) {
		sqlite3_stmt *statement = claw_history_ask(history,
							   questions[i]);

		for (int j = 0; statement && texts[j]; j++)
			claw_history_bind(statement, j + 1, texts[j]);
		if (statement && sqlite3_step(statement) == SQLITE_ROW)
			id = sqlite3_column_int64(statement, 0);
		sqlite3_finalize(statement);
	}
	return id;
}

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

static int64_t device_of(struct claw_history *history,
			 const struct claw_past_run *run,
			 const char *configuration)
{
	const char *texts[] = {
		fact_of(run, configuration, "device"),
		fact_of(run, configuration, "driver"), NULL,
	};

	return row_of(history, "INSERT OR IGNORE INTO device(name, driver)"
		      " VALUES(?, ?)", "SELECT id FROM device WHERE name = ?"
		      " AND driver = ?", texts);
}

/* Cases of a sweep, a check and so on are of one program, or of one file: the word
 * behind "--", else the last one, without its folder. */
static char *suite_of(const struct claw_past_run *run,
		      const struct claw_result *result)
{
	const char *command = or_empty(run->command);
	const char *program = strstr(command, " -- ");
	const char *last = strrchr(command, ' ');
	char *word, *suite;

	if (strcmp(or_empty(run->verb), "test") == 0)
		return claw_strdup_or_null(or_empty(result->suite));
	program = program ? program + strlen(" -- ") : last ? last + 1 : command;
	word = claw_strndup(program, strcspn(program, " "));
	suite = claw_format("%s %s", or_empty(result->suite),
			    claw_base_name(word));
	free(word);
	return suite;
}

/* What was planned: a check that passed and its leak are results of one. */
static int64_t item_of(struct claw_history *history,
		       const struct claw_past_run *run,
		       const struct claw_result *result)
{
	char *suite = suite_of(run, result);
	const char *texts[] = {
		suite, or_empty(claw_result_item_key(result).name),
		result->configuration ? result->configuration : "native", NULL,
	};
	int64_t id = row_of(history, "INSERT OR IGNORE INTO item(suite, name,"
		      " configuration) VALUES(?, ?, ?)", "SELECT id FROM item"
		      " WHERE suite = ? AND name = ? AND configuration = ?",
		      texts);

	free(suite);
	return id;
}

static bool add_finding(struct claw_history *history, int64_t run, int64_t item,
			const struct claw_finding *finding)
{
	char *what = claw_finding_without_numbers(finding->what);
	const char *texts[] = {
		claw_finding_kind_name(finding->kind), finding->kernel,
		claw_finding_end_of_path(finding->file), what, NULL,
	};
	int64_t id = row_of(history, "INSERT OR IGNORE INTO finding(kind, kernel,"
			    " file, what) VALUES(?, ?, ?, ?)", "SELECT id FROM"
			    " finding WHERE kind = ? AND kernel = ? AND"
			    " file = ? AND what = ?", texts);
	sqlite3_stmt *statement = claw_history_ask(history, "INSERT OR IGNORE"
		" INTO seen(finding, run, item, line) VALUES(?, ?, ?, ?)");
	bool done = false;

	if (statement && id >= 0) {
		sqlite3_bind_int64(statement, 1, id);
		sqlite3_bind_int64(statement, 2, run);
		sqlite3_bind_int64(statement, 3, item);
		sqlite3_bind_int64(statement, 4, finding->line);
		done = sqlite3_step(statement) == SQLITE_DONE;
	}
	sqlite3_finalize(statement);
	free(what);
	return done;
}

/* Of several results of a case, one that failed, else the last. */
static bool add_result(struct claw_history *history,
		       const struct claw_past_run *run, int64_t id,
		       const struct claw_result *result)
{
	int64_t item = item_of(history, run, result);
	int64_t device = device_of(history, run, result->configuration);
	char class[2] = { claw_verdict_class(result->verdict), '\0' };
	sqlite3_stmt *statement = claw_history_ask(history, "INSERT INTO"
		" result(item, run, device, verdict, class, is_flaky,"
		" duration_us) VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT(item, run) DO UPDATE"
		" SET is_flaky = is_flaky OR excluded.is_flaky OR"
		" (class != excluded.class AND class IN ('p', 'f') AND"
		" excluded.class IN ('p', 'f')), duration_us ="
		" excluded.duration_us, verdict = CASE class WHEN 'f' THEN"
		" verdict ELSE excluded.verdict END, class = CASE class WHEN 'f'"
		" THEN class ELSE excluded.class END");
	bool done = false;

	if (statement && item >= 0 && device >= 0) {
		sqlite3_bind_int64(statement, 1, item);
		sqlite3_bind_int64(statement, 2, id);
		sqlite3_bind_int64(statement, 3, device);
		claw_history_bind(statement, 4,
				  claw_verdict_name(result->verdict));
		claw_history_bind(statement, 5, class);
		sqlite3_bind_int(statement, 6, result->flaky);
		sqlite3_bind_int64(statement, 7, (int64_t)result->duration_us);
		done = sqlite3_step(statement) == SQLITE_DONE;
	}
	sqlite3_finalize(statement);
	for (size_t i = 0; done && result->findings &&
	     i < result->findings->count; i++)
		done = add_finding(history, id, item,
				   &result->findings->items[i]);
	return done;
}

/* "2026-11-28T20:52:46Z", as records have it. */
static int64_t time_of(const char *started)
{
	struct tm when = { 0 };

	return started && strptime(started, "%Y-%m-%dT%H:%M:%S", &when) ?
		(int64_t)timegm(&when) : 0;
}

/* One that goes on with --resume has more results later. True: it was there. */
static bool remove_run(struct claw_history *history, const char *key)
{
	sqlite3_stmt *statement = claw_history_ask(history,
						   "DELETE FROM run WHERE key = ?");
	bool done = false;

	if (statement) {
		claw_history_bind(statement, 1, key);
		done = sqlite3_step(statement) == SQLITE_DONE &&
			sqlite3_changes(history->db) > 0;
	}
	sqlite3_finalize(statement);
	return done;
}

/* 1: it is new, 0: it was there, -1: an error. ret_id: of it. */
static int add_head(struct claw_history *history,
		    const struct claw_past_run *run, int64_t *ret_id)
{
	const char *machine = claw_past_run_fact(run, NULL, CLAW_FACT_MACHINE);
	/* A second is long: how long its first case took tells runs apart. */
	char *key = claw_format("%s %s %s %llu %s", or_empty(run->verb),
				or_empty(run->started), or_empty(machine),
				run->result_count ? (unsigned long long)
				run->results[0].duration_us : 0ULL,
				or_empty(run->command));
	char *directory = realpath(run->directory, NULL);
	bool was_there = remove_run(history, key);
	sqlite3_stmt *statement = claw_history_ask(history, "INSERT"
		" INTO run(key, verb, command, started, machine, \"commit\","
		" directory, is_complete) VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
	int ret = -1;

	if (statement) {
		claw_history_bind(statement, 1, key);
		claw_history_bind(statement, 2, run->verb);
		claw_history_bind(statement, 3, run->command);
		sqlite3_bind_int64(statement, 4, time_of(run->started));
		claw_history_bind(statement, 5, machine);
		claw_history_bind(statement, 6, claw_past_run_fact(run, NULL,
			CLAW_FACT_COMMIT));
		claw_history_bind(statement, 7, directory);
		sqlite3_bind_int(statement, 8, run->complete);
		if (sqlite3_step(statement) == SQLITE_DONE)
			ret = !was_there;
	}
	*ret_id = sqlite3_last_insert_rowid(history->db);
	sqlite3_finalize(statement);
	free(directory);
	free(key);
	return ret;
}

int claw_history_add(struct claw_history *history, const char *directory,
		     bool *ret_is_new, char *error, size_t error_size)
{
	struct claw_past_run *run;
	int ret = claw_past_run_read(directory, &run, error, error_size);
	bool done = false;
	int64_t id;

	if (ret < 0)
		return ret;
	if (claw_begins(or_empty(run->command), "report ")) {
		claw_past_run_free(run);
		return 1;
	}
	if (claw_history_do(history, "BEGIN IMMEDIATE") == SQLITE_OK) {
		int head = add_head(history, run, &id);

		*ret_is_new = head == 1;
		done = head >= 0;
		for (size_t i = 0; done && i < run->result_count; i++)
			done = add_result(history, run, id, &run->results[i]);
		done = done && claw_history_do(history, "COMMIT") == SQLITE_OK;
	}
	if (!done) {
		ret = claw_history_fail(history, error, error_size);
		claw_history_do(history, "ROLLBACK");
	}
	claw_past_run_free(run);
	return ret;
}

void claw_history_note(const char *path)
{
	struct claw_history *history;
	char error[4096];
	bool is_new;
	int ret;

	if (!claw_records_ended())
		return;
	ret = claw_history_open(path, true, &history, error, sizeof(error));
	if (ret == 0) {
		ret = claw_history_add(history, claw_records_ended(), &is_new,
				       error, sizeof(error));
		claw_history_close(history);
	}
	if (ret < 0)
		fprintf(stderr, "openclaw: history: %s; this run is not in it\n",
			error);
}

int claw_history_prune(struct claw_history *history, int64_t before,
		       uint64_t *ret_count, char *error, size_t error_size)
{
	sqlite3_stmt *statement = claw_history_ask(history, "DELETE FROM run"
		" WHERE started < ?");
	bool done = false;

	if (statement) {
		sqlite3_bind_int64(statement, 1, before);
		done = sqlite3_step(statement) == SQLITE_DONE;
	}
	*ret_count = done ? (uint64_t)sqlite3_changes(history->db) : 0;
	sqlite3_finalize(statement);
	if (!done || claw_history_do(history, "DELETE FROM finding WHERE id NOT IN"
				     " (SELECT finding FROM seen);PRAGMA"
				     " incremental_vacuum") != SQLITE_OK)
		return claw_history_fail(history, error, error_size);
	return 0;
}

uint64_t claw_history_runs(struct claw_history *history)
{
	int64_t count = first_number(history, "SELECT count(*) FROM run");

	return count < 0 ? 0 : (uint64_t)count;
}
