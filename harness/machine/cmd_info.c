/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw info" (also clw-info): platforms, devices and their memory, as a
 * child process was told by the loader; and the table of entry points.
 */
#include "config.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "faults/shared/cl_types.h"
#include "cmd_info.h"
#include "device_choice.h"
#include "harness/base/errors.h"
#include "machine.h"
#include "harness/session/model.h"
#include "harness/base/options.h"
#include "harness/session/session.h"

static bool list_wanted, memory_wanted, api_wanted, json_wanted, list_models;
static bool record_wanted, yes_given;
static struct claw_strings model_words;
static const char *device_text, *output_path, *require_text;
static uint64_t headroom;

static const struct claw_option info_options[] = {
	{ "list", 'l', OPT_FLAG, NULL,
	  "list devices, one per line, numbered as for CLW_DEVICE_ID\n"
	  "The numbers run across platforms.", &list_wanted },
	{ "device", 'd', OPT_STRING, "N",
	  "show only this device [default: all]", &device_text },
	{ "memory", 'm', OPT_FLAG, NULL, "show only memory sizes",
	  &memory_wanted },
	{ "require-free", 0, OPT_STRING, "SIZE",
	  "exit with 1 if less memory is free on the device, 2 if unknown [of "
	  "--device, CLW_DEVICE_ID, 0]",
	  &require_text },
	{ "headroom", 0, OPT_UINT, "PERCENT",
	  "with --require-free: so much more of SIZE must be free [default: 0]",
	  &headroom },
	{ "api", 0, OPT_FLAG, NULL,
	  "list the OpenCL functions: how each fails, its effect and errors\n"
	  "With its groups.",
	  &api_wanted },
	{ "list-models", 0, OPT_FLAG, NULL,
	  "list the device models for --model",
	  &list_models },
	{ "model", 0, OPT_STRINGS, "NAME",
	  "show a device model; with --list, --memory, --device: use it; may be "
	  "repeated\n"
	  "Shown with the source of each fact; with --list, --memory, "
	  "--device or --require-free, devices are those that a program sees "
	  "under it, one each time that it is given.",
	  &model_words },
	{ "record-faults", 0, OPT_FLAG, NULL,
	  "crash the first GPU and write a device model; asks first\n"
	  "Child processes crash it; without a GPU it is the first device. "
	  "The model is of its behaviour.",
	  &record_wanted },
	{ "yes", 0, OPT_FLAG, NULL, "do not ask for confirmation", &yes_given },
	{ "output", 'o', OPT_STRING, "FILE",
	  "write the device model to FILE, details of each run to FILE.jsonl "
	  "[default: model on standard output]", &output_path },
	{ "json", 0, OPT_FLAG, NULL, "print JSON", &json_wanted },
	{ 0 },
};

