/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The detection table (doc/detection.md): every planted bug, and what each
 * tool saw of it; every fixed version, and whether each tool was silent. A case
 * has a planted bug when it says what must be seen; its fixed version is the case
 * whose name lacks the "_bug".
 */
#include "config.h"

#include "cases.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

struct state {
	const struct claw_report_head *head;
	struct claw_report_cases cases;
	uint64_t results;
};

/* NOTICED: not the bug itself, but what came of it: a crash, a wrong result. */
enum outcome { NOT_RUN, UNKNOWN, NO_CHECK, MISSED, NOTICED, CAUGHT };

/* ---- what was seen ----------------------------------------------------- */

/* What the case expects; any of its results says so. */
static const char *expects_of(const struct claw_report_cases *cases,
			      const struct claw_report_row *row)
{
	for (size_t i = 0; i < cases->tool_count; i++) {
		const struct claw_result *result =
			claw_report_cases_find(row, i);

		if (result && result->expects && *result->expects)
			return result->expects;
	}
	return NULL;
}

static bool is_found(const struct claw_expected_finding *expected,
		     const struct claw_result *result,
		     const struct claw_finding *finding)
{
	struct claw_expected_finding any = *expected;

	if (claw_expected_finding_matches(expected, finding))
		return true;
	/* Whoever judged the case was content: guard zones know no line. */
	any.line = 0;
	any.space = CLAW_SPACE_UNKNOWN;
	return claw_verdict_class(result->verdict) == 'p' &&
	       claw_expected_finding_matches(&any, finding);
}

/* Does it expect a finding at all, and not only how the case must end? */
static bool expects_finding(const char *expects)
{
	char word[64];

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(expects, " ,;"),
		 expects);
	return claw_finding_kind_find(word) >= 0;
}

/* The first finding that one of the expectations ("invalid-write global 12,
 * race") is of. */
static const struct claw_finding *find_expected(const struct claw_result *result)
{
	char *copy = claw_strdup(result->expects ? result->expects : "");
	char *rest = copy, *one, error[256];
	const struct claw_finding *found = NULL;

	while (rest && !found && (one = strsep(&rest, ",;"))) {
		struct claw_expected_finding expected;

		if (claw_expected_finding_parse(one, &expected, error,
						sizeof(error)) < 0)
			continue;
		for (size_t i = 0; result->findings && !found &&
		     i < result->findings->count; i++)
			if (is_found(&expected, result,
				     &result->findings->items[i]))
				found = &result->findings->items[i];
	}
	free(copy);
	/* Its cause, where what must be seen is a wrong result. */
	if (!found && claw_verdict_class(result->verdict) == 'p' &&
	    result->findings && result->findings->count > 0 &&
	    expects_finding(result->expects))
		found = &result->findings->items[0];
	return found;
}

static enum outcome look_without_finding(const struct claw_result *result,
					 char *text, size_t size)
{
	const char *seen = result->seen ? result->seen : "";
	char class = claw_verdict_class(result->verdict);

	if (class == 's' && !*seen) {
		snprintf(text, size, "-");
		return NOT_RUN;
	}
	if (class == 'u') {
		snprintf(text, size, "%s", claw_verdict_name(result->verdict));
		return UNKNOWN;
	}
	snprintf(text, size, "%s", *seen ? seen : class == 'p' &&
		 !expects_finding(result->expects) ? "as expected" : "MISSED");
	if (strcmp(seen, "no check") == 0)
		return NO_CHECK;
	if (class == 'p' && !expects_finding(result->expects))
		return CAUGHT;
	return *seen ? NOTICED : MISSED;
}

/* A cell: what it is, and its words. */
static enum outcome look(const struct claw_result *result, char *text,
			 size_t size)
{
	const struct claw_finding *found = result && result->expects ?
		find_expected(result) : NULL;

	snprintf(text, size, "-");
	if (!result || !result->expects)
		return NOT_RUN;
	if (!found)
		return look_without_finding(result, text, size);
	if (found->line)
		snprintf(text, size, "line %u", found->line);
	else
		snprintf(text, size, "%s",
			 claw_finding_kind_name(found->kind));
	return CAUGHT;
}

/* A clean case: silent, or what was seen. */
static bool is_silent(const struct claw_result *result)
{
	char class = claw_verdict_class(result->verdict);

	return (class == 'p' || class == 's') &&
	       (!result->findings || result->findings->count == 0);
}

