/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compare a point with the user's rules about what may change the result.
 */
#include "config.h"

#include "sweep_benign.h"

#include <stdio.h>
#include <string.h>

#include "faults/shared/plan.h"
#include "harness/base/errors.h"

/* "TARGET[:ACTION][:at=FUNCTION]" in its parts. */
struct benign {
	char target[64], action[96], at[128];
};

static int parse(const char *text, struct benign *ret_benign)
{
	struct benign b = { .target = "" };
	size_t length = strcspn(text, ":");

	snprintf(b.target, sizeof(b.target), "%.*s", (int)length, text);
	for (text += length; *text == ':'; text += length) {
		length = strcspn(++text, ":");
		if (strncmp(text, "at=", 3) == 0 && !*b.at)
			snprintf(b.at, sizeof(b.at), "%.*s", (int)length - 3,
				 text + 3);
		else if (!*b.action && length > 0)
			snprintf(b.action, sizeof(b.action), "%.*s",
				 (int)length, text);
		else
			return -CLAW_E_USAGE;
	}
	*ret_benign = b;
	return 0;
}

/* A rule that can target whatever the benign one does. */
static bool make_rule(const struct benign *b, struct claw_rule *ret_rule,
		      struct claw_plan_error *reterr)
{
	char text[CLAW_RULE_WORD_MAX];

	snprintf(text, sizeof(text), "%s:%s", b->target,
		 *b->action ? b->action : "delay=1ms");
	return claw_rule_parse(text, true, ret_rule, reterr) == 0;
}

int claw_sweep_benign_check(const struct claw_strings *benign, char *error,
			    size_t error_size)
{
	struct claw_plan_error why;
	struct claw_rule rule;
	struct benign b;

	for (size_t i = 0; i < benign->count; i++) {
		const char *text = benign->items[i];

		if (parse(text, &b) < 0) {
			snprintf(error, error_size, "--benign: expected "
				 "TARGET[:FAULT][:at=FUNCTION], found \"%s\"",
				 text);
			return -CLAW_E_USAGE;
		}
		if (!make_rule(&b, &rule, &why)) {
			snprintf(error, error_size, "--benign:1:%zu: %s",
				 why.column, why.message);
			return -CLAW_E_USAGE;
		}
	}
	return 0;
}

/* Is "load" a function of the chain "load < main"? */
static bool has_function(const char *chain, const char *function)
{
	size_t length = strlen(function);

	for (const char *at = chain; (at = strstr(at, function)); at++)
		if ((at == chain || at[-1] == ' ') &&
		    (at[length] == '\0' || at[length] == ' '))
			return true;
	return false;
}

bool claw_sweep_is_benign(const struct claw_strings *list,
			  const struct claw_sweep_points *points, size_t index)
{
	const struct claw_sweep_point *point = &points->items[index];
	const struct claw_sweep_site *site = &points->sites[point->site];
	struct claw_plan_error why;
	struct claw_rule rule;
	struct benign b;

	for (size_t i = 0; i < list->count; i++)
		if (parse(list->items[i], &b) == 0 &&
		    make_rule(&b, &rule, &why) &&
		    claw_rule_targets(&rule, site->api) &&
		    (!*b.action || strcmp(b.action, point->kind.action) == 0) &&
		    (!*b.at || has_function(site->name, b.at)))
			return true;
	return false;
}
