/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What NVIDIA's management library says of a device. It is opened when it is
 * asked for, and only functions are called that read. The declarations are our
 * own, after NVIDIA's NVML API reference.
 */
#include "config.h"

#include "telemetry_private.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

#define LIBRARY "libnvidia-ml.so.1"

enum { NVML_SUCCESS = 0, TEXT_BYTES = 96, DEVICES_MAX = 256 };

/* Arguments of the functions, as the reference numbers them. */
enum { TEMPERATURE_GPU = 0, CLOCK_SM = 1, CORRECTED = 0, UNCORRECTED = 1,
       VOLATILE = 0 };

/* Why the clock is lower than it might be. That there is nothing to do, or
 * that somebody asked for it (1, 2, 0x10, 0x100), is no throttling. */
static const struct {
	unsigned long long bit;
	const char *text;
} reasons[] = {
	{ 0x04, "power cap" },
	{ 0x08, "hardware slowdown" },
	{ 0x20, "software thermal slowdown" },
	{ 0x40, "hardware thermal slowdown" },
	{ 0x80, "power brake" },
};

struct memory {
	unsigned long long total, free, used;
};

struct utilization {
	unsigned int gpu, memory;
};

/* Functions that are there since long; the last two have had two names. */
struct nvml {
	void *library;
	int (*init)(void);
	int (*shutdown)(void);
	const char *(*error_text)(int code);
	int (*driver_version)(char *text, unsigned int size);
	int (*device_count)(unsigned int *count);
	int (*device_at)(unsigned int index, void **device);
	int (*device_of_pci)(const char *pci, void **device);
	int (*name)(void *device, char *text, unsigned int size);
	int (*memory)(void *device, struct memory *memory);
	int (*temperature)(void *device, int sensor, unsigned int *celsius);
	int (*clock)(void *device, int type, unsigned int *mhz);
	int (*power)(void *device, unsigned int *milliwatt);
	int (*utilization)(void *device, struct utilization *percent);
	int (*ecc)(void *device, int error, int counter,
		   unsigned long long *count);
	int (*replays)(void *device, unsigned int *count);
	int (*reasons)(void *device, unsigned long long *bits);
};

struct nvml_device {
	struct claw_telemetry telemetry;
	struct nvml nvml;
	void *device;
};

static const struct symbol {
	size_t offset;
	const char *name, *older;
	bool is_needed;
} symbols[] = {
#define AT(member_) offsetof(struct nvml, member_)
	{ AT(init), "nvmlInit_v2", NULL, true },
	{ AT(shutdown), "nvmlShutdown", NULL, true },
	{ AT(error_text), "nvmlErrorString", NULL, true },
	{ AT(driver_version), "nvmlSystemGetDriverVersion", NULL, false },
	{ AT(device_count), "nvmlDeviceGetCount_v2", NULL, true },
	{ AT(device_at), "nvmlDeviceGetHandleByIndex_v2", NULL, true },
	{ AT(device_of_pci), "nvmlDeviceGetHandleByPciBusId_v2", NULL, true },
	{ AT(name), "nvmlDeviceGetName", NULL, true },
	{ AT(memory), "nvmlDeviceGetMemoryInfo", NULL, false },
	{ AT(temperature), "nvmlDeviceGetTemperature", NULL, false },
	{ AT(clock), "nvmlDeviceGetClockInfo", NULL, false },
	{ AT(power), "nvmlDeviceGetPowerUsage", NULL, false },
	{ AT(utilization), "nvmlDeviceGetUtilizationRates", NULL, false },
	{ AT(ecc), "nvmlDeviceGetTotalEccErrors", NULL, false },
	{ AT(replays), "nvmlDeviceGetPcieReplayCounter", NULL, false },
	{ AT(reasons), "nvmlDeviceGetCurrentClocksEventReasons",
	  "nvmlDeviceGetCurrentClocksThrottleReasons", false },
#undef AT
};

static void *open_library(const char *root, char *error, size_t error_size)
{
	char path[4096];
	void *library;

	snprintf(path, sizeof(path), "%s%s" LIBRARY, root, *root ? "/" : "");
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library && !*root)
		library = dlopen("/usr/lib/wsl/lib/" LIBRARY,
				 RTLD_NOW | RTLD_LOCAL);
	if (!library)
		snprintf(error, error_size,
			 "no NVIDIA management library (" LIBRARY ")");
	return library;
}

static bool find_symbols(struct nvml *nvml, char *error, size_t error_size)
{
	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
		const struct symbol *symbol = &symbols[i];
		void *function = dlsym(nvml->library, symbol->name);

		if (!function && symbol->older)
			function = dlsym(nvml->library, symbol->older);
		memcpy((char *)nvml + symbol->offset, &function,
		       sizeof(function));
		if (function || !symbol->is_needed)
			continue;
		snprintf(error, error_size, LIBRARY " lacks %s", symbol->name);
		return false;
	}
	return true;
}

/* One has all letters of the other in it. */
static bool is_like(const char *name, const char *other)
{
	return strcasestr(name, other) || strcasestr(other, name);
}

