/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Print and record what a session's files say: leaks here, errors with
 * found_report.c.
 */
#include "config.h"

#include "check_report.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "reports/report.h"
#include "found_report.h"

void claw_check_print_process(FILE *out, const struct claw_leak_scan *scan,
			      uint32_t pid)
{
	const struct claw_leak_process *process =
		claw_leak_scan_find(scan, pid);

	if (scan->process_count > 1 && process)
		fprintf(out, " (%s %u, %s)", process->forked ?
			"forked child" : "process", pid, process->exe);
}

/* The leak's text, and what is to be told of its process and time;
 * malloced. */
static char *whole_text(const struct claw_check_view *view,
			const struct claw_leak_scan *scan,
			const struct claw_leak *leak)
{
	char *words = claw_leak_text(leak), *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fputs(words, out);
	free(words);
	if (view->when)
		fprintf(out, ", alive %s", view->when);
	claw_check_print_process(out, scan, leak->pid);
	claw_text_end(out);
	return text;
}

void claw_check_print_lines(FILE *out, const char *indent, const char *text)
{
	while (text && *text) {
		size_t length = strcspn(text, "\n");
		char *line = claw_strndup(text, length);

		fputs(indent, out);
		claw_report_put(out, line);
		fputc('\n', out);
		free(line);
		text += length + (text[length] == '\n');
	}
}

/* ---- leaks that read the same -------------------------------------------- */

enum { CALLERS_SHOWN = 3 };

/* The first frame of the one that the other has not: "main (x.c:12)", within
 * the stack; *ret_length 0: there is none. */
static const char *first_other_frame(const char *stack, const char *other,
				     size_t *ret_length)
{
	while (*stack) {
		size_t length = strcspn(stack, "\n");

		if (strcspn(other, "\n") != length ||
		    strncmp(stack, other, length) != 0) {
			size_t skipped = strspn(stack, " #0123456789");

			*ret_length = length > skipped ? length - skipped : 0;
			return stack + skipped;
		}
		stack += length + (stack[length] == '\n');
		other += length + (other[length] == '\n');
	}
	*ret_length = 0;
	return stack;
}

/* "; the same from 13 callers: a (x.c:3), b (x.c:9), c (x.c:21) ..." of the
 * leaks from `first` on whose texts are equal; those are no more told of. */
static void print_callers(FILE *out, const struct claw_leaks *leaks,
			  char **texts, size_t first)
{
	const char *comma = "", *stack = leaks->items[first].stack;
	size_t same = 1, shown = 0, second = 0;

	for (size_t i = first + 1; i < leaks->count; i++)
		if (texts[i] && strcmp(texts[i], texts[first]) == 0) {
			second = second ? second : i;
			same++;
		}
	if (same == 1)
		return;
	fprintf(out, "; the same from %zu callers", same);
	for (size_t i = first; i < leaks->count; i++) {
		size_t length = 0;
		const char *frame;

		if (!texts[i] || strcmp(texts[i], texts[first]) != 0)
			continue;
		frame = first_other_frame(leaks->items[i].stack, i == first ?
					  leaks->items[second].stack : stack,
					  &length);
		if (length > 0 && shown++ < CALLERS_SHOWN) {
			char *name = claw_strndup(frame, length);

			fputs(*comma ? comma : ": ", out);
			claw_report_put(out, name);
			free(name);
			comma = ", ";
		}
	}
	if (shown > CALLERS_SHOWN)
		fputs(" ...", out);
}

static void print_stack(FILE *out, const struct claw_leak *leak)
{
	claw_check_print_lines(out, "", leak->stack);
	claw_check_print_lines(out, "    keeps alive: ", leak->held_text);
}

/* A line, with its own and equal leaks' stacks where they are wanted; what is
 * printed is freed. texts: NULL where a leak has none. */
static void print_leak(FILE *out, const struct claw_check_view *view,
		       const struct claw_leaks *leaks, char **texts,
		       size_t first)
{
	char *text = texts[first];

	fprintf(out, "%s%s%s: %s", view->prefix, view->color ? "\033[31m" : "",
		view->is_now ? "alive" : "leak", view->color ? "\033[0m" : "");
	claw_report_put(out, text);
	print_callers(out, leaks, texts, first);
	fputc('\n', out);
	for (size_t i = first; i < leaks->count; i++) {
		if (!texts[i] || strcmp(texts[i], text) != 0)
			continue;
		if (view->verbose)
			print_stack(out, &leaks->items[i]);
		if (i != first)
			free(texts[i]);
		texts[i] = NULL;
	}
	free(text);
}

