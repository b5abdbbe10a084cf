/* SPDX-License-Identifier: Apache-2.0 */
/* A batch as a program, and what an engine is. */
#ifndef CLAW_BATCH_PRIVATE_H
#define CLAW_BATCH_PRIVATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "batch.h"
#include "batch_queue.h"

enum { CLAW_BATCH_TASKS_MAX = 10000, CLAW_BATCH_PIECES_MAX = 100000 };

struct claw_batch {
	char *directory, *shown;	/* absolute; as a person knows it */
	char *id;			/* of this batch and no other */
	char *verb, *cwd, *started;
	char *program;			/* openclaw, at the same path everywhere */
	char **command;			/* as it was given, from the verb on */
	char **words;			/* options of each piece */
	char **operands;
	char **own;			/* options of the result (batch_result.c) */
	char *on;			/* "slurm:partition=gpu,array=40" */
	const struct claw_engine *engine;
	char **engine_words;		/* those behind the colon that the engine has */
	uint64_t tasks, pieces;
	struct claw_queue queue;
	char **jobs;			/* what the engine calls what was started */
};

/* Which tasks there are now. */
struct claw_batch_living {
	char **tasks;			/* their names, as "K.A.taken" has them */
	bool is_unknown;		/* the engine did not answer */
};

struct claw_engine {
	const char *name;
	uint64_t (*default_tasks)(void);
	/* Are these words of its own? 0 or -CLAW_E_USAGE. */
	int (*check)(const struct claw_batch *batch, char *error,
		     size_t error_size);
	/* Start so many tasks and claw_batch_add_job() them, or write what starts
	 * them: 0, -CLAW_E_USAGE (the engine refuses the words),
	 * -CLAW_E_NOT_FOUND (it is not here) or another error. */
	int (*start)(struct claw_batch *batch, uint64_t tasks, char *error,
		     size_t error_size);
	/* NULL: it cannot be asked. Tasks that wait count as living. */
	void (*look)(const struct claw_batch *batch,
		     struct claw_batch_living *living);
	/* Why a task is gone, malloced, or NULL: not known. */
	char *(*why)(const struct claw_batch *batch, const char *task);
	/* End all of them. */
	void (*cancel)(const struct claw_batch *batch);
	/* The name of the task that this process is, malloced; NULL: it is none of
	 * this engine. "BASE#RUN": what has the same base and another run is
	 * gone. */
	char *(*self)(void);
	unsigned int interval_ms;	/* between two looks */
};

extern const struct claw_engine claw_engine_local, claw_engine_slurm,
	claw_engine_kubernetes;
extern const struct claw_engine *const claw_engines[];	/* ends with NULL */

/* "NAME[:WORD,...]": fills on, engine, engine_words, tasks and pieces. 0 or
 * -CLAW_E_USAGE. */
int claw_batch_parse_on(struct claw_batch *batch, const char *text,
			char *error, size_t error_size);
/* The value of an engine's word, "" of one without; NULL: it is not there. */
const char *claw_batch_word(const struct claw_batch *batch, const char *name);

/* The name that an engine shows for it, malloced. */
char *claw_batch_name(const struct claw_batch *batch);

/* Split the command line into what pieces get and what the result gets: verb,
 * command, words, operands, own, on. ret_output, ret_force, ret_detach: of the
 * whole. 0 or -CLAW_E_USAGE. */
struct claw_batch_frame {
	const char *output;
	bool force, detach;
};
int claw_batch_split(struct claw_batch *batch,
		     const struct claw_command *command, int argc,
		     char *const *argv, struct claw_batch_frame *ret_frame,
		     char *error, size_t error_size);

bool claw_batch_knows(const char *verb);
/* Do its options end at the first operand? */
bool claw_batch_stops_at_operand(const char *verb);
/* One piece, which later attempts resume. */
bool claw_batch_is_soak(const struct claw_batch *batch);

/* DIRECTORY/batch.json, which never changes, and the jobs beside it. Write: 0 or
 * -CLAW_E_IO. Read: 0, -CLAW_E_USAGE, or -CLAW_E_IO. */
int claw_batch_write(const struct claw_batch *batch);
int claw_batch_read(const char *directory, struct claw_batch *ret_batch,
		    char *error, size_t error_size);
/* The text of batch.json, into an empty batch, which is to be released whatever
 * comes of it. 0 or -CLAW_E_USAGE. */
int claw_batch_parse(struct claw_batch *batch, const char *text, size_t size,
		     char *error, size_t error_size);
void claw_batch_release(struct claw_batch *batch);
/* 0 or -CLAW_E_IO. */
int claw_batch_add_job(struct claw_batch *batch, const char *job);

/* A file or folder of the batch, malloced. */
char *claw_batch_path(const struct claw_batch *batch, const char *name);
/* The output directory of an attempt, malloced. */
char *claw_batch_piece_path(const struct claw_batch *batch, size_t index,
			    unsigned int attempt);

/* Wait for all pieces, put back what was lost, start tasks that are missing, say
 * so on stderr. ret_signal: the signal that ended it, 0: none; ret_status: a
 * piece found the command line wrong, or nothing can run: the exit status of
 * the whole; -1: none did. */
void claw_batch_follow(struct claw_batch *batch, int *ret_signal,
		       int *ret_status);

/* What a piece's openclaw wrote to stderr, on ours. */
void claw_batch_say_log(const struct claw_batch *batch, size_t index);
/* The engine's start(): -1, or the exit status of a failure that it has said. */
int claw_batch_start(struct claw_batch *batch, uint64_t tasks);

/* The options of the result: before claw_batch_finish(), and for the history. */
void claw_batch_parse_own(const struct claw_batch *batch);
/* The run that the pieces are parts of: its records, reports and summary. The exit
 * status. */
int claw_batch_finish(struct claw_batch *batch, int number);

#endif
