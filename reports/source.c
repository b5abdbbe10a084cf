/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings for people: a sentence, the line of source that it is about and a
 * caret below the column.
 */
#include "config.h"

#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/files/shown_files.h"
#include "harness/base/text.h"
#include "harness/base/text_clean.h"

enum { FINDINGS_SHOWN = 20, TAB = 8, SOURCE_MAX = 64 << 20, LINE_BYTES = 65536 };

/* directory: or NULL. Records can be anybody's, and so can what they name. */
static FILE *open_file(const struct claw_report_head *head,
		       const char *directory, const char *file)
{
	char *path = directory ? claw_path_in(directory, file) : NULL;
	int fd = directory && !path ? -1 :
		claw_outside_open(path ? path : file, 0, SOURCE_MAX);
	FILE *in = NULL;

	free(path);
	if (fd >= 0 && claw_shown_files_allow(fd, head->source_root,
					      head->directory))
		in = fdopen(fd, "r");
	if (!in && fd >= 0)
		close(fd);
	return in;
}

/* As it is, or below the source root; "../../src/a.c", as a build outside of the
 * sources names it, as "src/a.c" there. */
static FILE *find_file(const struct claw_report_head *head, const char *file)
{
	FILE *in = open_file(head, NULL, file);
	const char *below = file;

	if (in || !head->source_root || *file == '/')
		return in;
	in = open_file(head, head->source_root, file);
	while (strncmp(below, "../", 3) == 0)
		below += 3;
	return in || below == file ? in :
		open_file(head, head->source_root, below);
}

/* Tools name files in their own ways: as it is, below the source root, or as
 * the result's own file when that has the same last part. */
FILE *claw_report_open_source(const struct claw_report_head *head,
			      const struct claw_result *result, const char *file)
{
	FILE *in = find_file(head, file);

	if (in || !result->file ||
	    strcmp(claw_base_name(result->file), claw_base_name(file)) != 0 ||
	    strcmp(result->file, file) == 0)
		return in;
	return find_file(head, result->file);
}

char *claw_report_source_path(const struct claw_report_head *head,
			      const struct claw_result *result,
			      const char *file)
{
	FILE *in = claw_report_open_source(head, result, file);
	char link[64], *path = NULL;

	if (!in)
		return NULL;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fileno(in));
	path = realpath(link, NULL);
	fclose(in);
	return path;
}

/* Line number of in, malloced; NULL when there is none. */
static char *read_line(FILE *in, unsigned int number)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length = -1;

	for (unsigned int i = 0; i < number; i++) {
		length = claw_outside_line(in, &line, &room, LINE_BYTES);
		if (length < 0)
			break;
	}
	if (length < 0 || strlen(line) != (size_t)length) {
		free(line);		/* or it is no text */
		return NULL;
	}
	line[strcspn(line, "\r\n")] = '\0';
	return line;
}

char *claw_report_source_line(const struct claw_report_head *head,
			      const struct claw_result *result,
			      const char *file, unsigned int line)
{
	FILE *in = line && *file ? claw_report_open_source(head, result, file) :
		   NULL;
	char *text = in ? read_line(in, line) : NULL;

	if (in)
		fclose(in);
	return text;
}

/* Tabs as blanks, up to size bytes; where the column is then. */
static char *expand_tabs(const char *line, unsigned int column,
			 size_t *ret_caret)
{
	char *text = claw_malloc(strlen(line) * TAB + 1);
	size_t at = 0, caret = 0;

	for (size_t i = 0; line[i]; i++) {
		if (i + 1 == column)
			caret = at + 1;
		if (line[i] != '\t') {
			text[at++] = line[i];
			continue;
		}
		do
			text[at++] = ' ';
		while (at % TAB != 0);
	}
	text[at] = '\0';
	*ret_caret = caret;
	return text;
}

/* Blanks that the caret does not need. */
static size_t leading(const char *text)
{
	return strspn(text, " ");
}

static void put_source(FILE *out, const char *indent, const char *line,
		       const struct claw_finding *finding)
{
	size_t caret = 0, skipped;
	char *text = expand_tabs(line, finding->column, &caret), *clean;

	skipped = leading(text);
	clean = claw_text_clean(text + skipped, strlen(text + skipped));
	fprintf(out, "%s  %5u | ", indent, finding->line);
	claw_report_put(out, clean);
	fputc('\n', out);
	if (caret > skipped)
		fprintf(out, "%s        | %*s\n", indent,
			(int)(caret - skipped), "^");
	free(clean);
	free(text);
}

/* The sentence has the file as the tool knows it; shown is the short one. */
static void put_sentence(FILE *out, const char *indent,
			 const struct claw_report_head *head,
			 const struct claw_finding *finding)
{
	struct claw_finding shown = *finding;
	char *sentence;

	shown.file = (char *)(uintptr_t)claw_report_path(head, finding->file);
	sentence = claw_finding_sentence(&shown);
	fputs(indent, out);
	claw_report_put(out, sentence);
	/* Some tools say it in their own words. */
	if (finding->space != CLAW_SPACE_UNKNOWN &&
	    !strstr(sentence, claw_space_name(finding->space)))
		fprintf(out, " [%s memory]", claw_space_name(finding->space));
	fputc('\n', out);
	free(sentence);
}

void claw_report_findings(FILE *out, const char *indent,
			  const struct claw_report_head *head,
			  const struct claw_result *result)
{
	size_t count = result->findings ? result->findings->count : 0;

	for (size_t i = 0; i < count && i < FINDINGS_SHOWN; i++) {
		const struct claw_finding *finding =
			&result->findings->items[i];
		char *line = claw_report_source_line(head, result,
						     finding->file,
						     finding->line);

		put_sentence(out, indent, head, finding);
		if (line)
			put_source(out, indent, line, finding);
		free(line);
	}
	if (count > FINDINGS_SHOWN)
		fprintf(out, "%s... %zu more findings ...\n", indent,
			count - FINDINGS_SHOWN);
}
