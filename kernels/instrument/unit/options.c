/* SPDX-License-Identifier: Apache-2.0 */
/* The words of build options: see options.h. */
#include "config.h"

#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

/* One word from *at on, unquoted; NULL at the end. */
static char *next_word(const char **at)
{
	const char *from = *at + strspn(*at, " \t\r\n");

	if (!*from)
		return NULL;
	char *word = claw_malloc(strlen(from) + 1);
	size_t length = 0;
	char quote = '\0';

	for (; *from && (quote || !strchr(" \t\r\n", *from)); from++) {
		if (*from == quote) {
			quote = '\0';
		} else if (!quote && (*from == '"' || *from == '\'')) {
			quote = *from;
		} else if (*from == '\\' && from[1] && quote != '\'') {
			word[length++] = *++from;
		} else {
			word[length++] = *from;
		}
	}
	word[length] = '\0';
	*at = from;
	return word;
}

int claw_build_options_parse(const char *text, struct claw_build_options *options)
{
	char *word;

	memset(options, 0, sizeof(*options));
	do {
		word = next_word(&text);
		char **grown = claw_grow(options->words, options->count + 1,
					 sizeof(*grown));
		options->words = grown;
		options->words[options->count] = word;
		if (word && strncmp(word, "-cl-std=", 8) == 0)
			options->standard = word + 8;
		options->count += word != NULL;
	} while (word);
	return 0;
}

void claw_build_options_release(struct claw_build_options *options)
{
	for (size_t i = 0; i < options->count; i++)
		free(options->words[i]);
	free(options->words);
	memset(options, 0, sizeof(*options));
}

size_t claw_build_options_preprocessor(const struct claw_build_options *options,
				       size_t index)
{
	const char *word = options->words[index];
	size_t whole = 0;

	if (strcmp(word, "-include") == 0)
		whole = 2;
	else if (word[0] == '-' && strchr("DUI", word[1]) && word[1])
		whole = word[2] ? 1 : 2;
	return index + whole <= options->count ? whole : options->count - index;
}
