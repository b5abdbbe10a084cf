/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel files to compare, with a build option, or with wide tolerances. */
#include "config.h"

#include "explore_against.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/text.h"
#include "harness/files/new_file.h"
#include "harness/files/outside_file.h"

enum {
	ROUNDING = 1024,		/* of the largest result: one part */
	FILE_BYTES_MAX = 64 << 20,
};

/* Results as far from what is expected as a long sum that is rounded otherwise
 * may be. */
static void put_loosely(const char *line, size_t length, FILE *out)
{
	const char *at = memchr(line, ']', length), *end = line + length;
	double most = 0;

	fwrite(line, 1, (size_t)(strstr(line, " tolerance ") - line), out);
	for (at = at ? at + 1 : end; at < end; at++) {
		char *next;
		double number = strtod(at, &next);

		if (isfinite(number) && fabs(number) > most)
			most = fabs(number);
		if (next > at)
			at = next - 1;
		if (claw_begins(at, " tolerance "))
			break;
	}
	fprintf(out, " tolerance %.9g\n", most / ROUNDING);
}

/* line: up to its end. more: build options, or NULL: tolerances are wide. True:
 * it was changed. */
static bool put_changed(const char *line, size_t length, const char *more,
			FILE *out)
{
	const char *wide = strstr(line, " tolerance ");

	if (!more && claw_begins(line, "arg_out: ") && wide &&
	    wide < line + length) {
		put_loosely(line, length, out);
		return true;
	}
	if (more && claw_begins(line, "build_options: ")) {
		fwrite(line, 1, length - 1, out);
		fprintf(out, " %s\n", more);
	} else {
		fwrite(line, 1, length, out);
		if (more && claw_begins(line, "[config]\n") &&
		    !claw_begins(line + length, "build_options: "))
			fprintf(out, "build_options: %s\n", more);
	}
	return more != NULL;
}

int claw_changed_write(const char *from, const char *to, const char *more)
{
	struct claw_new_file file;
	bool in_header = true, is_changed = false;
	char *text;
	size_t size;
	int ret = claw_outside_read(from, 0, FILE_BYTES_MAX, &text, &size);
	FILE *out = ret < 0 ? NULL : claw_new_file_begin(&file, to);

	if (ret < 0)
		return ret;
	for (const char *line = text; out && *line;) {
		size_t length = strcspn(line, "\n");

		length += line[length] == '\n';
		if (in_header)
			is_changed |= put_changed(line, length, more, out);
		else
			fwrite(line, 1, length, out);
		in_header = in_header && !claw_begins(line, "!*/");
		line += length;
	}
	free(text);
	if (!out || claw_new_file_end(&file, is_changed) < 0)
		return -CLAW_E_IO;
	return is_changed;
}
