/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw __complete [WORD...]": what the last word of a command line may
 * become, for the scripts of "openclaw completion". The words are those behind
 * "openclaw", the last one up to the cursor. One line each:
 *
 *	WORD TAB HELP	a word; one that ends in = : or , goes on
 *	:files		a file is possible, too
 *	:directories	a directory is
 *	:command N	the Nth word (from 0) is a program, with its arguments
 */
#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/api.h"
#include "faults/shared/plan.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "harness/base/text_list.h"
#include "harness/cases/suite/suite.h"
#include "harness/records/diagnosis.h"
#include "harness/session/icd_names.h"
#include "harness/session/model.h"
#include "harness/session/preset.h"
#include "harness/soak/run/soak.h"
#include "harness/tools/tool_words.h"
#include "main.h"

/* What is completed. */
struct completion {
	const struct claw_command *command;
	const char *current;	/* the word up to the cursor */
	/* Of it, what a candidate stands behind: "--fault=clFinish:". */
	size_t kept;
};

/* ---- candidates ------------------------------------------------------- */

/* end: what follows the word at once, "=" or ":" or "". */
static void offer(const struct completion *done, const char *word,
		  const char *end, const char *help)
{
	const char *typed = done->current + done->kept;

	if (strncmp(word, typed, strlen(typed)) != 0)
		return;
	printf("%.*s%s%s", (int)done->kept, done->current, word, end);
	if (help)
		printf("\t%.*s", (int)strcspn(help, "\n"), help);
	putchar('\n');
}

/* Keep all up to the last of these marks. */
static void keep_to(struct completion *done, const char *marks)
{
	for (size_t i = strlen(done->current); i > done->kept; i--) {
		if (strchr(marks, done->current[i - 1])) {
			done->kept = i;
			return;
		}
	}
}

/* Those of "this|that|last=N" that are no placeholder. */
static void offer_choice(const struct completion *done, const char *words)
{
	size_t length = 0;

	for (const char *word = claw_fault_next_word(words, &length); word;
	     word = claw_fault_next_word(word, &length)) {
		const char *equals = memchr(word, '=', length);
		size_t plain = equals ? (size_t)(equals - word) : length;
		char *text = claw_strndup(word, plain);

		if (islower((unsigned char)*text))
			offer(done, text, equals ? "=" : "", NULL);
		free(text);
	}
}

static void offer_options(const struct completion *done,
			  const struct claw_option *options)
{
	for (; options && options->type != OPT_END; options++) {
		char *name = claw_format("--%s", options->name);

		offer(done, name, "", options->help);
		if (options->type == OPT_OPTIONAL)
			offer(done, name, "=", options->help);
		free(name);
	}
}

static void offer_command(const char *group, const struct claw_command *command,
			  void *user)
{
	const struct completion *done = user;

	(void)group;
	if (command && !command->hidden)
		offer(done, command->name, "", command->summary);
}

/* ---- the fault grammar ------------------------------------------------ */

static const struct {
	enum claw_fault_value value;
	const char *sample;	/* a value that is one */
} samples[] = {
	{ CLAW_VALUE_CODE, "CL_OUT_OF_RESOURCES" }, { CLAW_VALUE_TIME, "1s" },
	{ CLAW_VALUE_FACTOR, "2" }, { CLAW_VALUE_RECOVER, "context" },
	{ CLAW_VALUE_TIMES, "1s" }, { CLAW_VALUE_SIZE, "1KiB" },
	{ CLAW_VALUE_PERCENT, "1%" }, { CLAW_VALUE_COUNT, "1" },
	{ CLAW_VALUE_HASH, "1" }, { CLAW_VALUE_WHEN, "1" },
	{ CLAW_VALUE_AT, "main" }, { CLAW_VALUE_TEXT, "x" },
};

static const char *sample_of(enum claw_fault_value value)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++)
		if (samples[i].value == value)
			return samples[i].sample;
	return NULL;
}

/* Is "target:action[=value]" a rule? target ends with its colon. */
static bool is_rule(const char *target, size_t length, const char *action,
		    const char *value)
{
	struct claw_rule rule;
	struct claw_plan_error why;
	char *text = claw_format("%.*s%s%s%s", (int)length, target, action,
				 value ? "=" : "", value ? value : "");
	bool is = claw_rule_parse(text, false, &rule, &why) == 0;

	free(text);
	return is;
}

