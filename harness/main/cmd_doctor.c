/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw doctor": is everything here that openclaw needs, does it work,
 * and what is to be done where not. That the loader loads the layer is
 * proven with a session, not concluded from a version.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/session/door.h"
#include "harness/base/errors.h"
#include "found.h"
#include "harness/evidence/why_not.h"
#include "harness/readers/journal_reader.h"
#include "machine_place.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "harness/session/program.h"
#include "harness/session/session.h"
#include "harness/base/text.h"
#include "harness/session/user_config.h"

enum state {
	STATE_OK,
	STATE_NOTE,	/* worth knowing */
	STATE_MISSING,	/* optional */
	STATE_BAD,	/* needed */
};

static bool json_wanted;
static bool needed_failed;
static json_t *rows;

static const struct claw_option doctor_options[] = {
	{ "json", 0, OPT_FLAG, NULL, "print JSON", &json_wanted },
	{ 0 },
};

/* One line: what was looked at, what was found, what to do (or NULL). */
static void say(enum state state, const char *what, const char *todo,
		const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void say(enum state state, const char *what, const char *todo,
		const char *format, ...)
{
	static const struct {
		const char *word, *color;
	} words[] = {
		[STATE_OK] = { "ok", "\033[32m" },
		[STATE_NOTE] = { "note", "\033[36m" },
		[STATE_MISSING] = { "missing", "\033[33m" },
		[STATE_BAD] = { "BAD", "\033[31m" },
	};
	bool color = claw_color_enabled(STDOUT_FILENO);
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	needed_failed |= state == STATE_BAD;
	if (json_wanted) {
		json_array_append_new(rows, json_pack(
			"{s:s, s:s, s:s, s:s?}", "state", words[state].word,
			"what", what, "found", text, "todo", todo));
		return;
	}
	printf("  %s%-8s%s %-9s %s\n", color ? words[state].color : "",
	       words[state].word, color ? "\033[0m" : "", what, text);
	if (todo)
		printf("  %-8s %-9s -> %s\n", "", "", todo);
}

static void check_path(void)
{
	char *self = claw_machine_self();
	char *on_path, *real;
	int error;

	say(STATE_OK, "openclaw", NULL, "%s, %s", PACKAGE_VERSION,
	    self ? self : "its own path is unknown");
	on_path = claw_program_find("openclaw", &error);
	real = on_path ? realpath(on_path, NULL) : NULL;
	if (real && self && strcmp(real, self) != 0)
		say(STATE_NOTE, "PATH", "call this openclaw by its path, or "
		    "put its directory first in PATH",
		    "the first openclaw in PATH is another one: %s",
		    on_path);
	else if (!on_path)
		say(STATE_NOTE, "PATH", NULL,
		    "no openclaw in PATH; call it by its path");
	free(real);
	free(on_path);
	free(self);
}

static void check_environment(void)
{
	static const char *const names[] = {
		"OPENCL_LAYERS", "OCL_ICD_VENDORS", "OCL_ICD_FILENAMES",
		"OPENCL_VENDOR_PATH", "OPENCLAW_LAYER", "OPENCLAW_FAULTS",
		"LD_PRELOAD", "CLW_DEVICE_ID", "CLW_WORKLOAD",
	};
	const struct claw_user_variable *one = claw_user_variables;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			say(STATE_NOTE, "set", NULL, "%s=%s", names[i], value);
	}
	for (; one->name; one++) {
		const char *value = getenv(one->name);

		if (!value || !*value)
			continue;
		if (claw_user_variable_takes(one, value))
			say(STATE_NOTE, "set", NULL, "%s=%s", one->name, value);
		else
			say(STATE_BAD, "set", "set it to one of these, or unset "
			    "it", "%s=%s counts as not set: expected %s",
			    one->name, value, one->values);
	}
}

