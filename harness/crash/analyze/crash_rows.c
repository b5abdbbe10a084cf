/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The head of the report: fault type, address, instruction, registers. OpenCL
 * has no way to ask for most of them: what nobody told is not available.
 */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "harness/crash/facts/crash_kernel.h"
#include "crash_report.h"
#include "harness/crash/facts/crash_words.h"
#include "harness/crash/dump/dump_log.h"
#include "harness/base/memory.h"
#include "harness/base/words.h"

static const char not_available[] = "not available";

/* ---- fault type ------------------------------------------------------- */

static const char *type_of_signal(int number, bool is_gpu)
{
	switch (number) {
	case SIGSEGV:
	case SIGBUS:
		return is_gpu ? "GPU_MEMORY_SEGFAULT" :
			"HOST_MEMORY_ACCESS_VIOLATION";
	case SIGFPE:
		return is_gpu ? "GPU_ARITHMETIC_FAULT" :
			"HOST_ARITHMETIC_FAULT";
	case SIGILL:
		return is_gpu ? "GPU_ILLEGAL_INSTRUCTION" :
			"HOST_ILLEGAL_INSTRUCTION";
	case SIGABRT:
		return is_gpu ? "GPU_FAULT" : "HOST_ABORT";
	default:
		return is_gpu ? "GPU_FAULT" : "HOST_SIGNAL";
	}
}

/* As the layer has it in its log. */
static const char *type_of_code(int32_t code)
{
	return code == -9999 || code == -1127 ? "GPU_MEMORY_SEGFAULT" :
		"GPU_FAULT";
}

/* What oclgrind saw, or NULL. */
static const char *type_of_finding(const struct claw_finding *finding)
{
	if (finding->kind == CLAW_FINDING_MISALIGNED)
		return "GPU_MISALIGNED_ACCESS";
	if (finding->kind != CLAW_FINDING_INVALID_READ &&
	    finding->kind != CLAW_FINDING_INVALID_WRITE)
		return NULL;
	switch (finding->space) {
	case CLAW_SPACE_LOCAL:
		return "LOCAL_MEMORY_ACCESS_VIOLATION";
	case CLAW_SPACE_CONSTANT:
		return "CONSTANT_MEMORY_ACCESS_VIOLATION";
	case CLAW_SPACE_PRIVATE:
		return "PRIVATE_MEMORY_ACCESS_VIOLATION";
	default:
		return "GLOBAL_MEMORY_ACCESS_VIOLATION";
	}
}

/* The first line of the kernel's log that has an address. */
static bool line_with_address(const struct claw_dump *dump,
			      struct claw_dmesg_line *line)
{
	const char *at = dump->dmesg;

	while (claw_dump_log_next(dump, &at, line))
		if (line->has_address)
			return true;
	return false;
}

static const char *type_of_gpu(const struct claw_crash_view *view)
{
	const struct claw_crash *crash = view->crash;
	struct claw_dmesg_line line;
	const char *type = NULL;

	if (view->deep && view->deep->first)
		type = type_of_finding(view->deep->first);
	if (!type && line_with_address(view->dump, &line) && line.xid == 31)
		type = "GLOBAL_MEMORY_ACCESS_VIOLATION";
	if (!type)
		type = crash->signal ? type_of_signal(crash->signal, true) :
			type_of_code(crash->result);
	return type;
}

/* "clw-kernel-timeout" as KERNEL_TIMEOUT. */
static void put_code(FILE *out, const char *code)
{
	for (code += strncmp(code, "clw-", 4) == 0 ? 4 : 0; *code; code++)
		fputc(*code == '-' ? '_' : toupper((unsigned char)*code), out);
}

static bool is_injected(const struct claw_crash_view *view)
{
	const struct claw_trace_call *call =
		claw_crash_call(view->facts, view->crash->call);
	const struct claw_trace_call *launch =
		claw_crash_call(view->facts, view->crash->launch);

	return (call && claw_crash_is_injected(call)) ||
	       (launch && launch->fault && claw_crash_is_injected(launch));
}

