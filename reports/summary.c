/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A page of Markdown for a pull request or a job's summary: what ran where,
 * how much of it passed, and what did not.
 */
#include "config.h"

#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/records/past_run.h"
#include "coverage_part.h"
#include "event_rows.h"
#include "swept.h"

/* GitHub shows a page of 1 MiB at most. */
enum {
	DETAIL_LINES = 40,
	PROBLEMS_BYTES = 500 * 1024,
	PAGE_BYTES = 900 * 1024,
	CUT_BYTES = 200,	/* for what is said of a cut */
};

/* A code block: indented, so that no text can end it. */
static const char code_indent[] = "    ";

struct block {
	char *name;
	uint64_t counts[CLAW_VERDICT_COUNT], flaky;
};

struct state {
	const struct claw_report_head *head;
	struct block *blocks;
	size_t block_count;
	char *problems;		/* Markdown of what did not pass */
	size_t problems_size;
	FILE *to_problems;
	uint64_t problems_left_out;
	struct claw_report_swept swept;
	struct claw_report_events events;	/* of a soak */
};

static int summary_begin(FILE *out, const struct claw_report_head *head,
			 void **ret_state)
{
	struct state *state = claw_calloc(1, sizeof(*state));

	(void)out;
	state->head = head;
	state->to_problems = claw_text_begin(&state->problems,
					    &state->problems_size);
	*ret_state = state;
	return 0;
}

static struct block *find_block(struct state *state, const char *name)
{
	struct block *blocks;

	for (size_t i = 0; i < state->block_count; i++)
		if (strcmp(state->blocks[i].name, name) == 0)
			return &state->blocks[i];
	blocks = claw_grow(state->blocks, state->block_count + 1,
			   sizeof(*blocks));
	state->blocks = blocks;
	blocks += state->block_count;
	memset(blocks, 0, sizeof(*blocks));
	blocks->name = claw_strdup(name);
	state->block_count++;
	return blocks;
}

static void put_problem(const struct state *state, const char *block,
			const struct claw_result *result)
{
	FILE *out = state->to_problems;

	fputs("### ", out);
	claw_report_put_markdown(out, block);
	fputs(": ", out);
	claw_report_put_markdown(out, result->name ? result->name : "");
	fprintf(out, " %s\n\n", claw_verdict_name(result->verdict));
	if (result->file && result->line) {
		claw_report_put_markdown(out, claw_report_path(state->head,
							       result->file));
		fprintf(out, ":%u ", result->line);
	}
	if (result->message)
		claw_report_put_markdown(out, result->message);
	fputs("\n\n", out);
	if (result->fault)
		claw_report_lines(out, code_indent, result->fault,
				  DETAIL_LINES);
	claw_report_findings(out, code_indent, state->head, result);
	if (result->detail)
		claw_report_lines(out, code_indent, result->detail,
				  DETAIL_LINES);
	if (result->reproduce) {
		fputs("\nReproduce:\n\n", out);
		claw_report_lines(out, code_indent, result->reproduce,
				  DETAIL_LINES);
	}
	fputc('\n', out);
}

/* As long as there is room on the page. */
static void add_problem(struct state *state, const char *block,
			const struct claw_result *result)
{
	long before = ftell(state->to_problems);

	if (before < PROBLEMS_BYTES)
		put_problem(state, block, result);
	else
		state->problems_left_out++;
}

static void summary_result(FILE *out, void *user,
			   const struct claw_result *result)
{
	struct state *state = user;
	char class = claw_verdict_class(result->verdict);
	char *name = claw_report_block(result);
	struct block *block = find_block(state, name);

	(void)out;
	block->counts[result->verdict]++;
	block->flaky += result->flaky;
	if (claw_report_is_point(result))
		claw_report_swept_add(&state->swept, result);
	else if (class == 'f' || class == 'u')
		add_problem(state, name, result);
	free(name);
}

static void summary_event(FILE *out, void *user,
			  const struct claw_soak_event *event)
{
	(void)out;
	claw_report_events_add(&((struct state *)user)->events, event);
}

static void put_blocks(FILE *out, const struct state *state)
{
	fputs("| | passed | others |\n| --- | --- | --- |\n", out);
	for (size_t i = 0; i < state->block_count; i++) {
		const struct block *block = &state->blocks[i];
		uint64_t total = 0, passed = 0;
		const char *comma = "";

		for (int v = 0; v < CLAW_VERDICT_COUNT; v++) {
			total += block->counts[v];
			if (claw_verdict_class((enum claw_verdict)v) == 'p')
				passed += block->counts[v];
		}
		fputs("| ", out);
		claw_report_put_markdown(out, block->name);
		fprintf(out, " | %" PRIu64 "/%" PRIu64 " | ", passed, total);
		for (int v = 0; v < CLAW_VERDICT_COUNT; v++) {
			if (block->counts[v] == 0 ||
			    claw_verdict_class((enum claw_verdict)v) == 'p')
				continue;
			fprintf(out, "%s%" PRIu64 " %s", comma,
				block->counts[v],
				claw_verdict_name((enum claw_verdict)v));
			comma = ", ";
		}
		if (block->flaky > 0)
			fprintf(out, "%s%" PRIu64 " flaky", comma,
				block->flaky);
		fputs(" |\n", out);
	}
}

