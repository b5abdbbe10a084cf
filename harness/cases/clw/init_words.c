/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A source as words, and which of them belong to a kernel: definitions are
 * found by their braces, and followed by their names.
 */
#include "config.h"

#include "init_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

struct word {
	const char *at;
	size_t length;
	bool begins_line;
};

/* A function or a macro: words from first up to end, its name the first. */
struct definition {
	size_t first, end;
	bool is_used;
};

struct claw_init_source {
	struct word *words;
	size_t count;
	struct definition *definitions;
	size_t definition_count;
	bool has_include;
	bool is_whole;		/* the chosen one was not found */
};

/* ---- words ----------------------------------------------------------- */

static bool is_word_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_text(const char *at)
{
	char quote = *at++;

	while (*at && *at != quote && *at != '\n')
		at += at[0] == '\\' && at[1] ? 2 : 1;
	return *at == quote ? at + 1 : at;
}

static const char *skip_comment(const char *at)
{
	const char *end = strstr(at + 2, at[1] == '*' ? "*/" : "\n");

	return !end ? at + strlen(at) : at[1] == '*' ? end + 2 : end;
}

/* Blanks, comments, texts and continued lines. */
static const char *skip(const char *at, bool *begins_line)
{
	for (; *at; ) {
		if (at[0] == '/' && (at[1] == '/' || at[1] == '*')) {
			at = skip_comment(at);
		} else if (*at == '"' || *at == '\'') {
			at = skip_text(at);
		} else if (*at == '\\' && at[1 + (at[1] == '\r')] == '\n') {
			at += 2 + (at[1] == '\r');
		} else if (isspace((unsigned char)*at)) {
			*begins_line |= *at++ == '\n';
		} else {
			break;
		}
	}
	return at;
}

static void add_word(struct claw_init_source *source, struct word word)
{
	source->words = claw_one_more(source->words, source->count,
				      sizeof(*source->words));
	source->words[source->count++] = word;
}

static void read_words(struct claw_init_source *source, const char *at)
{
	struct word word = { .begins_line = true };

	while (*(at = skip(at, &word.begins_line))) {
		word.at = at;
		for (word.length = 0; is_word_byte(at[word.length]); )
			word.length++;
		if (word.length == 0)
			word.length = 1;
		add_word(source, word);
		at += word.length;
		word.begins_line = false;
	}
}

static bool is(const struct word *word, const char *text)
{
	return word->length == strlen(text) &&
		memcmp(word->at, text, word->length) == 0;
}

static bool starts_with(const struct word *word, const char *text)
{
	return word->length >= strlen(text) &&
		memcmp(word->at, text, strlen(text)) == 0;
}

/* ---- definitions ----------------------------------------------------- */

/* Behind the bracket that closes the one at from; count where none does. */
static size_t match(const struct claw_init_source *source, size_t from,
		    char open, char close)
{
	size_t depth = 0;

	for (size_t i = from; i < source->count; i++) {
		depth += *source->words[i].at == open;
		depth -= *source->words[i].at == close;
		if (depth == 0)
			return i + 1;
	}
	return source->count;
}

static bool is_open(const struct claw_init_source *source, size_t i, char c)
{
	return i < source->count && *source->words[i].at == c;
}

/* Behind the body, where "NAME (...) {" begins at from; else from. */
static size_t find_body(const struct claw_init_source *source, size_t from)
{
	size_t at = from + 1;

	if (!is_word_byte(*source->words[from].at) ||
	    !is_open(source, at, '('))
		return from;
	at = match(source, at, '(', ')');
	while (at < source->count && is(&source->words[at], "__attribute__") &&
	       is_open(source, at + 1, '('))
		at = match(source, at + 1, '(', ')');
	return is_open(source, at, '{') ? match(source, at, '{', '}') : from;
}

static size_t line_end(const struct claw_init_source *source, size_t from)
{
	size_t at = from + 1;

	while (at < source->count && !source->words[at].begins_line)
		at++;
	return at;
}

static void add_definition(struct claw_init_source *source, size_t first,
			   size_t end)
{
	source->definitions = claw_one_more(source->definitions,
					    source->definition_count,
					    sizeof(*source->definitions));
	source->definitions[source->definition_count++] = (struct definition) {
		.first = first, .end = end,
	};
}

static void read_definitions(struct claw_init_source *source)
{
	for (size_t at = 0, end; at < source->count; at = end) {
		const struct word *word = &source->words[at];

		if (word->begins_line && is(word, "#")) {
			end = line_end(source, at);
			source->has_include |= end > at + 1 &&
				is(word + 1, "include");
			if (end > at + 2 && is(word + 1, "define"))
				add_definition(source, at + 2, end);
			continue;
		}
		end = find_body(source, at);
		if (end > at)
			add_definition(source, at, end);
		else
			end = at + 1;
	}
}

/* ---- the chosen kernel ----------------------------------------------- */

static int compare_words(const struct word *a, const struct word *b)
{
	size_t length = a->length < b->length ? a->length : b->length;
	int order = memcmp(a->at, b->at, length);

	return order ? order : a->length < b->length ? -1 :
		a->length > b->length;
}

/* qsort() hands over no third argument. */
static const struct word *sorted_words;

static int compare_definitions(const void *a, const void *b)
{
	const struct definition *one = a, *other = b;

	return compare_words(&sorted_words[one->first],
			     &sorted_words[other->first]);
}

