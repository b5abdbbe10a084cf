/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host makes of findings: the reader, the grouping, the sentences,
 * suppressions, and what is not known. The findings are the tests' own, the
 * journal with their sites is the guest's.
 */
#include "config.h"

#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "faults/shared/api.h"
#include "faults/journal/journal.h"
#include "harness/base/errors.h"
#include "harness/check/found_scan.h"
#include "suites/self/lib/found_maker.h"
#include "suites/self/lib/probe_maker.h"
#include "suites/self/lib/run_suite.h"

static char directory[] = "/tmp/openclaw-found-XXXXXX";
static struct made_found made;
static struct claw_journal *journal;
static struct claw_symbolizer *symbolizer;
static struct claw_found_groups groups;
static struct claw_found_scan scan;
static struct claw_suppressions suppressions;
static struct claw_session session;

/* Sites in the journal, by number. */
enum { USE = 1, DROP, LOAD, USE_AGAIN, USE_BELOW };

static const char *api_name(unsigned int api)
{
	return claw_api_table[api].name;
}

/* A site of CPython: one function, called by main. */
static void add_site(uint64_t hash, const char *function, unsigned int line)
{
	static const char file[] = "/home/me/tile.py";
	struct claw_journal_frame frames[2] = {
		{ claw_journal_string(file, strlen(file)),
		  claw_journal_string(function, strlen(function)), line },
		{ claw_journal_string(file, strlen(file)),
		  claw_journal_string("main", 4), 300 },
	};

	claw_journal_site(hash, CLAW_SITE_PYTHON, frames, 2);
}

static void setup(void)
{
	struct claw_journal_config config = {
		.session = directory,
		.api_count = CLAW_API_COUNT,
		.api_name = api_name,
		.exe = "/usr/bin/tiler",
	};

	memcpy(strrchr(directory, '-') + 1, "XXXXXX", 6);
	ck_assert_ptr_nonnull(mkdtemp(directory));
	session.directory = directory;
	ck_assert_int_eq(claw_journal_open(&config), 0);
	add_site(1, "upload", 88);
	add_site(2, "drop", 61);
	add_site(3, "load", 40);
	add_site(4, "upload", 88);	/* a copy of the function */
	add_site(5, "upload", 90);
	claw_journal_count(CLAW_API_clCreateBuffer);
	ck_assert_int_eq(claw_journal_read(claw_journal_path(), &journal), 0);
	symbolizer = claw_symbolizer_new();
	ck_assert_ptr_nonnull(symbolizer);
	made_found_init(&made);
}

static void teardown(void)
{
	claw_journal_close();
	claw_found_groups_release(&groups);
	claw_found_scan_release(&scan);
	claw_suppressions_release(&suppressions);
	claw_symbolizer_free(symbolizer);
	claw_journal_free(journal);
	claw_directory_remove(directory);
}

/* ---- making ----------------------------------------------------------- */

/* An upload to what has been released. */
static struct claw_found_entry *add_use(uint32_t site)
{
	struct claw_found_entry *entry =
		made_found_add(&made, CLAW_FOUND_USE_RELEASED, "buffer");

	entry->at = made_place(site, CLAW_API_clEnqueueWriteBuffer,
			       CLAW_OBJ_MEM);
	entry->second = made_place(DROP, CLAW_API_clReleaseMemObject,
				   CLAW_OBJ_MEM);
	entry->third = made_place(LOAD, CLAW_API_clCreateBuffer, CLAW_OBJ_MEM);
	return entry;
}

static void add_all(uint32_t pid)
{
	struct claw_found_file found;

	made.header.pid = pid;
	ck_assert_int_eq(claw_found_file_read_memory(&made, sizeof(made),
						     &found), 0);
	ck_assert_int_eq(claw_found_groups_add(&groups, &found, journal,
					       symbolizer), 0);
	claw_found_file_release(&found);
}

static void assert_text(const char *expected)
{
	char *text;

	add_all(1);
	ck_assert_uint_eq(groups.count, 1);
	text = claw_found_text(&groups.items[0]);
	ck_assert_str_eq(text, expected);
	free(text);
}

/* ---- the reader --------------------------------------------------------- */

static struct claw_found_file read_made(size_t size)
{
	struct claw_found_file found;

	ck_assert_int_eq(claw_found_file_read_memory(&made, size, &found), 0);
	return found;
}

START_TEST(reader__gives_what_is_complete)
{
	struct claw_found_file found;

	add_use(USE)->times = 7;
	add_use(USE_BELOW)->complete = 0;
	made_found_add(&made, CLAW_FOUND_RANGE, "ptr");
	made.header.lost = 3;
	made.header.counts[CLAW_COUNT_FREES] = 12;
	found = read_made(sizeof(made));
	ck_assert_uint_eq(found.count, 2);
	ck_assert_uint_eq(found.entries[0].times, 7);
	ck_assert_int_eq(found.entries[1].kind, CLAW_FOUND_RANGE);
	ck_assert_uint_eq(found.damaged, 1);
	ck_assert_uint_eq(found.lost, 3);
	ck_assert_uint_eq(found.pid, 4711);
	ck_assert_uint_eq(found.modes, CLAW_FOUND_LIFETIME | CLAW_FOUND_HEAP);
	ck_assert_uint_eq(found.counts[CLAW_COUNT_FREES], 12);
	claw_found_file_release(&found);
}
END_TEST

