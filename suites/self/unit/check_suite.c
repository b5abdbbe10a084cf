/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptions of suites, and what the command line names: what is accepted
 * and what comes of it, and that each mistake is told by its place. The same
 * for openclaw.yaml.
 */
#include "config.h"

#include "harness/cases/suite/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/session/session.h"
#include "harness/session/user_config.h"
#include "suites/self/lib/run_suite.h"

static char home[64];
static struct claw_suite *suite;
static struct claw_suite_error error;

static void write_file(const char *name, const char *text, mode_t mode)
{
	FILE *out = fopen(name, "w");

	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_int_eq(chmod(name, mode), 0);
}

#define KERNEL(header_)							\
	"/*!\n[config]\nkernel_name: k\nglobal_size: 4 0 0\n" header_	\
	"!*/\nkernel void k(global int *a) { a[0] = 1; }\n"
#define TEST(name_)							\
	"[test]\nname: " name_ "\narg_in: 0 buffer int[4] 0 0 0 0\n"

/* A directory of its own, so that all paths are short. */
static void setup(void)
{
	static const char script[] = "#!/bin/sh\n";

	snprintf(home, sizeof(home), "/tmp/check-suite.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(home));
	ck_assert_int_eq(chdir(home), 0);
	ck_assert_int_eq(mkdir("sub", 0777), 0);
	ck_assert_int_eq(mkdir("empty", 0777), 0);
	ck_assert_int_eq(mkdir("headless", 0777), 0);
	ck_assert_int_eq(mkdir("mixed", 0777), 0);
	write_file("k.clw", KERNEL(TEST("only")), 0666);
	write_file("two.clw", KERNEL(TEST("one") TEST("two")), 0666);
	write_file("sub/k.clw", KERNEL(TEST("only")), 0666);
	write_file("mixed/a.clw", KERNEL(TEST("only")), 0666);
	write_file("mixed/plain.cl", "kernel void k() {}\n", 0666);
	write_file("mixed/notes.txt", "not a kernel\n", 0666);
	write_file("planted.clw", KERNEL(
		"expect_finding: invalid-write global 7\ntimeout: 3s\n"
		"tags: bug slow\n" TEST("only")), 0666);
	write_file("known.clw", KERNEL("xfail: bug 7\n"
		"expect_fault: clw-gpu-crash\n" TEST("only")), 0666);
	write_file("bad.clw", KERNEL("colour: red\n" TEST("only")), 0666);
	write_file("plain.cl", "kernel void k() {}\n", 0666);
	write_file("headless/plain.cl", "kernel void k() {}\n", 0666);
	write_file("headless/plain.clw", "kernel void k() {}\n", 0666);
	write_file("s.sim", "", 0666);
	write_file("prog", script, 0777);
	write_file("notes.txt", "not a kernel\n", 0666);
	write_file("plan.yaml", "seed: 42\nfaults:\n- clFinish:oom-host\n"
		   "- clFlush:oom-host\n", 0666);
	write_file("bad-plan.yaml", "faults:\n- clFinish:oom-hosd\n", 0666);
	memset(&error, 0, sizeof(error));
	suite = NULL;
	unsetenv("OPENCLAW_KERNELS");
	unsetenv("OPENCLAW_SUITES");
	setenv("XDG_CONFIG_HOME", home, 1);
}

static void teardown(void)
{
	claw_suite_free(suite);
	ck_assert_int_eq(chdir("/"), 0);
	claw_directory_remove(home);
}

static int parse(const char *text)
{
	return claw_suite_parse("s.yaml", text, strlen(text), &suite, &error);
}

/* ---- what a suite says, in few words ---- */

static void write_list(FILE *out, const char *name, char *const *list)
{
	if (!list)
		return;
	fprintf(out, " %s=", name);
	for (char *const *text = list; *text; text++)
		fprintf(out, "%s%s", text == list ? "" : ",", *text);
}

static void write_needs(FILE *out, const struct claw_case_needs *needs)
{
	write_list(out, "extensions", needs->extensions);
	write_list(out, "programs", needs->programs);
	if (needs->memory_bytes)
		fprintf(out, " memory=%" PRIu64, needs->memory_bytes);
	if (needs->device_type)
		fprintf(out, " device=%s", needs->device_type);
}

static void write_expect(FILE *out, const struct claw_case_expect *expect)
{
	if (expect->has_exit)
		fprintf(out, " exit=%d", expect->exit_status);
	if (expect->fault)
		fprintf(out, " fault=%s", expect->fault);
	for (size_t i = 0; i < expect->finding_count; i++) {
		char *text = claw_expected_finding_text(&expect->findings[i]);

		fprintf(out, " %s=%s", expect->findings[i].is_optional ?
			"allow" : "finding", text);
		free(text);
	}
}

/* A path without the way to the test's directory. */
static const char *local(const char *path)
{
	size_t length = strlen(home);

	return strncmp(path, home, length) == 0 && path[length] == '/' ?
	       path + length + 1 : path;
}

static void write_case(FILE *out, const struct claw_suite_case *one)
{
	static const char *const kinds[] = {
		"frame", "clw", "sim", "libcheck", "command",
	};

	fprintf(out, "%s %s", kinds[one->kind], one->name);
	if (one->file)
		fprintf(out, " file=%s test=%s", local(one->file), one->test);
	for (char **word = one->words; word && *word; word++)
		fprintf(out, " <%s>", local(*word));
	if (one->proves)
		fprintf(out, " proves=%s", one->proves);
	if (one->expect_fail)
		fprintf(out, " xfail=%s", one->reason);
	if (one->fail_driver)
		fprintf(out, " on=%s", one->fail_driver);
	if (one->timeout_ms)
		fprintf(out, " timeout=%" PRIu64, one->timeout_ms);
	write_list(out, "under", one->only_under);
	write_list(out, "tags", one->tags);
	write_list(out, "faults", one->faults);
	if (one->seed)
		fprintf(out, " seed=%" PRIu64, one->seed);
	if (one->no_opencl)
		fputs(" opencl=none", out);
	write_needs(out, &one->needs);
	write_expect(out, &one->expect);
	fputc('\n', out);
}

static char *describe(void)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; i < suite->case_count; i++)
		write_case(out, &suite->cases[i]);
	fclose(out);
	return text;
}

