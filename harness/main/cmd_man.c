/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw __man": the manual pages, when openclaw is built. The page of a
 * command is made of its descriptor and a file of further sections; that of a
 * program of another name (clw-info) of the same descriptor; any other page is
 * a template in which a line that is one of these words is replaced by a list
 * made from the program's tables:
 *
 *	@COMMANDS@ @OPTIONS@ @FAULTS@ @GROUPS@
 */
#include "config.h"

#include <ctype.h>
#include <stdbool.h>
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

enum { LINE_MAX_BYTES = 80 };	/* of text: mandoc asks for it */

/* Text of a roff line; what roff would take for a hyphen or a typographic
 * character is escaped. */
static void roff_text(FILE *out, const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", out);
	for (; *text; text++) {
		switch (*text) {
		case '\\':
			fputs("\\e", out);
			break;
		case '-':
			fputs("\\-", out);
			break;
		case '^':
			fputs("\\(ha", out);
			break;
		case '~':
			fputs("\\(ti", out);
			break;
		case '`':
			fputs("\\(ga", out);
			break;
		case '\n':
			fputs(" ", out);
			break;
		default:
			putc(*text, out);
		}
	}
}

static void roff_line(const char *before, const char *text, const char *after)
{
	fputs(before, stdout);
	roff_text(stdout, text);
	fputs(after, stdout);
}

/* A line of roff's text in lines that are not too long, each a part of the same
 * paragraph. */
static void print_folded(const char *line)
{
	while (strlen(line) > LINE_MAX_BYTES) {
		const char *end = line, *at = line;

		while ((at = strchr(at + 1, ' ')) != NULL) {
			if (at > line + LINE_MAX_BYTES && end > line)
				break;
			if (at[-1] != '\\' && at[1] != '\0')
				end = at;
		}
		if (end == line)
			break;
		printf("%.*s\n", (int)(end - line), line);
		line = end + 1;
		if (*line == '.' || *line == '\'')
			fputs("\\&", stdout);
	}
	puts(line);
}

/* A paragraph of plain text. */
static void print_paragraph(const char *before, const char *text,
			    const char *after)
{
	char *line = NULL;
	size_t size;
	FILE *out = claw_text_begin(&line, &size);

	roff_text(out, before);
	roff_text(out, text);
	roff_text(out, after);
	claw_text_end(out);
	print_folded(line);
	free(line);
}

/* The line of --help, and the sentences for the manual. */
static void print_option_help(const char *help)
{
	const char *more = strchr(help, '\n');
	char *line = claw_strndup(help, strcspn(help, "\n"));

	print_paragraph("", line, more ? "." : "");
	if (more)
		print_paragraph("", more + 1, "");
	free(line);
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
		print_option_help(options->help);
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
		print_paragraph("", command->summary, "");
	}
}

static void print_faults(void)
{
	for (int i = CLAW_FAULT_NONE + 1; i < CLAW_FAULT_COUNT; i++) {
		const struct claw_fault_info *info = &claw_fault_table[i];

		printf(".TP\n");
		roff_line("\\fB", info->name, i == CLAW_FAULT_ERROR ?
			  "=\\fICODE\\fR\n" : "\\fR\n");
		print_paragraph("", info->summary, ".");
		print_paragraph("Seen: ", info->seen ? info->seen :
				CLAW_FAULT_UNSEEN_TEXT, ".");
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
	printf(" %d %s \"openclaw %s\" \"%s\"\n", section, PACKAGE_DATE,
	       PACKAGE_VERSION, section == 1 ? "User Commands" :
	       section == 5 ? "File Formats" : "Miscellaneous");
}

/* A description's paragraphs: see print_paragraphs() in options.c. */
static void print_description(const char *text)
{
	bool first = true;

	for (; text && *text; first = false) {
		const char *end = strstr(text, "\n\n");
		size_t length = end ? (size_t)(end - text) : strlen(text);
		char *paragraph = claw_strndup(text, length);
		char *line, *rest = NULL;

		if (*text == ' ') {
			printf("%s.RS 4\n.nf\n", first ? "" : ".PP\n");
			for (line = strtok_r(paragraph, "\n", &rest); line;
			     line = strtok_r(NULL, "\n", &rest))
				roff_line("", line + strspn(line, " "), "\n");
			printf(".fi\n.RE\n");
		} else {
			fputs(first ? "" : ".PP\n", stdout);
			print_paragraph("", paragraph, "");
		}
		free(paragraph);
		text += length;
		text += strspn(text, "\n");
	}
}

/* Copy the file, markers replaced and long lines of text folded. */
static void print_template(const char *path)
{
	FILE *in = claw_outside_fopen(path);
	char *line = NULL;
	size_t size = 0;
	unsigned int number = 0;
	bool folds = true;

	if (!in)
		claw_die(CLAW_EXIT_USAGE, "%s: cannot be read", path);
	while (claw_getline(&line, &size, in) >= 0) {
		number++;
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, ".nf", 3) == 0 ||
		    strncmp(line, ".fi", 3) == 0)
			folds = line[1] == 'f';
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
		else if (folds && line[0] != '.')
			print_folded(line);
		else
			puts(line);
	}
	free(line);
	fclose(in);
}

/* Up to the options. program: how the command is called, in bold. */
static void print_command_head(const char *page, const char *program,
			       const struct claw_command *command)
{
	print_title(page, 1);
	printf(".SH NAME\n");
	print_paragraph(page, " - ", command->summary);
	printf(".SH SYNOPSIS\n");
	roff_line("\\fB", program, "\\fR [\\fIOPTION\\fR...]");
	if (command->usage && *command->usage)
		roff_line(" ", command->usage, "");
	printf("\n.SH DESCRIPTION\n");
}

static void print_command_options(const struct claw_command *command)
{
	printf(".SH OPTIONS\n");
	print_options(command->options);
	print_options(claw_common_options);
}

static void print_see_also(const char *first)
{
	printf(".SH SEE ALSO\n");
	roff_line("\\fB", first, "\\fR(1),\n");
	printf("\\fBopenclaw\\-faults\\fR(7), "
	       "\\fBopenclaw\\-environment\\fR(7),\n"
	       "\\fBopenclaw\\-exit\\-status\\fR(7)\n");
}

static void print_command_page(const struct claw_command *command,
			       const char *sections)
{
	char page[64], program[64];

	snprintf(page, sizeof(page), "openclaw-%s", command->name);
	snprintf(program, sizeof(program), "openclaw %s", command->name);
	print_command_head(page, program, command);
	if (command->description)
		print_description(command->description);
	else
		roff_line("See \\fBopenclaw ", command->name,
			  " \\-\\-help\\fR.\n");
	print_command_options(command);
	if (sections)
		print_template(sections);
	print_see_also("openclaw");
}

/* Of a command that is a program, too. */
static void print_program_page(const char *name)
{
	const struct claw_command *command = claw_main_program(name);
	char page[64];

	if (!command)
		claw_die(CLAW_EXIT_USAGE, "__man: unknown program \"%s\"",
			 name);
	snprintf(page, sizeof(page), "openclaw-%s", command->name);
	print_command_head(name, name, command);
	roff_line("\\fB", name, "\\fR is another name of ");
	roff_line("\\fBopenclaw ", command->name, "\\fR:\n");
	roff_line("\\fB", page, "\\fR(1) describes it and has examples.\n");
	print_command_options(command);
	print_see_also(page);
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
	.usage = "command NAME [SECTIONS] | program NAME | "
		 "page NAME SECTION TEMPLATE | list",
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
	} else if (strcmp(what, "program") == 0 && words == 2) {
		print_program_page(argv[first + 1]);
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
