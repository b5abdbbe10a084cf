/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces from bytes, and from the files of a session: their contents and the
 * names of their functions lie beside them.
 */
#include "config.h"

#include "trace_read.h"

#include <stdlib.h>

#include "harness/readers/journal_reader.h"
#include "trace_parts.h"

/* ---- bytes */

struct memory {
	const unsigned char *bytes;
	size_t size;
};

static const void *find_in_memory(const struct claw_trace_content *content,
				  void *user)
{
	const struct memory *memory = user;

	if (content->offset == 0 || content->offset > memory->size ||
	    content->length > memory->size - content->offset)
		return NULL;
	return memory->bytes + content->offset;
}

int claw_trace_read_memory(const void *bytes, size_t size,
			   const void *contents, size_t contents_size,
			   int (*find_api)(uint16_t theirs, void *user),
			   void *user, struct claw_trace **ret_trace)
{
	struct memory memory = { .bytes = contents, .size = contents_size };

	return claw_trace_build(&(struct claw_trace_input) {
		.bytes = bytes, .size = size,
		.find_content = contents ? find_in_memory : NULL,
		.content_user = &memory,
		.find_api = find_api, .api_user = user,
	}, ret_trace);
}

/* ---- files */

static int read_file(const void *bytes, size_t size, const char *path,
		     struct claw_content_file *file,
		     struct claw_trace **ret_trace)
{
	struct claw_journal *journal = NULL;
	char beside[4096];
	int ret;

	if (claw_trace_beside(path, "journal", beside, sizeof(beside)) == 0 &&
	    claw_journal_read(beside, &journal) < 0)
		journal = NULL;
	ret = claw_trace_build(&(struct claw_trace_input) {
		.bytes = bytes, .size = size,
		.find_content = claw_content_file_find,
		.content_user = file,
		.find_api = journal ? claw_journal_api : NULL,
		.api_user = journal,
	}, ret_trace);
	claw_journal_free(journal);
	return ret;
}

int claw_trace_read(const char *path, struct claw_trace **ret_trace)
{
	struct claw_arena *arena = claw_arena_new();
	struct claw_content_file file;
	struct claw_trace *trace = NULL;
	void *bytes = NULL;
	size_t size = 0;
	int ret;

	claw_content_file_open(path, arena, &file);
	ret = claw_trace_slurp(path, &bytes, &size);
	if (ret == 0)
		ret = read_file(bytes, size, path, &file, &trace);
	claw_content_file_close(&file);
	free(bytes);
	if (ret == 0) {
		claw_arena_adopt(trace->memory, arena);
		*ret_trace = trace;
	} else {
		claw_arena_free(arena);
	}
	return ret;
}
