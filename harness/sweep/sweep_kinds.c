/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parser of the fault grammar decides what can happen to a call; here is
 * only what is tried when nobody says.
 */
#include "config.h"

#include "sweep_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "faults/shared/plan.h"
#include "harness/base/errors.h"
#include "faults/shared/nearest.h"
#include "harness/base/text.h"

enum {
	DELAY_TIMEOUT_MAX_MS = 5000,	/* a longer one is not waited for */
	DELAY_EXTRA_MS = 100,
};

struct list {
	struct claw_sweep_kind *items;
	size_t count;
	bool is_python;
	bool hardening;		/* of the kinds that are added now */
};

/* Tried in this order. Each is what a conforming driver may answer: the column
 * "seen" of faults.def says where; check_sweep_kinds walks them. */
static const struct {
	const char *action;
	uint32_t groups;	/* one of them, or 0: any but queries */
	bool queries;		/* questions, too */
} defaults[] = {
	{ "oom", 0, false },
	{ "build-fail", CLAW_G_BUILD, false },
	{ "oom-host", 0, true },
	{ "device-lost", 0, false },
};

/* Of --hardening, where the program can see it: not of an argument. */
static const char hardening_action[] = "null";
enum { HARDENING_GROUPS = CLAW_G_CREATE | CLAW_G_ALLOC | CLAW_G_TRANSFER };

/* Can that happen to a call of the function? */
static bool parse_one(enum claw_api api, const char *action,
		      struct claw_rule *ret_rule)
{
	char text[CLAW_RULE_WORD_MAX];
	struct claw_plan_error why;

	snprintf(text, sizeof(text), "%s:%s", claw_api_table[api].name, action);
	return claw_rule_parse(text, false, ret_rule, &why) == 0;
}

static void add_mode(struct list *list, const char *action,
		     enum claw_sweep_mode mode, unsigned int burst)
{
	struct claw_sweep_kind kind = {
		.mode = mode, .burst = burst, .hardening = list->hardening,
	};

	snprintf(kind.action, sizeof(kind.action), "%s", action);
	list->items = claw_one_more(list->items, list->count,
				    sizeof(*list->items));
	list->items[list->count++] = kind;
}

/* Does the device being lost last by itself? */
static bool is_lasting(const struct claw_rule *rule)
{
	return rule->fault == CLAW_FAULT_DEVICE_LOST;
}

static void add_action(struct list *list, const struct claw_sweep_kinds *kinds,
		       enum claw_api api, const char *action,
		       const struct claw_rule *rule)
{
	bool chosen = kinds->once || kinds->from_here || kinds->burst_count;
	/* pyopencl tries allocations and transfers again. */
	uint32_t retried = CLAW_G_ALLOC |
		(list->is_python ? CLAW_G_TRANSFER : 0);

	if (!chosen || kinds->once || is_lasting(rule))
		add_mode(list, action, CLAW_SWEEP_ONCE, 1);
	if (is_lasting(rule))
		return;
	if (kinds->from_here ||
	    (!chosen && claw_api_table[api].groups & retried &&
	     rule->fault == CLAW_FAULT_OOM))
		add_mode(list, action, CLAW_SWEEP_FROM_HERE, 1);
	for (size_t i = 0; i < kinds->burst_count; i++)
		add_mode(list, action, CLAW_SWEEP_BURST, kinds->bursts[i]);
}

static bool has_action(const struct list *list, const char *action)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].action, action) == 0)
			return true;
	return false;
}

static void try_action(struct list *list, const struct claw_sweep_kinds *kinds,
		       enum claw_api api, const char *action)
{
	struct claw_rule rule;

	if (!has_action(list, action) && parse_one(api, action, &rule))
		add_action(list, kinds, api, action, &rule);
}

/* One that was named, "+ACTION" or "ACTION". */
static void try_named(struct list *list, const struct claw_sweep_kinds *kinds,
		      enum claw_api api, const char *word)
{
	bool added = *word == '+';
	struct claw_rule rule;

	word += added;
	if (added && strcmp(word, hardening_action) == 0)
		return;		/* kinds->hardening */
	list->hardening = added && parse_one(api, word, &rule) && rule.fault &&
		!claw_fault_table[rule.fault].seen;
	try_action(list, kinds, api, word);
	list->hardening = false;
}

static void add_defaults(struct list *list,
			 const struct claw_sweep_kinds *kinds,
			 enum claw_api api)
{
	uint32_t groups = claw_api_table[api].groups;
	bool query = groups & CLAW_G_QUERY;

	for (size_t i = 0; i < sizeof(defaults) / sizeof(*defaults); i++)
		if ((!query || defaults[i].queries) &&
		    (!defaults[i].groups || defaults[i].groups & groups))
			try_action(list, kinds, api, defaults[i].action);
	if (groups & CLAW_G_ALLOC && *kinds->delay)
		try_action(list, kinds, api, kinds->delay);
}

static void add_spec(struct list *list, const struct claw_sweep_kinds *kinds,
		     enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];

	for (size_t i = 0; i < info->code_count; i++) {
		const char *name = claw_code_name(info->codes[i]);
		char action[96];

		snprintf(action, sizeof(action), "error=%s", name ? name : "");
		if (name)
			try_action(list, kinds, api, action);
	}
}

