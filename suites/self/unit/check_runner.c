/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process runner against programs that behave badly: how an end is told,
 * what is kept of the output, and that nothing is left running.
 */
#include "config.h"

#include "harness/process/runner.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/interrupt.h"
#include "harness/files/outside_file.h"
#include "harness/records/records.h"
#include "suites/self/lib/run_suite.h"

static const char *program(void)
{
	const char *path = getenv("OPENCLAW_TEST_MISBEHAVE");

	return path ? path : "./misbehave";
}

static char directory[] = "/tmp/check-runner.XXXXXX";
static char pid_file[256];

static void setup(void)
{
	memcpy(directory + sizeof(directory) - 7, "XXXXXX", 6);
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(pid_file, sizeof(pid_file), "%s/pid", directory);
}

static void teardown(void)
{
	unlink(pid_file);
	rmdir(directory);
}

static void run(const char *mode, const char *argument,
		struct claw_run_spec spec, struct claw_run_result *ret)
{
	char *argv[] = { (char *)program(), (char *)mode, (char *)argument,
			 NULL };

	spec.argv = argv;
	if (spec.timeout_ms == 0)
		spec.timeout_ms = 20000;
	ck_assert_int_eq(claw_run_once(&spec, ret), 0);
}

static pid_t read_pid(void)
{
	FILE *file = fopen(pid_file, "r");
	int pid = 0;

	ck_assert_msg(file != NULL, "the program wrote no pid");
	ck_assert_int_eq(fscanf(file, "%d", &pid), 1);
	fclose(file);
	return pid;
}

static void assert_gone(pid_t pid)
{
	ck_assert_msg(kill(pid, 0) < 0 && errno == ESRCH,
		      "process %d is still there", (int)pid);
}

