/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenMetrics text of a soak: only what was measured, whatever labels hold,
 * written as a whole or not at all.
 */
#include "config.h"

#include "harness/soak/monitor/metrics_file.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>

#include "harness/base/errors.h"
#include "suites/self/lib/made_root.h"
#include "suites/self/lib/run_suite.h"

static struct claw_sample sample;
static char *text;

static void setup(void)
{
	made_root_begin();
	claw_sample_init(&sample);
	sample.t_ms = 3600500;
	sample.wall_ms = 1700000000250;
}

static void teardown(void)
{
	free(text);
	text = NULL;
	made_root_end();
}

static void print(const struct claw_metrics *metrics)
{
	size_t size;
	FILE *out = open_memstream(&text, &size);

	claw_metrics_print(out, metrics);
	fclose(out);
}

static void has(const char *part)
{
	ck_assert_msg(strstr(text, part) != NULL, "lacks:\n%s\n---\n%s", part,
		      text);
}

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Is a metric named in the text? */
static bool names(const char *where, const char *metric, size_t length)
{
	const char *at = where - 1;

	while ((at = memmem(at + 1, strlen(at + 1), metric, length)))
		if (!is_of_name(at[length]) && (at == where || *at == '\n' ||
						!is_of_name(at[-1])))
			return true;
	return false;
}

/* All expressions of the dashboard's panels, a line each; malloced. */
static char *dashboard_expressions(void)
{
	const char *source = getenv("srcdir") ? getenv("srcdir") : ".";
	char path[4096], *all = NULL;
	json_t *dashboard, *panel, *target;
	json_error_t error;
	size_t size, i, j;
	FILE *out = open_memstream(&all, &size);

	snprintf(path, sizeof(path), "%s/doc/examples/grafana/soak.json",
		 source);
	dashboard = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	ck_assert_msg(dashboard != NULL, "%s:%d: %s", path, error.line,
		      error.text);
	json_array_foreach(json_object_get(dashboard, "panels"), i, panel)
		json_array_foreach(json_object_get(panel, "targets"), j, target)
			fprintf(out, "%s\n", json_string_value(json_object_get(
				target, "expr")));
	json_decref(dashboard);
	fclose(out);
	return all;
}

static void has_not(const char *part)
{
	ck_assert_msg(!strstr(text, part), "has:\n%s\n---\n%s", part, text);
}

START_TEST(metrics__units_are_base_units)
{
	const struct claw_metrics metrics = { .sample = &sample };

	sample.values[CLAW_SERIES_RSS] = 123456789;
	sample.values[CLAW_SERIES_DEVICE_BYTES] = 5;
	sample.values[CLAW_SERIES_TRANSFER_RATE] = 1.5;
	sample.values[CLAW_SERIES_LAUNCH_P99] = 12.5;
	sample.values[CLAW_SERIES_CLOCK] = 1980;
	sample.values[CLAW_SERIES_CPU] = 50;
	sample.values[CLAW_SERIES_CALLS] = 12345678901;
	sample.values[CLAW_SERIES_EVENTS] = 0;
	print(&metrics);
	has("# TYPE openclaw_rss_bytes gauge\n"
	    "# UNIT openclaw_rss_bytes bytes\n"
	    "# HELP openclaw_rss_bytes resident memory\n"
	    "openclaw_rss_bytes 123456789\n");
	has("\nopenclaw_device_bytes 5\n");
	has("\nopenclaw_transfer_rate_bytes_per_second 1.5\n");
	has("\nopenclaw_launch_p99_seconds 0.012500000000000001\n");
	has("\nopenclaw_clock_hertz 1980000000\n");
	has("\nopenclaw_cpu_ratio 0.5\n");
	has("# TYPE openclaw_calls counter\n# HELP openclaw_calls OpenCL "
	    "calls\nopenclaw_calls_total 12345678901\n");
	has("\nopenclaw_events 0\n");
	has("\nopenclaw_soak_elapsed_seconds 3600.5\n");
	has("\nopenclaw_soak_sample_timestamp_seconds 1700000000.25\n");
	ck_assert_str_eq(text + strlen(text) - 6, "# EOF\n");
}
END_TEST

START_TEST(metrics__what_was_not_measured_is_not_there)
{
	const struct claw_metrics metrics = { .sample = &sample };

	sample.values[CLAW_SERIES_THREADS] = 2;
	print(&metrics);
	has("\nopenclaw_threads 2\n");
	has_not("nan");
	has_not("NaN");
	has_not("temperature");
	has_not("soak_events");
	has_not("soak_verdict");
}
END_TEST

START_TEST(metrics__no_sample_yet)
{
	const struct claw_metrics metrics = { .verdict = "running" };

	print(&metrics);
	has_not("seconds");
	has("openclaw_soak_verdict{verdict=\"running\"} 1\n");
	has("openclaw_soak_verdict{verdict=\"leak\"} 0\n");
}
END_TEST

START_TEST(metrics__labels_are_escaped)
{
	const struct claw_metrics_label labels[] = {
		{ "workload", "a\"b\\c\nd} 1\n# EOF" },
		{ "device", NULL },
		{ "name", "\xff\xc3\xa9\xed\xa0\x80" },
	};
	const struct claw_metrics metrics = {
		.sample = &sample, .labels = labels, .label_count = 3,
	};

	sample.values[CLAW_SERIES_FILES] = 7;
	print(&metrics);
	has("openclaw_files{workload=\"a\\\"b\\\\c\\nd} 1\\n# EOF\","
	    "name=\"?\xc3\xa9???\"} 7\n");
	has_not("device=");
}
END_TEST

