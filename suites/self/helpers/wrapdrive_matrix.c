/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every row of api.def with every kind of injection that it takes: runs
 * wrapdrive on the stub driver under the layer once for each and looks at what
 * the program was told and whether the driver was reached. TAP on stdout, one
 * test a function.
 *
 *	wrapdrive_matrix WRAPDRIVE LAYER VENDORS [FUNCTION]
 *
 * VENDORS is a directory with the stub's .icd file, and nothing else.
 * CLAW_TEST_VIA=icd: through the mock ICD, and no more than an error of each
 * function that a loader hands on.
 */
#include "config.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/shared/api.h"
#include "faults/shared/plan.h"

enum { LINE_BYTES = 1024, RULE_BYTES = 256, PAUSE_MS = 20, LIMIT_S = 20 };

static const char *wrapdrive, *layer, *vendors;
static bool via_icd;

/* What one run of wrapdrive said. */
struct answer {
	int wait_status;
	char text[LINE_BYTES];		/* the whole line, ms cut off */
	char result[64], errcode[64], event[64];
	unsigned long reached;
	long ms;
};

static unsigned int checks, problems;

__attribute__((format(printf, 3, 4)))
static void check(bool good, const char *rule, const char *format, ...)
{
	va_list args;

	checks++;
	if (good)
		return;
	problems++;
	printf("# %s: ", rule);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

static void child(const char *function, const char *rule, bool layered,
		  bool null_errcode, int out)
{
	const struct rlimit no_core = { 0, 0 };

	dup2(out, STDOUT_FILENO);
	setrlimit(RLIMIT_CORE, &no_core);	/* crashes are wanted here */
	alarm(LIMIT_S);
	setenv("OCL_ICD_VENDORS", vendors, 1);
	unsetenv("OPENCL_LAYERS");
	unsetenv("OPENCLAW_SESSION");
	unsetenv("OPENCLAW_FAULTS");
	if (layered && via_icd) {
		setenv("OPENCLAW_ICD_TARGET", vendors, 1);
		setenv("OCL_ICD_VENDORS", layer, 1);
	} else if (layered) {
		setenv("OPENCL_LAYERS", layer, 1);
	}
	if (rule)
		setenv("OPENCLAW_FAULTS", rule, 1);
	if (null_errcode)
		execl(wrapdrive, wrapdrive, "--null-errcode", function,
		      (char *)NULL);
	else
		execl(wrapdrive, wrapdrive, function, (char *)NULL);
	_exit(127);
}

static void read_field(const char *line, const char *name, char *to,
		       size_t room)
{
	const char *at = strstr(line, name);
	size_t length;

	to[0] = '\0';
	if (!at)
		return;
	at += strlen(name);
	length = strcspn(at, "\t\n");
	if (length >= room)
		length = room - 1;
	memcpy(to, at, length);
	to[length] = '\0';
}

static void parse_answer(struct answer *answer)
{
	char number[64], *end;

	read_field(answer->text, "\tresult=", answer->result,
		   sizeof(answer->result));
	read_field(answer->text, "\terrcode=", answer->errcode,
		   sizeof(answer->errcode));
	read_field(answer->text, "\tevent=", answer->event,
		   sizeof(answer->event));
	read_field(answer->text, "\treached=", number, sizeof(number));
	answer->reached = strtoul(number, NULL, 10);
	read_field(answer->text, "\tms=", number, sizeof(number));
	answer->ms = strtol(number, NULL, 10);
	end = strstr(answer->text, "\tms=");
	if (end)
		*end = '\0';
}

static struct answer run(const char *function, const char *rule, bool layered,
			 bool null_errcode)
{
	struct answer answer;
	size_t used = 0;
	int ends[2];
	pid_t pid;

	memset(&answer, 0, sizeof(answer));
	fflush(stdout);
	if (pipe(ends) < 0 || (pid = fork()) < 0) {
		perror("wrapdrive_matrix");
		exit(99);
	}
	if (pid == 0) {
		close(ends[0]);
		child(function, rule, layered, null_errcode, ends[1]);
	}
	close(ends[1]);
	while (used < sizeof(answer.text) - 1) {
		ssize_t got = read(ends[0], answer.text + used,
				   sizeof(answer.text) - 1 - used);

		if (got <= 0)
			break;
		used += (size_t)got;
	}
	close(ends[0]);
	waitpid(pid, &answer.wait_status, 0);
	parse_answer(&answer);
	return answer;
}

static bool exited_well(const struct answer *answer)
{
	return WIFEXITED(answer->wait_status) &&
	       WEXITSTATUS(answer->wait_status) == 0;
}

static bool rule_is_legal(const char *text, struct claw_rule *ret_rule)
{
	struct claw_plan_error error;

	return claw_rule_parse(text, false, ret_rule, &error) == 0;
}

/* The call failed with that code, by its kind, and nothing else happened. */
static void check_failed(enum claw_api api, const char *rule, cl_int code,
			 bool null_errcode)
{
	const struct claw_api_info *info = &claw_api_table[api];
	bool has_errcode = claw_api_find_param(api, CLAW_P_ERRCODE) >= 0 &&
			   !null_errcode;
	bool has_event = claw_api_find_param(api, CLAW_P_EVENT_OUT) >= 0;
	struct answer got = run(info->name, rule, true, null_errcode);
	const char *name = claw_code_name(code);

	check(claw_api_allows(api, code), rule, "%s is not legal", name);
	check(exited_well(&got), rule, "wait status %d", got.wait_status);
	check(strcmp(got.result, info->fails_as == CLAW_STATUS ? name :
		     "NULL") == 0, rule, "result %s", got.result);
	check(strcmp(got.errcode, has_errcode ? name : "none") == 0, rule,
	      "errcode %s", got.errcode);
	check(strcmp(got.event, has_event ? "untouched" : "none") == 0, rule,
	      "event %s", got.event);
	check(got.reached == 0, rule, "the driver was reached");
}

static void try_errors(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];
	char rule[RULE_BYTES];

	for (size_t i = 0; i < (via_icd && info->code_count ? 1 :
				info->code_count); i++) {
		const char *name = claw_code_name(info->codes[i]);

		check(name != NULL, info->name, "%d has no name",
		      info->codes[i]);
		if (!name)
			continue;
		snprintf(rule, sizeof(rule), "%s:error=%s", info->name, name);
		check_failed(api, rule, info->codes[i], false);
		if (i == 0 && claw_api_find_param(api, CLAW_P_ERRCODE) >= 0)
			check_failed(api, rule, info->codes[i], true);
	}
}

