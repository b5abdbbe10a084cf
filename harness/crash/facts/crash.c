/* SPDX-License-Identifier: Apache-2.0 */
/* Ask the rules of crash_rules.def, and put what they say together. */
#include "config.h"

#include "crash.h"

#include <stdlib.h>
#include <string.h>

#include "crash_rules.h"
#include "crash_words.h"
#include "harness/base/memory.h"
#include "harness/judge/verdict.h"
#include "harness/base/words.h"

enum { TIMES_MAX = 8 };	/* that one rule is listed */

static const struct end {
	enum claw_crash_class class;
	const char *code;
	unsigned int percent;
	const char *text;
	bool (*test)(const struct claw_crash_facts *facts, const char **code);
} ends[] = {
#define END(name_, class_, code_, percent_, text_)			\
	{ CLAW_CRASH_##class_, code_, percent_, text_, claw_end_##name_ },
#define CAUSE(...)
#include "crash_rules.def"
#undef END
#undef CAUSE
};

static const struct cause {
	const char *code;
	unsigned int percent;
	const char *text;
	bool (*test)(const struct claw_crash_facts *facts,
		     struct claw_crash_note *note);
} causes[] = {
#define END(...)
#define CAUSE(name_, code_, percent_, text_)				\
	{ code_, percent_, text_, claw_cause_##name_ },
#include "crash_rules.def"
#undef END
#undef CAUSE
};
enum { CAUSE_COUNT = sizeof(causes) / sizeof(*causes) };

const char *claw_crash_kind_name(enum claw_crash_class kind)
{
	static const char *const names[] = {
		[CLAW_CRASH_NONE] = "none",
		[CLAW_CRASH_SIGNAL] = "signal",
		[CLAW_CRASH_DRIVER] = "driver-crash",
		[CLAW_CRASH_GPU] = "gpu-crash",
		[CLAW_CRASH_LOST] = "device-lost",
		[CLAW_CRASH_MEMORY] = "out-of-memory",
		[CLAW_CRASH_TIMEOUT] = "timeout",
		[CLAW_CRASH_KILLED] = "killed",
		[CLAW_CRASH_BUILD] = "build-failure",
		[CLAW_CRASH_ERROR] = "error",
	};

	return (size_t)kind < sizeof(names) / sizeof(*names) ? names[kind] :
		"unknown";
}

/* ---- causes ----------------------------------------------------------- */

struct listed {
	struct claw_crash_cause cause;
	const char *code;
	size_t order;
};

static void print_text(FILE *out, const struct cause *row, char *detail)
{
	fputs(row->text, out);
	if (*detail)
		fprintf(out, ": %s", detail);
}

/* Ask one rule once: is there a cause now? */
static bool ask(const struct claw_crash_facts *f, const struct cause *row,
		unsigned int nth, struct listed *listed)
{
	struct claw_crash_note note = {
		.nth = nth, .code = row->code, .percent = row->percent,
	};
	char *detail = NULL, *evidence = NULL, *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);
	bool holds;

	note.detail = claw_text_begin(&detail, &size);
	note.evidence = claw_text_begin(&evidence, &size);
	holds = row->test(f, &note);
	claw_text_end(note.detail);
	claw_text_end(note.evidence);
	print_text(out, row, detail);
	claw_text_end(out);
	free(detail);
	if (!holds) {
		free(evidence);
		free(text);
		return false;
	}
	*listed = (struct listed){
		.cause = { text, evidence, note.percent }, .code = note.code,
	};
	return true;
}

static int surest_first(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;

	if (x->cause.percent != y->cause.percent)
		return x->cause.percent > y->cause.percent ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static void list_causes(const struct claw_crash_facts *f,
			struct claw_crash *crash)
{
	struct listed all[CAUSE_COUNT * TIMES_MAX + 1];
	size_t count = 0;

	for (size_t i = 0; i < CAUSE_COUNT; i++)
		for (unsigned int n = 0; n < TIMES_MAX &&
		     ask(f, &causes[i], n, &all[count]); n++, count++)
			all[count].order = count;
	qsort(all, count, sizeof(*all), surest_first);
	crash->causes = claw_calloc(count + 1, sizeof(*crash->causes));
	for (size_t i = 0; i < count; i++) {
		crash->causes[crash->cause_count++] = all[i].cause;
		if (!*crash->code && all[i].code && all[i].cause.percent >= 40)
			crash->code = all[i].code;
	}
}

/* ---- how it ended ----------------------------------------------------- */

static void find_end(const struct claw_crash_facts *f, struct claw_crash *crash)
{
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		const char *code = ends[i].code;

		if (!ends[i].test(f, &code))
			continue;
		crash->kind = ends[i].class;
		crash->percent = ends[i].percent;
		crash->code = code ? code : "";
		return;
	}
}

/* The call that the end is told by. */
static uint32_t end_call(const struct claw_crash_facts *f,
			 enum claw_crash_class kind)
{
	switch (kind) {
	case CLAW_CRASH_NONE:
		return 0;
	case CLAW_CRASH_MEMORY:
		return f->no_memory;
	case CLAW_CRASH_BUILD:
		return f->build;
	case CLAW_CRASH_ERROR:
		return f->failed;
	case CLAW_CRASH_LOST:
		return f->told ? f->told : f->failed;
	case CLAW_CRASH_GPU:
		return f->signal && f->pending ? f->pending : f->told;
	case CLAW_CRASH_TIMEOUT:
		return f->pending ? f->pending : f->told;
	default:
		return f->pending;
	}
}

/* "tile.c:88" of "main (tile.c:88)"; a place without a line is none. */
static char *file_and_line(char *place)
{
	char *open = place ? strrchr(place, '(') : NULL;
	char *close = open ? strchr(open, ')') : NULL;
	char *found = NULL;

	if (close && strchr(open, ':') && !strchr(open, '+'))
		found = claw_strndup(open + 1, (size_t)(close - open) - 1);
	free(place);
	return found;
}

static void find_place(const struct claw_crash_facts *f,
		       struct claw_crash *crash)
{
	const struct claw_trace_call *call = claw_crash_call(f, crash->call);

	if (f->crash && f->top == CLAW_TOP_PROGRAM)
		crash->where = file_and_line(claw_crash_place(f,
							f->crash->site));
	if (!crash->where && call && call->site)
		crash->where = file_and_line(claw_crash_place(f, call->site));
}

/* ---- signature -------------------------------------------------------- */

/* Within a call the same wherever the process runs it; a thread of the driver
 * has no call. */
static void sign_signal(FILE *out, const struct claw_crash_facts *f,
			const struct claw_crash *crash)
{
	const struct claw_trace_call *call = claw_crash_call(f, crash->call);
	char *name;

	fprintf(out, " %s", claw_signal_name(f->signal));
	if (crash->kind == CLAW_CRASH_DRIVER && claw_crash_is_worker(f)) {
		fputs(" in a thread of the driver", out);
	} else if (crash->kind == CLAW_CRASH_DRIVER) {
		fprintf(out, " in %s", call ? claw_crash_api_name(call) :
			"a thread of the driver");
		if (call && crash->kernel)
			fprintf(out, "(%s)", crash->kernel);
	} else if (crash->kind == CLAW_CRASH_SIGNAL) {
		name = f->crash ? claw_crash_site_name(f, f->crash->site) :
			NULL;
		fprintf(out, " in %s", name && *name ? name :
			CLAW_VERDICT_UNKNOWN);
		free(name);
	}
}

/* Which call tells of a device, and with which code, is a matter of time and of
 * the driver; that there was none to begin with is not. */
static void sign_device(FILE *out, const struct claw_crash_facts *f,
			const struct claw_crash *crash)
{
	if (crash->kind == CLAW_CRASH_GPU)
		fprintf(out, " in %s", crash->kernel ? crash->kernel :
			"a kernel");
	else if (!f->first_context)
		fputs(" at the start", out);
}

static void sign_call(FILE *out, const struct claw_crash_facts *f,
		      const struct claw_crash *crash)
{
	const struct claw_trace_call *call = claw_crash_call(f, crash->call);

	if (crash->result)
		fprintf(out, " %s", claw_crash_result_name(crash->result));
	if (call && claw_crash_is_call(call))
		fprintf(out, " in %s", claw_crash_api_name(call));
	if (crash->kernel && (crash->kind == CLAW_CRASH_TIMEOUT ||
			      crash->kind == CLAW_CRASH_ERROR))
		fprintf(out, "(%s)", crash->kernel);
}

static void sign(const struct claw_crash_facts *f, struct claw_crash *crash)
{
	size_t size;
	FILE *out = claw_text_begin(&crash->signature, &size);

	fputs(claw_crash_kind_name(crash->kind), out);
	if (crash->kind == CLAW_CRASH_GPU || crash->kind == CLAW_CRASH_LOST)
		sign_device(out, f, crash);
	else if (crash->signal && crash->kind != CLAW_CRASH_TIMEOUT)
		sign_signal(out, f, crash);
	else
		sign_call(out, f, crash);
	claw_text_end(out);
}

/* ---- all of it -------------------------------------------------------- */

/* Only where the launch has to do with it is its kernel named. */
static void find_kernel(const struct claw_crash_facts *f,
			struct claw_crash *crash)
{
	const struct claw_trace_call *call = claw_crash_call(f, crash->call);
	uint32_t launch = f->launch;
	const char *name;

	if (call && claw_crash_is_call(call) && claw_api_is_launch(call->api))
		launch = crash->call;
	else if (crash->kind == CLAW_CRASH_ERROR ||
		 (crash->kind == CLAW_CRASH_DRIVER && call))
		launch = 0;
	switch (crash->kind) {
	case CLAW_CRASH_GPU:
	case CLAW_CRASH_DRIVER:
	case CLAW_CRASH_LOST:
	case CLAW_CRASH_TIMEOUT:
	case CLAW_CRASH_ERROR:
		break;
	default:
		return;
	}
	crash->launch = launch;
	name = claw_crash_kernel_of(f, launch);
	crash->kernel = *name ? claw_strdup(name) : NULL;
}

static void find(const struct claw_crash_facts *f, struct claw_crash *crash)
{
	const struct claw_trace_call *call;

	find_end(f, crash);
	crash->call = end_call(f, crash->kind);
	call = claw_crash_call(f, crash->call);
	crash->signal = f->signal;
	crash->result = call && call->returned && call->result < 0 ?
		call->result : 0;
	crash->has_address = f->has_address;
	crash->address = f->address;
	find_kernel(f, crash);
	find_place(f, crash);
	if (crash->kind != CLAW_CRASH_NONE)
		list_causes(f, crash);
	sign(f, crash);
}

void claw_crash_find(const struct claw_dump *dump, struct claw_crash *ret_crash)
{
	struct claw_crash_facts facts;

	*ret_crash = (struct claw_crash){ .code = "" };
	claw_crash_facts_gather(dump, &facts);
	find(&facts, ret_crash);
	claw_crash_facts_release(&facts);
}

void claw_crash_release(struct claw_crash *crash)
{
	for (size_t i = 0; i < crash->cause_count; i++) {
		free(crash->causes[i].text);
		free(crash->causes[i].evidence);
	}
	free(crash->causes);
	free(crash->kernel);
	free(crash->where);
	free(crash->signature);
	*crash = (struct claw_crash){ .code = "" };
}
