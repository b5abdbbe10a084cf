/* SPDX-License-Identifier: Apache-2.0 */
/* The rules that are armed, and how often each has fired. */
#include "config.h"

#include "rule_table.h"

struct claw_armed_rule claw_armed_rules[CLAW_ARMED_MAX] CLAW_HIDDEN;
_Atomic unsigned int claw_armed_count CLAW_HIDDEN;

bool claw_rule_take_firing(unsigned int index)
{
	struct claw_armed_rule *armed = &claw_armed_rules[index];
	uint64_t fired = __atomic_load_n(&armed->slot->fired, __ATOMIC_RELAXED);
	uint64_t limit = armed->rule.times;

	do {
		if (limit && fired - armed->fired_base >= limit)
			return false;
	} while (!__atomic_compare_exchange_n(&armed->slot->fired, &fired,
			fired + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return true;
}

bool claw_rules_fire_late(unsigned int index,
			  const struct claw_journal_record *record)
{
	if (!claw_rule_take_firing(index))
		return false;
	claw_write_record(record);
	return true;
}

void claw_rules_disarm(unsigned int index)
{
	if (index < claw_armed_count)
		atomic_store(&claw_armed_rules[index].active, false);
}

uint64_t claw_rules_fired(unsigned int index)
{
	if (index >= claw_armed_count)
		return 0;
	return __atomic_load_n(&claw_armed_rules[index].slot->fired, __ATOMIC_RELAXED) -
	       claw_armed_rules[index].fired_base;
}

const struct claw_rule *claw_rules_get(unsigned int index)
{
	return &claw_armed_rules[index].rule;
}