/* The first definition with that name; there may be more. */
static size_t find_definition(const struct claw_init_source *source,
			      const struct word *name)
{
	size_t low = 0, high = source->definition_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct definition *one = &source->definitions[middle];

		if (compare_words(&source->words[one->first], name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Mark what has the name, and note it in stack; the new number of notes. */
static size_t use(struct claw_init_source *source, const struct word *name,
		  size_t *stack, size_t noted)
{
	for (size_t i = find_definition(source, name);
	     i < source->definition_count; i++) {
		struct definition *one = &source->definitions[i];

		if (compare_words(&source->words[one->first], name) != 0)
			break;
		if (!one->is_used)
			stack[noted++] = i;
		one->is_used = true;
	}
	return noted;
}

void claw_init_source_choose(struct claw_init_source *source,
			     const char *kernel)
{
	const struct word name = { .at = kernel, .length = strlen(kernel) };
	size_t *stack = claw_calloc(source->definition_count, sizeof(*stack));
	size_t noted;

	for (size_t i = 0; i < source->definition_count; i++)
		source->definitions[i].is_used = false;
	noted = use(source, &name, stack, 0);
	source->is_whole = noted == 0;
	while (noted > 0) {
		const struct definition *one =
			&source->definitions[stack[--noted]];

		for (size_t i = one->first; i < one->end; i++)
			noted = use(source, &source->words[i], stack, noted);
	}
	free(stack);
}

struct claw_init_source *claw_init_source_new(const char *text)
{
	struct claw_init_source *source = claw_calloc(1, sizeof(*source));

	read_words(source, text);
	read_definitions(source);
	sorted_words = source->words;
	if (source->definition_count > 0)
		qsort(source->definitions, source->definition_count,
		      sizeof(*source->definitions), compare_definitions);
	source->is_whole = true;
	return source;
}

void claw_init_source_free(struct claw_init_source *source)
{
	if (!source)
		return;
	free(source->words);
	free(source->definitions);
	free(source);
}

static size_t put_words(const struct claw_init_source *source, size_t first,
			size_t end, struct claw_init_word *words)
{
	size_t count = 0;

	for (size_t at = first; at < end; at++)
		words[count++] = (struct claw_init_word) {
			source->words[at].at, source->words[at].length,
		};
	words[count++] = (struct claw_init_word) { "", 0 };
	return count;
}

struct claw_init_word *claw_init_words(const struct claw_init_source *source,
				       size_t *ret_count)
{
	struct claw_init_word *words = claw_calloc(source->count +
		source->definition_count + 1, sizeof(*words));
	size_t count = 0;

	if (source->is_whole)
		count = put_words(source, 0, source->count, words);
	for (size_t i = 0; !source->is_whole && i < source->definition_count;
	     i++)
		if (source->definitions[i].is_used)
			count += put_words(source,
					   source->definitions[i].first,
					   source->definitions[i].end,
					   words + count);
	*ret_count = count;
	return words;
}

/* ---- questions ------------------------------------------------------- */

/* Does test say yes to a word of the chosen ones, for what? */
static const struct word *
find(const struct claw_init_source *source,
     bool (*test)(const struct claw_init_source *source, size_t at,
		  const void *what), const void *what)
{
	if (source->is_whole) {
		for (size_t at = 0; at < source->count; at++)
			if (test(source, at, what))
				return &source->words[at];
		return NULL;
	}
	for (size_t i = 0; i < source->definition_count; i++) {
		const struct definition *one = &source->definitions[i];

		for (size_t at = one->first; one->is_used && at < one->end;
		     at++)
			if (test(source, at, what))
				return &source->words[at];
	}
	return NULL;
}

static bool asks_for(const struct claw_init_source *source, size_t at,
		     const void *what)
{
	const struct word *word = &source->words[at];

	if (!is(word, "get_global_id") && !is(word, "get_local_id") &&
	    !is(word, "get_group_id"))
		return false;
	while (is_open(source, ++at, '('))
		;
	return at < source->count && is(&source->words[at], what);
}

unsigned int claw_init_dimensions(const struct claw_init_source *source)
{
	return find(source, asks_for, "2") ? 3 :
		find(source, asks_for, "1") ? 2 : 1;
}

static bool is_about_groups(const struct claw_init_source *source, size_t at,
			    const void *what)
{
	static const char *const whole[] = {
		"local", "__local", "barrier", "get_local_id",
		"get_local_linear_id", "get_local_size",
		"get_enqueued_local_size", "get_group_id", "get_num_groups",
		"async_work_group_copy", "async_work_group_strided_copy",
		NULL,
	};
	const struct word *word = &source->words[at];

	(void)what;
	for (size_t i = 0; whole[i]; i++)
		if (is(word, whole[i]))
			return true;
	return starts_with(word, "work_group_") ||
		starts_with(word, "sub_group_") ||
		starts_with(word, "get_sub_group_");
}

bool claw_init_has_groups(const struct claw_init_source *source)
{
	return source->has_include || find(source, is_about_groups, NULL);
}

/* A call of what->function; where what->arg is not NULL, with that first. */
struct image_call {
	const char *function, *arg;
};

static bool is_call(const struct claw_init_source *source, size_t at,
		    const void *what)
{
	const struct image_call *call = what;

	return is(&source->words[at], call->function) && at + 2 <
		source->count && is_open(source, at + 1, '(') &&
		(!call->arg || is(&source->words[at + 2], call->arg));
}

const char *claw_init_image_suffix(const struct claw_init_source *source,
				   const char *arg, bool is_written)
{
	static const char *const functions[2][3] = {
		{ "read_imagef", "read_imagei", "read_imageui" },
		{ "write_imagef", "write_imagei", "write_imageui" },
	};
	static const char *const suffixes[] = { "f", "i", "ui" };

	/* By the argument's name, else by any: a function has another name for
	 * it. */
	for (size_t i = 0; i < 6; i++) {
		struct image_call call = { functions[is_written][i % 3],
					   i < 3 ? arg : NULL };

		if (find(source, is_call, &call))
			return suffixes[i % 3];
	}
	return "f";
}
