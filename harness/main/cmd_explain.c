/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw explain": what a diagnosis, a fault or an OpenCL error code means
 * and what to do next.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/records/explain.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"

static bool json_wanted;

static const struct claw_option explain_options[] = {
	{ "json", 0, OPT_FLAG, NULL, "print JSON", &json_wanted },
	{ 0 },
};

static int explain_run(int argc, char *const *argv);

const struct claw_command claw_cmd_explain = {
	.name = "explain",
	.summary = "explain a diagnosis, a fault or an OpenCL error code",
	.usage = "[CODE...]",
	.description =
		"For a diagnosis (clw-memory-timeout): how it is recognised, "
		"how it differs from similar ones, and what to do next. For a "
		"fault (oom): its diagnosis. For an OpenCL error code, by "
		"name or number: the calls that may return it and what it may "
		"mean. Without an operand: all diagnoses and the findings "
		"they belong to.\n\n"
		"  openclaw explain clw-memory-timeout\n"
		"  openclaw explain -5\n"
		"  openclaw explain CL_OUT_OF_RESOURCES",
	.options = explain_options,
	.run = explain_run,
};

/* A negative number is no option. */
static bool is_number(const char *word)
{
	return word[0] == '-' && word[1] &&
	       strspn(word + 1, "0123456789") == strlen(word + 1);
}

/* Words for the options' parser, in which numbers have lost their "-"; the
 * blank in its place stands in no word of a table. */
static char **hide_numbers(int argc, char *const *argv)
{
	char **words = claw_calloc((size_t)argc + 1, sizeof(*words));

	for (int i = 0; i < argc; i++) {
		words[i] = claw_strdup(argv[i]);
		if (i > 0 && is_number(words[i]))
			words[i][0] = ' ';
	}
	return words;
}

static void find(char *word, struct claw_explained *ret_explained)
{
	const char *nearest;

	if (*word == ' ' && word[1] >= '0' && word[1] <= '9')
		*word = '-';
	if (claw_explain_find(word, ret_explained))
		return;
	nearest = claw_explain_nearest(word);
	if (nearest)
		claw_die(CLAW_EXIT_USAGE, "explain: expected a diagnosis, a "
			 "fault or an OpenCL error code, found \"%s\" (did you "
			 "mean \"%s\"?)", word, nearest);
	claw_die(CLAW_EXIT_USAGE, "explain: expected a diagnosis, a fault or "
		 "an OpenCL error code, found \"%s\" (openclaw explain lists "
		 "them)", word);
}

static void print_json(json_t *value)
{
	json_dumpf(claw_made(value), stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(value);
}

/* One is an object, several are a list. */
static void explain_as_json(const struct claw_explained *found, int count)
{
	json_t *list;

	if (count == 1) {
		print_json(claw_explain_json(found));
		return;
	}
	list = json_array();
	for (int i = 0; i < count; i++)
		json_array_append_new(list, claw_explain_json(&found[i]));
	print_json(list);
}

static void explain_words(char **words, int count)
{
	struct claw_explained *found = claw_calloc((size_t)count,
						   sizeof(*found));

	for (int i = 0; i < count; i++)
		find(words[i], &found[i]);
	for (int i = 0; !json_wanted && i < count; i++) {
		if (i > 0)
			putchar('\n');
		claw_explain_print(&found[i]);
	}
	if (json_wanted)
		explain_as_json(found, count);
	free(found);
}

static int explain_run(int argc, char *const *argv)
{
	char **words = hide_numbers(argc, argv);
	int first = claw_command_start(&claw_cmd_explain, argc, words, false);

	if (first < argc)
		explain_words(words + first, argc - first);
	else if (json_wanted)
		print_json(claw_explain_list_json());
	else
		claw_explain_list();
	for (int i = 0; i < argc; i++)
		free(words[i]);
	free(words);
	return CLAW_EXIT_CLEAN;
}
