/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One arg_in or arg_out line of a kernel file (doc/clw-format.md, ARG). The
 * values are counted first and read last, because how many there have to be
 * may stand behind them.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/cl_types.h"
#include "clw_values.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"

/* ---- words ----------------------------------------------------------- */

static const char *const kind_words[] = {
	"buffer", "image", "sampler", "local", NULL,
};
static const enum claw_clw_arg_kind kinds[] = {
	CLAW_CLW_BUFFER, CLAW_CLW_IMAGE, CLAW_CLW_SAMPLER, CLAW_CLW_LOCAL,
};

static const char *const fill_words[] = {
	[CLAW_CLW_FILL_REPEAT] = "repeat", [CLAW_CLW_FILL_RANDOM] = "random",
	[CLAW_CLW_FILL_NULL] = "null", [CLAW_CLW_FILL_UNDEFINED] = "undefined",
	NULL,
};
static const enum claw_clw_fill fills[] = {
	[CLAW_CLW_FILL_REPEAT] = CLAW_CLW_DATA,
	[CLAW_CLW_FILL_RANDOM] = CLAW_CLW_RANDOM,
	[CLAW_CLW_FILL_NULL] = CLAW_CLW_NULL,
	[CLAW_CLW_FILL_UNDEFINED] = CLAW_CLW_UNDEFINED,
};

static const char *const address_words[] = {
	"NONE", "CLAMP_TO_EDGE", "CLAMP", "REPEAT", "MIRRORED_REPEAT", NULL,
};
static const uint32_t addresses[] = {
	CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP,
	CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT,
};
static const char *const filter_words[] = { "NEAREST", "LINEAR", NULL };
static const uint32_t filters[] = { CL_FILTER_NEAREST, CL_FILTER_LINEAR };

/* ---- the type and how many ------------------------------------------- */

static int fail_type(struct claw_clw_reader *reader,
		     const struct claw_clw_word *word, const char *what)
{
	return claw_clw_fail_word(reader, word, claw_clw_type_names,
				  "expected %s", what);
}

/* "float[64]" */
static int read_sized_type(struct claw_clw_reader *reader,
			   struct claw_clw_arg_draft *draft)
{
	struct claw_clw_word *word = &draft->type_word, number;
	size_t length;
	uint64_t count;
	char *end;

	claw_clw_next_word(&reader->cursor, word);
	length = strcspn(word->text, "[");
	if (!claw_clw_type_parse(word->text, length, &draft->arg.type)) {
		struct claw_clw_word name = *word;

		name.text[length] = '\0';
		name.length = length ? length : word->length;
		return fail_type(reader, length ? &name : word,
				 "a type such as float[64]");
	}
	end = strchr(word->text, ']');
	if (word->text[length] != '[' || !end || end[1])
		return claw_clw_fail_word(reader, word, NULL, "expected %.*s"
			"[COUNT] without blanks", (int)length, word->text);
	number = *word;
	snprintf(number.text, sizeof(number.text), "%.*s",
		 (int)(end - word->text - (ptrdiff_t)length - 1),
		 word->text + length + 1);
	number.place.column += (unsigned int)length + 1;
	number.length = strlen(number.text);
	if (!claw_clw_word_uint(&number, SIZE_MAX, &count) || count == 0)
		return claw_clw_fail_word(reader, &number, NULL, "expected a "
					  "count of elements from 1");
	draft->arg.count = (size_t)count;
	return 0;
}

/* ---- values ---------------------------------------------------------- */

/* Count the numbers from here on, and remember what is behind them. */
static void count_values(struct claw_clw_reader *reader,
			 struct claw_clw_arg_draft *draft)
{
	draft->values = reader->cursor;
	draft->given = 0;
	for (;;) {
		struct claw_clw_cursor before = reader->cursor;

		claw_clw_next_word(&reader->cursor, &draft->behind);
		if (draft->behind.length == 0 ||
		    !claw_clw_is_number(&draft->behind)) {
			reader->cursor = before;
			return;
		}
		draft->given++;
	}
}

