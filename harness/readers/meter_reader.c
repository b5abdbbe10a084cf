/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read meters of which nothing is known, as a ledger is read
 * (ledger_reader.c): what cannot be true is made 0 or left out.
 */
#include "config.h"

#include "meter_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/files/byte_source.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"

enum {
	/* A peak that is being written is there in microseconds; that of a
	 * process that was killed never is. */
	RETRIES = 20,
	RETRY_NS = 100000,
};

/* What a later version makes longer at its end is not looked at. */
static int read_head(const struct claw_source *source,
		     struct claw_meter_file *meters)
{
	int ret = claw_source_read_head(source, meters, sizeof(*meters),
					CLAW_METER_MAGIC, CLAW_METER_VERSION);

	if (ret < 0)
		return ret;
	return meters->file_bytes < CLAW_METER_FILE_BYTES ||
		meters->clock_is_ns > 1 ? -CLAW_E_DAMAGED : 0;
}

/* ---- the peak */

/* Whole, and nobody wrote to it while it was read. */
static bool read_peak(const struct claw_source *source,
		      struct claw_meter_peak *ret_peak)
{
	uint64_t at = offsetof(struct claw_meter_file, peak);
	uint32_t after;
	uint64_t sum = 0;

	if (claw_source_read(source, at, ret_peak, sizeof(*ret_peak)) !=
	    sizeof(*ret_peak) ||
	    claw_source_read(source, at, &after, sizeof(after)) !=
	    sizeof(after))
		return false;
	for (unsigned int i = 0; i < CLAW_METER_SITES; i++)
		sum += ret_peak->site_bytes[i];
	return !(after & 1) && after == ret_peak->sequence &&
		sum == ret_peak->bytes;
}

static void settle_peak(const struct claw_source *source,
			struct claw_meter_peak *peak)
{
	int retries = source->bytes ? 0 : RETRIES;

	while (!read_peak(source, peak)) {
		if (retries-- == 0) {
			memset(peak, 0, sizeof(*peak));
			return;
		}
		nanosleep(&(struct timespec) { .tv_nsec = RETRY_NS }, NULL);
	}
}

/* It is written once more when memory goes; of a process that has as much as
 * ever now, the sites say it. */
static void complete_peak(struct claw_meter_file *meters)
{
	uint64_t sum = 0;

	if (meters->peak.bytes >= meters->peak_bytes ||
	    meters->live_bytes != meters->peak_bytes)
		return;
	for (unsigned int i = 0; i < CLAW_METER_SITES; i++)
		sum += meters->sites[i].bytes;
	if (sum != meters->peak_bytes)
		return;
	for (unsigned int i = 0; i < CLAW_METER_SITES; i++)
		meters->peak.site_bytes[i] = meters->sites[i].bytes;
	meters->peak.bytes = sum;
}

/* ---- what is not a total */

/* A number below 0 is what threads that come and go leave for a moment. */
static void make_positive(uint64_t *number)
{
	if (*number > INT64_MAX)
		*number = 0;
}

static void mend(struct claw_meter_file *meters)
{
	for (size_t i = 0; i < sizeof(meters->live) / sizeof(*meters->live); i++)
		make_positive(&meters->live[i]);
	make_positive(&meters->live_bytes);
	for (unsigned int i = 0; i < CLAW_METER_SITES; i++) {
		make_positive(&meters->sites[i].objects);
		make_positive(&meters->sites[i].bytes);
	}
	for (unsigned int i = 0; i < CLAW_METER_KERNELS; i++)
		meters->kernels[i].name[CLAW_METER_NAME_BYTES - 1] = '\0';
}

/* ---- threads */

/* One that made no call may have been told of the end of others'. */
static void add_thread(struct claw_meter_file *meters,
		       const struct claw_meter_thread *thread)
{
	meters->calls += thread->calls;
	for (unsigned int i = 0; i < CLAW_METER_KIND_COUNT; i++)
		if (thread->meters[i].count)
			claw_meter_add(&meters->meters[i], &thread->meters[i]);
}

static int add_threads(const struct claw_source *source,
		       struct claw_meter_file *meters)
{
	struct claw_meter_thread *thread = claw_malloc(sizeof(*thread));
	uint64_t at = sizeof(*meters);
	int ret = 0;

	for (unsigned int i = 0; ret == 0 && i < CLAW_METER_THREADS; i++) {
		if (claw_source_read(source, at, thread, sizeof(*thread)) !=
		    sizeof(*thread))
			ret = -CLAW_E_DAMAGED;
		if (ret == 0)
			add_thread(meters, thread);
		at += sizeof(*thread);
	}
	free(thread);
	return ret;
}

