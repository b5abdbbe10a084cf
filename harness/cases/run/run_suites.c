/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The suites of a plan: named ones, operands, and those of what failed before.
 */
#include "config.h"

#include "run_planning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "faults/shared/nearest.h"
#include "harness/base/text_list.h"

static int fail_unknown_suite(struct claw_planning *planning,
			      const char *name, const char *message)
{
	char **names = claw_suite_names();
	struct claw_nearest nearest;
	char known[512] = "";
	size_t length = 0;
	int ret;

	claw_nearest_init(&nearest, name);
	for (size_t i = 0; names && names[i]; i++) {
		claw_nearest_offer(&nearest, names[i]);
		if (length < sizeof(known))
			length += (size_t)snprintf(known + length,
						   sizeof(known) - length,
						   "%s%s", i ? ", " : "",
						   names[i]);
	}
	if (nearest.best)
		ret = claw_planning_fail(planning, CLAW_EXIT_USAGE,
					 "%s, did you mean %s?", message,
					 nearest.best);
	else
		ret = claw_planning_fail(planning, CLAW_EXIT_USAGE,
					 "%s, there %s %s", message,
					 names && names[0] && names[1] ?
					 "are" : "is",
					 *known ? known : "none");
	claw_list_free(names);
	return ret;
}

static bool is_suite_name(const char *name)
{
	char **names = claw_suite_names();
	bool found = false;

	for (size_t i = 0; names[i] && !found; i++)
		found = strcmp(names[i], name) == 0;
	claw_list_free(names);
	return found;
}

static int fail_suite(struct claw_planning *planning, int error,
		      const struct claw_suite_error *why)
{
	return claw_planning_fail(planning, error == -CLAW_E_DAMAGED ?
				  CLAW_EXIT_INFRA : CLAW_EXIT_USAGE, "%s",
				  *why->message ? why->message :
				  claw_error_text(error));
}

static bool is_named_so(const struct claw_suite *suite, const char *name,
			unsigned int number)
{
	size_t length = strlen(name);
	char suffix[16] = "";

	if (number > 1)
		snprintf(suffix, sizeof(suffix), "-%u", number);
	return strncmp(suite->name, name, length) == 0 &&
	       strcmp(suite->name + length, suffix) == 0;
}

static bool has_case_of(const struct claw_suite *suite,
			const struct claw_suite *other)
{
	for (size_t i = 0; i < suite->case_count; i++)
		if (claw_suite_find_case(other, suite->cases[i].name))
			return true;
	return false;
}

/* Two cases of one name in two folders of one name: the later folder is
 * called "folder-2", so that records and reports know which is which. */
static void make_unique(struct claw_planning *planning,
			struct claw_suite *suite)
{
	const struct claw_test_plan *plan = planning->plan;
	unsigned int number = 1;
	char *name;

	for (size_t i = 0; i < plan->suite_count; i++)
		if (is_named_so(plan->suites[i], suite->name, number) &&
		    has_case_of(plan->suites[i], suite)) {
			number++;
			i = (size_t)-1;		/* from the start */
		}
	if (number == 1)
		return;
	name = claw_format("%s-%u", suite->name, number);
	free(suite->name);
	suite->name = name;
}

/* The suite is taken over. One that is there already is no second one. */
static void add_suite(struct claw_planning *planning, struct claw_suite *suite)
{
	struct claw_test_plan *plan = planning->plan;

	for (size_t i = 0; i < plan->suite_count; i++)
		if (strcmp(plan->suites[i]->file, suite->file) == 0) {
			claw_suite_free(suite);
			return;
		}
	make_unique(planning, suite);
	plan->suites = claw_one_more(plan->suites, plan->suite_count,
				     sizeof(*plan->suites));
	plan->headless += suite->headless;
	plan->suites[plan->suite_count++] = suite;
}

static int add_named(struct claw_planning *planning, const char *name)
{
	struct claw_suite_error error = { "" };
	struct claw_suite *suite = NULL;
	int ret = claw_suite_read(name, &suite, &error);

	if (ret == -CLAW_E_NOT_FOUND)
		return fail_unknown_suite(planning, name, error.message);
	if (ret < 0)
		return fail_suite(planning, ret, &error);
	add_suite(planning, suite);
	return 0;
}

static int add_operand(struct claw_planning *planning, const char *operand)
{
	struct claw_suite_error error = { "" };
	struct claw_suite *suite = NULL;
	int ret = claw_suite_read_operand(operand, &suite, &error);

	if (ret < 0 && !strchr(operand, '/') && is_suite_name(operand))
		return claw_planning_fail(planning, CLAW_EXIT_USAGE,
					  "%s: expected a file or a folder, "
					  "found the name of a suite, which "
					  "is run with --suite %s", operand,
					  operand);
	if (ret < 0)
		return fail_suite(planning, ret, &error);
	add_suite(planning, suite);
	return 0;
}

static int add_every_suite(struct claw_planning *planning)
{
	char **names = claw_suite_names();
	int ret = 0;

	for (size_t i = 0; names[i] && ret == 0; i++)
		ret = add_named(planning, names[i]);
	claw_list_free(names);
	return ret;
}

/* The suites and operands of what failed in an earlier run. */
static int add_suites_of_past(struct claw_planning *planning)
{
	const struct claw_past_run *past = planning->selection->failed_of;
	struct claw_strings seen = { 0 };
	int ret = 0;

	seen.items = claw_calloc(past->planned_count + 1, sizeof(*seen.items));
	for (size_t i = 0; i < past->planned_count && ret == 0; i++) {
		const struct claw_planned *one = &past->planned[i];
		const char *word = one->operand ? one->operand : one->suite;

		if (one->elsewhere || !word || claw_planning_has_word(&seen, word) ||
		    !claw_past_run_has_failed(past, claw_planned_key(one)))
			continue;
		seen.items[seen.count++] = word;
		ret = one->operand ? add_operand(planning, word) :
		      add_named(planning, word);
	}
	free(seen.items);
	return ret;
}

int claw_planning_add_suites(struct claw_planning *planning)
{
	const struct claw_test_selection *selection = planning->selection;
	int ret = 0;

	for (size_t i = 0; i < selection->suites.count && ret == 0; i++)
		ret = add_named(planning, selection->suites.items[i]);
	for (size_t i = 0; i < selection->operands.count && ret == 0; i++)
		ret = add_operand(planning, selection->operands.items[i]);
	if (selection->suites.count > 0 || selection->operands.count > 0)
		return ret;
	if (selection->failed_of)
		return add_suites_of_past(planning);
	return add_every_suite(planning);
}
