/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read each process's findings with its journal. The findings first: whatever
 * they name is in the journal by then.
 */
#include "config.h"

#include "found_scan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "harness/evidence/gap.h"
#include "harness/base/memory.h"
#include "harness/base/text_list.h"
#include "harness/base/words.h"

/* What a process was not looked at for. */
static const struct {
	enum claw_found_mode mode;
	const char *text;
} modes[] = {
	{ CLAW_FOUND_LIFETIME, "lifetime errors" },
	{ CLAW_FOUND_GUARDS, "broken guard zones" },
	{ CLAW_FOUND_PROTECT, "calls that would crash the driver" },
	{ CLAW_FOUND_EARLY, "loads before a wait" },
	{ CLAW_FOUND_KERNELS, "accesses of kernels" },
};

/* "3 findings of process 12 could not be kept", when there are any. */
static void note_number(struct claw_found_scan *scan,
			const struct claw_found_file *found, uint64_t count,
			const char *noun, const char *what)
{
	if (count > 0)
		claw_gap_add(&scan->gap, "%" PRIu64 " %s%s of process %u %s",
			     count, noun, count == 1 ? "" : "s", found->pid,
			     what);
}

static void note_gaps(struct claw_found_scan *scan,
		      const struct claw_found_file *found, uint32_t wanted)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (wanted & modes[i].mode & ~found->modes)
			claw_gap_add(&scan->gap, "process %u was not checked "
				     "for %s", found->pid, modes[i].text);
	note_number(scan, found, found->lost, "finding",
		    "could not be stored: out of space");
	note_number(scan, found, found->damaged, "finding", "cannot be read");
	note_number(scan, found, found->counts[CLAW_COUNT_COMMANDS_LOST],
		    "command", "could not be tracked: out of space");
}

static int add_process(struct claw_found_scan *scan, const char *path,
		       const struct claw_found_file *found,
		       struct claw_symbolizer *symbolizer)
{
	char *journal_path = claw_session_sibling(path, "journal");
	struct claw_journal *journal = NULL;
	int ret = 0, error = claw_journal_read(journal_path, &journal);

	if (error < 0) {
		claw_gap_add_unread(&scan->gap, journal_path, error);
	} else {
		scan->groups.path = path;
		ret = claw_found_groups_add(&scan->groups, found, journal,
					    symbolizer);
		for (size_t i = 0; i < CLAW_COUNT_MAX; i++)
			if (__builtin_add_overflow(scan->counts[i],
						   found->counts[i],
						   &scan->counts[i]))
				scan->counts[i] = UINT64_MAX;
		scan->modes = scan->process_count == 0 ? found->modes :
			scan->modes & found->modes;
		scan->process_count++;
	}
	claw_journal_free(journal);
	free(journal_path);
	return ret;
}

/* What the session has on disk. */
struct files {
	char **journals, **founds;
	size_t journal_count, found_count;
	struct claw_found_file *read;	/* of each of founds */
	int *errors;			/* 0: it was read */
	uint32_t modes;			/* of any */
};

static int list_files(const struct claw_session *session, struct files *files)
{
	/* A process that begins meanwhile has its journal first. */
	int ret = claw_session_journals(session, &files->journals,
					&files->journal_count);

	if (ret == 0)
		ret = claw_session_founds(session, &files->founds,
					  &files->found_count);
	if (ret < 0)
		return ret;
	files->read = claw_calloc(files->found_count, sizeof(*files->read));
	files->errors = claw_calloc(files->found_count, sizeof(*files->errors));
	for (size_t i = 0; i < files->found_count; i++) {
		files->errors[i] = claw_found_file_read(files->founds[i],
						   &files->read[i]);
		files->modes |= files->read[i].modes;
	}
	return 0;
}

static void release_files(struct files *files)
{
	for (size_t i = 0; files->read && i < files->found_count; i++)
		claw_found_file_release(&files->read[i]);
	free(files->read);
	free(files->errors);
	claw_list_free(files->journals);
	claw_list_free(files->founds);
}

static int scan_files(struct claw_found_scan *scan, const struct files *files,
		      uint32_t wanted, struct claw_symbolizer *symbolizer)
{
	int ret = 0;

	for (size_t i = 0; wanted && i < files->journal_count; i++)
		claw_gap_check_sibling(&scan->gap, files->journals[i],
				       "found", files->founds,
				       files->found_count,
				       "no checks were run in ", "");
	for (size_t i = 0; ret == 0 && i < files->found_count; i++) {
		if (files->errors[i] < 0) {
			claw_gap_add_unread(&scan->gap, files->founds[i],
					    files->errors[i]);
			continue;
		}
		ret = add_process(scan, files->founds[i], &files->read[i],
				  symbolizer);
		note_gaps(scan, &files->read[i], wanted);
	}
	return ret;
}

int claw_found_scan_of(const struct claw_session *session, uint32_t wanted,
		       const char *source, struct claw_found_scan *ret_scan)
{
	struct claw_symbolizer *symbolizer = claw_symbolizer_new();
	struct claw_found_accesses accesses = {
		.session = session, .source = source,
	};
	struct claw_found_scan scan = { .groups.accesses = &accesses };
	struct files files = { .journals = NULL };
	int ret = list_files(session, &files);

	if (ret == 0)
		ret = scan_files(&scan, &files, wanted ? wanted : files.modes &
				 (CLAW_FOUND_LIFETIME | CLAW_FOUND_GUARDS |
				  CLAW_FOUND_KERNELS),
				 symbolizer);
	claw_found_groups_sort(&scan.groups);
	scan.groups.accesses = NULL;
	scan.groups.path = NULL;
	claw_found_accesses_release(&accesses);
	release_files(&files);
	claw_symbolizer_free(symbolizer);
	if (ret < 0)
		claw_found_scan_release(&scan);
	else
		*ret_scan = scan;
	return ret;
}

