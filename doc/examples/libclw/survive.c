/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel that may take the device down, in a process of its own: survive
 * WORKLOAD... runs each, whatever became of the one before it.
 *
 *	cc -std=c99 survive.c $(pkg-config --cflags --libs openclaw-clw) -o survive
 *	./survive brighten.clw
 *	openclaw inject --model nvidia-h200 --fault 'clEnqueueNDRangeKernel:gpu-crash:p=50%' -- ./survive brighten.clw
 */
#include <openclaw/clw.h>

#include <stdio.h>

/* Returns whether it has run. */
static int survive(const char *name)
{
	struct clw_workload *workload;
	struct clw_result *result = NULL;
	int status = clwCreateWorkload(name, &workload);

	if (status != CLW_OK) {
		fprintf(stderr, "%s\n", clwLastError());
		return 0;
	}
	clwConfigureWorkload(workload, "enable_crash_recovery", 1);
	clwConfigureWorkload(workload, "max_retry_attempts", 3);
	clwConfigureWorkload(workload, "gpu_timeout_ms", 30000);
	status = clwExecuteWorkload(workload, &result);
	if (status == CLW_OK)
		printf("%s: done, runs: %u\n", name, result->attempts);
	else
		fprintf(stderr, "%s\n", clwLastError());
	if (status == CLW_GPU_CRASH || status == CLW_DEVICE_LOST)
		clwWaitForRecovery(clwWorkloadDevice(workload), 5000);
	clwReleaseResult(result);
	clwReleaseWorkload(workload);
	return status == CLW_OK;
}

int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++)
		failed += !survive(argv[i]);
	return failed ? 1 : 0;
}