static void put_type(FILE *out, const struct claw_crash_view *view)
{
	const struct claw_crash *crash = view->crash;

	switch (crash->kind) {
	case CLAW_CRASH_NONE:
		fputs("none", out);
		return;
	case CLAW_CRASH_SIGNAL:
		/* Below it nobody knows whose code it was. */
		fputs(crash->percent < 50 ? "UNKNOWN" :
		      type_of_signal(crash->signal, false), out);
		break;
	case CLAW_CRASH_DRIVER:
		fputs("DRIVER_CRASH", out);
		break;
	case CLAW_CRASH_KILLED:
		fputs("KILLED", out);
		break;
	case CLAW_CRASH_GPU:
		if (strcmp(crash->code, "clw-gpu-crash") == 0) {
			fputs(type_of_gpu(view), out);
			break;
		}
		/* fall through */
	default:
		if (crash->kind == CLAW_CRASH_ERROR || !*crash->code)
			fputs(crash->result ? claw_crash_result_name(
				crash->result) : not_available, out);
		else
			put_code(out, crash->code);
	}
	if (crash->signal)
		fprintf(out, " (%s)", claw_signal_name(crash->signal));
	fputs(is_injected(view) ? " (INJECTED)" : "", out);
}

/* ---- addresses -------------------------------------------------------- */

static void put_address(FILE *out, const struct claw_crash_view *view)
{
	struct claw_dmesg_line line;

	if (view->crash->has_address)
		fprintf(out, "0x%" PRIX64, view->crash->address);
	else if (view->crash->kind == CLAW_CRASH_GPU &&
		 line_with_address(view->dump, &line))
		fprintf(out, "0x%" PRIX64 " (the kernel's log)", line.address);
	else
		fputs(not_available, out);
}

static void put_counter(FILE *out, const struct claw_crash_view *view)
{
	uint64_t counter = claw_crash_counter(view->facts);

	if (counter)
		fprintf(out, "0x%" PRIX64, counter);
	else
		fputs(not_available, out);
}

/* "kernel: matmul, line 12 of its source": where oclgrind saw it, else where
 * the kernel begins. */
static void put_kernel(FILE *out, const struct claw_crash_view *view)
{
	const struct claw_finding *first = view->deep ? view->deep->first :
		NULL;
	struct claw_crash_kernel kernel;

	if (first && first->line) {
		fprintf(out, " (kernel: %s, %s%sline %u: oclgrind)",
			first->kernel, first->file, *first->file ? ", " : "",
			first->line);
		return;
	}
	if (!view->crash->kernel)
		return;
	fprintf(out, " (kernel: %s", view->crash->kernel);
	if (claw_crash_kernel_find(view->dump->trace, claw_trace_launched(
			claw_crash_call(view->facts, view->crash->launch)),
			&kernel)) {
		fprintf(out, ", which begins at line %u of its source",
			kernel.line);
		if (kernel.text_count > 1)
			fprintf(out, "'s text %u", kernel.source);
	}
	fputc(')', out);
}

static void put_pointer(FILE *out, const struct claw_crash_view *view)
{
	put_counter(out, view);
	if (view->crash->kernel && (view->crash->kind == CLAW_CRASH_GPU ||
				    view->deep))
		put_kernel(out, view);
	else if (view->crash->where)
		fprintf(out, " (%s)", view->crash->where);
}

/* ---- work-item -------------------------------------------------------- */

static void put_triple(FILE *out, const char *numbers)
{
	fputc('(', out);
	for (; *numbers; numbers++) {
		fputc(*numbers, out);
		if (*numbers == ',')
			fputc(' ', out);
	}
	fputc(')', out);
}

static void put_item(FILE *out, const struct claw_crash_view *view)
{
	const struct claw_crash_deep *deep = view->deep;

	if (!deep || !deep->first || !deep->local_item) {
		fputs(not_available, out);
		return;
	}
	put_triple(out, deep->local_item);
	fputs(" of the group", out);
	if (*deep->first->work_item) {
		fputs(", global ", out);
		put_triple(out, deep->first->work_item);
	}
	fputs(" (oclgrind)", out);
}

static void put_group(FILE *out, const struct claw_crash_view *view)
{
	if (!view->deep || !view->deep->group) {
		fputs(not_available, out);
		return;
	}
	put_triple(out, view->deep->group);
	fputs(" (oclgrind)", out);
}

char *claw_crash_row(const struct claw_crash_view *view,
		     enum claw_crash_report_row row)
{
	static void (*const puts_row[CLAW_CRASH_ROWS])(
		FILE *, const struct claw_crash_view *) = {
		[CLAW_CRASH_ROW_TYPE] = put_type,
		[CLAW_CRASH_ROW_ADDRESS] = put_address,
		[CLAW_CRASH_ROW_POINTER] = put_pointer,
		[CLAW_CRASH_ROW_PC] = put_counter,
		[CLAW_CRASH_ROW_ADDR] = put_address,
		[CLAW_CRASH_ROW_GROUP] = put_group,
		[CLAW_CRASH_ROW_ITEM] = put_item,
	};
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	puts_row[row](out, view);
	claw_text_end(out);
	return text;
}
