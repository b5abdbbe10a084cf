/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the words of a command line to the list of cases and tools.
 */
#include "config.h"

#include "run_planning.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/session/fault_plan.h"
#include "harness/base/memory.h"
#include "run_filter.h"
#include "run_reproduce.h"

enum { DEFAULT_TIMEOUT_MS = 60 * 1000 };

int claw_planning_fail(struct claw_planning *planning, int status,
		       const char *format, ...)
{
	struct claw_test_problem *problem = planning->problem;
	va_list args;

	problem->status = status;
	va_start(args, format);
	vsnprintf(problem->message, sizeof(problem->message), format, args);
	va_end(args);
	return -CLAW_E_USAGE;
}

bool claw_planning_has_word(const struct claw_strings *words,
			    const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->items[i], word) == 0)
			return true;
	return false;
}

/* ---- tools ----------------------------------------------------------- */

static int fail_unknown_tool(struct claw_planning *planning,
			     const char *name)
{
	char text[512];

	claw_under_say_unknown(name, "all", text, sizeof(text));
	return claw_planning_fail(planning, CLAW_EXIT_USAGE, "%s", text);
}

static void add_row(struct claw_test_plan *plan,
		    const struct claw_under_row *row)
{
	for (size_t i = 0; i < plan->under_count; i++)
		if (plan->unders[i].row == row)
			return;
	plan->unders[plan->under_count++].row = row;
}

static int add_under(struct claw_planning *planning, const char *name)
{
	const struct claw_under_row *row = claw_under_find(name);

	if (row)
		add_row(planning->plan, row);
	else if (strcmp(name, "all") != 0)
		return fail_unknown_tool(planning, name);
	for (size_t i = 0; !row && claw_under_rows[i]; i++)
		if (claw_under_rows[i]->in_all)
			add_row(planning->plan, claw_under_rows[i]);
	return 0;
}

/* Tools that the earlier run was told of. */
static int add_unders_of_past(struct claw_planning *planning)
{
	const struct claw_past_run *past = planning->selection->failed_of;
	int ret = 0;

	for (size_t i = 0; past && i < past->planned_count && ret == 0; i++) {
		const char *name = past->planned[i].configuration;

		if (!name)
			continue;
		planning->plan->is_named = true;
		ret = add_under(planning, name);
	}
	return ret;
}

/* --require NAME adds NAME to what is run under. */
static int add_unders(struct claw_planning *planning)
{
	const struct claw_test_selection *selection = planning->selection;
	struct claw_test_plan *plan = planning->plan;
	size_t rows = 0;
	int ret = 0;

	while (claw_under_rows[rows])
		rows++;
	plan->unders = claw_calloc(rows + 1, sizeof(*plan->unders));
	plan->is_named = selection->under.count > 0 ||
			 selection->require.count > 0;
	for (size_t i = 0; i < selection->under.count && ret == 0; i++)
		ret = add_under(planning, selection->under.items[i]);
	if (ret == 0 && selection->under.count == 0)
		ret = add_unders_of_past(planning);
	if (ret == 0 && plan->under_count == 0)
		ret = add_under(planning, "native");
	for (size_t i = 0; i < selection->require.count && ret == 0; i++)
		ret = add_under(planning, selection->require.items[i]);
	return ret;
}

/* ---- cases ----------------------------------------------------------- */

static bool has_tag(const struct claw_suite_case *one,
		    const struct claw_strings *tags)
{
	for (char **tag = one->tags; tag && *tag; tag++)
		if (claw_planning_has_word(tags, *tag))
			return true;
	return false;
}

static bool is_chosen(const struct claw_test_selection *selection,
		      const struct claw_suite *suite,
		      const struct claw_suite_case *one)
{
	bool wanted = claw_filter_case(&selection->filters, suite, one) !=
		      CLAW_FILTER_NOT;

	if (selection->tags.count > 0)
		wanted = wanted && has_tag(one, &selection->tags);
	return wanted && !has_tag(one, &selection->exclude_tags);
}

static bool is_under(const struct claw_suite_case *one, const char *tool)
{
	for (char **under = one->only_under; under && *under; under++)
		if (strcmp(*under, tool) == 0)
			return true;
	return !one->only_under;
}

/* "x" and "k.x": a case is called by its folder, too, when that is below the
 * operand. */