/* Faults that choose a code by themselves. */
static void try_coded(enum claw_api api, const char *fault)
{
	struct claw_rule parsed;
	char rule[RULE_BYTES];

	snprintf(rule, sizeof(rule), "%s:%s", claw_api_table[api].name, fault);
	if (rule_is_legal(rule, &parsed))
		check_failed(api, rule, claw_rule_code(&parsed, api), false);
}

static void try_delay(enum claw_api api, const struct answer *plain)
{
	char rule[RULE_BYTES];
	struct answer got;

	snprintf(rule, sizeof(rule), "%s:delay=%dms", claw_api_table[api].name,
		 PAUSE_MS);
	got = run(claw_api_table[api].name, rule, true, false);
	check(strcmp(got.text, plain->text) == 0, rule, "%s", got.text);
	check(got.ms >= PAUSE_MS, rule, "took %ld ms", got.ms);
}

static void try_null(enum claw_api api, const struct answer *plain)
{
	const struct claw_api_info *info = &claw_api_table[api];
	bool has_errcode = claw_api_find_param(api, CLAW_P_ERRCODE) >= 0;
	bool maps = info->groups & CLAW_G_TRANSFER;
	struct claw_rule parsed;
	char rule[RULE_BYTES];
	struct answer got;

	snprintf(rule, sizeof(rule), "%s:null", info->name);
	if (!rule_is_legal(rule, &parsed))
		return;
	got = run(info->name, rule, true, false);
	check(exited_well(&got), rule, "wait status %d", got.wait_status);
	if (info->fails_as == CLAW_STATUS) {	/* a NULL argument */
		check(strcmp(got.text, plain->text) == 0, rule, "%s",
		      got.text);
		return;
	}
	check(strcmp(got.result, "NULL") == 0, rule, "result %s", got.result);
	check(strcmp(got.errcode, has_errcode ? "CL_SUCCESS" : "none") == 0,
	      rule, "errcode %s", got.errcode);
	check(got.reached == (maps ? plain->reached : 0), rule, "reached %lu",
	      got.reached);
}

