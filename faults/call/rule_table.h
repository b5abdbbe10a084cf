/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules that are armed: what those ask who carry one out. Any thread may
 * call any of these at any time.
 */
#ifndef CLAW_RULE_TABLE_H
#define CLAW_RULE_TABLE_H

#include "guest.h"

enum { CLAW_ARMED_MAX = CLAW_JOURNAL_MAX_RULES };

struct claw_armed_rule {
	struct claw_rule rule;
	struct claw_journal_rule *slot;
	int slot_index;
	int next;		/* next rule of the same matcher, or -1 */
	_Atomic bool active;
	uint64_t match_base;	/* matches before it was armed */
	uint64_t fired_base;
};
extern struct claw_armed_rule claw_armed_rules[CLAW_ARMED_MAX] CLAW_HIDDEN;
extern _Atomic unsigned int claw_armed_count CLAW_HIDDEN;

CLAW_HIDDEN const struct claw_rule *claw_rules_get(unsigned int index);
CLAW_HIDDEN void claw_rules_disarm(unsigned int index);
CLAW_HIDDEN uint64_t claw_rules_fired(unsigned int index);
/* Count that it fires. False: it may not, for it has fired often enough. */
CLAW_HIDDEN bool claw_rule_take_firing(unsigned int index);
/* What the rule did not do at its call it does now: that is recorded, and
 * counted, unless it may not. */
CLAW_HIDDEN bool claw_rules_fire_late(unsigned int index,
				      const struct claw_journal_record *record);

#endif
