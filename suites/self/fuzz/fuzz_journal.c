/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal's reader against bytes that nobody wrote. Two programs from one
 * file: built with -DCLAW_LIBFUZZER -fsanitize=fuzzer it is libFuzzer's, built
 * plainly it makes seeds with the real writer and reads mutations of them:
 *
 *	fuzz_journal [COUNT [SEED]]	that many mutations (default 20000, 1)
 *	fuzz_journal --write DIRECTORY	write the seeds, for libFuzzer
 *	fuzz_journal FILE...		read these, and say what is in them
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults/journal/journal.h"
#include "harness/readers/journal_reader.h"
#include "fuzz_bytes.h"

static volatile uint64_t sink;

static void use(uint64_t value)
{
	sink = sink + value;
}

static void use_string(const struct claw_journal *journal, uint32_t offset)
{
	use(strlen(claw_journal_get_string(journal, offset)));
}

static void use_record(const struct claw_journal *journal,
		       const struct claw_journal_record *record)
{
	const struct claw_journal_site *site =
		claw_journal_find_site(journal, record->site);

	use(strlen(claw_journal_get_api_name(journal, record->api)));
	use(claw_journal_get_mono_ns(journal, record->ticks));
	use(claw_journal_get_span_ns(journal, record->duration_ticks));
	if (record->rule > 0)
		use(claw_journal_get_rule(journal, record->rule - 1u) != NULL);
	if (!site)
		return;
	if (site->frame_count > CLAW_JOURNAL_MAX_FRAMES)
		abort();
	for (uint32_t i = 0; i < site->frame_count; i++) {
		const struct claw_journal_module *module =
			claw_journal_find_module(journal,
						 site->frames[i].module);

		use_string(journal, site->frames[i].function);
		if (!module)
			continue;
		use_string(journal, module->path_string);
		if (module->build_id_bytes > CLAW_JOURNAL_BUILD_ID_BYTES)
			abort();
	}
}

/* Everything that can be asked of a journal. */
static void use_journal(const struct claw_journal *journal)
{
	const struct claw_journal_header *header =
		claw_journal_get_header(journal);
	uint64_t last = 0;

	use(strlen(header->boot_id));
	use_string(journal, header->exe_string);
	use_string(journal, header->loader_string);
	use_string(journal, header->plan_error_string);
	for (size_t i = 0; i < claw_journal_get_rule_count(journal); i++)
		use_string(journal,
			   claw_journal_get_rule(journal, i)->text_string);
	for (size_t i = 0; i < claw_journal_get_event_count(journal); i++)
		use_record(journal, claw_journal_get_event(journal, i));
	for (size_t i = 0; i < claw_journal_get_call_count(journal); i++) {
		const struct claw_journal_record *call =
			claw_journal_get_call(journal, i);

		if (call->commit <= last)
			abort();	/* not in order, or twice */
		last = call->commit;
		use_record(journal, call);
	}
	for (unsigned int i = 0; i < CLAW_JOURNAL_MAX_APIS + 1; i++)
		use(claw_journal_get_calls(journal, i));
	for (unsigned int i = 0; i < CLAW_OBJ_COUNT; i++)
		use((uint64_t)claw_journal_get_live(journal, i) +
		    (uint64_t)claw_journal_get_peak_bound(journal, i));
	use(claw_journal_get_total_calls(journal));
	use(claw_journal_get_thread_count(journal));
	use(claw_journal_get_created_bytes(journal));
	use(claw_journal_get_damaged(journal));
	use(claw_journal_get_dropped_calls(journal));
	use(claw_journal_get_dropped_events(journal));
	use((uint64_t)claw_journal_find_api(journal, "clFunction3"));
	use(claw_journal_get_mono_ns(journal, 0));
	use(claw_journal_get_mono_ns(journal, UINT64_MAX));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct claw_journal *journal = NULL;

	if (claw_journal_read_memory(bytes, size, &journal) == 0) {
		use_journal(journal);
		claw_journal_free(journal);
	}
	return 0;
}

#ifndef CLAW_LIBFUZZER

/* ---- seeds */

static const char *api_name(unsigned int api)
{
	static char name[32];

	snprintf(name, sizeof(name), "clFunction%u", api);
	return name;
}

/* A journal of the real writer with something of everything. */
static void write_journal(char *directory)
{
	struct claw_journal_config config = {
		.session = directory,
		.record = CLAW_RECORD_LAST,
		.capacity = 64,
		.api_count = 150,
		.api_name = api_name,
		.exe = "/usr/bin/program",
	};
	struct claw_journal_frame frame = { .module = 1, .offset = 0x123 };

	if (claw_journal_open(&config) != 0 || !claw_journal_is_on_disk())
		die("no journal");
	claw_journal_module("/lib/libx.so", 0x7000, 0x9000, "\1\2\3", 3);
	claw_journal_site(77, CLAW_SITE_NATIVE, &frame, 1);
	frame.module = frame.function = claw_journal_string("main.py", 7);
	claw_journal_site(78, CLAW_SITE_PYTHON, &frame, 1);
	claw_journal_rule_add("clCreateBuffer:oom:when=3", true);
	claw_journal_rule_fired(claw_journal_rule_at(0));
	for (unsigned int i = 0; i < 100; i++) {
		struct claw_journal_record record = {
			.ticks = claw_journal_ticks(),
			.ordinal = i,
			.site = i % 3,
			.thread = 1,
			.api = (uint16_t)(i % 150),
			.rule = i % 10 == 0,
		};

		claw_journal_count(record.api);
		claw_journal_call(&record);
		if (record.rule)
			claw_journal_event(&record);
	}
	claw_journal_close();
}

