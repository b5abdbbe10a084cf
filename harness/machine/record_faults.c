/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw-device-faults (harness/recorder/device_faults.c) makes a fault happen
 * and tells what each call said, once for each first call after it. From that
 * the rules are made: what a call says before and after something noticed,
 * and whether it makes the difference.
 */
#include "config.h"

#include "record_faults.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/shared/api.h"
#include "faults/shared/cl_types.h"
#include "harness/base/errors.h"
#include "machine.h"
#include "harness/base/memory.h"
#include "harness/session/model.h"
#include "harness/process/runner.h"

enum { TIMEOUT_MS = 60000, ERROR_OF_DRIVER = -9999 };

/* Each step of the program, and the calls that its rule is for. */
static const struct step {
	const char *name, *calls, *blocking;
	bool enqueues;
	const char *command;	/* what a text says of it, or NULL: its name */
} steps[] = {
	{ "clBuildProgram", "'@build'", NULL, false, NULL },
	{ "clCreateContext", "'clCreateContext*'", NULL, false, NULL },
	{ "clGetEventInfo", "clGetEventInfo", NULL, false, NULL },
	{ "clWaitForEvents", "clWaitForEvents", NULL, false, NULL },
	{ "clFinish", "clFinish", NULL, false, NULL },
	{ "clFlush", "clFlush", NULL, false, NULL },
	{ "clEnqueueReadBuffer", "'clEnqueueRead*'", "yes", true,
	  "CL_COMMAND_READ_BUFFER" },
	{ "clEnqueueReadBuffer.nonblocking", "'clEnqueueRead*'", "no", true,
	  "CL_COMMAND_READ_BUFFER" },
	{ "clEnqueueWriteBuffer", "'clEnqueueWrite*'", NULL, true,
	  "CL_COMMAND_WRITE_BUFFER" },
	{ "clEnqueueMapBuffer", "'clEnqueueMap*'", NULL, true,
	  "CL_COMMAND_MAP_BUFFER" },
	{ "clEnqueueCopyBuffer", "'clEnqueueCopy*'", NULL, true,
	  "CL_COMMAND_COPY_BUFFER" },
	{ "clEnqueueFillBuffer", "'clEnqueueFill*'", NULL, true,
	  "CL_COMMAND_FILL_BUFFER" },
	{ "clEnqueueNDRangeKernel", "[clEnqueueNDRangeKernel, clEnqueueTask]",
	  NULL, true, "CL_COMMAND_NDRANGE_KERNEL" },
	{ "clEnqueueMarkerWithWaitList",
	  "['clEnqueueMarker*', 'clEnqueueBarrier*']", NULL, true,
	  "CL_COMMAND_MARKER" },
	{ "clCreateBuffer", "'@alloc'", NULL, false, NULL },
	{ "clCreateCommandQueue", "'clCreateCommandQueue*'", NULL, false, NULL },
	{ "clCreateKernel", "'clCreateKernel*'", NULL, false, NULL },
	{ "clCreateProgramWithSource", "'clCreateProgramWith*'", NULL, false,
	  NULL },
};
enum { STEPS = sizeof(steps) / sizeof(*steps) };

static const struct trigger {
	const char *name, *fault;
} triggers[] = {
	{ "oob_write", "gpu-crash" },
	{ "misaligned", "gpu-crash=misaligned" },
	{ "trap", "gpu-crash=trap" },
};
enum { TRIGGERS = sizeof(triggers) / sizeof(*triggers) };

/* What was seen of a trigger: a line for each first call, or NULL. */
struct seen {
	json_t *first[STEPS], *other_queue;
	json_t *whole;		/* the line after clFinish, for the rest */
	long error;
	char *calls;		/* its rules without a name for the state */
	unsigned int state;
	const char *why_not;	/* nothing can be said, or NULL */
	bool is_told;		/* there was a line */
};

struct recording {
	const struct claw_machine *machine;
	char *program;
	FILE *lines;
	json_t *control;
	struct seen seen[TRIGGERS];
};

