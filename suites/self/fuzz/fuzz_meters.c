/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of meters against bytes that nobody wrote, and the numbers that
 * are made of what it gives: built with -DCLAW_LIBFUZZER -fsanitize=fuzzer it
 * is libFuzzer's, built plainly it reads mutations of a sound file:
 *
 *	fuzz_meters [COUNT [SEED]]	that many mutations (default 200, 1)
 *	fuzz_meters --write DIRECTORY	write the seed, for libFuzzer
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "harness/readers/meter_reader.h"
#include "fuzz_bytes.h"
#include "suites/self/lib/meter_maker.h"

static void use_meter(const struct claw_meter *meter)
{
	static const double parts[] = { -1, 0, 0.5, 0.9, 0.99, 1, 2, NAN };
	struct claw_meter part, again;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		double ticks = claw_meter_quantile(meter, parts[i]);

		if (!isnan(ticks) && (ticks < 0 || ticks > 0x1p64))
			abort();
	}
	/* Nothing has happened since. */
	claw_meter_subtract(meter, meter, &part);
	if (part.count || part.ticks || part.max_ticks ||
	    !isnan(claw_meter_quantile(&part, 0.5)))
		abort();
	claw_meter_subtract(meter, NULL, &part);
	claw_meter_add(&part, meter);
	claw_meter_subtract(&part, meter, &again);
}

static void use_meters(const struct claw_meter_file *meters)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < CLAW_METER_KIND_COUNT; i++)
		use_meter(&meters->meters[i]);
	for (unsigned int i = 0; i < CLAW_METER_SITES; i++) {
		sum += meters->peak.site_bytes[i];
		if (meters->sites[i].objects > INT64_MAX ||
		    meters->sites[i].bytes > INT64_MAX)
			abort();
	}
	if (sum != meters->peak.bytes || meters->live_bytes > INT64_MAX)
		abort();
	for (unsigned int i = 0; i < CLAW_METER_KERNELS; i++)
		if (!memchr(meters->kernels[i].name, '\0',
			    CLAW_METER_NAME_BYTES))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct claw_meter_file *meters;

	if (claw_meters_read_memory(bytes, size, &meters) == 0) {
		use_meters(meters);
		free(meters);
	}
	return 0;
}

#ifndef CLAW_LIBFUZZER

static void make_seed(struct made_meters *made)
{
	made_meters_init(made);
	for (unsigned int i = 0; i < CLAW_METER_KIND_COUNT; i++) {
		made_meters_add(made, i % 3, (enum claw_meter_kind)i, 100 * i);
		made_meters_add(made, 15, (enum claw_meter_kind)i, 1 << i);
	}
	for (unsigned int i = 0; i < 5; i++)
		made_meters_add_site(made, i, i, 4096 * i);
	snprintf(made->file.kernels[0].name, CLAW_METER_NAME_BYTES, "blur");
}

int main(int argc, char **argv)
{
	static struct made_meters seed;

	make_seed(&seed);
	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		fuzz_write_seed(argv[2], "whole", &seed, sizeof(seed));
	else
		fuzz_run(&(struct fuzz_bytes) {
			.seed = &seed, .size = sizeof(seed),
			/* The header and the totals, the file's struct,
			 * anything. */
			.reach = { 256, sizeof(struct claw_meter_file), 0 },
			.words = {
				0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff,
				0x100000000, INT64_MAX, UINT64_MAX,
				UINT64_MAX - 63, (uint64_t)INT64_MAX + 1,
				CLAW_METER_FILE_BYTES,
				CLAW_METER_FILE_BYTES - 1,
				sizeof(struct claw_meter_file), 4096, 3,
			},
		}, argc > 1 ? strtoul(argv[1], NULL, 10) : 200,
		   argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
	return 0;
}

#endif
