/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What follows a fault, from a model file's YAML to the session's lines
 * (faults/failure.h has their form):
 *
 *	failure:
 *	  source: SOURCE
 *	  states:
 *	    NAME: {reach, cure, event, available, notice}
 *	  triggers:
 *	    - {on: FAULT[=KIND], state: NAME, error: CODE, after: DURATION}
 *	  calls:
 *	    - {state: NAME, call: TARGET or list, CONDITIONS, ANSWER}
 *
 * CONDITIONS: noticed blocking waits (yes or no), queue context (same or
 * other), says (a code), value (null), local (over). ANSWER: answer (a code, or
 * "error": the trigger's), status (of an event that is asked about), notices
 * (yes), tell (a text).
 */
#include "config.h"

#include "model_failure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../faults/plan.h"
#include "errors.h"

enum { MAX_STATES = 8, MAX_TRIGGERS = 16, MAX_CALLS = 128, NAME_MAX_BYTES = 31,
       TEXT_MAX_BYTES = 127 };

struct compiling {
	FILE *out;
	const char *states[MAX_STATES];
	const char *ons[MAX_TRIGGERS];
	/* a trigger that takes to the state and has no error, or NULL */
	const char *without_error[MAX_STATES];
	unsigned int state_count, trigger_count, call_count;
	/* of the item that is being read */
	const char *text, *text_key;	/* goes to the end of its line */
	bool has_state, has_call, has_fault, has_says, has_error;
	unsigned int state;			/* that it names */
	const yaml_node_t *answers_error;	/* "answer: error", or NULL */
};

static int take_text(const struct claw_yaml *yaml, const yaml_node_t *node,
		     struct compiling *c, const char *key)
{
	int ret = claw_yaml_text(yaml, node, "a text", &c->text);

	if (ret < 0)
		return ret;
	if (strlen(c->text) > TEXT_MAX_BYTES || strpbrk(c->text, "\r\n"))
		return claw_yaml_fail(yaml, node, "expected a text of one line "
				      "and at most %d bytes, found %zu bytes",
				      TEXT_MAX_BYTES, strlen(c->text));
	c->text_key = key;
	return 0;
}

/* One of the words, written as the key's value. */
static int take_word(const struct claw_yaml *yaml, const yaml_node_t *node,
		     struct compiling *c, const char *key, const char *words)
{
	const char *word, *found;
	size_t length;
	int ret = claw_yaml_text(yaml, node, "a word", &word);

	if (ret < 0)
		return ret;
	length = strlen(word);
	for (found = words; (found = strstr(found, word)); found++)
		if ((found == words || found[-1] == ' ') &&
		    strchr(" ", found[length])) {
			fprintf(c->out, " %s=%s", key,
				!strcmp(word, "yes") ? "1" :
				!strcmp(word, "no") ? "0" : word);
			return 0;
		}
	return claw_yaml_fail(yaml, node, "expected one of %s, found \"%s\"",
			      words, word);
}

/* A CL_ name or a number; as well "error" where that is meant. */
static int take_code(const struct claw_yaml *yaml, const yaml_node_t *node,
		     struct compiling *c, const char *key, bool or_error)
{
	const char *word;
	cl_int code;
	char *end;
	long number;
	int ret = claw_yaml_text(yaml, node, "a code", &word);

	if (ret < 0)
		return ret;
	if (or_error && !strcmp(word, "error")) {
		fprintf(c->out, " %s=error", key);
		return 0;
	}
	if (!strcmp(word, "CL_COMPLETE"))
		word = "0";
	errno = 0;
	number = strtol(word, &end, 10);
	if (*end || end == word || errno || number > 0 || number < -99999) {
		if (claw_code_find(word, strlen(word), &code))
			return claw_yaml_fail(yaml, node, "expected a code such "
				"as CL_OUT_OF_RESOURCES or -9999%s, found "
				"\"%s\"", or_error ? ", or error" : "", word);
		number = code;
	}
	fprintf(c->out, " %s=%ld", key, number);
	return 0;
}

static int take_span(const struct claw_yaml *yaml, const yaml_node_t *node,
		     struct compiling *c, const char *key)
{
	const char *text;
	uint64_t ms;
	int ret = claw_yaml_text(yaml, node, "a duration", &text);

	/* Without a unit it would be seconds in an option only. */
	if (ret == 0 && strchr("0123456789", text[strlen(text) - 1]))
		return claw_yaml_fail(yaml, node, "expected a duration with its "
				      "unit (\"30s\"), found \"%.48s\"", text);
	if (ret == 0)
		ret = claw_yaml_duration(yaml, node, &ms);
	if (ret == 0)
		fprintf(c->out, " %s=%llu", key,
			(unsigned long long)ms * 1000000);
	return ret;
}

static void end_line(struct compiling *c)
{
	if (c->text)
		fprintf(c->out, " %s=%s", c->text_key, c->text);
	fputc('\n', c->out);
	c->text = NULL;
	c->has_state = c->has_call = c->has_fault = false;
	c->has_says = c->has_error = false;
	c->answers_error = NULL;
}

static int known_state(const struct claw_yaml *yaml, const yaml_node_t *node,
		       struct compiling *c, const char **ret_name)
{
	int ret = claw_yaml_text(yaml, node, "the name of a state", ret_name);

	if (ret < 0)
		return ret;
	c->has_state = true;
	for (unsigned int i = 0; i < c->state_count; i++)
		if (!strcmp(c->states[i], *ret_name)) {
			c->state = i;
			return 0;
		}
	return claw_yaml_fail(yaml, node, "expected the name of one of the "
			      "states above, found \"%s\"", *ret_name);
}

/* --------------------------------------------------------------- states */

static int take_reach(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	return take_word(yaml, node, user, "reach",
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
		return take_span(yaml, node, user, "cure");
	return take_word(yaml, node, user, "cure", "process context");
}

static int take_event(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	return take_code(yaml, node, user, "event", false);
}

static int take_available(const struct claw_yaml *yaml, const yaml_node_t *node,
			  void *user)
{
	return take_word(yaml, node, user, "available", "yes no");
}

static int take_notice(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	return take_text(yaml, node, user, "notice");
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
	struct compiling *c = user;
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
		if (strlen(name) > NAME_MAX_BYTES || strpbrk(name, " =,\r\n") ||
		    !strcmp(name, "healthy"))
			return claw_yaml_fail(yaml, key, "expected a name of "
				"one short word, not \"healthy\", found "
				"\"%s\"", name);
		for (unsigned int i = 0; i < c->state_count; i++)
			if (!strcmp(c->states[i], name))
				return claw_yaml_fail(yaml, key, "expected "
					"each state once, found \"%s\" again",
					name);
		if (c->state_count == MAX_STATES)
			return claw_yaml_fail(yaml, key, "expected at most %d "
				"states, found more", MAX_STATES);
		fprintf(c->out, "failure state %s", name);
		c->states[c->state_count++] = name;
		ret = claw_yaml_walk(yaml, yaml_document_get_node(document,
				pair->value), "a state", state_keys, c);
		if (ret < 0)
			return ret;
		end_line(c);
	}
	return 0;
}

/* ------------------------------------------------------------- triggers */

/* One that something can follow; others have ended with their call. */
static bool is_fault(const char *word)
{
	static const enum claw_fault faults[] = {
		CLAW_FAULT_GPU_CRASH, CLAW_FAULT_PARTIAL,
		CLAW_FAULT_DEVICE_LOST, CLAW_FAULT_ECC, CLAW_FAULT_PCIE,
		CLAW_FAULT_HANG,
	};
	size_t length = strcspn(word, "=");

	for (size_t j = 0; j < sizeof(faults) / sizeof(*faults); j++) {
		enum claw_fault i = faults[j];
		const char *name = claw_fault_table[i].name;

		if (strncmp(word, name, length) || name[length])
			continue;
		if (!word[length])
			return true;
		for (unsigned int k = 0; k < CLAW_CRASH_KINDS; k++)
			if (i == CLAW_FAULT_GPU_CRASH &&
			    !strcmp(word + length + 1, claw_crash_names[k]))
				return true;
	}
	return false;
}

static int take_on(const struct claw_yaml *yaml, const yaml_node_t *node,
		   void *user)
{
	struct compiling *c = user;
	const char *word;
	int ret = claw_yaml_text(yaml, node, "a fault", &word);

	if (ret < 0)
		return ret;
	if (!is_fault(word))
		return claw_yaml_fail(yaml, node, "expected a fault such as "
				      "gpu-crash or gpu-crash=trap (also "
				      "partial, device-lost, ecc, pcie, hang), "
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
	struct compiling *c = user;
	const char *name;
	int ret = known_state(yaml, node, c, &name);

	if (ret == 0)
		fprintf(c->out, " state=%s", name);
	return ret;
}

static int take_error(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	struct compiling *c = user;

	c->has_error = true;
	return take_code(yaml, node, c, "error", false);
}

static int take_after(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	return take_span(yaml, node, user, "after");
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
	struct compiling *c = user;
	int ret;

	if (c->trigger_count++ == MAX_TRIGGERS)
		return claw_yaml_fail(yaml, node, "expected at most %d "
				      "triggers, found more", MAX_TRIGGERS);
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
	end_line(c);
	return ret;
}

static int take_triggers(const struct claw_yaml *yaml, const yaml_node_t *node,
			 void *user)
{
	return claw_yaml_each(yaml, node, "triggers", false, take_trigger, user);
}

/* ---------------------------------------------------------------- calls */

static int take_of(const struct claw_yaml *yaml, const yaml_node_t *node,
		   void *user)
{
	struct compiling *c = user;
	const char *name;
	int ret = known_state(yaml, node, c, &name);

	if (ret == 0)
		fprintf(c->out, "failure answer %s", name);
	return ret;
}

static int take_target(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	struct compiling *c = user;
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
		return take_word(yaml, node, user, #key_, "yes no");	\
	}
#define WHOSE(key_)							\
	static int take_##key_(const struct claw_yaml *yaml,		\
			       const yaml_node_t *node, void *user)	\
	{								\
		return take_word(yaml, node, user, #key_, "same other"); \
	}
#define CODE_OF(key_, or_error_)					\
	static int take_##key_(const struct claw_yaml *yaml,		\
			       const yaml_node_t *node, void *user)	\
	{								\
		return take_code(yaml, node, user, #key_, or_error_);	\
	}

YES_NO(noticed)
YES_NO(blocking)
YES_NO(waits)
YES_NO(notices)
WHOSE(queue)
WHOSE(context)
CODE_OF(status, false)

static int take_says(const struct claw_yaml *yaml, const yaml_node_t *node,
		     void *user)
{
	struct compiling *c = user;

	c->has_says = true;
	return take_code(yaml, node, c, "says", false);
}

static int take_answer(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	struct compiling *c = user;
	int ret = take_code(yaml, node, c, "answer", true);

	if (ret == 0 && !strcmp((const char *)node->data.scalar.value, "error"))
		c->answers_error = node;
	return ret;
}

static int take_value(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	return take_word(yaml, node, user, "value", "null");
}

static int take_local(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	return take_word(yaml, node, user, "local", "over");
}

static int take_tell(const struct claw_yaml *yaml, const yaml_node_t *node,
		     void *user)
{
	return take_text(yaml, node, user, "tell");
}

#define CALL_KEYS(of_, call_, rest_)					\
	{ "state", of_ }, { "call", call_ },				\
	{ "noticed", rest_(noticed) }, { "blocking", rest_(blocking) },	\
	{ "waits", rest_(waits) }, { "notices", rest_(notices) },	\
	{ "queue", rest_(queue) }, { "context", rest_(context) },	\
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
		      const struct compiling *c)
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
	struct compiling *c = user;
	int ret;

	if (c->call_count++ == MAX_CALLS)
		return claw_yaml_fail(yaml, node, "expected at most %d calls, "
				      "found more", MAX_CALLS);
	ret = claw_yaml_walk(yaml, node, "a call", call_first, c);
	if (ret == 0 && !c->has_state)
		fputs("failure answer healthy", c->out);
	if (ret == 0)
		ret = claw_yaml_walk(yaml, node, "a call", call_rest, c);
	if (ret == 0)
		ret = check_call(yaml, node, c);
	end_line(c);
	return ret;
}

static int take_calls(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	return claw_yaml_each(yaml, node, "calls", false, take_one_call, user);
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
	{ "calls", take_calls }, { 0 },
};

int claw_model_failure_compile(const struct claw_yaml *yaml,
			       const yaml_node_t *node, FILE *out)
{
	struct compiling c = { .out = out };
	int ret = claw_yaml_walk(yaml, node, "what follows a fault",
				 failure_states, &c);

	if (ret == 0)
		ret = claw_yaml_walk(yaml, node, "what follows a fault",
				     failure_triggers, &c);
	if (ret == 0)
		ret = claw_yaml_walk(yaml, node, "what follows a fault",
				     failure_calls, &c);
	return ret < 0 ? ret : ferror(out) ? -CLAW_E_NO_MEMORY : 0;
}