START_TEST(reader__entries_are_found_when_their_number_is_not)
{
	struct claw_found_file found;

	add_use(USE);
	made.header.used = 0;
	found = read_made(sizeof(made));
	ck_assert_uint_eq(found.count, 1);
	ck_assert_uint_eq(found.damaged, 1);
	claw_found_file_release(&found);
	made.header.used = UINT64_MAX;
	found = read_made(sizeof(made));
	ck_assert_uint_eq(found.count, 1);
	ck_assert_uint_gt(found.damaged, 1);
	claw_found_file_release(&found);
}
END_TEST

START_TEST(reader__a_cut_file_gives_what_is_there)
{
	struct claw_found_file found;

	add_use(USE);
	add_use(USE_BELOW);
	found = read_made(offsetof(struct made_found, entries[1]) + 100);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_uint_eq(found.damaged, 1);
	claw_found_file_release(&found);
	ck_assert_int_eq(claw_found_file_read_memory(&made,
				sizeof(made.header) - 1, &found),
			 -CLAW_E_DAMAGED);
}
END_TEST

static const struct {
	size_t offset, size;
	uint64_t value;
	int expected;
} bad_headers[] = {
#define FIELD(name_) offsetof(struct claw_found_header, name_), \
	sizeof(((struct claw_found_header *)NULL)->name_)
	{ FIELD(magic), 0, -CLAW_E_DAMAGED },
	{ FIELD(version), 2, -CLAW_E_VERSION },
	{ FIELD(endian), 0x04030201, -CLAW_E_VERSION },
	{ FIELD(endian), 7, -CLAW_E_DAMAGED },
	{ FIELD(header_bytes), 311, -CLAW_E_DAMAGED },
	{ FIELD(entry_bytes), 191, -CLAW_E_DAMAGED },
	{ FIELD(entry_bytes), 769, -CLAW_E_DAMAGED },
	{ FIELD(entry_bytes), 0, -CLAW_E_DAMAGED },
	{ FIELD(capacity), 65537, -CLAW_E_DAMAGED },
	{ FIELD(capacity), UINT64_MAX, -CLAW_E_DAMAGED },
#undef FIELD
};

START_TEST(reader__a_bad_header_is_refused)
{
	struct claw_found_file found;

	add_use(USE);
	memcpy((char *)&made.header + bad_headers[_i].offset,
	       &bad_headers[_i].value, bad_headers[_i].size);
	ck_assert_int_eq(claw_found_file_read_memory(&made, sizeof(made),
						     &found),
			 bad_headers[_i].expected);
}
END_TEST

/* What the guest cannot have written is left out, and what is beside it is
 * not. */
START_TEST(reader__what_cannot_be_a_finding_is_damaged)
{
	struct claw_found_file found;
	struct claw_found_entry *entry = add_use(USE);

	switch (_i) {
	case 0: entry->kind = CLAW_FOUND_KIND_COUNT; break;
	case 1: entry->sure = 2; break;
	case 2: entry->answered = 2; break;
	case 3: entry->times = 0; break;
	case 4: entry->at.object = CLAW_OBJ_COUNT; break;
	case 5: entry->third.object = 255; break;
	case 6: memset(entry->name, 'x', sizeof(entry->name)); break;
	default: entry->complete = 2; break;
	}
	add_use(USE_BELOW);
	found = read_made(sizeof(made));
	ck_assert_uint_eq(found.count, 1);
	ck_assert_uint_eq(found.entries[0].at.site, USE_BELOW);
	ck_assert_uint_eq(found.damaged, 1);
	claw_found_file_release(&found);
}
END_TEST

/* ---- groups ---------------------------------------------------------------- */

START_TEST(group__the_same_in_threads_and_processes_is_one)
{
	struct claw_found_entry *likely = add_use(USE);

	likely->times = 3;
	likely->sure = CLAW_SURE_LIKELY;
	add_use(USE_AGAIN);
	add_use(USE_BELOW);
	add_all(1);
	ck_assert_uint_eq(groups.count, 2);
	ck_assert_uint_eq(groups.items[0].times, 4);
	ck_assert_uint_eq(groups.items[0].processes, 1);
	ck_assert(groups.items[0].is_sure);
	add_all(2);
	ck_assert_uint_eq(groups.count, 2);
	ck_assert_uint_eq(groups.items[0].times, 8);
	ck_assert_uint_eq(groups.items[0].processes, 2);
	ck_assert_uint_eq(groups.items[0].pid, 1);
}
END_TEST

START_TEST(group__another_kind_call_or_place_is_another)
{
	add_use(USE);
	add_use(USE)->kind = CLAW_FOUND_RETAIN_RELEASED;
	add_use(USE)->at.api = CLAW_API_clEnqueueReadBuffer;
	add_use(USE)->second.site = LOAD;
	add_use(USE)->third.site = DROP;
	add_use(USE)->name[0] = 'x';
	add_use(USE)->answered = 1;
	add_all(1);
	ck_assert_uint_eq(groups.count, 7);
}
END_TEST

START_TEST(group__errors_come_first_in_their_order)
{
	made_found_add(&made, CLAW_FOUND_RELEASE_PENDING, "");
	made_found_add(&made, CLAW_FOUND_UNMAP_TWICE, "");
	made_found_add(&made, CLAW_FOUND_USE_RELEASED, "");
	add_all(1);
	claw_found_groups_sort(&groups);
	ck_assert_uint_eq(groups.count, 3);
	ck_assert_int_eq(groups.items[0].kind, CLAW_FOUND_UNMAP_TWICE);
	ck_assert_int_eq(groups.items[1].kind, CLAW_FOUND_USE_RELEASED);
	ck_assert_int_eq(groups.items[2].kind, CLAW_FOUND_RELEASE_PENDING);
}
END_TEST