static void says(const char *expected)
{
	char *text = describe();

	ck_assert_str_eq(text, expected);
	free(text);
}

/* ---- what is accepted ---- */

#define HEAD "name: s\ncases:\n"
#define PROGRAM "name: s\nprogram: prog\ncases:\n"

static const struct {
	const char *text, *cases;
} accepted[] = {
	{ PROGRAM "- name: a\n", "frame a\n" },
	{ PROGRAM "- {name: a}\n- {name: b.c-d_1}\n",
	  "frame a\nframe b.c-d_1\n" },
	{ PROGRAM "- {name: a, proves: it holds}\n",
	  "frame a proves=it holds\n" },
	{ PROGRAM "- {name: a, expect: fail, reason: bug 7}\n",
	  "frame a xfail=bug 7\n" },
	{ PROGRAM "- {name: a, xfail: bug 7}\n", "frame a xfail=bug 7\n" },
	{ PROGRAM "- {name: a, reason: none}\n", "frame a\n" },
	{ PROGRAM "- {name: a, only-under: [oclgrind, valgrind]}\n",
	  "frame a under=oclgrind,valgrind\n" },
	{ PROGRAM "- {name: a, under: native}\n", "frame a under=native\n" },
	{ PROGRAM "- {name: a, timeout: 1500ms}\n",
	  "frame a timeout=1500\n" },
	{ PROGRAM "- {name: a, tags: [fast, device]}\n",
	  "frame a tags=fast,device\n" },
	{ PROGRAM "- {name: a, tags: fast}\n", "frame a tags=fast\n" },
	{ PROGRAM "- {name: a, faults: 'clFinish:oom-host'}\n",
	  "frame a faults=clFinish:oom-host\n" },
	{ PROGRAM "- name: a\n  faults: [clFinish:oom-host, "
	  "'clFlush:oom-host:when=3+']\n",
	  "frame a faults=clFinish:oom-host,clFlush:oom-host:when=3..\n" },
	{ PROGRAM "- {name: a, faults: plan.yaml}\n",
	  "frame a faults=clFinish:oom-host,clFlush:oom-host seed=42\n" },
	{ PROGRAM "- {name: a, needs: {extension: cl_khr_fp64}}\n",
	  "frame a extensions=cl_khr_fp64\n" },
	{ PROGRAM "- {name: a, needs: {extensions: [b, c], memory: 512MiB, "
	  "device: gpu, programs: sh}}\n",
	  "frame a extensions=b,c programs=sh memory=536870912 device=gpu\n" },
	{ PROGRAM "- {name: a, expect: {finding: race}}\n",
	  "frame a finding=race\n" },
	{ PROGRAM "- {name: a, expect: {findings: [race, invalid-write local "
	  "7], allow: divergence}}\n",
	  "frame a finding=race finding=invalid-write local 7 "
	  "allow=divergence\n" },
	{ PROGRAM "- {name: a, expect: {fault: clw-gpu-crash}}\n",
	  "frame a fault=clw-gpu-crash\n" },
	{ "cases: [{name: a}]\nprogram: ./prog\nname: s\n", "frame a\n" },
	{ HEAD "- kernels: k.clw\n", "clw k file=k.clw test=k\n" },
	{ HEAD "- kernels: two.clw\n",
	  "clw two.one file=two.clw test=two.one\n"
	  "clw two.two file=two.clw test=two.two\n" },
	{ HEAD "- kernels: [k.clw, two.clw]\n  tags: x\n",
	  "clw k file=k.clw test=k tags=x\n"
	  "clw two.one file=two.clw test=two.one tags=x\n"
	  "clw two.two file=two.clw test=two.two tags=x\n" },
	{ HEAD "- kernels: '{k,sub/k}.clw'\n",
	  "clw k file=k.clw test=k\nclw sub.k file=sub/k.clw test=k\n" },
	{ HEAD "- kernels: sub\n", "clw k file=sub/k.clw test=k\n" },
	{ HEAD "- kernels: mixed\n", "clw a file=mixed/a.clw test=a\n" },
	{ HEAD "- kernels: '{plain.cl,k.clw}'\n", "clw k file=k.clw test=k\n" },
	{ HEAD "- kernels: 's*/*.clw'\n", "clw k file=sub/k.clw test=k\n" },
	{ HEAD "- kernels: planted.clw\n",
	  "clw planted file=planted.clw test=planted timeout=3000 "
	  "tags=bug,slow finding=invalid-write global 7\n" },
	{ HEAD "- kernels: planted.clw\n  timeout: 5s\n  tags: bug\n  expect: "
	  "{finding: race}\n",
	  "clw planted file=planted.clw test=planted timeout=5000 "
	  "tags=bug,slow finding=race finding=invalid-write global 7\n" },
	{ HEAD "- kernels: known.clw\n",
	  "clw known file=known.clw test=known xfail=bug 7 "
	  "fault=clw-gpu-crash\n" },
	{ HEAD "- kernels: known.clw\n  xfail: bug 8\n  expect: {fault: "
	  "clw-device-lost}\n",
	  "clw known file=known.clw test=known xfail=bug 8 "
	  "fault=clw-device-lost\n" },
	{ HEAD "- kernels: k.clw\n- {kernels: k.clw, name: again}\n",
	  "clw k file=k.clw test=k\nclw again.k file=k.clw test=k\n" },
	{ HEAD "- sim: s.sim\n", "sim s file=s.sim test=s\n" },
	{ HEAD "- sim: '*.sim'\n  needs: {program: sh}\n",
	  "sim s file=s.sim test=s programs=sh\n" },
	{ HEAD "- libcheck: ./prog\n", "libcheck prog <prog>\n" },
	{ HEAD "- libcheck: [prog, --x, '']\n  name: mine\n",
	  "libcheck mine <prog> <--x> <>\n" },
	{ HEAD "- libcheck: prog\n  opencl: none\n",
	  "libcheck prog <prog> opencl=none\n" },
	{ HEAD "- command: ./prog\n  name: c\n", "command c <prog>\n" },
	{ HEAD "- command: ./prog 'a b' \"c\\\"d\" e\\ f\n  name: c\n",
	  "command c <prog> <a b> <c\"d> <e f>\n" },
	{ HEAD "- command: [./prog, 'a b', \"$HOME\", '*']\n  name: c\n",
	  "command c <prog> <a b> <$HOME> <*>\n" },
	{ HEAD "- command: ./prog k*.clw '*'\n  name: c\n",
	  "command c <prog> <k.clw> <known.clw> <*>\n" },
	{ HEAD "- command: ./prog $CHECK_SUITE_WORDS\n  name: c\n",
	  "command c <prog> <one> <two>\n" },
	{ HEAD "- command: sh -c 'exit 3'\n  name: c\n  expect: {exit: 3}\n",
	  "command c <sh> <-c> <exit 3> exit=3\n" },
	{ HEAD "- command: [./not-built-yet]\n  name: c\n",
	  "command c <./not-built-yet>\n" },
	{ "name: s\ntimeout: 7s\ncases:\n- kernels: planted.clw\n",
	  "clw planted file=planted.clw test=planted timeout=3000 "
	  "tags=bug,slow finding=invalid-write global 7\n" },
	{ "name: s\ntimeout: 7s\nunder: native\ntags: all\nneeds: {program: "
	  "sh, memory: 1KiB}\nfaults: clFinish:oom-host\ncases:\n"
	  "- kernels: k.clw\n"
	  "- kernels: two.clw\n  timeout: 8s\n  under: [device]\n  tags: x\n"
	  "  needs: {memory: 2KiB}\n  faults: clFlush:oom-host\n",
	  "clw k file=k.clw test=k under=native tags=all "
	  "faults=clFinish:oom-host programs=sh memory=1024\n"
	  "clw two.one file=two.clw test=two.one timeout=8000 under=device "
	  "tags=x,all faults=clFlush:oom-host programs=sh memory=2048\n"
	  "clw two.two file=two.clw test=two.two timeout=8000 under=device "
	  "tags=x,all faults=clFlush:oom-host programs=sh memory=2048\n" },
	{ PROGRAM "- name: a\n- kernels: k.clw\n- libcheck: prog\n"
	  "- {command: ./prog, name: c}\n",
	  "frame a\nclw k file=k.clw test=k\nlibcheck prog <prog>\n"
	  "command c <prog>\n" },
	{ "\xef\xbb\xbf" PROGRAM "- name: a\r\n", "frame a\n" },
	{ "# words\n--- \n" PROGRAM "- &x {name: a}\n...\n", "frame a\n" },
};

