/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Count what "openclaw check" has found, and say it in one line.
 */
#include "config.h"

#include "check_report.h"
#include "faults/shared/kernel_checks.h"
#include "faults/shared/probe_format.h"
#include "harness/base/memory.h"
#include "harness/base/words.h"

#include <inttypes.h>
#include <stdlib.h>

bool claw_check_counts_leak(const struct claw_check_view *view,
			    const struct claw_leak *leak)
{
	return view->leaks && !leak->suppressed_by &&
		(view->which == CLAW_LEAK_ALL || leak->definite);
}

bool claw_check_counts_found(const struct claw_check_view *view,
			     const struct claw_found_group *group)
{
	return view->find & claw_found_kind_mode(group->kind) &&
		!group->suppressed_by && !claw_found_kind_is_note(group->kind);
}

static void tally_leak(const struct claw_check_view *view,
		       const struct claw_leak *leak,
		       struct claw_check_tally *tally)
{
	if (claw_check_counts_leak(view, leak)) {
		tally->leaks++;
		tally->leaked += leak->count;
	} else if (leak->suppressed_by) {
		tally->suppressed += leak->count;
	} else {
		tally->kept += leak->count;
	}
}

static void tally_found(const struct claw_check_view *view,
			const struct claw_found_group *group,
			struct claw_check_tally *tally)
{
	enum claw_found_mode mode = claw_found_kind_mode(group->kind);

	if (claw_check_counts_found(view, group))
		*(mode == CLAW_FOUND_GUARDS ? &tally->guards :
		  mode == CLAW_FOUND_KERNELS ? &tally->kernels :
		  &tally->lifetime) += 1;
	else if (view->find & mode && group->suppressed_by &&
		 !claw_found_kind_is_note(group->kind))
		tally->silenced++;
}

struct claw_check_tally claw_check_tally(const struct claw_check_view *view,
					 const struct claw_check_scan *scan)
{
	const struct claw_found_groups *groups = &scan->found.groups;
	struct claw_check_tally tally = { 0 };

	for (size_t i = 0; view->leaks && i < scan->leaks.leaks.count; i++)
		tally_leak(view, &scan->leaks.leaks.items[i], &tally);
	for (size_t i = 0; i < groups->count; i++)
		tally_found(view, &groups->items[i], &tally);
	return tally;
}

uint64_t claw_check_findings(const struct claw_check_tally *tally)
{
	return tally->leaks + tally->lifetime + tally->guards + tally->kernels;
}

/* ---- one line ------------------------------------------------------------ */

/* "1 object", "1,441 objects" */
static void print_number(FILE *out, uint64_t count, const char *noun)
{
	claw_print_count(out, count);
	fprintf(out, " %s%s", noun, count == 1 ? "" : "s");
}

static void print_number_of_processes(FILE *out, size_t count)
{
	fprintf(out, " (%zu process%s)", count, count == 1 ? "" : "es");
}

static void print_silenced(FILE *out, uint64_t count, const char *noun)
{
	if (count == 0)
		return;
	fputs("; ", out);
	print_number(out, count, noun);
	fprintf(out, " %s suppressed", count == 1 ? "is" : "are");
}

static void print_kept(FILE *out, const struct claw_check_view *view,
		       const struct claw_check_tally *tally)
{
	if (tally->kept == 0)
		return;
	fputs("; ", out);
	print_number(out, tally->kept, tally->leaks ? "more object" : "object");
	fprintf(out, " %s alive %s (--leak-check=all lists %s)",
		tally->kept == 1 ? "is" : "are",
		view->is_now ? "now" : view->when ? view->when : "at the end",
		tally->kept == 1 ? "it" : "them");
}

/* What was looked for, and how many of it there are. */
struct verdict {
	bool wanted;
	uint64_t count;
	const char *noun;
};

/* "no lifetime errors, 2 leaks: " */
static void print_verdicts(FILE *out, const struct verdict *verdicts,
			   size_t count)
{
	const char *comma = "";

	for (size_t i = 0; i < count; i++) {
		if (!verdicts[i].wanted)
			continue;
		fputs(comma, out);
		if (verdicts[i].count > 0)
			print_number(out, verdicts[i].count, verdicts[i].noun);
		else
			fprintf(out, "no %ss", verdicts[i].noun);
		comma = ", ";
	}
	fputs(": ", out);
}

