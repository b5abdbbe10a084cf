/* SPDX-License-Identifier: Apache-2.0 */
/* The captured failures in a run of the program itself. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/evidence/evidence.h"
#include "harness/base/memory.h"
#include "harness/crash/replay/replay_crash.h"
#include "repro.h"
#include "harness/process/runner.h"
#include "harness/session/session.h"

enum { DEFAULT_TIMEOUT_MS = 60 * 1000 };

static int cannot(struct claw_replay_result *result, const char *why)
{
	result->end = CLAW_REPLAY_INFRA;
	free(result->why);
	result->why = claw_strdup(why);
	return 0;
}

static int start(const struct claw_repro_live *live,
		 struct claw_session **ret_session)
{
	const struct claw_session_config config = {
		.allow_illegal = true,
		.ledger = CLAW_LEDGER_SITES,
		.models = live->models && *live->models ? live->models : NULL,
		.capture = { .buffers = CLAW_CAPTURE_NONE },
	};
	size_t count = 0;

	while (live->rules[count])
		count++;
	return claw_session_new(live->directory, live->rules, count, &config,
				ret_session);
}

/* Rules that met no call, or not the one they were for. */
static int say_unfired(const struct claw_session *session,
		       char *const *rules, struct claw_replay_result *result)
{
	struct claw_evidence evidence;
	char *text = NULL;
	size_t size, count = 0;
	FILE *out;
	int ret;

	while (rules[count])
		count++;
	ret = claw_evidence_read(session, count, &evidence);
	if (ret < 0)
		return ret;
	out = claw_text_begin(&text, &size);
	for (size_t i = 0; i < count; i++)
		if (evidence.rules[i].fired == 0)
			fprintf(out, "not injected: %s: matched %llu calls\n",
				rules[i], (unsigned long long)
				evidence.rules[i].matched);
	if (evidence.plan_error)
		fprintf(out, "the layer refused a rule: %s\n",
			evidence.plan_error);
	claw_evidence_release(&evidence);
	claw_text_end(out);
	free(result->why);
	result->why = text;
	return 0;
}

static int judge(const struct claw_repro_live *live,
		 const struct claw_session *session,
		 const struct claw_run_result *run,
		 struct claw_replay_result *result)
{
	struct claw_crash crash;
	int ret = claw_replay_crash_find(session, run, NULL, &crash);

	if (ret == -CLAW_E_NOT_FOUND)
		ret = cannot(result, "no OpenCL call was seen; does the "
			     "program use an OpenCL loader with layers?");
	else if (ret == -CLAW_E_DAMAGED || ret == -CLAW_E_VERSION)
		ret = cannot(result, "the program's journal is damaged");
	if (ret < 0 || result->end == CLAW_REPLAY_INFRA) {
		claw_crash_release(&crash);
		return ret;
	}
	free(result->signature);
	result->signature = claw_strdup(crash.kind != CLAW_CRASH_NONE &&
					crash.signature ? crash.signature : "");
	claw_crash_release(&crash);
	result->end = !*result->signature ? CLAW_REPLAY_NOTHING :
		strcmp(result->signature, live->wanted) == 0 ?
		CLAW_REPLAY_SAME : CLAW_REPLAY_OTHER;
	return say_unfired(session, live->rules, result);
}

static int check_run(const struct claw_run_result *run,
		     struct claw_replay_result *result)
{
	switch (run->end) {
	case CLAW_END_EXIT:
	case CLAW_END_SIGNAL:
	case CLAW_END_TIMEOUT:
		return 0;
	case CLAW_END_CANCELLED:
		return cannot(result, "cancelled");
	default:
		return cannot(result, strerror(run->code));
	}
}

int claw_repro_live_run(const struct claw_repro_live *live,
			struct claw_replay_result *ret_result)
{
	struct claw_session *session = NULL;
	struct claw_run_result run = { .end = CLAW_END_INFRA };
	int ret;

	*ret_result = (struct claw_replay_result) {
		.end = CLAW_REPLAY_NOTHING,
		.signature = claw_strdup(""), .why = claw_strdup(""),
		.is_complete = true,
	};
	ret = start(live, &session);
	if (ret == 0) {
		const struct claw_run_spec spec = {
			.argv = live->argv,
			.set_env = session->environment,
			.stdin_mode = CLAW_STDIN_EMPTY,
			.timeout_ms = live->timeout_ms ? live->timeout_ms :
				DEFAULT_TIMEOUT_MS,
			.no_core = true,
		};

		ret = claw_run_once(&spec, &run);
	}
	if (ret == 0)
		ret = check_run(&run, ret_result);
	if (ret == 0 && ret_result->end != CLAW_REPLAY_INFRA)
		ret = judge(live, session, &run, ret_result);
	if (ret == -CLAW_E_NO_LAYER)
		ret = cannot(ret_result, claw_error_text(ret));
	ret_result->wall_ns = run.duration_us * 1000;
	claw_run_result_release(&run);
	claw_session_free(session);
	return ret;
}
