/* SPDX-License-Identifier: Apache-2.0 */
/* Go through the processes of a session and write a dump where one is due. */
#include "config.h"

#include "dump_take.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "dump_file.h"
#include "dump_head.h"
#include "dump_known.h"
#include "harness/crash/dump/dump_log.h"
#include "harness/crash/dump/dump_meta.h"
#include "harness/crash/dump/dump_session.h"
#include "harness/crash/dump/dump_stacks.h"
#include "dump_store.h"
#include "harness/crash/dump/dump_trigger.h"
#include "harness/base/errors.h"
#include "harness/readers/journal_reader.h"
#include "harness/machine/kernel_log.h"
#include "harness/base/memory.h"
#include "harness/session/session.h"
#include "harness/crash/trace/trace_read.h"

enum { KILLED_STATUS = 128 + SIGKILL };	/* a shell's, of what it started */

/* What all dumps of one occasion share. */
struct occasion {
	const struct claw_dump_taking *taking;
	struct claw_dump_store *store;	/* or NULL: nothing was due so far */
	json_t *about, *machine, *opencl;	/* the last two made when due */
	char *dmesg;
	double log_after;		/* what it is from, in seconds since boot */
	const char *log_words;		/* why it is not known, or NULL */
	char **paths;			/* of the journals */
	struct claw_journal **journals;	/* of the same indices, or NULL */
	size_t count;
	struct claw_dumps_made *made;
};

/* ---- one process ------------------------------------------------------ */

/* Nobody took the process's place by exec(). */
static bool is_last_image(const struct occasion *all, size_t index)
{
	const struct claw_journal_header *header =
		claw_journal_get_header(all->journals[index]);

	for (size_t i = 0; i < all->count; i++) {
		const struct claw_journal_header *other = all->journals[i] ?
			claw_journal_get_header(all->journals[i]) : NULL;

		if (other && i != index && other->pid == header->pid &&
		    other->start_mono_ns > header->start_mono_ns)
			return false;
	}
	return true;
}

/* The result that is that process's, too. */
static const struct claw_run_result *result_of(const struct occasion *all,
					       size_t index)
{
	const struct claw_run_result *result = all->taking->result;
	const struct claw_journal_header *header =
		claw_journal_get_header(all->journals[index]);

	if (!result || !is_last_image(all, index))
		return NULL;
	if ((uint32_t)result->pid == header->pid)
		return result;
	/* The time was over for all that it had started. */
	return result->end == CLAW_END_TIMEOUT &&
		header->state != CLAW_JOURNAL_CLOSED ? result : NULL;
}

static void find_trigger(const struct occasion *all, size_t index,
			 const char *trace_path, bool running,
			 struct claw_dump_trigger *trigger)
{
	const struct claw_dump_taking *taking = all->taking;
	const struct claw_run_result *result = taking->result;

	claw_dump_trigger_find(all->journals[index], trace_path,
			       result_of(all, index), running,
			       is_last_image(all, index), trigger);
	/* Of a shell's child that was killed, the shell tells. */
	if (trigger->has_vanished && result && result->end == CLAW_END_EXIT &&
	    result->code == KILLED_STATUS) {
		trigger->name = "signal";
		trigger->signal = SIGKILL;
		trigger->has_vanished = false;
	}
	/* Nobody has seen its end: it may have been killed. */
	if (trigger->has_vanished && !result)
		trigger->name = trigger->name ? trigger->name : "exit";
	if (taking->requested && running)
		trigger->name = "request";
	else if (taking->running_too && running && !trigger->name)
		trigger->name = "request";
	else if (taking->always && !trigger->name)
		trigger->name = "exit";
}

/* When the first of them started, if that is known of this machine. */
static double start_of(const struct occasion *all)
{
	uint64_t start = UINT64_MAX;

	for (size_t i = 0; i < all->count; i++) {
		const struct claw_journal_header *header = all->journals[i] ?
			claw_journal_get_header(all->journals[i]) : NULL;

		if (header && claw_dump_is_of_this_boot(header) &&
		    header->start_mono_ns < start)
			start = header->start_mono_ns;
	}
	return start == UINT64_MAX ? -1 : (double)start * 1e-9;
}

/* Of the kernel's log what came since the program started: the stamp of the
 * last line before that is known, or only the time. */
static void look_at_log(struct occasion *all)
{
	const json_t *last = json_object_get(all->about, "kernel_log_after");
	double start = start_of(all), after = json_is_real(last) ?
		json_real_value(last) : start;
	char *log = NULL;

	if (start < 0) {
		all->log_words = "unknown: not captured since this machine "
			"booted";
	} else if (claw_kernel_log_read(&log) < 0) {
		all->log_words = "unknown: unreadable";
	} else {
		all->log_after = after;
		all->dmesg = claw_dump_log_choose(log, after, all->journals,
						  all->count);
	}
	free(log);
}