static char *find_program(void)
{
	static const char *const places[] = { "", "../libexec/openclaw/" };
	char *self = claw_machine_self(), *slash, *path = NULL;

	slash = self ? strrchr(self, '/') : NULL;
	if (slash)
		slash[1] = '\0';
	for (size_t i = 0; slash && i < 2; i++) {
		path = claw_format("%s%sopenclaw-device-faults", self,
				   places[i]);
		if (path && access(path, X_OK) == 0)
			break;
		free(path);
		path = NULL;
	}
	free(self);
	return path ? path :
		      claw_strdup(CLAW_PKGLIBEXECDIR "/openclaw-device-faults");
}

/* One run's line, or NULL: it said nothing that can be read. */
static json_t *run(struct recording *r, const char *trigger, const char *first)
{
	char *argv[] = { r->program, (char *)(uintptr_t)trigger,
			 (char *)(uintptr_t)first, NULL };
	struct claw_run_spec spec = {
		.argv = argv, .timeout_ms = TIMEOUT_MS, .no_core = true,
	};
	struct claw_run_result result;
	json_t *line = NULL;

	if (claw_run_once(&spec, &result) < 0)
		return NULL;
	if (result.end == CLAW_END_EXIT && result.code == 0)
		line = json_loadb(result.out.head, result.out.head_bytes,
				  JSON_DISABLE_EOF_CHECK, NULL);
	if (line && r->lines)
		fprintf(r->lines, "%.*s", (int)result.out.head_bytes,
			result.out.head);
	claw_run_result_release(&result);
	return line;
}

static const char *step_name(const json_t *list, size_t i)
{
	const char *name = json_string_value(json_array_get(
		json_array_get(list, i), 0));

	return name ? name : "";
}

/* Where the row that every run has begins. */
static size_t row_of(const json_t *list)
{
	size_t row = 0;

	for (size_t i = 0; i < json_array_size(list); i++)
		if (!strcmp(step_name(list, i), "event.status"))
			row = i;
	return row;
}

/* The code of a step in the row, or before it; false: there is none. */
static bool code_of(const json_t *line, const char *name, bool in_row,
		    long *ret_code)
{
	const json_t *list = json_object_get(line, "steps");
	size_t row = row_of(list);
	size_t from = in_row ? row : 1;
	size_t to = in_row ? json_array_size(list) : row;

	for (size_t i = from; i < to; i++) {
		if (strcmp(step_name(list, i), name))
			continue;
		*ret_code = (long)json_integer_value(json_array_get(
			json_array_get(list, i), 1));
		return true;
	}
	return false;
}

static void look_at(struct recording *r, unsigned int t)
{
	struct seen *seen = &r->seen[t];
	const char *name = triggers[t].name;
	long code = 0;

	seen->whole = run(r, name, "clFinish");
	if (!seen->whole) {
		seen->why_not = "the program could not record what follows";
		return;
	}
	seen->is_told = true;
	code_of(seen->whole, "clWaitForEvents", true, &seen->error);
	code_of(seen->whole, "clFinish", true, &code);
	if (!code && !seen->error) {
		seen->why_not = "nothing followed";
		return;
	}
	for (unsigned int i = 0; i < STEPS; i++)
		seen->first[i] = run(r, name, steps[i].name);
	seen->other_queue = run(r, name, "clFinish(otherqueue)");
}

/* ---- texts -------------------------------------------------------------- */

static void put_for(FILE *out, const char *text, size_t length,
		    const char *what, const char *word, size_t *at)
{
	size_t size = what ? strlen(what) : 0;

	if (!size || length - *at < size || memcmp(text + *at, what, size))
		return;
	fputs(word, out);
	*at += size;
}

/* A text as a template, in single quotes. */
static void put_text(FILE *out, const json_t *line, const char *text,
		     size_t length, long error, const char *command)
{
	const char *device = json_string_value(json_object_get(line, "device"));
	const char *names[] = {
		claw_code_name((cl_int)error), "CL_OUT_OF_RESOURCES", "Unknown",
	};

	fputc('\'', out);
	for (size_t at = 0; at < length;) {
		size_t before = at;

		if (!at)
			for (unsigned int i = 0; i < 3 && !at; i++)
				put_for(out, text, length, names[i], "{error}",
					&at);
		put_for(out, text, length, device, "{device}", &at);
		put_for(out, text, length, command, "{command}", &at);
		put_for(out, text, length, "(Device 0)", "(Device {index})",
			&at);
		if (at == before) {
			if (text[at] == '\'')
				fputc('\'', out);
			fputc(text[at++], out);
		}
	}
	fputc('\'', out);
}

