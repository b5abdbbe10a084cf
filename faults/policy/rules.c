/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules are armed, and matchers made of them: rules whose conditions are the
 * same (but for when, p and times) share one counter, however many rules stand
 * on it, and one number below which none of them can fire.
 */
#include "config.h"

#include "rules.h"

#include <pthread.h>
#include <string.h>

struct claw_matcher claw_matchers[CLAW_ARMED_MAX] CLAW_HIDDEN;
uint16_t claw_matcher_lists[CLAW_API_COUNT][CLAW_ARMED_MAX] CLAW_HIDDEN;
_Atomic uint16_t claw_matcher_counts[CLAW_API_COUNT] CLAW_HIDDEN;
static _Atomic unsigned int matcher_count;
static pthread_mutex_t rules_lock = PTHREAD_MUTEX_INITIALIZER;

static bool same_conditions(const struct claw_rule *a, const struct claw_rule *b)
{
	return !memcmp(a->targets, b->targets, sizeof(a->targets)) &&
	       !((a->has ^ b->has) & CLAW_HAS_MATCHING) &&
	       a->above_bytes == b->above_bytes && a->after_ns == b->after_ns &&
	       !strcmp(a->kernel, b->kernel) && a->device == b->device &&
	       a->thread == b->thread && a->site == b->site &&
	       !strcmp(a->at, b->at) && a->pc_count == b->pc_count &&
	       !memcmp(a->pcs, b->pcs, sizeof(a->pcs)) &&
	       (a->fault == CLAW_FAULT_NULL) == (b->fault == CLAW_FAULT_NULL);
}

static uint64_t first_when(const struct claw_rule *rule)
{
	return rule->has & CLAW_HAS_WHEN ? rule->when_first : 1;
}

static bool is_plain(const struct claw_rule *rule)
{
	return !(rule->has & CLAW_HAS_MATCHING) &&
	       rule->fault != CLAW_FAULT_NULL;
}

static void add_matcher(unsigned int index)
{
	unsigned int m = matcher_count;
	const struct claw_rule *rule = &claw_armed_rules[index].rule;

	claw_matchers[m].conditions = rule;
	claw_matchers[m].slot = claw_armed_rules[index].slot;
	claw_matchers[m].first = (int)index;
	claw_matchers[m].plain = is_plain(rule);
	atomic_store(&claw_matchers[m].next_when, first_when(rule));
	atomic_store(&matcher_count, m + 1);
	for (unsigned int api = 0; api < CLAW_API_COUNT; api++) {
		uint16_t length = claw_matcher_counts[api];

		if (!claw_rule_targets(rule, (enum claw_api)api))
			continue;
		claw_matcher_lists[api][length] = (uint16_t)m;
		atomic_store_explicit(&claw_matcher_counts[api], (uint16_t)(length + 1),
				      memory_order_release);
	}
}

/* Join a matcher with the same conditions; only before the first call, so
 * that the counts are the same. */
static bool join_matcher(unsigned int index)
{
	for (unsigned int m = 0; m < matcher_count; m++) {
		struct claw_matcher *matcher = &claw_matchers[m];
		int last = matcher->first;

		if (!same_conditions(matcher->conditions, &claw_armed_rules[index].rule))
			continue;
		while (claw_armed_rules[last].next >= 0)
			last = claw_armed_rules[last].next;
		claw_armed_rules[last].next = (int)index;
		claw_armed_rules[index].slot->matched_in =
			(uint64_t)claw_armed_rules[matcher->first].slot_index + 1;
		if (first_when(&claw_armed_rules[index].rule) < matcher->next_when)
			matcher->next_when = first_when(&claw_armed_rules[index].rule);
		return true;
	}
	return false;
}

/* The same rule armed before by the program and disarmed since. */
static int find_disarmed(const struct claw_rule *rule)
{
	for (unsigned int i = 0; i < claw_armed_count; i++)
		if (!claw_armed_rules[i].active && !strcmp(claw_armed_rules[i].rule.text, rule->text) &&
		    !claw_armed_rules[i].slot->matched_in && claw_armed_rules[i].next < 0)
			return (int)i;
	return -1;
}

static bool rule_is_for_this_program(const struct claw_rule *rule)
{
	return !*rule->exe || claw_glob_match(rule->exe, claw_guest.exe);
}

static int add_rule(const struct claw_rule *rule)
{
	int index = find_disarmed(rule);
	bool ours = rule_is_for_this_program(rule);

	if (index >= 0) {
		struct claw_armed_rule *again = &claw_armed_rules[index];

		again->match_base = again->slot->matched;
		again->fired_base = again->slot->fired;
		for (unsigned int m = 0; m < matcher_count; m++)
			if (claw_matchers[m].first == index)
				claw_matchers[m].next_when = again->match_base +
					first_when(rule);
		atomic_store(&again->active, true);
		return index;
	}
	index = (int)claw_armed_count;
	if (index == CLAW_ARMED_MAX)
		return -1;
	claw_armed_rules[index].rule = *rule;
	claw_armed_rules[index].slot_index = claw_journal_rule_add(rule->text, ours);
	claw_armed_rules[index].slot = claw_journal_rule_at(claw_armed_rules[index].slot_index);
	claw_armed_rules[index].next = -1;
	atomic_store(&claw_armed_rules[index].active, ours);
	atomic_store(&claw_armed_count, (unsigned int)index + 1);
	if (!ours)
		return index;
	if (rule->fault == CLAW_FAULT_NULL && rule->words & CLAW_NULL_ARG &&
	    claw_rule_targets(rule, CLAW_API_clSetKernelArg))
		claw_handles_track_mems();
	if (claw_guest.begun || !join_matcher((unsigned int)index))
		add_matcher((unsigned int)index);
	return index;
}

int claw_rules_add(const struct claw_rule *rule)
{
	int index;

	pthread_mutex_lock(&rules_lock);
	index = add_rule(rule);
	pthread_mutex_unlock(&rules_lock);
	return index;
}

/* In a forked child: the rules stay, their counts start again. */
void claw_rules_reset(void)
{
	pthread_mutex_init(&rules_lock, NULL);
	for (unsigned int i = 0; i < claw_armed_count; i++) {
		claw_armed_rules[i].match_base = 0;
		claw_armed_rules[i].fired_base = 0;
	}
	for (unsigned int m = 0; m < matcher_count; m++) {
		uint64_t lowest = UINT64_MAX;

		for (int i = claw_matchers[m].first; i >= 0; i = claw_armed_rules[i].next)
			if (first_when(&claw_armed_rules[i].rule) < lowest)
				lowest = first_when(&claw_armed_rules[i].rule);
		claw_matchers[m].next_when = lowest;
	}
}
