/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process runner where the kernel knows less than ours: a filter refuses
 * single system calls to the test, which is a process of its own, and to what
 * it starts.
 */
#include "config.h"

#include "harness/process/runner.h"

#include <check.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/errors.h"

#define CALL(number, first) { number, first }
#define ANY (~0u)
#define P_PIDFD_VALUE 3u

/* A system call, and its first argument where only that is refused. */
struct call {
	unsigned int number, first;
};

static int refuse(const struct call *calls, size_t count, int error)
{
	struct sock_filter filter[32];
	unsigned short size = 0;

	for (size_t i = 0; i < count; i++) {
		filter[size++] = (struct sock_filter)BPF_STMT(
			BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, nr));
		filter[size++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, calls[i].number, 0,
			calls[i].first == ANY ? 1 : 3);
		if (calls[i].first != ANY) {
			filter[size++] = (struct sock_filter)BPF_STMT(
				BPF_LD | BPF_W | BPF_ABS,
				offsetof(struct seccomp_data, args[0]));
			filter[size++] = (struct sock_filter)BPF_JUMP(
				BPF_JMP | BPF_JEQ | BPF_K, calls[i].first,
				0, 1);
		}
		filter[size++] = (struct sock_filter)BPF_STMT(
			BPF_RET | BPF_K,
			SECCOMP_RET_ERRNO | (unsigned int)error);
	}
	filter[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
						      SECCOMP_RET_ALLOW);

	struct sock_fprog all = { .len = size, .filter = filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all);
}

static void must_refuse(const struct call *calls, size_t count, int error)
{
	ck_assert_int_eq(refuse(calls, count, error), 0);
}

