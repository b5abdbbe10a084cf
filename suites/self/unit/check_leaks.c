/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host makes of ledgers: the reader, the grouping, what is held by
 * what, the words, suppressions. The ledgers are the tests' own, the journal
 * with their sites is the guest's.
 */
#include "config.h"

#include <check.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "faults/shared/api.h"
#include "faults/journal/journal.h"
#include "harness/base/errors.h"
#include "harness/check/leaks.h"
#include "harness/session/session.h"
#include "harness/base/words.h"
#include "suites/self/lib/ledger_maker.h"
#include "suites/self/lib/run_suite.h"

static char directory[] = "/tmp/openclaw-leaks-XXXXXX";
static struct made_ledger made;
static struct claw_journal *journal;
static struct claw_symbolizer *symbolizer;
static struct claw_leaks leaks;
static struct claw_suppressions suppressions;

/* Sites in the journal, by number. */
enum { LOAD_TILE = 1, BLUR, BINDING, MAIN, BLUR_AGAIN };

static const char *api_name(unsigned int api)
{
	return claw_api_table[api].name;
}

/* A site of CPython: functions from the innermost. */
static void add_site(uint64_t hash, const char *const *functions,
		     const char *file, unsigned int line)
{
	struct claw_journal_frame frames[8];
	uint32_t count = 0;

	for (; functions[count]; count++)
		frames[count] = (struct claw_journal_frame){
			.module = claw_journal_string(file, strlen(file)),
			.function = claw_journal_string(functions[count],
						strlen(functions[count])),
			.offset = line + count,
		};
	claw_journal_site(hash, CLAW_SITE_PYTHON, frames, count);
}

static void add_binding_site(void)
{
	static const char binding[] = "/usr/lib/python3/pyopencl/__init__.py";
	static const char own[] = "/home/me/pipeline.py";
	struct claw_journal_frame frames[2] = {
		{ claw_journal_string(binding, strlen(binding)),
		  claw_journal_string("enqueue_copy", 12), 2000 },
		{ claw_journal_string(own, strlen(own)),
		  claw_journal_string("store", 5), 120 },
	};

	claw_journal_site(3, CLAW_SITE_PYTHON, frames, 2);
}

static void setup(void)
{
	static const char *const tile[] = { "load_tile", "main", NULL };
	static const char *const blur[] = { "blur", "main", NULL };
	static const char *const only_main[] = { "main", NULL };
	struct claw_journal_config config = {
		.session = directory,
		.api_count = CLAW_API_COUNT,
		.api_name = api_name,
		.exe = "/usr/bin/pipeline",
	};

	memcpy(strrchr(directory, '-') + 1, "XXXXXX", 6);
	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(claw_journal_open(&config), 0);
	add_site(1, tile, "/home/me/pipeline.py", 88);
	add_site(2, blur, "/home/me/pipeline.py", 212);
	add_binding_site();
	add_site(4, only_main, "/home/me/pipeline.py", 300);
	add_site(5, blur, "/home/me/pipeline.py", 212);
	ck_assert_int_eq(claw_journal_read(claw_journal_path(), &journal), 0);
	claw_journal_close();
	symbolizer = claw_symbolizer_new();
	ck_assert_ptr_nonnull(symbolizer);
	made_init(&made);
}

static void teardown(void)
{
	claw_leaks_release(&leaks);
	claw_suppressions_release(&suppressions);
	claw_symbolizer_free(symbolizer);
	claw_journal_free(journal);
	claw_directory_remove(directory);
}

/* ---- making ---------------------------------------------------------- */

static struct claw_ledger_entry *add(enum claw_api api, enum claw_obj object,
				     uint32_t site,
				     const struct claw_ledger_entry *parent)
{
	struct claw_ledger_entry *entry = made_add(&made, object, api, parent);

	entry->site = site;
	return entry;
}

static struct claw_ledger_entry *add_context(void)
{
	return add(CLAW_API_clCreateContext, CLAW_OBJ_CONTEXT, MAIN, NULL);
}

static struct claw_ledger_entry *
add_buffer(const struct claw_ledger_entry *context, uint32_t site,
	   uint64_t bytes)
{
	struct claw_ledger_entry *entry =
		add(CLAW_API_clCreateBuffer, CLAW_OBJ_MEM, site, context);

	entry->bytes = bytes;
	return entry;
}

static void read_made(struct claw_ledger *ret_ledger)
{
	ck_assert_int_eq(claw_ledger_read_memory(&made, sizeof(made),
						 ret_ledger), 0);
}

static bool may_be_definite;	/* of what was grouped last */

static void group(void)
{
	struct claw_ledger ledger;

	read_made(&ledger);
	ck_assert_uint_eq(ledger.damaged, 0);
	ck_assert_int_eq(claw_leaks_add(&leaks, &ledger, journal, symbolizer),
			 0);
	claw_leaks_sort(&leaks);
	may_be_definite = claw_leaks_may_be_definite(&ledger);
	for (size_t i = 0; i < leaks.count; i++)
		ck_assert(!leaks.items[i].definite || may_be_definite);
	claw_ledger_release(&ledger);
}

static void check_text(size_t index, const char *expected)
{
	char *text;

	ck_assert_uint_lt(index, leaks.count);
	text = claw_leak_text(&leaks.items[index]);
	ck_assert_str_eq(text, expected);
	free(text);
}

/* ---- the reader ------------------------------------------------------- */

