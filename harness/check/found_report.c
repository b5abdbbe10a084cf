/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Print and record the findings of a session.
 */
#include "config.h"

#include "found_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "reports/report.h"
#include "harness/base/words.h"

/* Is it a note that is to be shown? */
static bool is_shown_note(const struct claw_check_view *view,
			  const struct claw_found_group *group)
{
	return view->notes && view->find & claw_found_kind_mode(group->kind) &&
		claw_found_kind_is_note(group->kind) && !group->suppressed_by;
}

/* With what is to be told of its processes; malloced. */
static char *whole_text(const struct claw_leak_scan *processes,
			const struct claw_found_group *group)
{
	char *words = claw_found_text(group), *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fprintf(out, "%s: %s", claw_found_kind_title(group->kind), words);
	free(words);
	if (group->processes > 1)
		fprintf(out, " (%zu processes)", group->processes);
	else
		claw_check_print_process(out, processes, group->pid);
	claw_text_end(out);
	return text;
}

static void print_group(FILE *out, const struct claw_check_view *view,
			const struct claw_leak_scan *processes,
			const struct claw_found_group *group)
{
	bool is_note = claw_found_kind_is_note(group->kind);
	char *text = whole_text(processes, group);
	size_t title = strlen(claw_found_kind_title(group->kind));

	fputs(view->prefix, out);
	if (is_note)
		fputs("note: ", out);
	fprintf(out, "%s%.*s%s", view->color && !is_note ? "\033[31m" : "",
		(int)title, text, view->color && !is_note ? "\033[0m" : "");
	claw_report_put(out, text + title);
	fputc('\n', out);
	free(text);
	if (!view->verbose)
		return;
	text = claw_found_stacks(group);
	claw_check_print_lines(out, "", text);
	free(text);
}

static void print_bare(FILE *out, const struct claw_check_view *view,
		       const struct claw_found_scan *scan)
{
	char *bare = view->find & CLAW_FOUND_GUARDS ?
		claw_found_bare_text(scan) : NULL;

	/* Otherwise it is the reason why nothing can be said. */
	if (bare && scan->counts[CLAW_COUNT_GUARDED] > 0)
		fprintf(out, "%s%s\n", view->prefix, bare);
	free(bare);
}

/* Counted only where they were looked for. */
static void print_not_closed(FILE *out, const struct claw_check_view *view,
			     const struct claw_found_scan *scan)
{
	char *text = view->find & CLAW_FOUND_LIFETIME ?
		claw_found_not_closed_text(scan) : NULL;

	if (text)
		fprintf(out, "%s%s\n", view->prefix, text);
	free(text);
}

void claw_found_print(FILE *out, const struct claw_check_view *view,
		      const struct claw_check_scan *scan)
{
	const struct claw_found_groups *groups = &scan->found.groups;

	for (size_t i = 0; i < groups->count; i++)
		if (claw_check_counts_found(view, &groups->items[i]) ||
		    is_shown_note(view, &groups->items[i]))
			print_group(out, view, &scan->leaks, &groups->items[i]);
	print_bare(out, view, &scan->found);
	print_not_closed(out, view, &scan->found);
}

/* ---- counts -------------------------------------------------------------- */

static const struct {
	enum claw_found_count count;
	const char *one, *several;
} counted[] = {
	{ CLAW_COUNT_HELD_BACK, "final release was deferred",
	  "final releases were deferred" },
	{ CLAW_COUNT_NOT_HELD, "final release was not deferred: a later use "
	  "of that object may be mistaken for the use of a new one",
	  "final releases were not deferred: later uses of those objects may "
	  "be mistaken for uses of new ones" },
	{ CLAW_COUNT_COMMANDS, "command was tracked",
	  "commands were tracked" },
	{ CLAW_COUNT_EARLY_CLOSED, "non-blocking read was checked for loads "
	  "before a wait", "non-blocking reads were checked for loads before "
	  "a wait" },
	{ CLAW_COUNT_FREES, "call of free() was seen",
	  "calls of free() were seen" },
};

