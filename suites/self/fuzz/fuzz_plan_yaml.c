/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feed damaged plans to the YAML plan reader. Every answer has to be 0 or an error with one non-empty line; what is
 * accepted has to be canonical. Sanitizers see the rest.
 */
#include "config.h"

#include "harness/session/plan_yaml.h"

#include "fuzz_text.h"

const char *const fuzz_seeds[] = {
	"seed: 42\nfaults:\n  - clCreateBuffer:oom:when=3\n"
	"  - rule: \"@alloc:delay=1s..3s:p=10%\"\n",
	"faults: [ 'clFinish:error=CL_OUT_OF_RESOURCES', {rule: '@any:"
	"device-lost:after=30s'} ]\r\n",
	"\xef\xbb\xbf" "faults:\n- \"clCreateBuffer:oom:at=\\\"a.c:88\\\"\"\n",
	"--- !!map &a\nfaults: !!seq\n- |\n  clEnqueue*:null=handle,map,arg\n"
	"...\n---\n",
	"[[[[[[[[[[[[[[{{{{{{{{{{{{",
	NULL,
};

const char *const fuzz_words[] = {
	"faults:", "seed:", "rule:", "\n- ", "\n  ", "*a", "&a ", "? ", "---\n",
	"...\n", "\"", "'", "|\n", ">\n", "[", "]", "{", "}", "%YAML 1.1\n",
	"!!int ", "\\x00", "\\U0010ffff", "\r\n", "\xef\xbb\xbf", "\xff\xfe",
	"clCreateBuffer:oom", "@alloc", ":when=", "18446744073709551616",
	NULL,
};

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
