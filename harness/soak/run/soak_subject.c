/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The facts that say what a soak is of: "openclaw report merge" joins only what
 * agrees in them.
 */
#include "config.h"

#include "soak_subject.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/base/memory.h"

/* All of them in one line, "none" of nothing. */
static void record(struct claw_records *records, const char *key,
		   char *const *words, size_t count)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	if (count == 0)
		fputs("none", out);
	for (size_t i = 0; i < count; i++) {
		char *quoted = claw_shell_quote_printable(words[i]);

		fprintf(out, "%s%s", i ? " " : "",
			quoted);
		free(quoted);
	}
	claw_text_end(out);
	claw_records_environment(records, "native", key, text);
	free(text);
}

static size_t count_of(char *const *words)
{
	size_t count = 0;

	while (words[count])
		count++;
	return count;
}

void claw_soak_subject_record(const struct claw_soak_given *given,
			      char *const *program,
			      const struct claw_fault_plan *plan,
			      struct claw_records *records)
{
	char *const workload[] = {
		(char *)(uintptr_t)given->workload,
		(char *)(uintptr_t)given->test, NULL,
	};
	char *const *words = program ? program : workload;

	record(records, CLAW_FACT_WORKLOAD, words, count_of(words));
	record(records, CLAW_FACT_FAULTS, plan->given, plan->rules.count);
	record(records, CLAW_FACT_MODEL,
	       (char *const *)(uintptr_t)given->models->items,
	       given->models->count);
}
