/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of the layer on stderr, if CLW_LOG_LEVEL enables them: ERROR, WARN,
 * INFO or DEBUG, in any case of letters; each includes those before it. Any
 * other value prints nothing. A line is one write(2); nothing is allocated.
 */
#ifndef CLAW_LOG_H
#define CLAW_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "faults/journal/journal.h"

enum claw_log_level {
	CLAW_LOG_OFF, CLAW_LOG_ERROR, CLAW_LOG_WARN, CLAW_LOG_INFO,
	CLAW_LOG_DEBUG,
};

/* Once a process. */
CLAW_HIDDEN void claw_log_begin(void);
CLAW_HIDDEN bool claw_log_is_on(enum claw_log_level level);

/* "[CLW DEBUG] TEXT", and TEXT alone. */
CLAW_HIDDEN void claw_log(enum claw_log_level level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
CLAW_HIDDEN void claw_log_plain(enum claw_log_level level,
				const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