static int read_fill(struct claw_clw_reader *reader,
		     struct claw_clw_arg_draft *draft)
{
	struct claw_clw_cursor before = reader->cursor;
	struct claw_clw_word word;

	claw_clw_next_word(&reader->cursor, &word);
	draft->fill = claw_clw_word_find(&word, fill_words);
	if (draft->fill < 0 && !claw_clw_is_number(&word))
		return claw_clw_fail_word(reader, &word, fill_words, "expected "
			"numbers, repeat, random, null or undefined");
	if (draft->fill > CLAW_CLW_FILL_REPEAT && !draft->is_in)
		return claw_clw_fail_word(reader, &word, NULL,
					  "expected numbers to compare with");
	if (draft->fill < 0)
		reader->cursor = before;
	if (draft->fill > CLAW_CLW_FILL_REPEAT)
		return 0;
	count_values(reader, draft);
	if (draft->given == 0)
		return claw_clw_fail_word(reader, &draft->behind, NULL,
					  "expected numbers to repeat");
	return 0;
}

/* Of a by-value argument or a list without "repeat": all components. */
static int check_given(struct claw_clw_reader *reader,
		       const struct claw_clw_arg_draft *draft, const char *what)
{
	size_t wanted = draft->arg.count * draft->arg.type.width;
	struct claw_clw_cursor cursor = draft->values;
	struct claw_clw_word word = { 0 };

	if (draft->given < wanted)
		return claw_clw_fail(reader, draft->behind.place, "expected "
			"%zu number%s for %s, found %zu", wanted,
			wanted == 1 ? "" : "s", what, draft->given);
	if (draft->given == wanted)
		return 0;
	for (size_t i = 0; i <= wanted; i++)	/* to the first too many */
		claw_clw_next_word(&cursor, &word);
	return claw_clw_fail(reader, word.place, "expected %zu number%s for "
			     "%s, found %zu", wanted, wanted == 1 ? "" : "s",
			     what, draft->given);
}

static int fail_limit(struct claw_clw_reader *reader,
		      struct claw_clw_place place, const char *what)
{
	claw_clw_fail(reader, place, "expected %s of at most %d MiB where its "
		      "values are given, found a larger one", what,
		      CLAW_CLW_BUFFER_BYTES_MAX >> 20);
	return -CLAW_E_LIMIT;
}

/* size_bytes, then the data. */
static int take_values(struct claw_clw_reader *reader,
		       struct claw_clw_arg_draft *draft,
		       const char *what)
{
	struct claw_clw_arg *arg = &draft->arg;
	size_t bytes = claw_clw_type_bytes(arg->type);

	if (arg->count > SIZE_MAX / 64 / bytes) {
		claw_clw_fail(reader, draft->type_word.place, "expected fewer "
			      "bytes than an address can count, found %zu "
			      "elements of %zu bytes", arg->count, bytes);
		return -CLAW_E_LIMIT;
	}
	arg->size_bytes = arg->count * bytes;
	if (draft->fill > CLAW_CLW_FILL_REPEAT) {
		arg->fill = fills[draft->fill];
		return 0;
	}
	if (arg->size_bytes > CLAW_CLW_BUFFER_BYTES_MAX)
		return fail_limit(reader, draft->type_word.place, what);
	reader->data_bytes += arg->size_bytes;
	if (reader->data_bytes > CLAW_CLW_DATA_BYTES_MAX) {
		claw_clw_fail(reader, draft->type_word.place, "expected at "
			      "most %d MiB of given values in a file, found "
			      "more", CLAW_CLW_DATA_BYTES_MAX >> 20);
		return -CLAW_E_LIMIT;
	}
	return claw_clw_read_values(reader, draft->values, draft->given, arg);
}

/* ---- kinds ----------------------------------------------------------- */