static void print_leaks(FILE *out, const struct claw_check_view *view,
			const struct claw_leak_scan *scan)
{
	const struct claw_leaks *leaks = &scan->leaks;
	char **texts = claw_calloc(leaks->count, sizeof(*texts));

	for (size_t i = 0; i < leaks->count; i++)
		if (claw_check_counts_leak(view, &leaks->items[i]))
			texts[i] = whole_text(view, scan, &leaks->items[i]);
	for (size_t i = 0; i < leaks->count; i++)
		if (texts[i])
			print_leak(out, view, leaks, texts, i);
	free(texts);
}

void claw_check_print(FILE *out, const struct claw_check_view *view,
		      const struct claw_check_scan *scan)
{
	claw_found_print(out, view, scan);
	print_leaks(out, view, &scan->leaks);
}

static bool is_looked_for(const struct claw_check_view *view,
			  enum claw_suppression_kind kind)
{
	switch (kind) {
	case CLAW_SUPPRESS_LIFETIME:
		return view->find & CLAW_FOUND_LIFETIME;
	case CLAW_SUPPRESS_GUARDS:
		return view->find & CLAW_FOUND_GUARDS;
	case CLAW_SUPPRESS_KERNELS:
		return view->find & CLAW_FOUND_KERNELS;
	default:
		return view->leaks;
	}
}

void claw_check_print_unused(FILE *out, const struct claw_check_view *view,
			     const struct claw_suppressions *suppressions)
{
	for (size_t i = 0; i < suppressions->count; i++) {
		const struct claw_suppression *one = &suppressions->items[i];

		if (one->used > 0 || !is_looked_for(view, one->kind))
			continue;
		fprintf(out, "%s%s: unused suppression: %s:", view->prefix,
			one->origin, claw_suppression_kind_name(one->kind));
		claw_report_put(out, one->glob);
		fputc('\n', out);
	}
}

static bool is_written(const struct claw_check_view *view,
		       const struct claw_leaks *leaks, size_t index)
{
	const struct claw_leak *leak = &leaks->items[index];

	for (size_t i = 0; i < index; i++)
		if (claw_check_counts_leak(view, &leaks->items[i]) &&
		    strcmp(leaks->items[i].name, leak->name) == 0 &&
		    strcmp(leaks->items[i].api, leak->api) == 0)
			return true;
	return false;
}

void claw_check_write_suppressions(FILE *out,
				   const struct claw_check_view *view,
				   const struct claw_check_scan *scan)
{
	const struct claw_leaks *leaks = &scan->leaks.leaks;

	claw_found_write_suppressions(out, view, &scan->found.groups);
	for (size_t i = 0; i < leaks->count; i++)
		if (claw_check_counts_leak(view, &leaks->items[i]) &&
		    !is_written(view, leaks, i))
			claw_leak_write_suppression(&leaks->items[i], out);
}

static char *detail_of(const struct claw_leak *leak)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fputs(leak->stack, out);
	if (leak->held_text)
		claw_check_print_lines(out, "    keeps alive: ",
				       leak->held_text);
	claw_text_end(out);
	return text;
}

static int record_leak(struct claw_records *records,
		       const struct claw_check_view *view,
		       const struct claw_leak_scan *scan,
		       const struct claw_leak *leak,
		       const struct claw_result *common)
{
	struct claw_result result = *common;
	char *text = whole_text(view, scan, leak);
	char *leak_name = claw_leak_name(leak), *detail = detail_of(leak);
	const char *by = leak->suppressed_by;
	char *name = claw_format("%s: %s", common->item, leak_name);
	char *message = claw_format("%s%s%s%s",
				    by ? "suppressed by leak:" : "",
				    by ? by : "", by ? ": " : "", text);
	int ret;

	result.name = name;
	result.message = message;
	result.detail = detail;
	result.file = leak->file;
	result.line = leak->line;
	result.verdict = by ? CLAW_XFAIL : CLAW_LEAK;
	if (by)
		result.reproduce = NULL;
	ret = claw_records_result(records, &result);
	free(text);
	free(leak_name);
	free(name);
	free(message);
	free(detail);
	return ret;
}

int claw_check_record(struct claw_records *records,
		      const struct claw_check_view *view,
		      const struct claw_check_scan *scan, const char *program,
		      const char *fault, const char *reproduce,
		      uint64_t duration_us)
{
	struct claw_result common = {
		.suite = "check", .configuration = "native", .item = program,
		.duration_us = duration_us, .fault = fault,
		.reproduce = reproduce, .attempt = 1,
	};
	const struct claw_leaks *leaks = &scan->leaks.leaks;
	int ret = claw_found_record(records, view, scan, &common);

	for (size_t i = 0; view->leaks && ret == 0 && i < leaks->count; i++) {
		const struct claw_leak *leak = &leaks->items[i];

		if (leak->suppressed_by || claw_check_counts_leak(view, leak))
			ret = record_leak(records, view, &scan->leaks, leak,
					  &common);
	}
	return ret;
}
