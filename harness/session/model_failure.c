/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What follows a fault, from a model file's YAML to the session's lines
 * (faults/device/failure.h has their form):
 *
 *	failure:
 *	  source: SOURCE
 *	  states:
 *	    NAME: {reach, cure, event, available, notice}
 *	  triggers:
 *	    - {on: FAULT[=KIND] | fork | user-event, state: NAME, error: CODE, after: DURATION}
 *	  calls:
 *	    - {state: NAME, call: TARGET or list, CONDITIONS, ANSWER}
 *
 * CONDITIONS: noticed blocking waits (yes or no), queue context device (same or
 * other), says shows (a code), value (null), local (over). ANSWER: answer (a code, or
 * "error": the trigger's), status (of an event that is asked about), notices
 * (yes), tell (a text).
 */
#include "config.h"

#include "model_failure.h"

#include <string.h>

#include "faults/shared/plan.h"
#include "harness/base/errors.h"
#include "model_failure_private.h"

/* --------------------------------------------------------------- states */

static int take_reach(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	return claw_follows_word(yaml, node, user, "reach",
				 "queue context device process");
}

static int take_cure(const struct claw_yaml *yaml, const yaml_node_t *node,
		     void *user)
{
	const char *word;
	int ret = claw_yaml_text(yaml, node, "a cure", &word);

	if (ret < 0)
		return ret;
	if (*word >= '0' && *word <= '9')
		return claw_follows_span(yaml, node, user, "cure");
	return claw_follows_word(yaml, node, user, "cure",
				 "process context notice");
}

static int take_event(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	return claw_follows_code(yaml, node, user, "event", false);
}

static int take_available(const struct claw_yaml *yaml, const yaml_node_t *node,
			  void *user)
{
	return claw_follows_word(yaml, node, user, "available", "yes no");
}

static int take_notice(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	return claw_follows_text(yaml, node, user, "notice");
}

static const struct claw_yaml_key state_keys[] = {
	{ "reach", take_reach },
	{ "cure", take_cure },
	{ "event", take_event },
	{ "available", take_available },
	{ "notice", take_notice },
	{ 0 },
};

/* Names of states are the file's own: no table can have them. */
static int take_states(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	struct claw_follows *c = user;
	yaml_document_t *document = (yaml_document_t *)&yaml->document;

	if (node->type != YAML_MAPPING_NODE)
		return claw_yaml_fail(yaml, node, "expected states by their "
				      "names, found %s", claw_yaml_found(node));
	for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	     pair < node->data.mapping.pairs.top; pair++) {
		const yaml_node_t *key = yaml_document_get_node(document,
								pair->key);
		const char *name;
		int ret = claw_yaml_text(yaml, key, "the name of a state",
					 &name);

		if (ret < 0)
			return ret;
		if (strlen(name) > CLAW_FOLLOWS_NAME_BYTES ||
		    strpbrk(name, " =,\r\n") || !strcmp(name, "healthy"))
			return claw_yaml_fail(yaml, key, "expected a name of "
				"one short word, not \"healthy\", found "
				"\"%s\"", name);
		for (unsigned int i = 0; i < c->state_count; i++)
			if (!strcmp(c->states[i], name))
				return claw_yaml_fail(yaml, key, "expected "
					"each state once, found \"%s\" again",
					name);
		if (c->state_count == CLAW_FOLLOWS_STATES)
			return claw_yaml_fail(yaml, key, "expected at most %d "
				"states, found more", CLAW_FOLLOWS_STATES);
		fprintf(c->out, "failure state %s", name);
		c->states[c->state_count++] = name;
		ret = claw_yaml_walk(yaml, yaml_document_get_node(document,
				pair->value), "a state", state_keys, c);
		if (ret < 0)
			return ret;
		claw_follows_end_line(c);
	}
	return 0;
}

/* ------------------------------------------------------------- triggers */

/* One that something can follow; others have ended with their call. */
static bool is_fault(const char *word)
{
	size_t length = strcspn(word, "=");

	if (!strcmp(word, "fork") || !strcmp(word, "user-event"))
		return true;
	for (unsigned int i = 1; i < CLAW_FAULT_COUNT; i++) {
		const struct claw_fault_info *info = &claw_fault_table[i];

		if (info->device != CLAW_DEVICE_NOTHING &&
		    strncmp(word, info->name, length) == 0 &&
		    !info->name[length])
			return !word[length] ||
			       (i == CLAW_FAULT_GPU_CRASH &&
				claw_fault_word(i, word + length + 1) >= 0);
	}
	return false;
}

