/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the options of a soak come to, and what is said of that before it
 * begins.
 */
#include "config.h"

#include "cmd_soak.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "reports/report.h"
#include "harness/session/called.h"
#include "harness/session/fault_plan.h"
#include "harness/base/errors.h"
#include "harness/session/model.h"
#include "soak.h"
#include "harness/base/trend.h"
#include "harness/session/user_config.h"

enum {
	LONGEST_INTERVAL_MS = 60 * 1000, SHORTEST_DEFAULT_MS = 1000,
	LEAST_INTERVAL_MS = 100,
	SAMPLES = 60,		/* of a soak, by default */
	/* What is left of so many after the warm-up is enough for a trend. */
	ENOUGH_SAMPLES = CLAW_TREND_LEAST * CLAW_TREND_WARM_UP /
		(CLAW_TREND_WARM_UP - 1) + 1,
	DEFAULT_RETRIES = 3, KERNEL_TIMEOUT_MS = 60 * 1000,
};

static uint64_t parse_disk(const char *text)
{
	const struct claw_model_key key = {
		.name = "max-disk", .kind = CLAW_MODEL_SIZE,
		.lowest = CLAW_SOAK_MIN_DISK, .highest = INT64_MAX,
		.words = "",
	};
	char value[32], expected[128];

	if (!text)
		return CLAW_SOAK_MAX_DISK;
	if (claw_model_value(&key, text, value, sizeof(value), expected,
			     sizeof(expected)) < 0)
		claw_die(CLAW_EXIT_USAGE, "run: option --max-disk: expected "
			 "%s, found \"%s\"", expected, text);
	return strtoull(value, NULL, 10);
}

static uint32_t parse_stops(const struct claw_strings *words)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < words->count; i++) {
		uint32_t bit = claw_soak_stop_find(words->items[i]);

		if (!bit)
			claw_die(CLAW_EXIT_USAGE, "run: option --stop-on: "
				 "expected crash, hang, error, wrong-result, "
				 "leak, slowdown or any, found \"%s\"",
				 words->items[i]);
		bits |= bit;
	}
	return bits;
}

static void check_numbers(const struct claw_soak_given *given)
{
	if (given->duration_ms == 0)
		claw_die(CLAW_EXIT_USAGE, "run: option --duration: expected a "
			 "time above 0, found 0");
	if (given->iterations == 0)
		claw_die(CLAW_EXIT_USAGE, "run: option --iterations: expected "
			 "a number from 1, found 0");
	if (given->interval_ms != CLAW_SOAK_NOT_GIVEN &&
	    given->interval_ms < LEAST_INTERVAL_MS)
		claw_die(CLAW_EXIT_USAGE, "run: option --monitor-interval: "
			 "expected at least %dms, found %" PRIu64 "ms",
			 LEAST_INTERVAL_MS, given->interval_ms);
	if (given->gpu_timeout_ms == 0)
		claw_die(CLAW_EXIT_USAGE, "run: option --gpu-timeout: expected "
			 "a time above 0, found 0");
}

static uint64_t or_else(uint64_t given, uint64_t otherwise)
{
	return given == CLAW_SOAK_NOT_GIVEN ? otherwise : given;
}

static void set_limits(const struct claw_soak_given *given, bool is_kernel,
		       struct claw_soak_config *config)
{
	struct claw_user_config settings;
	char error[1024];

	if (claw_user_config_read(&settings, error, sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "%s", error);
	config->retries = or_else(given->retries, settings.has_retries ?
				  settings.max_retry_attempts :
				  DEFAULT_RETRIES);
	config->gpu_timeout_ms = or_else(given->gpu_timeout_ms,
					 settings.gpu_timeout_ms);
	config->timeout_ms = given->timeout_ms;
	if (is_kernel) {
		/* Of a test, as in a single run: of an iteration. */
		if (given->timeout_ms)
			config->gpu_timeout_ms = given->timeout_ms;
		if (!config->gpu_timeout_ms)
			config->gpu_timeout_ms = KERNEL_TIMEOUT_MS;
		config->timeout_ms = 0;
	}
	claw_user_config_release(&settings);
}

/* Samples enough for a trend, of a soak that is to be over soon. */
static uint64_t default_interval(uint64_t duration_ms)
{
	uint64_t part = duration_ms / SAMPLES;

	if (!duration_ms || part > LONGEST_INTERVAL_MS)
		return LONGEST_INTERVAL_MS;
	return part > SHORTEST_DEFAULT_MS ? part : SHORTEST_DEFAULT_MS;
}

void claw_soak_configure(const struct claw_soak_given *given, bool is_kernel,
			 struct claw_soak_config *config)
{
	uint64_t duration_ms = or_else(given->duration_ms, 0);

	check_numbers(given);
	*config = (struct claw_soak_config){
		.duration_ms = duration_ms,
		.iterations = or_else(given->iterations, 0),
		.interval_ms = or_else(given->interval_ms,
				       default_interval(duration_ms)),
		.stop_on = parse_stops(&given->stop_on),
		.max_disk_bytes = parse_disk(given->max_disk),
		.notify = given->notify, .metrics = given->metrics,
		.device = given->device,
	};
	set_limits(given, is_kernel, config);
}

/* ---- what is said of it ------------------------------------------------ */

/* "1.5 s", "24:00:00" */
static void put_span(FILE *out, uint64_t ms)
{
	char text[48];

	if (ms < 60 * 1000) {
		fprintf(out, "%g s", (double)ms / 1000);
		return;
	}
	claw_report_span(text, sizeof(text), ms);
	fputs(text, out);
}

static void warn_of_few(const struct claw_soak_config *config)
{
	uint64_t samples = config->duration_ms / config->interval_ms;

	if (!config->duration_ms || samples >= ENOUGH_SAMPLES)
		return;
	claw_warn("run: only %" PRIu64 " sample%s will be taken, at least %d "
		  "are needed to detect a leak or a slowdown; use a longer "
		  "--duration or a shorter --monitor-interval",
		  samples, samples == 1 ? "" : "s", ENOUGH_SAMPLES);
}

void claw_soak_say_begin(const struct claw_soak_config *config,
			 const char *name, const char *directory)
{
	char *quoted = claw_shell_quote(directory);

	fputs("Soak of ", stderr);
	claw_report_put(stderr, name);
	if (config->duration_ms) {
		fputs(" for ", stderr);
		put_span(stderr, config->duration_ms);
	}
	if (config->iterations)
		fprintf(stderr, "%s %" PRIu64 " iteration%s",
			config->duration_ms ? " or" : " for",
			config->iterations, config->iterations == 1 ? "" : "s");
	if (!config->duration_ms && !config->iterations)
		fputs(" until it is interrupted (Ctrl-C)", stderr);
	fputs(", a sample each ", stderr);
	put_span(stderr, config->interval_ms);
	fprintf(stderr, "\n"
		"Results: %s\n"
		"If it is interrupted, resume: %s soak --resume %s\n",
		directory, claw_called(), quoted);
	free(quoted);
	warn_of_few(config);
}
