/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From what the guest found to findings of a case.
 */
#include "config.h"

#include "guard_findings.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/base/errors.h"
#include "found_scan.h"
#include "harness/base/memory.h"

void claw_guards_configure(struct claw_session_config *config)
{
	config->ledger = CLAW_LEDGER_SITES;
	config->find |= CLAW_FOUND_GUARDS;
}

/* openclaw-kernel's buffers are larger than its file says: zones of its own are
 * in them. */
static int write_texts(const struct claw_found_group *group,
		       bool of_kernel_file, char **ret_what, char **ret_text)
{
	char *sentence = claw_found_text(group);
	char *stacks = claw_found_stacks(group);

	*ret_what = *ret_text = NULL;
	if (sentence && stacks &&
	    asprintf(ret_what, "%s%s", of_kernel_file ? "around "
		     "openclaw-kernel's buffers: " : "", sentence) < 0)
		*ret_what = NULL;
	if (*ret_what && asprintf(ret_text, "%s%s%s", *ret_what,
				  *stacks ? "\n" : "", stacks) < 0)
		*ret_text = NULL;
	free(sentence);
	free(stacks);
	return *ret_text ? 0 : -CLAW_E_NO_MEMORY;
}

static int add_one(struct claw_findings *findings,
		   const struct claw_found_group *group, bool of_kernel_file)
{
	bool is_write = group->kind == CLAW_FOUND_GUARD_BROKEN;
	const struct claw_site_words *site = &group->where[0].site;
	struct claw_finding finding = {
		.kind = is_write ? CLAW_FINDING_INVALID_WRITE :
			CLAW_FINDING_API_ERROR,
		.space = is_write ? CLAW_SPACE_GLOBAL : CLAW_SPACE_UNKNOWN,
		.kernel = is_write ? (char *)(uintptr_t)group->first.name :
			  NULL,
		.file = of_kernel_file ? NULL : site->file,
		.line = of_kernel_file ? 0 : site->line,
	};
	int ret = write_texts(group, of_kernel_file, &finding.what,
			      &finding.text);

	if (ret == 0)
		ret = claw_findings_add(findings, &finding);
	free(finding.what);
	free(finding.text);
	return ret;
}

/* Whatever was not looked at can have been written to. */
static int find_gap(const struct claw_found_scan *scan,
		    struct claw_guard_look *look)
{
	if (scan->gap)
		look->gap = claw_strdup(scan->gap);
	else if (scan->counts[CLAW_COUNT_LAUNCHES_UNCHECKED] > 0)
		look->gap = claw_found_guards_gap(scan);
	else
		return 0;
	return look->gap ? 0 : -CLAW_E_NO_MEMORY;
}

int claw_guard_findings(const struct claw_session *session,
			bool of_kernel_file, struct claw_findings *findings,
			struct claw_guard_look *ret_look)
{
	struct claw_guard_look look = { NULL, NULL };
	struct claw_found_scan scan;
	int ret = claw_found_scan(session, CLAW_FOUND_GUARDS, &scan);

	if (ret < 0)
		return ret;
	for (size_t i = 0; ret == 0 && i < scan.groups.count; i++)
		ret = add_one(findings, &scan.groups.items[i],
			      of_kernel_file);
	if (ret == 0)
		ret = find_gap(&scan, &look);
	if (ret == 0)
		look.bare = claw_found_bare_text(&scan);
	claw_found_scan_release(&scan);
	if (ret < 0)
		claw_guard_look_release(&look);
	else
		*ret_look = look;
	return ret;
}

void claw_guard_look_release(struct claw_guard_look *look)
{
	free(look->gap);
	free(look->bare);
	*look = (struct claw_guard_look){ NULL, NULL };
}
