/* SPDX-License-Identifier: Apache-2.0 */
/* Samples, events and segments of a soak as JSON objects, and back. */
#include "config.h"

#include "soak_json.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "result_json.h"

/* Numbers above it are not whole as doubles. */
#define WHOLE_MAX 9007199254740992.0

static void add_signed(json_t *object, const char *name, int64_t number)
{
	json_object_set_new(object, name, json_integer((json_int_t)number));
}

static int64_t get_signed(const json_t *object, const char *name)
{
	return json_integer_value(json_object_get(object, name));
}

/* ---- writing ---------------------------------------------------------- */

static json_t *values_to_json(const double *values)
{
	json_t *object = json_object();

	for (int i = 0; i < CLAW_SERIES_COUNT; i++) {
		double value = values[i];

		if (!isfinite(value))
			continue;
		json_object_set_new(object, claw_series[i].name,
			fabs(value) < WHOLE_MAX && value == floor(value) ?
			json_integer((json_int_t)value) : json_real(value));
	}
	return object;
}

static json_t *site_to_json(const struct claw_sample_site *site)
{
	json_t *object = json_object();

	claw_json_add_text(object, "site", site->site);
	claw_json_add_text(object, "place", site->place);
	claw_json_add_number(object, "objects", site->objects);
	claw_json_add_number(object, "bytes", site->bytes);
	return object;
}

json_t *claw_sample_to_json(const struct claw_sample *sample,
			    const struct claw_sample_site *sites,
			    size_t site_count)
{
	json_t *object = json_object(), *list;

	claw_json_add_number(object, "t_ms", sample->t_ms);
	add_signed(object, "wall_ms", sample->wall_ms);
	claw_json_add_number(object, "segment", sample->segment);
	claw_json_add_number(object, "run", sample->run);
	json_object_set_new(object, "values", values_to_json(sample->values));
	if (site_count == 0)
		return object;
	list = json_array();
	for (size_t i = 0; i < site_count; i++)
		json_array_append_new(list, site_to_json(&sites[i]));
	json_object_set_new(object, "sites", list);
	return object;
}

json_t *claw_soak_event_to_json(const struct claw_soak_event *event)
{
	json_t *object = json_object();

	claw_json_add_number(object, "t_ms", event->t_ms);
	add_signed(object, "wall_ms", event->wall_ms);
	claw_json_add_number(object, "segment", event->segment);
	claw_json_add_number(object, "run", event->run);
	claw_json_add_text(object, "kind", event->kind);
	claw_json_add_text(object, "code", event->code);
	claw_json_add_text(object, "text", event->text);
	claw_json_add_text(object, "signature", event->signature);
	claw_json_add_text(object, "path", event->path);
	json_object_set_new(object, "injected", json_boolean(event->injected));
	claw_json_add_number(object, "count", event->count ? event->count : 1);
	return object;
}

json_t *claw_soak_segment_to_json(const struct claw_soak_segment *segment)
{
	json_t *object = json_object();

	claw_json_add_number(object, "segment", segment->segment);
	claw_json_add_text(object, "started", segment->started);
	claw_json_add_text(object, "boot_id", segment->boot_id);
	add_signed(object, "wall_ms", segment->wall_ms);
	claw_json_add_number(object, "t_ms", segment->t_ms);
	return object;
}

/* ---- reading ---------------------------------------------------------- */

static void values_from_json(json_t *object, double *values)
{
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value) {
		int series = claw_series_find(name);

		if (series >= 0 && json_is_number(value))
			values[series] = json_number_value(value);
	}
}

static bool sites_from_json(const json_t *list,
			    struct claw_sample_site **ret_sites,
			    size_t *ret_count)
{
	size_t size = json_array_size(list), count = 0;
	struct claw_sample_site *sites;

	*ret_sites = NULL;
	*ret_count = 0;
	if (size == 0)
		return true;
	sites = claw_calloc(size, sizeof(*sites));
	for (size_t i = 0; i < size; i++) {
		const json_t *object = json_array_get(list, i);
		const char *site = claw_json_text(object, "site");

		if (!site)
			continue;
		sites[count++] = (struct claw_sample_site){
			.site = site, .place = claw_json_text(object, "place"),
			.objects = claw_json_number(object, "objects"),
			.bytes = claw_json_number(object, "bytes") };
	}
	*ret_sites = sites;
	*ret_count = count;
	return true;
}

bool claw_sample_from_json(const json_t *object, struct claw_sample *ret_sample,
			   struct claw_sample_site **ret_sites,
			   size_t *ret_site_count)
{
	json_t *values = json_object_get(object, "values");

	if (!json_is_object(values))
		return false;
	claw_sample_init(ret_sample);
	ret_sample->t_ms = claw_json_number(object, "t_ms");
	ret_sample->wall_ms = get_signed(object, "wall_ms");
	ret_sample->segment = claw_json_number(object, "segment");
	ret_sample->run = claw_json_number(object, "run");
	values_from_json(values, ret_sample->values);
	return sites_from_json(json_object_get(object, "sites"), ret_sites,
			       ret_site_count);
}

bool claw_soak_event_from_json(const json_t *object,
			       struct claw_soak_event *ret_event)
{
	const char *kind = claw_json_text(object, "kind");
	const char *text = claw_json_text(object, "text");
	uint64_t count = claw_json_number(object, "count");

	if (!kind)
		return false;
	*ret_event = (struct claw_soak_event){
		.t_ms = claw_json_number(object, "t_ms"),
		.wall_ms = get_signed(object, "wall_ms"),
		.segment = claw_json_number(object, "segment"),
		.run = claw_json_number(object, "run"),
		.kind = kind, .text = text ? text : "",
		.code = claw_json_text(object, "code"),
		.signature = claw_json_text(object, "signature"),
		.path = claw_json_text(object, "path"),
		.injected = json_is_true(json_object_get(object, "injected")),
		.count = count ? count : 1,
	};
	return true;
}

bool claw_soak_segment_from_json(const json_t *object,
				 struct claw_soak_segment *ret_segment)
{
	if (!json_is_integer(json_object_get(object, "segment")))
		return false;
	*ret_segment = (struct claw_soak_segment){
		.segment = claw_json_number(object, "segment"),
		.started = claw_json_text(object, "started"),
		.boot_id = claw_json_text(object, "boot_id"),
		.wall_ms = get_signed(object, "wall_ms"),
		.t_ms = claw_json_number(object, "t_ms"),
	};
	return true;
}