static void check_loader(const struct claw_found *found)
{
	const struct claw_machine *machine = found->machine;
	char *name = claw_machine_loader_name(machine);
	const char *path = claw_machine_text(machine->loader, "path");

	if (machine->loader)
		say(STATE_OK, "loader", NULL, "%s, %s%s", name, path,
		    claw_program_file_has(path, "OPENCL_LAYERS") ?
		    ", supports layers" : ", does not support layers");
	else
		say(STATE_BAD, "loader", "apt install ocl-icd-libopencl1",
		    "%s", machine->problem);
	free(name);
}

/* Name and version of the loader in a library, malloced. */
static char *name_of_loader(const char *library)
{
	size_t length = (size_t)(claw_base_name(library) - library);
	char *path = claw_format("LD_LIBRARY_PATH=%.*s", (int)length, library);
	char *const set_env[] = { path, NULL };
	struct claw_machine *machine = NULL;
	char *name = NULL;

	if (claw_machine_ask(set_env, &machine) == 0 &&
	    strncmp(claw_machine_text(machine->loader, "path"), library,
		    length) == 0)
		name = claw_machine_loader_name(machine);
	claw_machine_free(machine);
	free(path);
	return name ? name : claw_strdup("a loader");
}

static void say_loader(const struct claw_program *p)
{
	char *name = p->opencl == p->path ?
		claw_strdup("a loader that is linked into it") :
		name_of_loader(p->opencl);

	say(STATE_OK, "program", NULL, "%s: %s, %s, %s", p->path, name,
	    p->opencl, p->opencl_has_layers ? "supports layers" :
	    "does not support layers; using --via icd");
	free(name);
}

/* The loader that a program would use. */
static void check_program(const char *name)
{
	struct claw_obstacle obstacle;
	struct claw_program p;
	int error = 0;

	if (claw_program_look(name, &p, &error) < 0) {
		say(STATE_BAD, "program", NULL, "%s: %s", name,
		    strerror(error));
		return;
	}
	obstacle = claw_program_obstacle(&p);
	if (p.is_script)
		say(STATE_NOTE, "program", "name the program that it starts",
		    "%s is a script, so its loader is unknown", p.path);
	else if (p.is_emulator)
		say(STATE_NOTE, "program", "set OPENCLAW_LAYER to a layer for "
		    "that processor (configure --disable-host)",
		    "%s runs a program for another processor, whose loader is "
		    "unknown", p.path);
	else if (obstacle.why)
		say(STATE_BAD, "program", obstacle.advice, "%s", obstacle.why);
	else if (p.opencl)
		say_loader(&p);
	else
		say(STATE_NOTE, "program", "use --via icd if its loader does "
		    "not support layers",
		    "%s is not linked with OpenCL; the loader above is the one "
		    "that dlopen(\"libOpenCL.so.1\") finds", p.path);
	free(obstacle.why);
	claw_program_release(&p);
}

/* Calls that the journals of a session counted, and slots that were hooked. */
static int count_calls(const struct claw_session *session, uint64_t *ret_calls,
		       uint64_t *ret_slots)
{
	size_t count = 0;
	char **paths;
	int ret = claw_session_journals(session, &paths, &count);

	*ret_calls = *ret_slots = 0;
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < count; i++) {
		struct claw_journal *journal;

		if (claw_journal_read(paths[i], &journal) == 0) {
			*ret_calls += claw_journal_get_total_calls(journal);
			*ret_slots = claw_journal_get_header(journal)
				     ->hooked_slots;
			claw_journal_free(journal);
		}
		free(paths[i]);
	}
	free(paths);
	return 0;
}

/* Ask the loader again with us behind that door: did we see the calls? True
 * when it could be tried; ret_calls 0: no. */
