/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read a journal that nothing is known of: it may be cut off, torn, flipped or
 * made to harm. Nothing in it is believed: areas are scanned to their capacity
 * or the end of the file, whatever they say is used, and an entry counts when
 * its number and its check are right. Memory is taken for intact entries only.
 */
#include "config.h"

#include "journal_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/shared/clock.h"
#include "harness/files/byte_source.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"

enum {
	GROWN_ENTRY_FACTOR = 4,	/* a later version's entries */
	/* More than the guest ever makes, little enough to read. */
	MAX_THREADS = 4096,
	MAX_ENTRIES = 1 << 16,
	MAX_STRING_BYTES = 16 << 20,
	CHUNK_BYTES = 256 * 1024,
	SHORTEST_RATE_NS = 1000000,
};

_Static_assert(CHUNK_BYTES >= GROWN_ENTRY_FACTOR *
	       (int)sizeof(struct claw_journal_thread), "an entry fits");

/* Records in order of their number. */
struct records {
	struct claw_journal_record *list;
	size_t count, room;
};

struct claw_journal {
	struct claw_journal_header header;
	uint64_t damaged;
	struct records events, calls;
	struct claw_journal_rule *rules;
	size_t rule_count;
	struct claw_journal_site *sites;	/* commit 0: damaged */
	size_t site_count;
	struct claw_journal_module *modules;	/* commit 0: damaged */
	size_t module_count;
	char *strings;
	size_t string_bytes;
	char *names;				/* api names, NUL between */
	const char *api_names[CLAW_JOURNAL_MAX_APIS];
	size_t api_count;
	uint64_t api_calls[CLAW_JOURNAL_MAX_APIS];
	uint64_t live[CLAW_OBJ_COUNT], peak[CLAW_OBJ_COUNT];
	uint64_t created_bytes;
	uint64_t thread_count;
	uint64_t probes_since_ns;
	long double ns_per_tick;		/* 0: cannot be told */
};

/* What is done with each entry of an area. */
typedef void take_entry(struct claw_journal *journal, const void *entry,
			uint64_t index, uint64_t capacity);

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/*
 * Call take() for each entry of the area that is in the file.
 *
 * ours_bytes: size of an entry as this program knows it; longer ones are
 * accepted and their tails ignored. limit: entries to believe at most.
 */
static void scan_area(struct claw_journal *journal,
		      const struct claw_source *source,
		      const struct claw_journal_area *area, size_t ours_bytes,
		      uint64_t limit, take_entry *take)
{
	uint64_t expected = smaller(area->used, area->capacity);
	uint64_t count = area->capacity;
	uint64_t available, index = 0;
	unsigned char *chunk;

	if (count == 0)
		return;
	if (area->entry_bytes < ours_bytes ||
	    area->entry_bytes > ours_bytes * GROWN_ENTRY_FACTOR ||
	    area->offset < sizeof(journal->header) || count > limit) {
		journal->damaged = add_saturating(journal->damaged,
				expected > 0 ? smaller(expected, limit) : 1);
		return;
	}
	available = area->offset < source->size ?
		(source->size - area->offset) / area->entry_bytes : 0;
	if (expected > available)
		journal->damaged = add_saturating(journal->damaged,
						  expected - available);
	count = smaller(count, available);
	chunk = claw_malloc(CHUNK_BYTES);
	while (index < count) {
		uint64_t at_once = smaller(CHUNK_BYTES / area->entry_bytes,
					   count - index);
		size_t got = claw_source_read(source,
				     area->offset + index * area->entry_bytes,
				     chunk, at_once * area->entry_bytes);
		uint64_t whole = got / area->entry_bytes;

		for (uint64_t i = 0; i < whole; i++)
			take(journal, chunk + i * area->entry_bytes, index + i,
			     area->capacity);
		index += whole;
		if (whole < at_once)
			break;	/* it became shorter meanwhile */
	}
	if (index < count && index < expected)
		journal->damaged = add_saturating(journal->damaged,
				smaller(count, expected) - index);
	free(chunk);
}

/* ---- entries */

