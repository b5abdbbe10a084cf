/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of a dump: texts, JSON, a journal, and the trace with what it
 * refers to. */
#include "config.h"

#include "dump_parts.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/readers/journal_reader.h"
#include "harness/base/memory.h"
#include "harness/crash/trace/trace_parts.h"

/* A CONTENT section: where its bytes are. */
struct content {
	struct claw_trace_content name;
	const void *bytes;
};

struct claw_dump_memory {
	void **blocks;		/* sections that stay */
	size_t block_count, block_room;
	struct content *contents;
	size_t content_count, content_room;
	const void *trace;	/* of a block */
	size_t trace_size;
};

/* ---- what stays */

static void keep(struct claw_dump_memory *memory, void *block)
{
	if (memory->block_count == memory->block_room) {
		size_t room = memory->block_room ? memory->block_room * 2 : 16;
		void **blocks = claw_grow(memory->blocks, room,
					  sizeof(*blocks));

		memory->blocks = blocks;
		memory->block_room = room;
	}
	memory->blocks[memory->block_count++] = block;
}

static void memory_free(struct claw_dump_memory *memory)
{
	if (!memory)
		return;
	for (size_t i = 0; i < memory->block_count; i++)
		free(memory->blocks[i]);
	free(memory->blocks);
	free(memory->contents);
	free(memory);
}

void claw_dump_free(struct claw_dump *dump)
{
	if (!dump)
		return;
	json_decref(dump->meta);
	json_decref(dump->stacks);
	json_decref(dump->sites);
	claw_journal_free(dump->journal);
	claw_trace_free(dump->trace);
	memory_free(dump->memory);
	free(dump->parts);
	free(dump);
}

void claw_dump_parts_init(struct claw_dump_parts *parts, struct claw_dump *dump)
{
	parts->dump = dump;
	parts->memory = claw_calloc(1, sizeof(*parts->memory));
	dump->memory = parts->memory;
	dump->meta = claw_made(json_object());
}

/* ---- sections */

bool claw_dump_parts_has(const struct claw_dump_parts *parts, uint32_t section)
{
	const struct claw_dump_kind *kind = claw_dump_kind_get(section);

	return kind && !kind->many && parts->seen & UINT32_C(1) << section;
}

static int take_content(struct claw_dump_parts *parts,
			const unsigned char *bytes, size_t size)
{
	struct claw_dump_memory *memory = parts->memory;
	struct claw_dump_content head;
	struct content content;

	if (size < sizeof(head))
		return -CLAW_E_DAMAGED;
	memcpy(&head, bytes, sizeof(head));
	if (head.length != size - sizeof(head))
		return -CLAW_E_DAMAGED;
	content = (struct content) {
		.name.length = head.length, .bytes = bytes + sizeof(head),
	};
	memcpy(content.name.hash, head.hash, sizeof(head.hash));
	if (memory->content_count == memory->content_room) {
		size_t room = memory->content_room ?
			memory->content_room * 2 : 16;

		memory->contents = claw_grow(memory->contents, room,
					     sizeof(*memory->contents));
		memory->content_room = room;
	}
	memory->contents[memory->content_count++] = content;
	return 0;
}

/* is_object: nothing else will do. */
static int take_json(json_t **json, const unsigned char *bytes, size_t size,
		     bool is_object)
{
	json_t *value = json_loadb((const char *)bytes, size,
				   JSON_DECODE_ANY, NULL);

	if (!value || (is_object && !json_is_object(value))) {
		json_decref(value);
		return -CLAW_E_DAMAGED;
	}
	json_decref(*json);
	*json = value;
	return 0;
}

static int take_journal(struct claw_dump *dump, const unsigned char *bytes,
			size_t size)
{
	return claw_journal_read_memory(bytes, size, &dump->journal) < 0 ?
		-CLAW_E_DAMAGED : 0;
}

static int take(struct claw_dump_parts *parts, uint32_t section,
		unsigned char *bytes, size_t size)
{
	struct claw_dump *dump = parts->dump;

	switch ((enum claw_dump_section)section) {
	case CLAW_DUMP_META:
		return take_json(&dump->meta, bytes, size, true);
	case CLAW_DUMP_STACKS:
		return take_json(&dump->stacks, bytes, size, false);
	case CLAW_DUMP_SITES:
		return take_json(&dump->sites, bytes, size, false);
	case CLAW_DUMP_JOURNAL:
		return take_journal(dump, bytes, size);
	case CLAW_DUMP_TRACE:
		parts->memory->trace = bytes;
		parts->memory->trace_size = size;
		break;
	case CLAW_DUMP_CONTENT:
		return take_content(parts, bytes, size);
	case CLAW_DUMP_LEDGER:
		dump->ledger = bytes;
		dump->ledger_size = size;
		break;
	case CLAW_DUMP_FOUND:
		dump->found = bytes;
		dump->found_size = size;
		break;
	case CLAW_DUMP_STDOUT:
		dump->out = (char *)bytes;
		dump->out_size = size;
		break;
	case CLAW_DUMP_STDERR:
		dump->err = (char *)bytes;
		dump->err_size = size;
		break;
	case CLAW_DUMP_DMESG:
		dump->dmesg = (char *)bytes;
		dump->dmesg_size = size;
		break;
	case CLAW_DUMP_END:
		break;
	}
	return 0;
}

int claw_dump_parts_take(struct claw_dump_parts *parts, uint32_t section,
			 unsigned char *bytes, size_t size)
{
	int ret;

	keep(parts->memory, bytes);
	ret = take(parts, section, bytes, size);
	if (ret == 0)
		parts->seen |= UINT32_C(1) << section;
	return ret;
}

/* ---- the trace */

static int compare_contents(const void *a, const void *b)
{
	const struct claw_trace_content *first =
		&((const struct content *)a)->name;
	const struct claw_trace_content *second =
		&((const struct content *)b)->name;

	return claw_trace_content_compare(first, second);
}

/* By what it is: offsets are those of a file that is not here. */
static const void *find_content(const struct claw_trace_content *content,
				void *user)
{
	const struct claw_dump_memory *memory = user;
	const struct content wanted = { .name = *content };
	const struct content *found = memory->content_count == 0 ? NULL :
		bsearch(&wanted, memory->contents, memory->content_count,
			sizeof(wanted), compare_contents);

	return found ? found->bytes : NULL;
}

void claw_dump_parts_finish(struct claw_dump_parts *parts)
{
	struct claw_dump *dump = parts->dump;
	struct claw_dump_memory *memory = parts->memory;

	if (!memory->trace)
		return;
	if (memory->content_count > 0)
		qsort(memory->contents, memory->content_count,
		      sizeof(*memory->contents), compare_contents);
	dump->damaged += claw_trace_build(&(struct claw_trace_input) {
		.bytes = memory->trace, .size = memory->trace_size,
		.find_content = find_content, .content_user = memory,
		.find_api = dump->journal ? claw_journal_api : NULL,
		.api_user = dump->journal,
	}, &dump->trace) < 0;
}
