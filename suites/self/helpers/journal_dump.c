/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a journal says of calls, in lines that are the same each time: no
 * times, no addresses, no sites.
 *
 *	journal_dump FILE
 *
 * Left out is what a loader answers itself, so that it comes to a layer and
 * not to an ICD: calls on NULL handles, and the functions without a handle.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "faults/shared/api.h"
#include "harness/readers/journal_reader.h"

static bool is_of_the_loader(const char *name)
{
	return strcmp(name, "clGetPlatformIDs") == 0 ||
	       strcmp(name, "clUnloadCompiler") == 0 ||
	       strcmp(name, "clGetExtensionFunctionAddress") == 0;
}

/* Of a launch it is the kernel's handle, which is another one in each run. */
static unsigned long long steady_value(const struct claw_journal_record *record,
				       const char *name)
{
	int api = claw_api_find(name);

	return api >= 0 && claw_api_is_launch((enum claw_api)api) ?
	       record->value != 0 : record->value;
}

static void print_records(const char *kind, const struct claw_journal *journal,
			  size_t count,
			  const struct claw_journal_record *(*get)(
				  const struct claw_journal *, size_t))
{
	for (size_t i = 0; i < count; i++) {
		const struct claw_journal_record *record = get(journal, i);
		const char *name = claw_journal_get_api_name(journal,
							     record->api);

		if (record->handle && !is_of_the_loader(name))
			printf("%s thread %u: %s number %llu = %d, value %llu, "
			       "flags %u, rule %u, fault %u\n", kind,
			       record->thread, name,
			       (unsigned long long)record->ordinal,
			       record->result,
			       steady_value(record, name),
			       record->flags, record->rule, record->fault);
	}
}

int main(int argc, char **argv)
{
	struct claw_journal *journal;

	if (argc != 2 || claw_journal_read(argv[1], &journal) < 0) {
		fprintf(stderr, "journal_dump: expected a journal\n");
		return 2;
	}

	const struct claw_journal_header *header =
		claw_journal_get_header(journal);

	printf("door %u\n", header->door);
	if (header->door_left_out)
		printf("left out %u\n", header->door_left_out);
	printf("forked %u\n", header->forked);
	print_records("call", journal, claw_journal_get_call_count(journal),
		      claw_journal_get_call);
	print_records("event", journal, claw_journal_get_event_count(journal),
		      claw_journal_get_event);
	for (size_t i = 0; i < claw_journal_get_rule_count(journal); i++) {
		const struct claw_journal_rule *rule =
			claw_journal_get_rule(journal, i);

		printf("rule %s: matched %llu, fired %llu, consequences %llu\n",
		       claw_journal_get_string(journal, rule->text_string),
		       (unsigned long long)rule->matched,
		       (unsigned long long)rule->fired,
		       (unsigned long long)rule->consequences);
	}
	for (int type = 1; type < CLAW_OBJ_COUNT; type++)
		if (claw_journal_get_live(journal, (enum claw_obj)type))
			printf("alive %s: %lld\n",
			       claw_obj_name((enum claw_obj)type),
			       (long long)claw_journal_get_live(journal,
							(enum claw_obj)type));
	claw_journal_free(journal);
	return 0;
}
