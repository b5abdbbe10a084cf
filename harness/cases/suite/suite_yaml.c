/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read the description of a suite (doc/HOWTO-add-a-suite.md has its keys).
 */
#include "config.h"

#include "suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "suite_cases.h"
#include "suite_entry.h"
#include "harness/files/yaml_doc.h"

static int take_name(const struct claw_yaml *yaml, const yaml_node_t *node,
		     void *user)
{
	struct claw_suite_reading *reading = user;

	reading->suite->name_line = (unsigned int)node->start_mark.line + 1;
	reading->suite->name_column =
		(unsigned int)node->start_mark.column + 1;
	return claw_suite_take_name(yaml, node, &reading->suite->name);
}

static int take_summary(const struct claw_yaml *yaml, const yaml_node_t *node,
			void *user)
{
	struct claw_suite_reading *reading = user;

	return claw_yaml_copy(yaml, node, "a summary",
			      &reading->suite->summary);
}

static int take_program(const struct claw_yaml *yaml, const yaml_node_t *node,
			void *user)
{
	struct claw_suite_reading *reading = user;

	return claw_yaml_copy(yaml, node, "a program",
			      &reading->suite->program);
}

static int take_api_errors(const struct claw_yaml *yaml,
			   const yaml_node_t *node, void *user)
{
	struct claw_suite_reading *reading = user;
	const char *text;
	int ret = claw_yaml_text(yaml, node, "expected", &text);

	if (ret == 0 && strcmp(text, "expected") != 0)
		ret = claw_yaml_fail(yaml, node, "expected the word expected, "
				     "found %s", claw_yaml_found(node));
	reading->suite->api_errors_expected = ret == 0;
	return ret;
}

/* Read when everything else is known. */
static int take_cases(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	struct claw_suite_reading *reading = user;

	(void)yaml;
	reading->cases = node;
	return 0;
}

#define TAKE_DEFAULT(name_)						\
	static int take_##name_(const struct claw_yaml *yaml,		\
				const yaml_node_t *node, void *user)	\
	{								\
		struct claw_suite_reading *reading = user;		\
									\
		return claw_suite_take_##name_(yaml, node,		\
					       &reading->defaults);	\
	}
TAKE_DEFAULT(timeout)
TAKE_DEFAULT(under)
TAKE_DEFAULT(needs)
TAKE_DEFAULT(tags)
TAKE_DEFAULT(faults)

static const struct claw_yaml_key suite_keys[] = {
	{ "name", take_name },
	{ "summary", take_summary },
	{ "program", take_program },
	{ "api-errors", take_api_errors },
	{ "timeout", take_timeout },
	{ "under", take_under },
	{ "only-under", take_under },
	{ "needs", take_needs },
	{ "tags", take_tags },
	{ "faults", take_faults },
	{ "cases", take_cases },
	{ NULL, NULL },
};

static int find_program(const struct claw_yaml *yaml, struct claw_suite *suite)
{
	char *path;

	if (!suite->program)
		return 0;
	path = claw_suite_find_program(yaml->path, suite->program);
	if (!path)
		return claw_yaml_fail(yaml, yaml->root, "expected a program "
				      "that can be executed, found none for "
				      "\"%s\"", suite->program);
	free(suite->program);
	suite->program = path;
	return 0;
}

static int take_all(const struct claw_yaml *yaml,
		    struct claw_suite_reading *reading)
{
	struct claw_suite *suite = reading->suite;
	int ret = claw_yaml_walk(yaml, yaml->root, "a suite", suite_keys,
				 reading);

	suite->timeout_ms = reading->defaults.like.timeout_ms;
	if (ret == 0 && !suite->name)
		ret = claw_yaml_fail(yaml, yaml->root, "expected a suite with "
				     "a name, found none");
	if (ret == 0 && !reading->cases)
		ret = claw_yaml_fail(yaml, yaml->root, "expected a suite with "
				     "cases, found none");
	if (ret == 0)
		ret = find_program(yaml, suite);
	return ret < 0 ? ret : claw_yaml_each(yaml, reading->cases, "cases",
					      false, claw_suite_take_entry,
					      reading);
}

/* Takes the document over. ret: of its reading. */
static int make_suite(struct claw_yaml *yaml, int ret,
		      struct claw_suite **ret_suite)
{
	struct claw_suite_reading reading = {
		.suite = claw_suite_new(yaml->path),
	};

	if (ret == 0)
		ret = take_all(yaml, &reading);
	claw_suite_case_release(&reading.defaults.like);
	claw_yaml_release(yaml);
	if (ret < 0)
		claw_suite_free(reading.suite);
	else
		*ret_suite = reading.suite;
	return ret;
}

int claw_suite_parse(const char *path, const char *text, size_t size,
		     struct claw_suite **ret_suite,
		     struct claw_suite_error *reterr)
{
	struct claw_yaml yaml;
	int ret = claw_yaml_parse(path, text, size, &yaml, reterr->message,
				  sizeof(reterr->message));

	return make_suite(&yaml, ret, ret_suite);
}

int claw_suite_read_file(const char *path, struct claw_suite **ret_suite,
			 struct claw_suite_error *reterr)
{
	struct claw_yaml yaml;
	int ret = claw_yaml_read(path, &yaml, reterr->message,
				 sizeof(reterr->message));

	if (ret == -CLAW_E_IO && errno == ENOENT)
		ret = -CLAW_E_NOT_FOUND;
	return make_suite(&yaml, ret, ret_suite);
}
