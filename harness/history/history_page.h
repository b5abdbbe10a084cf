/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a history: one file that loads nothing. */
#ifndef CLAW_HISTORY_PAGE_H
#define CLAW_HISTORY_PAGE_H

#include <stdio.h>

#include "history.h"

/* 0, or an error of claw_history_each() with its text. */
int claw_history_page(struct claw_history *history,
		      const struct claw_history_query *query, FILE *out,
		      char *error, size_t error_size);

#endif