static void print_guarded(FILE *out, const struct claw_check_view *view,
			  const uint64_t *counts)
{
	uint64_t launches = counts[CLAW_COUNT_LAUNCHES_CHECKED];

	if (!(view->find & CLAW_FOUND_GUARDS))
		return;
	fputs(", ", out);
	print_number(out, counts[CLAW_COUNT_GUARDED], "buffer");
	fputs(" with guard zones, ", out);
	claw_print_count(out, launches);
	fprintf(out, " launch%s checked", launches == 1 ? "" : "es");
}

static void print_probed(FILE *out, const struct claw_check_view *view,
			 const struct claw_probe_sum *probes)
{
	char *text, checks[CLAW_KERNEL_CHECKS_BYTES];

	if (!(view->find & CLAW_FOUND_KERNELS))
		return;
	fputs(", ", out);
	claw_print_count(out, probes->launches);
	fprintf(out, " launch%s with probes", probes->launches == 1 ? "" :
		"es");
	claw_kernel_checks_text(probes->modes, checks);
	if (*checks && (probes->modes & CLAW_PROBE_CHECKS) != CLAW_PROBE_ASAN)
		fprintf(out, " for %s", checks);
	if (probes->unchecked > 0)
		fprintf(out, ", %" PRIu64 " of them without an access that "
			"can be checked", probes->unchecked);
	if (probes->plain_other > 0)
		fprintf(out, ", %" PRIu64 " left out", probes->plain_other);
	text = claw_probe_sum_partly(probes);
	if (text)
		fprintf(out, ", %s", text);
	free(text);
	text = claw_probe_compared_text(&probes->compared);
	if (*text)
		fprintf(out, ", %s", text);
	free(text);
}

static void print_end(FILE *out, const struct claw_check_view *view,
		      const struct claw_check_scan *scan,
		      const struct claw_check_tally *tally)
{
	const struct verdict verdicts[] = {
		{ view->find & CLAW_FOUND_LIFETIME, tally->lifetime,
		  "lifetime error" },
		{ view->find & CLAW_FOUND_GUARDS, tally->guards,
		  "buffer overflow" },
		{ view->find & CLAW_FOUND_KERNELS, tally->kernels,
		  "kernel error" },
		{ view->leaks, tally->leaks, "leak" },
	};
	uint64_t made = scan->leaks.made;

	print_verdicts(out, verdicts, sizeof(verdicts) / sizeof(*verdicts));
	if (tally->leaks > 0) {
		print_number(out, tally->leaked, "object");
		fputs(" of ", out);
		claw_print_count(out, made);
	} else {
		print_number(out, made, "object");
	}
	fputs(" made", out);
	if (made > 0 && scan->leaks.alive == 0)
		fputs(", all released", out);
	print_guarded(out, view, scan->found.counts);
	print_probed(out, view, &scan->probes);
}

static void print_now(FILE *out, const struct claw_check_scan *scan,
		      const struct claw_check_tally *tally)
{
	const struct verdict verdicts[] = {
		{ tally->lifetime > 0, tally->lifetime, "lifetime error" },
		{ tally->guards > 0, tally->guards, "buffer overflow" },
		{ tally->kernels > 0, tally->kernels, "kernel error" },
	};

	if (tally->lifetime + tally->guards + tally->kernels > 0)
		print_verdicts(out, verdicts,
			       sizeof(verdicts) / sizeof(*verdicts));
	print_number(out, tally->leaked, "object");
	fputs(" of ", out);
	claw_print_count(out, scan->leaks.made);
	fprintf(out, " made %s alive now", tally->leaked == 1 ? "is" : "are");
}

char *claw_check_summary(const struct claw_check_view *view,
			 const struct claw_check_scan *scan)
{
	struct claw_check_tally tally = claw_check_tally(view, scan);
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	if (view->is_now)
		print_now(out, scan, &tally);
	else
		print_end(out, view, scan, &tally);
	print_number_of_processes(out, scan->leaks.process_count);
	print_silenced(out, tally.silenced, "error");
	print_silenced(out, tally.suppressed, "object");
	print_kept(out, view, &tally);
	claw_text_end(out);
	return text;
}
