/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the journals say of a case: whether its faults fired, whether what came
 * of them is what it expects, and whether there was anything at all.
 */
#include "config.h"

#include "run_judge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/records/diagnosis.h"
#include "harness/base/errors.h"
#include "harness/readers/journal_reader.h"
#include "run_expect.h"

/* ---- faults ---------------------------------------------------------- */

int claw_judging_read_evidence(struct claw_judging *judging)
{
	const struct claw_test_try *try = judging->try;
	int ret = judging->has_evidence ? 0 :
		claw_evidence_read(try->session, try->plan.rules.count,
				   &judging->evidence);

	judging->has_evidence = ret == 0;
	return ret;
}

/* The code of a rule that fired, or NULL. */
static const char *fired_code(const struct claw_judging *judging, size_t index)
{
	const struct claw_rule *rule = &judging->try->plan.rules.rules[index];

	if (!judging->has_evidence ||
	    index >= judging->evidence.rule_count ||
	    judging->evidence.rules[index].fired == 0)
		return NULL;
	return claw_diagnosis_of_fault(rule->fault);
}

static bool is_code(const char *code, const char *wanted)
{
	return code && strcmp(code, wanted) == 0;
}

/* Is it what the code is about, or what leads to that on a device? */
static bool explains(const struct claw_finding *finding, const char *code)
{
	return is_code(claw_finding_code(finding), code) ||
	       is_code(claw_finding_kind_leads_to(finding->kind), code);
}

static bool is_diagnosed(const struct claw_judging *judging, const char *code)
{
	if (is_code(judging->code, code))
		return true;
	for (size_t i = 0; i < judging->findings.count; i++)
		if (explains(&judging->findings.items[i], code))
			return true;
	for (size_t i = 0; i < judging->try->plan.rules.count; i++) {
		const char *fired = fired_code(judging, i);

		if (fired && strcmp(fired, code) == 0)
			return true;
	}
	return false;
}

static bool is_one_of(const char *code, const char *const *codes)
{
	for (; *codes; codes++)
		if (strcmp(code, *codes) == 0)
			return true;
	return false;
}

/* A crash or a hang is forgiven only where it is what is expected. */
static bool is_end_expected(const struct claw_judging *judging,
			    const char *code)
{
	static const char *const of_hang[] = {
		"clw-kernel-timeout", "clw-device-timeout",
		"clw-memory-timeout", "clw-kernel-compile-timeout", NULL,
	};
	static const char *const of_crash[] = {
		"clw-gpu-crash", "clw-driver-crash", "clw-break", NULL,
	};

	if (judging->run->end == CLAW_END_TIMEOUT)
		return is_one_of(code, of_hang);
	if (judging->verdict == CLAW_CRASH ||
	    judging->run->end == CLAW_END_SIGNAL)
		return is_one_of(code, of_crash);
	return true;
}

/* Something was found that the expected fault does not explain. */
static bool has_another_finding(const struct claw_judging *judging,
				const char *wanted)
{
	for (size_t i = 0; i < judging->findings.count; i++) {
		const struct claw_finding *finding =
			&judging->findings.items[i];

		if (!explains(finding, wanted) &&
		    finding->kind != CLAW_FINDING_WRONG_RESULT &&
		    finding->kind != CLAW_FINDING_API_ERROR)
			return true;
	}
	return false;
}

void claw_judging_fault(struct claw_judging *judging)
{
	const struct claw_case_expect *expect = &judging->about->expect;
	const char *wanted = expect->fault;
	char own[sizeof(judging->message)];
	bool is_met;

	if (!wanted || !claw_judging_is_open(judging))
		return;
	/* Of a crash outside of kernel files nothing says what it was. */
	is_met = is_end_expected(judging, wanted) &&
		 (is_diagnosed(judging, wanted) ||
		  (judging->verdict == CLAW_CRASH &&
		   judging->about->kind != CLAW_CASE_CLW));
	snprintf(own, sizeof(own), "%s", judging->message);
	if (is_met) {
		/* What was expected of findings and the status stays so. */
		if (judging->verdict == CLAW_FAILED &&
		    (claw_expect_has_findings(expect) || expect->has_exit ||
		     has_another_finding(judging, wanted)))
			return;
		claw_judging_decide(judging, CLAW_PASSED, "%s%s", *own ?
				    "diagnosed what it expects; " : "", own);
		judging->code = wanted;
		judging->line = 0;
		return;
	}
	claw_judging_decide(judging, CLAW_FAILED, "expected %s, found %s%s%s",
			    wanted, judging->code ? judging->code : "nothing",
			    *own ? "; " : "", own);
}

