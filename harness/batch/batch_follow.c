/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Until every piece is done or given up: what a lost task had is put back, and
 * tasks are started while pieces are free and too few tasks live.
 *
 * A task that has a piece and is not among the living may have ended just now,
 * its piece done: the folder is read before and after the engine is asked, what is
 * done by then is done, and a task must be missed twice: of NFS a folder may be
 * read as it was some seconds ago.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "batch_private.h"
#include "faults/shared/clock.h"
#include "harness/base/errors.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/text_list.h"
#include "harness/files/outside_file.h"

enum {
	LOG_LINE_MS = 30 * 1000,
	FRUITLESS_MAX = 2,	/* starts of which no task took a piece */
	UNKNOWN_MS = 60 * 1000,
	SILENCE_S = 5 * 60,	/* five signs of a task have not come */
	IDLE_MS = 10 * 60 * 1000,
	MISSED_MAX = 2,		/* looks at an engine */
	CANCEL_MS = 15 * 1000,
};

struct following {
	struct claw_batch *batch;
	struct claw_batch_living living;
	size_t done, lost, lost_at_start, taken_ever;
	unsigned int fruitless;
	uint64_t line_ms, unknown_ms, idle_ms;
	unsigned char *missed;	/* by piece: looks that did not see its task */
	bool progress_shown, has_started, unknown_said, idle_said;
	int status;
};

static void clear_progress(struct following *all)
{
	if (all->progress_shown)
		fputs("\r\033[K", stderr);
	all->progress_shown = false;
}

static void say_progress(struct following *all)
{
	const struct claw_queue *queue = &all->batch->queue;
	bool is_terminal = isatty(STDERR_FILENO);
	uint64_t now = claw_clock_mono_ms();
	bool is_quiet = claw_list_has(all->batch->own, "--quiet");

	if (is_quiet || (!is_terminal && now - all->line_ms < LOG_LINE_MS))
		return;
	all->line_ms = now;
	clear_progress(all);
	fprintf(stderr, "%zu of %zu pieces done, %zu being done, %zu lost%s",
		claw_queue_count(queue, CLAW_PIECE_DONE), queue->count,
		claw_queue_count(queue, CLAW_PIECE_TAKEN), all->lost,
		is_terminal ? "" : "\n");
	all->progress_shown = is_terminal;
	fflush(stderr);
}

static void read_queue(struct following *all)
{
	struct claw_queue *queue = &all->batch->queue;

	if (claw_queue_read(queue) < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", queue->folder,
			 strerror(errno));
}

/* ---- lost pieces --------------------------------------------------------- */

static void lose(struct following *all, size_t index, unsigned int attempt,
		 const char *task)
{
	struct claw_batch *batch = all->batch;
	char *why = batch->engine->why ? batch->engine->why(batch, task) : NULL;
	char *text = claw_format("task %s is gone%s%s", task, why ? ": " : "",
				 why ? why : "");

	clear_progress(all);
	claw_warn("piece %zu, attempt %u: %s", index + 1, attempt, text);
	if (claw_queue_close(&batch->queue, index, attempt, "lost", text) < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", batch->queue.folder,
			 strerror(errno));
	free(text);
	free(why);
}

/* Whose pieces are taken, by piece; NULL: it is not. */
static char **owners_of(const struct claw_queue *queue)
{
	char **owners = claw_calloc(queue->count, sizeof(*owners));

	for (size_t i = 0; i < queue->count; i++)
		if (queue->pieces[i].state == CLAW_PIECE_TAKEN)
			owners[i] = claw_queue_text(queue, i,
						    queue->pieces[i].attempt,
						    "taken");
	return owners;
}

static void put_back(struct following *all, char *const *owners)
{
	const struct claw_queue *queue = &all->batch->queue;
	bool is_changed = false;

	for (size_t i = 0; i < queue->count; i++) {
		const struct claw_piece *piece = &queue->pieces[i];
		bool is_missing = owners[i] &&
			piece->state == CLAW_PIECE_TAKEN &&
			!claw_list_has(all->living.tasks, owners[i]) &&
			claw_queue_status(queue, i, piece->attempt) < 0;

		all->missed[i] = (unsigned char)(is_missing ?
						 all->missed[i] + 1 : 0);
		if (all->missed[i] < MISSED_MAX)
			continue;
		all->missed[i] = 0;
		lose(all, i, piece->attempt, owners[i]);
		is_changed = true;
	}
	if (is_changed)
		read_queue(all);
}

