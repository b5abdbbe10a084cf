/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From what the guest found to findings of a case.
 */
#include "config.h"

#include "guard_findings.h"

#include <stdio.h>
#include <stdlib.h>

#include "found_scan.h"
#include "harness/base/memory.h"

void claw_guards_configure(struct claw_session_config *config)
{
	config->ledger = CLAW_LEDGER_SITES;
	config->find |= CLAW_FOUND_GUARDS;
}

/* openclaw-kernel's buffers are larger than its file says: zones of its own are
 * in them. */
static void add_one(struct claw_findings *findings,
		    const struct claw_found_group *group, bool of_kernel_file)
{
	bool is_write = group->kind == CLAW_FOUND_GUARD_BROKEN;
	const struct claw_site_words *site = &group->where[0].site;
	char *sentence = claw_found_text(group);
	char *stacks = claw_found_stacks(group);
	char *what = claw_format("%s%s", of_kernel_file ? "around "
				 "openclaw-kernel's buffers: " : "", sentence);
	char *text = claw_format("%s%s%s", what, *stacks ? "\n" : "", stacks);
	struct claw_finding finding = {
		.kind = is_write ? CLAW_FINDING_INVALID_WRITE :
			CLAW_FINDING_API_ERROR,
		.space = is_write ? CLAW_SPACE_GLOBAL : CLAW_SPACE_UNKNOWN,
		.kernel = is_write ? (char *)(uintptr_t)group->first.name :
			  NULL,
		.file = of_kernel_file ? NULL : site->file,
		.line = of_kernel_file ? 0 : site->line,
		.what = what, .text = text,
	};

	claw_findings_add(findings, &finding);
	free(sentence);
	free(stacks);
	free(what);
	free(text);
}

/* Whatever was not looked at can have been written to. */
static char *find_gap(const struct claw_found_scan *scan)
{
	if (scan->gap)
		return claw_strdup(scan->gap);
	return scan->counts[CLAW_COUNT_LAUNCHES_UNCHECKED] > 0 ?
		claw_found_guards_gap(scan) : NULL;
}

int claw_guard_findings(const struct claw_session *session,
			bool of_kernel_file, struct claw_findings *findings,
			struct claw_guard_look *ret_look)
{
	struct claw_found_scan scan;
	int ret = claw_found_scan(session, CLAW_FOUND_GUARDS, &scan);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < scan.groups.count; i++)
		add_one(findings, &scan.groups.items[i], of_kernel_file);
	*ret_look = (struct claw_guard_look) {
		.gap = find_gap(&scan), .bare = claw_found_bare_text(&scan),
	};
	claw_found_scan_release(&scan);
	return 0;
}

void claw_guard_look_release(struct claw_guard_look *look)
{
	free(look->gap);
	free(look->bare);
	*look = (struct claw_guard_look){ NULL, NULL };
}