START_TEST(group__stacks_have_their_calls)
{
	char *stacks;

	add_use(USE)->third.site = 0;
	add_all(1);
	stacks = claw_found_stacks(&groups.items[0]);
	ck_assert_str_eq(stacks,
			 "  clEnqueueWriteBuffer\n"
			 "    #0  upload (tile.py:88)\n"
			 "    #1  main (tile.py:300)\n"
			 "  clReleaseMemObject\n"
			 "    #0  drop (tile.py:61)\n"
			 "    #1  main (tile.py:300)\n");
	free(stacks);
}
END_TEST

/* ---- sentences --------------------------------------------------------------- */

#define NONE { 0, CLAW_FOUND_NO_API, 0, 0 }
#define PLACE(site_, api_, object_) \
	{ site_, CLAW_API_##api_, CLAW_OBJ_##object_, 0 }
#define PROGRAM(site_) { site_, CLAW_FOUND_NO_API, 0, 0 }

static const struct {
	enum claw_found_kind kind;
	struct claw_found_place at, second, third;
	uint64_t values[CLAW_FOUND_VALUES];
	const char *name, *expected;
} sentences[] = {
	{ CLAW_FOUND_USE_RELEASED, PLACE(USE, clEnqueueWriteBuffer, MEM),
	  PLACE(DROP, clReleaseMemObject, MEM),
	  PLACE(LOAD, clCreateBuffer, MEM), { 0 }, "buffer",
	  "clEnqueueWriteBuffer at tile.py:88 (upload) uses a buffer that "
	  "clReleaseMemObject at tile.py:61 (drop) released; made by "
	  "clCreateBuffer at tile.py:40 (load)" },
	{ CLAW_FOUND_USE_RELEASED, PLACE(USE, clEnqueueCopyBuffer, MEM),
	  PLACE(0, clReleaseMemObject, MEM), NONE, { 0 }, "dst_buffer",
	  "clEnqueueCopyBuffer at tile.py:88 (upload) uses a memory object "
	  "(its dst_buffer) that clReleaseMemObject released" },
	{ CLAW_FOUND_USE_RELEASED, PLACE(USE, clEnqueueNDRangeKernel, MEM),
	  PLACE(DROP, clReleaseMemObject, MEM),
	  PLACE(LOAD, clCreateImage, MEM), { 3 }, "blur",
	  "clEnqueueNDRangeKernel at tile.py:88 (upload) uses an image as "
	  "argument 2 of kernel blur that clReleaseMemObject at tile.py:61 "
	  "(drop) released; made by clCreateImage at tile.py:40 (load)" },
	{ CLAW_FOUND_USE_RELEASED, PLACE(USE, clEnqueueMarkerWithWaitList,
					 EVENT),
	  PLACE(DROP, clReleaseEvent, EVENT),
	  PLACE(LOAD, clCreateUserEvent, EVENT), { 0 }, "event_wait_list",
	  "clEnqueueMarkerWithWaitList at tile.py:88 (upload) uses a user "
	  "event (its event_wait_list) that clReleaseEvent at tile.py:61 "
	  "(drop) released; made by clCreateUserEvent at tile.py:40 (load)" },
	{ CLAW_FOUND_RELEASE_RELEASED, PLACE(USE, clReleaseEvent, EVENT),
	  PLACE(DROP, clReleaseEvent, EVENT),
	  PLACE(LOAD, clEnqueueReadBuffer, EVENT), { 0 }, "",
	  "clReleaseEvent at tile.py:88 (upload) releases an event that "
	  "clReleaseEvent at tile.py:61 (drop) had released; made by "
	  "clEnqueueReadBuffer at tile.py:40 (load)" },
	{ CLAW_FOUND_RELEASE_RELEASED, PLACE(USE, clSVMFree, SVM),
	  PLACE(DROP, clSVMFree, SVM), PLACE(LOAD, clSVMAlloc, SVM), { 0 }, "",
	  "clSVMFree at tile.py:88 (upload) frees an SVM allocation that "
	  "clSVMFree at tile.py:61 (drop) had freed; made by clSVMAlloc at "
	  "tile.py:40 (load)" },
	{ CLAW_FOUND_RETAIN_RELEASED, PLACE(USE, clRetainMemObject, MEM),
	  PLACE(DROP, clReleaseMemObject, MEM), NONE, { 1 }, "",
	  "clRetainMemObject at tile.py:88 (upload) retains a memory object "
	  "that clReleaseMemObject at tile.py:61 (drop) released, inside its "
	  "destructor callback" },
	{ CLAW_FOUND_WRONG_TYPE, PLACE(USE, clReleaseMemObject, MEM),
	  PLACE(LOAD, clCreateKernel, KERNEL), NONE, { 0 }, "memobj",
	  "clReleaseMemObject at tile.py:88 (upload) is given a kernel for a "
	  "memory object; made by clCreateKernel at tile.py:40 (load)" },
	{ CLAW_FOUND_NULL_USED, PLACE(USE, clEnqueueFillBuffer, MEM),
	  PLACE(LOAD, clCreateBuffer, MEM), NONE,
	  { (uint64_t)(int64_t)CL_INVALID_BUFFER_SIZE }, "buffer",
	  "clEnqueueFillBuffer at tile.py:88 (upload) uses NULL for a buffer: "
	  "clCreateBuffer at tile.py:40 (load) failed with "
	  "CL_INVALID_BUFFER_SIZE" },
	{ CLAW_FOUND_UNMAP_UNKNOWN, PLACE(USE, clEnqueueUnmapMemObject, MEM),
	  NONE, NONE, { 0 }, "",
	  "clEnqueueUnmapMemObject at tile.py:88 (upload) unmaps a pointer "
	  "that is not a mapping of its memory object" },
	{ CLAW_FOUND_UNMAP_TWICE, PLACE(USE, clEnqueueUnmapMemObject, MEM),
	  PLACE(DROP, clEnqueueUnmapMemObject, MEM),
	  PLACE(LOAD, clEnqueueMapBuffer, MAPPING), { 0 }, "",
	  "clEnqueueUnmapMemObject at tile.py:88 (upload) unmaps what "
	  "clEnqueueUnmapMemObject at tile.py:61 (drop) had already unmapped; "
	  "mapped by clEnqueueMapBuffer at tile.py:40 (load)" },
	{ CLAW_FOUND_MAPPING_USED, PLACE(USE, clEnqueueWriteBuffer, MAPPING),
	  PLACE(DROP, clEnqueueUnmapMemObject, MEM), NONE, { 16 }, "",
	  "clEnqueueWriteBuffer at tile.py:88 (upload) uses the pointer of a "
	  "mapping that clEnqueueUnmapMemObject at tile.py:61 (drop) "
	  "unmapped" },
	{ CLAW_FOUND_RELEASE_PENDING, PLACE(USE, clReleaseMemObject, MEM),
	  PLACE(DROP, clEnqueueNDRangeKernel, MEM), NONE, { 3 }, "blur",
	  "clReleaseMemObject at tile.py:88 (upload) releases a memory object "
	  "while clEnqueueNDRangeKernel at tile.py:61 (drop) of kernel blur "
	  "and 2 more commands may still use it" },
	{ CLAW_FOUND_NEVER_WAITED, PLACE(USE, clEnqueueNDRangeKernel, NONE),
	  NONE, NONE, { 0 }, "blur",
	  "nothing waited for clEnqueueNDRangeKernel at tile.py:88 (upload) of "
	  "kernel blur before the process ended" },
	{ CLAW_FOUND_HOST_FREED, PLACE(USE, clEnqueueReadBuffer, MEM),
	  PROGRAM(DROP), NONE, { 0x1000, 64, 0 }, "",
	  "clEnqueueReadBuffer at tile.py:88 (upload) uses memory that the "
	  "program at tile.py:61 (drop) freed before anything waited for the "
	  "command" },
	{ CLAW_FOUND_HOST_FREED, PLACE(USE, clReleaseMemObject, MEM),
	  PLACE(DROP, clEnqueueNDRangeKernel, MEM), PROGRAM(LOAD), { 0 }, "",
	  "clReleaseMemObject at tile.py:88 (upload) releases a buffer that "
	  "lives in the program's own memory, clEnqueueNDRangeKernel at "
	  "tile.py:61 (drop) may still use it, and the program at tile.py:40 "
	  "(load) freed that memory" },
	{ CLAW_FOUND_HOST_FREED, PLACE(USE, clEnqueueCopyBuffer, MEM),
	  PLACE(DROP, clCreateBuffer, MEM), PROGRAM(LOAD), { 0 }, "",
	  "clEnqueueCopyBuffer at tile.py:88 (upload) uses a buffer that "
	  "lives in the program's own memory, which the program at tile.py:40 "
	  "(load) freed; made by clCreateBuffer at tile.py:61 (drop)" },
	{ CLAW_FOUND_FRAME_GONE, PLACE(USE, clEnqueueReadBuffer, MEM),
	  PLACE(DROP, clFinish, NONE), NONE, { 1024 }, "",
	  "clEnqueueReadBuffer at tile.py:88 (upload) uses 1,024 bytes of an "
	  "array of a function that has returned, before anything waited for "
	  "the command; seen at clFinish at tile.py:61 (drop)" },
	{ CLAW_FOUND_SOURCE_CHANGED, PLACE(USE, clEnqueueWriteBuffer, MEM),
	  PLACE(DROP, clFinish, NONE), NONE, { 4, 1024 }, "",
	  "the memory that clEnqueueWriteBuffer at tile.py:88 (upload) reads "
	  "(1,024 bytes) is changed from byte 4 on, before anything waited "
	  "for the command; seen at clFinish at tile.py:61 (drop)" },
	{ CLAW_FOUND_USED_EARLY, PLACE(USE, clEnqueueWriteBuffer, MEM),
	  PLACE(DROP, clEnqueueReadBuffer, MEM), NONE, { 0, 1024 }, "",
	  "clEnqueueWriteBuffer at tile.py:88 (upload) uses the result of "
	  "clEnqueueReadBuffer at tile.py:61 (drop) before anything waited "
	  "for it" },
	{ CLAW_FOUND_TOUCHED_EARLY, PROGRAM(LOAD),
	  PLACE(DROP, clEnqueueReadBuffer, NONE), NONE, { 64, 65536 }, "",
	  "the program at tile.py:40 (load) reads memory that "
	  "clEnqueueReadBuffer at tile.py:61 (drop) has not finished writing; "
	  "nothing waited for it" },
	{ CLAW_FOUND_TOUCHED_EARLY, PROGRAM(LOAD),
	  PLACE(DROP, clEnqueueReadImage, NONE), NONE, { 64, 65536, 1 }, "",
	  "the program at tile.py:40 (load) writes to memory that "
	  "clEnqueueReadImage at tile.py:61 (drop) has not finished writing; "
	  "nothing waited for it" },
	{ CLAW_FOUND_FREE_PENDING, PLACE(USE, clSVMFree, SVM),
	  PLACE(DROP, clEnqueueNDRangeKernel, SVM), NONE, { 0 }, "blur",
	  "clSVMFree at tile.py:88 (upload) frees shared memory while "
	  "clEnqueueNDRangeKernel at tile.py:61 (drop) of kernel blur may "
	  "still use it" },
	{ CLAW_FOUND_UNORDERED, PLACE(USE, clEnqueueReadBuffer, MEM),
	  PLACE(DROP, clEnqueueNDRangeKernel, MEM),
	  PLACE(LOAD, clCreateBuffer, MEM), { 2 }, "/blur",
	  "clEnqueueReadBuffer at tile.py:88 (upload) reads a buffer that "
	  "clEnqueueNDRangeKernel at tile.py:61 (drop) of kernel blur writes "
	  "in another queue, and no event orders them; made by clCreateBuffer "
	  "at tile.py:40 (load)" },
	{ CLAW_FOUND_UNORDERED_COMMANDS, PLACE(USE, clEnqueueWriteBuffer, MEM),
	  PLACE(DROP, clEnqueueNDRangeKernel, MEM), NONE, { 1 }, "/blur",
	  "clEnqueueWriteBuffer at tile.py:88 (upload) writes a memory "
	  "object that clEnqueueNDRangeKernel at tile.py:61 (drop) of kernel "
	  "blur reads in the same out-of-order queue, and nothing orders them" },
	{ CLAW_FOUND_GATE_ABANDONED, PLACE(USE, clReleaseEvent, EVENT),
	  PLACE(DROP, clEnqueueNDRangeKernel, EVENT),
	  PLACE(LOAD, clCreateUserEvent, EVENT), { 1 }, "",
	  "clReleaseEvent at tile.py:88 (upload) releases a user event that "
	  "clEnqueueNDRangeKernel at tile.py:61 (drop) waits for; made by "
	  "clCreateUserEvent at tile.py:40 (load)" },
	{ CLAW_FOUND_GUARD_BROKEN, PLACE(USE, clEnqueueNDRangeKernel, MEM),
	  NONE, PLACE(LOAD, clCreateBuffer, MEM), { 2, 4112, 0x3f, 4096, 4, 9 },
	  "blur",
	  "kernel blur wrote 4 bytes from 16 bytes past the end of argument "
	  "2, a buffer of 4,096 bytes made by clCreateBuffer at tile.py:40 "
	  "(load); launch at tile.py:88 (upload), value 0x3f" },
	{ CLAW_FOUND_GUARD_BROKEN, PLACE(USE, clEnqueueNDRangeKernel, MEM),
	  NONE, PLACE(LOAD, clCreateBuffer, MEM), { 0, 64, 7, 64, 1, 1 },
	  "blur",
	  "kernel blur wrote 1 byte right past the end of argument 0, a "
	  "buffer of 64 bytes made by clCreateBuffer at tile.py:40 (load); "
	  "launch at tile.py:88 (upload), value 0x07" },
	{ CLAW_FOUND_GUARD_BROKEN, PLACE(USE, clEnqueueNDRangeKernel, MEM),
	  NONE, NONE, { UINT64_MAX, (uint64_t)-4, 7, 64, 4, 1 }, "blur",
	  "kernel blur wrote 4 bytes from 4 bytes before the start of a "
	  "memory object of 64 bytes; launch at tile.py:88 (upload), value "
	  "0x07" },
	{ CLAW_FOUND_RANGE, PLACE(USE, clEnqueueReadBuffer, MEM), NONE,
	  PLACE(LOAD, clCreateBuffer, MEM), { 60, 8, 64 }, "buffer",
	  "clEnqueueReadBuffer at tile.py:88 (upload) reaches 4 bytes past "
	  "the end of a buffer of 64 bytes: 8 bytes from 60 on; made by "
	  "clCreateBuffer at tile.py:40 (load)" },
};

START_TEST(text__each_kind_has_its_sentence)
{
	struct claw_found_entry *entry =
		made_found_add(&made, sentences[_i].kind, sentences[_i].name);

	entry->at = sentences[_i].at;
	entry->second = sentences[_i].second;
	entry->third = sentences[_i].third;
	memcpy(entry->values, sentences[_i].values, sizeof(entry->values));
	assert_text(sentences[_i].expected);
}
END_TEST

/* Nothing of it known: it can still be read. */
START_TEST(text__each_kind_has_one_without_places)
{
	char *text;

	made_found_add(&made, (enum claw_found_kind)_i, "");
	add_all(1);
	text = claw_found_text(&groups.items[0]);
	ck_assert_ptr_nonnull(text);
	ck_assert_uint_gt(strlen(text), 20);
	ck_assert_ptr_null(strpbrk(text, "{}[]"));
	ck_assert_ptr_nonnull(claw_found_kind_title(groups.items[0].kind));
	ck_assert(claw_found_kind_mode(groups.items[0].kind) ==
		  CLAW_FOUND_LIFETIME ||
		  claw_found_kind_is_sanitizer(groups.items[0].kind));
	free(text);
}
END_TEST

static const struct {
	uint8_t sure, answered;
	uint64_t times;
	const char *expected;
} told[] = {
	{ CLAW_SURE_LIKELY, 0, 1, "probably clEnqueueUnmapMemObject at "
	  "tile.py:88 (upload) unmaps a pointer that is not a mapping of its "
	  "memory object" },
	{ CLAW_SURE_CERTAIN, 1, 1440, "clEnqueueUnmapMemObject at tile.py:88 "
	  "(upload) unmaps a pointer that is not a mapping of its memory "
	  "object; the call was not passed to the driver; 1,440 times" },
	{ CLAW_SURE_CERTAIN, 0, 2, "clEnqueueUnmapMemObject at tile.py:88 "
	  "(upload) unmaps a pointer that is not a mapping of its memory "
	  "object; twice" },
};

START_TEST(text__says_how_sure_how_often_and_who_answered)
{
	struct claw_found_entry *entry =
		made_found_add(&made, CLAW_FOUND_UNMAP_UNKNOWN, "");

	entry->at = made_place(USE, CLAW_API_clEnqueueUnmapMemObject,
			       CLAW_OBJ_MEM);
	entry->sure = told[_i].sure;
	entry->answered = told[_i].answered;
	entry->times = told[_i].times;
	assert_text(told[_i].expected);
}
END_TEST

/* ---- kernels ---------------------------------------------------------------- */

static void put_in_session(const char *name, const void *bytes, size_t size)
{
	char path[PATH_MAX];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	out = fopen(path, "wb");
	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(bytes, 1, size, out), size);
	ck_assert_int_eq(fclose(out), 0);
}

