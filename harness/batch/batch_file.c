/* SPDX-License-Identifier: Apache-2.0 */
/*
 * batch.json:
 *
 *     { "v": 1, "id": "...", "started": "2026-...", "verb": "sweep", "cwd": "/home/...", "program": "/usr/bin/openclaw",
 *       "on": "slurm:array=40", "command": [...], "words": [...],
 *       "operands": [...], "own": [...], "tasks": 40, "pieces": 160 }
 *
 * and "jobs", a line each.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch_private.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"
#include "harness/files/outside_file.h"

enum { BATCH_VERSION = 1, TEXT_MAX = 16 << 20 };

char *claw_batch_path(const struct claw_batch *batch, const char *name)
{
	return claw_path_in(batch->directory, name);
}

char *claw_batch_piece_path(const struct claw_batch *batch, size_t index,
			    unsigned int attempt)
{
	return claw_queue_path(&batch->queue, index,
			       claw_batch_is_soak(batch) ? 1 : attempt, "");
}

char *claw_batch_name(const struct claw_batch *batch)
{
	return claw_format("openclaw-%s-%s", batch->verb, batch->id);
}

static void make_queue(struct claw_batch *batch)
{
	char *folder = claw_batch_path(batch, "pieces");

	claw_queue_init(&batch->queue, folder, batch->pieces);
	free(folder);
}

/* ---- writing ----------------------------------------------------------- */

static json_t *list_json(char *const *list)
{
	json_t *array = claw_made(json_array());

	for (; list && *list; list++)
		json_array_append_new(array, claw_made(json_string(*list)));
	return array;
}

int claw_batch_write(const struct claw_batch *batch)
{
	char *path = claw_batch_path(batch, "batch.json");
	json_t *root = claw_made(json_pack(
		"{s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:I, "
		"s:I}", "v", BATCH_VERSION, "id", batch->id, "started",
		batch->started, "verb", batch->verb, "cwd", batch->cwd,
		"program", batch->program, "on", batch->on,
		"command", list_json(batch->command),
		"words", list_json(batch->words),
		"operands", list_json(batch->operands),
		"own", list_json(batch->own),
		"tasks", (json_int_t)batch->tasks,
		"pieces", (json_int_t)batch->pieces));
	int ret = json_dump_file(root, path, JSON_INDENT(1)) < 0 ?
		-CLAW_E_IO : 0;

	json_decref(root);
	free(path);
	return ret;
}

int claw_batch_add_job(struct claw_batch *batch, const char *job)
{
	char *path = claw_batch_path(batch, "jobs");
	FILE *out = fopen(path, "ae");
	int ret = 0;

	free(path);
	if (!out || fprintf(out, "%s\n", job) < 0)
		ret = -CLAW_E_IO;
	if (out && fclose(out) != 0)
		ret = -CLAW_E_IO;
	claw_list_add(&batch->jobs, claw_strdup(job));
	return ret;
}

/* ---- reading ----------------------------------------------------------- */

/* A list of texts. 0 or -CLAW_E_USAGE. */
static int take_list(const json_t *root, const char *name, char ***ret_list,
		     char *error, size_t error_size)
{
	const json_t *array = json_object_get(root, name);
	bool is_good = json_is_array(array);

	for (size_t i = 0; is_good && i < json_array_size(array); i++) {
		const char *text = json_string_value(json_array_get(array, i));

		is_good = text != NULL;
		if (is_good)
			claw_list_add(ret_list, claw_strdup(text));
	}
	if (!is_good)
		snprintf(error, error_size, "expected a list of texts as %s",
			 name);
	return is_good ? 0 : -CLAW_E_USAGE;
}

static int take_lists(struct claw_batch *batch, const json_t *root,
		      char *error, size_t error_size)
{
	const struct {
		const char *name;
		char ***list;
	} lists[] = {
		{ "command", &batch->command }, { "words", &batch->words },
		{ "operands", &batch->operands }, { "own", &batch->own },
	};
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < sizeof(lists) / sizeof(*lists); i++)
		ret = take_list(root, lists[i].name, lists[i].list, error,
				error_size);
	return ret;
}

