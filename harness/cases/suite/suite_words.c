/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keys of a suite's description that entries and the suite itself have:
 * timeout, under, needs, tags, faults; and an entry's model.
 */
#include "config.h"

#include "suite_entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/session/fault_plan.h"
#include "harness/base/memory.h"
#include "harness/session/model.h"
#include "faults/shared/nearest.h"
#include "harness/session/preset.h"
#include "harness/base/quantity.h"
#include "suite_cases.h"
#include "harness/base/text_list.h"
#include "harness/tools/tools.h"

int claw_suite_take_name(const struct claw_yaml *yaml, const yaml_node_t *node,
			 char **name)
{
	const char *text;
	char *fit;
	int ret = claw_yaml_text(yaml, node, "a name", &text);

	if (ret < 0)
		return ret;
	fit = claw_suite_fit_name(text);
	if (strcmp(fit, text) != 0)
		ret = claw_yaml_fail(yaml, node, "expected a name of letters, "
				     "digits, _ - and ., found %s",
				     claw_yaml_found(node));
	if (ret < 0) {
		free(fit);
		return ret;
	}
	free(*name);
	*name = fit;
	return 0;
}

int claw_suite_take_timeout(const struct claw_yaml *yaml,
			    const yaml_node_t *node, void *user)
{
	struct claw_suite_words *words = user;

	return claw_yaml_duration(yaml, node, &words->like.timeout_ms);
}

/* ---- under, tags ------------------------------------------------------ */

static int take_tool(const struct claw_yaml *yaml, const yaml_node_t *node,
		     void *user)
{
	struct claw_nearest nearest;
	const char *text;
	int ret = claw_yaml_text(yaml, node, "a tool", &text);

	if (ret < 0)
		return ret;
	if (claw_under_find(text)) {
		claw_list_add(user, claw_strdup(text));
		return 0;
	}
	claw_nearest_init(&nearest, text);
	for (size_t i = 0; claw_under_rows[i]; i++)
		claw_nearest_offer(&nearest, claw_under_rows[i]->name);
	return claw_yaml_fail(yaml, node, "expected a tool (native, oclgrind, "
			      "valgrind, device ...), found %s%s%s%s",
			      claw_yaml_found(node),
			      nearest.best ? " (did you mean " : "",
			      nearest.best ? nearest.best : "",
			      nearest.best ? "?)" : "");
}

int claw_suite_take_under(const struct claw_yaml *yaml,
			  const yaml_node_t *node, void *user)
{
	struct claw_suite_words *words = user;

	if (words->like.only_under)
		return claw_yaml_fail(yaml, node, "expected under once, found "
				      "under and only-under");
	return claw_yaml_each(yaml, node, "tools", true, take_tool,
			      &words->like.only_under);
}

static int take_tag(const struct claw_yaml *yaml, const yaml_node_t *node,
		    void *user)
{
	char *name = NULL;
	int ret = claw_suite_take_name(yaml, node, &name);

	if (ret == 0)
		claw_list_add(user, name);
	return ret;
}

int claw_suite_take_tags(const struct claw_yaml *yaml,
			 const yaml_node_t *node, void *user)
{
	struct claw_suite_words *words = user;

	return claw_yaml_each(yaml, node, "tags", true, take_tag,
			      &words->like.tags);
}

/* ---- needs ------------------------------------------------------------ */

static int take_word(const struct claw_yaml *yaml, const yaml_node_t *node,
		     void *user)
{
	const char *text;
	int ret = claw_yaml_text(yaml, node, "a name", &text);

	if (ret == 0)
		claw_list_add(user, claw_strdup(text));
	return ret;
}

static int take_extensions(const struct claw_yaml *yaml,
			   const yaml_node_t *node, void *user)
{
	struct claw_case_needs *needs = user;

	return claw_yaml_each(yaml, node, "extensions", true, take_word,
			      &needs->extensions);
}

static int take_programs(const struct claw_yaml *yaml,
			 const yaml_node_t *node, void *user)
{
	struct claw_case_needs *needs = user;

	return claw_yaml_each(yaml, node, "programs", true, take_word,
			      &needs->programs);
}

static int take_device(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	static const char *const known[] = { "cpu", "gpu", "accelerator" };
	static const char what[] = "cpu, gpu or accelerator";
	struct claw_case_needs *needs = user;
	const char *text;
	int ret = claw_yaml_text(yaml, node, what, &text);

	for (size_t i = 0; ret == 0 && i < 3; i++)
		if (strcmp(text, known[i]) == 0)
			return claw_yaml_copy(yaml, node, what,
					      &needs->device_type);
	return ret < 0 ? ret : claw_yaml_fail(yaml, node, "expected %s, found "
					      "%s", what,
					      claw_yaml_found(node));
}

static int take_memory(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	static const char what[] = "a size with its unit (\"512MiB\")";
	struct claw_case_needs *needs = user;
	const char *text;
	int ret = claw_yaml_text(yaml, node, what, &text);

	if (ret == 0 && (claw_size_parse(text, &needs->memory_bytes) < 0 ||
			 needs->memory_bytes == 0))
		ret = claw_yaml_fail(yaml, node, "expected %s, found %s", what,
				     claw_yaml_found(node));
	return ret;
}

static const struct claw_yaml_key needs_keys[] = {
	{ "extension", take_extensions },
	{ "extensions", take_extensions },
	{ "memory", take_memory },
	{ "device", take_device },
	{ "program", take_programs },
	{ "programs", take_programs },
	{ NULL, NULL },
};

