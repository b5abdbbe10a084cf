/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fault grammar: what is accepted and how it reads in canonical form,
 * what is refused, at which column and in what words.
 */
#include "config.h"

#include "faults/shared/plan.h"
#include "harness/sweep/sweep_kinds.h"
#include "suites/self/lib/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array_) (sizeof(array_) / sizeof((array_)[0]))

static struct claw_rule rule, again;
static struct claw_plan_error error;

/* Rules and their canonical form; NULL: the same. */
static const struct { const char *text, *canonical; } valid[] = {
	{ "clCreateBuffer:oom", NULL },
	{ "clCreateBuffer:oom:when=3", NULL },
	{ "@alloc:oom:when=5..", NULL },
	{ "@alloc:oom:when=5+", "@alloc:oom:when=5.." },
	{ "@alloc:oom:when=5+2", "@alloc:oom:when=5..+2" },
	{ "clCreateBuffer:oom:when=2..9+3", NULL },
	{ "clCreateBuffer:oom:when=4..4", "clCreateBuffer:oom:when=4" },
	{ "clCreateBuffer:delay=1s..3s:p=10%", NULL },
	{ "clCreateBuffer:delay=1500ms", NULL },
	{ "clCreateBuffer:delay=0.5s", "clCreateBuffer:delay=500ms" },
	{ "clCreateBuffer:delay=120s", "clCreateBuffer:delay=2m" },
	{ "clCreateBuffer:oom:delay=1us", NULL },
	{ "clCreateBuffer:delay=1us:oom", "clCreateBuffer:oom:delay=1us" },
	{ "clCreateBuffer:p=0.25%:oom", "clCreateBuffer:oom:p=0.25%" },
	{ "clCreateBuffer:error=CL_OUT_OF_RESOURCES", NULL },
	{ "clCreateBuffer:error=-5", "clCreateBuffer:error=CL_OUT_OF_RESOURCES" },
	{ "clCreateBuffer:oom-host:above=64MiB", NULL },
	{ "clCreateBuffer:oom:above=64M", "clCreateBuffer:oom:above=64MiB" },
	{ "clCreateBuffer:oom:above=1KB", "clCreateBuffer:oom:above=1000B" },
	{ "clCreateImage:oom:above=1GiB", NULL },
	{ "clCreatePipe:oom:above=1KiB", NULL },
	{ "@any:device-lost:after=30s", NULL },
	{ "@any:device-lost:recover=5s", NULL },
	{ "@any:device-lost:recover=context", NULL },
	{ "clEnqueueNDRangeKernel:hang:kernel=blur*:when=2",
	  "clEnqueueNDRangeKernel:hang:when=2:kernel=blur*" },
	{ "clEnqueueNDRangeKernel:hang=2s", NULL },
	{ "clEnqueue*:hang", NULL },
	{ "cl*Buf?er:oom", NULL },
	{ "clCreateBuffer:null", NULL },
	{ "clCreate*:null=handle", NULL },
	{ "clEnqueueMapBuffer:null=map", NULL },
	{ "clSetKernelArg:null=arg", NULL },
	{ "@any:null=arg,handle", "@any:null=handle,arg" },
	{ "clCreateBuffer:invalid-handle", NULL },
	{ "clBuildProgram:build-fail", NULL },
	{ "clBuildProgram:build-fail=log", "clBuildProgram:build-fail" },
	{ "@build:build-fail=no-log", NULL },
	{ "clFinish:driver-crash", NULL },
	{ "clEnqueueNDRangeKernel:gpu-crash", NULL },
	{ "clEnqueueTask:gpu-crash=illegal-access", "clEnqueueTask:gpu-crash" },
	{ "clEnqueueNDRangeKernel:gpu-crash=misaligned", NULL },
	{ "@enqueue:gpu-crash=trap", NULL },
	{ "clEnqueueNDRangeKernel:partial", NULL },
	{ "clEnqueueNDRangeKernel:partial=50%", "clEnqueueNDRangeKernel:partial" },
	{ "@any:partial=12.5%", NULL },
	{ "@transfer:ecc", NULL },
	{ "clEnqueueReadImage:ecc=uncorrectable", "clEnqueueReadImage:ecc" },
	{ "clEnqueueReadBuffer:ecc=correctable", NULL },
	{ "@transfer:pcie", NULL },
	{ "clEnqueueMapBuffer:pcie=2s", NULL },
	{ "@enqueue:throttle=4", NULL },
	{ "clEnqueueNDRangeKernel:throttle=1.5", NULL },
	{ "@enqueue:power=2", NULL },
	{ "@build:build-delay=1m", NULL },
	{ "@build:build-delay=0s", "@build:build-delay=0ns" },
	{ "@build:delay=1d", "@build:delay=24h" },
	{ "clFinish:break", NULL },
	{ "clCreateBuffer:oom:device=1:thread=2:times=3", NULL },
	{ "clCreateBuffer:oom:site=00ff", "clCreateBuffer:oom:site=ff" },
	{ "clCreateBuffer:oom:at=main", NULL },
	{ "clCreateBuffer:oom:at=tile.c:88", "clCreateBuffer:oom:at=\"tile.c:88\"" },
	{ "clCreateBuffer:oom:at=tile.c:88:when=2",
	  "clCreateBuffer:oom:when=2:at=\"tile.c:88\"" },
	{ "clCreateBuffer:oom:at=\"tile.c:88\"", NULL },
	{ "clCreateBuffer:oom:at=\"ns::tile<int>::make(int)\"", NULL },
	{ "clCreateBuffer:oom:at=\"odd \\\"name\\\" \\\\\"", NULL },
	{ "clCreateBuffer:oom:exe=worker*", NULL },
	{ "clCreateBuffer:oom:at=\"a;b\"", NULL },
	{ "clCreateBuffer:oom:pc=0123456789abcdef+0x10-0x20", NULL },
	{ "clSVMAlloc:oom", NULL },
	{ "clHostMemAllocINTEL:oom-host", NULL },
	{ "clReleaseMemObject:error=CL_OUT_OF_RESOURCES", NULL },
};

