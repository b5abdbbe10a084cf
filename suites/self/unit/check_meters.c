/* SPDX-License-Identifier: Apache-2.0 */
/* What the host makes of meters: the reader, and the numbers. */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/readers/meter_reader.h"
#include "suites/self/lib/meter_maker.h"
#include "suites/self/lib/run_suite.h"

static struct made_meters made;
static struct claw_meter_file *meters;

static void setup(void)
{
	made_meters_init(&made);
	meters = NULL;
}

static void teardown(void)
{
	free(meters);
}

static void read_made(void)
{
	ck_assert_int_eq(claw_meters_read_memory(&made, sizeof(made), &meters),
			 0);
}

static void assert_refused(size_t size, int error)
{
	ck_assert_int_eq(claw_meters_read_memory(&made, size, &meters), error);
	ck_assert_ptr_null(meters);
}

/* ---- the file */

START_TEST(test_threads_add_up)
{
	made_meters_add(&made, 0, CLAW_METER_READ, 100);
	made_meters_add(&made, 3, CLAW_METER_READ, 300);
	made_meters_add(&made, 15, CLAW_METER_READ, 200);
	made_meters_add(&made, 15, CLAW_METER_WAIT, 7);
	made_meters_add(&made, 9, CLAW_METER_LAUNCH, 9);
	made.threads[9].calls = 0;	/* of a driver, with a callback */
	read_made();
	ck_assert_uint_eq(meters->meters[CLAW_METER_LAUNCH].count, 1);
	ck_assert_uint_eq(meters->calls, 4);
	ck_assert_uint_eq(meters->meters[CLAW_METER_READ].count, 3);
	ck_assert_uint_eq(meters->meters[CLAW_METER_READ].ticks, 600);
	ck_assert_uint_eq(meters->meters[CLAW_METER_READ].max_ticks, 300);
	ck_assert_uint_eq(meters->meters[CLAW_METER_WAIT].count, 1);
	ck_assert_uint_eq(meters->meters[CLAW_METER_WRITE].count, 0);
}
END_TEST

START_TEST(test_of_a_file)
{
	char path[] = "/tmp/openclaw-meters-XXXXXX";
	int fd = mkstemp(path);

	made_meters_add_site(&made, 1024, 2, 8192);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, &made, sizeof(made)), sizeof(made));
	close(fd);
	ck_assert_int_eq(claw_meters_read(path, &meters), 0);
	ck_assert_uint_eq(meters->pid, 4711);
	ck_assert_uint_eq(meters->sites[1024].objects, 2);
	ck_assert_uint_eq(meters->sites[1024].bytes, 8192);
	unlink(path);
}
END_TEST

START_TEST(test_no_file)
{
	ck_assert_int_eq(claw_meters_read("/nowhere/meters.1.0", &meters),
			 -CLAW_E_IO);
}
END_TEST

START_TEST(test_cut_off)
{
	assert_refused(0, -CLAW_E_DAMAGED);
	assert_refused(40, -CLAW_E_DAMAGED);
	assert_refused(sizeof(made.file), -CLAW_E_DAMAGED);
	assert_refused(sizeof(made) - 1, -CLAW_E_DAMAGED);
}
END_TEST

START_TEST(test_no_meters)
{
	made.file.magic[0] = '\0';	/* of a process that is at it */
	assert_refused(sizeof(made), -CLAW_E_DAMAGED);
}
END_TEST

START_TEST(test_shorter_format)
{
	made.file.file_bytes--;
	assert_refused(sizeof(made), -CLAW_E_DAMAGED);
}
END_TEST

START_TEST(test_other_versions)
{
	made.file.version++;
	assert_refused(sizeof(made), -CLAW_E_VERSION);
	made.file.version--;
	made.file.endian = 0x04030201;
	assert_refused(sizeof(made), -CLAW_E_VERSION);
}
END_TEST

