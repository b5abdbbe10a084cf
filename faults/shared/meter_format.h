/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Meters: how long calls take, how many fail, and what lives by creation site,
 * as running totals in one file of a fixed size beside the journal,
 * meters.<pid>.<n>, which the guest writes and the host reads meanwhile. Config
 * key "meters=1" of the session; wants the ledger. Byte order as in
 * journal_format.h; every number only grows, but for what is said to be live.
 *
 * A time's bucket is log-linear (as HdrHistogram's): the power of two of its
 * ticks, and the three bits below that: a width of at most one eighth.
 */
#ifndef CLAW_METER_FORMAT_H
#define CLAW_METER_FORMAT_H

#include <stdint.h>

#define CLAW_METER_MAGIC	"CLAWMETR"
#define CLAW_METER_VERSION	1u

enum {
	CLAW_METER_CODES = 128,		/* of -code; the last one: all beyond */
	CLAW_METER_BUCKETS = 64 * 8,
	CLAW_METER_SITES = 1025,	/* by the journal's number; 0: not known */
	CLAW_METER_KERNELS = 256,
	CLAW_METER_NAME_BYTES = 96,
	CLAW_METER_THREADS = 16,	/* of the threads behind the file's struct */
};

enum claw_meter_kind {
	CLAW_METER_LAUNCH,	/* from a launch's call to the return of the first wait
				 * for it (clFinish, blocking command of its queue,
				 * clWaitForEvents), over the launches of that batch */
	CLAW_METER_LAUNCH_CALL,	/* the launch's call alone */
	CLAW_METER_WRITE,	/* host to device: a blocking call whole, another one's
				 * call alone; bytes */
	CLAW_METER_READ,	/* device to host */
	CLAW_METER_COPY,	/* on the device, fills too */
	CLAW_METER_MAP,
	CLAW_METER_ALLOC,	/* memory objects, SVM, USM; bytes asked for */
	CLAW_METER_BUILD,
	CLAW_METER_WAIT,	/* clFinish, clWaitForEvents */
	CLAW_METER_KIND_COUNT,
};

struct claw_meter {
	uint64_t count, ticks, max_ticks, bytes;
	uint64_t buckets[CLAW_METER_BUCKETS];
};

/* What lives now by creation site, and its highest. */
struct claw_meter_site {
	uint64_t objects, bytes;	/* live; bytes of the device's memory */
	uint64_t made, peak_bytes;
	uint64_t api;			/* that made the first: index as in the journal, and
					 * 1 more; 0: nothing was made */
};

/* A kernel that was launched: clGetKernelWorkGroupInfo's words of it, of the
 * device of its first launch. UINT64_MAX: the driver did not say. */
struct claw_meter_kernel {
	uint64_t launches;
	uint64_t local_bytes, private_bytes, work_group_size, multiple;
	uint64_t spill_bytes;		/* where a vendor's query tells, else UINT64_MAX */
	char name[CLAW_METER_NAME_BYTES];	/* "" : free; cut, always ends with NUL */
};

/* The sites as they were when device memory was highest: written under a
 * sequence that is odd meanwhile; again after growth of 1/128, and before the
 * first memory goes that was there at a higher one. While the process has as
 * much as ever, they are as they are now. */
struct claw_meter_peak {
	uint32_t sequence, pad;
	uint64_t ticks, bytes;		/* ticks: of the highest, not of the writing */
	uint64_t site_bytes[CLAW_METER_SITES];
};

struct claw_meter_file {
	char magic[8];
	uint32_t version, file_bytes, endian, pid;
	uint32_t forked, clock_is_ns;
	uint64_t calls;			/* begun; all but the guest's own */
	uint64_t failed, injected;	/* sums of errors and injections */
	uint64_t live[16];		/* by enum claw_obj: objects alive now */
	uint64_t live_bytes, peak_bytes;	/* of the device's memory */
	uint64_t freed_bytes, allocated_bytes;
	uint64_t errors[CLAW_METER_CODES];	/* what the driver answered, by -code */
	uint64_t injections[CLAW_METER_CODES];	/* what openclaw answered */
	uint64_t event_errors[CLAW_METER_CODES];/* statuses of events, seen or waited for */
	uint64_t unplaced;		/* objects of sites beyond the table */
	uint64_t iterations, wrong_results;	/* clawIterationOPENCLAW() */
	struct claw_meter meters[CLAW_METER_KIND_COUNT];
	struct claw_meter_site sites[CLAW_METER_SITES];
	struct claw_meter_kernel kernels[CLAW_METER_KERNELS];
	struct claw_meter_peak peak;
};

/*
 * Behind that struct: what the threads add up, the first ones each in one of
 * its own, all others in the last. The reader adds it to calls and meters,
 * which are 0 in the file.
 */
struct claw_meter_thread {
	uint64_t calls, pad[7];
	struct claw_meter meters[CLAW_METER_KIND_COUNT];
};

enum {
	CLAW_METER_FILE_BYTES = sizeof(struct claw_meter_file) +
		CLAW_METER_THREADS * sizeof(struct claw_meter_thread),
};

static inline unsigned int claw_meter_bucket(uint64_t ticks)
{
	unsigned int power = 63u - (unsigned int)__builtin_clzll(ticks | 1);
	uint64_t bits = power < 3 ? ticks << (3 - power) : ticks >> (power - 3);

	return power * 8 + (unsigned int)(bits & 7);
}

#endif