int claw_found_scan(const struct claw_session *session, uint32_t wanted,
		    struct claw_found_scan *ret_scan)
{
	return claw_found_scan_of(session, wanted, NULL, ret_scan);
}

void claw_found_scan_release(struct claw_found_scan *scan)
{
	claw_found_groups_release(&scan->groups);
	free(scan->gap);
	*scan = (struct claw_found_scan) { .gap = NULL };
}

/* ---- what was left alone ------------------------------------------------- */

struct reason {
	enum claw_found_count count;
	const char *one, *several;	/* NULL: there are no more */
};

static uint64_t count_reasons(const struct claw_found_scan *scan,
			      const struct reason *reasons)
{
	uint64_t count = 0;

	for (; reasons->one; reasons++)
		count += scan->counts[reasons->count];
	return count;
}

/* "2 live in the program's own memory, 1 is shared memory" */
static void print_reasons(FILE *out, const struct claw_found_scan *scan,
			  const struct reason *reasons)
{
	const char *comma = "";

	for (; reasons->one; reasons++) {
		uint64_t count = scan->counts[reasons->count];

		if (count == 0)
			continue;
		fputs(comma, out);
		claw_print_count(out, count);
		fprintf(out, " %s", count == 1 ? reasons->one :
			reasons->several);
		comma = ", ";
	}
}

/* "3 buffers have no guard zones: " and the reasons; NULL: there are none. */
static char *reasons_text(const struct claw_found_scan *scan,
			  const struct reason *reasons, const char *one,
			  const char *several)
{
	uint64_t count = count_reasons(scan, reasons);
	char *text = NULL;
	size_t size;
	FILE *out = count ? claw_text_begin(&text, &size) : NULL;

	if (!out)
		return NULL;
	claw_print_count(out, count);
	fprintf(out, " %s: ", count == 1 ? one : several);
	print_reasons(out, scan, reasons);
	claw_text_end(out);
	return text;
}

/* ---- loads before a wait ------------------------------------------------- */

static const struct reason not_closed[] = {
	{ CLAW_COUNT_EARLY_SMALL, "ends inside a page",
	  "end inside a page" },
	{ CLAW_COUNT_EARLY_ELSEWHERE, "targets a stack, or memory of the "
	  "driver or another command", "target a stack, or memory of the "
	  "driver or another command" },
	{ CLAW_COUNT_EARLY_NO_ROOM, "left no space for it",
	  "left no space for it" },
	{ CLAW_COUNT_MAX, NULL, NULL },
};

char *claw_found_not_closed_text(const struct claw_found_scan *scan)
{
	return reasons_text(scan, not_closed, "non-blocking read was not "
			    "checked for loads before a wait",
			    "non-blocking reads were not checked for loads "
			    "before a wait");
}

/* ---- guard zones --------------------------------------------------------- */

static const struct reason bare[] = {
	{ CLAW_COUNT_BARE_HOST_PTR, "lives in the program's own memory",
	  "live in the program's own memory" },
	{ CLAW_COUNT_BARE_LARGE, "leaves no space for them",
	  "leave no space for them" },
	{ CLAW_COUNT_BARE_IMAGE, "has an image made on it",
	  "have an image made on them" },
	{ CLAW_COUNT_BARE_SVM, "is shared memory", "are shared memory" },
	{ CLAW_COUNT_BARE_SHARED, "belongs to another API",
	  "belong to another API" },
	{ CLAW_COUNT_BARE_REFUSED, "was refused by the driver",
	  "were refused by the driver" },
	{ CLAW_COUNT_MAX, NULL, NULL },
};

char *claw_found_bare_text(const struct claw_found_scan *scan)
{
	return reasons_text(scan, bare, "buffer has no guard zones",
			    "buffers have no guard zones");
}

char *claw_found_guards_gap(const struct claw_found_scan *scan)
{
	uint64_t missed = scan->counts[CLAW_COUNT_LAUNCHES_UNCHECKED];
	uint64_t parts = scan->counts[CLAW_COUNT_LAUNCHES_PART];
	char *text = NULL;
	size_t size;
	FILE *out;

	if (scan->counts[CLAW_COUNT_GUARDED] > 0 && missed == 0 && !parts &&
	    (scan->counts[CLAW_COUNT_LAUNCHES_CHECKED] > 0 ||
	     scan->counts[CLAW_COUNT_LAUNCHES_BARE] == 0 ||
	     count_reasons(scan, bare) == 0))
		return NULL;
	out = claw_text_begin(&text, &size);
	if (scan->counts[CLAW_COUNT_GUARDED] == 0) {
		fputs("no buffer has guard zones: ", out);
		if (count_reasons(scan, bare) > 0)
			print_reasons(out, scan, bare);
		else
			fputs("none was created", out);
	} else if (missed == 0 && parts > 0) {
		claw_print_count(out, parts);
		fprintf(out, " launch%s used a sub-buffer that ends inside "
			"its buffer, where no guard zone fits; use openclaw "
			"check --kernels", parts == 1 ? "" : "es");
	} else if (missed == 0) {
		fputs("no launch had a buffer with guard zones: ", out);
		print_reasons(out, scan, bare);
	} else {
		fputs("the guard zones were not checked after ", out);
		claw_print_count(out, missed);
		fprintf(out, " launch%s", missed == 1 ? "" : "es");
	}
	claw_text_end(out);
	return text;
}
