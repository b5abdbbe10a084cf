/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From what kernels found to findings of a case.
 */
#include "config.h"

#include "kernel_findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "found_scan.h"
#include "found_words.h"
#include "harness/base/memory.h"
#include "harness/evidence/probe_sum.h"

static enum claw_finding_kind kind_of(const struct claw_found_group *group)
{
	const char *kind = group->access.kind;
	enum claw_finding_kind finding = claw_found_kind_finding(group->kind);

	return finding != CLAW_FINDING_INVALID_READ ||
	       (kind && strcmp(kind, "read") == 0) ? finding :
		CLAW_FINDING_INVALID_WRITE;
}

/* Its other names, which Oclgrind has findings of their own for. What was added
 * to is read and written; whose index is too large may be inside of its
 * object. */
static uint32_t also_of(const struct claw_found_group *group)
{
	const struct claw_found_access *access = &group->access;
	uint32_t also = 0;

	if (group->kind != CLAW_FOUND_KERNEL_BOUNDS &&
	    group->kind != CLAW_FOUND_KERNEL_NULL)
		return 0;
	if (access->kind && (strcmp(access->kind, "atomic") == 0 ||
			     strcmp(access->kind, "update") == 0))
		also |= UINT32_C(1) << CLAW_FINDING_INVALID_READ;
	if (group->kind == CLAW_FOUND_KERNEL_BOUNDS && access->object &&
	    group->first.values[3] == 0 && access->text &&
	    strchr(access->text, '['))
		also |= UINT32_C(1) << CLAW_FINDING_ARRAY_INDEX;
	return also;
}

static enum claw_address_space space_of(const struct claw_found_group *group)
{
	int space = group->access.space ? claw_space_find(group->access.space) :
		-1;

	return space < 0 ? CLAW_SPACE_UNKNOWN : (enum claw_address_space)space;
}

static unsigned int other_line_of(const struct claw_found_group *group)
{
	return group->other.file && group->access.file &&
		strcmp(group->other.file, group->access.file) == 0 ?
		group->other.line : 0;
}

static void add_one(struct claw_findings *findings,
		    const struct claw_found_group *group)
{
	const uint32_t *ids = group->first.ids;
	const struct claw_found_access *access = &group->access;
	char work_item[48], *stacks = claw_found_stacks(group);
	char *what = claw_found_brief(group), *whole = claw_found_text(group);
	char *text = claw_format("%s: %s%s%s",
				 claw_found_kind_title(group->kind), whole,
				 *stacks ? "\n" : "", stacks);
	struct claw_finding finding = {
		.kind = kind_of(group), .also = also_of(group),
		.is_null = group->kind == CLAW_FOUND_KERNEL_NULL,
		.space = space_of(group),
		.what = what, .text = text,
		.work_item = ids[0] == CLAW_FOUND_NO_ID ? NULL : work_item,
		.kernel = (char *)(uintptr_t)group->first.name,
		.file = access->file, .line = access->line,
		.other_line = other_line_of(group),
		.column = access->column, .size_bytes = access->bytes,
	};

	snprintf(work_item, sizeof(work_item), "%u,%u,%u", ids[0], ids[1],
		 ids[2]);
	claw_findings_add(findings, &finding);
	free(what);
	free(whole);
	free(text);
	free(stacks);
}

static int find_gap(const struct claw_session *session,
		    const struct claw_found_scan *scan, char **ret_gap)
{
	struct claw_probe_sum sum;
	int ret;

	if (scan->gap) {
		*ret_gap = claw_strdup(scan->gap);
		return 0;
	}
	ret = claw_probe_sum_read(session, &sum);
	if (ret < 0)
		return ret;
	*ret_gap = claw_probe_sum_gap(&sum, false);
	claw_probe_sum_release(&sum);
	return 0;
}

int claw_kernel_findings(const struct claw_session *session,
			 const char *source, struct claw_findings *findings,
			 char **ret_gap)
{
	struct claw_found_scan scan;
	int ret = claw_found_scan_of(session, CLAW_FOUND_KERNELS, source,
				     &scan);

	*ret_gap = NULL;
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < scan.groups.count; i++)
		if (claw_found_kind_is_kernels(scan.groups.items[i].kind))
			add_one(findings, &scan.groups.items[i]);
	ret = find_gap(session, &scan, ret_gap);
	claw_found_scan_release(&scan);
	return ret;
}