struct claw_sweep_kind *
claw_sweep_kinds_of(const struct claw_sweep_kinds *kinds, enum claw_api api,
		    bool is_python, size_t *ret_count)
{
	struct list list = { .is_python = is_python };

	if (kinds->defaults)
		add_defaults(&list, kinds, api);
	if (kinds->spec)
		add_spec(&list, kinds, api);
	for (size_t i = 0; i < kinds->actions.count; i++)
		try_named(&list, kinds, api, kinds->actions.items[i]);
	if (kinds->hardening && claw_api_table[api].groups & HARDENING_GROUPS) {
		list.hardening = true;
		try_action(&list, kinds, api, hardening_action);
	}
	*ret_count = list.count;
	return list.items;
}

/* ---- options ---------------------------------------------------------- */

/* Is it one action, and one that can be tried anywhere? */
static int check_action(const char *action, char *error, size_t error_size)
{
	char text[CLAW_RULE_WORD_MAX];
	struct claw_plan_error why;
	struct claw_nearest nearest;
	struct claw_rule rule;

	snprintf(text, sizeof(text), "@any:%s", action);
	if (strlen(action) < sizeof(((struct claw_sweep_kind *)0)->action) &&
	    !strchr(action, ':') &&
	    claw_rule_parse(text, false, &rule, &why) == 0)
		return 0;
	/* A code may be legal for a few functions only. */
	for (int api = 0; claw_begins(action, "error=") &&
	     api < CLAW_API_COUNT; api++)
		if (parse_one((enum claw_api)api, action, &rule))
			return 0;
	claw_nearest_init(&nearest, action);
	claw_nearest_offer(&nearest, "default");
	claw_nearest_offer(&nearest, "spec");
	for (int i = CLAW_FAULT_NONE + 1; i < CLAW_FAULT_COUNT; i++)
		claw_nearest_offer(&nearest, claw_fault_table[i].name);
	snprintf(error, error_size, "--kinds: expected default, spec or faults "
		 "as in \"openclaw inject --list\", found \"%s\"%s%s%s", action,
		 nearest.best ? "; did you mean \"" : "",
		 nearest.best ? nearest.best : "", nearest.best ? "\"?" : "");
	return -CLAW_E_USAGE;
}

static int parse_mode(const char *word, struct claw_sweep_kinds *kinds,
		      char *error, size_t error_size)
{
	char *end = NULL;
	unsigned long number;

	if (strcmp(word, "once") == 0) {
		kinds->once = true;
		return 0;
	}
	if (strcmp(word, "from-here") == 0) {
		kinds->from_here = true;
		return 0;
	}
	if (claw_begins(word, "burst=") && word[6] >= '1' && word[6] <= '9' &&
	    kinds->burst_count < sizeof(kinds->bursts) /
				 sizeof(*kinds->bursts)) {
		number = strtoul(word + 6, &end, 10);
		if (!*end && number >= 2 && number <= CLAW_SWEEP_BURST_MAX) {
			kinds->bursts[kinds->burst_count++] =
				(unsigned int)number;
			return 0;
		}
	}
	snprintf(error, error_size, "--mode: expected once, from-here or "
		 "burst=N with N from 2 to %d, found \"%s\"",
		 CLAW_SWEEP_BURST_MAX, word);
	return -CLAW_E_USAGE;
}

/* "Past the timeout" is tried where that does not take long. */
static void choose_delay(struct claw_sweep_kinds *kinds)
{
	const char *text = getenv("CLW_MEM_TIMEOUT_MS");
	unsigned long ms = text ? strtoul(text, NULL, 10) : 0;

	if (ms > 0 && ms <= DELAY_TIMEOUT_MAX_MS)
		snprintf(kinds->delay, sizeof(kinds->delay), "delay=%lums",
			 ms + DELAY_EXTRA_MS);
}

int claw_sweep_kinds_parse(const struct claw_strings *words,
			   const struct claw_strings *modes, bool hardening,
			   struct claw_sweep_kinds *ret_kinds, char *error,
			   size_t error_size)
{
	struct claw_sweep_kinds kinds = {
		.actions = *words, .hardening = hardening,
	};
	size_t added = 0;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < words->count; i++) {
		const char *word = words->items[i];

		added += *word == '+';
		word += *word == '+';
		if (strcmp(word, "default") == 0)
			kinds.defaults = true;
		else if (strcmp(word, "spec") == 0)
			kinds.spec = true;
		else if (strcmp(words->items[i], "+null") == 0)
			kinds.hardening = true;
		else
			ret = check_action(word, error, error_size);
	}
	kinds.defaults = kinds.defaults || added == words->count;
	for (size_t i = 0; ret == 0 && i < modes->count; i++)
		ret = parse_mode(modes->items[i], &kinds, error, error_size);
	choose_delay(&kinds);
	if (ret == 0)
		*ret_kinds = kinds;
	return ret;
}

const char *claw_sweep_mode_text(enum claw_sweep_mode mode, unsigned int burst,
				 char text[24])
{
	static const char *const names[] = {
		[CLAW_SWEEP_ONCE] = "once",
		[CLAW_SWEEP_FROM_HERE] = "from-here",
	};

	if (mode == CLAW_SWEEP_BURST)
		snprintf(text, 24, "burst=%u", burst);
	else
		snprintf(text, 24, "%s", names[mode]);
	return text;
}
