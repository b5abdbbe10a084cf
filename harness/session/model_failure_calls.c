/* SPDX-License-Identifier: Apache-2.0 */
/* How calls are answered after a fault, from a model file's YAML. */
#include "config.h"

#include "model_failure_private.h"

#include <string.h>

#include "faults/shared/plan.h"

static int take_of(const struct claw_yaml *yaml, const yaml_node_t *node,
		   void *user)
{
	struct claw_follows *c = user;
	const char *name;
	int ret = claw_follows_known_state(yaml, node, c, &name);

	if (ret == 0)
		fprintf(c->out, "failure answer %s", name);
	return ret;
}

static int take_target(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	struct claw_follows *c = user;
	struct claw_plan_error why;
	static struct claw_rule rule;
	const char *word;
	char text[128];
	int ret = claw_yaml_text(yaml, node, "a function, glob or group",
				 &word);

	if (ret < 0)
		return ret;
	snprintf(text, sizeof(text), "%s:break", word);
	if (strpbrk(word, " ,:=\"") || strlen(word) > 60 ||
	    claw_rule_parse(text, true, &rule, &why))
		return claw_yaml_fail(yaml, node, "expected a function, a glob "
				      "or a group such as @enqueue, found "
				      "\"%s\"", word);
	fprintf(c->out, "%s%s", c->has_call ? "," : " call=", word);
	c->has_call = true;
	return 0;
}

static int take_call(const struct claw_yaml *yaml, const yaml_node_t *node,
		     void *user)
{
	return claw_yaml_each(yaml, node, "functions", true, take_target, user);
}

#define YES_NO(key_)							\
	static int take_##key_(const struct claw_yaml *yaml,		\
			       const yaml_node_t *node, void *user)	\
	{								\
		return claw_follows_word(yaml, node, user, #key_, "yes no");	\
	}
#define WHOSE(key_)							\
	static int take_##key_(const struct claw_yaml *yaml,		\
			       const yaml_node_t *node, void *user)	\
	{								\
		return claw_follows_word(yaml, node, user, #key_, "same other"); \
	}
#define CODE_OF(key_, or_error_)					\
	static int take_##key_(const struct claw_yaml *yaml,		\
			       const yaml_node_t *node, void *user)	\
	{								\
		return claw_follows_code(yaml, node, user, #key_, or_error_);	\
	}

YES_NO(noticed)
YES_NO(blocking)
YES_NO(waits)
YES_NO(notices)
WHOSE(queue)
WHOSE(context)
WHOSE(device)
CODE_OF(shows, false)
CODE_OF(status, false)

static int take_says(const struct claw_yaml *yaml, const yaml_node_t *node,
		     void *user)
{
	struct claw_follows *c = user;

	c->has_says = true;
	return claw_follows_code(yaml, node, c, "says", false);
}

static int take_answer(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	struct claw_follows *c = user;
	int ret = claw_follows_code(yaml, node, c, "answer", true);

	if (ret == 0 && !strcmp((const char *)node->data.scalar.value, "error"))
		c->answers_error = node;
	return ret;
}

static int take_value(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	return claw_follows_word(yaml, node, user, "value", "null");
}

static int take_local(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	return claw_follows_word(yaml, node, user, "local", "over");
}

static int take_tell(const struct claw_yaml *yaml, const yaml_node_t *node,
		     void *user)
{
	return claw_follows_text(yaml, node, user, "tell");
}

#define CALL_KEYS(of_, call_, rest_)					\
	{ "state", of_ }, { "call", call_ },				\
	{ "noticed", rest_(noticed) }, { "blocking", rest_(blocking) },	\
	{ "waits", rest_(waits) }, { "notices", rest_(notices) },	\
	{ "queue", rest_(queue) }, { "context", rest_(context) },	\
	{ "device", rest_(device) }, { "shows", rest_(shows) },		\
	{ "value", rest_(value) }, { "local", rest_(local) },		\
	{ "says", rest_(says) }, { "answer", rest_(answer) },		\
	{ "status", rest_(status) }, { "tell", rest_(tell) }, { 0 }
#define SKIPPED(key_) claw_yaml_skip
#define TAKEN(key_) take_##key_

static const struct claw_yaml_key call_first[] = {
	CALL_KEYS(take_of, claw_yaml_skip, SKIPPED),
};
static const struct claw_yaml_key call_rest[] = {
	CALL_KEYS(claw_yaml_skip, take_call, TAKEN),
};

/* What no single key of a call can tell. */
static int check_call(const struct claw_yaml *yaml, const yaml_node_t *node,
		      const struct claw_follows *c)
{
	if (!c->has_call)
		return claw_yaml_fail(yaml, node, "expected the key call, found "
				      "none");
	if (!c->has_state && !c->has_says)
		return claw_yaml_fail(yaml, node, "expected the key state or "
				      "says, found neither");
	if (!c->answers_error)
		return 0;
	if (!c->has_state)
		return claw_yaml_fail(yaml, c->answers_error, "expected a code "
				      "where there is no state, found "
				      "\"error\"");
	if (c->without_error[c->state])
		return claw_yaml_fail(yaml, c->answers_error, "expected a code, "
				      "as the trigger \"%s\" of this state has "
				      "no error, found \"error\"",
				      c->without_error[c->state]);
	return 0;
}

/* Without a state it is about a device to which nothing has happened. */
static int take_one_call(const struct claw_yaml *yaml, const yaml_node_t *node,
			 void *user)
{
	struct claw_follows *c = user;
	int ret;

	if (c->call_count++ == CLAW_FOLLOWS_CALLS)
		return claw_yaml_fail(yaml, node, "expected at most %d calls, "
				      "found more", CLAW_FOLLOWS_CALLS);
	ret = claw_yaml_walk(yaml, node, "a call", call_first, c);
	if (ret == 0 && !c->has_state)
		fputs("failure answer healthy", c->out);
	if (ret == 0)
		ret = claw_yaml_walk(yaml, node, "a call", call_rest, c);
	if (ret == 0)
		ret = check_call(yaml, node, c);
	claw_follows_end_line(c);
	return ret;
}

int claw_follows_calls(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	return claw_yaml_each(yaml, node, "calls", false, take_one_call, user);
}
