/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read a journal (doc/journal.md) that may be truncated, torn or hostile:
 * every offset is checked, intact entries are given, damaged ones counted.
 */
#ifndef CLAW_JOURNAL_READER_H
#define CLAW_JOURNAL_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faults/shared/journal_format.h"

struct claw_journal;	/* opaque; a private copy, the file may go */

/* 0, -CLAW_E_IO (errno set), -CLAW_E_DAMAGED (no usable header),
 * -CLAW_E_VERSION. */
int claw_journal_read(const char *path, struct claw_journal **ret_journal);
int claw_journal_read_memory(const void *bytes, size_t size,
			     struct claw_journal **ret_journal);
/* Could that be a journal of the session with this nonce? One that is not
 * written to its end yet, or cannot be read, could. */
bool claw_journal_is_of(const char *path, uint64_t nonce);
/* Since when one of its threads has been making kernels with probes (CLOCK_
 * MONOTONIC); 0: none is, or its process is gone. The rest is not read. */
uint64_t claw_journal_probes_since_ns(const char *path);
void claw_journal_free(struct claw_journal *journal);

const struct claw_journal_header *claw_journal_get_header(const struct claw_journal *);

/* A string by its offset; "" when the offset is bad. Never NULL. */
const char *claw_journal_get_string(const struct claw_journal *, uint32_t offset);
const char *claw_journal_get_api_name(const struct claw_journal *, unsigned int api);
/* Index of a function's name in this journal, or -1. */
int claw_journal_find_api(const struct claw_journal *, const char *name);

size_t claw_journal_get_rule_count(const struct claw_journal *);
const struct claw_journal_rule *claw_journal_get_rule(const struct claw_journal *, size_t index);

/* Intact events and calls in order of their commit number. */
size_t claw_journal_get_event_count(const struct claw_journal *);
const struct claw_journal_record *claw_journal_get_event(const struct claw_journal *, size_t index);
size_t claw_journal_get_call_count(const struct claw_journal *);
const struct claw_journal_record *claw_journal_get_call(const struct claw_journal *, size_t index);

/* By index + 1 as records have it; NULL when 0, out of range or damaged. */
const struct claw_journal_site *claw_journal_find_site(const struct claw_journal *, uint32_t number);
const struct claw_journal_module *claw_journal_find_module(const struct claw_journal *, uint32_t number);

/* Sums over threads. */
uint64_t claw_journal_get_calls(const struct claw_journal *, unsigned int api);
uint64_t claw_journal_get_total_calls(const struct claw_journal *);
int64_t claw_journal_get_live(const struct claw_journal *, enum claw_obj type);
/* Sum of the threads' own peaks: exact for one thread, else an upper bound. */
int64_t claw_journal_get_peak_bound(const struct claw_journal *, enum claw_obj type);
size_t claw_journal_get_thread_count(const struct claw_journal *);
uint64_t claw_journal_get_created_bytes(const struct claw_journal *);

/* Entries that were there but damaged, and entries the guest had no room for. */
uint64_t claw_journal_get_damaged(const struct claw_journal *);
uint64_t claw_journal_get_dropped_calls(const struct claw_journal *);
uint64_t claw_journal_get_dropped_events(const struct claw_journal *);

/* Ticks of this journal to CLOCK_MONOTONIC ns, and a span of ticks to ns. */
uint64_t claw_journal_get_mono_ns(const struct claw_journal *, uint64_t ticks);
uint64_t claw_journal_get_span_ns(const struct claw_journal *, uint64_t ticks);

#endif