START_TEST(suite__is_understood)
{
	setenv("CHECK_SUITE_WORDS", "one two", 1);
	ck_assert_msg(parse(accepted[_i].text) == 0, "%s: %s",
		      accepted[_i].text, error.message);
	ck_assert_uint_gt(suite->case_count, 0);
	if (accepted[_i].cases)
		says(accepted[_i].cases);
}
END_TEST

START_TEST(suite__has_its_own_words)
{
	ck_assert_int_eq(parse("name: s\nsummary: all of it\ntimeout: 5s\n"
			       "api-errors: expected\nprogram: ./prog\n"
			       "cases: [{name: a}]\n"), 0);
	ck_assert_str_eq(suite->name, "s");
	ck_assert_str_eq(suite->file, "s.yaml");
	ck_assert_str_eq(suite->summary, "all of it");
	ck_assert_uint_eq(suite->timeout_ms, 5000);
	ck_assert(suite->api_errors_expected);
	ck_assert_str_eq(local(suite->program), "prog");
	ck_assert_ptr_null(suite->cases[0].operand);
}
END_TEST

START_TEST(suite__command_starts_beside_its_description)
{
	static const char text[] = HEAD "- {command: ./prog s*, name: c}\n";

	ck_assert_int_eq(chdir("sub"), 0);
	ck_assert_msg(claw_suite_parse("../s.yaml", text, strlen(text),
				       &suite, &error) == 0, "%s",
		      error.message);
	ck_assert_str_eq(suite->cases[0].directory, home);
	says("command c <prog> <s.sim> <sub>\n");
}
END_TEST

