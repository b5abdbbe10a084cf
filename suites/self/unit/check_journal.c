/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal, written by real processes that are killed, forked, starved of
 * disk and interrupted, and read back whole, cut off, flipped and forged.
 */
#include "config.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/journal/journal.h"
#include "harness/base/errors.h"
#include "harness/readers/journal_reader.h"
#include "suites/self/lib/run_suite.h"

enum { API_COUNT = 150, TIMEOUT_S = 60 };

static char directory[] = "/tmp/check-journal.XXXXXX";

/* ---- in the process that writes: no libcheck there */

/* Leave with a message unless it holds. */
#define need(holds_)							\
	do {								\
		if (!(holds_)) {					\
			fprintf(stderr, "%s:%d: in the child: %s\n",	\
				__FILE__, __LINE__, #holds_);		\
			_exit(9);					\
		}							\
	} while (0)

/* What the parent watches. */
static struct shared {
	volatile uint64_t done;
	volatile uint64_t go;
} *shared;

static bool is_told_to_stop(void)
{
	return __atomic_load_n(&shared->go, __ATOMIC_RELAXED) != 0;
}

static const char *api_name(unsigned int api)
{
	static char name[32];

	snprintf(name, sizeof(name), "clFunction%u", api);
	return name;
}

static void open_journal(enum claw_record_mode record, uint64_t capacity)
{
	struct claw_journal_config config = {
		.session = directory,
		.seed = 42,
		.record = record,
		.capacity = capacity,
		.api_count = API_COUNT,
		.api_name = api_name,
		.exe = "/usr/bin/program",
	};

	need(claw_journal_open(&config) == 0);
}

/* A record all of whose fields follow from one number. */
static struct claw_journal_record make_record(uint64_t n)
{
	return (struct claw_journal_record){
		.ticks = n * 1000,
		.ordinal = n,
		.handle = n * UINT64_C(0x9e3779b97f4a7c15),
		.value = n ^ UINT64_C(0x5555555555555555),
		.duration_ticks = (uint32_t)(n * 3),
		.result = -(int32_t)(n % 70),
		.thread = (uint32_t)(n % 1000),
		.site = (uint32_t)(n % 777),
		.api = (uint16_t)(n % API_COUNT),
		.flags = (uint16_t)(n % 128),
		.rule = 0,
		.fault = (uint16_t)(n % 19),
	};
}

static bool is_made_record(const struct claw_journal_record *record)
{
	struct claw_journal_record expected = make_record(record->ordinal);

	expected.commit = record->commit;
	return memcmp(&expected, record, sizeof(expected)) == 0;
}

static void write_calls(uint64_t first, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		struct claw_journal_record record = make_record(first + i);

		claw_journal_count(record.api);
		claw_journal_call(&record);
	}
}

/* ---- in the test */

static void setup(void)
{
	memcpy(directory + sizeof(directory) - 7, "XXXXXX", 6);
	ck_assert_ptr_nonnull(mkdtemp(directory));
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(shared, MAP_FAILED);
}

static int select_journal(const struct dirent *entry)
{
	return strncmp(entry->d_name, "journal.", 8) == 0;
}

static void teardown(void)
{
	struct dirent **list;
	int count = scandir(directory, &list, NULL, NULL);

	for (int i = 0; i < count; i++) {
		char path[512];

		snprintf(path, sizeof(path), "%s/%s", directory,
			 list[i]->d_name);
		unlink(path);
		free(list[i]);
	}
	free(list);
	rmdir(directory);
	munmap(shared, sizeof(*shared));
}

static pid_t start_child(void (*work)(void))
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		work();
		_exit(0);
	}
	return pid;
}

static int wait_child(pid_t pid)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

/* Run it in a process of its own, which must end well. */
static void run_child(void (*work)(void))
{
	int status = wait_child(start_child(work));

	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0,
		      "the writer ended with wait status %#x, expected 0",
		      (unsigned int)status);
}

static unsigned int count_journals(void)
{
	struct dirent **list;
	int count = scandir(directory, &list, select_journal, alphasort);

	for (int i = 0; i < count; i++)
		free(list[i]);
	if (count >= 0)
		free(list);
	return count < 0 ? 0 : (unsigned int)count;
}

/* Path of the index-th journal by name. */
static void journal_path(unsigned int index, char *path, size_t size)
{
	struct dirent **list;
	int count = scandir(directory, &list, select_journal, alphasort);

	ck_assert_msg(count > (int)index, "%d journals, expected more than %u",
		      count, index);
	snprintf(path, size, "%s/%s", directory, list[index]->d_name);
	for (int i = 0; i < count; i++)
		free(list[i]);
	free(list);
}

static struct claw_journal *read_journal(unsigned int index)
{
	struct claw_journal *journal = NULL;
	char path[512];
	int ret;

	journal_path(index, path, sizeof(path));
	ret = claw_journal_read(path, &journal);
	ck_assert_msg(ret == 0, "reading %s gave %d, expected 0", path, ret);
	return journal;
}

/* The journal's bytes, in memory of exactly that size. */
static unsigned char *read_bytes(size_t *ret_size)
{
	char path[512];
	struct stat st;
	unsigned char *bytes;
	FILE *file;

	journal_path(0, path, sizeof(path));
	file = fopen(path, "rb");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fstat(fileno(file), &st), 0);
	bytes = malloc((size_t)st.st_size);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_uint_eq(fread(bytes, 1, (size_t)st.st_size, file),
			  (size_t)st.st_size);
	fclose(file);
	*ret_size = (size_t)st.st_size;
	return bytes;
}

/* Read bytes that nothing may lie behind. */
static int parse(const unsigned char *bytes, size_t size,
		 struct claw_journal **ret_journal)
{
	unsigned char *exact = malloc(size ? size : 1);
	int ret;

	ck_assert_ptr_nonnull(exact);
	memcpy(exact, bytes, size);
	ret = claw_journal_read_memory(exact, size, ret_journal);
	free(exact);
	return ret;
}

/* No record may say anything that was not written. */
static void assert_records_are_true(const struct claw_journal *journal)
{
	uint64_t last = 0;

	for (size_t i = 0; i < claw_journal_get_call_count(journal); i++) {
		const struct claw_journal_record *call =
			claw_journal_get_call(journal, i);

		ck_assert_msg(is_made_record(call),
			      "call %zu (number %llu, ordinal %llu) is mixed",
			      i, (unsigned long long)call->commit,
			      (unsigned long long)call->ordinal);
		ck_assert_uint_gt(call->commit, last);
		last = call->commit;
	}
	for (size_t i = 0; i < claw_journal_get_event_count(journal); i++)
		ck_assert(is_made_record(claw_journal_get_event(journal, i)));
}

/* ---- what a healthy process leaves */

static void write_everything(void)
{
	static const struct claw_journal_frame frames[2] = {
		{ .module = 1, .offset = 0x1234 },
		{ .module = 1, .offset = 0x5678 },
	};
	struct claw_journal_record event = make_record(5);
	struct claw_journal_rule *rule;

	open_journal(CLAW_RECORD_LAST, 64);
	need(claw_journal_is_on_disk());
	need(claw_journal_module("/lib/libx.so", 0x7000, 0x9000,
				 "\1\2\3\4", 4) == 1);
	need(claw_journal_site_lookup(77) == 0);
	need(claw_journal_site(77, CLAW_SITE_NATIVE, frames, 2) == 1);
	need(claw_journal_site(77, CLAW_SITE_NATIVE, frames, 2) == 1);
	need(claw_journal_site_lookup(77) == 1);
	need(claw_journal_rule_add("clCreateBuffer:oom:when=3", true) == 0);
	need(claw_journal_rule_add("@any:delay=1s", false) == 1);
	rule = claw_journal_rule_at(0);
	need(claw_journal_rule_matched(rule) == 1);
	need(claw_journal_rule_matched(rule) == 2);
	need(claw_journal_rule_fired(rule) == 1);
	claw_journal_rule_consequence(rule);
	claw_journal_rule_delayed(rule, 12345);
	need(claw_journal_event(&event) == 1);
	write_calls(1, 40);
	claw_journal_live_add(claw_journal_thread_get(), CLAW_OBJ_MEM, 3);
	claw_journal_live_add(claw_journal_thread_get(), CLAW_OBJ_MEM, -2);
	claw_journal_bytes_add(claw_journal_thread_get(), 4096);
	claw_journal_set_hooked_slots(133);
	claw_journal_set_loader("/usr/lib/libOpenCL.so.1");
	claw_journal_add_unknown_ext();
	claw_journal_add_misuse();
	claw_journal_close();
}

