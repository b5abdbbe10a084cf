/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of a soak: what is written is read again, a soak that was ended from
 * outside goes on, its directory does not grow over its limit, and its clock is
 * not led astray. Then the reports made of them.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/records/records_soak.h"
#include "harness/session/session.h"
#include "harness/soak/monitor/soak_clock.h"
#include "harness/soak/run/soak_disk.h"
#include "harness/records/soak_json.h"
#include "harness/soak/monitor/soak_sites.h"
#include "reports/write/report_files.h"
#include "suites/self/lib/run_suite.h"

static char directory[] = "/tmp/openclaw-soak-XXXXXX";
static char records_path[PATH_MAX];
static struct claw_records *records;

static void setup(void)
{
	memcpy(strrchr(directory, '-') + 1, "XXXXXX", 6);
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(records_path, sizeof(records_path), "%s/records.jsonl",
		 directory);
	records = NULL;
}

static void teardown(void)
{
	claw_records_free(records);
	claw_directory_remove(directory);
}

/* What a reader was told. */
struct heard {
	uint64_t segments, samples, events, results;
	struct claw_sample last;
	char sites[1024], kinds[1024];
};

static void hear_segment(void *user, const struct claw_soak_segment *segment)
{
	((struct heard *)user)->segments++;
	ck_assert_uint_gt(strlen(segment->started), 10);
}

static void hear_sample(void *user, const struct claw_sample *sample,
			const struct claw_sample_site *sites, size_t count)
{
	struct heard *heard = user;
	size_t length = 0;

	heard->samples++;
	heard->last = *sample;
	heard->sites[0] = '\0';
	for (size_t i = 0; i < count && length < sizeof(heard->sites); i++)
		length += (size_t)snprintf(heard->sites + length,
			sizeof(heard->sites) - length, "%s|%s|%" PRIu64 "|%"
			PRIu64 "\n", sites[i].site, sites[i].place ?
			sites[i].place : "-", sites[i].objects, sites[i].bytes);
}

static void hear_event(void *user, const struct claw_soak_event *event)
{
	struct heard *heard = user;
	size_t length = strlen(heard->kinds);

	heard->events++;
	snprintf(heard->kinds + length, sizeof(heard->kinds) - length,
		 "%s|%s|%s|%s|%s|%d|%" PRIu64 "\n", event->kind,
		 event->code ? event->code : "-", event->text,
		 event->signature ? event->signature : "-",
		 event->path ? event->path : "-", event->injected,
		 event->count);
}

static void hear_result(void *user, const struct claw_result *result)
{
	(void)result;
	((struct heard *)user)->results++;
}

static void hear(struct heard *heard, bool *ret_complete, uint64_t *ret_damaged)
{
	static const struct claw_records_visitor visitor = {
		.segment = hear_segment, .sample = hear_sample,
		.event = hear_event, .result = hear_result,
	};

	memset(heard, 0, sizeof(*heard));
	ck_assert_int_eq(claw_records_read(records_path, &visitor, heard,
					   ret_complete, ret_damaged), 0);
}

static void begin(void)
{
	static char word0[] = "openclaw", word1[] = "run",
		    word2[] = "clGetProgramInfo:clw-gpu-crash";
	char *argv[] = { word0, word1, word2, NULL };

	ck_assert_int_eq(claw_records_new(directory, "run", 3, argv, 1, 0,
					  &records), 0);
	ck_assert_int_eq(claw_records_segment(records,
		&(struct claw_soak_segment){ .boot_id = "b", .wall_ms = -5 }),
			 0);
}

static void stop(void)
{
	claw_records_free(records);
	records = NULL;
}

static struct claw_sample sample_of(uint64_t t_ms)
{
	struct claw_sample sample;

	claw_sample_init(&sample);
	sample.t_ms = t_ms;
	sample.wall_ms = 1700000000000 + (int64_t)t_ms;
	sample.run = 1;
	sample.values[CLAW_SERIES_RSS] = 12345678912.0;
	sample.values[CLAW_SERIES_LAUNCH_P50] = 0.0625;
	sample.values[CLAW_SERIES_ITERATIONS] = (double)t_ms;
	return sample;
}

