/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a history: found, opened, brought to this version's tables. */
#include "config.h"

#include "history_private.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/session/user_config.h"

enum {
	BUSY_MS = 5000, WAIT_MS = 50, CACHE_KIB = 65536,
	LOG_PAGES = 10000,	/* runs write the same pages again and again */
};

/* ---- find ------------------------------------------------------------------------ */

static char *absolute(const char *path)
{
	char *here = *path == '/' ? NULL : realpath(".", NULL);
	char *whole = here ? claw_path_in(here, path) : claw_strdup(path);

	free(here);
	return whole;
}

char *claw_history_find(const char *given,
			const struct claw_user_config *config)
{
	char *path = NULL;

	if (!given)
		given = config->history;
	if (given)
		return *given ? absolute(given) : NULL;
	if (config->path)
		path = claw_format("%.*s" CLAW_HISTORY_FILE,
			(int)(claw_base_name(config->path) - config->path),
			config->path);
	if (path && access(path, F_OK) == 0)
		return path;
	free(path);
	return access(CLAW_HISTORY_FILE, F_OK) == 0 ?
		absolute(CLAW_HISTORY_FILE) : NULL;
}

/* ---- SQLite -------------------------------------------------------------------- */

int claw_history_fail(struct claw_history *history, char *error, size_t size)
{
	bool is_locked = sqlite3_errcode(history->db) == SQLITE_BUSY;

	snprintf(error, size, "%s: %s", history->path, !is_locked ?
		 sqlite3_errmsg(history->db) : history->came ?
		 "interrupted while another process has it locked" :
		 "locked by another process");
	return is_locked ? -CLAW_E_LOCKED : -CLAW_E_IO;
}

int claw_history_do(struct claw_history *history, const char *text)
{
	return sqlite3_exec(history->db, text, NULL, NULL, NULL);
}

static sqlite3_stmt *keep(struct claw_history *history, const char *text)
{
	struct claw_history_kept new = { .text = text };

	for (size_t i = 0; i < history->kept_count; i++)
		if (history->kept[i].text == text)
			return history->kept[i].statement;
	if (sqlite3_prepare_v3(history->db, text, -1, SQLITE_PREPARE_PERSISTENT,
			       &new.statement, NULL) != SQLITE_OK)
		return NULL;
	history->kept = claw_one_more(history->kept, history->kept_count,
				      sizeof(new));
	history->kept[history->kept_count++] = new;
	return new.statement;
}

static sqlite3_stmt *bind(struct claw_history *history, const char *text,
			  const char *types, va_list values)
{
	sqlite3_stmt *statement = keep(history, text);

	if (!statement)
		return NULL;
	sqlite3_reset(statement);
	for (int i = 1; types[i - 1]; i++) {
		if (types[i - 1] == 'i')
			sqlite3_bind_int64(statement, i,
					   va_arg(values, int64_t));
		else if (types[i - 1] == 'd')
			sqlite3_bind_double(statement, i,
					    va_arg(values, double));
		else
			sqlite3_bind_text(statement, i,
					  va_arg(values, const char *), -1,
					  SQLITE_STATIC);
	}
	return statement;
}

sqlite3_stmt *claw_history_with(struct claw_history *history, const char *text,
				const char *types, ...)
{
	sqlite3_stmt *statement;
	va_list values;

	va_start(values, types);
	statement = bind(history, text, types, values);
	va_end(values);
	return statement;
}

bool claw_history_run(struct claw_history *history, const char *text,
		      const char *types, ...)
{
	sqlite3_stmt *statement;
	va_list values;

	va_start(values, types);
	statement = bind(history, text, types, values);
	va_end(values);
	return statement && sqlite3_step(statement) == SQLITE_DONE &&
	       sqlite3_reset(statement) == SQLITE_OK;
}

int64_t claw_history_number(struct claw_history *history, const char *text,
			    const char *types, ...)
{
	sqlite3_stmt *statement;
	int64_t number = -1;
	va_list values;

	va_start(values, types);
	statement = bind(history, text, types, values);
	va_end(values);
	if (statement && sqlite3_step(statement) == SQLITE_ROW)
		number = sqlite3_column_int64(statement, 0);
	if (statement)
		sqlite3_reset(statement);
	return number;
}

const char *claw_history_text(sqlite3_stmt *row, int column)
{
	const char *text = (const char *)sqlite3_column_text(row, column);

	return text ? text : "";
}

/* is_like(PATTERN, TEXT), as other patterns of openclaw's options. */
static void is_like(sqlite3_context *context, int count, sqlite3_value **values)
{
	const char *pattern = (const char *)sqlite3_value_text(values[0]);
	const char *text = (const char *)sqlite3_value_text(values[1]);

	(void)count;
	sqlite3_result_int(context, !pattern ||
			   (text && fnmatch(pattern, text, 0) == 0));
}

/* ---- open ------------------------------------------------------------------------ */

/* A signal that asks us to end does not wait for another process. */
static int wait_again(void *user, int times)
{
	struct claw_history *history = user;

	if (!history->came)
		history->came = claw_interrupt_take();
	if (history->came || times >= BUSY_MS / WAIT_MS)
		return 0;
	sqlite3_sleep(WAIT_MS);
	return 1;
}

/* Somebody else's tables are not touched. application_id: "claw". Returns the
 * version of the tables, or an error. */