START_TEST(content__everything_written_is_read)
{
	run_child(write_everything);
	struct claw_journal *journal = read_journal(0);
	const struct claw_journal_header *header =
		claw_journal_get_header(journal);

	ck_assert_uint_eq(claw_journal_get_damaged(journal), 0);
	ck_assert_uint_eq(header->state, CLAW_JOURNAL_CLOSED);
	ck_assert_uint_eq(header->seed, 42);
	ck_assert_uint_eq(header->forked, 0);
	ck_assert_uint_eq(header->parent_pid, (uint32_t)getpid());
	ck_assert_uint_eq(header->hooked_slots, 133);
	ck_assert_uint_eq(header->unknown_ext_lookups, 1);
	ck_assert_uint_eq(header->misuse_count, 1);
	ck_assert_str_eq(claw_journal_get_string(journal, header->exe_string),
			 "/usr/bin/program");
	ck_assert_str_eq(claw_journal_get_string(journal,
						 header->loader_string),
			 "/usr/lib/libOpenCL.so.1");
	ck_assert_uint_eq(header->plan_error_string, 0);
	ck_assert_str_eq(claw_journal_get_api_name(journal, 149),
			 "clFunction149");
	ck_assert_str_eq(claw_journal_get_api_name(journal, 150), "unknown");
	ck_assert_int_eq(claw_journal_find_api(journal, "clFunction31"), 31);
	ck_assert_int_eq(claw_journal_find_api(journal, "clFunction"), -1);

	ck_assert_uint_eq(claw_journal_get_call_count(journal), 40);
	ck_assert_uint_eq(claw_journal_get_event_count(journal), 1);
	assert_records_are_true(journal);
	ck_assert_uint_eq(claw_journal_get_calls(journal, 7), 1);
	ck_assert_uint_eq(claw_journal_get_total_calls(journal), 40);
	ck_assert_int_eq(claw_journal_get_live(journal, CLAW_OBJ_MEM), 1);
	ck_assert_int_eq(claw_journal_get_peak_bound(journal, CLAW_OBJ_MEM), 3);
	ck_assert_uint_eq(claw_journal_get_created_bytes(journal), 4096);
	ck_assert_uint_eq(claw_journal_get_thread_count(journal), 1);

	ck_assert_uint_eq(claw_journal_get_rule_count(journal), 2);
	const struct claw_journal_rule *rule =
		claw_journal_get_rule(journal, 0);
	ck_assert_str_eq(claw_journal_get_string(journal, rule->text_string),
			 "clCreateBuffer:oom:when=3");
	ck_assert_uint_eq(rule->armed, 1);
	ck_assert_uint_eq(rule->matched, 2);
	ck_assert_uint_eq(rule->fired, 1);
	ck_assert_uint_eq(rule->consequences, 1);
	ck_assert_uint_eq(rule->delayed_ns, 12345);
	ck_assert_uint_eq(claw_journal_get_rule(journal, 1)->armed, 0);

	const struct claw_journal_site *site =
		claw_journal_find_site(journal, 1);
	ck_assert_ptr_nonnull(site);
	ck_assert_uint_eq(site->hash, 77);
	ck_assert_uint_eq(site->frame_count, 2);
	ck_assert_uint_eq(site->frames[1].offset, 0x5678);
	const struct claw_journal_module *module =
		claw_journal_find_module(journal, site->frames[0].module);
	ck_assert_ptr_nonnull(module);
	ck_assert_uint_eq(module->base, 0x7000);
	ck_assert_uint_eq(module->build_id_bytes, 4);
	ck_assert_str_eq(claw_journal_get_string(journal, module->path_string),
			 "/lib/libx.so");
	ck_assert_ptr_null(claw_journal_find_site(journal, 0));
	ck_assert_ptr_null(claw_journal_find_site(journal, 2));
	ck_assert_ptr_null(claw_journal_find_module(journal, 2));
	ck_assert_ptr_null(claw_journal_get_rule(journal, 2));
	ck_assert_ptr_null(claw_journal_get_call(journal, 40));
	claw_journal_free(journal);
}
END_TEST

static void write_tables(void)
{
	static char big[CLAW_JOURNAL_TEXT_MAX_BYTES + 100];
	struct claw_journal_frame frames[20];
	uint32_t first, last = 1;
	unsigned int kept = 0;

	memset(frames, 0, sizeof(frames));
	memset(big, 'x', sizeof(big));
	open_journal(CLAW_RECORD_NONE, 0);
	first = claw_journal_string("same", 4);
	need(first != 0 && claw_journal_string("same", 4) == first);
	need(claw_journal_string("same", 3) != first);
	need(claw_journal_string(big, sizeof(big)) != 0);
	need(claw_journal_writer.header->damaged == 0);
	for (unsigned int i = 0; i < 100000 && last; i++) {
		char text[32];

		snprintf(text, sizeof(text), "text %u", i);
		last = claw_journal_string(text, strlen(text));
		kept += last != 0;
	}
	need(last == 0 && kept > 5000);
	need(claw_journal_writer.header->damaged == 1);
	need(claw_journal_string("same", 4) == first);
	for (uint32_t i = 0; i < CLAW_JOURNAL_MAX_SITES + 10; i++) {
		uint32_t number =
			claw_journal_site(i * UINT64_C(0x10001),
					  CLAW_SITE_PYTHON, frames, 20);

		need(number == (i < CLAW_JOURNAL_MAX_SITES ? i + 1 : 0));
	}
	for (uint32_t i = 0; i < CLAW_JOURNAL_MAX_SITES; i++)
		need(claw_journal_site_lookup(i * UINT64_C(0x10001)) == i + 1);
	for (uint32_t i = 0; i < CLAW_JOURNAL_MAX_MODULES + 10; i++)
		need(claw_journal_module("same", i, i + 9, NULL, 0) ==
		     (i < CLAW_JOURNAL_MAX_MODULES ? i + 1 : 0));
	need(claw_journal_module("same", 7, 16, NULL, 0) == 8);
	for (int i = 0; i < CLAW_JOURNAL_MAX_RULES; i++)
		need(claw_journal_rule_add("same", true) == i);
	need(claw_journal_rule_add("same", true) == -1);
	claw_journal_rule_fired(claw_journal_rule_at(-1));
	claw_journal_rule_fired(claw_journal_rule_at(CLAW_JOURNAL_MAX_RULES));
}

START_TEST(tables__are_filled_to_the_brim_and_no_further)
{
	run_child(write_tables);
	struct claw_journal *journal = read_journal(0);
	const struct claw_journal_site *site =
		claw_journal_find_site(journal, CLAW_JOURNAL_MAX_SITES);

	ck_assert_ptr_nonnull(site);
	ck_assert_uint_eq(site->frame_count, CLAW_JOURNAL_MAX_FRAMES);
	ck_assert_ptr_nonnull(claw_journal_find_module(journal,
						CLAW_JOURNAL_MAX_MODULES));
	ck_assert_uint_eq(claw_journal_get_rule_count(journal),
			  CLAW_JOURNAL_MAX_RULES);
	/* Strings that found no room: some, then each one for a module. */
	ck_assert_uint_ge(claw_journal_get_damaged(journal), 1);
	claw_journal_free(journal);
}
END_TEST

static void write_many_events(void)
{
	open_journal(CLAW_RECORD_NONE, 0);
	need(claw_journal_rule_add("rule", true) == 0);
	for (uint64_t i = 1; i <= CLAW_JOURNAL_MAX_EVENTS + 904; i++) {
		struct claw_journal_record event = make_record(i);
		uint32_t number = claw_journal_event(&event);

		need(number == (i <= CLAW_JOURNAL_MAX_EVENTS ? i : 0));
		if (i == 9) {
			event.rule = 1;
			need(claw_journal_event(&event) == 10);
			event.rule = 1;
			need(claw_journal_event(&event) == 11);
			break;
		}
	}
	for (uint64_t i = 12; i <= CLAW_JOURNAL_MAX_EVENTS + 904; i++) {
		struct claw_journal_record event = make_record(i);

		claw_journal_event(&event);
	}
}

