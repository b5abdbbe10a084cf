/* SPDX-License-Identifier: Apache-2.0 */
/* Decide whether a process is worth a dump. */
#include "config.h"

#include "dump_trigger.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "faults/shared/plan.h"
#include "faults/shared/trace_format.h"
#include "harness/files/outside_file.h"
#include "harness/base/words.h"

/* Somebody wanted it to end. */
static bool is_wish(int number)
{
	return number == SIGINT || number == SIGTERM || number == SIGHUP ||
	       number == SIGPIPE;
}

/* Has the guest marked a record of the trace? */
static bool trace_has_trigger(const char *path)
{
	struct claw_trace_header header;
	int fd = path ? claw_outside_open(path, CLAW_OUTSIDE_OWN,
					  UINT64_MAX) : -1;
	bool has = fd >= 0 &&
		read(fd, &header, sizeof(header)) == (ssize_t)sizeof(header) &&
		memcmp(header.magic, CLAW_TRACE_MAGIC,
		       sizeof(header.magic)) == 0 &&
		header.version != 0 && header.version <= CLAW_TRACE_VERSION &&
		header.trigger_position != 0;

	if (fd >= 0)
		close(fd);
	return has;
}

static bool is_device_fault(uint16_t fault)
{
	return fault < CLAW_FAULT_COUNT &&
	       claw_fault_table[fault].device == CLAW_DEVICE_BREAKS;
}

static void look_at_events(const struct claw_journal *journal,
			   struct claw_dump_trigger *trigger)
{
	size_t count = claw_journal_get_event_count(journal);

	for (size_t i = 0; i < count; i++) {
		const struct claw_journal_record *event =
			claw_journal_get_event(journal, i);

		if (!event)
			continue;
		if (event->flags & CLAW_REC_CRASH)
			trigger->crash = event;
		else if (event->flags & CLAW_REC_INJECTED &&
			 is_device_fault(event->fault))
			trigger->device = true;
	}
}

static void take_signal(struct claw_dump_trigger *trigger, int number)
{
	const struct claw_journal_record *crash = trigger->crash;

	trigger->name = "signal";
	trigger->signal = number;
	if (crash && crash->result == number &&
	    (crash->handle || crash->value)) {
		trigger->has_address = true;
		trigger->address = crash->handle;
	}
}

void claw_dump_trigger_find(const struct claw_journal *journal,
			    const char *trace_path,
			    const struct claw_run_result *result,
			    bool is_running, bool is_last,
			    struct claw_dump_trigger *ret_trigger)
{
	struct claw_dump_trigger trigger = { .name = NULL };
	bool said_end = claw_journal_get_header(journal)->state ==
		CLAW_JOURNAL_CLOSED;

	look_at_events(journal, &trigger);
	trigger.device = trigger.device || trace_has_trigger(trace_path);
	if (result && result->end == CLAW_END_TIMEOUT)
		trigger.name = "timeout";
	else if (result && result->end == CLAW_END_SIGNAL &&
		 !is_wish(result->code))
		take_signal(&trigger, result->code);
	else if (!result && !is_running && trigger.crash && !said_end)
		take_signal(&trigger, trigger.crash->result);
	else if (trigger.device)
		trigger.name = "device";
	trigger.has_vanished = !result && !is_running && is_last && !said_end &&
		!trigger.signal;
	*ret_trigger = trigger;
}

const char *claw_dump_trigger_text(const struct claw_dump_trigger *trigger)
{
	static char text[192];

	if (trigger->signal) {
		snprintf(text, sizeof(text), "killed by %s%s",
			 claw_signal_words(trigger->signal),
			 trigger->signal == SIGKILL ? ", sent from outside: "
			 "by a user or the out-of-memory killer" : "");
		return text;
	}
	if (!trigger->name)
		return "nothing went wrong";
	if (strcmp(trigger->name, "timeout") == 0)
		return "timed out";
	if (strcmp(trigger->name, "device") == 0)
		return "the device crashed or was lost";
	if (strcmp(trigger->name, "request") == 0)
		return "requested from outside";
	return trigger->has_vanished ?
		"vanished: SIGKILL, the out-of-memory killer, _exit() or a "
		"power failure" : "its end";
}
