/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame of a fuzzer of text. The including file defines fuzz_seeds,
 * fuzz_words and LLVMFuzzerTestOneInput(). With libFuzzer (compile with
 * -DCLAW_LIBFUZZER) that is all; without, a main() changes the seeds by
 * itself, from a fixed number, as often as it is told:
 *
 *	fuzz_X [ROUNDS [SEED]]
 *	fuzz_X --write DIRECTORY	write the seeds and the words, for libFuzzer
 *	fuzz_X --read FILE...		read these
 *
 * FUZZ_OWN_MAIN, defined before, leaves that to the including file.
 */
#ifndef CLAW_FUZZ_TEXT_H
#define CLAW_FUZZ_TEXT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* NULL-terminated: good inputs, and what may be put into them anywhere. */
extern const char *const fuzz_seeds[];
extern const char *const fuzz_words[];

#ifndef CLAW_LIBFUZZER
static uint64_t fuzz_state;

/* Knuth's MMIX generator. */
static uint64_t fuzz_next(void)
{
	fuzz_state = fuzz_state * UINT64_C(6364136223846793005) +
		     UINT64_C(1442695040888963407);
	return fuzz_state >> 33;
}

static const char *fuzz_pick(const char *const *list)
{
	size_t count = 0;

	while (list[count])
		count++;
	return list[fuzz_next() % count];
}

/* Change text a few times; returns its new size, at most room. */
static size_t fuzz_damage(char *text, size_t size, size_t room)
{
	for (uint64_t times = fuzz_next() % 8; times > 0; times--) {
		size_t at = size ? fuzz_next() % size : 0;
		const char *word = fuzz_pick(fuzz_words);
		size_t length = strlen(word);

		switch (fuzz_next() % 5) {
		case 0:
			if (size)
				text[at] = (char)fuzz_next();
			break;
		case 1:
			size = at;
			break;
		case 2:
			if (size) {
				memmove(text + at, text + at + 1, size - at - 1);
				size--;
			}
			break;
		default:
			if (size + length > room)
				break;
			memmove(text + at + length, text + at, size - at);
			memcpy(text + at, word, length);
			size += length;
		}
	}
	return size;
}

static FILE *fuzz_create(const char *directory, const char *name)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "wb");
	if (!file) {
		perror(path);
		exit(99);
	}
	return file;
}

static void fuzz_close(FILE *file)
{
	if (fclose(file) != 0) {
		perror("fuzz");
		exit(99);
	}
}

/* DIRECTORY/seed0 ..., and words.dict as libFuzzer wants it. */
static void fuzz_write(const char *directory, const char *const *seeds)
{
	FILE *file;

	for (size_t i = 0; seeds[i]; i++) {
		char name[32];

		snprintf(name, sizeof(name), "seed%zu", i);
		file = fuzz_create(directory, name);
		fputs(seeds[i], file);
		fuzz_close(file);
	}
	file = fuzz_create(directory, "words.dict");
	for (size_t i = 0; fuzz_words[i]; i++) {
		fputc('"', file);
		for (const char *c = fuzz_words[i]; *c; c++)
			fprintf(file, "\\x%02x", (unsigned char)*c);
		fputs("\"\n", file);
	}
	fuzz_close(file);
}

static void fuzz_read(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *bytes = malloc(1 << 20);
	size_t size;

	if (!file || !bytes) {
		perror(path);
		exit(99);
	}
	size = fread(bytes, 1, 1 << 20, file);
	fclose(file);
	bytes = realloc(bytes, size ? size : 1);
	if (bytes)
		LLVMFuzzerTestOneInput((const uint8_t *)bytes, size);
	free(bytes);
}

/* Was it "--write DIRECTORY" or "--read FILE..."? Then it is done. */
static bool fuzz_did(int argc, char **argv, const char *const *seeds)
{
	if (argc > 2 && strcmp(argv[1], "--write") == 0) {
		fuzz_write(argv[2], seeds);
		return true;
	}
	if (argc < 3 || strcmp(argv[1], "--read") != 0)
		return false;
	for (int i = 2; i < argc; i++)
		fuzz_read(argv[i]);
	return true;
}

#ifndef FUZZ_OWN_MAIN
int main(int argc, char **argv)
{
	uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
	char text[2048];

	if (fuzz_did(argc, argv, fuzz_seeds))
		return 0;
	fuzz_state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	for (uint64_t round = 0; round < rounds; round++) {
		const char *seed = fuzz_pick(fuzz_seeds);
		size_t size = strlen(seed);
		char *exact;

		memcpy(text, seed, size);
		size = fuzz_damage(text, size, sizeof(text));
		/* Of the very size, so that a sanitizer sees reads past it. */
		exact = malloc(size ? size : 1);
		if (!exact)
			return 1;
		memcpy(exact, text, size);
		LLVMFuzzerTestOneInput((const uint8_t *)exact, size);
		free(exact);
	}
	printf("%" PRIu64 " inputs read\n", rounds);
	return 0;
}
#endif
#endif

#endif
