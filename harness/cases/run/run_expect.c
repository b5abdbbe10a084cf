/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings against expectations, in words.
 */
#include "config.h"

#include "run_expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

/* In a file that the test's own includes? */
static bool is_elsewhere(const struct claw_finding *finding, const char *file)
{
	return file && finding->file && *finding->file &&
	       strcmp(finding->file, file) != 0;
}

/* A place or a space that the tool does not know is none that differs. */
static bool matches(const struct claw_expected_finding *expected,
		    const struct claw_finding *finding, const char *file)
{
	struct claw_expected_finding known = *expected;

	if (known.line > 0 && finding->line > 0 && is_elsewhere(finding, file))
		return false;
	if (finding->line == 0)
		known.line = 0;
	if (finding->space == CLAW_SPACE_UNKNOWN)
		known.space = CLAW_SPACE_UNKNOWN;
	return claw_expected_finding_matches(&known, finding);
}

/* The cause of a wrong result: a tool that sees it may prevent the result. */
static bool is_cause(const struct claw_expected_finding *expected)
{
	return expected->is_optional && expected->line > 0;
}

static bool is_found_by_cause(const struct claw_expect_input *input,
			      const struct claw_finding *finding)
{
	const struct claw_case_expect *expect = input->expect;

	for (size_t i = 0; i < expect->finding_count; i++)
		if (is_cause(&expect->findings[i]) &&
		    matches(&expect->findings[i], finding, input->file))
			return true;
	return false;
}

static bool is_found(const struct claw_expect_input *input,
		     const struct claw_expected_finding *expected)
{
	const struct claw_findings *findings = input->findings;

	for (size_t i = 0; i < findings->count; i++)
		if (matches(expected, &findings->items[i], input->file) ||
		    (expected->kind == CLAW_FINDING_WRONG_RESULT &&
		     is_found_by_cause(input, &findings->items[i])))
			return true;
	return false;
}

static bool is_expected(const struct claw_expect_input *input,
			const struct claw_finding *finding)
{
	const struct claw_case_expect *expect = input->expect;

	for (size_t i = 0; i < expect->finding_count; i++)
		if (matches(&expect->findings[i], finding, input->file))
			return true;
	return finding->kind == CLAW_FINDING_WRONG_RESULT &&
	       claw_expect_has_findings(expect);
}

bool claw_expect_has_findings(const struct claw_case_expect *expect)
{
	for (size_t i = 0; i < expect->finding_count; i++)
		if (!expect->findings[i].is_optional)
			return true;
	return false;
}

static bool is_checked(const struct claw_expect_input *input,
		       const struct claw_expected_finding *expected)
{
	return (input->checks & (UINT32_C(1) << expected->kind)) != 0 &&
		strcmp(input->tool, expected->blind) != 0;
}

/* ---- words ----------------------------------------------------------- */

static void write_one(FILE *out, enum claw_finding_kind kind,
		      enum claw_address_space space, unsigned int line,
		      unsigned int last_line)
{
	fprintf(out, "%s%s%s", claw_finding_kind_name(kind),
		space ? " " : "", claw_space_name(space));
	if (line > 0)
		fprintf(out, " at line %u", line);
	if (last_line > 0)
		fprintf(out, " to %u", last_line);
}

/* "A, B and C": the word before the number-th of count. */
static const char *before(size_t number, size_t count)
{
	return number == 0 ? "" : number + 1 == count ? " and " : ", ";
}

static void write_expected(FILE *out, const struct claw_case_expect *expect)
{
	size_t count = 0, number = 0;

	for (size_t i = 0; i < expect->finding_count; i++)
		count += !expect->findings[i].is_optional;
	for (size_t i = 0; i < expect->finding_count; i++) {
		const struct claw_expected_finding *one =
			&expect->findings[i];

		if (one->is_optional)
			continue;
		fputs(before(number++, count), out);
		write_one(out, one->kind, one->space, one->line,
			  one->last_line);
	}
}

/* Wrong results are told as the outcome. */
static void write_found(FILE *out, const struct claw_expect_input *input)
{
	const struct claw_findings *findings = input->findings;
	size_t count = 0, number = 0;

	for (size_t i = 0; i < findings->count; i++)
		count += findings->items[i].kind != CLAW_FINDING_WRONG_RESULT;
	if (count == 0)
		fputs("nothing", out);
	for (size_t i = 0; i < findings->count; i++) {
		const struct claw_finding *one = &findings->items[i];

		if (one->kind == CLAW_FINDING_WRONG_RESULT)
			continue;
		fputs(before(number++, count), out);
		write_one(out, one->kind, one->space, one->line, 0);
		if (one->line > 0 && is_elsewhere(one, input->file))
			fprintf(out, " of %s", one->file);
	}
}

/* What a finding says, said, is not said again; is_last: it was just now. */
static void write_outcome(FILE *out, const struct claw_expect_input *input,
			  const char *said, bool is_last)
{
	const char *outcome = input->outcome;

	if (!outcome || (said && strstr(said, outcome)))
		return;
	if (is_last && said && strncmp(outcome, said, strlen(said)) == 0)
		fputs(outcome + strlen(said), out);
	else
		fprintf(out, "; %s", outcome);
}

