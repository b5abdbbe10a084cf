/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A workload: one test of a kernel file, run by openclaw-kernel in a process
 * of its own with the layer in it, with what it measured.
 */
#ifndef CLAW_WORKLOAD_H
#define CLAW_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/cases/suite/case_report.h"
#include "harness/cases/clw/clw.h"
#include "harness/cover/coverage.h"
#include "harness/session/fault_plan.h"

enum claw_workload_end {
	CLAW_WORKLOAD_OK, CLAW_WORKLOAD_FAILED, CLAW_WORKLOAD_CRASH,
	CLAW_WORKLOAD_HANG, CLAW_WORKLOAD_SKIPPED,
	CLAW_WORKLOAD_REFUSED,		/* the file asks for what cannot be */
	CLAW_WORKLOAD_NOT_INJECTED,	/* a fault did not fire; or
					 * it held, and the layer saw no call, or
					 * did not look at its guard zones, or
					 * its kernels had no probes */
	CLAW_WORKLOAD_CANCELLED, CLAW_WORKLOAD_INFRA,
	CLAW_WORKLOAD_END_COUNT,
};
/* "ok", "failed", "crash", "hang", "skipped", "refused", ... */
const char *claw_workload_end_name(enum claw_workload_end end);

struct claw_workload_config {
	const char *device;	/* as CLW_DEVICE_ID has it, or NULL */
	uint64_t repeat;	/* launches, 0: as the file says */
	uint64_t seed;
	uint64_t timeout_ms;	/* 0: the test's own, else a minute */
	const char *models;	/* for the session, or NULL */
	const struct claw_fault_plan *faults;	/* resolved; may have no rules */
	bool guards;		/* the layer's, outside of openclaw-kernel's own */
	struct claw_session_probes probes;	/* with ASAN it is the kernel sanitizer */
	struct claw_coverage *coverage;	/* what ran is added, or NULL */
	const char *dumps;	/* where a dump of a crash goes, or NULL: none is
				 * made */
};

struct claw_workload_result {
	enum claw_workload_end end;
	char message[1024];	/* one line, "" when all is well */
	const char *code;	/* diagnosis, or NULL */
	char *place;		/* "file:line", or NULL */
	struct claw_case_report report;
	char *err;		/* what it said on stderr, "" */
	char *slow;		/* claw_evidence_slow(), or NULL */
	char *faults;		/* "1 fault (INJECTED): ...", or NULL: none was asked for */
	uint64_t duration_us;	/* of the process */
	int signal;		/* that ended it, or 0 */
	char *dump;		/* path of what was saved, or NULL */
};

/*
 * Run one test. Returns 0, -CLAW_E_IO (errno set), -CLAW_E_NO_LAYER or
 * -CLAW_E_LAYER_PATH.
 */
int claw_workload_run(const struct claw_clw *clw,
		      const struct claw_clw_test *test,
		      const struct claw_workload_config *config,
		      struct claw_workload_result *ret_result);
void claw_workload_result_release(struct claw_workload_result *result);

/* A metric ("kernel_ms", "gb_per_s", ...) or the "device"; NULL if the workload
 * did not report it. */
const char *claw_workload_metric(const struct claw_workload_result *result,
				 const char *key);
const char *claw_workload_fact(const struct claw_workload_result *result,
			       const char *key);

#endif
