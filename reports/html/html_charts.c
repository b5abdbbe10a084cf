/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of charts, and what of each is worth a line.
 */
#include "config.h"

#include <string.h>

#include "html_chart.h"

#define S(id_) CLAW_SERIES_##id_

const struct claw_html_chart claw_html_charts[] = {
	{ "memory", "Memory of the program", false, 3,
	  { S(RSS), S(PSS), S(HEAP) } },
	{ "device-memory", "Device memory", false, 2,
	  { S(DEVICE_BYTES), S(VENDOR_BYTES) } },
	{ "objects", "Live objects", false, 9,
	  { S(BUFFERS), S(EVENTS), S(KERNELS), S(PROGRAMS), S(QUEUES),
	    S(CONTEXTS), S(SAMPLERS), S(SVM), S(MAPPINGS) } },
	{ "handles", "Threads and open files", false, 2,
	  { S(THREADS), S(FILES) } },
	{ "throughput", "Throughput", false, 2,
	  { S(ITERATION_RATE), S(LAUNCH_RATE) } },
	{ "transfer-rate", "Transfer rate", false, 1, { S(TRANSFER_RATE) } },
	{ "launch-latency", "Launch latency", true, 4,
	  { S(LAUNCH_P50), S(LAUNCH_P90), S(LAUNCH_P99), S(LAUNCH_MAX) } },
	{ "transfer-latency", "Transfer latency", true, 4,
	  { S(TRANSFER_P50), S(TRANSFER_P90), S(TRANSFER_P99),
	    S(TRANSFER_MAX) } },
	{ "allocation-latency", "Allocation latency", true, 2,
	  { S(ALLOC_P50), S(ALLOC_MAX) } },
	{ "failures", "Failures since the start", false, 4,
	  { S(ERRORS), S(FAULTS), S(WRONG_RESULTS), S(RESTARTS) } },
	{ "work", "Work since the start", false, 3,
	  { S(CALLS), S(LAUNCHES), S(ITERATIONS) } },
	{ "processor", "Processor time", false, 1, { S(CPU) } },
	{ "swap", "Swap used on the machine", false, 1, { S(MACHINE_SWAP) } },
	{ "utilization", "Device utilization", false, 1, { S(UTILIZATION) } },
	{ "temperature", "Device temperature", false, 1, { S(TEMPERATURE) } },
	{ "clock", "Device clock", false, 1, { S(CLOCK) } },
	{ "power", "Device power", false, 1, { S(POWER) } },
	{ "device-errors", "Errors of the device", false, 4,
	  { S(ECC_CORRECTED), S(ECC_UNCORRECTED), S(PCIE_REPLAYS),
	    S(THROTTLED) } },
};
const size_t claw_html_chart_count =
	sizeof(claw_html_charts) / sizeof(*claw_html_charts);

size_t claw_html_chart_lines(const struct claw_html_chart *chart,
			     const struct claw_html_samples *samples,
			     enum claw_series_id *ret_series)
{
	size_t count = 0, changing = 0;

	for (size_t i = 0; i < chart->count; i++) {
		enum claw_series_id id = chart->series[i];
		bool changes = claw_html_is_measured(samples, id) &&
			       !claw_html_is_constant(samples, id);

		changing += changes;
		/* A band needs both of its edges. */
		if (changes || (chart->is_bands &&
				claw_html_is_measured(samples, id)))
			ret_series[count++] = id;
	}
	return changing > 0 ? count : 0;
}

bool claw_html_is_peak(enum claw_series_id series)
{
	return series == S(LAUNCH_MAX) || series == S(TRANSFER_MAX) ||
	       series == S(ALLOC_MAX);
}

double claw_html_chart_value(enum claw_series_id series,
			     const struct claw_html_value *value)
{
	return value->count && claw_html_is_peak(series) ? value->largest :
	       claw_html_mean(value);
}

char claw_html_lane_class(const struct claw_html_lane *lane)
{
	static const char *const failures[] = {
		"crash", "exit", "hang", "wrong-result", "error", "lost",
	};
	uint64_t injected = 0;

	for (size_t i = 0; i < lane->count; i++)
		injected += lane->marks[i].injected;
	if (injected >= lane->events)
		return 'i';
	for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++)
		if (strcmp(lane->kind, failures[i]) == 0)
			return 'f';
	return 'n';
}