/* Kinds that are expected, were not found, and are not looked for. */
static void write_unchecked(FILE *out, const struct claw_expect_input *input)
{
	const struct claw_case_expect *expect = input->expect;
	uint32_t said = 0;

	fprintf(out, "%s has no check for ", input->tool);
	for (size_t i = 0; i < expect->finding_count; i++) {
		const struct claw_expected_finding *one = &expect->findings[i];
		uint32_t bit = UINT32_C(1) << one->kind;

		if (one->is_optional || (said & bit) ||
		    is_found(input, one))
			continue;
		fprintf(out, "%s%s%s", said ? ", " : "",
			claw_finding_kind_name(one->kind),
			strcmp(input->tool, one->blind) == 0 ?
			" of this sort" : "");
		said |= bit;
	}
}

static void write_first(FILE *out, const struct claw_expect_input *input,
			const struct claw_finding *first, size_t unexpected)
{
	static char none[] = "";
	struct claw_finding placeless = *first;	/* that is told beside it */
	char *sentence;

	placeless.file = none;
	if (first->file && *first->file)
		placeless.line = 0;
	sentence = claw_finding_sentence(&placeless);
	fprintf(out, "%s: %s%s", input->tool, sentence ? sentence :
		claw_finding_kind_name(first->kind),
		unexpected > 1 ? ", and others" : "");
	free(sentence);
}

static void write_message(FILE *out, const struct claw_expect_input *input,
			  const struct claw_expect_output *output,
			  size_t unexpected)
{
	bool is_last = false;

	switch (output->answer) {
	case CLAW_EXPECT_NOTHING:
	case CLAW_EXPECT_MET:
		return;
	case CLAW_EXPECT_UNCHECKED:
		write_unchecked(out, input);
		break;
	default:
		if (!claw_expect_has_findings(input->expect)) {
			write_first(out, input, output->first, unexpected);
			is_last = unexpected == 1;
			break;
		}
		fputs("expected ", out);
		write_expected(out, input->expect);
		fputs(", found ", out);
		write_found(out, input);
	}
	write_outcome(out, input, output->first ? output->first->what : NULL,
		      is_last);
}

/* ---- comparing ------------------------------------------------------- */

void claw_expect_compare(const struct claw_expect_input *input,
			 struct claw_expect_output *ret_output)
{
	const struct claw_case_expect *expect = input->expect;
	bool is_missed = false, is_unchecked = false;
	size_t unexpected = 0;
	FILE *out;

	*ret_output = (struct claw_expect_output){ .first = NULL };
	for (size_t i = 0; i < input->findings->count; i++) {
		const struct claw_finding *one = &input->findings->items[i];

		if (is_expected(input, one))
			continue;
		if (unexpected++ == 0)
			ret_output->first = one;
	}
	for (size_t i = 0; i < expect->finding_count; i++) {
		const struct claw_expected_finding *one = &expect->findings[i];

		if (one->is_optional || is_found(input, one))
			continue;
		if (is_checked(input, one))
			is_missed = true;
		else
			is_unchecked = true;
	}
	ret_output->answer = unexpected > 0 ? CLAW_EXPECT_ANOTHER :
		is_missed ? CLAW_EXPECT_MISSED :
		is_unchecked ? CLAW_EXPECT_UNCHECKED :
		claw_expect_has_findings(expect) ? CLAW_EXPECT_MET :
		CLAW_EXPECT_NOTHING;
	out = fmemopen(ret_output->message, sizeof(ret_output->message) - 1,
		       "w");
	if (!out)
		return;
	write_message(out, input, ret_output, unexpected);
	fclose(out);
}

/* ---- for tables ------------------------------------------------------ */

char *claw_expect_text(const struct claw_case_expect *expect)
{
	size_t size, said = 0;
	char *all;
	FILE *out;

	if (!claw_expect_has_findings(expect) && !expect->fault)
		return NULL;
	out = claw_text_begin(&all, &size);
	for (size_t i = 0; i < expect->finding_count; i++) {
		char *text;

		if (expect->findings[i].is_optional)
			continue;
		text = claw_expected_finding_text(&expect->findings[i]);
		fprintf(out, "%s%s", said++ ? ", " : "", text);
		free(text);
	}
	if (expect->fault)
		fprintf(out, "%s%s", said ? ", " : "", expect->fault);
	claw_text_end(out);
	return all;
}

char *claw_expect_seen(const struct claw_findings *findings,
		       const char *outcome)
{
	uint32_t said = 0;
	size_t size;
	char *text;
	FILE *out;

	for (size_t i = 0; i < findings->count; i++)
		if (findings->items[i].kind != CLAW_FINDING_WRONG_RESULT)
			said = 1;
	if (!said && !outcome)
		return NULL;
	out = claw_text_begin(&text, &size);
	if (!said)
		fputs(outcome, out);
	said = 0;
	for (size_t i = 0; i < findings->count; i++) {
		enum claw_finding_kind kind = findings->items[i].kind;

		if (kind == CLAW_FINDING_WRONG_RESULT ||
		    (said & (UINT32_C(1) << kind)))
			continue;
		fprintf(out, "%s%s", said ? ", " : "",
			claw_finding_kind_name(kind));
		said |= UINT32_C(1) << kind;
	}
	claw_text_end(out);
	return text;
}