/* The text that names the command; NULL: none does. */
static const char *text_about(const json_t *line, const char *command,
			      size_t *ret_length)
{
	const char *all = json_string_value(json_object_get(line, "notify"));
	const char *end;

	while (all && *all) {
		const char *found = strstr(all, command);

		end = strstr(all, " | ");
		*ret_length = end ? (size_t)(end - all) : strlen(all);
		if (found && found < all + *ret_length)
			return all;
		all = end ? end + 3 : NULL;
	}
	return NULL;
}

/* ---- rules -------------------------------------------------------------- */

static void put_code(FILE *out, const struct seen *seen, long code)
{
	const char *name = claw_code_name((cl_int)code);

	fputs(", answer: ", out);
	if (code && code == seen->error)
		fputs("error", out);
	else if (name)
		fputs(name, out);
	else
		fprintf(out, "%ld", code);
}

static void begin_call(FILE *out, const struct step *step, const char *noticed)
{
	fprintf(out, "call: %s", step->calls);
	if (step->blocking)
		fprintf(out, ", blocking: %s", step->blocking);
	if (noticed)
		fprintf(out, ", noticed: %s", noticed);
}

static void put_step(FILE *out, const struct seen *seen, unsigned int i)
{
	const struct step *step = &steps[i];
	const char *word = step->command ? step->command : step->name, *text;
	long before, after, status = 0;
	size_t length;

	if (!code_of(seen->whole, step->name, true, &after))
		return;
	if (!seen->first[i] ||
	    !code_of(seen->first[i], step->name, false, &before))
		before = after;
	if (!after && !before) {
		if (!step->enqueues)
			return;
		begin_call(out, step, NULL);
		fputs(", answer: CL_SUCCESS\n", out);
		return;
	}
	begin_call(out, step, before ? NULL : "yes");
	put_code(out, seen, after);
	if (!strcmp(step->name, "clGetEventInfo") &&
	    code_of(seen->whole, "event.status", true, &status))
		fprintf(out, ", status: %ld", status);
	if (before)
		fputs(", notices: yes", out);
	text = text_about(seen->whole, word, &length);
	if (text) {
		fputs(", tell: ", out);
		put_text(out, seen->whole, text, length,
			 strstr(text, "Unknown") == text ? ERROR_OF_DRIVER :
			 after, word);
	}
	fputc('\n', out);
	if (before)
		return;
	begin_call(out, step, "no");
	fputs(step->enqueues ? ", answer: CL_SUCCESS\n" : ", notices: yes\n",
	      out);
}

/* Releases of queues flush them: there are more texts about that than calls
 * that said so. */
static void put_release(FILE *out, const struct seen *seen)
{
	const char *all = json_string_value(json_object_get(seen->whole,
							    "notify"));
	const char *text = all ? strstr(all, "clFlush") : NULL;
	size_t length;

	if (!text || !strstr(text + 1, "clFlush"))
		return;
	text = text_about(seen->whole, "clFlush", &length);
	fputs("call: clReleaseCommandQueue, noticed: yes, tell: ", out);
	put_text(out, seen->whole, text, length, seen->error, NULL);
	fputc('\n', out);
}

/* One line a rule, without its state. */
static void make_rules(struct seen *seen)
{
	long there = 0, here = 0;
	size_t size;
	FILE *out = claw_text_begin(&seen->calls, &size);

	for (unsigned int i = 0; i < STEPS; i++) {
		/* What concerns the whole device goes before. */
		if (i == 2 && seen->other_queue &&
		    code_of(seen->other_queue, "clFinish(otherqueue)", false,
			    &there) && !there &&
		    code_of(seen->whole, "clFinish(otherqueue)", true, &here) &&
		    here)
			fputs("call: ['@enqueue', '@sync', clGetEventInfo], "
			      "queue: other, noticed: no, waits: no\n", out);
		put_step(out, seen, i);
	}
	put_release(out, seen);
	claw_text_end(out);
}

static const char *reach_of(const struct recording *r, const struct seen *seen)
{
	long here = 0, control = 0;

	if (code_of(seen->whole, "clEnqueueWriteBuffer.othercontext", true,
		    &here) &&
	    code_of(r->control, "clEnqueueWriteBuffer.othercontext", true,
		    &control) && here != control)
		return "process";
	if (code_of(seen->whole, "clFinish(otherqueue)", true, &here) && here)
		return "context";
	return "queue";
}