START_TEST(reader__entries_of_all_shards_come_in_order)
{
	struct claw_ledger ledger;
	struct claw_ledger_entry *context = add_context();

	for (int i = 0; i < 20; i++)
		add_buffer(context, MAIN, 64);
	made.header.dropped = 3;
	made.header.unknown = 2;
	made.header.forked = 1;
	read_made(&ledger);
	ck_assert_uint_eq(ledger.count, 21);
	for (size_t i = 0; i < ledger.count; i++)
		ck_assert_uint_eq(ledger.entries[i].serial, i + 1);
	ck_assert_uint_eq(ledger.dropped, 3);
	ck_assert_uint_eq(ledger.unknown, 2);
	ck_assert_uint_eq(ledger.created, 21);
	ck_assert(ledger.forked && ledger.has_sites);
	ck_assert_uint_eq(ledger.damaged, 0);
	ck_assert_ptr_nonnull(claw_ledger_find(&ledger, 0x3000, 3));
	ck_assert_ptr_null(claw_ledger_find(&ledger, 0x3000, 4));
	ck_assert_ptr_null(claw_ledger_find(&ledger, 0x3000, 99));
	claw_ledger_release(&ledger);
}
END_TEST

START_TEST(reader__free_entries_are_left_out)
{
	struct claw_ledger ledger;

	add_context()->handle = 0;
	add_context()->handle = 1;
	read_made(&ledger);
	ck_assert_uint_eq(ledger.count, 0);
	ck_assert_uint_eq(ledger.damaged, 0);
	claw_ledger_release(&ledger);
}
END_TEST

static const struct bad_header {
	size_t offset;
	uint32_t value;
	int expected;
} bad_headers[] = {
	{ offsetof(struct claw_ledger_header, magic), 0, -CLAW_E_DAMAGED },
	{ offsetof(struct claw_ledger_header, version), 2, -CLAW_E_VERSION },
	{ offsetof(struct claw_ledger_header, version), 0, -CLAW_E_VERSION },
	{ offsetof(struct claw_ledger_header, endian), 0x04030201,
	  -CLAW_E_VERSION },
	{ offsetof(struct claw_ledger_header, endian), 7, -CLAW_E_DAMAGED },
	{ offsetof(struct claw_ledger_header, header_bytes), 64,
	  -CLAW_E_DAMAGED },
	{ offsetof(struct claw_ledger_header, entry_bytes), 0,
	  -CLAW_E_DAMAGED },
	{ offsetof(struct claw_ledger_header, entry_bytes), 63,
	  -CLAW_E_DAMAGED },
	{ offsetof(struct claw_ledger_header, entry_bytes), UINT32_MAX,
	  -CLAW_E_DAMAGED },
	{ offsetof(struct claw_ledger_header, hold_bytes), 0,
	  -CLAW_E_DAMAGED },
	{ offsetof(struct claw_ledger_header, hold_bytes), UINT32_MAX,
	  -CLAW_E_DAMAGED },
};

START_TEST(reader__a_bad_header_is_no_ledger)
{
	const struct bad_header *bad = &bad_headers[_i];
	struct claw_ledger ledger;

	memcpy((char *)&made + bad->offset, &bad->value, sizeof(bad->value));
	ck_assert_int_eq(claw_ledger_read_memory(&made, sizeof(made), &ledger),
			 bad->expected);
}
END_TEST

START_TEST(reader__a_cut_header_is_no_ledger)
{
	struct claw_ledger ledger;

	ck_assert_int_eq(claw_ledger_read_memory(&made,
			sizeof(made.header) - 1, &ledger), -CLAW_E_DAMAGED);
	ck_assert_int_eq(claw_ledger_read_memory(NULL, 0, &ledger),
			 -CLAW_E_DAMAGED);
	ck_assert_int_eq(claw_ledger_read("/proc/nonexistent", &ledger),
			 -CLAW_E_IO);
	ck_assert_int_eq(claw_ledger_read(directory, &ledger), -CLAW_E_IO);
}
END_TEST

START_TEST(reader__a_cut_file_gives_what_is_there)
{
	struct claw_ledger ledger;
	struct claw_ledger_entry *context = add_context();
	size_t second = offsetof(struct made_ledger, entries[1]);

	for (int i = 0; i < 9; i++)
		add_buffer(context, MAIN, 64);
	ck_assert_int_eq(claw_ledger_read_memory(&made, second, &ledger), 0);
	ck_assert_uint_eq(ledger.count, 5);
	/* A shard, the holds, and the size that the header promises. */
	ck_assert_uint_eq(ledger.damaged, 3);
	claw_ledger_release(&ledger);
}
END_TEST

static const struct claw_ledger_shard bad_shards[] = {
	{ .capacity = MADE_ENTRIES, .offset = 0 },
	{ .capacity = MADE_ENTRIES, .offset = sizeof(made) },
	{ .capacity = MADE_ENTRIES, .offset = UINT64_MAX - 7 },
	{ .capacity = UINT32_MAX, .offset = sizeof(made.header) },
	{ .capacity = MADE_ENTRIES, .sequence = 1,
	  .offset = offsetof(struct made_ledger, entries) },
};

START_TEST(reader__a_bad_shard_is_counted_and_the_others_read)
{
	struct claw_ledger ledger;

	add_context();
	add_context();
	made.header.shards[0] = bad_shards[_i];
	read_made(&ledger);
	ck_assert_uint_eq(ledger.count, 1);
	ck_assert_uint_eq(ledger.damaged, 1);
	claw_ledger_release(&ledger);
}
END_TEST

