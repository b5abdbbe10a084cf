/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ledger's writer, called as the wrappers call it: by many threads at
 * once, in forked children, without disk space, killed, with addresses that a
 * driver gives again; what it wrote is read back with the host's reader.
 */
#include "config.h"

#include <check.h>
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/journal/journal.h"
#include "faults/ledger/ledger.h"
#include "faults/ledger/ledger_private.h"
#include "harness/readers/ledger_reader.h"
#include "suites/self/lib/run_suite.h"

enum { TIMEOUT_S = 600, THREADS = 8 };
/* A sanitizer takes ten times as long, Valgrind fifty. */
#ifdef CLAW_SANITIZERS
enum { PAIRS = 100000, MANY = 100000 };
#else
enum { PAIRS = 250000, MANY = 250000 };
#endif

static char directory[] = "/tmp/check-ledger.XXXXXX";
static char path[64];
static struct claw_ledger ledger;
static struct stat st;

/* ---- a program */

static const char *api_name(unsigned int api)
{
	(void)api;
	return "clFunction";
}

static void setup(void)
{
	struct claw_journal_config config = {
		.session = directory, .api_count = 4, .api_name = api_name,
	};

	memcpy(directory + sizeof(directory) - 7, "XXXXXX", 6);
	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(claw_journal_open(&config), 0);
	claw_ledger_begin(CLAW_LEDGER_COUNTS);
	snprintf(path, sizeof(path), "%s/ledger.%ld.0", directory,
		 (long)getpid());
}

static void teardown(void)
{
	struct dirent **list;
	int count = scandir(directory, &list, NULL, NULL);

	for (int i = 0; i < count; i++) {
		char file[512];

		snprintf(file, sizeof(file), "%s/%s", directory,
			 list[i]->d_name);
		unlink(file);
		free(list[i]);
	}
	free(list);
	rmdir(directory);
	claw_ledger_release(&ledger);
}

/* Handles are numbers, as a driver's addresses would be. */
static const void *handle(uint64_t n)
{
	return (const void *)(uintptr_t)(0x10000 + n * 64);
}

static void make(enum claw_obj object, uint64_t n, uint64_t parent)
{
	claw_ledger_created(&(struct claw_ledger_new){
		.handle = handle(n),
		.parent = parent ? handle(parent) : NULL,
		.api = (enum claw_api)1,
		.object = object,
		.bytes = n,
	});
}

static void make_launch(uint64_t n, uint64_t queue, uint64_t kernel)
{
	claw_ledger_created(&(struct claw_ledger_new){
		.handle = handle(n),
		.parent = handle(queue),
		.object = CLAW_OBJ_EVENT,
		.kernel = handle(kernel),
	});
}

static bool drop(enum claw_obj object, uint64_t n)
{
	struct claw_ledger_entry ended;

	return claw_ledger_releasing(object, handle(n), &ended) ==
	       CLAW_LEDGER_KNOWN;
}

/* A release to which the driver says no. */
static void fail_to_drop(enum claw_obj object, uint64_t n)
{
	struct claw_ledger_entry ended;

	ck_assert_int_eq(claw_ledger_releasing(object, handle(n), &ended),
			 CLAW_LEDGER_KNOWN);
	claw_ledger_kept(object, handle(n), &ended);
}

static void set_arg(uint64_t kernel, uint32_t index, uint64_t buffer)
{
	const void *value = buffer ? handle(buffer) : NULL;

	claw_ledger_set_arg(handle(kernel), index, sizeof(value), &value);
}

/* ---- what was written */

static void look_at(const char *file)
{
	claw_ledger_release(&ledger);
	ck_assert_int_eq(claw_ledger_read(file, &ledger), 0);
	ck_assert_uint_eq(ledger.damaged, 0);
	ck_assert_int_eq(stat(file, &st), 0);
}

static void look(void)
{
	const struct claw_ledger_header *header = claw_own_ledger.header;

	look_at(path);
	ck_assert_uint_eq(ledger.created, header->created);
	ck_assert_uint_eq(header->created - header->gone, ledger.count);
}

static const struct claw_ledger_entry *entry_of(uint64_t n)
{
	const struct claw_ledger_entry *found = NULL;

	look();
	for (size_t i = 0; i < ledger.count; i++)
		if (ledger.entries[i].handle == (uintptr_t)handle(n)) {
			ck_assert_ptr_null(found);
			found = &ledger.entries[i];
		}
	return found;
}

