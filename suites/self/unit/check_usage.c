/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What processes take: of this one and a child of it, and of a /proc that is
 * made up, where one may not be looked at, one is a zombie and one is no
 * descendant.
 */
#include "config.h"

#include "harness/machine/usage.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "harness/process/waits.h"
#include "suites/self/lib/made_root.h"
#include "suites/self/lib/run_suite.h"

enum { TICK_MS = 10, MIB = 1 << 20 };	/* USER_HZ is 100 everywhere */

static struct claw_usage usage;

static void read_made(int pid)
{
	claw_usage_read_at(made_root, pid, &usage);
}

/* cutime and cstime are 3 and 4 ticks. */
static void make_stat(int pid, const char *name, char state, int parent,
		      int session, int threads, int ticks)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	made_file(path, "%d (%s) %c %d %d %d 0 -1 4194304 1 2 3 4 %d 0 3 4 20 0 "
		  "%d 0 5678 1000 200\n", pid, name, state, parent, session,
		  session, ticks, threads);
}

static void make_memory(int pid, int rss_kib, int anonymous_kib, int swap_kib)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", pid);
	made_file(path, "00400000-7ffe0000 ---p 00000000 00:00 0  [rollup]\n"
		  "Rss: %11d kB\nPss: %11d kB\nPss_Dirty: 1 kB\n"
		  "Anonymous: %d kB\nSwap: %5d kB\nSwapPss: 77 kB\n", rss_kib,
		  rss_kib / 2, anonymous_kib, swap_kib);
}

static void make_files(int pid, int count)
{
	char path[64];

	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, i);
		made_file(path, "%s", "");
	}
}

static void make_process(int pid, int parent, int session)
{
	make_stat(pid, "a b) (c", 'S', parent, session, 3, 100);
	make_memory(pid, 1000, 500, 24);
	make_files(pid, 5);
}

START_TEST(usage__one_process_by_its_files)
{
	make_process(40, 1, 40);
	read_made(40);
	ck_assert_uint_eq(usage.processes, 1);
	ck_assert_double_eq(usage.rss, 1000 * 1024);
	ck_assert_double_eq(usage.pss, 500 * 1024);
	ck_assert_double_eq(usage.heap, 524 * 1024);
	ck_assert_double_eq(usage.threads, 3);
	ck_assert_double_eq(usage.files, 5);
	ck_assert_double_eq(usage.cpu_ms, 107 * TICK_MS);
}
END_TEST

/* 41 and 42 descend; 43 lost its parent but is in the session; 39 is the
 * parent, 50 a stranger. */
START_TEST(usage__descendants_are_added)
{
	make_process(39, 1, 39);
	make_process(40, 39, 40);
	make_process(42, 41, 42);
	make_process(41, 40, 41);
	make_process(43, 1, 40);
	make_process(50, 1, 50);
	read_made(40);
	ck_assert_uint_eq(usage.processes, 4);
	ck_assert_double_eq(usage.rss, 4 * 1000 * 1024);
	ck_assert_double_eq(usage.threads, 12);
	ck_assert_double_eq(usage.files, 20);
}
END_TEST

START_TEST(usage__zombie_is_left_out)
{
	make_process(40, 1, 40);
	make_stat(41, "z", 'Z', 40, 40, 1, 5);
	read_made(40);
	ck_assert_uint_eq(usage.processes, 1);
	ck_assert_double_eq(usage.threads, 3);
}
END_TEST

START_TEST(usage__process_that_vanishes_is_left_out)
{
	make_process(40, 1, 40);
	made_file("/proc/41/stat", "%s", "");
	made_file("/proc/42/stat", "42 (cut) S");
	read_made(40);
	ck_assert_uint_eq(usage.processes, 1);
	ck_assert_double_eq(usage.rss, 1000 * 1024);
}
END_TEST

