/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw completion SHELL": a completion script made from the command and
 * option tables, for bash, zsh and fish.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/records/diagnosis.h"
#include "harness/base/errors.h"
#include "main.h"
#include "harness/session/model.h"
#include "harness/base/options.h"
#include "harness/session/preset.h"

/* completion.bash and completion.zsh, made by make. */
extern const char claw_completion_bash[], claw_completion_zsh[];

/* How one shell's script is written. */
struct shell {
	const char *name;
	void (*write)(void);
};

/* Text between single quotes; none of the three shells agree on how a quote
 * is written inside, so it becomes a typographic one. */
static void print_quoted(const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("\xe2\x80\x99", stdout);
		else
			putchar(*text);
	}
}

static bool takes_file(const struct claw_option *option)
{
	static const char *const words[] = { "FILE", "DIR", "PATH", "PROGRAM" };

	for (size_t i = 0; option->argument &&
	     i < sizeof(words) / sizeof(words[0]); i++) {
		if (strstr(option->argument, words[i]))
			return true;
	}
	return false;
}

static bool wants_word(const struct claw_option *option)
{
	return option->type != OPT_FLAG && option->type != OPT_OPTIONAL;
}

static void bash_words(const struct claw_option *options)
{
	for (; options && options->type != OPT_END; options++) {
		printf(" --%s", options->name);
		if (options->letter)
			printf(" -%c", options->letter);
	}
}

/* "--name|-n" of each option that takes a word, other than a file. */
static void bash_value_options(const struct claw_option *options, bool file,
			       bool *any)
{
	for (; options && options->type != OPT_END; options++) {
		if (!wants_word(options) || takes_file(options) != file ||
		    strcmp(options->name, "color") == 0)
			continue;
		printf("%s--%s", *any ? "|" : "\t", options->name);
		if (options->letter)
			printf("|-%c", options->letter);
		*any = true;
	}
}

/* Presets by their names; none is no error. */
static void put_presets(void)
{
	struct claw_presets presets = { .items = NULL };

	if (claw_presets_read(&presets) < 0)
		return;
	for (size_t i = 0; i < presets.count; i++)
		printf("%s%s", i ? " " : "", presets.items[i].name);
	claw_presets_release(&presets);
}

/* Device models by their names; none is no error. */
static void put_models(void)
{
	char **names;
	size_t count;

	if (claw_model_names(&names, &count) < 0)
		return;
	for (size_t i = 0; i < count; i++) {
		printf("%s%s", i ? " " : "", names[i]);
		free(names[i]);
	}
	free(names);
}

/* What can be explained, but for OpenCL's own codes, which are many. */
static void put_explained(void)
{
	for (size_t i = 0; i < claw_diagnosis_count; i++)
		printf("%s%s", i ? " " : "", claw_diagnoses[i].code);
	for (int i = CLAW_FAULT_NONE + 1; i < CLAW_FAULT_COUNT; i++)
		printf(" %s", claw_fault_table[i].name);
}

static bool takes_plan(const struct claw_option *option)
{
	return strcmp(option->name, "plan") == 0;
}

static bool takes_model(const struct claw_option *option)
{
	return strcmp(option->name, "model") == 0;
}

static void bash_command(const char *group, const struct claw_command *command,
			 void *user)
{
	bool any;

	(void)group;
	(void)user;
	if (!command || command->hidden)
		return;
	printf("\t%s)\n\t\toptions='", command->name);
	bash_words(command->options);
	bash_words(claw_common_options);
	printf("'\n\t\tcase $previous in\n");
	any = false;
	bash_value_options(command->options, true, &any);
	if (any)
		printf(") kind=file ;;\n");
	any = false;
	bash_value_options(command->options, false, &any);
	if (any)
		printf(") kind=word ;;\n");
	printf("\t--color) kind=color ;;\n\t\tesac ;;\n");
}

static void bash_name(const char *group, const struct claw_command *command,
		      void *user)
{
	(void)group;
	(void)user;
	if (command && !command->hidden)
		printf(" %s", command->name);
}

/* The first word, or what is in its place. */
static void put_bash_words(void)
{
	claw_main_walk(bash_name, NULL);
	bash_words(claw_main_options());
	bash_words(claw_common_options);
}

static void put_bash_commands(void)
{
	claw_main_walk(bash_command, NULL);
}

/* Brackets and colons mean something inside zsh's specifications. */
static void zsh_text(const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("\xe2\x80\x99", stdout);
		else if (strchr("[]:\\", *text))
			printf("\\%c", *text);
		else
			putchar(*text);
	}
}

static void zsh_option(const struct claw_option *option, const char *dashes,
		       const char *name, int length)
{
	bool many = option->type == OPT_STRINGS || option->type == OPT_LIST;

	printf("\t\t\t'%s%s%.*s%s[", many ? "*" : "", dashes, length, name,
	       !wants_word(option) ? "" : dashes[1] ? "=" : "+");
	zsh_text(option->help);
	putchar(']');
	if (wants_word(option)) {
		putchar(':');
		zsh_text(option->argument);
		putchar(':');
		if (strcmp(option->name, "color") == 0)
			printf("(auto always never)");
		else if (takes_plan(option))
			printf("_openclaw_plan");
		else if (takes_model(option))
			printf("_openclaw_model");
		else if (takes_file(option))
			printf("_files");
	}
	printf("' \\\n");
}

