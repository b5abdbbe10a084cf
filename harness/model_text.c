/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Print device models for a person: which there are, what one says and where
 * each fact comes from.
 */
#include "config.h"

#include "model.h"

#include <stdio.h>
#include <stdlib.h>

#include "errors.h"
#include "fault_plan.h"

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

		fprintf(out, " --model %s", quoted ? quoted : words->items[i]);
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
		printf("  what follows a fault:\n%s", model.failure);
	claw_model_release(&model);
	return ferror(stdout) || fflush(stdout) != 0 ? CLAW_EXIT_INFRA :
		CLAW_EXIT_CLEAN;
}