/* Asked once: a driver may take its time, or hang. */
static void look_at_machine(struct occasion *all)
{
	if (all->machine)
		return;
	all->machine = claw_dump_machine();
	all->opencl = claw_dump_opencl(all->taking->set_env);
	look_at_log(all);
}

static json_t *make_meta(struct occasion *all, size_t index,
			 const struct claw_dump_trigger *trigger)
{
	const struct claw_run_result *result = all->taking->result;
	const struct claw_journal_header *header =
		claw_journal_get_header(all->journals[index]);
	char *process = claw_session_sibling(all->paths[index], "process");
	json_t *meta = claw_dump_meta_make(all->taking->session, all->about,
		process, all->journals[index],
		result ? (uint32_t)result->pid == header->pid :
		all->count == 1, result_of(all, index), trigger);

	free(process);
	json_object_set(meta, "machine", all->machine);
	json_object_set(meta, "opencl", all->opencl);
	json_object_set_new(meta, "kernel_log", all->log_words ?
		json_string(all->log_words) : json_sprintf("lines after %.6f s "
		"since boot", all->log_after));
	return meta;
}

/* What a reader will find, in memory. Released by release_view(). */
static void make_view(struct occasion *all, size_t index,
		      const struct claw_dump_trigger *trigger,
		      const char *trace_path, struct claw_dump *view)
{
	struct claw_journal *journal = all->journals[index];
	const struct claw_run_result *result = all->taking->result;

	look_at_machine(all);
	*view = (struct claw_dump){
		.journal = journal,
		.meta = make_meta(all, index, trigger),
		.sites = claw_dump_sites_make(journal),
		.stacks = claw_dump_stacks_make(journal, trigger->crash,
			all->taking->stacks ? all->taking->stacks :
			result && result->stacks ? result->stacks : NULL),
		.dmesg = all->dmesg,
	};
	if (result && result->out.total_bytes)
		view->out = claw_capture_text(&result->out);
	if (result && result->err.total_bytes)
		view->err = claw_capture_text(&result->err);
	else if (all->taking->err)
		view->err = claw_strdup(all->taking->err);
	claw_trace_read(trace_path, &view->trace);
}

static void release_view(struct claw_dump *view)
{
	json_decref(view->meta);
	json_decref(view->sites);
	json_decref(view->stacks);
	claw_trace_free(view->trace);
	free(view->ledger);
	free(view->out);
	free(view->err);
}

static void keep_made(struct occasion *all, const struct claw_dump *view,
		      const struct claw_dump_trigger *trigger, char *path)
{
	struct claw_dumps_made *made = all->made;
	const char *program = json_string_value(
		json_object_get(view->meta, "program"));
	struct stat status;

	made->items = claw_grow(made->items, made->count + 1,
				sizeof(*made->items));
	made->items[made->count++] = (struct claw_dump_made){
		.path = path, .program = claw_strdup(program ? program : ""),
		.why = claw_strdup(claw_dump_trigger_text(trigger)),
		.holds = claw_dump_holds(view),
		.pid = claw_journal_get_header(view->journal)->pid,
		.bytes = stat(path, &status) == 0 ?
			(uint64_t)status.st_size : 0,
	};
}

/* Was it made before? 1: so it was, 0, or an error. */
static int is_known(struct occasion *all, size_t index,
		    const struct claw_dump_trigger *trigger)
{
	struct claw_dumps_made *made = all->made;
	char *path = claw_dump_known_find(all->store, all->journals[index],
					  trigger->name);

	if (!path)
		return 0;
	made->known = claw_grow(made->known, made->known_count + 1,
				sizeof(*made->known));
	made->known[made->known_count++] = path;
	return 1;
}

static int make_dump(struct occasion *all, size_t index,
		     const struct claw_dump_trigger *trigger,
		     const char *trace_path)
{
	const struct claw_dump_taking *taking = all->taking;
	unsigned int removed = 0;
	struct claw_dump view;
	char *path = NULL;
	int ret = all->store ? 0 : claw_dump_store_open(taking->directory,
							&all->store);

	/* Of what runs there is more each time. */
	if (ret == 0 && taking->once && strcmp(trigger->name, "request") != 0)
		ret = is_known(all, index, trigger);
	if (ret != 0)
		return ret < 0 ? ret : 0;
	make_view(all, index, trigger, trace_path, &view);
	path = claw_dump_store_name(all->store, time(NULL));
	ret = path ? claw_dump_file_write(&view, all->paths[index], path) :
		-CLAW_E_IO;
	if (ret == 0)
		ret = claw_dump_store_added(all->store, path,
			taking->max_dumps, taking->max_bytes, &removed);
	all->made->removed += removed;
	if (ret == 0) {
		keep_made(all, &view, trigger, path);
		path = NULL;
	}
	int error = errno;

	free(path);
	release_view(&view);
	errno = error;
	return ret;
}

