/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of the session's file "models" that say what follows a fault
 * (failure.h). The host has checked them: a word that is not known here is
 * passed over.
 */
#include "config.h"

#include "failure_private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct claw_fail_rules rules[CLAW_MODELS_MAX + 1];
static bool has_lines;

/* A word of a line: "KEY=VALUE", or a value alone. */
struct word {
	char key[16];
	char value[CLAW_RULE_WORD_MAX];		/* cut: see list */
	const char *list;	/* the same in the line, not ended */
	size_t list_length;
};

/* A text is the last of its line. */
static bool is_text(const struct word *word)
{
	return !strcmp(word->key, "tell") || !strcmp(word->key, "notice");
}

static bool next_word(const char **line, struct word *word)
{
	const char *at = *line + strspn(*line, " ");
	size_t length = strcspn(at, " \r\n");
	const char *equals = memchr(at, '=', length);

	if (!length)
		return false;
	word->key[0] = '\0';
	if (equals) {
		claw_copy_text(word->key, sizeof(word->key), at, (size_t)(equals - at));
		if (is_text(word))
			length = strcspn(at, "\r\n");
		length -= (size_t)(equals + 1 - at);
		at = equals + 1;
	}
	claw_copy_text(word->value, sizeof(word->value), at, length);
	word->list = at;
	word->list_length = length;
	*line = at + length;
	return true;
}

static cl_int number(const char *text)
{
	return (cl_int)strtol(text, NULL, 10);
}

static enum claw_fail_is condition(const char *text)
{
	return !strcmp(text, "1") || !strcmp(text, "same") ? CLAW_FAIL_YES :
		CLAW_FAIL_NO;
}

static int find_state(const struct claw_fail_rules *of, const char *name)
{
	for (unsigned int i = 0; i < of->state_count; i++)
		if (!strcmp(of->states[i].name, name))
			return (int)i;
	return CLAW_FAIL_HEALTHY;
}

static void read_state(struct claw_fail_rules *of, const char *line)
{
	static const char *const reaches[] = {
		"queue", "context", "device", "process",
	};
	struct claw_fail_state *state = &of->states[of->state_count];
	struct word word;

	if (of->state_count == CLAW_FAIL_STATES || !next_word(&line, &word))
		return;
	memset(state, 0, sizeof(*state));
	state->available = true;
	claw_copy_text(state->name, sizeof(state->name), word.value, strlen(word.value));
	while (next_word(&line, &word)) {
		for (unsigned int i = 0; i < 4; i++)
			if (!strcmp(word.key, "reach") &&
			    !strcmp(word.value, reaches[i]))
				state->reach = (enum claw_fail_reach)i;
		if (!strcmp(word.key, "cure")) {
			state->by_context = !strcmp(word.value, "context");
			state->by_notice = !strcmp(word.value, "notice");
			state->cure_ns = strtoull(word.value, NULL, 10);
		} else if (!strcmp(word.key, "event")) {
			state->event = number(word.value);
		} else if (!strcmp(word.key, "available")) {
			state->available = *word.value == '1';
		} else if (!strcmp(word.key, "notice")) {
			claw_copy_text(state->notice, sizeof(state->notice), word.value,
			     strlen(word.value));
		}
	}
	of->state_count++;
}

static bool read_fault(const char *text, struct claw_fail_trigger *trigger)
{
	size_t length = strcspn(text, "=");

	trigger->crash = -1;
	trigger->on = !strcmp(text, "fork") ? CLAW_FAIL_ON_FORK :
		!strcmp(text, "user-event") ? CLAW_FAIL_ON_USER_EVENT : 0;
	if (trigger->on)
		return true;
	if (text[length])
		trigger->crash = claw_fault_word(CLAW_FAULT_GPU_CRASH,
						 text + length + 1);
	for (unsigned int i = 1; i < CLAW_FAULT_COUNT; i++)
		if (!strncmp(text, claw_fault_table[i].name, length) &&
		    !claw_fault_table[i].name[length]) {
			trigger->on = i;
			return true;
		}
	return false;
}

static void read_trigger(struct claw_fail_rules *of, const char *line)
{
	struct claw_fail_trigger *trigger = &of->triggers[of->trigger_count];
	char fault[CLAW_FAIL_NAME_MAX * 2];
	struct word word;
	int state = -1;

	if (of->trigger_count == CLAW_FAIL_TRIGGERS)
		return;
	memset(trigger, 0, sizeof(*trigger));
	line += strspn(line, " ");
	claw_copy_text(fault, sizeof(fault), line, strcspn(line, " "));
	line += strcspn(line, " ");
	if (!read_fault(fault, trigger))
		return;
	while (next_word(&line, &word)) {
		if (!strcmp(word.key, "state"))
			state = find_state(of, word.value);
		else if (!strcmp(word.key, "error"))
			trigger->error = number(word.value);
		else if (!strcmp(word.key, "after"))
			trigger->after_ns = strtoull(word.value, NULL, 10);
	}
	if (state < 0)
		return;
	trigger->state = (unsigned int)state;
	of->trigger_count++;
}