/* The text of an access, and a file of probes that leads there. */
static void put_access(const char *row)
{
	static const char request[] = "openclaw-instrument 1\ndirectory /\n"
		"source 5\nabcde\n";
	static struct made_probes probes;
	char path[PATH_MAX], map[512];

	snprintf(path, sizeof(path), "%s/blobs", directory);
	mkdir(path, 0777);
	snprintf(map, sizeof(map), "openclaw-map 1\ncounters 0\naccesses 9\n"
		 "file 0 <source>\nfile 1 /nowhere/blur.cl\n%s\n", row);
	put_in_session("blobs/" MADE_KEY ".map", map, strlen(map));
	put_in_session("blobs/" MADE_KEY ".request", request,
		       sizeof(request) - 1);
	made_probes_init(&probes, CLAW_PROBE_ASAN);
	probes.parts[0].accesses_base = 100;
	put_in_session("probes.4711.0.2", &probes, sizeof(probes));
}

static const struct {
	enum claw_found_kind kind;
	const char *row;
	uint64_t access, offset, bytes, argument;
	const char *expected;
} kernels[] = {
	{ CLAW_FOUND_KERNEL_BOUNDS, "access 7 1 12 9 read global 4 blur in "
	  "in[i + 1]", 107, 72, 64, 2, "kernel blur (/nowhere/blur.cl:12:9) "
	  "reads 4 bytes (in[i + 1]) 8 bytes past the end of argument 1 (in) "
	  "of 64 bytes made by clCreateBuffer at tile.py:40 (load); work-item "
	  "8,0,1 of work-group 2,0,0; launch at tile.py:88 (upload)" },
	{ CLAW_FOUND_KERNEL_BOUNDS, "access 7 1 12 9 write private 1 put - *p",
	  107, UINT64_MAX, 64, 0, "kernel blur in put (/nowhere/blur.cl:12:9) "
	  "writes 1 byte (*p) 1 byte before the start of private memory "
	  "of 64 bytes made by clCreateBuffer at tile.py:40 (load); work-item "
	  "8,0,1 of work-group 2,0,0; launch at tile.py:88 (upload)" },
	{ CLAW_FOUND_KERNEL_NULL, "access 7 1 12 9 write global 4 blur out *out",
	  107, 0, 0, 1, "kernel blur (/nowhere/blur.cl:12:9) writes 4 bytes "
	  "(*out) through a NULL pointer; work-item 8,0,1 of work-group "
	  "2,0,0; launch at tile.py:88 (upload)" },
	{ CLAW_FOUND_KERNEL_SHIFT, "access 7 1 12 9 shift - 4 blur - a << b",
	  107, 40, 32, 0, "kernel blur (/nowhere/blur.cl:12:9) shifts 32 bits "
	  "by 40; work-item 8,0,1 of work-group 2,0,0; launch at tile.py:88 "
	  "(upload)" },
	{ CLAW_FOUND_KERNEL_DIVIDE, "access 7 1 12 9 divide - 4 blur - a / b",
	  3, 0, 0, 0, "kernel blur divides by zero; work-item 8,0,1 of "
	  "work-group 2,0,0; launch at tile.py:88 (upload)" },
};

