/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parse a command line by an option table, and print the same table as help.
 *
 *     ITEM = "--" NAME [ "=" VALUE ] | "--" NAME VALUE
 *          | "-" LETTER... [ VALUE ] | "-" LETTER VALUE | OPERAND | "--"
 */
#include "config.h"

#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "errors.h"
#include "memory.h"
#include "quantity.h"
#include "source_url.h"
#include "faults/shared/nearest.h"

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

enum { HELP_COLUMN = 30, HELP_WIDTH = 79 };

static enum color color_choice = COLOR_AUTO;
static const char *color_word;
static bool help_wanted;

const struct claw_option claw_common_options[] = {
	{ "color", 0, OPT_STRING, "WHEN",
	  "colour the output: auto, always or never [default: auto]",
	  &color_word },
	{ "help", 'h', OPT_FLAG, NULL, "print this help", &help_wanted },
	{ 0 },
};

/* One parse under way. visit: told of each option, which is not stored. */
struct parse {
	const struct claw_option *options;
	claw_options_visit *visit;
	void *user;
	char *error;
	size_t error_size;
};

#define FAIL(parse_, ...)						\
	(snprintf((parse_)->error, (parse_)->error_size, __VA_ARGS__),	\
	 -CLAW_E_USAGE)

static const struct claw_option *find_in(const struct claw_option *options,
					 const char *name, size_t length,
					 char letter)
{
	for (; options && options->type != OPT_END; options++) {
		if (letter && options->letter == letter)
			return options;
		if (!letter && strlen(options->name) == length &&
		    memcmp(options->name, name, length) == 0)
			return options;
	}
	return NULL;
}

static const struct claw_option *find_option(const struct parse *parse,
					     const char *name, size_t length,
					     char letter)
{
	const struct claw_option *option =
		find_in(parse->options, name, length, letter);

	return option ? option :
		find_in(claw_common_options, name, length, letter);
}

static int fail_unknown(const struct parse *parse, const char *item,
			size_t length)
{
	struct claw_nearest nearest;
	const struct claw_option *tables[] = {
		parse->options, claw_common_options,
	};
	char word[64];

	snprintf(word, sizeof(word), "%.*s", (int)(length - 2), item + 2);
	claw_nearest_init(&nearest, word);
	for (size_t i = 0; i < 2; i++) {
		const struct claw_option *option = tables[i];

		for (; option && option->type != OPT_END; option++)
			claw_nearest_offer(&nearest, option->name);
	}
	/* "--shell" is "--sh" before it is "--help". */
	for (size_t i = 0; i < 2; i++)
		for (const struct claw_option *option = tables[i];
		     option && option->type != OPT_END; option++)
			if (strncmp(word, option->name,
				    strlen(option->name)) == 0)
				nearest.best = option->name;
	if (nearest.best)
		return FAIL(parse, "unknown option %.*s; did you mean --%s?",
			    (int)length, item, nearest.best);
	return FAIL(parse, "unknown option %.*s", (int)length, item);
}

static void append(struct claw_strings *strings, const char *item)
{
	const char **items = claw_grow(strings->items, strings->count + 1,
				       sizeof(*items));

	items[strings->count++] = item;
	strings->items = items;
}

static int append_list(struct claw_strings *strings, const char *text)
{
	for (;;) {
		size_t length = strcspn(text, ",");

		if (length == 0)
			return -CLAW_E_SYNTAX;
		append(strings, claw_strndup(text, length));
		if (!text[length])
			return 0;
		text += length + 1;
	}
}

static int parse_uint(const char *text, uint64_t *ret_number)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	unsigned long long number;
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return -CLAW_E_SYNTAX;
	errno = 0;
	number = strtoull(text, &end, hex ? 16 : 10);
	if (errno || *end)
		return -CLAW_E_SYNTAX;
	*ret_number = number;
	return 0;
}

static int parse_color(const char *text)
{
	static const char *const words[] = {
		[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always",
		[COLOR_NEVER] = "never",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(text, words[i]) == 0) {
			color_choice = (enum color)i;
			return 0;
		}
	}
	return -CLAW_E_SYNTAX;
}

/* Is the text one of the words with '|' between? */
static bool is_choice(const char *words, const char *text)
{
	size_t length = strlen(text);

	for (; length; words++) {
		if (strcspn(words, "|") == length &&
		    strncmp(words, text, length) == 0)
			return true;
		words += strcspn(words, "|");
		if (!*words)
			break;
	}
	return false;
}