START_TEST(kernels__are_found_in_a_strange_folder)
{
	ck_assert_int_eq(mkdir("a[1]*{b,c}", 0777), 0);
	ck_assert_int_eq(rename("k.clw", "a[1]*{b,c}/k.clw"), 0);
	ck_assert_msg(claw_suite_parse("a[1]*{b,c}/s.yaml", HEAD
				       "- kernels: '*.clw'\n",
				       strlen(HEAD "- kernels: '*.clw'\n"),
				       &suite, &error) == 0, "%s",
		      error.message);
	says("clw k file=a[1]*{b,c}/k.clw test=k\n");
}
END_TEST

START_TEST(kernels__of_ours_are_found_by_name)
{
	setenv("OPENCLAW_KERNELS", home, 1);
	ck_assert_int_eq(chdir("sub"), 0);
	ck_assert_int_eq(parse(HEAD "- kernels: 'kernels:two.clw'\n"), 0);
	ck_assert_uint_eq(suite->case_count, 2);
}
END_TEST

/* ---- what is refused ---- */

static const struct {
	const char *text, *message;
} refused[] = {
	{ "", "s.yaml:1:1: expected keys and values, found an empty file" },
	{ "# nothing\n",
	  "s.yaml:1:1: expected keys and values, found an empty file" },
	{ "- a\n",
	  "s.yaml:1:1: expected keys and values of a suite, found a list" },
	{ "a\n",
	  "s.yaml:1:1: expected keys and values of a suite, found \"a\"" },
	{ "name: s\ncolour: red\n",
	  "s.yaml:2:1: expected a key of a suite, found \"colour\"" },
	{ "nam: s\n", "s.yaml:1:1: expected a key of a suite, found \"nam\" "
	  "(did you mean name?)" },
	{ "name: s\nname: t\n",
	  "s.yaml:2:1: expected each key once, found \"name\" again" },
	{ "? [a]\n: b\n", "s.yaml:1:3: expected a key of a suite, found a "
	  "list" },
	{ "name: a b\n", "s.yaml:1:7: expected a name of letters, digits, _ "
	  "- and ., found \"a b\"" },
	{ "name: ../bad\n", "s.yaml:1:7: expected a name of letters, digits, "
	  "_ - and ., found \"../bad\"" },
	{ "name:\n", "s.yaml:1:6: expected a name, found nothing" },
	{ "name: [a]\n", "s.yaml:1:7: expected a name, found a list" },
	{ "name: \"a\\0b\"\n", "s.yaml:1:7: expected a name, found a NUL in "
	  "it" },
	{ "name: s\n", "s.yaml:1:1: expected a suite with cases, found none" },
	{ "cases: [{name: a}]\n",
	  "s.yaml:1:1: expected a suite with a name, found none" },
	{ "name: s\ncases: []\n",
	  "s.yaml:2:8: expected a list of cases, found an empty one" },
	{ "name: s\ncases: {a: b}\n",
	  "s.yaml:2:8: expected a list of cases, found a mapping" },
	{ "name: s\nprogram: gone\ncases: [{name: a}]\n",
	  "s.yaml:1:1: expected a program that can be executed, found none "
	  "for \"gone\"" },
	{ "name: s\nprogram: sub\ncases: [{name: a}]\n",
	  "s.yaml:1:1: expected a program that can be executed, found none "
	  "for \"sub\"" },
	{ "name: s\napi-errors: yes\n",
	  "s.yaml:2:13: expected the word expected, found \"yes\"" },
	{ "name: s\ntimeout: soon\n",
	  "s.yaml:2:10: expected a duration (\"30s\"), found \"soon\"" },
	{ "name: s\ntimeout: 0s\n",
	  "s.yaml:2:10: expected a duration (\"30s\"), found \"0s\"" },
	{ PROGRAM "- a\n",
	  "s.yaml:4:3: expected keys and values of a case, found \"a\"" },
	{ PROGRAM "- {nam: a}\n", "s.yaml:4:4: expected a key of a case, "
	  "found \"nam\" (did you mean name?)" },
	{ PROGRAM "- {kernel: k.clw}\n", "s.yaml:4:4: expected a key of a "
	  "case, found \"kernel\" (did you mean kernels?)" },
	{ PROGRAM "- {proves: a}\n",
	  "s.yaml:4:3: expected a case with a name, found none" },
	{ PROGRAM "- {name: a}\n- {name: a}\n",
	  "s.yaml:5:3: expected each case once, found \"a\" again" },
	{ PROGRAM "- {name: a, expect: fail}\n",
	  "s.yaml:4:3: expected the reason why it fails, found none" },
	{ PROGRAM "- {name: a, expect: pass}\n", "s.yaml:4:21: expected fail, "
	  "or keys and values of expect, found \"pass\"" },
	{ PROGRAM "- {name: a, xfail: x, reason: y}\n",
	  "s.yaml:4:31: expected one reason, found reason and xfail" },
	{ PROGRAM "- {name: a, expect: {exit: 1}}\n", "s.yaml:4:28: expected "
	  "an exit status of a command only, found one of something else" },
	{ PROGRAM "- {name: a, expect: {finding: rase}}\n", "s.yaml:4:31: "
	  "expected a kind of finding, found \"rase\" (did you mean race?)" },
	{ PROGRAM "- {name: a, expect: {finding: []}}\n",
	  "s.yaml:4:31: expected a list of findings, found an empty one" },
	{ PROGRAM "- {name: a, expect: {fault: oom}}\n", "s.yaml:4:29: "
	  "expected a diagnosis such as clw-out-of-memory, found \"oom\"" },
	{ PROGRAM "- {name: a, expect: {exits: 1}}\n", "s.yaml:4:22: expected "
	  "a key of expect, found \"exits\" (did you mean exit?)" },
	{ PROGRAM "- {name: a, under: oclgrnd}\n", "s.yaml:4:20: expected a "
	  "tool (native, oclgrind, valgrind, device ...), found \"oclgrnd\" "
	  "(did you mean oclgrind?)" },
	{ PROGRAM "- {name: a, under: native, only-under: native}\n",
	  "s.yaml:4:40: expected under once, found under and only-under" },
	{ PROGRAM "- {name: a, tags: [x y]}\n", "s.yaml:4:20: expected a name "
	  "of letters, digits, _ - and ., found \"x y\"" },
	{ PROGRAM "- {name: a, needs: gpu}\n",
	  "s.yaml:4:20: expected keys and values of needs, found \"gpu\"" },
	{ PROGRAM "- {name: a, needs: {gpu: 1}}\n",
	  "s.yaml:4:21: expected a key of needs, found \"gpu\"" },
	{ PROGRAM "- {name: a, needs: {memory: 512}}\n", "s.yaml:4:29: "
	  "expected a size with its unit (\"512MiB\"), found \"512\"" },
	{ PROGRAM "- {name: a, needs: {memory: 99999999TiB}}\n",
	  "s.yaml:4:29: expected a size with its unit (\"512MiB\"), found "
	  "\"99999999TiB\"" },
	{ PROGRAM "- {name: a, needs: {device: tpu}}\n", "s.yaml:4:29: "
	  "expected cpu, gpu or accelerator, found \"tpu\"" },
	{ PROGRAM "- name: a\n  faults: clFinish:oom-hosd\n",
	  "s.yaml:5:20: " },
	{ PROGRAM "- name: a\n  faults: ['clFinish:oom-hosd']\n",
	  "s.yaml:5:22: " },
	{ PROGRAM "- name: a\n  faults: clFinish\n", "s.yaml:5:19: " },
	{ PROGRAM "- {name: a, faults: []}\n",
	  "s.yaml:4:21: expected a list of faults, found an empty one" },
	{ PROGRAM "- {name: a, faults: 'preset:no-such-thing'}\n",
	  "s.yaml:4:21: " },
	{ PROGRAM "- {name: a, faults: gone.yaml}\n",
	  "s.yaml:4:21: ./gone.yaml: No such file or directory" },
	{ PROGRAM "- {name: a, faults: bad-plan.yaml}\n",
	  "s.yaml:4:21: ./bad-plan.yaml:2:12: " },
	{ PROGRAM "- {name: a, opencl: none}\n", "s.yaml:4:21: expected "
	  "opencl: none of a command or libcheck program only, found it "
	  "elsewhere" },
	{ HEAD "- name: a\n", "s.yaml:3:3: expected kernels, libcheck, command "
	  "or sim, found none, and the suite has no program" },
	{ HEAD "- {kernels: k.clw, libcheck: prog}\n", "s.yaml:3:30: expected "
	  "one of kernels, libcheck, command and sim, found two" },
	{ HEAD "- kernels: 'x*.clw'\n", "s.yaml:3:12: expected kernel files, "
	  "found none that match ./x*.clw" },
	{ HEAD "- kernels: gone.clw\n", "s.yaml:3:12: expected kernel files, "
	  "found none that match ./gone.clw" },
	{ HEAD "- kernels: notes.txt\n", "s.yaml:3:12: expected kernel files, "
	  "found none that match ./notes.txt" },
	{ HEAD "- kernels: empty\n", "s.yaml:3:12: expected kernel files, "
	  "found none that match ./empty" },
	{ HEAD "- kernels: s.sim\n", "s.yaml:3:12: expected kernel files, "
	  "found none that match ./s.sim" },
	{ HEAD "- kernels: plain.cl\n", "s.yaml:3:12: ./plain.cl" },
	{ HEAD "- kernels: bad.clw\n", "./bad.clw:5:1: " },
	{ HEAD "- kernels: [k.clw, '*k.clw']\n", NULL },
	{ HEAD "- sim: k.clw\n", "s.yaml:3:8: expected .sim files, found none "
	  "that match ./k.clw" },
	{ HEAD "- {sim: s.sim, faults: clFinish:oom-host}\n", "s.yaml:3:3: "
	  "expected no faults for .sim files, which make no OpenCL call, "
	  "found some" },
	{ HEAD "- libcheck: gone\n", "s.yaml:3:13: expected a libcheck "
	  "program, found none that can be executed at \"gone\"" },
	{ HEAD "- libcheck: []\n",
	  "s.yaml:3:13: expected a list of words, found an empty one" },
	{ HEAD "- {libcheck: prog, opencl: some}\n",
	  "s.yaml:3:28: expected none, found \"some\"" },
	{ HEAD "- {libcheck: prog, opencl: none, faults: clFinish:oom-host}\n",
	  "s.yaml:3:3: expected no faults where no OpenCL call is made, found "
	  "some" },
	{ HEAD "- {libcheck: prog}\n- {libcheck: prog}\n",
	  "s.yaml:4:3: expected each case once, found \"prog\" again" },
	{ HEAD "- command: ./prog\n",
	  "s.yaml:3:3: expected a name for the command, found none" },
	{ HEAD "- {name: c, command: ''}\n",
	  "s.yaml:3:22: expected a command, found nothing" },
	{ HEAD "- {name: c, command: ' '}\n",
	  "s.yaml:3:22: expected a program, found nothing" },
	{ HEAD "- {name: c, command: a | b}\n", "s.yaml:3:22: expected a "
	  "command, found one of | & ; < > ( ) { } that is not quoted (write "
	  "[sh, -c, \"...\"] for a shell's line)" },
	{ HEAD "- {name: c, command: a $(b)}\n", "s.yaml:3:22: expected a "
	  "command, found a command substitution (write [sh, -c, \"...\"] for "
	  "a shell's line)" },
	{ HEAD "- {name: c, command: $NO_SUCH_VARIABLE_X}\n", "s.yaml:3:22: "
	  "expected a command, found a variable that is not set" },
	{ HEAD "- {name: c, command: '\"a'}\n", "s.yaml:3:22: expected a "
	  "command, found something that a shell does not understand" },
	{ HEAD "- {name: c, command: {a: b}}\n",
	  "s.yaml:3:22: expected a list of words, found a mapping" },
	{ HEAD "- {name: c, command: prog, expect: {exit: 256}}\n",
	  "s.yaml:3:43: expected an exit status from 0 to 255, found \"256\"" },
	{ HEAD "- {name: c, command: prog, expect: {exit: -1}}\n",
	  "s.yaml:3:43: expected an exit status from 0 to 255, found \"-1\"" },
	{ "name: [\n", "s.yaml:2:1: expected YAML, found something else (" },
	{ "name: s\n\tcases: []\n", "s.yaml:2:1: expected YAML, found " },
	{ "name: \xff\n", "s.yaml:1:7: expected text in UTF-8, found " },
	{ "name: s\n---\nname: t\n",
	  "s.yaml:2:1: expected the end, found a second document" },
	{ "name: *x\n", "s.yaml:1:7: expected YAML, found something else (" },
};