START_TEST(test_longer_format)
{
	made.file.file_bytes += 64;
	read_made();
}
END_TEST

START_TEST(test_fewer_than_none)
{
	made_meters_add_site(&made, 1, 1, 100);
	made.file.live[CLAW_OBJ_EVENT] = UINT64_MAX;
	made.file.sites[2].objects = UINT64_MAX;
	made.file.sites[2].bytes = (uint64_t)0 - 100;
	made.file.live_bytes = (uint64_t)0 - 1;
	read_made();
	ck_assert_uint_eq(meters->live[CLAW_OBJ_EVENT], 0);
	ck_assert_uint_eq(meters->live[CLAW_OBJ_MEM], 1);
	ck_assert_uint_eq(meters->sites[2].objects, 0);
	ck_assert_uint_eq(meters->sites[2].bytes, 0);
	ck_assert_uint_eq(meters->live_bytes, 0);
}
END_TEST

START_TEST(test_name_without_end)
{
	memset(made.file.kernels[7].name, 'x', CLAW_METER_NAME_BYTES);
	read_made();
	ck_assert_uint_eq(strlen(meters->kernels[7].name),
			  CLAW_METER_NAME_BYTES - 1);
}
END_TEST

/* ---- the peak */

START_TEST(test_peak)
{
	made_meters_add_site(&made, 1, 1, 100);
	made_meters_add_site(&made, 2, 1, 200);
	made.file.peak.sequence = 4;
	read_made();
	ck_assert_uint_eq(meters->peak.bytes, 300);
	ck_assert_uint_eq(meters->peak.site_bytes[2], 200);
}
END_TEST

/* Half of the memory goes after the peak. */
static void let_go(void)
{
	made.file.sites[1].bytes = 50;
	made.file.live_bytes = 50;
}

START_TEST(test_torn_peak)
{
	made_meters_add_site(&made, 1, 1, 100);
	made.file.peak.sequence = 5;	/* it was being written */
	let_go();
	read_made();
	ck_assert_uint_eq(meters->peak.bytes, 0);
	ck_assert_uint_eq(meters->peak.site_bytes[1], 0);
	ck_assert_uint_eq(meters->peak_bytes, 100);
}
END_TEST

START_TEST(test_peak_of_two)
{
	made_meters_add_site(&made, 1, 1, 100);
	made.file.peak.site_bytes[1]++;	/* not what its sum says */
	let_go();
	read_made();
	ck_assert_uint_eq(meters->peak.bytes, 0);
}
END_TEST

/* Until something goes the sites are what the peak was. */
START_TEST(test_peak_that_lasts)
{
	made_meters_add_site(&made, 1, 1, 100);
	made.file.peak.sequence = 5;
	read_made();
	ck_assert_uint_eq(meters->peak.bytes, 100);
	ck_assert_uint_eq(meters->peak.site_bytes[1], 100);
}
END_TEST

/* ---- times */

START_TEST(test_buckets_are_narrow)
{
	unsigned int last = 0;

	for (uint64_t ticks = 1; ticks < UINT64_C(1) << 62;
	     ticks += ticks / 16 + 1) {
		struct claw_meter meter = { .count = 1, .max_ticks = UINT64_MAX };
		unsigned int bucket = claw_meter_bucket(ticks);
		double middle;

		ck_assert_uint_lt(bucket, CLAW_METER_BUCKETS);
		ck_assert_uint_ge(bucket, last);
		last = bucket;
		meter.buckets[bucket] = 1;
		middle = claw_meter_quantile(&meter, 0.5);
		ck_assert_double_le(fabs(middle - (double)ticks),
				    (double)ticks / 16);
	}
	ck_assert_uint_eq(claw_meter_bucket(0), 0);
	ck_assert_uint_eq(claw_meter_bucket(UINT64_MAX),
			  CLAW_METER_BUCKETS - 1);
}
END_TEST