static void add_record(struct records *records,
		       const struct claw_journal_record *record,
		       uint64_t number)
{
	if (records->count == records->room) {
		size_t room = records->room ? records->room * 2 : 256;
		struct claw_journal_record *list =
			claw_grow(records->list, room, sizeof(*list));

		records->list = list;
		records->room = room;
	}
	records->list[records->count] = *record;
	records->list[records->count++].commit = number;
}

/* The record's number, or 0: torn, damaged or never written. */
static uint64_t record_number(const struct claw_journal_record *record)
{
	uint64_t number = record->commit & CLAW_JOURNAL_NUMBER_MASK;

	/* BUSY is in neither part of a right one. */
	return record->commit == claw_journal_record_commit(record, number) ?
		number : 0;
}

static void take_event(struct claw_journal *journal, const void *entry,
		       uint64_t index, uint64_t capacity)
{
	struct claw_journal_record record;
	uint64_t number;

	(void)capacity;
	memcpy(&record, entry, sizeof(record));
	number = record_number(&record);
	if (number == index + 1)
		add_record(&journal->events, &record, number);
	else if (index < journal->header.events.used)
		journal->damaged++;
}

/* A full area is a ring that never came round. */
static void take_call(struct claw_journal *journal, const void *entry,
		      uint64_t index, uint64_t capacity)
{
	struct claw_journal_record record;
	uint64_t number;

	memcpy(&record, entry, sizeof(record));
	number = record_number(&record);
	if (number != 0 && (number - 1) % capacity == index)
		add_record(&journal->calls, &record, number);
	else if (index < journal->header.calls.used)
		journal->damaged++;
}

static void take_rule(struct claw_journal *journal, const void *entry,
		      uint64_t index, uint64_t capacity)
{
	uint64_t count = smaller(journal->header.rules.used, capacity);

	if (index >= count)
		return;
	if (!journal->rules)
		journal->rules = claw_calloc(count, sizeof(*journal->rules));
	memcpy(&journal->rules[index], entry, sizeof(*journal->rules));
	journal->rule_count = index + 1;
}

/* Rules with the same conditions share one count of matches: give it to
 * each of them. */
static void share_matches(struct claw_journal *journal)
{
	for (size_t i = 0; i < journal->rule_count; i++) {
		uint64_t in = journal->rules[i].matched_in;

		if (in && in <= journal->rule_count && in - 1 != i)
			journal->rules[i].matched = journal->rules[in - 1].matched;
	}
}

/* Does the commit word say that this entry is whole, and in its place? */
static bool entry_is_intact(const void *entry, size_t bytes, uint64_t commit,
			    uint64_t index)
{
	return commit == claw_journal_entry_commit(entry, bytes, index + 1);
}

static void take_site(struct claw_journal *journal, const void *entry,
		      uint64_t index, uint64_t capacity)
{
	struct claw_journal_site site;

	memcpy(&site, entry, sizeof(site));
	if (!entry_is_intact(&site, sizeof(site), site.commit, index) ||
	    site.frame_count > CLAW_JOURNAL_MAX_FRAMES) {
		if (index < journal->header.sites.used)
			journal->damaged++;
		return;
	}
	if (!journal->sites)
		journal->sites = claw_calloc(capacity, sizeof(site));
	site.commit = index + 1;
	journal->sites[index] = site;
	journal->site_count = index + 1;
}

static void take_module(struct claw_journal *journal, const void *entry,
			uint64_t index, uint64_t capacity)
{
	struct claw_journal_module module;

	memcpy(&module, entry, sizeof(module));
	if (!entry_is_intact(&module, sizeof(module), module.commit, index) ||
	    module.build_id_bytes > CLAW_JOURNAL_BUILD_ID_BYTES) {
		if (index < journal->header.modules.used)
			journal->damaged++;
		return;
	}
	if (!journal->modules)
		journal->modules = claw_calloc(capacity, sizeof(module));
	module.commit = index + 1;
	journal->modules[index] = module;
	journal->module_count = index + 1;
}

