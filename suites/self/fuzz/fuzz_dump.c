/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of dumps against bytes that nobody wrote, and what is made of
 * them: built with -DCLAW_LIBFUZZER -fsanitize=fuzzer it is libFuzzer's, built
 * plainly it reads mutations of a sound dump:
 *
 *	fuzz_dump [COUNT [SEED]]	that many mutations (default 20000, 1)
 *	fuzz_dump --write DIRECTORY	write the seeds, for libFuzzer
 *	fuzz_dump FILE...		read these, and say what is in them
 *
 * Where the last byte of an input is even, checks are put right first: a
 * fuzzer that has to guess them would see nothing of what is behind them.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

#include "harness/crash/dump/dump_frame.h"
#include "harness/base/errors.h"
#include "harness/readers/journal_reader.h"
#include "suites/self/lib/dump_maker.h"
#include "fuzz_bytes.h"
#include "suites/self/lib/trace_use.h"

enum { MOST_BYTES = 1 << 20 };

/* ---- checks put right */

static void mend(unsigned char *bytes, size_t size)
{
	unsigned char *at = bytes;
	size_t room = size;

	while (room > sizeof(struct claw_dump_frame) &&
	       (at = memmem(at, room, CLAW_DUMP_SYNC, CLAW_DUMP_SYNC_BYTES))) {
		struct claw_dump_frame frame;

		room = size - (size_t)(at - bytes);
		if (room < sizeof(frame))
			return;
		memcpy(&frame, at, sizeof(frame));
		room -= sizeof(frame);
		if (frame.stored <= room)
			frame.stored_check = (uint32_t)crc32_z(0,
				at + sizeof(frame), (size_t)frame.stored);
		frame.check = claw_dump_frame_check(&frame);
		memcpy(at, &frame, sizeof(frame));
		at += sizeof(frame);
	}
}

/* ---- what is done with a dump */

static void use_dump(const struct claw_dump *dump)
{
	use_must(json_is_object(dump->meta));
	use_must(!dump->whole || dump->damaged == 0);
	use_must(!dump->out || strlen(dump->out) <= dump->out_size);
	use_must(!dump->err || strlen(dump->err) <= dump->err_size);
	use_must(!dump->dmesg || strlen(dump->dmesg) <= dump->dmesg_size);
	use_bytes(dump->ledger, dump->ledger_size);
	use_bytes(dump->found, dump->found_size);
	for (size_t i = 0; i < dump->part_count; i++)
		use_must(*claw_dump_section_name(dump->parts[i].section));
	if (dump->journal)
		trace_sink = trace_sink +
			claw_journal_get_call_count(dump->journal);
	if (dump->trace)
		use_trace(dump->trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct claw_dump_limits limits = {
		.max_bytes = 16 << 20, .max_sections = 1000,
	};
	struct claw_dump *dump = NULL;
	unsigned char *copy;

	if (size == 0 || size > MOST_BYTES)
		return 0;
	copy = malloc(size);
	if (!copy)
		return 0;
	memcpy(copy, bytes, size);
	if (bytes[size - 1] % 2 == 0)
		mend(copy, size);
	if (claw_dump_read_memory(copy, size, &limits, &dump) == 0) {
		use_dump(dump);
		claw_dump_free(dump);
	}
	free(copy);
	return 0;
}

#ifndef CLAW_LIBFUZZER

static unsigned char *read_seed(const char *path, size_t *ret_size)
{
	FILE *file = fopen(path, "rb");
	unsigned char *seed = malloc(MOST_BYTES);

	if (!file || !seed)
		die(path);
	*ret_size = fread(seed, 1, MOST_BYTES - 1, file);
	fclose(file);
	seed[(*ret_size)++] = 0;	/* mend the checks */
	return seed;
}

static int add_texts(struct claw_dump_writer *writer, void *user)
{
	(void)user;
	claw_dump_write(writer, CLAW_DUMP_STDOUT, "1 2 3\n", 6);
	claw_dump_write(writer, CLAW_DUMP_LEDGER, "CLAWLEDG", 8);
	return claw_dump_write(writer, CLAW_DUMP_JOURNAL, "CLAWJRNL", 8);
}

static unsigned char *make_seed(size_t *ret_size)
{
	static struct made_trace made;
	char path[] = "/tmp/fuzz-dump.XXXXXX";
	unsigned char *seed;
	int fd = mkstemp(path);

	if (fd < 0)
		die(path);
	close(fd);
	made_program(&made);
	if (made_dump(&made, path, add_texts, NULL) != 0)
		die("fuzz_dump");
	seed = read_seed(path, ret_size);
	unlink(path);
	return seed;
}

/* The seed must be sound itself, or its mutations mean nothing. */
static void check_seed(const unsigned char *seed, size_t size)
{
	struct claw_dump *dump = NULL;

	/* Of the sections a journal that is none, and the byte behind it. */
	if (claw_dump_read_memory(seed, size, NULL, &dump) != 0 ||
	    dump->damaged != 2 || !dump->trace ||
	    dump->trace->call_count != 20 || !dump->trace->contents[0].bytes) {
		fprintf(stderr, "fuzz_dump: the seed is not sound\n");
		exit(1);
	}
	claw_dump_free(dump);
}

static int show_files(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct claw_dump *dump = NULL;
		int ret = claw_dump_read(argv[i], NULL, &dump);

		if (ret < 0) {
			printf("%s: error %d\n", argv[i], ret);
			continue;
		}
		use_dump(dump);
		printf("%s: %zu sections, %" PRIu32 " damaged, %s\n", argv[i],
		       dump->part_count, dump->damaged,
		       dump->whole ? "whole" : "not whole");
		claw_dump_free(dump);
	}
	return 0;
}

int main(int argc, char **argv)
{
	unsigned char *seed;
	size_t size;

	if (argc > 1 && argv[1][0] != '-' && strspn(argv[1], "0123456789") !=
					     strlen(argv[1]))
		return show_files(argc, argv);
	seed = make_seed(&size);
	check_seed(seed, size);
	if (argc == 3 && strcmp(argv[1], "--write") == 0) {
		fuzz_write_seed(argv[2], "whole", seed, size);
		fuzz_write_seed(argv[2], "cut", seed, size * 2 / 3);
	} else {
		fuzz_run(&(struct fuzz_bytes) {
			.seed = seed, .size = size,
			/* The first sections, or all. */
			.reach = { 512, 0, 0 },
			.words = {
				0, 1, 2, 3, 4, 8, 48, 64, 4096, 0x80000000,
				0xffffffff, 0x100000000, INT64_MAX, UINT64_MAX,
				UINT64_MAX - 47, 1 << 20,
			},
		}, argc > 1 ? strtoul(argv[1], NULL, 10) : 20000,
		   argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
	}
	free(seed);
	return 0;
}

#endif