START_TEST(valid__rule_reads_in_canonical_form)
{
	const char *text = valid[_i].text;
	const char *canonical = valid[_i].canonical ? valid[_i].canonical : text;

	if (claw_rule_parse(text, false, &rule, &error))
		ck_abort_msg("%s refused: column %zu: %s", text, error.column,
			     error.message);
	ck_assert_str_eq(rule.text, canonical);
}
END_TEST

/* The canonical text is the same rule: it parses to itself. */
START_TEST(valid__canonical_form_is_stable)
{
	ck_assert_int_eq(claw_rule_parse(valid[_i].text, false, &rule, &error), 0);
	ck_assert_int_eq(claw_rule_parse(rule.text, false, &again, &error), 0);
	ck_assert_mem_eq(&rule, &again, sizeof(rule));
}
END_TEST

/* What is refused: the column, and a word of the message. */
static const struct { const char *text; size_t column; const char *word; } invalid[] = {
	{ "", 1, "found nothing" },
	{ ":", 1, "expected a function" },
	{ "clCreateBuffer", 15, "expected \":\"" },
	{ "clCreateBuffer:", 16, "expected an action" },
	{ "clCreateBuffer::oom", 16, "empty part" },
	{ "clCreateBuf:oom", 1, "did you mean clCreateBuffer?" },
	{ "clcreatebuffer:oom", 1, "did you mean clCreateBuffer?" },
	{ "clFrobnicate*:oom", 1, "matches none" },
	{ "@memory:oom", 1, "expected a group" },
	{ "@:oom", 1, "expected a group" },
	{ " clCreateBuffer:oom", 1, "expected an OpenCL function" },
	{ "clCreateBuffer:oomm", 16, "did you mean oom?" },
	{ "clCreateBuffer:delai=1s", 16, "did you mean delay?" },
	{ "clCreateBuffer:when=3", 22, "expected an action" },
	{ "clCreateBuffer:oom:oom", 20, "duplicate action" },
	{ "clCreateBuffer:oom:null", 20, "one fault a rule" },
	{ "clCreateBuffer:delay=1s:delay=2s", 25, "duplicate action" },
	{ "clCreateBuffer:oom:when=1:when=2", 27, "duplicate condition" },
	{ "clCreateBuffer:oom=5", 20, "expected no value" },
	{ "clCreateBuffer:error", 21, "expected \"=\"" },
	{ "clCreateBuffer:error=", 22, "expected a value" },
	{ "clCreateBuffer:error=CL_NONSENSE", 22, "expected an OpenCL error code" },
	{ "clCreateBuffer:error=CL_SUCCESS", 22, "CL_SUCCESS is none" },
	{ "clCreateBuffer:error=0", 22, "expected an OpenCL error code" },
	{ "clCreateBuffer:error=5", 22, "negative" },
	{ "clCreateBuffer:error=-12345", 22, "found -12345 (use --allow-illegal" },
	{ "clCreateBuffer:error=-99999999999", 22, "expected an OpenCL error code" },
	{ "clCreateBuffer:error=CL_INVALID_KERNEL", 22, "specification allows" },
	{ "clCreateBuffer:delay=5", 22, "as in \"500ms\", found the bare number" },
	{ "clCreateBuffer:delay=5sec", 22, "expected a unit" },
	{ "clCreateBuffer:delay=s", 22, "expected a duration" },
	{ "clCreateBuffer:delay=-1s", 22, "expected a duration" },
	{ "clCreateBuffer:delay=3s..1s", 22, "short to long" },
	{ "clCreateBuffer:delay=1s..", 26, "expected a duration" },
	{ "clCreateBuffer:delay=99999999999999h", 22, "too large" },
	{ "clCreateBuffer:oom:above=64", 26, "bare number" },
	{ "clCreateBuffer:oom:above=64MM", 26, "expected a unit" },
	{ "clFinish:delay=1s:above=1MiB", 1, "above= needs" },
	{ "clCreateBuffer:oom:when=0", 25, "from 1" },
	{ "clCreateBuffer:oom:when=x", 25, "from 1" },
	{ "clCreateBuffer:oom:when=5..2", 25, "low to high" },
	{ "clCreateBuffer:oom:when=5+0", 25, "step from 1" },
	{ "clCreateBuffer:oom:when=5-6", 26, "FIRST[..[LAST]]" },
	{ "clCreateBuffer:oom:when=99999999999999999999", 25, "from 1" },
	{ "clCreateBuffer:oom:p=10", 22, "percentage" },
	{ "clCreateBuffer:oom:p=101%", 22, "at most 100%" },
	{ "clCreateBuffer:oom:p=-1%", 22, "percentage" },
	{ "clCreateBuffer:oom:after=30", 26, "bare number" },
	{ "clCreateBuffer:oom:kernel=blur", 1, "kernel= needs" },
	{ "clCreateBuffer:oom:device=-1", 27, "device number" },
	{ "clGetPlatformIDs:oom-host:device=0", 1, "device= needs" },
	{ "clCreateBuffer:oom:thread=0", 27, "thread number" },
	{ "clCreateBuffer:oom:site=xyz", 25, "expected a site" },
	{ "clCreateBuffer:oom:site=0", 25, "expected a site" },
	{ "clCreateBuffer:oom:site=00112233445566778", 25, "expected a site" },
	{ "clCreateBuffer:oom:at=tile.c:8x", 30, "expected a fault" },
	{ "clCreateBuffer:oom:at=\"tile.c:x8\"", 23, "FILE:LINE" },
	{ "clCreateBuffer:oom:at=\"tile.c", 23, "closing" },
	{ "clCreateBuffer:oom:at=\"a\"b", 26, "after the quoted value" },
	{ "clCreateBuffer:oom:at=\"\"", 23, "expected a value" },
	{ "clCreateBuffer:oom:at=\"a\nb\"", 23, "control character" },
	{ "clCreateBuffer:oom:\"at\"", 20, "action or a condition" },
	{ "clCreateBuffer:oom:times=0", 26, "a number from 1" },
	{ "clCreateBuffer:oom:pc=0g+0x1-0x2", 23, "BUILDID" },
	{ "clCreateBuffer:oom:pc=00+0x2-0x1", 23, "BUILDID" },
	{ "clCreateBuffer:oom:recover=5s", 1, "belongs to device-lost" },
	{ "@any:device-lost:recover=5", 26, "bare number" },
	{ "clEnqueueNDRangeKernel:hang=5", 29, "bare number" },
	{ "clBuildProgram:build-fail=maybe", 27, "log or no-log" },
	{ "clCreateBuffer:build-fail", 1, "can happen" },
	{ "clEnqueueNDRangeKernel:gpu-crash=divide", 34, "illegal-access" },
	{ "clEnqueueReadBuffer:gpu-crash", 1, "can happen" },
	{ "clEnqueueNDRangeKernel:partial=0%", 32, "share of the work-items" },
	{ "clEnqueueNDRangeKernel:partial=100%", 32, "share" },
	{ "clEnqueueNDRangeKernel:partial=half", 32, "share" },
	{ "clEnqueueTask:partial", 1, "can happen" },
	{ "clEnqueueReadBuffer:ecc=always", 25, "correctable" },
	{ "clEnqueueWriteBuffer:ecc", 1, "can happen" },
	{ "clEnqueueCopyBuffer:pcie", 1, "can happen" },
	{ "@transfer:pcie=2", 16, "bare number" },
	{ "@enqueue:throttle", 18, "a factor" },
	{ "@enqueue:throttle=0", 19, "a factor from 1" },
	{ "@enqueue:power", 15, "a factor" },
	{ "@enqueue:throttle=4x", 19, "a factor from 1" },
	{ "@build:build-delay", 19, "a duration" },
	{ "@alloc:build-delay=1s", 1, "in none of" },
	{ "clCreateBuffer:null=pointer", 21, "handle, map or arg" },
	{ "clCreateBuffer:null=handle,", 28, "handle, map or arg" },
	{ "clCreateBuffer:null=map", 1, "can happen" },
	{ "clFinish:null", 1, "can happen" },
	{ "clFinish:invalid-handle", 1, "can happen" },
	{ "clReleaseMemObject:device-lost", 1, "can happen" },
	{ "clGetDeviceInfo:device-lost", 1, "can happen" },
	{ "clSVMFree:error=CL_OUT_OF_RESOURCES", 17, "specification allows" },
	{ "@query:build-fail", 1, "in none of" },
	{ "clCreateBuffer:gpu-melt", 16, "expected a fault" },
};

