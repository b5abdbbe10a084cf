/* SPDX-License-Identifier: Apache-2.0 */
/* Error codes of the host (negative on return) and exit statuses. */
#ifndef CLAW_ERRORS_H
#define CLAW_ERRORS_H

enum claw_error {
#define ERR(name_, value_, text_) CLAW_E_##name_ = value_,
#include "errors.def"
#undef ERR
};

/* Exit status of every judging command (openclaw-exit-status(7)). */
enum claw_exit {
	CLAW_EXIT_CLEAN = 0,
	CLAW_EXIT_FINDINGS = 1,
	CLAW_EXIT_UNKNOWN = 2,		/* not reached, not injected, no end record */
	CLAW_EXIT_USAGE = 64,
	CLAW_EXIT_SKIPPED = 77,		/* nothing could run here */
	CLAW_EXIT_INFRA = 99,		/* the harness itself failed */
	CLAW_EXIT_NOT_REACHED = 125,	/* transparent inject: a rule never fired */
	CLAW_EXIT_NOT_EXECUTABLE = 126,
	CLAW_EXIT_NO_PROGRAM = 127,
};

/* Text of -CLAW_E_*; never NULL. */
const char *claw_error_text(int error);

/* Print "openclaw: MESSAGE" on stderr and exit with status. Only main.c and
 * cmd_*.c may call it. */
_Noreturn void claw_die(int status, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Print "openclaw: MESSAGE" on stderr. Only main.c and cmd_*.c. */
void claw_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same for each line of a text; NULL has none. */
void claw_warn_lines(const char *text);

#endif
