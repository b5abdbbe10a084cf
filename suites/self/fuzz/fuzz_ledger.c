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

#include "harness/check/leak_graph.h"
#include "harness/readers/ledger_reader.h"
#include "fuzz_bytes.h"
#include "suites/self/lib/ledger_maker.h"

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

int main(int argc, char **argv)
{
	static struct made_ledger seed;

	if (argc > 1 && argv[1][0] != '-' && strspn(argv[1], "0123456789") !=
					     strlen(argv[1]))
		return show_files(argc, argv);
	make_seed(&seed);
	check_seed(&seed);
	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		fuzz_write_seed(argv[2], "whole", &seed, sizeof(seed));
	else
		fuzz_run(&(struct fuzz_bytes) {
			.seed = &seed, .size = sizeof(seed),
			/* The header, the entries and holds, or a word of the
			 * first fields. */
			.reach = { sizeof(struct claw_ledger_header), 0, 128 },
			.words = {
				0, 1, 2, 63, 64, 65, 4096, 0x7fffffff,
				0x80000000, 0xffffffff, 0x100000000, INT64_MAX,
				UINT64_MAX, UINT64_MAX - 63,
				sizeof(struct claw_ledger_header),
				sizeof(struct made_ledger),
			},
		}, argc > 1 ? strtoul(argv[1], NULL, 10) : 20000,
		   argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
	return 0;
}

#endif
