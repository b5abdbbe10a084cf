/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a process that lie beside each other in a session. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/readers/journal_reader.h"
#include "harness/base/memory.h"
#include "harness/files/spare_memory.h"
#include "harness/base/text.h"
#include "trace_parts.h"

int claw_trace_beside(const char *path, const char *kind, char *ret_path,
		      size_t size)
{
	const char *name = claw_base_name(path);
	int length;

	if (!claw_begins(name, "trace."))
		return -CLAW_E_NOT_FOUND;
	length = snprintf(ret_path, size, "%.*s%s.%s", (int)(name - path),
			  path, kind, name + strlen("trace."));
	return length < 0 || (size_t)length >= size ? -CLAW_E_NOT_FOUND : 0;
}

int claw_journal_api(uint16_t theirs, void *user)
{
	const struct claw_journal *journal = user;

	return claw_api_find(claw_journal_get_api_name(journal, theirs));
}

int claw_trace_slurp(const char *path, void **ret_bytes, size_t *ret_size)
{
	struct claw_source source;
	char magic[sizeof(((struct claw_trace_header *)0)->magic)];
	int ret = claw_source_open_own(path, &source);

	if (ret < 0)
		return ret;
	/* No trace is told before all of it is read. */
	if (claw_source_read(&source, 0, magic, sizeof(magic)) !=
	    sizeof(magic) || memcmp(magic, CLAW_TRACE_MAGIC, sizeof(magic)))
		ret = -CLAW_E_DAMAGED;
	else if (source.size > claw_spare_memory() / 2)
		ret = -CLAW_E_LIMIT;
	if (ret < 0) {
		claw_source_close(&source);
		return ret;
	}
	*ret_bytes = claw_malloc((size_t)source.size + 1);
	*ret_size = claw_source_read(&source, 0, *ret_bytes,
				     (size_t)source.size);
	claw_source_close(&source);
	return 0;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void claw_content_file_open(const char *trace_path, struct claw_arena *arena,
			    struct claw_content_file *ret_file)
{
	char path[4096];

	*ret_file = (struct claw_content_file) {
		.source.fd = -1, .arena = arena,
	};
	if (claw_trace_beside(trace_path, "contents", path, sizeof(path)) < 0 ||
	    claw_source_open_own(path, &ret_file->source) < 0)
		ret_file->source.fd = -1;
	else
		ret_file->budget = smaller(ret_file->source.size,
					   claw_spare_memory() / 2);
}

void claw_content_file_close(struct claw_content_file *file)
{
	if (file->source.fd >= 0)
		claw_source_close(&file->source);
}

const void *claw_content_file_find(const struct claw_trace_content *content,
				   void *user)
{
	struct claw_content_file *file = user;
	void *bytes;

	if (file->source.fd < 0 || content->offset == 0 ||
	    content->length > file->budget ||
	    content->offset > file->source.size ||
	    content->length > file->source.size - content->offset)
		return NULL;
	bytes = claw_arena_alloc(file->arena, (size_t)content->length);
	if (claw_source_read(&file->source, content->offset, bytes,
			     (size_t)content->length) != content->length)
		return NULL;
	file->budget -= content->length;
	return bytes;
}
