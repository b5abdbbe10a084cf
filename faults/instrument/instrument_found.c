/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kernels found wrong with what they do: from a copy of their words into
 * the process's findings, and onto stderr, in the words of a GPU's sanitizer.
 */
#include "config.h"

#include "instrument_private.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "faults/journal/site_cache.h"
#include "faults/shared/probe_ask.h"

enum {
	LAUNCHES = 1024,		/* that are remembered: a power of two */
	PLACES = 24,			/* of the arguments of one */
	PRINTED = 100,			/* when nobody says how many */
	LINE_BYTES = 160,		/* of the source, as it is printed */
};

/* The latest launches, by number. */
static struct launch {
	uint32_t number;
	struct claw_found_place at;
	char kernel[64];
	unsigned int count;
	struct claw_found_place made[PLACES];	/* of the hidden sizes */
	uint32_t arguments[PLACES];
} launches[LAUNCHES];
static uint32_t latest;
static uint64_t printed;
static bool is_suppression_said;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

uint32_t claw_probe_found_launch(struct claw_call *call, const char *kernel,
				 const struct claw_kernel_twin *twin)
{
	unsigned int count = twin->hidden.size_count;
	struct launch *launch;
	uint32_t number;

	if (!call->site)
		call->site = claw_site_cached();
	pthread_mutex_lock(&lock);
	number = ++latest ? latest : ++latest;
	launch = &launches[number % LAUNCHES];
	launch->number = number;
	launch->at = claw_found_place(call->site, call->api, CLAW_OBJ_KERNEL);
	snprintf(launch->kernel, sizeof(launch->kernel), "%s", kernel);
	launch->count = count < PLACES ? count : PLACES;
	for (unsigned int i = 0; i < launch->count; i++) {
		launch->made[i] = twin->made[i];
		launch->arguments[i] = twin->hidden.sizes[i].argument;
	}
	pthread_mutex_unlock(&lock);
	return number;
}

/* ---- one record */

struct record {
	struct claw_words *words;
	uint32_t part;			/* of them, that has the access */
	uint32_t why, access, launch, object;
	int64_t offset;
	uint64_t bytes, address;
	uint32_t ids[6];
	bool is_known;			/* what the map says of the access */
	struct claw_map_access said;
	struct claw_found_place at, made;
	char kernel[64];
};

static uint64_t wide(const uint32_t *words)
{
	return words[0] | (uint64_t)words[1] << 32;
}

/* The map's own number of an access. */
static void find_access(struct record *record)
{
	const struct claw_words *words = record->words;
	const struct claw_probe_part *parts = claw_words_parts(words);

	for (uint32_t i = words->file->parts; i--;)
		if (record->access >= parts[i].accesses_base) {
			record->part = i;
			record->is_known = words->maps[i] && claw_map_access(
				words->maps[i], record->access -
				parts[i].accesses_base, &record->said);
			return;
		}
}

static void find_launch(struct record *record)
{
	const struct launch *launch = &launches[record->launch % LAUNCHES];

	record->at = record->made = claw_found_nowhere();
	record->kernel[0] = '\0';
	pthread_mutex_lock(&lock);
	if (launch->number == record->launch) {
		record->at = launch->at;
		memcpy(record->kernel, launch->kernel, sizeof(record->kernel));
		for (unsigned int i = 0; i < launch->count; i++)
			if (launch->arguments[i] + 1 == record->object)
				record->made = launch->made[i];
	}
	pthread_mutex_unlock(&lock);
}

static void read_record(const uint32_t *at, struct claw_words *words,
			struct record *record)
{
	record->words = words;
	record->why = at[CLAW_RECORD_WHY];
	record->access = at[CLAW_RECORD_ACCESS];
	record->launch = at[CLAW_RECORD_LAUNCH];
	record->object = at[CLAW_RECORD_OBJECT];
	record->offset = (int64_t)wide(at + CLAW_RECORD_OFFSET);
	record->bytes = wide(at + CLAW_RECORD_BYTES);
	record->address = wide(at + CLAW_RECORD_ADDRESS);
	memcpy(record->ids, at + CLAW_RECORD_GLOBAL_ID, sizeof(record->ids));
	record->part = 0;
	record->is_known = false;
	find_access(record);
	find_launch(record);
}

