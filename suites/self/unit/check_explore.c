/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw explore: natural lengths and readings of kernels, the cases that keep
 * to them, which findings count, and assumptions of kernel files.
 */
#include "config.h"

#include "harness/explore/case/explore_launches.h"
#include "harness/explore/case/explore_state.h"
#include "harness/explore/random/random_kernel.h"

#include <stdlib.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "suites/self/lib/run_suite.h"

static struct claw_explore_plan plan;
static struct claw_explore_state *state;
static struct claw_explore_verdict verdict;

/* args: "data:int*, n:int" */
static json_t *describe(const char *args)
{
	char *copy = claw_strdup(args), *saved = NULL;
	json_t *list = json_array();

	for (char *at = strtok_r(copy, ", ", &saved); at;
	     at = strtok_r(NULL, ", ", &saved)) {
		char *type = strchr(at, ':');

		*type++ = '\0';
		json_array_append_new(list, json_pack(
			"{s:s, s:s, s:s, s:b}", "name", at, "type", type,
			"address", strchr(type, '*') ? "global" : "private",
			"const", 0));
	}
	free(copy);
	return json_pack("{s:s, s:o, s:[i, i, i]}", "name", "k", "args", list,
			 "local", 0, 0, 0);
}

static void make(const char *args, const char *body)
{
	char *source = claw_format("kernel void k() { %s }", body), *why = NULL;
	json_t *kernel = describe(args);
	struct claw_explore_kernel about;

	ck_assert_int_eq(claw_explore_kernel_read(kernel, source, NULL, &about,
						  &why), 0);
	claw_explore_plan_make(&about, 256, &plan);
	json_decref(kernel);
	free(source);
}

static void setup(void)
{
	state = claw_calloc(1, sizeof(*state));
}

static void teardown(void)
{
	free(state);
}

static int rule_of(unsigned int arg, const char *text)
{
	for (unsigned int i = 0; i < plan.length_counts[arg]; i++) {
		char *one = claw_explore_length_text(&plan.kernel,
						     &plan.lengths[arg][i]);
		bool is_it = strcmp(one, text) == 0;

		free(one);
		if (is_it)
			return (int)i;
	}
	return -1;
}

static int reading_of(const char *text)
{
	for (unsigned int i = 0; i < plan.reading_count; i++) {
		char *one = claw_explore_reading_text(&plan.kernel,
						      &plan.readings[i]);
		bool is_it = strcmp(one, text) == 0;

		free(one);
		if (is_it)
			return (int)i;
	}
	return -1;
}

#define GID "int gid = get_global_id(0); "
#define GID2 GID "int y = get_global_id(1); "

START_TEST(lengths__an_argument_goes_first)
{
	make("data:int*, n:int", GID "data[gid] = n;");
	ck_assert_int_eq(rule_of(0, "n"), 0);
	ck_assert_int_eq(rule_of(0, "global_size[0]"), 1);
	ck_assert_int_gt(rule_of(0, "n * global_size[0]"), 1);
}
END_TEST

/* "lda >= global_size[0], nz >= 2": what the text shows that callers keep to. */
static void expect_bounds(const char *args, const char *body, const char *bounds)
{
	struct claw_explore_reading all = {
		.scalars = { -1, -1, -1 }, .second = -1, .pitch = -1,
		.keeps_bounds = true,
	};
	char *text;

	make(args, body);
	text = claw_explore_reading_text(&plan.kernel, &all);
	ck_assert_msg(strcmp(text, bounds) == 0, "%s: %s", body, text);
	ck_assert_int_ge(reading_of(bounds), 0);
	free(text);
}

START_TEST(bounds__rows_and_loops)
{
	expect_bounds("a:int*, b:int*, lda:int, ldb:int", GID2
		      "for (int i = 0; i < 9; i++) a[gid + i * lda] = "
		      "b[gid + (i * ldb)];",
		      "lda >= global_size[0], ldb >= global_size[0]");
	expect_bounds("a:int*, n:int", GID "for (int k = 1; k < n - 1; k++)"
		      " a[k] = gid;", "n >= 2");
	expect_bounds("a:int*, n:int", GID "for (int k = 0; k < n; k++)"
		      " a[k] = gid;", "");
	expect_bounds("a:int*, n:int, m:int", GID2 "a[(gid + 1) * n + y] = m;",
		      "n >= global_size[1]");
	expect_bounds("a:int*, n:int, m:int", GID2
		      "a[((gid)+n*((y)+m*(3)))] = 1;",
		      "m >= global_size[1], n >= global_size[0]");
	expect_bounds("a:int*, n:int", GID2 "a[y * n + 2 * gid] = 1;", "");
	expect_bounds("a:int*, n:int", GID2 "a[y * n + min(gid, 3)] = 1;", "");
	expect_bounds("a:int*, b:int*, n:int", GID2
		      "a[y * n + b[gid]] = 1;", "");
	expect_bounds("a:int*, n:int", GID2 "if (gid >= n) return; "
		      "a[y * n + gid] = 1;", "");
}
END_TEST

