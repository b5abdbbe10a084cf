/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kernels with probes write: a buffer on the device, and a file beside
 * the journal that it is copied to (instrument_copies.c). The file stays when
 * the program is gone; the same program built again goes on with it.
 */
#include "config.h"

#include "instrument_valid.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES_MAX = 4096 };

static struct claw_words *first;	/* never gets shorter */
static uint32_t files;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct claw_words *claw_words_first(void)
{
	return __atomic_load_n(&first, __ATOMIC_ACQUIRE);
}

/* ---- what goes where, in words */

static uint32_t counter_words(uint32_t counters)
{
	return claw_instrument_config.modes & CLAW_PROBE_COUNT ? counters :
		claw_instrument_config.modes & CLAW_PROBE_HIT ?
		(counters + 31) / 32 : 0;
}

static uint32_t layout(uint32_t counters, uint32_t accesses, uint32_t *head)
{
	uint32_t at = CLAW_PROBE_COUNTERS_AT + counter_words(counters);
	bool finds = claw_instrument_config.modes & CLAW_PROBE_CHECKS;

	head[CLAW_PROBE_FOUND] = 0;
	head[CLAW_PROBE_CAPACITY] = finds ? CLAW_PROBE_RECORDS : 0;
	head[CLAW_PROBE_PER_ACCESS] = finds ? 4 : 0;
	head[CLAW_PROBE_SEEN_AT] = at;
	at += finds ? accesses : 0;
	head[CLAW_PROBE_RECORDS_AT] = at;
	at += finds ? CLAW_PROBE_RECORDS * CLAW_PROBE_RECORD_WORDS : 0;
	head[CLAW_PROBE_PAIRS_AT] = at;
	at += finds ? CLAW_PROBE_PAIR_WORDS : 0;
	at = (at + 31) / 32 * 32;
	head[CLAW_PROBE_SINK_AT] = at;
	return at + (finds ? CLAW_PROBE_SINK_BYTES / 4 : 0);
}

/* ---- files */

/* The same texts, whoever gave them to the driver. */
static bool are_same(const struct claw_probe_part *a,
		     const struct claw_probe_part *b, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (memcmp(a[i].key, b[i].key, sizeof(a[i].key)) ||
		    a[i].counters_base != b[i].counters_base ||
		    a[i].accesses_base != b[i].accesses_base)
			return false;
	return true;
}

static bool is_same(const struct claw_words *words,
		    const struct claw_probe_header *header,
		    const struct claw_probe_part *parts, const char *device)
{
	const struct claw_probe_header *file = words->file;

	/* Of one that has probes it is about a kernel. */
	return file->state == header->state && file->parts == header->parts &&
	       (header->state == CLAW_PROBE_INSTRUMENTED ||
		!strncmp(file->why, header->why, sizeof(file->why))) &&
	       !strncmp(file->device, device, sizeof(file->device)) &&
	       are_same(claw_words_parts(words), parts, header->parts);
}

/* One that nobody uses; its busy mark is set. */
static struct claw_words *find_idle(const struct claw_probe_header *header,
				    const struct claw_probe_part *parts,
				    const char *device)
{
	for (struct claw_words *at = claw_words_first(); at; at = at->next) {
		if (!is_same(at, header, parts, device) ||
		    __atomic_exchange_n(&at->busy, 1, __ATOMIC_ACQUIRE))
			continue;
		if (at->is_idle) {
			at->is_idle = false;
			return at;
		}
		__atomic_store_n(&at->busy, 0, __ATOMIC_RELEASE);
	}
	return NULL;
}

static struct claw_probe_header *map_file(uint64_t words, uint32_t number)
{
	char path[PATH_MAX], beside[PATH_MAX];
	uint64_t bytes = sizeof(struct claw_probe_header) +
		CLAW_PROBE_PARTS * sizeof(struct claw_probe_part) + words * 4;
	struct claw_probe_header *file;