/* A failure that is expected is as good as a pass, and worth as little without
 * what it is to show. */
static bool is_taken_for_good(const struct claw_judging *judging)
{
	return judging->verdict == CLAW_PASSED ||
	       (judging->about->expect_fail && claw_judging_is_open(judging));
}

/* A rule that did not fire makes a pass worth nothing. */
void claw_judging_rules(struct claw_judging *judging)
{
	const struct claw_plan_yaml *rules = &judging->try->plan.rules;
	const struct claw_evidence *evidence = &judging->evidence;
	size_t unreached;

	if (rules->count == 0 || !judging->has_evidence ||
	    !claw_judging_is_open(judging))
		return;
	if (evidence->plan_error) {
		claw_judging_decide(judging, CLAW_INFRA, "the layer refused "
				    "the faults: %s", evidence->plan_error);
		return;
	}
	if (evidence->count == 0)
		return;		/* nothing was there to fire them */
	unreached = claw_evidence_first_unreached(evidence, rules->rules);
	if (unreached == rules->count || !is_taken_for_good(judging))
		return;
	claw_judging_decide(judging, CLAW_NOT_REACHED, "never fired: %s "
			    "(matched %" PRIu64 " times)",
			    judging->try->plan.given[unreached],
			    evidence->rules[unreached].matched);
}

/* ---- the handshake --------------------------------------------------- */

/* Calls that went through the layer, over all processes of the case. */
static void count_calls(const struct claw_judging *judging,
			uint64_t *ret_hooked, uint64_t *ret_calls)
{
	char **paths = NULL;
	size_t count = 0;

	*ret_hooked = *ret_calls = 0;
	claw_session_journals(judging->try->session, &paths, &count);
	for (size_t i = 0; i < count; i++) {
		struct claw_journal *journal;

		if (claw_journal_read(paths[i], &journal) < 0)
			continue;
		*ret_hooked += claw_journal_get_header(journal)->hooked_slots;
		*ret_calls += claw_journal_get_total_calls(journal);
		claw_journal_free(journal);
	}
	for (size_t i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
}

/* The layer was there, and had no room; it says so on stderr, too. */
static bool lacks_journal(const struct claw_judging *judging)
{
	static const char said[] = "cannot write a journal";
	const struct claw_capture *err = &judging->run->err;

	return !claw_session_has_room(judging->try->session) ||
	       (err->head_bytes > 0 &&
		memmem(err->head, err->head_bytes, said, strlen(said)));
}

static bool needs_handshake(const struct claw_judging *judging)
{
	return !judging->about->no_opencl &&
	       judging->about->kind != CLAW_CASE_SIM;
}

/* No handshake is never a pass; no room for one is no fault of the program's
 * or of the loader's. */
void claw_judging_handshake(struct claw_judging *judging)
{
	bool is_program = judging->about->kind == CLAW_CASE_COMMAND ||
			  judging->run->end != CLAW_END_EXIT;
	const char *what = judging->verdict != CLAW_PASSED ?
			   "it failed as expected" : is_program ?
			   "it ended as expected" : "its tests passed";
	uint64_t hooked, calls;

	if (!is_taken_for_good(judging) || !needs_handshake(judging))
		return;
	count_calls(judging, &hooked, &calls);
	if (hooked == 0 && lacks_journal(judging))
		claw_judging_decide(judging, CLAW_INFRA, "%s, but the layer "
				    "could not write its journal in %s (is the "
				    "disk full?)", what,
				    judging->try->session->directory);
	else if (hooked == 0)
		claw_judging_decide(judging, CLAW_NOT_INJECTED, "%s, but the "
				    "OpenCL loader did not load the layer",
				    what);
	else if (calls == 0)
		claw_judging_decide(judging, CLAW_NOT_INJECTED, "%s, but no "
				    "OpenCL call went through the layer",
				    what);
}
