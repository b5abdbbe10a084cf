/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journals of one run together: the handshake, the counts of each rule,
 * the objects alive at the end, and the calls made.
 */
#ifndef CLAW_EVIDENCE_H
#define CLAW_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/readers/journal_reader.h"
#include "harness/session/session.h"

struct claw_rule;
struct claw_symbolizer;

/* Sums over all processes of the run. */
struct claw_rule_count {
	uint64_t matched, fired, consequences, delayed_ns;
	char *place;		/* of the first firing: "main (tile.c:88)", or NULL */
	char *name;		/* its stable name, or NULL */
	char *api;		/* the function it first fired at, or NULL */
};

struct claw_evidence {
	struct claw_journal **journals;
	size_t count;
	size_t unreadable;		/* journals without a usable header */
	uint64_t hooked_slots;		/* the most of any process */
	bool via_icd;			/* any process's guest was an ICD */
	uint32_t door_left_out;		/* enum claw_door: was there, too, in any process */
	uint64_t calls;
	char *plan_error;		/* a layer refused the plan, or NULL */
	struct claw_rule_count *rules;
	size_t rule_count;
	int64_t live[CLAW_OBJ_COUNT];
	uint64_t misuse;
	uint64_t status_polls;		/* clGetEventInfo calls */
	uint64_t dropped_calls, dropped_events, damaged;
	uint64_t torn;			/* of damaged: not the guest's own doing */
	struct claw_symbolizer *symbolizer;	/* borrowed, or NULL: one a text */
};

/* rule_count: rules of the session. 0 or -CLAW_E_IO. */
int claw_evidence_read(const struct claw_session *session, size_t rule_count,
		       struct claw_evidence *ret_evidence);
/* The same with a symbolizer that is kept for many runs: opening the program
 * costs more than all the rest. It outlives the evidence. */
int claw_evidence_read_with(const struct claw_session *session,
			    size_t rule_count,
			    struct claw_symbolizer *symbolizer,
			    struct claw_evidence *ret_evidence);
void claw_evidence_release(struct claw_evidence *evidence);

/* Nanoseconds of delay that the rules of a running session have given, as
 * far as its journals say now. */
uint64_t claw_evidence_delayed_ns(const struct claw_session *session);

/* Was the layer there, and called? */
bool claw_evidence_has_handshake(const struct claw_evidence *evidence);

/* Why the journals do not tell everything, one line, malloced, or NULL: they
 * do. What a process was writing when it ended is not missed. */
char *claw_evidence_gap(const struct claw_evidence *evidence);

/* Texts, malloced, NULL when there is nothing to say:
 * blocked:   "clFinish at main (tile.c:88)", a call that has not returned.
 * last_call: "clEnqueueNDRangeKernel at main (tile.c:90)".
 * last_name: stable name of the last call's site, three frames.
 * crash:     "in tile (tile.c:88)", where a fatal signal was met.
 * crash_name, crash_stack: its stable name (three frames); all its frames.
 * under_way: " (within clFinish at main (tile.c:90))", the call that the thread
 *            of the fatal signal was in; in a kernel " (last launch:
 *            clEnqueueNDRangeKernel at main (tile.c:88), kernel 'blur', argument
 *            0 is NULL)".
 * misuse:    one line each of the first `max` misuses.
 * slow:      one line each of the first `max` calls whose memory took too
 *            long: "clw-memory-timeout: Allocation of ... (INJECTED)", or that
 *            it is not known ("note: ...").
 * leaks:     "2 MEM, 1 EVENT" alive here and not in the baseline. */
char *claw_evidence_blocked(const struct claw_evidence *evidence);
char *claw_evidence_last_call(const struct claw_evidence *evidence);
char *claw_evidence_last_name(const struct claw_evidence *evidence);
char *claw_evidence_crash(const struct claw_evidence *evidence);
char *claw_evidence_crash_name(const struct claw_evidence *evidence);
char *claw_evidence_crash_stack(const struct claw_evidence *evidence);
char *claw_evidence_under_way(const struct claw_evidence *evidence);
char *claw_evidence_misuse(const struct claw_evidence *evidence, size_t max);
char *claw_evidence_slow(const struct claw_evidence *evidence, size_t max);
char *claw_evidence_leaks(const struct claw_evidence *evidence,
			  const struct claw_evidence *baseline);

/*
 * Did two runs make the same calls? Compared per thread, without @query
 * calls, repeats and repeated cycles collapsed.
 *
 * Returns malloced words for the first difference, or NULL: none.
 */
char *claw_evidence_compare(const struct claw_evidence *first,
			    const struct claw_evidence *second);

/* Did any rule fire? */
bool claw_evidence_any_fired(const struct claw_evidence *evidence);
/* Did every rule fire? One with p= need only have matched, where another did
 * and chance could have it fire. The first that did not, or rule_count. */
size_t claw_evidence_first_unreached(const struct claw_evidence *evidence,
				     const struct claw_rule *rules);

/* "; via icd" for the summary of a run, "" where all was as a layer. */
const char *claw_door_words(const struct claw_evidence *evidence);

#endif
