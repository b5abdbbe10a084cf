/* SPDX-License-Identifier: Apache-2.0 */
/* The command lines of the three kinds of workload. */
#include "config.h"

#include "soak_workload.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/machine/machine.h"
#include "harness/base/memory.h"
#include "harness/base/paths.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"

static void add(struct claw_soak_workload *workload, const char *word)
{
	claw_list_add(&workload->argv, claw_strdup(word));
}

/* All words up to a NULL. */
__attribute__((sentinel))
static void add_all(struct claw_soak_workload *workload, ...)
{
	va_list words;
	const char *word;

	va_start(words, workload);
	while ((word = va_arg(words, const char *)))
		add(workload, word);
	va_end(words);
}

void claw_soak_workload_program(char *const *argv,
				struct claw_soak_workload *ret_workload)
{
	*ret_workload = (struct claw_soak_workload){
		.kind = CLAW_SOAK_PROGRAM,
		.name = claw_strdup(claw_base_name(argv[0])),
	};
	ret_workload->argv = claw_list_copy(argv);
}

/* The launch's size where the first output has an element for each work-item,
 * else its length; as numpy writes a shape. malloced, or NULL. */
static char *shape_of(const struct claw_clw_test *test)
{
	const struct claw_clw_arg *out = test->out_count ? &test->out[0] : NULL;
	size_t items = 1;

	if (!out)
		return NULL;
	for (unsigned int i = 0; i < test->dimensions; i++)
		items *= test->global[i];
	if (items == out->count && test->dimensions == 2)
		return claw_format("(%zu, %zu)", test->global[0],
				   test->global[1]);
	if (items == out->count && test->dimensions == 3)
		return claw_format("(%zu, %zu, %zu)", test->global[0],
				   test->global[1], test->global[2]);
	return claw_format("(%zu,)", out->count);
}

/* Of the test, or of all where they have the same. */
static char *shape_of_all(const struct claw_clw *clw, const char *test)
{
	char *shape = NULL;

	for (size_t i = 0; i < clw->test_count; i++) {
		char *one;

		if (test && strcmp(test, clw->tests[i].case_name) != 0)
			continue;
		one = shape_of(&clw->tests[i]);
		if (!one || (shape && strcmp(shape, one) != 0)) {
			free(shape);
			free(one);
			return NULL;
		}
		free(shape);
		shape = one;
	}
	return shape;
}

void claw_soak_workload_kernel(const struct claw_clw *clw, const char *test,
			       uint64_t seed,
			       struct claw_soak_workload *ret_workload)
{
	char *program = claw_kernel_program(), number[24];

	snprintf(number, sizeof(number), "%" PRIu64, seed);
	*ret_workload = (struct claw_soak_workload){
		.kind = CLAW_SOAK_KERNEL,
		.name = claw_strdup(claw_base_name(clw->path)),
		.shape = shape_of_all(clw, test),
	};
	add_all(ret_workload, program, "--file", clw->path, "--seed", number,
		"--loop", "0", NULL);
	ret_workload->loop_word = 6;
	if (test)
		add_all(ret_workload, "--test", test, NULL);
	free(program);
}

int claw_soak_workload_suite(const char *name,
			     const struct claw_soak_suite_words *words,
			     struct claw_soak_workload *ret_workload)
{
	char *self = claw_machine_self(), time_ms[24];

	*ret_workload = (struct claw_soak_workload){
		.kind = CLAW_SOAK_SUITE,
		.name = claw_strdup(claw_base_name(name)),
	};
	if (!self)
		return -CLAW_E_IO;
	add_all(ret_workload, self, "test", "--quiet", "--force", "--output",
		words->directory, NULL);
	free(self);
	if (words->device)
		add_all(ret_workload, "--device", words->device, NULL);
	for (size_t i = 0; i < words->models->count; i++)
		add_all(ret_workload, "--model", words->models->items[i], NULL);
	snprintf(time_ms, sizeof(time_ms), "%" PRIu64 "ms", words->timeout_ms);
	if (words->timeout_ms)
		add_all(ret_workload, "--timeout", time_ms, NULL);
	if (access(name, F_OK) != 0)
		add(ret_workload, "--suite");
	add(ret_workload, name);
	return 0;
}

void claw_soak_workload_release(struct claw_soak_workload *workload)
{
	free(workload->name);
	free(workload->shape);
	claw_list_free(workload->argv);
	*workload = (struct claw_soak_workload){ .name = NULL };
}

void claw_soak_workload_limit(struct claw_soak_workload *workload,
			      uint64_t iterations)
{
	char number[24], *copy;

	if (workload->kind != CLAW_SOAK_KERNEL)
		return;
	snprintf(number, sizeof(number), "%" PRIu64, iterations);
	copy = claw_strdup(number);		/* the harness counts, too */
	free(workload->argv[workload->loop_word]);
	workload->argv[workload->loop_word] = copy;
}
