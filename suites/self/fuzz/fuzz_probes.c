/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of probes against bytes that nobody wrote: built with
 * -DCLAW_LIBFUZZER -fsanitize=fuzzer it is libFuzzer's, built plainly it reads
 * mutations of a sound file:
 *
 *	fuzz_probes [COUNT [SEED]]	that many mutations (default 200, 1)
 *	fuzz_probes --write DIRECTORY	write the seed, for libFuzzer
 */
#include "config.h"

#include "harness/readers/probe_reader.h"
#include "fuzz_bytes.h"
#include "suites/self/lib/probe_maker.h"

static void use(const struct claw_probe_file *file)
{
	static const uint32_t counters[] = { 0, 1, 31, 32, 47, 48, UINT32_MAX };
	size_t part;
	uint32_t number;

	if (!claw_probe_state_text((enum claw_probe_state)file->header.state) ||
	    file->header.parts > CLAW_PROBE_PARTS ||
	    strpbrk(file->header.why, "\n\033") ||
	    memchr(file->header.device, '\0', sizeof(file->header.device)) ==
	    NULL)
		abort();
	for (uint32_t i = 0; i < file->header.parts; i++)
		for (size_t j = 0; j < sizeof(counters) / sizeof(*counters);
		     j++) {
			uint32_t count = 0;

			if (claw_probe_counter(file, i, counters[j], &count) &&
			    !(file->header.modes & CLAW_PROBE_COUNT) &&
			    count > 1)
				abort();
		}
	if (claw_probe_access(file, 7, &part, &number) &&
	    part >= file->header.parts)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct claw_probe_file file;

	if (claw_probe_file_read_memory(bytes, size, &file) == 0) {
		use(&file);
		claw_probe_file_release(&file);
	}
	return 0;
}

#ifndef CLAW_LIBFUZZER

int main(int argc, char **argv)
{
	static struct made_probes seed;

	made_probes_init(&seed, CLAW_PROBE_COUNT);
	made_probes_set(&seed, 3, 7);
	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		fuzz_write_seed(argv[2], "whole", &seed, sizeof(seed));
	else
		fuzz_run(&(struct fuzz_bytes) {
			.seed = &seed, .size = sizeof(seed),
			/* The header, and the first parts; anything. */
			.reach = { sizeof(seed.header), 512, 0 },
			.words = {
				0, 1, 2, 3, 5, 6, 32, 33, 64, 65,
				0x7fffffff, 0xffffffff, UINT64_MAX, 1 << 26,
				(1 << 26) + 1, 4096,
			},
		}, argc > 1 ? strtoul(argv[1], NULL, 10) : 200,
		   argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
	return 0;
}

#endif
