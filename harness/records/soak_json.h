/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples, events and segments of a soak as JSON objects, in records.jsonl and
 * in reports.
 */
#ifndef CLAW_SOAK_JSON_H
#define CLAW_SOAK_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "records_soak.h"

/* A new object. A value that is NAN is left out. */
json_t *claw_sample_to_json(const struct claw_sample *sample,
			    const struct claw_sample_site *sites,
			    size_t site_count);
json_t *claw_soak_event_to_json(const struct claw_soak_event *event);
json_t *claw_soak_segment_to_json(const struct claw_soak_segment *segment);

/*
 * false when the object is none. Texts are the object's. A series that is not
 * known is passed over. ret_sites: malloced, NULL without any.
 */
bool claw_sample_from_json(const json_t *object, struct claw_sample *ret_sample,
			   struct claw_sample_site **ret_sites,
			   size_t *ret_site_count);
bool claw_soak_event_from_json(const json_t *object,
			       struct claw_soak_event *ret_event);
bool claw_soak_segment_from_json(const json_t *object,
				 struct claw_soak_segment *ret_segment);

#endif