#define ck_assert_refs(n_, references_, holders_)			\
	do {								\
		const struct claw_ledger_entry *entry_ = entry_of(n_);	\
									\
		ck_assert_ptr_nonnull(entry_);				\
		ck_assert_uint_eq(entry_->references, references_);	\
		ck_assert_uint_eq(entry_->holders, holders_);		\
	} while (0)

/* ---- references */

START_TEST(references__are_counted_until_none_is_left)
{
	make(CLAW_OBJ_MEM, 1, 0);
	claw_ledger_retained(CLAW_OBJ_MEM, handle(1));
	ck_assert_refs(1, 2, 0);
	ck_assert(drop(CLAW_OBJ_MEM, 1));
	ck_assert_refs(1, 1, 0);
	ck_assert(drop(CLAW_OBJ_MEM, 1));
	look();
	ck_assert_uint_eq(ledger.count, 0);
	ck_assert_uint_eq(ledger.unknown, 0);
}
END_TEST

START_TEST(references__that_nobody_has_are_unknown)
{
	struct claw_ledger_entry ended;

	make(CLAW_OBJ_MEM, 1, 0);
	make(CLAW_OBJ_MEM, 2, 1);
	ck_assert(drop(CLAW_OBJ_MEM, 1));
	ck_assert(!drop(CLAW_OBJ_MEM, 1));	/* only its child has it */
	ck_assert_refs(1, 0, 1);
	ck_assert(!drop(CLAW_OBJ_EVENT, 2));	/* of another kind */
	ck_assert(!drop(CLAW_OBJ_MEM, 3));
	claw_ledger_retained(CLAW_OBJ_MEM, handle(4));
	look();
	ck_assert_uint_eq(ledger.unknown, 4);
	ck_assert_uint_eq(ledger.count, 2);

	/* Neither NULL nor a root device is an object. */
	ck_assert_int_eq(claw_ledger_releasing(CLAW_OBJ_MEM, NULL, &ended),
			 CLAW_LEDGER_UNKNOWN);
	claw_ledger_retained(CLAW_OBJ_DEVICE, handle(5));
	ck_assert(!drop(CLAW_OBJ_DEVICE, 5));
	look();
	ck_assert_uint_eq(ledger.unknown, 4);
}
END_TEST

START_TEST(references__release_that_fails_is_taken_back)
{
	uint64_t serial;

	make(CLAW_OBJ_CONTEXT, 1, 0);
	make(CLAW_OBJ_MEM, 2, 1);
	serial = entry_of(2)->serial;
	fail_to_drop(CLAW_OBJ_MEM, 2);
	ck_assert_refs(2, 1, 0);
	ck_assert_uint_eq(entry_of(2)->serial, serial);
	ck_assert_uint_eq(entry_of(2)->bytes, 2);
	ck_assert_refs(1, 1, 1);
	claw_ledger_retained(CLAW_OBJ_MEM, handle(2));
	fail_to_drop(CLAW_OBJ_MEM, 2);
	ck_assert_refs(2, 2, 0);
	ck_assert(drop(CLAW_OBJ_CONTEXT, 1));
	ck_assert(drop(CLAW_OBJ_MEM, 2));
	fail_to_drop(CLAW_OBJ_MEM, 2);
	ck_assert_refs(2, 1, 0);
	ck_assert(drop(CLAW_OBJ_MEM, 2));
	look();
	ck_assert_uint_eq(ledger.count, 0);
	ck_assert_uint_eq(ledger.unknown, 0);
}
END_TEST

START_TEST(references__freed_by_a_queue_end_when_it_took_the_call)
{
	make(CLAW_OBJ_SVM, 1, 0);
	make(CLAW_OBJ_MAPPING, 1, 0);	/* of the same address */
	ck_assert(claw_ledger_freeing(CLAW_OBJ_SVM, handle(1)));
	claw_ledger_freed(CLAW_OBJ_SVM, handle(1), false);
	look();
	ck_assert_uint_eq(ledger.count, 2);
	ck_assert_uint_eq(ledger.entries[0].references, 1);
	ck_assert(claw_ledger_freeing(CLAW_OBJ_SVM, handle(1)));
	claw_ledger_freed(CLAW_OBJ_SVM, handle(1), true);
	ck_assert_refs(1, 1, 0);
	ck_assert_uint_eq(entry_of(1)->object, CLAW_OBJ_MAPPING);
}
END_TEST

/* ---- addresses that are given again */

