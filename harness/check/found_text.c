/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of a finding. Each kind has a sentence with holes:
 *
 *	SENTENCE = { TEXT | "{" WORD "}" | "[" SENTENCE "]" }
 *
 * What is in brackets is left out when a word in it is not known; brackets do
 * not nest. Elsewhere a word that is not known says so itself.
 */
#include "config.h"

#include "found_words.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/words.h"

enum { AT, SECOND, THIRD, NOWHERE = -1 };

static const struct {
	const char *title;
	enum claw_found_mode mode;
	int maker;
	enum claw_finding_kind finding;
	const char *sentence;
} kinds[CLAW_FOUND_KIND_COUNT] = {
#define FOUND(id_, name_, level_, code_, mode_, maker_, finding_, title_, \
	      text_, sentence_) \
	{ title_, CLAW_FOUND_##mode_, maker_, CLAW_FINDING_##finding_, sentence_ },
#include "faults/shared/found_kinds.def"
#undef FOUND
};

/* HOST_FREED has three shapes, by the place that says what happened. */
static const char *const host_freed[] = {
	"{at} uses memory that {second} freed before anything waited for the "
	"command",
	"{at} releases a buffer that lives in the program's own memory, "
	"{second} may still use it, and {third} freed that memory",
	"{at} uses a buffer that lives in the program's own memory, which "
	"{third} freed; made by {second}",
};

const char *claw_found_kind_title(enum claw_found_kind kind)
{
	return kinds[kind].title;
}

enum claw_found_mode claw_found_kind_mode(enum claw_found_kind kind)
{
	return kinds[kind].mode;
}

bool claw_found_kind_is_sanitizer(enum claw_found_kind kind)
{
	return kinds[kind].mode == CLAW_FOUND_GUARDS ||
		kinds[kind].mode == CLAW_FOUND_KERNELS;
}

enum claw_finding_kind claw_found_kind_finding(enum claw_found_kind kind)
{
	return kinds[kind].finding;
}

int claw_found_kind_maker(enum claw_found_kind kind)
{
	return kinds[kind].maker;
}

/* ---- sentences ----------------------------------------------------------- */

/* A part without brackets, up to end. False: a word was not known. */
static bool put_part(FILE *out, const struct claw_found_group *group,
		     const char *part, const char *end)
{
	bool known = true;

	while (part < end) {
		size_t length = strcspn(part, "{");

		if (length > (size_t)(end - part))
			length = (size_t)(end - part);
		fwrite(part, 1, length, out);
		part += length;
		if (part == end)
			break;
		length = strcspn(++part, "}");
		known &= claw_found_put_word(out, group, part, length);
		part += length + 1;
	}
	return known;
}

/* What is in brackets, when all of it is known. */
static void put_optional(FILE *out, const struct claw_found_group *group,
			 const char *part, const char *end)
{
	char *text = NULL;
	size_t size;
	FILE *scratch = claw_text_begin(&text, &size);
	bool known = put_part(scratch, group, part, end);

	claw_text_end(scratch);
	if (known)
		fputs(text, out);
	free(text);
}

static const char *sentence_of(const struct claw_found_group *group)
{
	const char *at = group->where[AT].api;
	const char *second = group->where[SECOND].api;

	if (group->kind != CLAW_FOUND_HOST_FREED)
		return kinds[group->kind].sentence;
	return host_freed[at && claw_begins(at, "clRelease") ? 1 :
			  second && claw_begins(second, "clCreate") ? 2 : 0];
}

static void put_sentence(FILE *out, const struct claw_found_group *group,
			 const char *part)
{
	while (*part) {
		const char *end = part + strcspn(part, "[]");
		bool is_optional = *end == ']';

		if (is_optional)
			put_optional(out, group, part, end);
		else
			put_part(out, group, part, end);
		part = end + (*end != '\0');
	}
}

static void put_whole(FILE *out, const struct claw_found_group *group,
		      const char *sentence)
{
	if (!group->is_sure)
		fputs("probably ", out);
	put_sentence(out, group, sentence);
	if (group->first.answered)
		fputs("; the call was not passed to the driver", out);
	if (group->times == 2) {
		fputs("; twice", out);
	} else if (group->times > 2) {
		fputs("; ", out);
		claw_print_count(out, group->times);
		fputs(" times", out);
	}
}

static char *make_text(const struct claw_found_group *group,
		       const char *sentence)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	put_whole(out, group, sentence);
	claw_text_end(out);
	return text;
}

char *claw_found_text(const struct claw_found_group *group)
{
	return make_text(group, sentence_of(group));
}

char *claw_found_brief(const struct claw_found_group *group)
{
	static const char kernel[] = "{in kernel} ", whom[] = "{by whom}";
	const char *sentence = sentence_of(group);
	const char *at = strstr(sentence, whom);
	char *made, *text;

	if (!claw_begins(sentence, kernel) || !at)
		return claw_found_text(group);
	sentence += strlen(kernel);
	made = claw_format("%.*s%s", (int)(at - sentence), sentence,
			   at + strlen(whom));
	text = make_text(group, made);
	free(made);
	return text;
}

char *claw_found_stacks(const struct claw_found_group *group)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	for (size_t i = 0; i < CLAW_FOUND_PLACES; i++) {
		const struct claw_found_where *where = &group->where[i];

		if (*where->site.stack)
			fprintf(out, "  %s\n%s", where->api ? where->api :
				"the program", where->site.stack);
	}
	claw_text_end(out);
	return text;
}