static void put_changes(FILE *out, const struct claw_report_head *head)
{
	if (!head->compared_with)
		return;
	fputs("\n## Compared with ", out);
	claw_report_put_markdown(out, head->compared_with);
	fputs("\n\n", out);
	claw_report_change_counts(out, head);
	fputs("\n\n", out);
	for (size_t i = 0; i < head->change_count; i++) {
		const struct claw_change *change = &head->changes[i];
		char *key = claw_case_key_text((struct claw_case_key){
			change->suite, change->name, change->configuration });

		fprintf(out, "- %s: ", claw_change_kind_name(change->kind));
		claw_report_put_markdown(out, key ? key : "");
		fputs(change->text ? ": " : "", out);
		claw_report_put_markdown(out, change->text ? change->text : "");
		fputc('\n', out);
		free(key);
	}
	if (head->compared_text) {
		fputc('\n', out);
		claw_report_put_markdown(out, head->compared_text);
		fputc('\n', out);
	}
}

static void put_environment(FILE *out, const struct claw_report_head *head)
{
	const char *title = "\n## Ran on\n\n";

	for (size_t i = 0; i < head->environment_count; i++) {
		const struct claw_environment_entry *entry =
			&head->environment[i];

		if (claw_report_same(entry->key, CLAW_SWEEP_CALLED) ||
		    claw_report_same(entry->key, CLAW_SWEEP_UNRUN) ||
		    claw_report_same(entry->key, CLAW_SWEEP_UNRUN_ELSEWHERE))
			continue;
		fputs(title, out);
		title = "";
		fputs("- ", out);
		if (entry->configuration) {
			claw_report_put_markdown(out, entry->configuration);
			fputc(' ', out);
		}
		claw_report_put_markdown(out, entry->key ? entry->key : "");
		fputs(": ", out);
		claw_report_put_markdown(out, entry->value ? entry->value : "");
		fputc('\n', out);
	}
}

static void put_rest(FILE *out, const struct claw_report_head *head)
{
	put_changes(out, head);
	for (size_t i = 0; i < head->rule_count; i++) {
		fputs(i == 0 ? "\n## Rules\n\n- " : "- ", out);
		claw_report_put_markdown(out, head->rules[i].rule ?
					 head->rules[i].rule : "");
		fprintf(out, ": matched %" PRIu64 ", fired %" PRIu64 "\n",
			head->rules[i].matched, head->rules[i].fired);
	}
	put_environment(out, head);
	if (head->note_count > 0)
		fputs("\n## Notes\n\n", out);
	for (size_t i = 0; i < head->note_count; i++) {
		fputs("- ", out);
		claw_report_put_markdown(out, head->notes[i] ?
					 head->notes[i] : "");
		fputc('\n', out);
	}
	if (head->command_line) {
		fputs("\n## Command\n\n", out);
		claw_report_lines(out, code_indent, head->command_line,
				  DETAIL_LINES);
	}
}

static void put_page(FILE *out, struct state *state)
{
	const struct claw_report_head *head = state->head;
	char missing[CLAW_REPORT_MISSING];

	fputs("# openclaw ", out);
	claw_report_put_markdown(out, claw_report_title(head));
	fputs("\n\n", out);
	if (claw_report_missing(head, head->result_count, missing,
				sizeof(missing))) {
		fprintf(out, "**%.*s:**", (int)strcspn(missing, ":"), missing);
		claw_report_put_markdown(out, strchr(missing, ':') + 1);
		fputs(".\n\n", out);
	}
	put_blocks(out, state);
	claw_report_events_markdown(out, head, &state->events);
	claw_report_swept_print(out, head, &state->swept);
	claw_report_put_coverage_markdown(out, head);
	if (fclose(state->to_problems) == 0 && state->problems_size > 0)
		fprintf(out, "\n## Failures\n\n%s", state->problems);
	if (state->problems_left_out > 0)
		fprintf(out, "%" PRIu64 " more failures are omitted from this "
			"page.\n",
			state->problems_left_out);
	put_rest(out, head);
}

/* Whole lines of it, and how much is missing. */
static void put_cut(FILE *out, const char *page, size_t size)
{
	size_t end = size;

	if (size > PAGE_BYTES) {
		end = PAGE_BYTES - CUT_BYTES;
		while (end > 0 && page[end - 1] != '\n')
			end--;
	}
	fwrite(page, 1, end, out);
	if (end < size)
		fprintf(out, "\n"
			"**Truncated:** %zu bytes of this page are omitted.\n",
			size - end);
}

static int summary_end(FILE *out, void *user)
{
	struct state *state = user;
	char *page = NULL;
	size_t size = 0;
	FILE *to_page = claw_text_begin(&page, &size);

	put_page(to_page, state);
	claw_text_end(to_page);
	put_cut(out, page, size);
	for (size_t i = 0; i < state->block_count; i++)
		free(state->blocks[i].name);
	claw_report_swept_release(&state->swept);
	claw_report_events_release(&state->events);
	free(page);
	free(state->blocks);
	free(state->problems);
	free(state);
	return 0;
}

const struct claw_report_format claw_report_summary = {
	.summary = "a page of Markdown",
	.begin = summary_begin, .result = summary_result, .end = summary_end,
	.event = summary_event,
};