/* Functions, globs and groups, as in rules. */
static void add_targets(struct claw_fail_answer *answer, const char *list,
			size_t bytes)
{
	const char *end = list + bytes;
	static struct claw_rule rule;
	struct claw_plan_error error;
	static const char any[] = ":break";	/* a fault of every function */
	char text[CLAW_FAIL_NAME_MAX * 2 + sizeof(any)];

	while (list < end) {
		const char *comma = memchr(list, ',', (size_t)(end - list));
		size_t length = (size_t)((comma ? comma : end) - list);

		claw_copy_text(text, sizeof(text) - sizeof(any), list, length);
		memcpy(text + strlen(text), any, sizeof(any));
		if (!claw_rule_parse(text, true, &rule, &error))
			for (size_t i = 0; i < sizeof(rule.targets) /
			     sizeof(*rule.targets); i++)
				answer->targets[i] |= rule.targets[i];
		list += length + 1;
	}
}

static void read_part(struct claw_fail_answer *answer, const struct word *word)
{
	const char *value = word->value;
	struct {
		const char *key;
		enum claw_fail_is *is;
	} conditions[] = {
		{ "noticed", &answer->noticed },
		{ "blocking", &answer->blocking },
		{ "waits", &answer->waits },
		{ "queue", &answer->same_queue },
		{ "context", &answer->same_context },
		{ "device", &answer->same_device },
	};

	for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++)
		if (!strcmp(word->key, conditions[i].key))
			*conditions[i].is = condition(value);
	if (!strcmp(word->key, "call")) {
		add_targets(answer, word->list, word->list_length);
	} else if (!strcmp(word->key, "says")) {
		answer->has_says = true;
		answer->says = number(value);
	} else if (!strcmp(word->key, "shows")) {
		answer->has_shows = true;
		answer->shows = number(value);
	} else if (!strcmp(word->key, "value")) {
		answer->null_value = true;
	} else if (!strcmp(word->key, "local")) {
		answer->over_local = true;
	} else if (!strcmp(word->key, "answer")) {
		answer->has_code = true;
		answer->code_is_error = !strcmp(value, "error");
		answer->code = number(value);
	} else if (!strcmp(word->key, "status")) {
		answer->has_status = true;
		answer->status = number(value);
	} else if (!strcmp(word->key, "notices")) {
		answer->notices = *value == '1';
	} else if (!strcmp(word->key, "tell")) {
		claw_copy_text(answer->tell, sizeof(answer->tell), value, strlen(value));
	}
}

static void read_answer(struct claw_fail_rules *of, const char *line)
{
	struct claw_fail_answer *answer = &of->answers[of->answer_count];
	struct word word;

	if (of->answer_count == CLAW_FAIL_ANSWERS || !next_word(&line, &word))
		return;
	memset(answer, 0, sizeof(*answer));
	answer->state = find_state(of, word.value);
	while (next_word(&line, &word))
		read_part(answer, &word);
	of->answer_count++;
}

static void read_line(unsigned int model, const char *line)
{
	struct claw_fail_rules *of = &rules[model];

	if (!strncmp(line, "state ", 6))
		read_state(of, line + 6);
	else if (!strncmp(line, "trigger ", 8))
		read_trigger(of, line + 8);
	else if (!strncmp(line, "answer ", 7))
		read_answer(of, line + 7);
}

void claw_failure_read_line(unsigned int device, const char *rest)
{
	if (device >= CLAW_MODELS_MAX)
		return;
	has_lines = true;
	read_line(device, rest);
}

bool claw_fail_has_lines(void)
{
	return has_lines;
}

static void read_generic(void)
{
	for (unsigned int i = 0; claw_fail_generic_lines[i]; i++)
		read_line(CLAW_FAIL_GENERIC, claw_fail_generic_lines[i]);
}

const struct claw_fail_rules *claw_fail_rules_of(unsigned int model)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (model == CLAW_FAIL_GENERIC)
		pthread_once(&once, read_generic);
	return &rules[model];
}

/* The one that names the kind of crash goes before the one that does not. */
static const struct claw_fail_trigger *find_trigger(unsigned int model,
						    const struct claw_rule *rule)
{
	const struct claw_fail_rules *of = claw_fail_rules_of(model);
	const struct claw_fail_trigger *found = NULL;

	for (unsigned int i = 0; i < of->trigger_count; i++) {
		const struct claw_fail_trigger *trigger = &of->triggers[i];

		if (trigger->on != (unsigned int)rule->fault)
			continue;
		if (trigger->crash == (int)rule->words)
			return trigger;
		if (trigger->crash < 0 && !found)
			found = trigger;
	}
	return found;
}

const struct claw_fail_trigger *claw_fail_trigger_on(unsigned int model,
						     unsigned int on)
{
	const struct claw_fail_rules *of = claw_fail_rules_of(model);

	for (unsigned int i = 0; i < of->trigger_count; i++)
		if (of->triggers[i].on == on)
			return &of->triggers[i];
	return NULL;
}

const struct claw_fail_trigger *
claw_fail_trigger_find(unsigned int model, const struct claw_rule *rule,
		       unsigned int *ret_model)
{
	const struct claw_fail_trigger *trigger = find_trigger(model, rule);

	*ret_model = model;
	if (trigger)
		return trigger;
	*ret_model = CLAW_FAIL_GENERIC;
	return find_trigger(CLAW_FAIL_GENERIC, rule);
}
