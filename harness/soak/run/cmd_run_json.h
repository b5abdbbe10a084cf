/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON file of "openclaw run" of a kernel file. Both end the command where
 * the file cannot be written. */
#ifndef CLAW_CMD_RUN_JSON_H
#define CLAW_CMD_RUN_JSON_H

#include <jansson.h>
#include <stdint.h>

#include "harness/crash/capture/workload.h"

/* One test's; attempts: how often it was run. The caller's. */
json_t *claw_run_json(const struct claw_clw_test *test,
		      const struct claw_workload_result *result,
		      uint64_t attempts);
/* has_probes: times are those of kernels with probes. The worst run's result and code stand for all. */
void claw_run_write_json(const char *path, const char *workload, uint64_t seed,
			 bool has_probes, json_t *runs, enum claw_workload_end worst,
			 const char *code);

#endif
