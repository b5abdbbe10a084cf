/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of source and lines to paste, on a page.
 */
#include "config.h"

#include "html.h"

#include <stdlib.h>
#include <string.h>

#include "harness/files/outside_file.h"
#include "harness/records/records.h"
#include "harness/base/text_clean.h"

enum { AROUND = 3, LINE_SHOWN = 240, LINE_BYTES = 65536, TAB = 8 };

/* Tabs as blanks, at most LINE_SHOWN bytes; column: of the caret, and where it
 * is then, both from 1 and 0 for none. */
static void put_line(FILE *out, const char *line, size_t length,
		     unsigned int column, size_t *ret_caret)
{
	char text[LINE_SHOWN + TAB + 4] = "";
	size_t at = 0, i = 0;
	char *clean;

	*ret_caret = 0;
	for (; i < length && at < LINE_SHOWN; i++) {
		if (i + 1 == column)
			*ret_caret = at + 1;
		if (line[i] != '\t') {
			text[at++] = line[i];
			continue;
		}
		do
			text[at++] = ' ';
		while (at % TAB != 0);
	}
	/* A character is whole or not there. */
	while (i < length && at > 0 && ((unsigned char)line[i] & 0xc0) == 0x80) {
		i--;
		at--;
	}
	clean = claw_text_clean(text, at);
	claw_html_bytes(out, clean, strlen(clean));
	fputs(i < length ? " ..." : "", out);
	free(clean);
}

static void put_numbered(FILE *out, const char *line, unsigned int number,
			 bool is_it, unsigned int column)
{
	size_t caret;

	fprintf(out, "%s<span class=\"n\">%5u</span> ",
		is_it ? "<mark>" : "", number);
	put_line(out, line, strcspn(line, "\r\n"), is_it ? column : 0, &caret);
	fputs(is_it ? "</mark>\n" : "\n", out);
	if (caret > 0)
		fprintf(out, "<span class=\"n\">     </span> <b>%*s</b>\n",
			(int)caret, "^");
}

bool claw_html_excerpt(FILE *out, const struct claw_report_head *head,
		       const struct claw_result *result, const char *file,
		       unsigned int line, unsigned int column)
{
	FILE *in = claw_report_open_source(head, result, file);
	char *text = NULL;
	size_t room = 0;
	ssize_t length;
	bool begun = false;

	if (!in)
		return false;
	for (unsigned int i = 1; i <= line + AROUND; i++) {
		length = claw_outside_line(in, &text, &room, LINE_BYTES);
		if (length < 0)
			break;
		if (i + AROUND < line)
			continue;
		if (strlen(text) != (size_t)length)
			break;		/* it is no text */
		fputs(begun ? "" : "<pre class=\"source\" tabindex=\"0\">", out);
		begun = true;
		put_numbered(out, text, i, i == line, column);
	}
	fputs(begun ? "</pre>\n" : "", out);
	free(text);
	fclose(in);
	return begun;
}

void claw_html_paste(FILE *out, const char *line)
{
	size_t size = line ? strlen(line) : 0;

	if (size == 0)
		return;
	fputs("<div class=\"paste\"><span>Reproduce</span> ", out);
	if (size > CLAW_HTML_LINE) {
		fputs("too long for this page, see records.jsonl", out);
	} else {
		fputs("<code>", out);
		claw_html_bytes(out, line, size);
		fputs("</code>", out);
	}
	fputs("</div>\n", out);
}
