/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of the layer on stderr, if CLW_LOG_LEVEL enables them: log_level.h.
 * Any other value prints nothing. A line is one write(2); nothing is allocated.
 */
#ifndef CLAW_LOG_H
#define CLAW_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "faults/journal/journal.h"
#include "faults/shared/log_level.h"

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
