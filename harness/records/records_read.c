/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of records.jsonl (doc/records.md): it believes a line only when
 * its CRC-32 fits.
 */
#include "config.h"

#include "records_put.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/files/outside_file.h"
#include "result_json.h"
#include "soak_json.h"

struct reader {
	const struct claw_records_visitor *visitor;
	void *user;
	uint64_t next, damaged;
	uint64_t bad;		/* damaged lines since the last intact one */
	bool planned, complete;
};

static bool read_result(struct reader *reader, const json_t *object)
{
	struct claw_findings findings;
	struct claw_result result;

	if (!claw_result_from_json(object, &result, &findings))
		return false;
	if (reader->visitor->result)
		reader->visitor->result(reader->user, &result);
	claw_findings_release(&findings);
	return true;
}

/* A case without a name cannot be looked for. */
static bool read_planned(struct reader *reader, const json_t *object)
{
	const char *name = claw_json_text(object, "name");

	if (name && reader->visitor->planned)
		reader->visitor->planned(reader->user, &(struct claw_planned){
			.suite = claw_json_text(object, "suite"), .name = name,
			.configuration = claw_json_text(object,
							"configuration"),
			.operand = claw_json_text(object, "operand"),
			.elsewhere = json_is_true(json_object_get(object,
							"elsewhere")),
			.many = json_is_true(json_object_get(object,
							     "many")) });
	return name != NULL;
}

static bool read_change(struct reader *reader, const json_t *object)
{
	const char *word = claw_json_text(object, "change");
	int kind = word ? claw_change_kind_find(word) : -1;

	if (kind < 0)
		return false;
	if (reader->visitor->change)
		reader->visitor->change(reader->user, &(struct claw_change){
			.kind = (enum claw_change_kind)kind,
			.suite = claw_json_text(object, "suite"),
			.name = claw_json_text(object, "name"),
			.configuration = claw_json_text(object, "configuration"),
			.text = claw_json_text(object, "text") });
	return true;
}

static bool read_plan(struct reader *reader, const json_t *object)
{
	const char *seed = claw_json_text(object, "seed");

	reader->planned = true;
	if (reader->visitor->plan)
		reader->visitor->plan(reader->user,
				      claw_json_text(object, "verb"),
				      claw_json_text(object, "command"),
				      claw_json_number(object, "planned"),
				      seed ? strtoull(seed, NULL, 10) : 0,
				      claw_json_text(object, "started"));
	return true;
}

static bool read_environment(struct reader *reader, const json_t *object)
{
	if (reader->visitor->environment)
		reader->visitor->environment(reader->user,
			claw_json_text(object, "configuration"),
			claw_json_text(object, "key"),
			claw_json_text(object, "value"));
	return true;
}

static bool read_rule(struct reader *reader, const json_t *object)
{
	if (reader->visitor->rule)
		reader->visitor->rule(reader->user,
				      claw_json_text(object, "rule"),
				      claw_json_number(object, "matched"),
				      claw_json_number(object, "fired"));
	return true;
}

static bool read_note(struct reader *reader, const json_t *object)
{
	if (reader->visitor->note)
		reader->visitor->note(reader->user,
				      claw_json_text(object, "text"));
	return true;
}

static bool read_comparison(struct reader *reader, const json_t *object)
{
	if (reader->visitor->comparison)
		reader->visitor->comparison(reader->user,
			claw_json_text(object, "directory"),
			claw_json_text(object, "started"),
			claw_json_text(object, "text"));
	return true;
}

/* A soak that goes on has not come to its end. */
static bool read_segment(struct reader *reader, const json_t *object)
{
	struct claw_soak_segment segment;

	if (!claw_soak_segment_from_json(object, &segment))
		return false;
	reader->complete = false;
	if (reader->visitor->segment)
		reader->visitor->segment(reader->user, &segment);
	return true;
}

