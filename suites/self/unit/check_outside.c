/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every reader of a file that others name or write, and every kind of thing
 * that is no such file: no reader waits, fills the memory, or makes something
 * of it. And no other code opens files for reading: see the last test.
 */
#include "config.h"

#include "harness/files/outside_file.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "harness/cases/suite/case_report.h"
#include "harness/cases/clw/clw.h"
#include "harness/crash/facts/crash_input.h"
#include "harness/crash/dump/dump.h"
#include "harness/crash/dump/dump_meta.h"
#include "harness/base/errors.h"
#include "harness/readers/found_reader.h"
#include "harness/cover/gcov_read.h"
#include "harness/files/hash.h"
#include "harness/readers/journal_reader.h"
#include "harness/readers/ledger_reader.h"
#include "harness/files/libcheck_xml.h"
#include "harness/readers/meter_reader.h"
#include "harness/session/model.h"
#include "harness/session/plan_yaml.h"
#include "harness/cover/probe_map.h"
#include "harness/readers/probe_reader.h"
#include "harness/records/records.h"
#include "harness/records/records_put.h"
#include "harness/crash/replay/replay_report.h"
#include "harness/records/result_json.h"
#include "harness/files/results.h"
#include "harness/files/spare_memory.h"
#include "harness/cases/suite/suite.h"
#include "harness/check/suppressions.h"
#include "harness/tools/tool_oclgrind_log.h"
#include "harness/tools/tool_valgrind.h"
#include "harness/crash/trace/trace_read.h"
#include "harness/files/yaml_doc.h"
#include "kernels/instrument/unit/request.h"
#include "reports/report.h"
#include "suites/self/lib/made_root.h"
#include "suites/self/lib/run_suite.h"

enum { WORD_MAX = 512, RSS_KIB_MAX = 96 << 10, TIMEOUT_S = 8 };

static char words[WORD_MAX];

/* ---- readers: is there anything in it? --------------------------------- */

static bool read_bytes(const char *path)
{
	char *bytes;
	size_t size;

	return claw_outside_read(path, 0, CLAW_OUTSIDE_TEXT_MAX, &bytes,
				 &size) == 0;
}

static bool read_stream(const char *path)
{
	return claw_outside_fopen(path) || claw_outside_stream(path);
}

static bool read_own(const char *path)
{
	return claw_outside_open(path, CLAW_OUTSIDE_OWN, 1 << 20) >= 0;
}

static bool read_plan(const char *path)
{
	struct claw_plan_yaml plan = { .rules = NULL };

	return claw_plan_yaml_read(path, false, &plan, words, WORD_MAX) == 0;
}

static bool read_suppressions(const char *path)
{
	struct claw_suppressions all = { .items = NULL };

	return claw_suppressions_read(path, &all, words, WORD_MAX) == 0;
}

static bool read_yaml(const char *path)
{
	struct claw_yaml yaml;

	return claw_yaml_read(path, &yaml, words, WORD_MAX) == 0;
}

static bool read_suite(const char *path)
{
	struct claw_suite *suite;
	struct claw_suite_error error;

	return claw_suite_read_file(path, &suite, &error) == 0;
}

static bool read_model(const char *path)
{
	struct claw_model model;

	return claw_model_read_file(path, &model, words, WORD_MAX) == 0;
}

static bool read_clw(const char *path)
{
	struct claw_clw *clw;
	struct claw_clw_error error;

	return claw_clw_read(path, &clw, &error) == 0;
}

static bool read_libcheck(const char *path)
{
	struct claw_libcheck_log log;

	return claw_libcheck_read(path, &log, words, WORD_MAX) == 0;
}

static bool read_case_report(const char *path)
{
	struct claw_case_report report;

	claw_case_report_read(path, &report);
	return report.name;
}

static bool read_records(const char *path)
{
	static const struct claw_records_visitor visitor = { .plan = NULL };
	uint64_t damaged;
	bool complete;

	return claw_records_read(path, &visitor, NULL, &complete,
				 &damaged) == 0;
}

static bool stays(void *user, const char *type, const json_t *object)
{
	(void)user, (void)type, (void)object;
	return true;
}

