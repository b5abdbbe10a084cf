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

/* Presets by their names, each behind before; none is no error. */
static void print_presets(const char *before, const char *between)
{
	struct claw_presets presets = { .items = NULL };

	if (claw_presets_read(&presets) < 0)
		return;
	for (size_t i = 0; i < presets.count; i++)
		printf("%s%s%s", i ? between : "", before,
		       presets.items[i].name);
	claw_presets_release(&presets);
}

/* Device models by their names; none is no error. */
static void print_models(const char *between)
{
	char **names;
	size_t count;

	if (claw_model_names(&names, &count) < 0)
		return;
	for (size_t i = 0; i < count; i++) {
		printf("%s%s", i ? between : "", names[i]);
		free(names[i]);
	}
	free(names);
}

/* What can be explained, but for OpenCL's own codes, which are many. */
static void print_explained(const char *between)
{
	for (size_t i = 0; i < claw_diagnosis_count; i++)
		printf("%s%s", i ? between : "", claw_diagnoses[i].code);
	for (int i = CLAW_FAULT_NONE + 1; i < CLAW_FAULT_COUNT; i++)
		printf("%s%s", between, claw_fault_table[i].name);
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

static void write_bash(void)
{
	printf("# bash completion for openclaw, made by "
	       "\"openclaw completion bash\"\n"
	       "_openclaw()\n{\n"
	       "\tlocal word=${COMP_WORDS[COMP_CWORD]}\n"
	       "\tlocal previous=${COMP_WORDS[COMP_CWORD-1]}\n"
	       "\tlocal command='' at=1 kind=option options='' i\n"
	       "\tlocal presets='");
	print_presets("", " ");
	printf("'\n\tlocal models='");
	print_models(" ");
	printf("'\n\tlocal explained='");
	print_explained(" ");
	printf("'\n"
	       "\tCOMPREPLY=()\n"
	       "\twhile (( at < COMP_CWORD )); do\n"
	       "\t\tcase ${COMP_WORDS[at]} in\n"
	       "\t\t-*) ;;\n"
	       "\t\t*) command=${COMP_WORDS[at]}; break ;;\n"
	       "\t\tesac\n"
	       "\t\t(( at++ ))\n"
	       "\tdone\n"
	       "\tfor (( i = at + 1; i < COMP_CWORD; i++ )); do\n"
	       "\t\tif [[ ${COMP_WORDS[i]} == -- ]]; then\n"
	       "\t\t\tif declare -F _command_offset >/dev/null; then\n"
	       "\t\t\t\t_command_offset $(( i + 1 ))\n"
	       "\t\t\telse\n"
	       "\t\t\t\tCOMPREPLY=( $(compgen -c -f -- \"$word\") )\n"
	       "\t\t\tfi\n"
	       "\t\t\treturn\n"
	       "\t\tfi\n"
	       "\tdone\n"
	       "\tcase $command in\n"
	       "\t'')\n\t\toptions='");
	claw_main_walk(bash_name, NULL);
	bash_words(claw_main_options());
	bash_words(claw_common_options);
	printf("' ;;\n");
	claw_main_walk(bash_command, NULL);
	/* A colon is a word of its own, and ends one. */
	printf("\tesac\n"
	       "\ti=$COMP_CWORD\n"
	       "\tif [[ $word == : ]]; then\n"
	       "\t\tword=''\n"
	       "\telse\n"
	       "\t\t(( i-- ))\n"
	       "\tfi\n"
	       "\tif (( i > 2 )) && [[ ${COMP_WORDS[i]} == : &&\n"
	       "\t\t${COMP_WORDS[i-1]} == preset &&\n"
	       "\t\t${COMP_WORDS[i-2]} == --plan ]]; then\n"
	       "\t\tCOMPREPLY=( $(compgen -W \"$presets\" -- \"$word\") )\n"
	       "\t\treturn\n"
	       "\tfi\n"
	       "\tcase $kind in\n"
	       "\tfile) COMPREPLY=( $(compgen -f -- \"$word\") )\n"
	       "\t\t[[ $previous == --plan ]] && COMPREPLY+=( $(compgen "
	       "-W \"$(printf 'preset:%%s ' $presets)\" -- \"$word\") ) ;;\n"
	       "\tword) [[ $previous == --model ]] && COMPREPLY=( $(compgen -f "
	       "-W \"$models\" -- \"$word\") ) ;;\n"
	       "\tcolor) COMPREPLY=( $(compgen -W 'auto always never' -- "
	       "\"$word\") ) ;;\n"
	       "\t*) if [[ -z $command || $word == -* ]]; then\n"
	       "\t\tCOMPREPLY=( $(compgen -W \"$options\" -- \"$word\") )\n"
	       "\telif [[ $command == explain ]]; then\n"
	       "\t\tCOMPREPLY=( $(compgen -W \"$explained\" -- \"$word\") )\n"
	       "\telse\n"
	       "\t\tCOMPREPLY=( $(compgen -f -- \"$word\") )\n"
	       "\tfi ;;\n"
	       "\tesac\n"
	       "}\n"
	       "complete -o filenames -F _openclaw openclaw\n");
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
		print_explained(" ");
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

static void write_zsh(void)
{
	printf("#compdef openclaw\n"
	       "# made by \"openclaw completion zsh\"\n"
	       "_openclaw_plan()\n{\n"
	       "\t_files\n"
	       "\tcompadd --");
	print_presets(" preset:", "");
	printf("\n}\n"
	       "_openclaw_model()\n{\n"
	       "\t_files\n"
	       "\tcompadd -- ");
	print_models(" ");
	printf("\n}\n"
	       "_openclaw()\n{\n"
	       "\tlocal -a commands\n"
	       "\tcommands=(\n");
	claw_main_walk(zsh_summary, NULL);
	printf("\t)\n"
	       "\tif (( CURRENT == 2 )); then\n"
	       "\t\t_describe command commands\n"
	       "\t\treturn\n"
	       "\tfi\n"
	       "\tshift words\n"
	       "\t(( CURRENT-- ))\n"
	       "\tcase $words[1] in\n");
	claw_main_walk(zsh_command, NULL);
	printf("\tesac\n}\n_openclaw \"$@\"\n");
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
			print_models(" ");
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
		print_explained(" ");
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