START_TEST(reader__shards_in_one_place_give_no_object_twice)
{
	struct claw_ledger ledger;

	add_context();
	made.header.shards[1] = made.header.shards[0];
	made.header.shards[2] = made.header.shards[0];
	read_made(&ledger);
	ck_assert_uint_eq(ledger.count, 1);
	/* Twice too often, and together they are longer than the file. */
	ck_assert_uint_eq(ledger.damaged, 3);
	claw_ledger_release(&ledger);
}
END_TEST

START_TEST(reader__what_cannot_be_an_object_is_damaged)
{
	struct claw_ledger ledger;

	add_context()->object = CLAW_OBJ_COUNT;
	add_context()->object = CLAW_OBJ_NONE;
	add_context()->serial = 0;
	add_context()->serial = 1 << 20;	/* never made so many */
	add_context()->references = UINT32_MAX;
	add_context();
	read_made(&ledger);
	ck_assert_uint_eq(ledger.count, 1);
	ck_assert_uint_eq(ledger.damaged, 5);
	claw_ledger_release(&ledger);
}
END_TEST

/* A chain that turns back, one that leads into another, one out of the array:
 * each is cut where it goes wrong. */
START_TEST(reader__chains_of_holds_end)
{
	struct claw_ledger ledger;
	struct claw_ledger_entry *context = add_context(), *events[3];
	struct claw_ledger_entry *mem = add_buffer(context, MAIN, 64);

	for (int i = 0; i < 3; i++) {
		events[i] = add(CLAW_API_clEnqueueNDRangeKernel,
				CLAW_OBJ_EVENT, MAIN, context);
		made_hold(&made, events[i], mem);
		made_hold(&made, events[i], mem);
	}
	made.holds[0].next = 2;			/* the first: itself */
	made.holds[2].next = 1;			/* the second shares it */
	events[2]->hold = MADE_HOLDS + 1;
	read_made(&ledger);
	ck_assert_uint_eq(ledger.damaged, 2);
	for (size_t i = 0; i < ledger.count; i++) {
		unsigned int links = 0;

		for (uint32_t link = ledger.entries[i].hold; link;
		     link = ledger.holds[link - 1].next)
			ck_assert_uint_lt(links++, 4);
	}
	claw_ledger_release(&ledger);
}
END_TEST

START_TEST(reader__holds_outside_of_the_file_are_damaged)
{
	struct claw_ledger ledger;

	made.header.holds_offset = sizeof(made) - sizeof(made.holds[0]);
	read_made(&ledger);
	ck_assert_uint_eq(ledger.hold_count, 0);
	ck_assert_uint_eq(ledger.damaged, 1);
	claw_ledger_release(&ledger);
}
END_TEST

/* ---- a file that changes while it is read ---------------------------- */

static char live_path[PATH_MAX];

/* A shard so long that reading it takes its time, and its two places behind
 * everything else; what is in it is at its end. */
enum { LONG_ENTRIES = 1 << 14, MOVES = 4, READINGS = 200 };
#define LONG_BYTES (LONG_ENTRIES * sizeof(struct claw_ledger_entry))
static const uint64_t places[] = { sizeof(made), sizeof(made) + LONG_BYTES };

static struct mover {
	int fd;
	struct claw_ledger_shard shard;
	atomic_uint asked, done;	/* rounds of MOVES */
	atomic_bool over;
} mover;

static void write_at(const void *bytes, size_t size, uint64_t offset)
{
	ck_assert_int_eq(pwrite(mover.fd, bytes, size, (off_t)offset),
			 (ssize_t)size);
}

static void write_entries(const struct claw_ledger_entry *entries,
			  uint64_t place)
{
	write_at(entries, sizeof(made.entries[0]),
		 place + LONG_BYTES - sizeof(made.entries[0]));
}

/* As the guest does: the word is wrong while the sequence is odd, and the old
 * place is cleared. */
static void move(unsigned int to)
{
	static const struct claw_ledger_entry nothing[MADE_ENTRIES];
	uint64_t at = offsetof(struct claw_ledger_header, shards);
	struct claw_ledger_shard moving = {
		.sequence = mover.shard.sequence + 1,
		.capacity = UINT32_MAX, .offset = 1,
	};

	write_entries(made.entries[0], places[to]);
	write_at(&moving, sizeof(moving), at);
	mover.shard.sequence += 2;
	mover.shard.offset = places[to];
	write_at(&mover.shard, sizeof(mover.shard), at);
	write_entries(nothing, places[!to]);
}

static void *run_mover(void *user)
{
	unsigned int to = 1;

	(void)user;
	while (!atomic_load(&mover.over)) {
		if (atomic_load(&mover.asked) == atomic_load(&mover.done)) {
			sched_yield();
			continue;
		}
		for (int i = 0; i < MOVES; i++, to = !to)
			move(to);
		atomic_fetch_add(&mover.done, 1);
	}
	return NULL;
}

