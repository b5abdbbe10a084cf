/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ledger's layout on disk: one file beside the journal of a process,
 * ledger.<pid>.<n> for journal.<pid>.<n>, that the guest writes and the host
 * reads, while the process runs or after it is gone. doc/journal.md says the
 * same in prose. Byte order and offsets are as in journal_format.h.
 *
 * Every live object of the program is one entry of one shard, an array in
 * which it is found by its handle. Nothing is kept of an object that is gone:
 * its entry is cleared and used again.
 */
#ifndef CLAW_LEDGER_FORMAT_H
#define CLAW_LEDGER_FORMAT_H

#include "journal_format.h"

#define CLAW_LEDGER_MAGIC	"CLAWLEDG"
#define CLAW_LEDGER_VERSION	1u

enum {
	CLAW_LEDGER_SHARDS = 64,
};

/* How much is kept: config key "ledger" of the session. */
enum claw_ledger_mode {
	CLAW_LEDGER_OFF,
	CLAW_LEDGER_COUNTS,	/* "counts": objects and references */
	CLAW_LEDGER_SITES,	/* "sites": creation and last-retain sites as well */
};

/*
 * Where the entries of a shard are now. A shard that grows is copied to a new
 * place first; offset and capacity are then set together, under a sequence
 * number that is odd while they are not valid.
 */
struct claw_ledger_shard {
	uint32_t sequence;
	uint32_t capacity;	/* entries, any number; 0: none yet */
	uint64_t offset;	/* bytes from the start of the file */
	uint64_t used;		/* entries that are not free */
	uint64_t reserved;
};

struct claw_ledger_header {
	char magic[8];
	uint32_t version;
	uint32_t header_bytes;
	uint32_t endian;
	uint32_t entry_bytes, hold_bytes;
	uint32_t pid;
	uint32_t forked;		/* 1: of a forked child */
	uint32_t has_sites;		/* 1: creations and retains have sites */
	uint64_t file_bytes;		/* grows */
	uint64_t dropped;		/* objects there was no room for: atomic */
	uint64_t unknown;		/* retains and releases of objects that are not the
					 * process's own, or older than the layer */
	uint64_t created, gone;		/* objects ever made; of them, dead now: exact
					 * when no call is going on */
	uint64_t holds_offset;		/* of the current array of holds */
	uint64_t holds_capacity;
	struct claw_ledger_shard shards[CLAW_LEDGER_SHARDS];
};

enum claw_ledger_flags {
	CLAW_LEDGER_IMPLICIT = 1 << 0,	/* an event that a command made */
	CLAW_LEDGER_SUB = 1 << 1,	/* sub-buffer, sub-device, image of a buffer: parent
					 * is what it is a part of */
	CLAW_LEDGER_HOST_PTR = 1 << 2,	/* lives in the program's own memory: takes
					 * no bytes of the device's */
	CLAW_LEDGER_LOST_HOLDS = 1 << 3,/* what it holds is more than could be kept */
	/* Of those who look for lifetime errors (life.h). */
	CLAW_LEDGER_PROMPT = 1 << 4,	/* the program may notice when it ends: it has a
					 * destructor's callback, or lives from another API */
	CLAW_LEDGER_NOTIFIED = 1 << 5,	/* a callback will be given its handle */
	CLAW_LEDGER_LENT = 1 << 6,	/* a query gave its handle again after the
					 * program's last release */
	CLAW_LEDGER_SHARED = 1 << 7,	/* a pointer that more than one memory object is
					 * mapped at: parent is the first */
};

/*
 * One object, as the program sees it. handle is set last when the entry is
 * made and cleared first when it ends; 0: free, 1: free, but the search goes
 * on behind it.
 *
 * An object with no reference of the program's (references 0) is still here as
 * long as something else is known to hold it: an event that is not released
 * holds the arguments of its kernel (NVIDIA's driver does so; measured on an
 * H200), a sub-buffer its parent, a queue its context. With no holder either,
 * the driver was just asked to release it: it is gone.
 *
 * A parent is older than its children. What has a child's parent handle and a
 * higher serial than the child is another object, at the same address.
 */
struct claw_ledger_entry {
	uint64_t handle;
	uint64_t serial;	/* from 1, in order of creation; never used again */
	uint64_t bytes;		/* of a memory object, an allocation or a mapping; else 0 */
	uint64_t parent;	/* handle of what it keeps alive: context of a queue, a
				 * memory object, a program; queue of an event; program of a
				 * kernel; buffer of a sub-buffer or mapping; 0: none */
	uint32_t references;	/* that the program holds: made + retained - released;
				 * of a mapping: maps - unmaps of that pointer */
	uint32_t holders;	/* live entries whose parent it is, and holds of it */
	uint32_t site;		/* of the creation: number in the journal, 0: not known */
	uint32_t retain_site;	/* of the last retain, 0: none */
	uint32_t hold;		/* index + 1 of its first hold, 0: none; of memory: its
				 * place on the model's device */
	uint16_t api;		/* that made it: index as in the journal */
	uint8_t object;		/* enum claw_obj */
	uint8_t flags;		/* enum claw_ledger_flags */
	uint64_t mem_flags;	/* cl_mem_flags, or 0; the highest eight bits are the
				 * device model's (model.h). Of a kernel what its name,
				 * of a program what its source is told by, 0: not
				 * known */
};

/* A memory object that another object holds: an argument of a kernel, or of
 * the launch that made an event. Several objects may have one chain of them:
 * then it is one holder of each. */
struct claw_ledger_hold {
	uint64_t handle, serial;	/* of the memory object; a handle that has another
					 * serial now is another object, and this one gone
					 * for this driver: it gave the address away */
	uint64_t bytes;			/* of the device's memory that it takes, 0 of a
					 * part of another */
	uint32_t next;			/* index + 1, 0: the last */
	uint32_t argument;		/* its index */
};

_Static_assert(sizeof(struct claw_ledger_shard) == 32, "format");
_Static_assert(sizeof(struct claw_ledger_entry) == 64, "format");
_Static_assert(sizeof(struct claw_ledger_hold) == 32, "format");

#endif
