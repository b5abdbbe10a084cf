/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings on disk: one file beside the journal of a process,
 * found.<pid>.<n> for journal.<pid>.<n>, that the guest writes the instant it
 * finds something wrong with what the program does, and the host reads, while
 * the process runs or after it is gone. doc/journal.md says the same in prose.
 * Byte order and offsets are as in journal_format.h.
 */
#ifndef CLAW_FOUND_FORMAT_H
#define CLAW_FOUND_FORMAT_H

#include "journal_format.h"

#define CLAW_FOUND_MAGIC	"CLAWFIND"
#define CLAW_FOUND_VERSION	1u

enum claw_found_kind {
#define FOUND(id_, ...) CLAW_FOUND_##id_,
#include "found_kinds.def"
#undef FOUND
	CLAW_FOUND_KIND_COUNT,
};

enum {
	CLAW_FOUND_CAPACITY = 1024,	/* different findings of a process */
	CLAW_FOUND_VALUES = 6,
	CLAW_FOUND_NO_API = 0xffff,
};

/* What was looked for: bits. A report that says "none" of something has to see
 * its bit. */
enum claw_found_mode {
	CLAW_FOUND_LIFETIME = 1 << 0,
	CLAW_FOUND_PROTECT = 1 << 1,
	CLAW_FOUND_GUARDS = 1 << 2,
	CLAW_FOUND_HEAP = 1 << 3,	/* free() of the program is seen */
	CLAW_FOUND_EARLY = 1 << 4,	/* loads before a wait, with LIFETIME */
	CLAW_FOUND_KERNELS = 1 << 5,	/* accesses of instrumented kernels */
};

/* What the guest did, and what it could not look at. */
enum claw_found_count {
	CLAW_COUNT_HELD_BACK,		/* final releases that were held back */
	CLAW_COUNT_NOT_HELD,		/* those that were too large, or had a callback */
	CLAW_COUNT_COMMANDS,		/* commands that were followed */
	CLAW_COUNT_COMMANDS_LOST,	/* that there was no room for */
	CLAW_COUNT_FREES,		/* calls of free() that were seen */
	CLAW_COUNT_GUARDED,		/* buffers with guard zones */
	CLAW_COUNT_LAUNCHES_CHECKED,
	CLAW_COUNT_LAUNCHES_UNCHECKED,	/* that had guarded arguments */
	/* Memory objects that have no guard zones, by the reason. */
	CLAW_COUNT_BARE_HOST_PTR,	/* lives in the program's own memory */
	CLAW_COUNT_BARE_LARGE,		/* no room for more */
	CLAW_COUNT_BARE_IMAGE,		/* an image is made on it and this driver takes no
					 * part of a buffer for that */
	CLAW_COUNT_BARE_SVM,		/* shared memory */
	CLAW_COUNT_BARE_SHARED,		/* of another API: OpenGL, external memory */
	CLAW_COUNT_BARE_REFUSED,	/* the driver would not make it, or check it */
	CLAW_COUNT_LAUNCHES_BARE,	/* none of whose arguments had guard zones */
	/* Non-blocking reads: whose pages were closed, and who was left alone. */
	CLAW_COUNT_EARLY_CLOSED,
	CLAW_COUNT_EARLY_SMALL,		/* covers no page */
	CLAW_COUNT_EARLY_ELSEWHERE,	/* on a stack, in a mapping, shared, of a buffer,
					 * of another command */
	CLAW_COUNT_EARLY_NO_ROOM,
	CLAW_COUNT_LAUNCHES_PART,	/* with a sub-buffer that ends inside its buffer */
	CLAW_COUNT_MAX = 32,
};

struct claw_found_header {
	char magic[8];
	uint32_t version;
	uint32_t header_bytes;
	uint32_t endian;
	uint32_t entry_bytes;
	uint32_t pid;
	uint32_t modes;			/* enum claw_found_mode */
	uint64_t capacity;		/* entries behind the header */
	uint64_t used;			/* entries begun: atomic */
	uint64_t lost;			/* different findings there was no room for */
	uint64_t counts[CLAW_COUNT_MAX];
};

/* How sure a finding is. */
enum claw_found_sure {
	CLAW_SURE_CERTAIN,	/* it happened */
	CLAW_SURE_LIKELY,	/* unless a kernel does not write what it could */
};

