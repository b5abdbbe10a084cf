/* SPDX-License-Identifier: Apache-2.0 */
/* What was alive at the end, and what memory did, in a report. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/crash/facts/crash_memory.h"
#include "crash_report.h"
#include "harness/crash/facts/crash_words.h"
#include "harness/records/result_json.h"
#include "harness/base/words.h"

enum { MEMORY_SHOWN = 10, STEPS_SHOWN = 12, SPARK_WIDTH = 60, KINDS = 24 };

/* ---- live objects ----------------------------------------------------- */

/* Has the program nothing of it any more? What the trace has forgotten may be
 * a retain. */
static bool is_kept(const struct claw_trace *trace,
		    const struct claw_trace_object *object)
{
	return object->released_by && !object->gone_by && !trace->forgotten;
}

/* Platforms and devices are there anyway. */
static bool is_alive(const struct claw_trace *trace,
		     const struct claw_trace_object *object)
{
	return !object->gone_by && !is_kept(trace, object) && object->type != CLAW_OBJ_PLATFORM &&
	       object->type != CLAW_OBJ_DEVICE;
}

struct kind {
	char word[24];		/* "buffer"; the plural has an s more */
	uint32_t count;
	uint64_t bytes;
};

/* The words of "command buffer 7", "kernel 6 'store'". */
static struct kind *find_kind(struct kind *kinds, const char *name)
{
	size_t length = strcspn(name, "0123456789"), i = 0;
	struct kind wanted = { .count = 0 };

	if (length > 0 && name[length - 1] == ' ')
		length--;
	snprintf(wanted.word, sizeof(wanted.word), "%.*s", (int)length, name);
	while (i < KINDS - 1 && *kinds[i].word &&
	       strcmp(kinds[i].word, wanted.word) != 0)
		i++;
	if (!*kinds[i].word)
		kinds[i] = wanted;
	return &kinds[i];
}

static void count_kinds(const struct claw_trace *trace,
			struct kind kinds[KINDS])
{
	memset(kinds, 0, KINDS * sizeof(*kinds));
	for (uint32_t i = 0; i < trace->object_count; i++) {
		const struct claw_trace_object *object = &trace->objects[i];
		struct kind *kind;

		if (!is_alive(trace, object))
			continue;
		kind = find_kind(kinds, claw_trace_object_name(trace, i + 1));
		kind->count++;
		kind->bytes += claw_crash_is_memory(trace, object) ?
			object->bytes : 0;
	}
}

/* The largest memory objects that are alive, largest first. Returns how
 * many. */
static size_t find_largest(const struct claw_trace *trace,
			   claw_object_id largest[MEMORY_SHOWN])
{
	size_t count = 0;

	for (claw_object_id id = 1; id <= trace->object_count; id++) {
		const struct claw_trace_object *object =
			&trace->objects[id - 1];
		size_t at;

		if (!is_alive(trace, object) || !object->bytes ||
		    !claw_crash_is_memory(trace, object))
			continue;
		at = count < MEMORY_SHOWN ? count++ : MEMORY_SHOWN;
		for (; at > 0 && trace->objects[largest[at - 1] - 1].bytes <
		     object->bytes; at--)
			if (at < MEMORY_SHOWN)
				largest[at] = largest[at - 1];
		if (at < MEMORY_SHOWN)
			largest[at] = id;
	}
	return count;
}

static void print_maker(const struct claw_crash_view *view,
			const struct claw_trace_object *object)
{
	const struct claw_trace_call *call =
		claw_crash_call(view->facts, object->made_by);
	char *place;

	if (!call) {
		fputs(", older than the trace\n", view->out);
		return;
	}
	place = call->site ? claw_crash_place(view->facts, call->site) : NULL;
	fprintf(view->out, ", made by #%" PRIu32 " %s%s%s\n", call->number,
	       claw_crash_api_name(call), place ? " at " : "",
	       place ? place : "");
	free(place);
}

/* The kernel that the object is an argument of, or 0. */
static claw_object_id find_keeper(const struct claw_trace *trace,
				  claw_object_id id)
{
	for (uint32_t i = trace->call_count; i > 0; i--) {
		const struct claw_trace_call *call = &trace->calls[i - 1];
		const struct claw_trace_arg *value = &call->args[3];

		if (call->api == CLAW_API_clSetKernelArg && value->objects &&
		    value->count && value->objects[0] == id &&
		    call->args[0].objects && call->args[0].objects[0] &&
		    !trace->objects[call->args[0].objects[0] - 1].gone_by)
			return call->args[0].objects[0];
	}
	return 0;
}

/* What the program has released, and something of the driver's still has. */
static void print_kept(const struct claw_crash_view *view)
{
	const struct claw_trace *trace = view->facts->trace;
	size_t printed = 0;

	for (claw_object_id id = 1; id <= trace->object_count &&
	     printed < MEMORY_SHOWN; id++) {
		const struct claw_trace_object *object =
			&trace->objects[id - 1];
		claw_object_id keeper;

		if (!is_kept(trace, object))
			continue;
		keeper = find_keeper(trace, id);
		fprintf(view->out, "  released: %s",
			claw_trace_object_name(trace, id));
		fprintf(view->out, ", kept by %s\n", keeper ?
			claw_trace_object_name(trace, keeper) :
			"another object");
		printed++;
	}
}