/* Put the text into the option's place. as: how the user spelled it. */
static int store(const struct parse *parse, const struct claw_option *option,
		 const char *as, int as_length, const char *text)
{
	const char *expected = NULL;
	int ret = 0;

	if (parse->visit)
		parse->visit(option, text, parse->user);
	if (parse->visit || !option->value)
		return 0;
	switch (option->type) {
	case OPT_FLAG:
		*(bool *)option->value = true;
		break;
	case OPT_STRING:
	case OPT_OPTIONAL:
		*(const char **)option->value = text;
		if (option->value == &color_word) {
			ret = parse_color(text);
			expected = "auto, always or never";
		}
		break;
	case OPT_CHOICE:
		*(const char **)option->value = text;
		ret = is_choice(option->argument, text) ? 0 : -CLAW_E_SYNTAX;
		expected = option->argument;
		break;
	case OPT_URL:
		*(const char **)option->value = text;
		ret = claw_source_url_is_valid(text) ? 0 : -CLAW_E_SYNTAX;
		expected = CLAW_SOURCE_URL_EXPECTED;
		break;
	case OPT_STRINGS:
		append(option->value, text);
		break;
	case OPT_LIST:
		ret = append_list(option->value, text);
		expected = "words with one comma between each";
		break;
	case OPT_UINT:
		ret = parse_uint(text, option->value);
		expected = "a whole number from 0 up";
		break;
	case OPT_COUNT:
		ret = parse_uint(text, option->value);
		if (ret == 0 && *(uint64_t *)option->value == 0)
			ret = -CLAW_E_SYNTAX;
		expected = "a whole number from 1 up";
		break;
	case OPT_EXIT:
		ret = parse_uint(text, option->value);
		if (ret == 0 && *(uint64_t *)option->value > 255)
			ret = -CLAW_E_SYNTAX;
		expected = "a number from 0 to 255";
		break;
	case OPT_DURATION:
		ret = claw_duration_parse(text, option->value);
		expected = "a time such as 500ms, 30 (seconds), 5m or 24h";
		break;
	case OPT_END:
		ret = -CLAW_E_USAGE;
		break;
	}
	if (ret == -CLAW_E_SYNTAX)
		return FAIL(parse, "option %.*s: expected %s, found \"%s\"",
			    as_length, as, expected, text);
	if (ret < 0)
		return FAIL(parse, "option %.*s: %s", as_length, as,
			    claw_error_text(ret));
	return 0;
}

static bool takes_value(const struct claw_option *option)
{
	return option->type != OPT_FLAG && option->type != OPT_OPTIONAL;
}

/* The value in the next word of argv; "--" is never one. */
static int next_value(const struct parse *parse,
		      const struct claw_option *option, const char *as,
		      int as_length, int argc, char *const *argv, int *at,
		      const char **ret_text)
{
	if (*at + 1 >= argc || strcmp(argv[*at + 1], "--") == 0)
		return FAIL(parse, "option %.*s: expected %s, found none", as_length, as,
			    option->argument);
	*ret_text = argv[++*at];
	return 0;
}

static int parse_long(const struct parse *parse, int argc, char *const *argv,
		      int *at)
{
	const char *item = argv[*at];
	size_t length = strcspn(item, "=");
	const char *text = item[length] ? item + length + 1 : NULL;
	const struct claw_option *option =
		find_option(parse, item + 2, length - 2, 0);
	int ret;

	if (!option)
		return fail_unknown(parse, item, length);
	if (text && option->type == OPT_FLAG)
		return FAIL(parse, "option %.*s: expected no value, found "
			    "\"%s\"",
			    (int)length, item, text);
	if (text && !*text && option->type == OPT_OPTIONAL)
		return FAIL(parse, "option %.*s: expected %s behind the =, "
			    "found none", (int)length, item, option->argument);
	if (!text && takes_value(option)) {
		ret = next_value(parse, option, item, (int)length, argc, argv,
				 at, &text);
		if (ret < 0)
			return ret;
	}
	return store(parse, option, item, (int)length, text ? text : "");
}

static int parse_letters(const struct parse *parse, int argc,
			 char *const *argv, int *at)
{
	const char *item = argv[*at];

	for (size_t i = 1; item[i]; i++) {
		const struct claw_option *option =
			find_option(parse, NULL, 0, item[i]);
		const char as[] = { '-', item[i], '\0' };
		const char *text = "";
		bool last = false;
		int ret;

		if (!option)
			return FAIL(parse, "unknown option %s", as);
		if (takes_value(option)) {
			last = true;
			text = item + i + 1;
			ret = *text ? 0 : next_value(parse, option, as, 2, argc,
						     argv, at, &text);
			if (ret < 0)
				return ret;
		}
		ret = store(parse, option, as, 2, text);
		if (ret < 0 || last)
			return ret;
	}
	return 0;
}

/* Move the words [from, to) of argv in front of those in [first, from). */
static void rotate(char **argv, int first, int from, int to)
{
	for (; from < to; first++, from++) {
		char *word = argv[from];

		memmove(argv + first + 1, argv + first,
			(size_t)(from - first) * sizeof(*argv));
		argv[first] = word;
	}
}