static int read_by_value(struct claw_clw_reader *reader,
			 struct claw_clw_arg_draft *draft,
			 const struct claw_clw_word *type)
{
	struct claw_clw_word word;
	struct claw_clw_cursor before = reader->cursor;
	int ret;

	draft->type_word = *type;
	draft->arg.count = 1;
	claw_clw_next_word(&reader->cursor, &word);
	if (claw_clw_word_is(&word, "null")) {
		/* clSetKernelArg() with a size and no value: local memory */
		draft->arg.kind = CLAW_CLW_LOCAL;
		draft->arg.fill = CLAW_CLW_UNDEFINED;
		draft->arg.size_bytes = claw_clw_type_bytes(draft->arg.type);
		return claw_clw_read_end(reader);
	}
	reader->cursor = before;
	draft->fill = -1;
	count_values(reader, draft);
	if (draft->given == 0)
		return claw_clw_fail_word(reader, &draft->behind, NULL,
			"expected %u number%s for %s", draft->arg.type.width,
			draft->arg.type.width == 1 ? "" : "s", type->text);
	ret = claw_clw_read_options(reader, draft);
	if (ret == 0)
		ret = check_given(reader, draft, type->text);
	return ret < 0 ? ret : take_values(reader, draft, "an argument");
}

static int read_buffer(struct claw_clw_reader *reader,
		       struct claw_clw_arg_draft *draft)
{
	int ret = read_sized_type(reader, draft);

	if (ret < 0)
		return ret;
	ret = read_fill(reader, draft);
	if (ret == 0)
		ret = claw_clw_read_options(reader, draft);
	if (ret == 0 && draft->fill < 0 &&
	    draft->arg.count > CLAW_CLW_BUFFER_BYTES_MAX)
		ret = fail_limit(reader, draft->type_word.place, "a buffer");
	if (ret == 0 && draft->fill < 0)
		ret = check_given(reader, draft, draft->type_word.text);
	return ret < 0 ? ret : take_values(reader, draft, "a buffer");
}

static int read_image(struct claw_clw_reader *reader,
		      struct claw_clw_arg_draft *draft)
{
	struct claw_clw_image *image = &draft->arg.image;
	char what[64];
	int ret;

	claw_clw_next_word(&reader->cursor, &draft->type_word);
	if (!claw_clw_type_parse(draft->type_word.text,
				 strlen(draft->type_word.text),
				 &draft->arg.type))
		return fail_type(reader, &draft->type_word,
				 "the type of a pixel such as float4");
	ret = read_fill(reader, draft);
	if (ret == 0)
		ret = claw_clw_read_options(reader, draft);
	if (ret == 0)
		ret = claw_clw_check_image(reader, draft);
	if (ret < 0)
		return ret;
	draft->arg.count = image->width * image->height;
	snprintf(what, sizeof(what), "%zux%zu pixels of %.16s", image->width,
		 image->height, draft->type_word.text);
	if (draft->fill < 0)
		ret = check_given(reader, draft, what);
	reader->clw->needs_images = true;
	return ret < 0 ? ret : take_values(reader, draft, "an image");
}

static int read_sampler(struct claw_clw_reader *reader,
			struct claw_clw_arg_draft *draft)
{
	static const char *const known[] = {
		"normalized_coords", "addressing_mode", "filter_mode", NULL,
	};
	struct claw_clw_sampler *sampler = &draft->arg.sampler;
	struct claw_clw_word word;
	unsigned int seen = 0, position = 0;
	int ret = 0;

	while (seen != 7 && ret == 0) {
		int found;

		claw_clw_next_word(&reader->cursor, &word);
		found = claw_clw_word_find(&word, known);
		if (found < 0)
			return claw_clw_fail_word(reader, &word, known,
				"expected normalized_coords, addressing_mode "
				"and filter_mode");
		if (seen & 1u << found)
			return claw_clw_fail_word(reader, &word, NULL,
				"expected each option once");
		seen |= 1u << found;
		if (found == 0) {
			ret = claw_clw_read_bool(reader,
						 &sampler->is_normalized);
		} else if (found == 1) {
			ret = claw_clw_read_choice(reader, address_words,
				"an addressing mode such as CLAMP_TO_EDGE",
				&position);
			sampler->addressing = addresses[position];
		} else {
			ret = claw_clw_read_choice(reader, filter_words,
				"NEAREST or LINEAR", &position);
			sampler->filter = filters[position];
		}
		position = 0;
	}
	return ret < 0 ? ret : claw_clw_read_end(reader);
}

