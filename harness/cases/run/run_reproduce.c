/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write the command line of one case: every option, and the seed, that its
 * result depends on.
 */
#include "config.h"

#include "run_reproduce.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/session/called.h"
#include "harness/session/door.h"
#include "harness/base/memory.h"
#include "harness/session/model.h"
#include "harness/session/probe_options.h"
#include "run_plan.h"

static void put_word(FILE *out, const char *before, const char *word)
{
	char *quoted = claw_shell_quote_printable(word);

	fprintf(out, "%s%s", before, quoted ? quoted : word);
	free(quoted);
}

/* A filter with a slash is one of suite and case. */
static void put_filter(FILE *out, const struct claw_test_case *what,
		       const char *test)
{
	const char *name = what->about->name;
	char *text;

	text = claw_format("%s%s%s%s%s",
			   strchr(name, '/') ? what->suite->name : "",
			   strchr(name, '/') ? "/" : "", name,
			   test ? "." : "", test ? test : "");
	put_word(out, " --filter ", text);
	free(text);
}

static void put_time(FILE *out, uint64_t ms)
{
	if (ms % 1000 != 0)
		fprintf(out, " --timeout %" PRIu64 "ms", ms);
	else if (ms)
		fprintf(out, " --timeout %" PRIu64 "s", ms / 1000);
}

/* The random decisions of its faults. */
static void put_seed(FILE *out, const struct claw_suite_case *one)
{
	const char *seed = getenv("OPENCLAW_SEED");

	if (one->faults && seed && *seed)
		put_word(out, "OPENCLAW_SEED=", seed);
	if (one->faults && seed && *seed)
		fputc(' ', out);
}

char *claw_test_reproduce(const struct claw_test_case *what, const char *test)
{
	const struct claw_test_selection *selection = what->selection;
	const char *operand = what->about->operand;
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	put_seed(out, what->about);
	fprintf(out, "%s test", claw_called());
	if (operand)
		put_word(out, *operand == '-' ? " ./" : " ", operand);
	else
		put_word(out, " --suite ", what->suite->name);
	put_filter(out, what, test);
	if (what->configuration)
		put_word(out, " --under ", what->configuration);
	put_time(out, selection->timeout_ms);
	if (selection->icd)
		put_word(out, " --icd ", selection->icd);
	if (selection->guards)
		fputs(" --guards", out);
	if (selection->probes.modes & (CLAW_PROBE_HIT | CLAW_PROBE_COUNT))
		fprintf(out, " --coverage=%s", selection->probes.modes &
			CLAW_PROBE_COUNT ? "count" : "hit");
	claw_probe_options_put(&selection->probes, out);
	fputs(claw_via_option(), out);
	claw_models_put(&selection->models, out);
	if (selection->has_device)
		fprintf(out, " --device %" PRIu64, selection->device);
	if (selection->max_memory)
		put_word(out, " --max-memory ", selection->max_memory);
	if (selection->repeat)
		put_word(out, " --repeat ", selection->repeat);
	claw_text_end(out);
	return text;
}