static int take_on(const struct claw_yaml *yaml, const yaml_node_t *node,
		   void *user)
{
	struct claw_follows *c = user;
	const char *word;
	int ret = claw_yaml_text(yaml, node, "a fault", &word);

	if (ret < 0)
		return ret;
	if (!is_fault(word))
		return claw_yaml_fail(yaml, node, "expected a fault such as "
				      "gpu-crash or gpu-crash=trap (also "
				      "partial, device-lost, ecc, pcie, hang, "
				      "fork, user-event), "
				      "found \"%.48s\"", word);
	for (unsigned int i = 0; i + 1 < c->trigger_count; i++)
		if (!strcmp(c->ons[i], word))
			return claw_yaml_fail(yaml, node, "expected each fault "
				"once, found \"%s\" again", word);
	c->ons[c->trigger_count - 1] = word;
	c->has_fault = true;
	fprintf(c->out, " %s", word);
	return 0;
}

static int take_state(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	struct claw_follows *c = user;
	const char *name;
	int ret = claw_follows_known_state(yaml, node, c, &name);

	if (ret == 0)
		fprintf(c->out, " state=%s", name);
	return ret;
}

static int take_error(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	struct claw_follows *c = user;

	c->has_error = true;
	return claw_follows_code(yaml, node, c, "error", false);
}

static int take_after(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	return claw_follows_span(yaml, node, user, "after");
}

/* What a line begins with comes first, whatever the order in the file. */
static const struct claw_yaml_key trigger_first[] = {
	{ "on", take_on }, { "state", claw_yaml_skip },
	{ "error", claw_yaml_skip },
	{ "after", claw_yaml_skip }, { 0 },
};
static const struct claw_yaml_key trigger_rest[] = {
	{ "on", claw_yaml_skip }, { "state", take_state },
	{ "error", take_error },
	{ "after", take_after }, { 0 },
};

static int take_trigger(const struct claw_yaml *yaml, const yaml_node_t *node,
			void *user)
{
	struct claw_follows *c = user;
	int ret;

	if (c->trigger_count++ == CLAW_FOLLOWS_TRIGGERS)
		return claw_yaml_fail(yaml, node, "expected at most %d "
				      "triggers, found more",
				      CLAW_FOLLOWS_TRIGGERS);
	fputs("failure trigger", c->out);
	ret = claw_yaml_walk(yaml, node, "a trigger", trigger_first, c);
	if (ret == 0)
		ret = claw_yaml_walk(yaml, node, "a trigger", trigger_rest, c);
	if (ret == 0 && (!c->has_fault || !c->has_state))
		ret = claw_yaml_fail(yaml, node, "expected the keys on and "
				     "state, found no %s",
				     c->has_fault ? "state" : "on");
	if (ret == 0 && !c->has_error)
		c->without_error[c->state] = c->ons[c->trigger_count - 1];
	claw_follows_end_line(c);
	return ret;
}

static int take_triggers(const struct claw_yaml *yaml, const yaml_node_t *node,
			 void *user)
{
	return claw_yaml_each(yaml, node, "triggers", false, take_trigger, user);
}

static const struct claw_yaml_key failure_states[] = {
	{ "source", claw_yaml_skip }, { "states", take_states },
	{ "triggers", claw_yaml_skip },
	{ "calls", claw_yaml_skip }, { 0 },
};
static const struct claw_yaml_key failure_triggers[] = {
	{ "source", claw_yaml_skip }, { "states", claw_yaml_skip },
	{ "triggers", take_triggers },
	{ "calls", claw_yaml_skip }, { 0 },
};
static const struct claw_yaml_key failure_calls[] = {
	{ "source", claw_yaml_skip }, { "states", claw_yaml_skip },
	{ "triggers", claw_yaml_skip },
	{ "calls", claw_follows_calls }, { 0 },
};

int claw_model_failure_compile(const struct claw_yaml *yaml,
			       const yaml_node_t *node, FILE *out)
{
	struct claw_follows c = { .out = out };
	int ret = claw_yaml_walk(yaml, node, "what follows a fault",
				 failure_states, &c);

	if (ret == 0)
		ret = claw_yaml_walk(yaml, node, "what follows a fault",
				     failure_triggers, &c);
	if (ret == 0)
		ret = claw_yaml_walk(yaml, node, "what follows a fault",
				     failure_calls, &c);
	return ret;
}