static unsigned char *read_file(const char *path, size_t *ret_size)
{
	FILE *file = fopen(path, "rb");
	unsigned char *bytes;
	struct stat st;

	if (!file || fstat(fileno(file), &st) != 0)
		die(path);
	*ret_size = (size_t)st.st_size;
	bytes = malloc(*ret_size + 1);
	if (!bytes || fread(bytes, 1, *ret_size, file) != *ret_size)
		die(path);
	fclose(file);
	return bytes;
}

/* Cut an area down to what is in it, at the end of the smaller journal. */
static void move_area(const unsigned char *from, unsigned char *to,
		      size_t *size, struct claw_journal_area *area)
{
	uint64_t entries = area->used < area->capacity ?
		area->used : area->capacity;
	size_t bytes = (size_t)entries * area->entry_bytes;

	memcpy(to + *size, from + area->offset, bytes);
	area->offset = *size;
	area->capacity = (uint32_t)entries;
	*size = (*size + bytes + 63) / 64 * 64;
}

/* The same journal in some KiB, so that a random place means something. */
static unsigned char *make_seed(const unsigned char *bytes, size_t size,
				size_t *ret_size)
{
	unsigned char *seed = calloc(1, size);
	struct claw_journal_header header;
	size_t used = (sizeof(header) + 63) / 64 * 64;

	if (!seed)
		die("memory");
	memcpy(&header, bytes, sizeof(header));
	move_area(bytes, seed, &used, &header.threads);
	move_area(bytes, seed, &used, &header.rules);
	move_area(bytes, seed, &used, &header.events);
	move_area(bytes, seed, &used, &header.sites);
	move_area(bytes, seed, &used, &header.modules);
	move_area(bytes, seed, &used, &header.strings);
	move_area(bytes, seed, &used, &header.calls);
	header.file_bytes = used;
	memcpy(seed, &header, sizeof(header));
	*ret_size = used;
	return seed;
}

static int show_files(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct claw_journal *journal = NULL;
		int ret = claw_journal_read(argv[i], &journal);

		if (ret < 0) {
			printf("%s: error %d\n", argv[i], ret);
			continue;
		}
		use_journal(journal);
		printf("%s: %zu calls, %zu events, %" PRIu64 " damaged\n",
		       argv[i], claw_journal_get_call_count(journal),
		       claw_journal_get_event_count(journal),
		       claw_journal_get_damaged(journal));
		claw_journal_free(journal);
	}
	return 0;
}

/* The seed must be sound itself, or its mutations mean nothing. */
static void check_seed(const unsigned char *seed, size_t size)
{
	struct claw_journal *journal = NULL;

	if (claw_journal_read_memory(seed, size, &journal) != 0 ||
	    claw_journal_get_damaged(journal) != 0 ||
	    claw_journal_get_call_count(journal) != 64 ||
	    claw_journal_get_event_count(journal) != 10 ||
	    claw_journal_get_rule_count(journal) != 1 ||
	    !claw_journal_find_site(journal, 2) ||
	    claw_journal_find_api(journal, "clFunction149") != 149) {
		fprintf(stderr, "fuzz_journal: the seed is not sound\n");
		exit(1);
	}
	claw_journal_free(journal);
}

int main(int argc, char **argv)
{
	const size_t header_bytes = sizeof(struct claw_journal_header);
	char directory[] = "/tmp/fuzz-journal.XXXXXX";
	unsigned char *bytes, *seed;
	size_t size, seed_size;

	if (argc > 1 && argv[1][0] != '-' && strspn(argv[1], "0123456789") !=
					     strlen(argv[1]))
		return show_files(argc, argv);
	if (!mkdtemp(directory))
		die(directory);
	write_journal(directory);
	bytes = read_file(claw_journal_path(), &size);
	unlink(claw_journal_path());
	rmdir(directory);
	seed = make_seed(bytes, size, &seed_size);
	check_seed(bytes, size);
	check_seed(seed, seed_size);
	if (argc == 3 && strcmp(argv[1], "--write") == 0) {
		fuzz_write_seed(argv[2], "whole", seed, seed_size);
		fuzz_write_seed(argv[2], "cut", seed, seed_size * 2 / 3);
	} else {
		fuzz_run(&(struct fuzz_bytes) {
			.seed = seed, .size = seed_size,
			/* Two in three hit the header, where all decisions
			 * are made. */
			.reach = { header_bytes, header_bytes, 0 },
			.words = {
				0, 1, 63, 64, 65, 4096, 0x7fffffff, 0x80000000,
				0xffffffff, 0x100000000, INT64_MAX, UINT64_MAX,
				UINT64_MAX - 63, 1 << 16, 1 << 20, 1 << 24,
			},
		}, argc > 1 ? strtoul(argv[1], NULL, 10) : 20000,
		   argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
	}
	free(seed);
	free(bytes);
	return 0;
}

#endif
