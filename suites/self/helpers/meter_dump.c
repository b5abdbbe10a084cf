/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What meters say, but for times, in lines that are the same each time:
 *
 *	meter_dump FILE
 *
 * What is 0 is left out. A meter whose buckets are not as many as its calls,
 * whose times cannot be, or that has no time, is "wrong".
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "faults/shared/api.h"
#include "harness/base/errors.h"
#include "harness/readers/meter_reader.h"

static const char *const kind_names[CLAW_METER_KIND_COUNT] = {
	[CLAW_METER_LAUNCH] = "launch",
	[CLAW_METER_LAUNCH_CALL] = "launch-call",
	[CLAW_METER_WRITE] = "write", [CLAW_METER_READ] = "read",
	[CLAW_METER_COPY] = "copy", [CLAW_METER_MAP] = "map",
	[CLAW_METER_ALLOC] = "alloc", [CLAW_METER_BUILD] = "build",
	[CLAW_METER_WAIT] = "wait",
};

static bool is_right(const struct claw_meter *meter)
{
	double median = claw_meter_quantile(meter, 0.5);
	double last = claw_meter_quantile(meter, 1);
	uint64_t sum = 0;

	for (unsigned int i = 0; i < CLAW_METER_BUCKETS; i++)
		sum += meter->buckets[i];
	return sum == meter->count && meter->max_ticks > 0 &&
		meter->ticks >= meter->max_ticks && median > 0 &&
		median <= last && last <= (double)meter->max_ticks &&
		last >= (double)meter->max_ticks * 0.9 - 1;
}

static void print_meters(const struct claw_meter_file *meters)
{
	for (unsigned int i = 0; i < CLAW_METER_KIND_COUNT; i++) {
		const struct claw_meter *meter = &meters->meters[i];

		if (meter->count)
			printf("%s count %" PRIu64 " bytes %" PRIu64 "%s\n",
			       kind_names[i], meter->count, meter->bytes,
			       is_right(meter) ? "" : " wrong");
	}
}

static void print_codes(const char *what, const uint64_t *table)
{
	for (int i = 0; i < CLAW_METER_CODES; i++) {
		const char *name = claw_code_name(-i);

		if (table[i])
			printf("%s %s %" PRIu64 "\n", what,
			       i == CLAW_METER_CODES - 1 ? "beyond" :
			       name ? name : "?", table[i]);
	}
}

static void print_live(const struct claw_meter_file *meters)
{
	uint64_t objects = 0, bytes = 0, made = 0;

	for (int i = 0; i < CLAW_OBJ_COUNT; i++)
		if (meters->live[i])
			printf("live %s %" PRIu64 "\n",
			       claw_obj_name((enum claw_obj)i),
			       meters->live[i]);
	printf("bytes live %" PRIu64 " peak %" PRIu64 " allocated %" PRIu64
	       " freed %" PRIu64 " snapshot %" PRIu64 "\n",
	       meters->live_bytes, meters->peak_bytes,
	       meters->allocated_bytes, meters->freed_bytes,
	       meters->peak.bytes);
	for (unsigned int i = 0; i < CLAW_METER_SITES; i++) {
		const struct claw_meter_site *site = &meters->sites[i];

		objects += site->objects;
		bytes += site->bytes;
		made += site->made;
		if (i > 0 && site->made)
			printf("site objects %" PRIu64 " bytes %" PRIu64
			       " made %" PRIu64 " peak %" PRIu64 " snapshot %"
			       PRIu64 "\n", site->objects, site->bytes,
			       site->made, site->peak_bytes,
			       meters->peak.site_bytes[i]);
	}
	printf("sites objects %" PRIu64 " bytes %" PRIu64 " made %" PRIu64
	       " unplaced %" PRIu64 "\n", objects, bytes, made,
	       meters->unplaced);
}

static void print_kernels(const struct claw_meter_file *meters)
{
	for (unsigned int i = 0; i < CLAW_METER_KERNELS; i++) {
		const struct claw_meter_kernel *kernel = &meters->kernels[i];

		if (*kernel->name)
			printf("kernel %s launches %" PRIu64 " local %" PRIu64
			       " group %s spill %s\n", kernel->name,
			       kernel->launches, kernel->local_bytes,
			       kernel->work_group_size > 0 &&
			       kernel->work_group_size < 1 << 30 ? "known" :
			       "unknown", kernel->spill_bytes == UINT64_MAX ?
			       "unknown" : "known");
	}
}

int main(int argc, char **argv)
{
	struct claw_meter_file *meters;
	int ret = argc == 2 ? claw_meters_read(argv[1], &meters) :
		-CLAW_E_NOT_FOUND;

	if (ret < 0) {
		fprintf(stderr, "meter_dump: %s\n", claw_error_text(ret));
		return 1;
	}
	printf("%scalls %" PRIu64 " failed %" PRIu64 " injected %" PRIu64
	       " iterations %" PRIu64 " wrong-results %" PRIu64 "\n",
	       meters->forked ? "forked " : "", meters->calls, meters->failed,
	       meters->injected, meters->iterations, meters->wrong_results);
	print_meters(meters);
	print_codes("error", meters->errors);
	print_codes("injection", meters->injections);
	print_codes("event", meters->event_errors);
	print_live(meters);
	print_kernels(meters);
	free(meters);
	return 0;
}
