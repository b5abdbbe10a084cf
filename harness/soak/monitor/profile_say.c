/* SPDX-License-Identifier: Apache-2.0 */
/* A profile for a person. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "profile.h"
#include "harness/records/series.h"
#include "harness/base/words.h"

static const char *bytes_text(char *text, size_t size, uint64_t bytes)
{
	claw_series_print(text, size, CLAW_UNIT_BYTES, (double)bytes);
	return text;
}
#define BYTES(bytes_) bytes_text((char[64]){ 0 }, 64, (bytes_))

static const char *ms_text(char *text, size_t size, double ms)
{
	claw_series_print(text, size, CLAW_UNIT_MS, ms);
	return text;
}
#define MS(ms_) ms_text((char[64]){ 0 }, 64, (ms_))

static void put_more(FILE *out, size_t count, size_t top, const char *what)
{
	if (count > top)
		fprintf(out, "    and %zu more %s\n", count - top, what);
}

/* ---- who owns it ------------------------------------------------------- */

static void say_stack(FILE *out, const char *stack)
{
	while (stack && *stack) {
		size_t length = strcspn(stack, "\n");

		fprintf(out, "                    %.*s\n", (int)length, stack);
		stack += length + (stack[length] == '\n');
	}
}

static void say_owners(FILE *out, const struct claw_profile_owners *owners,
		       uint64_t all, size_t top, bool verbose)
{
	for (size_t i = 0; i < owners->count && i < top; i++) {
		const struct claw_profile_owner *owner = &owners->items[i];

		fprintf(out, "    %10s  %3.0f %%  %s\n", BYTES(owner->bytes),
			all ? 100.0 * (double)owner->bytes / (double)all : 0,
			owner->place ? owner->place : "an unknown call site");
		fprintf(out, "                        %s; ", owner->name);
		claw_print_count(out, owner->made);
		fputs(" made, ", out);
		claw_print_count(out, owner->live);
		fputs(" alive at the end\n", out);
		if (verbose)
			say_stack(out, owner->stack);
	}
	put_more(out, owners->count, top, "places");
}

static void say_memory(FILE *out, const struct claw_profile *profile,
		       size_t top, bool verbose)
{
	fprintf(out, "Peak device memory: %s", BYTES(profile->peak_bytes));
	if (!isnan(profile->peak_ms))
		fprintf(out, ", %.3g s after the start",
			profile->peak_ms / 1e3);
	fprintf(out, "\n  allocated %s in total, freed %s, at exit %s\n",
		BYTES(profile->allocated_bytes), BYTES(profile->freed_bytes),
		BYTES(profile->end_bytes));
	fputs("  including memory that kernels and commands held after its "
	      "release\n", out);
	if (profile->processes > 1)
		fprintf(out, "  of process %" PRIu32 ", the largest of %zu\n",
			profile->pid, profile->processes);
	if (!profile->peak.count)
		return;
	fputs("\nOwners at the peak", out);
	if (profile->snapshot_bytes != profile->peak_bytes)
		fprintf(out, " (as it passed %s)",
			BYTES(profile->snapshot_bytes));
	fputs(":\n", out);
	say_owners(out, &profile->peak, profile->snapshot_bytes, top, verbose);
	if (!profile->end.count)
		return;
	fputs("\nOwners at exit:\n", out);
	say_owners(out, &profile->end, profile->end_bytes, top, verbose);
}

/* ---- fragments --------------------------------------------------------- */

static void say_moment(FILE *out, const char *when,
		       const struct claw_fragments_moment *moment)
{
	fprintf(out, "  %s: %s in use, largest free extent %s of %s (%.0f %% "
		"of the free memory is fragmented)\n", when,
		BYTES(moment->used_bytes), BYTES(moment->largest_bytes),
		BYTES(moment->free_bytes),
		100 * claw_fragments_part(moment));
}

static void say_fragments(FILE *out, const struct claw_profile *profile,
			  const struct claw_fragments *fragments)
{
	if (!fragments || !fragments->looks) {
		fputs("\n"
		      "Fragmentation: not measurable (the program exited "
		      "before the first sample, or the device's memory size "
		      "is unknown)\n", out);
		return;
	}
	fprintf(out, "\n"
		"Fragmentation, estimated for first-fit allocation in %s (%zu "
		"samples):\n",
		BYTES(fragments->device_bytes), fragments->looks);
	say_moment(out, "at most use seen", &fragments->peak);
	say_moment(out, "at worst", &fragments->worst);
	if (fragments->peak.used_bytes < profile->peak_bytes)
		fprintf(out, "  the peak of %s was between two samples\n",
			BYTES(profile->peak_bytes));
	if (fragments->overflowed)
		fputs("  stopped at that point: too many objects\n", out);
}