static bool read_sample(struct reader *reader, const json_t *object)
{
	struct claw_sample sample;
	struct claw_sample_site *sites;
	size_t count;

	if (!claw_sample_from_json(object, &sample, &sites, &count))
		return false;
	if (reader->visitor->sample)
		reader->visitor->sample(reader->user, &sample, sites, count);
	free(sites);
	return true;
}

static bool read_event(struct reader *reader, const json_t *object)
{
	struct claw_soak_event event;

	if (!claw_soak_event_from_json(object, &event))
		return false;
	if (reader->visitor->event)
		reader->visitor->event(reader->user, &event);
	return true;
}

static bool read_end(struct reader *reader, const json_t *object)
{
	reader->complete = true;
	if (reader->visitor->end)
		reader->visitor->end(reader->user,
			(int)claw_json_number(object, "exit_status"),
			json_is_true(json_object_get(object, "cancelled")));
	return true;
}

/* One intact line; false when it makes no sense. */
static bool read_record(struct reader *reader, const json_t *object)
{
	static const struct {
		const char *type;
		bool (*read)(struct reader *reader, const json_t *object);
	} types[] = {
		{ "sample", read_sample }, { "result", read_result },
		{ "planned", read_planned }, { "plan", read_plan },
		{ "environment", read_environment }, { "event", read_event },
		{ "rule", read_rule }, { "note", read_note },
		{ "comparison", read_comparison }, { "change", read_change },
		{ "segment", read_segment }, { "end", read_end },
	};
	const char *type = claw_json_text(object, "t");

	for (size_t i = 0; type && i < sizeof(types) / sizeof(*types); i++)
		if (strcmp(type, types[i].type) == 0)
			return types[i].read(reader, object);
	/* Types of a later minor version are passed over. */
	return type != NULL;
}

/* 0, or -CLAW_E_VERSION. */
static int read_line(struct reader *reader, char *line, size_t length)
{
	json_t *object = claw_records_parse(line, length);
	uint64_t number;
	bool fits;

	if (!object) {
		reader->bad++;
		return 0;
	}
	if (claw_json_number(object, "v") != CLAW_RECORDS_VERSION) {
		json_decref(object);
		return -CLAW_E_VERSION;
	}
	number = claw_json_number(object, "n");
	/* The plan is number 0 and nothing else is; a number that was there
	 * already is a line out of place, one that is too high says that
	 * lines before it are gone: those that were seen to be damaged, and
	 * more perhaps. */
	fits = number >= reader->next && (number > 0) == reader->planned;
	if (!fits || !read_record(reader, object)) {
		reader->bad++;
	} else {
		uint64_t missing = number - reader->next;

		reader->damaged += missing > reader->bad ? missing :
				   reader->bad;
		reader->bad = 0;
		reader->next = number + 1;
	}
	json_decref(object);
	return 0;
}

int claw_records_read(const char *path,
		      const struct claw_records_visitor *visitor, void *user,
		      bool *ret_complete, uint64_t *ret_damaged)
{
	struct reader reader = { .visitor = visitor, .user = user };
	FILE *in = claw_outside_stream(path);
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	int ret = 0;

	if (!in)
		return -CLAW_E_IO;
	while (ret == 0 && (length = claw_outside_line(in, &line, &size,
				   CLAW_RECORDS_LINE_MAX)) >= 0) {
		if (length == 0 || line[length - 1] != '\n')
			break;		/* torn: it was being written */
		if (length > CLAW_RECORDS_LINE_MAX)
			reader.bad++;
		else
			ret = read_line(&reader, line, (size_t)length - 1);
	}
	if (ret == 0 && ferror(in))
		ret = -CLAW_E_IO;
	if (ret == 0 && !reader.planned)
		ret = -CLAW_E_DAMAGED;
	if (ret == 0) {
		*ret_complete = reader.complete;
		*ret_damaged = reader.damaged + reader.bad;
	}
	free(line);
	fclose(in);
	return ret;
}
