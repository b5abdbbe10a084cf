/* SPDX-License-Identifier: Apache-2.0 */
/* List what a dump holds of a program's and a person's data. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "dump_head.h"
#include "harness/base/memory.h"

/* What the contents of a trace are for. */
enum use { USE_NONE, USE_BUFFER, USE_SOURCE, USE_COUNT };

struct sums {
	uint64_t count[USE_COUNT], bytes[USE_COUNT];
	uint64_t hashes;	/* of which there are no bytes */
};

static void mark(unsigned char *uses, uint32_t count, uint32_t content,
		 enum use use)
{
	if (content && content <= count && uses[content - 1] < use)
		uses[content - 1] = (unsigned char)use;
}

static void mark_call(unsigned char *uses, uint32_t count,
		      const struct claw_trace_call *call)
{
	for (uint32_t i = 0; i < call->arg_count; i++) {
		const struct claw_trace_arg *arg = &call->args[i];

		for (uint32_t j = 0; arg->contents && j < arg->count; j++)
			mark(uses, count, arg->contents[j],
			     arg->kind == CLAW_ARG_TEXTS ? USE_SOURCE :
			     USE_BUFFER);
	}
	for (uint32_t i = 0; i < call->kernel_arg_count; i++)
		mark(uses, count, call->kernel_args[i].before, USE_BUFFER);
}

static void sum_contents(const struct claw_trace *trace, struct sums *sums)
{
	unsigned char *uses = claw_calloc((size_t)trace->content_count + 1, 1);

	for (uint32_t i = 0; i < trace->call_count; i++)
		mark_call(uses, trace->content_count, &trace->calls[i]);
	for (uint32_t i = 0; i < trace->object_count; i++)
		mark(uses, trace->content_count,
		     trace->objects[i].first_content, USE_BUFFER);
	for (uint32_t i = 0; i < trace->content_count; i++) {
		enum use use = (enum use)uses[i];

		if (!trace->contents[i].bytes) {
			sums->hashes++;
			continue;
		}
		if (use == USE_NONE)
			use = USE_BUFFER;
		sums->count[use]++;
		sums->bytes[use] += trace->contents[i].length;
	}
	free(uses);
}

static void put_count(FILE *out, uint64_t count, const char *one,
		      const char *many)
{
	fprintf(out, "%" PRIu64 " %s", count, count == 1 ? one : many);
}

static void put_contents(FILE *out, const struct claw_trace *trace)
{
	struct sums sums = { .hashes = 0 };

	sum_contents(trace, &sums);
	fputs("  program sources: ", out);
	put_count(out, sums.count[USE_SOURCE], "text", "texts");
	fprintf(out, ", %" PRIu64 " bytes%s\n", sums.bytes[USE_SOURCE],
		sums.count[USE_SOURCE] ? " (personal: your code)" : "");
	fputs("  buffer contents: ", out);
	put_count(out, sums.count[USE_BUFFER], "content", "contents");
	fprintf(out, ", %" PRIu64 " bytes%s", sums.bytes[USE_BUFFER],
		sums.count[USE_BUFFER] ? " (personal: your data)" : "");
	if (sums.hashes) {
		fputs("; of ", out);
		put_count(out, sums.hashes, "more as hash only",
			  "more as hashes only");
	}
	fprintf(out, "\n  calls: %" PRIu32 ", of %" PRIu32 " objects%s\n",
		trace->call_count, trace->object_count, trace->redacted ?
		", without values" : ", with their arguments");
}

/* Launches without the contents that they were to have. */
static void put_unread(FILE *out, const struct claw_trace *trace)
{
	static const char *const why[CLAW_UNREAD_REASONS] = {
		[CLAW_UNREAD_CALLBACK] = "within a callback",
		[CLAW_UNREAD_WAITS] = "while something waited for the program",
		[CLAW_UNREAD_FAILED] = "after a device had failed",
	};

	for (size_t i = 0; i < CLAW_UNREAD_REASONS; i++) {
		if (!trace->unread[i])
			continue;
		fputs("  not the buffers that ", out);
		put_count(out, trace->unread[i], "launch was given",
			  "launches were given");
		fprintf(out, ": could not be read: %s\n", why[i]);
	}
}

static void put_environment(FILE *out, const json_t *environment)
{
	const char *name, *separator = ": ";
	json_t *value;

	fputs("  environment: ", out);
	put_count(out, json_object_size(environment), "variable", "variables");
	fputs(" of those that change OpenCL", out);
	json_object_foreach((json_t *)(uintptr_t)environment, name, value) {
		fprintf(out, "%s%s", separator, name);
		separator = ", ";
	}
	fputc('\n', out);
}

char *claw_dump_holds(const struct claw_dump *dump)
{
	size_t words = json_array_size(json_object_get(dump->meta, "argv"));
	char *text = NULL;
	size_t size = 0;
	FILE *out = claw_text_begin(&text, &size);

	put_environment(out, json_object_get(dump->meta, "environment"));
	fputs("  command line: ", out);
	put_count(out, words, "word", "words");
	fputs(words ? " (personal)\n" : "\n", out);
	if (json_object_get(dump->meta, "working_directory"))
		fputs("  the name of the working directory (personal)\n", out);
	if (dump->trace)
		put_contents(out, dump->trace);
	if (dump->trace)
		put_unread(out, dump->trace);
	if (dump->journal)
		fputs("  the journal: counters, call sites in the program, "
		      "paths of its libraries\n", out);
	if (dump->ledger)
		fputs("  the list of live objects\n", out);
	if (dump->stacks)
		fputs("  stacks\n", out);
	if (dump->out || dump->err)
		fputs("  the end of its output (personal)\n", out);
	if (dump->dmesg && *dump->dmesg)
		fputs("  kernel log lines about devices\n", out);
	if (json_object_get(dump->meta, "opencl"))
		fputs("  names and versions of the machine, its loader, "
		      "drivers and devices\n", out);
	claw_text_end(out);
	return text;
}
