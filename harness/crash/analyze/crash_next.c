/* SPDX-License-Identifier: Apache-2.0 */
/* What to do next, as commands to paste. */
#include "config.h"

#include <stdlib.h>

#include "crash_report.h"
#include "harness/session/called.h"
#include "harness/session/fault_plan.h"
#include "harness/base/memory.h"
#include "harness/crash/replay/replay_crash.h"

struct making {
	const struct claw_crash_view *view;
	struct claw_crash_next *next;
	size_t count;
};

/* WORDS of openclaw, and the path of the dump or the program's words behind
 * it. */
static void add(struct making *m, const char *what, const char *words,
		const char *file, const json_t *argv)
{
	char *text = NULL, *quoted;
	size_t size;
	FILE *out;

	if (m->count == CLAW_CRASH_NEXT_MAX)
		return;
	out = claw_text_begin(&text, &size);
	fprintf(out, "%s %s", claw_called(), words);
	if (file) {
		quoted = claw_shell_quote_printable(file);
		fprintf(out, " %s", quoted ? quoted : file);
		free(quoted);
	}
	fputs(argv ? " --" : "", out);
	for (size_t i = 0; i < json_array_size(argv); i++) {
		const char *word = json_string_value(json_array_get(argv, i));

		quoted = claw_shell_quote_printable(word ? word : "");
		fprintf(out, " %s", quoted ? quoted : "");
		free(quoted);
	}
	claw_text_end(out);
	m->next[m->count++] = (struct claw_crash_next){ text, what };
}

/* Commands that run the program again where it is at hand. */
static void add_program(struct making *m, const json_t *argv)
{
	const struct claw_crash *crash = m->view->crash;

	if (!json_array_size(argv))
		return;
	if (crash->kind == CLAW_CRASH_TIMEOUT)
		add(m, "watch the hang, with the stacks of its threads",
		    "inject --judge --timeout 60s", NULL, argv);
	else
		add(m, "check handles, object lifetimes and buffer overruns",
		    "check --lifetime --guards", NULL, argv);
	if (crash->kind == CLAW_CRASH_MEMORY)
		add(m, "fail each allocation once",
		    "sweep --kinds oom", NULL, argv);
	if (crash->kind == CLAW_CRASH_LOST)
		add(m, "simulate the loss of the device",
		    "inject --judge --fault @any:device-lost:after=1s", NULL,
		    argv);
}

/* A replay has the calls alone. */
static void add_repro(struct making *m, const json_t *argv)
{
	const struct claw_crash_view *view = m->view;
	json_t *unknown = NULL;

	if (!claw_replay_is_own_code(view->dump, view->crash)) {
		add(m, "replay its OpenCL calls", "repro", view->path,
		    NULL);
		return;
	}
	if (!json_array_size(argv))
		argv = unknown = json_pack("[s]", "PROGRAM");
	add(m, "rerun it with the captured failures: it failed in its own code",
	    "repro", view->path, argv);
	json_decref(unknown);
}

size_t claw_crash_next_find(const struct claw_crash_view *view,
			    struct claw_crash_next *ret_next)
{
	struct making m = { .view = view, .next = ret_next };
	const struct claw_crash *crash = view->crash;
	const json_t *argv = json_object_get(view->dump->meta, "argv");
	char *words;

	if (*crash->code) {
		words = claw_format("explain %s", crash->code);
		add(&m, "explain the diagnosis", words, NULL, NULL);
		free(words);
	}
	if (crash->kind != CLAW_CRASH_NONE && view->dump->trace) {
		if (!view->deep && crash->kernel)
			add(&m, "find the invalid access: line and work-item",
			    "crash-analyze --deep", view->path, NULL);
		add_repro(&m, argv);
		if (crash->kind == CLAW_CRASH_GPU ||
		    crash->kind == CLAW_CRASH_DRIVER)
			add(&m, "replay on the simulator",
			    "repro --under oclgrind", view->path, NULL);
	}
	add_program(&m, argv);
	return m.count;
}

void claw_crash_next_release(struct claw_crash_next *next, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(next[i].command);
}