/* Counters bear no check: they change all the time. Sums wrap around. */
static void take_thread(struct claw_journal *journal, const void *entry,
			uint64_t index, uint64_t capacity)
{
	struct claw_journal_thread thread;

	(void)index;
	(void)capacity;
	memcpy(&thread, entry, sizeof(thread));
	for (size_t i = 0; i < CLAW_JOURNAL_MAX_APIS; i++)
		journal->api_calls[i] += thread.calls[i];
	for (size_t i = 0; i < CLAW_OBJ_COUNT; i++) {
		journal->live[i] += (uint64_t)thread.live[i];
		journal->peak[i] += (uint64_t)thread.peak[i];
	}
	journal->created_bytes += thread.created_bytes;
	if (thread.thread > journal->thread_count)
		journal->thread_count = thread.thread;
}

static int compare_records(const void *a, const void *b)
{
	uint64_t first = ((const struct claw_journal_record *)a)->commit;
	uint64_t second = ((const struct claw_journal_record *)b)->commit;

	return (first > second) - (first < second);
}

static void sort_records(struct records *records)
{
	size_t i = 1;

	while (i < records->count &&
	       records->list[i - 1].commit < records->list[i].commit)
		i++;
	if (i < records->count)
		qsort(records->list, records->count, sizeof(*records->list),
		      compare_records);
}

/* Something is there that the header does not know of: then it is wrong. */
static void check_used(struct claw_journal *journal,
		       const struct records *records, uint64_t used)
{
	if (records->count > 0 &&
	    records->list[records->count - 1].commit > used)
		journal->damaged++;
}

/* ---- strings */

/* The entry at that offset, or NULL. */
static const char *find_text(const struct claw_journal *journal,
			     uint32_t offset, size_t *ret_length)
{
	struct claw_journal_text text;
	const char *bytes;
	size_t rest;

	if (offset == 0 || offset % 4 != 0 ||
	    offset >= journal->string_bytes ||
	    journal->string_bytes - offset <= sizeof(text))
		return NULL;
	rest = journal->string_bytes - offset - sizeof(text);
	memcpy(&text, journal->strings + offset, sizeof(text));
	bytes = journal->strings + offset + sizeof(text);
	if (text.length > CLAW_JOURNAL_TEXT_MAX_BYTES || text.length >= rest ||
	    bytes[text.length] != '\0' ||
	    claw_journal_text_check(bytes, text.length) != text.check)
		return NULL;
	*ret_length = text.length;
	return bytes;
}

/* Damage in the strings: what cannot be walked over is one. */
static void check_strings(struct claw_journal *journal, uint64_t used)
{
	size_t offset = 4;

	if (used > journal->string_bytes)
		journal->damaged++;
	used = smaller(used, journal->string_bytes);
	while (offset < used) {
		size_t length;

		if (!find_text(journal, (uint32_t)offset, &length)) {
			journal->damaged++;
			return;
		}
		offset += (sizeof(struct claw_journal_text) + length + 1 + 3) /
			4 * 4;
	}
}

static void read_strings(struct claw_journal *journal,
			 const struct claw_source *source, uint64_t used)
{
	const struct claw_journal_area *area = &journal->header.strings;

	if (area->entry_bytes != 1 || area->capacity > MAX_STRING_BYTES ||
	    area->offset < sizeof(journal->header) ||
	    area->offset >= source->size) {
		journal->damaged++;
		return;
	}
	journal->string_bytes = (size_t)smaller(area->capacity,
						source->size - area->offset);
	/* One NUL more than there is, for whoever prints. */
	journal->strings = claw_calloc(1, journal->string_bytes + 1);
	journal->string_bytes = claw_source_read(source, area->offset, journal->strings,
					journal->string_bytes);
	check_strings(journal, used);
}

static void split_names(struct claw_journal *journal)
{
	size_t length = 0;
	const char *names = find_text(journal, journal->header.api_names_string,
				      &length);
	char *rest;

	if (!names) {
		if (journal->header.api_count > 0)
			journal->damaged++;
		return;
	}
	journal->names = claw_calloc(1, length + 1);
	memcpy(journal->names, names, length);
	rest = journal->names;
	while (rest && journal->api_count < journal->header.api_count)
		journal->api_names[journal->api_count++] = strsep(&rest, "\n");
	if (journal->api_count < journal->header.api_count)
		journal->damaged++;
}

