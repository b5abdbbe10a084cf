/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a batch: one run of its pieces. Of each piece one attempt counts, the
 * first that came to its end; of a piece without one, what its last attempt
 * left: then a part is missing, and the whole is incomplete.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch_private.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "harness/base/shared_options.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"
#include "harness/records/past_run.h"
#include "harness/report/report_merge.h"
#include "reports/write/report_files.h"

static struct {
	struct claw_report_files files;
	const char *source_root;
	bool tap, durations, quiet, verbose;
	uint64_t error_exitcode;
} given;

/* The OWN and BOTH of batch_words.c. */
static const struct claw_option own_options[] = {
#include "reports/write/report_options.def"
	CLAW_SOURCE_ROOT_OPTION(&given.source_root),
	CLAW_SOURCE_URL_OPTION,
	CLAW_ERROR_EXITCODE_OPTION("", &given.error_exitcode),
	{ "tap", 0, OPT_FLAG, NULL, "", &given.tap },
	{ "durations", 0, OPT_FLAG, NULL, "", &given.durations },
	{ "quiet", 0, OPT_FLAG, NULL, "", &given.quiet },
	{ "verbose", 0, OPT_FLAG, NULL, "", &given.verbose },
	CLAW_HISTORY_OPTION,
	{ 0 },
};

