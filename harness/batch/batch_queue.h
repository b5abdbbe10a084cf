/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pieces of a batch, each with its attempts, as files of a folder that all
 * tasks share:
 *
 *     K.A.taken	attempt A of piece K: its first line is the task's name
 *     K.A.done		it came to its end: its exit status, a blank, the device
 *     K.A.lost		its task is gone, or openclaw failed there: why
 *     K.A.cancelled	it was ended on purpose: no failure of the piece
 *
 *     cancel		whoever follows the batch is ending its tasks
 *
 * A file appears whole, by link(2), and once: of two tasks that want an attempt
 * one gets it, on NFS, too; the file system must have hard links. The folder is
 * held open: a task of a batch whose folder was removed finds no piece in the
 * one that took its place.
 */
#ifndef CLAW_BATCH_QUEUE_H
#define CLAW_BATCH_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLAW_BATCH_ATTEMPTS = 3 };	/* lost so often, a piece is given up */

enum claw_piece_state {
	CLAW_PIECE_FREE, CLAW_PIECE_TAKEN, CLAW_PIECE_DONE,
	CLAW_PIECE_GIVEN_UP,
};

struct claw_piece {
	enum claw_piece_state state;
	unsigned int attempt;	/* TAKEN, DONE, GIVEN_UP: which, from 1; FREE:
				 * the one before, 0: none */
	unsigned int lost;	/* attempts */
	unsigned int taken, closed;	/* the newest that is taken, that is over */
};

#define CLAW_QUEUE_NO_DEVICE "no OpenCL device"	/* why an attempt is lost */

struct claw_queue {
	char *folder;
	int fd;			/* of the folder; -1: it is not there */
	struct claw_piece *pieces;
	size_t count;
};

/* Nothing is read yet. */
void claw_queue_init(struct claw_queue *queue, const char *folder,
		     size_t count);
void claw_queue_release(struct claw_queue *queue);

/* As the folder is now. 0 or -CLAW_E_IO. */
int claw_queue_read(struct claw_queue *queue);
size_t claw_queue_count(const struct claw_queue *queue,
			enum claw_piece_state state);

/* Take the next attempt of a free piece, from the one with number start on.
 * Returns 0, -CLAW_E_NOT_FOUND (none is free) or -CLAW_E_IO. */
int claw_queue_take(struct claw_queue *queue, const char *task, size_t start,
		    size_t *ret_index, unsigned int *ret_attempt);

/* The attempt is over; end: "done", "lost" or "cancelled". What is there already
 * stays. 0 or -CLAW_E_IO. */
int claw_queue_close(struct claw_queue *queue, size_t index,
		     unsigned int attempt, const char *end, const char *text);

/* Mark the folder as one whose tasks are being ended, or not. */
void claw_queue_set_cancelled(struct claw_queue *queue, bool is_cancelled);
bool claw_queue_is_cancelled(const struct claw_queue *queue);

/* The task that has the attempt lives; how many seconds ago it said so, by the clock
 * of the file system, 0: not known. */
void claw_queue_touch(const struct claw_queue *queue, size_t index,
		      unsigned int attempt);
int64_t claw_queue_silence_s(const struct claw_queue *queue, size_t index,
			     unsigned int attempt);

/* What a file of the attempt says, its first line; malloced, or NULL. */
char *claw_queue_text(const struct claw_queue *queue, size_t index,
		      unsigned int attempt, const char *end);

/* The exit status of an attempt that is done; -1: it is not. */
int claw_queue_status(const struct claw_queue *queue, size_t index,
		      unsigned int attempt);

/* "FOLDER/K.A" with what is behind it; malloced. */
char *claw_queue_path(const struct claw_queue *queue, size_t index,
		      unsigned int attempt, const char *behind);

#endif
