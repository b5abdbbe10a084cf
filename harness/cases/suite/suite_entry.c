/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read an entry of a suite's description, key by key.
 */
#include "config.h"

#include "suite_entry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/records/diagnosis.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "faults/shared/nearest.h"
#include "suite_cases.h"
#include "harness/base/text_list.h"

/* ---- expect ----------------------------------------------------------- */

static int take_exit(const struct claw_yaml *yaml, const yaml_node_t *node,
		     void *user)
{
	struct claw_suite_words *words = user;
	const char *text;
	char *end;
	long status;
	int ret = claw_yaml_text(yaml, node, "an exit status", &text);

	if (ret < 0)
		return ret;
	errno = 0;
	status = strtol(text, &end, 10);
	if (errno || *end || *text < '0' || *text > '9' || status > 255)
		return claw_yaml_fail(yaml, node, "expected an exit status "
				      "from 0 to 255, found %s",
				      claw_yaml_found(node));
	words->like.expect.has_exit = true;
	words->like.expect.exit_status = (int)status;
	words->exit = node;
	return 0;
}

static int add_finding(const struct claw_yaml *yaml, const yaml_node_t *node,
		       struct claw_case_expect *expect, bool is_optional)
{
	struct claw_expected_finding finding, *grown;
	const char *text;
	char error[256];
	int ret = claw_yaml_text(yaml, node, "a finding such as "
				 "\"invalid-write global 12\"", &text);

	if (ret < 0)
		return ret;
	if (claw_expected_finding_parse(text, &finding, error,
					sizeof(error)) < 0)
		return claw_yaml_fail(yaml, node, "%s", error);
	grown = claw_grow(expect->findings, expect->finding_count + 1,
			  sizeof(*grown));
	finding.is_optional = is_optional;
	expect->findings = grown;
	grown[expect->finding_count++] = finding;
	return 0;
}

static int take_one_finding(const struct claw_yaml *yaml,
			    const yaml_node_t *node, void *user)
{
	return add_finding(yaml, node, user, false);
}

static int take_one_allowed(const struct claw_yaml *yaml,
			    const yaml_node_t *node, void *user)
{
	return add_finding(yaml, node, user, true);
}

static int take_findings(const struct claw_yaml *yaml, const yaml_node_t *node,
			 void *user)
{
	struct claw_suite_words *words = user;

	return claw_yaml_each(yaml, node, "findings", true, take_one_finding,
			      &words->like.expect);
}

static int take_allowed(const struct claw_yaml *yaml, const yaml_node_t *node,
			void *user)
{
	struct claw_suite_words *words = user;

	return claw_yaml_each(yaml, node, "findings", true, take_one_allowed,
			      &words->like.expect);
}

static int take_fault_code(const struct claw_yaml *yaml,
			   const yaml_node_t *node, void *user)
{
	static const char what[] = "a diagnosis such as clw-out-of-memory";
	const char *const *known = claw_diagnosis_codes;
	struct claw_suite_words *words = user;
	struct claw_nearest nearest;
	const char *text;
	int ret = claw_yaml_text(yaml, node, what, &text);

	if (ret < 0)
		return ret;
	claw_nearest_init(&nearest, text);
	for (; *known && strcmp(*known, text) != 0; known++)
		claw_nearest_offer(&nearest, *known);
	if (!*known)
		return claw_yaml_fail(yaml, node, "expected %s, found %s%s%s%s",
				      what, claw_yaml_found(node),
				      nearest.best ? " (did you mean " : "",
				      nearest.best ? nearest.best : "",
				      nearest.best ? "?)" : "");
	return claw_yaml_copy(yaml, node, what, &words->like.expect.fault);
}

static const struct claw_yaml_key expect_keys[] = {
	{ "exit", take_exit },
	{ "finding", take_findings },
	{ "findings", take_findings },
	{ "allow", take_allowed },
	{ "fault", take_fault_code },
	{ NULL, NULL },
};

/* "fail", or a mapping. */
static int take_expect(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	struct claw_suite_words *words = user;
	const char *text;
	int ret;

	if (node->type == YAML_MAPPING_NODE)
		return claw_yaml_walk(yaml, node, "expect", expect_keys, user);
	ret = claw_yaml_text(yaml, node, "fail, or keys and values of expect",
			     &text);
	if (ret == 0 && strcmp(text, "fail") != 0)
		ret = claw_yaml_fail(yaml, node, "expected fail, or keys and "
				     "values of expect, found %s",
				     claw_yaml_found(node));
	words->like.expect_fail = ret == 0;
	return ret;
}

/* ---- other keys ------------------------------------------------------- */

static int take_case_name(const struct claw_yaml *yaml,
			  const yaml_node_t *node, void *user)
{
	struct claw_suite_words *words = user;

	return claw_suite_take_name(yaml, node, &words->like.name);
}

static int take_proves(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	struct claw_suite_words *words = user;

	return claw_yaml_copy(yaml, node, "what it proves",
			      &words->like.proves);
}

static int take_reason(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	struct claw_suite_words *words = user;

	if (words->like.reason)
		return claw_yaml_fail(yaml, node, "expected one reason, found "
				      "reason and xfail");
	return claw_yaml_copy(yaml, node, "a reason", &words->like.reason);
}

static int take_xfail(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	static const char *const none[] = { "true", "false", "yes", "no" };
	struct claw_suite_words *words = user;
	const char *text;
	int ret = claw_yaml_text(yaml, node, "a reason", &text);

	for (size_t i = 0; ret == 0 && i < 4; i++)
		if (strcasecmp(text, none[i]) == 0)
			ret = claw_yaml_fail(yaml, node, "expected the reason "
					     "why it fails, found %s",
					     claw_yaml_found(node));
	if (ret < 0)
		return ret;
	words->like.expect_fail = true;
	return take_reason(yaml, node, user);
}