static void add(const struct record *record)
{
	static const uint16_t kinds[CLAW_WHY_COUNT] = {
		[CLAW_WHY_BOUNDS] = CLAW_FOUND_KERNEL_BOUNDS,
		[CLAW_WHY_MISALIGNED] = CLAW_FOUND_KERNEL_MISALIGNED,
		[CLAW_WHY_NULL] = CLAW_FOUND_KERNEL_NULL,
		[CLAW_WHY_DIVIDE] = CLAW_FOUND_KERNEL_DIVIDE,
		[CLAW_WHY_SHIFT] = CLAW_FOUND_KERNEL_SHIFT,
		[CLAW_WHY_RACE] = CLAW_FOUND_KERNEL_RACE,
		[CLAW_WHY_PIXEL] = CLAW_FOUND_KERNEL_PIXEL,
		[CLAW_WHY_DIVERGENCE] = CLAW_FOUND_KERNEL_DIVERGENCE,
		[CLAW_WHY_UNWRITTEN] = CLAW_FOUND_KERNEL_UNWRITTEN,
	};
	struct claw_found_entry found = {
		.kind = kinds[record->why], .sure = CLAW_SURE_CERTAIN,
		.probes = record->words->number + 1,
		.at = record->at, .second = claw_found_nowhere(),
		.third = record->made,
		.values = {
			record->access, (uint64_t)record->offset,
			record->bytes, record->object, record->address,
			record->launch,
		},
	};

	memcpy(found.name, record->kernel, sizeof(found.name));
	memcpy(found.ids, record->ids, sizeof(found.ids));
	claw_found_add(&found);
}

/* ---- onto stderr */

struct text {
	char bytes[2 * PATH_MAX];
	size_t length;
};

static void put(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void put(struct text *text, const char *format, ...)
{
	size_t room = sizeof(text->bytes) - text->length;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text->bytes + text->length, room, format, args);
	va_end(args);
	if (length > 0)
		text->length += (size_t)length < room ? (size_t)length :
			room - 1;
}

/* The access that it has to do with beside its own, from 0. */
static uint32_t second_of(const struct record *record)
{
	return (uint32_t)record->address - 1;
}

static void put_what(struct text *text, const struct record *record)
{
	const char *space = record->is_known ? record->said.space : "?";

	switch ((enum claw_probe_why)record->why) {
	case CLAW_WHY_BOUNDS:
		put(text, "%s memory access violation at 0x%" PRIx64, space,
		    record->address);
		break;
	case CLAW_WHY_MISALIGNED:
		put(text, "misaligned %s memory access at 0x%" PRIx64, space,
		    record->address);
		break;
	case CLAW_WHY_NULL:
		put(text, "%s memory access through a NULL pointer at 0x%" PRIx64,
		    space, record->address);
		break;
	case CLAW_WHY_DIVIDE:
		put(text, record->offset ? "division of the smallest integer "
		    "by %" PRId64 : "division by %" PRId64, record->offset);
		break;
	case CLAW_WHY_SHIFT:
		put(text, "shift of %" PRIu64 " bits by %" PRId64,
		    record->bytes, record->offset);
		break;
	case CLAW_WHY_RACE:
		put(text, "race in %s memory at offset %" PRId64, space,
		    record->offset);
		break;
	case CLAW_WHY_PIXEL:
		put(text, "%s access outside of the image", space);
		break;
	case CLAW_WHY_DIVERGENCE:
		put(text, second_of(record) == record->access ?
		    "arguments of a work-group function differ" :
		    "barrier that not all of the work-group reach");
		break;
	case CLAW_WHY_UNWRITTEN:
		put(text, "read of %s memory that nobody wrote", space);
		break;
	case CLAW_WHY_NONE:
	case CLAW_WHY_COUNT:
		break;
	}
}