START_TEST(bounds__a_margin_is_on_both_sides)
{
	expect_bounds("a:int*, n:int", "int x = get_global_id(0) + 1; "
		      "int y = get_global_id(1); a[y * n + x + 1] = 1;",
		      "n >= global_size[0] + 2");
}
END_TEST

START_TEST(sizes__what_ids_are_equal_to_and_what_is_not_used)
{
	make("a:int*, nx:int, ny:int, nz:int, f:int", GID2
	     "if (y == ny - 1) a[gid * nx] = f;");
	ck_assert(plan.kernel.args[1].is_size);
	ck_assert(plan.kernel.args[2].is_size);
	ck_assert(plan.kernel.args[3].is_size);
	ck_assert(!plan.kernel.args[4].is_size);
}
END_TEST

START_TEST(lengths__a_compared_id_is_none)
{
	static const char *const guards[] = {
		GID "if (gid < n) data[gid] = 1;",
		GID "if (gid >= n) return; data[gid] = 1;",
		GID "if (n > gid) data[gid] = 1;",
		GID "int at = 2 * gid; if (at < n && at) data[at] = 1;",
		"for (int i = get_global_id(0); i < n; i++) data[i] = 1;",
		"int at = min((int)get_global_id(0), n - 1); data[at] = 1;",
	};

	for (size_t i = 0; i < sizeof(guards) / sizeof(guards[0]); i++) {
		make("data:int*, n:int", guards[i]);
		ck_assert_msg(plan.kernel.is_guarded[0], "%s", guards[i]);
		ck_assert_int_eq(rule_of(0, "global_size[0]"), -1);
		ck_assert_int_eq(reading_of("global_size[0] == n"), -1);
	}
}
END_TEST

START_TEST(lengths__comparisons_that_bound_no_id)
{
	static const char *const others[] = {
		GID "int add = gid >= n ? data[gid - n] : 0; data[gid] += add;",
		GID "if ((gid + 1) * 4 <= n) data[gid] = 1;",
		GID "if (4 * gid < n) data[gid] = 1;",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		make("data:int*, n:int", others[i]);
		ck_assert_msg(!plan.kernel.is_guarded[0], "%s", others[i]);
		ck_assert_int_ge(rule_of(0, "global_size[0]"), 0);
	}
}
END_TEST

/* "row" is an index, whose name does not say so, and "np" and "nq" are sizes. */
START_TEST(lengths__sizes_are_what_limits_ids)
{
	static const char *const bodies[] = {
		GID2 "if (gid < np && y < nq) data[row * (np * nq) + y] = 1;",
		GID2 "if (row > 0 && gid < np && nq > y) data[row * np] = 1;",
		GID2 "data[row * (np * nq) + y * np + gid * nq] = 1;",
	};

	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		make("data:float*, np:int, nq:int, row:int", bodies[i]);
		ck_assert_msg(plan.kernel.args[1].is_size &&
			      plan.kernel.args[2].is_size &&
			      !plan.kernel.args[3].is_size, "%s", bodies[i]);
	}
	/* Where nothing limits an id, each may be one. */
	make("data:float*, np:int, row:int", GID "data[row + gid] = np;");
	ck_assert(plan.kernel.args[1].is_size && plan.kernel.args[2].is_size);
	/* A name that says so is enough. */
	make("data:float*, n:int, np:int", GID "if (gid < np) data[n] = 1;");
	ck_assert(plan.kernel.args[1].is_size && !plan.kernel.args[2].is_size);
}
END_TEST

