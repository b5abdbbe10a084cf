/* SPDX-License-Identifier: Apache-2.0 */
/* From a tool's findings to what a verdict needs. */
#include "config.h"

#include "judged_found.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "faults/shared/plan.h"
#include "harness/readers/symbolize.h"

/* ---- where a call comes from ------------------------------------------- */

/* Does the finding's text name the code that the call returned? */
static bool is_call(const struct claw_finding *finding, const char *api,
		    const struct claw_journal_record *call)
{
	const char *code = claw_code_name(call->result);

	return strcmp(api, finding->kernel) == 0 && code &&
		strncmp(finding->what, code, strlen(code)) == 0 &&
		!(call->flags & CLAW_REC_INJECTED);
}

/* The place of the first call that a report about a call can mean; malloced,
 * or NULL. */
static char *find_call(const struct claw_judged_run *run,
		       const struct claw_finding *finding)
{
	const struct claw_evidence *evidence = &run->evidence;
	struct claw_symbolizer *own = evidence->symbolizer ? NULL :
		claw_symbolizer_new();
	char *place = NULL;

	for (size_t j = 0; !place && j < evidence->count; j++) {
		const struct claw_journal *journal = evidence->journals[j];
		size_t count = claw_journal_get_call_count(journal);

		for (size_t i = 0; !place && i < count; i++) {
			const struct claw_journal_record *call =
				claw_journal_get_call(journal, i);
			const struct claw_journal_site *site =
				claw_journal_find_site(journal, call->site);

			if (site && is_call(finding, claw_journal_get_api_name(
					journal, call->api), call))
				place = claw_site_place(own ? own :
						evidence->symbolizer, journal,
						site);
		}
	}
	claw_symbolizer_free(own);
	return place;
}

/* ---- one finding ------------------------------------------------------- */

static void print_indented(FILE *out, const char *text)
{
	while (text && *text) {
		size_t length = strcspn(text, "\n");

		if (strspn(text, " \t") < length)
			fprintf(out, "    %.*s\n", (int)length, text);
		text += length + (text[length] == '\n');
	}
}

/* The sentence's line; place: of the call that it is about, or NULL. */
static void print_sentence(FILE *out, const struct claw_finding *finding,
			   const char *place)
{
	char *sentence = claw_finding_sentence(finding);

	fprintf(out, "%s%s%s\n", sentence, place ? ", at " : "",
		place ? place : "");
	free(sentence);
}

void claw_judged_found_print(FILE *out, const struct claw_finding *finding)
{
	print_sentence(out, finding, NULL);
	print_indented(out, finding->text);
}

static char *chain_of(const struct claw_finding *finding, const char *tool)
{
	const char *space = claw_space_name(finding->space);
	bool is_named = finding->kernel && *finding->kernel;

	return claw_format("%s%s%s%s%s under %s",
			   claw_finding_kind_name(finding->kind),
			   *space ? " " : "", space, is_named ? " in " : "",
			   is_named ? finding->kernel : "", tool);
}

/* ---- all --------------------------------------------------------------- */

static void add_one(const struct claw_judged_run *run,
		    const struct claw_finding *finding, FILE *out,
		    struct claw_judged_found *found)
{
	char *place = finding->kind == CLAW_FINDING_API_ERROR ?
		find_call(run, finding) : NULL;

	print_sentence(out, finding, place);
	free(place);
	print_indented(out, finding->text);
	if (!found->chain)
		found->chain = chain_of(finding,
					run->setup->tool->under.row->name);
	claw_findings_add(&found->findings, finding);
}

/* What was printed, or NULL where nothing was. */
static void take_text(FILE *out, char **text)
{
	claw_text_end(out);
	if (**text)
		return;
	free(*text);
	*text = NULL;
}

void claw_judged_found_compare(const struct claw_judged_run *baseline,
			       const struct claw_judged_run *faulted,
			       bool left_counts,
			       struct claw_judged_found *ret_found)
{
	const struct claw_findings *all = &faulted->found;
	size_t size, note_size;
	FILE *out, *notes;

	*ret_found = (struct claw_judged_found) { .text = NULL };
	if (all->count == 0)
		return;
	out = claw_text_begin(&ret_found->text, &size);
	notes = claw_text_begin(&ret_found->notes, &note_size);
	for (size_t i = 0; i < all->count; i++) {
		const struct claw_finding *one = &all->items[i];

		if (claw_findings_has(&baseline->found, one))
			continue;
		if (one->kind == CLAW_FINDING_HOST_LEAK && !left_counts)
			print_sentence(notes, one, NULL);
		else
			add_one(faulted, one, out, ret_found);
	}
	take_text(out, &ret_found->text);
	take_text(notes, &ret_found->notes);
}

void claw_judged_found_release(struct claw_judged_found *found)
{
	free(found->text);
	free(found->chain);
	free(found->notes);
	claw_findings_release(&found->findings);
	*found = (struct claw_judged_found) { .text = NULL };
}