START_TEST(suite__mistake_is_told_by_its_place)
{
	const char *expected = refused[_i].message;
	int ret = parse(refused[_i].text);

	ck_assert_msg(ret < 0, "accepted: %s", refused[_i].text);
	ck_assert_ptr_null(suite);
	ck_assert_uint_gt(strlen(error.message), 0);
	ck_assert_ptr_null(strchr(error.message, '\n'));
	if (expected)
		ck_assert_msg(strncmp(error.message, expected,
				      strlen(expected)) == 0,
			      "%sgot:      %s\nexpected: %s", refused[_i].text,
			      error.message, expected);
	/* A whole message, unless it goes on with somebody else's words. */
	if (expected && !strchr(" (", expected[strlen(expected) - 1]) &&
	    !strstr(expected, "plain.cl"))
		ck_assert_str_eq(error.message, expected);
}
END_TEST

START_TEST(suite__nesting_ends_at_once)
{
	static char text[1000000];

	memset(text, '[', sizeof(text) - 1);
	ck_assert_int_eq(parse(text), -CLAW_E_SYNTAX);
	memset(text, '-', sizeof(text) - 1);
	ck_assert_int_eq(parse(text), -CLAW_E_SYNTAX);
}
END_TEST

START_TEST(suite__too_many_rules_are_refused)
{
	size_t room = 8192, at;
	char *text = calloc(1, room);

	at = (size_t)snprintf(text, room, PROGRAM "- name: a\n  faults:\n");
	for (int i = 0; i < 257; i++)
		at += (size_t)snprintf(text + at, room - at,
				       "  - clFinish:oom-host\n");
	ck_assert_int_eq(parse(text), -CLAW_E_SYNTAX);
	ck_assert_ptr_nonnull(strstr(error.message,
				     "s.yaml:262:5: expected at most 256 "
				     "rules"));
	free(text);
}
END_TEST

