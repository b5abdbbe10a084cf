/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Print what a dump holds as bytes: its text, then each section, a line with
 * its name before it. For tests that look for what must not be in there.
 *
 *	dump_dump FILE
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "harness/crash/dump/dump_frame.h"

/* The whole file, with a NUL behind it. */
static char *read_all(const char *path, size_t *ret_size)
{
	FILE *in = fopen(path, "rb");
	char *bytes = NULL;
	long size;

	if (!in || fseek(in, 0, SEEK_END) != 0 || (size = ftell(in)) < 0)
		return NULL;
	rewind(in);
	bytes = malloc((size_t)size + 1);
	if (bytes)
		*ret_size = fread(bytes, 1, (size_t)size, in);
	fclose(in);
	if (bytes)
		bytes[*ret_size] = '\0';
	return bytes;
}

static int print_section(const struct claw_dump_frame *frame, const char *bytes)
{
	const struct claw_dump_kind *kind = claw_dump_kind_get(frame->section);
	size_t size = (size_t)frame->bytes;
	char *whole;

	printf("\n[%s]\n", kind ? kind->name : "?");
	if (!(frame->flags & CLAW_DUMP_ZSTD))
		return fwrite(bytes, 1, (size_t)frame->stored, stdout) ==
			frame->stored ? 0 : -1;
	whole = malloc(size + 1);
	if (!whole || ZSTD_decompress(whole, size, bytes,
				      (size_t)frame->stored) != size) {
		free(whole);
		return -1;
	}
	fwrite(whole, 1, size, stdout);
	free(whole);
	return 0;
}

int main(int argc, char **argv)
{
	size_t size = 0;
	char *bytes = argc == 2 ? read_all(argv[1], &size) : NULL;
	const char *at = bytes ? strstr(bytes, CLAW_DUMP_MARKER) : NULL;
	unsigned int sections = 0;

	if (!at)
		return 2;
	at += strlen(CLAW_DUMP_MARKER);
	fwrite(bytes, 1, (size_t)(at - bytes), stdout);
	while (at + sizeof(struct claw_dump_frame) <= bytes + size) {
		struct claw_dump_frame frame;

		memcpy(&frame, at, sizeof(frame));
		at += sizeof(frame);
		if (memcmp(frame.sync, CLAW_DUMP_SYNC, CLAW_DUMP_SYNC_BYTES) ||
		    frame.stored > (size_t)(bytes + size - at) ||
		    print_section(&frame, at) < 0)
			return 1;
		at += frame.stored;
		sections++;
	}
	free(bytes);
	return sections ? 0 : 1;
}
