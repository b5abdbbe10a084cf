/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw info" (also clw-info): platforms, devices and their memory, as a
 * child process was told by the loader; and the table of entry points.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../faults/api.h"
#include "../faults/cl_types.h"
#include "errors.h"
#include "machine.h"
#include "model.h"
#include "options.h"
#include "record_faults.h"

static bool list_wanted, memory_wanted, api_wanted, json_wanted, list_models;
static bool record_wanted, yes_given;
static const char *device_text, *model_word, *output_path;

static const struct claw_option info_options[] = {
	{ "list", 'l', OPT_FLAG, NULL,
	  "one line a device, numbered over all platforms as CLW_DEVICE_ID "
	  "counts", &list_wanted },
	{ "device", 'd', OPT_STRING, "N",
	  "this device alone [default: all]", &device_text },
	{ "memory", 'm', OPT_FLAG, NULL, "sizes of memory, nothing else",
	  &memory_wanted },
	{ "api", 0, OPT_FLAG, NULL,
	  "the entry points that openclaw wraps: how each fails, what it does "
	  "to objects, its groups and the error codes it may return",
	  &api_wanted },
	{ "list-models", 0, OPT_FLAG, NULL,
	  "the device models that --model knows, one line each",
	  &list_models },
	{ "model", 0, OPT_STRING, "NAME",
	  "what this device model says, and where each fact comes from",
	  &model_word },
	{ "record-faults", 0, OPT_FLAG, NULL,
	  "fault the first GPU, or the first device, in child processes and "
	  "write a device model of what it does then; asks first",
	  &record_wanted },
	{ "yes", 0, OPT_FLAG, NULL, "do not ask", &yes_given },
	{ "output", 'o', OPT_STRING, "FILE",
	  "the device model, and what each run told in FILE.jsonl "
	  "[default: standard output, and nowhere]", &output_path },
	{ "json", 0, OPT_FLAG, NULL, "print JSON", &json_wanted },
	{ 0 },
};

static const char *const fails_as_names[] = {
	[CLAW_STATUS] = "STATUS", [CLAW_HANDLE] = "HANDLE",
	[CLAW_POINTER] = "POINTER", [CLAW_VOID] = "VOID",
};

static const char *const effect_names[] = {
	[CLAW_NOTHING] = "NOTHING", [CLAW_CREATES] = "CREATES",
	[CLAW_RETAINS] = "RETAINS", [CLAW_RELEASES] = "RELEASES",
};

/* "10240 MiB": the largest unit that leaves no fraction, else one decimal
 * of the unit that gives at most five digits before it. */
static void print_size(const char *label, uint64_t bytes)
{
	static const char *const units[] = { "bytes", "KiB", "MiB" };
	uint64_t divisor = 1;
	size_t unit = 0;

	while (unit + 1 < sizeof(units) / sizeof(units[0]) &&
	       bytes / divisor >= 1024) {
		divisor *= 1024;
		unit++;
	}
	if (bytes % divisor == 0)
		printf("%s: %" PRIu64 " %s\n", label, bytes / divisor,
		       units[unit]);
	else
		printf("%s: %.1f %s\n", label, (double)bytes / (double)divisor,
		       units[unit]);
}

static void print_size_member(const char *label, const json_t *device,
			      const char *name)
{
	const json_t *value = json_object_get(device, name);

	if (json_is_integer(value))
		print_size(label, (uint64_t)json_integer_value(value));
	else
		printf("%s: not available\n", label);
}

static void print_device_head(const json_t *device)
{
	printf("Device: %d (%s)\n", (int)json_integer_value(
		       json_object_get(device, "number")),
	       claw_machine_text(device, "name"));
}

/* The seeds' layout of "clw-info --device 0 --memory". */
static void print_memory(const json_t *device)
{
	const json_t *free_kib = json_object_get(device, "free_mem_kib");
	json_int_t global = json_integer_value(
		json_object_get(device, "global_mem_bytes"));

	print_size_member("Global Mem", device, "global_mem_bytes");
	print_size_member("Local Mem", device, "local_mem_bytes");
	print_size_member("Max Alloc Size", device, "max_alloc_bytes");
	if (json_is_integer(free_kib) && global > 0) {
		json_int_t bytes = json_integer_value(free_kib) * 1024;

		printf("Current Free: %" JSON_INTEGER_FORMAT " MiB (%"
		       JSON_INTEGER_FORMAT "%%)\n", bytes >> 20,
		       bytes * 100 / global);
	} else {
		printf("Current Free: not available\n");
	}
}

