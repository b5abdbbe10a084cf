/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collect a profile from the meters of a run: the process that had most device
 * memory, its sites in words.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/errors.h"
#include "harness/check/leak_site.h"
#include "harness/base/memory.h"
#include "harness/readers/meter_reader.h"
#include "profile.h"

struct source {
	struct claw_meter_file *meters;
	struct claw_journal *journal;
	struct claw_symbolizer *symbolizer;
};

/* ---- which process ----------------------------------------------------- */

static void take_larger(struct source *source, const char *journal_path,
			struct claw_profile *profile)
{
	char *path = claw_session_sibling(journal_path, "meters");
	struct claw_meter_file *meters = NULL;
	struct claw_journal *journal = NULL;

	if (claw_meters_read(path, &meters) < 0)
		goto out;
	profile->processes++;
	if (source->meters && meters->peak_bytes <= source->meters->peak_bytes)
		goto out;
	if (claw_journal_read(journal_path, &journal) < 0)
		goto out;
	free(source->meters);
	claw_journal_free(source->journal);
	source->meters = meters;
	source->journal = journal;
	meters = NULL;
out:
	free(meters);
	free(path);
}

static int find_source(const struct claw_session *session,
		       struct source *source, struct claw_profile *profile)
{
	char **paths;
	size_t count;
	int ret = claw_session_journals(session, &paths, &count);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < count; i++)
		take_larger(source, paths[i], profile);
	for (size_t i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
	if (!source->meters)
		return -CLAW_E_NOT_FOUND;
	source->symbolizer = claw_symbolizer_new();
	return 0;
}

/* ---- owners ------------------------------------------------------------ */

static int by_bytes(const void *a, const void *b)
{
	const struct claw_profile_owner *left = a, *right = b;

	return (left->bytes < right->bytes) - (left->bytes > right->bytes);
}

/* The function that made what is of the site, or NULL. */
static const char *api_of(const struct source *source,
			  const struct claw_meter_site *meter)
{
	return meter->api > 0 && meter->api <= UINT16_MAX ?
		claw_journal_get_api_name(source->journal,
					  (unsigned int)meter->api - 1) : NULL;
}

static void add_owner(const struct source *source, uint32_t site,
		      uint64_t bytes, struct claw_profile_owners *owners)
{
	const struct claw_meter_site *meter = &source->meters->sites[site];
	struct claw_profile_owner *owner;
	struct claw_site_words words;

	owners->items = claw_grow(owners->items, owners->count + 1,
				  sizeof(*owners->items));
	claw_site_words_find(source->symbolizer, source->journal, site, &words);
	claw_site_words_lead(&words, api_of(source, meter));
	owner = &owners->items[owners->count++];
	*owner = (struct claw_profile_owner){
		.place = words.place, .name = words.name, .stack = words.stack,
		.bytes = bytes, .site_peak_bytes = meter->peak_bytes,
		.made = meter->made, .live = meter->objects,
	};
	words.place = words.name = words.stack = NULL;
	claw_site_words_release(&words);
}

/* at_peak: as the snapshot has it, else as it was at the end. */
static void find_owners(const struct source *source, bool at_peak,
			struct claw_profile_owners *owners)
{
	for (uint32_t i = 0; i < CLAW_METER_SITES; i++) {
		uint64_t bytes = at_peak ? source->meters->peak.site_bytes[i] :
			source->meters->sites[i].bytes;

		if (bytes)
			add_owner(source, i, bytes, owners);
	}
	if (owners->count)
		qsort(owners->items, owners->count, sizeof(*owners->items),
		      by_bytes);
}

static void release_owners(struct claw_profile_owners *owners)
{
	for (size_t i = 0; i < owners->count; i++) {
		free(owners->items[i].place);
		free(owners->items[i].name);
		free(owners->items[i].stack);
	}
	free(owners->items);
}

/* ---- kernels, calls ---------------------------------------------------- */

static int by_launches(const void *a, const void *b)
{
	const struct claw_profile_kernel *left = a, *right = b;

	return (left->launches < right->launches) -
	       (left->launches > right->launches);
}

static void find_kernels(const struct claw_meter_file *meters,
			 struct claw_profile *profile)
{
	profile->kernels = claw_calloc(CLAW_METER_KERNELS,
				       sizeof(*profile->kernels));
	for (size_t i = 0; i < CLAW_METER_KERNELS; i++) {
		const struct claw_meter_kernel *kernel = &meters->kernels[i];
		struct claw_profile_kernel *copy =
			&profile->kernels[profile->kernel_count];

		if (!kernel->name[0])
			continue;
		*copy = (struct claw_profile_kernel){
			.name = claw_strdup(kernel->name),
			.launches = kernel->launches,
			.local_bytes = kernel->local_bytes,
			.private_bytes = kernel->private_bytes,
			.spill_bytes = kernel->spill_bytes,
			.work_group_size = kernel->work_group_size,
			.multiple = kernel->multiple,
		};
		profile->kernel_count++;
	}
	qsort(profile->kernels, profile->kernel_count,
	      sizeof(*profile->kernels), by_launches);
}

