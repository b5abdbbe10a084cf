/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Find what a word stands for, and print it for a person.
 */
#include "config.h"

#include "explain.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "finding.h"
#include "harness/readers/found_reader.h"
#include "harness/base/memory.h"
#include "faults/shared/nearest.h"
#include "harness/base/options.h"

/* The fault of rules that have none. */
static const char delay_name[] = "delay";
static const char delay_summary[] =
	"delays the call; an allocation, a map or a transfer fails at "
	"CLW_MEM_TIMEOUT_MS";

static const struct {
	const char *name;
	cl_int number;
} cl_codes[] = {
#define CODE(name_, number_) { #name_, number_ },
#include "faults/shared/cl_codes.def"
#undef CODE
};
enum { CL_CODE_COUNT = sizeof(cl_codes) / sizeof(*cl_codes) };

static const char *fault_name(enum claw_fault fault)
{
	return fault == CLAW_FAULT_NONE ? delay_name :
		claw_fault_table[fault].name;
}

/* ---- finding ---------------------------------------------------------- */

static bool find_fault(const char *word, struct claw_explained *explained)
{
	for (int i = CLAW_FAULT_NONE; i < CLAW_FAULT_COUNT; i++) {
		if (strcmp(word, fault_name((enum claw_fault)i)) != 0)
			continue;
		explained->fault = (enum claw_fault)i;
		explained->is_fault = true;
		return true;
	}
	return false;
}

static bool find_code(const char *word, struct claw_explained *explained)
{
	char *end;
	long number;

	if (claw_code_find(word, strlen(word), &explained->code) == 0) {
		explained->is_code = true;
		return true;
	}
	errno = 0;
	number = strtol(word, &end, 10);
	if (errno || end == word || *end || number < INT_MIN ||
	    number > INT_MAX)
		return false;
	explained->code = (cl_int)number;
	explained->is_code = claw_code_name(explained->code) ||
		claw_driver_number_find(explained->code);
	return explained->is_code;
}

bool claw_explain_find(const char *word, struct claw_explained *ret_explained)
{
	*ret_explained = (struct claw_explained){
		.diagnosis = claw_diagnosis_find(word),
	};
	return ret_explained->diagnosis || find_fault(word, ret_explained) ||
	       find_code(word, ret_explained);
}

const char *claw_explain_nearest(const char *word)
{
	struct claw_nearest nearest;

	claw_nearest_init(&nearest, word);
	for (size_t i = 0; i < claw_diagnosis_count; i++)
		claw_nearest_offer(&nearest, claw_diagnoses[i].code);
	for (int i = CLAW_FAULT_NONE; i < CLAW_FAULT_COUNT; i++)
		claw_nearest_offer(&nearest, fault_name((enum claw_fault)i));
	for (size_t i = 0; i < CL_CODE_COUNT; i++)
		claw_nearest_offer(&nearest, cl_codes[i].name);
	return nearest.best;
}

/* Findings of the layer are counted behind those of tools. */
const char *claw_explain_finding(const struct claw_diagnosis *diagnosis,
				 unsigned int *at)
{
	while (*at < CLAW_FINDING_KIND_COUNT + CLAW_FOUND_KIND_COUNT) {
		unsigned int i = (*at)++;
		bool is_tools = i < CLAW_FINDING_KIND_COUNT;
		unsigned int j = is_tools ? i : i - CLAW_FINDING_KIND_COUNT;
		const char *code = is_tools ?
			claw_finding_kind_code((enum claw_finding_kind)j) :
			claw_found_kind_code((enum claw_found_kind)j);

		if (code && strcmp(code, diagnosis->code) == 0)
			return is_tools ? claw_finding_kind_name(
					(enum claw_finding_kind)j) :
				claw_found_kind_name((enum claw_found_kind)j);
	}
	return NULL;
}

