/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A rule is a verdict, or the diagnosis of a finding that has one: then its
 * help is what "openclaw explain" prints. Pages of code scanning show the help
 * beside a finding, and sort findings by precision.
 */
#include "config.h"

#include "sarif_rules.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/records/diagnosis.h"
#include "harness/records/result_json.h"
#include "points.h"

/*
 * precision: how often a finding is a mistake of the program. All of them
 * happened in a run; a time limit, a comparison of results and a slope depend
 * on the machine, too.
 * next: sentences with newlines between them.
 */
static const struct {
	enum claw_verdict verdict;
	const char *id, *level, *precision, *page, *text, *means, *next;
} kinds[] = {
	{ CLAW_CRASH, "crash", "error", "very-high", "openclaw-inject",
	  "The program was killed by a signal.",
	  "Usually the program did not check the error code of an OpenCL "
	  "call, and used the NULL handle or the result that it did not get.",
	  "check the error code of the call at this location, and stop or "
	  "recover before its result is used\n"
	  "run the reproduce line; openclaw inject --gdb with the fault "
	  "break stops in a debugger at the call" },
	{ CLAW_HANG, "hang", "error", "high", "openclaw-inject",
	  "The program did not exit.",
	  "It exceeded the time limit of the run. Often it waits for a "
	  "command that failed, or repeats a call that fails each time.",
	  "check the status of events: a negative one is an error, and no "
	  "wait ends it\n"
	  "limit how often a failed call is repeated\n"
	  "if the program is only slow, raise the limit with --timeout" },
	{ CLAW_MISUSE, "misuse", "error", "very-high", "openclaw-check",
	  "The program uses an OpenCL object or memory in an invalid way.",
	  "A NULL or released handle, an object of another type, or memory "
	  "that a pending command still needs. Drivers may accept it, crash, "
	  "or return wrong data.",
	  "release an object after the last command that uses it has "
	  "ended\n"
	  "after a failed call do not use the handle that it did not "
	  "return" },
	{ CLAW_SANITIZER, "sanitizer", "error", "high", "openclaw-test",
	  "A checking tool reported a memory error.",
	  "A read or write out of bounds, a race, or another error that "
	  "a tool or the guard zones around buffers found.",
	  "fix the access that the message names: it is wrong even where "
	  "a device hides it\n"
	  "run the reproduce line for the whole report of the tool" },
	{ CLAW_SWALLOWED, "swallowed", "error", "high", "openclaw-inject",
	  "An OpenCL call failed and the program ignored it: its result is "
	  "wrong and its exit status reports success.",
	  "With the failure the program produced another result than "
	  "without, exited with the same status and printed no error.",
	  "check the error code of the call at this location\n"
	  "report the failure, with an exit status that is not 0\n"
	  "if the result differs between runs without a fault, too, leave "
	  "that part out of the comparison: --set-aside" },
	{ CLAW_LEAK, "leak", "warning", "high", "openclaw-check",
	  "OpenCL objects are never released.",
	  "They keep their memory on the device until the process ends.",
	  "release the object on every path, those for errors too\n"
	  "an object that is to live as long as the process can be "
	  "suppressed: --suppressions" },
	{ CLAW_DEGRADED, "degraded", "warning", "medium", "openclaw-inject",
	  "An OpenCL call failed and the result changed.",
	  "The program reported the failure, and exited with the same "
	  "status as without it.",
	  "if a caller cannot use such a result, exit with a status that "
	  "is not 0\n"
	  "if it is intended, list it as known: --accept" },
	{ CLAW_FAILED, "failed", "error", "high", "openclaw-test",
	  "A test failed.",
	  "The result of the case is not what its description expects.",
	  "run the reproduce line, which runs this case alone" },
	{ CLAW_SLOWDOWN, "slowdown", "warning", "medium", "openclaw-run",
	  "The program became slower while it ran.",
	  "The trend of the series is larger than its noise over the whole "
	  "soak.",
	  "compare with the series that grow at the same time\n"
	  "rule out the machine: temperature, clock and other processes are "
	  "series, too" },
	{ CLAW_XPASS, "unexpected-pass", "warning", "very-high",
	  "openclaw-test",
	  "A test that is expected to fail passed.",
	  "The expectation is out of date, or the case no longer tests what "
	  "it did.",
	  "remove the expected failure from the suite" },
};
enum { KIND_COUNT = sizeof(kinds) / sizeof(*kinds) };