/* ---- clock */

static bool is_this_boot(const struct claw_journal_header *header)
{
	char id[sizeof(header->boot_id)] = "";
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, id, sizeof(id) - 1);
	close(fd);
	if (got <= 0)
		return false;
	id[strcspn(id, "\n")] = '\0';
	return id[0] && strcmp(id, header->boot_id) == 0;
}

/* Nanoseconds a tick between two pairs; 0: no clock runs like that. */
static long double rate_between(uint64_t ticks, uint64_t mono_ns,
				uint64_t later_ticks, uint64_t later_mono_ns)
{
	long double rate;

	if (later_ticks <= ticks || later_mono_ns <= mono_ns)
		return 0;
	rate = (long double)(later_mono_ns - mono_ns) /
		(long double)(later_ticks - ticks);
	return rate >= 0.001L && rate <= 100000.0L ? rate : 0;
}

static long double find_rate(const struct claw_journal_header *header)
{
	long double rate = rate_between(header->start_ticks,
					header->start_mono_ns,
					header->last_ticks,
					header->last_mono_ns);
	uint64_t ticks, mono_ns;
	long double now_rate;

	if (header->clock_is_ns)
		return 1;
	if (rate > 0 && header->last_mono_ns - header->start_mono_ns >=
			SHORTEST_RATE_NS)
		return rate;
	if (!is_this_boot(header) || claw_clock_needs_ns())
		return rate;
	claw_clock_pair(false, &ticks, &mono_ns);
	now_rate = rate_between(header->start_ticks, header->start_mono_ns,
				ticks, mono_ns);
	return now_rate > 0 ? now_rate : rate;
}

/* ---- whole journals */

/* The first version's header has all but the nonce. */
static int read_head(const struct claw_source *source,
		     struct claw_journal_header *header)
{
	int ret = claw_source_read_head(source, header, sizeof(*header),
					CLAW_JOURNAL_MAGIC,
					CLAW_JOURNAL_VERSION);

	if (ret != -CLAW_E_VERSION)
		return ret;
	ret = claw_source_read_head(source, header,
				    offsetof(struct claw_journal_header, nonce),
				    CLAW_JOURNAL_MAGIC, 1);
	header->nonce = 0;
	return ret;
}

static int read_header(struct claw_journal *journal,
		       const struct claw_source *source)
{
	struct claw_journal_header *header = &journal->header;
	int ret = read_head(source, header);

	if (ret < 0)
		return ret;
	header->boot_id[sizeof(header->boot_id) - 1] = '\0';
	journal->damaged = smaller(header->damaged, UINT64_MAX / 2);
	if (header->file_bytes > source->size)
		journal->damaged = add_saturating(journal->damaged, 1);
	if (header->api_count > CLAW_JOURNAL_MAX_APIS) {
		header->api_count = CLAW_JOURNAL_MAX_APIS;
		journal->damaged = add_saturating(journal->damaged, 1);
	}
	if (header->record_mode > CLAW_RECORD_FULL ||
	    (header->state != CLAW_JOURNAL_OPEN &&
	     header->state != CLAW_JOURNAL_CLOSED))
		journal->damaged = add_saturating(journal->damaged, 1);
	return 0;
}

/* Records before the tables they point into, which the program, if it still
 * runs, fills the other way round. */
static void read_areas(struct claw_journal *journal,
		       const struct claw_source *source)
{
	const struct claw_journal_header *header = &journal->header;
	struct claw_journal_header later = *header;

	scan_area(journal, source, &header->calls,
		  sizeof(struct claw_journal_record), CLAW_JOURNAL_MAX_CALLS,
		  take_call);
	scan_area(journal, source, &header->events,
		  sizeof(struct claw_journal_record), MAX_ENTRIES, take_event);
	scan_area(journal, source, &header->rules,
		  sizeof(struct claw_journal_rule), MAX_ENTRIES, take_rule);
	share_matches(journal);
	scan_area(journal, source, &header->threads,
		  sizeof(struct claw_journal_thread), MAX_THREADS, take_thread);
	scan_area(journal, source, &header->sites,
		  sizeof(struct claw_journal_site), MAX_ENTRIES, take_site);
	scan_area(journal, source, &header->modules,
		  sizeof(struct claw_journal_module), MAX_ENTRIES, take_module);
	claw_source_read(source, 0, &later, sizeof(later));
	read_strings(journal, source, later.strings.used);
	split_names(journal);
	sort_records(&journal->calls);
	check_used(journal, &journal->calls, later.calls.used);
	check_used(journal, &journal->events, later.events.used);
	journal->thread_count = smaller(journal->thread_count,
					later.threads.used);
}

