/* SPDX-License-Identifier: Apache-2.0 */
/* See cmd_repro.h. */
#include "config.h"

#include "cmd_repro.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/crash/emit/emit.h"
#include "harness/crash/emit/emit_clw.h"
#include "harness/crash/emit/emit_plan.h"
#include "harness/session/called.h"
#include "harness/session/fault_plan.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"

/* ---- before anything runs --------------------------------------------- */

static void check_directory(const char *path)
{
	if (mkdir(path, 0777) == 0 || (errno == EEXIST && rmdir(path) == 0)) {
		rmdir(path);
		return;
	}
	claw_die(CLAW_EXIT_USAGE, "repro: --emit-c: expected a new or an empty "
		 "directory, found %s: %s", path, strerror(errno));
}

static void check_file(const char *option, const char *path, bool is_new)
{
	struct stat status;

	if (stat(path, &status) < 0)
		return;
	if (is_new || !S_ISREG(status.st_mode))
		claw_die(CLAW_EXIT_USAGE, "repro: --%s: %s exists already",
			 option, path);
}

static void check_not_itself(const char *small, const char *dump_path)
{
	struct stat one, other;

	if (small && stat(small, &one) == 0 && stat(dump_path, &other) == 0 &&
	    one.st_dev == other.st_dev && one.st_ino == other.st_ino)
		claw_die(CLAW_EXIT_USAGE, "repro: --output: %s is the dump "
			 "itself, which stays as it is", small);
}

void claw_exporting_check(const struct claw_exporting *exporting,
			  const char *dump_path, bool has_program)
{
	if (has_program && claw_exporting_is_wanted(exporting))
		claw_die(CLAW_EXIT_USAGE, "repro: --%s applies to a replay, "
			 "found a program", exporting->minimise ? "minimise" :
			 exporting->c ? "emit-c" : exporting->plan ?
			 "emit-plan" : "emit-test");
	if (exporting->max_steps != CLAW_STEPS_NOT_SAID &&
	    !exporting->minimise)
		claw_die(CLAW_EXIT_USAGE, "repro: --max-steps needs "
			 "--minimise");
	if (exporting->max_steps != CLAW_STEPS_NOT_SAID &&
	    (!exporting->max_steps || exporting->max_steps > UINT32_MAX))
		claw_die(CLAW_EXIT_USAGE, "repro: option --max-steps: expected "
			 "a number from 1 to %u, found \"%" PRIu64 "\"", UINT32_MAX,
			 exporting->max_steps);
	if (exporting->minimise && exporting->output) {
		check_not_itself(exporting->output, dump_path);
		check_file("output", exporting->output, false);
	}
	if (exporting->c)
		check_directory(exporting->c);
	if (exporting->plan)
		check_file("emit-plan", exporting->plan, true);
	if (exporting->test)
		check_file("emit-test", exporting->test, true);
}

/* ---- a smaller one ---------------------------------------------------- */

static void say_progress(unsigned int step,
			 const struct claw_minimise_size *size, void *user)
{
	(void)user;
	fprintf(stderr, "\r%u replays: %u calls, %u launches\033[K", step,
		size->calls, size->launches);
	fflush(stderr);
}

static void die_of(int error, const char *what)
{
	claw_die(CLAW_EXIT_INFRA, "%s: %s", what, error == -CLAW_E_IO ?
		 strerror(errno) : claw_error_text(error));
}

/* -CLAW_E_NOT_FOUND: the whole does not show it now. */
static int find_smaller(struct claw_exporting *e, bool is_flaky)
{
	bool is_terminal = isatty(STDERR_FILENO);
	const struct claw_minimise_spec spec = {
		.replay = *e->replay, .crash = e->crash,
		.is_flaky = is_flaky,
		.max_steps = e->max_steps == CLAW_STEPS_NOT_SAID ? 0 :
			(unsigned int)e->max_steps,
		.progress = is_terminal ? say_progress : NULL,
	};
	int ret = claw_minimise(&spec, &e->minimised);

	if (is_terminal)
		fputs("\r\033[K", stderr);
	if (ret < 0 && ret != -CLAW_E_NOT_FOUND)
		die_of(ret, "repro: --minimise");
	return ret;
}

static void write_smaller(struct claw_exporting *e)
{
	int ret;

	e->name = e->output ? claw_strdup(e->output) :
			      claw_smaller_name(e->path);
	check_not_itself(e->name, e->path);
	e->smaller = (struct claw_smaller) {
		.dump = e->dump, .dump_path = e->path, .crash = e->crash,
		.minimised = &e->minimised, .path = e->name,
	};
	claw_smaller_find_left_out(&e->smaller);
	ret = claw_smaller_write(&e->smaller);
	if (ret < 0)
		die_of(ret, e->name);
}