static size_t find_kind(enum claw_verdict verdict)
{
	size_t i = 0;

	while (i + 1 < KIND_COUNT && kinds[i].verdict != verdict)
		i++;
	return i;
}

const char *claw_sarif_level(enum claw_verdict verdict)
{
	return kinds[find_kind(verdict)].level;
}

const char *claw_sarif_rule_id(const struct claw_result *result)
{
	return result->code && !claw_report_is_point(result) ? result->code :
		kinds[find_kind(result->verdict)].id;
}

/* ---- texts ------------------------------------------------------------ */

/* "- " and a sentence for each line; title: before them, of Markdown bold. */
static void put_list(FILE *out, const char *title, const char *sentences,
		     bool is_markdown)
{
	if (!sentences || !*sentences)
		return;
	fprintf(out, is_markdown ? "\n\n**%s**\n\n" : "\n\n%s:\n", title);
	while (*sentences) {
		size_t length = strcspn(sentences, "\n");

		fprintf(out, "- %.*s", (int)length, sentences);
		sentences += length;
		if (*sentences) {
			fputc('\n', out);
			sentences++;
		}
	}
}

static char *kind_help(size_t kind, bool is_markdown)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fprintf(out, "%s %s", kinds[kind].text, kinds[kind].means);
	put_list(out, "What to do", kinds[kind].next, is_markdown);
	fprintf(out, "\n\nManual: %s(1)", kinds[kind].page);
	claw_text_end(out);
	return text;
}

/* "the device is lost" to "The device is lost."; malloced. */
static char *sentence_of(const char *summary)
{
	char *text = claw_format("%s.", summary);

	*text = (char)toupper((unsigned char)*text);
	return text;
}

static char *diagnosis_help(const struct claw_diagnosis *diagnosis,
			    bool is_markdown)
{
	char *text = NULL, *summary = sentence_of(diagnosis->summary);
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fputs(summary, out);
	put_list(out, "How it is recognised", diagnosis->recognised,
		 is_markdown);
	put_list(out, "Not to be confused with", diagnosis->is_not,
		 is_markdown);
	put_list(out, "What to do", diagnosis->next, is_markdown);
	fprintf(out, is_markdown ? "\n\nMore: `openclaw explain %s`" :
		"\n\nMore: openclaw explain %s", diagnosis->code);
	claw_text_end(out);
	free(summary);
	return text;
}

/* ---- a rule ----------------------------------------------------------- */

static void add_message(json_t *rule, const char *name, const char *text,
			const char *markdown)
{
	json_t *message = json_object();

	claw_json_add_text(message, "text", text);
	claw_json_add_text(message, "markdown", markdown);
	json_object_set_new(rule, name, message);
}

/*
 * There is no security-severity: a finding is about reliability, and what an
 * attacker could do with it is not known.
 */
static void add_properties(json_t *rule, size_t kind)
{
	json_t *properties = json_object();

	json_object_set_new(properties, "tags",
			    json_pack("[ss]", "opencl", "reliability"));
	claw_json_add_text(properties, "precision", kinds[kind].precision);
	claw_json_add_text(properties, "problem.severity", kinds[kind].level);
	json_object_set_new(rule, "properties", properties);
}

json_t *claw_sarif_rule(const struct claw_result *result)
{
	size_t kind = find_kind(result->verdict);
	const char *id = claw_sarif_rule_id(result);
	const struct claw_diagnosis *diagnosis = claw_diagnosis_find(id);
	json_t *rule = json_object(), *configuration = json_object();
	char *summary = diagnosis ? sentence_of(diagnosis->summary) :
			claw_strdup(kinds[kind].text);
	char *text = diagnosis ? diagnosis_help(diagnosis, false) :
		     kind_help(kind, false);
	char *markdown = diagnosis ? diagnosis_help(diagnosis, true) :
			 kind_help(kind, true);
	/* The manual is where openclaw is installed: no server is known. */
	char *uri = claw_format("man:%s(1)", diagnosis ? "openclaw-explain" :
				kinds[kind].page);

	claw_json_add_text(rule, "id", id);
	add_message(rule, "shortDescription", summary, NULL);
	add_message(rule, "fullDescription", summary, NULL);
	add_message(rule, "help", text, markdown);
	claw_json_add_text(rule, "helpUri", uri);
	claw_json_add_text(configuration, "level", kinds[kind].level);
	json_object_set_new(rule, "defaultConfiguration", configuration);
	add_properties(rule, kind);
	free(uri);
	free(markdown);
	free(text);
	free(summary);
	return rule;
}