static void add_sample(uint64_t t_ms)
{
	struct claw_sample sample = sample_of(t_ms);

	ck_assert_int_eq(claw_records_sample(records, &sample, NULL, 0), 0);
}

static const struct claw_soak_event crash = {
	.t_ms = 2500, .run = 2, .kind = "crash", .code = "clw-gpu-crash",
	.text = "SIGSEGV in tile: not clw-out-of-memory", .signature = "s1",
	.path = "crashes/1", .count = 1,
};

START_TEST(records__what_is_written_of_a_soak_is_read)
{
	struct claw_sample sample = sample_of(1000);
	struct claw_sample_site site = { "clCreateBuffer < a", NULL, 2, 3 };
	struct claw_soak_event fault = { .kind = "fault", .text = "t",
					 .injected = true };
	struct heard heard;
	bool complete;
	uint64_t damaged;

	begin();
	ck_assert_int_eq(claw_records_sample(records, &sample, &site, 1), 0);
	ck_assert_int_eq(claw_records_event(records, &crash), 0);
	ck_assert_int_eq(claw_records_event(records, &fault), 0);
	hear(&heard, &complete, &damaged);
	ck_assert(!complete);
	ck_assert_uint_eq(damaged, 0);
	ck_assert_uint_eq(heard.segments, 1);
	ck_assert_uint_eq(heard.last.t_ms, 1000);
	ck_assert_int_eq(heard.last.wall_ms, 1700000001000);
	ck_assert(heard.last.values[CLAW_SERIES_RSS] == 12345678912.0);
	ck_assert(heard.last.values[CLAW_SERIES_LAUNCH_P50] == 0.0625);
	ck_assert(isnan(heard.last.values[CLAW_SERIES_PSS]));
	ck_assert_str_eq(heard.sites, "clCreateBuffer < a|-|2|3\n");
	ck_assert_str_eq(heard.kinds, "crash|clw-gpu-crash|SIGSEGV in tile: "
			 "not clw-out-of-memory|s1|crashes/1|0|1\n"
			 "fault|-|t|-|-|1|1\n");
}
END_TEST

/* One that only a later version knows, and what is no number. */
START_TEST(records__series_that_is_not_known_is_passed_over)
{
	static const char text[] = "{\"t_ms\":7,\"values\":{\"later\":3,"
		"\"rss\":5,\"heap\":\"x\"},\"sites\":[{},{\"site\":\"a\"}]}";
	json_t *object = json_loads(text, 0, NULL);
	struct claw_sample_site *sites;
	struct claw_sample sample;
	size_t count;

	ck_assert_ptr_nonnull(object);
	ck_assert(claw_sample_from_json(object, &sample, &sites, &count));
	ck_assert(sample.values[CLAW_SERIES_RSS] == 5);
	ck_assert(isnan(sample.values[CLAW_SERIES_HEAP]));
	ck_assert_uint_eq(count, 1);
	free(sites);
	json_object_del(object, "values");
	ck_assert(!claw_sample_from_json(object, &sample, &sites, &count));
	json_decref(object);
}
END_TEST

/* Each line in turn is hit by a bit: it is counted, and all others are read. */
START_TEST(records__damaged_samples_are_counted)
{
	struct heard heard;
	bool complete;
	uint64_t damaged;
	struct stat about;
	FILE *file;

	begin();
	for (uint64_t t = 1; t <= 10; t++)
		add_sample(t * 1000);
	stop();
	ck_assert_int_eq(stat(records_path, &about), 0);
	for (long at = about.st_size - 40; at > 700; at -= 97) {
		int byte;

		file = fopen(records_path, "r+b");
		ck_assert_ptr_nonnull(file);
		fseek(file, at, SEEK_SET);
		byte = fgetc(file);
		fseek(file, at, SEEK_SET);
		fputc(byte ^ 4, file);
		fclose(file);
		hear(&heard, &complete, &damaged);
		ck_assert_uint_ge(damaged, 1);
		ck_assert_uint_ge(heard.samples + damaged, 10);
		ck_assert_uint_lt(heard.samples, 10);
		file = fopen(records_path, "r+b");
		fseek(file, at, SEEK_SET);
		fputc(byte, file);
		fclose(file);
	}
}
END_TEST

