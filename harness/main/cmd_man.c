/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw __man": the manual pages, when openclaw is built. The page of a
 * command is made of its descriptor and a file of further sections; any other
 * page is a template in which a line that is one of these words is replaced
 * by a list made from the program's tables:
 *
 *	@COMMANDS@ @OPTIONS@ @FAULTS@ @GROUPS@
 */
#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/api.h"
#include "harness/base/memory.h"
#include "faults/shared/plan.h"
#include "harness/base/errors.h"
#include "main.h"
#include "harness/base/options.h"
#include "harness/files/outside_file.h"

/* Text of a roff line; what roff would take for a control line, a hyphen or
 * a typographic character is escaped. */
static void roff_text(const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", stdout);
	for (; *text; text++) {
		switch (*text) {
		case '\\':
			fputs("\\e", stdout);
			break;
		case '-':
			fputs("\\-", stdout);
			break;
		case '^':
			fputs("\\(ha", stdout);
			break;
		case '~':
			fputs("\\(ti", stdout);
			break;
		case '`':
			fputs("\\(ga", stdout);
			break;
		case '\n':
			fputs(" ", stdout);
			break;
		default:
			putchar(*text);
		}
	}
}

static void roff_line(const char *before, const char *text, const char *after)
{
	fputs(before, stdout);
	roff_text(text);
	fputs(after, stdout);
}

static void print_options(const struct claw_option *options)
{
	for (; options && options->type != OPT_END; options++) {
		printf(".TP\n");
		if (options->letter)
			printf("\\fB\\-%c\\fR, ", options->letter);
		roff_line("\\fB\\-\\-", options->name, "\\fR");
		if (options->argument)
			roff_line(options->type == OPT_OPTIONAL ? "[=\\fI" :
				  " \\fI", options->argument,
				  options->type == OPT_OPTIONAL ? "\\fR]" :
				  "\\fR");
		putchar('\n');
		roff_line("", options->help, "\n");
	}
}

static void print_command(const char *group, const struct claw_command *command,
			  void *user)
{
	(void)user;
	if (group) {
		roff_line(".SS ", group, "\n");
	} else if (!command->hidden) {
		printf(".TP\n");
		roff_line("\\fBopenclaw\\-", command->name, "\\fR(1)\n");
		roff_line("", command->summary, "\n");
	}
}

static void print_faults(void)
{
	for (int i = CLAW_FAULT_NONE + 1; i < CLAW_FAULT_COUNT; i++) {
		const struct claw_fault_info *info = &claw_fault_table[i];

		printf(".TP\n");
		roff_line("\\fB", info->name, i == CLAW_FAULT_ERROR ?
			  "=\\fICODE\\fR\n" : "\\fR\n");
		roff_line("", info->summary, ".\n");
		roff_line("Seen: ", info->seen ? info->seen :
			  CLAW_FAULT_UNSEEN_TEXT, ".\n");
		roff_line("Diagnosis: \\fB", info->code, "\\fR.\n");
	}
}

static void print_groups(void)
{
	for (uint32_t bit = 1; bit <= CLAW_G_ANY; bit <<= 1) {
		const char *name = claw_group_name(bit);

		if (!name)
			continue;
		printf(".TP\n");
		roff_line("\\fB@", name, "\\fR\n");
		if (bit == CLAW_G_ANY) {
			printf("every function that can fail\n");
			continue;
		}
		for (size_t i = 0; i < CLAW_API_COUNT; i++) {
			if (claw_api_table[i].groups & bit)
				roff_line("", claw_api_table[i].name, "\n");
		}
	}
}

static void print_title(const char *name, int section)
{
	printf(".TH ");
	for (const char *at = name; *at; at++) {
		if (*at == '-')
			putchar('\\');
		putchar(toupper((unsigned char)*at));
	}
	printf(" %d \"\" \"openclaw %s\" \"%s\"\n", section, PACKAGE_VERSION,
	       section == 1 ? "User Commands" : "Miscellaneous");
}

