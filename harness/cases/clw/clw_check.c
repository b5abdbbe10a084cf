/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A [test] of a kernel file as a whole: what it takes from [config], and what
 * must fit together when all its lines are read.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "clw_private.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text_list.h"

/* ---- beginning and end ----------------------------------------------- */

static void free_args(struct claw_clw_arg *args, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(args[i].data);
	free(args);
}

void claw_clw_test_release(struct claw_clw_test *test)
{
	free(test->name);
	free(test->case_name);
	free(test->kernel);
	free(test->expect_fault);
	free(test->expected);
	free(test->xfail);
	free(test->xfail_driver);
	free_args(test->in, test->in_count);
	free_args(test->out, test->out_count);
	claw_list_free(test->tags);
	*test = (struct claw_clw_test) { 0 };
}

void claw_clw_draft_release(struct claw_clw_draft *draft)
{
	claw_clw_test_release(&draft->test);
	free(draft->in_places);
	free(draft->out_places);
	*draft = (struct claw_clw_draft) { 0 };
}

void claw_clw_expect(struct claw_clw_test *test,
		     struct claw_expected_finding expected)
{
	test->expected = claw_one_more(test->expected, test->expected_count,
				       sizeof(*test->expected));
	test->expected[test->expected_count++] = expected;
}

void claw_clw_draft_init(struct claw_clw_draft *draft,
			 const struct claw_clw_draft *defaults)
{
	struct claw_clw_test *to = &draft->test;
	const struct claw_clw_test *from = &defaults->test;

	*draft = *defaults;
	draft->seen = 0;
	to->kernel = claw_strdup_or_null(from->kernel);
	to->expect_fault = claw_strdup_or_null(from->expect_fault);
	to->xfail = claw_strdup_or_null(from->xfail);
	to->xfail_driver = claw_strdup_or_null(from->xfail_driver);
	to->tags = claw_list_copy(from->tags);
	to->expected = NULL;
	to->expected_count = 0;
	for (size_t i = 0; i < from->expected_count; i++)
		claw_clw_expect(to, from->expected[i]);
}

/* ---- sizes ----------------------------------------------------------- */

/* Fewer than three numbers are as many as there are dimensions. */
static int check_numbers(struct claw_clw_reader *reader, unsigned int numbers,
			 struct claw_clw_place place)
{
	unsigned int dimensions = reader->draft->test.dimensions;

	if (numbers == 0 || numbers == 3 || numbers == dimensions)
		return 0;
	return claw_clw_fail(reader, place, "expected %u or 3 numbers "
			     "(dimensions: %u), found %u", dimensions,
			     dimensions, numbers);
}

static int check_not_zero(struct claw_clw_reader *reader,
			  const size_t sizes[3],
			  const struct claw_clw_place places[3])
{
	for (unsigned int i = 0; i < reader->draft->test.dimensions; i++)
		if (sizes[i] == 0)
			return claw_clw_fail(reader, places[i], "expected a "
				"size from 1 in dimension %u of %u, found 0",
				i + 1, reader->draft->test.dimensions);
	return 0;
}

static int check_sizes(struct claw_clw_reader *reader)
{
	const uint64_t most = UINT64_C(1) << 62;
	struct claw_clw_draft *draft = reader->draft;
	struct claw_clw_test *test = &draft->test;
	uint64_t total = 1;
	int ret;

	if (!draft->has_dimensions && draft->global_numbers > 0 &&
	    draft->global_numbers < 3)
		test->dimensions = draft->global_numbers;
	ret = check_numbers(reader, draft->global_numbers,
			    draft->global_places[0]);
	if (ret == 0)
		ret = check_numbers(reader, draft->local_numbers,
				    draft->local_places[0]);
	if (ret == 0)
		ret = check_numbers(reader, draft->offset_numbers,
				    draft->offset_places[0]);
	if (ret == 0 && draft->global_numbers > 0)
		ret = check_not_zero(reader, test->global,
				     draft->global_places);
	if (ret == 0 && test->has_local)
		ret = check_not_zero(reader, test->local,
				     draft->local_places);
	for (unsigned int i = 0; ret == 0 && i < test->dimensions; i++) {
		if (test->global[i] > most / total) {
			claw_clw_fail(reader, draft->global_places[0],
				      "expected at most 2^62 work-items, "
				      "found more");
			return -CLAW_E_LIMIT;
		}
		total *= test->global[i];
	}
	return ret;
}

/* ---- arguments ------------------------------------------------------- */

static struct claw_clw_arg *find_arg(struct claw_clw_arg *args, size_t count,
				     unsigned int index)
{
	for (size_t i = 0; i < count; i++)
		if (args[i].index == index)
			return &args[i];
	return NULL;
}

static bool has_memory_options(const struct claw_clw_arg *arg)
{
	return arg->has_guard || arg->is_sub_buffer || arg->has_alias ||
		arg->is_freed || arg->mem_flags;
}