START_TEST(events__beyond_the_area_are_counted_as_dropped)
{
	run_child(write_many_events);
	struct claw_journal *journal = read_journal(0);

	ck_assert_uint_eq(claw_journal_get_event_count(journal),
			  CLAW_JOURNAL_MAX_EVENTS);
	ck_assert_uint_eq(claw_journal_get_dropped_events(journal), 904);
	ck_assert_uint_eq(claw_journal_get_damaged(journal), 0);
	ck_assert_uint_eq(claw_journal_get_rule(journal, 0)->first_event, 10);
	claw_journal_free(journal);
}
END_TEST

static void write_ring(void)
{
	open_journal(CLAW_RECORD_LAST, 100);
	write_calls(1, 10000);
}

START_TEST(ring__keeps_the_last_rounded_up)
{
	run_child(write_ring);
	struct claw_journal *journal = read_journal(0);

	ck_assert_uint_eq(claw_journal_get_call_count(journal), 128);
	ck_assert_uint_eq(claw_journal_get_call(journal, 0)->commit, 9873);
	ck_assert_uint_eq(claw_journal_get_call(journal, 127)->ordinal, 10000);
	assert_records_are_true(journal);
	ck_assert_uint_eq(claw_journal_get_damaged(journal), 0);
	ck_assert_uint_eq(claw_journal_get_dropped_calls(journal), 0);
	ck_assert_uint_eq(claw_journal_get_total_calls(journal), 10000);
	claw_journal_free(journal);
}
END_TEST

/* A writer that sleeps in the middle of slot 5 while the ring comes round. */
static void write_around_a_sleeper(void)
{
	struct claw_journal_record late;

	open_journal(CLAW_RECORD_LAST, 64);
	write_calls(1, 70);
	claw_journal_writer.calls[7].commit = CLAW_JOURNAL_BUSY | 8;
	claw_journal_writer.calls[7].handle = 1;
	write_calls(71, 64);
	need(claw_journal_writer.calls[7].commit == (CLAW_JOURNAL_BUSY | 8));
	need(claw_journal_writer.calls[7].handle == 1);
	need(claw_journal_writer.header->damaged == 1);
	/* One that comes late finds a later record: it gives way. */
	claw_journal_writer.header->calls.used = 20;
	late = make_record(21);
	need(claw_journal_call(&late) == 0);
	claw_journal_writer.header->calls.used = 134;
}

START_TEST(ring__sleeping_writer_is_not_written_over)
{
	run_child(write_around_a_sleeper);
	struct claw_journal *journal = read_journal(0);

	ck_assert_uint_eq(claw_journal_get_call_count(journal), 63);
	assert_records_are_true(journal);
	/* Two that the guest dropped, one that is torn. */
	ck_assert_uint_eq(claw_journal_get_damaged(journal), 3);
	claw_journal_free(journal);
}
END_TEST

