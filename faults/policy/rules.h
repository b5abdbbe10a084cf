/* SPDX-License-Identifier: Apache-2.0 */
/* Arming rules, before the first call or at any time after it. */
#ifndef CLAW_RULES_H
#define CLAW_RULES_H

#include <stdatomic.h>

#include "faults/call/rule_table.h"

/* Arm a rule; returns its index or -1 (no room). Then the ways are to be set
 * (claw_set_ways()). */
CLAW_HIDDEN int claw_rules_add(const struct claw_rule *rule);
/* In a forked child: the rules stay, their counts start again. */
CLAW_HIDDEN void claw_rules_reset(void);

/* ---- between arming, matching, carrying out and the ways of calls */

struct claw_matcher {
	const struct claw_rule *conditions;
	struct claw_journal_rule *slot;	/* its matched is the counter */
	int first;			/* index of its first rule */
	_Atomic uint64_t next_when;	/* no rule can fire below this match */
	bool plain;			/* no condition at all */
};
extern struct claw_matcher claw_matchers[CLAW_ARMED_MAX] CLAW_HIDDEN;
/* Of each function: its matchers. */
extern uint16_t claw_matcher_lists[CLAW_API_COUNT][CLAW_ARMED_MAX] CLAW_HIDDEN;
extern _Atomic uint16_t claw_matcher_counts[CLAW_API_COUNT] CLAW_HIDDEN;

/* The match that claw_is_quiet() counted before it sent a call the long
 * way; 0: none. */
extern __thread uint64_t claw_counted_match
	__attribute__((tls_model(CLAW_TLS_MODEL))) CLAW_HIDDEN;

/* Of so many matchers: which rule fires at this call? It is carried out. */
CLAW_HIDDEN void claw_rules_decide(struct claw_call *call, unsigned int length);
static inline void claw_rules_match(struct claw_call *call)
{
	unsigned int length =
		atomic_load_explicit(&claw_matcher_counts[call->api],
				     memory_order_acquire);

	if (length)
		claw_rules_decide(call, length);
}

/* Do what the rule says (apply.c). The event is on disk before anything that
 * may not come back. */
CLAW_HIDDEN void claw_rule_apply(struct claw_call *call, unsigned int index);
CLAW_HIDDEN void claw_rule_delay(struct claw_call *call, unsigned int index,
				 uint64_t n);
/* After the driver: of a rule that waits for it; and the event and the mapping
 * that the program is not to see. */
CLAW_HIDDEN void claw_rule_end_waiting(struct claw_call *call);
CLAW_HIDDEN void claw_rule_end_lending(struct claw_call *call);
CLAW_HIDDEN void claw_rule_hide_mapping(struct claw_call *call);

#endif
