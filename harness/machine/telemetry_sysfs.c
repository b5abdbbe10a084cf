/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel's drivers amdgpu, i915 and xe say of a device, in the files
 * of /sys/class/drm/cardN. What a driver, or a version of it, has no file for
 * is not measurable.
 */
#include "config.h"

#include "telemetry_private.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/files/small_file.h"

enum { PATH_BYTES = 1024, TEXT_BYTES = 4096 };

struct card;
typedef void read_fn(const struct card *card,
		     struct claw_telemetry_values *values);
static read_fn read_amdgpu, read_i915, read_xe;

/* names: what its OpenCL devices are called. */
static const struct driver {
	const char *name;
	read_fn *read;
	const char *names[6];
} drivers[] = {
	{ "amdgpu", read_amdgpu, { "gfx", "Radeon", "AMD Instinct" } },
	{ "i915", read_i915, { "Intel(R) * Graphics", "Intel(R) Arc",
			       "Intel(R) Data Center GPU", "Iris" } },
	{ "xe", read_xe, { "Intel(R) * Graphics", "Intel(R) Arc",
			   "Intel(R) Data Center GPU", "Iris" } },
};

struct card {
	struct claw_telemetry telemetry;
	const struct driver *driver;
	char path[PATH_BYTES];		/* .../cardN */
	char hwmon[PATH_BYTES];		/* its sensors, or "" */
};

/* The value of NAME=... in a text of such lines. */
static bool find_value(const char *text, const char *name, char *value,
		       size_t size)
{
	size_t length = strlen(name);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, name, length) || line[length] != '=')
			continue;
		snprintf(value, size, "%.*s", (int)strcspn(line + length + 1,
			 "\n"), line + length + 1);
		return true;
	}
	return false;
}

/* part: words that follow one another, with " * " where others may be. */
static bool has_part(const char *name, const char *part)
{
	const char *star = strstr(part, " * ");
	char first[64];
	const char *at;

	if (!star)
		return strcasestr(name, part) != NULL;
	snprintf(first, sizeof(first), "%.*s", (int)(star - part), part);
	at = strcasestr(name, first);
	return at && strcasestr(at, star + 3);
}

/* A processor's name tells of the graphics beside it ("... with Radeon
 * Graphics"). */
static bool is_named(const struct driver *driver, const char *name)
{
	if (strcasestr(name, "cpu") || strcasestr(name, "pthread"))
		return false;
	for (size_t i = 0; i < 6 && driver->names[i]; i++)
		if (has_part(name, driver->names[i]))
			return true;
	return false;
}

/* Is that the card of a device that we have a driver of? */
static bool take_card(struct card *card, const char *path, const char *pci,
		      const char *name)
{
	char text[TEXT_BYTES], driver[64], slot[64];

	if (!claw_small_file_read(text, sizeof(text), "%s/device/uevent",
				  path) ||
	    !find_value(text, "DRIVER", driver, sizeof(driver)) ||
	    !find_value(text, "PCI_SLOT_NAME", slot, sizeof(slot)))
		return false;
	if (pci && strcasecmp(pci, slot))
		return false;
	for (size_t i = 0; i < sizeof(drivers) / sizeof(*drivers); i++) {
		if (strcmp(drivers[i].name, driver) ||
		    (!pci && name && !is_named(&drivers[i], name)))
			continue;
		card->driver = &drivers[i];
		snprintf(card->path, sizeof(card->path), "%s", path);
		snprintf(card->telemetry.source, sizeof(card->telemetry.source),
			 "%s", driver);
		return true;
	}
	return false;
}

static void find_sensors(struct card *card)
{
	char pattern[PATH_BYTES + 32];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/device/hwmon/hwmon*",
		 card->path);
	if (glob(pattern, 0, NULL, &found) == 0)
		snprintf(card->hwmon, sizeof(card->hwmon), "%s",
			 found.gl_pathv[0]);
	globfree(&found);
}

static size_t find_cards(struct card *card, const char *pci, const char *name,
			 const char *root)
{
	char pattern[PATH_BYTES];
	size_t count = 0;
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/sys/class/drm/card*", root);
	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++) {
			const char *last = strrchr(found.gl_pathv[i], '/') + 5;

			/* card0-DP-1 is a connector. */
			if (!last[strspn(last, "0123456789")])
				count += take_card(card, found.gl_pathv[i], pci,
						   name);
		}
	globfree(&found);
	return count;
}

static struct claw_telemetry *sysfs_open(const char *pci, const char *name,
					 const char *root, char *error,
					 size_t error_size)
{
	struct card *card = claw_calloc(1, sizeof(*card));
	size_t count;

	count = find_cards(card, pci, name, root);
	if (count == 1) {
		find_sensors(card);
		return &card->telemetry;
	}
	free(card);
	if (count)
		snprintf(error, error_size, "more than one such device of "
			 "amdgpu, i915 or xe in /sys/class/drm, and no PCI "
			 "address was given");
	else
		snprintf(error, error_size, "no such device of amdgpu, i915 "
			 "or xe in /sys/class/drm");
	return NULL;
}

static void sysfs_close(struct claw_telemetry *telemetry)
{
	free(telemetry);
}

static double of_device(const struct card *card, const char *name)
{
	return claw_small_file_number("%s/device/%s", card->path, name);
}

static double of_card(const struct card *card, const char *name)
{
	return claw_small_file_number("%s/%s", card->path, name);
}

/* The first of two names that has a number. */
static double of_sensor(const struct card *card, const char *name,
			const char *other)
{
	double value = NAN;

	if (*card->hwmon)
		value = claw_small_file_number("%s/%s", card->hwmon, name);
	if (*card->hwmon && isnan(value) && other)
		value = claw_small_file_number("%s/%s", card->hwmon, other);
	return value;
}

