/* SPDX-License-Identifier: Apache-2.0 */
/* Two profiles beside each other: the peak, and who owned it. */
#include "config.h"

#include "diff.h"

#include <string.h>

static void add_sizes(json_t *all, const json_t *old, const json_t *new)
{
	static const struct {
		const char *name, *title;
	} rows[] = {
		{ "peak_bytes", "peak of device memory" },
		{ "end_bytes", "device memory at the end" },
		{ "allocated_bytes", "allocated in all" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		json_array_append_new(all, claw_diff_row(rows[i].name,
			rows[i].title, CLAW_UNIT_BYTES,
			claw_diff_get(old, rows[i].name),
			claw_diff_get(new, rows[i].name)));
}

static void add_calls(json_t *all, const json_t *old, const json_t *new)
{
	static const struct {
		const char *name, *title;
	} rows[] = {
		{ "host_to_device", "moved to the device" },
		{ "device_to_host", "moved to the host" },
		{ "on_device", "moved on the device" },
		{ "mapped", "mapped" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		json_array_append_new(all, claw_diff_row(rows[i].name,
			rows[i].title, CLAW_UNIT_BYTES,
			claw_diff_get(json_object_get(old, rows[i].name),
				      "bytes"),
			claw_diff_get(json_object_get(new, rows[i].name),
				      "bytes")));
	old = json_object_get(old, "allocations");
	new = json_object_get(new, "allocations");
	json_array_append_new(all, claw_diff_row("allocations", "allocations",
		CLAW_UNIT_COUNT, claw_diff_get(old, "calls"),
		claw_diff_get(new, "calls")));
	json_array_append_new(all, claw_diff_row("allocation_p50",
		"allocation, median", CLAW_UNIT_MS,
		claw_diff_get(old, "p50_ms"), claw_diff_get(new, "p50_ms")));
}

/* Bytes of that site among the owners: 0 where it is none of them. */
static double bytes_of(const json_t *owners, const char *site)
{
	const json_t *owner;
	double bytes = 0;
	size_t i;

	json_array_foreach(owners, i, owner)
		if (strcmp(claw_diff_text(owner, "site"), site) == 0)
			bytes += json_number_value(json_object_get(owner,
								   "bytes"));
	return bytes;
}

static bool has_site(const json_t *rows, const char *site)
{
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
		if (strcmp(claw_diff_text(row, "name"), site) == 0)
			return true;
	return false;
}

static void add_owners(json_t *all, const json_t *side, const json_t *old,
		       const json_t *new)
{
	const json_t *owner;
	size_t i;

	json_array_foreach(side, i, owner) {
		const char *site = claw_diff_text(owner, "site");
		const char *place = claw_diff_text(owner, "place");

		if (!has_site(all, site))
			json_array_append_new(all, claw_diff_row(site,
				*place ? place : "an unknown call site",
				CLAW_UNIT_BYTES, bytes_of(old, site),
				bytes_of(new, site)));
	}
}

void claw_diff_find_profile(json_t *diff, const struct claw_diff_side *old,
			    const struct claw_diff_side *new)
{
	const json_t *before = json_object_get(old->profile, "owners_at_peak");
	const json_t *now = json_object_get(new->profile, "owners_at_peak");
	json_t *rows = json_array(), *owners = json_array();

	add_sizes(rows, old->profile, new->profile);
	add_calls(rows, old->profile, new->profile);
	if (old->profile && new->profile) {
		add_owners(owners, now, before, now);
		add_owners(owners, before, before, now);
	} else {
		json_object_set_new(diff, "unknown", json_true());
	}
	json_object_set_new(diff, "sizes", rows);
	json_object_set_new(diff, "owners", owners);
}
