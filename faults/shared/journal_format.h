/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal's layout on disk: what the guest writes and the host reads.
 * doc/journal.md says the same in prose. Every number is in the byte order of
 * the machine that wrote it; every offset counts from the start of the file.
 */
#ifndef CLAW_JOURNAL_FORMAT_H
#define CLAW_JOURNAL_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CLAW_JOURNAL_MAGIC	"CLAWJRNL"
#define CLAW_JOURNAL_VERSION	2u
#define CLAW_JOURNAL_ENDIAN	0x01020304u

enum {
	CLAW_JOURNAL_MAX_APIS = 256,
	CLAW_JOURNAL_MAX_RULES = 256,
	CLAW_JOURNAL_MAX_THREADS = 64,	/* the last block is shared by the rest */
	CLAW_JOURNAL_MAX_EVENTS = 4096,
	CLAW_JOURNAL_MAX_MODULES = 256,
	CLAW_JOURNAL_MAX_SITES = 1024,
	CLAW_JOURNAL_MAX_FRAMES = 16,
	CLAW_JOURNAL_STRING_BYTES = 256 * 1024,
	CLAW_JOURNAL_BUILD_ID_BYTES = 20,
	CLAW_JOURNAL_TEXT_MAX_BYTES = 64 * 1024 - 1,
	CLAW_JOURNAL_MAX_CALLS = 1 << 24,	/* of the calls area, 1 GiB */
};

/* The commit word of records, sites and modules: the entry's number (its
 * index + 1) in the low 47 bits, a check of all its other bytes in the high
 * 16. BUSY: its writer was in the middle of it. */
#define CLAW_JOURNAL_NUMBER_MASK	((UINT64_C(1) << 47) - 1)
#define CLAW_JOURNAL_BUSY		(UINT64_C(1) << 47)

/* Kinds of OpenCL object whose references are counted. */
enum claw_obj {
	CLAW_OBJ_NONE, CLAW_OBJ_DEVICE, CLAW_OBJ_CONTEXT, CLAW_OBJ_QUEUE,
	CLAW_OBJ_MEM, CLAW_OBJ_SAMPLER, CLAW_OBJ_PROGRAM, CLAW_OBJ_KERNEL,
	CLAW_OBJ_EVENT, CLAW_OBJ_SVM, CLAW_OBJ_COMMAND_BUFFER,
	CLAW_OBJ_SEMAPHORE, CLAW_OBJ_PLATFORM, CLAW_OBJ_MAPPING,
	CLAW_OBJ_COUNT = 16,
};

/* What the calls area keeps. */
enum claw_record_mode {
	CLAW_RECORD_NONE,	/* counters and events only */
	CLAW_RECORD_LAST,	/* a ring of the last N calls */
	CLAW_RECORD_FULL,	/* every call, up to the capacity */
};

enum claw_journal_state {
	CLAW_JOURNAL_OPEN = 1,	/* the process runs, or ended without a word */
	CLAW_JOURNAL_CLOSED = 2,/* exit() or clDeinitLayer was reached */
};

/* How the guest is called. One in a process: no call is counted twice. */
enum claw_door {
	CLAW_DOOR_NONE,
	CLAW_DOOR_LAYER,	/* a loader's layer (OPENCL_LAYERS) */
	CLAW_DOOR_ICD,		/* a loader's driver (OPENCLAW_ICD_TARGET) */
};

/* A run of equal entries in the file. used may exceed capacity: what did
 * not fit was dropped and is counted so. */
struct claw_journal_area {
	uint64_t offset;	/* bytes from the start of the file */
	uint32_t entry_bytes;
	uint32_t capacity;	/* entries */
	uint64_t used;		/* entries ever claimed (atomic) */
};