static const char *type_name(const json_t *device)
{
	json_int_t type = json_integer_value(json_object_get(device, "type"));

	if (type & CL_DEVICE_TYPE_GPU)
		return "GPU";
	if (type & CL_DEVICE_TYPE_CPU)
		return "CPU";
	if (type & CL_DEVICE_TYPE_ACCELERATOR)
		return "accelerator";
	return type & CL_DEVICE_TYPE_CUSTOM ? "custom" : "unknown type";
}

static void print_yes_no(const char *label, const json_t *device,
			 const char *name)
{
	const json_t *value = json_object_get(device, name);

	printf("%s: %s\n", label, json_is_true(value) ? "yes" :
	       json_is_false(value) ? "no" : "not available");
}

static void print_device(const json_t *platform, const json_t *device)
{
	print_device_head(device);
	printf("Platform: %s\n", claw_machine_text(platform, "name"));
	printf("Vendor: %s\n", claw_machine_text(device, "vendor"));
	printf("Type: %s\n", type_name(device));
	printf("Version: %s\n", claw_machine_text(device, "version"));
	printf("Driver: %s\n", claw_machine_text(device, "driver_version"));
	printf("OpenCL C: %s\n",
	       claw_machine_text(device, "opencl_c_version"));
	printf("Compute Units: %" JSON_INTEGER_FORMAT "\n", json_integer_value(
		       json_object_get(device, "compute_units")));
	print_yes_no("Available", device, "available");
	print_yes_no("Compiler", device, "compiler_available");
	print_yes_no("Images", device, "image_support");
	print_memory(device);
}

static void print_list_line(const json_t *platform, const json_t *device)
{
	printf("%d: %s [%s, %s, %s]\n", (int)json_integer_value(
		       json_object_get(device, "number")),
	       claw_machine_text(device, "name"), type_name(device),
	       claw_machine_text(platform, "name"),
	       claw_machine_text(device, "version"));
}

static void print_machine(const struct claw_machine *machine)
{
	char *loader = claw_machine_loader_name(machine);
	json_t *platform;
	size_t i;

	printf("Loader: %s (%s)\n", loader ? loader : "out of memory",
	       claw_machine_text(machine->loader, "path"));
	free(loader);
	json_array_foreach(machine->platforms, i, platform)
		printf("Platform: %s, %s, %s\n",
		       claw_machine_text(platform, "name"),
		       claw_machine_text(platform, "vendor"),
		       claw_machine_text(platform, "version"));
}

/* device: that one alone, or every one when NULL. */
static void print_devices(const struct claw_machine *machine,
			  const json_t *only)
{
	json_t *platform, *device;
	size_t i, j;

	if (!list_wanted && !memory_wanted && !only)
		print_machine(machine);
	json_array_foreach(machine->platforms, i, platform) {
		json_array_foreach(json_object_get(platform, "devices"), j,
				   device) {
			if (only && device != only)
				continue;
			if (list_wanted)
				print_list_line(platform, device);
			if (list_wanted && !memory_wanted)
				continue;
			if (!list_wanted && !only)
				putchar('\n');
			if (!memory_wanted) {
				print_device(platform, device);
				continue;
			}
			if (!list_wanted)
				print_device_head(device);
			print_memory(device);
		}
	}
}

static void print_json(json_t *value)
{
	json_dumpf(value, stdout, JSON_INDENT(2));
	putchar('\n');
}

static json_t *machine_json(const struct claw_machine *machine)
{
	return json_pack("{s:O?, s:O, s:s?}", "loader", machine->loader,
			 "platforms", machine->platforms,
			 "problem", machine->problem);
}

static void api_groups(const struct claw_api_info *info, char *text,
		       size_t size)
{
	size_t length = 0;

	text[0] = '\0';
	for (uint32_t bit = 1; bit < CLAW_G_ANY; bit <<= 1) {
		if (info->groups & bit && length < size)
			length += (size_t)snprintf(text + length,
						   size - length, "%s@%s",
						   length ? " " : "",
						   claw_group_name(bit));
	}
}

static void api_effect(const struct claw_api_info *info, char *text,
		       size_t size)
{
	if (info->effect == CLAW_NOTHING)
		snprintf(text, size, "%s", effect_names[info->effect]);
	else
		snprintf(text, size, "%s(%s)", effect_names[info->effect],
			 claw_obj_name(info->object));
}