	if (!claw_journal_sibling("probes.", beside, sizeof(beside)) ||
	    (size_t)snprintf(path, sizeof(path), "%.*s.%u",
			     (int)sizeof(path) - 16, beside, number) >=
	    sizeof(path))
		return NULL;
	file = claw_journal_map_new(path, bytes);
	if (!file)
		return NULL;
	file->version = CLAW_PROBE_VERSION;
	file->header_bytes = sizeof(*file);
	file->endian = CLAW_JOURNAL_ENDIAN;
	file->pid = (uint32_t)getpid();
	file->modes = claw_instrument_config.modes;
	file->words = words;
	return file;
}

static void make_counted(struct claw_words *words, const uint32_t *head)
{
	uint32_t accesses = head[CLAW_PROBE_RECORDS_AT] -
		head[CLAW_PROBE_SEEN_AT];

	words->counted = accesses ? calloc(accesses, sizeof(uint32_t)) : NULL;
	words->accesses = words->counted ? accesses : 0;
}

/* Under the lock; its busy mark is set. */
static struct claw_words *make_file(const struct claw_probe_header *header,
				    const struct claw_probe_part *parts,
				    const char *device, const uint32_t *head,
				    uint32_t count)
{
	struct claw_words *words = files < FILES_MAX ?
		calloc(1, sizeof(*words)) : NULL;
	struct claw_probe_header *file;

	if (!words)
		return NULL;
	words->file = file = map_file(count, files);
	if (!file) {
		free(words);
		return NULL;
	}
	words->number = files++;
	words->busy = 1;
	claw_shadow_begin(words);
	file->state = header->state;
	file->parts = header->parts;
	memcpy(file->why, header->why, sizeof(file->why));
	snprintf(file->device, sizeof(file->device), "%s", device);
	memcpy(file + 1, parts, header->parts * sizeof(*parts));
	if (count) {
		words->words = (uint32_t *)(claw_words_parts(words) +
					    CLAW_PROBE_PARTS);
		memcpy(words->words, head, CLAW_PROBE_COUNTERS_AT * 4);
		make_counted(words, head);
	}
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy(file->magic, CLAW_PROBE_MAGIC, sizeof(file->magic));
	words->next = first;
	__atomic_store_n(&first, words, __ATOMIC_RELEASE);
	return words;
}

static struct claw_words *get_file(const struct claw_probe_header *header,
				   const struct claw_probe_part *parts,
				   const char *device, const uint32_t *head,
				   uint32_t count)
{
	struct claw_words *words;

	pthread_mutex_lock(&lock);
	words = find_idle(header, parts, device);
	if (!words)
		words = make_file(header, parts, device, head, count);
	pthread_mutex_unlock(&lock);
	return words;
}

void claw_words_why(struct claw_words *words, const char *why)
{
	char *text = words->file->why;

	if (!*text && !__atomic_exchange_n(&words->has_why, 1,
					   __ATOMIC_RELAXED))
		snprintf(text, CLAW_PROBE_WHY, "%s", why);
}

/* ---- the buffer */

/* What one program, one buffer, and one queue, adds to the driver's count of
 * references to a context: that is mended (claw_words_references()). */
static cl_uint of_program, of_buffer, of_queue;
static pthread_once_t is_known = PTHREAD_ONCE_INIT;
static cl_context known_by;	/* it is tried out */
static cl_device_id known_on;

static cl_uint references_of(cl_context context)
{
	cl_uint references = 0;

	claw_next.clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT,
				   sizeof(references), &references, NULL);
	return references;
}

static cl_uint add_program(void)
{
	static const char *const text = "";
	cl_uint before = references_of(known_by), after;
	cl_int err;
	cl_program program = claw_next.clCreateProgramWithSource(known_by, 1,
		(const char **)(uintptr_t)&text, NULL, &err);

	after = references_of(known_by);
	if (program)
		claw_next.clReleaseProgram(program);
	return program ? after - before : 0;
}

static cl_uint add_buffer(void)
{
	cl_uint before = references_of(known_by), after;
	cl_int err;
	cl_mem mem = claw_next.clCreateBuffer(known_by, 0, 64, NULL, &err);

	after = references_of(known_by);
	if (mem)
		claw_next.clReleaseMemObject(mem);
	return mem ? after - before : 0;
}

