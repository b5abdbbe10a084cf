/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feed damaged plans to the YAML plan reader. Without libFuzzer it changes
 * its seed plans by itself, from a fixed number, as often as it is told:
 *
 *	fuzz_plan_yaml [ROUNDS [SEED]]
 *
 * Every answer has to be 0 or an error with one non-empty line; what is
 * accepted has to be canonical. Sanitizers see the rest.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plan_yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char *const seeds[] = {
	"seed: 42\nfaults:\n  - clCreateBuffer:oom:when=3\n"
	"  - rule: \"@alloc:delay=1s..3s:p=10%\"\n",
	"faults: [ 'clFinish:error=CL_OUT_OF_RESOURCES', {rule: '@any:"
	"device-lost:after=30s'} ]\r\n",
	"\xef\xbb\xbf" "faults:\n- \"clCreateBuffer:oom:at=\\\"a.c:88\\\"\"\n",
	"--- !!map &a\nfaults: !!seq\n- |\n  clEnqueue*:null=handle,map,arg\n"
	"...\n---\n",
	"[[[[[[[[[[[[[[{{{{{{{{{{{{",
};

static const char *const words[] = {
	"faults:", "seed:", "rule:", "\n- ", "\n  ", "*a", "&a ", "? ", "---\n",
	"...\n", "\"", "'", "|\n", ">\n", "[", "]", "{", "}", "%YAML 1.1\n",
	"!!int ", "\\x00", "\\U0010ffff", "\r\n", "\xef\xbb\xbf", "\xff\xfe",
	"clCreateBuffer:oom", "@alloc", ":when=", "18446744073709551616",
};

static uint64_t state;

static uint64_t next_number(void)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return state >> 33;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct claw_plan_yaml plan = { 0 };
	char error[512] = "";
	int ret = claw_plan_yaml_parse("fuzz", (const char *)bytes, size, false,
				       &plan, error, sizeof(error));

	if (ret != 0 && (!*error || strchr(error, '\n'))) {
		fprintf(stderr, "bad error text: %s\n", error);
		abort();
	}
	for (size_t i = 0; ret == 0 && i < plan.count; i++) {
		struct claw_rule again;
		struct claw_plan_error why;

		if (claw_rule_parse(plan.rules[i].text, false, &again,
				    &why) != 0 ||
		    strcmp(again.text, plan.rules[i].text) != 0) {
			fprintf(stderr, "not canonical: %s\n",
				plan.rules[i].text);
			abort();
		}
	}
	claw_plan_yaml_release(&plan);
	return 0;
}

#ifndef CLAW_LIBFUZZER
static size_t damage(char *text, size_t size, size_t room)
{
	for (uint64_t times = next_number() % 8; times > 0; times--) {
		size_t at = size ? next_number() % size : 0;
		const char *word = words[next_number() %
			(sizeof(words) / sizeof(words[0]))];
		size_t length = strlen(word);

		switch (next_number() % 5) {
		case 0:
			if (size)
				text[at] = (char)next_number();
			break;
		case 1:
			size = at;
			break;
		case 2:
			if (size) {
				memmove(text + at, text + at + 1,
					size - at - 1);
				size--;
			}
			break;
		default:
			if (size + length > room)
				break;
			memmove(text + at + length, text + at, size - at);
			memcpy(text + at, word, length);
			size += length;
		}
	}
	return size;
}

int main(int argc, char **argv)
{
	uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
	char text[1024];

	state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	for (uint64_t round = 0; round < rounds; round++) {
		const char *seed = seeds[next_number() %
			(sizeof(seeds) / sizeof(seeds[0]))];
		size_t size = strlen(seed);
		char *exact;

		memcpy(text, seed, size);
		size = damage(text, size, sizeof(text));
		/* Of the very size, so that a sanitizer sees reads past it. */
		exact = malloc(size ? size : 1);
		if (!exact)
			return 1;
		memcpy(exact, text, size);
		LLVMFuzzerTestOneInput((const uint8_t *)exact, size);
		free(exact);
	}
	printf("%" PRIu64 " plans read\n", rounds);
	return 0;
}
#endif
