/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a trace is read, in steps, a file each: the records (trace_records.c),
 * the contents that they name (trace_contents.c), the objects that handles
 * were at their time (trace_objects.c), the arguments (trace_args.c); all put
 * together in trace_build.c.
 */
#ifndef CLAW_TRACE_PARTS_H
#define CLAW_TRACE_PARTS_H

#include "harness/base/arena.h"
#include "harness/files/byte_source.h"
#include "trace.h"

/* What is read, and where its contents are. */
struct claw_trace_input {
	const void *bytes;	/* of the trace's file */
	size_t size;
	/* The bytes of a content, which stay as long as the trace, or NULL:
	 * they are not here. NULL: none are. */
	const void *(*find_content)(const struct claw_trace_content *content,
				    void *user);
	void *content_user;
	/* Our number of a function, or -1; NULL: they are ours. */
	int (*find_api)(uint16_t theirs, void *user);
	void *api_user;
};

/* An intact record: header, and where words and payloads are in the input. */
struct claw_trace_raw {
	const struct claw_trace_record *record;
	enum claw_api api;	/* CLAW_API_COUNT: asynchronous */
	bool kept;
};

/* A launch's arguments once more: record is no call, position the launch's. */
struct claw_trace_raw_base {
	struct claw_trace_raw raw;
	uint64_t position;
};

/* A slot that is used; position is its record's. */
struct claw_trace_raw_slot {
	const struct claw_trace_slot *slot;
	uint64_t position;
};

struct claw_trace_records {
	struct claw_trace_header header;	/* a copy */
	struct claw_trace_raw *list;	/* by position, each once: kept ones first */
	size_t count, room, kept;
	struct claw_trace_raw_slot *slots;	/* by position and owner */
	size_t slot_count, slot_room;
	struct claw_trace_raw_base *bases;	/* by position */
	size_t base_count, base_room;
	uint64_t damaged;
	void *aligned;			/* a copy of the input, or NULL */
};

/* 0, -CLAW_E_DAMAGED (no usable header), -CLAW_E_VERSION; release them in any
 * case. What they point to is the input, or the arena. */
int claw_trace_records_read(const struct claw_trace_input *input,
			    struct claw_arena *arena,
			    struct claw_trace_records *ret_records);
void claw_trace_records_release(struct claw_trace_records *records);

static inline uint64_t claw_raw_word(const struct claw_trace_raw *raw,
				     unsigned int index)
{
	const uint64_t *words = (const uint64_t *)(raw->record + 1);

	return index < raw->record->word_count ? words[index] : 0;
}

/*
 * The payloads of a record, one after the other: NULL is the first one before,
 * and what comes after the last. Its bytes follow it, and are there.
 */
const struct claw_trace_payload *
claw_raw_next(const struct claw_trace_raw *raw,
	      const struct claw_trace_payload *payload);
/* The first of that kind for a parameter, or NULL. */
const struct claw_trace_payload *
claw_raw_find(const struct claw_trace_raw *raw, enum claw_payload_kind kind,
	      unsigned int param);
/* Word number index in a payload's bytes. */
static inline uint64_t claw_payload_word(const struct claw_trace_payload *payload,
					 size_t index)
{
	uint64_t word;

	memcpy(&word, (const char *)(payload + 1) + index * 8, sizeof(word));
	return word;
}

/* ---- contents: each once, found by what it is */

/* Those that records and slots name, sorted, those with an offset first among
 * equals; with_records: slots' records that are contents, too. The caller frees
 * the list. */
void claw_trace_contents_list(const struct claw_trace_records *records,
			      bool with_records,
			      struct claw_trace_content **ret_list,
			      size_t *ret_count);
/* 0: the same one, wherever its bytes are. */
int claw_trace_content_compare(const struct claw_trace_content *a,
			       const struct claw_trace_content *b);
/* All that records and slots name, into trace->contents: sorted. */
void claw_trace_contents_read(const struct claw_trace_input *input,
			      const struct claw_trace_records *records,
			      struct claw_arena *arena,
			      struct claw_trace *trace);
/* Its index + 1, or 0 (no such content: of no bytes). */
uint32_t claw_trace_contents_find(const struct claw_trace *trace,
				  const struct claw_trace_content *content);

/* The same of item number of a payload that has contents. */
uint32_t claw_trace_payload_content(const struct claw_trace *trace,
				    const struct claw_trace_payload *payload,
				    uint32_t number);