void claw_batch_parse_own(const struct claw_batch *batch)
{
	char **argv = NULL, error[512];
	bool help;
	int first;

	memset(&given, 0, sizeof(given));
	given.error_exitcode = CLAW_EXIT_FINDINGS;
	claw_list_add(&argv, claw_strdup(batch->verb));
	for (char **word = batch->own; word && *word; word++)
		claw_list_add(&argv, claw_strdup(*word));
	/* The values are texts of argv: it stays. */
	if (claw_options_parse(own_options, (int)claw_list_count(argv), argv,
			       false, &first, &help, error, sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "%s: %s", batch->verb, error);
}

/* ---- the pieces ---------------------------------------------------------- */

/* The attempt's run; NULL: it has no plan. Without its baseline a sweep has none. */
static struct claw_past_run *read_piece(const struct claw_batch *batch,
					size_t index, unsigned int attempt)
{
	char *directory = claw_batch_piece_path(batch, index, attempt);
	struct claw_past_run *run = NULL;
	char error[1024];

	if (attempt > 0 && claw_past_run_read(directory, &run, error,
					      sizeof(error)) == 0 &&
	    !claw_past_run_has_plan(run) && run->segment_count == 0) {
		claw_past_run_free(run);
		run = NULL;
	}
	free(directory);
	return run;
}

/* Malloced; "": not known. */
static char *device_of(const struct claw_batch *batch, size_t index)
{
	char *text = claw_queue_text(&batch->queue, index,
				     batch->queue.pieces[index].attempt,
				     "done");
	const char *blank = text ? strchr(text, ' ') : NULL;
	char *device = claw_strdup(blank ? blank + 1 : "");

	free(text);
	return device;
}

/* It has no results, and its openclaw has said why: the program varied there. */
static void say_without_plan(const struct claw_batch *batch, size_t index)
{
	unsigned int attempt = batch->queue.pieces[index].attempt;
	int status = claw_queue_status(&batch->queue, index, attempt);

	if (status < 0)
		return;
	claw_warn("piece %zu ended with status %d and has no results:",
		  index + 1, status);
	claw_batch_say_log(batch, index);
}

/* How many runs; both arrays are malloced. */
static size_t read_pieces(const struct claw_batch *batch,
			  struct claw_past_run ***ret_runs, char ***ret_devices)
{
	struct claw_past_run **runs = claw_calloc(batch->queue.count,
						  sizeof(*runs));
	size_t count = 0;

	*ret_devices = NULL;
	for (size_t i = 0; i < batch->queue.count; i++) {
		runs[count] = read_piece(batch, i,
					 batch->queue.pieces[i].attempt);
		if (runs[count]) {
			count++;
			claw_list_add(ret_devices, device_of(batch, i));
		} else {
			say_without_plan(batch, i);
		}
	}
	*ret_runs = runs;
	return count;
}

/* "clean" without a result is none. */
static int end_without_plan(const struct claw_batch *batch)
{
	int status = -1;

	for (size_t i = 0; status < 0 && i < batch->queue.count; i++)
		status = claw_queue_status(&batch->queue, i,
					   batch->queue.pieces[i].attempt);
	return status <= CLAW_EXIT_CLEAN ? CLAW_EXIT_UNKNOWN : status;
}

/* ---- the summary --------------------------------------------------------- */

struct group {
	const struct claw_result *first;
	const char *key;
	size_t count;
};

static const char *key_of(const struct claw_result *result)
{
	return result->seen ? result->seen :
	       result->message ? result->message : "";
}

static void add_finding(struct group **groups, size_t *count,
			const struct claw_result *result)
{
	for (size_t i = 0; i < *count; i++)
		if (strcmp((*groups)[i].key, key_of(result)) == 0) {
			(*groups)[i].count++;
			return;
		}
	*groups = claw_one_more(*groups, *count, sizeof(**groups));
	(*groups)[(*count)++] = (struct group) {
		.first = result, .key = key_of(result), .count = 1,
	};
}

static void print_group(const struct group *group)
{
	const struct claw_result *one = group->first;

	printf("%-10s %s  %s", claw_verdict_name(one->verdict), one->name,
	       one->message ? one->message : "");
	if (group->count > 1)
		printf("  %zu results", group->count);
	putchar('\n');
	if (one->reproduce)
		printf("           reproduce: %s\n", one->reproduce);
}

static void print_findings(const struct claw_past_run *run)
{
	struct group *groups = NULL;
	size_t count = 0, counts[CLAW_VERDICT_COUNT] = { 0 };
	const char *comma = " ";

	for (size_t i = 0; i < run->result_count; i++) {
		const struct claw_result *result = &run->results[i];

		counts[result->verdict]++;
		if (claw_verdict_class(result->verdict) == 'f')
			add_finding(&groups, &count, result);
	}
	for (size_t i = 0; i < count; i++)
		print_group(&groups[i]);
	for (size_t i = 0; i < run->note_count; i++)
		if (claw_begins(run->notes[i], "seen only on "))
			printf("%s\n", run->notes[i]);
	printf("%zu results:", run->result_count);
	for (int i = 0; i < CLAW_VERDICT_COUNT; i++) {
		if (!counts[i])
			continue;
		printf("%s%zu %s", comma, counts[i],
		       claw_verdict_name((enum claw_verdict)i));
		comma = ", ";
	}
	printf("; %zu finding%s\n", count, count == 1 ? "" : "s");
	free(groups);
}

/* As the command itself would have printed it. */
static void print_summary(const struct claw_batch *batch)
{
	const struct claw_report_head options = {
		.source_root = given.source_root, .durations = given.durations,
		.verbose = given.verbose,
		.color = claw_color_enabled(STDOUT_FILENO),
	};
	struct claw_past_run *run = NULL;
	char error[1024];

	if (strcmp(batch->verb, "test") == 0 || claw_batch_is_soak(batch)) {
		claw_report_write(batch->directory, given.tap ?
				  &claw_report_tap : &claw_report_text, stdout,
				  &options, NULL);
		return;
	}
	if (given.quiet || claw_past_run_read(batch->directory, &run, error,
					      sizeof(error)) < 0)
		return;
	print_findings(run);
	claw_past_run_free(run);
}

/* "slurm: 63 of 64 pieces done, 1 given up, 5 attempts lost"; malloced. */
static char *pieces_text(const struct claw_batch *batch)
{
	const struct claw_queue *queue = &batch->queue;
	size_t given_up = claw_queue_count(queue, CLAW_PIECE_GIVEN_UP);
	char *more = given_up ? claw_format(" %zu given up,", given_up) :
		     claw_strdup(""), *text;
	size_t lost = 0;

	for (size_t i = 0; i < queue->count; i++)
		lost += queue->pieces[i].lost;
	text = claw_format("%s: %zu of %zu pieces done,%s %zu attempt%s lost",
			   batch->engine->name,
			   claw_queue_count(queue, CLAW_PIECE_DONE),
			   queue->count, more, lost, lost == 1 ? "" : "s");
	free(more);
	return text;
}

static void say_pieces(const struct claw_batch *batch, const char *text)
{
	const struct claw_queue *queue = &batch->queue;

	for (size_t i = 0; i < queue->count; i++) {
		const struct claw_piece *piece = &queue->pieces[i];
		char *why = piece->state != CLAW_PIECE_GIVEN_UP ? NULL :
			claw_queue_text(queue, i, piece->attempt, "lost");

		if (piece->state == CLAW_PIECE_GIVEN_UP)
			claw_warn("piece %zu given up after %d attempts: %s",
				  i + 1, CLAW_BATCH_ATTEMPTS, why ? why : "");
		free(why);
	}
	if (!given.quiet || claw_queue_count(queue, CLAW_PIECE_GIVEN_UP) > 0)
		claw_warn("%s", text);
}

/* ---- all of it ----------------------------------------------------------- */

/* Those that were asked for; merging has written the others. */
static void write_files(const struct claw_batch *batch)
{
	const struct claw_report_head head = {
		.verb = batch->verb, .source_root = given.source_root,
	};
	const char *path = NULL;
	int ret = claw_report_files_add(batch->directory, &given.files, &head,
					&path);

	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", path ? path : batch->shown,
			 ret == -CLAW_E_IO ? strerror(errno) :
			 claw_error_text(ret));
}