START_TEST(again__address_of_what_is_held_names_the_new_object)
{
	make(CLAW_OBJ_CONTEXT, 1, 0);
	make(CLAW_OBJ_QUEUE, 2, 1);
	make(CLAW_OBJ_KERNEL, 3, 1);
	make(CLAW_OBJ_MEM, 4, 1);
	set_arg(3, 0, 4);
	make_launch(5, 2, 3);
	set_arg(3, 0, 0);
	ck_assert(drop(CLAW_OBJ_MEM, 4));
	ck_assert_refs(4, 0, 1);
	make(CLAW_OBJ_MEM, 4, 1);
	make(CLAW_OBJ_MEM, 6, 4);		/* a part of the new one */
	ck_assert_refs(4, 1, 1);
	ck_assert(drop(CLAW_OBJ_EVENT, 5));	/* which held the old one */
	ck_assert_refs(4, 1, 1);
	ck_assert(drop(CLAW_OBJ_MEM, 4));
	ck_assert(drop(CLAW_OBJ_MEM, 6));
	look();
	ck_assert_uint_eq(ledger.count, 3);
}
END_TEST

START_TEST(again__address_of_a_dead_parent_is_no_parent)
{
	make(CLAW_OBJ_CONTEXT, 1, 0);
	make(CLAW_OBJ_MEM, 2, 1);
	ck_assert(drop(CLAW_OBJ_CONTEXT, 1));
	make(CLAW_OBJ_CONTEXT, 1, 0);		/* the driver let it go */
	make(CLAW_OBJ_MEM, 3, 1);
	ck_assert_refs(1, 1, 1);
	ck_assert(drop(CLAW_OBJ_MEM, 2));	/* the old one's child */
	ck_assert_refs(1, 1, 1);
	ck_assert(drop(CLAW_OBJ_MEM, 3));
	ck_assert_refs(1, 1, 0);
}
END_TEST

START_TEST(again__address_given_twice_ends_the_first)
{
	make(CLAW_OBJ_CONTEXT, 1, 0);
	make(CLAW_OBJ_MEM, 2, 1);
	claw_ledger_retained(CLAW_OBJ_MEM, handle(2));
	make(CLAW_OBJ_EVENT, 2, 1);
	ck_assert_refs(2, 1, 0);
	ck_assert_refs(1, 1, 1);
	ck_assert_uint_eq(entry_of(2)->object, CLAW_OBJ_EVENT);
	ck_assert_uint_eq(claw_own_ledger.header->gone, 1);
}
END_TEST

START_TEST(again__pointer_may_be_mapped_twice)
{
	make(CLAW_OBJ_MEM, 1, 0);
	make(CLAW_OBJ_MAPPING, 2, 1);
	make(CLAW_OBJ_MAPPING, 2, 1);
	ck_assert_refs(2, 2, 0);
	ck_assert_refs(1, 1, 1);
	ck_assert(drop(CLAW_OBJ_MAPPING, 2) && drop(CLAW_OBJ_MAPPING, 2));
	ck_assert(!drop(CLAW_OBJ_MAPPING, 2));
	ck_assert_refs(1, 1, 0);
}
END_TEST

/* ---- what holds what */

START_TEST(holds__keep_a_chain_until_its_last_link)
{
	make(CLAW_OBJ_CONTEXT, 1, 0);
	make(CLAW_OBJ_QUEUE, 2, 1);
	make(CLAW_OBJ_MEM, 3, 1);
	make(CLAW_OBJ_MEM, 4, 3);
	make(CLAW_OBJ_KERNEL, 5, 1);
	set_arg(5, 7, 4);
	make_launch(6, 2, 5);
	for (uint64_t n = 1; n <= 5; n++)
		ck_assert(drop(n == 1 ? CLAW_OBJ_CONTEXT : n == 2 ?
			       CLAW_OBJ_QUEUE : n == 5 ? CLAW_OBJ_KERNEL :
			       CLAW_OBJ_MEM, n));
	look();
	ck_assert_uint_eq(ledger.count, 5);	/* all but the kernel */
	ck_assert_refs(4, 0, 1);
	ck_assert_uint_eq(entry_of(6)->hold != 0, 1);
	ck_assert(drop(CLAW_OBJ_EVENT, 6));
	look();
	ck_assert_uint_eq(ledger.count, 0);
}
END_TEST