START_TEST(invalid__rule_is_refused_at_its_column)
{
	const char *text = invalid[_i].text;

	if (!claw_rule_parse(text, false, &rule, &error))
		ck_abort_msg("\"%s\" was accepted as %s", text, rule.text);
	ck_assert_msg(strstr(error.message, invalid[_i].word) != NULL,
		      "\"%s\": \"%s\" lacks \"%s\"", text, error.message,
		      invalid[_i].word);
	ck_assert_msg(error.column == invalid[_i].column,
		      "\"%s\": column %zu, expected %zu (%s)", text,
		      error.column, invalid[_i].column, error.message);
}
END_TEST

/* Values and whole rules that are too long end in a message, not in a cut. */
START_TEST(invalid__overlong_text_is_refused)
{
	static char text[3 * CLAW_RULE_TEXT_MAX];
	static const char head[] = "clCreateBuffer:oom:at=";

	memset(text, 'x', sizeof(text) - 1);
	memcpy(text, head, sizeof(head) - 1);
	ck_assert_int_ne(claw_rule_parse(text, false, &rule, &error), 0);
	ck_assert_ptr_nonnull(strstr(error.message, "longer than"));
	memset(text, 'x', sizeof(text) - 1);
	ck_assert_int_ne(claw_rule_parse(text, false, &rule, &error), 0);
	ck_assert_ptr_nonnull(strstr(error.message, "longer than"));
}
END_TEST