static void make_live_file(const char *name)
{
	snprintf(live_path, sizeof(live_path), "%s/%s", directory, name);
	mover.fd = open(live_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	ck_assert_int_ge(mover.fd, 0);
	write_at(&made, sizeof(made), 0);
}

START_TEST(reader__a_shard_on_the_move_is_read_when_it_is_there)
{
	pthread_t thread;

	for (int i = 0; i < 30; i++)
		add_context();
	made.header.shards[0].capacity = LONG_ENTRIES;
	made.header.shards[0].offset = places[0];
	mover.shard = made.header.shards[0];
	make_live_file("live");
	ck_assert_int_eq(ftruncate(mover.fd, (off_t)(places[1] + LONG_BYTES)),
			 0);
	write_entries(made.entries[0], places[0]);
	ck_assert_int_eq(pthread_create(&thread, NULL, run_mover, NULL), 0);
	for (unsigned int i = 0; i < READINGS; i++) {
		struct claw_ledger ledger;

		atomic_fetch_add(&mover.asked, 1);
		ck_assert_int_eq(claw_ledger_read(live_path, &ledger), 0);
		ck_assert_uint_eq(ledger.count, 30);
		ck_assert_uint_eq(ledger.damaged, 0);
		claw_ledger_release(&ledger);
		while (atomic_load(&mover.done) != i + 1)
			sched_yield();
	}
	atomic_store(&mover.over, true);
	pthread_join(thread, NULL);
	close(mover.fd);
}
END_TEST

START_TEST(reader__a_shard_whose_process_was_killed_is_given_up)
{
	struct claw_ledger ledger;

	add_context();
	add_context();
	made.header.shards[0].sequence = 1;
	make_live_file("dead");
	close(mover.fd);
	ck_assert_int_eq(claw_ledger_read(live_path, &ledger), 0);
	ck_assert_uint_eq(ledger.count, 1);
	ck_assert_uint_eq(ledger.damaged, 1);
	claw_ledger_release(&ledger);
}
END_TEST

/* ---- grouping --------------------------------------------------------- */

START_TEST(group__one_line_a_place_call_and_kind_largest_first)
{
	struct claw_ledger_entry *context = add_context();

	add_buffer(context, LOAD_TILE, 100);
	add_buffer(context, LOAD_TILE, 200);
	add_buffer(context, BLUR, 4096);
	add(CLAW_API_clCreateSubBuffer, CLAW_OBJ_MEM, BLUR, context);
	group();
	ck_assert_uint_eq(leaks.count, 4);
	ck_assert_uint_eq(leaks.items[0].bytes, 4096);
	ck_assert_uint_eq(leaks.items[1].bytes, 300);
	ck_assert_uint_eq(leaks.items[1].count, 2);
	ck_assert_uint_eq(leaks.items[1].line, 88);
	ck_assert_str_eq(leaks.items[1].file, "/home/me/pipeline.py");
	ck_assert_str_eq(leaks.items[1].name, "load_tile < main");
	ck_assert_uint_eq(leaks.items[1].pid, 4711);
}
END_TEST

/* An unrolled loop. */
START_TEST(group__sites_of_one_line_are_one_place)
{
	struct claw_ledger_entry *context = add_context();

	add_buffer(context, BLUR, 64);
	add_buffer(context, BLUR_AGAIN, 64);
	group();
	ck_assert_uint_eq(leaks.count, 2);
	ck_assert_uint_eq(leaks.items[0].count, 2);
	ck_assert(leaks.items[0].definite);
}
END_TEST

START_TEST(group__what_has_no_reference_is_no_leak)
{
	struct claw_ledger_entry *context = add_context();

	context->references = 0;
	add_buffer(context, MAIN, 64)->references = 0;
	group();
	ck_assert_uint_eq(leaks.count, 0);
}
END_TEST

START_TEST(group__an_event_keeps_the_buffers_it_holds_each_once)
{
	struct claw_ledger_entry *context = add_context(), *mem, *own;
	struct claw_ledger_entry *queue = add(CLAW_API_clCreateCommandQueue,
					      CLAW_OBJ_QUEUE, MAIN, context);

	mem = add_buffer(context, LOAD_TILE, 1 << 20);
	mem->references = 0;
	own = add_buffer(context, LOAD_TILE, 1 << 10);	/* the program's */
	for (int i = 0; i < 3; i++) {
		struct claw_ledger_entry *event =
			add(CLAW_API_clEnqueueNDRangeKernel, CLAW_OBJ_EVENT,
			    BLUR, queue);

		made_hold(&made, event, mem);
		made_hold(&made, event, own);
	}
	group();
	ck_assert_uint_eq(leaks.items[0].held_bytes, 1 << 20);
	check_text(0, "event from clEnqueueNDRangeKernel at pipeline.py:212 "
		   "(blur), never released, 3 of them, keeps 1 MiB of buffers "
		   "alive on NVIDIA");
	ck_assert_str_eq(leaks.items[0].held_text, "1 buffer from "
			 "clCreateBuffer at pipeline.py:88 (load_tile), "
			 "1 MiB\n");
}
END_TEST

/* The driver gave the buffer's address to the next one, as most do. */
START_TEST(group__an_event_keeps_what_another_driver_has_given_back)
{
	struct claw_ledger_entry *context = add_context(), *mem = NULL;

	for (int i = 0; i < 3; i++) {
		struct claw_ledger_entry *event;

		if (mem)
			mem->handle = 0;
		mem = add_buffer(context, LOAD_TILE, 1 << 20);
		mem->references = 0;
		event = add(CLAW_API_clEnqueueNDRangeKernel, CLAW_OBJ_EVENT,
			    BLUR, context);
		made_hold(&made, event, mem);
		made_hold(&made, event, mem);
	}
	group();
	ck_assert_uint_eq(leaks.items[0].held_bytes, 3 << 20);
	ck_assert_str_eq(leaks.items[0].held_text, "1 buffer from "
			 "clCreateBuffer at pipeline.py:88 (load_tile), 1 "
			 "MiB\n"
			 "2 buffers that this driver has freed, 2 MiB\n");
}
END_TEST

START_TEST(group__a_kernel_keeps_only_what_is_there)
{
	struct claw_ledger_entry *context = add_context();
	struct claw_ledger_entry *mem = add_buffer(context, MAIN, 1 << 20);
	struct claw_ledger_entry *kernel = add(CLAW_API_clCreateKernel,
					       CLAW_OBJ_KERNEL, BLUR, context);

	made_hold(&made, kernel, mem);
	made.holds[0].serial = 77;	/* another one has its handle now */
	mem->references = 0;
	group();
	ck_assert_uint_eq(leaks.items[0].held_bytes, 0);
}
END_TEST

START_TEST(group__a_sub_buffer_keeps_its_buffer_and_has_no_bytes)
{
	struct claw_ledger_entry *context = add_context();
	struct claw_ledger_entry *mem = add_buffer(context, MAIN, 1 << 20);
	struct claw_ledger_entry *sub = add(CLAW_API_clCreateSubBuffer,
					    CLAW_OBJ_MEM, LOAD_TILE, mem);

	mem->references = 0;
	sub->flags = CLAW_LEDGER_SUB;
	sub->bytes = 4096;
	group();
	ck_assert_uint_eq(leaks.items[0].bytes, 0);
	check_text(0, "sub-buffer of 4 KiB from clCreateSubBuffer at "
		   "pipeline.py:88 (load_tile), never released, keeps 1 MiB of "
		   "buffers alive");
}
END_TEST

/* A parent is older than its children: what is there now is another. */
START_TEST(group__a_younger_object_is_nobodys_parent)
{
	struct claw_ledger_entry *context = add_context();
	struct claw_ledger_entry *mem = add_buffer(context, MAIN, 64);
	struct claw_ledger_entry *young = add_context();

	young->handle = context->handle;
	context->handle = 0;
	young->references = 0;
	group();
	ck_assert_uint_eq(leaks.count, 1);
	ck_assert(!leaks.items[0].definite);
	ck_assert_uint_eq(mem->references, 1);
}
END_TEST

START_TEST(group__a_site_that_the_journal_lacks_is_no_place)
{
	add_buffer(add_context(), 4000000000u, 64);
	group();
	ck_assert_uint_eq(leaks.count, 2);
	ck_assert_ptr_null(leaks.items[0].place);
	ck_assert_str_eq(leaks.items[0].name, "unknown");
	check_text(0, "buffer of 64 bytes from clCreateBuffer, never "
		   "released");
}
END_TEST

START_TEST(group__frames_of_bindings_are_not_the_place)
{
	add_buffer(add_context(), BINDING, 64);
	group();
	ck_assert_str_eq(leaks.items[0].place, "pipeline.py:120 (store)");
	ck_assert_uint_eq(leaks.items[0].line, 120);
}
END_TEST

/* ---- definite ---------------------------------------------------------- */

START_TEST(definite__what_a_program_makes_once_and_keeps_is_not)
{
	struct claw_ledger_entry *context = add_context();

	add(CLAW_API_clCreateCommandQueue, CLAW_OBJ_QUEUE, MAIN, context);
	for (int i = 0; i < CLAW_LEAK_MANY - 1; i++)
		add(CLAW_API_clCreateKernel, CLAW_OBJ_KERNEL, MAIN, context);
	add_buffer(context, MAIN, 64);
	add(CLAW_API_clEnqueueNDRangeKernel, CLAW_OBJ_EVENT, MAIN, context);
	group();
	ck_assert_uint_eq(leaks.count, 5);
	for (size_t i = 0; i < leaks.count; i++)
		ck_assert_msg(!leaks.items[i].definite, "%s",
			      leaks.items[i].api);
	ck_assert(!may_be_definite);
}
END_TEST

START_TEST(definite__what_outlives_its_context_is)
{
	struct claw_ledger_entry *context = add_context(), *queue;

	queue = add(CLAW_API_clCreateCommandQueue, CLAW_OBJ_QUEUE, MAIN,
		    context);
	add(CLAW_API_clEnqueueNDRangeKernel, CLAW_OBJ_EVENT, BLUR, queue);
	context->references = queue->references = 0;
	group();
	ck_assert_uint_eq(leaks.count, 1);
	ck_assert(leaks.items[0].definite);
}
END_TEST

START_TEST(definite__more_than_one_of_a_place_is)
{
	struct claw_ledger_entry *context = add_context();

	add_buffer(context, LOAD_TILE, 64);
	add_buffer(context, LOAD_TILE, 64);
	for (int i = 0; i < CLAW_LEAK_MANY; i++)
		add(CLAW_API_clCreateKernel, CLAW_OBJ_KERNEL, BLUR, context);
	group();
	ck_assert_uint_eq(leaks.count, 3);
	ck_assert(leaks.items[0].definite);
	ck_assert(leaks.items[1].definite);
	ck_assert(!leaks.items[2].definite);
}
END_TEST

/* A cache has many, each once; a leak has the same again and again. */
static const struct {
	enum claw_api api;
	enum claw_obj object;
	unsigned int names;
	bool definite;
} cached[] = {
	{ CLAW_API_clCreateKernel, CLAW_OBJ_KERNEL, 1000, false },
	{ CLAW_API_clCreateProgramWithSource, CLAW_OBJ_PROGRAM, 1000, false },
	{ CLAW_API_clCreateKernel, CLAW_OBJ_KERNEL, 3, true },
	{ CLAW_API_clCreateProgramWithSource, CLAW_OBJ_PROGRAM, 3, true },
};

START_TEST(definite__a_cache_of_kernels_or_programs_is_not)
{
	struct claw_ledger_entry *context = add_context();

	for (unsigned int i = 0; i < CLAW_LEAK_MANY + 3; i++)
		add(cached[_i].api, cached[_i].object, BLUR,
		    context)->mem_flags = i % cached[_i].names + 1;
	group();
	ck_assert_uint_eq(leaks.count, 2);
	for (size_t i = 0; i < leaks.count; i++)
		ck_assert(leaks.items[i].definite == (cached[_i].definite &&
			  leaks.items[i].object == cached[_i].object));
}
END_TEST

/* ---- words -------------------------------------------------------------- */

static const struct {
	uint64_t count, retained, extra;
	const char *place, *expected;
} retains[] = {
	{ 1, 1, 1, "main (x.c:15)", "buffer of 512 KiB from clCreateBuffer at "
	  "main (x.c:12), retained once more than released (last at main "
	  "(x.c:15))" },
	{ 1, 1, 2, NULL, "buffer of 512 KiB from clCreateBuffer at main "
	  "(x.c:12), retained twice more than released" },
	{ 2, 2, 6, NULL, "buffer from clCreateBuffer at main (x.c:12), "
	  "retained 3 times more than released, 2 of them, 512 KiB together" },
	{ 2, 2, 3, NULL, "buffer from clCreateBuffer at main (x.c:12), "
	  "retained several times more than released, 2 of them, 512 KiB "
	  "together" },
	{ 1440, 3, 3, "main (x.c:15)", "buffer from clCreateBuffer at main "
	  "(x.c:12), not released, 3 of them retained once more than released "
	  "(last at main (x.c:15)), 1,440 of them, 512 KiB together" },
};

START_TEST(text__retains_are_told)
{
	struct claw_leak leak = {
		.object = CLAW_OBJ_MEM,
		.api = (char *)"clCreateBuffer",
		.place = (char *)"main (x.c:12)",
		.count = retains[_i].count,
		.references = retains[_i].count,
		.retained = retains[_i].retained,
		.extra_references = retains[_i].extra,
		.retain_place = (char *)retains[_i].place,
		.size_bytes = 512 * 1024,
	};
	char *text = claw_leak_text(&leak);

	ck_assert_str_eq(text, retains[_i].expected);
	free(text);
}
END_TEST

static const struct {
	enum claw_obj object;
	uint64_t count, references;
	const char *api, *expected;
} kinds[] = {
	{ CLAW_OBJ_MAPPING, 1, 1, "clEnqueueMapBuffer", "mapping of 64 bytes "
	  "from clEnqueueMapBuffer, never unmapped" },
	{ CLAW_OBJ_MAPPING, 1, 2, "clEnqueueMapBuffer", "mapping of 64 bytes "
	  "from clEnqueueMapBuffer, mapped twice more than unmapped" },
	{ CLAW_OBJ_EVENT, 1, 1, "clEnqueueMapBuffer", "event from "
	  "clEnqueueMapBuffer, never released" },
	{ CLAW_OBJ_EVENT, 1, 1, "clCreateUserEvent", "user event from "
	  "clCreateUserEvent, never released" },
	{ CLAW_OBJ_MEM, 1, 1, "clCreateImage2D", "image of 64 bytes from "
	  "clCreateImage2D, never released" },
	{ CLAW_OBJ_SVM, 1, 1, "clSVMAlloc", "SVM allocation of 64 bytes from "
	  "clSVMAlloc, never freed" },
	{ CLAW_OBJ_SVM, 1, 1, "clHostMemAllocINTEL", "USM allocation of 64 "
	  "bytes from clHostMemAllocINTEL, never freed" },
	{ CLAW_OBJ_DEVICE, 2, 2, "clCreateSubDevices", "sub-device from "
	  "clCreateSubDevices, never released, 2 of them, 64 bytes together" },
};

START_TEST(text__each_kind_has_its_word)
{
	struct claw_leak leak = {
		.object = kinds[_i].object,
		.api = (char *)kinds[_i].api,
		.count = kinds[_i].count,
		.references = kinds[_i].references,
		.size_bytes = 64,
	};
	char *text = claw_leak_text(&leak);

	ck_assert_str_eq(text, kinds[_i].expected);
	free(text);
}
END_TEST

static const struct {
	uint64_t number;
	const char *count, *bytes;
} numbers[] = {
	{ 0, "0", "0 bytes" },
	{ 1, "1", "1 byte" },
	{ 1000, "1,000", "1000 bytes" },
	{ 1536, "1,536", "1.5 KiB" },
	{ 754974720, "754,974,720", "720 MiB" },
	{ 1000001, "1,000,001", "976.6 KiB" },
	{ UINT64_MAX, "18,446,744,073,709,551,615", "16777216.0 TiB" },
};

START_TEST(text__numbers_are_easy_to_read)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	char expected[128];

	claw_print_count(out, numbers[_i].number);
	fputc(' ', out);
	claw_print_bytes(out, numbers[_i].number);
	fclose(out);
	snprintf(expected, sizeof(expected), "%s %s", numbers[_i].count,
		 numbers[_i].bytes);
	ck_assert_str_eq(text, expected);
	free(text);
}
END_TEST

