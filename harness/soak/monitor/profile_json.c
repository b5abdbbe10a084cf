/* SPDX-License-Identifier: Apache-2.0 */
/* A profile as JSON: sizes in bytes, times in ms, null what is not known. */
#include "config.h"

#include <math.h>

#include "profile.h"

static json_t *number(double value)
{
	return isnan(value) ? json_null() : json_real(value);
}

static json_t *known(uint64_t value)
{
	return value == UINT64_MAX ? json_null() :
		json_integer((json_int_t)value);
}

static json_t *owners_json(const struct claw_profile_owners *owners)
{
	json_t *all = json_array();

	for (size_t i = 0; i < owners->count; i++) {
		const struct claw_profile_owner *owner = &owners->items[i];

		json_array_append_new(all, json_pack(
			"{s:s?,s:s,s:s?,s:I,s:I,s:I,s:I}",
			"place", owner->place, "site", owner->name,
			"stack", owner->stack,
			"bytes", (json_int_t)owner->bytes,
			"site_peak_bytes", (json_int_t)owner->site_peak_bytes,
			"made", (json_int_t)owner->made,
			"alive_at_end", (json_int_t)owner->live));
	}
	return all;
}

static json_t *kernels_json(const struct claw_profile *profile)
{
	json_t *all = json_array();

	for (size_t i = 0; i < profile->kernel_count; i++) {
		const struct claw_profile_kernel *kernel = &profile->kernels[i];

		json_array_append_new(all, json_pack(
			"{s:s,s:I,s:o,s:o,s:o,s:o,s:o}",
			"name", kernel->name,
			"launches", (json_int_t)kernel->launches,
			"local_bytes", known(kernel->local_bytes),
			"private_bytes", known(kernel->private_bytes),
			"spill_bytes", known(kernel->spill_bytes),
			"work_group_size", known(kernel->work_group_size),
			"preferred_multiple", known(kernel->multiple)));
	}
	return all;
}

static json_t *calls_json(const struct claw_profile_calls *calls)
{
	json_t *decades = json_array();

	for (size_t i = 0; i < CLAW_PROFILE_DECADES; i++)
		json_array_append_new(decades, json_integer(
				(json_int_t)calls->decades[i]));
	return json_pack("{s:I,s:I,s:o,s:o,s:o,s:o,s:o,s:o}",
			 "calls", (json_int_t)calls->count,
			 "bytes", (json_int_t)calls->bytes,
			 "total_ms", number(calls->total_ms),
			 "p50_ms", number(calls->p50_ms),
			 "p90_ms", number(calls->p90_ms),
			 "p99_ms", number(calls->p99_ms),
			 "max_ms", number(calls->max_ms),
			 "calls_by_decade_from_below_1_us", decades);
}

static json_t *moment_json(const struct claw_fragments_moment *moment)
{
	return json_pack("{s:I,s:I,s:I,s:f}",
			 "used_bytes", (json_int_t)moment->used_bytes,
			 "free_bytes", (json_int_t)moment->free_bytes,
			 "largest_free_bytes",
			 (json_int_t)moment->largest_bytes,
			 "broken_up", claw_fragments_part(moment));
}

static json_t *fragments_json(const struct claw_fragments *fragments)
{
	if (!fragments || !fragments->looks)
		return json_null();
	return json_pack("{s:I,s:I,s:o,s:o,s:b}",
			 "device_bytes", (json_int_t)fragments->device_bytes,
			 "looks", (json_int_t)fragments->looks,
			 "at_most_use", moment_json(&fragments->peak),
			 "at_worst", moment_json(&fragments->worst),
			 "ended_early", fragments->overflowed);
}

json_t *claw_profile_json(const struct claw_profile *profile,
			  const struct claw_fragments *fragments)
{
	static const char *const names[CLAW_PROFILE_KIND_COUNT] = {
		[CLAW_PROFILE_WRITE] = "host_to_device",
		[CLAW_PROFILE_READ] = "device_to_host",
		[CLAW_PROFILE_COPY] = "on_device", [CLAW_PROFILE_MAP] = "mapped",
		[CLAW_PROFILE_ALLOC] = "allocations",
	};
	json_t *all = json_pack(
		"{s:I,s:I,s:I,s:o,s:I,s:I,s:I,s:o,s:o,s:o,s:o}",
		"processes", (json_int_t)profile->processes,
		"calls", (json_int_t)profile->calls,
		"peak_bytes", (json_int_t)profile->peak_bytes,
		"peak_ms", number(profile->peak_ms),
		"end_bytes", (json_int_t)profile->end_bytes,
		"allocated_bytes", (json_int_t)profile->allocated_bytes,
		"freed_bytes", (json_int_t)profile->freed_bytes,
		"owners_at_peak", owners_json(&profile->peak),
		"owners_at_end", owners_json(&profile->end),
		"kernels", kernels_json(profile),
		"fragmentation", fragments_json(fragments));

	for (size_t i = 0; all && i < CLAW_PROFILE_KIND_COUNT; i++)
		json_object_set_new(all, names[i],
				    calls_json(&profile->kinds[i]));
	return all;
}