/* The next kind of finding of a tool that may lead to it on a device. */
static const char *next_cause(const struct claw_diagnosis *diagnosis,
			      unsigned int *at)
{
	while (*at < CLAW_FINDING_KIND_COUNT) {
		enum claw_finding_kind kind = (enum claw_finding_kind)(*at)++;
		const char *code = claw_finding_kind_leads_to(kind);

		if (code && strcmp(code, diagnosis->code) == 0)
			return claw_finding_kind_name(kind);
	}
	return NULL;
}

const char *claw_explain_fault(const struct claw_diagnosis *diagnosis,
			       unsigned int *at)
{
	while (*at < CLAW_FAULT_COUNT) {
		enum claw_fault fault = (enum claw_fault)(*at)++;

		if (strcmp(claw_diagnosis_of_fault(fault),
			   diagnosis->code) == 0)
			return fault_name(fault);
	}
	return NULL;
}

unsigned int claw_explain_how(const struct claw_diagnosis *diagnosis)
{
	unsigned int fault = 0, finding = 0;

	return diagnosis->how |
	       (claw_explain_fault(diagnosis, &fault) ? CLAW_HOW_FAULT : 0) |
	       (claw_explain_finding(diagnosis, &finding) ? CLAW_HOW_FINDING :
		0);
}

/* ---- for a person ----------------------------------------------------- */

static void print_sentences(const char *title, const char *text)
{
	printf("\n%s:\n", title);
	while (*text) {
		size_t length = strcspn(text, "\n");
		char *sentence = claw_strndup(text, length);

		fputs("  - ", stdout);
		claw_print_wrapped(sentence, 4);
		free(sentence);
		text += length + (text[length] == '\n');
	}
}

static void print_how(const struct claw_diagnosis *diagnosis)
{
	const char *between = "";

	for (unsigned int bit = 1; bit < CLAW_HOW_END; bit <<= 1) {
		if (!(claw_explain_how(diagnosis) & bit))
			continue;
		printf("%s%s", between, claw_how_name((enum claw_how)bit));
		between = ", ";
	}
	putchar('\n');
}

/* "Title: a, b", nothing when there is none. */
static void print_names(const char *title,
			const struct claw_diagnosis *diagnosis,
			const char *(*next)(const struct claw_diagnosis *,
					    unsigned int *))
{
	const char *between = "", *name;
	unsigned int at = 0;

	while ((name = next(diagnosis, &at))) {
		printf("%s%s", *between ? between : title, name);
		between = ", ";
	}
	if (*between)
		putchar('\n');
}

static void print_code_line(const char *text)
{
	cl_int number = 0;
	size_t length = strcspn(text, " ");

	claw_code_find(text, length, &number);
	printf("  %.*s (%d)\n", (int)length, text, (int)number);
}

static void print_diagnosis(const struct claw_diagnosis *diagnosis)
{
	printf("%s\n  ", diagnosis->code);
	claw_print_wrapped(diagnosis->summary, 2);
	fputs("Known by: ", stdout);
	print_how(diagnosis);
	print_names("Injected by: ", diagnosis, claw_explain_fault);
	print_names("Findings with this diagnosis: ", diagnosis,
		    claw_explain_finding);
	print_names("Findings that may lead to it: ", diagnosis,
		    next_cause);
	print_sentences("How it is recognised", diagnosis->recognised);
	if (*diagnosis->cl_codes)
		printf("\nOpenCL codes that may mean it:\n");
	for (const char *at = diagnosis->cl_codes; *at;) {
		print_code_line(at);
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
	print_sentences("Not to be confused with", diagnosis->is_not);
	print_sentences("What to do", diagnosis->next);
}

static void print_fault(enum claw_fault fault)
{
	const char *code = claw_diagnosis_of_fault(fault);

	printf("%s: a fault\n  ", fault_name(fault));
	claw_print_wrapped(fault == CLAW_FAULT_NONE ? delay_summary :
			   claw_fault_table[fault].summary, 2);
	printf("Diagnosis: %s (openclaw explain %s)\n", code, code);
	puts("Syntax: man openclaw-faults\n"
	     "Where it can be injected: openclaw inject --list");
}

/* Under a name that the first one is an alias of, or the number alone. */
static void print_code_names(cl_int code)
{
	const char *between = "";

	for (size_t i = 0; i < CL_CODE_COUNT; i++) {
		if (cl_codes[i].number != code)
			continue;
		printf("%s%s", between, cl_codes[i].name);
		between = ", ";
	}
	printf("%s%d\n", *between ? " = " : "", (int)code);
}

static void print_calls_of_code(cl_int code)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);
	unsigned int count = 0;

	for (int i = 0; i < CLAW_API_COUNT; i++) {
		if (code == CL_SUCCESS || !claw_api_allows((enum claw_api)i, code))
			continue;
		fprintf(out, "%s ", claw_api_table[i].name);
		count++;
	}
	claw_text_end(out);
	if (count == 0) {
		puts("\nAccording to the specification, no call returns it.");
	} else {
		printf("\n%u call%s may return it:\n  ", count,
		       count == 1 ? "" : "s");
		claw_print_wrapped(text, 2);
	}
	free(text);
}

