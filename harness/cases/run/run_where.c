/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tell a kernel that does not end from a driver that compiles, and from a
 * program that sleeps.
 */
#include "config.h"

#include "run_where.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/api.h"
#include "harness/base/errors.h"

enum {
	POLLS_MIN = 1000,	/* of an event's status: it is waited for so */
	QUEUES_MAX = 64,
};

/* Launches that nobody has waited for yet. */
struct launches {
	uint64_t queues[QUEUES_MAX];
	size_t count;
};

static const char *const launch_names[] = {
	"clEnqueueNDRangeKernel", "clEnqueueTask", "clEnqueueCommandBufferKHR",
};

static bool is_launch(const char *name)
{
	for (size_t i = 0; i < sizeof(launch_names) / sizeof(char *); i++)
		if (strcmp(name, launch_names[i]) == 0)
			return true;
	return false;
}

static uint64_t count_calls(const struct claw_journal *journal,
			    const char *name)
{
	int api = claw_journal_find_api(journal, name);

	return api < 0 ? 0 : claw_journal_get_calls(journal,
						    (unsigned int)api);
}

static void add_launch(struct launches *launches, uint64_t queue)
{
	if (launches->count < QUEUES_MAX)
		launches->queues[launches->count++] = queue;
}

/* clFinish came back: what was in the queue has ended. */
static void end_launches(struct launches *launches, uint64_t queue)
{
	size_t kept = 0;

	for (size_t i = 0; i < launches->count; i++)
		if (launches->queues[i] != queue)
			launches->queues[kept++] = launches->queues[i];
	launches->count = kept;
}

static void take_call(struct claw_test_where *where, const char *name)
{
	int api = claw_api_find(name);

	snprintf(where->call, sizeof(where->call), "%s", name);
	where->is_build = api >= 0 &&
			  (claw_api_table[api].groups & CLAW_G_BUILD);
}

static void follow_calls(const struct claw_journal *journal,
			 struct launches *launches,
			 struct claw_test_where *where)
{
	for (size_t i = 0; i < claw_journal_get_call_count(journal); i++) {
		const struct claw_journal_record *call =
			claw_journal_get_call(journal, i);
		const char *name = call ?
			claw_journal_get_api_name(journal, call->api) : "";

		if (call && (call->flags & CLAW_REC_BLOCKS)) {
			take_call(where, name);
		} else if (call && call->result == CL_SUCCESS &&
			   is_launch(name)) {
			add_launch(launches, call->handle);
			where->launch_mono_ns =
				claw_journal_get_mono_ns(journal, call->ticks);
		} else if (call && call->result == CL_SUCCESS &&
			   strcmp(name, "clFinish") == 0) {
			end_launches(launches, call->handle);
		}
	}
}

/* A wait that the layer itself holds up. */
static void find_held(const struct claw_journal *journal,
		      struct claw_test_where *where)
{
	for (size_t i = 0; i < claw_journal_get_event_count(journal); i++) {
		const struct claw_journal_record *event =
			claw_journal_get_event(journal, i);

		if (event && (event->flags & CLAW_REC_BLOCKS))
			take_call(where, claw_journal_get_api_name(journal,
								   event->api));
	}
}

/* A launching call is counted when it is entered and recorded when it comes
 * back: a driver may compile in it. */
static void find_launching(const struct claw_journal *journal,
			   struct claw_test_where *where)
{
	const struct claw_journal_area *area =
		&claw_journal_get_header(journal)->calls;

	for (size_t i = 0; i < sizeof(launch_names) / sizeof(char *); i++) {
		int api = claw_journal_find_api(journal, launch_names[i]);
		uint64_t left = count_calls(journal, launch_names[i]);

		for (size_t c = 0; left > 0 &&
		     c < claw_journal_get_call_count(journal); c++) {
			const struct claw_journal_record *call =
				claw_journal_get_call(journal, c);

			left -= call && call->api == api;
		}
		if (left > 0 && area->used <= area->capacity && !*where->call)
			take_call(where, launch_names[i]);
	}
}

/* Of one process. */
static void look_at_process(const struct claw_journal *journal,
			    struct claw_test_where *ret_where)
{
	struct launches launches = { .count = 0 };

	*ret_where = (struct claw_test_where){ .is_known = true };
	follow_calls(journal, &launches, ret_where);
	if (!*ret_where->call)
		find_held(journal, ret_where);
	find_launching(journal, ret_where);
	if (!*ret_where->call && launches.count > 0 &&
	    count_calls(journal, "clGetEventInfo") >= POLLS_MIN)
		take_call(ret_where, "clGetEventInfo");
	ret_where->is_in_launch = launches.count > 0 && *ret_where->call &&
		!ret_where->is_build && !is_launch(ret_where->call);
}

static bool has_crashed(const struct claw_journal *journal)
{
	for (size_t i = 0; i < claw_journal_get_event_count(journal); i++) {
		const struct claw_journal_record *event =
			claw_journal_get_event(journal, i);

		if (event && (event->flags & CLAW_REC_CRASH))
			return true;
	}
	return false;
}

static int weight(const struct claw_test_where *where)
{
	return where->is_in_launch ? 4 : where->is_build ? 3 :
	       *where->call ? 2 : where->is_known;
}

/* Every process that was ended from outside: what they were in, and how many
 * in a launch. */
static int look(const struct claw_session *session, bool is_newest,
		struct claw_test_where *where, size_t *in_launch)
{
	uint64_t newest = 0;
	char **paths = NULL;
	size_t count = 0;
	int ret = claw_session_journals(session, &paths, &count);

	*where = (struct claw_test_where){ .is_known = false };
	*in_launch = 0;
	for (size_t i = 0; ret == 0 && i < count; i++) {
		const struct claw_journal_header *header;
		struct claw_journal *journal;
		struct claw_test_where one;

		if (claw_journal_read(paths[i], &journal) < 0)
			continue;
		header = claw_journal_get_header(journal);
		if (header->state != CLAW_JOURNAL_CLOSED &&
		    !has_crashed(journal)) {
			look_at_process(journal, &one);
			*in_launch += one.is_in_launch;
			if (is_newest ? header->start_mono_ns >= newest :
			    weight(&one) > weight(where))
				*where = one;
			newest = header->start_mono_ns > newest ?
				 header->start_mono_ns : newest;
		}
		claw_journal_free(journal);
	}
	for (size_t i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
	return ret;
}

int claw_test_where_read(const struct claw_session *session, bool is_newest,
			 struct claw_test_where *ret_where)
{
	size_t in_launch;

	return look(session, is_newest, ret_where, &in_launch);
}

bool claw_test_where_was_launched(const struct claw_session *session)
{
	char **paths = NULL;
	size_t count = 0;
	uint64_t launches = 0;

	if (claw_session_journals(session, &paths, &count) < 0)
		return false;
	for (size_t i = 0; i < count; i++) {
		struct claw_journal *journal;

		if (claw_journal_read(paths[i], &journal) < 0)
			continue;
		for (size_t n = 0; n < sizeof(launch_names) / sizeof(char *);
		     n++)
			launches += count_calls(journal, launch_names[n]);
		claw_journal_free(journal);
	}
	for (size_t i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
	return launches > 0;
}

size_t claw_test_where_count(const struct claw_session *session)
{
	struct claw_test_where where;
	size_t count;

	return look(session, false, &where, &count) < 0 ? 0 : count;
}

const char *claw_test_where_code(const struct claw_test_where *where)
{
	return where->is_in_launch ? "clw-kernel-timeout" :
	       where->is_build ? "clw-kernel-compile-timeout" : NULL;
}
