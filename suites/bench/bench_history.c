/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A made-up history of many results: of CASES cases a run, on two devices by
 * turns, 20 runs a day until now. One case in 20 is flaky, one in 50 gets slower, one in
 * 100 fails from some run on; what fails has a finding.
 *
 *	bench_history FILE RUNS CASES
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/memory.h"
#include "harness/history/history.h"
#include "harness/records/past_run.h"

enum { RUNS_A_DAY = 20, DAY = 86400 };

static uint64_t seed = 1;

/* Of D. E. Knuth's MMIX. */
static unsigned int random_below(unsigned int end)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned int)(seed >> 33) % end;
}

static bool fails(size_t run, size_t runs, size_t number)
{
	if (number % 100 == 7)
		return run >= runs - runs / (2 + number % 50);
	return number % 20 == 3 && random_below(10) == 0;
}

static void make_result(struct claw_result *result, size_t run, size_t runs,
			size_t number, const struct claw_findings *findings)
{
	bool is_slow = number % 50 == 11 && run >= runs - 60 - number % 100;

	result->verdict = fails(run, runs, number) ? CLAW_FAILED : CLAW_PASSED;
	result->duration_us = (is_slow ? 15000 : 10000) + random_below(1000);
	result->findings = result->verdict == CLAW_FAILED ? findings : NULL;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static struct claw_findings *make_findings(size_t cases)
{
	struct claw_findings *findings = claw_calloc(cases, sizeof(*findings));

	for (size_t i = 0; i < cases; i++) {
		findings[i].items = claw_calloc(1, sizeof(*findings[i].items));
		findings[i].count = 1;
		findings[i].items->kernel = claw_format("kernel%zu", i);
		findings[i].items->file = claw_strdup("kernels/one.cl");
		findings[i].items->what = claw_strdup("wrong");
		findings[i].items->line = 12;
	}
	return findings;
}

static struct claw_result *make_cases(size_t cases)
{
	struct claw_result *results = claw_calloc(cases, sizeof(*results));

	for (size_t i = 0; i < cases; i++) {
		results[i].suite = claw_format("suite%02zu", i / 20);
		results[i].name = claw_format("case%04zu", i);
		results[i].configuration = "native";
	}
	results[0].metrics = "lines=1000 lines_hit=800 branches=100 "
		"branches_hit=70";
	return results;
}

static void add_run(struct claw_history *history, struct claw_past_run *run,
		    size_t at, size_t runs,
		    const struct claw_findings *findings)
{
	char commit[41], started[32], error[1024];
	struct claw_past_fact facts[] = {
		{ NULL, (char *)"commit", commit },
		{ NULL, (char *)"machine", (char *)"0123456789abcdef a processor" },
		{ (char *)"native", (char *)"device", (char *)(at % 2 ? "GPU A" : "GPU B") },
		{ (char *)"native", (char *)"driver", (char *)(at < runs / 2 ? "1.0" : "2.0") },
	};
	time_t when = time(NULL) - (time_t)((runs - at) * DAY / RUNS_A_DAY);
	struct tm parts;
	bool is_new;

	strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ",
		 gmtime_r(&when, &parts));
	snprintf(commit, sizeof(commit), "%08zx%032d", at * 2654435761u &
		 0xffffffff, 0);
	run->started = started;
	run->facts = facts;
	run->fact_count = sizeof(facts) / sizeof(*facts);
	for (size_t i = 0; i < run->result_count; i++)
		make_result(&run->results[i], at, runs, i,
			    &findings[i]);
	if (claw_history_add_run(history, run, &is_new, error,
				 sizeof(error)) < 0) {
		fprintf(stderr, "%s\n", error);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	size_t runs = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
	size_t cases = runs ? strtoul(argv[3], NULL, 10) : 0;
	struct claw_past_run run = {
		.directory = (char *)"/nowhere", .verb = (char *)"test",
		.command = (char *)"openclaw test", .complete = true,
	};
	struct claw_findings *findings;
	struct claw_history *history;
	char error[1024];
	double begin, before;

	if (!cases || claw_history_open(argv[1], true, &history, error,
					sizeof(error)) < 0) {
		fprintf(stderr, "usage: bench_history FILE RUNS CASES\n");
		return 64;
	}
	findings = make_findings(cases);
	run.results = make_cases(cases);
	run.result_count = cases;
	claw_history_bulk(history);
	begin = seconds();
	for (size_t i = 0; i + 1 < runs; i++)
		add_run(history, &run, i, runs, findings);
	printf("results: %zu, %.0f a second\n", (runs - 1) * cases,
	       (double)((runs - 1) * cases) / (seconds() - begin));
	begin = seconds();
	claw_history_settle(history, error, sizeof(error));
	printf("judging all series: %.0f ms\n", 1000 * (seconds() - begin));
	begin = seconds();
	add_run(history, &run, runs - 1, runs, findings);
	before = seconds();
	claw_history_settle(history, error, sizeof(error));
	printf("one more run of %zu results: %.0f ms, judging them: %.0f ms\n",
	       cases, 1000 * (before - begin), 1000 * (seconds() - before));
	claw_history_close(history);
	return 0;
}
