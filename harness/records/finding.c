/* SPDX-License-Identifier: Apache-2.0 */
/* The table of kinds, lists of findings, and what a case expects of them. */
#include "config.h"

#include "finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "faults/shared/nearest.h"

enum about { ABOUT_KERNEL, ABOUT_HOST };

static const struct {
	const char *name;
	enum about about;
	const char *code, *leads_to;
} kinds[] = {
#define FINDING(id_, name_, about_, code_, leads_) \
	[CLAW_FINDING_##id_] = { name_, ABOUT_##about_, code_, leads_ },
#include "finding_kinds.def"
#undef FINDING
};

static const char *const spaces[] = {
	[CLAW_SPACE_UNKNOWN] = "", [CLAW_SPACE_GLOBAL] = "global",
	[CLAW_SPACE_LOCAL] = "local", [CLAW_SPACE_CONSTANT] = "constant",
	[CLAW_SPACE_PRIVATE] = "private",
};
enum { SPACE_COUNT = sizeof(spaces) / sizeof(spaces[0]) };

/* ---- kinds, spaces --------------------------------------------------- */

const char *claw_finding_kind_name(enum claw_finding_kind kind)
{
	return kinds[kind].name;
}

int claw_finding_kind_find(const char *name)
{
	for (int i = 0; i < CLAW_FINDING_KIND_COUNT; i++)
		if (strcmp(kinds[i].name, name) == 0)
			return i;
	return -1;
}

const char *claw_finding_kind_code(enum claw_finding_kind kind)
{
	return kinds[kind].code;
}

const char *claw_finding_kind_leads_to(enum claw_finding_kind kind)
{
	return kinds[kind].leads_to;
}

const char *claw_finding_code(const struct claw_finding *finding)
{
	return finding->is_null ? kinds[finding->kind].leads_to :
		kinds[finding->kind].code;
}

bool claw_finding_kind_is_kernel(enum claw_finding_kind kind)
{
	return kinds[kind].about == ABOUT_KERNEL;
}

const char *claw_space_name(enum claw_address_space space)
{
	return spaces[space];
}

int claw_space_find(const char *name)
{
	for (int i = CLAW_SPACE_GLOBAL; i < SPACE_COUNT; i++)
		if (strcmp(spaces[i], name) == 0)
			return i;
	return -1;
}

/* ---- lists ----------------------------------------------------------- */

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static void release_one(struct claw_finding *finding)
{
	free(finding->what);
	free(finding->kernel);
	free(finding->file);
	free(finding->work_item);
	free(finding->text);
}

static void copy_one(const struct claw_finding *finding,
		     struct claw_finding *copy)
{
	*copy = *finding;
	copy->what = claw_strdup(or_empty(finding->what));
	copy->kernel = claw_strdup(or_empty(finding->kernel));
	copy->file = claw_strdup(or_empty(finding->file));
	copy->work_item = claw_strdup(or_empty(finding->work_item));
	copy->text = claw_strdup(or_empty(finding->text));
}

static bool is_same(const struct claw_finding *a, const struct claw_finding *b)
{
	return a->kind == b->kind && a->space == b->space &&
		a->line == b->line &&
		strcmp(or_empty(a->kernel), or_empty(b->kernel)) == 0 &&
		strcmp(or_empty(a->file), or_empty(b->file)) == 0;
}

static void append(struct claw_findings *findings,
		   const struct claw_finding *finding)
{
	findings->items = claw_one_more(findings->items, findings->count,
					sizeof(*findings->items));
	copy_one(finding, &findings->items[findings->count++]);
}

void claw_findings_add(struct claw_findings *findings,
		       const struct claw_finding *finding)
{
	struct claw_finding one = *finding;

	if (one.times == 0)
		one.times = 1;
	for (size_t i = 0; i < findings->count; i++) {
		if (is_same(&findings->items[i], &one)) {
			findings->items[i].times += one.times;
			findings->items[i].also |= one.also;
			return;
		}
	}
	append(findings, &one);
}

bool claw_findings_has(const struct claw_findings *findings,
		       const struct claw_finding *finding)
{
	for (size_t i = 0; i < findings->count; i++)
		if (is_same(&findings->items[i], finding))
			return true;
	return false;
}

void claw_findings_copy(const struct claw_findings *findings,
			struct claw_findings *ret_copy)
{
	struct claw_findings copy = { 0 };

	for (size_t i = 0; i < findings->count; i++)
		append(&copy, &findings->items[i]);
	*ret_copy = copy;
}

void claw_findings_release(struct claw_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		release_one(&findings->items[i]);
	free(findings->items);
	*findings = (struct claw_findings) { 0 };
}

/* ---- words ----------------------------------------------------------- */

static void write_place(FILE *out, const struct claw_finding *finding)
{
	const char *kernel = or_empty(finding->kernel);
	const char *file = or_empty(finding->file);

	if (*kernel)
		fprintf(out, " in %s", kernel);
	if (!*file && finding->line == 0)
		return;
	fprintf(out, " (%s", *file ? file : "line ");
	if (finding->line > 0)
		fprintf(out, "%s%u", *file ? ":" : "", finding->line);
	if (finding->line > 0 && finding->column > 0)
		fprintf(out, ":%u", finding->column);
	fputc(')', out);
}

char *claw_finding_sentence(const struct claw_finding *finding)
{
	const char *what = or_empty(finding->what);
	const char *work_item = or_empty(finding->work_item);
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fputs(kinds[finding->kind].name, out);
	if (finding->size_bytes > 0)
		fprintf(out, " of %llu byte%s",
			(unsigned long long)finding->size_bytes,
			finding->size_bytes == 1 ? "" : "s");
	write_place(out, finding);
	if (*work_item)
		fprintf(out, ", work-item %s", work_item);
	if (finding->times > 1)
		fprintf(out, ", %u times", finding->times);
	if (*what)
		fprintf(out, ": %s", what);
	claw_text_end(out);
	return text;
}

/* ---- in several runs --------------------------------------------------- */

const char *claw_finding_end_of_path(const char *path)
{
	const char *at = claw_base_name(path);

	for (at -= at > path; at > path && at[-1] != '/'; at--)
		;
	return at;
}

char *claw_finding_without_numbers(const char *text)
{
	char *copy = claw_strdup(text), *to = copy;

	for (const char *at = text; *at; at++)
		if (*at < '0' || *at > '9')
			*to++ = *at;
		else if (to == copy || to[-1] != 'N')
			*to++ = 'N';
	*to = '\0';
	return copy;
}

/* ---- expectations ---------------------------------------------------- */

static int fail(char *error, size_t error_size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int fail(char *error, size_t error_size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, error_size, format, args);
	va_end(args);
	return -CLAW_E_SYNTAX;
}

/* Next word of text, at most 63 bytes of it; false when there is none. */
static bool next_word(const char **text, char word[64])
{
	size_t skip = strspn(*text, " \t\r\n"), length;

	*text += skip;
	length = strcspn(*text, " \t\r\n");
	snprintf(word, 64, "%.*s", length < 64 ? (int)length : 63, *text);
	*text += length;
	return length > 0;
}

static int fail_kind(const char *word, char *error, size_t error_size)
{
	struct claw_nearest nearest;

	claw_nearest_init(&nearest, word);
	for (int i = 0; i < CLAW_FINDING_KIND_COUNT; i++)
		claw_nearest_offer(&nearest, kinds[i].name);
	return fail(error, error_size,
		    "expected a kind of finding, found \"%s\"%s%s%s", word,
		    nearest.best ? " (did you mean " : "",
		    nearest.best ? nearest.best : "", nearest.best ? "?)" : "");
}

static int fail_space(const char *word, char *error, size_t error_size)
{
	struct claw_nearest nearest;

	claw_nearest_init(&nearest, word);
	for (int i = CLAW_SPACE_GLOBAL; i < SPACE_COUNT; i++)
		claw_nearest_offer(&nearest, spaces[i]);
	return fail(error, error_size, "expected an address space (global, "
		    "local, constant, private) or a line, found \"%s\"%s%s%s",
		    word, nearest.best ? " (did you mean " : "",
		    nearest.best ? nearest.best : "", nearest.best ? "?)" : "");
}

/* "12" or "12-14" */
static bool parse_lines(const char *word, unsigned int *ret_line,
			unsigned int *ret_last)
{
	unsigned long line, last = 0;
	char *end;

	if (*word < '0' || *word > '9' || strlen(word) > 19)
		return false;
	line = strtoul(word, &end, 10);
	if (*end == '-' && end[1] >= '0' && end[1] <= '9') {
		last = strtoul(end + 1, &end, 10);
		if (last <= line)
			return false;
	}
	*ret_line = (unsigned int)line;
	*ret_last = (unsigned int)last;
	return *end == '\0' && line > 0 && line < 1000000000 &&
		last < 1000000000;
}

/* "!asan" */
static bool parse_blind(const char *word, char blind[16])
{
	if (*word != '!' || word[1] == '\0' || strlen(word) > 16)
		return false;
	snprintf(blind, 16, "%.15s", word + 1);
	return true;
}

static int parse_places(const char *text, char word[64], bool is_behind_space,
			struct claw_expected_finding *expected, char *error,
			size_t error_size)
{
	if (*word != '!') {
		if (!parse_lines(word, &expected->line, &expected->last_line))
			return is_behind_space ||
				(*word >= '0' && *word <= '9') ?
				fail(error, error_size, "expected a line "
				     "number from 1, found \"%s\"", word) :
				fail_space(word, error, error_size);
		if (!next_word(&text, word))
			return 0;
	}
	if (*word == '!' && !parse_blind(word, expected->blind))
		return fail(error, error_size, "expected a tool such as "
			    "\"!asan\", found \"%s\"", word);
	if (*word != '!' || next_word(&text, word))
		return fail(error, error_size, "expected nothing after the "
			    "%s, found \"%s\"", *expected->blind ? "tool" :
			    "line", word);
	return 0;
}

int claw_expected_finding_parse(const char *text,
				struct claw_expected_finding *ret_expected,
				char *error, size_t error_size)
{
	struct claw_expected_finding expected = { 0 };
	char word[64];
	int kind, space, ret = 0;
	bool is_more;

	if (!next_word(&text, word))
		return fail(error, error_size,
			    "expected a kind of finding, found nothing");
	kind = claw_finding_kind_find(word);
	if (kind < 0)
		return fail_kind(word, error, error_size);
	expected.kind = (enum claw_finding_kind)kind;
	is_more = next_word(&text, word);
	space = is_more ? claw_space_find(word) : -1;
	if (space >= 0) {
		expected.space = (enum claw_address_space)space;
		is_more = next_word(&text, word);
	}
	if (is_more)
		ret = parse_places(text, word, space >= 0, &expected, error,
				   error_size);
	if (ret == 0)
		*ret_expected = expected;
	return ret;
}

char *claw_expected_finding_text(const struct claw_expected_finding *expected)
{
	const char *space = spaces[expected->space];
	char line[32] = "", last[16] = "";

	if (expected->last_line > 0)
		snprintf(last, sizeof(last), "-%u", expected->last_line);
	if (expected->line > 0)
		snprintf(line, sizeof(line), " %u%s", expected->line, last);
	return claw_format("%s%s%s%s%s%s", kinds[expected->kind].name,
			   *space ? " " : "", space, line,
			   *expected->blind ? " !" : "", expected->blind);
}

static bool is_at(const struct claw_expected_finding *expected,
		  unsigned int line)
{
	return expected->line == 0 || expected->line == line ||
		(line > expected->line && line <= expected->last_line);
}

bool claw_expected_finding_matches(const struct claw_expected_finding *expected,
				   const struct claw_finding *finding)
{
	return (expected->kind == finding->kind ||
		(finding->also & UINT32_C(1) << expected->kind)) &&
		(expected->space == CLAW_SPACE_UNKNOWN ||
		 expected->space == finding->space) &&
		(is_at(expected, finding->line) ||
		 (finding->other_line > 0 &&
		  is_at(expected, finding->other_line)));
}