static int take_opencl(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	struct claw_suite_words *words = user;
	const char *text;
	int ret = claw_yaml_text(yaml, node, "none", &text);

	if (ret == 0 && strcmp(text, "none") != 0)
		ret = claw_yaml_fail(yaml, node, "expected none, found %s",
				     claw_yaml_found(node));
	words->like.no_opencl = ret == 0;
	words->opencl = node;
	return ret;
}

static int take_source(const struct claw_yaml *yaml, const yaml_node_t *node,
		       struct claw_suite_words *words,
		       const yaml_node_t **source)
{
	*source = node;
	if (!!words->kernels + !!words->libcheck + !!words->command +
	    !!words->sim == 1)
		return 0;
	return claw_yaml_fail(yaml, node, "expected one of kernels, libcheck, "
			      "command and sim, found two");
}

#define TAKE_SOURCE(name_)						\
	static int take_##name_(const struct claw_yaml *yaml,		\
				const yaml_node_t *node, void *user)	\
	{								\
		struct claw_suite_words *words = user;			\
									\
		return take_source(yaml, node, words, &words->name_);	\
	}
TAKE_SOURCE(kernels)
TAKE_SOURCE(libcheck)
TAKE_SOURCE(command)
TAKE_SOURCE(sim)

static const struct claw_yaml_key entry_keys[] = {
	{ "name", take_case_name },
	{ "proves", take_proves },
	{ "kernels", take_kernels },
	{ "libcheck", take_libcheck },
	{ "command", take_command },
	{ "sim", take_sim },
	{ "expect", take_expect },
	{ "reason", take_reason },
	{ "xfail", take_xfail },
	{ "under", claw_suite_take_under },
	{ "only-under", claw_suite_take_under },
	{ "timeout", claw_suite_take_timeout },
	{ "needs", claw_suite_take_needs },
	{ "tags", claw_suite_take_tags },
	{ "faults", claw_suite_take_faults },
	{ "model", claw_suite_take_model },
	{ "opencl", take_opencl },
	{ NULL, NULL },
};

/* ---- what the suite gives for all -------------------------------------- */

static void give_list(char *const *from, char ***to)
{
	if (!*to)
		*to = claw_list_copy(from);
}

static void give_defaults(const struct claw_suite_case *from,
			  struct claw_suite_case *to)
{
	if (!to->faults)
		to->seed = from->seed;
	/* The suite's timeout is no case's own: a kernel file's goes before. */
	if (to->needs.memory_bytes == 0)
		to->needs.memory_bytes = from->needs.memory_bytes;
	if (!to->needs.device_type)
		to->needs.device_type =
			claw_strdup_or_null(from->needs.device_type);
	give_list(from->only_under, &to->only_under);
	give_list(from->faults, &to->faults);
	give_list(from->needs.extensions, &to->needs.extensions);
	give_list(from->needs.programs, &to->needs.programs);
	for (char **tag = from->tags; tag && *tag; tag++)
		if (!claw_list_has(to->tags, *tag))
			claw_list_add(&to->tags, claw_strdup(*tag));
}

/* ---- the entry --------------------------------------------------------- */

/* Keys that do not go together. */
static int check_words(const struct claw_yaml *yaml, const yaml_node_t *node,
		       const struct claw_suite_words *words)
{
	bool runs_program = words->libcheck || words->command;

	if (words->exit && !words->command)
		return claw_yaml_fail(yaml, words->exit, "expected an exit "
				      "status of a command only, found one of "
				      "something else");
	if (words->opencl && !runs_program)
		return claw_yaml_fail(yaml, words->opencl, "expected opencl: "
				      "none of a command or libcheck program "
				      "only, found it elsewhere");
	if (words->sim && words->like.faults)
		return claw_yaml_fail(yaml, node, "expected no faults for "
				      ".sim files, which make no OpenCL call, "
				      "found some");
	if (words->like.models && (words->sim || words->like.no_opencl))
		return claw_yaml_fail(yaml, node, "expected no model where "
				      "no OpenCL call is made, found one");
	if (words->like.no_opencl && words->like.faults)
		return claw_yaml_fail(yaml, node, "expected no faults where "
				      "no OpenCL call is made, found some");
	if (words->like.expect_fail && !words->like.reason)
		return claw_yaml_fail(yaml, node, "expected the reason why it "
				      "fails, found none");
	return 0;
}

static int check_names(const struct claw_yaml *yaml, const yaml_node_t *node,
		       struct claw_suite *suite, size_t before)
{
	for (size_t i = before; i < suite->case_count; i++) {
		const char *name = suite->cases[i].name;

		if (claw_suite_find_case(suite, name) != &suite->cases[i])
			return claw_yaml_fail(yaml, node, "expected each case "
					      "once, found \"%s\" again",
					      name);
	}
	return 0;
}

int claw_suite_take_entry(const struct claw_yaml *yaml,
			  const yaml_node_t *node, void *user)
{
	struct claw_suite_reading *reading = user;
	struct claw_suite_words words = { .kernels = NULL };
	size_t before = reading->suite->case_count;
	int ret = claw_yaml_walk(yaml, node, "a case", entry_keys, &words);

	if (ret == 0)
		give_defaults(&reading->defaults.like, &words.like);
	if (ret == 0)
		ret = check_words(yaml, node, &words);
	if (ret == 0)
		ret = claw_suite_add_cases(yaml, node, reading->suite, &words);
	if (ret == 0)
		ret = check_names(yaml, node, reading->suite, before);
	claw_suite_case_release(&words.like);
	return ret;
}