/* Of an engine that cannot be asked a task says itself that it lives. */
static void put_back_silent(struct following *all)
{
	struct claw_queue *queue = &all->batch->queue;

	for (size_t i = 0; i < queue->count; i++) {
		const struct claw_piece *piece = &queue->pieces[i];
		char *owner;

		if (piece->state != CLAW_PIECE_TAKEN ||
		    claw_queue_silence_s(queue, i, piece->attempt) < SILENCE_S)
			continue;
		owner = claw_queue_text(queue, i, piece->attempt, "taken");
		lose(all, i, piece->attempt, owner ? owner : "");
		free(owner);
	}
	read_queue(all);
}

/* Nobody does the pieces that are left: once. */
static void say_idle(struct following *all)
{
	struct claw_batch *batch = all->batch;
	uint64_t now = claw_clock_mono_ms();
	char *name;

	if (claw_queue_count(&batch->queue, CLAW_PIECE_TAKEN) > 0)
		all->idle_ms = now;
	if (all->idle_said || now - all->idle_ms < IDLE_MS)
		return;
	all->idle_said = true;
	clear_progress(all);
	name = claw_batch_name(batch);
	claw_warn("no task has taken a piece for %d minutes; see kubectl "
		  "describe job %s, or submit it again", IDLE_MS / 60000, name);
	free(name);
}

/* An engine that does not answer for long is said once; we go on asking. */
static void say_unknown(struct following *all)
{
	uint64_t now = claw_clock_mono_ms();

	if (!all->living.is_unknown) {
		all->unknown_ms = 0;
		return;
	}
	if (!all->unknown_ms)
		all->unknown_ms = now;
	if (all->unknown_said || now - all->unknown_ms < UNKNOWN_MS)
		return;
	all->unknown_said = true;
	clear_progress(all);
	claw_warn("%s does not say which tasks there are: lost ones are not "
		  "noticed until it does", all->batch->engine->name);
}

static void look(struct following *all)
{
	struct claw_batch *batch = all->batch;
	char **owners = owners_of(&batch->queue);

	claw_list_free(all->living.tasks);
	all->living = (struct claw_batch_living) { .tasks = NULL };
	if (batch->jobs)
		batch->engine->look(batch, &all->living);
	read_queue(all);
	say_unknown(all);
	if (!all->living.is_unknown)
		put_back(all, owners);
	for (size_t i = 0; i < batch->queue.count; i++)
		free(owners[i]);
	free(owners);
}

/* ---- starting ------------------------------------------------------------ */

static size_t attempts_of(const struct claw_queue *queue)
{
	size_t sum = 0;

	for (size_t i = 0; i < queue->count; i++)
		sum += queue->pieces[i].taken;
	return sum;
}

/* The newest log of a task may say why none took a piece. */
static void give_up(struct following *all)
{
	clear_progress(all);
	claw_warn("the tasks end without taking a piece; what they say is in "
		  "%s/tasks", all->batch->shown);
	all->status = CLAW_EXIT_INFRA;
}

int claw_batch_start(struct claw_batch *batch, uint64_t tasks)
{
	char error[1024];
	int ret = batch->engine->start(batch, tasks, error, sizeof(error));

	if (ret == 0)
		return -1;
	claw_warn("%s", error);
	return ret == -CLAW_E_USAGE ? CLAW_EXIT_USAGE :
	       ret == -CLAW_E_NOT_FOUND ? CLAW_EXIT_SKIPPED : CLAW_EXIT_INFRA;
}

static void start(struct following *all)
{
	struct claw_batch *batch = all->batch;
	size_t free_ones = claw_queue_count(&batch->queue, CLAW_PIECE_FREE);
	size_t attempts = attempts_of(&batch->queue), wanted;
	size_t living = claw_list_count(all->living.tasks);

	/* Each that lives takes a piece when it has done its own: another takes
	 * the place of one that was lost, and of no other. */
	wanted = free_ones < batch->tasks ? free_ones : (size_t)batch->tasks;
	if (all->living.is_unknown || living >= wanted ||
	    (living > 0 && all->lost == all->lost_at_start))
		return;
	if (all->has_started && living == 0)
		all->fruitless = attempts == all->taken_ever ?
			all->fruitless + 1 : 0;
	if (all->fruitless >= FRUITLESS_MAX) {
		give_up(all);
		return;
	}
	all->has_started = true;
	all->lost_at_start = all->lost;
	all->taken_ever = attempts;
	clear_progress(all);
	all->status = claw_batch_start(batch, wanted - living);
}

