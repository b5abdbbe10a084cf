/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ledger's reader against bytes that nobody wrote, and what is made of
 * them: built with -DCLAW_LIBFUZZER -fsanitize=fuzzer it is libFuzzer's, built
 * plainly it reads mutations of a sound ledger:
 *
 *	fuzz_ledger [COUNT [SEED]]	that many mutations (default 20000, 1)
 *	fuzz_ledger --write DIRECTORY	write the seed, for libFuzzer
 *	fuzz_ledger FILE...		read these, and say what is in them
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "harness/leak_graph.h"
#include "harness/ledger_reader.h"
#include "suites/self/ledger_maker.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static volatile uint64_t sink;

static void use_entry(const struct claw_ledger_entry *entry, void *user)
{
	uint64_t *visits = user;

	sink = sink + entry->bytes;
	++*visits;
}

/* Every chain ends, and nothing is in two of them. */
static void use_holds(const struct claw_ledger *ledger)
{
	size_t links = 0;

	for (size_t i = 0; i < ledger->count; i++)
		for (uint32_t link = ledger->entries[i].hold; link != 0;
		     link = ledger->holds[link - 1].next)
			if (link > ledger->hold_count ||
			    ++links > ledger->hold_count)
				abort();
}

/* Everything that can be asked of a ledger. */
static void use_ledger(const struct claw_ledger *ledger)
{
	struct claw_leak_graph graph;
	uint64_t last = 0, visits = 0;

	for (size_t i = 0; i < ledger->count; i++) {
		const struct claw_ledger_entry *entry = &ledger->entries[i];

		if (entry->serial <= last || entry->handle <= 1 ||
		    entry->object == CLAW_OBJ_NONE ||
		    entry->object >= CLAW_OBJ_COUNT)
			abort();
		last = entry->serial;
		if (claw_ledger_find(ledger, entry->handle, entry->serial) !=
		    entry)
			abort();
	}
	use_holds(ledger);
	if (claw_leak_graph_init(&graph, ledger) < 0)
		abort();
	claw_leak_graph_start(&graph);
	for (size_t i = 0; i < ledger->count; i++) {
		sink = sink + (claw_leak_graph_context(&graph,
					&ledger->entries[i]) != NULL);
		claw_leak_graph_walk(&graph, &ledger->entries[i], use_entry,
				     &visits);
	}
	if (visits > ledger->count)
		abort();
	claw_leak_graph_release(&graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct claw_ledger ledger;

	if (claw_ledger_read_memory(bytes, size, &ledger) == 0) {
		use_ledger(&ledger);
		claw_ledger_release(&ledger);
	}
	return 0;
}

#ifndef CLAW_LIBFUZZER

static void die(const char *what)
{
	perror(what);
	exit(99);
}

/* A context, a queue, buffers, a kernel with arguments, events that hold
 * them, a sub-buffer, something that is gone. */
static void make_seed(struct made_ledger *made)
{
	struct claw_ledger_entry *context, *queue, *kernel, *mems[8], *sub;

	made_init(made);
	context = made_add(made, CLAW_OBJ_CONTEXT, 1, NULL);
	queue = made_add(made, CLAW_OBJ_QUEUE, 2, context);
	kernel = made_add(made, CLAW_OBJ_KERNEL, 3,
			  made_add(made, CLAW_OBJ_PROGRAM, 4, context));
	for (unsigned int i = 0; i < 8; i++) {
		mems[i] = made_add(made, CLAW_OBJ_MEM, 5, context);
		mems[i]->bytes = 1 << 20;
		mems[i]->references = i % 2;
	}
	sub = made_add(made, CLAW_OBJ_MEM, 6, mems[0]);
	sub->flags = CLAW_LEDGER_SUB;
	made_hold(made, kernel, sub);
	for (unsigned int i = 0; i < 24; i++) {
		struct claw_ledger_entry *event =
			made_add(made, CLAW_OBJ_EVENT, 7, queue);

		event->flags = CLAW_LEDGER_IMPLICIT;
		made_hold(made, event, mems[i % 8]);
		made_hold(made, event, sub);
	}
	made_add(made, CLAW_OBJ_MAPPING, 8, mems[2])->handle = 1;
}

static void check_seed(const struct made_ledger *made)
{
	struct claw_ledger ledger;

	if (claw_ledger_read_memory(made, sizeof(*made), &ledger) != 0 ||
	    ledger.damaged != 0 || ledger.count != made->entry_count - 1 ||
	    ledger.hold_count != MADE_HOLDS || ledger.pid != 4711) {
		fprintf(stderr, "fuzz_ledger: the seed is not sound\n");
		exit(1);
	}
	claw_ledger_release(&ledger);
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void mutate(unsigned char *bytes, size_t *size, uint64_t *state)
{
	static const uint64_t words[] = {
		0, 1, 2, 63, 64, 65, 4096, 0x7fffffff, 0x80000000, 0xffffffff,
		0x100000000, INT64_MAX, UINT64_MAX, UINT64_MAX - 63,
		sizeof(struct claw_ledger_header), sizeof(struct made_ledger),
	};
	/* The header, the entries and holds, or a word of the first fields. */
	size_t reach[] = { sizeof(struct claw_ledger_header), *size, 128 };
	size_t at = next_random(state) % reach[next_random(state) % 3];
	uint64_t word = words[next_random(state) % 16];

	if (at + 8 > *size)
		at = *size - 8;
	switch (next_random(state) % 6) {
	case 0:
		bytes[at] ^= (unsigned char)(1u << next_random(state) % 8);
		break;
	case 1:
		bytes[at] = (unsigned char)next_random(state);
		break;
	case 2:
		memcpy(bytes + (at & ~(size_t)3), &word, 4);
		break;
	case 3:
		memcpy(bytes + (at & ~(size_t)7), &word, 8);
		break;
	case 4:		/* a word of one place in another */
		memcpy(bytes + at / 8 * 8, bytes + next_random(state) %
		       (*size / 8) * 8, 8);
		break;
	default:
		if (next_random(state) % 8 == 0)
			*size = 8 + next_random(state) % (*size - 8);
		break;
	}
}

static void run_mutations(const struct made_ledger *seed, unsigned long count,
			  uint64_t state)
{
	state = state * UINT64_C(0x9e3779b97f4a7c15) | 1;
	for (unsigned long i = 0; i < count; i++) {
		size_t size = sizeof(*seed);
		unsigned int times = 1 + next_random(&state) % 6;
		/* Of exactly that size, for the sanitizers. */
		unsigned char *work = malloc(size), *exact;

		if (!work)
			die("memory");
		memcpy(work, seed, size);
		while (times-- > 0 && size > 64)
			mutate(work, &size, &state);
		exact = realloc(work, size);
		LLVMFuzzerTestOneInput(exact ? exact : work, size);
		free(exact ? exact : work);
	}
}

static int show_files(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct claw_ledger ledger;
		int ret = claw_ledger_read(argv[i], &ledger);

		if (ret < 0) {
			printf("%s: error %d\n", argv[i], ret);
			continue;
		}
		use_ledger(&ledger);
		printf("%s: process %" PRIu32 ", %" PRIu64 " objects made, %zu "
		       "kept, %" PRIu64 " dropped, %" PRIu64 " unknown, %"
		       PRIu64 " damaged\n", argv[i], ledger.pid, ledger.created,
		       ledger.count, ledger.dropped, ledger.unknown,
		       ledger.damaged);
		for (size_t n = 0; n < ledger.count; n++)
			printf("  %" PRIu64 ": object %u, api %u, %" PRIu32
			       " references, site %" PRIu32 ", %" PRIu64
			       " bytes\n", ledger.entries[n].serial,
			       ledger.entries[n].object, ledger.entries[n].api,
			       ledger.entries[n].references,
			       ledger.entries[n].site, ledger.entries[n].bytes);
		claw_ledger_release(&ledger);
	}
	return 0;
}

static int write_seed(const char *directory, const struct made_ledger *seed)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/whole", directory);
	file = fopen(path, "wb");
	if (!file || fwrite(seed, sizeof(*seed), 1, file) != 1 ||
	    fclose(file) != 0)
		die(path);
	return 0;
}

int main(int argc, char **argv)
{
	static struct made_ledger seed;

	if (argc > 1 && argv[1][0] != '-' && strspn(argv[1], "0123456789") !=
					     strlen(argv[1]))
		return show_files(argc, argv);
	make_seed(&seed);
	check_seed(&seed);
	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		return write_seed(argv[2], &seed);
	run_mutations(&seed, argc > 1 ? strtoul(argv[1], NULL, 10) : 20000,
		      argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
	return 0;
}

#endif