void claw_check_print_counts(FILE *out, const struct claw_check_view *view,
			     const struct claw_check_scan *scan)
{
	const uint64_t *counts = scan->found.counts;

	if (!(view->find & CLAW_FOUND_LIFETIME))
		return;
	for (size_t i = 0; i < sizeof(counted) / sizeof(*counted); i++) {
		uint64_t count = counts[counted[i].count];

		if (count == 0 || !view->verbose)
			continue;
		fputs(view->prefix, out);
		claw_print_count(out, count);
		fprintf(out, " %s\n", count == 1 ? counted[i].one :
			counted[i].several);
	}
	if (scan->found.process_count > 0 &&
	    !(scan->found.modes & CLAW_FOUND_HEAP))
		fprintf(out, "%sthe program's calls of free() were not seen: "
			"host memory freed too early was not checked\n",
			view->prefix);
}

/* ---- suppressions -------------------------------------------------------- */

/* Is the same line there already? */
static bool is_written(const struct claw_check_view *view,
		       const struct claw_found_groups *groups, size_t index,
		       const char *chain)
{
	bool is_same = false;

	for (size_t i = 0; i < index && !is_same; i++) {
		char *other = claw_check_counts_found(view, &groups->items[i]) ?
			claw_found_chain(&groups->items[i]) : NULL;

		is_same = other && strcmp(other, chain) == 0;
		free(other);
	}
	return is_same;
}

void claw_found_write_suppressions(FILE *out,
				   const struct claw_check_view *view,
				   const struct claw_found_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++) {
		const struct claw_found_group *group = &groups->items[i];
		char *chain = claw_check_counts_found(view, group) ?
			claw_found_chain(group) : NULL;

		if (chain && !is_written(view, groups, i, chain))
			claw_found_write_suppression(group, out);
		free(chain);
	}
}

/* ---- records ------------------------------------------------------------- */

static int record_group(struct claw_records *records,
			const struct claw_leak_scan *processes,
			const struct claw_found_group *group,
			const struct claw_result *common)
{
	bool is_sanitizer = claw_found_kind_is_sanitizer(group->kind);
	const char *by = group->suppressed_by;
	struct claw_result result = *common;
	char *text = whole_text(processes, group);
	char *chain = claw_found_chain(group);
	char *stacks = claw_found_stacks(group);
	char *name = claw_format("%s: %s", common->item, chain);
	char *message = claw_format("%s%s%s%s%s%s", by ? "suppressed by " : "",
				    by ? claw_found_suppression(group->kind) :
				    "", by ? ":" : "", by ? by : "",
				    by ? ": " : "", text);
	int ret;

	result.name = name;
	result.message = message;
	result.detail = stacks;
	result.file = group->access.file ? group->access.file :
		group->where[0].site.file;
	result.line = group->access.file ? group->access.line :
		group->where[0].site.line;
	result.code = claw_found_kind_code(group->kind);
	result.verdict = by ? CLAW_XFAIL : is_sanitizer ? CLAW_SANITIZER :
		CLAW_MISUSE;
	if (by)
		result.reproduce = NULL;
	ret = claw_records_result(records, &result);
	free(text);
	free(chain);
	free(stacks);
	free(name);
	free(message);
	return ret;
}

static int record_note(struct claw_records *records,
		       const struct claw_leak_scan *processes,
		       const struct claw_found_group *group)
{
	char *text = whole_text(processes, group);
	int ret = claw_records_note(records, text);

	free(text);
	return ret;
}

static int record_bare(struct claw_records *records,
		       const struct claw_check_view *view,
		       const struct claw_found_scan *scan)
{
	char *bare = view->find & CLAW_FOUND_GUARDS ?
		claw_found_bare_text(scan) : NULL;
	int ret = bare ? claw_records_note(records, bare) : 0;

	free(bare);
	return ret;
}

int claw_found_record(struct claw_records *records,
		      const struct claw_check_view *view,
		      const struct claw_check_scan *scan,
		      const struct claw_result *common)
{
	const struct claw_found_groups *groups = &scan->found.groups;
	int ret = record_bare(records, view, &scan->found);

	for (size_t i = 0; ret == 0 && i < groups->count; i++) {
		const struct claw_found_group *group = &groups->items[i];
		bool is_wanted = view->find & claw_found_kind_mode(group->kind);

		if (is_shown_note(view, group))
			ret = record_note(records, &scan->leaks, group);
		else if (is_wanted && !claw_found_kind_is_note(group->kind))
			ret = record_group(records, &scan->leaks, group,
					   common);
	}
	return ret;
}
