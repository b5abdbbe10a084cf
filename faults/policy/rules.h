/* SPDX-License-Identifier: Apache-2.0 */
/* Arming rules, before the first call or at any time after it. */
#ifndef CLAW_RULES_H
#define CLAW_RULES_H

#include "faults/call/rule_table.h"

/* Arm a rule; returns its index or -1 (no room). */
CLAW_HIDDEN int claw_rules_add(const struct claw_rule *rule);
/* In a forked child: the rules stay, their counts start again. */
CLAW_HIDDEN void claw_rules_reset(void);
/* clawArmOPENCLAW and its sisters (arm.c), or NULL. */
CLAW_HIDDEN void *claw_arm_find(const char *name);

#endif