START_TEST(illegal__code_needs_consent)
{
	static const char text[] = "clCreateBuffer:error=-9999";

	ck_assert_int_ne(claw_rule_parse(text, false, &rule, &error), 0);
	ck_assert_int_eq(claw_rule_parse(text, true, &rule, &error), 0);
	ck_assert_str_eq(rule.text, text);
	ck_assert_int_eq(rule.error, -9999);
}
END_TEST

START_TEST(group__leaves_releases_out_of_failures)
{
	ck_assert_int_eq(claw_rule_parse("@any:oom", false, &rule, &error), 0);
	ck_assert(claw_rule_targets(&rule, CLAW_API_clCreateBuffer));
	ck_assert(!claw_rule_targets(&rule, CLAW_API_clReleaseMemObject));
	ck_assert_int_eq(claw_rule_parse("@any:delay=1ms", false, &rule, &error), 0);
	ck_assert(claw_rule_targets(&rule, CLAW_API_clReleaseMemObject));
}
END_TEST

START_TEST(oom__code_is_one_the_call_may_return)
{
	ck_assert_int_eq(claw_rule_parse("@any:oom", false, &rule, &error), 0);
	for (unsigned int api = 0; api < CLAW_API_COUNT; api++) {
		cl_int code = claw_rule_code(&rule, (enum claw_api)api);

		if (!claw_rule_targets(&rule, (enum claw_api)api))
			continue;
		ck_assert_msg(claw_api_allows((enum claw_api)api, code),
			      "%s: %d", claw_api_table[api].name, code);
	}
	ck_assert_int_eq(claw_rule_code(&rule, CLAW_API_clCreateBuffer),
			 CL_MEM_OBJECT_ALLOCATION_FAILURE);
	ck_assert_int_eq(claw_rule_code(&rule, CLAW_API_clFinish),
			 CL_OUT_OF_RESOURCES);
}
END_TEST