static struct claw_found_entry *add_kernel_found(size_t i)
{
	struct claw_found_entry *entry =
		made_found_add(&made, kernels[i].kind, "blur");

	entry->at = made_place(USE, CLAW_API_clEnqueueNDRangeKernel,
			       CLAW_OBJ_KERNEL);
	entry->third = made_place(LOAD, CLAW_API_clCreateBuffer,
				  CLAW_OBJ_MEM);
	entry->probes = 3;
	entry->values[0] = kernels[i].access;
	entry->values[1] = kernels[i].offset;
	entry->values[2] = kernels[i].bytes;
	entry->values[3] = kernels[i].argument;
	entry->ids[0] = 8;
	entry->ids[2] = 1;
	entry->ids[3] = 2;
	return entry;
}

/* Accesses of what is in the directory. */
static struct claw_found_accesses accesses;

static void look_up_accesses(void)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/found.4711.0", directory);
	accesses = (struct claw_found_accesses) { .session = &session };
	groups.accesses = &accesses;
	groups.path = path;
}

START_TEST(kernel__the_map_says_where_and_what)
{
	put_access(kernels[_i].row);
	add_kernel_found((size_t)_i);
	look_up_accesses();
	assert_text(kernels[_i].expected);
	claw_found_accesses_release(&accesses);
}
END_TEST

