/* SPDX-License-Identifier: Apache-2.0 */
/* The report in words. */
#include "config.h"

#include "crash_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/crash/facts/crash_memory.h"
#include "harness/crash/facts/crash_suspects.h"
#include "harness/crash/facts/crash_words.h"
#include "harness/crash/dump/dump_log.h"
#include "harness/base/memory.h"
#include "harness/base/words.h"

enum { SUSPECTS_MAX = 12 };	/* launches that are named */

static void print_row(const struct claw_crash_view *view, const char *title,
		      enum claw_crash_report_row row)
{
	char *text = claw_crash_row(view, row);

	fprintf(view->out, "%s%s\n", title, text);
	free(text);
}

/* Those of the processor, on a driver for CPUs: four a line. */
static void print_registers(const struct claw_crash_view *view)
{
	const char *at = claw_crash_registers(view->facts);

	at += strcspn(at, " ");		/* the PC has its own row */
	at += *at == ' ';
	for (unsigned int i = 0; *at; i++) {
		int length = (int)strcspn(at, " ");

		fprintf(view->out, "%s%.*s%s", i % 4 ? " " : "  ", length, at,
			i % 4 == 3 || !at[length] ? "\n" : "");
		at += length + (at[length] == ' ');
	}
}

static void print_head(const struct claw_crash_view *view)
{
	fputs("CRASH ANALYSIS REPORT\n=====================\n", view->out);
	print_row(view, "Fault Type:        ", CLAW_CRASH_ROW_TYPE);
	print_row(view, "Fault Address:     ", CLAW_CRASH_ROW_ADDRESS);
	print_row(view, "Instruction Ptr:   ", CLAW_CRASH_ROW_POINTER);
	fputs("Register State:\n", view->out);
	print_row(view, "  PC: ", CLAW_CRASH_ROW_PC);
	print_row(view, "  ADDR: ", CLAW_CRASH_ROW_ADDR);
	print_row(view, "  WGRP_ID: ", CLAW_CRASH_ROW_GROUP);
	print_row(view, "  THREAD_ID: ", CLAW_CRASH_ROW_ITEM);
	print_registers(view);
}

/* ---- what it is about ------------------------------------------------- */

static const char *meta_text(const struct claw_crash_view *view,
			     const char *name)
{
	return json_string_value(json_object_get(view->dump->meta, name));
}

static void print_program(const struct claw_crash_view *view)
{
	const json_t *argv = json_object_get(view->dump->meta, "argv");
	const char *program = meta_text(view, "program");

	if (!program && !json_array_size(argv))
		return;
	fputs("Program:           ", view->out);
	if (!json_array_size(argv))
		fputs(program, view->out);
	for (size_t i = 0; i < json_array_size(argv); i++) {
		const char *word = json_string_value(json_array_get(argv, i));

		fprintf(view->out, "%s%s", i ? " " : "", word ? word : "?");
	}
	fputc('\n', view->out);
}

static void print_end(const struct claw_crash_view *view)
{
	const struct claw_crash_facts *f = view->facts;

	fputs("Ended:             ", view->out);
	if (strcmp(f->trigger, "timeout") == 0)
		fputs("at its time limit", view->out);
	else if (f->signal)
		fprintf(view->out, "by %s", claw_signal_name(f->signal));
	else if (f->status >= 0)
		fprintf(view->out, "with status %d", f->status);
	else
		fputs(strcmp(f->trigger, "request") == 0 ?
		      "running when the dump was requested" :
		      "unknown", view->out);
	if (view->crash->where)
		fprintf(view->out, ", at %s", view->crash->where);
	fputc('\n', view->out);
}

static void print_about(const struct claw_crash_view *view)
{
	const struct claw_crash *crash = view->crash;
	const char *device = claw_crash_device_name(view->dump);
	const char *when = meta_text(view, "captured_at");

	fputs("\nDiagnosis:         ", view->out);
	if (*crash->code)
		fprintf(view->out, "%s (confidence %u %%)\n", crash->code,
			crash->percent);
	else if (crash->kind == CLAW_CRASH_NONE && crash->percent)
		fprintf(view->out, "none: it succeeded\n");
	else
		fprintf(view->out, "none that openclaw has a code for "
			"(%s, confidence %u %%)\n",
			claw_crash_kind_name(crash->kind), crash->percent);
	fprintf(view->out, "Signature:         %s\n", crash->signature);
	print_program(view);
	if (device)
		fprintf(view->out, "Device:            %s\n", device);
	print_end(view);
	if (when)
		fprintf(view->out, "Captured:          %s\n", when);
}

