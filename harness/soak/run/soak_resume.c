/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Going on with a soak whose harness was ended: what it was asked for is in
 * resume.json, what happened so far in its records.
 */
#include "config.h"

#include "soak.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/new_file.h"
#include "harness/process/proctree.h"
#include "harness/records/result_json.h"
#include "harness/soak/monitor/soak_sites.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"

static const char file_name[] = "resume.json";

/* ---- what was asked for ------------------------------------------------ */

static json_t *words_json(char *const *words)
{
	json_t *array = json_array();

	for (; array && *words; words++)
		json_array_append_new(array, json_string(*words));
	return array;
}

/* The file as a whole or not at all: the one that is there is of use, too. */
static int replace_file(const json_t *object, const char *path)
{
	struct claw_new_file file;
	int ret;

	if (!claw_new_file_begin(&file, path))
		return -CLAW_E_IO;
	ret = json_dumpf(object, file.out, JSON_INDENT(2));
	return claw_new_file_end(&file, ret == 0) < 0 || ret < 0 ?
		-CLAW_E_IO : 0;
}

int claw_soak_save(const char *directory, const struct claw_soak_saved *saved)
{
	char *path = claw_path_in(directory, file_name);
	json_t *object = json_pack("{s:o?, s:s, s:s, s:I}", "argv",
				   words_json(saved->argv),
				   "working_directory",
				   saved->working_directory, "case",
				   saved->case_id, "seed",
				   (json_int_t)saved->seed);
	int ret = -CLAW_E_IO;

	if (object)
		ret = replace_file(object, path);
	else
		errno = EILSEQ;		/* no UTF-8, which JSON has to be */
	json_decref(object);
	free(path);
	return ret;
}

/* Those of a "--resume" that are about what is done, not of what. */
static void add_given(char ***words, char *const *given)
{
	static const char resume[] = "--resume";

	for (; *given && strcmp(*given, "--") != 0; given++) {
		if (strcmp(*given, resume) == 0 && given[1])
			given++;
		else if (strncmp(*given, resume, strlen(resume)) != 0)
			claw_list_add(words, claw_strdup(*given));
	}
}

char **claw_soak_join_words(char *const *saved, char *const *given)
{
	char **words = NULL;

	for (; *saved && strcmp(*saved, "--") != 0; saved++)
		claw_list_add(&words, claw_strdup(*saved));
	add_given(&words, given);
	for (; *saved; saved++)
		claw_list_add(&words, claw_strdup(*saved));
	return words;
}

static int take_words(const json_t *array, char ***ret_words)
{
	size_t i;
	json_t *value;

	json_array_foreach(array, i, value) {
		const char *word = json_string_value(value);

		if (!word)
			return -CLAW_E_DAMAGED;
		claw_list_add(ret_words, claw_strdup(word));
	}
	return 0;
}

static int take_saved(const json_t *object, struct claw_soak_saved *saved)
{
	const char *directory = NULL, *case_id = NULL;
	json_int_t seed = 0;
	json_t *words = NULL;
	int ret;

	if (json_unpack((json_t *)object, "{s:o, s:s, s:s, s:I}", "argv",
			&words, "working_directory", &directory, "case",
			&case_id, "seed", &seed) < 0 ||
	    !json_is_array(words) || !json_array_size(words))
		return -CLAW_E_DAMAGED;
	ret = take_words(words, &saved->argv);
	saved->working_directory = claw_strdup(directory);
	saved->case_id = claw_strdup(case_id);
	saved->seed = (uint64_t)seed;
	return ret;
}

int claw_soak_read_saved(const char *directory,
			 struct claw_soak_saved *ret_saved, char *error,
			 size_t error_size)
{
	char *path = claw_path_in(directory, file_name);
	json_error_t why;
	json_t *object;
	int ret;

	*ret_saved = (struct claw_soak_saved){ .argv = NULL };
	if (access(path, R_OK) < 0) {
		snprintf(error, error_size, "%s: expected a soak that can be "
			 "resumed, found no %s in it", directory, file_name);
		ret = -CLAW_E_IO;
	} else {
		object = claw_json_read(path, &why);
		ret = object ? take_saved(object, ret_saved) : -CLAW_E_DAMAGED;
		json_decref(object);
		if (ret < 0)
			snprintf(error, error_size, "%s:%d:%d: expected the "
				 "saved options of a soak, found something "
				 "else",
				 path, object ? 1 : why.line,
				 object ? 1 : why.column);
	}
	if (ret < 0)
		claw_soak_saved_release(ret_saved);
	free(path);
	return ret;
}

void claw_soak_saved_release(struct claw_soak_saved *saved)
{
	claw_list_free(saved->argv);
	free(saved->working_directory);
	free(saved->case_id);
	*saved = (struct claw_soak_saved){ .argv = NULL };
}

unsigned int claw_soak_end_left(const struct claw_soak_saved *saved)
{
	const struct claw_proctree tree = { .case_id = saved->case_id };
	const struct timespec pause = { .tv_nsec = 10 * 1000 * 1000 };
	unsigned int first = claw_proctree_signal(&tree, SIGKILL);

	for (unsigned int i = 0, now = first; now && i < 100; i++) {
		nanosleep(&pause, NULL);
		now = claw_proctree_signal(&tree, SIGKILL);
	}
	return first;
}

/* ---- what happened so far ---------------------------------------------- */

struct recalling {
	struct claw_soak *soak;
	struct claw_soak_sites *sites;
};

static void recall_sample(void *user, const struct claw_sample *sample,
			  const struct claw_sample_site *changed, size_t count)
{
	struct recalling *recalling = user;
	const struct claw_sample_site *all = NULL;
	size_t all_count = 0;

	claw_soak_sites_apply(recalling->sites, changed, count, &all,
			      &all_count);
	claw_soak_judge_sample(recalling->soak, sample, all, all_count);
	recalling->soak->samples++;
	if (sample->values[CLAW_SERIES_DEVICE_BYTES] >
	    (double)recalling->soak->peak_device_bytes)
		recalling->soak->peak_device_bytes = (uint64_t)
			sample->values[CLAW_SERIES_DEVICE_BYTES];
}

static void recall_event(void *user, const struct claw_soak_event *event)
{
	struct recalling *recalling = user;

	claw_soak_remember(recalling->soak, event);
}

static uint64_t count_of(double value)
{
	return value > 0 && value < 1e18 ? (uint64_t)value : 0;
}

int claw_soak_recall(struct claw_soak *soak, const struct claw_soak_past *past)
{
	static const struct claw_records_visitor visitor = {
		.sample = recall_sample, .event = recall_event,
	};
	struct recalling recalling = { .soak = soak };
	char *path = claw_path_in(soak->directory, "records.jsonl");
	uint64_t damaged;
	bool complete;
	int ret;

	recalling.sites = claw_soak_sites_new();
	ret = claw_records_read(path, &visitor, &recalling, &complete,
				&damaged);
	claw_soak_sites_free(recalling.sites);
	free(path);
	soak->segment = past->segments;
	soak->runs = past->runs;
	soak->sample = past->last;
	soak->past_iterations =
		count_of(past->last.values[CLAW_SERIES_ITERATIONS]);
	soak->told.wrong =
		count_of(past->last.values[CLAW_SERIES_WRONG_RESULTS]);
	soak->handshake = past->last.values[CLAW_SERIES_CALLS] > 0;
	claw_sampler_continue(soak->sampler, &past->last);
	return ret;
}