START_TEST(kernel__one_line_is_one_finding_whoever_launches)
{
	put_access("access 7 1 12 9 read global 4 blur in in[i]\n"
		   "access 8 1 13 9 read global 4 blur in in[j]");
	add_kernel_found(0);
	add_kernel_found(0)->at.site = USE_AGAIN;
	add_kernel_found(0)->values[0] = 108;
	look_up_accesses();
	add_all(4711);
	ck_assert_uint_eq(groups.count, 2);
	ck_assert_uint_eq(groups.items[0].times, 2);
	ck_assert_uint_eq(groups.items[1].access.line, 13);
	claw_found_accesses_release(&accesses);
}
END_TEST

/* ---- suppressions ----------------------------------------------------------- */

static void read_suppressions(const char *text)
{
	char path[PATH_MAX], error[512] = "";
	FILE *out;

	snprintf(path, sizeof(path), "%s/s", directory);
	out = fopen(path, "w");
	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	fclose(out);
	ck_assert_int_eq(claw_suppressions_read(path, &suppressions, error,
						sizeof(error)), 0);
}

static const struct {
	const char *line;
	bool expected;
} globs[] = {
	{ "lifetime:upload", true },
	{ "lifetime:^upload$", true },
	{ "lifetime:^use-after-release$", true },
	{ "lifetime:tile.py", true },
	{ "lifetime:clEnqueueWriteBuffer", true },
	{ "lifetime:^use-after-release < clEnqueueWriteBuffer < upload < main$",
	  true },
	{ "lifetime:^double-release", false },
	{ "lifetime:drop", false },	/* where it was released is not where
					 * it is used */
	{ "leak:upload", false },
	{ "guards:upload", false },
};

