/* SPDX-License-Identifier: Apache-2.0 */
/* "openclaw info --memory" and "--require-free". */
#include "config.h"

#include "cmd_info.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/errors.h"
#include "free_memory.h"
#include "machine.h"
#include "harness/session/model.h"

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

void claw_info_memory(const json_t *device)
{
	struct claw_free_memory found;

	print_size_member("Global Mem", device, "global_mem_bytes");
	print_size_member("Local Mem", device, "local_mem_bytes");
	print_size_member("Max Alloc Size", device, "max_alloc_bytes");
	claw_free_memory_find(device, &found);
	if (isnan(found.bytes)) {
		printf("Current Free: not available (%s)\n", found.why);
		return;
	}
	printf("Current Free: %.0f MiB", floor(found.bytes / (1 << 20)));
	if (!isnan(found.percent))
		printf(" (%.0f%%)", floor(found.percent));
	printf("\nSource: %s\n", found.source);
}

void claw_info_memory_add(json_t *device)
{
	struct claw_free_memory found;
	json_t *object = json_object();

	claw_free_memory_find(device, &found);
	json_object_set_new(object, "bytes", isnan(found.bytes) ? json_null() :
			    json_integer((json_int_t)found.bytes));
	json_object_set_new(object, "source", *found.source ?
			    json_string(found.source) : json_null());
	if (*found.why)
		json_object_set_new(object, "why", json_string(found.why));
	json_object_set_new(device, "free_memory", object);
}

uint64_t claw_info_size(const char *text, uint64_t headroom)
{
	const struct claw_model_key key = {
		.name = "require-free", .kind = CLAW_MODEL_SIZE, .lowest = 1,
		.highest = INT64_MAX, .words = "",
	};
	char value[32], expected[128];
	double bytes;

	if (claw_model_value(&key, text, value, sizeof(value), expected,
			     sizeof(expected)) < 0)
		claw_die(CLAW_EXIT_USAGE, "info: option --require-free: "
			 "expected %s, found \"%s\"", expected, text);
	bytes = (double)strtoull(value, NULL, 10);
	bytes = ceil(bytes + bytes * (double)headroom / 100);
	if (bytes > (double)INT64_MAX / 2)
		claw_die(CLAW_EXIT_USAGE, "info: option --headroom: expected a "
			 "percentage with which SIZE is below 4 EiB, found %"
			 PRIu64, headroom);
	return (uint64_t)bytes;
}

int claw_info_require(const json_t *device, uint64_t bytes)
{
	int number = (int)json_integer_value(json_object_get(device, "number"));
	const char *name = claw_machine_text(device, "name");
	double wanted = ceil((double)bytes / (1 << 20)), got;
	json_int_t all = json_integer_value(
		json_object_get(device, "global_mem_bytes"));
	struct claw_free_memory found;

	claw_free_memory_find(device, &found);
	/* More than there is cannot be free, whoever is asked. */
	if (isnan(found.bytes) && all > 0 && bytes > (uint64_t)all) {
		claw_warn("info: device %d (%s) has %.0f MiB in total, %.0f "
			  "MiB free are required", number, name,
			  floor((double)all / (1 << 20)), wanted);
		return CLAW_EXIT_FINDINGS;
	}
	if (isnan(found.bytes)) {
		claw_warn("info: cannot determine how much memory of device "
			  "%d (%s) is free: %s", number, name, found.why);
		return CLAW_EXIT_UNKNOWN;
	}
	got = floor(found.bytes / (1 << 20));
	if (found.bytes < (double)bytes) {
		claw_warn("info: device %d (%s) has %.0f MiB free, %.0f MiB "
			  "are required (%s)", number, name, got, wanted,
			  found.source);
		return CLAW_EXIT_FINDINGS;
	}
	printf("Device %d (%s) has %.0f MiB free, %.0f MiB are required (%s)\n",
	       number, name, got, wanted, found.source);
	return CLAW_EXIT_CLEAN;
}