START_TEST(holds__are_the_arguments_at_the_launch)
{
	make(CLAW_OBJ_QUEUE, 1, 0);
	make(CLAW_OBJ_KERNEL, 2, 0);
	for (uint64_t n = 3; n < 6; n++)
		make(CLAW_OBJ_MEM, n, 0);
	set_arg(2, 0, 3);
	set_arg(2, 1, 3);
	set_arg(2, 2, 4);
	make_launch(10, 1, 2);
	set_arg(2, 0, 5);
	set_arg(2, 0, 5);
	set_arg(2, 2, 0);
	claw_ledger_set_arg(handle(2), 1, 4, &st);	/* four bytes */
	make_launch(11, 1, 2);
	ck_assert_refs(3, 1, 2);
	ck_assert_refs(4, 1, 1);
	ck_assert_refs(5, 1, 1);	/* the kernel's and the launch's */
	ck_assert(drop(CLAW_OBJ_EVENT, 10));
	ck_assert_refs(3, 1, 0);
	ck_assert_refs(4, 1, 0);
	ck_assert(drop(CLAW_OBJ_KERNEL, 2));
	ck_assert_refs(5, 1, 1);
}
END_TEST

START_TEST(holds__more_than_are_kept_are_said)
{
	make(CLAW_OBJ_QUEUE, 1, 0);
	make(CLAW_OBJ_KERNEL, 2, 0);
	for (uint32_t i = 0; i < 100; i++) {
		make(CLAW_OBJ_MEM, 10 + i, 0);
		set_arg(2, i, 10 + i);
	}
	make_launch(5, 1, 2);
	ck_assert(entry_of(5)->flags & CLAW_LEDGER_LOST_HOLDS);
	ck_assert(!(entry_of(2)->flags & CLAW_LEDGER_LOST_HOLDS));
	ck_assert(drop(CLAW_OBJ_EVENT, 5) && drop(CLAW_OBJ_KERNEL, 2));
	for (uint32_t i = 0; i < 100; i++)
		ck_assert(drop(CLAW_OBJ_MEM, 10 + i));
	look();
	ck_assert_uint_eq(ledger.count, 1);
}
END_TEST

/* Launches with one buffer after the other, all of whose events are there. */
START_TEST(holds__stay_as_they_were_at_each_launch)
{
	struct claw_ledger_hold holds[4];
	bool all;

	make(CLAW_OBJ_QUEUE, 1, 0);
	make(CLAW_OBJ_KERNEL, 2, 0);
	for (uint64_t n = 10; n < 20; n++)
		make(CLAW_OBJ_MEM, n, 0);
	set_arg(2, 7, 19);
	for (uint64_t n = 10; n < 19; n++) {
		set_arg(2, 0, n);
		make_launch(20 + n, 1, 2);
		claw_ledger_set_arg(handle(2), 1, 4, &st);	/* a number */
		make_launch(40 + n, 1, 2);
		ck_assert_refs(n, 1, 1);
	}
	for (uint64_t n = 10; n < 19; n++) {
		ck_assert_uint_eq(claw_ledger_holds(CLAW_OBJ_EVENT,
			handle(20 + n), holds, 4, &all), 2);
		ck_assert(all);
		ck_assert_ptr_eq((void *)(uintptr_t)(holds[0].argument ?
			holds[1].handle : holds[0].handle), handle(n));
		ck_assert(drop(CLAW_OBJ_MEM, n));
	}
	ck_assert_refs(19, 1, 9);
	for (uint64_t n = 10; n < 19; n++) {
		ck_assert(drop(CLAW_OBJ_EVENT, 20 + n));
		ck_assert_refs(n, 0, 1);
		ck_assert(drop(CLAW_OBJ_EVENT, 40 + n));
	}
	ck_assert_refs(18, 0, 1);
	ck_assert(drop(CLAW_OBJ_KERNEL, 2));
	look();
	ck_assert_uint_eq(ledger.count, 2);
}
END_TEST

/* An argument that is gone when the next one is set is the kernel's still. */
START_TEST(holds__of_what_is_gone_are_kept_for_the_kernel)
{
	struct claw_ledger_hold holds[4];
	bool all;

	make(CLAW_OBJ_QUEUE, 1, 0);
	make(CLAW_OBJ_KERNEL, 2, 0);
	make(CLAW_OBJ_MEM, 3, 0);
	make(CLAW_OBJ_MEM, 4, 0);
	set_arg(2, 0, 3);
	make_launch(10, 1, 2);
	ck_assert(drop(CLAW_OBJ_MEM, 3));
	make(CLAW_OBJ_MEM, 3, 0);	/* the driver gives it again */
	set_arg(2, 1, 4);
	ck_assert_uint_eq(claw_ledger_holds(CLAW_OBJ_KERNEL, handle(2), holds,
					    4, &all), 2);
	ck_assert(all);
	make_launch(11, 1, 2);
	ck_assert(entry_of(11)->flags & CLAW_LEDGER_LOST_HOLDS);
	ck_assert_refs(3, 1, 0);
	ck_assert_refs(4, 1, 2);
}
END_TEST