/* Every piece is done; or no node has a device: then all is skipped, as it would be
 * without --on. Where another node has one what was skipped is missing. */
static bool is_whole(const struct claw_batch *batch)
{
	const struct claw_queue *queue = &batch->queue;
	bool is = true, has_device = false;

	for (size_t i = 0; i < queue->count; i++) {
		const struct claw_piece *piece = &queue->pieces[i];
		char *why = piece->state != CLAW_PIECE_GIVEN_UP ? NULL :
			claw_queue_text(queue, i, piece->attempt, "lost");
		char *device = device_of(batch, i);

		has_device |= *device != '\0';
		is &= piece->state == CLAW_PIECE_DONE ||
		      (why && strcmp(why, CLAW_QUEUE_NO_DEVICE) == 0);
		free(why);
		free(device);
	}
	return is && (!has_device || claw_queue_count(queue, CLAW_PIECE_DONE) ==
					     queue->count);
}

int claw_batch_finish(struct claw_batch *batch, int number)
{
	struct claw_report_words words = {
		.output = batch->directory, .is_open = true,
		.cancelled = number != 0 || !is_whole(batch),
		.has_findings_status = true, .started = batch->started,
		.argc = (int)claw_list_count(batch->command),
		.argv = batch->command,
	};
	struct claw_past_run **runs;
	char **devices, *text = pieces_text(batch);
	size_t count;
	int status;

	given.source_root = claw_report_source_root(given.source_root);
	count = read_pieces(batch, &runs, &devices);
	words.devices = devices;
	words.source_root = given.source_root;
	words.findings_status = (int)given.error_exitcode;
	words.note = text;
	say_pieces(batch, text);
	if (count == 0) {
		free(runs);
		status = end_without_plan(batch);
	} else {
		status = claw_merge_runs(&words, runs, count);
		write_files(batch);
		print_summary(batch);
		if (!given.quiet)
			fprintf(stderr, "reports: %s\n", batch->shown);
	}
	free(text);
	claw_list_free(devices);
	return status;
}