static void print_meanings(const char *name)
{
	bool any = false;

	for (size_t i = 0; i < claw_diagnosis_count; i++) {
		if (!claw_diagnosis_has(&claw_diagnoses[i], name))
			continue;
		if (!any)
			puts("\nPossible meanings:");
		any = true;
		printf("  %-27s", claw_diagnoses[i].code);
		claw_print_wrapped(claw_diagnoses[i].summary, 29);
	}
}

static void print_driver_number(const struct claw_driver_number *number)
{
	printf("  a code of %s, not defined in any header:\n  ", number->whose);
	claw_print_wrapped(number->text, 2);
	printf("Diagnosis: %s (openclaw explain %s)\n", number->code,
	       number->code);
}

static void print_code(cl_int code)
{
	const struct claw_driver_number *number =
		claw_driver_number_find(code);

	print_code_names(code);
	if (number) {
		print_driver_number(number);
	} else if (code == CL_SUCCESS) {
		puts("  the call succeeded");
	} else {
		print_meanings(claw_code_name(code));
		print_calls_of_code(code);
	}
}

void claw_explain_print(const struct claw_explained *explained)
{
	if (explained->diagnosis)
		print_diagnosis(explained->diagnosis);
	else if (explained->is_fault)
		print_fault(explained->fault);
	else
		print_code(explained->code);
}

static const char *or_none(const char *code)
{
	return code ? code : "-";
}

static void print_finding(enum claw_finding_kind kind)
{
	printf("  %-27s%-21s %s\n", claw_finding_kind_name(kind),
	       or_none(claw_finding_kind_code(kind)),
	       or_none(claw_finding_kind_leads_to(kind)));
}

void claw_explain_list(void)
{
	puts("Diagnoses:");
	for (size_t i = 0; i < claw_diagnosis_count; i++) {
		printf("  %-27s", claw_diagnoses[i].code);
		claw_print_wrapped(claw_diagnoses[i].summary, 29);
	}
	puts("\nFaults:");
	for (int i = CLAW_FAULT_NONE; i < CLAW_FAULT_COUNT; i++)
		printf("  %-27s%s\n", fault_name((enum claw_fault)i),
		       claw_diagnosis_of_fault((enum claw_fault)i));
	puts("\n"
	     "Findings of tools, their diagnosis, and what they may cause on "
	     "a device:");
	for (int i = 0; i < CLAW_FINDING_KIND_COUNT; i++)
		print_finding((enum claw_finding_kind)i);
	puts("\nFindings of openclaw check:");
	for (int i = 0; i < CLAW_FOUND_KIND_COUNT; i++)
		printf("  %-27s%s\n",
		       claw_found_kind_name((enum claw_found_kind)i),
		       or_none(claw_found_kind_code((enum claw_found_kind)i)));
	puts("\nOpenCL error codes: by name or number (openclaw explain "
	     "CL_OUT_OF_RESOURCES, openclaw explain -5)");
}
