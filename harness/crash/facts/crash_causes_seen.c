/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Causes that somebody saw: openclaw injected a fault, the layer found a
 * mistake, the kernel's log has it.
 */
#include "config.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "crash_rules.h"
#include "crash_words.h"
#include "harness/crash/dump/dump_log.h"

/* The call that the crash is told by. */
static uint32_t telling_call(const struct claw_crash_facts *f)
{
	if (f->signal || strcmp(f->trigger, "timeout") == 0)
		return f->pending;
	return f->told ? f->told : f->failed;
}

static const struct claw_trace_call *
injected_call(const struct claw_crash_facts *f, uint32_t number)
{
	const struct claw_trace_call *call = claw_crash_call(f, number);

	return call && claw_crash_is_injected(call) ? call : NULL;
}

/* The first call with a result of a rule of its own. */
static uint32_t first_injected(const struct claw_crash_facts *f)
{
	for (uint32_t i = 0; i < f->trace->call_count; i++)
		if (f->trace->calls[i].flags & CLAW_REC_INJECTED)
			return i + 1;
	return 0;
}

static void put_rule(FILE *out, const struct claw_crash_facts *f,
		     const struct claw_trace_call *call)
{
	const struct claw_journal_rule *rule = f->dump->journal && call->rule ?
		claw_journal_get_rule(f->dump->journal, call->rule - 1u) : NULL;

	if (rule)
		fprintf(out, ", by the rule %s",
			claw_journal_get_string(f->dump->journal,
						rule->text_string));
}

bool claw_cause_injected(const struct claw_crash_facts *f,
			 struct claw_crash_note *note)
{
	uint32_t first = first_injected(f);
	uint32_t told = telling_call(f);
	/* What a program makes of a failure is its own doing. */
	bool is_direct = injected_call(f, told) ||
		(injected_call(f, f->launch) &&
		 injected_call(f, f->launch)->fault);

	if (note->nth || (!first && !is_direct))
		return false;
	note->percent = is_direct && !(f->signal && f->top ==
				       CLAW_TOP_PROGRAM) ? 99 : 55;
	fputs(claw_crash_is_made(f) ? "it produced this failure in place of "
				      "the driver" :
	      is_direct ? "it produced this failure" : "it came before and may have caused "
	      "this", note->detail);
	if (!first)
		first = injected_call(f, told) ? told : f->launch;
	claw_crash_put_call(note->evidence, f, first);
	put_rule(note->evidence, f, claw_crash_call(f, first));
	return true;
}

bool claw_cause_oom_killer(const struct claw_crash_facts *f,
			   struct claw_crash_note *note)
{
	uint64_t pid = (uint64_t)json_integer_value(
		json_object_get(f->dump->meta, "pid"));
	const char *line = claw_dmesg_find_killed(f->dump->dmesg, pid);

	if (note->nth || f->signal != SIGKILL || !line)
		return false;
	fprintf(note->evidence, "the kernel's log: %.*s",
		(int)strcspn(line, "\n"), line);
	return true;
}

bool claw_cause_found(const struct claw_crash_facts *f,
		      struct claw_crash_note *note)
{
	const struct claw_found_group *group;
	char *text;

	if (note->nth >= f->found.count)
		return false;
	group = &f->found.items[note->nth];
	if (claw_found_kind_is_note(group->kind))
		note->percent = 45;
	else if (!group->is_sure)
		note->percent = 70;
	note->code = claw_found_kind_code(group->kind);
	text = claw_found_text(group);
	fputs(claw_found_kind_title(group->kind), note->detail);
	fputs(text, note->evidence);
	free(text);
	return true;
}

static bool nth_line(const struct claw_crash_facts *f, unsigned int nth,
		     struct claw_dmesg_line *line)
{
	const char *at = f->dump->dmesg;

	while (claw_dump_log_next(f->dump, &at, line))
		if (nth-- == 0)
			return true;
	return false;
}

bool claw_cause_xid(const struct claw_crash_facts *f,
		    struct claw_crash_note *note)
{
	struct claw_dmesg_line line;
	bool is_ours;

	if (!nth_line(f, note->nth, &line))
		return false;
	is_ours = claw_dump_log_fit(f->dump, &line) == CLAW_LOG_OURS;
	note->code = line.code;
	if (line.xid == 45)	/* cleared away */
		note->percent = 30;
	else if (!line.pid || !is_ours)
		note->percent = !f->told ? 35 : is_ours ? 75 : 60;
	fputs(line.meaning, note->detail);
	if (line.xid)
		fprintf(note->detail, " (Xid %u, most often the %s)", line.xid,
			line.whose);
	if (!is_ours)
		fputs(line.pid ? ", of a process of that name" : ", process "
		      "and time unknown", note->detail);
	fprintf(note->evidence, "the kernel's log: %.*s", (int)line.length,
		line.text);
	return true;
}
