/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Make ready for second looks, and tell what is theirs.
 */
#include "config.h"

#include "sweep_look.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/directories.h"
#include "harness/base/memory.h"
#include "sweep_signature.h"
#include "harness/base/text.h"

#define UNDER " under "

struct claw_sweep_runs claw_sweep_runs_of(const struct claw_sweep *sweep,
					  int look)
{
	const struct claw_sweep_look *one = look < 0 ? NULL :
		&sweep->looks[look];

	return (struct claw_sweep_runs) {
		.baseline = one ? &one->baseline : &sweep->baseline,
		.leaks = one ? &one->leaks : &sweep->leaks,
		.limit_ms = one ? one->limit_ms : sweep->limit_ms,
		.tool = one ? one->judge.tool : sweep->how->judge->tool,
	};
}

const char *claw_sweep_configuration(const struct claw_sweep *sweep)
{
	const struct claw_judged_tool *tool = sweep->how->judge->tool;

	return tool ? tool->under.row->name : "native";
}

/* ---- the beginning ---------------------------------------------------- */

/* Say of whose runs that is. */
static void say_tool(const struct claw_sweep_look *look, char **text)
{
	char *all;

	if (!*text)
		return;
	all = claw_format("under %s: %s", look->judge.tool->under.row->name,
			  *text);
	free(*text);
	*text = all;
}

static int begin_look(struct claw_sweep *sweep, struct claw_sweep_look *look,
		      const struct claw_judged_tool *tool,
		      struct claw_judgement *ret_judgement)
{
	const struct claw_judge *judge = sweep->how->judge;
	uint64_t timeout_ms = judge->timeout_ms *
		claw_under_times(tool->under.row);
	int ret;

	look->judge = *judge;
	look->judge.tool = tool;
	look->judge.timeout_ms = timeout_ms;
	look->directory = claw_path_in(judge->directory,
				       tool->under.row->name);
	look->judge.directory = look->directory;
	if (claw_make_directory(look->directory) < 0) {
		ret_judgement->end = CLAW_JUDGE_INFRA;
		ret_judgement->why = claw_strdup(strerror(errno));
		return -1;
	}
	ret = claw_judge_begin(&look->judge, &look->baseline, ret_judgement);
	if (ret < 0) {
		say_tool(look, &ret_judgement->why);
		say_tool(look, &ret_judgement->output.message);
		return ret;
	}
	look->limit_ms = timeout_ms ? timeout_ms :
		claw_sweep_limit_ms(&look->baseline);
	if (claw_leak_scan(look->baseline.runs[0].session, &look->leaks) == 0)
		return 0;
	ret_judgement->end = CLAW_JUDGE_INFRA;
	ret_judgement->why = claw_strdup("the ledgers could not be read");
	return -1;
}

int claw_sweep_looks_begin(struct claw_sweep *sweep,
			   struct claw_judgement *ret_judgement)
{
	const struct claw_sweep_how *how = sweep->how;

	if (how->again_count == 0)
		return 0;
	/* Never moved: runs know their baselines by address. */
	sweep->looks = claw_calloc(how->again_count, sizeof(*sweep->looks));
	for (size_t i = 0; i < how->again_count; i++) {
		sweep->look_count++;
		if (begin_look(sweep, &sweep->looks[i], &how->again[i],
			       ret_judgement) < 0)
			return -1;
	}
	return 0;
}

void claw_sweep_looks_release(struct claw_sweep *sweep)
{
	for (size_t i = 0; i < sweep->look_count; i++) {
		struct claw_sweep_look *look = &sweep->looks[i];

		claw_leak_scan_release(&look->leaks);
		claw_judge_end(&look->baseline);
		free(look->directory);
	}
	free(sweep->looks);
	sweep->looks = NULL;
	sweep->look_count = 0;
}

/* ---- what is a look's -------------------------------------------------- */

/* Behind the last " under ", or NULL. */
static const char *tool_of(const char *signature)
{
	const char *found = NULL, *next = signature;

	while (next && (next = strstr(next, UNDER)))
		found = next += strlen(UNDER);
	return found;
}

char *claw_sweep_look_signature(const struct claw_sweep *sweep, size_t point,
				int look, const struct claw_judged_run *run,
				struct claw_judgement *judgement)
{
	struct claw_sweep_runs runs = claw_sweep_runs_of(sweep, look);
	char *text = claw_sweep_signature(&sweep->points, point, run,
					  runs.leaks, judgement), *all;

	if (look < 0 || judgement->output.verdict == CLAW_SANITIZER)
		return text;
	all = claw_format("%s" UNDER "%s", text, runs.tool->under.row->name);
	free(text);
	return all;
}

int claw_sweep_look_of_signature(const struct claw_sweep *sweep,
				 const char *signature)
{
	const char *name = signature ? tool_of(signature) : NULL;

	for (size_t i = 0; name && i < sweep->look_count; i++)
		if (strcmp(sweep->looks[i].judge.tool->under.row->name,
			   name) == 0)
			return (int)i;
	return CLAW_SWEEP_NO_LOOK;
}

uint64_t claw_sweep_look_count(const struct claw_sweep *sweep, size_t look)
{
	uint64_t count = 0;

	for (size_t i = 0; i < sweep->points.count; i++) {
		const struct claw_sweep_outcome *outcome = &sweep->outcomes[i];

		if (outcome->state != CLAW_SWEEP_DONE)
			continue;
		count += outcome->look == CLAW_SWEEP_NO_LOOK ?
			outcome->verdict == CLAW_HANDLED ||
			(outcome->verdict == CLAW_DEGRADED &&
			 !sweep->how->strict) :
			(size_t)outcome->look >= look;
	}
	return count;
}
