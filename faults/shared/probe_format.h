/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Probes: what instrumented kernels counted and found. Two things share this
 * header: the memory that such a kernel writes (words of 32 bits, one buffer a
 * program and device, the program's hidden argument), and the file beside the
 * journal, probes.<pid>.<n>.<k> (k: from 0, one a program and device), in which
 * the guest keeps a copy of these words, and which the host reads. Byte order
 * as in journal_format.h. What each counter and access stands for is in the map
 * that openclaw-instrument wrote (kernels/instrument/unit/map.h), blobs/KEY.map of
 * the session; the text that it was given is in the program's request,
 * blobs/KEY.request.
 */
#ifndef CLAW_PROBE_FORMAT_H
#define CLAW_PROBE_FORMAT_H

#include <stdint.h>

#define CLAW_PROBE_MAGIC	"CLAWPROB"
#define CLAW_PROBE_VERSION	2u

/*
 * The kernel's words. Counters follow the head; where the others are is said
 * in the head, for a kernel that found nothing does not need to know.
 */
enum claw_probe_word {
	CLAW_PROBE_FOUND,	/* findings begun; beyond CAPACITY: only counted */
	CLAW_PROBE_CAPACITY,	/* records of findings */
	CLAW_PROBE_SEEN_AT,	/* word index: one word an access, how often it was wrong */
	CLAW_PROBE_RECORDS_AT,	/* word index of the records */
	CLAW_PROBE_SINK_AT,	/* word index, a multiple of 32: CLAW_PROBE_SINK_BYTES that
				 * wrong accesses go to */
	CLAW_PROBE_PER_ACCESS,	/* records an access may write (print-limit is the guest's) */
	CLAW_PROBE_PAIRS_AT,	/* word index of a bit a pair of accesses that race:
				 * whether there is a record */
	CLAW_PROBE_SATURATED,	/* 1: a work-item came to more barriers than races' words
				 * can count */
	CLAW_PROBE_COUNTERS_AT = 16,	/* the first counter, of CLAW_C 0 */
};

enum {
	CLAW_PROBE_SINK_BYTES = 8192,	/* half of it for reads */
	CLAW_PROBE_RECORD_WORDS = 16,
	CLAW_PROBE_RECORDS = 256,
	CLAW_PROBE_PAIR_WORDS = 512,
};

/* The words of a record. 64-bit numbers: low word first. */
enum claw_probe_record {
	CLAW_RECORD_WHY,	/* 0: not complete; else enum claw_probe_why; written last */
	CLAW_RECORD_ACCESS,	/* number of the map's access, and CLAW_A */
	CLAW_RECORD_LAUNCH,	/* what the guest set as __claw_launch */
	CLAW_RECORD_OBJECT,	/* index of the kernel's argument + 1; 0: what the map
				 * says of the access */
	CLAW_RECORD_OFFSET,	/* and the next: int64, bytes from the object's begin */
	CLAW_RECORD_BYTES = CLAW_RECORD_OFFSET + 2,	/* and the next: the object's */
	CLAW_RECORD_GLOBAL_ID = CLAW_RECORD_BYTES + 2,	/* three */
	CLAW_RECORD_GROUP_ID = CLAW_RECORD_GLOBAL_ID + 3,	/* three */
	CLAW_RECORD_ADDRESS = CLAW_RECORD_GROUP_ID + 3,	/* and the next */
};

enum claw_probe_why {
	CLAW_WHY_NONE,
	CLAW_WHY_BOUNDS,
	CLAW_WHY_MISALIGNED,	/* OFFSET: of the address's low bits too */
	CLAW_WHY_NULL,
	CLAW_WHY_DIVIDE,	/* by zero, or INT_MIN by -1; OFFSET: the divisor */
	CLAW_WHY_SHIFT,		/* OFFSET: the distance, BYTES: the width in bits */
	CLAW_WHY_RACE,		/* BYTES: the other work-item's global id (x, y); ADDRESS: its
				 * access + 1 (0: not known) and enum claw_race */
	CLAW_WHY_PIXEL,		/* outside of an image: OFFSET has x and y, ADDRESS z and
				 * the image's depth or layers, BYTES its width and height;
				 * coordinates are ints or, if the map's access has BYTES 1,
				 * floats */
	CLAW_WHY_DIVERGENCE,	/* OBJECT 0; ADDRESS: the condition's access + 1, or the
				 * same access + 1 (arguments differ); BYTES: 0, or the third global id of a
				 * work-item of another side, + 1, whose others OFFSET has */
	CLAW_WHY_UNWRITTEN,	/* a read of what nobody wrote; of an object, or a variable */
	CLAW_WHY_COUNT,
};

/* What is known of the other access of a race. */
enum claw_race {
	CLAW_RACE_READS = 1 << 0,	/* what it does */
	CLAW_RACE_WRITES = 1 << 1,
	CLAW_RACE_ATOMIC = 1 << 2,
	CLAW_RACE_ITEM = 1 << 3,	/* which work-item it is */
	CLAW_RACE_GROUP = 1 << 4,	/* it is one of the same work-group */
	CLAW_RACE_SAME = 1 << 5,	/* both write the same value */
	CLAW_RACE_Z_SHIFT = 8,		/* behind these: the work-item's z */
};

/* What a hidden argument says of a sampler. */
enum claw_sampler_mode {
	CLAW_SAMPLER_NONE = 1 << 0,	/* CLK_ADDRESS_NONE */
	CLAW_SAMPLER_NORMALIZED = 1 << 1,
};

enum claw_probe_mode {
	CLAW_PROBE_HIT = 1 << 0,	/* coverage: a bit a counter, 32 in a word */
	CLAW_PROBE_COUNT = 1 << 1,	/* coverage: a word a counter, stays at 0xffffffff */
	CLAW_PROBE_ASAN = 1 << 2,
	CLAW_PROBE_ARITHMETIC = 1 << 3,	/* division and shifts, with ASAN */
	CLAW_PROBE_RACES = 1 << 4,
	CLAW_PROBE_BARRIERS = 1 << 5,
	CLAW_PROBE_UNWRITTEN = 1 << 6,	/* init: reads of what nobody wrote */
	CLAW_PROBE_SAME_VALUE = 1 << 7,	/* with RACES: writes of the same value, too */
	/* What is looked for in kernels (kernel_checks.def): there are findings. */
	CLAW_PROBE_CHECKS = CLAW_PROBE_ASAN | CLAW_PROBE_RACES |
		CLAW_PROBE_BARRIERS | CLAW_PROBE_UNWRITTEN,
};

/* What became of a program. */
enum claw_probe_state {
	CLAW_PROBE_NOT_ASKED,	/* --kernel-name leaves all of its kernels out */
	CLAW_PROBE_INSTRUMENTED,
	CLAW_PROBE_REFUSED,	/* openclaw-instrument cannot: why says what */
	CLAW_PROBE_NOT_SOURCE,	/* SPIR-V, a binary, built-in kernels */
	CLAW_PROBE_NOT_BUILT,	/* the driver would not build what was made of it */
	CLAW_PROBE_NO_HELPER,	/* openclaw-instrument could not be run */
};

/* Launches that run with and without probes on copies, to be compared. */
enum claw_probe_verify {
	CLAW_VERIFY_FIRST,	/* of each kernel */
	CLAW_VERIFY_ALL,
	CLAW_VERIFY_NONE,
};

/* Why it is not known whether probes change a kernel's results: bits. */
enum claw_probe_unverified {
	CLAW_UNVERIFIED_PRINTS = 1 << 0,	/* it may call printf */
	CLAW_UNVERIFIED_SHARED = 1 << 1,	/* pointers into shared virtual memory */
	CLAW_UNVERIFIED_IMAGE = 1 << 2,	/* writes to an image that cannot be copied */
	CLAW_UNVERIFIED_MEMORY = 1 << 3,	/* no room for copies */
	CLAW_UNVERIFIED_WAITS = 1 << 4,	/* what the launch waits for was not done in time */
	CLAW_UNVERIFIED_LONG = 1 << 5,	/* it ran for too long */
	CLAW_UNVERIFIED_VARIES = 1 << 6,	/* results differ from run to run without probes */
	CLAW_UNVERIFIED_FINDS = 1 << 7,	/* accesses are wrong: the results have to differ */
	CLAW_UNVERIFIED_REFUSED = 1 << 8,	/* the driver does not take the launch */
};

struct claw_probe_header {
	char magic[8];
	uint32_t version;
	uint32_t header_bytes;
	uint32_t endian;
	uint32_t pid;
	uint32_t modes;			/* enum claw_probe_mode */
	uint32_t state;			/* enum claw_probe_state */
	uint64_t words;			/* behind the header; 0 unless INSTRUMENTED */
	/* Launches of this program's kernels on this device. */
	uint64_t launches;		/* with probes; and complete ones */
	uint64_t plain_kernel;		/* without: this kernel has none */
	uint64_t plain_refused;		/* without: refused for resources with them */
	uint64_t plain_other;		/* without: command buffer, ... */
	uint64_t copies;		/* of the words that were read back */
	uint64_t pending;		/* launches since the last copy: their words are not here */
	uint64_t complete;		/* of launches (HIT): as they are, for all that their
					 * kernel can set was set, and is here */
	uint64_t unchecked;		/* of launches (ASAN): nothing of them was checked */
	uint64_t plain_changed;		/* without: probes change this kernel's results */
	/* Kernels whose results with and without probes were compared. */
	uint64_t verified;		/* the same */
	uint32_t changed;		/* others: why says it of the last one */
	uint32_t unverified;		/* launched with probes, and not known */
	uint32_t compared;		/* launches */
	uint32_t left_out;		/* launches that were to be compared, and were not */
	uint32_t parts;			/* keys: 1, or the objects of a linked program */
	uint32_t unverified_why;	/* enum claw_probe_unverified */
	char why[160];			/* of REFUSED and the rest: one line, UTF-8 */
	char device[96];		/* CL_DEVICE_NAME */
	uint64_t partly;		/* of launches (ASAN): some accesses have no check */
	char partly_why[160];		/* of partly: which, of the first such kernel */
};

enum { CLAW_PROBE_PARTS = 32 };

/* Directly behind the header: CLAW_PROBE_PARTS of these, of which header.parts
 * are used; then the words. */
struct claw_probe_part {
	char key[36];			/* of blobs/KEY.map, hexadecimal, ends with NUL */
	uint32_t site;			/* of its clCreateProgramWithSource in the process's
					 * journal, from 1; 0: not known */
	uint32_t counters_base;		/* CLAW_C: word (COUNT) or bit (HIT) of its counter 0,
					 * from COUNTERS_AT; a multiple of 32 */
	uint32_t accesses_base;		/* CLAW_A */
};

_Static_assert(sizeof(struct claw_probe_header) == 568, "format");
_Static_assert(sizeof(struct claw_probe_part) == 48, "format");

#endif
