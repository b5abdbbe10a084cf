/* SPDX-License-Identifier: Apache-2.0 */
/* See emit_model.h. What a line says is said again in the words of a file
 * (doc/device-model.md); faults/device/failure.h has the lines' form. */
#include "config.h"

#include "emit_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/session/model.h"
#include "harness/base/text.h"
#include "harness/files/yaml_out.h"

enum { NS_A_MS = 1000000, WORD_BYTES = 1024 };

struct emitting {
	const json_t *lines;
	size_t begin, end;	/* of the lines of one model */
	struct claw_yaml_out out;
	unsigned int unknown;	/* lines that no file can say */
};

static const char *line_at(const struct emitting *e, size_t index)
{
	const char *text = json_string_value(json_array_get(e->lines, index));

	return text ? text : "";
}

/* What is behind the first words of a line, or NULL: it is another. */
static const char *after(const char *line, const char *words)
{
	return claw_begins(line, words) ? line + strlen(words) : NULL;
}

/* ---- single values ---------------------------------------------------- */

/* The word with that number, or "". */
static void put_word(char *to, size_t size, const char *words, uint64_t number)
{
	for (; number > 0 && *words; number--) {
		words += strcspn(words, " ");
		words += *words == ' ';
	}
	snprintf(to, size, "%.*s", (int)strcspn(words, " "), words);
}

/* The session's value as a file says it. False: no value of this key. */
static bool write_value(const struct claw_model_key *key, const char *value,
			char *written, size_t size)
{
	char again[CLAW_MODEL_TEXT_BYTES + 1], unused[256];
	uint64_t number = strtoull(value, NULL, 10);

	switch (key->kind) {
	case CLAW_MODEL_SIZE:
		snprintf(written, size, "%" PRIu64 "B", number);
		break;
	case CLAW_MODEL_PERCENT:
		snprintf(written, size, "%" PRIu64 ".%" PRIu64 "%%",
			 number / 10, number % 10);
		break;
	case CLAW_MODEL_DURATION:
		snprintf(written, size, "%" PRIu64 "ms", number / NS_A_MS);
		break;
	case CLAW_MODEL_WORD:
		put_word(written, size, key->words, number);
		break;
	case CLAW_MODEL_COUNT:
	case CLAW_MODEL_TEXT:
		snprintf(written, size, "%s", value);
		break;
	}
	return claw_model_value(key, written, again, sizeof(again), unused,
				sizeof(unused)) == 0 &&
	       strcmp(again, value) == 0;
}

/* Nothing is what 0 says of a key that has no other way to say it. */
static bool says_nothing(const struct claw_model_key *key, const char *value)
{
	return !*value || (strcmp(value, "0") == 0 && !*key->fallback);
}

static void put_fact(struct emitting *e, const char *line)
{
	size_t length = strcspn(line, " ");

	for (size_t i = 0; i < CLAW_MODEL_KEY_COUNT; i++) {
		const struct claw_model_key *key = &claw_model_keys[i];
		const char *value = line + length + (line[length] == ' ');
		char written[WORD_BYTES];

		if (strlen(key->name) != length ||
		    strncmp(key->name, line, length) != 0)
			continue;
		if (write_value(key, value, written, sizeof(written)))
			claw_yaml_out_pair(&e->out, key->name, written);
		else
			e->unknown += !says_nothing(key, value);
		return;
	}
	e->unknown++;
}

/* ---- what follows a fault --------------------------------------------- */

static bool is_any(const char *key, const char *const *keys)
{
	while (*keys && strcmp(*keys, key) != 0)
		keys++;
	return *keys != NULL;
}

static void put_functions(struct emitting *e, char *value)
{
	char *name;

	claw_yaml_out_text(&e->out, "call");
	claw_yaml_out_list(&e->out);
	while ((name = strsep(&value, ",")))
		claw_yaml_out_text(&e->out, name);
	claw_yaml_out_list_end(&e->out);
}

static void put_pair(struct emitting *e, const char *key, char *value)
{
	static const char *const yes_no[] = {
		"noticed", "blocking", "waits", "notices", "available", NULL,
	};
	static const char *const spans[] = { "cure", "after", NULL };
	char span[32];

	if (strcmp(key, "call") == 0) {
		put_functions(e, value);
	} else if (is_any(key, yes_no)) {
		claw_yaml_out_pair(&e->out, key,
				   strcmp(value, "1") == 0 ? "yes" : "no");
	} else if (is_any(key, spans) && *value >= '0' && *value <= '9') {
		snprintf(span, sizeof(span), "%" PRIu64 "ms",
			 (uint64_t)strtoull(value, NULL, 10) / NS_A_MS);
		claw_yaml_out_pair(&e->out, key, span);
	} else {
		claw_yaml_out_pair(&e->out, key, value);
	}
}