/* ---- why -------------------------------------------------------------- */

static void print_causes(const struct claw_crash_view *view)
{
	const struct claw_crash *crash = view->crash;

	if (crash->kind == CLAW_CRASH_NONE && crash->percent)
		return;
	fputs("\nLikely causes:\n", view->out);
	if (crash->cause_count == 0)
		fputs("  unknown: no evidence in the dump\n",
		      view->out);
	for (size_t i = 0; i < crash->cause_count; i++)
		fprintf(view->out, "  %zu. (%u %%) %s\n     %s\n", i + 1,
			crash->causes[i].percent, crash->causes[i].text,
			crash->causes[i].evidence);
}

static void print_stack(const struct claw_crash_view *view)
{
	const char *threads = json_string_value(
		json_object_get(view->dump->stacks, "text"));
	char *stack = view->facts->crash ?
		claw_crash_stack(view->facts, view->facts->crash->site) : NULL;

	if (stack && *stack)
		fprintf(view->out, "\nStack where it crashed:\n%s", stack);
	else if (threads)
		fprintf(view->out, "\nStacks:\n%s", threads);
	free(stack);
}

static void print_fit(const struct claw_crash_view *view,
		      const struct claw_dmesg_line *line)
{
	switch (claw_dump_log_fit(view->dump, line)) {
	case CLAW_LOG_OTHER:
		fprintf(view->out, "    no evidence here: of another process "
			"(%" PRIu64 "%s%s)\n", line->pid, *line->name ? " " :
			"", line->name);
		break;
	case CLAW_LOG_OLDER:
		fputs("    no evidence: from before the program started, or "
		      "of another boot\n", view->out);
		break;
	case CLAW_LOG_UNKNOWN:
		fputs("    may or may not be about this process: ",
		      view->out);
		fputs(line->pid ? "same name, different number\n" :
		      "it names no process and no time since boot\n",
		      view->out);
		break;
	default:
		break;
	}
}

static void print_log(const struct claw_crash_view *view)
{
	const char *at = view->dump->dmesg;
	struct claw_dmesg_line line;
	bool any = false;

	while (claw_dmesg_next(&at, &line)) {
		fprintf(view->out, "%s  %.*s\n", any ? "" :
			"\nKernel's log:\n", (int)line.length, line.text);
		any = true;
		if (line.xid)
			fprintf(view->out, "    Xid %u: %s; most often the "
				"%s%s%s\n", line.xid, line.meaning, line.whose,
				line.code ? "; " : "",
				line.code ? line.code : "");
		else
			fprintf(view->out, "    %s; most often the %s\n",
				line.meaning, line.whose);
		print_fit(view, &line);
	}
}

/* ---- deep ------------------------------------------------------------- */

static void print_bounds(const struct claw_crash_view *view)
{
	const struct claw_crash_deep *deep = view->deep;

	if (deep->is_null)
		fprintf(view->out, "    at address 0x%" PRIX64 ", near NULL\n",
			deep->offset);
	if (!deep->has_offset)
		return;
	fprintf(view->out, "    at byte %" PRIu64 " of its buffer",
		deep->offset);
	if (deep->argument >= 0) {
		fprintf(view->out, ", argument %" PRId64 ", which has ",
			deep->argument);
		claw_crash_put_bytes(view->out, deep->bytes);
		fprintf(view->out, ": bounds [0x0, 0x%" PRIX64 ")",
			deep->bytes);
	}
	fputc('\n', view->out);
}

/* Where nothing else told the launches apart: which are of the kernel that it
 * was seen in. */