/* May we have filters here? In a process that keeps its filter to itself. */
static bool can_refuse(void)
{
	static const struct call call = CALL(SYS_getppid, ANY);
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(refuse(&call, 1, ENOSYS) == 0 &&
		      syscall(SYS_getppid) < 0 ? 0 : 1);
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void run(const char *mode, const char *argument,
		struct claw_run_spec spec, struct claw_run_result *ret)
{
	const char *path = getenv("OPENCLAW_TEST_MISBEHAVE");
	char *argv[] = { (char *)(path ? path : "./misbehave"), (char *)mode,
			 (char *)argument, NULL };

	spec.argv = argv;
	if (spec.timeout_ms == 0)
		spec.timeout_ms = 20000;
	ck_assert_int_eq(claw_run_once(&spec, ret), 0);
}

static void assert_runs_end_as_ever(void)
{
	struct claw_run_result result;

	run("exit", "42", (struct claw_run_spec) { 0 }, &result);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_int_eq(result.code, 42);
	claw_run_result_release(&result);
	run("kill-self", "9", (struct claw_run_spec) { 0 }, &result);
	ck_assert_int_eq(result.end, CLAW_END_SIGNAL);
	ck_assert_int_eq(result.code, SIGKILL);
	claw_run_result_release(&result);
	run("sleep", NULL, (struct claw_run_spec) { .timeout_ms = 50 },
	    &result);
	ck_assert_int_eq(result.end, CLAW_END_TIMEOUT);
	claw_run_result_release(&result);
}

#ifdef SYS_pidfd_open
/* Before Linux 5.3. */
START_TEST(ends_are_seen_without_pidfds)
{
	static const struct call call = CALL(SYS_pidfd_open, ANY);

	must_refuse(&call, 1, ENOSYS);
	assert_runs_end_as_ever();
}
END_TEST
#endif

/* Linux 5.3. */
START_TEST(ends_are_seen_where_pidfds_cannot_be_waited_for)
{
	static const struct call call = CALL(SYS_waitid, P_PIDFD_VALUE);

	must_refuse(&call, 1, EINVAL);
	assert_runs_end_as_ever();
}
END_TEST

#ifdef SYS_close_range
/* Before Linux 5.9. */
START_TEST(descriptors_are_closed_one_by_one)
{
	static const struct call call = CALL(SYS_close_range, ANY);
	struct claw_run_result result;
	int leaked = dup(0);

	ck_assert_int_ge(leaked, 3);
	must_refuse(&call, 1, ENOSYS);
	run("fds", NULL, (struct claw_run_spec) { 0 }, &result);
	ck_assert_int_eq(result.end, CLAW_END_EXIT);
	ck_assert_int_eq(result.code, 0);
	ck_assert_msg(result.out.total_bytes == 0, "open: %.*s",
		      (int)result.out.head_bytes, result.out.head);
	claw_run_result_release(&result);
	close(leaked);
}
END_TEST
#endif

/* fork() only: sanitizers have threads of their own. */
static const struct call makes_processes[] = {
	CALL(SYS_clone, CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | SIGCHLD),
#ifdef SYS_fork
	CALL(SYS_fork, ANY),
#endif
};

START_TEST(no_room_for_a_process_is_infra)
{
	struct claw_run_result result;

	must_refuse(makes_processes, sizeof(makes_processes) /
		    sizeof(makes_processes[0]), EAGAIN);
	run("exit", "0", (struct claw_run_spec) { 0 }, &result);
	ck_assert_int_eq(result.end, CLAW_END_INFRA);
	ck_assert_int_eq(result.code, EAGAIN);
	claw_run_result_release(&result);
}
END_TEST

/* The child says what became of it, and is not taken for the program. */
START_TEST(child_that_has_no_output_is_infra)
{
	static const struct call calls[] = {
		CALL(SYS_dup3, ANY),
#ifdef SYS_dup2
		CALL(SYS_dup2, ANY),
#endif
	};
	struct claw_run_result result;

	must_refuse(calls, sizeof(calls) / sizeof(calls[0]), EBUSY);
	run("exit", "0", (struct claw_run_spec) { 0 }, &result);
	ck_assert_int_eq(result.end, CLAW_END_INFRA);
	ck_assert_int_eq(result.code, EBUSY);
	claw_run_result_release(&result);
	run("exit", "0", (struct claw_run_spec) {
		.stdin_mode = CLAW_STDIN_INHERIT }, &result);
	ck_assert_int_eq(result.end, CLAW_END_INFRA);
	claw_run_result_release(&result);
}
END_TEST

static void hear_nothing(void *user)
{
	(void)user;
}

START_TEST(signals_that_cannot_be_taken_are_told)
{
	static const struct call call = CALL(SYS_signalfd4, ANY);
	struct claw_runner *runner = claw_runner_new(1);

	ck_assert_ptr_nonnull(runner);
	must_refuse(&call, 1, EMFILE);
	ck_assert_int_eq(claw_runner_on_signal(runner, SIGUSR1, hear_nothing,
					       NULL), -CLAW_E_IO);
	claw_runner_free(runner);
	ck_assert_ptr_null(claw_runner_new(1));
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("old_kernel");
	TCase *tests = tcase_create("old_kernel");

	tcase_set_timeout(tests, 30);
#ifdef SYS_pidfd_open
	tcase_add_test(tests, ends_are_seen_without_pidfds);
#endif
	tcase_add_test(tests, ends_are_seen_where_pidfds_cannot_be_waited_for);
#ifdef SYS_close_range
	tcase_add_test(tests, descriptors_are_closed_one_by_one);
#endif
	tcase_add_test(tests, no_room_for_a_process_is_infra);
	tcase_add_test(tests, child_that_has_no_output_is_infra);
	tcase_add_test(tests, signals_that_cannot_be_taken_are_told);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	SRunner *runner;
	int failed;

	/* Without a process of its own a test would leave its filter to all. */
	if (!can_refuse()) {
		puts("1..0 # SKIP system calls cannot be refused here");
		return EXIT_SUCCESS;
	}
	runner = srunner_create(make_suite());
	srunner_set_fork_status(runner, CK_FORK);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