struct claw_journal_header {
	char magic[8];
	uint32_t version;
	uint32_t header_bytes;
	uint32_t endian;
	uint32_t state;			/* enum claw_journal_state */
	uint64_t file_bytes;
	uint32_t pid, parent_pid;
	uint32_t forked;		/* 1: opened by a forked child */
	uint32_t api_count;		/* entries of the api-name list */
	uint32_t record_mode;		/* enum claw_record_mode */
	uint32_t clock_is_ns;		/* 1: ticks are nanoseconds already */
	uint64_t seed;
	char boot_id[40];		/* NUL-terminated; ticks compare within */
	uint64_t start_realtime_ns;
	uint64_t start_mono_ns, start_ticks;	/* taken together */
	uint64_t last_mono_ns, last_ticks;	/* taken together, later */
	uint32_t exe_string, loader_string;	/* offsets in the strings area */
	uint32_t api_names_string;	/* all names, '\n' between, in order */
	uint32_t plan_error_string;	/* not 0: the plan was refused, why */
	uint32_t hooked_slots;		/* dispatch slots that are ours */
	uint16_t door;			/* enum claw_door: how the guest came in */
	uint16_t door_left_out;		/* the one that was there, too, and is not used */
	uint64_t unknown_ext_lookups;	/* extension functions passed through */
	uint64_t misuse_count;		/* uses of a NULL or dead handle */
	uint64_t damaged;		/* the guest's own failures to record */
	struct claw_journal_area threads, rules, events, calls, sites,
				 modules, strings;
	uint64_t nonce;			/* of its session; 0: that has none. Not in
					 * version 1, whose header ends here */
};

/* Counters of one thread. Written by that thread alone, but for the last
 * block, which threads beyond the capacity share (atomic there). A block is
 * handed on when its thread ends; its counts stay and go on. */
struct claw_journal_thread {
	uint32_t thread;		/* number from 1, in order of first call */
	uint32_t tid;
	uint32_t in_use;
	uint32_t shared;
	uint64_t calls[CLAW_JOURNAL_MAX_APIS];
	int64_t live[CLAW_OBJ_COUNT];	/* references: made + retained - released */
	int64_t peak[CLAW_OBJ_COUNT];
	uint64_t created_bytes;		/* asked for by successful creations */
	uint64_t probes_since_ns;	/* CLOCK_MONOTONIC; not 0: it makes kernels with
					 * probes, or tries one out */
	uint64_t reserved[3];
};

struct claw_journal_rule {
	uint32_t text_string;		/* the rule as the guest understood it */
	uint32_t armed;			/* 1: belongs to this process (exe=) */
	uint64_t matched;		/* calls that met its conditions */
	uint64_t fired;
	uint64_t consequences;		/* later calls that failed because of it */
	uint64_t delayed_ns;
	uint64_t first_event;		/* index + 1 in the events area */
	uint64_t matched_in;		/* not 0: index + 1 of the rule with the same
					 * conditions whose matched counts for both */
};

enum claw_record_flags {
	CLAW_REC_INJECTED = 1 << 0,	/* the result is openclaw's, not the driver's */
	CLAW_REC_DELAYED = 1 << 1,
	CLAW_REC_CONSEQUENCE = 1 << 2,	/* follows from an earlier firing */
	CLAW_REC_MISUSE = 1 << 3,	/* a NULL or dead handle was used */
	CLAW_REC_SWALLOWED = 1 << 4,	/* looks enqueued, never reached the driver */
	CLAW_REC_BLOCKS = 1 << 5,	/* written before a call that may not return */
	CLAW_REC_ASYNC = 1 << 6,	/* an event or callback, not a call's result */
	CLAW_REC_CRASH = 1 << 7,	/* a fatal signal: result is its number, handle
					 * the address, value 1 when that was
					 * accessed (0: NULL), api the function that
					 * the thread was in, ordinal its site; or
					 * UINT16_MAX; duration_ticks a string, its
					 * registers, or 0 */
	CLAW_REC_SLOW = 1 << 8,		/* of memory's time: handle is a string that
					 * says what took how long (slow.h) */
	CLAW_REC_UNSURE = 1 << 9,	/* with SLOW: how much of it was waiting for
					 * other commands is not known */
};

/* One call or one firing: 64 bytes. commit is written last: a number that is
 * not the entry's, or a wrong check, is a torn or damaged entry. A ring's slot
 * i has the numbers n with (n - 1) mod capacity = i. */
struct claw_journal_record {
	uint64_t commit;
	uint64_t ticks;			/* when the call was entered */
	uint64_t ordinal;		/* of this function in this thread, from 1 */
	uint64_t handle;		/* the call's first handle, or what it made */
	uint64_t value;			/* bytes asked for, or 0; doc/journal.md */
	uint32_t duration_ticks;	/* saturates */
	int32_t result;			/* CL code; 0 for a handle that was made */
	uint32_t thread;
	uint32_t site;			/* index + 1 in the sites area, or 0 */
	uint16_t api;
	uint16_t flags;			/* enum claw_record_flags */
	uint16_t rule;			/* index + 1, or 0 */
	uint16_t fault;			/* enum claw_fault, or 0 */
};

