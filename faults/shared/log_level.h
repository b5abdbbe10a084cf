/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The levels of CLW_LOG_LEVEL, for the layer and libclw; each includes those
 * before it.
 */
#ifndef CLAW_LOG_LEVEL_H
#define CLAW_LOG_LEVEL_H

enum claw_log_level {
	CLAW_LOG_OFF, CLAW_LOG_ERROR, CLAW_LOG_WARN, CLAW_LOG_INFO,
	CLAW_LOG_DEBUG,
};

/* "ERROR" */
const char *claw_log_level_name(enum claw_log_level level);
/* In any case of letters; -1: the text, which may be NULL, is none. */
int claw_log_level_find(const char *text);

#endif