static const char *directory_of(const char *path)
{
	static char directory[WORD_MAX];

	snprintf(directory, sizeof(directory), "%.*s",
		 (int)(strrchr(path, '/') - path), path);
	return directory;
}

static bool reopen_records(const char *path)
{
	struct claw_records *records;

	return claw_records_reopen(directory_of(path), stays, NULL,
				   &records) == 0;
}

/* A directory with other things than records is nobody's to write into. */
static bool open_output(const char *path)
{
	char *directory;

	return claw_output_open(directory_of(path), "test", false, &directory,
				words, WORD_MAX) == 0;
}

static bool read_about(const char *path)
{
	json_t *about = claw_dump_about_read(directory_of(path));
	bool is_read = json_object_size(about) > 0;

	json_decref(about);
	return is_read;
}

static bool read_json(const char *path)
{
	return claw_json_read(path, NULL) != NULL;
}

static bool read_journal(const char *path)
{
	struct claw_journal *journal;

	return claw_journal_read(path, &journal) == 0;
}

static bool read_ledger(const char *path)
{
	struct claw_ledger ledger;

	return claw_ledger_read(path, &ledger) == 0;
}

static bool read_found(const char *path)
{
	struct claw_found_file found;

	return claw_found_file_read(path, &found) == 0;
}

static bool read_meters(const char *path)
{
	struct claw_meter_file *meters;

	return claw_meters_read(path, &meters) == 0;
}

static bool read_trace(const char *path)
{
	struct claw_trace *trace;

	return claw_trace_read(path, &trace) == 0;
}

static bool read_dump(const char *path)
{
	struct claw_dump *dump;

	return claw_dump_read(path, NULL, &dump) == 0;
}

static bool refuse_dump(const char *path)
{
	int status;
	char *refusal = claw_crash_input_refusal("crash-analyze", path,
						 -CLAW_E_DAMAGED, &status);

	free(refusal);
	return !refusal;
}

static bool read_probes(const char *path)
{
	struct claw_probe_file file;

	return claw_probe_file_read(path, &file) == 0;
}

static bool read_map(const char *path)
{
	struct claw_probe_map map = { .files = NULL };

	return claw_probe_map_read(path, &map, words, WORD_MAX) == 0;
}

static bool read_request(const char *path)
{
	struct claw_request request = { .modes = 0 };

	return claw_request_read(path, &request, words, WORD_MAX) == 0;
}

static bool read_gcov(const char *path)
{
	return claw_gcov_read(path, NULL, NULL) == 0;
}

static bool read_hash(const char *path)
{
	char text[CLAW_HASH_TEXT_BYTES];
	uint64_t bytes;

	return claw_hash_file(path, text, &bytes);
}

/* What cannot be read is never equal; what is not there is. */
static bool compare_results(const char *path)
{
	char *difference;
	bool is_there = access(path, F_OK) == 0;

	return (claw_results_compare(path, path, "it", &difference) == 0) ==
		is_there;
}

static bool keep_results(const char *path)
{
	bool is_missing = access(path, F_OK) < 0, is_kept;
	char *copy = NULL;

	ck_assert_int_gt(asprintf(&copy, "%s/copy", made_root), 0);
	/* What is there and cannot be read is not a file that is missing. */
	is_kept = claw_results_keep(path, false, copy) == 0;
	is_kept = is_kept != is_missing || access(copy, F_OK) == 0;
	unlink(copy);
	free(copy);
	return is_kept;
}

static bool hear_results(const char *path)
{
	const struct claw_results_output run = { path, path };

	return claw_results_said(&run, &run, 1) != NULL;
}

static bool read_oclgrind(const char *path)
{
	struct claw_findings findings = { .count = 0 };

	return claw_oclgrind_read(path, 0, &findings) == 0;
}

static bool read_valgrind(const char *path)
{
	struct claw_findings findings = { .count = 0 };

	return claw_valgrind_read_xml(path, NULL, &findings) == 0;
}

static bool read_replay(const char *path)
{
	struct claw_replay_result result = { 0 };
	char *cannot;

	claw_replay_report_read(path, &result, &cannot);
	return result.differing;
}

static bool show_source(const char *path)
{
	const struct claw_report_head head = { .source_root = made_root };
	const struct claw_result result = { .file = NULL };

	return claw_report_open_source(&head, &result, path) != NULL;
}

