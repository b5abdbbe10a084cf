/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collect the rules of a command line.
 */
#include "config.h"

#include "fault_plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "at.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "preset.h"
#include "harness/base/text_clean.h"

static int parse_seed(const char *text, const char *origin, uint64_t *ret_seed,
		      char *error, size_t error_size)
{
	char *end;

	errno = 0;
	*ret_seed = strtoull(text, &end, 0);
	if (!errno && *text >= '0' && *text <= '9' && !*end)
		return 0;
	snprintf(error, error_size, "%s: expected a whole number from 0 to %"
		 PRIu64 ", found \"%s\"", origin, UINT64_MAX, text);
	return -CLAW_E_SYNTAX;
}

/* Short enough to be typed again. */
static uint64_t random_seed(void)
{
	uint32_t seed = 1;

	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		seed = 1;
	return seed;
}

static int choose_seed(const struct claw_fault_options *options,
		       struct claw_fault_plan *plan, char *error,
		       size_t error_size)
{
	const char *variable = getenv("OPENCLAW_SEED");

	if (options->seed)
		return parse_seed(options->seed, "--seed", &plan->seed, error,
				  error_size);
	if (variable && *variable)
		return parse_seed(variable, "OPENCLAW_SEED", &plan->seed,
				  error, error_size);
	plan->seed = plan->rules.has_seed ? plan->rules.seed : random_seed();
	return 0;
}

static int add_plan(const char *name, bool allow_illegal,
		    struct claw_plan_yaml *rules, char *error,
		    size_t error_size)
{
	char *path = NULL;
	int ret = claw_preset_resolve(name, "--plan", &path, error, error_size);

	if (ret == 0)
		ret = claw_plan_yaml_read(path, allow_illegal, rules, error,
					  error_size);
	free(path);
	return ret;
}

static int add_faults(const struct claw_fault_options *options,
		      struct claw_fault_plan *plan, char *error,
		      size_t error_size)
{
	for (size_t i = 0; i < options->faults.count; i++) {
		const char *text = options->faults.items[i];
		struct claw_plan_error why;
		struct claw_rule rule;
		int ret;

		if (claw_rule_parse(text, options->allow_illegal, &rule,
				    &why) < 0) {
			snprintf(error, error_size, "--fault:1:%zu: %s",
				 why.column, why.message);
			return -CLAW_E_SYNTAX;
		}
		ret = claw_plan_yaml_add(&plan->rules, &rule);
		if (ret < 0) {
			snprintf(error, error_size, "--fault: more than %d "
				 "rules", CLAW_JOURNAL_MAX_RULES);
			return ret;
		}
	}
	return 0;
}

static void keep_given(struct claw_fault_plan *plan)
{
	plan->given = claw_calloc(plan->rules.count + 1, sizeof(char *));
	for (size_t i = 0; i < plan->rules.count; i++)
		plan->given[i] = claw_strdup(plan->rules.rules[i].text);
}

int claw_fault_plan_load(const struct claw_fault_options *options,
			 struct claw_fault_plan *ret_plan, char *error,
			 size_t error_size)
{
	struct claw_fault_plan plan = { .given = NULL };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < options->plans.count; i++)
		ret = add_plan(options->plans.items[i], options->allow_illegal,
			       &plan.rules, error, error_size);
	if (ret == 0)
		ret = add_faults(options, &plan, error, error_size);
	if (ret == 0)
		ret = choose_seed(options, &plan, error, error_size);
	if (ret == 0)
		keep_given(&plan);
	if (ret < 0)
		claw_fault_plan_release(&plan);
	else
		*ret_plan = plan;
	return ret;
}

int claw_fault_plan_resolve(struct claw_fault_plan *plan,
			    const struct claw_program *program, char *error,
			    size_t error_size)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < plan->rules.count; i++)
		ret = claw_at_resolve(&plan->rules.rules[i], program, error,
				      error_size);
	return ret;
}

void claw_fault_plan_release(struct claw_fault_plan *plan)
{
	for (char **given = plan->given; given && *given; given++)
		free(*given);
	free(plan->given);
	claw_plan_yaml_release(&plan->rules);
	*plan = (struct claw_fault_plan) { .given = NULL };
}

char **claw_fault_plan_texts(const struct claw_fault_plan *plan)
{
	char **texts = claw_calloc(plan->rules.count + 1, sizeof(*texts));

	for (size_t i = 0; i < plan->rules.count; i++)
		texts[i] = plan->rules.rules[i].text;
	return texts;
}

char *claw_shell_quote(const char *word)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				  "@%+=:,./_-")])
		return claw_strdup(word);
	out = claw_text_begin(&text, &size);
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
	claw_text_end(out);
	return text;
}

/* Would a terminal, or a file of JSON, give back this very word? */
static bool is_printable(const char *word)
{
	uint32_t c;

	for (size_t left = strlen(word), length; left; left -= length) {
		length = claw_text_decode(word, left, &c);
		if (length == 0 || claw_text_is_hidden(c) || c == '\n' ||
		    c == '\t')
			return false;
		word += length;
	}
	return true;
}

/* Every POSIX shell has printf, few have $''. The substitution drops newlines
 * at its end: those are written as they are. */
char *claw_shell_quote_printable(const char *word)
{
	size_t length = strlen(word), size, kept = length;
	char *text = NULL;
	FILE *out;

	if (is_printable(word))
		return claw_shell_quote(word);
	out = claw_text_begin(&text, &size);
	while (kept > 0 && word[kept - 1] == '\n')
		kept--;
	fputs("\"$(printf '", out);
	for (size_t i = 0; i < kept; i++) {
		unsigned char c = (unsigned char)word[i];

		if (c < 0x20 || c >= 0x7f || c == '\'' || c == '\\' ||
		    (c == '-' && i == 0))
			fprintf(out, "\\%03o", c);
		else
			fprintf(out, "%s%c", c == '%' ? "%" : "", c);
	}
	fputs("')", out);
	fwrite(word + kept, 1, length - kept, out);
	fputc('"', out);
	claw_text_end(out);
	return text;
}