static void print_device_head(const json_t *device)
{
	printf("Device: %d (%s)\n", (int)json_integer_value(
		       json_object_get(device, "number")),
	       claw_machine_text(device, "name"));
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
	claw_info_memory(device);
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

	printf("Loader: %s (%s)\n", loader,
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
			claw_info_memory(device);
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

/* The device with the number in the text; NULL: there is none at all. */
static json_t *find_device(const struct claw_machine *machine, const char *text)
{
	unsigned long number;
	json_t *device;
	char *end;

	errno = 0;
	number = strtoul(text, &end, 10);
	if (errno || *end || *text < '0' || *text > '9')
		claw_die(CLAW_EXIT_USAGE, "info: option --device: expected a "
			 "number, found \"%s\"", text);
	device = claw_machine_find_device(machine, number);
	if (!device && machine->device_count)
		claw_die(CLAW_EXIT_USAGE, "info: option --device: expected a "
			 "number from 0 to %zu (see openclaw info --list), "
			 "found %s", machine->device_count - 1, text);
	return device;
}

static void show_json(const struct claw_machine *machine, json_t *only)
{
	json_t *platform, *device, *object;
	size_t i, j;

	json_array_foreach(machine->platforms, i, platform)
		json_array_foreach(json_object_get(platform, "devices"), j,
				   device)
			if (!only || device == only)
				claw_info_memory_add(device);
	object = only ? json_incref(only) : machine_json(machine);
	print_json(object);
	json_decref(object);
}

/* Of the device that was chosen, else the one that programs get. */
static int require_free(const struct claw_machine *machine, json_t *only)
{
	const char *chosen = getenv("CLW_DEVICE_ID");
	uint64_t bytes = claw_info_size(require_text, headroom);

	if (!only && chosen && *chosen) {
		claw_device_choice_check(NULL, &model_words);
		only = find_device(machine, chosen);
	}
	if (!only)
		only = claw_machine_find_device(machine, 0);
	if (only)
		return claw_info_require(only, bytes);
	claw_warn("info: cannot determine how much memory is free: %s (see "
		  "openclaw doctor)", machine->problem ?
		  machine->problem : "there is no device");
	return CLAW_EXIT_UNKNOWN;
}

static int show_machine(const struct claw_machine *machine)
{
	bool is_check = require_text && !list_wanted && !memory_wanted &&
		!json_wanted;
	json_t *only = device_text ? find_device(machine, device_text) : NULL;

	if (json_wanted)
		show_json(machine, only);
	else if (machine->device_count && !is_check)
		print_devices(machine, only);
	if (require_text)
		return require_free(machine, only);
	if (!machine->problem)
		return CLAW_EXIT_CLEAN;
	claw_warn("info: %s (see openclaw doctor)",
		  machine->problem);
	return machine->device_count ? CLAW_EXIT_FINDINGS : CLAW_EXIT_SKIPPED;
}

static int info_run(int argc, char *const *argv);

const struct claw_command claw_cmd_info = {
	.name = "info",
	.summary = "list platforms, devices, memory and device models",
	.usage = "",
	.description =
		"Queries the loader and its drivers in a child process with a "
		"time limit: a driver that crashes or hangs is reported, with "
		"what was found before.\n\n"
		"  clw-info --device 0 --memory    same as openclaw info "
		"--device 0 --memory",
	.options = info_options,
	.run = info_run,
};

/* The machine as it is, or as a program sees it under the model. */
static int show(void)
{
	static const struct claw_session_config plain;
	struct claw_session_config config = plain;
	struct claw_session *session = NULL;
	struct claw_machine *machine = NULL;
	char *models = NULL;
	int ret = 0, status;

	if (model_words.count) {
		config.models = models = claw_models_of(&model_words);
		ret = claw_session_new(NULL, NULL, 0, &config, &session);
		if (ret == 0)
			ret = claw_session_setenv(session, "CLW_DEVICE_ID",
						  NULL);
	}
	if (ret == 0)
		ret = claw_machine_ask(session ? session->environment : NULL,
				       &machine);
	claw_session_free(session);
	free(models);
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot query the OpenCL loader: %s",
			 claw_error_text(ret));
	status = show_machine(machine);
	claw_machine_free(machine);
	return status;
}

/* Not of devices: what openclaw knows, or does to them. */
static bool is_about_devices(void)
{
	return list_wanted || memory_wanted || device_text || require_text;
}

static int print_models(void)
{
	int status = CLAW_EXIT_CLEAN;

	for (size_t i = 0; i < model_words.count && !status; i++) {
		if (i)
			putchar('\n');
		status = claw_model_print(model_words.items[i]);
	}
	return status;
}

static int info_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_info, argc, argv, false);

	if (first < argc)
		claw_die(CLAW_EXIT_USAGE, "info: expected no operand, found \"%s\" (see "
			 "openclaw info --help)", argv[first]);
	if (require_text)
		claw_info_size(require_text, headroom);
	else if (headroom)
		claw_die(CLAW_EXIT_USAGE, "info: option --headroom: expected "
			 "--require-free, too; found none");
	if (api_wanted && json_wanted) {
		json_t *rows = claw_info_api_json();

		print_json(rows);
		json_decref(rows);
		return CLAW_EXIT_CLEAN;
	}
	if (api_wanted) {
		claw_info_api();
		return CLAW_EXIT_CLEAN;
	}
	if (json_wanted && (record_wanted || list_models ||
			    (model_words.count && !is_about_devices())))
		claw_die(CLAW_EXIT_USAGE, "info: --json and --%s exclude each "
			 "other", record_wanted ? "record-faults" :
			 list_models ? "list-models" : "model");
	if (record_wanted)
		return claw_info_record(output_path, yes_given);
	if (list_models)
		return claw_models_list();
	if (model_words.count && !is_about_devices())
		return print_models();
	return show();
}
