/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A libnvidia-ml.so.1 that tests make up: two devices; what they say is in
 * MADE_NVML, words with spaces between: "-NAME" has a figure refused, "init"
 * the library, "crash" has it crash, "one" leaves one device; "name=WORD",
 * "reasons=BITS" and "used=MIB" are values.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN __attribute__((visibility("default")))

enum { SUCCESS = 0, INVALID = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6,
       NOT_LOADED = 9 };

struct made_memory {
	unsigned long long total, free, used;
};

static int devices[2];

/* The value behind the word, "" for a word alone, NULL: it is not there. */
static const char *find(const char *word)
{
	const char *words = getenv("MADE_NVML");
	size_t length = strlen(word);

	while (words && *words) {
		if (strncmp(words, word, length) == 0 &&
		    strchr(" =", words[length]))
			return words[length] == '=' ? words + length + 1 : "";
		words += strcspn(words, " ");
		words += *words == ' ';
	}
	return NULL;
}

static unsigned long long value(const char *word, unsigned long long otherwise)
{
	const char *text = find(word);

	return text ? strtoull(text, NULL, 0) : otherwise;
}

static int answer(const char *refusal)
{
	return find(refusal) ? NOT_SUPPORTED : SUCCESS;
}

SHOWN int nvmlInit_v2(void);
SHOWN int nvmlInit_v2(void)
{
	if (find("crash"))
		raise(SIGSEGV);
	return find("init") ? NOT_LOADED : SUCCESS;
}

SHOWN int nvmlShutdown(void);
SHOWN int nvmlShutdown(void)
{
	return SUCCESS;
}

SHOWN const char *nvmlErrorString(int code);
SHOWN const char *nvmlErrorString(int code)
{
	return code == NOT_LOADED ? "Driver Not Loaded" : "Not Found";
}

SHOWN int nvmlSystemGetDriverVersion(char *text, unsigned int size);
SHOWN int nvmlSystemGetDriverVersion(char *text, unsigned int size)
{
	snprintf(text, size, "580.1.2");
	return answer("-version");
}

SHOWN int nvmlDeviceGetCount_v2(unsigned int *count);
SHOWN int nvmlDeviceGetCount_v2(unsigned int *count)
{
	*count = find("one") ? 1 : 2;
	return SUCCESS;
}

SHOWN int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void **device);
SHOWN int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void **device)
{
	*device = &devices[index & 1];
	return SUCCESS;
}

SHOWN int nvmlDeviceGetHandleByPciBusId_v2(const char *pci, void **device);
SHOWN int nvmlDeviceGetHandleByPciBusId_v2(const char *pci, void **device)
{
	*device = &devices[strcmp(pci, "0000:65:00.0") == 0];
	return strcmp(pci, "0000:65:00.0") && strcmp(pci, "0000:17:00.0") ?
		NOT_FOUND : SUCCESS;
}

SHOWN int nvmlDeviceGetName(void *device, char *text, unsigned int size);
SHOWN int nvmlDeviceGetName(void *device, char *text, unsigned int size)
{
	const char *name = find("name");

	if (name)
		snprintf(text, size, "%.*s", (int)strcspn(name, " "), name);
	else
		snprintf(text, size, "NVIDIA Made Up %d",
			 device == devices ? 100 : 200);
	return SUCCESS;
}

SHOWN int nvmlDeviceGetMemoryInfo(void *device, struct made_memory *memory);
SHOWN int nvmlDeviceGetMemoryInfo(void *device, struct made_memory *memory)
{
	memory->total = device == devices ? 1024ULL << 20 : 10240ULL << 20;
	memory->used = value("used", 8704) << 20;
	memory->free = memory->total - memory->used;
	return answer("-memory");
}

SHOWN int nvmlDeviceGetTemperature(void *device, int sensor,
				   unsigned int *celsius);
SHOWN int nvmlDeviceGetTemperature(void *device, int sensor,
				   unsigned int *celsius)
{
	(void)device;
	*celsius = 61;
	return sensor ? INVALID : answer("-temperature");
}

SHOWN int nvmlDeviceGetClockInfo(void *device, int type, unsigned int *mhz);
SHOWN int nvmlDeviceGetClockInfo(void *device, int type, unsigned int *mhz)
{
	(void)device;
	*mhz = type == 1 ? 1980 : 1;
	return answer("-clock");
}

SHOWN int nvmlDeviceGetPowerUsage(void *device, unsigned int *milliwatt);
SHOWN int nvmlDeviceGetPowerUsage(void *device, unsigned int *milliwatt)
{
	(void)device;
	*milliwatt = 350500;
	return answer("-power");
}

struct utilization {
	unsigned int gpu, memory;
};
SHOWN int nvmlDeviceGetUtilizationRates(void *device,
					struct utilization *percent);
SHOWN int nvmlDeviceGetUtilizationRates(void *device,
					struct utilization *percent)
{
	(void)device;
	*percent = (struct utilization){ .gpu = 93, .memory = 11 };
	return answer("-utilization");
}

SHOWN int nvmlDeviceGetTotalEccErrors(void *device, int error, int counter,
				      unsigned long long *count);
SHOWN int nvmlDeviceGetTotalEccErrors(void *device, int error, int counter,
				      unsigned long long *count)
{
	(void)device;
	*count = error ? 2 : 7;
	return counter ? INVALID : answer("-ecc");
}

SHOWN int nvmlDeviceGetPcieReplayCounter(void *device, unsigned int *count);
SHOWN int nvmlDeviceGetPcieReplayCounter(void *device, unsigned int *count)
{
	(void)device;
	*count = 3;
	return answer("-replays");
}

/* Its newer name is not there: drivers before 535 lack it. */
SHOWN int nvmlDeviceGetCurrentClocksThrottleReasons(void *device,
						    unsigned long long *bits);
SHOWN int nvmlDeviceGetCurrentClocksThrottleReasons(void *device,
						    unsigned long long *bits)
{
	(void)device;
	*bits = value("reasons", 1);
	return answer("-reasons");
}
