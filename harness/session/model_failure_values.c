/* SPDX-License-Identifier: Apache-2.0 */
/* The values of what follows a fault: read, checked and written down. */
#include "config.h"

#include "model_failure_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/plan.h"

int claw_follows_text(const struct claw_yaml *yaml, const yaml_node_t *node,
		      struct claw_follows *c, const char *key)
{
	int ret = claw_yaml_text(yaml, node, "a text", &c->text);

	if (ret < 0)
		return ret;
	if (strlen(c->text) > CLAW_FOLLOWS_TEXT_BYTES ||
	    strpbrk(c->text, "\r\n"))
		return claw_yaml_fail(yaml, node, "expected a text of one line "
				      "and at most %d bytes, found %zu bytes",
				      CLAW_FOLLOWS_TEXT_BYTES, strlen(c->text));
	c->text_key = key;
	return 0;
}

int claw_follows_word(const struct claw_yaml *yaml, const yaml_node_t *node,
		      struct claw_follows *c, const char *key,
		      const char *words)
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

int claw_follows_code(const struct claw_yaml *yaml, const yaml_node_t *node,
		      struct claw_follows *c, const char *key, bool or_error)
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

int claw_follows_span(const struct claw_yaml *yaml, const yaml_node_t *node,
		      struct claw_follows *c, const char *key)
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

void claw_follows_end_line(struct claw_follows *c)
{
	if (c->text)
		fprintf(c->out, " %s=%s", c->text_key, c->text);
	fputc('\n', c->out);
	c->text = NULL;
	c->has_state = c->has_call = c->has_fault = false;
	c->has_says = c->has_error = false;
	c->answers_error = NULL;
}

int claw_follows_known_state(const struct claw_yaml *yaml,
			     const yaml_node_t *node, struct claw_follows *c,
			     const char **ret_name)
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
