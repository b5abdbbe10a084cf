/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feed damaged descriptions of suites to their reader, the same bytes to the
 * readers of libcheck's log and of case results. Every answer has to be 0 or
 * an error with one non-empty line; what is accepted has cases with names of
 * their own. Sanitizers see the rest.
 */
#include "config.h"

#include <unistd.h>

#include "harness/cases/suite/case_report.h"
#include "harness/files/libcheck_xml.h"
#include "harness/cases/suite/suite.h"

#include "fuzz_text.h"

const char *const fuzz_seeds[] = {
	"name: s\nsummary: all\nprogram: /bin/sh\ntimeout: 30s\n"
	"api-errors: expected\nunder: [native, oclgrind]\ntags: fast\n"
	"needs: {extensions: [a, b], memory: 512MiB, device: gpu, program: "
	"sh}\nfaults: clFinish:oom-host\ncases:\n- name: a\n  proves: it\n"
	"  expect: {finding: [invalid-write global 12, race], allow: race, "
	"fault: clw-gpu-crash}\n- {name: b, expect: fail, reason: why}\n"
	"- {name: c, xfail: why}\n",
	"name: s\ncases:\n- kernels: 'x*.clw'\n- sim: [a.sim]\n"
	"- libcheck: [/bin/sh, -c]\n  opencl: none\n"
	"- name: c\n  command: sh -c 'exit 3'\n  expect: {exit: 3}\n"
	"  faults: ['preset:no', \"@alloc:oom:when=3+\"]\n",
	"[[[[[[{{{{{{",
	"<?xml version=\"1.0\"?>\n<testsuites xmlns=\"http://check.source"
	"forge.net/ns\"><datetime>x</datetime><suite><title>S</title>"
	"<test result=\"success\"><path>.</path><fn>a.c:4</fn><id>t</id>"
	"<iteration>0</iteration><duration>0.5</duration><description>c"
	"</description><message>Passed &lt;</message></test>"
	"<test result=\"error\"><id>t</id></test></suite><suite><title>T"
	"</title><test result=\"failure\"><id>t</id></test></suite>"
	"</testsuites>",
	"case\ts\ta\nfact\tdevice\ta \\t stub\nmetric\tms\t3\n"
	"test\tt\tFAILED\t5\ta.c:4\tgot\\n1\t\n"
	"finding\trace\tglobal\tk\ta.clw\t12\t3\t4\twords\n"
	"code\tclw-gpu-crash\twords\nskip\twhy\nend\ta\t1\t1\n",
	NULL,
};

const char *const fuzz_words[] = {
	"name:", "cases:", "kernels:", "libcheck:", "command:", "sim:",
	"expect:", "needs:", "faults:", "\n- ", "\n  ", "*a", "&a ", "? ",
	"---\n", "\"", "'", "|\n", "[", "]", "{", "}", "!!int ", "\r\n",
	"\xef\xbb\xbf", "\xff\xfe", "clFinish:oom", "18446744073709551616",
	"TiB", "$HOME", "$(", "`", "~", "\\", "<test>", "</test>", "</id>",
	"&#x1;", "<![CDATA[", "]]>", "<!DOCTYPE x [<!ENTITY a \"b\">]>", "&a;",
	"\t", "\n", "end\t", "test\t", "finding\t", "\\n",
	NULL,
};

static void check_error(int ret, const char *error)
{
	if (ret == 0 || (*error && !strchr(error, '\n')))
		return;
	fprintf(stderr, "bad error text: %s\n", error);
	abort();
}

static void read_suite(const char *bytes, size_t size)
{
	struct claw_suite_error error = { "" };
	struct claw_suite *suite = NULL;
	int ret = claw_suite_parse("fuzz", bytes, size, &suite, &error);

	check_error(ret, error.message);
	for (size_t i = 0; ret == 0 && i < suite->case_count; i++)
		for (size_t j = 0; j <= i; j++)
			if (!suite->cases[i].name ||
			    (j < i && strcmp(suite->cases[i].name,
					     suite->cases[j].name) == 0)) {
				fprintf(stderr, "two cases of one name\n");
				abort();
			}
	claw_suite_free(suite);
}

static void read_log(const char *bytes, size_t size)
{
	struct claw_libcheck_log log = { .count = 0 };
	char error[256] = "";
	int ret = claw_libcheck_parse(bytes, size, &log, error, sizeof(error));

	check_error(ret, error);
	for (size_t i = 0; i < log.count; i++)
		if (!log.tests[i].id || !log.tests[i].message ||
		    !log.tests[i].name || strchr(log.tests[i].name, '\n') ||
		    !log.tests[i].file || !log.tests[i].tcase)
			abort();
	claw_libcheck_log_release(&log);
}

static void read_report(const char *bytes, size_t size)
{
	char path[] = "/tmp/fuzz-suite.XXXXXX";
	int fd = mkstemp(path);
	struct claw_case_report report;

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	close(fd);
	claw_case_report_read(path, &report);
	unlink(path);
	for (size_t i = 0; i < report.test_count; i++)
		if (!report.tests[i].name || !report.tests[i].message)
			abort();
	claw_case_report_release(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	read_suite((const char *)bytes, size);
	read_log((const char *)bytes, size);
	read_report((const char *)bytes, size);
	return 0;
}