START_TEST(metrics__events_by_kind_and_code)
{
	const struct claw_metrics_label labels[] = { { "job", "j" } };
	const struct claw_metrics_event events[] = {
		{ "crash", "clw-gpu-crash", false, 3 },
		{ "clock", NULL, true, 1 },
	};
	const struct claw_metrics metrics = {
		.labels = labels, .label_count = 1, .events = events,
		.event_count = 2,
	};

	print(&metrics);
	has("# TYPE openclaw_soak_events counter\n");
	has("openclaw_soak_events_total{job=\"j\",kind=\"crash\","
	    "code=\"clw-gpu-crash\",injected=\"false\"} 3\n");
	has("openclaw_soak_events_total{job=\"j\",kind=\"clock\",code=\"\","
	    "injected=\"true\"} 1\n");
}
END_TEST

/* A family once, its lines beside each other, a counter's name with _total:
 * for every series that there is. */
START_TEST(metrics__all_series_are_families_of_their_own)
{
	const struct claw_metrics metrics = { .sample = &sample };
	char *all, *rest, *line, family[128] = "", type[16] = "", name[160];

	for (int i = 0; i < CLAW_SERIES_COUNT; i++)
		sample.values[i] = i + 0.5;
	print(&metrics);
	all = rest = strdup(text);
	while ((line = strsep(&rest, "\n"))) {
		if (sscanf(line, "# TYPE %127s %15s", family, type) == 2) {
			snprintf(name, sizeof(name), "# TYPE %s ", family);
			ck_assert_ptr_null(strstr(strstr(text, name) + 1,
						  name));
		} else if (sscanf(line, "# UNIT %127s %*s", name) == 1 ||
			   sscanf(line, "# HELP %127s %*s", name) == 1) {
			ck_assert_str_eq(name, family);
		} else if (*line && *line != '#') {
			sscanf(line, "%127s", name);
			if (strcmp(type, "counter") == 0)
				strncat(family, "_total", 7);
			ck_assert_str_eq(name, family);
		}
	}
	free(all);
}
END_TEST

/* doc/examples/grafana/soak.json shows all that a soak may write, and nothing
 * else. */
START_TEST(metrics__dashboard_has_each_of_them)
{
	const struct claw_metrics_event event = { .kind = "crash" };
	const struct claw_metrics metrics = {
		.sample = &sample, .verdict = "running", .events = &event,
		.event_count = 1,
	};
	char *shown = dashboard_expressions();
	unsigned int count = 0;

	for (int i = 0; i < CLAW_SERIES_COUNT; i++)
		sample.values[i] = 1;
	print(&metrics);
	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		size_t length = strcspn(line, " {");

		if (*line == '#')
			continue;
		ck_assert_msg(names(shown, line, length),
			      "not in the dashboard: %.*s", (int)length, line);
		count++;
	}
	ck_assert_uint_gt(count, CLAW_SERIES_COUNT);
	for (const char *at = shown; (at = strstr(at, "openclaw_"));) {
		size_t length = 0;
		char *sampled;

		while (is_of_name(at[length]))
			length++;
		ck_assert(asprintf(&sampled, "\n%.*s", (int)length, at) > 0);
		ck_assert_msg(names(text, sampled, length + 1),
			      "no soak writes %s", sampled + 1);
		free(sampled);
		at += length;
	}
	free(shown);
}
END_TEST

START_TEST(metrics__file_is_replaced_as_a_whole)
{
	const struct claw_metrics metrics = { .verdict = "leak" };
	char path[256], other[256], line[128] = "";
	FILE *in;

	made_path(path, sizeof(path), "/soak.prom");
	made_file("/soak.prom", "old");
	/* What somebody has planted is not written to. */
	made_path(other, sizeof(other), "/mine");
	made_file("/mine", "mine");
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(symlink(other, path), 0);
	ck_assert_int_eq(claw_metrics_write(path, &metrics), 0);
	in = fopen(path, "r");
	ck_assert_ptr_nonnull(fgets(line, sizeof(line), in));
	fclose(in);
	ck_assert_str_eq(line, "# TYPE openclaw_soak_verdict gauge\n");
	in = fopen(other, "r");
	ck_assert_ptr_nonnull(fgets(line, sizeof(line), in));
	fclose(in);
	ck_assert_str_eq(line, "mine");
	made_path(path, sizeof(path), "/none");
	strncat(path, "/soak.prom", sizeof(path) - strlen(path) - 1);
	errno = 0;
	ck_assert_int_eq(claw_metrics_write(path, &metrics), -CLAW_E_IO);
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("metrics");
	TCase *tests = tcase_create("metrics");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, metrics__units_are_base_units);
	tcase_add_test(tests, metrics__what_was_not_measured_is_not_there);
	tcase_add_test(tests, metrics__no_sample_yet);
	tcase_add_test(tests, metrics__labels_are_escaped);
	tcase_add_test(tests, metrics__events_by_kind_and_code);
	tcase_add_test(tests, metrics__all_series_are_families_of_their_own);
	tcase_add_test(tests, metrics__dashboard_has_each_of_them);
	tcase_add_test(tests, metrics__file_is_replaced_as_a_whole);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
