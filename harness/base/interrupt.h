/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals that ask us to end, where no runner takes them (runner.h): between
 * begin and end of a command's records the first one is kept, and the next
 * runner is cancelled by it. So records always come to their end. A second one
 * ends the process at once.
 */
#ifndef CLAW_INTERRUPT_H
#define CLAW_INTERRUPT_H

#include <signal.h>

/* SIGINT, SIGTERM, SIGHUP and SIGQUIT, but not those that whoever started us
 * asked us to ignore (nohup, a shell's background job). */
void claw_interrupt_signals(sigset_t *ret_signals);

/* Begin and end may nest. */
void claw_interrupt_begin(void);
void claw_interrupt_end(void);

/* The signal that came, once; 0: none. */
int claw_interrupt_take(void);
/* It came to somebody who cannot end the command: keep it, or end now. */
void claw_interrupt_pass_on(int number);

/* A full file and a reader that has gone are errors of a write, and end nothing;
 * the programs that we start get SIGXFSZ and SIGPIPE as ever. */
void claw_interrupt_catch_writes(void);

/* SIGUSR1, SIGUSR2 and SIGALRM do nothing to a command that does not ask for
 * them; the programs that it starts get them as ever. */
void claw_interrupt_ignore_others(void);

#endif