static cl_uint add_queue(void)
{
	cl_uint before = references_of(known_by), after;
	cl_command_queue queue = claw_own_queue_make(known_by, known_on);

	after = references_of(known_by);
	if (queue)
		claw_next.clReleaseCommandQueue(queue);
	return queue ? after - before : 0;
}

/* Other threads, and the driver's own, change the count meanwhile. */
static cl_uint most_often(cl_uint (*add)(void))
{
	unsigned int ones = 0;

	for (unsigned int i = 0; i < 5; i++)
		ones += add() == 1;
	return ones > 2;
}

static void learn(void)
{
	of_program = most_often(add_program);
	of_buffer = most_often(add_buffer);
	of_queue = most_often(add_queue);
}

void claw_words_learn(cl_context context, cl_device_id device)
{
	known_by = context;
	known_on = device;
	pthread_once(&is_known, learn);
}

cl_uint claw_words_references(cl_context context)
{
	cl_uint references = of_queue * claw_own_queues(context) +
		of_buffer * claw_valid_shadows(context);

	for (const struct claw_words *at = claw_words_first(); at;
	     at = at->next)
		if (at->context == context && at->buffer)
			references += of_buffer *
				(1u + claw_shadow_buffers(at)) +
				(at->is_dying ? 0 : of_program);
	return references;
}

/* What was counted before stays; records of findings were said. */
static bool make_buffer(struct claw_words *words)
{
	cl_int err;

	words->words[CLAW_PROBE_FOUND] = 0;
	words->told = 0;
	memset(words->words + words->words[CLAW_PROBE_RECORDS_AT], 0,
	       words->words[CLAW_PROBE_CAPACITY] * CLAW_PROBE_RECORD_WORDS * 4);
	if (words->words[CLAW_PROBE_CAPACITY])
		memset(words->words + words->words[CLAW_PROBE_PAIRS_AT], 0,
		       CLAW_PROBE_PAIR_WORDS * 4);
	words->buffer = claw_next.clCreateBuffer(words->context,
		CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
		words->file->words * 4, words->words, &err);
	return words->buffer != NULL;
}

static void take_maps(struct claw_words *words, char *const *maps)
{
	for (unsigned int i = 0; i < CLAW_PROBE_PARTS; i++) {
		free(words->maps[i]);
		words->maps[i] = maps[i];
	}
}

static void say_no_room(void)
{
	static bool is_said;

	if (!__atomic_exchange_n(&is_said, true, __ATOMIC_RELAXED))
		claw_say("no room for what kernels count: some programs run "
			 "without probes");
}

struct claw_words *
claw_words_make(cl_context context, cl_device_id device,
		const struct claw_probe_header *header,
		const struct claw_probe_part *parts, uint32_t counters,
		uint32_t accesses, char *const *maps)
{
	bool has_words = header->state == CLAW_PROBE_INSTRUMENTED;
	uint32_t head[CLAW_PROBE_COUNTERS_AT] = { 0 };
	uint32_t count = has_words ? layout(counters, accesses, head) : 0;
	char *name = claw_device_text(device, CL_DEVICE_NAME);
	char is_called[sizeof(header->device)];
	struct claw_words *words;
	bool done = true;

	snprintf(is_called, sizeof(is_called), "%s", name ? name : "");
	free(name);
	words = get_file(header, parts, is_called, head, count);
	if (!words) {
		say_no_room();
		return NULL;
	}
	words->context = context;
	words->device = device;
	words->is_dying = false;
	memset(words->slots, 0, sizeof(words->slots));
	words->behind = words->early = 0;
	words->last_queue = NULL;
	claw_words_learn(context, device);
	if (has_words)
		done = make_buffer(words);
	if (done)
		take_maps(words, maps);
	else
		words->is_idle = true;
	__atomic_store_n(&words->busy, 0, __ATOMIC_RELEASE);
	return done ? words : NULL;
}

void claw_words_begin(void)
{
	pthread_mutex_init(&lock, NULL);
	first = NULL;
	files = 0;
}