/* ---- going on --------------------------------------------------------- */

static void append(const char *text)
{
	FILE *file = fopen(records_path, "ab");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
}

START_TEST(resume__keeps_samples_and_drops_what_is_torn)
{
	struct claw_soak_past past;
	struct heard heard;
	bool complete;
	uint64_t damaged;

	begin();
	add_sample(1000);
	add_sample(2000);
	ck_assert_int_eq(claw_records_event(records, &crash), 0);
	stop();
	append("{\"v\":1,\"n\":9,\"t\":\"sample\"}\n{\"v\":1,\"n\":5,\"t\":\"sam");
	ck_assert_int_eq(claw_records_continue_soak(directory, &records, &past),
			 0);
	ck_assert_uint_eq(past.segments, 1);
	ck_assert_uint_eq(past.t_ms, 2500);
	ck_assert_uint_eq(past.runs, 2);
	ck_assert_uint_eq(past.samples, 2);
	ck_assert_uint_eq(past.events, 1);
	ck_assert(past.last.values[CLAW_SERIES_ITERATIONS] == 2000);
	ck_assert(isnan(past.last.values[CLAW_SERIES_HEAP]));
	add_sample(3000);
	ck_assert_int_eq(claw_records_end(records, 0, false), 0);
	hear(&heard, &complete, &damaged);
	ck_assert(complete);
	ck_assert_uint_eq(damaged, 0);
	ck_assert_uint_eq(heard.samples, 3);
	ck_assert_uint_eq(heard.events, 1);
}
END_TEST

/* The verdict of a soak that goes on will be another. */
START_TEST(resume__takes_results_and_end_away)
{
	struct claw_result leak = { .suite = "soak", .name = "rss",
				    .verdict = CLAW_LEAK };
	struct claw_soak_past past;
	struct heard heard;
	bool complete;
	uint64_t damaged;

	begin();
	add_sample(1000);
	ck_assert_int_eq(claw_records_result(records, &leak), 0);
	ck_assert_int_eq(claw_records_note(records, "not judged: time"), 0);
	ck_assert_int_eq(claw_records_end(records, 1, true), 0);
	stop();
	ck_assert_int_eq(claw_records_continue_soak(directory, &records, &past),
			 0);
	ck_assert_int_eq(claw_records_segment(records,
		&(struct claw_soak_segment){ .segment = past.segments,
					     .t_ms = past.t_ms }), 0);
	hear(&heard, &complete, &damaged);
	ck_assert(!complete);
	ck_assert_uint_eq(damaged, 0);
	ck_assert_uint_eq(heard.samples, 1);
	ck_assert_uint_eq(heard.results, 0);
	ck_assert_uint_eq(heard.segments, 2);
}
END_TEST

/* Whoever adds a segment has more to say. */
START_TEST(resume__segment_after_an_end_takes_it_back)
{
	struct heard heard;
	bool complete;
	uint64_t damaged;

	begin();
	ck_assert_int_eq(claw_records_end(records, 0, false), 0);
	hear(&heard, &complete, &damaged);
	ck_assert(complete);
	ck_assert_int_eq(claw_records_segment(records,
		&(struct claw_soak_segment){ .segment = 1 }), 0);
	hear(&heard, &complete, &damaged);
	ck_assert(!complete);
}
END_TEST

START_TEST(resume__of_something_else_is_seen)
{
	struct claw_soak_past past = { .segments = 7 };
	char word[] = "openclaw", *argv[] = { word, NULL };

	ck_assert_int_eq(claw_records_continue_soak(directory, &records, &past),
			 -CLAW_E_IO);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(claw_records_new(directory, "test", 1, argv, 0, 0,
					  &records), 0);
	stop();
	ck_assert_int_eq(claw_records_continue_soak(directory, &records, &past),
			 0);
	ck_assert_uint_eq(past.segments, 0);
}
END_TEST

