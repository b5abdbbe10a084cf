/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verdicts of made-up soaks, whose truth is known: every shape of load and leak
 * many times with other noise, short and long. Real programs are in
 * soaks.test.
 */
#include "config.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/soak/run/soak_verdict.h"

#define MIB (1024.0 * 1024)

#ifdef CLAW_SANITIZERS
enum { SEEDS = 2 };	/* which take ten times as long */
#else
enum { SEEDS = 10 };
#endif
static const size_t lengths[] = { 40, 150, 1440, 5000 };

/* ---- noise ------------------------------------------------------------- */

static uint64_t state;

static double uniform(void)
{
	state = state * UINT64_C(6364136223846793005) +
		UINT64_C(1442695040888963407);
	return (double)(state >> 11) / 9007199254740992.0;
}

static double normal(void)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += uniform();
	return sum;
}

/* ---- shapes: of sample `at` of `count`; u is how far on, 0 to 1 --------- */

struct moment {
	size_t at, count;
	double u, memory;	/* of the shape, from sample to sample */
};

typedef double shape(struct moment *now);

static double flat(struct moment *now) { (void)now; return 0; }
static double noisy(struct moment *now) { (void)now; return fabs(normal()); }
static double warm_up(struct moment *now)
{
	return 20 * (1 - exp(-20 * now->u)) + 0.2 * normal();
}
static double sawtooth(struct moment *now)
{
	return 30 * fmod(now->u * 9.7, 1) + 0.3 * normal();
}
static double slow_sawtooth(struct moment *now)
{
	return 30 * fmod(now->u * 3.3, 1) + 0.3 * normal();
}
static double waves(struct moment *now)
{
	return 10 * sin(now->u * 25) + 0.5 * normal();
}
static double steps_up_and_down(struct moment *now)
{
	if (uniform() < 0.02)
		now->memory = floor(uniform() * 8);
	return now->memory;
}
static double one_step(struct moment *now)
{
	return now->u > 0.15 ? 12 : 0;
}
static double grows_then_stays(struct moment *now)
{
	return fmin(now->u, 0.2) * 100 + 0.2 * normal();
}
static double spikes(struct moment *now)
{
	(void)now;
	return uniform() < 0.1 ? 40 * uniform() : 0;
}
/* Many that come and go by chance. */
static double crowd(struct moment *now) { (void)now; return 2.8 * normal(); }
static double falls_off(struct moment *now) { return -15 * now->u + normal(); }

static double leaks(struct moment *now) { return 30 * now->u; }
static double leaks_in_noise(struct moment *now)
{
	return 30 * now->u + 1.5 * normal();
}
static double leaks_in_sawtooth(struct moment *now)
{
	return 30 * now->u + sawtooth(now);
}
static double leaks_after_warm_up(struct moment *now)
{
	return 30 * now->u + warm_up(now);
}
static double leaks_in_bursts(struct moment *now)
{
	return 6 * floor(now->u * 6);
}
static double leaks_slowly(struct moment *now) { return floor(12 * now->u); }
static double leaks_in_spikes(struct moment *now)
{
	return 30 * now->u + spikes(now);
}
static double leaks_faster(struct moment *now)
{
	return 40 * now->u * now->u + 0.2 * normal();
}

/* ---- a soak ------------------------------------------------------------ */

static const struct claw_soak_limits limits = {
	.device_bytes = 2048 * MIB, .host_bytes = 16384 * MIB,
};

/* base + scale * the shape, whole where counted. */
static void soak(enum claw_series_id id, shape *form, double base,
		 double scale, size_t count, struct claw_soak_verdict *verdict)
{
	struct claw_soak_judge *judge = claw_soak_judge_new(&limits);
	struct moment now = { .count = count };
	bool whole = claw_series[id].unit == CLAW_UNIT_COUNT;

	ck_assert_ptr_nonnull(judge);
	for (size_t i = 0; i < count; i++) {
		struct claw_sample sample;
		double value;

		now.at = i;
		now.u = (double)i / (double)count;
		value = base + scale * form(&now);
		claw_sample_init(&sample);
		sample.t_ms = i * 1000;
		sample.values[id] = whole ? fmax(0, round(value)) : value;
		claw_soak_judge_add(judge, &sample, NULL, 0);
	}
	claw_soak_judge_say(judge, verdict);
	claw_soak_judge_free(judge);
}

/* Of SEEDS soaks of each length, how many end so, and the last of them why. */
struct ends {
	size_t times;
	char why[600];
};

enum { FINDINGS = CLAW_SOAK_NOT_MEASURED + 1 };