START_TEST(end__exit_status_is_told)
{
	struct claw_run_result result;

	run("exit", "42", (struct claw_run_spec) { 0 }, &result);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_int_eq(result.code, 42);
	ck_assert_uint_eq(result.stragglers_killed, 0);
	ck_assert(!result.drain_expired);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(end__signal_is_told)
{
	struct claw_run_result result;

	run("kill-self", "11", (struct claw_run_spec) { .no_core = true },
	    &result);
	ck_assert_int_eq(result.end, CLAW_END_SIGNAL);
	ck_assert_int_eq(result.code, SIGSEGV);
	ck_assert(!result.core_dumped);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(end__stopped_child_has_not_ended)
{
	struct claw_run_result result;

	run("stop-then-exit", NULL, (struct claw_run_spec) { 0 }, &result);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_int_eq(result.code, 7);
	ck_assert_uint_ge(result.duration_us, 250000);
	claw_run_result_release(&result);
}
END_TEST

/* Of the shell and of what it has waited for. */
START_TEST(cost__bytes_of_all_files_are_counted)
{
	char script[512];
	char *argv[] = { (char *)"sh", (char *)"-c", script, NULL };
	struct claw_run_spec spec = {
		.argv = argv, .timeout_ms = 20000, .account = true,
	};
	struct claw_run_result with, without;

	snprintf(script, sizeof(script), "echo out; sh -c 'echo a file >%s'; "
		 "true", pid_file);
	ck_assert_int_eq(claw_run_once(&spec, &with), 0);
	snprintf(script, sizeof(script), "echo out; sh -c 'true >%s'; true",
		 pid_file);
	ck_assert_int_eq(claw_run_once(&spec, &without), 0);
	if (with.cost.is_known && without.cost.is_known) {
		ck_assert_uint_eq(with.cost.written_bytes,
				  without.cost.written_bytes +
				  strlen("a file\n"));
		ck_assert_uint_ge(without.cost.written_bytes,
				  without.out.total_bytes);
		ck_assert_uint_gt(with.cost.peak_bytes, 100000);
	}
	claw_run_result_release(&with);
	claw_run_result_release(&without);
	spec.account = false;
	ck_assert_int_eq(claw_run_once(&spec, &with), 0);
	ck_assert(!with.cost.is_known);
	claw_run_result_release(&with);
}
END_TEST

START_TEST(end__missing_program_is_not_found)
{
	struct claw_run_result result;
	char *argv[] = { (char *)"no-such-program-here", NULL };
	struct claw_run_spec spec = { .argv = argv };

	ck_assert_int_eq(claw_run_once(&spec, &result), 0);
	ck_assert_int_eq(result.end, CLAW_END_NOT_FOUND);
	ck_assert_int_eq(result.code, ENOENT);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(end__directory_is_not_executable)
{
	struct claw_run_result result;
	char *argv[] = { (char *)"/tmp", NULL };
	struct claw_run_spec spec = { .argv = argv };

	ck_assert_int_eq(claw_run_once(&spec, &result), 0);
	ck_assert_int_eq(result.end, CLAW_END_NOT_EXECUTABLE);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(end__script_without_interpreter_line_runs_in_sh)
{
	struct claw_run_result result;
	char script[300];
	FILE *file;

	snprintf(script, sizeof(script), "%s/script", directory);
	file = fopen(script, "w");
	ck_assert_ptr_nonnull(file);
	fputs("exit $1\n", file);
	fclose(file);
	ck_assert_int_eq(chmod(script, 0755), 0);

	char *argv[] = { script, (char *)"9", NULL };
	struct claw_run_spec spec = { .argv = argv };

	ck_assert_int_eq(claw_run_once(&spec, &result), 0);
	unlink(script);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_int_eq(result.code, 9);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(end__unusable_directory_is_infra)
{
	struct claw_run_result result;

	run("exit", "0", (struct claw_run_spec) { .directory = pid_file },
	    &result);
	ck_assert_int_eq(result.end, CLAW_END_INFRA);
	ck_assert_int_eq(result.code, ENOENT);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(end__status_is_read_where_sigchld_is_ignored)
{
	struct claw_run_result result;

	signal(SIGCHLD, SIG_IGN);
	run("exit", "42", (struct claw_run_spec) { 0 }, &result);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_int_eq(result.code, 42);
	ck_assert(signal(SIGCHLD, SIG_DFL) == SIG_IGN);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(timeout__sleeper_is_ended_by_term)
{
	struct claw_run_result result;

	run("sleep", NULL, (struct claw_run_spec) { .timeout_ms = 200 },
	    &result);
	ck_assert_int_eq(result.end, CLAW_END_TIMEOUT);
	ck_assert_uint_ge(result.duration_us, 190000);
	ck_assert_uint_lt(result.duration_us, 1900000);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(timeout__program_that_ignores_term_is_killed)
{
	struct claw_run_result result;

	run("ignore-term", pid_file, (struct claw_run_spec) {
		.timeout_ms = 500, .grace_ms = 200 }, &result);
	ck_assert_int_eq(result.end, CLAW_END_TIMEOUT);
	ck_assert_int_eq(result.code, SIGKILL);
	assert_gone(read_pid());
	claw_run_result_release(&result);
}
END_TEST

START_TEST(timeout__stacks_name_the_function)
{
	struct claw_run_result result;

	run("spin", NULL, (struct claw_run_spec) {
		.timeout_ms = 500, .save_stacks = true }, &result);
	ck_assert_int_eq(result.end, CLAW_END_TIMEOUT);
	ck_assert_ptr_nonnull(result.stacks);
	ck_assert_msg(strstr(result.stacks, "do_spin") != NULL ||
		      strstr(result.stacks, "not available") != NULL,
		      "stacks: %s", result.stacks);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(tree__double_forked_grandchild_is_killed)
{
	struct claw_run_result result;

	run("double-fork", pid_file, (struct claw_run_spec) { 0 }, &result);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_int_eq(result.code, 0);
	ck_assert_uint_eq(result.stragglers_killed, 1);
	assert_gone(read_pid());
	claw_run_result_release(&result);
}
END_TEST

START_TEST(tree__grandchild_without_environment_is_killed)
{
	struct claw_run_result result;

	run("clear-env", pid_file, (struct claw_run_spec) { 0 }, &result);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_int_eq(result.code, 0);
	assert_gone(read_pid());
	claw_run_result_release(&result);
}
END_TEST

START_TEST(output__kept_pipe_does_not_hang_the_run)
{
	struct claw_run_result result;

	run("keep-pipe", pid_file, (struct claw_run_spec) { .drain_ms = 200 },
	    &result);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_int_eq(result.code, 0);
	ck_assert(result.drain_expired);
	ck_assert_uint_eq(result.out.head_bytes, 7);
	assert_gone(read_pid());
	claw_run_result_release(&result);
}
END_TEST

START_TEST(output__flood_keeps_head_and_tail)
{
	struct claw_run_result result;

	run("flood", "50000000", (struct claw_run_spec) {
		.head_bytes = 1000, .tail_bytes = 1000 }, &result);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_uint_eq(result.out.total_bytes, 50000000 + 12);
	ck_assert_uint_eq(result.out.head_bytes, 1000);
	ck_assert_uint_eq(result.out.tail_bytes, 1000);
	ck_assert_uint_eq(result.out.cut_bytes, 50000012 - 2000);
	ck_assert_int_eq(memcmp(result.out.head, "first\nxxx", 9), 0);
	ck_assert_int_eq(memcmp(result.out.tail + 1000 - 7, "x\nlast\n", 7), 0);

	char *text = claw_capture_text(&result.out);

	ck_assert_ptr_nonnull(strstr(text, "... 49998012 bytes cut ..."));
	free(text);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(output__nul_bytes_are_kept)
{
	struct claw_run_result result;

	run("nul", NULL, (struct claw_run_spec) { 0 }, &result);
	ck_assert_uint_eq(result.out.head_bytes, 5);
	ck_assert_int_eq(memcmp(result.out.head, "a\0b\0\n", 5), 0);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(output__streams_are_apart)
{
	struct claw_run_result result;

	run("both", NULL, (struct claw_run_spec) { 0 }, &result);
	ck_assert_uint_eq(result.out.head_bytes, 10);
	ck_assert_uint_eq(result.err.head_bytes, 10);
	ck_assert_int_eq(memcmp(result.out.head, "to stdout\n", 10), 0);
	ck_assert_int_eq(memcmp(result.err.head, "to stderr\n", 10), 0);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(output__file_keeps_the_whole)
{
	struct claw_run_result result;
	struct stat status;

	run("flood", "300000", (struct claw_run_spec) {
		.head_bytes = 10, .tail_bytes = 10,
		.stdout_path = pid_file }, &result);
	ck_assert_int_eq(stat(pid_file, &status), 0);
	ck_assert_int_eq(status.st_size, 300012);
	ck_assert_int_eq(result.file_error, 0);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(output__full_disk_does_not_stop_the_run)
{
	struct claw_run_result result;

	run("flood", "300000", (struct claw_run_spec) {
		.stdout_path = "/dev/full" }, &result);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_int_eq(result.code, 0);
	ck_assert_int_eq(result.file_error, ENOSPC);
	ck_assert_uint_eq(result.out.total_bytes, 300012);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(output__file_stops_at_its_limit)
{
	struct claw_run_result result;
	struct stat status;

	run("flood", "300000", (struct claw_run_spec) {
		.stdout_path = pid_file, .file_max_bytes = 1000 }, &result);
	ck_assert_int_eq(stat(pid_file, &status), 0);
	ck_assert_int_eq(status.st_size, 1000);
	ck_assert_int_eq(result.file_error, EFBIG);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(input__is_empty_by_default)
{
	struct claw_run_result result;

	run("cat", NULL, (struct claw_run_spec) { 0 }, &result);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_uint_eq(result.out.total_bytes, 0);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(input__file_is_given)
{
	struct claw_run_result result;
	FILE *file = fopen(pid_file, "w");

	ck_assert_ptr_nonnull(file);
	fputs("spooled", file);
	fclose(file);
	run("cat", NULL, (struct claw_run_spec) {
		.stdin_mode = CLAW_STDIN_FILE, .stdin_path = pid_file },
	    &result);
	ck_assert_uint_eq(result.out.head_bytes, 7);
	ck_assert_int_eq(memcmp(result.out.head, "spooled", 7), 0);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(environment__is_set_and_unset)
{
	struct claw_run_result result;
	char *set[] = { (char *)"CLAW_ONE=1", (char *)"HOME", NULL };

	run("env", "CLAW_ONE", (struct claw_run_spec) { .set_env = set },
	    &result);
	ck_assert_int_eq(memcmp(result.out.head, "1\n", 2), 0);
	claw_run_result_release(&result);
	run("env", "HOME", (struct claw_run_spec) { .set_env = set }, &result);
	ck_assert_int_eq(memcmp(result.out.head, "(unset)\n", 8), 0);
	claw_run_result_release(&result);
	run("env", "OPENCLAW_CASE", (struct claw_run_spec) {
		.case_id = "the-case" }, &result);
	ck_assert_uint_ge(result.out.head_bytes, 9);
	ck_assert_int_eq(memcmp(result.out.head + result.out.head_bytes - 9,
				"the-case\n", 9), 0);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(environment__descriptors_are_closed)
{
	struct claw_run_result result;
	int leaked = open("/dev/null", O_RDONLY);

	run("fds", NULL, (struct claw_run_spec) { 0 }, &result);
	close(leaked);
	ck_assert_msg(result.out.total_bytes == 0, "open: %.*s",
		      (int)result.out.head_bytes, result.out.head);
	claw_run_result_release(&result);
}
END_TEST

static unsigned int ended[8], ended_count;
static int ends[8];

static void note_end(struct claw_run_result *result, void *user)
{
	ends[ended_count] = result->end;
	ended[ended_count++] = *(unsigned int *)user;
}

/* Each ends when all four have begun. */
START_TEST(jobs__run_side_by_side)
{
	static const char *const names[] = { "a", "b", "c", "d" };
	struct claw_runner *runner = claw_runner_new(4);
	char place[] = "/tmp/check_runner.XXXXXX";
	char script[] = "cd \"$0\" && mkdir \"$1\" && until set -- * && "
			"[ $# = 4 ]; do sleep 0.05; done";
	char *words[] = { (char *)"/bin/sh", (char *)"-c", script, place, NULL,
			  NULL };
	char *argv[4][6];
	unsigned int numbers[4] = { 0, 1, 2, 3 };

	ck_assert_ptr_nonnull(mkdtemp(place));
	ended_count = 0;
	for (int i = 0; i < 4; i++) {
		struct claw_run_spec spec = { .argv = argv[i],
					      .timeout_ms = 30000 };

		memcpy(argv[i], words, sizeof(words));
		argv[i][4] = (char *)names[i];
		claw_runner_add(runner, &spec, note_end, &numbers[i]);
	}
	ck_assert_int_eq(claw_runner_run(runner), 0);
	claw_runner_free(runner);
	ck_assert_uint_eq(ended_count, 4);
	for (int i = 0; i < 4; i++) {
		char path[64];

		ck_assert_int_eq(ends[i], CLAW_END_EXIT);
		snprintf(path, sizeof(path), "%s/%s", place, names[i]);
		ck_assert_int_eq(rmdir(path), 0);
	}
	ck_assert_int_eq(rmdir(place), 0);
}
END_TEST

static pid_t to_signal;

static void send_int(void *user)
{
	(void)user;
	if (to_signal) {
		kill(to_signal, SIGINT);
		to_signal = 0;
	}
}

START_TEST(jobs__interrupt_cancels_all)
{
	struct claw_runner *runner = claw_runner_new(1);
	char *argv[] = { (char *)program(), (char *)"ignore-term", pid_file,
			 NULL };
	struct claw_run_spec spec = { .argv = argv, .grace_ms = 100 };
	unsigned int numbers[2] = { 0, 1 };

	ended_count = 0;
	to_signal = getpid();
	claw_runner_add(runner, &spec, note_end, &numbers[0]);
	claw_runner_add(runner, &spec, note_end, &numbers[1]);
	claw_runner_set_tick(runner, 300, send_int, NULL);
	ck_assert_int_eq(claw_runner_run(runner), SIGINT);
	claw_runner_free(runner);
	ck_assert_uint_eq(ended_count, 2);
	ck_assert_int_eq(ends[0], CLAW_END_CANCELLED);
	ck_assert_int_eq(ends[1], CLAW_END_CANCELLED);
	assert_gone(read_pid());
}
END_TEST

/* As Slurm cancels a job: first the program is told to end, then we are. */
START_TEST(interrupt__after_the_program_was_told_cancels_it)
{
	static const char *const ends_by[] = { "kill $$", "exit 143" };
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)ends_by[_i], NULL };
	struct claw_run_spec spec = { .argv = argv, .timeout_ms = 20000 };
	struct claw_runner *runner = claw_runner_new(1);
	unsigned int number = 0;

	ended_count = 0;
	to_signal = getpid();
	claw_runner_add(runner, &spec, note_end, &number);
	claw_runner_set_tick(runner, 300, send_int, NULL);
	ck_assert_int_eq(claw_runner_run(runner), SIGINT);
	claw_runner_free(runner);
	ck_assert_uint_eq(ended_count, 1);
	ck_assert_int_eq(ends[0], CLAW_END_CANCELLED);
}
END_TEST

START_TEST(jobs__end_of_one_leaves_the_others_descendants)
{
	struct claw_runner *runner = claw_runner_new(2);
	char script[600];
	char *first[] = { (char *)program(), (char *)"exit", (char *)"0",
			  NULL };
	char *second[] = { (char *)"sh", (char *)"-c", script, NULL };
	struct claw_run_spec specs[2] = {
		{ .argv = second, .timeout_ms = 10000 },
		{ .argv = first, .timeout_ms = 10000 },
	};
	unsigned int numbers[2] = { 0, 1 };

	/* The second run double-forks, then looks whether it still lives. */
	snprintf(script, sizeof(script),
		 "%s double-fork %s; sleep 0.5; kill -0 $(cat %s)",
		 program(), pid_file, pid_file);
	ended_count = 0;
	claw_runner_add(runner, &specs[0], note_end, &numbers[0]);
	claw_runner_add(runner, &specs[1], note_end, &numbers[1]);
	ck_assert_int_eq(claw_runner_run(runner), 0);
	claw_runner_free(runner);
	ck_assert_uint_eq(ended_count, 2);
	ck_assert_int_eq(ends[0], CLAW_END_EXIT);
	ck_assert_int_eq(ends[1], CLAW_END_EXIT);
	assert_gone(read_pid());
}
END_TEST

/* ---- nothing left: every descriptor that a run needs is once the one too
 * many */

static void assert_short_of(unsigned int descriptors)
{
	struct rlimit limit = { .rlim_max = 4096 };
	struct claw_run_result result;
	struct claw_run_spec spec = {
		.argv = (char *[]) { (char *)program(), (char *)"exit",
				     (char *)"42", NULL },
		.stdout_path = pid_file, .timeout_ms = 20000,
	};

	limit.rlim_cur = descriptors;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	int ret = claw_run_once(&spec, &result);

	limit.rlim_cur = 1024;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	if (ret < 0)
		return;
	if (result.end != CLAW_END_INFRA)
		ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_int_eq(result.code, result.end == CLAW_END_EXIT ? 42 :
			 EMFILE);
	claw_run_result_release(&result);
}

START_TEST(infra__too_few_descriptors_are_told)
{
	struct claw_run_result result;
	int first = dup(0);

	ck_assert_int_ge(first, 0);
	close(first);
	/* What libuv makes once in a process, and aborts without. */
	run("exit", "0", (struct claw_run_spec) { 0 }, &result);
	claw_run_result_release(&result);
	for (unsigned int more = 0; more < 24; more++)
		assert_short_of((unsigned int)first + more);
}
END_TEST

START_TEST(end__interpreter_that_is_missing_is_told)
{
	struct claw_run_result result;
	char *argv[] = { pid_file, NULL };
	struct claw_run_spec spec = { .argv = argv };
	FILE *script = fopen(pid_file, "w");

	ck_assert_ptr_nonnull(script);
	fputs("#!/no/such/interpreter\n", script);
	fclose(script);
	ck_assert_int_eq(chmod(pid_file, 0700), 0);
	ck_assert_int_eq(claw_run_once(&spec, &result), 0);
	ck_assert_int_eq(result.end, CLAW_END_NOT_EXECUTABLE);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(end__word_that_is_empty_is_not_found)
{
	struct claw_run_result result;
	char *argv[] = { (char *)"", NULL };
	struct claw_run_spec spec = { .argv = argv };

	ck_assert_int_eq(claw_run_once(&spec, &result), 0);
	ck_assert_int_eq(result.end, CLAW_END_NOT_FOUND);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(end__path_of_the_run_is_searched)
{
	struct claw_run_result result;
	char path[300], *set[] = { path, NULL };
	char *argv[] = { (char *)"pid", NULL };
	struct claw_run_spec spec = { .argv = argv, .set_env = set };
	FILE *script = fopen(pid_file, "w");

	ck_assert_ptr_nonnull(script);
	fputs("exit 9\n", script);
	fclose(script);
	snprintf(path, sizeof(path), "PATH=/no/such/place:%s", directory);
	ck_assert_int_eq(claw_run_once(&spec, &result), 0);
	ck_assert_int_eq(result.end, CLAW_END_NOT_EXECUTABLE);
	ck_assert_int_eq(result.code, EACCES);
	claw_run_result_release(&result);
	ck_assert_int_eq(chmod(pid_file, 0700), 0);
	ck_assert_int_eq(claw_run_once(&spec, &result), 0);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_int_eq(result.code, 9);
	claw_run_result_release(&result);
}
END_TEST

static int started_pid;

static void note_start(int pid, void *user)
{
	(void)user;
	started_pid = pid;
}

START_TEST(output__is_passed_on_and_merged)
{
	struct claw_run_result result;
	char script[] = "echo one; echo two >&2", line[16] = "";
	char *argv[] = { (char *)"sh", (char *)"-c", script, NULL };
	int keep = dup(1), tube[2];

	ck_assert_int_eq(pipe(tube), 0);
	dup2(tube[1], 1);
	ck_assert_int_eq(claw_run_once(&(struct claw_run_spec) {
		.argv = argv, .tee = true, .merge_stderr = true,
		.started = note_start, .timeout_ms = 20000 }, &result), 0);
	dup2(keep, 1);
	ck_assert_int_eq(read(tube[0], line, 8), 8);
	ck_assert_str_eq(line, "one\ntwo\n");
	ck_assert_uint_eq(result.out.total_bytes, 8);
	ck_assert_uint_eq(result.err.total_bytes, 0);
	ck_assert_int_eq(result.pid, started_pid);
	claw_run_result_release(&result);
	close(tube[0]);
	close(tube[1]);
	close(keep);
}
END_TEST

START_TEST(output__reader_that_is_gone_does_not_stop_the_run)
{
	struct claw_run_result result;
	int keep = dup(1), tube[2];

	ck_assert_int_eq(pipe(tube), 0);
	close(tube[0]);
	signal(SIGPIPE, SIG_IGN);
	dup2(tube[1], 1);
	run("flood", "300000", (struct claw_run_spec) { .tee = true }, &result);
	dup2(keep, 1);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_uint_eq(result.out.total_bytes, 300012);
	claw_run_result_release(&result);
	close(tube[1]);
	close(keep);
}
END_TEST

START_TEST(output__file_that_cannot_be_made_is_infra)
{
	struct claw_run_result result;

	run("exit", "0", (struct claw_run_spec) {
		.stdout_path = "/no/such/place/out" }, &result);
	ck_assert_int_eq(result.end, CLAW_END_INFRA);
	ck_assert_int_eq(result.code, ENOENT);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(jobs__what_never_ran_is_released)
{
	struct claw_runner *runner = claw_runner_new(0);
	char *argv[] = { (char *)program(), (char *)"exit", (char *)"0",
			 NULL };
	struct claw_run_spec spec = { .argv = argv };
	unsigned int number = 0;

	ck_assert_ptr_nonnull(runner);
	ended_count = 0;
	claw_runner_add(runner, &spec, note_end, &number);
	claw_runner_free(runner);
	claw_runner_free(NULL);
	ck_assert_uint_eq(ended_count, 0);
}
END_TEST

static struct claw_runner *heard_by;
static unsigned int heard_count;

static void note_heard(void *user)
{
	ck_assert_ptr_eq(user, &heard_count);
	heard_count++;
}

static void send_usr1(void *user)
{
	(void)user;
	if (heard_count == 0)
		kill(to_signal, SIGUSR1);
}

START_TEST(jobs__signal_that_is_asked_for_is_heard)
{
	char *argv[] = { (char *)program(), (char *)"stop-then-exit", NULL };
	struct claw_run_spec spec = { .argv = argv };
	unsigned int number = 0;

	heard_by = claw_runner_new(1);
	ended_count = heard_count = 0;
	to_signal = getpid();
	ck_assert_int_eq(claw_runner_on_signal(heard_by, SIGUSR1, note_heard,
					       &heard_count), 0);
	claw_runner_add(heard_by, &spec, note_end, &number);
	claw_runner_set_tick(heard_by, 10, send_usr1, NULL);
	ck_assert_int_eq(claw_runner_run(heard_by), 0);
	claw_runner_free(heard_by);
	ck_assert_uint_ge(heard_count, 1);
	ck_assert_int_eq(ends[0], CLAW_END_EXIT);
}
END_TEST

/* The one in the foreground gets what was sent to us. */
START_TEST(jobs__foreground_gets_our_signal)
{
	struct claw_runner *runner = claw_runner_new(1);
	char script[] = "trap 'exit 5' INT; while :; do sleep 0.05; done";
	char *argv[] = { (char *)"sh", (char *)"-c", script, NULL };
	struct claw_run_spec spec = { .argv = argv, .foreground = true,
		.timeout_ms = 20000 };
	unsigned int number = 0;

	ended_count = 0;
	to_signal = getpid();
	claw_runner_add(runner, &spec, note_end, &number);
	claw_runner_set_tick(runner, 100, send_int, NULL);
	claw_runner_run(runner);
	claw_runner_free(runner);
	ck_assert_uint_eq(ended_count, 1);
	ck_assert_int_ne(ends[0], CLAW_END_TIMEOUT);
}
END_TEST

static void send_int_again(void *user)
{
	(void)user;
	kill(getpid(), SIGINT);
}

START_TEST(jobs__second_interrupt_kills_at_once)
{
	struct claw_runner *runner = claw_runner_new(1);
	char *argv[] = { (char *)program(), (char *)"ignore-term", pid_file,
			 NULL };
	struct claw_run_spec spec = { .argv = argv, .grace_ms = 60000 };
	unsigned int number = 0;

	ended_count = 0;
	claw_runner_add(runner, &spec, note_end, &number);
	claw_runner_set_tick(runner, 300, send_int_again, NULL);
	ck_assert_int_eq(claw_runner_run(runner), SIGINT);
	claw_runner_free(runner);
	ck_assert_uint_eq(ended_count, 1);
	ck_assert_int_eq(ends[0], CLAW_END_CANCELLED);
	assert_gone(read_pid());
}
END_TEST

START_TEST(environment__case_within_a_case_is_told)
{
	struct claw_run_result result;
	char *text;

	setenv("OPENCLAW_CASE", "outer", 1);
	run("env", "OPENCLAW_CASE", (struct claw_run_spec) {
		.case_id = "inner" }, &result);
	text = claw_capture_text(&result.out);
	ck_assert_ptr_nonnull(strstr(text, "outer"));
	ck_assert_ptr_nonnull(strstr(text, "inner\n"));
	free(text);
	claw_run_result_release(&result);
}
END_TEST

static unsigned int asked_count;

static uint64_t give_more_once(void *user)
{
	ck_assert_ptr_eq(user, &asked_count);
	return asked_count++ == 0 ? 20 : 0;
}

START_TEST(timeout__is_put_off_when_more_time_is_given)
{
	struct claw_run_result result;

	asked_count = 0;
	run("sleep", NULL, (struct claw_run_spec) {
		.timeout_ms = 20, .exact_timeout = true,
		.more_time_ms = give_more_once,
		.more_time_user = &asked_count }, &result);
	ck_assert_int_eq(result.end, CLAW_END_TIMEOUT);
	ck_assert_uint_eq(asked_count, 2);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(timeout__foreground_is_ended_too)
{
	struct claw_run_result result;

	run("sleep", NULL, (struct claw_run_spec) {
		.foreground = true, .timeout_ms = 50 }, &result);
	ck_assert_int_eq(result.end, CLAW_END_TIMEOUT);
	assert_gone(result.pid);
	claw_run_result_release(&result);
}
END_TEST

enum { HOGS = 2 };

static atomic_bool hogs_are_over;

static void *hog(void *unused)
{
	while (!hogs_are_over)
		;
	return unused;
}

/* What this process runs has a processor that is busy: threads of ours, which
 * get half of it where the kernel shares by sessions, else two thirds. */
static void run_beside_hogs(const char *mode, const char *argument,
			    struct claw_run_spec spec,
			    struct claw_run_result *ret)
{
	cpu_set_t allowed, one;
	pthread_t hogs[HOGS];

	CPU_ZERO(&one);
	ck_assert_int_eq(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
		if (CPU_ISSET(i, &allowed))
			CPU_SET(i, &one);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
	hogs_are_over = false;
	for (int i = 0; i < HOGS; i++)
		ck_assert_int_eq(pthread_create(&hogs[i], NULL, hog, NULL), 0);
	run(mode, argument, spec, ret);
	hogs_are_over = true;
	for (int i = 0; i < HOGS; i++)
		pthread_join(hogs[i], NULL);
}

/* Busy for three quarters of the limit, in all longer: does a run end that way?
 * It is tried more than once: others may take more of the processor than ten times
 * the limit has, or none. */
static bool ends_beside_hogs(enum claw_end wanted, bool exact)
{
	struct claw_run_result result;
	char busy_ms[16];

	for (unsigned int ms = 400; ms < 20000; ms *= 2) {
		snprintf(busy_ms, sizeof(busy_ms), "%u", ms * 3 / 4);
		run_beside_hogs("busy", busy_ms, (struct claw_run_spec) {
			.timeout_ms = ms, .exact_timeout = exact }, &result);
		claw_run_result_release(&result);
		if (result.end == wanted && result.duration_us > ms * 1000)
			return true;
	}
	return false;
}

START_TEST(timeout__counts_no_wait_for_a_processor)
{
	if (access("/proc/self/schedstat", R_OK) == 0)
		ck_assert(ends_beside_hogs(CLAW_END_EXIT, false));
}
END_TEST

START_TEST(timeout__exact_one_counts_all)
{
	ck_assert(ends_beside_hogs(CLAW_END_TIMEOUT, true));
}
END_TEST

START_TEST(timeout__ends_a_spinner_beside_others)
{
	struct claw_run_result result;

	run_beside_hogs("spin", NULL, (struct claw_run_spec) {
		.timeout_ms = 50 }, &result);
	ck_assert_int_eq(result.end, CLAW_END_TIMEOUT);
	claw_run_result_release(&result);
}
END_TEST

/* What a word leads to, with this PATH; ret_code is the result's. */
static enum claw_end end_of(const char *word, const char *path, int *ret_code)
{
	char entry[600], *set[] = { entry, NULL };
	char *argv[] = { (char *)word, NULL };
	struct claw_run_spec spec = { .argv = argv, .set_env = set,
		.timeout_ms = 20000 };
	struct claw_run_result result;

	snprintf(entry, sizeof(entry), "PATH=%s", path);
	ck_assert_int_eq(claw_run_once(&spec, &result), 0);
	claw_run_result_release(&result);
	*ret_code = result.code;
	return result.end;
}

START_TEST(end__what_is_no_program_is_told)
{
	int code;

	ck_assert_int_eq(end_of("/dev/null/x", "", &code), CLAW_END_NOT_FOUND);
	ck_assert_int_eq(code, ENOTDIR);
	ck_assert_int_eq(symlink("pid", pid_file), 0);
	ck_assert_int_eq(end_of(pid_file, "", &code), CLAW_END_NOT_EXECUTABLE);
	ck_assert_int_eq(code, ELOOP);
	ck_assert_int_eq(unlink(pid_file), 0);
	ck_assert_int_eq(mkdir(pid_file, 0700), 0);
	ck_assert_int_eq(end_of("pid", directory, &code), CLAW_END_NOT_FOUND);
	ck_assert_int_eq(code, ENOENT);
	ck_assert_int_eq(rmdir(pid_file), 0);
}
END_TEST

START_TEST(end__empty_part_of_the_path_is_here)
{
	FILE *script = fopen(pid_file, "w");
	int code;

	ck_assert_ptr_nonnull(script);
	fputs("exit 9\n", script);
	fclose(script);
	ck_assert_int_eq(chmod(pid_file, 0700), 0);
	ck_assert_int_eq(chdir(directory), 0);
	ck_assert_int_eq(end_of("pid", "/no/such/place:", &code),
			 CLAW_END_EXIT);
	ck_assert_int_eq(code, 9);
}
END_TEST

START_TEST(environment__may_be_empty)
{
	struct claw_run_result result;
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)"exit 3", NULL };

	clearenv();
	ck_assert_int_eq(claw_run_once(&(struct claw_run_spec) {
		.argv = argv, .timeout_ms = 20000 }, &result), 0);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_int_eq(result.code, 3);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(environment__last_value_of_a_name_counts)
{
	struct claw_run_result result;
	char *set[] = { (char *)"CLAW_ONE=1", (char *)"CLAW_ONE=2", NULL };

	run("env", "CLAW_ONE", (struct claw_run_spec) { .set_env = set },
	    &result);
	ck_assert_uint_eq(result.out.head_bytes, 2);
	ck_assert_int_eq(memcmp(result.out.head, "2\n", 2), 0);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(input__of_ours_is_inherited)
{
	struct claw_run_result result;
	int tube[2];

	ck_assert_int_eq(pipe(tube), 0);
	ck_assert_int_eq(write(tube[1], "ours", 4), 4);
	close(tube[1]);
	dup2(tube[0], 0);
	run("cat", NULL, (struct claw_run_spec) {
		.stdin_mode = CLAW_STDIN_INHERIT }, &result);
	ck_assert_uint_eq(result.out.head_bytes, 4);
	ck_assert_int_eq(memcmp(result.out.head, "ours", 4), 0);
	claw_run_result_release(&result);
	close(tube[0]);
}
END_TEST

START_TEST(input__file_that_is_missing_is_infra)
{
	struct claw_run_result result;

	run("cat", NULL, (struct claw_run_spec) {
		.stdin_mode = CLAW_STDIN_FILE,
		.stdin_path = "/no/such/place" }, &result);
	ck_assert_int_eq(result.end, CLAW_END_INFRA);
	ck_assert_int_eq(result.code, ENOENT);
	claw_run_result_release(&result);
}
END_TEST

static void take_status(int pid, void *user)
{
	(void)user;
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

START_TEST(infra__status_that_somebody_else_took_is_told)
{
	struct claw_run_result result;

	run("exit", "0", (struct claw_run_spec) { .started = take_status },
	    &result);
	ck_assert_int_eq(result.end, CLAW_END_INFRA);
	ck_assert_int_eq(result.code, ECHILD);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(output__error_file_keeps_the_whole)
{
	struct claw_run_result result;
	struct stat status;

	run("both", NULL, (struct claw_run_spec) { .stderr_path = pid_file },
	    &result);
	ck_assert_int_eq(stat(pid_file, &status), 0);
	ck_assert_int_eq(status.st_size, 10);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(output__of_descendants_is_waited_for)
{
	struct claw_run_result result;
	char script[] = "(exec 2>&-; until test -e $0; do sleep 0.01; done;"
		" echo late) & (sleep 0.05; : >$0) & exit 0";
	char *argv[] = { (char *)"sh", (char *)"-c", script, pid_file, NULL };

	ck_assert_int_eq(claw_run_once(&(struct claw_run_spec) {
		.argv = argv, .drain_ms = 60000 }, &result), 0);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert(!result.drain_expired);
	ck_assert_uint_eq(result.out.head_bytes, 5);
	ck_assert_int_eq(memcmp(result.out.head, "late\n", 5), 0);
	claw_run_result_release(&result);
}
END_TEST

static void *count_bytes(void *user)
{
	static char bytes[4096];
	size_t *total = user;
	int fd = (int)*total;

	*total = 0;
	for (ssize_t part; (part = read(fd, bytes, sizeof(bytes))) > 0;)
		*total += (size_t)part;
	return NULL;
}

/* Somebody else who has our stdout made it non-blocking. */
START_TEST(output__slow_reader_gets_everything)
{
	struct claw_run_result result;
	int keep = dup(1), tube[2];
	pthread_t reader;
	size_t total;

	ck_assert_int_eq(pipe2(tube, O_CLOEXEC), 0);
	total = (size_t)tube[0];
	ck_assert_int_eq(pthread_create(&reader, NULL, count_bytes, &total), 0);
	fcntl(tube[1], F_SETFL, O_NONBLOCK);
	dup2(tube[1], 1);
	close(tube[1]);
	run("flood", "3000000", (struct claw_run_spec) { .tee = true },
	    &result);
	dup2(keep, 1);
	close(keep);
	pthread_join(reader, NULL);
	close(tube[0]);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_uint_eq(total, 3000012);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(jobs__nobody_need_hear_of_the_end)
{
	struct claw_runner *runner = claw_runner_new(1);
	char *argv[] = { (char *)program(), (char *)"exit", (char *)"0",
			 NULL };
	struct claw_run_spec spec = { .argv = argv, .timeout_ms = 20000 };

	claw_runner_add(runner, &spec, NULL, NULL);
	claw_runner_set_tick(runner, 0, send_int_again, NULL);
	ck_assert_int_eq(claw_runner_run(runner), 0);
	claw_runner_free(runner);
	ck_assert(!claw_runner_left_processes());
}
END_TEST

/* ---- signals where no runner takes them ---------------------------------- */

static char *records_text(const char *where)
{
	char path[512];
	char *text;
	size_t size;

	snprintf(path, sizeof(path), "%s/records.jsonl", where);
	ck_assert_int_eq(claw_outside_read(path, 0, 1 << 20, &text, &size), 0);
	unlink(path);
	return text;
}

START_TEST(interrupt__between_runners_cancels_the_next)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	char word[] = "openclaw", sleeps[] = "sleep", long_time[] = "60";
	char *argv[] = { sleeps, long_time, NULL }, *command[] = { word, NULL };
	struct claw_records *records;
	struct claw_run_result result;
	char *text;

	for (int i = 0; i < 4; i++)	/* libcheck has handlers of its own */
		signal(numbers[i], SIG_DFL);
	ck_assert_int_eq(claw_records_new(directory, "test", 1, command, 1, 1,
					  &records), 0);
	raise(numbers[_i]);
	ck_assert_int_eq(claw_run_once(&(struct claw_run_spec){
		.argv = argv, .timeout_ms = 20000 }, &result), numbers[_i]);
	ck_assert_int_eq(result.end, CLAW_END_CANCELLED);
	ck_assert_uint_lt(result.duration_us, 10000000);
	claw_run_result_release(&result);
	/* It was one signal: what is done after it is done. */
	argv[0][0] = '\0';
	memcpy(argv[0], "true", 5);
	ck_assert_int_eq(claw_run_once(&(struct claw_run_spec){
		.argv = argv, .timeout_ms = 20000 }, &result), 0);
	claw_run_result_release(&result);
	raise(numbers[(_i + 1) % 4]);	/* nobody runs anything any more */
	ck_assert_int_eq(claw_records_end(records, 2, true), 0);
	claw_records_free(records);
	text = records_text(directory);
	ck_assert_ptr_nonnull(strstr(text, "\"t\":\"end\""));
	free(text);
}
END_TEST

/* The programs that are started get them as ever. */
START_TEST(interrupt__others_do_nothing)
{
	static const int numbers[] = { SIGUSR1, SIGUSR2, SIGALRM };
	char shell[] = "sh", dash_c[] = "-c", line[64];
	char *argv[] = { shell, dash_c, line, NULL };
	struct claw_run_result result;

	signal(numbers[_i], SIG_DFL);
	claw_interrupt_ignore_others();
	raise(numbers[_i]);
	snprintf(line, sizeof(line), "kill -%d $$; exit 3", numbers[_i]);
	ck_assert_int_eq(claw_run_once(&(struct claw_run_spec){
		.argv = argv, .timeout_ms = 20000 }, &result), 0);
	ck_assert_int_eq(result.end, CLAW_END_SIGNAL);
	ck_assert_int_eq(result.code, numbers[_i]);
	claw_run_result_release(&result);
}
END_TEST

static void send_hup(int pid, void *user)
{
	(void)pid;
	(void)user;
	kill(getpid(), SIGHUP);
}

/* As under nohup. */
START_TEST(jobs__signal_that_is_ignored_stays_ignored)
{
	struct claw_run_result result;

	signal(SIGHUP, SIG_IGN);
	run("exit", "42", (struct claw_run_spec) { .started = send_hup },
	    &result);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_int_eq(result.code, 42);
	claw_run_result_release(&result);
}
END_TEST

START_TEST(jobs__processes_that_are_left_are_seen)
{
	siginfo_t info;
	pid_t child = fork();

	if (child == 0)
		for (;;)
			pause();
	ck_assert(claw_runner_left_processes());
	kill(child, SIGKILL);
	ck_assert_int_eq(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT),
			 0);
	ck_assert(!claw_runner_left_processes());
	assert_gone(child);
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("runner");
	TCase *tests = tcase_create("runner");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, 900);
	tcase_add_test(tests, end__exit_status_is_told);
	tcase_add_test(tests, end__signal_is_told);
	tcase_add_test(tests, end__stopped_child_has_not_ended);
	tcase_add_test(tests, cost__bytes_of_all_files_are_counted);
	tcase_add_test(tests, end__missing_program_is_not_found);
	tcase_add_test(tests, end__directory_is_not_executable);
	tcase_add_test(tests, end__script_without_interpreter_line_runs_in_sh);
	tcase_add_test(tests, end__unusable_directory_is_infra);
	tcase_add_test(tests, timeout__sleeper_is_ended_by_term);
	tcase_add_test(tests, timeout__program_that_ignores_term_is_killed);
	tcase_add_test(tests, timeout__stacks_name_the_function);
	tcase_add_test(tests, timeout__counts_no_wait_for_a_processor);
	tcase_add_test(tests, timeout__ends_a_spinner_beside_others);
	tcase_add_test(tests, timeout__exact_one_counts_all);
	tcase_add_test(tests, tree__double_forked_grandchild_is_killed);
	tcase_add_test(tests, tree__grandchild_without_environment_is_killed);
	tcase_add_test(tests, output__kept_pipe_does_not_hang_the_run);
	tcase_add_test(tests, output__flood_keeps_head_and_tail);
	tcase_add_test(tests, output__nul_bytes_are_kept);
	tcase_add_test(tests, output__streams_are_apart);
	tcase_add_test(tests, output__file_keeps_the_whole);
	tcase_add_test(tests, output__full_disk_does_not_stop_the_run);
	tcase_add_test(tests, output__file_stops_at_its_limit);
	tcase_add_test(tests, input__is_empty_by_default);
	tcase_add_test(tests, input__file_is_given);
	tcase_add_test(tests, environment__is_set_and_unset);
	tcase_add_test(tests, environment__descriptors_are_closed);
	tcase_add_test(tests, end__status_is_read_where_sigchld_is_ignored);
	tcase_add_test(tests, jobs__run_side_by_side);
	tcase_add_test(tests, jobs__interrupt_cancels_all);
	tcase_add_loop_test(tests,
			    interrupt__after_the_program_was_told_cancels_it,
			    0, 2);
	tcase_add_test(tests, jobs__end_of_one_leaves_the_others_descendants);
	tcase_add_test(tests, infra__too_few_descriptors_are_told);
	tcase_add_test(tests, end__interpreter_that_is_missing_is_told);
	tcase_add_test(tests, end__word_that_is_empty_is_not_found);
	tcase_add_test(tests, end__path_of_the_run_is_searched);
	tcase_add_test(tests, output__is_passed_on_and_merged);
	tcase_add_test(tests, output__reader_that_is_gone_does_not_stop_the_run);
	tcase_add_test(tests, output__file_that_cannot_be_made_is_infra);
	tcase_add_test(tests, jobs__what_never_ran_is_released);
	tcase_add_test(tests, jobs__signal_that_is_asked_for_is_heard);
	tcase_add_test(tests, jobs__foreground_gets_our_signal);
	tcase_add_test(tests, jobs__second_interrupt_kills_at_once);
	tcase_add_test(tests, environment__case_within_a_case_is_told);
	tcase_add_test(tests, timeout__is_put_off_when_more_time_is_given);
	tcase_add_test(tests, timeout__foreground_is_ended_too);
	tcase_add_test(tests, end__what_is_no_program_is_told);
	tcase_add_test(tests, end__empty_part_of_the_path_is_here);
	tcase_add_test(tests, environment__may_be_empty);
	tcase_add_test(tests, environment__last_value_of_a_name_counts);
	tcase_add_test(tests, input__of_ours_is_inherited);
	tcase_add_test(tests, input__file_that_is_missing_is_infra);
	tcase_add_test(tests, infra__status_that_somebody_else_took_is_told);
	tcase_add_test(tests, output__error_file_keeps_the_whole);
	tcase_add_test(tests, output__of_descendants_is_waited_for);
	tcase_add_test(tests, output__slow_reader_gets_everything);
	tcase_add_test(tests, jobs__nobody_need_hear_of_the_end);
	tcase_add_test(tests, jobs__signal_that_is_ignored_stays_ignored);
	tcase_add_test(tests, jobs__processes_that_are_left_are_seen);
	tcase_add_loop_test(tests, interrupt__between_runners_cancels_the_next,
			    0, 4);
	tcase_add_loop_test(tests, interrupt__others_do_nothing, 0, 3);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(make_suite());
}