/* The only device whose name is like name, of all when that is NULL. */
static bool find_named(struct nvml_device *d, const char *name, char *error,
		       size_t error_size)
{
	unsigned int count = 0, found = 0;
	char text[TEXT_BYTES];
	void *device;

	if (d->nvml.device_count(&count) != NVML_SUCCESS || count > DEVICES_MAX)
		count = 0;
	for (unsigned int i = 0; i < count; i++) {
		if (d->nvml.device_at(i, &device) != NVML_SUCCESS ||
		    (name && (d->nvml.name(device, text, sizeof(text)) !=
			      NVML_SUCCESS || !is_like(text, name))))
			continue;
		d->device = device;
		found++;
	}
	if (found == 1)
		return true;
	snprintf(error, error_size, "NVML knows %s device%s%s%s",
		 found ? "more than one" : "no", name ? " like " : "",
		 name ? name : "", found ? ", and no PCI address was given" :
		 "");
	return false;
}

static bool find_device(struct nvml_device *d, const char *pci,
			const char *name, char *error, size_t error_size)
{
	int code;

	if (!pci)
		return find_named(d, name, error, error_size);
	code = d->nvml.device_of_pci(pci, &d->device);
	if (code != NVML_SUCCESS)
		snprintf(error, error_size, "NVML has no device %s: %s", pci,
			 d->nvml.error_text(code));
	return code == NVML_SUCCESS;
}

static bool begin(struct nvml_device *d, const char *pci, const char *name,
		  char *error, size_t error_size)
{
	char version[TEXT_BYTES] = "";
	int code = d->nvml.init();

	if (code != NVML_SUCCESS) {
		snprintf(error, error_size, "NVML cannot be used: %s",
			 d->nvml.error_text(code));
		return false;
	}
	if (!find_device(d, pci, name, error, error_size)) {
		d->nvml.shutdown();
		return false;
	}
	if (!d->nvml.driver_version ||
	    d->nvml.driver_version(version, sizeof(version)) != NVML_SUCCESS)
		*version = '\0';
	snprintf(d->telemetry.source, sizeof(d->telemetry.source), "NVML%s%s",
		 *version ? " " : "", version);
	return true;
}

static struct claw_telemetry *nvml_open(const char *pci, const char *name,
					const char *root, char *error,
					size_t error_size)
{
	struct nvml_device *d = claw_calloc(1, sizeof(*d));

	d->nvml.library = open_library(root, error, error_size);
	if (d->nvml.library && find_symbols(&d->nvml, error, error_size) &&
	    begin(d, pci, name, error, error_size))
		return &d->telemetry;
	if (d->nvml.library)
		dlclose(d->nvml.library);
	free(d);
	return NULL;
}

static void nvml_close(struct claw_telemetry *telemetry)
{
	struct nvml_device *d = (struct nvml_device *)telemetry;

	d->nvml.shutdown();
	dlclose(d->nvml.library);
	free(d);
}

static double ecc_of(const struct nvml_device *d, int error)
{
	unsigned long long count;

	return d->nvml.ecc && d->nvml.ecc(d->device, error, VOLATILE,
					  &count) == NVML_SUCCESS ?
		(double)count : NAN;
}

/* Of functions that give one unsigned number. */
static double number_of(const struct nvml_device *d,
			int (*function)(void *, unsigned int *))
{
	unsigned int number;

	return function && function(d->device, &number) == NVML_SUCCESS ?
		(double)number : NAN;
}

static double typed_of(const struct nvml_device *d,
		       int (*function)(void *, int, unsigned int *), int type)
{
	unsigned int number;

	return function && function(d->device, type, &number) == NVML_SUCCESS ?
		(double)number : NAN;
}

static void read_reasons(const struct nvml_device *d,
			 struct claw_telemetry_values *values)
{
	unsigned long long bits;

	if (!d->nvml.reasons ||
	    d->nvml.reasons(d->device, &bits) != NVML_SUCCESS)
		return;
	values->has_throttle = true;
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
		if (!(bits & reasons[i].bit))
			continue;
		values->throttle_reasons |= reasons[i].bit;
		claw_telemetry_add_reason(values, reasons[i].text);
	}
}

static void nvml_read(struct claw_telemetry *telemetry,
		      struct claw_telemetry_values *values)
{
	struct nvml_device *d = (struct nvml_device *)telemetry;
	struct utilization utilization;
	struct memory memory;

	if (d->nvml.utilization &&
	    d->nvml.utilization(d->device, &utilization) == NVML_SUCCESS)
		values->utilization = utilization.gpu;
	if (d->nvml.memory &&
	    d->nvml.memory(d->device, &memory) == NVML_SUCCESS) {
		values->used_bytes = (double)memory.used;
		values->total_bytes = (double)memory.total;
	}
	values->temperature = typed_of(d, d->nvml.temperature, TEMPERATURE_GPU);
	values->clock_mhz = typed_of(d, d->nvml.clock, CLOCK_SM);
	values->power_watt = number_of(d, d->nvml.power) / 1000;
	values->ecc_corrected = ecc_of(d, CORRECTED);
	values->ecc_uncorrected = ecc_of(d, UNCORRECTED);
	values->pcie_replays = number_of(d, d->nvml.replays);
	read_reasons(d, values);
}

const struct telemetry_kind claw_telemetry_nvml = {
	.open = nvml_open, .close = nvml_close, .read = nvml_read,
};