/* Decade 0: below a microsecond. */
static size_t decade_of(double ms)
{
	double limit = 1e-3;
	size_t decade = 0;

	while (decade + 1 < CLAW_PROFILE_DECADES && ms >= limit) {
		limit *= 10;
		decade++;
	}
	return decade;
}

/* Ticks that a bucket begins at: claw_meter_bucket() backwards. */
static double begin_of_bucket(uint32_t bucket)
{
	return ldexp((double)(8 + bucket % 8), (int)(bucket / 8) - 3);
}

static void find_calls(const struct claw_meter *meter, const char *title,
		       double ms_per_tick, struct claw_profile_calls *calls)
{
	*calls = (struct claw_profile_calls){
		.title = title, .count = meter->count, .bytes = meter->bytes,
		.total_ms = (double)meter->ticks * ms_per_tick,
		.p50_ms = claw_meter_quantile(meter, 0.5) * ms_per_tick,
		.p90_ms = claw_meter_quantile(meter, 0.9) * ms_per_tick,
		.p99_ms = claw_meter_quantile(meter, 0.99) * ms_per_tick,
		.max_ms = meter->count ?
			(double)meter->max_ticks * ms_per_tick : NAN,
	};
	for (uint32_t i = 0; i < CLAW_METER_BUCKETS; i++)
		calls->decades[decade_of(begin_of_bucket(i) * ms_per_tick)] +=
			meter->buckets[i];
}

static void find_kinds(const struct source *source, struct claw_profile *profile)
{
	static const struct {
		enum claw_meter_kind meter;
		const char *title;
	} rows[CLAW_PROFILE_KIND_COUNT] = {
		[CLAW_PROFILE_WRITE] = { CLAW_METER_WRITE, "host to device" },
		[CLAW_PROFILE_READ] = { CLAW_METER_READ, "device to host" },
		[CLAW_PROFILE_COPY] = { CLAW_METER_COPY, "on the device" },
		[CLAW_PROFILE_MAP] = { CLAW_METER_MAP, "mapped" },
		[CLAW_PROFILE_ALLOC] = { CLAW_METER_ALLOC, "allocations" },
	};
	const uint64_t ticks = UINT64_C(1) << 30;
	double ms_per_tick = (double)claw_journal_get_span_ns(source->journal,
							      ticks) /
			     (double)ticks / 1e6;

	for (size_t i = 0; i < CLAW_PROFILE_KIND_COUNT; i++)
		find_calls(&source->meters->meters[rows[i].meter],
			   rows[i].title, ms_per_tick, &profile->kinds[i]);
}

/* ---- all --------------------------------------------------------------- */

static double peak_time(const struct source *source, uint64_t start_mono_ns)
{
	uint64_t at;

	if (!source->meters->peak.bytes)
		return NAN;
	at = claw_journal_get_mono_ns(source->journal,
				      source->meters->peak.ticks);
	return at < start_mono_ns ? NAN : (double)(at - start_mono_ns) / 1e6;
}

int claw_profile_collect(const struct claw_session *session,
			 uint64_t start_mono_ns, struct claw_profile *ret_profile)
{
	struct source source = { .meters = NULL };
	int ret;

	*ret_profile = (struct claw_profile){ .processes = 0 };
	ret = find_source(session, &source, ret_profile);
	if (ret == 0) {
		ret_profile->pid = source.meters->pid;
		ret_profile->calls = source.meters->calls;
		ret_profile->peak_bytes = source.meters->peak_bytes;
		ret_profile->snapshot_bytes = source.meters->peak.bytes;
		ret_profile->end_bytes = source.meters->live_bytes;
		ret_profile->allocated_bytes = source.meters->allocated_bytes;
		ret_profile->freed_bytes = source.meters->freed_bytes;
		ret_profile->peak_ms = peak_time(&source, start_mono_ns);
		find_kinds(&source, ret_profile);
		find_owners(&source, true, &ret_profile->peak);
		find_owners(&source, false, &ret_profile->end);
		find_kernels(source.meters, ret_profile);
	}
	claw_symbolizer_free(source.symbolizer);
	claw_journal_free(source.journal);
	free(source.meters);
	if (ret < 0)
		claw_profile_release(ret_profile);
	return ret;
}

void claw_profile_release(struct claw_profile *profile)
{
	release_owners(&profile->peak);
	release_owners(&profile->end);
	for (size_t i = 0; i < profile->kernel_count; i++)
		free(profile->kernels[i].name);
	free(profile->kernels);
	*profile = (struct claw_profile){ .processes = 0 };
}
