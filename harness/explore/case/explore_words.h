/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about the words of a kernel's text, for those who read it. */
#ifndef CLAW_EXPLORE_WORDS_H
#define CLAW_EXPLORE_WORDS_H

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "explore_kernel.h"
#include "harness/cases/clw/init_words.h"

enum { CLAW_TEXT_VARIABLES = 64 };

/* Words of the text, and variables that hold ids of work-items. */
struct text {
	struct claw_init_word *words;
	size_t count;
	struct claw_explore_kernel *kernel;
	struct { struct claw_init_word name; unsigned int dimensions; }
		ids[CLAW_TEXT_VARIABLES];
	unsigned int id_count;
};

static inline bool is(const struct text *text, size_t at, const char *what)
{
	return at < text->count && text->words[at].length == strlen(what) &&
	       memcmp(text->words[at].at, what, strlen(what)) == 0;
}

static inline bool begins(const struct text *text, size_t at, const char *what)
{
	return at < text->count && text->words[at].length >= strlen(what) &&
	       memcmp(text->words[at].at, what, strlen(what)) == 0;
}

static inline bool is_same(const struct claw_init_word *a,
		    const struct claw_init_word *b)
{
	return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

static inline bool is_name(const struct text *text, size_t at)
{
	return at < text->count && text->words[at].length > 0 &&
	       (isalpha((unsigned char)*text->words[at].at) ||
		*text->words[at].at == '_');
}

/* The index of the argument with that name, or -1. */
static inline int argument_at(const struct text *text, size_t at)
{
	for (unsigned int i = 0; i < text->kernel->arg_count; i++)
		if (*text->kernel->args[i].name &&
		    is(text, at, text->kernel->args[i].name))
			return (int)i;
	return -1;
}

/* "16", "0x10u"; not the two words that "1.5f" is. */
static inline bool number_at(const struct text *text, size_t at, uint32_t *ret_number)
{
	const struct claw_init_word *word = &text->words[at];
	unsigned long number;
	char *end;

	if (at >= text->count || !word->length ||
	    !isdigit((unsigned char)*word->at) || word->at[word->length] == '.' ||
	    is(text, at - 1, "."))
		return false;
	number = strtoul(word->at, &end, 0);
	if (number > UINT32_MAX || end > word->at + word->length)
		return false;
	*ret_number = (uint32_t)number;
	return true;
}

/* Dimensions whose ids are in the words from at up to ";", as bits. */
static inline unsigned int ids_from(const struct text *text, size_t at, size_t *ret_end)
{
	unsigned int found = 0;
	uint32_t number;

	for (; at < text->count && !is(text, at, ";") &&
	     text->words[at].length && !is(text, at, "{"); at++) {
		if (is(text, at, "get_global_id"))
			found |= 1u << (number_at(text, at + 2, &number) &&
					number < 3 ? number : 0);
		for (unsigned int i = 0; i < text->id_count; i++)
			if (is_same(&text->words[at], &text->ids[i].name))
				found |= text->ids[i].dimensions;
	}
	*ret_end = at;
	return found;
}

#endif
