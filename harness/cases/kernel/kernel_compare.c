/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compare what a kernel wrote with what the test expects: component by
 * component, as near as the tolerance says. A NaN is what every NaN expects,
 * 0 is -0, and the fourth place of a vector of 3 is nobody's.
 */
#include "config.h"

#include "kernel.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if HAVE_VALGRIND_MEMCHECK_H
#include <valgrind/memcheck.h>
#endif

#include "suites/case_result.h"
#include "harness/cases/clw/clw_values.h"

static bool is_float(enum claw_clw_base base)
{
	return base == CLAW_CLW_HALF || base == CLAW_CLW_FLOAT ||
	       base == CLAW_CLW_DOUBLE;
}

static bool is_signed(enum claw_clw_base base)
{
	return base == CLAW_CLW_CHAR || base == CLAW_CLW_SHORT ||
	       base == CLAW_CLW_INT || base == CLAW_CLW_LONG;
}

/* An integer component, or the bits of a float; sign-extended. */
static uint64_t load_bits(enum claw_clw_base base, const void *at)
{
	size_t size = claw_clw_base_bytes(base);
	uint64_t bits = 0;

	memcpy(&bits, at, size);
	if (is_signed(base) && size < 8 && bits >> (size * 8 - 1))
		bits |= ~UINT64_C(0) << (size * 8);
	return bits;
}

static double load_float(enum claw_clw_base base, const void *at)
{
	uint16_t half;
	float single;
	double wide;

	switch (base) {
	case CLAW_CLW_HALF:
		memcpy(&half, at, sizeof(half));
		return claw_half_to_double(half);
	case CLAW_CLW_FLOAT:
		memcpy(&single, at, sizeof(single));
		return (double)single;
	default:
		memcpy(&wide, at, sizeof(wide));
		return wide;
	}
}

/* The place of a float among all floats of its type, 0 in the middle. */
static int64_t float_rank(enum claw_clw_base base, const void *at)
{
	unsigned int bits = (unsigned int)claw_clw_base_bytes(base) * 8;
	uint64_t value = load_bits(base, at);
	uint64_t sign = UINT64_C(1) << (bits - 1);

	return value & sign ? -(int64_t)(value & ~sign) : (int64_t)value;
}

static uint64_t distance(int64_t one, int64_t other)
{
	return one > other ? (uint64_t)one - (uint64_t)other :
			     (uint64_t)other - (uint64_t)one;
}

static bool is_float_near(const struct claw_clw_arg *arg, const void *got,
			  const void *expected)
{
	enum claw_clw_base base = arg->type.base;
	double one = load_float(base, got), other = load_float(base, expected);

	if (isinf(arg->tolerance))
		return true;	/* any value */
	if (isnan(other) || isnan(one))
		return isnan(other) && isnan(one);
	if (!islessgreater(one, other))
		return true;
	if (fabs(one - other) <= arg->tolerance)
		return true;
	return arg->tolerance_ulp > 0 &&
	       distance(float_rank(base, got), float_rank(base, expected)) <=
	       arg->tolerance_ulp;
}

static bool is_near(const struct claw_clw_arg *arg, const void *got,
		    const void *expected)
{
	enum claw_clw_base base = arg->type.base;
	uint64_t one, other, between;

	if (is_float(base))
		return is_float_near(arg, got, expected);
	one = load_bits(base, got);
	other = load_bits(base, expected);
	if (is_signed(base))
		between = distance((int64_t)one, (int64_t)other);
	else
		between = one > other ? one - other : other - one;
	return between == 0 || (double)between <= arg->tolerance;
}

static void write_value(enum claw_clw_base base, const void *at, char *text,
			size_t size)
{
	uint64_t bits = load_bits(base, at);
	int digits = base == CLAW_CLW_HALF ? 5 :
		     base == CLAW_CLW_FLOAT ? 9 : 17;

	if (is_float(base))
		snprintf(text, size, "%.*g", digits, load_float(base, at));
	else if (is_signed(base))
		snprintf(text, size, "%" PRId64, (int64_t)bits);
	else
		snprintf(text, size, "%" PRIu64, bits);
}