static void look_at_clean(const struct claw_result *result, char *text,
			  size_t size)
{
	const char *seen = result && result->seen ? result->seen : "";

	if (!result || claw_verdict_class(result->verdict) == 's')
		snprintf(text, size, "-");
	else if (is_silent(result))
		snprintf(text, size, "silent");
	else
		snprintf(text, size, "%s%s%s",
			 claw_verdict_name(result->verdict), *seen ? ": " : "",
			 seen);
}

/* ---- fixed versions -------------------------------------------------------------- */

/* Does clean, with a "_bug" put in where a word ends, give planted? One planted
 * test may have a fixed version of several, "NAME.TEST" each. */
static bool is_twin(const char *planted, const char *clean)
{
	static const char mark[] = "_bug";

	for (const char *at = planted; (at = strstr(at, mark)); at++) {
		size_t before = (size_t)(at - planted);
		const char *behind = at + strlen(mark);

		if ((*behind == '\0' || *behind == '.') &&
		    strncmp(planted, clean, before) == 0 &&
		    (strcmp(behind, clean + before) == 0 ||
		     (*behind == '\0' && clean[before] == '.')))
			return true;
	}
	return false;
}

static const struct claw_report_row *
find_twin(const struct claw_report_cases *cases,
	  const struct claw_report_row *planted)
{
	for (size_t i = 0; i < cases->row_count; i++)
		if (strcmp(cases->rows[i].suite, planted->suite) == 0 &&
		    is_twin(planted->name, cases->rows[i].name) &&
		    !expects_of(cases, &cases->rows[i]))
			return &cases->rows[i];
	return NULL;
}

/* ---- tables ------------------------------------------------------------- */

static void put_head(FILE *out, const struct claw_report_cases *cases,
		     const char *first)
{
	fprintf(out, "| %s |", first);
	for (size_t i = 0; i < cases->tool_count; i++) {
		fputc(' ', out);
		claw_report_put_markdown(out, cases->tools[i]);
		fputs(" |", out);
	}
	fputs("\n|", out);
	for (const char *c = first; *c; c++)
		if (c == first || *c == '|')
			fputs(" --- |", out);
	for (size_t i = 0; i < cases->tool_count; i++)
		fputs(" --- |", out);
	fputc('\n', out);
}

static void put_name(FILE *out, const struct claw_report_row *row)
{
	claw_report_put_markdown(out, row->suite);
	fputs(*row->suite ? "/" : "", out);
	claw_report_put_markdown(out, row->name);
}

static void put_planted(FILE *out, const struct claw_report_cases *cases)
{
	put_head(out, cases, "case | expected");
	for (size_t i = 0; i < cases->row_count; i++) {
		const struct claw_report_row *row = &cases->rows[i];
		const char *expects = expects_of(cases, row);
		char text[128];

		if (!expects)
			continue;
		fputs("| ", out);
		put_name(out, row);
		fputs(" | ", out);
		claw_report_put_markdown(out, expects);
		for (size_t t = 0; t < cases->tool_count; t++) {
			look(claw_report_cases_find(row, t), text,
			     sizeof(text));
			fputs(" | ", out);
			claw_report_put_markdown(out, text);
		}
		fputs(" |\n", out);
	}
}

/* Is it the fixed version of any planted bug? */
static bool is_clean_twin(const struct claw_report_cases *cases,
			  const struct claw_report_row *row)
{
	for (size_t i = 0; i < cases->row_count; i++)
		if (strcmp(cases->rows[i].suite, row->suite) == 0 &&
		    is_twin(cases->rows[i].name, row->name) &&
		    expects_of(cases, &cases->rows[i]))
			return !expects_of(cases, row);
	return false;
}

static size_t put_clean(FILE *out, const struct claw_report_cases *cases)
{
	size_t count = 0;

	put_head(out, cases, "fixed version");
	for (size_t i = 0; i < cases->row_count; i++) {
		const struct claw_report_row *row = &cases->rows[i];
		char text[128];

		if (!is_clean_twin(cases, row))
			continue;
		count++;
		fputs("| ", out);
		put_name(out, row);
		for (size_t t = 0; t < cases->tool_count; t++) {
			look_at_clean(claw_report_cases_find(row, t), text,
				      sizeof(text));
			fputs(" | ", out);
			claw_report_put_markdown(out, text);
		}
		fputs(" |\n", out);
	}
	return count;
}

/* ---- totals -------------------------------------------------------------- */

/* "invalid-write" of "invalid-write global 12, race". */
static size_t kind_length(const char *expects)
{
	return strcspn(expects, " ,;");
}