/* ---- the clock -------------------------------------------------------- */

static struct claw_soak_times times;

static void read_times(void *user, struct claw_soak_times *ret_times)
{
	(void)user;
	*ret_times = times;
}

static void pass(int64_t ran_ms, int64_t slept_ms, int64_t set_ms)
{
	times.monotonic_ms += ran_ms;
	times.boottime_ms += ran_ms + slept_ms;
	times.wall_ms += ran_ms + slept_ms + set_ms;
}

START_TEST(clock__counts_only_what_ran)
{
	static const struct {
		int64_t ran, slept, set;
		const char *says;	/* NULL: nothing */
	} rows[] = {
		{ 60000, 0, 0, NULL },
		{ 60000, 0, 20, NULL },		/* NTP */
		{ 86400000, 0, 30000, NULL },	/* a day of it */
		{ 60000, 3600000, 0, "slept for 1 h 0 min" },
		{ 60000, 0, 3600000, "set forward by 1 h 0 min" },
		{ 60000, 0, -90000, "set back by 1 min 30 s" },
		{ 10, 2500, -172800000, "slept for 2.5 s and its clock was "
		  "set back by 2 d 0 h" },
		{ 0, 0, 0, NULL },
	};
	struct claw_soak_clock clock;
	uint64_t t_ms, expected = 5000;
	int64_t wall_ms;
	char text[200];

	times = (struct claw_soak_times){ 77, 99, 1700000000000 };
	claw_soak_clock_init(&clock, 5000, read_times, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		bool said;

		pass(rows[i].ran, rows[i].slept, rows[i].set);
		expected += (uint64_t)rows[i].ran;
		said = claw_soak_clock_now(&clock, &t_ms, &wall_ms, text,
					   sizeof(text));
		ck_assert_uint_eq(t_ms, expected);
		ck_assert_int_eq(wall_ms, times.wall_ms);
		ck_assert_msg(said == (rows[i].says != NULL), "row %zu: %s", i,
			      text);
		if (rows[i].says)
			ck_assert_msg(strstr(text, rows[i].says) != NULL,
				      "row %zu: %s", i, text);
		else
			ck_assert_str_eq(text, "");
	}
}
END_TEST

START_TEST(clock__of_the_system_does_not_fall)
{
	struct claw_soak_clock clock;
	uint64_t first, second;
	int64_t wall_ms;
	char text[200];

	claw_soak_clock_init(&clock, 1000, NULL, NULL);
	claw_soak_clock_now(&clock, &first, &wall_ms, text, sizeof(text));
	claw_soak_clock_now(&clock, &second, &wall_ms, text, sizeof(text));
	ck_assert_uint_ge(first, 1000);
	ck_assert_uint_ge(second, first);
	ck_assert_int_gt(wall_ms, 1500000000000);
}
END_TEST

/* ---- sites ------------------------------------------------------------ */

