/* SPDX-License-Identifier: Apache-2.0 */
/* Put together what a dump says of its process. */
#include "config.h"

#include "dump_meta.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/files/byte_source.h"
#include "harness/base/errors.h"
#include "harness/machine/kernel_log.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/records/result_json.h"
#include "harness/base/text.h"
#include "harness/base/text_clean.h"
#include "harness/base/words.h"

enum { META_VERSION = 1, PROCESS_MAX = 1 << 20 };

/* ---- what is kept of an environment ----------------------------------- */

static bool keeps_variable(const char *name, size_t length)
{
	static const struct {
		const char *name;
		bool all;
	} kept[] = {
#define ENV(name_)	{ #name_, false },
#define ENV_ALL(start_)	{ #start_, true },
#include "faults/shared/environment.def"
#undef ENV
#undef ENV_ALL
	};

	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++) {
		size_t wanted = strlen(kept[i].name);

		if ((kept[i].all ? length > wanted : length == wanted) &&
		    strncmp(name, kept[i].name, wanted) == 0)
			return true;
	}
	return false;
}

/* A text of the program's as JSON, whatever bytes it has. */
static json_t *text_json(const char *text)
{
	char *clean = claw_text_clean(text, strlen(text));
	json_t *value = json_string(clean);

	free(clean);
	return value;
}

/* redact: that it is set, and no more. */
static void add_variable(json_t *environment, const char *entry, bool redact)
{
	size_t length = strcspn(entry, "=");
	char *name = claw_strndup(entry, length);

	if (entry[length] == '=' && keeps_variable(name, length))
		json_object_set_new(environment, name,
				    redact ? json_string("(redacted)") :
				    text_json(entry + length + 1));
	free(name);
}

/* ---- what the host says ----------------------------------------------- */

static void set_time(json_t *meta, const char *name, time_t when)
{
	char text[32];
	struct tm utc;

	if (gmtime_r(&when, &utc) &&
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc))
		json_object_set_new(meta, name, json_string(text));
}

json_t *claw_dump_about_new(char *const *argv, bool redact)
{
	json_t *about = json_object(), *words = json_array();
	char *here = getcwd(NULL, 0);
	double stamp;

	for (; !redact && argv && *argv; argv++)
		json_array_append_new(words, text_json(*argv));
	if (!redact && here)
		json_object_set_new(about, "working_directory",
				    text_json(here));
	if (!redact)
		json_object_set(about, "argv", words);
	json_object_set_new(about, "redacted", json_boolean(redact));
	set_time(about, "started_at", time(NULL));
	if (claw_kernel_log_last(&stamp) == 0)
		json_object_set_new(about, "kernel_log_after",
				    json_real(stamp));
	json_decref(words);
	free(here);
	return about;
}

int claw_dump_about_write(const json_t *about, const char *directory)
{
	char *path = claw_path_in(directory, "about.json");
	int ret = json_dump_file(about, path, JSON_INDENT(1));

	free(path);
	return ret < 0 ? -CLAW_E_IO : 0;
}

json_t *claw_dump_about_read(const char *directory)
{
	char *path = claw_path_in(directory, "about.json");
	json_t *about = claw_json_read(path, NULL);

	free(path);
	if (!json_is_object(about)) {
		json_decref(about);
		about = json_object();
	}
	return about;
}

/* ---- what the process says -------------------------------------------- */

/* Entries with a NUL behind each: 'A' and an argument, 'E' and a variable,
 * 'D' and the directory it was started in (faults/call/own_session.h). */
static void take_process(json_t *meta, const char *path, bool redact)
{
	size_t size = 0;
	char *bytes = NULL;
	json_t *words = json_array(), *environment = json_object();

	if (path)
		claw_source_read_own(path, PROCESS_MAX, &bytes, &size);
	for (size_t at = 0; bytes && at < size; at += strlen(bytes + at) + 1) {
		const char *entry = bytes + at;

		if (*entry == 'A' && !redact)
			json_array_append_new(words, text_json(entry + 1));
		else if (*entry == 'E')
			add_variable(environment, entry + 1, redact);
		else if (*entry == 'D' && !redact)
			json_object_set_new(meta, "working_directory",
					    text_json(entry + 1));
	}
	if (json_array_size(words))
		json_object_set(meta, "argv", words);
	if (bytes)
		json_object_set(meta, "environment", environment);
	json_decref(words);
	json_decref(environment);
	free(bytes);
}

/* ---- together --------------------------------------------------------- */

/* One line an entry, of a file of the session. */
static json_t *read_lines(const char *directory, const char *name)
{
	char *path = claw_path_in(directory, name), *line = NULL;
	FILE *in = claw_outside_fopen(path);
	json_t *lines = json_array();
	size_t room = 0;

	while (in && claw_getline(&line, &room, in) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (*line)
			json_array_append_new(lines, text_json(line));
	}
	free(line);
	if (in)
		fclose(in);
	free(path);
	return lines;
}

static json_t *exit_json(const struct claw_run_result *result,
			 const struct claw_dump_trigger *trigger)
{
	json_t *end = json_object();

	if (result && result->end == CLAW_END_EXIT)
		json_object_set_new(end, "status",
				    json_integer(result->code));
	if (trigger->signal) {
		json_object_set_new(end, "signal",
				    json_integer(trigger->signal));
		json_object_set_new(end, "name", json_string(
			claw_signal_name(trigger->signal)));
	}
	if (trigger->has_address)
		json_object_set_new(end, "address", json_integer(
			(json_int_t)trigger->address));
	if (trigger->has_vanished)
		json_object_set_new(end, "vanished", json_true());
	return end;
}

json_t *claw_dump_meta_make(const char *directory, const json_t *about,
			    const char *process,
			    const struct claw_journal *journal, bool is_first,
			    const struct claw_run_result *result,
			    const struct claw_dump_trigger *trigger)
{
	static const char *const of_run[] = { "argv", "working_directory" };
	const struct claw_journal_header *header =
		claw_journal_get_header(journal);
	bool redact = json_is_true(json_object_get(about, "redacted"));
	json_t *meta = json_pack("{s:i, s:s, s:I, s:b}", "version",
				 META_VERSION, "openclaw", PACKAGE_VERSION,
				 "pid", (json_int_t)header->pid, "redacted",
				 redact);

	set_time(meta, "captured_at", time(NULL));
	json_object_set_new(meta, "program", text_json(
		claw_journal_get_string(journal, header->exe_string)));
	for (size_t i = 0; is_first && i < 2; i++)
		if (json_object_get(about, of_run[i]))
			json_object_set(meta, of_run[i],
					json_object_get(about, of_run[i]));
	take_process(meta, process, redact);
	json_object_set_new(meta, "exit", exit_json(result, trigger));
	if (trigger->name)
		json_object_set_new(meta, "trigger",
				    json_string(trigger->name));
	json_object_set_new(meta, "faults", read_lines(directory, "rules"));
	json_object_set_new(meta, "models", read_lines(directory, "models"));
	if (result)
		json_object_set_new(meta, "duration_ms", json_integer(
			(json_int_t)(result->duration_us / 1000)));
	return meta;
}