static void put_state(FILE *out, const struct recording *r,
		      const struct seen *seen, unsigned int number)
{
	long context = 0, available = 1, status = 0;
	const char *text;
	size_t length;

	code_of(seen->whole, "clCreateContext", true, &context);
	code_of(seen->whole, "CL_DEVICE_AVAILABLE", true, &available);
	code_of(seen->whole, "event.status", true, &status);
	fprintf(out, "    fault%u:\n      reach: %s\n      cure: %s\n", number,
		reach_of(r, seen), context ? "process" : "context");
	fprintf(out, "      event: %ld\n      available: %s\n", status,
		available ? "yes" : "no");
	text = text_about(seen->whole, "idle", &length);
	if (!text)
		return;
	fputs("      notice: ", out);
	put_text(out, seen->whole, text, length, seen->error, NULL);
	fputc('\n', out);
}

static void put_calls(FILE *out, const struct seen *seen)
{
	for (const char *line = seen->calls; *line;) {
		size_t length = strcspn(line, "\n");

		fprintf(out, "    - {state: fault%u, %.*s}\n", seen->state,
			(int)length, line);
		line += length + (line[length] == '\n');
	}
}

/* Triggers after which the same holds share a state. */
static void number_states(struct recording *r)
{
	for (unsigned int t = 0; t < TRIGGERS; t++) {
		r->seen[t].state = t + 1;
		for (unsigned int i = 0; i < t && r->seen[t].calls; i++)
			if (r->seen[i].calls &&
			    !strcmp(r->seen[i].calls, r->seen[t].calls) &&
			    r->seen[t].state == t + 1)
				r->seen[t].state = r->seen[i].state;
	}
}

static void put_code_name(FILE *out, long code)
{
	const char *name = claw_code_name((cl_int)code);

	if (name)
		fputs(name, out);
	else
		fprintf(out, "%ld", code);
}

/* ---- the device ------------------------------------------------------- */

/* A key of the model, in single quotes; what it could not say is left out. */
static void put_fact(FILE *out, enum claw_model_key_number number,
		     const char *text)
{
	const struct claw_model_key *key = &claw_model_keys[number];
	char value[CLAW_MODEL_TEXT_BYTES + 1], expected[256];

	if (!text || !*text || claw_model_value(key, text, value, sizeof(value),
						expected, sizeof(expected)) < 0)
		return;
	fprintf(out, "%s: {value: '", key->name);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', out);
		fputc(*text, out);
	}
	fputs("', source: measured}\n", out);
}

static void put_number(FILE *out, enum claw_model_key_number number,
		       const json_t *from, const char *member, bool is_size)
{
	const json_t *value = json_object_get(from, member);
	json_int_t left = json_integer_value(value);
	char text[32];
	const char *unit = "";

	if (left <= 0)
		return;
	if (is_size) {
		unit = left % 1048576 == 0 ? "MiB" : left % 1024 == 0 ? "KiB" :
			"B";
		left /= *unit == 'M' ? 1048576 : *unit == 'K' ? 1024 : 1;
	}
	snprintf(text, sizeof(text), "%" JSON_INTEGER_FORMAT "%s", left, unit);
	put_fact(out, number, text);
}

