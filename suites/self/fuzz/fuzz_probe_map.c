/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feed damaged maps of instrumented texts to their reader, and the same bytes
 * to that of lcov's tracefiles. Every answer has to be 0 or an error; what is
 * wrong has one line that says where; what is accepted names only files,
 * counters and accesses that are there.
 */
#include "config.h"

#include "harness/cover/coverage_baseline.h"
#include "harness/base/errors.h"
#include "harness/cover/probe_map.h"

#include "fuzz_text.h"

const char *const fuzz_seeds[] = {
	"openclaw-map 1\ncounters 4\naccesses 2\nfile 0 <source>\n"
	"file 1 inc/a b.h\nfunction 0 0 1 9 blur\nline 0 2 0\n"
	"line 1 3 1+2-3\nbranch 0 2 0 0 1 if\nbranch 0 2 0 1 0-1 if\n"
	"kernel blur 2 2\nargument blur 0 write\nlaunch blur 3\nsize blur 4 0 global\n"
	"access 1 0 2 9 read global 4 blur in in[i %250A 7]\n"
	"access 0 1 3 1 write local 16 put - *p\n"
	"plain thrice 0 20 it takes a pipe\n",
	"openclaw-map 1\ncounters 1\nfile 0 \nfunction 0 0 1 1 %00\n",
	"TN:\nSF:/a/b.cl\nFN:1,k\nFNDA:1,k\nDA:1,1\nDA:2,0,x\nLF:2\nLH:1\n"
	"end_of_record\nSF:/a/c.cl\nDA:7,-1\nend_of_record\n",
	NULL,
};

const char *const fuzz_words[] = {
	"openclaw-map 1", "\n", " ", "counters ", "accesses ", "file ",
	"function ", "line ", "branch ", "kernel ", "access ", "plain ",
	"0+1", "-", "+", "4294967295", "67108864", "-1", "%", "%25", "%0A",
	"SF:", "DA:", "end_of_record", ",", "1", "2", "\r\n",
	NULL,
};

static void check(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static void check_sum(const struct claw_probe_map *map, struct claw_map_sum sum)
{
	check(sum.first + sum.count <= map->term_count, "terms");
	for (size_t i = sum.first; i < sum.first + sum.count; i++)
		check(map->terms[i].counter < map->counters, "a counter");
}

static void check_map(const struct claw_probe_map *map)
{
	for (size_t i = 0; i < map->line_count; i++) {
		check(map->lines[i].file < map->file_count, "a line's file");
		check_sum(map, map->lines[i].runs);
	}
	for (size_t i = 0; i < map->branch_count; i++) {
		check(map->branches[i].file < map->file_count &&
		      map->branches[i].kind, "a branch");
		check_sum(map, map->branches[i].taken);
	}
	for (size_t i = 0; i < map->function_count; i++)
		check(map->functions[i].file < map->file_count &&
		      map->functions[i].counter < map->counters &&
		      map->functions[i].name, "a function");
	for (size_t i = 0; i < map->list_count; i++)
		check(map->list[i].file < map->file_count &&
		      map->list[i].number < map->accesses &&
		      map->list[i].object && map->list[i].text, "an access");
	for (size_t i = 0; i < map->plain_count; i++)
		check(map->plain[i].name && map->plain[i].reason, "plain");
	claw_probe_map_access(map, 1);
}

static void check_error(int ret, const char *error)
{
	check(ret != -CLAW_E_SYNTAX ||
	      (*error && !strchr(error, '\n') && strstr(error, ": expected ")),
	      "the error");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct claw_code_lines lines = { .items = NULL };
	struct claw_probe_map map;
	char error[256];
	int ret = claw_probe_map_parse((const char *)bytes, size, "m", &map,
				       error, sizeof(error));

	check_error(ret, error);
	if (ret == 0) {
		check_map(&map);
		claw_probe_map_release(&map);
	}
	ret = claw_tracefile_parse((const char *)bytes, size, "t", &lines,
				   error, sizeof(error));
	check_error(ret, error);
	claw_code_lines_release(&lines);
	return 0;
}
