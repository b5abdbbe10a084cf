/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feed damaged texts of batch.json to their reader. Every answer has to be 0 or
 * an error with a text; what is accepted has numbers that a batch can have, and
 * is the same when it is written and read again. Sanitizers see the rest.
 */
#include "config.h"

#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/batch/batch_private.h"
#include "harness/files/outside_file.h"

#include "fuzz_text.h"

const char *const fuzz_seeds[] = {
	"{\"v\":1,\"id\":\"7f\",\"started\":\"2024-01-01T00:00:00Z\","
	"\"verb\":\"sweep\",\"cwd\":\"/tmp\",\"program\":\"/bin/openclaw\","
	"\"on\":\"slurm:array=4,pieces=9,partition=gpu\",\"command\":[\"sweep\","
	"\"--\",\"./a\"],\"words\":[\"--seed\",\"7\"],\"operands\":[\"./a\"],"
	"\"own\":[],\"tasks\":4,\"pieces\":9}",
	"{\"v\":1,\"id\":\"\",\"started\":\"\",\"verb\":\"test\",\"cwd\":\"\","
	"\"program\":\"\",\"on\":\"local\",\"command\":[],\"words\":[],"
	"\"operands\":[],\"own\":[\"\\u00e4\"],\"tasks\":1,\"pieces\":1}",
	"[[[[[[[[[[[[[[{{{{{{{{{{{{",
	NULL,
};

const char *const fuzz_words[] = {
	"\"v\":2", "null", "-1", "0", "100000", "100001", "1e308",
	"9223372036854775807", "18446744073709551616", "{}", "[]", "[7]",
	"\\u0000", "\\ud800", "\xff", "\n", "\"", ",", "}", ":", "kubernetes",
	"\"verb\":\"run\"", "\"verb\":\"explore\"", "nodelist=n[1,2]", "tasks=",
	"local:pieces=3", "\"on\":\"\"", "\\n\\n",
	NULL,
};

static void refuse(const char *what, const char *text)
{
	fprintf(stderr, "%s: %s\n", what, text);
	abort();
}

static void check_list(char *const *a, char *const *b)
{
	for (; a && b && *a && *b; a++, b++)
		if (strcmp(*a, *b) != 0)
			refuse("another text in a list", *b);
	if ((a && *a) || (b && *b))
		refuse("another list", "");
}

static void check_again(struct claw_batch *batch)
{
	char directory[] = "/tmp/fuzz-batch.XXXXXX", error[1024] = "", *text;
	struct claw_batch again = { .directory = NULL };
	char *path;
	size_t size;

	batch->directory = claw_strdup_or_null(mkdtemp(directory));
	path = claw_batch_path(batch, "batch.json");
	if (claw_batch_write(batch) < 0 ||
	    claw_outside_read(path, 0, 16 << 20, &text, &size) < 0 ||
	    claw_batch_parse(&again, text, size, error, sizeof(error)) < 0)
		refuse("not written and read", error);
	if (strcmp(batch->id, again.id) != 0 ||
	    strcmp(batch->verb, again.verb) != 0 ||
	    strcmp(batch->cwd, again.cwd) != 0 ||
	    strcmp(batch->started, again.started) != 0 ||
	    strcmp(batch->program, again.program) != 0 ||
	    strcmp(batch->on, again.on) != 0 ||
	    batch->tasks != again.tasks || batch->pieces != again.pieces)
		refuse("another batch", text);
	check_list(batch->command, again.command);
	check_list(batch->words, again.words);
	check_list(batch->operands, again.operands);
	check_list(batch->own, again.own);
	claw_batch_release(&again);
	unlink(path);
	rmdir(directory);
	free(text);
	free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct claw_batch batch = { .directory = NULL };
	char error[1024] = "";
	int ret = claw_batch_parse(&batch, (const char *)bytes, size, error,
				   sizeof(error));

	if (ret != 0 && !*error)
		refuse("no error text", "");
	if (ret == 0) {
		if (batch.tasks < 1 || batch.tasks > CLAW_BATCH_TASKS_MAX ||
		    batch.pieces < 1 || batch.pieces > CLAW_BATCH_PIECES_MAX)
			refuse("numbers that no batch has", batch.on);
		check_again(&batch);
	}
	claw_batch_release(&batch);
	return 0;
}