/* ---- suppressions ------------------------------------------------------- */

static int read_text(const char *text, size_t size, char *error)
{
	char path[PATH_MAX];
	FILE *out;

	snprintf(path, sizeof(path), "%s/s", directory);
	out = fopen(path, "w");
	fwrite(text, 1, size, out);
	fclose(out);
	return claw_suppressions_read(path, &suppressions, error, 512);
}

static const struct {
	const char *line;
	bool expected;
} globs[] = {
	{ "leak:load_tile", true },
	{ "leak:load", true },
	{ "leak:tile", true },
	{ "leak:^load_tile$", true },
	{ "leak:^load$", false },
	{ "leak:^tile", false },
	{ "leak:tile$", true },
	{ "leak:l*d_t*e", true },
	{ "  leak:main  ", true },
	{ "leak:pipeline.py", true },
	{ "leak:^/home/*/pipeline.py$", true },
	{ "leak:clCreateBuffer", true },
	{ "leak:^clCreateBuffer < load_tile < main$", true },
	{ "leak:^clCreateBuffer < load_tile$", false },
	{ "leak:clCreateImage", false },
	{ "leak:blur", false },
	{ "# leak:main", false },
	{ "", false },
};

START_TEST(suppression__matches_functions_files_calls_and_chains)
{
	char error[512] = "";

	add_buffer(add_context(), LOAD_TILE, 64);
	group();
	ck_assert_int_eq(read_text(globs[_i].line, strlen(globs[_i].line),
				   error), 0);
	claw_leaks_suppress(&leaks, CLAW_LEAK_ALL, &suppressions);
	ck_assert_msg((leaks.items[0].suppressed_by != NULL) ==
		      globs[_i].expected, "%s", globs[_i].line);
}
END_TEST