START_TEST(sites__only_changes_are_written_and_all_is_read)
{
	struct claw_soak_sites *out = claw_soak_sites_new();
	struct claw_soak_sites *in = claw_soak_sites_new();
	struct claw_sample_site now[3] = {
		{ "b", "p", 1, 100 }, { "a", NULL, 5, 0 }, { "c", NULL, 1, 1 },
	};
	struct claw_sample_site changed[8];
	const struct claw_sample_site *all;
	size_t count;

	ck_assert_int_eq(claw_soak_sites_changed(out, now, 3, changed, 8), 3);
	ck_assert_str_eq(changed[0].site, "a");	/* five objects */
	claw_soak_sites_apply(in, changed, 3, &all, &count);
	ck_assert_uint_eq(count, 3);
	ck_assert_int_eq(claw_soak_sites_changed(out, now, 3, changed, 8), 0);
	now[0].bytes = 200;
	ck_assert_int_eq(claw_soak_sites_changed(out, now, 2, changed, 8), 2);
	claw_soak_sites_apply(in, changed, 2, &all, &count);
	ck_assert_uint_eq(count, 2);	/* c is gone */
	ck_assert_str_eq(all[1].site, "b");
	ck_assert_str_eq(all[1].place, "p");
	ck_assert_uint_eq(all[1].bytes, 200);
	/* What does not fit now comes with the next sample. */
	now[0].bytes = now[1].bytes = 1000;
	ck_assert_int_eq(claw_soak_sites_changed(out, now, 2, changed, 1), 1);
	ck_assert_str_eq(changed[0].site, "a");
	ck_assert_int_eq(claw_soak_sites_changed(out, now, 2, changed, 1), 1);
	ck_assert_str_eq(changed[0].site, "b");
	claw_soak_sites_doubt(out);
	ck_assert_int_eq(claw_soak_sites_changed(out, now, 1, changed, 8), 2);
	claw_soak_sites_free(out);
	claw_soak_sites_free(in);
}
END_TEST

/* ---- room ------------------------------------------------------------- */

static uint64_t size_of(const char *path)
{
	struct stat about;

	ck_assert_int_eq(stat(path, &about), 0);
	return (uint64_t)about.st_size;
}

/* 20,000 samples of some 200 bytes, 1 MiB for all. */
START_TEST(disk__records_stay_below_the_limit)
{
	struct claw_soak_disk *disk;
	struct heard heard;
	bool complete;
	uint64_t damaged, every = 1;
	int failed = 0;

	begin();
	disk = claw_soak_disk_new(directory, 1 << 20, records);
	ck_assert_ptr_nonnull(disk);
	for (uint64_t t = 1; t <= 20000; t++) {
		struct claw_sample sample = sample_of(t);

		failed += claw_soak_disk_sample(disk, &sample, NULL, 0) != 0;
		failed += claw_soak_disk_every(disk) != 0 &&
			  claw_soak_disk_every(disk) < every;
		every = claw_soak_disk_every(disk);
	}
	for (int i = 0; i < 2000; i++)
		failed += claw_soak_disk_event(disk, &crash) != 0;
	ck_assert_int_eq(failed, 0);
	ck_assert(!claw_soak_disk_settle(disk));	/* events are lost */
	claw_soak_disk_free(disk);
	ck_assert_int_eq(claw_records_end(records, 2, false), 0);
	ck_assert_uint_lt(size_of(records_path), 1 << 19);
	hear(&heard, &complete, &damaged);
	ck_assert(complete);
	ck_assert_uint_eq(damaged, 0);
	ck_assert_uint_gt(heard.samples, 1000);
	ck_assert_uint_gt(heard.last.t_ms, 5000);
	ck_assert_ptr_nonnull(strstr(heard.kinds, "disk|-|the records approach"));
}
END_TEST

static void make_dump(struct claw_soak_disk *disk, const char *signature,
		      unsigned int number)
{
	struct claw_soak_event event = crash;
	char name[32], path[PATH_MAX];
	static const char bytes[200000] = "dump";
	FILE *file;

	snprintf(name, sizeof(name), "crashes/%u", number);
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "wb");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, sizeof(bytes), file), sizeof(bytes));
	ck_assert_int_eq(fclose(file), 0);
	event.path = name;
	event.signature = signature;
	ck_assert_int_eq(claw_soak_disk_event(disk, &event), 0);
}

static bool has_dump(unsigned int number)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/crashes/%u", directory, number);
	return access(path, F_OK) == 0;
}