static const struct reader {
	const char *name;
	bool (*read)(const char *path);
	const char *file;		/* that it looks for, or NULL */
} readers[] = {
	{ "bytes", read_bytes, NULL },
	{ "stream", read_stream, NULL },
	{ "own file", read_own, NULL },
	{ "plan", read_plan, NULL },
	{ "suppressions", read_suppressions, NULL },
	{ "yaml", read_yaml, NULL },
	{ "suite", read_suite, NULL },
	{ "model", read_model, NULL },
	{ "clw", read_clw, "kernel.clw" },
	{ "libcheck log", read_libcheck, NULL },
	{ "case report", read_case_report, NULL },
	{ "records", read_records, NULL },
	{ "reopened records", reopen_records, "records.jsonl" },
	{ "output directory", open_output, "records.jsonl" },
	{ "about.json", read_about, "about.json" },
	{ "json", read_json, NULL },
	{ "journal", read_journal, NULL },
	{ "ledger", read_ledger, NULL },
	{ "found", read_found, NULL },
	{ "meters", read_meters, NULL },
	{ "trace", read_trace, NULL },
	{ "dump", read_dump, NULL },
	{ "refusal of a dump", refuse_dump, NULL },
	{ "probes", read_probes, NULL },
	{ "map", read_map, NULL },
	{ "request", read_request, NULL },
	{ "gcov", read_gcov, NULL },
	{ "hash", read_hash, NULL },
	{ "compared results", compare_results, NULL },
	{ "kept results", keep_results, NULL },
	{ "complaints", hear_results, NULL },
	{ "oclgrind log", read_oclgrind, NULL },
	{ "valgrind log", read_valgrind, NULL },
	{ "replay report", read_replay, NULL },
	{ "source", show_source, NULL },
};

/* ---- what is no file --------------------------------------------------- */

static void make_fifo(const char *path)
{
	ck_assert_int_eq(mkfifo(path, 0666), 0);
}

static void make_directory(const char *path)
{
	ck_assert_int_eq(mkdir(path, 0777), 0);
}

static void make_device(const char *path)
{
	ck_assert_int_eq(symlink("/dev/zero", path), 0);
}

/* Larger than any limit, and nothing on the disk. */
static void make_sparse(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0666);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)20 << 30), 0);
	close(fd);
}

static void make_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	ck_assert_uint_lt(strlen(path), sizeof(address.sun_path));
	memcpy(address.sun_path, path, strlen(path));
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address,
			      sizeof(address)), 0);
}

static void make_dangling(const char *path)
{
	ck_assert_int_eq(symlink("/proc/nonexistent", path), 0);
}

static void make_unreadable(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "a\n", 2), 2);
	close(fd);
}

static const struct kind {
	const char *name;
	void (*make)(const char *path);
	const char *not_of;		/* readers that may read it */
} kinds[] = {
	{ "fifo", make_fifo, "" },
	{ "directory", make_directory, "" },
	{ "device", make_device, "" },
	/* Parts of these are read where they are wanted. */
	{ "sparse file", make_sparse, "" },
	{ "socket", make_socket, "" },
	{ "dangling link", make_dangling, "refusal of a dump" },
	{ "unreadable file", make_unreadable, "" },
};

/* ---- tests ------------------------------------------------------------- */

static void setup(void)
{
	made_root_begin();
	chmod(made_root, 0777);
	chdir(made_root);
	if (geteuid() == 0)		/* root reads what nobody may */
		ck_assert_int_eq(seteuid(65534), 0);
}

static void teardown(void)
{
	if (getuid() == 0)
		ck_assert_int_eq(seteuid(0), 0);
	chdir("/");
	made_root_end();
}