/* A description's paragraphs: see print_paragraphs() in options.c. */
static void print_description(const char *text)
{
	while (text && *text) {
		const char *end = strstr(text, "\n\n");
		size_t length = end ? (size_t)(end - text) : strlen(text);
		char *paragraph = claw_strndup(text, length);
		char *line, *rest = NULL;

		if (*text == ' ') {
			printf(".PP\n.RS 4\n.nf\n");
			for (line = strtok_r(paragraph, "\n", &rest); line;
			     line = strtok_r(NULL, "\n", &rest))
				roff_line("", line + strspn(line, " "), "\n");
			printf(".fi\n.RE\n");
		} else {
			printf(".PP\n");
			roff_line("", paragraph, "\n");
		}
		free(paragraph);
		text += length;
		text += strspn(text, "\n");
	}
}

/* Copy the file, markers replaced. */
static void print_template(const char *path)
{
	FILE *in = claw_outside_fopen(path);
	char *line = NULL;
	size_t size = 0;
	unsigned int number = 0;

	if (!in)
		claw_die(CLAW_EXIT_USAGE, "%s: cannot be read", path);
	while (claw_getline(&line, &size, in) >= 0) {
		number++;
		line[strcspn(line, "\n")] = '\0';
		if (strcmp(line, "@COMMANDS@") == 0)
			claw_main_walk(print_command, NULL);
		else if (strcmp(line, "@OPTIONS@") == 0) {
			print_options(claw_main_options());
			print_options(claw_common_options);
		} else if (strcmp(line, "@FAULTS@") == 0)
			print_faults();
		else if (strcmp(line, "@GROUPS@") == 0)
			print_groups();
		else if (line[0] == '@')
			claw_die(CLAW_EXIT_USAGE, "%s:%u:1: unknown word %s",
				 path, number, line);
		else
			puts(line);
	}
	free(line);
	fclose(in);
}

static void print_command_page(const struct claw_command *command,
			       const char *sections)
{
	char name[64];

	snprintf(name, sizeof(name), "openclaw-%s", command->name);
	print_title(name, 1);
	printf(".SH NAME\n");
	roff_line("", name, " \\- ");
	roff_line("", command->summary, "\n");
	printf(".SH SYNOPSIS\n");
	roff_line("\\fBopenclaw ", command->name, "\\fR [\\fIOPTION\\fR...]");
	if (command->usage && *command->usage)
		roff_line(" ", command->usage, "");
	printf("\n.SH DESCRIPTION\n");
	if (command->description)
		print_description(command->description);
	else
		roff_line("See \\fBopenclaw ", command->name,
			  " \\-\\-help\\fR.\n");
	printf(".SH OPTIONS\n");
	print_options(command->options);
	print_options(claw_common_options);
	if (sections)
		print_template(sections);
	printf(".SH SEE ALSO\n"
	       "\\fBopenclaw\\fR(1), \\fBopenclaw\\-faults\\fR(7), "
	       "\\fBopenclaw\\-environment\\fR(7), "
	       "\\fBopenclaw\\-exit\\-status\\fR(7)\n");
}

static const struct claw_command *find_command(const char *name)
{
	for (size_t i = 0; claw_commands[i]; i++) {
		if (strcmp(claw_commands[i]->name, name) == 0)
			return claw_commands[i];
	}
	claw_die(CLAW_EXIT_USAGE, "__man: unknown command \"%s\"", name);
}

static int man_run(int argc, char *const *argv);

static const struct claw_option man_options[] = {
	{ 0 },
};

const struct claw_command claw_cmd_man = {
	.name = "__man",
	.summary = "write a manual page, while openclaw is built",
	.usage = "command NAME [SECTIONS] | page NAME SECTION TEMPLATE | list",
	.options = man_options,
	.hidden = true,
	.run = man_run,
};

static int man_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_man, argc, argv, false);
	const char *what = first < argc ? argv[first] : "";
	int words = argc - first;

	if (strcmp(what, "command") == 0 && (words == 2 || words == 3)) {
		print_command_page(find_command(argv[first + 1]),
				   words == 3 ? argv[first + 2] : NULL);
	} else if (strcmp(what, "page") == 0 && words == 4) {
		print_title(argv[first + 1], argv[first + 2][0] - '0');
		print_template(argv[first + 3]);
	} else if (strcmp(what, "list") == 0 && words == 1) {
		for (size_t i = 0; claw_commands[i]; i++) {
			if (!claw_commands[i]->hidden)
				puts(claw_commands[i]->name);
		}
	} else {
		claw_die(CLAW_EXIT_USAGE, "usage: openclaw __man %s",
			 claw_cmd_man.usage);
	}
	return CLAW_EXIT_CLEAN;
}