/* ---- operands ---- */

static int read_operand(const char *operand)
{
	return claw_suite_read_operand(operand, &suite, &error);
}

START_TEST(operand__kernel_file_is_a_suite)
{
	ck_assert_msg(read_operand("two.clw") == 0, "%s", error.message);
	ck_assert_uint_eq(suite->headless, 0);
	ck_assert_str_eq(suite->name, home + strlen("/tmp/"));
	ck_assert_str_eq(suite->cases[1].operand, "two.clw");
	says("clw two.one file=two.clw test=two.one\n"
	     "clw two.two file=two.clw test=two.two\n");
}
END_TEST

START_TEST(operand__folder_is_searched_whole)
{
	unlink("bad.clw");
	ck_assert_msg(read_operand(".") == 0, "%s", error.message);
	ck_assert_uint_eq(suite->headless, 4);
	says("clw k file=k.clw test=k\n"
	     "clw known file=known.clw test=known xfail=bug 7 "
	     "fault=clw-gpu-crash\n"
	     "clw mixed.a file=mixed/a.clw test=a\n"
	     "clw planted file=planted.clw test=planted timeout=3000 "
	     "tags=bug,slow finding=invalid-write global 7\n"
	     "sim s file=s.sim test=s\n"
	     "clw sub.k file=sub/k.clw test=k\n"
	     "clw two.one file=two.clw test=two.one\n"
	     "clw two.two file=two.clw test=two.two\n");
}
END_TEST