static int read_source(const struct claw_source *source,
		       struct claw_journal **ret_journal)
{
	struct claw_journal *journal = claw_calloc(1, sizeof(*journal));
	int ret = read_header(journal, source);

	if (ret < 0) {
		claw_journal_free(journal);
		return ret;
	}
	read_areas(journal, source);
	journal->ns_per_tick = find_rate(&journal->header);
	*ret_journal = journal;
	return 0;
}

int claw_journal_read(const char *path, struct claw_journal **ret_journal)
{
	struct claw_source source;
	int ret = claw_source_open_own(path, &source);

	if (ret < 0)
		return ret;
	ret = read_source(&source, ret_journal);
	claw_source_close(&source);
	return ret;
}

bool claw_journal_is_of(const char *path, uint64_t nonce)
{
	struct claw_journal_header header;
	struct claw_source source;
	int ret = claw_source_open_own(path, &source);

	if (ret < 0)
		return true;
	ret = read_head(&source, &header);
	claw_source_close(&source);
	return ret < 0 || header.nonce == nonce;
}

/* The earliest: that is the one that is waited for. */
static void take_probes_since(struct claw_journal *journal, const void *entry,
			      uint64_t index, uint64_t capacity)
{
	struct claw_journal_thread thread;

	(void)index;
	(void)capacity;
	memcpy(&thread, entry, sizeof(thread));
	if (thread.probes_since_ns && (!journal->probes_since_ns ||
	    thread.probes_since_ns < journal->probes_since_ns))
		journal->probes_since_ns = thread.probes_since_ns;
}

uint64_t claw_journal_probes_since_ns(const char *path)
{
	struct claw_journal journal = { .probes_since_ns = 0 };
	struct claw_source source;

	if (claw_source_open_own(path, &source) < 0)
		return 0;
	if (read_head(&source, &journal.header) == 0 &&
	    (kill((pid_t)journal.header.pid, 0) == 0 || errno == EPERM))
		scan_area(&journal, &source, &journal.header.threads,
			  sizeof(struct claw_journal_thread), MAX_THREADS,
			  take_probes_since);
	claw_source_close(&source);
	return journal.probes_since_ns;
}

int claw_journal_read_memory(const void *bytes, size_t size,
			     struct claw_journal **ret_journal)
{
	struct claw_source source = { .fd = -1, .bytes = bytes, .size = size };

	if (!bytes)
		return -CLAW_E_DAMAGED;
	return read_source(&source, ret_journal);
}

void claw_journal_free(struct claw_journal *journal)
{
	if (!journal)
		return;
	free(journal->events.list);
	free(journal->calls.list);
	free(journal->rules);
	free(journal->sites);
	free(journal->modules);
	free(journal->strings);
	free(journal->names);
	free(journal);
}

const struct claw_journal_header *
claw_journal_get_header(const struct claw_journal *journal)
{
	return &journal->header;
}

const char *claw_journal_get_string(const struct claw_journal *journal,
				    uint32_t offset)
{
	size_t length;
	const char *text = find_text(journal, offset, &length);

	return text ? text : "";
}

const char *claw_journal_get_api_name(const struct claw_journal *journal,
				      unsigned int api)
{
	return api < journal->api_count ? journal->api_names[api] : "unknown";
}

int claw_journal_find_api(const struct claw_journal *journal, const char *name)
{
	for (size_t i = 0; i < journal->api_count; i++)
		if (strcmp(journal->api_names[i], name) == 0)
			return (int)i;
	return -1;
}