static bool try_door(enum claw_door door, const char *what,
		     struct claw_machine **ret_machine, uint64_t *ret_calls,
		     uint64_t *ret_slots)
{
	static const struct claw_session_config config = { 0 };
	struct claw_session *session;
	int ret;

	claw_via_force(door);
	ret = claw_session_new(NULL, NULL, 0, &config, &session);
	if (ret == -CLAW_E_NOT_FOUND)
		say(STATE_BAD, what, "run make or make install, or set "
		    "OPENCLAW_LAYER to its path",
		    "cannot find libopenclaw-layer.so next to this program or "
		    "in %s", CLAW_PKGLIBDIR);
	else if (ret < 0)
		say(STATE_BAD, what, NULL, "cannot create a session: %s",
		    claw_error_text(ret));
	if (ret < 0)
		return false;
	/* All devices are looked at. */
	ret = claw_session_setenv(session, "CLW_DEVICE_ID", NULL);
	if (ret == 0)
		ret = claw_machine_ask(session->environment, ret_machine);
	if (ret == 0)
		ret = count_calls(session, ret_calls, ret_slots);
	if (ret < 0)
		say(STATE_BAD, what, NULL, "it cannot be tested: %s",
		    claw_error_text(ret));
	claw_session_free(session);
	return ret == 0;
}

/* Returns whether the loader let us in; needed: it is bad when not. */
static bool check_door(enum claw_door door, const char *what, bool needed)
{
	const char *todo = !needed ? NULL :
		"use ocl-icd 2.3 or later (apt install ocl-icd-libopencl1) or "
		"Khronos' loader of 2022 or later";
	struct claw_machine *machine = NULL;
	uint64_t calls = 0, slots = 0;
	char *layer = claw_layer_path();
	bool works = false;

	if (!try_door(door, what, &machine, &calls, &slots)) {
		free(layer);
		claw_machine_free(machine);
		return false;
	}
	works = calls && slots;
	if (works)
		say(STATE_OK, what, NULL, "%s: the loader loads it, %"
		    PRIu64 " entry points hooked, %" PRIu64 " calls seen",
		    layer, slots, calls);
	else if (!json_array_size(machine->platforms))
		say(STATE_NOTE, what, "install a driver first",
		    "%s: cannot be tested without a platform", layer);
	else
		say(needed ? STATE_BAD : STATE_NOTE, what, todo,
		    "%s: the loader does not load it%s", layer,
		    needed ? "" : door == CLAW_DOOR_LAYER ?
		    " as a layer; using --via icd" : " as an ICD");
	claw_machine_free(machine);
	free(layer);
	return works;
}

/* Either door will do. */
static void check_doors(void)
{
	bool icd_works = check_door(CLAW_DOOR_ICD, "via icd", false);

	check_door(CLAW_DOOR_LAYER, "layer", !icd_works);
}

static void check_icds(const struct claw_found *found)
{
	for (size_t i = 0; i < found->icd_count; i++) {
		const struct claw_icd *icd = &found->icds[i];
		const struct claw_machine *machine = icd->machine;
		const char *library = icd->library ? icd->library :
						     "cannot be read";

		if (machine && machine->broken)
			say(STATE_BAD, "ICD", "reinstall this driver, or "
			    "exclude it: OCL_ICD_VENDORS=DIR, with the .icd "
			    "files of the others in DIR",
			    "%s (%s): %s", icd->file, library,
			    machine->problem);
		else if (machine && machine->problem)
			say(STATE_NOTE, "ICD", NULL, "%s (%s): %s", icd->file,
			    library, machine->problem);
		else
			say(STATE_OK, "ICD", NULL, "%s (%s)", icd->file,
			    library);
	}
	if (!found->icd_count)
		say(STATE_NOTE, "ICD", NULL, "no .icd file found");
}

/* Tests have a directory that stands for /. */
static void check_place(const struct claw_found *found)
{
	static const enum state states[] = {
		[CLAW_PLACE_OK] = STATE_OK, [CLAW_PLACE_NOTE] = STATE_NOTE,
		[CLAW_PLACE_BAD] = STATE_BAD,
	};
	const char *root = getenv("OPENCLAW_TEST_ROOT");
	struct claw_place place;

	claw_place_look(&place, root ? root : "", found->machine, found->icds,
			found->icd_count, getenv("CLW_DEVICE_ID"));
	for (size_t i = 0; i < place.count; i++) {
		const struct claw_place_remark *one = &place.remarks[i];

		say(states[one->state], one->what, *one->todo ? one->todo :
		    NULL, "%s", one->text);
	}
}