static int parse_words(const struct parse *parse, int argc, char *const *argv,
		       bool stop_at_operand, int *ret_first)
{
	int operands = 1;	/* words before at that are operands start here */
	int at;
	int ret;

	for (at = 1; at < argc; at++) {
		const char *item = argv[at];
		int start = at;

		if (item[0] != '-' || item[1] == '\0') {
			if (stop_at_operand)
				break;
			continue;
		}
		if (strcmp(item, "--") == 0) {
			rotate((char **)argv, operands, at, at + 1);
			operands++;
			break;
		}
		ret = item[1] == '-' ? parse_long(parse, argc, argv, &at) :
				       parse_letters(parse, argc, argv, &at);
		if (ret < 0)
			return ret;
		rotate((char **)argv, operands, start, at + 1);
		operands += at + 1 - start;
	}
	*ret_first = operands;
	return 0;
}

int claw_options_parse(const struct claw_option *options, int argc,
		       char *const *argv, bool stop_at_operand,
		       int *ret_first, bool *ret_help,
		       char *error, size_t error_size)
{
	const struct parse parse = {
		.options = options, .error = error, .error_size = error_size,
	};
	int ret;

	help_wanted = false;
	ret = parse_words(&parse, argc, argv, stop_at_operand, ret_first);
	*ret_help = help_wanted;
	return ret;
}

int claw_options_walk(const struct claw_option *options, int argc,
		      char *const *argv, bool stop_at_operand,
		      claw_options_visit *visit, void *user, int *ret_first,
		      char *error, size_t error_size)
{
	const struct parse parse = {
		.options = options, .visit = visit, .user = user,
		.error = error, .error_size = error_size,
	};

	return parse_words(&parse, argc, argv, stop_at_operand, ret_first);
}

void claw_print_wrapped(const char *text, int column)
{
	int at = column;

	while (*text) {
		int length = (int)strcspn(text, " \n");

		if (at > column && at + 1 + length > HELP_WIDTH) {
			printf("\n%*s", column, "");
			at = column;
		}
		if (at > column)
			at += printf(" ");
		at += printf("%.*s", length, text);
		text += length;
		text += strspn(text, " \n");
	}
	putchar('\n');
}

static void print_options(const struct claw_option *options)
{
	for (; options && options->type != OPT_END; options++) {
		char left[128];
		const char *argument = options->argument;
		char *line;
		int length = snprintf(left, sizeof(left), "  %c%c%c --%s",
				      options->letter ? '-' : ' ',
				      options->letter ? options->letter : ' ',
				      options->letter ? ',' : ' ',
				      options->name);

		if (argument)
			length += snprintf(left + length,
					   sizeof(left) - (size_t)length,
					   options->type == OPT_OPTIONAL ?
					   "[=%s]" : " %s", argument);
		printf("%s", left);
		if (length > HELP_COLUMN - 2)
			printf("\n%*s", HELP_COLUMN, "");
		else
			printf("%*s", HELP_COLUMN - length, "");
		line = claw_strndup(options->help, strcspn(options->help, "\n"));
		claw_print_wrapped(line, HELP_COLUMN);
		free(line);
	}
}

/* Paragraphs are separated by an empty line; one that begins with a blank is
 * printed as it stands. */
static void print_paragraphs(const char *text)
{
	while (*text) {
		const char *end = strstr(text, "\n\n");
		size_t length = end ? (size_t)(end - text) : strlen(text);

		putchar('\n');
		if (*text == ' ') {
			printf("%.*s\n", (int)length, text);
		} else {
			char *paragraph = claw_strndup(text, length);

			claw_print_wrapped(paragraph, 0);
			free(paragraph);
		}
		text += length;
		text += strspn(text, "\n");
	}
}

void claw_command_help(const struct claw_command *command)
{
	const char *usage = command->usage ? command->usage : "";

	printf("usage: openclaw %s [OPTION...]%s%s\n\n", command->name,
	       *usage ? " " : "", usage);
	claw_print_wrapped(command->summary, 0);
	if (command->description)
		print_paragraphs(command->description);
	printf("\noptions:\n");
	print_options(command->options);
	print_options(claw_common_options);
	printf("\nMore: man openclaw-%s\n", command->name);
}

const char *claw_history_file;

void (*claw_command_started)(const struct claw_command *command);

int claw_command_start(const struct claw_command *command, int argc,
		       char *const *argv, bool stop_at_operand)
{
	char error[512];
	bool help;
	int first;
	int ret = claw_options_parse(command->options, argc, argv,
				     stop_at_operand, &first, &help, error,
				     sizeof(error));

	if (ret < 0)
		claw_die(CLAW_EXIT_USAGE, "%s: %s (see openclaw %s --help)",
			 command->name, error, command->name);
	if (help) {
		claw_command_help(command);
		exit(CLAW_EXIT_CLEAN);
	}
	if (claw_command_started)
		claw_command_started(command);
	return first;
}

bool claw_color_enabled(int stream_fd)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (color_choice != COLOR_AUTO)
		return color_choice == COLOR_ALWAYS;
	if (no_color && *no_color)
		return false;
	return isatty(stream_fd) && term && strcmp(term, "dumb") != 0;
}