/* ---- kernels ----------------------------------------------------------- */

static const char *known_bytes(char *text, size_t size, uint64_t bytes)
{
	if (bytes == UINT64_MAX)
		snprintf(text, size, "-");
	else
		claw_series_print(text, size, CLAW_UNIT_BYTES, (double)bytes);
	return text;
}
#define KNOWN(bytes_) known_bytes((char[64]){ 0 }, 64, (bytes_))

static const char *known_count(char *text, size_t size, uint64_t count)
{
	if (count == UINT64_MAX)
		snprintf(text, size, "-");
	else
		snprintf(text, size, "%" PRIu64, count);
	return text;
}
#define COUNT(count_) known_count((char[24]){ 0 }, 24, (count_))

static void say_kernels(FILE *out, const struct claw_profile *profile,
			size_t top)
{
	if (!profile->kernel_count)
		return;
	fprintf(out, "\n%-28s %10s %12s %12s %12s %10s\n", "Kernel", "launches",
		"local", "private", "spilled", "work-group");
	for (size_t i = 0; i < profile->kernel_count && i < top; i++) {
		const struct claw_profile_kernel *kernel = &profile->kernels[i];

		fprintf(out, "%-28s %10" PRIu64 " %12s %12s %12s %10s\n",
			kernel->name, kernel->launches,
			KNOWN(kernel->local_bytes),
			KNOWN(kernel->private_bytes),
			KNOWN(kernel->spill_bytes),
			COUNT(kernel->work_group_size));
	}
	put_more(out, profile->kernel_count, top, "kernels");
}

/* ---- calls ------------------------------------------------------------- */

static void say_transfers(FILE *out, const struct claw_profile *profile)
{
	bool is_first = true;

	for (size_t i = 0; i < CLAW_PROFILE_ALLOC; i++) {
		const struct claw_profile_calls *calls = &profile->kinds[i];

		if (!calls->count)
			continue;
		if (is_first)
			fputs("\nTransfers:\n", out);
		is_first = false;
		fprintf(out, "  %-16s %10s in %" PRIu64 " calls, median %s, "
			"longest %s\n", calls->title, BYTES(calls->bytes),
			calls->count, MS(calls->p50_ms), MS(calls->max_ms));
	}
}

static void say_bar(FILE *out, uint64_t count, uint64_t most)
{
	enum { WIDTH = 40 };
	uint64_t length = (count * WIDTH + most - 1) / most;

	while (length--)
		fputc('#', out);
	fputc('\n', out);
}

static void say_allocations(FILE *out, const struct claw_profile_calls *calls)
{
	static const char *const names[CLAW_PROFILE_DECADES] = {
		"below 1 us", "1 us", "10 us", "100 us", "1 ms", "10 ms",
		"100 ms", "1 s", "10 s or more",
	};
	uint64_t most = 0;

	if (!calls->count)
		return;
	fprintf(out, "\n"
		"Allocations: %" PRIu64 " of %s in total; median %s, 90 %% "
		"below %s, 99 %% below %s, longest %s\n", calls->count,
		BYTES(calls->bytes), MS(calls->p50_ms), MS(calls->p90_ms),
		MS(calls->p99_ms), MS(calls->max_ms));
	for (size_t i = 0; i < CLAW_PROFILE_DECADES; i++)
		if (calls->decades[i] > most)
			most = calls->decades[i];
	for (size_t i = 0; i < CLAW_PROFILE_DECADES; i++) {
		if (!calls->decades[i])
			continue;
		fprintf(out, "  %-14s %10" PRIu64 "  ", names[i],
			calls->decades[i]);
		say_bar(out, calls->decades[i], most);
	}
}

void claw_profile_say(FILE *out, const struct claw_profile *profile,
		      const struct claw_fragments *fragments, size_t top,
		      bool verbose)
{
	say_memory(out, profile, top, verbose);
	say_fragments(out, profile, fragments);
	say_kernels(out, profile, top);
	say_transfers(out, profile);
	say_allocations(out, &profile->kinds[CLAW_PROFILE_ALLOC]);
}