START_TEST(operand__description_is_read)
{
	write_file("d.yaml", "name: other\ncases: [{kernels: k.clw}]\n", 0666);
	ck_assert_int_eq(read_operand("d.yaml"), 0);
	ck_assert_str_eq(suite->name, "other");
	ck_assert_str_eq(suite->cases[0].operand, "d.yaml");
}
END_TEST

static const struct { const char *operand, *message; } bad_operands[] = {
	{ "gone", "gone: No such file or directory (a suite is named with "
	  "--suite)" },
	{ "gone/x.clw", "gone/x.clw: No such file or directory" },
	{ "notes.txt", "notes.txt: expected a kernel file (.clw, .cl, "
	  ".program_test, .sim), a folder of them or a suite's description "
	  "(.yaml), found another file" },
	{ "empty", "empty: expected kernel files (.clw, .cl, .program_test, "
	  ".sim), found none" },
	{ "headless", "headless: expected kernel files, found 2 without a "
	  "header (\"openclaw init FILE.cl\" writes one)" },
	{ "bad.clw", "bad.clw:5:1: " },
	{ "plain.cl", "plain.cl" },
	{ "headless/plain.clw", "headless/plain.clw:1:1: expected a header" },
};

START_TEST(operand__mistake_is_told)
{
	const char *expected = bad_operands[_i].message;

	ck_assert_int_lt(read_operand(bad_operands[_i].operand), 0);
	ck_assert_ptr_null(suite);
	ck_assert_ptr_null(strchr(error.message, '\n'));
	ck_assert_msg(strncmp(error.message, expected, strlen(expected)) == 0,
		      "got: %s", error.message);
}
END_TEST

START_TEST(operand__bad_file_of_a_folder_is_a_case)
{
	const char *expected = "./bad.clw:5:1: ";
	size_t bad = 0;

	ck_assert_int_eq(read_operand("."), 0);
	for (size_t i = 0; i < suite->case_count; i++) {
		const struct claw_suite_case *one = &suite->cases[i];

		if (!one->problem)
			continue;
		bad++;
		ck_assert_str_eq(one->name, "bad.clw");
		ck_assert_msg(strncmp(one->problem, expected,
				      strlen(expected)) == 0, "got: %s",
			      one->problem);
	}
	ck_assert_uint_eq(bad, 1);
	ck_assert_uint_gt(suite->case_count, 1);
}
END_TEST

/* ---- openclaw.yaml ---- */

