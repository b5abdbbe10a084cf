/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write OpenMetrics 1.0 text, which the older Prometheus format reads, too:
 * no timestamps, no types but gauge and counter (node_exporter refuses the
 * file for another), families one after the other, # EOF at the end.
 */
#include "config.h"

#include "metrics_file.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/files/new_file.h"

#define PREFIX "openclaw_"

/* Prometheus wants base units, and names that end in them. */
static const struct unit {
	const char *name;
	double factor;
} units[] = {
	[CLAW_UNIT_BYTES] = { "bytes", 1 },
	[CLAW_UNIT_COUNT] = { NULL, 1 },
	[CLAW_UNIT_MS] = { "seconds", 1e-3 },
	[CLAW_UNIT_PER_S] = { "per_second", 1 },
	[CLAW_UNIT_CELSIUS] = { "celsius", 1 },
	[CLAW_UNIT_MHZ] = { "hertz", 1e6 },
	[CLAW_UNIT_PERCENT] = { "ratio", 1e-2 },
	[CLAW_UNIT_WATT] = { "watts", 1 },
};
static const struct unit bytes_a_second = { "bytes_per_second", 1 };

static const char *const verdicts[] = {
	"running", "clean", "leak", "slowdown", "failed", "unknown",
};

/* Length of the UTF-8 character at text, 0: it is none. */
static size_t utf8_length(const unsigned char *text)
{
	size_t length = *text < 0x80 ? 1 : *text < 0xc2 ? 0 :
		*text < 0xe0 ? 2 : *text < 0xf0 ? 3 : *text < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if ((*text == 0xe0 && text[1] < 0xa0) ||
	    (*text == 0xed && text[1] > 0x9f) ||
	    (*text == 0xf0 && text[1] < 0x90) ||
	    (*text == 0xf4 && text[1] > 0x8f))
		return 0;
	return length;
}

/* A label's value, or a help text: the rules are the same. What is no UTF-8
 * becomes '?'. */
static void print_escaped(FILE *out, const char *text)
{
	while (*text) {
		size_t length = utf8_length((const unsigned char *)text);

		if (*text == '\n')
			fputs("\\n", out);
		else if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if (!length)
			putc('?', out);
		else
			fwrite(text, 1, length, out);
		text += length ? length : 1;
	}
}

static void print_label(FILE *out, const char *name, const char *value,
			bool *is_first)
{
	fprintf(out, "%c%s=\"", *is_first ? '{' : ',', name);
	print_escaped(out, value);
	putc('"', out);
	*is_first = false;
}

/* "{a="b"" without its end; true: nothing was printed. */
static bool print_labels(FILE *out, const struct claw_metrics *metrics)
{
	bool is_first = true;

	for (size_t i = 0; i < metrics->label_count; i++)
		if (metrics->labels[i].value)
			print_label(out, metrics->labels[i].name,
				    metrics->labels[i].value, &is_first);
	return is_first;
}

static void print_head(FILE *out, const char *name, const char *type,
		       const char *unit, const char *help)
{
	fprintf(out, "# TYPE " PREFIX "%s %s\n", name, type);
	if (unit)
		fprintf(out, "# UNIT " PREFIX "%s %s\n", name, unit);
	fprintf(out, "# HELP " PREFIX "%s ", name);
	print_escaped(out, help);
	putc('\n', out);
}

/* A number that is read back as it was. */
static void print_value(FILE *out, double value)
{
	if (isinf(value))
		fputs(value < 0 ? " -Inf\n" : " +Inf\n", out);
	else if (value == floor(value) && fabs(value) < 9e15)
		fprintf(out, " %.0f\n", value);
	else
		fprintf(out, " %.17g\n", value);
}

static void print_sample(FILE *out, const struct claw_metrics *metrics,
			 const char *name, const char *suffix, double value)
{
	fprintf(out, PREFIX "%s%s", name, suffix);
	if (!print_labels(out, metrics))
		putc('}', out);
	print_value(out, value);
}

static void print_gauge(FILE *out, const struct claw_metrics *metrics,
			const char *name, const char *unit, const char *help,
			double value)
{
	print_head(out, name, "gauge", unit, help);
	print_sample(out, metrics, name, "", value);
}

static const struct unit *unit_of(const struct claw_series *series)
{
	if (series->unit == CLAW_UNIT_BYTES && series->shape == CLAW_SHAPE_RATE)
		return &bytes_a_second;
	return &units[series->unit];
}

static void print_series(FILE *out, const struct claw_metrics *metrics,
			 const struct claw_series *series, double value)
{
	const struct unit *unit = unit_of(series);
	bool is_counter = series->shape == CLAW_SHAPE_TOTAL;
	size_t length = strlen(series->name);
	size_t unit_length = unit->name ? strlen(unit->name) : 0;
	bool has_unit = unit_length && length > unit_length &&
		strcmp(series->name + length - unit_length, unit->name) == 0 &&
		series->name[length - unit_length - 1] == '_';
	char name[96];

	snprintf(name, sizeof(name), "%s%s%s", series->name,
		 unit->name && !has_unit ? "_" : "",
		 unit->name && !has_unit ? unit->name : "");
	print_head(out, name, is_counter ? "counter" : "gauge", unit->name,
		   series->title);
	print_sample(out, metrics, name, is_counter ? "_total" : "",
		     value * unit->factor);
}

static void print_events(FILE *out, const struct claw_metrics *metrics)
{
	if (!metrics->event_count)
		return;
	print_head(out, "soak_events", "counter", NULL, "things that happened");
	for (size_t i = 0; i < metrics->event_count; i++) {
		const struct claw_metrics_event *event = &metrics->events[i];
		bool is_first;

		fputs(PREFIX "soak_events_total", out);
		is_first = print_labels(out, metrics);
		print_label(out, "kind", event->kind, &is_first);
		print_label(out, "code", event->code ? event->code : "",
			    &is_first);
		print_label(out, "injected", event->injected ? "true" :
			    "false", &is_first);
		fprintf(out, "} %" PRIu64 "\n", event->count);
	}
}

static void print_verdict(FILE *out, const struct claw_metrics *metrics)
{
	print_head(out, "soak_verdict", "gauge", NULL,
		   "what the soak says so far");
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(*verdicts); i++) {
		bool is_first;

		fputs(PREFIX "soak_verdict", out);
		is_first = print_labels(out, metrics);
		print_label(out, "verdict", verdicts[i], &is_first);
		fprintf(out, "} %d\n",
			strcmp(metrics->verdict, verdicts[i]) == 0);
	}
}

void claw_metrics_print(FILE *out, const struct claw_metrics *metrics)
{
	const struct claw_sample *sample = metrics->sample;

	for (int i = 0; sample && i < CLAW_SERIES_COUNT; i++)
		if (!isnan(sample->values[i]))
			print_series(out, metrics, &claw_series[i],
				     sample->values[i]);
	if (sample) {
		print_gauge(out, metrics, "soak_elapsed_seconds", "seconds",
			    "time that the soak has run",
			    (double)sample->t_ms / 1e3);
		print_gauge(out, metrics, "soak_sample_timestamp_seconds",
			    "seconds", "when the last sample was taken",
			    (double)sample->wall_ms / 1e3);
	}
	print_events(out, metrics);
	if (metrics->verdict)
		print_verdict(out, metrics);
	fputs("# EOF\n", out);
}

int claw_metrics_write(const char *path, const struct claw_metrics *metrics)
{
	struct claw_new_file file;

	if (!claw_new_file_begin(&file, path))
		return -CLAW_E_IO;
	claw_metrics_print(file.out, metrics);
	return claw_new_file_end(&file, true);
}
