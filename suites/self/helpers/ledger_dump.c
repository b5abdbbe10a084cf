/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a ledger says, in lines that are the same each time: objects have
 * their serials for names.
 *
 *	ledger_dump FILE [counts]
 *
 * "counts": the counters alone, with how many are alive and what an object
 * takes of the disk.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "faults/shared/api.h"
#include "harness/readers/ledger_reader.h"

/* The older object with that handle. */
static uint64_t serial_of(const struct claw_ledger *ledger, uint64_t handle,
			  uint64_t below)
{
	for (size_t i = 0; i < ledger->count; i++)
		if (ledger->entries[i].handle == handle &&
		    ledger->entries[i].object != CLAW_OBJ_SVM &&
		    ledger->entries[i].object != CLAW_OBJ_MAPPING &&
		    ledger->entries[i].serial < below)
			return ledger->entries[i].serial;
	return 0;
}

static void print_holds(const struct claw_ledger *ledger, uint32_t number)
{
	uint64_t argument[64] = { 0 };

	/* In the order of the arguments. */
	for (; number; number = ledger->holds[number - 1].next)
		if (ledger->holds[number - 1].argument < 64)
			argument[ledger->holds[number - 1].argument] =
				ledger->holds[number - 1].serial;
	for (unsigned int i = 0; i < 64; i++)
		if (argument[i])
			printf(" holds #%llu (%u)",
			       (unsigned long long)argument[i], i);
}

static void print_entry(const struct claw_ledger *ledger,
			const struct claw_ledger_entry *entry)
{
	printf("#%llu %s %s references %u holders %u",
	       (unsigned long long)entry->serial,
	       claw_obj_name((enum claw_obj)entry->object),
	       entry->api < CLAW_API_COUNT ? claw_api_table[entry->api].name :
	       "?", entry->references, entry->holders);
	if (entry->bytes)
		printf(" bytes %llu", (unsigned long long)entry->bytes);
	if (entry->parent)
		printf(" parent #%llu", (unsigned long long)
		       serial_of(ledger, entry->parent, entry->serial));
	if (entry->flags & CLAW_LEDGER_IMPLICIT)
		printf(" implicit");
	if (entry->flags & CLAW_LEDGER_SUB)
		printf(" sub");
	if (entry->flags & CLAW_LEDGER_HOST_PTR)
		printf(" host");
	if (entry->flags & CLAW_LEDGER_LOST_HOLDS)
		printf(" lost");
	if (entry->site)
		printf(" site %u", entry->site);
	if (entry->retain_site)
		printf(" retained %u", entry->retain_site);
	print_holds(ledger, entry->hold);
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct claw_ledger ledger;
	struct stat st;
	bool counts = argc > 2 && !strcmp(argv[2], "counts");

	if (argc < 2 || claw_ledger_read(argv[1], &ledger) ||
	    stat(argv[1], &st)) {
		fprintf(stderr, "ledger_dump: cannot read that\n");
		return 1;
	}
	for (size_t i = 0; i < ledger.count && !counts; i++)
		print_entry(&ledger, &ledger.entries[i]);
	printf("created %llu alive %zu unknown %llu dropped %llu damaged %llu%s\n",
	       (unsigned long long)ledger.created, ledger.count,
	       (unsigned long long)ledger.unknown,
	       (unsigned long long)ledger.dropped,
	       (unsigned long long)ledger.damaged,
	       ledger.forked ? " forked" : "");
	if (counts)
		printf("disk %lld\n", (long long)st.st_blocks * 512);
	claw_ledger_release(&ledger);
	return 0;
}
