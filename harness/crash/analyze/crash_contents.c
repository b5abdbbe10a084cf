/* SPDX-License-Identifier: Apache-2.0 */
/* "--contents": what a dump holds, for who sends it on, and its sections. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "crash_report.h"
#include "harness/crash/capture/dump_head.h"
#include "harness/records/result_json.h"
#include "harness/base/words.h"

/* Sections of one kind together. */
struct sum {
	uint64_t count, stored, bytes, damaged;
};

static void add_up(const struct claw_dump *dump,
		   struct sum sums[CLAW_DUMP_END + 1])
{
	for (size_t i = 0; i < dump->part_count; i++) {
		const struct claw_dump_part *part = &dump->parts[i];
		struct sum *sum;

		if (part->section > CLAW_DUMP_END)
			continue;
		sum = &sums[part->section];
		sum->count++;
		sum->stored += part->stored;
		sum->bytes += part->bytes;
		sum->damaged += !part->intact;
	}
}

void claw_crash_print_contents(const struct claw_crash_view *view)
{
	struct sum sums[CLAW_DUMP_END + 1] = { { 0 } };
	char *holds = claw_dump_holds(view->dump);

	fprintf(view->out, "%s holds:\n%s\nSections:\n", view->path,
		holds ? holds : "");
	free(holds);
	add_up(view->dump, sums);
	for (int i = 1; i <= CLAW_DUMP_END; i++) {
		if (!sums[i].count)
			continue;
		fprintf(view->out, "  %-8s %5" PRIu64 "  ",
			claw_dump_section_name((enum claw_dump_section)i),
			sums[i].count);
		claw_print_bytes(view->out, sums[i].stored);
		fputs(" in the file, ", view->out);
		claw_print_bytes(view->out, sums[i].bytes);
		if (sums[i].damaged)
			fprintf(view->out, ", %" PRIu64 " damaged",
				sums[i].damaged);
		fputc('\n', view->out);
	}
	if (!view->dump->whole)
		fputs(view->dump->damaged ? "The dump is damaged.\n" :
		      "The dump is truncated.\n", view->out);
}

json_t *claw_crash_contents_json(const struct claw_crash_view *view)
{
	char *holds = claw_dump_holds(view->dump);
	json_t *all = json_object(), *parts = json_array();

	claw_json_add_text(all, "holds", holds);
	free(holds);
	for (size_t i = 0; i < view->dump->part_count; i++) {
		const struct claw_dump_part *part = &view->dump->parts[i];
		json_t *item = json_object();

		claw_json_add_text(item, "section",
				   claw_dump_section_name(part->section));
		claw_json_add_number(item, "stored", part->stored);
		claw_json_add_number(item, "bytes", part->bytes);
		json_object_set_new(item, "intact",
				    json_boolean(part->intact));
		json_array_append_new(parts, item);
	}
	json_object_set_new(all, "sections", parts);
	json_object_set_new(all, "whole", json_boolean(view->dump->whole));
	claw_json_add_number(all, "damaged", view->dump->damaged);
	return all;
}