/* ---- amdgpu */

/* "1: 1200Mhz *": the level with the star. */
static double clock_level(const struct card *card)
{
	char text[TEXT_BYTES], *rest = text;

	claw_small_file_read(text, sizeof(text), "%s/device/pp_dpm_sclk",
			     card->path);
	for (char *line; (line = strsep(&rest, "\n"));) {
		char *colon = strchr(line, ':');

		if (colon && strchr(colon, '*'))
			return strtod(colon + 1, NULL);
	}
	return NAN;
}

/* Offsets of two versions of the binary file gpu_metrics, 1.3 and what has the
 * same begin: its header is { size (2 bytes), format, content }; bits 0 to 15
 * of the status are power, 16 to 31 current, 32 to 47 temperature. */
enum { METRICS_FORMAT = 1, METRICS_CONTENT = 3, STATUS_AT = 112,
       METRICS_BYTES = 120 };

static void read_throttle(const struct card *card,
			  struct claw_telemetry_values *values)
{
	unsigned char bytes[METRICS_BYTES] = { 0 };
	char path[PATH_BYTES + 32];
	size_t size = 0;
	uint64_t status;
	FILE *in;

	snprintf(path, sizeof(path), "%s/device/gpu_metrics", card->path);
	in = claw_outside_fopen(path);
	if (in) {
		size = fread(bytes, 1, sizeof(bytes), in);
		fclose(in);
	}
	if (size != sizeof(bytes) || bytes[2] != METRICS_FORMAT ||
	    bytes[3] != METRICS_CONTENT)
		return;
	memcpy(&status, bytes + STATUS_AT, sizeof(status));
	if (status == UINT64_MAX)	/* this device does not say */
		return;
	values->has_throttle = true;
	values->throttle_reasons = status;
	if (status & 0xffff)
		claw_telemetry_add_reason(values, "power cap");
	if (status >> 16 & 0xffff)
		claw_telemetry_add_reason(values, "current limit");
	if (status >> 32 & 0xffff)
		claw_telemetry_add_reason(values, "thermal slowdown");
	if (status >> 48)
		claw_telemetry_add_reason(values, "other");
}

static void read_amdgpu(const struct card *card,
			struct claw_telemetry_values *values)
{
	char errors[TEXT_BYTES];

	values->used_bytes = of_device(card, "mem_info_vram_used");
	values->total_bytes = of_device(card, "mem_info_vram_total");
	values->utilization = of_device(card, "gpu_busy_percent");
	values->clock_mhz = of_sensor(card, "freq1_input", NULL) / 1e6;
	if (isnan(values->clock_mhz))
		values->clock_mhz = clock_level(card);
	values->temperature = of_sensor(card, "temp1_input", NULL) / 1e3;
	values->power_watt = of_sensor(card, "power1_average",
				       "power1_input") / 1e6;
	claw_small_file_read(errors, sizeof(errors),
			     "%s/device/ras/umc_err_count", card->path);
	values->ecc_corrected = claw_small_file_field(errors, "ce");
	values->ecc_uncorrected = claw_small_file_field(errors, "ue");
	values->pcie_replays = of_device(card, "pcie_replay_count");
	read_throttle(card, values);
}

/* ---- i915 and xe */

static const struct {
	const char *file, *text;	/* behind "reason_" */
} intel_reasons[] = {
	{ "pl1", "power cap" },
	{ "pl2", "power cap over a short time" },
	{ "pl4", "current limit" },
	{ "thermal", "thermal slowdown" },
	{ "prochot", "thermal slowdown by another part" },
	{ "ratl", "average thermal limit" },
	{ "vr_thermalert", "hot voltage regulator" },
	{ "vr_tdc", "current limit of the voltage regulator" },
};

/* Files PREFIX + "status", PREFIX + "reason_pl1" and so on below the card. */
static void read_intel_reasons(const struct card *card, const char *status,
			       const char *prefix,
			       struct claw_telemetry_values *values)
{
	if (isnan(of_card(card, status)))
		return;
	values->has_throttle = true;
	for (size_t i = 0; i < sizeof(intel_reasons) / sizeof(*intel_reasons);
	     i++) {
		char name[128];

		snprintf(name, sizeof(name), "%s%s", prefix,
			 intel_reasons[i].file);
		if (!(of_card(card, name) > 0))
			continue;
		values->throttle_reasons |= UINT64_C(1) << i;
		claw_telemetry_add_reason(values, intel_reasons[i].text);
	}
}

/* Memory of its own has no files in these drivers; power only as energy. */
static void read_i915(const struct card *card,
		      struct claw_telemetry_values *values)
{
	values->clock_mhz = of_card(card, "gt_act_freq_mhz");
	values->temperature = of_sensor(card, "temp1_input", NULL) / 1e3;
	read_intel_reasons(card, "gt/gt0/throttle_reason_status",
			   "gt/gt0/throttle_reason_", values);
}

static void read_xe(const struct card *card,
		    struct claw_telemetry_values *values)
{
	values->clock_mhz = of_card(card, "device/tile0/gt0/freq0/act_freq");
	values->temperature = of_sensor(card, "temp2_input", "temp1_input") /
		1e3;
	read_intel_reasons(card, "device/tile0/gt0/freq0/throttle/status",
			   "device/tile0/gt0/freq0/throttle/reason_", values);
}

static void sysfs_read(struct claw_telemetry *telemetry,
		       struct claw_telemetry_values *values)
{
	const struct card *card = (const struct card *)telemetry;

	card->driver->read(card, values);
}

const struct telemetry_kind claw_telemetry_sysfs = {
	.open = sysfs_open, .close = sysfs_close, .read = sysfs_read,
};