#define BAD(text_, place_, what_) { text_, sizeof(text_) - 1, place_, what_ }
static const struct {
	const char *text;
	size_t size;
	const char *place, *what;
} bad_lines[] = {
	BAD("load_tile\n", ":1:1: ", "found \"load_tile\""),
	BAD("leak:a\n\n  race:b\n", ":3:3: ", "found \"race:b\""),
	BAD("leak\n", ":1:1: ", "expected \"leak:GLOB\""),
	BAD("leak:\n", ":1:6: ", "found the end of the line"),
	BAD("leak:^$\n", ":1:6: ", "found \"^$\""),
	BAD("leak:**\n", ":1:6: ", "found \"**\""),
	BAD(" leak:  \n", ":1:7: ", "found the end of the line"),
	BAD("leak: x\nLEAK:x\n", ":2:1: ", "found \"LEAK:x\""),
	BAD("leak:a\0b\n", ":1:7: ", "expected text"),
	BAD("\033[0m", ":1:1: ", "found \"?[0m\""),
};

START_TEST(suppression__a_bad_line_is_named)
{
	char error[512] = "";

	ck_assert_int_eq(read_text(bad_lines[_i].text, bad_lines[_i].size,
				   error), -CLAW_E_SYNTAX);
	ck_assert_msg(strstr(error, bad_lines[_i].place) &&
		      strstr(error, bad_lines[_i].what), "%s", error);
	ck_assert_ptr_null(strchr(error, '\n'));
}
END_TEST