static void try_invalid_handle(enum claw_api api)
{
	struct claw_rule parsed;
	char rule[RULE_BYTES];
	struct answer got;

	snprintf(rule, sizeof(rule), "%s:invalid-handle",
		 claw_api_table[api].name);
	if (!rule_is_legal(rule, &parsed))
		return;
	got = run(claw_api_table[api].name, rule, true, false);
	check(exited_well(&got), rule, "wait status %d", got.wait_status);
	check(strcmp(got.result, "handle") == 0, rule, "result %s", got.result);
	check(strcmp(got.errcode, "CL_SUCCESS") == 0, rule, "errcode %s",
	      got.errcode);
	check(got.reached == 0, rule, "the driver was reached");
}

/* A hang that ends: either the call took that long and failed, or it is a
 * command that was swallowed and looks enqueued, however long that took. */
static void try_hang(enum claw_api api, const struct answer *plain)
{
	const struct claw_api_info *info = &claw_api_table[api];
	char rule[RULE_BYTES];
	struct answer got;
	cl_int code;

	snprintf(rule, sizeof(rule), "%s:hang=%dms", info->name, PAUSE_MS);
	got = run(info->name, rule, true, false);
	check(exited_well(&got), rule, "wait status %d", got.wait_status);
	check(got.reached == 0, rule, "the driver was reached");
	if (info->groups & CLAW_G_ENQUEUE &&
	    strcmp(got.result, plain->result) == 0) {
		check(strcmp(got.event, plain->event) == 0, rule, "event %s",
		      got.event);
		return;
	}
	check(got.ms >= PAUSE_MS, rule, "took %ld ms", got.ms);
	if (info->fails_as == CLAW_STATUS && info->code_count) {
		check(claw_code_find(got.result, strlen(got.result),
				     &code) == 0 &&
		      claw_api_allows(api, code), rule, "result %s",
		      got.result);
	} else if (info->fails_as == CLAW_HANDLE) {
		check(strcmp(got.result, "NULL") == 0, rule, "result %s",
		      got.result);
	}
}

static void try_signal(enum claw_api api, const char *fault, int signal)
{
	char rule[RULE_BYTES];
	struct answer got;

	snprintf(rule, sizeof(rule), "%s:%s", claw_api_table[api].name, fault);
	got = run(claw_api_table[api].name, rule, true, false);
	check(WIFSIGNALED(got.wait_status) &&
	      WTERMSIG(got.wait_status) == signal, rule, "wait status %d",
	      got.wait_status);
}

static void try_all(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];
	struct answer plain = run(info->name, NULL, false, false);
	struct answer layered = run(info->name, NULL, true, false);

	check(exited_well(&plain), info->name, "without a layer: status %d",
	      plain.wait_status);
	check(info->fails_as != CLAW_STATUS ||
	      strcmp(plain.result, "CL_SUCCESS") == 0, info->name,
	      "without a layer: %s", plain.text);
	check(info->fails_as == CLAW_STATUS ||
	      strcmp(plain.result, "NULL") != 0, info->name,
	      "without a layer: %s", plain.text);
	check(strcmp(plain.text, layered.text) == 0, info->name,
	      "under an idle layer: %s", layered.text);
	try_errors(api);
	if (via_icd)
		return;
	try_coded(api, "oom");
	try_coded(api, "oom-host");
	try_coded(api, "build-fail");
	try_coded(api, "device-lost");
	try_delay(api, &plain);
	try_null(api, &plain);
	try_invalid_handle(api);
	try_hang(api, &plain);
	try_signal(api, "driver-crash", SIGSEGV);
	try_signal(api, "break", SIGTRAP);
}

int main(int argc, char **argv)
{
	bool failed = false;
	unsigned int count = 0;

	if (argc < 4) {
		fprintf(stderr, "usage: wrapdrive_matrix WRAPDRIVE LAYER "
			"VENDORS [FUNCTION]\n");
		return 2;
	}
	wrapdrive = argv[1];
	layer = argv[2];
	vendors = argv[3];
	via_icd = getenv("CLAW_TEST_VIA") &&
		  strcmp(getenv("CLAW_TEST_VIA"), "icd") == 0;
	for (int api = 0; api < CLAW_API_COUNT; api++) {
		const char *name = claw_api_table[api].name;

		if (argc > 4 && strcmp(argv[4], name) != 0)
			continue;
		if (via_icd && (api == CLAW_API_clGetPlatformIDs ||
				api == CLAW_API_clUnloadCompiler))
			continue;	/* the loader answers */
		checks = problems = 0;
		try_all((enum claw_api)api);
		failed |= problems != 0;
		printf("%sok %u - %s: %u checks\n", problems ? "not " : "",
		       ++count, name, checks);
	}
	printf("1..%u\n", count);
	return failed || count == 0;
}