/* Room for five dumps. */
START_TEST(disk__first_and_newest_dump_stay)
{
	struct claw_soak_disk *disk;
	struct claw_soak_past past;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/crashes", directory);
	ck_assert_int_eq(mkdir(path, 0777), 0);
	begin();
	disk = claw_soak_disk_new(directory, 2 << 20, records);
	make_dump(disk, "b", 0);
	for (unsigned int i = 1; i <= 4; i++)
		make_dump(disk, "a", i);
	ck_assert(has_dump(2) && has_dump(3));
	/* A resumed one knows what is there. */
	claw_soak_disk_free(disk);
	stop();
	ck_assert_int_eq(claw_records_continue_soak(directory, &records, &past),
			 0);
	disk = claw_soak_disk_new(directory, 2 << 20, records);
	make_dump(disk, "a", 5);
	ck_assert(has_dump(0));
	ck_assert(has_dump(1));
	ck_assert(!has_dump(2));
	ck_assert(has_dump(4));
	ck_assert(has_dump(5));
	ck_assert(!claw_soak_disk_has_room(disk));
	claw_soak_disk_free(disk);
}
END_TEST

/* 0: as much as there is. */
static void limit_files(uint64_t bytes)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	if (getrlimit(RLIMIT_FSIZE, &limit) < 0)
		abort();
	limit.rlim_cur = bytes ? bytes : limit.rlim_max;
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		abort();
}

/* Full for some samples: they wait, and nothing is lost. For too many: the
 * newest ones are there, and it says how many are not. */
static void be_full_for(uint64_t count, struct heard *ret_heard,
			bool *ret_settled)
{
	struct claw_soak_disk *disk;
	bool complete;
	uint64_t damaged;
	int failed = 0;

	begin();
	disk = claw_soak_disk_new(directory, CLAW_SOAK_MAX_DISK, records);
	ck_assert_ptr_nonnull(disk);
	/* Nothing is asserted meanwhile: libcheck writes that to a file. */
	limit_files(size_of(records_path) + 100);
	for (uint64_t t = 1; t <= count; t++) {
		struct claw_sample sample = sample_of(t);

		failed += claw_soak_disk_sample(disk, &sample, NULL, 0) != 0;
	}
	failed += claw_soak_disk_event(disk, &crash) != 0;
	limit_files(0);
	ck_assert_int_eq(failed, 0);
	*ret_settled = claw_soak_disk_settle(disk);
	claw_soak_disk_free(disk);
	ck_assert_int_eq(claw_records_end(records, 0, false), 0);
	hear(ret_heard, &complete, &damaged);
	ck_assert(complete);
	ck_assert_uint_eq(damaged, 0);
}

START_TEST(disk__what_does_not_fit_waits)
{
	struct heard heard;
	bool settled;

	be_full_for(100, &heard, &settled);
	ck_assert(settled);
	ck_assert_uint_eq(heard.samples, 100);
	ck_assert_uint_eq(heard.events, 2);
	ck_assert_ptr_nonnull(strstr(heard.kinds, "nothing was lost"));
}
END_TEST

START_TEST(disk__what_is_lost_is_said)
{
	struct heard heard;
	bool settled;

	be_full_for(300, &heard, &settled);
	ck_assert(!settled);
	ck_assert_uint_eq(heard.samples, 255);
	ck_assert_uint_eq(heard.last.t_ms, 300);
	ck_assert_ptr_nonnull(strstr(heard.kinds, "crash|"));
	ck_assert_ptr_nonnull(strstr(heard.kinds, "45 records were lost"));
}
END_TEST

/* ---- reports ----------------------------------------------------------- */

