/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a fatal signal was met, and which call or launch was under way then.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/api.h"
#include "evidence_private.h"
#include "harness/base/memory.h"

/* Accesses below this are by a NULL pointer and an offset: nothing is ever
 * mapped there. */
enum { NEAR_NULL = 1 << 20, MAX_ARGUMENTS = 64 };

/* The last fatal signal that a process met and whose frames are known, or
 * NULL. */
static const struct claw_journal_record *
find_crash(const struct claw_evidence *evidence,
	   const struct claw_journal **ret_journal)
{
	const struct claw_journal_record *crash = NULL;

	for (size_t j = 0; j < evidence->count; j++) {
		const struct claw_journal *journal = evidence->journals[j];
		size_t count = claw_journal_get_event_count(journal);

		for (size_t i = 0; i < count; i++) {
			const struct claw_journal_record *event =
				claw_journal_get_event(journal, i);

			if (!event || !(event->flags & CLAW_REC_CRASH) ||
			    !claw_journal_find_site(journal, event->site))
				continue;
			crash = event;
			*ret_journal = journal;
		}
	}
	return crash;
}

enum crash_text { CRASH_PLACE, CRASH_NAME, CRASH_STACK };

static char *describe_crash(const struct claw_evidence *evidence,
			    enum crash_text what)
{
	const struct claw_journal *journal = NULL;
	const struct claw_journal_record *crash = find_crash(evidence,
							     &journal);
	const struct claw_journal_site *site = crash ?
		claw_journal_find_site(journal, crash->site) : NULL;
	struct claw_symbolizer *symbolizer = site ? claw_evidence_take(evidence) :
		NULL;
	char *text = NULL;

	if (!symbolizer)
		return NULL;
	if (what == CRASH_PLACE)
		text = claw_site_place(symbolizer, journal, site);
	else if (what == CRASH_NAME)
		text = claw_site_name(symbolizer, journal, site,
				      CLAW_EVIDENCE_FRAMES);
	else
		text = claw_site_stack(symbolizer, journal, site);
	claw_evidence_leave(evidence, symbolizer);
	return text;
}

char *claw_evidence_crash(const struct claw_evidence *evidence)
{
	return describe_crash(evidence, CRASH_PLACE);
}

char *claw_evidence_crash_name(const struct claw_evidence *evidence)
{
	return describe_crash(evidence, CRASH_NAME);
}

char *claw_evidence_crash_stack(const struct claw_evidence *evidence)
{
	return describe_crash(evidence, CRASH_STACK);
}

/* ---- what was under way ------------------------------------------------ */

static int api_of(const struct claw_journal *journal, uint16_t number)
{
	return number == UINT16_MAX ? -1 :
		claw_api_find(claw_journal_get_api_name(journal, number));
}

/* The number of the last launch on record, or -1. */
static ssize_t find_launch(const struct claw_journal *journal)
{
	for (size_t i = claw_journal_get_call_count(journal); i > 0; i--) {
		const struct claw_journal_record *call =
			claw_journal_get_call(journal, i - 1);
		int api = call ? api_of(journal, call->api) : -1;

		if (api >= 0 && claw_api_is_launch((enum claw_api)api) &&
		    call->result == 0)
			return (ssize_t)(i - 1);
	}
	return -1;
}

/* What the calls before it say of the launch's kernel. */
struct launched {
	const char *name;	/* or NULL */
	bool is_null[MAX_ARGUMENTS];
};

static void read_launched(const struct claw_journal *journal, size_t number,
			  struct launched *launched)
{
	uint64_t kernel = claw_journal_get_call(journal, number)->value;

	*launched = (struct launched){ .name = NULL };
	for (size_t i = 0; i < number; i++) {
		const struct claw_journal_record *call =
			claw_journal_get_call(journal, i);
		int api = call && call->handle == kernel ?
			api_of(journal, call->api) : -1;

		if (api == CLAW_API_clCreateKernel && call->value)
			*launched = (struct launched){
				.name = claw_journal_get_string(journal,
						(uint32_t)call->value),
			};
		else if (api == CLAW_API_clSetKernelArg &&
			 call->value / 2 < MAX_ARGUMENTS)
			launched->is_null[call->value / 2] = call->value % 2;
	}
}

/* ", argument 0 is NULL" */
static void print_nulls(FILE *out, const struct launched *launched)
{
	const char *between = ", argument ";
	bool any = false;

	for (unsigned int i = 0; i < MAX_ARGUMENTS; i++) {
		if (!launched->is_null[i])
			continue;
		fprintf(out, "%s%u", between, i);
		between = " or ";
		any = true;
	}
	if (any)
		fputs(" is NULL", out);
}

static void print_launch(FILE *out, const struct claw_evidence *evidence,
			 const struct claw_journal *journal,
			 const struct claw_journal_record *crash)
{
	ssize_t number = find_launch(journal);
	const struct claw_journal_record *call;
	struct launched launched;
	char *text;

	if (number < 0)
		return;
	call = claw_journal_get_call(journal, (size_t)number);
	read_launched(journal, (size_t)number, &launched);
	text = claw_evidence_call_text(evidence, journal,
		claw_journal_get_api_name(journal, call->api), call->site);
	fprintf(out, " (last launch: %s%s%s%s", text,
		launched.name ? ", kernel '" : "",
		launched.name ? launched.name : "", launched.name ? "'" : "");
	free(text);
	if (crash->value && crash->handle < NEAR_NULL)
		print_nulls(out, &launched);
	fputc(')', out);
}

/* Is the innermost frame the program's own code? A kernel's never is. */
static bool is_in_program(const struct claw_journal *journal,
			  const struct claw_journal_record *crash)
{
	const struct claw_journal_site *site =
		claw_journal_find_site(journal, crash->site);
	const struct claw_journal_module *module = site && site->frame_count ?
		claw_journal_find_module(journal, site->frames[0].module) :
		NULL;
	const char *exe = claw_journal_get_string(journal,
		claw_journal_get_header(journal)->exe_string);

	return module && strcmp(claw_journal_get_string(journal,
					module->path_string), exe) == 0;
}

char *claw_evidence_under_way(const struct claw_evidence *evidence)
{
	const struct claw_journal *journal = NULL;
	const struct claw_journal_record *crash = find_crash(evidence,
							     &journal);
	int api = crash ? api_of(journal, crash->api) : -1;
	char *text = NULL, *call;
	size_t size;
	FILE *out;

	if (!crash)
		return NULL;
	out = claw_text_begin(&text, &size);
	if (api >= 0) {
		call = claw_evidence_call_text(evidence, journal,
			claw_api_table[api].name, (uint32_t)crash->ordinal);
		fprintf(out, " (within %s)", call);
		free(call);
	}
	/* Kernels run in the driver's threads, or where somebody waits. */
	if ((api >= 0 || crash->thread == 0) && !is_in_program(journal, crash))
		print_launch(out, evidence, journal, crash);
	claw_text_end(out);
	if (*text)
		return text;
	free(text);
	return NULL;
}
