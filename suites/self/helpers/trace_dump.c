/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a trace says, in lines that are the same each time: a call a line,
 * objects by their numbers, then the arguments of a launch's kernel, and a
 * line of totals.
 *
 *	trace_dump FILE [totals]
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "harness/crash/trace/trace_read.h"

static const struct claw_trace *trace;

static void print_hex(const void *bytes, size_t size)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < size && i < 32; i++)
		printf("%02x", at[i]);
	if (size > 32)
		printf("...");
}

/* A text where it is one. */
static void print_bytes(const void *bytes, size_t size)
{
	const char *text = bytes;
	size_t i = 0;

	while (i < size && text[i] >= ' ' && text[i] <= '~')
		i++;
	if (size > 1 && (i == size || (i == size - 1 && !text[i])))
		printf("\"%.*s\"", (int)i, text);
	else
		print_hex(bytes, size);
}

static void print_content(uint32_t number)
{
	const struct claw_trace_bytes *content;

	if (!number || number > trace->content_count) {
		printf("(unknown)");
		return;
	}
	content = &trace->contents[number - 1];
	printf("<%" PRIu64 " ", content->length);
	if (content->bytes)
		print_bytes(content->bytes, (size_t)content->length);
	else
		printf(content->hash[0] ? "hash" : "no hash");
	printf(">");
}

static void print_objects(const struct claw_trace_arg *arg)
{
	printf("[");
	for (uint32_t i = 0; i < arg->count; i++)
		printf("%s%" PRIu32, i ? " " : "", arg->objects[i]);
	printf("]");
}

static void print_arg(const struct claw_trace_arg *arg)
{
	switch (arg->kind) {
	case CLAW_ARG_WORD:
		printf("%" PRIu64, arg->word);
		break;
	case CLAW_ARG_NULL:
		printf("NULL");
		break;
	case CLAW_ARG_OBJECT: case CLAW_ARG_OBJECTS: case CLAW_ARG_MADE:
		print_objects(arg);
		break;
	case CLAW_ARG_BYTES: case CLAW_ARG_PROPERTIES:
		if (arg->bytes)
			print_bytes(arg->bytes, arg->size);
		else
			printf("(none)");
		break;
	case CLAW_ARG_CONTENT: case CLAW_ARG_TEXTS:
		for (uint32_t i = 0; i < arg->count; i++)
			print_content(arg->contents[i]);
		break;
	case CLAW_ARG_MAPPED: case CLAW_ARG_SVM:
		print_objects(arg);
		for (uint32_t i = 0; arg->contents && i < 1; i++)
			print_content(arg->contents[i]);
		break;
	default:
		printf("-");
		break;
	}
}

static void print_kernel_arg(const struct claw_trace_kernel_arg *arg)
{
	printf("\targument %" PRIu32 " of %" PRIu64 ": ", arg->index,
	       arg->size);
	if (arg->is_local)
		printf("local");
	else if (arg->object)
		printf("[%" PRIu32 "]", arg->object);
	else if (arg->value)
		print_hex(arg->value, (size_t)arg->size);
	else
		printf("(none)");
	if (arg->before) {
		printf(" before ");
		print_content(arg->before);
	}
	printf("\n");
}

static void print_call(const struct claw_trace_call *call)
{
	bool is_call = call->api < CLAW_API_COUNT;

	printf("%s(", is_call ? claw_api_table[call->api].name : "event");
	for (uint32_t i = 0; i < call->arg_count; i++) {
		printf("%s", i ? ", " : "");
		print_arg(&call->args[i]);
	}
	printf(") = %d", call->result);
	if (call->made)
		printf(" [%" PRIu32 "]", call->made);
	if (call->kept)
		printf(" kept");
	if (!call->returned)
		printf(" unfinished");
	if (call->flags & CLAW_REC_INJECTED)
		printf(" INJECTED");
	if (call->flags & CLAW_REC_CONSEQUENCE)
		printf(" CONSEQUENCE");
	if (trace->trigger && call == &trace->calls[trace->trigger - 1])
		printf(" trigger");
	printf("\n");
	for (uint32_t i = 0; i < call->kernel_arg_count; i++)
		print_kernel_arg(&call->kernel_args[i]);
}

int main(int argc, char **argv)
{
	struct claw_trace *read = NULL;
	int ret = argc < 2 ? -1 : claw_trace_read(argv[1], &read);

	if (ret != 0) {
		fprintf(stderr, "trace_dump: %d\n", ret);
		return 1;
	}
	trace = read;
	for (uint32_t i = 0; argc == 2 && i < trace->call_count; i++)
		print_call(&trace->calls[i]);
	printf("calls %" PRIu32 " kept %" PRIu32 " forgotten %" PRIu64
	       " damaged %" PRIu64 " lost %" PRIu64 " objects %" PRIu32 "\n",
	       trace->call_count, trace->first_ring_call, trace->forgotten,
	       trace->damaged, trace->contents_lost, trace->object_count);
	printf("unread %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
	       trace->unread[CLAW_UNREAD_CALLBACK],
	       trace->unread[CLAW_UNREAD_WAITS],
	       trace->unread[CLAW_UNREAD_FAILED]);
	claw_trace_free(read);
	return 0;
}