START_TEST(every_reader)
{
	const struct reader *reader = &readers[_i];
	struct rusage usage;
	long before;

	getrusage(RUSAGE_SELF, &usage);
	before = usage.ru_maxrss;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		char directory[128], path[256];

		if (strcmp(kinds[i].not_of, reader->name) == 0)
			continue;
		snprintf(directory, sizeof(directory), "%s/%zu", made_root, i);
		snprintf(path, sizeof(path), "%s/%s", directory,
			 reader->file ? reader->file : "it");
		ck_assert_int_eq(mkdir(directory, 0777), 0);
		kinds[i].make(path);
		/* What libcheck says of a test that hangs. */
		mark_point();
		fprintf(stderr, "%s: %s\n", reader->name, kinds[i].name);
		ck_assert_msg(!reader->read(path), "%s: read something of a %s",
			      reader->name, kinds[i].name);
		getrusage(RUSAGE_SELF, &usage);
		ck_assert_msg(usage.ru_maxrss - before < RSS_KIB_MAX, "%s: a "
			      "%s took %ld KiB", reader->name, kinds[i].name,
			      usage.ru_maxrss - before);
	}
}
END_TEST

/* What a dump may unpack to, and a trace be long, depends on what there is. */
START_TEST(memory__a_limit_of_the_process_counts)
{
	uint64_t room = 64 << 20, before = claw_spare_memory();
	unsigned long pages = 0;
	struct rlimit limit;
	FILE *in = fopen("/proc/self/statm", "r");

	ck_assert_int_eq(fscanf(in, "%lu", &pages), 1);
	fclose(in);
	limit.rlim_cur = limit.rlim_max = pages *
		(rlim_t)sysconf(_SC_PAGESIZE) + room;
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
	ck_assert_uint_gt(before, room);
	ck_assert_uint_gt(claw_spare_memory(), 0);
	ck_assert_uint_le(claw_spare_memory(), room);
}
END_TEST

static regex_t opening, safe;
static unsigned int files, openings;

/* A line that opens a file for reading, in a file where that is not done. */
static int look_at_file(const char *path, const struct stat *status, int type,
			struct FTW *at)
{
	char *line = NULL;
	size_t room = 0;
	FILE *in;

	(void)status, (void)at;
	if (type != FTW_F || strcmp(path + strlen(path) - 2, ".c") != 0 ||
	    strstr(path, "/harness/files/outside_file.c"))
		return 0;
	in = fopen(path, "r");
	ck_assert_ptr_nonnull(in);
	files++;
	while (getline(&line, &room, in) > 0)
		if (regexec(&opening, line, 0, NULL, 0) == 0 &&
		    regexec(&safe, line, 0, NULL, 0) != 0) {
			fprintf(stderr, "%s: %s", path, line);
			openings++;
		}
	free(line);
	fclose(in);
	return 0;
}

/* Left are /proc, /dev/null, directories, our own pipes (not blocking), what
 * small_file.c and dump_store.c open (not blocking either), and a text that is
 * the source of a program. */
START_TEST(no_other_reader)
{
	static const char *const folders[] = { "harness", "reports",
					       "kernels/instrument" };
	const char *source = getenv("srcdir") ? getenv("srcdir") : ".";
	char path[512];

	ck_assert_int_eq(regcomp(&opening,
		"fopen\\([^;]*\"r|[^_a-z]open(at)?\\([^;]*O_RDONLY|"
		"json_load_file|ForFile\\(|[^_]getdelim", REG_EXTENDED |
		REG_NOSUB), 0);
	ck_assert_int_eq(regcomp(&safe,
		"\"/proc/|\"/dev/null\"|O_DIRECTORY|O_NONBLOCK|O_NOFOLLOW|"
		"fopen\\(name, \\\\\"rb", REG_EXTENDED | REG_NOSUB), 0);
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		snprintf(path, sizeof(path), "%s/%s", source, folders[i]);
		ck_assert_int_eq(nftw(path, look_at_file, 8, FTW_PHYS), 0);
	}
	ck_assert_uint_gt(files, 300);
	ck_assert_msg(openings == 0, "%u places open files for reading: use "
		      "harness/files/outside_file.h", openings);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("outside");
	TCase *tests = tcase_create("readers");
	TCase *sources = tcase_create("sources");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, TIMEOUT_S);
	tcase_add_loop_test(tests, every_reader, 0,
			    sizeof(readers) / sizeof(*readers));
	tcase_add_test(sources, memory__a_limit_of_the_process_counts);
	tcase_add_test(sources, no_other_reader);
	suite_add_tcase(suite, tests);
	suite_add_tcase(suite, sources);
	return run_suite(suite);
}
