/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of a leak.
 */
#include "config.h"

#include "leaks.h"

#include <inttypes.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/words.h"

/* What a memory object is, by the call that made it. */
static const char *memory_noun(const char *api)
{
	static const struct { const char *start, *noun; } nouns[] = {
		{ "clCreateImage", "image" },
		{ "clCreateFromGLTexture", "image" },
		{ "clCreateFromGLRenderbuffer", "image" },
		{ "clCreateFromEGLImage", "image" },
		{ "clCreateSubBuffer", "sub-buffer" },
		{ "clCreatePipe", "pipe" },
	};

	for (size_t i = 0; i < sizeof(nouns) / sizeof(*nouns); i++)
		if (claw_begins(api, nouns[i].start))
			return nouns[i].noun;
	return "buffer";
}

const char *claw_leak_noun(enum claw_obj object, const char *api)
{
	switch (object) {
	case CLAW_OBJ_DEVICE:
		return "sub-device";
	case CLAW_OBJ_CONTEXT:
		return "context";
	case CLAW_OBJ_QUEUE:
		return "command queue";
	case CLAW_OBJ_MEM:
		return memory_noun(api);
	case CLAW_OBJ_SAMPLER:
		return "sampler";
	case CLAW_OBJ_PROGRAM:
		return "program";
	case CLAW_OBJ_KERNEL:
		return "kernel";
	case CLAW_OBJ_EVENT:
		return claw_begins(api, "clCreateUserEvent") ? "user event" :
			"event";
	case CLAW_OBJ_SVM:
		return claw_begins(api, "clSVM") ? "SVM allocation" :
			"USM allocation";
	case CLAW_OBJ_COMMAND_BUFFER:
		return "command buffer";
	case CLAW_OBJ_SEMAPHORE:
		return "semaphore";
	case CLAW_OBJ_MAPPING:
		return "mapping";
	default:
		return "object";
	}
}

static void print_times(FILE *out, uint64_t times)
{
	if (times == 1) {
		fputs("once", out);
	} else if (times == 2) {
		fputs("twice", out);
	} else {
		claw_print_count(out, times);
		fputs(" times", out);
	}
}

/* A pointer may be mapped several times; each has its unmap. */
static void print_unmaps(FILE *out, const struct claw_leak *leak)
{
	if (leak->references == leak->count) {
		fputs(", never unmapped", out);
		return;
	}
	fputs(", mapped ", out);
	print_times(out, leak->references);
	fputs(" more than unmapped", out);
}

static void print_retains(FILE *out, const struct claw_leak *leak)
{
	if (leak->object == CLAW_OBJ_MAPPING) {
		print_unmaps(out, leak);
		return;
	}
	if (leak->retained == 0) {
		fputs(leak->object == CLAW_OBJ_SVM ? ", never freed" :
		      ", never released", out);
		return;
	}
	fputs(", ", out);
	if (leak->retained < leak->count) {
		fputs("not released, ", out);
		claw_print_count(out, leak->retained);
		fputs(" of them ", out);
	}
	fputs("retained ", out);
	if (leak->extra_references % leak->retained == 0)
		print_times(out, leak->extra_references / leak->retained);
	else
		fputs("several times", out);
	fputs(" more than released", out);
	if (leak->retain_place)
		fprintf(out, " (last at %s)", leak->retain_place);
}

/* Whether the memory stays depends on the driver, but for what the
 * specification says: a sub-buffer keeps its buffer. */
static void print_held(FILE *out, const struct claw_leak *leak)
{
	if (leak->held_bytes == 0)
		return;
	fputs(leak->object == CLAW_OBJ_KERNEL ? ", can keep " : ", keeps ",
	      out);
	claw_print_bytes(out, leak->held_bytes);
	fputs(" of buffers alive", out);
	if (leak->object == CLAW_OBJ_EVENT)
		fputs(" on NVIDIA", out);
}

static bool has_size(const struct claw_leak *leak)
{
	return leak->size_bytes > 0 && leak->object != CLAW_OBJ_EVENT;
}

char *claw_leak_text(const struct claw_leak *leak)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fputs(claw_leak_noun(leak->object, leak->api), out);
	if (leak->count == 1 && has_size(leak)) {
		fputs(" of ", out);
		claw_print_bytes(out, leak->size_bytes);
	}
	fprintf(out, " from %s", leak->api);
	if (leak->place)
		fprintf(out, " at %s", leak->place);
	print_retains(out, leak);
	if (leak->count > 1) {
		fputs(", ", out);
		claw_print_count(out, leak->count);
		fputs(" of them", out);
	}
	if (leak->count > 1 && has_size(leak)) {
		fputs(", ", out);
		claw_print_bytes(out, leak->size_bytes);
		fputs(" together", out);
	}
	print_held(out, leak);
	claw_text_end(out);
	return text;
}

char *claw_leak_name(const struct claw_leak *leak)
{
	return claw_format("%s %s < %s", claw_leak_noun(leak->object,
							leak->api),
			   leak->api, leak->name);
}