static void check_platforms(const struct claw_found *found)
{
	const struct claw_machine *machine = found->machine;
	json_t *platform, *device;
	size_t i, j;

	json_array_foreach(machine->platforms, i, platform) {
		say(STATE_OK, "platform", NULL, "%s, %s",
		    claw_machine_text(platform, "name"),
		    claw_machine_text(platform, "version"));
		json_array_foreach(json_object_get(platform, "devices"), j,
				   device)
			say(STATE_OK, "device", NULL, "%d: %s",
			    (int)json_integer_value(
				    json_object_get(device, "number")),
			    claw_machine_text(device, "name"));
	}
	if (machine->loader && machine->problem)
		say(STATE_BAD, "platform", machine->broken ?
		    "see the ICD lines above for the driver" :
		    "apt install pocl-opencl-icd, for a device on this CPU",
		    "%s", machine->problem);
}

static void check_tools(const struct claw_found *found)
{
	for (size_t i = 0; i < CLAW_TOOL_COUNT; i++) {
		const struct claw_tool *tool = &found->tools[i];
		const char *package = tool->needed ? tool->needed :
						     tool->package;
		char todo[128];

		/* Which clang, only openclaw-instrument can tell. */
		if (!tool->path && (!package || (i == CLAW_TOOL_LIBCLANG &&
				!found->tools[CLAW_TOOL_INSTRUMENT].path)))
			continue;
		snprintf(todo, sizeof(todo), "apt install %s",
			 package ? package : "");
		if (tool->path)
			say(STATE_OK, tool->name, NULL, "%s, %s",
			    tool->version ? tool->version :
			    "unknown version", tool->path);
		else
			say(STATE_MISSING, tool->name, todo,
			    "would give %s", tool->gives);
	}
}

static int doctor_run(int argc, char *const *argv);

const struct claw_command claw_cmd_doctor = {
	.name = "doctor",
	.summary = "check the OpenCL setup and print how to fix it",
	.usage = "[PROGRAM]",
	.description =
		"Checks whether the OpenCL loader loads openclaw's layer (by "
		"trying it), each driver alone, the devices and the tools; "
		"whether a driver's kernel module and OpenCL library have the "
		"same version, whether a container lacks the device, whether "
		"this is WSL2, and whether CLW_DEVICE_ID selects the slower "
		"device. With PROGRAM: which loader that program would use, "
		"and whether openclaw can attach to it; it is not run.\n\n"
		"Exit status: 0 everything required works, 1 otherwise; a "
		"missing tool is not a failure.",
	.options = doctor_options,
	.run = doctor_run,
};

static int doctor_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_doctor, argc, argv, false);
	struct claw_found found;
	int ret;

	if (first + 1 < argc)
		claw_die(CLAW_EXIT_USAGE, "doctor: expected one PROGRAM, found "
			 "\"%s\", too (see openclaw doctor --help)",
			 argv[first + 1]);
	ret = claw_found_init(&found);
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "doctor: cannot run the checks: %s",
			 claw_error_text(ret));
	rows = json_array();
	check_path();
	check_environment();
	check_loader(&found);
	if (first < argc)
		check_program(argv[first]);
	if (found.machine->loader)
		check_doors();
	check_icds(&found);
	check_platforms(&found);
	check_place(&found);
	check_tools(&found);
	if (json_wanted) {
		json_t *all = json_pack("{s:b, s:O}", "works", !needed_failed,
					"rows", rows);

		json_dumpf(all, stdout, JSON_INDENT(2));
		putchar('\n');
		json_decref(all);
	} else {
		puts(needed_failed ?
		     "Something that openclaw requires does not work." :
		     "Everything that openclaw requires works.");
	}
	json_decref(rows);
	claw_found_release(&found);
	return needed_failed ? CLAW_EXIT_FINDINGS : CLAW_EXIT_CLEAN;
}