static void describe(const struct claw_clw_arg *arg, size_t element,
		     unsigned int component, const unsigned char *got,
		     const unsigned char *expected, size_t bad, char *text,
		     size_t size)
{
	size_t base_bytes = claw_clw_base_bytes(arg->type.base);
	size_t at = element * claw_clw_type_bytes(arg->type) +
		    component * base_bytes;
	char one[48], other[48], place[16] = "", others[64] = "";

	write_value(arg->type.base, got + at, one, sizeof(one));
	write_value(arg->type.base, expected + at, other, sizeof(other));
	if (arg->type.width > 1)
		snprintf(place, sizeof(place), ".s%x", component);
	if (bad > 1)
		snprintf(others, sizeof(others), "; %zu of %zu are wrong", bad,
			 arg->count * arg->type.width);
	snprintf(text, size, "argument %u, element %zu%s: got %s, expected %s "
		 "(%s)%s", arg->index, element, place, one, other,
		 claw_kernel_type(arg), others);
}

/* How many components are wrong; the first of them in text. */
static size_t count_wrong(const struct claw_clw_arg *arg,
			  const unsigned char *got, char *text, size_t size)
{
	const unsigned char *expected = arg->data;
	size_t element_bytes = claw_clw_type_bytes(arg->type);
	size_t base_bytes = claw_clw_base_bytes(arg->type.base);
	size_t bad = 0, first = 0;
	unsigned int first_component = 0;

	for (size_t i = 0; i < arg->count; i++) {
		for (unsigned int c = 0; c < arg->type.width; c++) {
			size_t at = i * element_bytes + c * base_bytes;

			if (is_near(arg, got + at, expected + at))
				continue;
			if (bad++ == 0) {
				first = i;
				first_component = c;
			}
		}
	}
	if (bad > 0)
		describe(arg, first, first_component, got, expected, bad,
			 text, size);
	return bad;
}

static void judge(struct claw_kernel_run *run, const struct claw_clw_arg *arg,
		  const unsigned char *got)
{
	char text[512] = "", line[16];
	size_t bad = count_wrong(arg, got, text, sizeof(text));

	if (run->test->expect_fail) {
		if (bad == 0)
			claw_kernel_fail(run, arg->line, "argument %u has the "
					 "expected value, but the test says "
					 "expect_test_fail", arg->index);
		return;
	}
	if (bad == 0)
		return;
	snprintf(line, sizeof(line), "%u", arg->line);
	claw_case_result_line("finding", "wrong-result", "",
			      run->test->kernel, run->clw->path, line, "0",
			      "0", text, NULL);
	claw_kernel_fail(run, arg->line, "%s", text);
}

/* What a kernel wrote that was not defined is the kernel's, and a tool under
 * the kernel has said so; it must not be told again of our comparison. */
static void take_as_defined(const void *bytes, size_t count)
{
#if HAVE_VALGRIND_MEMCHECK_H
	(void)VALGRIND_MAKE_MEM_DEFINED(bytes, count);
#else
	(void)bytes;
	(void)count;
#endif
}

static bool read_back(struct claw_kernel_run *run,
		      const struct claw_kernel_object *object, void *bytes)
{
	cl_int err;

	if (object->is_image) {
		if (!claw_kernel_read_image(run, object, bytes))
			return false;
		take_as_defined(bytes, object->size_bytes);
		return true;
	}
	err = clEnqueueReadBuffer(run->queue, object->memory, CL_TRUE, 0,
				  object->size_bytes, bytes, 0, NULL, NULL);
	take_as_defined(bytes, object->size_bytes);
	return err == CL_SUCCESS ||
	       claw_kernel_fail_call(run, "clEnqueueReadBuffer", object->out,
				     err);
}

bool claw_kernel_compare(struct claw_kernel_run *run)
{
	size_t compared = 0;

	for (size_t i = 0; i < run->object_count; i++) {
		const struct claw_kernel_object *object = &run->objects[i];
		bool was_read;
		void *bytes;

		if (!object->out || !object->out->data || object->is_null)
			continue;
		if (object->is_freed)
			return claw_kernel_refuse(run, object->out->line,
				"argument %u: expected no arg_out of what is "
				"freed before the launch",
				object->out->index);
		bytes = malloc(object->size_bytes);
		if (!bytes)
			return claw_kernel_break(run, "a result");
		claw_kernel_at(run, object);
		was_read = read_back(run, object, bytes);
		if (was_read)
			judge(run, object->out, bytes);
		free(bytes);
		if (!was_read)
			return false;
		compared++;
	}
	if (run->test->expect_fail && compared == 0)
		return claw_kernel_fail(run, run->test->line, "the test says "
			"expect_test_fail and has no arg_out that could fail");
	return run->status == CLAW_KERNEL_HELD;
}