static const struct claw_trace_call *last_failed(const struct claw_trace *trace)
{
	for (uint32_t i = trace->call_count; i > 0; i--) {
		const struct claw_trace_call *call = &trace->calls[i - 1];

		if (call->returned && call->result < 0 &&
		    call->api < CLAW_API_COUNT &&
		    !(claw_api_table[call->api].groups & CLAW_G_QUERY))
			return call;
	}
	return NULL;
}

/* An error status is no reason for a dump; after a call that failed its user
 * may have wanted one. */
static void note_failed(struct occasion *all, size_t index,
			const char *trace_path)
{
	const struct claw_run_result *result = result_of(all, index);
	const struct claw_trace_call *call;
	struct claw_trace *trace = NULL;
	const char *name;
	char number[16];

	if (!result || result->end != CLAW_END_EXIT || result->code == 0 ||
	    all->made->failed || claw_trace_read(trace_path, &trace) < 0)
		return;
	call = last_failed(trace);
	name = call ? claw_code_name(call->result) : NULL;
	snprintf(number, sizeof(number), "%" PRId32, call ? call->result : 0);
	if (call)
		all->made->failed = claw_format(
			"%s returned %s (#%" PRIu32 ")",
			claw_api_table[call->api].name, name ? name : number,
			call->number);
	all->made->failed_status = result->code;
	claw_trace_free(trace);
}

static int take_process(struct occasion *all, size_t index)
{
	struct claw_dumps_made *made = all->made;
	char *trace_path = claw_session_sibling(all->paths[index], "trace");
	bool running = claw_dump_is_running(all->journals[index],
					    all->paths[index]);
	struct claw_dump_trigger trigger;
	int ret = 0;

	find_trigger(all, index, trace_path, running, &trigger);
	if (running && !all->taking->requested && !all->taking->running_too) {
		made->running++;
		made->running_pid = claw_journal_get_header(
			all->journals[index])->pid;
	} else if (!trigger.name ||
		   (all->taking->requested && !running)) {
		made->well++;
		note_failed(all, index, trace_path);
	} else {
		ret = make_dump(all, index, &trigger, trace_path);
	}
	free(trace_path);
	return ret;
}

/* ---- all of them ------------------------------------------------------ */

static int read_journals(struct occasion *all)
{
	int ret = claw_dump_journals(all->taking->session, &all->paths, &all->count);

	if (ret < 0)
		return ret;
	all->journals = claw_calloc(all->count + 1, sizeof(*all->journals));
	for (size_t i = 0; i < all->count; i++)
		all->made->unreadable += claw_journal_read(all->paths[i],
			&all->journals[i]) < 0;
	return 0;
}

static void release(struct occasion *all)
{
	claw_dump_store_close(all->store);
	json_decref(all->about);
	json_decref(all->machine);
	json_decref(all->opencl);
	free(all->dmesg);
	for (size_t i = 0; i < all->count; i++) {
		if (all->journals)
			claw_journal_free(all->journals[i]);
		free(all->paths[i]);
	}
	free(all->paths);
	free(all->journals);
}

int claw_dump_take(const struct claw_dump_taking *taking,
		   struct claw_dumps_made *ret_made)
{
	struct occasion all = {
		.taking = taking, .made = ret_made,
		.about = claw_dump_about_read(taking->session),
	};
	int ret;

	*ret_made = (struct claw_dumps_made){ .items = NULL };
	ret = read_journals(&all);
	for (size_t i = 0; ret == 0 && i < all.count; i++)
		if (all.journals[i])
			ret = take_process(&all, i);
	int error = errno;

	release(&all);
	errno = error;
	return ret;
}

void claw_dumps_made_release(struct claw_dumps_made *made)
{
	for (size_t i = 0; i < made->count; i++) {
		free(made->items[i].path);
		free(made->items[i].program);
		free(made->items[i].why);
		free(made->items[i].holds);
	}
	free(made->items);
	for (size_t i = 0; i < made->known_count; i++)
		free(made->known[i]);
	free(made->known);
	free(made->failed);
	*made = (struct claw_dumps_made){ .items = NULL };
}