/* PYTHON: or another file that the program does the calls of. */
enum claw_site_kind { CLAW_SITE_NATIVE = 1, CLAW_SITE_PYTHON = 2 };

struct claw_journal_frame {
	uint32_t module;	/* native: index + 1; Python: file-name string */
	uint32_t function;	/* Python: function-name string */
	uint64_t offset;	/* native: in the module; Python: line number */
};

/* Frames are innermost first. */
struct claw_journal_site {
	uint64_t commit;	/* written last */
	uint64_t hash;
	uint32_t kind;		/* enum claw_site_kind */
	uint32_t frame_count;
	struct claw_journal_frame frames[CLAW_JOURNAL_MAX_FRAMES];
};

struct claw_journal_module {
	uint64_t commit;	/* written last */
	uint64_t base;		/* load address */
	uint64_t text_end;
	uint32_t path_string;
	uint32_t build_id_bytes;/* 0: the module has none */
	uint8_t build_id[CLAW_JOURNAL_BUILD_ID_BYTES];
	uint32_t pad;
};

/* Strings area: bytes; entry_bytes is 1. An entry is a claw_journal_text, the
 * bytes, a NUL, padding to 4. It is named by its offset from the start of the
 * area; offset 0 is never an entry. */
struct claw_journal_text {
	uint32_t length;
	uint32_t check;		/* claw_journal_text_check() */
};

_Static_assert(sizeof(struct claw_journal_record) == 64, "format");
_Static_assert(sizeof(struct claw_journal_thread) == 2360, "format");
_Static_assert(sizeof(struct claw_journal_rule) == 56, "format");
_Static_assert(sizeof(struct claw_journal_site) == 280, "format");
_Static_assert(sizeof(struct claw_journal_module) == 56, "format");
_Static_assert(sizeof(struct claw_journal_header) == 368, "format");

/* The commit word of a record with that number: a sum of products, so that
 * the processor can do them side by side. */
static inline uint64_t
claw_journal_record_commit(const struct claw_journal_record *record,
			   uint64_t number)
{
	uint64_t sum = number * UINT64_C(0x9e3779b97f4a7c15) +
		record->ticks * UINT64_C(0xbf58476d1ce4e5b9) +
		record->ordinal * UINT64_C(0x94d049bb133111eb) +
		record->handle * UINT64_C(0xd6e8feb86659fd93) +
		record->value * UINT64_C(0xc2b2ae3d27d4eb4f) +
		((uint64_t)record->duration_ticks << 32 |
		 (uint32_t)record->result) * UINT64_C(0xa0761d6478bd642f) +
		((uint64_t)record->thread << 32 |
		 record->site) * UINT64_C(0xe7037ed1a0b428db) +
		((uint64_t)record->api << 48 | (uint64_t)record->flags << 32 |
		 (uint64_t)record->rule << 16 |
		 record->fault) * UINT64_C(0x8ebc6af09c88c6e3);

	return (sum >> 48) << 48 | (number & CLAW_JOURNAL_NUMBER_MASK);
}

/* The commit word of a site or a module with that number: entry is the whole
 * entry, of which the first word is left out. */
static inline uint64_t claw_journal_entry_commit(const void *entry,
						 size_t entry_bytes,
						 uint64_t number)
{
	const unsigned char *bytes = (const unsigned char *)entry;
	uint64_t hash = number * UINT64_C(0x9e3779b97f4a7c15);

	for (size_t i = 8; i + 8 <= entry_bytes; i += 8) {
		uint64_t word;

		memcpy(&word, bytes + i, sizeof(word));
		hash = (hash ^ word) * UINT64_C(0xd6e8feb86659fd93);
		hash ^= hash >> 32;
	}
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return (hash >> 48) << 48 | (number & CLAW_JOURNAL_NUMBER_MASK);
}

/* FNV-1a (Fowler, Noll, Vo), 32 bits. */
static inline uint32_t claw_journal_text_check(const char *text, size_t length)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	return hash;
}

#endif
