/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places in the source on a page. With --source-url they are links to the
 * commit that was tested; where the file is here, too, a link opens it in an
 * editor.
 */
#include "config.h"

#include "html.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/source_url.h"
#include "harness/records/commit.h"

/* The top of the repository that path is in, in place; false: none. */
static bool cut_to_top(char *path)
{
	char git[PATH_MAX + sizeof("/.git")];
	char *slash;

	while ((slash = strrchr(path, '/')) != NULL) {
		snprintf(git, sizeof(git), "%s/.git", path);
		if (access(git, F_OK) == 0)
			return true;
		*slash = '\0';
	}
	return false;
}

/* The real path of a file that is here, as it is in the repository of the
 * source root, or without one below that; NULL: it is elsewhere. */
static const char *in_repository(const struct claw_report_head *head,
				 const char *real)
{
	char root[PATH_MAX], top[PATH_MAX], own[PATH_MAX];
	size_t length;

	if (!head->source_root || !realpath(head->source_root, root))
		return NULL;
	snprintf(top, sizeof(top), "%s", root);
	snprintf(own, sizeof(own), "%s", real);
	if (!cut_to_top(top))
		snprintf(top, sizeof(top), "%s", root);
	else if (!cut_to_top(own) || strcmp(own, top) != 0)
		return NULL;		/* a repository in this one */
	length = strlen(top);
	return strncmp(real, top, length) == 0 && real[length] == '/' ?
		real + length + 1 : NULL;
}

const char *claw_html_commit(const struct claw_report_head *head,
			     size_t *ret_length)
{
	const char *commit = NULL;

	for (size_t i = 0; i < head->environment_count; i++) {
		const struct claw_environment_entry *entry =
			&head->environment[i];

		if (!claw_report_same(entry->key, CLAW_FACT_COMMIT) ||
		    !entry->value)
			continue;
		*ret_length = claw_commit_length(entry->value);
		if (!*ret_length || (commit && strncmp(commit, entry->value,
						       *ret_length) != 0))
			return NULL;
		commit = entry->value;
	}
	return commit;
}

/* file: in the repository. */
static void put_url(FILE *out, const char *commit, size_t length,
		    const char *file, unsigned int line)
{
	for (const char *at = claw_source_url; *at;) {
		unsigned int skip = claw_source_url_placeholder(at);

		if (skip && at[1] == 'c')
			fwrite(commit, 1, length, out);
		else if (skip && at[1] == 'f')
			claw_html_encode(out, file);
		else if (skip)
			fprintf(out, "%u", line ? line : 1);
		else
			claw_html_bytes(out, at, 1);
		at += skip ? skip : 1;
	}
}

/* <a href=...>, or nothing. real: or NULL. */
static bool begin_link(FILE *out, const struct claw_report_head *head,
		       const char *file, const char *real, unsigned int line)
{
	size_t length = 0;
	const char *commit = claw_html_commit(head, &length);
	const char *known = real ? in_repository(head, real) :
			    claw_report_path(head, file);

	if (!claw_source_url || !known || *known == '/' || !*known ||
	    (!commit && strstr(claw_source_url, "{commit}")))
		return false;
	fputs("<a href=\"", out);
	put_url(out, commit, length, known, line);
	fputs("\">", out);
	return true;
}

/* The script shows it where the page is a file of this machine. */
static void put_editor(FILE *out, const char *real, unsigned int line,
		       unsigned int column)
{
	if (!real)
		return;
	fputs(" <a class=\"edit\" href=\"vscode://file", out);
	claw_html_encode(out, real);
	fprintf(out, ":%u:%u\" hidden>Open in editor</a>", line ? line : 1,
		column ? column : 1);
}

void claw_html_place(FILE *out, const struct claw_report_head *head,
		     const char *file, unsigned int line, unsigned int column)
{
	const struct claw_result none = { .file = NULL };
	char *real;
	bool is_link;

	if (!file || !*file)
		return;
	real = claw_report_source_path(head, &none, file);
	is_link = begin_link(out, head, file, real, line);
	fputs("<code>", out);
	claw_html_text(out, claw_report_path(head, file));
	if (line)
		fprintf(out, ":%u", line);
	fputs(is_link ? "</code></a>" : "</code>", out);
	put_editor(out, real, line, column);
	free(real);
}

void claw_html_sentence(FILE *out, const struct claw_report_head *head,
			const struct claw_result *result,
			const struct claw_finding *finding)
{
	struct claw_finding shown = *finding;
	char *sentence, *place, *real, *at;

	shown.file = (char *)(uintptr_t)claw_report_path(head, finding->file);
	sentence = claw_finding_sentence(&shown);
	place = shown.column ? claw_format("%s:%u:%u", shown.file, shown.line,
					   shown.column) :
		claw_format("%s:%u", shown.file, shown.line);
	at = *shown.file && shown.line ? strstr(sentence, place) : NULL;
	real = at ? claw_report_source_path(head, result, finding->file) : NULL;
	if (at && strlen(sentence) <= CLAW_HTML_WORD) {
		bool is_link;

		claw_html_bytes(out, sentence, (size_t)(at - sentence));
		is_link = begin_link(out, head, finding->file, real,
				     shown.line);
		claw_html_text(out, place);
		fputs(is_link ? "</a>" : "", out);
		claw_html_text(out, at + strlen(place));
		put_editor(out, real, shown.line, shown.column);
	} else {
		claw_html_text(out, sentence);
	}
	free(real);
	free(place);
	free(sentence);
}
