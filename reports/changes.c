/* SPDX-License-Identifier: Apache-2.0 */
/* What changed since an earlier run, for people. */
#include "config.h"

#include "report.h"

#include <stdlib.h>

#include "harness/records/past_run.h"

enum { CHANGES_SHOWN = 20 };	/* of a kind */

static size_t count_kind(const struct claw_report_head *head,
			 enum claw_change_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < head->change_count; i++)
		count += head->changes[i].kind == kind;
	return count;
}

void claw_report_change_counts(FILE *out, const struct claw_report_head *head)
{
	const char *comma = "";

	for (int i = 0; i < CLAW_CHANGE_KIND_COUNT; i++) {
		enum claw_change_kind kind = (enum claw_change_kind)i;
		size_t count = count_kind(head, kind);

		if (count == 0)
			continue;
		fprintf(out, "%s%zu %s", comma, count,
			claw_change_kind_name(kind));
		comma = ", ";
	}
	if (!*comma)
		fputs("no change", out);
}

static void put_change(FILE *out, const struct claw_change *change)
{
	char *key = claw_case_key_text((struct claw_case_key){
		change->suite, change->name, change->configuration });

	fprintf(out, "  %-13s ", claw_change_kind_name(change->kind));
	claw_report_put(out, key ? key : "");
	if (change->text && *change->text) {
		fputs(": ", out);
		claw_report_put(out, change->text);
	}
	fputc('\n', out);
	free(key);
}

static void put_kind(FILE *out, const struct claw_report_head *head,
		     enum claw_change_kind kind)
{
	size_t shown = 0;

	for (size_t i = 0; i < head->change_count; i++)
		if (head->changes[i].kind == kind && shown++ < CHANGES_SHOWN)
			put_change(out, &head->changes[i]);
	if (shown > CHANGES_SHOWN)
		fprintf(out, "  %-13s ... %zu more\n",
			claw_change_kind_name(kind), shown - CHANGES_SHOWN);
}

void claw_report_changes(FILE *out, const struct claw_report_head *head)
{
	if (!head->compared_with)
		return;
	fputs("Compared with ", out);
	claw_report_put(out, head->compared_with);
	if (head->compared_started) {
		fputs(" of ", out);
		claw_report_put(out, head->compared_started);
	}
	fputs(": ", out);
	claw_report_change_counts(out, head);
	fputc('\n', out);
	for (int i = 0; i < CLAW_CHANGE_KIND_COUNT; i++)
		put_kind(out, head, (enum claw_change_kind)i);
	if (head->compared_text) {
		fputs("  (", out);
		claw_report_put(out, head->compared_text);
		fputs(")\n", out);
	}
}
