/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads for calls of a driver that may never return. A thread that was given
 * up is left to itself: it ends when the driver does return.
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "clw_private.h"

enum state { IDLE, RUNNING, DONE, GIVEN_UP, QUIT };

struct clw_helper {
	struct clw_helper *next;	/* idle ones of the context */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;		/* one waits at a time: thread or caller */
	enum state state;
	struct clw_task *task;
};

static void free_helper(struct clw_helper *helper)
{
	pthread_cond_destroy(&helper->changed);
	pthread_mutex_destroy(&helper->lock);
	free(helper);
}

static void *work(void *user)
{
	struct clw_helper *helper = user;
	struct clw_task *task;
	bool given_up;

	for (;;) {
		pthread_mutex_lock(&helper->lock);
		while (helper->state == IDLE || helper->state == DONE)
			pthread_cond_wait(&helper->changed, &helper->lock);
		task = helper->task;
		given_up = helper->state == QUIT;
		pthread_mutex_unlock(&helper->lock);
		if (given_up)
			return NULL;
		task->run(task);
		pthread_mutex_lock(&helper->lock);
		given_up = helper->state == GIVEN_UP;
		if (!given_up)
			helper->state = DONE;
		pthread_cond_signal(&helper->changed);
		pthread_mutex_unlock(&helper->lock);
		if (given_up)
			break;
	}
	free_helper(helper);
	task->drop(task);
	return NULL;
}

/* On the clock that does not jump. */
static int init_changed(pthread_cond_t *changed)
{
	pthread_condattr_t attributes;
	int ret = pthread_condattr_init(&attributes);

	if (ret)
		return ret;
	ret = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	if (!ret)
		ret = pthread_cond_init(changed, &attributes);
	pthread_condattr_destroy(&attributes);
	return ret;
}

/* The program's signals are for its own threads. */
static int start(struct clw_helper *helper)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	ret = pthread_create(&helper->thread, NULL, work, helper);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret;
}

static struct clw_helper *new_helper(void)
{
	struct clw_helper *helper = calloc(1, sizeof(*helper));

	if (!helper)
		return NULL;
	if (pthread_mutex_init(&helper->lock, NULL)) {
		free(helper);
		return NULL;
	}
	if (init_changed(&helper->changed)) {
		pthread_mutex_destroy(&helper->lock);
		free(helper);
		return NULL;
	}
	if (start(helper)) {
		free_helper(helper);
		return NULL;
	}
	return helper;
}

static struct clw_helper *take_helper(struct clw_context *context)
{
	struct clw_helper *helper;

	pthread_mutex_lock(&context->lock);
	helper = context->idle;
	if (helper)
		context->idle = helper->next;
	pthread_mutex_unlock(&context->lock);
	return helper ? helper : new_helper();
}

/* Returns whether the task has run. */
static bool wait_for(struct clw_helper *helper, uint64_t deadline)
{
	struct timespec until = {
		.tv_sec = (time_t)(deadline / CLW_NS_PER_S),
		.tv_nsec = (long)(deadline % CLW_NS_PER_S),
	};
	int ret = 0;

	while (helper->state == RUNNING && ret != ETIMEDOUT)
		ret = deadline == UINT64_MAX ?
			pthread_cond_wait(&helper->changed, &helper->lock) :
			pthread_cond_timedwait(&helper->changed, &helper->lock,
					       &until);
	return helper->state == DONE;
}

bool clw_task_run(struct clw_context *context, struct clw_task *task,
		  uint64_t timeout_ns)
{
	uint64_t deadline = clw_deadline(timeout_ns);
	struct clw_helper *helper = take_helper(context);
	bool has_run;

	if (!helper) {			/* it cannot be given up, then */
		task->run(task);
		return true;
	}
	pthread_mutex_lock(&helper->lock);
	helper->task = task;
	helper->state = RUNNING;
	pthread_cond_signal(&helper->changed);
	has_run = wait_for(helper, deadline);
	helper->state = has_run ? IDLE : GIVEN_UP;
	if (!has_run)
		pthread_detach(helper->thread);
	pthread_mutex_unlock(&helper->lock);
	if (!has_run)			/* the helper is its own, and may be gone */
		return false;
	pthread_mutex_lock(&context->lock);
	helper->next = context->idle;
	context->idle = helper;
	pthread_mutex_unlock(&context->lock);
	return true;
}

void clw_given_up(struct clw_context *context, int more)
{
	pthread_mutex_lock(&context->lock);
	context->given_up += more;
	pthread_mutex_unlock(&context->lock);
}

void clw_helpers_end(struct clw_context *context)
{
	while (context->idle) {
		struct clw_helper *helper = context->idle;

		context->idle = helper->next;
		pthread_mutex_lock(&helper->lock);
		helper->state = QUIT;
		pthread_cond_signal(&helper->changed);
		pthread_mutex_unlock(&helper->lock);
		pthread_join(helper->thread, NULL);
		free_helper(helper);
	}
}