/* ---- the end ------------------------------------------------------------- */

/* The command line is wrong, or the program is not there: every piece would say
 * the same. */
static bool is_hopeless(int status)
{
	return status == CLAW_EXIT_USAGE || status == CLAW_EXIT_NO_PROGRAM ||
	       status == CLAW_EXIT_NOT_EXECUTABLE;
}

void claw_batch_say_log(const struct claw_batch *batch, size_t index)
{
	char *directory = claw_batch_piece_path(batch, index,
					batch->queue.pieces[index].attempt);
	char *path = claw_format("%s.err", directory);
	char *line = NULL;
	size_t room = 0;
	FILE *in = claw_outside_fopen(path);

	while (in && claw_getline(&line, &room, in) > 0)
		fputs(line, stderr);
	if (in)
		fclose(in);
	free(line);
	free(path);
	free(directory);
}

static void look_at_done(struct following *all)
{
	struct claw_queue *queue = &all->batch->queue;
	size_t done = claw_queue_count(queue, CLAW_PIECE_DONE);

	all->lost = 0;
	for (size_t i = 0; i < queue->count; i++)
		all->lost += queue->pieces[i].lost;
	for (size_t i = 0; done != all->done && i < queue->count; i++) {
		const struct claw_piece *piece = &queue->pieces[i];
		int status = piece->state != CLAW_PIECE_DONE ? -1 :
			claw_queue_status(queue, i, piece->attempt);

		if (all->status < 0 && is_hopeless(status)) {
			clear_progress(all);
			claw_batch_say_log(all->batch, i);
			all->status = status;
		}
	}
	all->done = done;
}

static bool is_over(const struct following *all)
{
	const struct claw_queue *queue = &all->batch->queue;

	return all->status >= 0 ||
	       claw_queue_count(queue, CLAW_PIECE_DONE) +
	       claw_queue_count(queue, CLAW_PIECE_GIVEN_UP) == queue->count;
}

static void wait_ms(unsigned int ms)
{
	const struct timespec time = {
		.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000,
	};

	nanosleep(&time, NULL);
}

static bool end_tasks(struct claw_batch *batch)
{
	if (!batch->engine->cancel)
		return false;
	claw_queue_set_cancelled(&batch->queue, true);
	batch->engine->cancel(batch);
	return true;
}

/* Tasks put back what they have; what one has that was killed is put back here,
 * without being counted as lost. */
static void cancel(struct following *all)
{
	struct claw_batch *batch = all->batch;
	uint64_t start_ms = claw_clock_mono_ms();

	if (!end_tasks(batch))
		return;
	do {
		wait_ms(batch->engine->interval_ms);
		claw_list_free(all->living.tasks);
		all->living = (struct claw_batch_living) { .tasks = NULL };
		batch->engine->look(batch, &all->living);
	} while (all->living.tasks &&
		 claw_clock_mono_ms() - start_ms < CANCEL_MS);
	read_queue(all);
	for (size_t i = 0; i < batch->queue.count; i++)
		if (batch->queue.pieces[i].state == CLAW_PIECE_TAKEN)
			claw_queue_close(&batch->queue, i,
					 batch->queue.pieces[i].attempt,
					 "cancelled", "killed");
	read_queue(all);
}

void claw_batch_follow(struct claw_batch *batch, int *ret_signal,
		       int *ret_status)
{
	struct following all = {
		.batch = batch, .status = -1, .done = SIZE_MAX,
		.line_ms = claw_clock_mono_ms(),
		.idle_ms = claw_clock_mono_ms(),
		.missed = claw_calloc(batch->queue.count, 1),
	};

	*ret_signal = 0;
	claw_queue_set_cancelled(&batch->queue, false);
	for (;;) {
		read_queue(&all);
		look_at_done(&all);
		if (is_over(&all))
			break;
		if (batch->engine->look) {
			look(&all);
			start(&all);
		} else {
			put_back_silent(&all);
			say_idle(&all);
		}
		say_progress(&all);
		*ret_signal = claw_interrupt_take();
		if (*ret_signal)
			break;
		wait_ms(batch->engine->interval_ms);
	}
	clear_progress(&all);
	/* Tasks that wait in a queue have nothing to do any more. */
	if (*ret_signal || all.status >= 0)
		cancel(&all);
	else if (all.living.tasks)
		end_tasks(batch);
	*ret_status = all.status;
	claw_list_free(all.living.tasks);
	free(all.missed);
}