static void count_ends(enum claw_series_id id, shape *form, double base,
		       double scale, struct ends ends[FINDINGS])
{
	memset(ends, 0, FINDINGS * sizeof(*ends));
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			struct claw_soak_verdict verdict;
			struct ends *end;

			state = seed * UINT64_C(0x9e3779b97f4a7c15) + i;
			soak(id, form, base, scale, lengths[i], &verdict);
			end = &ends[verdict.series[id].finding];
			end->times++;
			snprintf(end->why, sizeof(end->why), "%zu samples: %s",
				 lengths[i], verdict.series[id].why);
			claw_soak_verdict_release(&verdict);
		}
}

enum { SOAKS = SEEDS * sizeof(lengths) / sizeof(*lengths) };

static const struct kind {
	enum claw_series_id id;
	double base, scale;
} kinds[] = {
	{ CLAW_SERIES_BUFFERS, 20, 1 },
	{ CLAW_SERIES_EVENTS, 0, 1 },
	{ CLAW_SERIES_DEVICE_BYTES, 100 * MIB, MIB },
	{ CLAW_SERIES_FILES, 12, 1 },
	{ CLAW_SERIES_HEAP, 80 * MIB, MIB },
};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static const struct shape_row {
	const char *name;
	shape *shape;
} clean[] = {
	{ "flat", flat }, { "noisy", noisy }, { "warm-up", warm_up },
	{ "sawtooth", sawtooth }, { "slow sawtooth", slow_sawtooth },
	{ "waves", waves }, { "steps", steps_up_and_down },
	{ "one step", one_step }, { "grows then stays", grows_then_stays },
	{ "spikes", spikes }, { "falls off", falls_off }, { "crowd", crowd },
}, leaking[] = {
	{ "leaks", leaks }, { "leaks in noise", leaks_in_noise },
	{ "leaks in a sawtooth", leaks_in_sawtooth },
	{ "leaks after a warm-up", leaks_after_warm_up },
	{ "leaks in bursts", leaks_in_bursts },
	{ "leaks slowly", leaks_slowly },
	{ "leaks in spikes", leaks_in_spikes },
	{ "leaks faster", leaks_faster },
};

START_TEST(test_clean)
{
	const struct shape_row *row = &clean[_i / KINDS];
	const struct kind *kind = &kinds[_i % KINDS];
	struct ends ends[FINDINGS], *leak = &ends[CLAW_SOAK_LEAK],
		    *unknown = &ends[CLAW_SOAK_UNKNOWN];

	count_ends(kind->id, row->shape, kind->base, kind->scale, ends);
	ck_assert_msg(leak->times == 0,
		      "%s, %s: %zu of %d are called a leak; %s", row->name,
		      claw_series[kind->id].name, leak->times, SOAKS,
		      leak->why);
	ck_assert_msg(unknown->times <= SOAKS / 10,
		      "%s, %s: %zu of %d are unknown; %s", row->name,
		      claw_series[kind->id].name, unknown->times, SOAKS,
		      unknown->why);
}
END_TEST

START_TEST(test_leaking)
{
	const struct shape_row *row = &leaking[_i / KINDS];
	const struct kind *kind = &kinds[_i % KINDS];
	struct ends ends[FINDINGS];
	size_t found;

	count_ends(kind->id, row->shape, kind->base, kind->scale, ends);
	found = ends[CLAW_SOAK_LEAK].times;
	ck_assert_msg(found >= SOAKS * 19 / 20, "%s, %s: %zu of %d found; %s",
		      row->name, claw_series[kind->id].name, found, SOAKS,
		      ends[CLAW_SOAK_STEADY].why);
}
END_TEST

/* By chance the lowest of what is still to come rises in some of so many. */
START_TEST(test_crowd)
{
	enum { CROWDS = 60, SAMPLES = 300 };

	for (uint64_t seed = 1; seed <= CROWDS; seed++) {
		struct claw_soak_verdict verdict;

		state = seed * UINT64_C(0x9e3779b97f4a7c15) + 2;
		soak(CLAW_SERIES_DEVICE_BYTES, crowd, 100 * MIB, MIB, SAMPLES,
		     &verdict);
		ck_assert_msg(verdict.worst != CLAW_SOAK_LEAK, "%d: %s",
			      (int)seed,
			      verdict.series[CLAW_SERIES_DEVICE_BYTES].why);
		claw_soak_verdict_release(&verdict);
	}
}
END_TEST

/* ---- slower and slower, on a machine that others use, too --------------- */

/* From the soak's begin to its end. */
struct way { double from, to; };

static double on_way(struct way way, double u)
{
	return way.from + (way.to - way.from) * u;
}