START_TEST(suppression__a_missing_file_is_named)
{
	char error[512] = "";

	ck_assert_int_eq(claw_suppressions_read("/proc/nonexistent/s",
						&suppressions, error,
						sizeof(error)), -CLAW_E_IO);
	ck_assert_ptr_nonnull(strstr(error, "/proc/nonexistent/s: No such file"));
}
END_TEST

START_TEST(suppression__only_what_would_be_reported_is_counted)
{
	static const char lines[] = "leak:*main*\nleak:nothing\n";
	char error[512] = "";
	struct claw_ledger_entry *context = add_context();

	add_buffer(context, LOAD_TILE, 64);
	add_buffer(context, LOAD_TILE, 64);
	group();
	ck_assert_int_eq(read_text(lines, strlen(lines), error), 0);
	claw_leaks_suppress(&leaks, CLAW_LEAK_DEFINITE, &suppressions);
	ck_assert_uint_eq(suppressions.items[0].used, 2);
	ck_assert_uint_eq(suppressions.items[1].used, 0);
	ck_assert_ptr_null(leaks.items[1].suppressed_by);
}
END_TEST

START_TEST(suppression__what_is_written_keeps_this_leak_silent_and_no_other)
{
	char *text = NULL, error[512] = "";
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct claw_ledger_entry *context = add_context();

	add_buffer(context, LOAD_TILE, 4096);
	add_buffer(context, BLUR, 64);
	add(CLAW_API_clCreateSubBuffer, CLAW_OBJ_MEM, LOAD_TILE, context);
	group();
	claw_leak_write_suppression(&leaks.items[0], out);
	fclose(out);
	ck_assert_str_eq(text, "leak:^clCreateBuffer < load_tile < main$\n");
	ck_assert_int_eq(read_text(text, size, error), 0);
	claw_leaks_suppress(&leaks, CLAW_LEAK_ALL, &suppressions);
	ck_assert_ptr_nonnull(leaks.items[0].suppressed_by);
	for (size_t i = 1; i < leaks.count; i++)
		ck_assert_ptr_null(leaks.items[i].suppressed_by);
	free(text);
}
END_TEST

/* ---- sessions ------------------------------------------------------------ */