static void *hammer_ring(void *data)
{
	uint64_t first = *(uint64_t *)data;

	for (uint64_t i = 0; !is_told_to_stop(); i++) {
		write_calls(first + i, 1);
		__atomic_fetch_add(&shared->done, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void write_ring_from_threads(void)
{
	pthread_t threads[4];
	uint64_t first[4];

	open_journal(CLAW_RECORD_LAST, 64);
	for (size_t i = 0; i < 4; i++) {
		first[i] = 1 + i * UINT64_C(1000000000);
		need(pthread_create(&threads[i], NULL, hammer_ring,
				    &first[i]) == 0);
	}
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

START_TEST(ring__read_while_it_is_written_is_never_mixed)
{
	pid_t pid = start_child(write_ring_from_threads);
	size_t seen = 0;

	while (shared->done < 1000)
		sched_yield();
	for (int i = 0; i < 100; i++) {
		struct claw_journal *journal = read_journal(0);

		size_t count = claw_journal_get_call_count(journal);

		seen += count;
		for (size_t k = 0; k < count; k++)
			ck_assert(is_made_record(
				claw_journal_get_call(journal, k)));
		claw_journal_free(journal);
	}
	ck_assert_uint_gt(seen, 100);
	kill(pid, SIGKILL);
	ck_assert(WIFSIGNALED(wait_child(pid)));
	struct claw_journal *journal = read_journal(0);
	ck_assert_uint_ge(claw_journal_get_call_count(journal), 60);
	claw_journal_free(journal);
}
END_TEST

static void write_full(void)
{
	open_journal(CLAW_RECORD_FULL, 0);
	write_calls(1, 300000);
	claw_journal_close();
}

START_TEST(full__grows_and_keeps_every_call)
{
	run_child(write_full);
	struct claw_journal *journal = read_journal(0);

	ck_assert_uint_eq(claw_journal_get_call_count(journal), 300000);
	ck_assert_uint_eq(claw_journal_get_call(journal, 0)->ordinal, 1);
	ck_assert_uint_eq(claw_journal_get_call(journal, 299999)->ordinal,
			  300000);
	assert_records_are_true(journal);
	ck_assert_uint_eq(claw_journal_get_damaged(journal), 0);
	ck_assert_uint_eq(claw_journal_get_dropped_calls(journal), 0);
	claw_journal_free(journal);
}
END_TEST

static void write_full_to_its_capacity(void)
{
	open_journal(CLAW_RECORD_FULL, 10001);
	write_calls(1, 12000);
}

START_TEST(full__stops_at_its_capacity)
{
	run_child(write_full_to_its_capacity);
	struct claw_journal *journal = read_journal(0);

	ck_assert_uint_eq(claw_journal_get_call_count(journal), 10001);
	ck_assert_uint_eq(claw_journal_get_dropped_calls(journal), 1999);
	ck_assert_uint_eq(claw_journal_get_damaged(journal), 0);
	ck_assert_uint_eq(claw_journal_get_total_calls(journal), 12000);
	claw_journal_free(journal);
}
END_TEST

static void write_a_call_that_blocks(void)
{
	struct claw_journal_record record = make_record(1);
	uint64_t number, passed;

	open_journal(CLAW_RECORD_LAST, 64);
	record.flags = CLAW_REC_BLOCKS | CLAW_REC_DELAYED;
	passed = claw_journal_call(&record);
	write_calls(2, 64);
	claw_journal_call_returned(passed, -1, 1, 1);
	number = claw_journal_call(&record);
	need(claw_journal_call(&record) == number + 1);
	claw_journal_call_returned(number, -36, 0xabc, 777);
	claw_journal_call_returned(0, 0, 0, 0);
}

START_TEST(call__that_returned_blocks_no_more)
{
	run_child(write_a_call_that_blocks);
	struct claw_journal *journal = read_journal(0);
	size_t count = claw_journal_get_call_count(journal);
	const struct claw_journal_record *call;

	ck_assert_uint_eq(count, 64);
	ck_assert_uint_eq(claw_journal_get_damaged(journal), 0);
	call = claw_journal_get_call(journal, count - 2);
	ck_assert_uint_eq(call->flags, CLAW_REC_DELAYED);
	ck_assert_int_eq(call->result, -36);
	ck_assert_uint_eq(call->handle, 0xabc);
	ck_assert_uint_eq(call->duration_ticks, 777);
	call = claw_journal_get_call(journal, count - 1);
	ck_assert_uint_eq(call->flags, CLAW_REC_BLOCKS | CLAW_REC_DELAYED);
	claw_journal_free(journal);
}
END_TEST

/* ---- threads */

static pthread_barrier_t barrier;

static void *count_as_one_of_many(void *data)
{
	(void)data;
	pthread_barrier_wait(&barrier);
	for (uint64_t i = 1; i <= 1000; i++) {
		struct claw_journal_record record = make_record(i);

		claw_journal_count(3);
		need(claw_journal_ordinal(3) == i);
		record.thread = claw_journal_thread_number();
		claw_journal_call(&record);
		claw_journal_live_add(claw_journal_thread_get(), CLAW_OBJ_EVENT,
				      i % 2 ? 1 : -1);
	}
	for (int i = 0; i < 200000; i++) {
		claw_journal_count(6);
		claw_journal_live_add(claw_journal_thread_get(), CLAW_OBJ_QUEUE,
				      i % 2 ? -1 : 1);
	}
	claw_journal_live_add(claw_journal_thread_get(), CLAW_OBJ_KERNEL, 2);
	claw_journal_bytes_add(claw_journal_thread_get(), 10);
	/* All have their blocks until the last has one. */
	pthread_barrier_wait(&barrier);
	return NULL;
}

static void write_from_eighty_threads(void)
{
	pthread_t threads[80];

	open_journal(CLAW_RECORD_FULL, 0);
	pthread_barrier_init(&barrier, NULL, 80);
	for (int i = 0; i < 80; i++)
		need(pthread_create(&threads[i], NULL, count_as_one_of_many,
				    NULL) == 0);
	for (int i = 0; i < 80; i++)
		pthread_join(threads[i], NULL);
	/* Their blocks are free again. */
	claw_journal_count(5);
	need(claw_journal_thread_get() != NULL);
	need(claw_journal_ordinal(5) == 1);
	need(claw_journal_ordinal(3) == 0);
}

START_TEST(threads__eighty_lose_no_count)
{
	static unsigned int calls_of[82];

	run_child(write_from_eighty_threads);
	struct claw_journal *journal = read_journal(0);

	ck_assert_uint_eq(claw_journal_get_damaged(journal), 0);
	ck_assert_uint_eq(claw_journal_get_calls(journal, 3), 80000);
	ck_assert_uint_eq(claw_journal_get_calls(journal, 5), 1);
	ck_assert_uint_eq(claw_journal_get_calls(journal, 6), 16000000);
	ck_assert_int_eq(claw_journal_get_live(journal, CLAW_OBJ_QUEUE), 0);
	ck_assert_int_eq(claw_journal_get_live(journal, CLAW_OBJ_EVENT), 0);
	ck_assert_int_eq(claw_journal_get_live(journal, CLAW_OBJ_KERNEL), 160);
	ck_assert_int_ge(claw_journal_get_peak_bound(journal, CLAW_OBJ_KERNEL),
			 160);
	ck_assert_uint_eq(claw_journal_get_created_bytes(journal), 800);
	ck_assert_uint_eq(claw_journal_get_thread_count(journal), 81);
	ck_assert_uint_eq(claw_journal_get_call_count(journal), 80000);
	memset(calls_of, 0, sizeof(calls_of));
	for (size_t i = 0; i < 80000; i++) {
		const struct claw_journal_record *call =
			claw_journal_get_call(journal, i);

		ck_assert_uint_ge(call->thread, 1);
		ck_assert_uint_le(call->thread, 80);
		/* In order within its thread. */
		ck_assert_uint_eq(call->ordinal, ++calls_of[call->thread]);
	}
	claw_journal_free(journal);
}
END_TEST

static void *count_three(void *data)
{
	for (uint64_t i = 1; i <= 3; i++) {
		claw_journal_count(9);
		need(claw_journal_ordinal(9) == i);
	}
	*(uint32_t *)data = claw_journal_thread_number();
	return NULL;
}

static void write_from_short_threads(void)
{
	open_journal(CLAW_RECORD_NONE, 0);
	for (uint32_t i = 1; i <= 500; i++) {
		pthread_t thread;
		uint32_t number = 0;

		need(pthread_create(&thread, NULL, count_three, &number) == 0);
		pthread_join(thread, NULL);
		need(number == i);
	}
}

START_TEST(threads__blocks_are_handed_on)
{
	run_child(write_from_short_threads);
	struct claw_journal *journal = read_journal(0);

	ck_assert_uint_eq(claw_journal_get_calls(journal, 9), 1500);
	ck_assert_uint_eq(claw_journal_get_thread_count(journal), 500);
	claw_journal_free(journal);
}
END_TEST

/* ---- killed */

static void write_until_killed(void)
{
	open_journal(CLAW_RECORD_LAST, 256);
	for (uint64_t i = 1;; i++) {
		struct claw_journal_record record = make_record(i);

		claw_journal_count(record.api);
		claw_journal_call(&record);
		if (i % 64 == 0)
			claw_journal_event(&record);
		shared->done = i;
	}
}

START_TEST(kill__loses_at_most_the_record_being_written)
{
	for (int round = 0; round < 20; round++) {
		shared->done = 0;
		pid_t pid = start_child(write_until_killed);

		while (shared->done < 300 + (uint64_t)round * 997)
			sched_yield();
		kill(pid, SIGKILL);
		ck_assert(WIFSIGNALED(wait_child(pid)));

		uint64_t done = shared->done;
		struct claw_journal *journal = read_journal(0);
		size_t count = claw_journal_get_call_count(journal);
		const struct claw_journal_header *header =
			claw_journal_get_header(journal);

		ck_assert_uint_eq(header->state, CLAW_JOURNAL_OPEN);
		assert_records_are_true(journal);
		ck_assert_uint_ge(claw_journal_get_total_calls(journal), done);
		ck_assert_uint_le(claw_journal_get_total_calls(journal),
				  done + 1);
		ck_assert_uint_le(claw_journal_get_damaged(journal), 1);
		ck_assert_uint_ge(count + claw_journal_get_damaged(journal),
				  256);
		ck_assert_uint_ge(claw_journal_get_call(journal,
						count - 1)->ordinal, done);
		ck_assert_uint_ge(claw_journal_get_event_count(journal) +
				  claw_journal_get_dropped_events(journal) +
				  claw_journal_get_damaged(journal), done / 64);
		claw_journal_free(journal);
		teardown();
		setup();
	}
}
END_TEST

/* ---- no space */

static void limit_file_size(rlim_t bytes)
{
	struct rlimit limit = { .rlim_cur = bytes, .rlim_max = bytes };

	need(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	need(signal(SIGXFSZ, SIG_DFL) != SIG_ERR);
}

static void write_without_any_space(void)
{
	limit_file_size(4096);
	open_journal(CLAW_RECORD_FULL, 0);
	need(!claw_journal_is_on_disk());
	need(claw_journal_path()[0] == '\0');
	write_calls(1, 1000);
	need(claw_journal_thread_get()->calls[7] == 7);
	need(claw_journal_rule_add("rule", true) == 0);
	need(claw_journal_rule_fired(claw_journal_rule_at(0)) == 1);
	claw_journal_close();
}

START_TEST(space__none_leaves_counters_in_memory)
{
	struct claw_journal *journal = NULL;
	char path[512];
	struct stat st;

	run_child(write_without_any_space);
	/* An empty file tells that a process was there. */
	ck_assert_uint_eq(count_journals(), 1);
	journal_path(0, path, sizeof(path));
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_size, 0);
	ck_assert_int_ne(claw_journal_read(path, &journal), 0);
}
END_TEST

static void write_without_space_for_calls(void)
{
	limit_file_size(3 << 19);	/* 1.5 MiB */
	open_journal(CLAW_RECORD_LAST, 1 << 20);
	need(claw_journal_is_on_disk());
	write_calls(1, 1000);
	claw_journal_close();
}

START_TEST(space__none_for_calls_is_told)
{
	run_child(write_without_space_for_calls);
	struct claw_journal *journal = read_journal(0);

	ck_assert_uint_eq(claw_journal_get_total_calls(journal), 1000);
	ck_assert_uint_eq(claw_journal_get_call_count(journal), 0);
	ck_assert_uint_eq(claw_journal_get_dropped_calls(journal), 1000);
	ck_assert_uint_eq(claw_journal_get_damaged(journal), 0);
	claw_journal_free(journal);
}
END_TEST

static void write_until_the_limit(void)
{
	limit_file_size(2 << 20);
	open_journal(CLAW_RECORD_FULL, 0);
	need(claw_journal_is_on_disk());
	write_calls(1, 50000);
	errno = 0;
	claw_journal_close();
}

START_TEST(space__ended_stops_recording_and_counts)
{
	run_child(write_until_the_limit);
	struct claw_journal *journal = read_journal(0);
	size_t count = claw_journal_get_call_count(journal);

	ck_assert_uint_ge(count, 4096);
	ck_assert_uint_lt(count, 2 << 14);
	ck_assert_uint_eq(count + claw_journal_get_dropped_calls(journal),
			  50000);
	ck_assert_uint_eq(claw_journal_get_damaged(journal), 0);
	assert_records_are_true(journal);
	claw_journal_free(journal);
}
END_TEST

/* 99: this process may not mount. */
static void write_on_a_full_disk(void)
{
	if (unshare(CLONE_NEWNS) != 0 &&
	    unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
		_exit(99);
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("tmpfs", directory, "tmpfs", 0, "size=2m") != 0)
		_exit(99);
	open_journal(CLAW_RECORD_FULL, 0);
	need(claw_journal_is_on_disk());
	write_calls(1, 50000);
	claw_journal_close();

	struct claw_journal *journal = NULL;
	need(claw_journal_read(claw_journal_path(), &journal) == 0);
	need(claw_journal_get_call_count(journal) >= 4096);
	need(claw_journal_get_call_count(journal) < 2 << 14);
	need(claw_journal_get_call_count(journal) +
	     claw_journal_get_dropped_calls(journal) == 50000);
	need(claw_journal_get_damaged(journal) == 0);

	/* Nothing is left now for a child's. */
	pid_t pid = fork();
	need(pid >= 0);
	if (pid == 0) {
		need(claw_journal_after_fork() == 0);
		need(!claw_journal_is_on_disk());
		write_calls(1, 1000);
		_exit(0);
	}
	int status;
	need(waitpid(pid, &status, 0) == pid && status == 0);
	claw_journal_free(journal);
}

START_TEST(space__full_disk_harms_nobody)
{
	int status = wait_child(start_child(write_on_a_full_disk));

	if (WIFEXITED(status) && WEXITSTATUS(status) == 99) {
		fprintf(stderr, "space__full_disk_harms_nobody: skipped, "
			"no right to mount\n");
		return;
	}
	ck_assert_int_eq(status, 0);
}
END_TEST

static void write_into_no_directory(void)
{
	struct claw_journal_config config = {
		.session = "/proc/nonexistent/session",
		.record = CLAW_RECORD_LAST,
		.api_count = API_COUNT,
		.api_name = api_name,
	};

	need(claw_journal_open(&config) == 0);
	need(!claw_journal_is_on_disk());
	write_calls(1, 150);
	need(claw_journal_thread_get()->calls[3] == 1);
}

START_TEST(space__missing_directory_is_like_none)
{
	run_child(write_into_no_directory);
}
END_TEST

static void write_before_open(void)
{
	struct claw_journal_record record = make_record(1);

	write_calls(1, 10);
	need(claw_journal_event(&record) == 0);
	need(claw_journal_string("x", 1) == 0);
	need(claw_journal_module("x", 1, 2, NULL, 0) == 0);
	need(claw_journal_site_lookup(1) == 0);
	need(claw_journal_site(1, CLAW_SITE_NATIVE, NULL, 0) == 0);
	need(claw_journal_rule_add("x", true) == -1);
	claw_journal_count(1);
	need(claw_journal_ordinal(1) == 0);
	need(claw_journal_thread_number() == 0);
	claw_journal_live_add(claw_journal_thread_get(), CLAW_OBJ_MEM, 1);
	claw_journal_bytes_add(claw_journal_thread_get(), 1);
	claw_journal_set_plan_error("x");
	claw_journal_touch_clock();
	claw_journal_close();
	need(claw_journal_after_fork() == -1);
	need(!claw_journal_is_on_disk());
	open_journal(CLAW_RECORD_NONE, 0);
	claw_journal_set_plan_error("rule 1: no such fault");
	claw_journal_count(1);
	need(claw_journal_ordinal(1) == 1);
}

START_TEST(open__nothing_before_it_does_harm)
{
	run_child(write_before_open);
	struct claw_journal *journal = read_journal(0);

	ck_assert_uint_eq(claw_journal_get_total_calls(journal), 1);
	ck_assert_str_eq(claw_journal_get_string(journal,
			claw_journal_get_header(journal)->plan_error_string),
			"rule 1: no such fault");
	claw_journal_free(journal);
}
END_TEST

/* Names are taken already, one by a link to what must stay as it is. */
static void write_beside_others(void)
{
	char path[512], target[512];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "%s/journal.%ld.0", directory,
		 (long)getpid());
	snprintf(target, sizeof(target), "%s/target", directory);
	fd = open(target, O_WRONLY | O_CREAT, 0600);
	need(fd >= 0 && close(fd) == 0);
	need(symlink(target, path) == 0);
	errno = 77;
	fd = dup(0);
	close(fd);
	open_journal(CLAW_RECORD_FULL, 0);
	need(errno == 77);
	write_calls(1, 10000);
	need(errno == 77);
	need(dup(0) == fd);
	need(strcmp(claw_journal_path() + strlen(claw_journal_path()) - 2,
		    ".1") == 0);
	need(stat(target, &st) == 0 && st.st_size == 0);
}

START_TEST(open__takes_a_free_name_and_keeps_no_descriptor)
{
	run_child(write_beside_others);
}
END_TEST

/* ---- fork */

static void write_and_fork(void)
{
	struct claw_journal_record event = make_record(3);
	struct claw_journal_thread *block;
	struct claw_journal_rule *rule;
	uint32_t text, site;
	pid_t pid;
	int status;

	open_journal(CLAW_RECORD_FULL, 0);
	claw_journal_rule_add("rule", true);
	rule = claw_journal_rule_at(0);
	claw_journal_rule_fired(rule);
	claw_journal_rule_fired(rule);
	text = claw_journal_string("kept", 4);
	site = claw_journal_site(99, CLAW_SITE_NATIVE, NULL, 0);
	claw_journal_event(&event);
	write_calls(1, 10000);
	block = claw_journal_thread_get();
	pid = fork();
	need(pid >= 0);
	if (pid == 0) {
		need(claw_journal_after_fork() == 0);
		need(claw_journal_is_on_disk());
		/* Whoever holds a pointer may go on with it. */
		need(claw_journal_thread_get() == block);
		need(block->calls[1] == 0);
		need(claw_journal_ordinal(1) == 0);
		need(claw_journal_thread_number() == 1);
		need(rule->fired == 0 && rule->armed == 1);
		need(claw_journal_rule_fired(rule) == 1);
		need(claw_journal_string("kept", 4) == text);
		need(claw_journal_string("new", 3) > text);
		need(claw_journal_site_lookup(99) == site);
		need(claw_journal_event(&event) == 1);
		write_calls(1, 20000);
		claw_journal_close();
		_exit(0);
	}
	need(waitpid(pid, &status, 0) == pid && status == 0);
	write_calls(10001, 1);
	need(claw_journal_rule_fired(rule) == 3);
}

START_TEST(fork__child_has_a_journal_of_its_own)
{
	struct claw_journal *journals[2];
	unsigned int child;

	run_child(write_and_fork);
	ck_assert_uint_eq(count_journals(), 2);
	journals[0] = read_journal(0);
	journals[1] = read_journal(1);
	child = claw_journal_get_header(journals[1])->forked;
	const struct claw_journal *of_child = journals[child];
	const struct claw_journal *of_parent = journals[!child];

	ck_assert_uint_eq(claw_journal_get_header(of_parent)->forked, 0);
	ck_assert_uint_eq(claw_journal_get_header(of_child)->forked, 1);
	ck_assert_uint_eq(claw_journal_get_header(of_child)->parent_pid,
			  claw_journal_get_header(of_parent)->pid);
	ck_assert_uint_eq(claw_journal_get_header(of_child)->seed, 42);
	ck_assert_uint_eq(claw_journal_get_header(of_child)->state,
			  CLAW_JOURNAL_CLOSED);
	ck_assert_uint_eq(claw_journal_get_total_calls(of_parent), 10001);
	ck_assert_uint_eq(claw_journal_get_total_calls(of_child), 20000);
	ck_assert_uint_eq(claw_journal_get_call_count(of_parent), 10001);
	ck_assert_uint_eq(claw_journal_get_call_count(of_child), 20000);
	assert_records_are_true(of_parent);
	assert_records_are_true(of_child);
	ck_assert_uint_eq(claw_journal_get_event_count(of_child), 1);
	ck_assert_uint_eq(claw_journal_get_rule(of_parent, 0)->fired, 3);
	ck_assert_uint_eq(claw_journal_get_rule(of_child, 0)->fired, 1);
	ck_assert_str_eq(claw_journal_get_string(of_child,
			 claw_journal_get_rule(of_child, 0)->text_string),
			 "rule");
	ck_assert_int_eq(claw_journal_find_api(of_child, "clFunction149"), 149);
	ck_assert_ptr_nonnull(claw_journal_find_site(of_child, 1));
	ck_assert_uint_eq(claw_journal_get_damaged(of_parent), 0);
	ck_assert_uint_eq(claw_journal_get_damaged(of_child), 0);
	claw_journal_free(journals[0]);
	claw_journal_free(journals[1]);
}
END_TEST

static void *add_strings(void *data)
{
	(void)data;
	for (unsigned int i = 0; !is_told_to_stop(); i++) {
		char text[32];

		snprintf(text, sizeof(text), "text %u", i % 2000);
		claw_journal_string(text, strlen(text));
		claw_journal_site(i % 500, CLAW_SITE_NATIVE, NULL, 0);
	}
	return NULL;
}

static void fork_beside_busy_threads(void)
{
	pthread_t threads[2];

	open_journal(CLAW_RECORD_LAST, 64);
	for (int i = 0; i < 2; i++)
		need(pthread_create(&threads[i], NULL, add_strings, NULL) == 0);
	for (int i = 0; i < 50; i++) {
		pid_t pid = fork();
		int status;

		need(pid >= 0);
		if (pid == 0) {
			char text[32];

			alarm(20);
			need(claw_journal_after_fork() == 0);
			snprintf(text, sizeof(text), "child %d", i);
			need(claw_journal_string(text, strlen(text)) != 0);
			claw_journal_count(1);
			_exit(0);
		}
		need(waitpid(pid, &status, 0) == pid && status == 0);
	}
	__atomic_store_n(&shared->go, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

START_TEST(fork__beside_busy_threads_hangs_never)
{
	run_child(fork_beside_busy_threads);
	ck_assert_uint_eq(count_journals(), 51);
	for (unsigned int i = 0; i < 51; i++) {
		struct claw_journal *journal = read_journal(i);

		/* A child inherits what the two threads had half written. */
		ck_assert_uint_le(claw_journal_get_damaged(journal),
			2 * claw_journal_get_header(journal)->forked);
		ck_assert_uint_eq(claw_journal_get_total_calls(journal),
				  claw_journal_get_header(journal)->forked);
		claw_journal_free(journal);
	}
}
END_TEST

/* ---- signals */

static volatile uint64_t handled;

static void call_in_handler(int number)
{
	struct claw_journal_record record = make_record(1000000 + handled);
	char text[8] = "s";

	(void)number;
	text[1] = (char)('a' + handled % 26);
	handled = handled + 1;
	claw_journal_count(2);
	claw_journal_call(&record);
	claw_journal_string(text, 2);
	claw_journal_site(handled % 300, CLAW_SITE_NATIVE, NULL, 0);
}

static void write_under_signals(void)
{
	struct itimerval often = {
		.it_interval = { .tv_usec = 200 },
		.it_value = { .tv_usec = 200 },
	};
	static const struct itimerval never;

	open_journal(CLAW_RECORD_FULL, 0);
	need(signal(SIGALRM, call_in_handler) != SIG_ERR);
	need(setitimer(ITIMER_REAL, &often, NULL) == 0);
	for (uint64_t i = 1; handled < 300; i++) {
		struct claw_journal_record record = make_record(i);
		char text[32];

		claw_journal_count(3);
		claw_journal_call(&record);
		snprintf(text, sizeof(text), "t%u", (unsigned int)(i % 900));
		claw_journal_string(text, strlen(text));
		claw_journal_site(i % 400, CLAW_SITE_NATIVE, NULL, 0);
		shared->done = i;
	}
	need(setitimer(ITIMER_REAL, &never, NULL) == 0);
	need(claw_journal_thread_get()->calls[2] == handled);
	need(claw_journal_thread_get()->calls[3] == shared->done);
	shared->go = handled;
}

START_TEST(signals__handler_that_calls_meets_no_lock)
{
	run_child(write_under_signals);
	struct claw_journal *journal = read_journal(0);

	ck_assert_uint_eq(claw_journal_get_call_count(journal),
			  shared->done + shared->go);
	assert_records_are_true(journal);
	ck_assert_uint_eq(claw_journal_get_damaged(journal), 0);
	claw_journal_free(journal);
}
END_TEST

/* ---- time */

static void write_at_known_times(void)
{
	struct claw_journal_record record = make_record(1);

	open_journal(CLAW_RECORD_LAST, 64);
	if (shared->go) {
		struct timespec pause = { .tv_nsec = 20 * 1000 * 1000 };

		nanosleep(&pause, NULL);
	}
	shared->done = claw_clock_mono_ns();
	record.ticks = claw_journal_ticks();
	claw_journal_call(&record);
	shared->go = claw_clock_mono_ns();
	claw_journal_close();
}

/* What the reader makes of the call's time, with that in the header. */
static void check_time(unsigned char *bytes, size_t size)
{
	/* Rates between clocks that NTP steers differ a little. */
	static const uint64_t slack_ns = 100000;
	struct claw_journal *journal;
	uint64_t ns;

	ck_assert_int_eq(parse(bytes, size, &journal), 0);
	ns = claw_journal_get_mono_ns(journal,
				claw_journal_get_call(journal, 0)->ticks);
	ck_assert_uint_ge(ns + slack_ns, shared->done);
	ck_assert_uint_le(ns, shared->go + slack_ns);
	ck_assert_uint_gt(claw_journal_get_span_ns(journal, 100000), 1000);
	claw_journal_free(journal);
}

START_TEST(clock__of_a_long_run_comes_from_its_pairs)
{
	struct claw_journal_header *header;
	unsigned char *bytes;
	size_t size;

	shared->go = 1;
	run_child(write_at_known_times);
	bytes = read_bytes(&size);
	header = (struct claw_journal_header *)(void *)bytes;
	header->boot_id[0] = 'x';
	check_time(bytes, size);
	free(bytes);
}
END_TEST

START_TEST(clock__of_a_short_run_comes_from_this_machine)
{
	struct claw_journal_header *header;
	unsigned char *bytes;
	size_t size;

	run_child(write_at_known_times);
	bytes = read_bytes(&size);
	header = (struct claw_journal_header *)(void *)bytes;
	check_time(bytes, size);
	header->last_ticks = 0;		/* killed between the pair's halves */
	check_time(bytes, size);
	header->last_ticks = header->start_ticks + 1;
	header->last_mono_ns = header->start_mono_ns + 999999;
	check_time(bytes, size);
	free(bytes);
}
END_TEST

START_TEST(clock__unknown_is_no_time_at_all)
{
	struct claw_journal_header *header;
	struct claw_journal *journal;
	unsigned char *bytes;
	size_t size;

	run_child(write_everything);
	bytes = read_bytes(&size);
	header = (struct claw_journal_header *)(void *)bytes;
	header->last_ticks = 0;
	header->clock_is_ns = 0;
	header->boot_id[0] = 'x';
	ck_assert_int_eq(parse(bytes, size, &journal), 0);
	ck_assert_uint_eq(claw_journal_get_span_ns(journal, 1000), 0);
	ck_assert_uint_eq(claw_journal_get_mono_ns(journal, UINT64_MAX),
			  header->start_mono_ns);
	claw_journal_free(journal);
	header->clock_is_ns = 1;
	header->start_ticks = 5000;
	header->start_mono_ns = 4000;
	ck_assert_int_eq(parse(bytes, size, &journal), 0);
	ck_assert_uint_eq(claw_journal_get_span_ns(journal, 1000), 1000);
	ck_assert_uint_eq(claw_journal_get_mono_ns(journal, 5010), 4010);
	ck_assert_uint_eq(claw_journal_get_mono_ns(journal, 4990), 3990);
	ck_assert_uint_eq(claw_journal_get_mono_ns(journal, 7), 0);
	ck_assert_uint_eq(claw_journal_get_mono_ns(journal, UINT64_MAX),
			  UINT64_MAX - 1000);
	claw_journal_free(journal);
	free(bytes);
}
END_TEST

/* ---- damage */

START_TEST(damage__cut_anywhere_keeps_what_is_left)
{
	size_t last_count = 0, size;
	unsigned char *bytes;

	run_child(write_everything);
	bytes = read_bytes(&size);
	for (size_t cut = 0; cut <= size; cut += 512) {
		struct claw_journal *journal = NULL;
		int ret = parse(bytes, cut, &journal);

		if (cut < sizeof(struct claw_journal_header)) {
			ck_assert_int_eq(ret, -CLAW_E_DAMAGED);
			continue;
		}
		ck_assert_int_eq(ret, 0);
		assert_records_are_true(journal);
		size_t count = claw_journal_get_call_count(journal);

		ck_assert_uint_ge(count, last_count);
		ck_assert_uint_ge(count + claw_journal_get_damaged(journal),
				  40);
		ck_assert(cut == size || claw_journal_get_damaged(journal) > 0);
		last_count = count;
		claw_journal_free(journal);
	}
	ck_assert_uint_eq(last_count, 40);
	free(bytes);
}
END_TEST

/* Flip one bit; the journal, whose bytes are as before afterwards. */
static struct claw_journal *parse_flipped(unsigned char *bytes, size_t size,
					  size_t bit)
{
	struct claw_journal *journal = NULL;

	bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
	ck_assert_int_eq(claw_journal_read_memory(bytes, size, &journal), 0);
	bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
	return journal;
}

START_TEST(damage__every_flipped_bit_of_a_record_is_seen)
{
	const struct claw_journal_header *header;
	unsigned char *bytes;
	size_t size, start;

	run_child(write_everything);
	bytes = read_bytes(&size);
	header = (const struct claw_journal_header *)(const void *)bytes;
	start = (header->calls.offset + 17 * header->calls.entry_bytes) * 8;
	for (size_t bit = start; bit < start + 64 * 8; bit++) {
		struct claw_journal *journal = parse_flipped(bytes, size, bit);

		ck_assert_uint_eq(claw_journal_get_call_count(journal), 39);
		ck_assert_uint_eq(claw_journal_get_damaged(journal), 1);
		claw_journal_free(journal);
	}
	start = header->sites.offset * 8;
	for (size_t bit = start; bit < start + 280 * 8; bit += 7) {
		struct claw_journal *journal = parse_flipped(bytes, size, bit);

		ck_assert_ptr_null(claw_journal_find_site(journal, 1));
		ck_assert_uint_eq(claw_journal_get_damaged(journal), 1);
		claw_journal_free(journal);
	}
	start = (header->strings.offset + header->exe_string) * 8;
	for (size_t bit = start; bit < start + (8 + 17) * 8; bit++) {
		struct claw_journal *journal = parse_flipped(bytes, size, bit);

		ck_assert_str_eq(claw_journal_get_string(journal,
						header->exe_string), "");
		ck_assert_uint_ge(claw_journal_get_damaged(journal), 1);
		claw_journal_free(journal);
	}
	free(bytes);
}
END_TEST

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

START_TEST(damage__random_flips_make_no_false_record)
{
	uint64_t state = UINT64_C(0x123456789abcdef);
	unsigned char *bytes;
	size_t size;

	run_child(write_everything);
	bytes = read_bytes(&size);
	for (int i = 0; i < 2000; i++) {
		/* Half of them in the header. */
		size_t reach = i % 2 ? size :
				       sizeof(struct claw_journal_header);
		size_t bit[8];
		struct claw_journal *journal = NULL;

		for (int k = 0; k < 8; k++) {
			bit[k] = next_random(&state) % (reach * 8);
			bytes[bit[k] / 8] ^= (unsigned char)(1u << bit[k] % 8);
		}
		if (claw_journal_read_memory(bytes, size, &journal) == 0) {
			assert_records_are_true(journal);
			claw_journal_free(journal);
		}
		for (int k = 0; k < 8; k++)
			bytes[bit[k] / 8] ^= (unsigned char)(1u << bit[k] % 8);
	}
	free(bytes);
}
END_TEST

/* ---- forged headers */

START_TEST(forged__areas_are_refused_and_counted)
{
	unsigned char *bytes, *work;
	struct claw_journal *journal;
	struct claw_journal_header *header;
	size_t size;

	run_child(write_everything);
	bytes = read_bytes(&size);
	work = malloc(size);
	ck_assert_ptr_nonnull(work);
	header = (struct claw_journal_header *)(void *)work;
	const struct { uint64_t offset; uint32_t entry_bytes, capacity;
		       uint64_t used; } forged[] = {
		{ UINT64_MAX, 64, 64, 40 },
		{ UINT64_MAX - 63, 64, 64, 40 },
		{ 0, 64, 64, 40 },
		{ 4096, 0, 64, 40 },
		{ 4096, 63, 64, 40 },
		{ 4096, UINT32_MAX, 64, 40 },
		{ 4096, 64, UINT32_MAX, 40 },
		{ size, 64, 64, 40 },
		{ size - 63, 64, 64, 40 },
	};

	for (size_t i = 0; i < sizeof(forged) / sizeof(forged[0]); i++) {
		memcpy(work, bytes, size);
		header->calls = (struct claw_journal_area){
			.offset = forged[i].offset,
			.entry_bytes = forged[i].entry_bytes,
			.capacity = forged[i].capacity,
			.used = forged[i].used,
		};
		ck_assert_int_eq(parse(work, size, &journal), 0);
		ck_assert_uint_eq(claw_journal_get_call_count(journal), 0);
		ck_assert_uint_ge(claw_journal_get_damaged(journal), 40);
		claw_journal_free(journal);

		/* The same in every table, just to come back from it. */
		memcpy(work, bytes, size);
		header->threads = header->rules = header->events =
			header->sites = header->modules = header->strings =
			(struct claw_journal_area){
				.offset = forged[i].offset,
				.entry_bytes = forged[i].entry_bytes,
				.capacity = forged[i].capacity,
				.used = UINT64_MAX,
			};
		ck_assert_int_eq(parse(work, size, &journal), 0);
		ck_assert_uint_eq(claw_journal_get_event_count(journal), 0);
		ck_assert_uint_gt(claw_journal_get_damaged(journal), 0);
		claw_journal_free(journal);
	}
	free(work);
	free(bytes);
}
END_TEST

START_TEST(forged__count_in_the_header_hides_no_record)
{
	struct claw_journal_header *header;
	struct claw_journal *journal;
	unsigned char *bytes;
	size_t size;

	run_child(write_everything);
	bytes = read_bytes(&size);
	header = (struct claw_journal_header *)(void *)bytes;
	header->calls.used = 3;
	header->events.used = 0;
	ck_assert_int_eq(parse(bytes, size, &journal), 0);
	ck_assert_uint_eq(claw_journal_get_call_count(journal), 40);
	ck_assert_uint_eq(claw_journal_get_event_count(journal), 1);
	ck_assert_uint_eq(claw_journal_get_damaged(journal), 2);
	claw_journal_free(journal);
	free(bytes);
}
END_TEST

START_TEST(forged__record_in_a_wrong_place_is_damage)
{
	struct claw_journal_header *header;
	struct claw_journal *journal;
	unsigned char *bytes;
	size_t size;

	run_child(write_everything);
	bytes = read_bytes(&size);
	header = (struct claw_journal_header *)(void *)bytes;
	memcpy(bytes + header->calls.offset + 9 * 64,
	       bytes + header->calls.offset + 8 * 64, 64);
	memcpy(bytes + header->modules.offset + header->modules.entry_bytes,
	       bytes + header->modules.offset, header->modules.entry_bytes);
	header->modules.used = 2;
	ck_assert_int_eq(parse(bytes, size, &journal), 0);
	ck_assert_uint_eq(claw_journal_get_call_count(journal), 39);
	ck_assert_uint_eq(claw_journal_get_damaged(journal), 2);
	ck_assert_ptr_nonnull(claw_journal_find_module(journal, 1));
	ck_assert_ptr_null(claw_journal_find_module(journal, 2));
	assert_records_are_true(journal);
	claw_journal_free(journal);
	free(bytes);
}
END_TEST

START_TEST(forged__string_ends_with_its_area)
{
	static const uint32_t lengths[] = {
		0, 2, 3, 4, 5, 100, CLAW_JOURNAL_TEXT_MAX_BYTES, 1 << 18,
		INT32_MAX, UINT32_MAX - 12, UINT32_MAX,
	};
	struct claw_journal_header *header;
	struct claw_journal_text *text;
	struct claw_journal *journal;
	unsigned char *bytes;
	uint32_t last;
	size_t size;

	run_child(write_everything);
	bytes = read_bytes(&size);
	header = (struct claw_journal_header *)(void *)bytes;
	last = header->strings.capacity - 12;
	text = (struct claw_journal_text *)(void *)
		(bytes + header->strings.offset + last);
	memcpy(text + 1, "abc", 4);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		text->length = lengths[i];
		text->check = claw_journal_text_check("abc", 3);
		ck_assert_int_eq(parse(bytes, size, &journal), 0);
		ck_assert_str_eq(claw_journal_get_string(journal, last),
				 lengths[i] == 3 ? "abc" : "");
		claw_journal_free(journal);
	}
	ck_assert_int_eq(parse(bytes, size, &journal), 0);
	ck_assert_str_eq(claw_journal_get_string(journal, 0), "");
	ck_assert_str_eq(claw_journal_get_string(journal, 6), "");
	ck_assert_str_eq(claw_journal_get_string(journal, last + 8), "");
	ck_assert_str_eq(claw_journal_get_string(journal, UINT32_MAX), "");
	ck_assert_str_eq(claw_journal_get_string(journal, UINT32_MAX - 3), "");
	claw_journal_free(journal);
	free(bytes);
}
END_TEST

START_TEST(version__other_headers_are_told_apart)
{
	struct claw_journal_header *header, saved;
	struct claw_journal *journal;
	unsigned char *bytes;
	size_t size;

	run_child(write_everything);
	bytes = read_bytes(&size);
	header = (struct claw_journal_header *)(void *)bytes;
	saved = *header;
	header->version = CLAW_JOURNAL_VERSION + 1;
	ck_assert_int_eq(parse(bytes, size, &journal), -CLAW_E_VERSION);
	header->version = 1;
	header->nonce = 7;
	ck_assert_int_eq(parse(bytes, size, &journal), 0);
	ck_assert_uint_eq(claw_journal_get_header(journal)->nonce, 0);
	claw_journal_free(journal);
	*header = saved;
	header->endian = __builtin_bswap32(header->endian);
	ck_assert_int_eq(parse(bytes, size, &journal), -CLAW_E_VERSION);
	*header = saved;
	header->endian = 7;
	ck_assert_int_eq(parse(bytes, size, &journal), -CLAW_E_DAMAGED);
	*header = saved;
	header->magic[0] = 'c';
	ck_assert_int_eq(parse(bytes, size, &journal), -CLAW_E_DAMAGED);
	*header = saved;
	header->header_bytes = sizeof(*header) - 1;
	ck_assert_int_eq(parse(bytes, size, &journal), -CLAW_E_DAMAGED);
	*header = saved;
	header->header_bytes = sizeof(*header) + 64;
	ck_assert_int_eq(parse(bytes, size, &journal), 0);
	ck_assert_uint_eq(claw_journal_get_damaged(journal), 0);
	claw_journal_free(journal);
	free(bytes);
}
END_TEST

/* A later version's records are longer: what is ours of them is read. */
START_TEST(version__longer_entries_are_read)
{
	enum { LONGER = 96 };
	struct claw_journal_header *header;
	struct claw_journal *journal;
	unsigned char *bytes, *longer;
	size_t size;

	run_child(write_everything);
	bytes = read_bytes(&size);
	header = (struct claw_journal_header *)(void *)bytes;
	longer = calloc(1, size + (size_t)LONGER * header->calls.capacity);
	ck_assert_ptr_nonnull(longer);
	for (size_t i = 0; i < header->calls.capacity; i++)
		memcpy(longer + size + i * LONGER,
		       bytes + header->calls.offset + i * 64, 64);
	header->calls.offset = size;
	header->calls.entry_bytes = LONGER;
	memcpy(longer, bytes, size);
	ck_assert_int_eq(parse(longer, size + (size_t)LONGER *
			       header->calls.capacity, &journal), 0);
	ck_assert_uint_eq(claw_journal_get_call_count(journal), 40);
	ck_assert_uint_eq(claw_journal_get_damaged(journal), 0);
	assert_records_are_true(journal);
	claw_journal_free(journal);
	free(longer);
	free(bytes);
}
END_TEST

START_TEST(file__what_is_no_journal_is_refused)
{
	struct claw_journal *journal = NULL;
	char path[512];
	int fd;

	ck_assert_int_eq(claw_journal_read(directory, &journal), -CLAW_E_IO);
	ck_assert_int_eq(claw_journal_read("/proc/nonexistent", &journal),
			 -CLAW_E_IO);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(claw_journal_read("/dev/zero", &journal), -CLAW_E_IO);
	snprintf(path, sizeof(path), "%s/fifo", directory);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(claw_journal_read(path, &journal), -CLAW_E_IO);
	snprintf(path, sizeof(path), "%s/empty", directory);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(claw_journal_read(path, &journal), -CLAW_E_DAMAGED);
	ck_assert_int_eq(claw_journal_read_memory(NULL, 0, &journal),
			 -CLAW_E_DAMAGED);
	ck_assert_ptr_null(journal);
	claw_journal_free(NULL);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("journal");
	TCase *tests = tcase_create("journal");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, TIMEOUT_S);
	tcase_add_test(tests, content__everything_written_is_read);
	tcase_add_test(tests, tables__are_filled_to_the_brim_and_no_further);
	tcase_add_test(tests, events__beyond_the_area_are_counted_as_dropped);
	tcase_add_test(tests, ring__keeps_the_last_rounded_up);
	tcase_add_test(tests, ring__sleeping_writer_is_not_written_over);
	tcase_add_test(tests, ring__read_while_it_is_written_is_never_mixed);
	tcase_add_test(tests, full__grows_and_keeps_every_call);
	tcase_add_test(tests, full__stops_at_its_capacity);
	tcase_add_test(tests, call__that_returned_blocks_no_more);
	tcase_add_test(tests, threads__eighty_lose_no_count);
	tcase_add_test(tests, threads__blocks_are_handed_on);
	tcase_add_test(tests, kill__loses_at_most_the_record_being_written);
	tcase_add_test(tests, space__none_leaves_counters_in_memory);
	tcase_add_test(tests, space__none_for_calls_is_told);
	tcase_add_test(tests, space__ended_stops_recording_and_counts);
	tcase_add_test(tests, space__full_disk_harms_nobody);
	tcase_add_test(tests, space__missing_directory_is_like_none);
	tcase_add_test(tests, open__nothing_before_it_does_harm);
	tcase_add_test(tests, open__takes_a_free_name_and_keeps_no_descriptor);
	tcase_add_test(tests, fork__child_has_a_journal_of_its_own);
	tcase_add_test(tests, fork__beside_busy_threads_hangs_never);
	tcase_add_test(tests, signals__handler_that_calls_meets_no_lock);
	tcase_add_test(tests, clock__of_a_long_run_comes_from_its_pairs);
	tcase_add_test(tests, clock__of_a_short_run_comes_from_this_machine);
	tcase_add_test(tests, clock__unknown_is_no_time_at_all);
	tcase_add_test(tests, damage__cut_anywhere_keeps_what_is_left);
	tcase_add_test(tests, damage__every_flipped_bit_of_a_record_is_seen);
	tcase_add_test(tests, damage__random_flips_make_no_false_record);
	tcase_add_test(tests, forged__areas_are_refused_and_counted);
	tcase_add_test(tests, forged__count_in_the_header_hides_no_record);
	tcase_add_test(tests, forged__record_in_a_wrong_place_is_damage);
	tcase_add_test(tests, forged__string_ends_with_its_area);
	tcase_add_test(tests, version__other_headers_are_told_apart);
	tcase_add_test(tests, version__longer_entries_are_read);
	tcase_add_test(tests, file__what_is_no_journal_is_refused);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(make_suite());
}