START_TEST(suppression__matches_the_kind_the_call_and_its_stack)
{
	add_use(USE);
	add_all(1);
	read_suppressions(globs[_i].line);
	claw_found_groups_suppress(&groups, &suppressions);
	ck_assert_msg((groups.items[0].suppressed_by != NULL) ==
		      globs[_i].expected, "%s", globs[_i].line);
	ck_assert_uint_eq(suppressions.items[0].used, globs[_i].expected);
}
END_TEST

START_TEST(suppression__what_is_written_keeps_this_one_silent_and_no_other)
{
	struct claw_found_entry *entry;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	entry = made_found_add(&made, CLAW_FOUND_GUARD_BROKEN, "blur");
	entry->at = made_place(USE, CLAW_API_clEnqueueNDRangeKernel,
			       CLAW_OBJ_MEM);
	add_use(USE);
	add_all(1);
	claw_found_write_suppression(&groups.items[0], out);
	fclose(out);
	ck_assert_str_eq(text, "guards:^guard-zone < clEnqueueNDRangeKernel < "
			 "upload < main$\n");
	read_suppressions(text);
	claw_found_groups_suppress(&groups, &suppressions);
	ck_assert_ptr_nonnull(groups.items[0].suppressed_by);
	ck_assert_ptr_null(groups.items[1].suppressed_by);
	free(text);
}
END_TEST

/* ---- sessions ------------------------------------------------------------- */

static void write_found(size_t size)
{
	char *path = claw_session_sibling(claw_journal_path(), "found");
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(&made, size, 1, out), 1);
	fclose(out);
	free(path);
}

static void assert_gap(uint32_t wanted, const char *expected)
{
	ck_assert_int_eq(claw_found_scan(&session, wanted, &scan), 0);
	if (!expected) {
		ck_assert_msg(!scan.gap, "%s", scan.gap);
		return;
	}
	ck_assert_ptr_nonnull(scan.gap);
	ck_assert_msg(strstr(scan.gap, expected), "%s", scan.gap);
}

START_TEST(scan__finds_the_file_of_each_process)
{
	add_use(USE);
	made.header.counts[CLAW_COUNT_GUARDED] = 2;
	write_found(sizeof(made));
	assert_gap(CLAW_FOUND_LIFETIME, NULL);
	ck_assert_uint_eq(scan.groups.count, 1);
	ck_assert_uint_eq(scan.process_count, 1);
	ck_assert_uint_eq(scan.counts[CLAW_COUNT_GUARDED], 2);
	ck_assert_uint_eq(scan.modes, CLAW_FOUND_LIFETIME | CLAW_FOUND_HEAP);
}
END_TEST

START_TEST(scan__a_process_without_a_file_was_not_looked_at)
{
	assert_gap(CLAW_FOUND_LIFETIME, "no checks were run in process");
	claw_found_scan_release(&scan);
	assert_gap(0, NULL);	/* when nothing is said to be looked for */
}
END_TEST

START_TEST(scan__a_mode_that_is_missing_is_a_gap)
{
	write_found(sizeof(made));
	assert_gap(CLAW_FOUND_LIFETIME | CLAW_FOUND_GUARDS, "process 4711 was "
		   "not checked for broken guard zones");
}
END_TEST