static bool has_kind(const char *expects, const char *kind, size_t length)
{
	return expects && kind_length(expects) == length &&
	       strncmp(expects, kind, length) == 0;
}

/* Was the kind of row i met in an earlier one? */
static bool is_first_of_kind(const struct claw_report_cases *cases, size_t i,
			     const char *expects)
{
	for (size_t j = 0; j < i; j++)
		if (has_kind(expects_of(cases, &cases->rows[j]), expects,
			     kind_length(expects)))
			return false;
	return true;
}

/* "24 of 24"; what only had an effect, and what the tool has no check for,
 * are told apart. */
static void put_total(FILE *out, const struct claw_report_cases *cases,
		      const char *kind, size_t length, size_t tool)
{
	size_t run = 0, caught = 0, noticed = 0, no_check = 0;
	char text[128];

	for (size_t i = 0; i < cases->row_count; i++) {
		const struct claw_report_row *row = &cases->rows[i];
		enum outcome outcome;

		if (!has_kind(expects_of(cases, row), kind, length))
			continue;
		outcome = look(claw_report_cases_find(row, tool), text,
			       sizeof(text));
		run += outcome != NOT_RUN;
		caught += outcome == CAUGHT;
		noticed += outcome == NOTICED;
		no_check += outcome == NO_CHECK;
	}
	if (run == 0)
		fputs(" | -", out);
	else if (no_check == run)
		fputs(" | no check", out);
	else
		fprintf(out, " | %zu of %zu", caught, run);
	if (noticed > 0)
		fprintf(out, ", %zu by its effect", noticed);
	if (no_check > 0 && no_check < run)
		fprintf(out, ", no check for %zu", no_check);
}

static void put_totals(FILE *out, const struct claw_report_cases *cases)
{
	put_head(out, cases, "kind");
	for (size_t i = 0; i < cases->row_count; i++) {
		const char *expects = expects_of(cases, &cases->rows[i]);

		if (!expects || !is_first_of_kind(cases, i, expects))
			continue;
		fprintf(out, "| %.*s", (int)kind_length(expects), expects);
		for (size_t t = 0; t < cases->tool_count; t++)
			put_total(out, cases, expects, kind_length(expects),
				  t);
		fputs(" |\n", out);
	}
}

/* ": a, b" behind a count of cases that want a look. */
static void put_names(FILE *out, const struct claw_report_cases *cases,
		      bool (*is_one)(const struct claw_report_cases *cases,
				     const struct claw_report_row *row))
{
	const char *comma = ": ";

	for (size_t i = 0; i < cases->row_count; i++) {
		if (!is_one(cases, &cases->rows[i]))
			continue;
		fputs(comma, out);
		put_name(out, &cases->rows[i]);
		comma = ", ";
	}
	fputc('\n', out);
}

static size_t count_rows(const struct claw_report_cases *cases,
			 bool (*is_one)(const struct claw_report_cases *cases,
					const struct claw_report_row *row))
{
	size_t count = 0;

	for (size_t i = 0; i < cases->row_count; i++)
		count += is_one(cases, &cases->rows[i]);
	return count;
}

static bool is_planted(const struct claw_report_cases *cases,
		       const struct claw_report_row *row)
{
	return expects_of(cases, row) != NULL;
}

static bool is_uncaught(const struct claw_report_cases *cases,
			const struct claw_report_row *row)
{
	char text[128];

	if (!expects_of(cases, row))
		return false;
	for (size_t t = 0; t < cases->tool_count; t++)
		if (look(claw_report_cases_find(row, t), text, sizeof(text)) ==
		    CAUGHT)
			return false;
	return true;
}

static bool lacks_twin(const struct claw_report_cases *cases,
		       const struct claw_report_row *row)
{
	return expects_of(cases, row) && !find_twin(cases, row);
}

/* A case without a planted bug about which a tool had something to say. */
static bool is_noisy(const struct claw_report_cases *cases,
		     const struct claw_report_row *row)
{
	if (expects_of(cases, row))
		return false;
	for (size_t t = 0; t < cases->tool_count; t++) {
		const struct claw_result *result =
			claw_report_cases_find(row, t);

		if (result && !is_silent(result))
			return true;
	}
	return false;
}

static bool is_noisy_twin(const struct claw_report_cases *cases,
			  const struct claw_report_row *row)
{
	return is_clean_twin(cases, row) && is_noisy(cases, row);
}

static bool is_noisy_other(const struct claw_report_cases *cases,
			   const struct claw_report_row *row)
{
	return !is_clean_twin(cases, row) && is_noisy(cases, row);
}