size_t claw_journal_get_rule_count(const struct claw_journal *journal)
{
	return journal->rule_count;
}

const struct claw_journal_rule *
claw_journal_get_rule(const struct claw_journal *journal, size_t index)
{
	return index < journal->rule_count ? &journal->rules[index] : NULL;
}

size_t claw_journal_get_event_count(const struct claw_journal *journal)
{
	return journal->events.count;
}

const struct claw_journal_record *
claw_journal_get_event(const struct claw_journal *journal, size_t index)
{
	return index < journal->events.count ?
		&journal->events.list[index] : NULL;
}

size_t claw_journal_get_call_count(const struct claw_journal *journal)
{
	return journal->calls.count;
}

const struct claw_journal_record *
claw_journal_get_call(const struct claw_journal *journal, size_t index)
{
	return index < journal->calls.count ?
		&journal->calls.list[index] : NULL;
}

const struct claw_journal_site *
claw_journal_find_site(const struct claw_journal *journal, uint32_t number)
{
	if (number == 0 || number > journal->site_count ||
	    journal->sites[number - 1].commit == 0)
		return NULL;
	return &journal->sites[number - 1];
}

const struct claw_journal_module *
claw_journal_find_module(const struct claw_journal *journal, uint32_t number)
{
	if (number == 0 || number > journal->module_count ||
	    journal->modules[number - 1].commit == 0)
		return NULL;
	return &journal->modules[number - 1];
}

uint64_t claw_journal_get_calls(const struct claw_journal *journal,
				unsigned int api)
{
	return api < CLAW_JOURNAL_MAX_APIS ? journal->api_calls[api] : 0;
}

uint64_t claw_journal_get_total_calls(const struct claw_journal *journal)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < CLAW_JOURNAL_MAX_APIS; i++)
		sum += journal->api_calls[i];
	return sum;
}

int64_t claw_journal_get_live(const struct claw_journal *journal,
			      enum claw_obj type)
{
	return (unsigned int)type < CLAW_OBJ_COUNT ?
		(int64_t)journal->live[type] : 0;
}

int64_t claw_journal_get_peak_bound(const struct claw_journal *journal,
				    enum claw_obj type)
{
	return (unsigned int)type < CLAW_OBJ_COUNT ?
		(int64_t)journal->peak[type] : 0;
}

size_t claw_journal_get_thread_count(const struct claw_journal *journal)
{
	return journal->thread_count;
}

uint64_t claw_journal_get_created_bytes(const struct claw_journal *journal)
{
	return journal->created_bytes;
}

uint64_t claw_journal_get_damaged(const struct claw_journal *journal)
{
	return journal->damaged;
}

uint64_t claw_journal_get_dropped_calls(const struct claw_journal *journal)
{
	const struct claw_journal_header *header = &journal->header;

	/* A ring loses its oldest on purpose. */
	if (header->calls.used <= header->calls.capacity ||
	    (header->record_mode == CLAW_RECORD_LAST &&
	     header->calls.capacity > 0))
		return 0;
	return header->calls.used - header->calls.capacity;
}

uint64_t claw_journal_get_dropped_events(const struct claw_journal *journal)
{
	const struct claw_journal_area *events = &journal->header.events;

	return events->used > events->capacity ?
		events->used - events->capacity : 0;
}

uint64_t claw_journal_get_span_ns(const struct claw_journal *journal,
				  uint64_t ticks)
{
	long double ns = (long double)ticks * journal->ns_per_tick;

	return ns >= 18446744073709551615.0L ? UINT64_MAX : (uint64_t)ns;
}

uint64_t claw_journal_get_mono_ns(const struct claw_journal *journal,
				  uint64_t ticks)
{
	const struct claw_journal_header *header = &journal->header;
	uint64_t span;

	if (ticks >= header->start_ticks)
		return add_saturating(header->start_mono_ns,
			claw_journal_get_span_ns(journal,
					ticks - header->start_ticks));
	span = claw_journal_get_span_ns(journal, header->start_ticks - ticks);
	return header->start_mono_ns - smaller(span, header->start_mono_ns);
}
