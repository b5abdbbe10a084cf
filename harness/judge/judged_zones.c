/* SPDX-License-Identifier: Apache-2.0 */
/* From what the guest found to what a verdict needs. */
#include "config.h"

#include "judged_zones.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/check/found_scan.h"
#include "harness/base/memory.h"

static void write_groups(const struct claw_found_scan *scan, FILE *out,
			 struct claw_judged_zones *zones)
{
	for (size_t i = 0; i < scan->groups.count; i++) {
		const struct claw_found_group *group = &scan->groups.items[i];
		char *text;

		if (claw_found_kind_mode(group->kind) != CLAW_FOUND_GUARDS)
			continue;
		text = claw_found_text(group);
		fprintf(out, "%s: %s\n", claw_found_kind_title(group->kind),
			text);
		free(text);
		if (!zones->chain)
			zones->chain = claw_found_chain(group);
	}
}

static void fill(struct claw_found_scan *scan, struct claw_judged_zones *zones)
{
	size_t size;
	FILE *out = claw_text_begin(&zones->text, &size);

	write_groups(scan, out, zones);
	claw_text_end(out);
	if (!zones->chain) {
		free(zones->text);
		zones->text = NULL;
	}
	zones->gap = claw_found_guards_gap(scan);
	zones->lost = scan->gap;
	scan->gap = NULL;
}

int claw_judged_zones_look(const struct claw_judged_run *run, uint32_t find,
			   struct claw_judged_zones *ret_zones)
{
	struct claw_found_scan scan;
	int ret;

	*ret_zones = (struct claw_judged_zones){ .text = NULL };
	if (!(find & CLAW_FOUND_GUARDS))
		return 0;
	ret = claw_found_scan(run->session, CLAW_FOUND_GUARDS, &scan);
	if (ret == 0) {
		fill(&scan, ret_zones);
		claw_found_scan_release(&scan);
	}
	return ret;
}

void claw_judged_zones_release(struct claw_judged_zones *zones)
{
	free(zones->text);
	free(zones->chain);
	free(zones->gap);
	free(zones->lost);
	*zones = (struct claw_judged_zones){ .text = NULL };
}