static bool is_same_name(const char *a, const char *b)
{
	size_t a_length = strlen(a), b_length = strlen(b);

	if (a_length < b_length)
		return is_same_name(b, a);
	return strcmp(a + a_length - b_length, b) == 0 &&
	       (a_length == b_length || a[a_length - b_length - 1] == '.');
}

/* The file of another operand again ("dir dir/x.clw")? end: of the items of
 * others. */
static bool is_there(const struct claw_planning *planning,
		     const struct claw_suite_case *one,
		     const struct claw_under *under, size_t end)
{
	size_t first = end;

	if (one->file)
		claw_name_index_find(&planning->files, one->file, &first);
	for (size_t i = first; i < end; i++) {
		const struct claw_test_case *what =
			&planning->plan->items[i].what;

		if (what->under == under && what->about->file &&
		    strcmp(what->about->file, one->file) == 0 &&
		    is_same_name(what->about->name, one->name))
			return true;
	}
	return false;
}

static uint64_t timeout_of(const struct claw_planning *planning,
			   const struct claw_suite *suite,
			   const struct claw_suite_case *one,
			   const struct claw_under_row *row)
{
	uint64_t timeout_ms = one->timeout_ms ? one->timeout_ms :
		suite->timeout_ms ? suite->timeout_ms : DEFAULT_TIMEOUT_MS;

	if (planning->selection->timeout_ms)
		return planning->selection->timeout_ms;
	return timeout_ms * claw_under_times(row);
}

static void add_item(struct claw_planning *planning,
		     const struct claw_suite *suite,
		     const struct claw_suite_case *one,
		     const struct claw_under *under)
{
	struct claw_test_plan *plan = planning->plan;
	struct claw_test_item *item = &plan->items[plan->count];
	const char *name = plan->is_named ? under->row->name : NULL;

	item->what = (struct claw_test_case){
		.suite = suite, .about = one, .under = under,
		.configuration = name,
		.timeout_ms = timeout_of(planning, suite, one, under->row),
		.selection = planning->selection,
	};
	item->reproduce = claw_test_reproduce(&item->what, NULL);
	item->what.reproduce = item->reproduce;
	item->elsewhere = !claw_shard_has(&planning->selection->shard,
					  suite->name, one->name,
					  under->row->name);
	plan->here += !item->elsewhere;
	plan->count++;
}

/* Was it not even planned then, or did it hold? */
static bool is_wanted_again(const struct claw_past_run *past,
			    const struct claw_suite *suite,
			    const struct claw_suite_case *one,
			    const char *tool)
{
	struct claw_case_key key = { suite->name, one->name, tool };
	const struct claw_planned *planned;

	if (!past)
		return true;
	planned = claw_past_run_find_planned(past, key);
	return planned && !planned->elsewhere &&
	       claw_past_run_has_failed(past, key);
}

/* Of the items from there on, for the suites that follow. */
static void enter_files(struct claw_planning *planning, size_t from)
{
	const struct claw_test_plan *plan = planning->plan;

	for (size_t i = from; i < plan->count; i++) {
		const char *file = plan->items[i].what.about->file;

		if (file)
			claw_name_index_add(&planning->files, file, i);
	}
}

static void plan_suite(struct claw_planning *planning,
		       const struct claw_suite *suite,
		       const struct claw_under *under)
{
	size_t before = planning->plan->count;

	for (size_t i = 0; i < suite->case_count; i++) {
		const struct claw_suite_case *one = &suite->cases[i];

		if (is_chosen(planning->selection, suite, one) &&
		    is_under(one, under->row->name) &&
		    is_wanted_again(planning->selection->failed_of, suite, one,
				    under->row->name) &&
		    !is_there(planning, one, under, before))
			add_item(planning, suite, one, under);
	}
	enter_files(planning, before);
}

/* Tool by tool, suite by suite, case by case. */
static void plan_items(struct claw_planning *planning)
{
	struct claw_test_plan *plan = planning->plan;
	size_t most = 0;

	for (size_t s = 0; s < plan->suite_count; s++)
		most += plan->suites[s]->case_count;
	plan->items = claw_calloc(most * plan->under_count,
				  sizeof(*plan->items));
	for (size_t u = 0; u < plan->under_count; u++) {
		for (size_t s = 0; s < plan->suite_count; s++)
			plan_suite(planning, plan->suites[s], &plan->unders[u]);
		claw_name_index_clear(&planning->files);
	}
}

