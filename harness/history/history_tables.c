/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of a history. A series is one case in one configuration on one
 * device and machine; its row has the judgement of its last results, which is
 * worth nothing where "judge" is 0 or another openclaw's. Results lie in the
 * order of their series, so that the last ones of a series are read at once.
 * "found" and the counts follow by triggers, whoever adds and removes.
 */
#include "config.h"

#include "history_private.h"

#define FIRST_TABLES							\
	"CREATE TABLE run(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE," \
	" verb TEXT NOT NULL, command TEXT NOT NULL, started INTEGER NOT NULL," \
	" machine TEXT NOT NULL, \"commit\" TEXT NOT NULL, directory TEXT NOT NULL," \
	" is_complete INTEGER NOT NULL);"				\
	"CREATE INDEX run_started ON run(started);"			\
	"CREATE TABLE device(id INTEGER PRIMARY KEY, name TEXT NOT NULL," \
	" driver TEXT NOT NULL, UNIQUE(name, driver));"			\
	"CREATE TABLE item(id INTEGER PRIMARY KEY, suite TEXT NOT NULL," \
	" name TEXT NOT NULL, configuration TEXT NOT NULL,"		\
	" UNIQUE(suite, name, configuration));"				\
	"CREATE TABLE result(item INTEGER NOT NULL REFERENCES item(id),"	\
	" run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"	\
	" device INTEGER NOT NULL REFERENCES device(id),"		\
	" verdict TEXT NOT NULL, class TEXT NOT NULL, is_flaky INTEGER NOT NULL," \
	" duration_us INTEGER NOT NULL, PRIMARY KEY(item, run)) WITHOUT ROWID;" \
	"CREATE INDEX result_run ON result(run);"			\
	"CREATE TABLE finding(id INTEGER PRIMARY KEY, kind TEXT NOT NULL," \
	" kernel TEXT NOT NULL, file TEXT NOT NULL, what TEXT NOT NULL,"	\
	" UNIQUE(kind, kernel, file, what));"				\
	"CREATE TABLE seen(finding INTEGER NOT NULL REFERENCES finding(id)," \
	" run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"	\
	" item INTEGER NOT NULL REFERENCES item(id), line INTEGER NOT NULL," \
	" PRIMARY KEY(finding, run, item)) WITHOUT ROWID;"		\
	"CREATE INDEX seen_run ON seen(run);"

#define SERIES_TABLES							\
	"CREATE TABLE series(id INTEGER PRIMARY KEY,"			\
	" item INTEGER NOT NULL REFERENCES item(id), device TEXT NOT NULL," \
	" machine TEXT NOT NULL, results INTEGER NOT NULL DEFAULT 0,"	\
	" last INTEGER NOT NULL DEFAULT 0, judge INTEGER NOT NULL DEFAULT 0," \
	" judged_from INTEGER, trend INTEGER, passed INTEGER, failed INTEGER," \
	" ratio REAL, trend_before INTEGER, trend_after INTEGER,"	\
	" times_before INTEGER, times_after INTEGER,"			\
	" UNIQUE(item, device, machine));"				\
	"CREATE TABLE result(series INTEGER NOT NULL REFERENCES series(id)," \
	" started INTEGER NOT NULL,"					\
	" run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"	\
	" device INTEGER NOT NULL REFERENCES device(id),"		\
	" verdict TEXT NOT NULL, class TEXT NOT NULL, is_flaky INTEGER NOT NULL," \
	" duration_us INTEGER NOT NULL,"				\
	" PRIMARY KEY(series, started, run)) WITHOUT ROWID;"		\
	"CREATE TABLE seen(finding INTEGER NOT NULL REFERENCES finding(id)," \
	" series INTEGER NOT NULL REFERENCES series(id),"		\
	" started INTEGER NOT NULL,"					\
	" run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"	\
	" line INTEGER NOT NULL,"					\
	" PRIMARY KEY(finding, series, started, run)) WITHOUT ROWID;"	\
	"CREATE TABLE found(finding INTEGER NOT NULL, series INTEGER NOT NULL," \
	" first INTEGER NOT NULL, first_run INTEGER NOT NULL,"		\
	" last INTEGER NOT NULL, last_run INTEGER NOT NULL,"		\
	" line INTEGER NOT NULL, results INTEGER NOT NULL,"		\
	" PRIMARY KEY(finding, series)) WITHOUT ROWID;"			\
	"CREATE TABLE coverage(series INTEGER NOT NULL REFERENCES series(id)," \
	" kind TEXT NOT NULL, started INTEGER NOT NULL,"		\
	" run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"	\
	" hit INTEGER NOT NULL, total INTEGER NOT NULL,"		\
	" PRIMARY KEY(series, kind, started, run)) WITHOUT ROWID;"

