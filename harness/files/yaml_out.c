/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libyaml's emitter, event by event.
 */
#include "config.h"

#include "yaml_out.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text_clean.h"

/* The event is the emitter's from here on. */
static void emit(struct claw_yaml_out *out, yaml_event_t *event, int made)
{
	if (!made)
		out->failed = true;
	else if (out->failed)
		yaml_event_delete(event);
	else if (!yaml_emitter_emit(&out->emitter, event))
		out->failed = true;
}

void claw_yaml_out_begin(struct claw_yaml_out *out, FILE *stream)
{
	yaml_event_t event;

	out->failed = false;
	if (!yaml_emitter_initialize(&out->emitter))
		claw_made(NULL);
	yaml_emitter_set_output_file(&out->emitter, stream);
	yaml_emitter_set_unicode(&out->emitter, 1);
	yaml_emitter_set_width(&out->emitter, -1);
	emit(out, &event, yaml_stream_start_event_initialize(&event,
			YAML_UTF8_ENCODING));
	emit(out, &event, yaml_document_start_event_initialize(&event, NULL,
			NULL, NULL, 1));
}

int claw_yaml_out_end(struct claw_yaml_out *out)
{
	yaml_event_t event;

	emit(out, &event, yaml_document_end_event_initialize(&event, 1));
	emit(out, &event, yaml_stream_end_event_initialize(&event));
	if (!out->failed && !yaml_emitter_flush(&out->emitter))
		out->failed = true;
	yaml_emitter_delete(&out->emitter);
	return out->failed ? -CLAW_E_IO : 0;
}

void claw_yaml_out_text(struct claw_yaml_out *out, const char *text)
{
	char *clean = claw_text_clean(text, strlen(text));
	yaml_event_t event;

	emit(out, &event, yaml_scalar_event_initialize(&event, NULL,
			NULL, (yaml_char_t *)clean, (int)strlen(clean), 1, 1,
			YAML_ANY_SCALAR_STYLE));
	free(clean);
}

void claw_yaml_out_list(struct claw_yaml_out *out)
{
	yaml_event_t event;

	emit(out, &event, yaml_sequence_start_event_initialize(&event, NULL,
			NULL, 1, YAML_BLOCK_SEQUENCE_STYLE));
}

void claw_yaml_out_list_end(struct claw_yaml_out *out)
{
	yaml_event_t event;

	emit(out, &event, yaml_sequence_end_event_initialize(&event));
}

void claw_yaml_out_mapping(struct claw_yaml_out *out)
{
	yaml_event_t event;

	emit(out, &event, yaml_mapping_start_event_initialize(&event, NULL,
			NULL, 1, YAML_BLOCK_MAPPING_STYLE));
}

void claw_yaml_out_mapping_end(struct claw_yaml_out *out)
{
	yaml_event_t event;

	emit(out, &event, yaml_mapping_end_event_initialize(&event));
}

void claw_yaml_out_pair(struct claw_yaml_out *out, const char *key,
			const char *text)
{
	claw_yaml_out_text(out, key);
	claw_yaml_out_text(out, text);
}