static bool is_access(const struct record *record)
{
	return record->why == CLAW_WHY_BOUNDS ||
	       record->why == CLAW_WHY_MISALIGNED ||
	       record->why == CLAW_WHY_NULL || record->why == CLAW_WHY_RACE ||
	       record->why == CLAW_WHY_PIXEL ||
	       record->why == CLAW_WHY_UNWRITTEN;
}

static const char *type_of(const struct record *record)
{
	return !strcmp(record->said.kind, "read") ? "READ" :
	       !strcmp(record->said.kind, "atomic") ? "ATOMIC" : "WRITE";
}

/* The program's frame that made it. */
static void put_site(struct text *text, const struct claw_found_place *made)
{
	const struct claw_journal_module *module;
	const struct claw_journal_site *site;
	const struct claw_journal_frame *frame;

	if (made->api == CLAW_FOUND_NO_API)
		return;
	put(text, ", created by %s", claw_api_table[made->api].name);
	if (!made->site)
		return;
	site = claw_journal_site_at(made->site);
	frame = &site->frames[0];
	if (!site->frame_count || !frame->module)
		return;
	if (site->kind == CLAW_SITE_PYTHON) {
		put(text, " at %s:%" PRIu64, claw_journal_string_at(frame->module),
		    frame->offset);
		return;
	}
	module = claw_journal_module_at(frame->module);
	put(text, " at %s+0x%" PRIx64, claw_journal_string_at(module->path_string),
	    frame->offset);
}

/* Coordinates as the kernel has them, and what they have to be below. */
static void put_pixel(struct text *text, const struct record *record, int pid)
{
	uint32_t at[3] = {
		(uint32_t)record->offset,
		(uint32_t)((uint64_t)record->offset >> 32),
		(uint32_t)record->address,
	};
	uint32_t size[3] = {
		(uint32_t)record->bytes, (uint32_t)(record->bytes >> 32),
		(uint32_t)(record->address >> 32),
	};
	const char *comma = "";

	put(text, "==%d==  Pixel: (", pid);
	for (unsigned int i = 0; i < 3 && size[i]; i++) {
		float number;

		memcpy(&number, &at[i], sizeof(number));
		if (record->said.is_float)
			put(text, "%s%g", comma, (double)number);
		else
			put(text, "%s%d", comma, (int32_t)at[i]);
		comma = ", ";
	}
	put(text, ") of %u", size[0]);
	for (unsigned int i = 1; i < 3 && size[i]; i++)
		put(text, "x%u", size[i]);
	put(text, "\n");
}

/* The program's text has the name of its file, where that is known. */
static const char *file_of(const struct record *record)
{
	const char *file = record->said.file;
	const char *source = strcmp(file, "<source>") ? NULL :
		claw_probe_source(record->words, record->part);

	return source ? source : file;
}

static void put_other(struct text *text, const struct record *record, int pid)
{
	uint32_t race = (uint32_t)(record->address >> 32);
	const char *does = race & CLAW_RACE_WRITES ? "WRITE" :
		race & CLAW_RACE_ATOMIC ? "ATOMIC" : "READ";
	uint32_t other = (uint32_t)record->address;
	struct record second = { .words = record->words, .access = other - 1 };

	put(text, "==%d==  Other: %s%s", pid, does,
	    race & CLAW_RACE_SAME ? " of the same value" : "");
	if (race & CLAW_RACE_ITEM)
		put(text, " by work-item (%u, %u, %u)", (uint32_t)record->bytes,
		    (uint32_t)(record->bytes >> 32), race >> CLAW_RACE_Z_SHIFT);
	else
		put(text, race & CLAW_RACE_GROUP ? " by another of the group" :
		    " by another group");
	if (other)
		find_access(&second);
	if (second.is_known)
		put(text, " at %s:%u:%u", file_of(&second), second.said.line,
		    second.said.column);
	put(text, "\n");
}

