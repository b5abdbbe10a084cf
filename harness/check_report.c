/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Print and record the leaks of a session.
 */
#include "config.h"

#include "check_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../reports/report.h"
#include "errors.h"

bool claw_check_counts(const struct claw_check_view *view,
		       const struct claw_leak *leak)
{
	return !leak->suppressed_by &&
		(view->which == CLAW_LEAK_ALL || leak->definite);
}

struct claw_check_tally claw_check_tally(const struct claw_check_view *view,
					 const struct claw_leak_scan *scan)
{
	struct claw_check_tally tally = { 0 };

	for (size_t i = 0; i < scan->leaks.count; i++) {
		const struct claw_leak *leak = &scan->leaks.items[i];

		if (claw_check_counts(view, leak)) {
			tally.leaks++;
			tally.leaked += leak->count;
		} else if (leak->suppressed_by) {
			tally.suppressed += leak->count;
		} else {
			tally.kept += leak->count;
		}
	}
	return tally;
}

/* "1 object", "1,441 objects" */
static void print_number(FILE *out, uint64_t count, const char *noun)
{
	claw_leak_print_count(out, count);
	fprintf(out, " %s%s", noun, count == 1 ? "" : "s");
}

static void print_number_of_processes(FILE *out, size_t count)
{
	fprintf(out, " (%zu process%s)", count, count == 1 ? "" : "es");
}

static void print_suppressed(FILE *out, const struct claw_check_tally *tally)
{
	if (tally->suppressed == 0)
		return;
	fputs("; ", out);
	print_number(out, tally->suppressed, "object");
	fputs(tally->suppressed == 1 ? " is" : " are", out);
	fputs(" suppressed", out);
}

static void print_kept(FILE *out, const struct claw_check_view *view,
		       const struct claw_check_tally *tally)
{
	if (tally->kept == 0)
		return;
	fputs("; ", out);
	print_number(out, tally->kept, tally->leaks ? "more object" : "object");
	fprintf(out, " %s alive %s (--leak-check=all lists %s)",
		tally->kept == 1 ? "is" : "are",
		view->is_now ? "now" : view->when ? view->when : "at the end",
		tally->kept == 1 ? "it" : "them");
}

static void print_now(FILE *out, const struct claw_leak_scan *scan,
		      const struct claw_check_tally *tally)
{
	print_number(out, tally->leaked, "object");
	fputs(" of ", out);
	claw_leak_print_count(out, scan->made);
	fprintf(out, " made %s alive now", tally->leaked == 1 ? "is" : "are");
}

static void print_end(FILE *out, const struct claw_leak_scan *scan,
		      const struct claw_check_tally *tally)
{
	if (tally->leaks > 0) {
		print_number(out, tally->leaks, "leak");
		fputs(": ", out);
		print_number(out, tally->leaked, "object");
		fputs(" of ", out);
		claw_leak_print_count(out, scan->made);
	} else {
		fputs("no leaks: ", out);
		print_number(out, scan->made, "object");
	}
	fputs(" made", out);
	if (scan->made > 0 && scan->alive == 0)
		fputs(", all released", out);
}

char *claw_check_summary(const struct claw_check_view *view,
			 const struct claw_leak_scan *scan)
{
	struct claw_check_tally tally = claw_check_tally(view, scan);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (view->is_now)
		print_now(out, scan, &tally);
	else
		print_end(out, scan, &tally);
	print_number_of_processes(out, scan->process_count);
	print_suppressed(out, &tally);
	print_kept(out, view, &tally);
	return fclose(out) == 0 ? text : NULL;
}

/* The leak's text, and what is to be told of its process and time; malloced,
 * NULL without memory. */
static char *whole_text(const struct claw_check_view *view,
			const struct claw_leak_scan *scan,
			const struct claw_leak *leak)
{
	const struct claw_leak_process *process =
		claw_leak_scan_find(scan, leak->pid);
	char *words = claw_leak_text(leak), *text = NULL;
	size_t size;
	FILE *out = words ? open_memstream(&text, &size) : NULL;

	if (!out) {
		free(words);
		return NULL;
	}
	fputs(words, out);
	free(words);
	if (view->when)
		fprintf(out, ", alive %s", view->when);
	if (scan->process_count > 1 && process)
		fprintf(out, " (%s %u, %s)", process->forked ?
			"forked child" : "process", leak->pid, process->exe);
	return fclose(out) == 0 ? text : NULL;
}

static void print_lines(FILE *out, const char *indent, const char *text)
{
	while (text && *text) {
		size_t length = strcspn(text, "\n");
		char *line = strndup(text, length);

		fputs(indent, out);
		claw_report_put(out, line ? line : "out of memory");
		fputc('\n', out);
		free(line);
		text += length + (text[length] == '\n');
	}
}