/* "KEY=VALUE ...": a text goes to the end of the line. */
static void put_pairs(struct emitting *e, const char *line)
{
	static const char *const texts[] = { "tell", "notice", NULL };
	char *words = claw_strdup(line), *rest = words;

	while (rest && *rest) {
		char *key = rest, *value = strchr(rest, '=');

		if (!value)
			break;
		*value++ = '\0';
		rest = value;
		if (is_any(key, texts))
			rest = NULL;
		else
			strsep(&rest, " ");
		put_pair(e, key, value);
	}
	free(words);
}

static void put_state(struct emitting *e, const char *text)
{
	char name[64];
	size_t length = strcspn(text, " ");

	snprintf(name, sizeof(name), "%.*s", (int)length, text);
	claw_yaml_out_text(&e->out, name);
	claw_yaml_out_mapping(&e->out);
	put_pairs(e, text + length + (text[length] == ' '));
	claw_yaml_out_mapping_end(&e->out);
}

static void put_trigger(struct emitting *e, const char *text)
{
	char fault[64];
	size_t length = strcspn(text, " ");

	snprintf(fault, sizeof(fault), "%.*s", (int)length, text);
	claw_yaml_out_mapping(&e->out);
	claw_yaml_out_pair(&e->out, "on", fault);
	put_pairs(e, text + length + (text[length] == ' '));
	claw_yaml_out_mapping_end(&e->out);
}

static void put_answer(struct emitting *e, const char *text)
{
	char state[64];
	size_t length = strcspn(text, " ");

	snprintf(state, sizeof(state), "%.*s", (int)length, text);
	claw_yaml_out_mapping(&e->out);
	if (strcmp(state, "healthy") != 0)
		claw_yaml_out_pair(&e->out, "state", state);
	put_pairs(e, text + length + (text[length] == ' '));
	claw_yaml_out_mapping_end(&e->out);
}

static void put_each(struct emitting *e, const char *words,
		     void put(struct emitting *e, const char *text))
{
	for (size_t i = e->begin; i < e->end; i++) {
		const char *text = after(line_at(e, i), words);

		if (text)
			put(e, text);
	}
}

static void put_failure(struct emitting *e)
{
	claw_yaml_out_text(&e->out, "failure");
	claw_yaml_out_mapping(&e->out);
	claw_yaml_out_text(&e->out, "states");
	claw_yaml_out_mapping(&e->out);
	put_each(e, "failure state ", put_state);
	claw_yaml_out_mapping_end(&e->out);
	claw_yaml_out_text(&e->out, "triggers");
	claw_yaml_out_list(&e->out);
	put_each(e, "failure trigger ", put_trigger);
	claw_yaml_out_list_end(&e->out);
	claw_yaml_out_text(&e->out, "calls");
	claw_yaml_out_list(&e->out);
	put_each(e, "failure answer ", put_answer);
	claw_yaml_out_list_end(&e->out);
	claw_yaml_out_mapping_end(&e->out);
}

/* ---- a file ----------------------------------------------------------- */

static int put_model(struct emitting *e, FILE *stream)
{
	bool has_failure = false;
	int ret;

	fputs("# The device that the program was captured on: "
	      "openclaw ... --model THIS_FILE\n", stream);
	claw_yaml_out_begin(&e->out, stream);
	claw_yaml_out_mapping(&e->out);
	for (size_t i = e->begin; i < e->end; i++) {
		if (after(line_at(e, i), "failure "))
			has_failure = true;
		else
			put_fact(e, line_at(e, i));
	}
	if (has_failure)
		put_failure(e);
	claw_yaml_out_mapping_end(&e->out);
	ret = claw_yaml_out_end(&e->out);
	if (e->unknown)
		fprintf(stream, "# %u more that no model can say\n",
			e->unknown);
	return ret;
}

static int write_model(struct emitting *e, const char *directory,
		       unsigned int number)
{
	char name[32];
	char *path;
	FILE *stream;
	int ret;

	snprintf(name, sizeof(name), "device_%u.yaml", number);
	path = claw_path_in(directory, name);
	stream = fopen(path, "wxe");
	free(path);
	if (!stream)
		return -CLAW_E_IO;
	ret = put_model(e, stream);
	return fclose(stream) != 0 ? -CLAW_E_IO : ret;
}

int claw_emit_models(const json_t *lines, const char *directory,
		     unsigned int *ret_count)
{
	struct emitting e = { .lines = lines };
	size_t count = json_array_size(lines);
	int ret = 0;

	*ret_count = 0;
	while (ret == 0 && e.end < count && *ret_count < CLAW_MODELS_MAX) {
		if (!after(line_at(&e, e.end++), "device "))
			continue;
		e.begin = e.end;
		e.unknown = 0;
		while (e.end < count && !after(line_at(&e, e.end), "device "))
			e.end++;
		ret = write_model(&e, directory, *ret_count);
		++*ret_count;
	}
	return ret;
}
