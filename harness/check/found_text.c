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

/* A row a kind; maker: the place that made the object, for its noun. */
static const struct {
	const char *title;
	enum claw_found_mode mode;
	int maker;
	const char *sentence;
} kinds[CLAW_FOUND_KIND_COUNT] = {
	[CLAW_FOUND_USE_RELEASED] = {
		"use after release", CLAW_FOUND_LIFETIME, THIRD,
		"{at} uses {object}{argument} that {second} {released}"
		"[; made by {third}]" },
	[CLAW_FOUND_RELEASE_RELEASED] = {
		"double release", CLAW_FOUND_LIFETIME, THIRD,
		"{at} {releases} {object} that {second} had {released}"
		"[; made by {third}]" },
	[CLAW_FOUND_RETAIN_RELEASED] = {
		"retain after release", CLAW_FOUND_LIFETIME, THIRD,
		"{at} retains {object} that {second} {released}"
		"{in destructor}[; made by {third}]" },
	[CLAW_FOUND_WRONG_TYPE] = {
		"wrong type", CLAW_FOUND_LIFETIME, NOWHERE,
		"{at} is given {being} for {object}{argument}"
		"[; made by {second}]" },
	[CLAW_FOUND_NULL_USED] = {
		"NULL handle", CLAW_FOUND_LIFETIME, SECOND,
		"{at} uses NULL for {object}{argument}: {second} failed[ with "
		"{code}]" },
	[CLAW_FOUND_UNMAP_UNKNOWN] = {
		"unmap of what is not mapped", CLAW_FOUND_LIFETIME, THIRD,
		"{at} unmaps a pointer that is no mapping of its memory "
		"object" },
	[CLAW_FOUND_UNMAP_TWICE] = {
		"double unmap", CLAW_FOUND_LIFETIME, THIRD,
		"{at} unmaps what {second} had unmapped[; mapped by {third}]" },
	[CLAW_FOUND_MAPPING_USED] = {
		"use after unmap", CLAW_FOUND_LIFETIME, THIRD,
		"{at} uses the pointer of a mapping that {second} unmapped"
		"[; mapped by {third}]" },
	[CLAW_FOUND_RELEASE_PENDING] = {
		"release while pending", CLAW_FOUND_LIFETIME, THIRD,
		"{at} releases {object} while {second}{of kernel}{and more} "
		"may still use it" },
	[CLAW_FOUND_HOST_FREED] = {
		"host memory freed", CLAW_FOUND_LIFETIME, NOWHERE, NULL },
	[CLAW_FOUND_FRAME_GONE] = {
		"stack frame gone", CLAW_FOUND_LIFETIME, NOWHERE,
		"{at} uses[ {value 0 bytes} of] an array of a function that "
		"has returned, and nothing has waited for it[; seen at "
		"{second}]" },
	[CLAW_FOUND_SOURCE_CHANGED] = {
		"source changed", CLAW_FOUND_LIFETIME, NOWHERE,
		"what {at} reads[ ({value 1 bytes})] is changed before "
		"anything has waited for it, from byte {value 0} on"
		"[; seen at {second}]" },
	[CLAW_FOUND_USED_EARLY] = {
		"use before wait", CLAW_FOUND_LIFETIME, NOWHERE,
		"{at} uses what {second} gives, and nothing has waited for "
		"that" },
	[CLAW_FOUND_TOUCHED_EARLY] = {
		"use before wait", CLAW_FOUND_LIFETIME, NOWHERE,
		"{at} {touches} memory that {second} has not finished "
		"writing: nothing has waited for it" },
	[CLAW_FOUND_FREE_PENDING] = {
		"free while pending", CLAW_FOUND_LIFETIME, THIRD,
		"{at} frees shared memory while {second}{of kernel} may still "
		"use it" },
	[CLAW_FOUND_UNORDERED] = {
		"unordered queues", CLAW_FOUND_LIFETIME, THIRD,
		"{at}{of later kernel} {later} {object} that "
		"{second}{of earlier kernel} {earlier} in another queue, and "
		"no event orders them[; made by {third}]" },
	[CLAW_FOUND_UNORDERED_COMMANDS] = {
		"unordered commands", CLAW_FOUND_LIFETIME, THIRD,
		"{at}{of later kernel} {later} {object} that "
		"{second}{of earlier kernel} {earlier} in the same queue, which "
		"is out of order, and nothing orders them[; made by {third}]" },
	[CLAW_FOUND_GATE_ABANDONED] = {
		"abandoned event", CLAW_FOUND_LIFETIME, THIRD,
		"{at} gives up a user event that {second}{and more} waits for"
		"[; made by {third}]" },
	[CLAW_FOUND_GUARD_BROKEN] = {
		"guard zone", CLAW_FOUND_GUARDS, THIRD,
		"kernel {name} wrote {value 4 bytes}[ {where}] of {buffer}"
		"[ made by {third}]; launch at {launch}, value {byte}" },
	[CLAW_FOUND_RANGE] = {
		"transfer range", CLAW_FOUND_GUARDS, THIRD,
		"{at} reaches {past} of {object} of {value 2 bytes}{argument}: "
		"{value 1 bytes} from {value 0} on[; made by {third}]" },
	[CLAW_FOUND_KERNEL_BOUNDS] = {
		"kernel bounds", CLAW_FOUND_KERNELS, THIRD,
		"{in kernel} {does} {beyond} of {target}[ made by {third}]"
		"{by whom}; launch at {launch}" },
	[CLAW_FOUND_KERNEL_MISALIGNED] = {
		"kernel alignment", CLAW_FOUND_KERNELS, THIRD,
		"{in kernel} {does} of {target}[ made by {third}] at an "
		"address that is not a multiple of what the type needs"
		"{by whom}; launch at {launch}" },
	[CLAW_FOUND_KERNEL_NULL] = {
		"kernel NULL pointer", CLAW_FOUND_KERNELS, NOWHERE,
		"{in kernel} {does} by a NULL pointer{by whom}; launch at "
		"{launch}" },
	[CLAW_FOUND_KERNEL_DIVIDE] = {
		"kernel division", CLAW_FOUND_KERNELS, NOWHERE,
		"{in kernel} divides {divisor}{by whom}; launch at "
		"{launch}" },
	[CLAW_FOUND_KERNEL_SHIFT] = {
		"kernel shift", CLAW_FOUND_KERNELS, NOWHERE,
		"{in kernel} shifts {distance}{by whom}; launch at "
		"{launch}" },
	[CLAW_FOUND_KERNEL_RACE] = {
		"kernel race", CLAW_FOUND_KERNELS, NOWHERE,
		"{in kernel} {does} that another work-item of the group "
		"accesses, and no barrier orders them{by whom}; launch at "
		"{launch}" },
	[CLAW_FOUND_IMAGE_RANGE] = {
		"image range", CLAW_FOUND_GUARDS, THIRD,
		"{at} reaches outside of {object}{argument}: {box}[; made by "
		"{third}]" },
	[CLAW_FOUND_KERNEL_PIXEL] = {
		"kernel pixel", CLAW_FOUND_KERNELS, THIRD,
		"{in kernel} {pixel}[ made by {third}]{by whom}; launch at "
		"{launch}" },
};

/* HOST_FREED has three shapes, by the place that says what happened. */
static const char *const host_freed[] = {
	"{at} uses memory that {second} freed, and nothing has waited for it",
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
		fputs("; the driver was not asked", out);
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