/* Events of launches by the thousand: their holds are given back. */
START_TEST(holds__leave_nothing_behind)
{
	blkcnt_t before, most = 0;

	make(CLAW_OBJ_QUEUE, 1, 0);
	make(CLAW_OBJ_KERNEL, 2, 0);
	make(CLAW_OBJ_MEM, 3, 0);
	set_arg(2, 0, 3);
	set_arg(2, 1, 3);
	look();
	before = st.st_blocks;
	for (int round = 0; round < 3; round++) {
		for (uint64_t n = 0; n < 20000; n++)
			make_launch(100 + n, 1, 2);
		ck_assert_refs(3, 1, 2);
		if (!round)
			most = st.st_blocks;
		ck_assert_int_le(st.st_blocks, most + most / 8);
		for (uint64_t n = 0; n < 20000; n++)
			ck_assert(drop(CLAW_OBJ_EVENT, 100 + n));
	}
	ck_assert_refs(3, 1, 2);
	ck_assert(drop(CLAW_OBJ_KERNEL, 2));
	look();
	ck_assert_int_le(st.st_blocks, before + 16);
}
END_TEST

/* ---- space */

START_TEST(space__grows_with_what_is_alive_and_shrinks)
{
	blkcnt_t before;
	off_t size;

	look();
	before = st.st_blocks;
	for (int round = 0; round < 2; round++) {
		for (uint64_t n = 0; n < MANY; n++)
			make(CLAW_OBJ_EVENT, n, 0);
		look();
		ck_assert_uint_eq(ledger.count, MANY);
		ck_assert_msg(st.st_blocks * 512 / MANY <= 128,
			      "%lld bytes an object",
			      (long long)st.st_blocks * 512 / MANY);
		for (uint64_t n = 0; n < MANY; n++)
			ck_assert(drop(CLAW_OBJ_EVENT, n));
		look();
		ck_assert_uint_eq(ledger.count, 0);
		ck_assert_int_le(st.st_blocks, before * 2);
		if (round)
			ck_assert_int_le(st.st_size, size + size / 4);
		size = st.st_size;
	}
}
END_TEST

/* At each number of objects, not only at a lucky one. */
START_TEST(space__is_never_more_than_128_bytes_an_object)
{
	uint64_t n = 0;

	for (uint64_t count = 20000; count < 60000; count += 1000) {
		while (n < count)
			make(CLAW_OBJ_EVENT, n++, 0);
		ck_assert_int_eq(stat(path, &st), 0);
		ck_assert_msg((uint64_t)st.st_blocks * 512 <= 128 * count,
			      "%lld bytes, %llu objects",
			      (long long)st.st_blocks * 512,
			      (unsigned long long)count);
	}
}
END_TEST

/* Any order of addresses, and always some that stay. */
START_TEST(space__cycles_take_none)
{
	blkcnt_t blocks = 0;

	for (uint64_t n = 0; n < 1000; n++)
		make(CLAW_OBJ_MEM, n * 1013, 0);
	for (uint64_t n = 1000; n < 1000 + PAIRS; n++) {
		make(CLAW_OBJ_MEM, n * 1013, 0);
		ck_assert(drop(CLAW_OBJ_MEM, (n - 1000) * 1013));
		if (n == 20000) {
			look();
			blocks = st.st_blocks;
		}
	}
	look();
	ck_assert_uint_eq(ledger.count, 1000);
	ck_assert_int_le(st.st_blocks, blocks + blocks / 8);
}
END_TEST

static void fill_and_empty(void)
{
	const struct claw_ledger_header *header = claw_own_ledger.header;

	for (uint64_t n = 0; n < 50000; n++)
		make(CLAW_OBJ_EVENT, n, 0);
	look();
	ck_assert_uint_gt(ledger.dropped, 0);
	ck_assert_uint_gt(ledger.count, 3000);
	ck_assert_uint_eq(ledger.count + ledger.dropped, 50000);
	for (uint64_t n = 0; n < 50000; n++)
		drop(CLAW_OBJ_EVENT, n);
	look();
	ck_assert_uint_eq(ledger.count, 0);
	ck_assert_uint_eq(ledger.unknown, ledger.dropped);
	make(CLAW_OBJ_EVENT, 1, 0);
	ck_assert_refs(1, 1, 0);
	ck_assert_uint_eq(header->gone + 1, header->created);
}

START_TEST(space__limit_drops_and_counts)
{
	struct rlimit limit = { 1536 * 1024, RLIM_INFINITY };

	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	fill_and_empty();
}
END_TEST