static void print_api(void)
{
	printf("%-44s %-8s %-24s %-24s %s\n", "entry point", "fails as",
	       "effect on objects", "groups",
	       "errors it may return, default first");
	for (size_t i = 0; i < CLAW_API_COUNT; i++) {
		const struct claw_api_info *info = &claw_api_table[i];
		char groups[128], effect[64];

		api_groups(info, groups, sizeof(groups));
		api_effect(info, effect, sizeof(effect));
		printf("%-44s %-8s %-24s %-24s", info->name,
		       fails_as_names[info->fails_as], effect, groups);
		for (size_t j = 0; j < info->code_count; j++) {
			const char *name = claw_code_name(info->codes[j]);

			if (name)
				printf(" %s", name);
			else
				printf(" %d", info->codes[j]);
		}
		putchar('\n');
	}
}

static json_t *api_json_row(const struct claw_api_info *info)
{
	json_t *groups = json_array();
	json_t *codes = json_array();

	for (uint32_t bit = 1; bit < CLAW_G_ANY; bit <<= 1) {
		if (info->groups & bit)
			json_array_append_new(groups, json_string(
				claw_group_name(bit)));
	}
	for (size_t j = 0; j < info->code_count; j++) {
		const char *name = claw_code_name(info->codes[j]);

		json_array_append_new(codes, name ? json_string(name) :
				      json_integer(info->codes[j]));
	}
	return json_pack("{s:s, s:s, s:s, s:s?, s:o, s:o, s:b}",
			 "name", info->name,
			 "fails_as", fails_as_names[info->fails_as],
			 "effect", effect_names[info->effect],
			 "object", info->object == CLAW_OBJ_NONE ? NULL :
			 claw_obj_name(info->object),
			 "groups", groups, "errors", codes,
			 "extension", info->extension);
}

static void print_api_json(void)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < CLAW_API_COUNT; i++)
		json_array_append_new(rows, api_json_row(&claw_api_table[i]));
	print_json(rows);
	json_decref(rows);
}

static int show_machine(const struct claw_machine *machine)
{
	const json_t *only = NULL;

	if (device_text) {
		char *end;
		unsigned long number = strtoul(device_text, &end, 10);

		if (*end || end == device_text || *device_text == '-')
			claw_die(CLAW_EXIT_USAGE, "info: option --device: "
				 "expected a number; found \"%s\"",
				 device_text);
		only = claw_machine_find_device(machine, number);
		if (!only && machine->device_count)
			claw_die(CLAW_EXIT_USAGE, "info: there is no device %s;"
				 " the last of %zu is %zu (see openclaw info "
				 "--list)", device_text, machine->device_count,
				 machine->device_count - 1);
	}
	if (json_wanted) {
		json_t *object = only ? json_incref((json_t *)only) :
					machine_json(machine);

		print_json(object);
		json_decref(object);
	} else if (machine->device_count) {
		print_devices(machine, only);
	}
	if (!machine->problem)
		return CLAW_EXIT_CLEAN;
	claw_warn("info: %s (openclaw doctor says what to do)",
		  machine->problem);
	return machine->device_count ? CLAW_EXIT_FINDINGS : CLAW_EXIT_SKIPPED;
}

static int info_run(int argc, char *const *argv);

const struct claw_command claw_cmd_info = {
	.name = "info",
	.summary = "show platforms, devices and memory, or what can be faulted",
	.usage = "",
	.description =
		"The loader and its drivers are asked in a child process with "
		"a time limit: a driver that crashes or hangs is named, and "
		"what was learned before is shown.\n\n"
		"  clw-info --device 0 --memory is openclaw info --device 0 "
		"--memory.",
	.options = info_options,
	.run = info_run,
};

static bool is_agreed(void)
{
	char answer[16];

	fputs("Kernels will fault the device some sixty times: what other "
	      "programs do on it\nmay be lost. Its settings are not touched. "
	      "Go on? [y/N] ", stderr);
	return fgets(answer, sizeof(answer), stdin) &&
	       (*answer == 'y' || *answer == 'Y');
}

/* A file of the recording: it is written beside its place, and takes it when
 * all is there. */
struct output {
	char *path, *fresh;
	FILE *stream;
};

