/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compare needs with what the drivers say.
 */
#include "config.h"

#include "needs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/machine/machine.h"
#include "harness/base/memory.h"
#include "harness/process/runner.h"

enum { TYPE_CPU = 1 << 1, TYPE_GPU = 1 << 2, TYPE_ACCELERATOR = 1 << 3 };

/* The machine as a tool's drivers show it; kept for the next question. */
static struct {
	char *icd_directory;
	bool is_known;
	struct claw_machine *machine;	/* NULL: could not be asked */
} last;

static bool is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static struct claw_machine *ask(const struct claw_under *under)
{
	char *environment[CLAW_UNDER_DRIVERS_MAX];

	if (last.is_known && is_same(last.icd_directory, under->icd_directory))
		return last.machine;
	claw_machine_free(last.machine);
	free(last.icd_directory);
	last.machine = NULL;
	last.icd_directory = claw_strdup_or_null(under->icd_directory);
	claw_under_drivers(under, environment);
	if (claw_machine_ask(environment, &last.machine) < 0)
		last.machine = NULL;
	last.is_known = true;
	free(environment[0]);
	return last.machine;
}

/* One of the words between blanks? */
static bool has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += length)
		if ((at == words || at[-1] == ' ') &&
		    (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

static bool has_type(const json_t *device, const char *type)
{
	json_int_t bits = json_integer_value(json_object_get(device, "type"));
	json_int_t wanted = strcmp(type, "gpu") == 0 ? TYPE_GPU :
			    strcmp(type, "cpu") == 0 ? TYPE_CPU :
			    TYPE_ACCELERATOR;

	return (bits & wanted) != 0;
}

static void check_device(const struct claw_case_needs *needs,
			 const json_t *device, char *why, size_t why_size)
{
	const char *name = claw_machine_text(device, "name");
	uint64_t bytes = (uint64_t)json_integer_value(
		json_object_get(device, "global_mem_bytes"));

	if (needs->device_type && !has_type(device, needs->device_type)) {
		snprintf(why, why_size, "needs a %s, and %s is none",
			 needs->device_type, name);
		return;
	}
	if (bytes < needs->memory_bytes) {
		snprintf(why, why_size, "needs %" PRIu64 " MiB of device "
			 "memory, and %s has %" PRIu64,
			 (needs->memory_bytes + (1 << 20) - 1) >> 20, name,
			 bytes >> 20);
		return;
	}
	for (char **one = needs->extensions; one && *one; one++)
		if (!has_word(claw_machine_text(device, "extensions"), *one)) {
			snprintf(why, why_size, "needs %s, which %s does not "
				 "have", *one, name);
			return;
		}
}

void claw_needs_check(const struct claw_case_needs *needs,
		      const struct claw_under *under, char *why,
		      size_t why_size)
{
	struct claw_machine *machine;
	const json_t *device;
	int error;

	*why = '\0';
	for (char **one = needs->programs; one && *one; one++) {
		char *path = claw_program_find(*one, &error);

		if (!path) {
			snprintf(why, why_size, "needs the program %s, which "
				 "is not installed", *one);
			return;
		}
		free(path);
	}
	if (!needs->extensions && !needs->device_type &&
	    needs->memory_bytes == 0)
		return;
	machine = ask(under);
	device = machine ? claw_machine_find_device(machine, under->has_device ?
						    under->device : 0) : NULL;
	if (device)
		check_device(needs, device, why, why_size);
	else
		snprintf(why, why_size, "needs an OpenCL device: %s",
			 machine && machine->problem ? machine->problem :
			 "cannot query the drivers");
}

void claw_needs_check_device(const struct claw_under *under, char *why,
			     size_t why_size)
{
	struct claw_machine *machine = under->has_device ? ask(under) : NULL;

	*why = '\0';
	if (under->has_device &&
	    (!machine || !claw_machine_find_device(machine, under->device)))
		snprintf(why, why_size, "no device %" PRIu64 " (see openclaw "
			 "info --list)", under->device);
}