START_TEST(device_lost__spares_queries_and_releases)
{
	ck_assert_int_eq(claw_rule_parse("@any:device-lost", false, &rule,
					 &error), 0);
	for (unsigned int api = 0; api < CLAW_API_COUNT; api++)
		if (claw_rule_targets(&rule, (enum claw_api)api))
			ck_assert_msg(!(claw_api_table[api].groups &
					(CLAW_G_QUERY | CLAW_G_RELEASE)),
				      "%s", claw_api_table[api].name);
	ck_assert(claw_rule_targets(&rule, CLAW_API_clFinish));
	ck_assert_int_eq(claw_rule_code(&rule, CLAW_API_clCreateContext),
			 CL_DEVICE_NOT_AVAILABLE);
}
END_TEST

START_TEST(random__depends_on_its_key_alone)
{
	int buckets[10] = { 0 };

	ck_assert(claw_random(1, 2, 3, 0) == claw_random(1, 2, 3, 0));
	ck_assert(claw_random(1, 2, 3, 0) != claw_random(2, 2, 3, 0));
	ck_assert(claw_random(1, 2, 3, 0) != claw_random(1, 3, 3, 0));
	ck_assert(claw_random(1, 2, 3, 0) != claw_random(1, 2, 4, 0));
	ck_assert(claw_random(1, 2, 3, 0) != claw_random(1, 2, 3, 1));
	for (uint64_t i = 0; i < 100000; i++)
		buckets[(int)(claw_random(42, 0, i, 0) * 10)]++;
	for (int i = 0; i < 10; i++)
		ck_assert_msg(buckets[i] > 9500 && buckets[i] < 10500,
			      "bucket %d holds %d of 100000", i, buckets[i]);
}
END_TEST

/* What --kinds WORD tries at the function; the caller frees. */
static struct claw_sweep_kind *kinds_of(const char *word, bool hardening,
					enum claw_api api, size_t *count)
{
	const struct claw_strings words = { &word, word != NULL };
	const struct claw_strings modes = { .count = 0 };
	struct claw_sweep_kinds kinds;
	char text[256];

	ck_assert(claw_sweep_kinds_parse(&words, &modes, hardening, &kinds,
					 text, sizeof(text)) == 0);
	return claw_sweep_kinds_of(&kinds, api, false, count);
}

static void parse_kind(enum claw_api api, const struct claw_sweep_kind *kind)
{
	char text[CLAW_RULE_TEXT_MAX];

	snprintf(text, sizeof(text), "%s:%s", claw_api_table[api].name,
		 kind->action);
	ck_assert_msg(claw_rule_parse(text, false, &rule, &error) == 0, "%s",
		      text);
}

START_TEST(sweep__default_is_what_conforming_drivers_do)
{
	size_t all = 0;

	for (int i = 0; i < CLAW_API_COUNT; i++) {
		enum claw_api api = (enum claw_api)i;
		size_t count = 0;
		struct claw_sweep_kind *list = kinds_of(NULL, false, api,
							&count);

		for (size_t k = 0; k < count; k++) {
			parse_kind(api, &list[k]);
			ck_assert_msg(claw_fault_table[rule.fault].seen &&
				      !list[k].hardening, "%s", rule.text);
			/* NULL is all that a function without codes can say. */
			ck_assert_msg(claw_api_allows(api,
						claw_rule_code(&rule, api)) ||
				      (claw_api_table[api].fails_as ==
				       CLAW_POINTER &&
				       claw_api_find_param(api,
						CLAW_P_ERRCODE) < 0),
				      "%s", rule.text);
		}
		all += count;
		free(list);
	}
	ck_assert_msg(all > 300, "%zu", all);
}
END_TEST

