/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a history share. */
#ifndef CLAW_HISTORY_PRIVATE_H
#define CLAW_HISTORY_PRIVATE_H

#include <sqlite3.h>

#include "history.h"

struct claw_history {
	sqlite3 *db;
	char *path;
};

/* The last error as one line that names the file; returns -CLAW_E_IO. */
int claw_history_fail(struct claw_history *history, char *error, size_t size);
/* An SQLite result code. */
int claw_history_do(struct claw_history *history, const char *text);
/* NULL: an error. */
sqlite3_stmt *claw_history_ask(struct claw_history *history, const char *text);
/* Of a row; never NULL. */
const char *claw_history_text(sqlite3_stmt *statement, int column);
/* A copy of the text; NULL: "". */
void claw_history_bind(sqlite3_stmt *statement, int at, const char *text);

#endif