int claw_suite_take_needs(const struct claw_yaml *yaml,
			  const yaml_node_t *node, void *user)
{
	struct claw_suite_words *words = user;

	return claw_yaml_walk(yaml, node, "needs", needs_keys,
			      &words->like.needs);
}

/* ---- faults ----------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length > tail && strcmp(text + length - tail, end) == 0;
}

static int add_rule(const struct claw_yaml *yaml, const yaml_node_t *node,
		    struct claw_suite_case *like, const char *rule)
{
	size_t count = 0;

	while (like->faults && like->faults[count])
		count++;
	if (count >= CLAW_JOURNAL_MAX_RULES)
		return claw_yaml_fail(yaml, node, "expected at most %d rules, "
				      "found more", CLAW_JOURNAL_MAX_RULES);
	claw_list_add(&like->faults, claw_strdup(rule));
	return 0;
}

/* "--plan:1:8: expected ...": nobody gave that option here. */
static const char *without_option(const char *error)
{
	const char *rest = strncmp(error, "--plan:", 7) == 0 ?
			   strstr(error, ": ") : NULL;

	return rest ? rest + 2 : error;
}

/* A plan's rules in its place. */
static int take_plan(const struct claw_yaml *yaml, const yaml_node_t *node,
		     const char *text, struct claw_suite_case *like)
{
	char *path = claw_preset_is(text) ? claw_strdup(text) :
		     claw_suite_path_beside(yaml->path, text);
	const char *plans[] = { path };
	struct claw_fault_options options = {
		.plans = { .items = plans, .count = 1 }, .seed = "0",
	};
	struct claw_fault_plan plan;
	char error[400] = "";
	int ret = claw_fault_plan_load(&options, &plan, error, sizeof(error));

	free(path);
	if (ret < 0)
		claw_yaml_fail(yaml, node, "%s", without_option(error));
	if (ret < 0)	/* no presets at all is no mistake of the writer's */
		return ret == -CLAW_E_NOT_FOUND ? -CLAW_E_DAMAGED :
		       -CLAW_E_SYNTAX;
	if (plan.rules.has_seed)
		like->seed = plan.rules.seed;
	if (plan.rules.count == 0)
		ret = claw_yaml_fail(yaml, node, "expected a plan with a rule "
				     "in it, found none in %s", text);
	for (size_t i = 0; ret == 0 && i < plan.rules.count; i++)
		ret = add_rule(yaml, node, like, plan.rules.rules[i].text);
	claw_fault_plan_release(&plan);
	return ret;
}

static int take_fault(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	struct claw_suite_case *like = user;
	struct claw_plan_error why;
	struct claw_rule rule;
	const char *text;
	int ret = claw_yaml_text(yaml, node, "a rule such as "
				 "clCreateBuffer:oom:when=3, or a plan",
				 &text);

	if (ret < 0)
		return ret;
	if (claw_preset_is(text) || ends_with(text, ".yaml") ||
	    ends_with(text, ".yml"))
		return take_plan(yaml, node, text, like);
	if (claw_rule_parse(text, false, &rule, &why) < 0)
		return claw_yaml_fail_in(yaml, node, why.column - 1, "%s",
					 why.message);
	return add_rule(yaml, node, like, rule.text);
}

int claw_suite_take_faults(const struct claw_yaml *yaml,
			   const yaml_node_t *node, void *user)
{
	struct claw_suite_words *words = user;

	return claw_yaml_each(yaml, node, "faults", true, take_fault,
			      &words->like);
}

/* ---- device models ---------------------------------------------------- */

/* The word with its file as seen from the description; malloced. */
static char *model_word(const char *description, const char *text)
{
	size_t length = strcspn(text, ",");
	char *name = claw_strndup(text, length), *file, *word;

	file = strchr(name, '/') || ends_with(name, ".yaml") ?
	       claw_suite_path_beside(description, name) : claw_strdup(name);
	word = claw_format("%s%s", file, text + length);
	free(file);
	free(name);
	return word;
}

static int take_one_model(const struct claw_yaml *yaml,
			  const yaml_node_t *node, void *user)
{
	static const char option[] = "--model:1:";
	struct claw_suite_case *like = user;
	struct claw_model model;
	const char *text;
	char error[1024], *word;
	size_t count = 0;
	int ret = claw_yaml_text(yaml, node, "a device model such as "
				 "nvidia-h200,memory=2GiB", &text);

	if (ret < 0)
		return ret;
	while (like->models && like->models[count])
		count++;
	if (count == CLAW_MODELS_MAX)
		return claw_yaml_fail(yaml, node, "expected at most %d device "
				      "models, found more", CLAW_MODELS_MAX);
	word = model_word(yaml->path, text);
	ret = claw_model_read(word, &model, error, sizeof(error));
	if (ret == 0) {
		claw_model_release(&model);
		claw_list_add(&like->models, word);
		return 0;
	}
	free(word);
	if (strncmp(error, option, strlen(option)) != 0)
		claw_yaml_fail(yaml, node, "%s", error);
	else	/* nobody gave that option here */
		claw_yaml_fail_in(yaml, node, strtoul(error + strlen(option),
						      NULL, 10) - 1, "%s",
				  strstr(error, ": ") + 2);
	return ret == -CLAW_E_NOT_FOUND ? -CLAW_E_DAMAGED : -CLAW_E_SYNTAX;
}

int claw_suite_take_model(const struct claw_yaml *yaml,
			  const yaml_node_t *node, void *user)
{
	struct claw_suite_words *words = user;

	return claw_yaml_each(yaml, node, "models", true, take_one_model,
			      &words->like);
}
