/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and signals as people write them. */
#ifndef CLAW_WORDS_H
#define CLAW_WORDS_H

#include <stdint.h>
#include <stdio.h>

/* "1,440"; "720 MiB". */
void claw_print_count(FILE *out, uint64_t count);
void claw_print_bytes(FILE *out, uint64_t bytes);

/* "SIGSEGV" for 11; "signal 77" in a buffer of the function's own. */
const char *claw_signal_name(int number);
/* "SIGSYS: a filter of system calls (seccomp) ended it ...": the same, with what
 * is known of that signal's cause. */
const char *claw_signal_words(int number);

#endif