void claw_exporting_minimise(struct claw_exporting *e,
			     struct claw_repro *repro)
{
	int ret;

	if (repro->verdict != CLAW_REPRO_REPRODUCED)
		return;
	if (find_smaller(e, repro->hits < repro->runs) < 0) {
		repro->verdict = CLAW_REPRO_NOT;
		return;
	}
	write_smaller(e);
	ret = claw_smaller_check(&e->smaller, e->replay);
	if (ret == 0)
		return;
	unlink(e->name);
	if (ret != -CLAW_E_NOT_FOUND)
		die_of(ret, e->name);
	free(e->name);
	e->name = NULL;
	repro->verdict = CLAW_REPRO_NOT;
}

json_t *claw_exporting_json(const struct claw_exporting *exporting)
{
	return exporting->name ? claw_smaller_json(&exporting->smaller) : NULL;
}

void claw_exporting_print(const struct claw_exporting *exporting)
{
	if (exporting->name)
		claw_smaller_print(&exporting->smaller, stdout);
	else
		puts("  minimise: not reproduced, so nothing was written");
}

/* ---- the other files -------------------------------------------------- */

static void write_c(const struct claw_exporting *e,
		    const struct claw_trace *trace, FILE *out)
{
	int ret = claw_emit_c(e->dump, trace, e->crash, claw_base_name(e->path),
			      e->c);
	char **rules;

	if (ret == -CLAW_E_EXISTS)
		claw_die(CLAW_EXIT_USAGE, "repro: --emit-c: %s is not empty",
			 e->c);
	if (ret < 0)
		die_of(ret, e->c);
	fprintf(out, "%s: a C program of %u calls; make -C %s show\n", e->c,
		trace->call_count, e->c);
	rules = claw_replay_rules(trace, e->dump);
	if (rules && *rules)
		fputs("  it fails only under openclaw, which injects the "
		      "captured failure\n", out);
	claw_list_free(rules);
}

/* What was captured, whether it was minimised or not: it is for the program. */
static bool write_plan(const struct claw_exporting *e, FILE *out)
{
	size_t count = 0;
	char *quoted;
	int ret = claw_emit_plan(e->dump, e->crash, claw_base_name(e->path),
				 e->plan, &count);

	if (ret == -CLAW_E_NOT_FOUND) {
		claw_warn("repro: --emit-plan: no captured failure can be "
			  "injected: no plan written");
		return false;
	}
	if (ret < 0)
		die_of(ret, e->plan);
	quoted = claw_shell_quote(e->plan);
	fprintf(out, "%s: a plan of %zu rule%s; next: %s inject --plan %s -- "
		"PROGRAM\n", e->plan, count, count == 1 ? "" : "s",
		claw_called(), quoted);
	free(quoted);
	return true;
}

static bool write_test(const struct claw_exporting *e,
		       const struct claw_trace *trace, FILE *out)
{
	struct claw_emit_clw spec = {
		.dump = e->dump, .trace = trace, .launch = e->crash->launch,
		.crash = e->crash, .name = claw_base_name(e->path),
		.path = e->test, .replay = e->replay,
	};
	char *why = NULL, *quoted;
	int ret;

	/* Numbers of calls are the whole trace's. */
	if (trace != e->dump->trace)
		spec.launch = claw_emit_find(trace, e->dump->trace,
					     e->crash->launch);
	ret = claw_emit_clw(&spec, &why);
	if (ret < 0)
		die_of(ret, e->test);
	quoted = claw_shell_quote(e->test);
	if (why)
		claw_warn("repro: --emit-test: %s: no test written", why);
	else
		fprintf(out, "%s: a test of the launch of %s; next: %s test "
			"%s%s\n", e->test, claw_trace_kernel_name(trace,
				claw_trace_launched(
					&trace->calls[spec.launch - 1])),
			claw_called(),
			spec.wants_tool ? "--under oclgrind " : "", quoted);
	free(quoted);
	free(why);
	return !why;
}

int claw_exporting_write(const struct claw_exporting *e, FILE *out, int status)
{
	const struct claw_trace *trace = e->name ? e->minimised.trace :
		e->dump->trace;
	bool is_all = true;

	if (e->minimise && !e->name)
		return status;
	if (e->c)
		write_c(e, trace, out);
	if (e->plan)
		is_all = write_plan(e, out) && is_all;
	if (e->test)
		is_all = write_test(e, trace, out) && is_all;
	return is_all || status != CLAW_EXIT_CLEAN ? status :
		CLAW_EXIT_UNKNOWN;
}

void claw_exporting_release(struct claw_exporting *exporting)
{
	claw_minimised_release(&exporting->minimised);
	claw_list_free(exporting->smaller.left_out);
	free(exporting->name);
}
