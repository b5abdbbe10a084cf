/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of libclw's files of programs against bytes that nobody wrote, and
 * what is made of them: built with -DCLAW_LIBFUZZER -fsanitize=fuzzer it is
 * libFuzzer's, built plainly it reads mutations of a sound file:
 *
 *	fuzz_clw_cache [COUNT [SEED]]	that many mutations (default 20000, 1)
 *	fuzz_clw_cache --write DIRECTORY	write the seed, for libFuzzer
 *	fuzz_clw_cache FILE...		read these
 *
 * An input is such a file without its sum, which is put right here: a fuzzer
 * that has to guess it would see nothing of what is behind it.
 */
#include "config.h"

#include <stdbool.h>

#include "libclw/entry.h"
#include "fuzz_bytes.h"

enum { ARGS_MAX = 4 };
static char key_text[] = "0.1\0a device\0-DX\0kernel void k() {}";
static const struct clw_wire key = { .data = key_text,
				     .size = sizeof(key_text) };

/* As libclw's kernel.c does. */
static bool use_described(const struct clw_entry *entry, const char *kernel,
			  uint64_t count)
{
	struct clw_wire all = { .data = (char *)entry->described,
				.size = entry->described_size };
	volatile size_t sink = 0;

	if (!clw_entry_find(&all, kernel, count))
		return false;
	for (uint64_t i = 0; i < count * 2; i++)
		sink = sink + strlen(clw_get_text(&all));
	if (all.at > all.size)
		abort();
	return !all.is_bad;
}

/* What is taken is whole: written again it is the same. */
static void use_entry(const struct clw_wire *wire,
		      const struct clw_entry *entry)
{
	struct clw_wire again = { .data = NULL };

	clw_entry_write(&again, &key, entry);
	if (again.is_bad || again.size != wire->size ||
	    memcmp(again.data, wire->data, again.size) != 0)
		abort();
	clw_wire_clear(&again);
	for (uint64_t count = 0; count <= ARGS_MAX; count++) {
		use_described(entry, "compute", count);
		use_described(entry, "last", count);
	}
}

static bool read_entry(struct clw_wire *wire)
{
	struct clw_entry entry;

	if (!clw_entry_read(wire, &key, &entry))
		return false;
	use_entry(wire, &entry);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct clw_wire wire = { .data = malloc(size + 8), .size = size + 8 };
	uint64_t sum = clw_entry_sum(0, bytes, size);

	if (!wire.data)
		return 0;
	if (size)
		memcpy(wire.data, bytes, size);
	memcpy(wire.data + size, &sum, sizeof(sum));
	read_entry(&wire);
	clw_wire_clear(&wire);
	return 0;
}

#ifndef CLAW_LIBFUZZER

static void describe(struct clw_wire *described, const char *kernel,
		     uint64_t count)
{
	clw_put_text(described, kernel);
	clw_put(described, count);
	for (uint64_t i = 0; i < count; i++) {
		clw_put_text(described, "argument");
		clw_put_text(described, "float4*");
	}
}

/* The seed must be sound itself, or its mutations mean nothing. */
static void make_seed(struct clw_wire *wire)
{
	struct clw_wire described = { .data = NULL };
	struct clw_entry entry;

	describe(&described, "other", 1);
	describe(&described, "compute", 2);
	describe(&described, "last", ARGS_MAX);
	clw_put_text(&described, "");
	clw_entry_write(wire, &key, &(struct clw_entry){
		described.data, "a binary", described.size, 8 });
	if (!clw_entry_read(wire, &key, &entry) ||
	    !use_described(&entry, "compute", 2) ||
	    !use_described(&entry, "last", ARGS_MAX) ||
	    use_described(&entry, "last", 1)) {
		fprintf(stderr, "fuzz_clw_cache: the seed is not sound\n");
		exit(1);
	}
	wire->size -= 8;
	clw_wire_clear(&described);
}

static int read_files(int argc, char **argv)
{
	static uint8_t bytes[1 << 20];

	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");

		if (!file)
			die(argv[i]);
		LLVMFuzzerTestOneInput(bytes, fread(bytes, 1, sizeof(bytes),
						    file));
		fclose(file);
		printf("%s: read\n", argv[i]);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct clw_wire seed = { .data = NULL };

	if (argc > 1 && argv[1][0] != '-' && strspn(argv[1], "0123456789") !=
					     strlen(argv[1]))
		return read_files(argc, argv);
	make_seed(&seed);
	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		fuzz_write_seed(argv[2], "whole", seed.data, seed.size);
	else
		fuzz_run(&(struct fuzz_bytes) {
			.seed = seed.data, .size = seed.size,
			/* The word, the key and sizes, or all. */
			.reach = { 128, 0, 0 },
			.words = {
				0, 1, 2, 3, 4, 7, 8, 9, 64, 0x80000000,
				0xffffffff, INT64_MAX, UINT64_MAX,
				UINT64_MAX - 7, UINT64_MAX - 63, 1 << 20,
			},
		}, argc > 1 ? strtoul(argv[1], NULL, 10) : 20000,
		   argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
	clw_wire_clear(&seed);
	return 0;
}

#endif