static bool has_item(const struct claw_test_plan *plan,
		     const struct claw_planned *planned)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct claw_test_case *what = &plan->items[i].what;
		struct claw_case_key key = { what->suite->name,
					     what->about->name,
					     what->under->row->name };

		if (claw_case_key_same(key, claw_planned_key(planned)))
			return true;
	}
	return false;
}

/* Was it left out by the words of this command line? */
static bool is_asked_for(const struct claw_planning *planning,
			 const struct claw_planned *planned)
{
	const struct claw_test_selection *selection = planning->selection;
	const struct claw_test_plan *plan = planning->plan;

	if (selection->suites.count == 0 && selection->operands.count == 0)
		return true;
	for (size_t i = 0; planned->suite && i < plan->suite_count; i++)
		if (strcmp(plan->suites[i]->name, planned->suite) == 0)
			return true;
	return false;
}

/* What failed then and is nowhere now: unless this command line left it out,
 * somebody must be told. */
static void count_lost(struct claw_planning *planning)
{
	const struct claw_test_selection *selection = planning->selection;
	const struct claw_past_run *past = selection->failed_of;
	struct claw_test_plan *plan = planning->plan;

	if (!past || selection->filters.count || selection->tags.count ||
	    selection->exclude_tags.count || selection->under.count)
		return;
	for (size_t i = 0; i < past->planned_count; i++) {
		struct claw_case_key key = claw_planned_key(&past->planned[i]);

		if (past->planned[i].elsewhere ||
		    !is_asked_for(planning, &past->planned[i]) ||
		    !claw_past_run_has_failed(past, key) ||
		    has_item(plan, &past->planned[i]))
			continue;
		if (plan->lost++ == 0)
			plan->lost_example = claw_case_key_text(key);
	}
}

int claw_test_plan_init(struct claw_test_plan *plan,
			const struct claw_test_selection *selection,
			struct claw_test_problem *problem)
{
	struct claw_planning planning = {
		.plan = plan, .selection = selection, .problem = problem,
	};
	int ret;

	memset(plan, 0, sizeof(*plan));
	ret = claw_planning_add_suites(&planning);
	if (ret == 0)
		ret = add_unders(&planning);
	if (ret < 0) {
		claw_test_plan_release(plan);
		return ret;
	}
	plan_items(&planning);
	count_lost(&planning);
	return 0;
}

void claw_test_plan_release(struct claw_test_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		free(plan->items[i].reproduce);
	for (size_t i = 0; i < plan->under_count; i++)
		claw_under_release(&plan->unders[i]);
	for (size_t i = 0; i < plan->suite_count; i++)
		claw_suite_free(plan->suites[i]);
	free(plan->items);
	free(plan->unders);
	free(plan->suites);
	free(plan->lost_example);
	memset(plan, 0, sizeof(*plan));
}

struct claw_planned claw_test_item_planned(const struct claw_test_item *item)
{
	return (struct claw_planned){
		.suite = item->what.suite->name,
		.name = item->what.about->name,
		.configuration = item->what.configuration,
		.operand = item->what.about->operand,
		.elsewhere = item->elsewhere,
		.many = item->what.about->kind == CLAW_CASE_LIBCHECK,
	};
}

static void put_word(FILE *out, const char *before, const char *word)
{
	char *quoted = claw_shell_quote(word);

	fprintf(out, "%s%s", before, quoted);
	free(quoted);
}

static void put_options(FILE *out, const char *option,
			const struct claw_strings *words)
{
	for (size_t i = 0; i < words->count; i++) {
		fprintf(out, "%s--%s", ftell(out) > 0 ? " " : "", option);
		put_word(out, " ", words->items[i]);
	}
}

char *claw_test_selection_text(const struct claw_test_selection *selection)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = claw_text_begin(&text, &size);

	put_options(out, "filter", &selection->filters);
	put_options(out, "tag", &selection->tags);
	put_options(out, "exclude-tag", &selection->exclude_tags);
	if (selection->failed_of)
		fprintf(out, "%s--rerun-failed", ftell(out) > 0 ? " " : "");
	claw_text_end(out);
	if (size > 0)
		return text;
	free(text);
	return NULL;
}
