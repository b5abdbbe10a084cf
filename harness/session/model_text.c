/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Print device models for a person: which there are, what one says and where
 * each fact comes from.
 */
#include "config.h"

#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/api.h"
#include "harness/base/errors.h"
#include "fault_plan.h"
#include "harness/base/memory.h"

/* Of a fact that its file does not name a source of. */
static const char unknown[] = "not said";

static const char *said(const struct claw_model *model, size_t key)
{
	const char *written = model->facts[key].written;

	return written ? written : "as the real device";
}

void claw_models_put(const struct claw_strings *words, FILE *out)
{
	for (size_t i = 0; i < words->count; i++) {
		char *quoted = claw_shell_quote_printable(words->items[i]);

		fprintf(out, " --model %s", quoted);
		free(quoted);
	}
}

int claw_models_list(void)
{
	char **names, error[1024];
	size_t count;
	int ret = claw_model_names(&names, &count);

	if (ret < 0) {
		claw_warn("faults/devices: %s", claw_error_text(ret));
		return CLAW_EXIT_INFRA;
	}
	for (size_t i = 0; i < count; i++) {
		struct claw_model model;

		if (ret == 0)
			ret = claw_model_read(names[i], &model, error,
					      sizeof(error));
		if (ret == 0) {
			printf("%-14s %s, memory: %s\n", names[i],
			       said(&model, CLAW_MODEL_KEY_name),
			       said(&model, CLAW_MODEL_KEY_memory));
			claw_model_release(&model);
		}
		free(names[i]);
	}
	free(names);
	if (ret < 0) {
		claw_warn("%s", error);
		return CLAW_EXIT_INFRA;
	}
	return ferror(stdout) || fflush(stdout) != 0 ? CLAW_EXIT_INFRA :
		CLAW_EXIT_CLEAN;
}

/* ---- what follows a fault --------------------------------------------- */

static bool is_one_of(const char *key, size_t length, const char *words)
{
	for (const char *at = words; (at = strstr(at, key)); at++)
		if ((at == words || at[-1] == ' ') && strchr(" ", at[length]))
			return true;
	return false;
}

/* A value of the session's line as the file says it. */
static void print_failure_value(const char *key, size_t length,
				const char *value)
{
	char *end;
	long long number = strtoll(value, &end, 10);
	const char *name;

	if (end == value || *end)
		fputs(value, stdout);
	else if (is_one_of(key, length, "noticed blocking waits notices "
			   "available"))
		fputs(number ? "yes" : "no", stdout);
	else if (is_one_of(key, length, "cure after"))
		printf("%lldms", number / 1000000);
	else if (!number && is_one_of(key, length, "event status"))
		fputs("CL_COMPLETE", stdout);
	else if ((name = claw_code_name((cl_int)number)))
		fputs(name, stdout);
	else
		fputs(value, stdout);
}

/* "KEY=VALUE ...": a text goes to the end of the line. */
static void print_failure_words(char *at)
{
	while (*at) {
		char *value, *end;
		size_t length = strcspn(at, "= ");

		if (at[length] != '=')
			return;
		at[length] = '\0';
		value = at + length + 1;
		if (is_one_of(at, length, "tell notice")) {
			printf(", %s: '%s'", at, value);
			return;
		}
		end = value + strcspn(value, " ");
		length = *end != '\0';
		*end = '\0';
		printf(", %s: ", at);
		print_failure_value(at, strlen(at), value);
		at = end + length;
	}
}

/* "failure answer sticky call=clFinish answer=-36" as a person reads it. */
static void print_failure_line(char *line)
{
	static const struct { const char *word, *label; } kinds[] = {
		{ "failure state ", "state" }, { "failure trigger ", "on" },
		{ "failure answer ", "in state" },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t length = strlen(kinds[i].word), name;

		if (strncmp(line, kinds[i].word, length) != 0)
			continue;
		name = strcspn(line + length, " ");
		if (!strncmp(line + length, "healthy ", 8))
			fputs("    before any fault", stdout);
		else
			printf("    %s %.*s", kinds[i].label, (int)name,
			       line + length);
		line += length + name;
		print_failure_words(line + (*line == ' '));
		putchar('\n');
		return;
	}
}

static void print_failure(const struct claw_model *model)
{
	char *lines = claw_strdup(model->failure), *rest = lines, *line;

	printf("  what follows a fault (source: %s)\n",
	       model->failure_source ? model->failure_source : unknown);
	while (rest && (line = strsep(&rest, "\n")))
		print_failure_line(line);
	free(lines);
}

int claw_model_print(const char *word)
{
	struct claw_model model;
	char error[1024];
	int ret = claw_model_read(word, &model, error, sizeof(error));

	if (ret < 0) {
		claw_warn("%s", error);
		return ret == -CLAW_E_SYNTAX || ret == -CLAW_E_IO ?
			CLAW_EXIT_USAGE : CLAW_EXIT_INFRA;
	}
	printf("%s (%s)\n", model.name, model.path);
	for (size_t i = 0; i < CLAW_MODEL_KEY_COUNT; i++) {
		const struct claw_model_key *key = &claw_model_keys[i];
		const struct claw_model_fact *fact = &model.facts[i];

		if (fact->written)
			printf("  %-25s %s (source: %s)\n", key->name,
			       fact->written,
			       fact->source ? fact->source : unknown);
		else if (*key->fallback)
			printf("  %-25s %s (default)\n", key->name,
			       key->fallback);
	}
	if (model.failure)
		print_failure(&model);
	claw_model_release(&model);
	return ferror(stdout) || fflush(stdout) != 0 ? CLAW_EXIT_INFRA :
		CLAW_EXIT_CLEAN;
}
