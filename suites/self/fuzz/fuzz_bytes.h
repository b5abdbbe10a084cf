/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame of a fuzzer of a binary file, without libFuzzer: a good file is
 * changed from a fixed number, as often as it is told.
 */
#ifndef CLAW_FUZZ_BYTES_H
#define CLAW_FUZZ_BYTES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#ifndef CLAW_LIBFUZZER
enum { FUZZ_REACHES = 3, FUZZ_WORDS = 16, FUZZ_SMALLEST = 64 };

struct fuzz_bytes {
	const void *seed;
	size_t size;
	/* Changes are within the first so many bytes, one as often as another;
	 * 0: anywhere. */
	size_t reach[FUZZ_REACHES];
	uint64_t words[FUZZ_WORDS];	/* that decide something */
};

static void die(const char *what)
{
	perror(what);
	exit(99);
}

static uint64_t fuzz_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void fuzz_change(const struct fuzz_bytes *fuzz, unsigned char *bytes,
			size_t *size, uint64_t *state)
{
	size_t reach = fuzz->reach[fuzz_next(state) % FUZZ_REACHES];
	size_t at = fuzz_next(state) % (reach ? reach : *size);
	uint64_t word = fuzz->words[fuzz_next(state) % FUZZ_WORDS];

	if (at + 8 > *size)
		at = *size - 8;
	switch (fuzz_next(state) % 6) {
	case 0:
		bytes[at] ^= (unsigned char)(1u << fuzz_next(state) % 8);
		break;
	case 1:
		bytes[at] = (unsigned char)fuzz_next(state);
		break;
	case 2:
		memcpy(bytes + (at & ~(size_t)3), &word, 4);
		break;
	case 3:
		memcpy(bytes + (at & ~(size_t)7), &word, 8);
		break;
	case 4:		/* a word of one place in another */
		memmove(bytes + at / 8 * 8, bytes + fuzz_next(state) %
			(*size / 8) * 8, 8);
		break;
	default:
		if (fuzz_next(state) % 8 == 0)
			*size = 1 + fuzz_next(state) % *size;
		break;
	}
}

static void fuzz_run(const struct fuzz_bytes *fuzz, unsigned long count,
		     uint64_t state)
{
	state = state * UINT64_C(0x9e3779b97f4a7c15) | 1;
	for (unsigned long i = 0; i < count; i++) {
		size_t size = fuzz->size;
		unsigned int times = 1 + fuzz_next(&state) % 6;
		/* Of exactly that size, for the sanitizers. */
		unsigned char *work = malloc(size), *exact;

		if (!work)
			die("memory");
		memcpy(work, fuzz->seed, size);
		while (times-- > 0 && size > FUZZ_SMALLEST)
			fuzz_change(fuzz, work, &size, &state);
		exact = realloc(work, size);
		LLVMFuzzerTestOneInput(exact ? exact : work, size);
		free(exact ? exact : work);
	}
}

/* DIRECTORY/name: the first so many bytes of the seed, for libFuzzer. */
static void fuzz_write_seed(const char *directory, const char *name,
			    const void *seed, size_t size)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "wb");
	if (!file || fwrite(seed, size, 1, file) != 1 || fclose(file) != 0)
		die(path);
}
#endif

#endif
