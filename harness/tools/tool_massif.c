/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Valgrind's massif: does the host's memory stay below its limit? Simulators
 * keep the buffers of their device there, too. The file is a text (Valgrind
 * manual, "Massif": what ms_print reads): snapshots of NAME=VALUE lines, and in
 * some of them a tree of who allocated it, largest first:
 *
 *	mem_heap_B=4000
 *	mem_heap_extra_B=16
 *	heap_tree=peak
 *	n1: 4000 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 *	 n0: 4000 0x40115E: main (hog.c:7)
 */
#include "config.h"

#include "tools.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "tool_valgrind.h"

enum { TREE_LINES = 20 };	/* of the peak, in the finding's text */

static uint64_t default_peak_bytes(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) / 5 * 4 *
	       (uint64_t)sysconf(_SC_PAGESIZE);
}

static int start(const struct claw_under *under,
		 const struct claw_under_config *config,
		 const char *case_directory, struct claw_under_run *run)
{
	run->peak_max_bytes = config->peak_max_bytes ? config->peak_max_bytes :
			      default_peak_bytes();
	run->log = claw_valgrind_log(case_directory, "massif.%p.out");
	claw_valgrind_begin(under, run, "massif");
	claw_under_add_word(run, "--peak-inaccuracy=0.0");
	claw_valgrind_add_log(run, "--massif-out-file");
	return 0;
}

/* ---- its file --------------------------------------------------------- */

struct peak {
	bool is_read;		/* a snapshot was whole */
	uint64_t heap_bytes;	/* of this snapshot */
	uint64_t bytes;		/* most of all */
	uint64_t tree_bytes;	/* of the snapshot whose tree is kept */
	FILE *to_tree;		/* a tree is being read, or NULL */
	unsigned int lines;
	char *tree;
	size_t tree_size;
	char function[256], file[256];
	unsigned int line;
};

/* "name=number"? */
static bool take_number(const char *text, const char *name, uint64_t *number)
{
	size_t length = strlen(name);

	if (strncmp(text, name, length) != 0 || text[length] != '=')
		return false;
	*number = strtoull(text + length + 1, NULL, 10);
	return true;
}

static void end_tree(struct peak *peak)
{
	if (peak->to_tree)
		claw_text_end(peak->to_tree);
	peak->to_tree = NULL;
}

/* The tree of the largest snapshot that has one. */
static void begin_tree(struct peak *peak)
{
	if (peak->tree && peak->bytes <= peak->tree_bytes)
		return;
	free(peak->tree);
	peak->tree = NULL;
	peak->tree_bytes = peak->bytes;
	peak->function[0] = peak->file[0] = '\0';
	peak->lines = peak->line = 0;
	peak->to_tree = claw_text_begin(&peak->tree, &peak->tree_size);
}

/* "  n0: 4000 0x40115E: main (hog.c:7)": the first that has a line. */
static void take_branch(struct peak *peak, const char *text)
{
	const char *address = strstr(text, " 0x"), *name, *place, *colon;
	size_t length;

	if (peak->lines++ < TREE_LINES)
		fprintf(peak->to_tree, "%s\n", text);
	name = address ? strstr(address, ": ") : NULL;
	place = name ? strrchr(name, '(') : NULL;
	colon = place ? strrchr(place, ':') : NULL;
	if (peak->line || !colon || strncmp(place, "(in ", 4) == 0 ||
	    place < name + 3)
		return;
	name += 2;
	length = (size_t)(place - name);
	snprintf(peak->function, sizeof(peak->function), "%.*s",
		 (int)(length - 1), name);
	snprintf(peak->file, sizeof(peak->file), "%.*s",
		 (int)(colon - place - 1), place + 1);
	peak->line = (unsigned int)strtoul(colon + 1, NULL, 10);
}

static void take_line(struct peak *peak, const char *text)
{
	uint64_t number;

	if (peak->to_tree && text[strspn(text, " ")] == 'n') {
		take_branch(peak, text);
		return;
	}
	end_tree(peak);
	if (take_number(text, "mem_heap_B", &number)) {
		peak->heap_bytes = number;
	} else if (take_number(text, "mem_heap_extra_B", &number)) {
		peak->is_read = true;
		peak->heap_bytes += number;
		if (peak->heap_bytes > peak->bytes)
			peak->bytes = peak->heap_bytes;
	} else if (strcmp(text, "heap_tree=peak") == 0 ||
		   strcmp(text, "heap_tree=detailed") == 0) {
		begin_tree(peak);
	}
}

static int read_file(const char *path, struct peak *peak)
{
	FILE *in = claw_outside_fopen(path);
	char *line = NULL;
	size_t size = 0;
	ssize_t length;

	if (!in)
		return -CLAW_E_DAMAGED;
	while ((length = claw_getline(&line, &size, in)) > 0) {
		if (line[length - 1] == '\n')
			line[length - 1] = '\0';
		take_line(peak, line);
	}
	end_tree(peak);
	free(line);
	fclose(in);
	return peak->is_read ? 0 : -CLAW_E_DAMAGED;
}

struct limit {
	uint64_t bytes;
	struct claw_findings *findings;
};

/* Of one process. */
static int take_peak(const char *path, void *user)
{
	const struct limit *limit = user;
	struct peak peak = { 0 };
	char what[256];
	int ret = read_file(path, &peak);

	if (ret == 0 && peak.bytes > limit->bytes) {
		snprintf(what, sizeof(what), "the heap's peak is %" PRIu64 " "
			 "bytes, limit %" PRIu64,
			 peak.bytes, limit->bytes);
		claw_findings_add(limit->findings, &(struct claw_finding){
			.kind = CLAW_FINDING_HOST_PEAK, .what = what,
			.kernel = peak.function, .file = peak.file,
			.line = peak.line, .size_bytes = peak.bytes,
			.text = peak.tree });
	}
	free(peak.tree);
	return ret;
}

static int read_peaks(const struct claw_under_run *run,
		      struct claw_findings *findings)
{
	struct limit limit = { run->peak_max_bytes, findings };

	return claw_valgrind_each_log(run->log, take_peak, &limit);
}

const struct claw_under_row claw_under_massif = {
	.name = "massif",
	.summary = "peak of the host's heap, on oclgrind's simulator or --icd",
	.no_guards = "it would count them",
	.checks = 1u << CLAW_FINDING_HOST_PEAK |
		  1u << CLAW_FINDING_WRONG_RESULT,
	.prepare = claw_valgrind_prepare, .start = start, .read = read_peaks,
};