static char *report(const char *format)
{
	static const struct claw_report_head options;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(claw_report_write(directory, claw_report_find(format),
					   out, &options, NULL), 0);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

static unsigned int count_lines(const char *text, const char *part)
{
	unsigned int count = 0;
	char *copy = strdup(text), *rest = copy, *line;

	while ((line = strsep(&rest, "\n")))
		count += strstr(line, part) != NULL;
	free(copy);
	return count;
}

/* Two crashes of one code and one injected; the code is also in the command
 * line, a note, a text, and a result. */
static void write_soak(bool ended)
{
	struct claw_result results[] = {
		{ .suite = "soak", .name = "workload", .verdict = CLAW_PASSED },
		{ .suite = "soak", .name = "launch_p50",
		  .verdict = CLAW_SLOWDOWN, .message = "grows" },
		{ .suite = "soak", .name = "rss", .verdict = CLAW_UNKNOWN,
		  .message = "too few samples" },
		{ .suite = "soak-site", .name = "clCreateBuffer < load",
		  .verdict = CLAW_LEAK, .message = "64 bytes an iteration",
		  .file = "tile.c", .line = 88 },
		{ .suite = "soak-crash", .name = "s1", .verdict = CLAW_CRASH,
		  .code = "clw-gpu-crash", .reproduce = "openclaw repro d" },
	};
	struct claw_soak_event again = crash, fault = {
		.kind = "fault", .text = "x", .injected = true,
		.code = "clw-out-of-memory" };

	begin();
	ck_assert_int_eq(claw_records_note(records, "no clw-gpu-crash yet"), 0);
	add_sample(1000);
	ck_assert_int_eq(claw_records_event(records, &crash), 0);
	add_sample(2000);
	again.t_ms = 3723000;
	ck_assert_int_eq(claw_records_event(records, &again), 0);
	ck_assert_int_eq(claw_records_event(records, &fault), 0);
	for (size_t i = 0; ended && i < sizeof(results) / sizeof(*results); i++)
		ck_assert_int_eq(claw_records_result(records, &results[i]), 0);
	if (ended)
		ck_assert_int_eq(claw_records_end(records, 1, false), 0);
	stop();
}

START_TEST(report__code_stands_only_on_lines_of_events)
{
	char *text;
	json_t *root;

	write_soak(true);
	text = report("soak");
	ck_assert_uint_eq(count_lines(text, "clw-gpu-crash"), 2);
	ck_assert_uint_eq(count_lines(text, "clw-out-of-memory"), 1);
	root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	ck_assert_ptr_nonnull(root);
	ck_assert_str_eq(json_string_value(json_object_get(root, "command")),
			 "openclaw run clGetProgramInfo:clw-gpu-crash");
	ck_assert_str_eq(json_string_value(json_object_get(root, "elapsed")),
			 "01:02:03");
	ck_assert_uint_eq(json_array_size(json_object_get(root, "samples")), 2);
	ck_assert_uint_eq(json_array_size(json_object_get(root, "events")), 3);
	ck_assert_uint_eq(json_array_size(json_object_get(root, "results")), 5);
	ck_assert_str_eq(json_string_value(json_object_get(json_array_get(
		json_object_get(root, "events"), 0), "text")), crash.text);
	json_decref(root);
	free(text);
}
END_TEST

START_TEST(report__text_of_a_soak_is_for_people)
{
	char *text;

	write_soak(true);
	text = report("text");
	ck_assert_str_eq(text,
		"Verdict: findings: launch latency, median: grows\n"
		"Soak: 01:02:03, 2 samples\n"
		"       2 x crash, first 00:00:02, last 01:02:03: SIGSEGV in "
		"tile: not clw-out-of-memory [clw-gpu-crash]\n"
		"       1 x fault (injected), at 00:00:00: x "
		"[clw-out-of-memory]\n"
		"\n"
		"Findings:\n"
		"  launch latency, median             slowdown\n"
		"      grows\n"
		"  clCreateBuffer < load              leak\n"
		"      tile.c:88: 64 bytes an iteration\n"
		"  s1                                 CRASH\n"
		"      code: clw-gpu-crash\n"
		"      reproduce: openclaw repro d\n"
		"\n"
		"Not known:\n"
		"  resident memory                    unknown\n"
		"      too few samples\n"
		"\n"
		"The rest:\n"
		"  workload                           PASSED\n");
	free(text);
}
END_TEST

START_TEST(report__unfinished_soak_says_so_in_every_format)
{
	static const char *const rows[][2] = {
		{ "text", "Verdict: incomplete: Incomplete: after 01:02:03 and 2 samples" },
		{ "tap", "Bail out!" }, { "junit", "run_is_complete" },
		{ "json", "\"complete\": false" },
		{ "soak", "\"complete\": false" },
		{ "summary", "**Incomplete:** after 01:02:03" },
	};

	write_soak(false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *text = report(rows[i][0]);

		ck_assert_msg(strstr(text, rows[i][1]) != NULL,
			      "%s lacks: %s\nin:\n%s", rows[i][0], rows[i][1],
			      text);
		free(text);
	}
}
END_TEST

START_TEST(report__of_another_run_is_empty)
{
	char word[] = "openclaw", *argv[] = { word, NULL }, *text;

	ck_assert_int_eq(claw_records_new(directory, "run", 1, argv, 0, 0,
					  &records), 0);
	ck_assert_int_eq(claw_records_end(records, 0, false), 0);
	text = report("soak");
	ck_assert_str_eq(text, "");
	free(text);
}
END_TEST

/* 100 times the samples: no more memory, and no longer reports for people. */
START_TEST(report__memory_is_flat)
{
	static const char *const formats[] = { "soak", "text", "summary",
					       "junit" };
	static const struct claw_report_head options;
	struct rusage before, after;

	begin();
	for (uint64_t t = 1; t <= 10000; t++) {
		if (t == 101)
			for (size_t i = 0; i < 4; i++)
				free(report(formats[i]));
		add_sample(t * 1000);
	}
	ck_assert_int_eq(claw_records_end(records, 0, false), 0);
	ck_assert_int_eq(getrusage(RUSAGE_SELF, &before), 0);
	for (size_t i = 0; i < 4; i++) {
		FILE *out = fopen("/dev/null", "w");

		ck_assert_ptr_nonnull(out);
		ck_assert_int_eq(claw_report_write(directory,
			claw_report_find(formats[i]), out, &options, NULL), 0);
		fclose(out);
	}
	ck_assert_int_eq(getrusage(RUSAGE_SELF, &after), 0);
#ifndef CLAW_SANITIZERS		/* keeps what is freed */
	ck_assert_int_lt(after.ru_maxrss - before.ru_maxrss, 1024);
#endif
	for (size_t i = 1; i < 4; i++) {
		char *text = report(formats[i]);

		ck_assert_uint_lt(strlen(text), 2000);
		free(text);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("soak_records");
	TCase *core = tcase_create("records");
	TCase *room = tcase_create("room");
	TCase *reports = tcase_create("reports");

	tcase_set_timeout(core, 60);
	tcase_add_checked_fixture(core, setup, teardown);
	tcase_add_test(core, records__what_is_written_of_a_soak_is_read);
	tcase_add_test(core, records__series_that_is_not_known_is_passed_over);
	tcase_add_test(core, records__damaged_samples_are_counted);
	tcase_add_test(core, resume__keeps_samples_and_drops_what_is_torn);
	tcase_add_test(core, resume__takes_results_and_end_away);
	tcase_add_test(core, resume__segment_after_an_end_takes_it_back);
	tcase_add_test(core, resume__of_something_else_is_seen);
	tcase_add_test(core, clock__counts_only_what_ran);
	tcase_add_test(core, clock__of_the_system_does_not_fall);
	tcase_add_test(core, sites__only_changes_are_written_and_all_is_read);
	suite_add_tcase(suite, core);
	tcase_set_timeout(room, 60);
	tcase_add_checked_fixture(room, setup, teardown);
	tcase_add_test(room, disk__records_stay_below_the_limit);
	tcase_add_test(room, disk__first_and_newest_dump_stay);
	tcase_add_test(room, disk__what_does_not_fit_waits);
	tcase_add_test(room, disk__what_is_lost_is_said);
	suite_add_tcase(suite, room);
	tcase_set_timeout(reports, 60);
	tcase_add_checked_fixture(reports, setup, teardown);
	tcase_add_test(reports, report__code_stands_only_on_lines_of_events);
	tcase_add_test(reports, report__text_of_a_soak_is_for_people);
	tcase_add_test(reports, report__unfinished_soak_says_so_in_every_format);
	tcase_add_test(reports, report__of_another_run_is_empty);
	tcase_add_test(reports, report__memory_is_flat);
	suite_add_tcase(suite, reports);
	return run_suite(suite);
}