static void open_output(struct output *out, const char *suffix)
{
	int fd;

	if (asprintf(&out->path, "%s%s", output_path, suffix) < 0 ||
	    asprintf(&out->fresh, "%s.XXXXXX", out->path) < 0)
		claw_die(CLAW_EXIT_INFRA, "info: no memory");
	fd = mkostemp(out->fresh, O_CLOEXEC);
	out->stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out->stream)
		claw_die(CLAW_EXIT_INFRA, "info: cannot write %s: %s",
			 out->path, strerror(errno));
}

/* False with errno: it could not be written. */
static bool close_output(struct output *out, bool is_kept)
{
	mode_t mask = umask(0);
	bool is_good = true;

	umask(mask);
	if (out->stream) {
		is_good = !ferror(out->stream) &&
			fchmod(fileno(out->stream), 0666 & ~mask) == 0;
		is_good &= fclose(out->stream) == 0;
		if (!is_kept || !is_good)
			unlink(out->fresh);
		else
			is_good = rename(out->fresh, out->path) == 0;
	}
	free(out->path);
	free(out->fresh);
	return is_good || !is_kept;
}

static int say_outcome(enum claw_recorded outcome)
{
	static const char *const words[] = {
		[CLAW_RECORDED_NO_DEVICE] = "no OpenCL device ran a kernel, so "
			"that none was faulted",
		[CLAW_RECORDED_SILENCE] = "the program ended after every fault "
			"before it could say what follows (a driver in the "
			"program's own process, such as pocl, takes it along)",
		[CLAW_RECORDED_NOTHING] = "nothing followed any fault: the "
			"device went on as before",
	};

	if (outcome == CLAW_RECORDED)
		return CLAW_EXIT_CLEAN;
	claw_warn("info: %s; no model was written", words[outcome]);
	return outcome == CLAW_RECORDED_NO_DEVICE ? CLAW_EXIT_SKIPPED :
		CLAW_EXIT_FINDINGS;
}

static int record_machine(const struct claw_machine *machine)
{
	struct output model = { .path = NULL }, lines = { .path = NULL };
	enum claw_recorded outcome = CLAW_RECORDED_NOTHING;
	bool is_kept, is_written;
	int ret;

	if (!machine->device_count) {
		claw_warn("info: no OpenCL device is here, so that none was "
			  "faulted (openclaw doctor says what to do)");
		return CLAW_EXIT_SKIPPED;
	}
	if (!yes_given && !is_agreed())
		claw_die(CLAW_EXIT_USAGE, "info: nothing was recorded (--yes "
			 "does not ask)");
	if (output_path) {
		open_output(&model, "");
		open_output(&lines, ".jsonl");
	}
	ret = claw_record_faults(machine, output_path ? model.stream : stdout,
				 lines.stream, &outcome);
	is_kept = ret == 0 && outcome == CLAW_RECORDED;
	is_written = close_output(&lines, is_kept);
	is_written &= close_output(&model, is_kept && is_written);
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "info: no fault of the device could "
			 "be recorded: %s", claw_error_text(ret));
	if (!is_written || (is_kept && (fflush(stdout) || ferror(stdout))))
		claw_die(CLAW_EXIT_INFRA, "info: cannot write %s: %s",
			 output_path ? output_path : "standard output",
			 strerror(errno));
	return say_outcome(outcome);
}

static int record(void)
{
	struct claw_machine *machine;
	int ret = claw_machine_ask(NULL, &machine);

	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot ask the OpenCL loader: %s",
			 claw_error_text(ret));
	ret = record_machine(machine);
	claw_machine_free(machine);
	return ret;
}

static int info_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_info, argc, argv, false);
	struct claw_machine *machine;
	int ret;

	if (first < argc)
		claw_die(CLAW_EXIT_USAGE, "info: unexpected word \"%s\" (see "
			 "openclaw info --help)", argv[first]);
	if (api_wanted) {
		if (json_wanted)
			print_api_json();
		else
			print_api();
		return CLAW_EXIT_CLEAN;
	}
	if (json_wanted && (record_wanted || list_models || model_word))
		claw_die(CLAW_EXIT_USAGE, "info: --json and --%s exclude each "
			 "other", record_wanted ? "record-faults" :
			 list_models ? "list-models" : "model");
	if (record_wanted)
		return record();
	if (list_models)
		return claw_models_list();
	if (model_word)
		return claw_model_print(model_word);
	ret = claw_machine_ask(NULL, &machine);
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot ask the OpenCL loader: %s",
			 claw_error_text(ret));
	ret = show_machine(machine);
	claw_machine_free(machine);
	return ret;
}