static void put_count(FILE *out, const struct claw_report_cases *cases,
		      const char *what,
		      bool (*is_one)(const struct claw_report_cases *cases,
				     const struct claw_report_row *row))
{
	fprintf(out, "- %s: %zu", what, count_rows(cases, is_one));
	put_names(out, cases, is_one);
}

static void put_counts(FILE *out, const struct claw_report_cases *cases,
		       size_t twins)
{
	fprintf(out, "\n- planted bugs: %zu\n", count_rows(cases, is_planted));
	put_count(out, cases, "caught by no tool", is_uncaught);
	put_count(out, cases, "without a fixed version in this run", lacks_twin);
	fprintf(out, "- fixed versions: %zu\n", twins);
	put_count(out, cases, "fixed versions with findings", is_noisy_twin);
	put_count(out, cases, "other cases with findings", is_noisy_other);
}

/* ---- the page ------------------------------------------------------------ */

/* A command line without the directory that its results went to. */
static void put_command(FILE *out, const char *line)
{
	static const char *const options[] = { " --output ", " -o " };

	while (*line) {
		size_t skipped = 0;

		for (size_t i = 0; i < 2; i++)
			if (strncmp(line, options[i], strlen(options[i])) == 0)
				skipped = strlen(options[i]);
		if (skipped)
			line += skipped + strcspn(line + skipped, " ");
		else
			fputc(*line++, out);
	}
}

static void put_ground(FILE *out, const struct claw_report_head *head)
{
	if (head->command_line) {
		fputs("\n## Made by\n\n    openclaw ", out);
		put_command(out, head->command_line);
		fputs("\n    openclaw report --format detection DIR\n", out);
	}
	if (head->environment_count > 0)
		fputs("\n## Ran on\n\n", out);
	for (size_t i = 0; i < head->environment_count; i++) {
		const struct claw_environment_entry *entry =
			&head->environment[i];

		/* Which machine it was is nothing for a page that is kept. */
		if (!entry->configuration || !entry->key ||
		    strcmp(entry->key, "jobs") == 0)
			continue;
		fputs("- ", out);
		claw_report_put_markdown(out, entry->configuration);
		fputc(' ', out);
		claw_report_put_markdown(out, entry->key);
		fputs(": ", out);
		claw_report_put_markdown(out, entry->value ? entry->value : "");
		fputc('\n', out);
	}
}

static int detection_begin(FILE *out, const struct claw_report_head *head,
			   void **ret_state)
{
	struct state *state = claw_calloc(1, sizeof(*state));

	(void)out;
	state->head = head;
	*ret_state = state;
	return 0;
}

static void detection_result(FILE *out, void *user,
			     const struct claw_result *result)
{
	struct state *state = user;

	(void)out;
	state->results++;
	claw_report_cases_add(&state->cases, result);
}

static int detection_end(FILE *out, void *user)
{
	struct state *state = user;
	const struct claw_report_cases *cases = &state->cases;
	char missing[CLAW_REPORT_MISSING];
	size_t twins;

	fputs("<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
	      "# What the tools see\n\n"
	      "Every planted bug, and what each tool saw of it: the line that "
	      "it named, or the\nbug's kind where it knows no line; else what "
	      "came of the bug (a wrong result, a\nsignal); `no check` where "
	      "the tool has no check for that kind of bug and nothing\ncame of "
	      "it; MISSED where it has a check and said nothing; - where it "
	      "did not run. The\nline of a wrong result is that of the "
	      "value that the test expects.\n\nHost programs that look at "
	      "OpenCL's own answers (leaked events, lost devices) are\nnot "
	      "here: their tests have the planted bug and its fixed version "
	      "side by side.\n\n", out);
	if (claw_report_missing(state->head, state->results, missing,
				sizeof(missing)))
		fprintf(out, "**%s.**\n\n", missing);
	put_planted(out, cases);
	fputs("\n## Fixed versions\n\n"
	      "The same kernels without the bug: every tool must be silent."
	      "\n\n", out);
	twins = put_clean(out, cases);
	fputs("\n## Totals\n\n", out);
	put_totals(out, cases);
	put_counts(out, cases, twins);
	put_ground(out, state->head);
	claw_report_cases_release(&state->cases);
	free(state);
	return 0;
}

const struct claw_report_format claw_report_detection = {
	.summary = "Markdown page of planted bugs and what each tool found",
	.begin = detection_begin, .result = detection_result,
	.end = detection_end,
};