static const struct slower {
	const char *name;
	struct way rate, p50, cpu, wait, others;
	double regime;		/* of p50: added for a while, by turns */
	enum claw_soak_finding of_rate, of_p50;
} slower[] = {
	{ "as fast as ever", { 900, 900 }, { .1, .1 }, { 20, 20 }, { 5, 5 },
	  { 10, 10 }, 0, CLAW_SOAK_STEADY, CLAW_SOAK_STEADY },
	{ "slower", { 900, 400 }, { .1, .3 }, { 20, 20 }, { 5, 5 },
	  { 10, 10 }, 0, CLAW_SOAK_SLOWDOWN, CLAW_SOAK_SLOWDOWN },
	{ "slower, by more work", { 900, 300 }, { .1, .3 }, { 20, 60 },
	  { 20, 60 }, { 80, 60 }, 0, CLAW_SOAK_SLOWDOWN, CLAW_SOAK_UNKNOWN },
	{ "waits for processors", { 900, 500 }, { .1, .3 }, { 20, 20 },
	  { 5, 70 }, { 80, 90 }, 0, CLAW_SOAK_STEADY, CLAW_SOAK_UNKNOWN },
	{ "others come", { 900, 400 }, { .1, .3 }, { 20, 20 }, { 5, 5 },
	  { 10, 70 }, 0, CLAW_SOAK_UNKNOWN, CLAW_SOAK_UNKNOWN },
	{ "others go", { 900, 400 }, { .1, .3 }, { 20, 20 }, { 5, 5 },
	  { 80, 10 }, 0, CLAW_SOAK_UNKNOWN, CLAW_SOAK_UNKNOWN },
	{ "nobody measured others", { 900, 400 }, { .1, .3 }, { NAN, NAN },
	  { NAN, NAN }, { NAN, NAN }, 0, CLAW_SOAK_SLOWDOWN,
	  CLAW_SOAK_SLOWDOWN },
	{ "slow by turns", { 900, 900 }, { .02, .02 }, { 20, 20 }, { 5, 5 },
	  { 10, 10 }, .05, CLAW_SOAK_STEADY, CLAW_SOAK_STEADY },
};

/* Fast and slow: of a program that did the same all the time, as it was seen. */
static const char regimes[] =
	"ffffffsssssssssssssssssssssfffffffffffffffffffffffffffffffff"
	"ffffffssssssfffffffssssssssssssssfffffffssssssssssssssssssss"
	"sss";

START_TEST(test_slower)
{
	enum { SAMPLES = sizeof(regimes) - 1 };
	static const struct claw_soak_limits two = { .processors = 2 };
	const struct slower *row = &slower[_i];
	struct claw_soak_judge *judge = claw_soak_judge_new(&two);
	struct claw_soak_verdict verdict;

	state = 7;
	for (int i = 0; i < SAMPLES; i++) {
		struct claw_sample sample;
		double u = (double)i / SAMPLES, *values = sample.values;

		claw_sample_init(&sample);
		sample.t_ms = (uint64_t)i * 1000;
		values[CLAW_SERIES_ITERATION_RATE] =
			on_way(row->rate, u) * (1 + .03 * normal());
		values[CLAW_SERIES_LAUNCH_RATE] = 1000;
		values[CLAW_SERIES_TRANSFER_P50] = on_way(row->p50, u) *
			(1 + .05 * normal()) +
			row->regime * (regimes[i] == 's');
		values[CLAW_SERIES_CPU] = on_way(row->cpu, u);
		values[CLAW_SERIES_CPU_WAIT] = on_way(row->wait, u);
		values[CLAW_SERIES_MACHINE_LOAD] = on_way(row->others, u);
		claw_soak_judge_add(judge, &sample, NULL, 0);
	}
	claw_soak_judge_say(judge, &verdict);
	ck_assert_msg(verdict.series[CLAW_SERIES_ITERATION_RATE].finding ==
		      row->of_rate, "%s: %s", row->name,
		      verdict.series[CLAW_SERIES_ITERATION_RATE].why);
	ck_assert_msg(verdict.series[CLAW_SERIES_TRANSFER_P50].finding ==
		      row->of_p50, "%s: %s", row->name,
		      verdict.series[CLAW_SERIES_TRANSFER_P50].why);
	claw_soak_verdict_release(&verdict);
	claw_soak_judge_free(judge);
}
END_TEST

/* ---- one leak, many series ----------------------------------------------- */