START_TEST(test_quantiles)
{
	struct claw_meter *meter;

	for (unsigned int i = 0; i < 98; i++)
		made_meters_add(&made, 0, CLAW_METER_ALLOC, 1000);
	made_meters_add(&made, 0, CLAW_METER_ALLOC, 50000);
	made_meters_add(&made, 0, CLAW_METER_ALLOC, 90001);
	read_made();
	meter = &meters->meters[CLAW_METER_ALLOC];
	ck_assert_double_eq_tol(claw_meter_quantile(meter, 0), 1000, 63);
	ck_assert_double_eq_tol(claw_meter_quantile(meter, 0.5), 1000, 63);
	ck_assert_double_eq_tol(claw_meter_quantile(meter, 0.98), 1000, 63);
	ck_assert_double_eq_tol(claw_meter_quantile(meter, 0.99), 50000, 3125);
	/* At most the longest there was. */
	ck_assert_double_eq_tol(claw_meter_quantile(meter, 1), 90001, 5626);
	ck_assert_double_le(claw_meter_quantile(meter, 1), 90001);
}
END_TEST

START_TEST(test_no_quantile)
{
	read_made();
	ck_assert_double_nan(claw_meter_quantile(&meters->meters[0], 0.5));
	made_meters_add(&made, 0, CLAW_METER_ALLOC, 10);
	ck_assert_double_nan(claw_meter_quantile(
		&made.threads[0].meters[CLAW_METER_ALLOC], 1.5));
	ck_assert_double_nan(claw_meter_quantile(
		&made.threads[0].meters[CLAW_METER_ALLOC], NAN));
}
END_TEST

START_TEST(test_interval)
{
	struct claw_meter before, part;
	struct claw_meter *now = &made.threads[0].meters[CLAW_METER_READ];

	made_meters_add(&made, 0, CLAW_METER_READ, 5000);
	now->bytes = 10;
	before = *now;
	claw_meter_subtract(now, &before, &part);
	ck_assert_uint_eq(part.count, 0);
	ck_assert_uint_eq(part.max_ticks, 0);
	made_meters_add(&made, 0, CLAW_METER_READ, 100);
	made_meters_add(&made, 0, CLAW_METER_READ, 200);
	now->bytes = 40;
	claw_meter_subtract(now, &before, &part);
	ck_assert_uint_eq(part.count, 2);
	ck_assert_uint_eq(part.ticks, 300);
	ck_assert_uint_eq(part.bytes, 30);
	/* The longest of all was before. */
	ck_assert_uint_ge(part.max_ticks, 200);
	ck_assert_uint_le(part.max_ticks, 225);
	made_meters_add(&made, 0, CLAW_METER_READ, 7000);
	claw_meter_subtract(now, &before, &part);
	ck_assert_uint_eq(part.max_ticks, 7000);
	claw_meter_subtract(now, NULL, &part);
	ck_assert_mem_eq(&part, now, sizeof(part));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("meters");
	TCase *tcase = tcase_create("all");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, test_threads_add_up);
	tcase_add_test(tcase, test_of_a_file);
	tcase_add_test(tcase, test_no_file);
	tcase_add_test(tcase, test_cut_off);
	tcase_add_test(tcase, test_no_meters);
	tcase_add_test(tcase, test_shorter_format);
	tcase_add_test(tcase, test_other_versions);
	tcase_add_test(tcase, test_longer_format);
	tcase_add_test(tcase, test_fewer_than_none);
	tcase_add_test(tcase, test_name_without_end);
	tcase_add_test(tcase, test_peak);
	tcase_add_test(tcase, test_torn_peak);
	tcase_add_test(tcase, test_peak_of_two);
	tcase_add_test(tcase, test_peak_that_lasts);
	tcase_add_test(tcase, test_buckets_are_narrow);
	tcase_add_test(tcase, test_quantiles);
	tcase_add_test(tcase, test_no_quantile);
	tcase_add_test(tcase, test_interval);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