START_TEST(space__full_disk_drops_and_counts)
{
	if ((unshare(CLONE_NEWNS) != 0 &&
	     unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("tmpfs", directory, "tmpfs", 0, "size=1536k") != 0) {
		fprintf(stderr, "space__full_disk_drops_and_counts: skipped, "
			"no right to mount\n");
		return;
	}
	claw_ledger_begin(CLAW_LEDGER_COUNTS);
	ck_assert(claw_ledger_is_on());
	fill_and_empty();
	/* What is mapped keeps it busy. */
	umount2(directory, MNT_DETACH);
}
END_TEST

START_TEST(space__none_at_all_is_off)
{
	struct rlimit limit = { 4096, RLIM_INFINITY };

	unlink(path);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	claw_ledger_begin(CLAW_LEDGER_COUNTS);
	ck_assert(!claw_ledger_is_on());
	ck_assert_int_eq(access(path, F_OK), -1);
}
END_TEST

START_TEST(space__off_is_no_file)
{
	unlink(path);
	claw_ledger_begin(CLAW_LEDGER_OFF);
	ck_assert(!claw_ledger_is_on());
	ck_assert_int_eq(access(path, F_OK), -1);
}
END_TEST

/* ---- threads */

static void *make_and_drop(void *number)
{
	uint64_t base = 1000 + *(uint64_t *)number * 1024;

	for (uint64_t i = 0; i < PAIRS; i++) {
		uint64_t n = base + i % 1000;

		make(CLAW_OBJ_MEM, n, 1);
		claw_ledger_retained(CLAW_OBJ_MEM, handle(n));
		claw_ledger_retained(CLAW_OBJ_MEM, handle(2));
		drop(CLAW_OBJ_MEM, n);
		drop(CLAW_OBJ_MEM, n);
		if (i % 2)
			drop(CLAW_OBJ_MEM, 2);
	}
	make(CLAW_OBJ_MEM, base, 1);
	return NULL;
}

START_TEST(threads__eight_lose_no_count)
{
	pthread_t threads[THREADS];
	uint64_t numbers[THREADS];

	make(CLAW_OBJ_CONTEXT, 1, 0);
	make(CLAW_OBJ_MEM, 2, 1);
	for (uint64_t i = 0; i < THREADS; i++) {
		numbers[i] = i;
		ck_assert_int_eq(pthread_create(&threads[i], NULL,
						make_and_drop, &numbers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	ck_assert_refs(1, 1, THREADS + 1);
	ck_assert_refs(2, 1 + THREADS * (PAIRS / 2), 0);
	ck_assert_uint_eq(ledger.count, THREADS + 2);
	ck_assert_uint_eq(ledger.created,
			  2 + (uint64_t)THREADS * (PAIRS + 1));
	ck_assert_uint_eq(ledger.unknown + ledger.dropped, 0);
}
END_TEST

static uint32_t stop;

static void *retain_for_ever(void *unused)
{
	(void)unused;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		claw_ledger_retained(CLAW_OBJ_MEM, handle(1));
	return NULL;
}

static void *retain_some(void *unused)
{
	(void)unused;
	for (int i = 0; i < 1000; i++) {
		claw_ledger_retained(CLAW_OBJ_MEM, handle(2));
		claw_ledger_retained(CLAW_OBJ_MEM, handle(1));
	}
	return NULL;
}

/* The thread that was alone is in the middle of it when the second comes. */
START_TEST(threads__second_one_meets_the_first_in_full_swing)
{
	pthread_t first, second;
	uint64_t counted;

	make(CLAW_OBJ_MEM, 2, 0);
	for (int round = 0; round < 50; round++) {
		/* Everybody is new again. */
		claw_turn_reset();
		stop = 0;
		make(CLAW_OBJ_MEM, 1, 0);
		claw_turn_reset();
		ck_assert_int_eq(pthread_create(&first, NULL, retain_for_ever,
						NULL), 0);
		while (!__atomic_load_n(&claw_own_ledger.alone_taken,
					__ATOMIC_RELAXED))
			sched_yield();
		ck_assert_int_eq(pthread_create(&second, NULL, retain_some,
						NULL), 0);
		pthread_join(second, NULL);
		__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
		pthread_join(first, NULL);
		counted = entry_of(2)->references;
		ck_assert_uint_eq(counted, 1 + 1000 * (unsigned int)(round + 1));
	}
	ck_assert_uint_eq(ledger.unknown, 0);
}
END_TEST

static uint32_t let_go, was_let_go;

static void *take_a_turn(void *unused)
{
	enum claw_turn turn = claw_turn_begin();

	was_let_go = __atomic_load_n(&let_go, __ATOMIC_RELAXED);
	if (turn == CLAW_TURN_SHARED)
		claw_turn_end(turn);
	return unused;
}

START_TEST(threads__second_one_waits_until_the_first_is_outside)
{
	enum claw_turn turn;
	pthread_t second;

	ck_assert(!claw_own_ledger.shared);
	turn = claw_turn_begin();
	ck_assert_int_eq(turn, CLAW_TURN_ALONE);
	ck_assert_int_eq(pthread_create(&second, NULL, take_a_turn, NULL), 0);
	while (!__atomic_load_n(&claw_own_ledger.shared, __ATOMIC_RELAXED))
		sched_yield();
	for (int i = 0; i < 10000; i++)
		sched_yield();
	__atomic_store_n(&let_go, 1, __ATOMIC_RELAXED);
	claw_turn_end(turn);
	pthread_join(second, NULL);
	ck_assert_uint_eq(was_let_go, 1);
	turn = claw_turn_begin();
	ck_assert_int_eq(turn, CLAW_TURN_SHARED);
	claw_turn_end(turn);
}
END_TEST

/* A handler that interrupts a turn of its own thread may not wait for it. */
START_TEST(threads__turn_within_a_turn_is_counted_not_waited_for)
{
	make(CLAW_OBJ_MEM, 1, 0);
	claw_own_ledger.alone_inside = 1;
	make(CLAW_OBJ_MEM, 2, 0);
	drop(CLAW_OBJ_MEM, 1);
	claw_own_ledger.alone_inside = 0;
	ck_assert_refs(1, 1, 0);
	ck_assert_uint_eq(ledger.dropped, 1);
	ck_assert_uint_eq(ledger.unknown, 1);
}
END_TEST

/* ---- processes */

START_TEST(fork__child_has_a_ledger_of_its_own)
{
	uint32_t shared = claw_own_ledger.shared;
	char file[sizeof(path)];
	int status;
	pid_t pid;

	make(CLAW_OBJ_CONTEXT, 1, 0);
	make(CLAW_OBJ_MEM, 2, 1);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		if (claw_journal_after_fork())
			_exit(1);
		claw_ledger_begin(CLAW_LEDGER_COUNTS);
		make(CLAW_OBJ_MEM, 3, 1);
		drop(CLAW_OBJ_MEM, 2);
		/* Its one thread is alone, as its parent's was. */
		_exit(claw_own_ledger.shared != shared ||
		      claw_ledger_self.role != (shared ?
			claw_own_ledger.shared_role :
			claw_own_ledger.alone_role));
	}
	ck_assert(waitpid(pid, &status, 0) == pid && !status);
	ck_assert_refs(1, 1, 1);
	ck_assert_refs(2, 1, 0);
	ck_assert_uint_eq(ledger.count, 2);
	ck_assert(!ledger.forked);
	snprintf(file, sizeof(file), "%s/ledger.%ld.0", directory, (long)pid);
	look_at(file);
	ck_assert(ledger.forked);
	ck_assert_uint_eq(ledger.count, 1);
	ck_assert_uint_eq(ledger.created, 1);
	ck_assert_uint_eq(ledger.unknown, 1);
}
END_TEST

static void *busy(void *number)
{
	for (;;)
		make_and_drop(number);
	return NULL;
}

static void start_busy_threads(void)
{
	static uint64_t numbers[3] = { 0, 1, 2 };

	make(CLAW_OBJ_CONTEXT, 1, 0);
	make(CLAW_OBJ_MEM, 2, 1);
	for (int i = 0; i < 3; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, busy, &numbers[i]))
			_exit(1);
	}
}

/* Locks of the parent's threads are none of the child's. */
START_TEST(fork__beside_busy_threads_hangs_never)
{
	start_busy_threads();
	for (int i = 0; i < 20; i++) {
		int status;
		pid_t pid = fork();

		ck_assert_int_ge(pid, 0);
		if (!pid) {
			if (claw_journal_after_fork())
				_exit(1);
			claw_ledger_begin(CLAW_LEDGER_COUNTS);
			/* As if it had threads: it locks. */
			claw_own_ledger.alone_taken = 1;
			claw_own_ledger.shared = 1;
			for (uint64_t n = 0; n < 1000; n++)
				make(CLAW_OBJ_MEM, n, 0);
			for (uint64_t n = 0; n < 1000; n++)
				drop(CLAW_OBJ_MEM, n);
			_exit(claw_own_ledger.header->gone != 1000);
		}
		ck_assert(waitpid(pid, &status, 0) == pid && !status);
	}
}
END_TEST

START_TEST(kill__leaves_what_was_there)
{
	for (int round = 0; round < 10; round++) {
		char file[sizeof(path)], byte;
		int pipes[2], status;
		size_t whole = 0;
		pid_t pid;

		ck_assert_int_eq(pipe(pipes), 0);
		pid = fork();
		ck_assert_int_ge(pid, 0);
		if (!pid) {
			if (claw_journal_after_fork())
				_exit(1);
			claw_ledger_begin(CLAW_LEDGER_COUNTS);
			start_busy_threads();
			/* Ten thousand stay, while others come and go. */
			for (uint64_t n = 0; n < 10000; n++)
				make(CLAW_OBJ_EVENT, 1000000 + n, 1);
			if (write(pipes[1], "", 1) != 1)
				_exit(1);
			for (uint64_t n = 0;; n++) {
				make(CLAW_OBJ_EVENT, 2000000 + n, 1);
				if (n >= 5000)
					drop(CLAW_OBJ_EVENT, 2000000 + n - 5000);
			}
		}
		ck_assert_int_eq(read(pipes[0], &byte, 1), 1);
		for (int i = 0; i < round * 10; i++)
			sched_yield();
		kill(pid, SIGKILL);
		ck_assert(waitpid(pid, &status, 0) == pid);
		snprintf(file, sizeof(file), "%s/ledger.%ld.0", directory,
			 (long)pid);
		claw_ledger_release(&ledger);
		ck_assert_int_eq(claw_ledger_read(file, &ledger), 0);
		/* It may have been in the middle of a move. */
		ck_assert_uint_le(ledger.damaged, 1);
		for (size_t i = 0; i < ledger.count; i++) {
			uint64_t n = (ledger.entries[i].handle - 0x10000) / 64;

			ck_assert_uint_eq(ledger.entries[i].references <= 2 ||
					  n == 2, 1);
			whole += n >= 1000000 && n < 1010000 &&
				 ledger.entries[i].bytes == n;
		}
		if (!ledger.damaged)
			ck_assert_uint_eq(whole, 10000);
		close(pipes[0]);
		close(pipes[1]);
	}
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("ledger");
	TCase *tests = tcase_create("ledger");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, TIMEOUT_S);
	tcase_add_test(tests, references__are_counted_until_none_is_left);
	tcase_add_test(tests, references__that_nobody_has_are_unknown);
	tcase_add_test(tests, references__release_that_fails_is_taken_back);
	tcase_add_test(tests,
		       references__freed_by_a_queue_end_when_it_took_the_call);
	tcase_add_test(tests,
		       again__address_of_what_is_held_names_the_new_object);
	tcase_add_test(tests, again__address_of_a_dead_parent_is_no_parent);
	tcase_add_test(tests, again__address_given_twice_ends_the_first);
	tcase_add_test(tests, again__pointer_may_be_mapped_twice);
	tcase_add_test(tests, holds__keep_a_chain_until_its_last_link);
	tcase_add_test(tests, holds__are_the_arguments_at_the_launch);
	tcase_add_test(tests, holds__more_than_are_kept_are_said);
	tcase_add_test(tests, holds__stay_as_they_were_at_each_launch);
	tcase_add_test(tests, holds__of_what_is_gone_are_kept_for_the_kernel);
	tcase_add_test(tests, holds__leave_nothing_behind);
	tcase_add_test(tests, space__grows_with_what_is_alive_and_shrinks);
	tcase_add_test(tests, space__is_never_more_than_128_bytes_an_object);
	tcase_add_test(tests, space__cycles_take_none);
	tcase_add_test(tests, space__limit_drops_and_counts);
	tcase_add_test(tests, space__full_disk_drops_and_counts);
	tcase_add_test(tests, space__none_at_all_is_off);
	tcase_add_test(tests, space__off_is_no_file);
	tcase_add_test(tests, threads__eight_lose_no_count);
	tcase_add_test(tests,
		       threads__second_one_meets_the_first_in_full_swing);
	tcase_add_test(tests,
		       threads__second_one_waits_until_the_first_is_outside);
	tcase_add_test(tests,
		       threads__turn_within_a_turn_is_counted_not_waited_for);
	tcase_add_test(tests, fork__child_has_a_ledger_of_its_own);
	tcase_add_test(tests, fork__beside_busy_threads_hangs_never);
	tcase_add_test(tests, kill__leaves_what_was_there);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(make_suite());
}