static void put_buffer(struct text *text, const struct record *record, int pid)
{
	const char *object = record->said.object;
	bool is_named = record->is_known && *object && strcmp(object, "-");

	if (record->why == CLAW_WHY_PIXEL)
		put_pixel(text, record, pid);
	else if (record->why != CLAW_WHY_RACE)
		put(text, "==%d==  Bounds: [0x0, 0x%" PRIX64 "), offset %"
		    PRId64 "\n", pid, record->bytes, record->offset);
	else
		put_other(text, record, pid);
	if (!record->object && !is_named)
		return;
	put(text, "==%d==  %s:", pid, record->why == CLAW_WHY_PIXEL ?
	    "Image" : "Buffer");
	if (record->object)
		put(text, " argument %u", record->object - 1);
	if (is_named)
		put(text, " \"%s\"", object);
	put_site(text, &record->made);
	put(text, "\n");
}

/* The line itself, of the program's own text. */
static void put_line(struct text *text, const struct record *record, int pid)
{
	char line[LINE_BYTES];

	if (record->said.line && !strcmp(record->said.file, "<source>") &&
	    claw_probe_line(record->words, record->part, record->said.line,
			    line, sizeof(line)))
		put(text, "==%d==  Source: %s\n", pid, line);
}

/* Where the group parts, and a work-item that went the other way. */
static void put_parting(struct text *text, const struct record *record, int pid)
{
	struct record second = *record;

	second.access = second_of(record);
	second.is_known = false;
	if (second.access != record->access)
		find_access(&second);
	if (second.is_known)
		put(text, "==%d==  Parts at: %s:%u:%u\n", pid, file_of(&second),
		    second.said.line, second.said.column);
	if (record->bytes)
		put(text, "==%d==  Other thread: (%u, %u, %u)\n", pid,
		    (uint32_t)record->offset,
		    (uint32_t)((uint64_t)record->offset >> 32),
		    (uint32_t)record->bytes - 1);
}

static void print(const struct record *record)
{
	const struct claw_map_access *said = &record->said;
	struct text text = { .length = 0 };
	int pid = (int)getpid();
	ssize_t written;

	put(&text, "==%d==GPU-ERROR: ", pid);
	put_what(&text, record);
	put(&text, "\n");
	if (is_access(record) && record->is_known)
		put(&text, "==%d==  Type: %s\n", pid, type_of(record));
	if (record->is_known)
		put(&text, "==%d==  Kernel: %s:%u:%u (%s)\n", pid,
		    file_of(record), said->line, said->column, said->function);
	else
		put(&text, "==%d==  Kernel: %s\n", pid, record->kernel);
	if (record->is_known)
		put_line(&text, record, pid);
	put(&text, "==%d==  Thread: (%u, %u, %u)\n", pid, record->ids[0],
	    record->ids[1], record->ids[2]);
	put(&text, "==%d==  Work-group: (%u, %u, %u)\n", pid, record->ids[3],
	    record->ids[4], record->ids[5]);
	if (is_access(record))
		put_buffer(&text, record, pid);
	if (record->why == CLAW_WHY_DIVERGENCE)
		put_parting(&text, record, pid);
	written = write(STDERR_FILENO, text.bytes, text.length);
	(void)written;
}

/* ---- all of them */

/* Once a place in the kernel, and so many in all. */
static bool is_printed(const struct claw_words *words, uint32_t access)
{
	const uint32_t *records = words->words +
		words->words[CLAW_PROBE_RECORDS_AT];
	uint64_t limit = claw_instrument_config.print_limit;

	for (uint32_t i = 0; i < words->told; i++)
		if (records[i * CLAW_PROBE_RECORD_WORDS + CLAW_RECORD_ACCESS] ==
		    access)
			return false;
	if (__atomic_fetch_add(&printed, 1, __ATOMIC_RELAXED) <
	    (limit ? limit : PRINTED))
		return true;
	if (!__atomic_exchange_n(&is_suppression_said, true, __ATOMIC_RELAXED))
		claw_say("more errors in kernels are not printed");
	return false;
}