static void print_suspects(const struct claw_crash_view *view)
{
	const struct claw_crash_facts *f = view->facts;
	const char *kernel = view->deep->first ? view->deep->first->kernel :
		"";
	const char *between = "    of the launches that had not finished "
		"these are of that kernel: ";

	if (f->alike < 2 || !*kernel)
		return;
	for (uint32_t i = 1, left = SUSPECTS_MAX;
	     left && i <= f->trace->call_count; i++) {
		if (!claw_crash_is_open(f, i) ||
		    strcmp(claw_crash_kernel_of(f, i), kernel) != 0)
			continue;
		fprintf(view->out, "%s#%" PRIu32, between,
			claw_crash_call(f, i)->number);
		between = --left > 1 ? ", " : ", ..., ";
	}
	fputs(*between == ',' ? "\n" : "    none of the launches that had not "
	      "finished is of that kernel\n", view->out);
}

static void print_deep(const struct claw_crash_view *view)
{
	const struct claw_crash_deep *deep = view->deep;
	char *sentence;

	if (!deep)
		return;
	fputs("\n"
	      "First invalid access (replayed under oclgrind; it may differ "
	      "from the place of the crash):\n",
	      view->out);
	if (deep->why)
		fprintf(view->out, "  not available: %s\n", deep->why);
	else if (!deep->first)
		fputs("  none: oclgrind reports nothing for these launches\n",
		      view->out);
	for (size_t i = 0; i < deep->found.count; i++) {
		sentence = claw_finding_sentence(&deep->found.items[i]);
		fprintf(view->out, "  %s\n", sentence ? sentence : "");
		free(sentence);
		if (&deep->found.items[i] == deep->first) {
			print_bounds(view);
			print_suspects(view);
		}
	}
	if (deep->left_out)
		fprintf(view->out, "  (the replay: %s)\n", deep->left_out);
}

/* ---- gaps, and what to do --------------------------------------------- */

char *claw_crash_gaps(const struct claw_crash_view *view)
{
	const struct claw_dump *dump = view->dump;
	const struct claw_trace *trace = view->facts->trace;
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	if (!dump->whole && dump->damaged)
		fprintf(out, "the dump is damaged: %" PRIu32 " section%s "
			"unreadable, the rest is analysed\n", dump->damaged,
			dump->damaged == 1 ? "" : "s");
	else if (!dump->whole)
		fputs("the dump is truncated: the remaining part is analysed\n",
		      out);
	if (!dump->whole)
		fputs("its text header (head FILE) describes the complete "
		      "dump\n", out);
	if (!dump->trace)
		fputs("it has no calls\n", out);
	if (trace->damaged)
		fprintf(out, "%" PRIu64 " record%s of calls %s damaged\n",
			trace->damaged, trace->damaged == 1 ? "" : "s",
			trace->damaged == 1 ? "is" : "are");
	if (trace->forgotten)
		fprintf(out, "note: %" PRIu64 " older calls were dropped "
			"(capture --ring)\n", trace->forgotten);
	if (trace->redacted)
		fputs("note: the dump is redacted: no sources, no arguments\n", out);
	claw_text_end(out);
	if (text && !*text) {
		free(text);
		text = NULL;
	}
	return text;
}

bool claw_crash_is_answered(const struct claw_crash_view *view)
{
	const struct claw_crash *crash = view->crash;

	if (!view->dump->whole || view->facts->trace->damaged)
		return false;
	return crash->percent > 0 && (crash->kind == CLAW_CRASH_NONE ||
				      crash->cause_count > 0);
}

static void print_gaps(const struct claw_crash_view *view)
{
	char *text = claw_crash_gaps(view);

	if (text)
		fprintf(view->out, "\nIncomplete:\n%s", text);
	free(text);
}

static void print_next(const struct claw_crash_view *view)
{
	struct claw_crash_next next[CLAW_CRASH_NEXT_MAX];
	size_t count = claw_crash_next_find(view, next);

	if (count)
		fputs("\nNext:\n", view->out);
	for (size_t i = 0; i < count; i++)
		fprintf(view->out, "  # %s\n  %s\n", next[i].what,
			next[i].command);
	claw_crash_next_release(next, count);
}

void claw_crash_print(const struct claw_crash_view *view)
{
	print_head(view);
	print_about(view);
	print_causes(view);
	print_deep(view);
	claw_crash_print_calls(view);
	print_stack(view);
	claw_crash_print_said(view);
	claw_crash_print_objects(view);
	claw_crash_print_timeline(view);
	print_log(view);
	print_gaps(view);
	print_next(view);
}