/* A place of the program that a finding names. */
struct claw_found_place {
	uint32_t site;		/* number in the journal, 0: not known */
	uint16_t api;		/* the call there, or NO_API */
	uint8_t object;		/* enum claw_obj of what it is about, or NONE */
	uint8_t reserved;
};

/*
 * One finding. An entry counts when complete is 1. The same again (kind, name
 * and the three places; of KERNEL_*: name, probes and the access) is counted in
 * times.
 *
 *	kind		at		second		third	values
 *	USE_RELEASED	the use		the release	made	argument index of a kernel + 1, 0: a
 *								parameter; name: parameter or kernel
 *	RELEASE_RELEASED  the release	the former	made
 *	RETAIN_RELEASED	the retain	the release	made	1: inside its destructor's callback
 *	WRONG_TYPE	the use		made as		-	second.object is what it is; name: parameter
 *	NULL_USED	the use		failed create	-	its code (int32); name: parameter
 *	UNMAP_UNKNOWN	the unmap	-		-
 *	UNMAP_TWICE	the unmap	the former	the map
 *	MAPPING_USED	the use		the unmap	the map	offset in it, bytes
 *	RELEASE_PENDING	the release	the command	-	how many commands; name: kernel
 *	NEVER_WAITED	the launch	-		-	name: kernel
 *	HOST_FREED	see below	...		...	address, bytes, offset of the free in it
 *	FRAME_GONE	the command	seen at		-	bytes; seen at: next call outside
 *	SOURCE_CHANGED	the write	seen at		-	first changed byte, bytes
 *	USED_EARLY	the use		the read or map	-	offset, bytes
 *	TOUCHED_EARLY	the load	the read	-	offset, bytes, 1: a store
 *	FREE_PENDING	the free	the command	-	name: kernel
 *	UNORDERED	the later	the earlier	made	bits: 1 the later writes, 2 the earlier;
 *	UNORDERED_COMMANDS  the same			name: "KERNEL of the later/of the earlier"
 *	GATE_ABANDONED	given up	the command	made	how many commands wait
 *	GUARD_BROKEN	the launch	-		made	argument index, first bad offset (bytes from
 *								the buffer's begin, int64), value there (a
 *								byte), bytes of the buffer, bad bytes seen, its
 *								launch's number; name: kernel
 *	RANGE		the transfer	-		made	offset, bytes, bytes of the buffer; name:
 *								parameter
 *	IMAGE_RANGE	the transfer	-		made	origin, region, the image's size, along axis (0
 *								x, 1 y, 2 z); name: parameter
 *	KERNEL_*	the launch	-		made	access (the number of the record, with CLAW_A), offset
 *								(int64), bytes, index of the kernel's argument
 *								+ 1 (0: what the map says of the access),
 *								address, __claw_launch; of the record
 *								(probe_format.h: DIVIDE, SHIFT and RACE have
 *								other things in offset and bytes); probes, ids;
 *								name: kernel; made: of the buffer
 *
 * HOST_FREED of a pending transfer's memory: at is the transfer, second the
 * free. Of CL_MEM_USE_HOST_PTR memory whose buffer was released while a command
 * is pending: at is the release, second the command, third the free. Of one
 * that is used afterwards: at is that command, second the creation, third the
 * free.
 */
#define CLAW_FOUND_NO_ID UINT32_MAX

struct claw_found_entry {
	uint32_t complete;
	uint16_t kind;			/* enum claw_found_kind */
	uint8_t sure;			/* enum claw_found_sure */
	uint8_t answered;		/* 1: the driver was not asked */
	uint64_t times;
	uint32_t thread;		/* of the first */
	uint32_t probes;		/* of KERNEL_*: k of probes.<pid>.<n>.<k>, + 1 */
	struct claw_found_place at, second, third;
	uint64_t handle;		/* of the first */
	uint64_t values[CLAW_FOUND_VALUES];	/* of the first */
	char name[64];			/* UTF-8, ends with a NUL */
	uint32_t ids[6];		/* of KERNEL_*: global id, group id; the first of
					 * either NO_ID: not known */
};

_Static_assert(sizeof(struct claw_found_header) == 312, "format");
_Static_assert(sizeof(struct claw_found_entry) == 192, "format");

#endif