START_TEST(contents__below_zero_where_the_kernel_asks)
{
	static const struct { const char *body; bool is_signed; } cases[] = {
		{ GID "if (data[gid] < 0) data[gid] = 1;", true },
		{ GID "if (data[gid] >= 0.0f) data[gid] = 1;", true },
		{ GID "int v = data[gid] + 1; if (v < 0) data[gid] = 1;", true },
		{ GID "local int t[4]; t[0] = data[gid]; if (t[0] < 0) return;",
		  true },
		{ GID "if (gid < 0) data[gid] = 1;", false },
		{ GID "if (data[gid] < 0.5f) data[gid] = 1;", false },
		{ GID "if (data[gid] > 0) data[gid] = 1;", false },
		{ GID "for (int i = 3; i >= 0; i--) data[i] = 1;", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make("data:int*", cases[i].body);
		ck_assert_msg(plan.kernel.args[0].is_signed ==
			      cases[i].is_signed, "%s", cases[i].body);
	}
	make("data:uint*", cases[0].body);
	ck_assert(!plan.kernel.args[0].is_signed);
}
END_TEST

/* Launches of a program: a buffer may be longer than a length, not shorter. */
START_TEST(launches__rule_out_what_they_break)
{
	static const char *const texts[] = {
		"[{\"global\": [64, 1, 1], \"local\": [16, 1, 1],"
		" \"numbers\": [0, 50], \"bytes\": [200, -1]}]",
		"[{\"global\": [64, 1, 1], \"numbers\": [0, 64],"
		" \"bytes\": [400, -1]}]",
		"[{\"global\": [64, 1, 1], \"numbers\": [0, 64],"
		" \"bytes\": [0, -1]}]",
		"[{\"global\": [4, 1, 1], \"numbers\": [0, 4],"
		" \"bytes\": [64, -1]}]",
	};
	json_t *launches[4];

	for (size_t i = 0; i < 4; i++) {
		launches[i] = json_loads(texts[i], 0, NULL);
		ck_assert_ptr_nonnull(launches[i]);
	}
	make("data:int*, n:int", GID "data[gid] = n;");
	claw_explore_plan_restrict(&plan, launches[0]);
	ck_assert_int_ge(rule_of(0, "n"), 0);
	ck_assert_int_eq(rule_of(0, "global_size[0]"), -1);
	ck_assert_int_eq(reading_of("global_size[0] <= n"), -1);
	ck_assert_int_eq(reading_of("global_size[0] == n"), -1);
	ck_assert_int_ge(reading_of(""), 0);
	make("data:int*, n:int", GID "data[gid] = n;");
	claw_explore_plan_restrict(&plan, launches[1]);
	ck_assert_int_ge(rule_of(0, "global_size[0]"), 0);
	ck_assert_int_ge(reading_of("global_size[0] == n"), 0);
	/* Whose local size nobody knows. */
	make("data:int*, n:int", GID "local int t[4]; barrier(1);"
	     "t[get_local_id(0)] = n; data[gid] = t[0];");
	claw_explore_plan_restrict(&plan, launches[1]);
	ck_assert_int_ge(reading_of("local_size[0] == 4"), 0);
	make("data:int*, n:int", GID "local int t[4]; barrier(1);"
	     "t[get_local_id(0)] = n; data[gid] = t[0];");
	claw_explore_plan_restrict(&plan, launches[0]);
	ck_assert_int_eq(reading_of("local_size[0] == 4"), -1);
	/* No length is that short but one. */
	make("data:int*, n:int", GID "data[gid] = n;");
	claw_explore_plan_restrict(&plan, launches[2]);
	ck_assert_int_eq(plan.length_counts[0], 1);
	ck_assert_int_eq(rule_of(0, "1"), 0);
	/* What the text does not show, the launch may. */
	make("data:int*, n:int", GID "data[gid] = n;");
	ck_assert_int_eq(rule_of(0, "4 * n"), -1);
	claw_explore_plan_restrict(&plan, launches[3]);
	ck_assert_int_ge(rule_of(0, "4 * n"), 0);
	ck_assert_int_ge(rule_of(0, "n + 12"), 0);
	ck_assert_int_ge(rule_of(0, "16"), 0);
	for (size_t i = 0; i < 4; i++)
		json_decref(launches[i]);
}
END_TEST

/* Of sums each work-item has one, whatever was compared before. */
START_TEST(lengths__an_element_for_each_work_item)
{
	make("data:int*, sums:int*, n:int",
	     GID "int sum = 0; if (gid < n) sum = data[gid]; sums[gid] = sum;");
	ck_assert_int_eq(rule_of(0, "global_size[0]"), -1);
	ck_assert_int_ge(rule_of(1, "global_size[0]"), 0);
	make("data:int*, sums:int*, n:int",
	     GID "for (int i = gid; i < n; i++) sums[gid] += data[i];");
	ck_assert_int_eq(rule_of(1, "global_size[0]"), -1);
	make("data:int*, sums:int*, n:int",
	     GID "if (gid >= n) return; sums[gid] = data[gid];");
	ck_assert_int_eq(rule_of(1, "global_size[0]"), -1);
}
END_TEST

START_TEST(lengths__a_loop_reaches_beyond_its_own)
{
	make("data:int*, to:int*", GID "int sum = 0; for (int i = 0; i < 3; i++) "
	     "sum += data[gid + i]; to[gid] = sum;");
	ck_assert_int_gt(rule_of(0, "global_size[0] + 2"), 0);
	ck_assert_int_eq(rule_of(0, "global_size[0] + 1"), -1);
	make("data:int*, to:int*", GID "to[gid] = data[gid + 1];");
	ck_assert_int_eq(rule_of(0, "global_size[0] + 1"), -1);
}
END_TEST

START_TEST(lengths__constants_of_the_text)
{
	make("data:int*, n:int", GID "data[gid * 3 + 2] = n + 1;");
	ck_assert_int_gt(rule_of(0, "3 * n"), 0);
	ck_assert_int_gt(rule_of(0, "(n + 2)"), 0);
	ck_assert_int_eq(rule_of(0, "(n + 1)"), -1);
	ck_assert_int_gt(rule_of(0, "4"), 0);
}
END_TEST

START_TEST(lengths__one_more_only_for_ends_of_rows)
{
	make("first:int*, y:int*", GID "int sum = 0; y[gid] = first[gid + 1];");
	ck_assert_int_eq(rule_of(0, "global_size[0] + 1"), -1);
}
END_TEST

START_TEST(lengths__a_margin_on_both_sides)
{
	make("from:int*, to:int*", "int i = get_global_id(0) + 1; "
	     "to[i] = from[i - 1] + from[i + 1];");
	ck_assert_int_gt(rule_of(0, "(global_size[0] + 2)"), 0);
}
END_TEST

START_TEST(readings__of_a_kernel_without_groups)
{
	make("data:int*, n:int", GID "data[gid] = n;");
	ck_assert_int_eq(reading_of(""), 0);
	ck_assert_int_gt(reading_of("global_size[0] <= n"), 0);
	ck_assert_int_gt(reading_of("global_size[0] == n"), 0);
	ck_assert_int_eq(reading_of("power_of_two(local_size[0])"), -1);
}
END_TEST

START_TEST(readings__one_group_where_nothing_asks_for_more)
{
	make("a:int*", "local int t[8]; t[get_local_id(0)] = 1; "
	     "barrier(1); a[get_local_id(0)] = t[0];");
	ck_assert_int_ge(reading_of("global_size[0] == local_size[0]"), 0);
	ck_assert_int_ge(reading_of("local_size[0] == 8"), 0);
	make("a:int*", "local int t[8]; t[get_local_id(0)] = 1; "
	     "barrier(1); a[get_global_id(0)] = t[0];");
	ck_assert_int_eq(reading_of("global_size[0] == local_size[0]"), -1);
}
END_TEST

START_TEST(readings__rows_of_a_constant_length)
{
	make("data:int*", GID2 "data[y * 6 + gid] = 1;");
	ck_assert_int_ge(reading_of("global_size[0] <= 6"), 0);
	make("data:int*", GID "data[gid * 6] = 1;");
	ck_assert_int_eq(reading_of("global_size[0] <= 6"), -1);
}
END_TEST

START_TEST(readings__rows_in_bytes)
{
	static const char text[] =
		"pitch % 4 == 0, pitch >= 4 * global_size[0]";

	make("data:int*, pitch:uint", GID2 "global int *row = (global int *)"
	     "((global uchar *)data + y * pitch); row[gid] = 1;");
	ck_assert_int_ge(reading_of(text), 0);
	make("data:int*, pitch:uint", GID2 "data[y * pitch + gid] = 1;");
	ck_assert_int_eq(reading_of(text), -1);
}
END_TEST

/* A 2 is too often something else. */
START_TEST(readings__a_tile_is_the_local_size)
{
	make("data:int*", "local int tile[2][2]; data[get_local_id(0)] = 1;");
	ck_assert_int_ge(reading_of("local_size[0] == 2"), 0);
	make("data:int*", "local int tile[8]; data[get_local_id(0)] = 2;");
	ck_assert_int_eq(reading_of("local_size[0] == 2"), -1);
}
END_TEST

/* "[months[gid] - 1]", and a table of the file; "y - 200". */
START_TEST(cases__what_the_text_takes_away)
{
	struct claw_explore_case one;
	int months[64];

	make("months:int*, out:int*",
	     GID "out[gid] = days[months[gid] - 1]; } constant int days[12] = {");
	claw_explore_case_begin(&plan, &one);
	for (uint64_t random = 1; random < 500; random++) {
		uint64_t seed = random;

		claw_explore_case_mutate(&plan, &seed, &one);
		if (one.wild || one.values[0].length > 64)
			continue;
		claw_explore_case_fill(&plan, &one, 0, (unsigned char *)months);
		for (unsigned int i = 0; i < one.values[0].length; i++)
			ck_assert(months[i] >= 1 && months[i] <= 12);
	}
	make("out:int*", GID "out[gid - 200] = 1;");
	ck_assert_uint_eq(plan.kernel.subtracted, 200);
	make("out:int*", GID "out[gid - 1] = 1;");
	ck_assert_uint_eq(plan.kernel.subtracted, 0);
	make("index:int*, out:int*", GID "out[index[gid]] = 1;");
	ck_assert(plan.kernel.has_loaded_index);
	make("index:int*, out:int*", GID "int at = index[gid]; out[at] = 1;");
	ck_assert(plan.kernel.has_loaded_index);
	make("data:int*, out:int*", GID "int sum = data[gid]; out[gid] = sum;");
	ck_assert(!plan.kernel.has_loaded_index);
}
END_TEST

START_TEST(cases__keep_to_their_reading)
{
	struct claw_explore_case what;
	uint64_t random = 7;
	unsigned int kept = 0, count = 0;

	make("data:int*, n:int, m:int", "int x = get_global_id(0), "
	     "y = get_global_id(1); barrier(1); data[y * n + x] = m * 16;");
	claw_explore_case_begin(&plan, &what);
	for (int i = 0; i < 5000; i++) {
		int64_t terms[CLAW_TERM_COUNT];

		claw_explore_case_mutate(&plan, &random, &what);
		ck_assert_uint_eq(what.global[0] % what.local[0], 0);
		ck_assert_uint_ge(what.values[0].length, 1);
		if (what.wild)
			continue;
		claw_explore_case_terms(&plan, &what, terms);
		ck_assert_int_ge(terms[1], 1);
		count++;
		kept += claw_explore_reading_holds(&plan.kernel,
			&plan.readings[what.reading], terms, what.local);
	}
	ck_assert_uint_gt(count, 1000);
	ck_assert_uint_gt(kept * 10, count * 6);
}
END_TEST

START_TEST(cases__equal_bytes_are_equal_launches)
{
	struct claw_explore_case what, again;
	unsigned char one[4096], other[4096];

	make("data:int*, n:int", GID "data[gid] = n;");
	memset(&what, 0x5a, sizeof(what));
	again = what;
	ck_assert_int_eq(claw_explore_case_settle(&plan, &what),
			 claw_explore_case_settle(&plan, &again));
	ck_assert_mem_eq(&what, &again, sizeof(what));
	claw_explore_case_begin(&plan, &what);
	claw_explore_case_fill(&plan, &what, 0, one);
	claw_explore_case_fill(&plan, &what, 0, other);
	ck_assert_mem_eq(one, other, claw_explore_case_bytes(&plan, &what, 0));
}
END_TEST

/* A corpus and a state may have been written by anybody. */
START_TEST(cases__of_any_bytes)
{
	unsigned int settled = 0;
	uint64_t random = 3;

	make("data:int*, n:int, m:int", "int x = get_global_id(0); "
	     "barrier(1); data[x * 16] = n * m;");
	for (int i = 0; i < 20000; i++) {
		struct claw_explore_case what, again;
		uint64_t bytes[sizeof(what) / 8 + 1];

		for (size_t j = 0; j < sizeof(bytes) / 8; j++)
			bytes[j] = claw_explore_random(&random) >>
				(i % 4 ? 0 : 56);
		memcpy(&what, bytes, sizeof(what));
		if (!claw_explore_case_settle(&plan, &what))
			continue;
		settled++;
		ck_assert_uint_gt(what.global[0], 0);
		ck_assert_uint_eq(what.global[0] % what.local[0], 0);
		ck_assert_uint_le(claw_explore_case_bytes(&plan, &what, 0),
				  plan.max_bytes);
		again = what;
		ck_assert(claw_explore_case_settle(&plan, &again));
	}
	ck_assert_uint_gt(settled, 1000);
}
END_TEST

START_TEST(state__damaged)
{
	char directory[] = "/tmp/check_explore.XXXXXX", path[64];
	struct claw_explore_state *opened;

	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(claw_explore_state_open(directory, &opened), 0);
	opened->found_count = CLAW_EXPLORE_FOUND + 1;
	claw_explore_state_close(opened);
	ck_assert_int_lt(claw_explore_state_open(directory, &opened), 0);
	snprintf(path, sizeof(path), "%s/state", directory);
	ck_assert_int_eq(truncate(path, 100), 0);
	ck_assert_int_lt(claw_explore_state_open(directory, &opened), 0);
	unlink(path);
	rmdir(directory);
}
END_TEST

/* Enough cases of all, so that each is an excuse. */
static void have_tried(void)
{
	for (unsigned int i = 0; i < CLAW_EXPLORE_READINGS; i++)
		state->runs[i] = CLAW_EXPLORE_ENOUGH;
	for (unsigned int i = 0; i < CLAW_EXPLORE_ARGS; i++)
		for (unsigned int j = 0; j < CLAW_EXPLORE_LENGTHS; j++)
			state->tried[i][j] = CLAW_EXPLORE_TRIED;
}

/* An access at an element of argument 0 with global size and n. */
static void see(uint32_t global, int64_t n, int64_t element)
{
	struct claw_probe_found found = {
		.why = CLAW_WHY_BOUNDS, .line = 1, .argument = 1,
		.offset = element * 4,
	};
	struct claw_explore_case what;

	claw_explore_case_begin(&plan, &what);
	what.global[0] = global;
	what.values[1].number = n;
	what.wild = 0;
	found.bytes = element > 0 ? (uint64_t)element * 4 : 4;
	claw_explore_state_add(state, &plan, &what, &found, 1);
}

START_TEST(judge__a_length_that_fits_is_no_finding)
{
	make("data:int*, n:int", GID "data[gid] = n;");
	have_tried();
	see(8, 4, 7);			/* n is too short, the global size is not */
	claw_explore_judge(state, &plan, &verdict);
	ck_assert(!verdict.counts[0]);
	ck_assert_int_eq(verdict.rules[0], rule_of(0, "global_size[0]"));
}
END_TEST

START_TEST(judge__no_length_fits)
{
	make("data:int*, n:int", GID "data[gid - 1] = n;");
	have_tried();
	see(8, 4, -1);			/* under the weakest reading only: n >= */
	claw_explore_judge(state, &plan, &verdict);
	ck_assert(!verdict.counts[0]);
	see(8, 8, -1);
	claw_explore_judge(state, &plan, &verdict);
	ck_assert(verdict.counts[0]);
	ck_assert_int_eq(verdict.rules[0], -1);
}
END_TEST

/* "a[id + BASE]", of a file that is included: the caller knows it, too. */
START_TEST(judge__constants_say_how_long_it_is)
{
	make("data:int*, n:int", GID "data[gid + BASE] = n;");
	have_tried();
	see(8, 8, 5000);
	claw_explore_judge(state, &plan, &verdict);
	ck_assert(!verdict.counts[0]);
	ck_assert_uint_eq(verdict.needed[0], 5001);
	ck_assert_int_eq(verdict.excuses[0], CLAW_EXCUSE_CONSTANTS);
	make("data:int*, n:int", GID "data[gid + 400] = n;");
	memset(state, 0, sizeof(*state));
	have_tried();
	see(8, 8, 900);			/* 14 times what the launch says */
	claw_explore_judge(state, &plan, &verdict);
	ck_assert(verdict.counts[0]);
}
END_TEST

/* "y - 200" in an index: right with that global offset. */
START_TEST(judge__before_a_buffer_where_a_constant_is_taken)
{
	make("data:int*, n:int", GID "data[gid - 200] = n;");
	have_tried();
	see(8, 8, -200);
	claw_explore_judge(state, &plan, &verdict);
	ck_assert(!verdict.counts[0]);
	see(8, 8, 1 << 29);		/* has wrapped */
	claw_explore_judge(state, &plan, &verdict);
	ck_assert_uint_eq(verdict.needed[0], 0);
}
END_TEST

/* Stores where a buffer says: only if it says the same place twice. */
START_TEST(judge__a_write_race_of_equal_indices)
{
	struct claw_probe_found race = {
		.why = CLAW_WHY_RACE, .line = 3, .kind = "write",
	};
	struct claw_explore_case what;

	make("order:int*, out:int*", GID "out[order[gid]] = 1;");
	have_tried();
	claw_explore_case_begin(&plan, &what);
	what.values[0].fill = CLAW_FILL_ZERO;
	claw_explore_state_add(state, &plan, &what, &race, 1);
	claw_explore_judge(state, &plan, &verdict);
	ck_assert(!verdict.counts[0]);
	what.values[0].fill = CLAW_FILL_ORDER;
	claw_explore_state_add(state, &plan, &what, &race, 2);
	claw_explore_judge(state, &plan, &verdict);
	ck_assert(verdict.counts[0]);
}
END_TEST

/* It may be one: nothing counts yet. What no case has is none. */
START_TEST(judge__what_was_not_tried_is_no_excuse)
{
	make("data:int*, n:int", GID "data[gid] = n;");
	have_tried();
	for (unsigned int i = 0; i < CLAW_EXPLORE_LENGTHS; i++)
		if ((int)i != rule_of(0, "n"))
			state->tried[0][i] = 0;
	see(8, 8, 8);
	claw_explore_judge(state, &plan, &verdict);
	ck_assert(!verdict.counts[0]);
	ck_assert_uint_eq(verdict.open_args, 1);
	for (unsigned int i = 0; i < CLAW_EXPLORE_LENGTHS; i++)
		if (!state->tried[0][i])
			state->tried[0][i] = CLAW_EXPLORE_NEVER;
	claw_explore_judge(state, &plan, &verdict);
	ck_assert(!verdict.open_args && verdict.counts[0]);
}
END_TEST

START_TEST(judge__a_site_of_one_reading_only)
{
	struct claw_probe_found race = { .why = CLAW_WHY_RACE, .line = 3 };
	struct claw_explore_case what;

	make("data:int*, n:int", GID "data[gid % n] = 1;");
	have_tried();
	claw_explore_case_begin(&plan, &what);
	what.global[0] = 8;
	what.values[1].number = 4;
	what.wild = 0;
	ck_assert(claw_explore_state_add(state, &plan, &what, &race, 1));
	ck_assert(!claw_explore_state_add(state, &plan, &what, &race, 2));
	claw_explore_judge(state, &plan, &verdict);
	ck_assert(!verdict.counts[0]);	/* not where the global size is <= n */
	ck_assert_int_eq((int)verdict.best, reading_of("global_size[0] <= n"));
}
END_TEST

START_TEST(judge__wild_cases_never_count)
{
	struct claw_probe_found race = { .why = CLAW_WHY_RACE, .line = 3 };
	struct claw_explore_case what;

	make("data:int*", GID "data[gid] = 1;");
	have_tried();
	claw_explore_case_begin(&plan, &what);
	what.wild = CLAW_WILD_CONTENTS;
	claw_explore_state_add(state, &plan, &what, &race, 1);
	claw_explore_judge(state, &plan, &verdict);
	ck_assert(!verdict.counts[0]);
	ck_assert(state->found[0].has_wild && !state->found[0].has_case);
}
END_TEST

/* A guard says that callers round up. */
START_TEST(judge__multiples_are_no_excuse_behind_a_guard)
{
	struct claw_probe_found found = {
		.why = CLAW_WHY_DIVERGENCE, .line = 3,
	};
	struct claw_explore_case what;

	for (unsigned int guarded = 0; guarded < 2; guarded++) {
		memset(state, 0, sizeof(*state));
		make("data:int*, n:int", guarded ?
		     GID "if (gid < n) { barrier(1); data[gid] = 1; }" :
		     GID "if (data[gid]) barrier(1); data[gid] = n;");
		have_tried();
		claw_explore_case_begin(&plan, &what);
		what.global[0] = what.local[0];
		what.values[1].number = what.local[0] - 1;
		what.wild = 0;
		claw_explore_state_add(state, &plan, &what, &found, 1);
		claw_explore_judge(state, &plan, &verdict);
		ck_assert_uint_eq(verdict.counts[0], guarded);
	}
}
END_TEST

/* ---- assumptions ------------------------------------------------------- */

static void check_assume(const char *text)
{
	struct claw_assume assume;
	const char *expected;
	size_t at;

	ck_assert_msg(claw_assume_parse(text, &assume, &at, &expected) == 0,
		      "%s: expected %s at byte %zu", text, expected, at);
}

/* What explore prints can be pasted. */
START_TEST(assume__takes_readings_and_lengths)
{
	unsigned int count = 0;

	make("a:int*, width:int, height:int, t:int*", "local int s[32]; "
	     "int x = get_global_id(0), y = get_global_id(1); "
	     "barrier(1); for (int i = 0; i < 3; i++) "
	     "a[y * width + x * 4 + 2 + i] = s[get_local_id(0)];");
	for (unsigned int i = 0; i < plan.reading_count; i++) {
		char *text = claw_explore_reading_text(&plan.kernel,
			&plan.readings[i]), *saved = NULL;

		for (char *one = strtok_r(text, ",", &saved); one;
		     one = strtok_r(NULL, ",", &saved), count++)
			check_assume(one);
		free(text);
	}
	for (unsigned int i = 0; i < plan.length_counts[0]; i++, count++) {
		char *text = claw_explore_length_text(&plan.kernel,
						      &plan.lengths[0][i]);
		char *line = claw_format("len(a) >= %s", text);

		check_assume(line);
		free(line);
		free(text);
	}
	ck_assert_uint_gt(count, 300);
}
END_TEST

static bool is_seven(const void *user, const struct claw_assume_node *node,
		     int64_t *ret_value)
{
	*ret_value = user ? 0 : 7;
	return strcmp(node->name, "none") != 0;
}

START_TEST(assume__holds)
{
	static const struct { const char *text; bool holds; } rows[] = {
		{ "n == 7", true }, { "n<8", true }, { "n > 7", false },
		{ "n >= 7", true }, { "n <= 6", false },
		{ "1 + 2 * 3 == n", true }, { "(1 + 2) * 3 == n", false },
		{ "global_size[1] % 2 == 1", true }, { "len(a) / 2 == 3", true },
		{ "local_size - 7 == 0", true }, { "none == 1", true },
		{ "n % 0 == 1", true }, { "power_of_two(n + 1)", true },
		{ "power_of_two(local_size[1])", false },
		{ "power_of_two(n - 7)", false }, { "global_sizes == 7", true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct claw_assume assume;
		const char *expected;
		size_t at;

		ck_assert_int_eq(claw_assume_parse(rows[i].text, &assume, &at,
						   &expected), 0);
		ck_assert_msg(claw_assume_holds(&assume, is_seven, NULL) ==
			      rows[i].holds, "%s", rows[i].text);
	}
}
END_TEST

START_TEST(assume__malformed)
{
	static const struct { const char *text; size_t at; } rows[] = {
		{ "", 0 }, { "n", 1 }, { "n =", 3 }, { "n = 1", 3 },
		{ "n < ", 4 }, { "n < 1 2", 6 }, { "len(1) < 2", 4 },
		{ "len(a < 2", 6 }, { "global_size[3] < 2", 12 },
		{ "global_size[0 < 2", 14 }, { "(n < 2", 3 }, { "n << 2", 3 },
		{ "99999999999 < n", 0 }, { "n < 1 < 2", 6 }, { "%n < 2", 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct claw_assume assume;
		const char *expected = NULL;
		size_t at = 99;

		ck_assert_msg(claw_assume_parse(rows[i].text, &assume, &at,
						&expected) < 0, "%s",
			      rows[i].text);
		ck_assert_ptr_nonnull(expected);
		ck_assert_msg(at == rows[i].at, "%s: at %zu", rows[i].text, at);
	}
}
END_TEST

START_TEST(random__equal_seeds_give_equal_kernels)
{
	char *one = claw_random_kernels(7, 2), *again = claw_random_kernels(7, 2);
	char *other = claw_random_kernels(8, 2);

	ck_assert_str_eq(one, again);
	ck_assert(strstr(one, "void random_7_1(") && strstr(one, "random_7_2("));
	ck_assert(!strstr(one, "random_7_3("));
	ck_assert_str_ne(strchr(one, '\n'), strchr(other, '\n'));
	free(one);
	free(again);
	free(other);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("explore");
	TCase *tests = tcase_create("explore");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, random__equal_seeds_give_equal_kernels);
	tcase_add_test(tests, bounds__rows_and_loops);
	tcase_add_test(tests, bounds__a_margin_is_on_both_sides);
	tcase_add_test(tests, sizes__what_ids_are_equal_to_and_what_is_not_used);
	tcase_add_test(tests, lengths__an_argument_goes_first);
	tcase_add_test(tests, lengths__a_compared_id_is_none);
	tcase_add_test(tests, lengths__comparisons_that_bound_no_id);
	tcase_add_test(tests, lengths__sizes_are_what_limits_ids);
	tcase_add_test(tests, contents__below_zero_where_the_kernel_asks);
	tcase_add_test(tests, launches__rule_out_what_they_break);
	tcase_add_test(tests, lengths__an_element_for_each_work_item);
	tcase_add_test(tests, lengths__a_loop_reaches_beyond_its_own);
	tcase_add_test(tests, lengths__constants_of_the_text);
	tcase_add_test(tests, lengths__one_more_only_for_ends_of_rows);
	tcase_add_test(tests, lengths__a_margin_on_both_sides);
	tcase_add_test(tests, readings__of_a_kernel_without_groups);
	tcase_add_test(tests, readings__one_group_where_nothing_asks_for_more);
	tcase_add_test(tests, readings__rows_of_a_constant_length);
	tcase_add_test(tests, readings__rows_in_bytes);
	tcase_add_test(tests, readings__a_tile_is_the_local_size);
	tcase_add_test(tests, cases__what_the_text_takes_away);
	tcase_add_test(tests, cases__keep_to_their_reading);
	tcase_add_test(tests, cases__equal_bytes_are_equal_launches);
	tcase_add_test(tests, cases__of_any_bytes);
	tcase_add_test(tests, state__damaged);
	tcase_add_test(tests, judge__a_length_that_fits_is_no_finding);
	tcase_add_test(tests, judge__no_length_fits);
	tcase_add_test(tests, judge__constants_say_how_long_it_is);
	tcase_add_test(tests, judge__before_a_buffer_where_a_constant_is_taken);
	tcase_add_test(tests, judge__a_write_race_of_equal_indices);
	tcase_add_test(tests, judge__what_was_not_tried_is_no_excuse);
	tcase_add_test(tests, judge__a_site_of_one_reading_only);
	tcase_add_test(tests, judge__wild_cases_never_count);
	tcase_add_test(tests, judge__multiples_are_no_excuse_behind_a_guard);
	tcase_add_test(tests, assume__takes_readings_and_lengths);
	tcase_add_test(tests, assume__holds);
	tcase_add_test(tests, assume__malformed);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