static void zsh_options(const struct claw_option *options)
{
	for (; options && options->type != OPT_END; options++) {
		zsh_option(options, "--", options->name,
			   (int)strlen(options->name));
		if (options->letter)
			zsh_option(options, "-", &options->letter, 1);
	}
}

static void zsh_command(const char *group, const struct claw_command *command,
			void *user)
{
	(void)group;
	(void)user;
	if (!command || command->hidden)
		return;
	printf("\t%s)\n\t\t_arguments -S \\\n", command->name);
	zsh_options(command->options);
	zsh_options(claw_common_options);
	if (strcmp(command->name, "explain") == 0) {
		printf("\t\t\t'*:code:(");
		put_explained();
		printf(")' ;;\n");
	} else {
		printf("\t\t\t'*::arguments:_normal' ;;\n");
	}
}

static void zsh_summary(const char *group, const struct claw_command *command,
			void *user)
{
	(void)group;
	(void)user;
	if (!command || command->hidden)
		return;
	printf("\t\t'%s:", command->name);
	zsh_text(command->summary);
	printf("'\n");
}

static void put_zsh_summaries(void)
{
	claw_main_walk(zsh_summary, NULL);
}

static void put_zsh_commands(void)
{
	claw_main_walk(zsh_command, NULL);
}

static void fish_options(const struct claw_option *options,
			 const char *condition)
{
	for (; options && options->type != OPT_END; options++) {
		printf("complete -c openclaw -n '%s' -l %s", condition,
		       options->name);
		if (options->letter)
			printf(" -s %c", options->letter);
		if (strcmp(options->name, "color") == 0) {
			printf(" -x -a 'auto always never'");
		} else if (takes_model(options)) {
			printf(" -r -F -a '");
			put_models();
			putchar('\'');
		} else if (wants_word(options)) {
			printf(takes_file(options) ? " -r -F" : " -x");
		}
		printf(" -d '");
		print_quoted(options->help);
		printf("'\n");
	}
}

static void fish_command(const char *group, const struct claw_command *command,
			 void *user)
{
	char condition[128];

	(void)group;
	(void)user;
	if (!command || command->hidden)
		return;
	printf("complete -c openclaw -n __fish_use_subcommand -f -a %s -d '",
	       command->name);
	print_quoted(command->summary);
	printf("'\n");
	snprintf(condition, sizeof(condition),
		 "__fish_seen_subcommand_from %s", command->name);
	if (strcmp(command->name, "explain") == 0) {
		printf("complete -c openclaw -n '%s' -f -a '", condition);
		put_explained();
		printf("'\n");
	}
	fish_options(command->options, condition);
	fish_options(claw_common_options, condition);
}

static void write_fish(void)
{
	printf("# fish completion for openclaw, made by "
	       "\"openclaw completion fish\"\n");
	fish_options(claw_main_options(), "__fish_use_subcommand");
	fish_options(claw_common_options, "__fish_use_subcommand");
	claw_main_walk(fish_command, NULL);
}

/* ---- templates -------------------------------------------------------- */

/* What stands for "@NAME@" of completion.bash and completion.zsh. */
static const struct {
	const char *name;
	void (*put)(void);
} parts[] = {
	{ "presets", put_presets }, { "models", put_models },
	{ "explained", put_explained },
	{ "bash-words", put_bash_words },
	{ "bash-commands", put_bash_commands },
	{ "zsh-summaries", put_zsh_summaries },
	{ "zsh-commands", put_zsh_commands },
};

/* Returns how long it is; an "@" that begins none stands for itself. */
static size_t put_part(const char *at)
{
	size_t length = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz-");

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strlen(parts[i].name) == length &&
		    strncmp(parts[i].name, at + 1, length) == 0 &&
		    at[1 + length] == '@') {
			parts[i].put();
			return length + 2;
		}
	putchar('@');
	return 1;
}

static void put_template(const char *text)
{
	while (*text) {
		size_t plain = strcspn(text, "@");

		fwrite(text, 1, plain, stdout);
		text += plain;
		if (*text)
			text += put_part(text);
	}
}

static void write_bash(void)
{
	put_template(claw_completion_bash);
}

static void write_zsh(void)
{
	put_template(claw_completion_zsh);
}

static const struct shell shells[] = {
	{ "bash", write_bash },
	{ "zsh", write_zsh },
	{ "fish", write_fish },
};

static const struct claw_option completion_options[] = {
	{ 0 },
};

static int completion_run(int argc, char *const *argv);

const struct claw_command claw_cmd_completion = {
	.name = "completion",
	.summary = "print the completion script of a shell",
	.usage = "bash|zsh|fish",
	.description =
		"For one session of bash:\n\n"
		"  . <(openclaw completion bash)",
	.options = completion_options,
	.run = completion_run,
};

static int completion_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_completion, argc, argv, false);

	if (first + 1 != argc)
		claw_die(CLAW_EXIT_USAGE, "completion: expected one of bash, "
			 "zsh, fish (see openclaw completion --help)");
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (strcmp(argv[first], shells[i].name) == 0) {
			shells[i].write();
			return CLAW_EXIT_CLEAN;
		}
	}
	claw_die(CLAW_EXIT_USAGE, "completion: expected one of bash, zsh, fish;"
		 " found \"%s\"", argv[first]);
}