static int read_source(const struct claw_source *source,
		       struct claw_meter_file **ret_meters)
{
	struct claw_meter_file *meters = claw_malloc(sizeof(*meters));
	int ret = read_head(source, meters);

	if (ret == 0)
		ret = add_threads(source, meters);
	if (ret < 0) {
		free(meters);
		return ret;
	}
	settle_peak(source, &meters->peak);
	mend(meters);
	complete_peak(meters);
	*ret_meters = meters;
	return 0;
}

int claw_meters_read(const char *path, struct claw_meter_file **ret_meters)
{
	struct claw_source source;
	int ret = claw_source_open(path, &source);

	if (ret < 0)
		return ret;
	ret = read_source(&source, ret_meters);
	claw_source_close(&source);
	return ret;
}

int claw_meters_read_memory(const void *bytes, size_t size,
			    struct claw_meter_file **ret_meters)
{
	struct claw_source source = { .fd = -1, .bytes = bytes, .size = size };

	return bytes ? read_source(&source, ret_meters) : -CLAW_E_DAMAGED;
}

/* ---- numbers */

void claw_meter_add(struct claw_meter *sum, const struct claw_meter *meter)
{
	sum->count += meter->count;
	sum->ticks += meter->ticks;
	sum->bytes += meter->bytes;
	if (meter->max_ticks > sum->max_ticks)
		sum->max_ticks = meter->max_ticks;
	for (unsigned int i = 0; i < CLAW_METER_BUCKETS; i++)
		sum->buckets[i] += meter->buckets[i];
}

static uint64_t more(uint64_t after, uint64_t before)
{
	return after > before ? after - before : 0;
}

/* The first tick that is beyond a bucket; that of the last is there no more. */
static uint64_t end_of(unsigned int bucket)
{
	unsigned int power = bucket / 8;
	uint64_t eighths = 8 + bucket % 8 + 1;

	if (bucket == CLAW_METER_BUCKETS - 1)
		return UINT64_MAX;
	return power < 3 ? (eighths + (UINT64_C(1) << (3 - power)) - 1) >>
		(3 - power) : eighths << (power - 3);
}

static uint64_t start_of(unsigned int bucket)
{
	return bucket == 0 ? 0 : end_of(bucket - 1);
}

/* The highest total does not say when it was; a bucket does, nearly. */
static uint64_t longest_since(const struct claw_meter *after,
			      const struct claw_meter *before,
			      const struct claw_meter *between)
{
	unsigned int last = CLAW_METER_BUCKETS;

	if (after->max_ticks > before->max_ticks)
		return after->max_ticks;
	while (last > 0 && between->buckets[last - 1] == 0)
		last--;
	if (last == 0)
		return 0;
	return end_of(last - 1) - 1 < after->max_ticks ?
		end_of(last - 1) - 1 : after->max_ticks;
}

void claw_meter_subtract(const struct claw_meter *after,
			 const struct claw_meter *before,
			 struct claw_meter *ret_meter)
{
	static const struct claw_meter nothing;
	struct claw_meter meter;

	if (!before)
		before = &nothing;
	meter.count = more(after->count, before->count);
	meter.ticks = more(after->ticks, before->ticks);
	meter.bytes = more(after->bytes, before->bytes);
	for (unsigned int i = 0; i < CLAW_METER_BUCKETS; i++)
		meter.buckets[i] = more(after->buckets[i], before->buckets[i]);
	meter.max_ticks = longest_since(after, before, &meter);
	*ret_meter = meter;
}

static double middle_of(unsigned int bucket)
{
	double start = (double)start_of(bucket);
	double width = (double)end_of(bucket) - start;

	return width <= 1 ? start : start + width / 2;
}

double claw_meter_quantile(const struct claw_meter *meter, double part)
{
	uint64_t sum = 0, seen = 0, wanted = 1;
	double ticks = NAN, target;

	for (unsigned int i = 0; i < CLAW_METER_BUCKETS; i++)
		sum += meter->buckets[i];
	if (sum == 0 || !(part >= 0) || part > 1)
		return NAN;
	target = ceil(part * (double)sum);
	if (target >= (double)sum)
		wanted = sum;
	else if (target > 1)
		wanted = (uint64_t)target;
	for (unsigned int i = 0; i < CLAW_METER_BUCKETS && seen < wanted; i++) {
		seen += meter->buckets[i];
		ticks = middle_of(i);
	}
	return meter->max_ticks && ticks > (double)meter->max_ticks ?
		(double)meter->max_ticks : ticks;
}