static bool has_name(char **names, const char *name)
{
	for (; names && *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

static void free_names(char **names)
{
	for (char **name = names; name && *name; name++)
		free(*name);
	free(names);
}

START_TEST(config__names_suites_from_below)
{
	char **names;

	ck_assert_int_eq(mkdir("suites", 0777), 0);
	write_file("suites/inner.yaml",
		   "name: inner\ncases: [{kernels: ../k.clw}]\n", 0666);
	write_file("outer.yaml", "name: outer\ncases: [{kernels: two.clw}]\n",
		   0666);
	write_file("openclaw.yaml", "logging: {level: info}\nmemory: {reserve_mb: 1}\n"
		   "suites: [suites, outer.yaml]\n", 0666);
	ck_assert_int_eq(chdir("sub"), 0);
	names = claw_suite_names();
	ck_assert(has_name(names, "inner"));
	ck_assert(has_name(names, "outer"));
	free_names(names);
	ck_assert_msg(claw_suite_read("inner", &suite, &error) == 0, "%s",
		      error.message);
	says("clw k file=k.clw test=k\n");
	claw_suite_free(suite);
	suite = NULL;
	ck_assert_int_eq(claw_suite_read("outer", &suite, &error), 0);
	ck_assert_uint_eq(suite->case_count, 2);
}
END_TEST

START_TEST(config__of_the_user_is_found)
{
	struct claw_user_config config;

	ck_assert_int_eq(mkdir("openclaw", 0777), 0);
	write_file("openclaw/openclaw.yaml", "suites: ../sub\n", 0666);
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(claw_user_config_read(&config, error.message,
					       sizeof(error.message)), 0);
	ck_assert_str_eq(local(config.path), "openclaw/openclaw.yaml");
	ck_assert_str_eq(local(config.suites[0]), "openclaw/../sub");
	claw_user_config_release(&config);
}
END_TEST

START_TEST(config__none_is_no_error)
{
	struct claw_user_config config;

	ck_assert_int_eq(claw_user_config_read(&config, error.message,
					       sizeof(error.message)), 0);
	ck_assert_ptr_null(config.suites);
	claw_user_config_release(&config);
}
END_TEST

static const struct { const char *text, *message; } bad_configs[] = {
	{ "", "1:1: expected keys and values, found an empty file" },
	{ "suite: []\n", "1:1: expected a key of openclaw.yaml, found \"suite\""
	  " (did you mean suites?)" },
	{ "suites: []\n", "1:9: expected a list of suites, found an empty "
	  "one" },
	{ "suites: [gone]\n", "1:10: expected a suite's description, or a "
	  "folder of them, found nothing at " },
	{ "suites: [k.clw]\n", "1:10: expected a file whose name ends in "
	  ".yaml, found \"k.clw\"" },
	{ "suites: {a: b}\n",
	  "1:9: expected a list of suites, found a mapping" },
	{ "logging: info\n", "1:10: expected keys and values of logging, "
	  "found \"info\"" },
	{ "logging: {level: loud}\n", "1:18: expected off, error, warn, info "
	  "or debug, found \"loud\"" },
	{ "logging: {level: debgu}\n", "1:18: expected off, error, warn, info "
	  "or debug, found \"debgu\" (did you mean debug?)" },
	{ "logging:\n  gpu_debg: true\n", "2:3: expected a key of logging, "
	  "found \"gpu_debg\" (did you mean gpu_debug?)" },
	{ "logging:\n  gpu_debug: 2\n", "2:14: expected true or false, found "
	  "\"2\"" },
	{ "logging:\n  crash_dump: [a]\n", "2:15: expected true or false, "
	  "found a list" },
	{ "logging:\n  crash_dump_path: ''\n", "2:20: expected a directory, "
	  "found " },
	{ "memory: {max_allocation_mb: 0}\n", "1:29: expected a number of MiB "
	  "from 1 to 1073741824, found \"0\"" },
	{ "memory: {max_allocation_mb: 1GiB}\n", "1:29: expected a number of "
	  "MiB from 1 to 1073741824, found \"1GiB\"" },
	{ "memory: {reserve_mb: -1}\n", "1:22: expected a number of MiB from 0 "
	  "to 1073741824, found \"-1\"" },
	{ "memory: {paging_enabled: maybe}\n", "1:26: expected true or false, "
	  "found \"maybe\"" },
	{ "memory: {max_alloc_mb: 1}\n", "1:10: expected a key of memory, "
	  "found \"max_alloc_mb\"" },
	{ "workload: {max_retry_attempts: many}\n", "1:32: expected a number "
	  "of attempts from 0 to 1000, found \"many\"" },
	{ "gpu_timeout_ms: 0\n", "1:17: expected a number of ms from 1 to "
	  "604800000, found \"0\"" },
	{ "enable_crash_recovery: 1\n", "1:24: expected true or false, found "
	  "\"1\"" },
	{ "suites: [", "" },
};

START_TEST(config__mistake_stops_every_suite)
{
	char expected[256], **names;

	write_file("openclaw.yaml", bad_configs[_i].text, 0666);
	snprintf(expected, sizeof(expected), "%s/openclaw.yaml:%s", home,
		 bad_configs[_i].message);
	names = claw_suite_names();
	ck_assert_ptr_nonnull(names);
	ck_assert_ptr_nonnull(names[0]);
	ck_assert_int_lt(claw_suite_read(names[0], &suite, &error), 0);
	ck_assert_msg(strncmp(error.message, expected, strlen(expected)) == 0,
		      "got: %s", error.message);
	free_names(names);
}
END_TEST

START_TEST(config__is_not_asked_with_openclaw_suites)
{
	char **names;

	write_file("openclaw.yaml", "nonsense\n", 0666);
	write_file("sub/one.yaml", "name: one\ncases: [{kernels: k.clw}]\n",
		   0666);
	setenv("OPENCLAW_SUITES", "sub", 1);
	names = claw_suite_names();
	ck_assert_str_eq(names[0], "one");
	ck_assert_ptr_null(names[1]);
	free_names(names);
	ck_assert_int_eq(claw_suite_read("one", &suite, &error), 0);
}
END_TEST

#define COUNT(list_) ((int)(sizeof(list_) / sizeof((list_)[0])))

int main(void)
{
	Suite *tests_of = suite_create("suite");
	TCase *tests = tcase_create("suite");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, suite__is_understood, 0, COUNT(accepted));
	tcase_add_test(tests, suite__has_its_own_words);
	tcase_add_test(tests, suite__command_starts_beside_its_description);
	tcase_add_test(tests, kernels__are_found_in_a_strange_folder);
	tcase_add_test(tests, kernels__of_ours_are_found_by_name);
	tcase_add_loop_test(tests, suite__mistake_is_told_by_its_place, 0,
			    COUNT(refused));
	tcase_add_test(tests, suite__nesting_ends_at_once);
	tcase_add_test(tests, suite__too_many_rules_are_refused);
	tcase_add_test(tests, operand__kernel_file_is_a_suite);
	tcase_add_test(tests, operand__folder_is_searched_whole);
	tcase_add_test(tests, operand__description_is_read);
	tcase_add_loop_test(tests, operand__mistake_is_told, 0,
			    COUNT(bad_operands));
	tcase_add_test(tests, operand__bad_file_of_a_folder_is_a_case);
	tcase_add_test(tests, config__names_suites_from_below);
	tcase_add_test(tests, config__of_the_user_is_found);
	tcase_add_test(tests, config__none_is_no_error);
	tcase_add_loop_test(tests, config__mistake_stops_every_suite, 0,
			    COUNT(bad_configs));
	tcase_add_test(tests, config__is_not_asked_with_openclaw_suites);
	suite_add_tcase(tests_of, tests);
	return run_suite(tests_of);
}