START_TEST(session__says_what_ledger_is_wanted_and_finds_it)
{
	struct claw_session_config config = { .ledger = CLAW_LEDGER_SITES };
	struct claw_session session = { .directory = directory };
	struct claw_session *opened = NULL;
	char path[PATH_MAX], line[128] = "", **paths = NULL;
	size_t count = 0;
	bool found = false;
	FILE *in;

	snprintf(path, sizeof(path), "%s/ledger.12.0", directory);
	fclose(fopen(path, "w"));
	ck_assert_int_eq(claw_session_ledgers(&session, &paths, &count), 0);
	ck_assert_uint_eq(count, 1);
	ck_assert_str_eq(paths[0], path);
	free(paths[0]);
	free(paths);
	/* Those of an earlier run are removed with its journals. */
	setenv("OPENCLAW_LAYER", "/bin/sh", 1);
	ck_assert_int_eq(claw_session_new(directory, NULL, 0, &config, &opened),
			 0);
	ck_assert_int_eq(claw_session_ledgers(opened, &paths, &count), 0);
	ck_assert_uint_eq(count, 0);
	free(paths);
	snprintf(path, sizeof(path), "%s/config", directory);
	in = fopen(path, "r");
	while (in && fgets(line, sizeof(line), in))
		found |= strcmp(line, "ledger=sites\n") == 0;
	ck_assert(found);
	fclose(in);
	claw_session_free(opened);
}
END_TEST

#define LENGTH(array_) (int)(sizeof(array_) / sizeof((array_)[0]))

static TCase *add_case(Suite *suite, const char *name)
{
	TCase *tcase = tcase_create(name);

	tcase_add_checked_fixture(tcase, setup, teardown);
	suite_add_tcase(suite, tcase);
	return tcase;
}

static void add_reader(TCase *tcase)
{
	tcase_add_test(tcase, reader__entries_of_all_shards_come_in_order);
	tcase_add_test(tcase, reader__free_entries_are_left_out);
	tcase_add_loop_test(tcase, reader__a_bad_header_is_no_ledger, 0,
			    LENGTH(bad_headers));
	tcase_add_test(tcase, reader__a_cut_header_is_no_ledger);
	tcase_add_test(tcase, reader__a_cut_file_gives_what_is_there);
	tcase_add_loop_test(tcase,
			    reader__a_bad_shard_is_counted_and_the_others_read,
			    0, LENGTH(bad_shards));
	tcase_add_test(tcase, reader__shards_in_one_place_give_no_object_twice);
	tcase_add_test(tcase, reader__what_cannot_be_an_object_is_damaged);
	tcase_add_test(tcase, reader__chains_of_holds_end);
	tcase_add_test(tcase, reader__holds_outside_of_the_file_are_damaged);
	tcase_add_test(tcase,
		       reader__a_shard_on_the_move_is_read_when_it_is_there);
	tcase_add_test(tcase,
		       reader__a_shard_whose_process_was_killed_is_given_up);
}

static void add_group(TCase *tcase)
{
	tcase_add_test(tcase,
		       group__one_line_a_place_call_and_kind_largest_first);
	tcase_add_test(tcase, group__sites_of_one_line_are_one_place);
	tcase_add_test(tcase, group__what_has_no_reference_is_no_leak);
	tcase_add_test(tcase,
		       group__an_event_keeps_the_buffers_it_holds_each_once);
	tcase_add_test(tcase,
		       group__an_event_keeps_what_another_driver_has_given_back);
	tcase_add_test(tcase, group__a_kernel_keeps_only_what_is_there);
	tcase_add_test(tcase,
		       group__a_sub_buffer_keeps_its_buffer_and_has_no_bytes);
	tcase_add_test(tcase, group__a_younger_object_is_nobodys_parent);
	tcase_add_test(tcase, group__a_site_that_the_journal_lacks_is_no_place);
	tcase_add_test(tcase, group__frames_of_bindings_are_not_the_place);
	tcase_add_test(tcase,
		       definite__what_a_program_makes_once_and_keeps_is_not);
	tcase_add_test(tcase, definite__what_outlives_its_context_is);
	tcase_add_test(tcase, definite__more_than_one_of_a_place_is);
	tcase_add_loop_test(tcase,
			    definite__a_cache_of_kernels_or_programs_is_not, 0,
			    sizeof(cached) / sizeof(*cached));
}

int main(void)
{
	Suite *suite = suite_create("leaks");
	TCase *tcase;

	add_reader(add_case(suite, "reader"));
	add_group(add_case(suite, "group"));
	tcase = add_case(suite, "text");
	tcase_add_loop_test(tcase, text__retains_are_told, 0, LENGTH(retains));
	tcase_add_loop_test(tcase, text__each_kind_has_its_word, 0,
			    LENGTH(kinds));
	tcase_add_loop_test(tcase, text__numbers_are_easy_to_read, 0,
			    LENGTH(numbers));
	tcase = add_case(suite, "suppressions");
	tcase_add_loop_test(tcase,
		suppression__matches_functions_files_calls_and_chains, 0,
		LENGTH(globs));
	tcase_add_loop_test(tcase, suppression__a_bad_line_is_named, 0,
			    LENGTH(bad_lines));
	tcase_add_test(tcase, suppression__a_missing_file_is_named);
	tcase_add_test(tcase,
		       suppression__only_what_would_be_reported_is_counted);
	tcase_add_test(tcase,
		suppression__what_is_written_keeps_this_leak_silent_and_no_other);
	tcase = add_case(suite, "session");
	tcase_add_test(tcase,
		       session__says_what_ledger_is_wanted_and_finds_it);
	return run_suite(suite);
}
