/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices that are lost, and the contexts made since, which may be good ones.
 */
#include "config.h"

#include "faults/call/guest.h"

#include <pthread.h>
#include <stdatomic.h>

#include "device_private.h"
#include "failure.h"
#include "faults/log/log.h"
#include "faults/call/model_table.h"
#include "faults/call/rule_table.h"
#include "stand_in.h"

enum { MAX_LOST = 64, MAX_CONTEXTS = 1024, MAX_CONTEXT_DEVICES = 16 };

/* A context made since a device was lost, and when. */
struct new_context {
	cl_context context;
	uint64_t since_ns;
};

static struct {
	pthread_mutex_t lock;
	struct claw_lost_device lost[MAX_LOST];
	struct new_context contexts[MAX_CONTEXTS];
	_Atomic unsigned int lost_count;
	unsigned int context_count;
} losses = { .lock = PTHREAD_MUTEX_INITIALIZER };

bool claw_loss_is_any(void)
{
	return losses.lost_count;
}

/* Under the lock: the entry of this device, of none, or NULL. */
static struct claw_lost_device *place_of_loss(cl_device_id device)
{
	for (unsigned int i = 0; i < losses.lost_count; i++)
		if (losses.lost[i].device == device)
			return &losses.lost[i];
	return losses.lost_count < MAX_LOST ? &losses.lost[losses.lost_count] :
		NULL;
}

static void lose_device(cl_device_id device, unsigned int rule_index)
{
	const struct claw_rule *rule = claw_rules_get(rule_index);
	struct claw_lost_device *lost;
	static bool said;

	pthread_mutex_lock(&losses.lock);
	lost = place_of_loss(device);
	if (lost) {
		*lost = (struct claw_lost_device){
			.device = device, .rule = rule_index,
			.since_ns = claw_now_ns(),
			.until_ns = claw_deadline_ns(rule->recover_ns),
			.by_context = rule->recover_context,
		};
		if (lost == &losses.lost[losses.lost_count])
			atomic_fetch_add(&losses.lost_count, 1);
	} else {
		claw_say_full(&said, "lost devices");
	}
	pthread_mutex_unlock(&losses.lock);
}

static void say_lost(const struct claw_call *call)
{
	char name[128];

	if (!claw_log_is_on(CLAW_LOG_ERROR))
		return;
	claw_model_show_name(call, name, sizeof(name));
	claw_log_plain(CLAW_LOG_ERROR, "[ERROR] clw-device-lost: Device '%s' "
		       "is lost, in %s (INJECTED)", name,
		       claw_api_table[call->api].name);
}

void claw_device_lose(struct claw_call *call, unsigned int rule_index)
{
	const struct claw_rule *rule = claw_rules_get(rule_index);
	cl_device_id devices[MAX_CONTEXT_DEVICES];
	unsigned int count = claw_device_of_call(call, devices,
						 MAX_CONTEXT_DEVICES);

	say_lost(call);
	if (claw_failure_begin(call, rule_index, claw_now_ns())) {
		if (!claw_failure_answer(call))
			claw_fail(call, claw_rule_code(rule, call->api));
		return;
	}
	for (unsigned int i = 0; i < count; i++)
		if (rule->device < 0 ||
		    claw_device_index(devices[i]) == rule->device)
			lose_device(devices[i], rule_index);
	claw_watch_all();
	claw_fail(call, claw_rule_code(rule, call->api));
}

/* Under the lock: was the context made after the device was lost? */
static bool is_good_context(const struct claw_lost_device *lost,
			    cl_context context)
{
	for (unsigned int i = 0; i < losses.context_count; i++)
		if (losses.contexts[i].context == context)
			return losses.contexts[i].since_ns >= lost->since_ns;
	return false;
}

/* Under the lock: does this loss concern a call about that context? */
static bool is_met(const struct claw_lost_device *lost,
		   const struct claw_call *call, cl_context context,
		   uint64_t now)
{
	if (now >= lost->until_ns)
		return false;
	if (!lost->by_context)
		return true;
	return !claw_api_makes_context(call->api) &&
	       !is_good_context(lost, context);
}

/* The loss that this call meets: false if none. */
bool claw_loss_find(const struct claw_call *call,
		    struct claw_lost_device *ret_lost)
{
	cl_device_id devices[MAX_CONTEXT_DEVICES];
	unsigned int count = claw_device_of_call(call, devices,
						 MAX_CONTEXT_DEVICES);
	uint64_t now = claw_now_ns();
	cl_context context;
	unsigned int gone = 0;

	if (!count)
		return false;
	claw_ours_begin();
	context = claw_device_context_of(call);
	claw_ours_end();
	pthread_mutex_lock(&losses.lock);
	for (unsigned int j = 0; j < count; j++)
		for (unsigned int i = 0; i < losses.lost_count; i++)
			if (devices[j] == losses.lost[i].device &&
			    is_met(&losses.lost[i], call, context, now)) {
				*ret_lost = losses.lost[i];
				gone++;
				break;
			}
	pthread_mutex_unlock(&losses.lock);
	return gone && (gone == count || claw_device_needs_each(call));
}

bool claw_loss_check(struct claw_call *call)
{
	struct claw_rule probe = { .fault = CLAW_FAULT_DEVICE_LOST };
	cl_int code = claw_rule_code(&probe, call->api);
	struct claw_lost_device lost;

	if (!code || !claw_loss_find(call, &lost))
		return false;
	claw_fail(call, code);
	claw_device_consequence(call, lost.rule);
	claw_write_event(call, 0);
	return true;
}

void claw_loss_adopt(cl_context context)
{
	static bool said;
	unsigned int i = 0;

	pthread_mutex_lock(&losses.lock);
	while (i < losses.context_count &&
	       losses.contexts[i].context != context)
		i++;
	if (i < MAX_CONTEXTS)
		losses.contexts[i] = (struct new_context){
			context, claw_now_ns(),
		};
	else
		claw_say_full(&said, "contexts after a loss");
	if (i == losses.context_count && i < MAX_CONTEXTS)
		losses.context_count++;
	pthread_mutex_unlock(&losses.lock);
}

void claw_loss_reset(void)
{
	pthread_mutex_init(&losses.lock, NULL);
	atomic_store(&losses.lost_count, 0);
	losses.context_count = 0;
}