void claw_crash_print_objects(const struct claw_crash_view *view)
{
	const struct claw_trace *trace = view->facts->trace;
	struct kind kinds[KINDS];
	claw_object_id largest[MEMORY_SHOWN];
	size_t count = find_largest(trace, largest);
	const char *between = "";

	count_kinds(trace, kinds);
	fputs("\nLive objects: ", view->out);
	for (int i = 0; i < KINDS && kinds[i].count; i++) {
		fprintf(view->out, "%s%" PRIu32 " %s%s", between,
			kinds[i].count, kinds[i].word,
			kinds[i].count == 1 ? "" : "s");
		if (kinds[i].bytes) {
			fputs(" of ", view->out);
			claw_print_bytes(view->out, kinds[i].bytes);
		}
		between = ", ";
	}
	fputs(*between ? "\n" : "none known\n", view->out);
	for (size_t i = 0; i < count; i++) {
		fprintf(view->out, "  %s: ",
			claw_trace_object_name(trace, largest[i]));
		claw_crash_put_bytes(view->out,
				     trace->objects[largest[i] - 1].bytes);
		print_maker(view, &trace->objects[largest[i] - 1]);
	}
	print_kept(view);
}

json_t *claw_crash_objects_json(const struct claw_crash_view *view)
{
	const struct claw_trace *trace = view->facts->trace;
	json_t *list = json_array();

	for (claw_object_id id = 1; id <= trace->object_count; id++) {
		const struct claw_trace_object *object =
			&trace->objects[id - 1];
		const struct claw_trace_call *call =
			claw_crash_call(view->facts, object->made_by);
		json_t *item;

		if (!is_alive(trace, object))
			continue;
		item = json_object();
		claw_json_add_text(item, "name",
				   claw_trace_object_name(trace, id));
		claw_json_add_text(item, "type", claw_obj_name(object->type));
		if (object->bytes)
			claw_json_add_number(item, "bytes", object->bytes);
		if (call)
			claw_json_add_number(item, "made_by", call->number);
		json_array_append_new(list, item);
	}
	return list;
}

/* ---- timeline --------------------------------------------------------- */

/* One character a slice of the moments, by the most that was alive in it. */
static void print_spark(const struct claw_crash_view *view,
			const struct claw_crash_memory *memory)
{
	static const char *const bars[] = {
		"", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585",
		"\u2586", "\u2587", "\u2588",
	};
	size_t width = memory->count < SPARK_WIDTH ? memory->count :
		SPARK_WIDTH;
	int blanks = 2;		/* before the next bar: none end the line */

	for (size_t i = 0; i < width && memory->peak; i++) {
		size_t from = i * memory->count / width;
		size_t to = (i + 1) * memory->count / width;
		uint64_t most = 0;
		size_t bar;

		for (size_t j = from; j < to; j++)
			if (memory->moments[j].alive > most)
				most = memory->moments[j].alive;
		bar = (size_t)((double)most * 8.0 / (double)memory->peak +
			       0.5);
		if (bar)
			fprintf(view->out, "%*s%s", blanks, "", bars[bar]);
		blanks = bar ? 0 : blanks + 1;
	}
	fputc('\n', view->out);
}

static void print_step(const struct claw_crash_view *view,
		       const struct claw_crash_moment *moment)
{
	const struct claw_trace_call *call =
		claw_crash_call(view->facts, moment->call);

	if (!call)
		return;
	fprintf(view->out, "  #%-6" PRIu32 " ", call->number);
	claw_print_bytes(view->out, moment->alive);
	if (moment->change) {
		fprintf(view->out, "  %c", moment->change > 0 ? '+' : '-');
		claw_print_bytes(view->out,
				      (uint64_t)llabs(moment->change));
	} else {
		fputs("  refused: ", view->out);
		claw_print_bytes(view->out, moment->asked);
	}
	fprintf(view->out, "  %s%s\n", claw_crash_api_name(call),
		claw_crash_tag(call));
}

void claw_crash_print_timeline(const struct claw_crash_view *view)
{
	uint64_t of = claw_crash_device_memory(view->dump);
	struct claw_crash_memory memory;
	size_t from;

	claw_crash_memory_follow(view->facts, &memory);
	if (memory.count || memory.before) {
		fputs("\n"
		      "Memory timeline of unreleased objects: peak ",
		      view->out);
		claw_print_bytes(view->out, memory.peak);
		if (of) {
			fputs(" of the device's ", view->out);
			claw_print_bytes(view->out, of);
		}
		fputc('\n', view->out);
		print_spark(view, &memory);
		from = memory.count > STEPS_SHOWN ? memory.count - STEPS_SHOWN :
			0;
		if (from)
			fprintf(view->out, "  ... %zu earlier changes\n", from);
		for (size_t i = from; i < memory.count; i++)
			print_step(view, &memory.moments[i]);
	} else {
		fputs("\nMemory timeline: no memory object is known\n",
		      view->out);
	}
	claw_crash_memory_release(&memory);
}

json_t *claw_crash_timeline_json(const struct claw_crash_view *view)
{
	struct claw_crash_memory memory;
	json_t *list = json_array();

	claw_crash_memory_follow(view->facts, &memory);
	for (size_t i = 0; i < memory.count; i++) {
		const struct claw_crash_moment *moment = &memory.moments[i];
		const struct claw_trace_call *call =
			claw_crash_call(view->facts, moment->call);
		json_t *item = json_object();

		claw_json_add_number(item, "call", call ? call->number : 0);
		json_object_set_new(item, "change",
				    json_integer(moment->change));
		claw_json_add_number(item, "alive", moment->alive);
		if (!moment->change)
			claw_json_add_number(item, "refused", moment->asked);
		json_array_append_new(list, item);
	}
	claw_crash_memory_release(&memory);
	return list;
}