START_TEST(scan__what_is_lost_is_a_gap)
{
	made.header.lost = 1;
	write_found(sizeof(made));
	assert_gap(CLAW_FOUND_LIFETIME, "1 finding of process 4711 could not "
		   "be stored");
}
END_TEST

START_TEST(scan__what_cannot_be_read_is_a_gap)
{
	add_use(USE)->complete = 0;
	write_found(sizeof(made));
	assert_gap(CLAW_FOUND_LIFETIME, "1 finding of process 4711 cannot be "
		   "read");
	claw_found_scan_release(&scan);
	write_found(100);
	assert_gap(CLAW_FOUND_LIFETIME, "damaged");
}
END_TEST

START_TEST(scan__commands_that_were_not_followed_are_a_gap)
{
	made.header.counts[CLAW_COUNT_COMMANDS_LOST] = 2;
	write_found(sizeof(made));
	assert_gap(CLAW_FOUND_LIFETIME, "2 commands of process 4711 could not "
		   "be tracked");
}
END_TEST

static void assert_guards_gap(const char *expected)
{
	char *gap = claw_found_guards_gap(&scan);

	if (expected)
		ck_assert_str_eq(gap ? gap : "none", expected);
	else
		ck_assert_ptr_null(gap);
	free(gap);
}

START_TEST(guards__no_guarded_buffer_says_nothing)
{
	assert_guards_gap("no buffer has guard zones: none was created");
	scan.counts[CLAW_COUNT_BARE_HOST_PTR] = 1;
	scan.counts[CLAW_COUNT_BARE_SVM] = 2;
	assert_guards_gap("no buffer has guard zones: 1 lives in the "
			  "program's own memory, 2 are shared memory");
	scan.counts[CLAW_COUNT_GUARDED] = 1;
	assert_guards_gap(NULL);
	scan.counts[CLAW_COUNT_LAUNCHES_UNCHECKED] = 1;
	assert_guards_gap("the guard zones were not checked after 1 launch");
}
END_TEST

START_TEST(guards__bare_buffers_are_counted_with_reasons)
{
	char *text = claw_found_bare_text(&scan);

	ck_assert_ptr_null(text);
	scan.counts[CLAW_COUNT_BARE_HOST_PTR] = 2;
	scan.counts[CLAW_COUNT_BARE_IMAGE] = 1;
	text = claw_found_bare_text(&scan);
	ck_assert_str_eq(text, "3 buffers have no guard zones: 2 live in the "
			 "program's own memory, 1 has an image made on it");
	free(text);
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
	tcase_add_test(tcase, reader__gives_what_is_complete);
	tcase_add_test(tcase,
		       reader__entries_are_found_when_their_number_is_not);
	tcase_add_test(tcase, reader__a_cut_file_gives_what_is_there);
	tcase_add_loop_test(tcase, reader__a_bad_header_is_refused, 0,
			    LENGTH(bad_headers));
	tcase_add_loop_test(tcase, reader__what_cannot_be_a_finding_is_damaged,
			    0, 8);
}

static void add_texts(TCase *tcase)
{
	tcase_add_loop_test(tcase, kernel__the_map_says_where_and_what, 0,
			    sizeof(kernels) / sizeof(*kernels));
	tcase_add_test(tcase, kernel__one_line_is_one_finding_whoever_launches);
	tcase_add_loop_test(tcase, text__each_kind_has_its_sentence, 0,
			    LENGTH(sentences));
	tcase_add_loop_test(tcase, text__each_kind_has_one_without_places, 0,
			    CLAW_FOUND_KIND_COUNT);
	tcase_add_loop_test(tcase,
			    text__says_how_sure_how_often_and_who_answered, 0,
			    LENGTH(told));
}

static void add_sessions(TCase *tcase)
{
	tcase_add_test(tcase, scan__finds_the_file_of_each_process);
	tcase_add_test(tcase, scan__a_process_without_a_file_was_not_looked_at);
	tcase_add_test(tcase, scan__a_mode_that_is_missing_is_a_gap);
	tcase_add_test(tcase, scan__what_is_lost_is_a_gap);
	tcase_add_test(tcase, scan__what_cannot_be_read_is_a_gap);
	tcase_add_test(tcase, scan__commands_that_were_not_followed_are_a_gap);
	tcase_add_test(tcase, guards__no_guarded_buffer_says_nothing);
	tcase_add_test(tcase, guards__bare_buffers_are_counted_with_reasons);
}

int main(void)
{
	Suite *suite = suite_create("found");
	TCase *tcase;

	add_reader(add_case(suite, "reader"));
	tcase = add_case(suite, "group");
	tcase_add_test(tcase,
		       group__the_same_in_threads_and_processes_is_one);
	tcase_add_test(tcase, group__another_kind_call_or_place_is_another);
	tcase_add_test(tcase, group__errors_come_first_in_their_order);
	tcase_add_test(tcase, group__stacks_have_their_calls);
	add_texts(add_case(suite, "text"));
	tcase = add_case(suite, "suppressions");
	tcase_add_loop_test(tcase,
		suppression__matches_the_kind_the_call_and_its_stack, 0,
		LENGTH(globs));
	tcase_add_test(tcase,
		suppression__what_is_written_keeps_this_one_silent_and_no_other);
	add_sessions(add_case(suite, "session"));
	return run_suite(suite);
}
