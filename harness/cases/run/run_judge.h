/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A judgement under way: what run_judge.c and the files that it is made of
 * share.
 */
#ifndef CLAW_TEST_JUDGE_H
#define CLAW_TEST_JUDGE_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/evidence/evidence.h"
#include "harness/check/guard_findings.h"
#include "harness/files/libcheck_xml.h"
#include "run_case.h"

struct claw_judging {
	const struct claw_test_try *try;
	const struct claw_suite_case *about;
	const struct claw_run_result *run;
	struct claw_case_report *report;
	struct claw_libcheck_log log;	/* LIBCHECK: of a process that exited */
	bool is_unchosen;		/* ... none of its tests was asked for */
	bool are_hangs_launches;	/* ... each test that hung did in a launch */
	struct claw_findings findings;	/* that count */
	enum claw_verdict verdict;
	char message[1024];
	char outcome[512];	/* how it ended, when it did not hold: "it ended by SIGSEGV" */
	char seen[64];		/* the word for it: "SIGSEGV" */
	const char *code;	/* diagnosis, or NULL; not owned */
	char file[512];
	unsigned int line;
	char *detail;
	size_t detail_size;
	FILE *to_detail;
	/* What the journals say; read when something asks. */
	struct claw_evidence evidence;
	bool has_evidence;
	struct claw_guard_look guards;	/* of a case with guard zones */
};

/* Set the verdict and its words; text is cut at its first newline. */
void claw_judging_decide(struct claw_judging *judging,
			 enum claw_verdict verdict, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Did it end in a way that findings and faults may still change? */
bool claw_judging_is_open(const struct claw_judging *judging);

/* "file:line" of a failure. */
void claw_judging_set_place(struct claw_judging *judging, const char *place);

/* ---- run_program.c: how it ended, by the kind of the case --------------- */

/* Sets verdict, message, outcome, seen and code. */
void claw_judging_end(struct claw_judging *judging);

/* ---- run_fault.c ----------------------------------------------------- */

/* 0 or -CLAW_E_IO. */
int claw_judging_read_evidence(struct claw_judging *judging);
/* The diagnosis that is expected. */
void claw_judging_fault(struct claw_judging *judging);
/* A rule that did not fire makes a pass worth nothing. */
void claw_judging_rules(struct claw_judging *judging);
/* No handshake is never a pass. */
void claw_judging_handshake(struct claw_judging *judging);

/* ---- run_detail.c ---------------------------------------------------- */

void claw_judging_write_detail(const struct claw_judging *judging);

/* ---- run_libcheck.c ----------------------------------------------------- */

/* A libcheck program that exited. */
void claw_judging_libcheck(struct claw_judging *judging);
/*
 * Results of its tests, and one of the program where there is more to say.
 * program: that one, with everything that all share.
 */
void claw_judging_libcheck_results(struct claw_judging *judging,
				   const struct claw_result *program,
				   struct claw_test_outcome *outcome);

#endif