static void offer_targets(const struct completion *done, const char *end)
{
	for (uint32_t bit = 1; bit <= CLAW_G_ANY; bit <<= 1) {
		const char *name = claw_group_name(bit);
		char *group = name ? claw_format("@%s", name) : NULL;

		if (group)
			offer(done, group, end, "a group of functions");
		free(group);
	}
	for (size_t i = 0; i < CLAW_API_COUNT; i++)
		if (claw_api_table[i].code_count)
			offer(done, claw_api_table[i].name, end, NULL);
}

static void offer_faults(const struct completion *done, const char *rule,
			 size_t length)
{
	for (int i = CLAW_FAULT_NONE + 1; i < CLAW_FAULT_COUNT; i++) {
		const struct claw_fault_info *info = &claw_fault_table[i];
		const char *sample = sample_of(info->value);

		if (info->value != CLAW_VALUE_CODE &&
		    !is_rule(rule, length, info->name, sample))
			continue;
		if (!sample)
			offer(done, info->name, "", info->summary);
		if (info->value != CLAW_VALUE_NONE)
			offer(done, info->name, "=", info->summary);
	}
}

static void offer_conditions(const struct completion *done, const char *rule,
			     size_t length)
{
	enum claw_fault_value value;
	const char *name, *expected;

	for (size_t i = 0; (name = claw_rule_condition(i, &value, &expected));
	     i++) {
		const char *sample = sample_of(value);

		if (sample && is_rule(rule, length, name, sample))
			offer(done, name, "=", expected);
	}
}

/* Codes that a function of the target may return. */
static void offer_codes(const struct completion *done, const char *rule,
			size_t length)
{
	bool offered[256] = { false };

	for (size_t i = 0; i < CLAW_API_COUNT; i++) {
		for (size_t j = 0; j < claw_api_table[i].code_count; j++) {
			cl_int code = claw_api_table[i].codes[j];
			const char *name = claw_code_name(code);

			if (code < 0 && code > -256 && name && !offered[-code] &&
			    is_rule(rule, length, "error", name)) {
				offered[-code] = true;
				offer(done, name, "", NULL);
			}
		}
	}
}

/* What stands behind "name=". */
static void offer_fault_value(struct completion *done, const char *rule,
			      size_t length, const char *name, size_t name_length)
{
	done->kept = (size_t)(name + name_length + 1 - done->current);
	if (name_length == 7 && strncmp(name, "recover", 7) == 0)
		offer(done, "context", "", "until a new context is made");
	for (int i = CLAW_FAULT_NONE + 1; i < CLAW_FAULT_COUNT; i++) {
		const struct claw_fault_info *info = &claw_fault_table[i];

		if (strlen(info->name) != name_length ||
		    strncmp(info->name, name, name_length) != 0)
			continue;
		if (info->value == CLAW_VALUE_CODE)
			offer_codes(done, rule, length);
		else if (info->value == CLAW_VALUE_WORDS)
			keep_to(done, ",");
		if (info->value == CLAW_VALUE_WORD ||
		    info->value == CLAW_VALUE_WORDS)
			offer_choice(done, info->words);
	}
}

/* RULE = TARGET ":" FAULT { ":" CONDITION } */
static void offer_rule(struct completion *done)
{
	const char *rule = done->current + done->kept;
	const char *colon = strchr(rule, ':'), *part, *equals;
	size_t length;

	if (!colon) {
		offer_targets(done, ":");
		return;
	}
	part = strrchr(rule, ':') + 1;
	length = (size_t)(part - rule);
	equals = strchr(part, '=');
	if (equals) {
		offer_fault_value(done, rule, length, part,
				  (size_t)(equals - part));
		return;
	}
	done->kept = (size_t)(part - done->current);
	if (part == colon + 1)
		offer_faults(done, rule, length);
	offer_conditions(done, rule, length);
}

/* ---- values of options ------------------------------------------------ */

static void offer_plans(struct completion *done)
{
	struct claw_presets presets = { .items = NULL };

	puts(":files");
	if (claw_presets_read(&presets) < 0)
		return;
	for (size_t i = 0; i < presets.count; i++) {
		char *name = claw_format("preset:%s", presets.items[i].name);

		offer(done, name, "", presets.items[i].summary);
		free(name);
	}
	claw_presets_release(&presets);
}

