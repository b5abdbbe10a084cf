/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shards: "M/N" or what a CI server, a test runner or a batch system says in
 * the environment.
 */
#include "config.h"

#include "shard.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"

enum { COUNT_MAX = 1000000 };

/* Who sets what; the first whose index is set is believed. */
static const struct source {
	const char *index, *count;
	const char *first;	/* variable with the number of the first one */
	const char *step;	/* variable with the distance of two */
	uint64_t base;		/* where there is no such variable */
} sources[] = {
	{ "GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", NULL, NULL, 0 },
	{ "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", NULL, NULL, 0 },
	{ "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT",
	  "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP", 0 },
	{ "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", NULL, NULL, 0 },
	{ "CI_NODE_INDEX", "CI_NODE_TOTAL", NULL, NULL, 1 },
};
enum { SOURCE_COUNT = sizeof(sources) / sizeof(sources[0]) };

/* Digits up to end. */
static bool parse_number(const char *text, const char *end, uint64_t *ret_number)
{
	char *stop;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*ret_number = strtoull(text, &stop, 10);
	return errno == 0 && stop == end;
}

/* A variable as a number; otherwise: what it is when it is not set, NULL when
 * it must be. */
static int read_variable(const char *name, const uint64_t *otherwise,
			 uint64_t *ret_number, char *error, size_t error_size)
{
	const char *text = getenv(name);

	if ((!text || !*text) && otherwise) {
		*ret_number = *otherwise;
		return 0;
	}
	if (text && parse_number(text, text + strlen(text), ret_number))
		return 0;
	snprintf(error, error_size, "--shard auto: expected a number in %s, "
		 "%s%s%s", name, text ? "found \"" : "which is not set",
		 text ? text : "", text ? "\"" : "");
	return -CLAW_E_USAGE;
}

static int parse_source(const struct source *source,
			struct claw_shard *ret_shard, char *error,
			size_t error_size)
{
	const uint64_t one = 1;
	uint64_t index, count, first = source->base, step = 1;
	int ret = read_variable(source->index, NULL, &index, error, error_size);

	if (ret == 0)
		ret = read_variable(source->count, NULL, &count, error,
				    error_size);
	if (ret == 0 && source->first)
		ret = read_variable(source->first, &first, &first, error,
				    error_size);
	if (ret == 0 && source->step)
		ret = read_variable(source->step, &one, &step, error,
				    error_size);
	if (ret < 0)
		return ret;
	if (index < first || step == 0 || count == 0 || count > COUNT_MAX ||
	    (index - first) / step >= count) {
		snprintf(error, error_size, "--shard auto: %s=%" PRIu64
			 " is not one of the %s=%" PRIu64 " that are counted "
			 "from %" PRIu64, source->index, index, source->count,
			 count, first);
		return -CLAW_E_USAGE;
	}
	ret_shard->number = (index - first) / step + 1;
	ret_shard->count = count;
	return 0;
}

static int parse_auto(struct claw_shard *ret_shard, char *error,
		      size_t error_size)
{
	size_t length;

	for (size_t i = 0; i < SOURCE_COUNT; i++)
		if (getenv(sources[i].index))
			return parse_source(&sources[i], ret_shard, error,
					    error_size);
	length = (size_t)snprintf(error, error_size, "--shard auto: expected "
				  "one of");
	for (size_t i = 0; i < SOURCE_COUNT && length < error_size; i++)
		length += (size_t)snprintf(error + length, error_size - length,
					   "%s %s", i ? "," : "",
					   sources[i].index);
	if (length < error_size)
		snprintf(error + length, error_size - length,
			 " in the environment, found none");
	return -CLAW_E_USAGE;
}

int claw_shard_parse(const char *text, struct claw_shard *ret_shard,
		     char *error, size_t error_size)
{
	static const char own[] = ":own";
	const char *slash = strchr(text, '/'), *end = strchr(text, ':');
	struct claw_shard shard = { .own = end && strcmp(end, own) == 0 };

	if (strcmp(text, "auto") == 0)
		return parse_auto(ret_shard, error, error_size);
	if (!slash || !parse_number(text, slash, &shard.number) ||
	    !parse_number(slash + 1, shard.own ? end : text + strlen(text),
			  &shard.count)) {
		snprintf(error, error_size, "--shard: expected M/N, M/N:own or auto, "
			 "found \"%s\"", text);
		return -CLAW_E_USAGE;
	}
	if (shard.count == 0 || shard.count > COUNT_MAX || shard.number == 0 ||
	    shard.number > shard.count) {
		snprintf(error, error_size, "--shard: expected a shard from "
			 "1/N to N/N, N at most %d, found \"%s\"", COUNT_MAX,
			 text);
		return -CLAW_E_USAGE;
	}
	*ret_shard = shard;
	return 0;
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
static uint64_t hash(uint64_t sum, const char *text)
{
	for (; *text; text++)
		sum = (sum ^ (unsigned char)*text) *
		      UINT64_C(0x100000001b3);
	return sum;
}

uint64_t claw_shard_hash(const char *suite, const char *name, const char *tool)
{
	const char *const parts[] = { suite, "/", name, "/", tool };
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		sum = hash(sum, parts[i]);
	return sum;
}

bool claw_shard_has(const struct claw_shard *shard, const char *suite,
		    const char *name, const char *tool)
{
	uint64_t sum;

	if (shard->count == 0)
		return true;
	/* Its low bits alone are those of the last letters. */
	sum = claw_shard_hash(suite, name, tool);
	sum ^= sum >> 32;
	return sum % shard->count == shard->number - 1;
}
