/* SPDX-License-Identifier: Apache-2.0 */
/* What a person sees of a single run of a kernel file. */
#include "config.h"

#include "cmd_run_say.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/crash/capture/capturing.h"
#include "harness/base/text.h"

static void print_size(const char *label, unsigned int dimensions,
		       const size_t *size)
{
	for (unsigned int i = 0; i < dimensions; i++)
		printf("%s%zu", i ? "x" : label, size[i]);
}

void claw_run_say_head(const struct claw_clw *clw,
		       const struct claw_clw_test *test)
{
	printf("workload: %s (%s)\n", clw->path, test->case_name);
	printf("kernel: %s", test->kernel ? test->kernel : "none, it is only "
	       "built");
	if (test->kernel)
		print_size(", global size ", test->dimensions, test->global);
	if (test->kernel && test->has_local)
		print_size(", local size ", test->dimensions, test->local);
	putchar('\n');
	fflush(stdout);
}

/* Kernels with probes take longer than the user's own. */
static void print_measured(const struct claw_workload_result *result,
			   bool has_probes)
{
	const char *whose = has_probes ? ", of the kernel with probes" : "";
	const char *ms = claw_workload_metric(result, "kernel_ms");
	const char *gb = claw_workload_metric(result, "gb_per_s");
	const char *launches = claw_workload_metric(result, "launches");

	if (!ms)
		puts("time: not available");
	else if (launches && strcmp(launches, "1") != 0)
		printf("time: %.4g ms per launch, mean of %s%s\n",
		       strtod(ms, NULL), launches, whose);
	else
		printf("time: %.4g ms%s\n", strtod(ms, NULL), whose);
	if (gb)
		printf("bandwidth: %.3g GB/s%s\n", strtod(gb, NULL),
		       whose);
	else
		puts("bandwidth: not available");
}

/* Memory that took too long: lines of a text. */
static void print_slow(const char *text)
{
	while (text && *text) {
		size_t length = strcspn(text, "\n");

		printf("memory: %.*s\n", (int)length, text);
		text += length + (text[length] == '\n');
	}
}

void claw_run_say_result(const struct claw_workload_result *result,
			 bool has_probes)
{
	const char *name = claw_workload_fact(result, "device");
	const char *platform = claw_workload_fact(result, "platform");
	const char *driver = claw_workload_fact(result, "driver");

	if (name)
		printf("device: %s [%s, driver %s]\n", name,
		       platform ? platform : "not available",
		       driver ? driver : "not available");
	print_measured(result, has_probes);
	print_slow(result->slow);
	if (result->faults)
		printf("faults: %s\n", result->faults);
	printf("result: %s%s%s\n", claw_workload_end_name(result->end),
	       *result->message ? ": " : "", result->message);
	if (result->place)
		printf("place: %s\n", result->place);
	if (result->code)
		printf("diagnosis: %s\n", result->code);
	if (result->dump)
		printf("dump: %s\n", result->dump);
	fflush(stdout);
	if (result->end != CLAW_WORKLOAD_OK && result->err && *result->err)
		fputs(result->err, stderr);
}

/* ---- a crash ---------------------------------------------------------- */

/* What is known of how, from outside of the device. */
static const char *crash_type(const struct claw_workload_result *result)
{
	const struct claw_findings *findings = &result->report.findings;

	if (result->signal == SIGSEGV || result->signal == SIGBUS)
		return "GPU_MEMORY_SEGFAULT";
	if (result->signal == SIGFPE)
		return "GPU_ARITHMETIC_FAULT";
	if (result->signal == SIGILL)
		return "GPU_ILLEGAL_INSTRUCTION";
	for (size_t i = 0; i < findings->count; i++) {
		if (findings->items[i].kind == CLAW_FINDING_INVALID_READ ||
		    findings->items[i].kind == CLAW_FINDING_INVALID_WRITE)
			return "GPU_MEMORY_SEGFAULT";
		if (findings->items[i].kind == CLAW_FINDING_MISALIGNED)
			return "GPU_MISALIGNED_ACCESS";
	}
	return "GPU_FAULT";
}

void claw_run_say_crash(const struct claw_clw *clw,
			const struct claw_workload_result *result,
			const char *device)
{
	const char *name = claw_workload_fact(result, "device");
	const char *number = device ? device : getenv("CLW_DEVICE_ID");

	if (!result->code || strcmp(result->code, "clw-gpu-crash") != 0)
		return;
	fflush(stdout);
	fprintf(stderr, "[ERROR] OpenClaw Worker: clw-gpu-crash detected\n"
		"[ERROR]   Device: %s (ID: %s)\n"
		"[ERROR]   Workload: %s\n"
		"[ERROR]   Crash type: %s\n",
		name ? name : "not available",
		number && *number ? number : "0", claw_base_name(clw->path),
		crash_type(result));
	if (claw_capturing_wanted())
		fprintf(stderr, "[ERROR]   Context dump saved to: %s\n",
			result->dump ? result->dump : "not available");
}