static void count(const struct claw_words *words, const struct record *record)
{
	if (record->access < words->accesses)
		words->counted[record->access]++;
}

/* An access writes few records, and counts on. A copy that was made while a
 * kernel ran may have a record and not yet that it was seen. */
static void count_rest(const struct claw_words *words)
{
	const uint32_t *seen = words->words + words->words[CLAW_PROBE_SEEN_AT];

	for (uint32_t i = 0; i < words->accesses; i++) {
		uint32_t more = seen[i] - words->counted[i];

		if (!more || more > UINT32_MAX - CLAW_PROBE_RECORDS)
			continue;
		words->counted[i] = seen[i];
		claw_found_add_times(words->number + 1, i, more);
	}
}

/* Once a program: which launch it was is not known. */
static void look_saturated(struct claw_words *words)
{
	struct claw_probe_header *file = words->file;

	if (!words->words[CLAW_PROBE_SATURATED] || words->is_saturated)
		return;
	words->is_saturated = true;
	__atomic_add_fetch(&file->partly, 1, __ATOMIC_RELAXED);
	if (!*file->partly_why)
		claw_probe_why(file->partly_why, "races: those of one group "
			       "behind its 1,023rd barrier of global memory, or "
			       "its 65,535th of local memory, or of more than 4,096 "
			       "work-items");
	claw_twin_say("accesses are not checked", file->partly_why);
}

void claw_probe_found_look(struct claw_words *words)
{
	const uint32_t *head = words->words;
	uint32_t found = head[CLAW_PROBE_FOUND];
	struct record record;

	look_saturated(words);
	if (found > head[CLAW_PROBE_CAPACITY])
		found = head[CLAW_PROBE_CAPACITY];
	for (; words->told < found; words->told++) {
		read_record(head + head[CLAW_PROBE_RECORDS_AT] +
			    words->told * CLAW_PROBE_RECORD_WORDS, words,
			    &record);
		if (!record.why || record.why >= CLAW_WHY_COUNT)
			return;		/* it is being written */
		add(&record);
		count(words, &record);
		if (is_printed(words, record.access))
			print(&record);
	}
	count_rest(words);
}

static void copy_text(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from);
}

bool claw_probe_found_read(struct claw_words *words, const uint32_t *at,
			   struct claw_probe_found *ret_found)
{
	struct record record, second;

	read_record(at, words, &record);
	if (!record.why || record.why >= CLAW_WHY_COUNT)
		return false;
	*ret_found = (struct claw_probe_found) {
		.why = record.why, .argument = record.object,
		.offset = record.offset, .bytes = record.bytes,
	};
	memcpy(ret_found->global_id, record.ids, sizeof(ret_found->global_id));
	if (record.is_known) {
		ret_found->line = record.said.line;
		ret_found->column = record.said.column;
		copy_text(ret_found->kind, sizeof(ret_found->kind),
			  record.said.kind);
		copy_text(ret_found->space, sizeof(ret_found->space),
			  record.said.space);
		copy_text(ret_found->object, sizeof(ret_found->object),
			  record.said.object);
		copy_text(ret_found->function, sizeof(ret_found->function),
			  record.said.function);
	}
	second = record;
	second.access = second_of(&record);
	second.is_known = false;
	if ((record.why == CLAW_WHY_RACE || record.why == CLAW_WHY_DIVERGENCE) &&
	    (uint32_t)record.address)
		find_access(&second);
	ret_found->other_line = second.is_known ? second.said.line : 0;
	return true;
}

void claw_probe_found_begin(void)
{
	pthread_mutex_init(&lock, NULL);
	memset(launches, 0, sizeof(launches));
	latest = 0;
	printed = 0;
	is_suppression_said = false;
}