/* NAME{,KEY=VALUE} */
static void offer_models(struct completion *done)
{
	char **names;
	size_t count;

	if (strchr(done->current + done->kept, ',')) {
		keep_to(done, ",");
#define KEY(name_, kind_, default_, low_, high_, words_, means_) \
		offer(done, #name_, "=", means_);
#include "faults/shared/model_keys.def"
#undef KEY
		return;
	}
	puts(":files");
	if (claw_model_names(&names, &count) < 0)
		return;
	for (size_t i = 0; i < count; i++) {
		offer(done, names[i], "", NULL);
		free(names[i]);
	}
	free(names);
}

/* Those that the command takes: of a program of the user's, what its own parser
 * does. */
static void offer_tools(struct completion *done)
{
	bool of_cases = strcmp(done->command->name, "test") == 0;
	bool may_wait = strcmp(done->command->name, "sweep") == 0;

	for (size_t i = 0; claw_under_rows[i]; i++) {
		const char *word = claw_under_rows[i]->name;
		const struct claw_strings given = { &word, 1 };
		struct claw_tool_words words;
		char error[512];

		if (of_cases || claw_tool_words_parse(&given, may_wait, &words,
						      error, sizeof(error)) == 0)
			offer(done, word, "", claw_under_rows[i]->summary);
	}
	if (of_cases)
		offer(done, "all", "", "every tool that is installed");
}

static void offer_suites(struct completion *done)
{
	char **names = claw_suite_names();

	for (size_t i = 0; names[i]; i++) {
		offer(done, names[i], "", NULL);
		free(names[i]);
	}
	free(names);
}

static void offer_formats(struct completion *done)
{
#define REPORT(id_, name_) offer(done, name_, "", NULL);
#define REPORT_FILE(id_, name_, ...) offer(done, name_, "", NULL);
#define REPORT_OPTION(id_, name_, ...) offer(done, name_, "", NULL);
#include "harness/records/report_formats.def"
#undef REPORT
#undef REPORT_FILE
#undef REPORT_OPTION
}

/* Faults of a sweep, and its words for several. */
static void offer_kinds(struct completion *done)
{
	offer(done, "default", "", "by the call");
	offer(done, "spec", "", "every error that the specification allows");
	for (int i = CLAW_FAULT_NONE + 1; i < CLAW_FAULT_COUNT; i++)
		offer(done, claw_fault_table[i].name,
		      sample_of(claw_fault_table[i].value) ? "=" : "",
		      claw_fault_table[i].summary);
}

static void offer_functions(struct completion *done)
{
	offer_targets(done, "");
}

static void offer_stops(struct completion *done)
{
	const char *word;

	for (size_t i = 0; (word = claw_soak_stop_word(i)); i++)
		offer(done, word, "", NULL);
}

static void offer_icds(struct completion *done)
{
	char **names = claw_icd_names();

	for (char **name = names; *name; name++)
		offer(done, *name, "", NULL);
	claw_list_free(names);
	puts(":files");
}

static void offer_explained(struct completion *done)
{
	for (size_t i = 0; i < claw_diagnosis_count; i++)
		offer(done, claw_diagnoses[i].code, "", NULL);
	for (int i = CLAW_FAULT_NONE + 1; i < CLAW_FAULT_COUNT; i++)
		offer(done, claw_fault_table[i].name, "",
		      claw_fault_table[i].summary);
}

/* An option's values, by its name; of others its argument says them. */
static const struct {
	const char *option;
	void (*offer)(struct completion *done);
} values[] = {
	{ "fault", offer_rule }, { "benign", offer_rule },
	{ "plan", offer_plans }, { "model", offer_models },
	{ "under", offer_tools }, { "require", offer_tools },
	{ "suite", offer_suites }, { "format", offer_formats },
	{ "kinds", offer_kinds }, { "functions", offer_functions },
	{ "stop-on", offer_stops }, { "icd", offer_icds },
};

static void offer_value(struct completion *done,
			const struct claw_option *option)
{
	if (strcmp(option->name, "color") == 0) {
		offer_choice(done, "auto|always|never");
		return;
	}
	if (option->type == OPT_LIST)
		keep_to(done, ",");
	if (strchr(option->argument, '|'))
		offer_choice(done, option->argument);
	else
		for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
			if (strcmp(values[i].option, option->name) == 0) {
				values[i].offer(done);
				return;
			}
	if (strstr(option->argument, "DIR"))
		puts(":directories");
	if (strstr(option->argument, "FILE") ||
	    strstr(option->argument, "PATH") ||
	    strstr(option->argument, "PROGRAM"))
		puts(":files");
}

/* What is no option, by the command. */
static void offer_operand(struct completion *done)
{
	const char *name = done->command->name;

	if (strcmp(name, "explain") == 0)
		offer_explained(done);
	else if (strcmp(name, "completion") == 0)
		offer_choice(done, done->command->usage);
	else
		puts(":files");
	if (strcmp(name, "report") == 0)
		offer_choice(done, "merge|diff");
}

/* ---- the command line ------------------------------------------------- */

static const struct claw_option *find_option(const struct claw_option *options,
					     const char *name, size_t length)
{
	for (; options && options->type != OPT_END; options++)
		if (length == 1 ? options->letter == *name :
		    strlen(options->name) == length &&
		    strncmp(options->name, name, length) == 0)
			return options;
	return NULL;
}

/* That of a word "--name", "-n" or "--name=VALUE", or NULL. */
static const struct claw_option *option_of(const struct claw_command *command,
					   const char *word)
{
	bool is_long = strncmp(word, "--", 2) == 0;
	const struct claw_option *found;
	size_t length;

	if (*word != '-' || !word[1])
		return NULL;
	word += is_long ? 2 : 1;
	length = strcspn(word, "=");
	if (is_long == (length == 1))
		return NULL;
	found = command ? find_option(command->options, word, length) : NULL;
	return found ? found : find_option(claw_common_options, word, length);
}

static bool takes_next_word(const struct claw_option *option)
{
	return option && option->type != OPT_FLAG &&
	       option->type != OPT_OPTIONAL;
}

/* The place of the word that ends the options, or that of the last word. */
static int find_end(char *const *words, int last)
{
	for (int i = 0; i < last; i++)
		if (strcmp(words[i], "--") == 0)
			return i;
	return last;
}

/* The command among the words, or NULL. */
static const struct claw_command *find_command(char *const *words, int last)
{
	for (int i = 0; i < last; i++) {
		if (takes_next_word(option_of(NULL, words[i])))
			i++;
		else if (*words[i] != '-' && strcmp(words[i], "help") != 0)
			return claw_main_command(words[i]);
	}
	return NULL;
}

/* Behind "bisect --" is another command line of ours: where it begins, else 0. */
static int find_inner(char *const *words, int last)
{
	int end = find_end(words, last);
	const struct claw_command *command = find_command(words, end);

	return end < last && command && strcmp(command->name, "bisect") == 0 ?
		end + 1 : 0;
}

/* Inside of a command. */
static void complete_word(struct completion *done, const char *previous)
{
	const struct claw_option *option = option_of(done->command, previous);
	const char *equals = strchr(done->current, '=');

	if (takes_next_word(option)) {
		offer_value(done, option);
		return;
	}
	option = equals ? option_of(done->command, done->current) : NULL;
	if (option && option->argument) {
		done->kept = (size_t)(equals + 1 - done->current);
		offer_value(done, option);
	} else if (*done->current == '-') {
		offer_options(done, done->command->options);
		offer_options(done, claw_common_options);
	} else {
		offer_operand(done);
	}
}

static int complete_run(int argc, char *const *argv);

static const struct claw_option complete_options[] = {
	{ 0 },
};

const struct claw_command claw_cmd_complete = {
	.name = "__complete",
	.summary = "what a word may become, for the completion of shells",
	.usage = "-- [WORD...]",
	.options = complete_options,
	.hidden = true,
	.run = complete_run,
};

static int complete_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_complete, argc, argv, true);
	char *const *words = argv + first;
	int last = argc - first - 1;
	struct completion done = { .current = last < 0 ? "" : words[last] };
	int inner = find_inner(words, last), end;

	words += inner;
	last -= inner;
	end = find_end(words, last);
	if (end < last) {
		printf(":command %d\n", inner + end + 1);
		return CLAW_EXIT_CLEAN;
	}
	done.command = find_command(words, last);
	if (done.command) {
		complete_word(&done, last > 0 ? words[last - 1] : "");
	} else {
		claw_main_walk(offer_command, &done);
		offer(&done, "help", "", "print the help of a command");
		if (*done.current == '-') {
			offer_options(&done, claw_main_options());
			offer_options(&done, claw_common_options);
		}
	}
	return CLAW_EXIT_CLEAN;
}
