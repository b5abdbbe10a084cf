/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feed damaged device models to their reader. Every answer has to be 0 or an
 * error with one non-empty line; of what is accepted the guest has to
 * understand every line of what follows a fault. Sanitizers see the rest.
 *
 *	fuzz_model [ROUNDS [SEED [FILE...]]]	FILEs are further seeds
 *	fuzz_model --write DIRECTORY [FILE...]	write them all, for libFuzzer
 */
#include "config.h"

#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/session/model.h"

#include "fuzz_model.h"
#define FUZZ_OWN_MAIN
#include "fuzz_text.h"

enum { ROOM = 16384, MAX_SEEDS = 64 };

const char *const fuzz_seeds[] = {
	"name: {value: Ours, source: measured here}\n"
	"type: gpu\nversion: OpenCL 3.0 X\nmemory: 2GiB\nreserved: 5MiB\n"
	"pressure: 85%\nfragments: 3\nshrink: 10%\nshrink_every: 3s\n",
	"failure:\n  source: guess\n  states:\n"
	"    bad: {reach: queue, cure: 20ms, event: CL_COMPLETE, available: no,"
	" notice: '{error} on {index}'}\n"
	"    worse: {reach: device, cure: context, event: -5}\n"
	"    once: {reach: queue, cure: notice}\n"
	"  triggers:\n    - {on: gpu-crash, state: bad, error: -9999}\n"
	"    - {on: hang, state: worse, error: CL_MAP_FAILURE, after: 1s}\n"
	"    - {on: fork, state: worse, error: -9999}\n"
	"    - {on: user-event, state: once, error: -5}\n"
	"  calls:\n"
	"    - {state: bad, call: ['@enqueue', 'cl*Info', clFinish],"
	" noticed: no, blocking: yes, waits: no, queue: same, context: other, device: other, answer: error,"
	" status: CL_COMPLETE, notices: yes, tell: '{command} {device}'}\n"
	"    - {call: clSetKernelArg, says: -51, value: 'null', answer: -5}\n"
	"    - {call: clGetEventInfo, says: 0, shows: -1, status: -5}\n"
	"    - {call: clBuildProgram, says: 0, local: over, answer: -11}\n",
	"failure: {as: nvidia-h200, source: guess}\n",
	"--- !!map &a\nmemory: *a\nfailure: {states: {a: {}, b: {}}, triggers:"
	" [{on: ecc, state: a}], calls: [{state: b, call: '@any'}]}\n...\n",
	NULL,
};

const char *const fuzz_words[] = {
	"failure:", "states:", "triggers:", "calls:", "{", "}", "[", "]", ", ",
	": ", "\n", "\n  ", "\n    - ", "'", "\"", "|\n", ">\n", "*a", "&a ",
	"? ", "!!int ", "\\x00", "\\n", "\r\n", "\xef\xbb\xbf", "\xff",
	"state: bad", "on: pcie", "on: fork", "user-event", "notice", "gpu-crash=trap", "error", "as: ", "yes",
	"null", "CL_SUCCESS", "-2147483649", "18446744073709551616", "1e9",
	"GiB", "ms", "%", "OpenCL 1.2", "@any", "cl*", "=", "guess", "healthy",
	NULL,
};

static int input = -1;
static char word[64];

static void fail(const char *why, const char *what)
{
	fprintf(stderr, "%s: %s\n", why, what);
	abort();
}

static void put(const uint8_t *bytes, size_t size)
{
	if (input < 0)
		input = memfd_create("model", 0);
	if (input < 0 || ftruncate(input, 0) ||
	    pwrite(input, bytes, size, 0) != (ssize_t)size)
		fail("no input", "memfd");
	snprintf(word, sizeof(word), "/proc/self/fd/%d", input);
}

/* What the session is told, a line at a time. */
static void give_to_guest(char *text)
{
	struct fuzz_guest_lines lines = { 0 };

	fuzz_guest_begin();
	for (char *end; *text; text = end + 1) {
		end = strchr(text, '\n');
		if (!end)
			fail("a line without an end", text);
		*end = '\0';
		if (strncmp(text, "failure ", 8))
			continue;
		lines.states += !strncmp(text + 8, "state ", 6);
		lines.triggers += !strncmp(text + 8, "trigger ", 8);
		lines.answers += !strncmp(text + 8, "answer ", 7);
		fuzz_guest_read(text + 8);
	}
	if (!fuzz_guest_understood(&lines))
		fail("the guest understands", "something else");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *words[] = { word };
	char *text = NULL, error[1024] = "";
	struct claw_strings models = { words, 1 };
	int ret;

	put(bytes, size);
	ret = claw_models_compile(&models, &text, error, sizeof(error));
	if (ret != 0 && (!*error || strchr(error, '\n') ||
			 (ret == -CLAW_E_SYNTAX &&
			  strncmp(error, word, strlen(word)))))
		fail("bad error text", error);
	if (ret == 0)
		give_to_guest(text);
	free(text);
	return 0;
}

#ifndef CLAW_LIBFUZZER
static const char *seeds[MAX_SEEDS + 1];

static const char delimiters[] = " {}[],:'\n";

/* One of a text's words, anywhere. */
static size_t pick_word(const char *text, size_t size, size_t *ret_length)
{
	size_t at = size ? fuzz_next() % size : 0, end;

	while (at > 0 && !strchr(delimiters, text[at - 1]))
		at--;
	for (end = at; end < size && !strchr(delimiters, text[end]); end++)
		;
	*ret_length = end - at;
	return at;
}

/* Put another word in a word's place: most of these are still YAML. */
static size_t exchange(char *text, size_t size)
{
	const char *other = fuzz_pick(fuzz_next() % 4 ? seeds : fuzz_words);
	size_t length, gone, from = pick_word(other, strlen(other), &length);
	size_t at = pick_word(text, size, &gone);

	if (size - gone + length > ROOM)
		return size;
	memmove(text + at + length, text + at + gone, size - at - gone);
	memcpy(text + at, other + from, length);
	return size - gone + length;
}

static void add_file(const char *path, size_t at)
{
	static char texts[MAX_SEEDS][ROOM / 2];
	FILE *in = fopen(path, "r");

	if (!in || !fread(texts[at], 1, sizeof(*texts) - 1, in))
		fail("no seed", path);
	fclose(in);
	seeds[at] = texts[at];
}

int main(int argc, char **argv)
{
	uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
	char text[ROOM] = "";
	size_t count = 0;

	fuzz_state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	for (; fuzz_seeds[count]; count++)
		seeds[count] = fuzz_seeds[count];
	for (int i = 3; i < argc && count < MAX_SEEDS; i++)
		add_file(argv[i], count++);
	if (fuzz_did(argc, argv, seeds))
		return 0;
	for (uint64_t round = 0; round < rounds; round++) {
		const char *seed = fuzz_pick(seeds);
		size_t size = strlen(seed);

		memcpy(text, seed, size);
		for (uint64_t times = fuzz_next() % 4; times > 0; times--)
			size = exchange(text, size);
		if (round % 4 == 0)
			size = fuzz_damage(text, size, sizeof(text));
		LLVMFuzzerTestOneInput((const uint8_t *)text, size);
	}
	printf("%" PRIu64 " inputs read\n", rounds);
	return 0;
}
#endif