static void print_leak(FILE *out, const struct claw_check_view *view,
		       const struct claw_leak_scan *scan,
		       const struct claw_leak *leak)
{
	char *text = whole_text(view, scan, leak);

	fprintf(out, "%s%s%s: %s", view->prefix, view->color ? "\033[31m" : "",
		view->is_now ? "alive" : "leak", view->color ? "\033[0m" : "");
	claw_report_put(out, text ? text : "out of memory");
	fputc('\n', out);
	free(text);
	if (!view->verbose)
		return;
	print_lines(out, "", leak->stack);
	print_lines(out, "    keeps alive: ", leak->held_text);
}

void claw_check_print(FILE *out, const struct claw_check_view *view,
		      const struct claw_leak_scan *scan)
{
	for (size_t i = 0; i < scan->leaks.count; i++)
		if (claw_check_counts(view, &scan->leaks.items[i]))
			print_leak(out, view, scan, &scan->leaks.items[i]);
}

void claw_check_print_unused(FILE *out, const struct claw_check_view *view,
			     const struct claw_suppressions *suppressions)
{
	for (size_t i = 0; i < suppressions->count; i++)
		if (suppressions->items[i].used == 0) {
			fprintf(out, "%s%s: kept nothing silent: leak:",
				view->prefix, suppressions->items[i].origin);
			claw_report_put(out, suppressions->items[i].glob);
			fputc('\n', out);
		}
}

static bool is_written(const struct claw_check_view *view,
		       const struct claw_leaks *leaks, size_t index)
{
	const struct claw_leak *leak = &leaks->items[index];

	for (size_t i = 0; i < index; i++)
		if (claw_check_counts(view, &leaks->items[i]) &&
		    strcmp(leaks->items[i].name, leak->name) == 0 &&
		    strcmp(leaks->items[i].api, leak->api) == 0)
			return true;
	return false;
}

void claw_check_write_suppressions(FILE *out,
				   const struct claw_check_view *view,
				   const struct claw_leak_scan *scan)
{
	for (size_t i = 0; i < scan->leaks.count; i++)
		if (claw_check_counts(view, &scan->leaks.items[i]) &&
		    !is_written(view, &scan->leaks, i))
			claw_leak_write_suppression(&scan->leaks.items[i], out);
}

static char *detail_of(const struct claw_leak *leak)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs(leak->stack, out);
	if (leak->held_text)
		print_lines(out, "    keeps alive: ", leak->held_text);
	return fclose(out) == 0 ? text : NULL;
}

static int record_leak(struct claw_records *records,
		       const struct claw_check_view *view,
		       const struct claw_leak_scan *scan,
		       const struct claw_leak *leak,
		       const struct claw_result *common)
{
	struct claw_result result = *common;
	char *text = whole_text(view, scan, leak);
	char *leak_name = claw_leak_name(leak);
	char *name = NULL, *message = NULL, *detail = detail_of(leak);
	int ret = -CLAW_E_NO_MEMORY;

	if (!text || !leak_name || !detail ||
	    asprintf(&name, "%s: %s", common->item, leak_name) < 0 ||
	    asprintf(&message, "%s%s%s%s", leak->suppressed_by ?
		     "suppressed by leak:" : "", leak->suppressed_by ?
		     leak->suppressed_by : "", leak->suppressed_by ? ": " : "",
		     text) < 0)
		goto out;
	result.name = name;
	result.message = message;
	result.detail = detail;
	result.file = leak->file;
	result.line = leak->line;
	result.verdict = leak->suppressed_by ? CLAW_XFAIL : CLAW_LEAK;
	if (leak->suppressed_by)
		result.reproduce = NULL;
	ret = claw_records_result(records, &result);
out:
	free(text);
	free(leak_name);
	free(name);
	free(message);
	free(detail);
	return ret;
}

int claw_check_record(struct claw_records *records,
		      const struct claw_check_view *view,
		      const struct claw_leak_scan *scan, const char *program,
		      const char *fault, const char *reproduce,
		      uint64_t duration_us)
{
	struct claw_result common = {
		.suite = "check", .configuration = "native", .item = program,
		.duration_us = duration_us, .fault = fault,
		.reproduce = reproduce, .attempt = 1,
	};
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < scan->leaks.count; i++) {
		const struct claw_leak *leak = &scan->leaks.items[i];

		if (leak->suppressed_by || claw_check_counts(view, leak))
			ret = record_leak(records, view, scan, leak, &common);
	}
	return ret;
}