#define FROM_FIRST_TABLES						\
	"INSERT INTO series(item, device, machine, results, last)"	\
	" SELECT item, device.name, machine, count(*), max(started)"	\
	" FROM old_result JOIN run ON run.id = run JOIN device"		\
	" ON device.id = device GROUP BY 1, 2, 3;"			\
	"INSERT INTO result SELECT series.id, started, run.id, device.id," \
	" verdict, class, is_flaky, duration_us FROM old_result"	\
	" JOIN run ON run.id = run JOIN device ON device.id ="		\
	" old_result.device JOIN series ON series.item = old_result.item" \
	" AND series.device = device.name AND series.machine = run.machine" \
	" ORDER BY 1, 2, 3;"						\
	"INSERT INTO seen SELECT finding, series.id, started, run.id, line" \
	" FROM old_seen JOIN run ON run.id = old_seen.run"		\
	" JOIN old_result ON old_result.item = old_seen.item"		\
	" AND old_result.run = old_seen.run"				\
	" JOIN device ON device.id = old_result.device"			\
	" JOIN series ON series.item = old_seen.item AND series.device ="	\
	" device.name AND series.machine = run.machine ORDER BY 1, 2, 3, 4;" \
	"INSERT INTO found SELECT finding, series, first, (SELECT run FROM" \
	" seen WHERE finding = groups.finding AND series = groups.series"	\
	" ORDER BY started, run LIMIT 1), last, run, line, results FROM"	\
	" (SELECT finding, series, min(started) AS first, count(*) AS results" \
	" FROM seen GROUP BY 1, 2) AS groups JOIN (SELECT finding AS f,"	\
	" series AS s, started AS last, run, line, row_number() OVER"	\
	" (PARTITION BY finding, series ORDER BY started DESC, run DESC)" \
	" AS place FROM seen) ON f = finding AND s = series AND place = 1;"

#define FOUND_OF	" WHERE finding = old.finding AND series = old.series"
#define TRIGGERS							\
	"CREATE INDEX result_run ON result(run);"			\
	"CREATE INDEX seen_run ON seen(run);"				\
	"CREATE INDEX coverage_run ON coverage(run);"			\
	"CREATE TRIGGER result_added AFTER INSERT ON result BEGIN"	\
	" UPDATE series SET results = results + 1,"			\
	" last = max(last, new.started), judge = 0 WHERE id = new.series;" \
	" END;"								\
	"CREATE TRIGGER result_changed AFTER UPDATE ON result BEGIN"	\
	" UPDATE series SET judge = 0 WHERE id = new.series; END;"	\
	"CREATE TRIGGER result_removed AFTER DELETE ON result BEGIN"	\
	" UPDATE series SET results = results - 1, last = ifnull((SELECT" \
	" max(started) FROM result WHERE series = old.series), 0), judge = 0" \
	" WHERE id = old.series; END;"					\
	"CREATE TRIGGER seen_added AFTER INSERT ON seen BEGIN"		\
	" INSERT INTO found VALUES(new.finding, new.series, new.started,"	\
	" new.run, new.started, new.run, new.line, 1)"			\
	" ON CONFLICT(finding, series) DO UPDATE SET results = results + 1," \
	" (first, first_run) = (SELECT started, run FROM seen"		\
	" WHERE finding = new.finding AND series = new.series"		\
	" ORDER BY started, run LIMIT 1), (last, last_run, line) ="	\
	" (SELECT started, run, line FROM seen WHERE finding = new.finding" \
	" AND series = new.series ORDER BY started DESC, run DESC LIMIT 1);" \
	" END;"								\
	"CREATE TRIGGER seen_removed AFTER DELETE ON seen BEGIN"	\
	" DELETE FROM found" FOUND_OF " AND results = 1;"		\
	" UPDATE found SET results = results - 1,"			\
	" (first, first_run) = (SELECT started, run FROM seen" FOUND_OF	\
	" ORDER BY started, run LIMIT 1), (last, last_run, line) ="	\
	" (SELECT started, run, line FROM seen" FOUND_OF		\
	" ORDER BY started DESC, run DESC LIMIT 1)" FOUND_OF "; END;"

const char *const
claw_history_migrations[CLAW_HISTORY_VERSION][CLAW_HISTORY_STEPS] = {
	{ FIRST_TABLES },
	/* A table's indexes go with its new name, so they are made last. */
	{ "DROP INDEX result_run;DROP INDEX seen_run;"
	"ALTER TABLE result RENAME TO old_result;"
	"ALTER TABLE seen RENAME TO old_seen;"
	SERIES_TABLES,
	FROM_FIRST_TABLES
	"DROP TABLE old_seen;DROP TABLE old_result;" TRIGGERS },
};
