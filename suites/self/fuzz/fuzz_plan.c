/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feed damaged rules to the parser of the fault grammar. A refusal has to
 * have a column inside the text and a message of one line; what is accepted
 * has to be canonical and to parse to itself.
 */
#include "config.h"

#include "faults/shared/plan.h"

#include "fuzz_text.h"

const char *const fuzz_seeds[] = {
	"clCreateBuffer:oom:when=3..9+2:times=4",
	"@alloc:delay=1s..3s:p=10.5%:above=64MiB",
	"clEnqueue*:hang=2s:kernel=blur*:device=1:thread=2",
	"@any:device-lost:recover=context:after=30s:exe=worker?",
	"clSetKernelArg:null=handle,map,arg:site=00ff00ff00ff00ff",
	"clCreateBuffer:error=CL_OUT_OF_RESOURCES:at=\"ns::f(int) \\\"x\\\"\"",
	"clBuildProgram:build-fail=no-log:at=tile.c:88:when=2",
	"clCreateImage:invalid-handle:pc=0123456789abcdef+0x10-0x20:pc=00+0x1-0x2",
	"clFinish:error=-9999:delay=0.25ms",
	NULL,
};

const char *const fuzz_words[] = {
	":", "=", "\"", "\\", "..", "+", "*", "@any", ":when=", ":p=100%",
	"18446744073709551615", "18446744073709551616", "1e999", "0x", "-",
	":delay=", ":oom", ":at=\"", "%", "cl*", "CL_", "\xff", "\n", "GiB",
	":pc=", "+0x", "-0x", ".", ",", "handle", NULL,
};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct claw_rule rule, again;
	struct claw_plan_error error;
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, bytes, size);
	text[size] = '\0';
	if (claw_rule_parse(text, size % 2, &rule, &error)) {
		if (!error.column || error.column > strlen(text) + 1 ||
		    !*error.message)
			abort();
	} else if (claw_rule_parse(rule.text, size % 2, &again, &error) ||
		   memcmp(&rule, &again, sizeof(rule))) {
		fprintf(stderr, "not stable: %s -> %s\n", text, rule.text);
		abort();
	}
	free(text);
	return 0;
}