static void read_jobs(struct claw_batch *batch)
{
	char *path = claw_batch_path(batch, "jobs"), *line = NULL;
	FILE *in = claw_outside_fopen(path);
	size_t room = 0;

	while (in && claw_getline(&line, &room, in) > 0) {
		line[strcspn(line, "\n")] = '\0';
		claw_list_add(&batch->jobs, claw_strdup(line));
	}
	if (in)
		fclose(in);
	free(line);
	free(path);
}

static int take(struct claw_batch *batch, const json_t *root, char *error,
		size_t error_size)
{
	const char *id, *started, *verb, *cwd, *program, *on;
	json_int_t tasks, pieces;
	int version, ret;

	if (json_unpack((json_t *)(uintptr_t)root,
			"{s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:I}", "v",
			&version, "id", &id, "started", &started, "verb", &verb, "cwd", &cwd, "program", &program, "on",
			&on, "tasks", &tasks, "pieces", &pieces) < 0 ||
	    version != BATCH_VERSION || tasks < 1 || pieces < 1 ||
	    tasks > CLAW_BATCH_TASKS_MAX || pieces > CLAW_BATCH_PIECES_MAX ||
	    !claw_batch_knows(verb)) {
		snprintf(error, error_size, "expected what --on writes");
		return -CLAW_E_USAGE;
	}
	batch->id = claw_strdup(id);
	batch->started = claw_strdup(started);
	batch->verb = claw_strdup(verb);
	batch->cwd = claw_strdup(cwd);
	batch->program = claw_strdup(program);
	ret = take_lists(batch, root, error, error_size);
	if (ret == 0)
		ret = claw_batch_parse_on(batch, on, error, error_size);
	batch->tasks = (uint64_t)tasks;
	batch->pieces = (uint64_t)pieces;
	return ret;
}

int claw_batch_parse(struct claw_batch *batch, const char *text, size_t size,
		     char *error, size_t error_size)
{
	json_error_t problem;
	json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &problem);
	int ret = -CLAW_E_USAGE;

	if (root)
		ret = take(batch, root, error, error_size);
	else
		snprintf(error, error_size, "%d:%d: %s", problem.line,
			 problem.column, problem.text);
	json_decref(root);
	return ret;
}

int claw_batch_read(const char *directory, struct claw_batch *ret_batch,
		    char *error, size_t error_size)
{
	struct claw_batch batch = { .shown = claw_strdup(directory) };
	char *path = claw_path_in(directory, "batch.json"), why[512] = "";
	char *text = NULL;
	size_t size = 0;
	int ret = -CLAW_E_USAGE;

	batch.directory = realpath(directory, NULL);
	if (!batch.directory ||
	    claw_outside_read(path, 0, TEXT_MAX, &text, &size) < 0)
		snprintf(why, sizeof(why), "%s", claw_outside_why(path));
	else
		ret = claw_batch_parse(&batch, text, size, why, sizeof(why));
	if (ret < 0) {
		snprintf(error, error_size, "%s: %s", path, why);
		claw_batch_release(&batch);
	} else {
		make_queue(&batch);
		read_jobs(&batch);
		*ret_batch = batch;
	}
	free(text);
	free(path);
	return ret;
}

void claw_batch_release(struct claw_batch *batch)
{
	char **lists[] = {
		batch->command, batch->words, batch->operands, batch->own,
		batch->engine_words, batch->jobs,
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		claw_list_free(lists[i]);
	claw_queue_release(&batch->queue);
	free(batch->directory);
	free(batch->shown);
	free(batch->id);
	free(batch->started);
	free(batch->verb);
	free(batch->cwd);
	free(batch->program);
	free(batch->on);
	*batch = (struct claw_batch) { .directory = NULL };
}