static int read_version(struct claw_history *history, char *error, size_t size)
{
	int64_t tables = claw_history_number(history,
		"SELECT count(*) FROM sqlite_schema", "");
	int64_t version;

	if (tables < 0) {
		bool is_none = sqlite3_errcode(history->db) == SQLITE_NOTADB;
		int ret = claw_history_fail(history, error, size);

		return is_none ? -CLAW_E_DAMAGED : ret;
	}
	if (tables && claw_history_number(history, "PRAGMA application_id", "")
	    != 0x636c6177) {
		snprintf(error, size, "%s: expected a history of openclaw",
			 history->path);
		return -CLAW_E_DAMAGED;
	}
	version = claw_history_number(history, "PRAGMA user_version", "");
	if (version < 0)
		return claw_history_fail(history, error, size);
	if (version > CLAW_HISTORY_VERSION) {
		snprintf(error, size, "%s: a newer openclaw wrote it (version "
			 "%d, this one knows %d)", history->path, (int)version,
			 CLAW_HISTORY_VERSION);
		return -CLAW_E_VERSION;
	}
	return (int)version;
}

/* Several may do so at a time. */
static int migrate(struct claw_history *history, char *error, size_t size)
{
	char end[128];
	int version;

	if (claw_history_do(history, "BEGIN IMMEDIATE") != SQLITE_OK)
		return claw_history_fail(history, error, size);
	version = read_version(history, error, size);
	if (version < 0)
		return version;
	for (; version < CLAW_HISTORY_VERSION; version++)
		for (int i = 0; i < CLAW_HISTORY_STEPS; i++)
			if (claw_history_do(history,
				claw_history_migrations[version][i]) !=
			    SQLITE_OK)
				return claw_history_fail(history, error, size);
	snprintf(end, sizeof(end), "PRAGMA application_id = 0x636c6177;"
		 "PRAGMA user_version = %d;COMMIT", CLAW_HISTORY_VERSION);
	if (claw_history_do(history, end) != SQLITE_OK)
		return claw_history_fail(history, error, size);
	return 0;
}

static int prepare(struct claw_history *history, char *error, size_t size)
{
	char settings[256];
	int version;

	snprintf(settings, sizeof(settings), "PRAGMA cache_size = -%d;"
		 "PRAGMA wal_autocheckpoint = %d;PRAGMA synchronous = NORMAL;"
		 "PRAGMA temp_store = MEMORY;"
		 "PRAGMA foreign_keys = ON", CACHE_KIB, LOG_PAGES);
	sqlite3_busy_handler(history->db, wait_again, history);
	sqlite3_create_function(history->db, "is_like", 2, SQLITE_UTF8 |
				SQLITE_DETERMINISTIC, NULL, is_like, NULL,
				NULL);
	if (claw_history_do(history, settings) != SQLITE_OK &&
	    sqlite3_errcode(history->db) != SQLITE_NOTADB)
		return claw_history_fail(history, error, size);
	version = read_version(history, error, size);
	if (version < 0 || version == CLAW_HISTORY_VERSION)
		return version < 0 ? version : 0;
	/* So that "prune" can make the file smaller: before the first table. */
	if (version == 0)
		claw_history_do(history, "PRAGMA auto_vacuum = INCREMENTAL");
	/* Who changes the mode does not wait for others that do. */
	for (int i = 0; i < BUSY_MS / WAIT_MS &&
	     claw_history_do(history, "PRAGMA journal_mode = WAL") ==
	     SQLITE_BUSY; i++)
		sqlite3_sleep(WAIT_MS);
	return migrate(history, error, size);
}

static void end(struct claw_history *history)
{
	for (size_t i = 0; i < history->kept_count; i++)
		sqlite3_finalize(history->kept[i].statement);
	free(history->kept);
	history->kept = NULL;
	history->kept_count = 0;
	sqlite3_close(history->db);
}

/* In a folder that cannot be written to SQLite cannot make the files of its log;
 * where there is none, all is in the file itself. */
static int open_unchanging(struct claw_history *history)
{
	char *log = claw_format("%s-wal", history->path);
	char *uri = claw_format("file:%s?immutable=1", history->path);
	int ret = SQLITE_CANTOPEN;

	if (access(log, F_OK) < 0 && !strpbrk(history->path, "%?#")) {
		end(history);
		ret = sqlite3_open_v2(uri, &history->db, SQLITE_OPEN_READONLY |
				      SQLITE_OPEN_URI, NULL);
	}
	free(uri);
	free(log);
	return ret;
}

int claw_history_open(const char *path, bool is_new,
		      struct claw_history **ret_history, char *error,
		      size_t error_size)
{
	struct claw_history *history = claw_calloc(1, sizeof(*history));
	int ret = 0;

	history->path = claw_strdup(path);
	if (!is_new && access(path, F_OK) < 0) {
		snprintf(error, error_size, "%s: there is no history", path);
		ret = -CLAW_E_NOT_FOUND;
	} else if (sqlite3_open_v2(path, &history->db, SQLITE_OPEN_READWRITE |
				   (is_new ? SQLITE_OPEN_CREATE : 0), NULL) !=
		   SQLITE_OK) {
		ret = claw_history_fail(history, error, error_size);
	} else {
		ret = prepare(history, error, error_size);
		if (ret < 0 && !is_new && sqlite3_errcode(history->db) ==
		    SQLITE_CANTOPEN && open_unchanging(history) == SQLITE_OK)
			ret = prepare(history, error, error_size);
	}
	if (ret < 0)
		claw_history_close(history);
	else
		*ret_history = history;
	return ret;
}

void claw_history_close(struct claw_history *history)
{
	if (!history)
		return;
	end(history);
	free(history->path);
	free(history);
}