START_TEST(usage__ended_is_not_zero_bytes)
{
	make_process(40, 1, 40);
	read_made(77);
	ck_assert_uint_eq(usage.processes, 0);
	ck_assert_double_nan(usage.rss);
	ck_assert_double_nan(usage.cpu_ms);
}
END_TEST

/* Another user's: status is for everybody, the others are not. */
START_TEST(usage__what_cannot_be_read_is_no_number)
{
	make_process(40, 1, 40);
	make_stat(41, "theirs", 'S', 40, 40, 2, 1);
	made_file("/proc/41/status", "Name:\ttheirs\nVmPeak:\t9 kB\n"
		  "VmRSS:\t 2000 kB\nRssAnon:\t 700 kB\nVmSwap:\t 1 kB\n");
	read_made(40);
	ck_assert_uint_eq(usage.processes, 2);
	ck_assert_double_eq(usage.rss, 3000 * 1024);
	ck_assert_double_eq(usage.heap, (524 + 701) * 1024);
	ck_assert_double_nan(usage.pss);
	ck_assert_double_nan(usage.files);
	ck_assert_double_eq(usage.threads, 5);
}
END_TEST

/* A child that holds 32 MiB and 20 files more than before; no clock. */
START_TEST(usage__real_child_is_seen)
{
	struct claw_usage before;
	int ready[2], end[2];
	char word;
	pid_t child;

	claw_usage_read(getpid(), &before);
	ck_assert_uint_eq(before.processes, 1);
	ck_assert(pipe(ready) == 0 && pipe(end) == 0);
	child = fork();
	if (child == 0) {
		char *bytes = mmap(NULL, 32 * MIB, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		memset(bytes, 1, 32 * MIB);
		for (int i = 0; i < 20; i++)
			open("/dev/null", O_RDONLY);
		close(end[1]);
		if (write(ready[1], "r", 1) != 1 || read(end[0], &word, 1) < 0)
			_exit(1);
		_exit(0);
	}
	ck_assert_int_eq(read(ready[0], &word, 1), 1);
	claw_usage_read(getpid(), &usage);
	close(end[1]);
	waitpid(child, NULL, 0);
	ck_assert_uint_eq(usage.processes, 2);
	ck_assert_double_ge(usage.heap, before.heap + 32 * MIB);
	ck_assert_double_ge(usage.rss, before.rss + 32 * MIB);
	ck_assert_double_ge(usage.files, 2 * before.files + 20);
	ck_assert_double_ge(usage.threads, 2);
	claw_usage_read(child, &usage);
	ck_assert_uint_eq(usage.processes, 0);
}
END_TEST

START_TEST(usage__processors)
{
	ck_assert_double_nan(claw_usage_machine_ms_at(made_root));
	ck_assert_double_nan(claw_waits_read_at(made_root, 100).sum_ms);
	made_file("/proc/stat", "cpu  10 20 30 5000 600 1 2 3 70 80\n"
		  "cpu0 1 2 3 4 5 6 7 8 9 10\n");
	made_file("/proc/100/task/100/schedstat", "5000000 3000000 7\n");
	made_file("/proc/100/task/101/schedstat", "9000000 1500000 8\n");
	made_file("/proc/100/task/102/stat", "102 (ended) Z\n");
	ck_assert_double_eq(claw_usage_machine_ms_at(made_root), 66 * TICK_MS);
	ck_assert_double_eq(claw_waits_read_at(made_root, 100).sum_ms, 4.5);
	ck_assert_double_eq(claw_waits_read_at(made_root, 100).longest_ms, 3);
	ck_assert_double_gt(claw_usage_machine_ms(), 0);
}
END_TEST

static const char meminfo[] = "MemTotal:       16384 kB\nMemFree: 10 kB\n";

START_TEST(host__swap_that_is_used)
{
	made_file("/proc/meminfo", "%s", meminfo);
	ck_assert_double_nan(claw_usage_swap_bytes_at(made_root));
	made_file("/proc/meminfo", "%sSwapTotal:  4096 kB\nSwapFree:  1024 kB\n",
		  meminfo);
	ck_assert_double_eq(claw_usage_swap_bytes_at(made_root), 3 * MIB);
}
END_TEST

START_TEST(host__machine_without_a_limit)
{
	made_file("/proc/meminfo", "%s", meminfo);
	ck_assert_double_eq(claw_usage_host_bytes_at(made_root), 16 * MIB);
	made_file("/proc/self/cgroup", "0::/user.slice/a\n");
	made_file("/sys/fs/cgroup/user.slice/a/memory.max", "max\n");
	ck_assert_double_eq(claw_usage_host_bytes_at(made_root), 16 * MIB);
}
END_TEST

START_TEST(host__least_limit_of_a_cgroup_and_its_parents)
{
	made_file("/proc/meminfo", "%s", meminfo);
	made_file("/proc/self/cgroup", "0::/a/b\n");
	made_file("/sys/fs/cgroup/a/b/memory.max", "%d\n", 8 * MIB);
	ck_assert_double_eq(claw_usage_host_bytes_at(made_root), 8 * MIB);
	made_file("/sys/fs/cgroup/a/memory.max", "%d\n", 4 * MIB);
	ck_assert_double_eq(claw_usage_host_bytes_at(made_root), 4 * MIB);
	made_file("/sys/fs/cgroup/a/memory.max", "%d\n", 12 * MIB);
	ck_assert_double_eq(claw_usage_host_bytes_at(made_root), 8 * MIB);
	made_file("/sys/fs/cgroup/a/b/memory.max", "%lld\n", 1LL << 50);
	ck_assert_double_eq(claw_usage_host_bytes_at(made_root), 12 * MIB);
}
END_TEST

/* In a container the path is the host's, and what is mounted is our own. */
START_TEST(host__first_version_in_a_container)
{
	made_file("/proc/meminfo", "%s", meminfo);
	made_file("/proc/self/cgroup", "5:cpu,cpuacct:/docker/f00\n"
		  "4:memory:/docker/f00\n1:name=systemd:/docker/f00\n");
	made_file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "%d\n",
		  2 * MIB);
	made_file("/sys/fs/cgroup/memory.max", "%d\n", MIB);
	ck_assert_double_eq(claw_usage_host_bytes_at(made_root), 2 * MIB);
	made_file("/sys/fs/cgroup/memory/memory.limit_in_bytes",
		  "9223372036854771712\n");
	ck_assert_double_eq(claw_usage_host_bytes_at(made_root), 16 * MIB);
}
END_TEST

START_TEST(host__no_proc_is_not_known)
{
	ck_assert_double_nan(claw_usage_host_bytes_at(made_root));
	ck_assert_double_gt(claw_usage_host_bytes(), 16 * MIB);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("usage");
	TCase *tests = tcase_create("usage");

	tcase_add_checked_fixture(tests, made_root_begin, made_root_end);
	tcase_add_test(tests, usage__one_process_by_its_files);
	tcase_add_test(tests, usage__descendants_are_added);
	tcase_add_test(tests, usage__zombie_is_left_out);
	tcase_add_test(tests, usage__process_that_vanishes_is_left_out);
	tcase_add_test(tests, usage__ended_is_not_zero_bytes);
	tcase_add_test(tests, usage__what_cannot_be_read_is_no_number);
	tcase_add_test(tests, usage__real_child_is_seen);
	tcase_add_test(tests, usage__processors);
	tcase_add_test(tests, host__machine_without_a_limit);
	tcase_add_test(tests, host__swap_that_is_used);
	tcase_add_test(tests, host__least_limit_of_a_cgroup_and_its_parents);
	tcase_add_test(tests, host__first_version_in_a_container);
	tcase_add_test(tests, host__no_proc_is_not_known);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