static int read_local(struct claw_clw_reader *reader,
		      struct claw_clw_arg_draft *draft)
{
	int ret = read_sized_type(reader, draft);

	draft->fill = CLAW_CLW_FILL_UNDEFINED;
	if (ret == 0)
		ret = claw_clw_read_end(reader);
	return ret < 0 ? ret : take_values(reader, draft, "local memory");
}

/* ---- a line ---------------------------------------------------------- */

static int read_kind(struct claw_clw_reader *reader,
		     struct claw_clw_arg_draft *draft)
{
	const char *known[80];
	struct claw_clw_word word;
	size_t count = 0;
	int kind;

	claw_clw_next_word(&reader->cursor, &word);
	if (claw_clw_type_parse(word.text, strlen(word.text),
				&draft->arg.type)) {
		if (!draft->is_in)
			return claw_clw_fail_word(reader, &word, NULL,
				"expected buffer or image in arg_out");
		return read_by_value(reader, draft, &word);
	}
	kind = claw_clw_word_find(&word, kind_words);
	if (kind < 0) {
		for (size_t i = 0; kind_words[i]; i++)
			known[count++] = kind_words[i];
		for (size_t i = 0; claw_clw_type_names[i]; i++)
			known[count++] = claw_clw_type_names[i];
		known[count] = NULL;
		return claw_clw_fail_word(reader, &word, known, "expected "
			"buffer, image, sampler, local or a type such as "
			"float4");
	}
	draft->arg.kind = kinds[kind];
	if (!draft->is_in && draft->arg.kind != CLAW_CLW_BUFFER &&
	    draft->arg.kind != CLAW_CLW_IMAGE)
		return claw_clw_fail_word(reader, &word, NULL,
			"expected buffer or image in arg_out");
	switch (draft->arg.kind) {
	case CLAW_CLW_BUFFER:
		return read_buffer(reader, draft);
	case CLAW_CLW_IMAGE:
		return read_image(reader, draft);
	case CLAW_CLW_SAMPLER:
		return read_sampler(reader, draft);
	default:
		return read_local(reader, draft);
	}
}

static void append(struct claw_clw_draft *to, struct claw_clw_arg_draft *draft)
{
	struct claw_clw_test *test = &to->test;
	struct claw_clw_arg **args = draft->is_in ? &test->in : &test->out;
	size_t *count = draft->is_in ? &test->in_count : &test->out_count;
	struct claw_clw_place **places = draft->is_in ? &to->in_places :
		&to->out_places;

	*args = claw_one_more(*args, *count, sizeof(**args));
	*places = claw_one_more(*places, *count, sizeof(**places));
	(*places)[*count] = draft->place;
	(*args)[(*count)++] = draft->arg;
	draft->arg.data = NULL;		/* now the test's */
}

int claw_clw_read_arg(struct claw_clw_reader *reader, bool is_in)
{
	struct claw_clw_test *test = &reader->draft->test;
	const struct claw_clw_arg *args = is_in ? test->in : test->out;
	size_t count = is_in ? test->in_count : test->out_count;
	struct claw_clw_arg_draft draft = { .is_in = is_in, .fill = -1 };
	struct claw_clw_cursor peek = reader->cursor;
	struct claw_clw_word word;
	int ret;

	claw_clw_next_word(&peek, &word);
	draft.place = word.place;
	draft.arg.line = word.place.line;
	ret = claw_clw_read_index(reader, &draft.arg.index);
	for (size_t i = 0; ret == 0 && i < count; i++)
		if (args[i].index == draft.arg.index)
			return claw_clw_fail_word(reader, &word, NULL,
				"expected each argument once as %s",
				is_in ? "arg_in" : "arg_out");
	if (ret == 0)
		ret = read_kind(reader, &draft);
	if (ret == 0)
		append(reader->draft, &draft);
	free(draft.arg.data);
	return ret;
}