static void copy_memory_options(const struct claw_clw_arg *from,
				struct claw_clw_arg *to)
{
	to->has_guard = from->has_guard;
	to->guard_bytes = from->guard_bytes;
	to->is_sub_buffer = from->is_sub_buffer;
	to->offset_bytes = from->offset_bytes;
	to->has_alias = from->has_alias;
	to->alias = from->alias;
	to->is_freed = from->is_freed;
	to->mem_flags = from->mem_flags;
}

static bool is_same_image(const struct claw_clw_arg *a,
			  const struct claw_clw_arg *b)
{
	return a->image.width == b->image.width &&
		a->image.height == b->image.height &&
		a->image.channel_order == b->image.channel_order &&
		a->image.channel_type == b->image.channel_type;
}

/* An argument that is both in and out. place: of its arg_out. */
static int check_pair(struct claw_clw_reader *reader, struct claw_clw_arg *in,
		      struct claw_clw_arg *out, struct claw_clw_place place)
{
	if (in->kind != out->kind)
		return claw_clw_fail(reader, place, "expected argument %u to "
			"be the same kind as its arg_in in line %u, found "
			"another", out->index, in->line);
	if (in->size_bytes != out->size_bytes)
		return claw_clw_fail(reader, place, "expected argument %u to "
			"have %zu bytes as its arg_in in line %u, found %zu",
			out->index, in->size_bytes, in->line, out->size_bytes);
	if (in->kind == CLAW_CLW_IMAGE && !is_same_image(in, out))
		return claw_clw_fail(reader, place, "expected image %u to be "
			"the same as its arg_in in line %u, found another",
			out->index, in->line);
	if (in->fill == CLAW_CLW_NULL)
		return claw_clw_fail(reader, place, "expected no arg_out for "
			"a NULL argument, found %u", out->index);
	if (in->is_freed)
		return claw_clw_fail(reader, place, "expected no arg_out for "
			"an argument that is freed, found %u", out->index);
	if (has_memory_options(in) && has_memory_options(out))
		return claw_clw_fail(reader, place, "expected the options of "
			"argument %u's memory in one line, found some in line "
			"%u, too", out->index, in->line);
	if (has_memory_options(in))
		copy_memory_options(in, out);
	else
		copy_memory_options(out, in);
	return 0;
}

static int check_alias(struct claw_clw_reader *reader,
		       const struct claw_clw_arg *arg,
		       struct claw_clw_place place)
{
	struct claw_clw_test *test = &reader->draft->test;
	const struct claw_clw_arg *other =
		find_arg(test->in, test->in_count, arg->alias);

	if (!other)
		other = find_arg(test->out, test->out_count, arg->alias);
	if (!other || other->index == arg->index ||
	    other->kind != CLAW_CLW_BUFFER || other->fill == CLAW_CLW_NULL ||
	    other->has_alias)
		return claw_clw_fail(reader, place, "expected alias of another "
			"buffer that has memory of its own, found argument %u",
			arg->alias);
	if (arg->offset_bytes > other->size_bytes ||
	    arg->size_bytes > other->size_bytes - arg->offset_bytes)
		return claw_clw_fail(reader, place, "expected at most the %zu "
			"bytes of argument %u, found %zu from %zu on",
			other->size_bytes, arg->alias, arg->size_bytes,
			arg->offset_bytes);
	return 0;
}

static int check_aliases(struct claw_clw_reader *reader,
			 const struct claw_clw_arg *args, size_t count,
			 const struct claw_clw_place *places)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < count; i++)
		if (args[i].has_alias)
			ret = check_alias(reader, &args[i], places[i]);
	return ret;
}

int claw_clw_check_test(struct claw_clw_reader *reader)
{
	struct claw_clw_draft *draft = reader->draft;
	struct claw_clw_test *test = &draft->test;
	int ret = 0;

	if (!test->kernel)
		return claw_clw_fail(reader, draft->place, "expected "
			"kernel_name in this [test] or in [config], found "
			"none");
	if (test->xfail_driver && !test->xfail)
		return claw_clw_fail(reader, draft->place, "expected xfail "
			"beside xfail_driver in this [test] or in [config], "
			"found none");
	for (size_t i = 0; ret == 0 && i < test->out_count; i++) {
		struct claw_clw_arg *in = find_arg(test->in, test->in_count,
						   test->out[i].index);

		if (in)
			ret = check_pair(reader, in, &test->out[i],
					 draft->out_places[i]);
	}
	if (ret == 0)
		ret = check_aliases(reader, test->in, test->in_count,
				    draft->in_places);
	if (ret == 0)
		ret = check_aliases(reader, test->out, test->out_count,
				    draft->out_places);
	return ret < 0 ? ret : check_sizes(reader);
}