/* Growth of a soak by its end, and what accounts for it. */
static const struct grows {
	const char *name, *site;
	struct {
		enum claw_series_id id;
		double by;
		const char *because;
	} series[4];
} grows[] = {
	{ "a buffer: its memory, and the host's", "clCreateBuffer < load",
	  { { CLAW_SERIES_BUFFERS, 3000, "clCreateBuffer < load" },
	    { CLAW_SERIES_DEVICE_BYTES, 300 * MIB, "clCreateBuffer < load" },
	    { CLAW_SERIES_HEAP, 320 * MIB, "clCreateBuffer < load" },
	    { CLAW_SERIES_RSS, 320 * MIB, "clCreateBuffer < load" } } },
	{ "the host's memory grows by more than that", "clCreateBuffer < load",
	  { { CLAW_SERIES_BUFFERS, 3000, "clCreateBuffer < load" },
	    { CLAW_SERIES_DEVICE_BYTES, 300 * MIB, "clCreateBuffer < load" },
	    { CLAW_SERIES_HEAP, 1000 * MIB, NULL },
	    { CLAW_SERIES_RSS, 1000 * MIB, "anonymous memory" } } },
	{ "kernels are made at no site of buffers", "clCreateBuffer < load",
	  { { CLAW_SERIES_BUFFERS, 3000, "clCreateBuffer < load" },
	    { CLAW_SERIES_KERNELS, 3000, NULL } } },
	{ "more buffers than that site makes", "clCreateBuffer < load",
	  { { CLAW_SERIES_BUFFERS, 9000, NULL } } },
	{ "no site is known", NULL,
	  { { CLAW_SERIES_BUFFERS, 3000, NULL },
	    { CLAW_SERIES_DEVICE_BYTES, 300 * MIB, "live memory objects" } } },
	{ "an event's call may be any that enqueues",
	  "clEnqueueNDRangeKernel < step",
	  { { CLAW_SERIES_EVENTS, 3000, "clEnqueueNDRangeKernel < step" },
	    { CLAW_SERIES_HEAP, 30 * MIB, "clEnqueueNDRangeKernel < step" } } },
	{ "a queue has threads", "clCreateCommandQueue < open",
	  { { CLAW_SERIES_QUEUES, 3000, "clCreateCommandQueue < open" },
	    { CLAW_SERIES_THREADS, 3000, "clCreateCommandQueue < open" } } },
	{ "a kernel has none", "clCreateKernel < open",
	  { { CLAW_SERIES_KERNELS, 3000, "clCreateKernel < open" },
	    { CLAW_SERIES_THREADS, 3000, NULL } } },
};

/* Sites have 3000 objects and 300 MiB at the end. */
static void add_growth(struct claw_soak_judge *judge, const struct grows *row,
		       int at, int count)
{
	double u = (double)at / count;
	struct claw_sample_site site = {
		.site = row->site, .objects = (uint64_t)(3000 * u),
		.bytes = (uint64_t)(300 * MIB * u),
	};
	struct claw_sample sample;

	claw_sample_init(&sample);
	sample.t_ms = (uint64_t)at * 1000;
	for (int i = 0; i < 4 && row->series[i].by > 0; i++)
		sample.values[row->series[i].id] = 100 + row->series[i].by * u;
	claw_soak_judge_add(judge, &sample, &site, row->site ? 1 : 0);
}

START_TEST(test_because)
{
	enum { SAMPLES = 300 };
	const struct grows *row = &grows[_i];
	struct claw_soak_judge *judge = claw_soak_judge_new(&limits);
	struct claw_soak_verdict verdict;

	for (int i = 0; i < SAMPLES; i++)
		add_growth(judge, row, i, SAMPLES);
	claw_soak_judge_say(judge, &verdict);
	ck_assert_uint_eq(verdict.site_count, row->site ? 1 : 0);
	for (int i = 0; i < 4 && row->series[i].by > 0; i++) {
		const struct claw_soak_series_verdict *one =
			&verdict.series[row->series[i].id];

		ck_assert_msg(one->finding == CLAW_SOAK_LEAK, "%s: %s: %s",
			      row->name, claw_series[one->series].name,
			      one->why);
		ck_assert_msg(!one->because == !row->series[i].because &&
			      (!one->because || strcmp(one->because,
			       row->series[i].because) == 0),
			      "%s: %s grows because of %s", row->name,
			      claw_series[one->series].name,
			      one->because ? one->because : "itself");
	}
	claw_soak_verdict_release(&verdict);
	claw_soak_judge_free(judge);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("soak_verdict");
	TCase *tests = tcase_create("shapes");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tests, 120);
	tcase_add_loop_test(tests, test_clean, 0,
			    KINDS * sizeof(clean) / sizeof(*clean));
	tcase_add_loop_test(tests, test_leaking, 0,
			    KINDS * sizeof(leaking) / sizeof(*leaking));
	tcase_add_test(tests, test_crowd);
	tcase_add_loop_test(tests, test_slower, 0,
			    sizeof(slower) / sizeof(*slower));
	tcase_add_loop_test(tests, test_because, 0,
			    sizeof(grows) / sizeof(*grows));
	suite_add_tcase(suite, tests);
	runner = srunner_create(suite);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