/* ---- objects, at a time */

struct claw_trace_key;

/* While a trace is made. */
struct claw_trace_build {
	const struct claw_trace_records *records;
	struct claw_arena *arena;
	struct claw_trace *trace;
	size_t object_room;
	struct claw_object_state *states;	/* one an object */
	struct claw_trace_key *keys;	/* sorted: handles by type */
	size_t key_count;
	void *svm;			/* tree of allocations, by address */
	claw_object_id *slot_objects;	/* what a slot is of, one a slot */
	/* Of launches whose arguments later ones have: the last of these that
	 * has its own (index + 1), or 0; one a call, and one a base behind them. */
	uint32_t *latest;
	const void **copies;		/* of contents that are arguments, or NULL */
	uint64_t copy_budget;		/* bytes that may still be made */
	uint64_t look_budget;		/* the same of records looked at again */
};

/* All handles that may become objects. */
void claw_trace_objects_init(struct claw_trace_build *build);
void claw_trace_objects_release(struct claw_trace_build *build);
/* What the handle is now: an object that is gone when no other has it. 0:
 * none. */
claw_object_id claw_trace_objects_find(const struct claw_trace_build *build,
				       enum claw_obj type, uint64_t handle);
/* The same of shared memory by its address or one in it. */
claw_object_id claw_trace_objects_find_svm(const struct claw_trace_build *build,
					   uint64_t address,
					   uint64_t *ret_offset);
/* The same, and an object without a beginning where there is none. *ret_id 0
 * for NULL and for a handle that cannot be one. */
void claw_trace_objects_get(struct claw_trace_build *build, enum claw_obj type,
			    uint64_t handle, claw_object_id *ret_id);
/* Call number index was entered (its arguments are known), or returned. */
void claw_trace_objects_enter(struct claw_trace_build *build, uint32_t index);
void claw_trace_objects_leave(struct claw_trace_build *build, uint32_t index);
/* That object went, as its slot says; call: index + 1. */
void claw_trace_objects_end(struct claw_trace_build *build, claw_object_id id,
			    uint32_t call);
/* What slots know, when all calls are done. */
void claw_trace_objects_finish(struct claw_trace_build *build);

/* ---- arguments */

/* Fill the arguments of call number index, with what handles are now. */
void claw_trace_args_read(struct claw_trace_build *build, uint32_t index);
/* The kernel's arguments, when call number index is a launch. */
void claw_trace_kernel_args_read(struct claw_trace_build *build,
				 uint32_t index);
/* How many bytes a read of this call writes; 0: cannot be told. */
uint64_t claw_trace_read_bytes(const struct claw_trace *trace,
			       const struct claw_trace_call *call);
/* How many bytes the memory that this call makes has; 0: cannot be told. */
uint64_t claw_trace_mem_bytes(const struct claw_trace *trace,
			      const struct claw_trace_call *call);

/* ---- files */

/* The name of another file of the same process: "contents" for trace.7.0 is
 * contents.7.0. 0 or -CLAW_E_NOT_FOUND. */
int claw_trace_beside(const char *path, const char *kind, char *ret_path,
		      size_t size);
/* All of a file; the caller frees the bytes. 0 or -CLAW_E_IO (errno set). */
int claw_trace_slurp(const char *path, void **ret_bytes, size_t *ret_size);
/* A find_api whose user is a struct claw_journal. */
int claw_journal_api(uint16_t theirs, void *user);

/* Contents that are read as they are asked for: each lies there once, so all
 * of them together are no longer than the file. */
struct claw_content_file {
	struct claw_source source;	/* fd -1: there is none */
	struct claw_arena *arena;	/* where they are kept */
	uint64_t budget;		/* bytes that may still be read */
};

/* The contents beside a trace; there may be none. arena: the caller's. */
void claw_content_file_open(const char *trace_path, struct claw_arena *arena,
			    struct claw_content_file *ret_file);
void claw_content_file_close(struct claw_content_file *file);
/* A find_content whose user is a struct claw_content_file. */
const void *claw_content_file_find(const struct claw_trace_content *content,
				   void *user);

/* ---- whole traces */

/* As claw_trace_read_memory(). */
int claw_trace_build(const struct claw_trace_input *input,
		     struct claw_trace **ret_trace);

#endif
