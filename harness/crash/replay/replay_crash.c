/* SPDX-License-Identifier: Apache-2.0 */
/* See replay_crash.h. */
#include "config.h"

#include "replay_crash.h"

#include <stdlib.h>
#include <string.h>

#include "harness/crash/dump/dump_meta.h"
#include "harness/crash/dump/dump_trigger.h"
#include "harness/base/errors.h"
#include "harness/readers/journal_reader.h"
#include "harness/base/memory.h"
#include "harness/crash/trace/trace_read.h"

static int journal_pid(const char *path)
{
	const char *at = strstr(path, "journal.");

	return at ? (int)strtol(at + strlen("journal."), NULL, 10) : 0;
}

/* The journal of the process that was started, else that of the first child
 * of its that called OpenCL; an index. */
static size_t choose_journal(char *const *paths, size_t count, int pid)
{
	for (size_t i = count; i > 0; i--)	/* its last image */
		if (journal_pid(paths[i - 1]) == pid)
			return i - 1;
	return 0;
}

/* The captured end, but for signals: what made them is not done again. */
static json_t *own_end(const struct claw_dump *captured)
{
	json_t *ended = json_object_get(captured->meta, "exit");

	if (json_is_integer(json_object_get(ended, "status")))
		return json_incref(ended);
	return json_pack("{s:i}", "status", 1);
}

static json_t *make_meta(const struct claw_session *session,
			 const struct claw_journal *journal,
			 const char *trace_path,
			 const struct claw_run_result *result,
			 const struct claw_dump *captured)
{
	struct claw_dump_trigger trigger;
	json_t *about = json_object(), *meta;

	claw_dump_trigger_find(journal, trace_path, result, false, true,
			       &trigger);
	meta = claw_dump_meta_make(session->directory, about, NULL, journal,
				   true, result, &trigger);
	json_decref(about);
	if (meta && captured && result->end == CLAW_END_EXIT)
		json_object_set_new(meta, "exit", own_end(captured));
	return meta;
}

static int look(const struct claw_session *session, const char *path,
		const struct claw_run_result *result,
		const struct claw_dump *captured, struct claw_crash *ret_crash)
{
	struct claw_dump dump = { .whole = true };
	char *trace_path = claw_session_sibling(path, "trace");
	int ret = claw_journal_read(path, &dump.journal);

	if (ret == 0)
		ret = claw_trace_read(trace_path, &dump.trace);
	if (ret == 0) {
		dump.meta = make_meta(session, dump.journal, trace_path,
				      result, captured);
		claw_crash_find(&dump, ret_crash);
	}
	json_decref(dump.meta);
	claw_trace_free(dump.trace);
	claw_journal_free(dump.journal);
	free(trace_path);
	return ret;
}

int claw_replay_crash_find(const struct claw_session *session,
			   const struct claw_run_result *result,
			   const struct claw_dump *captured,
			   struct claw_crash *ret_crash)
{
	char **paths = NULL;
	size_t count = 0;
	int ret = claw_session_journals(session, &paths, &count);

	memset(ret_crash, 0, sizeof(*ret_crash));
	if (ret == 0 && count == 0)
		ret = -CLAW_E_NOT_FOUND;
	if (ret == 0)
		ret = look(session, paths[choose_journal(paths, count,
							 result->pid)],
			   result, captured, ret_crash);
	for (size_t i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
	return ret;
}

bool claw_replay_is_of_calls(const struct claw_crash *crash)
{
	return crash->kind != CLAW_CRASH_NONE &&
		(crash->call || crash->launch || crash->signal);
}

/* Was it in a call that had not returned? */
static bool is_in_call(const struct claw_dump *dump)
{
	const struct claw_trace *trace = dump->trace;

	for (uint32_t i = 0; trace && i < trace->call_count; i++)
		if (trace->calls[i].api < CLAW_API_COUNT &&
		    !trace->calls[i].returned)
			return true;
	return false;
}

bool claw_replay_is_own_code(const struct claw_dump *dump,
			     const struct claw_crash *crash)
{
	return crash->kind == CLAW_CRASH_SIGNAL ||
		(crash->kind == CLAW_CRASH_TIMEOUT && !is_in_call(dump));
}

/* As if the program had given up where it crashed. */
static char *without_signal(const struct claw_dump *dump)
{
	struct claw_dump calls = *dump;
	struct claw_crash crash;
	char *signature;

	calls.meta = claw_made(json_copy(dump->meta));
	json_object_set_new(calls.meta, "exit", own_end(dump));
	json_object_del(calls.meta, "trigger");
	claw_crash_find(&calls, &crash);
	signature = claw_strdup(claw_replay_is_of_calls(&crash) ?
				crash.signature : "");
	claw_crash_release(&crash);
	json_decref(calls.meta);
	return signature;
}

void claw_replay_wanted(const struct claw_dump *dump,
			struct claw_crash *ret_crash, char **ret_calls)
{
	claw_crash_find(dump, ret_crash);
	if (!claw_replay_is_of_calls(ret_crash))
		*ret_crash->signature = '\0';
	*ret_calls = claw_replay_is_own_code(dump, ret_crash) ?
		without_signal(dump) : NULL;
}