START_TEST(sweep__what_no_driver_does_is_hardening_unless_named)
{
	static const struct {
		const char *word;
		bool option, has_default, has_null, hardening;
	} cases[] = {
		{ NULL, false, true, false, false },
		{ NULL, true, true, true, true },
		{ "+null", false, true, true, true },
		{ "null", false, false, true, false },
		{ "null", true, false, true, false },
		{ "oom", true, false, true, true },
		{ "+invalid-handle", false, true, false, false },
	};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		bool has_null = false, has_default = false, hardening = false;
		size_t count;
		struct claw_sweep_kind *list = kinds_of(cases[i].word,
			cases[i].option, CLAW_API_clCreateBuffer, &count);

		for (size_t k = 0; k < count; k++) {
			bool is_null = strcmp(list[k].action, "null") == 0;

			has_default = has_default ||
				strcmp(list[k].action, "oom-host") == 0;
			has_null = has_null || is_null;
			hardening = hardening || (is_null && list[k].hardening);
			parse_kind(CLAW_API_clCreateBuffer, &list[k]);
			ck_assert(!list[k].hardening ||
				  !claw_fault_table[rule.fault].seen);
		}
		ck_assert_msg(has_null == cases[i].has_null &&
			      has_default == cases[i].has_default &&
			      hardening == cases[i].hardening, "case %zu", i);
		free(list);
	}
}
END_TEST

static const struct { const char *pattern, *text; bool matches; } globs[] = {
	{ "*", "", true }, { "*", "x", true }, { "", "", true },
	{ "", "x", false }, { "a*c", "abc", true }, { "a*c", "ac", true },
	{ "a*c", "abd", false }, { "a?c", "abc", true }, { "a?c", "ac", false },
	{ "*ab*ab*", "xabyabz", true }, { "*ab*ab*", "xaby", false },
	{ "a**", "a", true }, { "[a]", "a", false },
};

START_TEST(glob__star_and_question_mark_only)
{
	ck_assert_msg(claw_glob_match(globs[_i].pattern, globs[_i].text) ==
		      globs[_i].matches, "%s on %s", globs[_i].pattern,
		      globs[_i].text);
}
END_TEST

/* What moves bytes has them somewhere: else nobody looks at that memory. */
START_TEST(table__transfers_say_what_they_touch)
{
	for (unsigned int api = 0; api < CLAW_API_COUNT; api++) {
		const struct claw_api_info *info = &claw_api_table[api];
		const struct claw_touch *touch = info->touches;

		if (!(info->groups & CLAW_G_TRANSFER) ||
		    !(info->groups & CLAW_G_ENQUEUE) ||
		    strstr(info->name, "Unmap") || strstr(info->name, "Migrate"))
			continue;
		ck_assert_msg(touch->kind, "%s touches nothing", info->name);
		for (unsigned int i = 0; i < CLAW_MAX_TOUCHES; i++, touch++)
			ck_assert_msg(!touch->kind || (touch->memory > 0 &&
				      touch->memory < info->param_count &&
				      touch->size > 0 &&
				      touch->size < info->param_count &&
				      touch->row < info->param_count &&
				      touch->slice < info->param_count),
				      "%s: touch %u", info->name, i);
	}
}
END_TEST

START_TEST(table__creations_of_memory_say_how_much)
{
	for (unsigned int i = 0; i < CLAW_API_COUNT; i++) {
		const struct claw_api_info *info = &claw_api_table[i];
		enum claw_api api = (enum claw_api)i;

		if (info->effect == CLAW_CREATES &&
		    info->groups & CLAW_G_ALLOC)
			ck_assert_msg(claw_api_find_param(api, CLAW_P_SIZE) >= 0 ||
				      claw_api_makes_image(api) ||
				      claw_api_find_param(api,
						CLAW_P_PACKET_SIZE) >= 0,
				      "%s", info->name);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("plan");
	TCase *tcase = tcase_create("rule");

	tcase_add_loop_test(tcase, valid__rule_reads_in_canonical_form, 0,
			    LENGTH(valid));
	tcase_add_loop_test(tcase, valid__canonical_form_is_stable, 0,
			    LENGTH(valid));
	tcase_add_loop_test(tcase, invalid__rule_is_refused_at_its_column, 0,
			    LENGTH(invalid));
	tcase_add_test(tcase, invalid__overlong_text_is_refused);
	tcase_add_test(tcase, illegal__code_needs_consent);
	tcase_add_test(tcase, group__leaves_releases_out_of_failures);
	tcase_add_test(tcase, oom__code_is_one_the_call_may_return);
	tcase_add_test(tcase, device_lost__spares_queries_and_releases);
	tcase_add_test(tcase, sweep__default_is_what_conforming_drivers_do);
	tcase_add_test(tcase,
		       sweep__what_no_driver_does_is_hardening_unless_named);
	tcase_add_test(tcase, random__depends_on_its_key_alone);
	tcase_add_loop_test(tcase, glob__star_and_question_mark_only, 0,
			    LENGTH(globs));
	tcase_add_test(tcase, table__transfers_say_what_they_touch);
	tcase_add_test(tcase, table__creations_of_memory_say_how_much);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
