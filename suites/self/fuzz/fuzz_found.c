/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of findings against bytes that nobody wrote, and the sentences
 * that are made of what it gives: built with -DCLAW_LIBFUZZER
 * -fsanitize=fuzzer it is libFuzzer's, built plainly it reads mutations of a
 * sound file:
 *
 *	fuzz_found [COUNT [SEED]]	that many mutations (default 20000, 1)
 *	fuzz_found --write DIRECTORY	write the seed, for libFuzzer
 *	fuzz_found FILE...		read these, and say what is in them
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "harness/check/found_groups.h"
#include "suites/self/lib/found_maker.h"
#include "fuzz_bytes.h"

enum { SEED_ENTRIES = 32 };	/* of the seed's file: most of it is free */

/* Every finding has a sentence, whatever its values are. */
static void use_entry(const struct claw_found_entry *entry)
{
	struct claw_found_group group = {
		.kind = (enum claw_found_kind)entry->kind, .first = *entry,
		.times = entry->times,
	};
	const struct claw_found_place *const places[] = {
		&entry->at, &entry->second, &entry->third,
	};
	char *text;

	if (entry->kind >= CLAW_FOUND_KIND_COUNT || entry->times == 0 ||
	    strnlen(entry->name, sizeof(entry->name)) == sizeof(entry->name))
		abort();
	for (size_t i = 0; i < CLAW_FOUND_PLACES; i++) {
		struct claw_found_where *where = &group.where[i];

		where->object = (enum claw_obj)places[i]->object;
		where->api = places[i]->api == CLAW_FOUND_NO_API ? NULL :
			(char *)"clReleaseMemObject";
		where->site.place = places[i]->site % 2 ? NULL :
			(char *)"main (x.c:1)";
		where->site.name = where->site.stack = (char *)"main";
	}
	text = claw_found_text(&group);
	if (!text || !*text || strpbrk(text, "{}[]"))
		abort();
	free(text);
}

static void use_found(const struct claw_found_file *found)
{
	if (found->count > 64 * CLAW_FOUND_CAPACITY)
		abort();
	for (size_t i = 0; i < found->count; i++) {
		struct claw_found_entry entry = found->entries[i];

		/* Brackets in a name are not the sentence's. */
		for (char *c = entry.name; *c; c++)
			if (strchr("{}[]", *c))
				*c = '?';
		use_entry(&entry);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct claw_found_file found;

	if (claw_found_file_read_memory(bytes, size, &found) == 0) {
		use_found(&found);
		claw_found_file_release(&found);
	}
	return 0;
}

#ifndef CLAW_LIBFUZZER

/* One of each kind, and one that is not complete. */
static size_t make_seed(struct made_found *made)
{
	made_found_init(made);
	made->header.capacity = SEED_ENTRIES;
	for (unsigned int i = 0; i < CLAW_FOUND_KIND_COUNT; i++) {
		struct claw_found_entry *entry =
			made_found_add(made, (enum claw_found_kind)i, "blur");

		entry->at = made_place(1, 2, CLAW_OBJ_MEM);
		entry->second = made_place(2, 3, CLAW_OBJ_MEM);
		entry->third = made_place(3, 4, CLAW_OBJ_MEM);
		entry->values[1] = entry->values[3] = 4096;
	}
	made_found_add(made, CLAW_FOUND_RANGE, "")->complete = 0;
	return offsetof(struct made_found, entries) +
		SEED_ENTRIES * sizeof(made->entries[0]);
}

static void check_seed(const struct made_found *made, size_t size)
{
	struct claw_found_file found;

	if (claw_found_file_read_memory(made, size, &found) != 0 ||
	    found.damaged != 1 || found.count != CLAW_FOUND_KIND_COUNT ||
	    found.pid != 4711) {
		fprintf(stderr, "fuzz_found: the seed is not sound\n");
		exit(1);
	}
	claw_found_file_release(&found);
}

static int show_files(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct claw_found_file found;
		int ret = claw_found_file_read(argv[i], &found);

		if (ret < 0) {
			printf("%s: error %d\n", argv[i], ret);
			continue;
		}
		use_found(&found);
		printf("%s: process %" PRIu32 ", modes %" PRIx32 ", %zu "
		       "findings, %" PRIu64 " lost, %" PRIu64 " damaged\n",
		       argv[i], found.pid, found.modes, found.count,
		       found.lost, found.damaged);
		for (size_t n = 0; n < found.count; n++)
			printf("  %s: %" PRIu64 " times, sites %" PRIu32 " %"
			       PRIu32 " %" PRIu32 ", \"%s\"\n",
			       claw_found_kind_name((enum claw_found_kind)
						    found.entries[n].kind),
			       found.entries[n].times, found.entries[n].at.site,
			       found.entries[n].second.site,
			       found.entries[n].third.site,
			       found.entries[n].name);
		claw_found_file_release(&found);
	}
	return 0;
}

int main(int argc, char **argv)
{
	static struct made_found seed;
	size_t size;

	if (argc > 1 && argv[1][0] != '-' && strspn(argv[1], "0123456789") !=
					     strlen(argv[1]))
		return show_files(argc, argv);
	size = make_seed(&seed);
	check_seed(&seed, size);
	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		fuzz_write_seed(argv[2], "whole", &seed, size);
	else
		fuzz_run(&(struct fuzz_bytes) {
			.seed = &seed, .size = size,
			/* The header's first fields, the header, anything. */
			.reach = { 56, sizeof(struct claw_found_header), 0 },
			.words = {
				0, 1, 2, 24, 25, 192, 312, 1024, 0x7fffffff,
				0x80000000, 0xffffffff, 0x100000000, INT64_MAX,
				UINT64_MAX, UINT64_MAX - 63,
				sizeof(struct claw_found_entry) - 1,
			},
		}, argc > 1 ? strtoul(argv[1], NULL, 10) : 20000,
		   argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
	return 0;
}

#endif