static void put_facts(FILE *out, const json_t *platform, const json_t *device)
{
	static const struct {
		enum claw_model_key_number key;
		const char *member;
		bool of_platform;
	} texts[] = {
		{ CLAW_MODEL_KEY_vendor, "vendor", false },
		{ CLAW_MODEL_KEY_version, "version", false },
		{ CLAW_MODEL_KEY_c_version, "opencl_c_version", false },
		{ CLAW_MODEL_KEY_driver_version, "driver_version", false },
		{ CLAW_MODEL_KEY_platform_name, "name", true },
		{ CLAW_MODEL_KEY_platform_vendor, "vendor", true },
		{ CLAW_MODEL_KEY_platform_version, "version", true },
	};
	static const struct {
		enum claw_model_key_number key;
		const char *member;
		bool is_size;
	} numbers[] = {
		{ CLAW_MODEL_KEY_compute_units, "compute_units", false },
		{ CLAW_MODEL_KEY_work_group_size, "max_work_group_size", false },
		{ CLAW_MODEL_KEY_local_memory, "local_mem_bytes", true },
		{ CLAW_MODEL_KEY_constant_memory, "constant_bytes", true },
		{ CLAW_MODEL_KEY_memory, "global_mem_bytes", true },
		{ CLAW_MODEL_KEY_max_allocation, "max_alloc_bytes", true },
	};
	json_int_t type = json_integer_value(json_object_get(device, "type"));

	put_fact(out, CLAW_MODEL_KEY_type, type & CL_DEVICE_TYPE_GPU ? "gpu" :
		 type & CL_DEVICE_TYPE_CPU ? "cpu" :
		 type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : NULL);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		put_fact(out, texts[i].key, json_string_value(json_object_get(
			texts[i].of_platform ? platform : device,
			texts[i].member)));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		put_number(out, numbers[i].key, device, numbers[i].member,
			   numbers[i].is_size);
}

/* Of the first device with the name that the runs told. */
static void put_device(FILE *out, const struct recording *r, const char *name)
{
	json_t *platform, *device;
	size_t i, j;

	put_fact(out, CLAW_MODEL_KEY_name, name);
	if (!r->machine)
		return;
	json_array_foreach(r->machine->platforms, i, platform)
		json_array_foreach(json_object_get(platform, "devices"), j,
				   device) {
			const char *other = json_string_value(
				json_object_get(device, "name"));

			if (!name || !other || strcmp(name, other) != 0)
				continue;
			put_facts(out, platform, device);
			return;
		}
}

static void write_model(const struct recording *r, FILE *out)
{
	fputs("# What this device does after a fault, as openclaw info "
	      "--record-faults saw it.\n", out);
	put_device(out, r, json_string_value(json_object_get(r->control,
							     "device")));
	fputs("\nfailure:\n  source: measured\n  states:\n", out);
	for (unsigned int t = 0; t < TRIGGERS; t++)
		if (r->seen[t].calls && r->seen[t].state == t + 1)
			put_state(out, r, &r->seen[t], t + 1);
	fputs("  triggers:\n", out);
	for (unsigned int t = 0; t < TRIGGERS; t++) {
		const struct seen *seen = &r->seen[t];

		if (!seen->calls) {
			fprintf(out, "    # %s: %s\n", triggers[t].fault,
				seen->why_not);
			continue;
		}
		fprintf(out, "    - {on: %s, state: fault%u, error: ",
			triggers[t].fault, seen->state);
		put_code_name(out, seen->error);
		fputs("}\n", out);
	}
	fputs("  calls:\n", out);
	for (unsigned int t = 0; t < TRIGGERS; t++)
		if (r->seen[t].calls && r->seen[t].state == t + 1)
			put_calls(out, &r->seen[t]);
}

static void release(struct recording *r)
{
	for (unsigned int t = 0; t < TRIGGERS; t++) {
		for (unsigned int i = 0; i < STEPS; i++)
			json_decref(r->seen[t].first[i]);
		json_decref(r->seen[t].whole);
		json_decref(r->seen[t].other_queue);
		free(r->seen[t].calls);
	}
	json_decref(r->control);
	free(r->program);
}

int claw_record_faults(const struct claw_machine *machine, FILE *model,
		       FILE *lines, enum claw_recorded *ret_outcome)
{
	struct recording r = {
		.machine = machine, .program = find_program(), .lines = lines,
	};
	unsigned int good = 0, told = 0;

	if (!r.program || access(r.program, X_OK)) {
		free(r.program);
		return -CLAW_E_NOT_FOUND;
	}
	r.control = run(&r, "slow", "clFinish");
	for (unsigned int t = 0; r.control && t < TRIGGERS; t++) {
		look_at(&r, t);
		told += r.seen[t].is_told;
		if (r.seen[t].why_not)
			continue;
		make_rules(&r.seen[t]);
		good++;
	}
	number_states(&r);
	*ret_outcome = good ? CLAW_RECORDED : told ? CLAW_RECORDED_NOTHING :
		r.control ? CLAW_RECORDED_SILENCE : CLAW_RECORDED_NO_DEVICE;
	if (good)
		write_model(&r, model);
	release(&r);
	return 0;
}
