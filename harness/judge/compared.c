/* SPDX-License-Identifier: Apache-2.0 */
/* Count what is compared, and say so. */
#include "config.h"

#include "compared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/files/outside_file.h"

static bool has_bytes(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && status.st_size > 0;
}

int claw_compared_count(const struct claw_judged_run *baseline,
			const struct claw_unstable *unstable,
			struct claw_compared *ret_compared)
{
	struct claw_compared c = { .is_silent = !has_bytes(baseline->out_path) };
	size_t named = baseline->setup->artifacts.count;
	int ret = claw_unstable_count(unstable, claw_judged_output(baseline),
				      &c.lines);

	for (size_t i = 0; ret == 0 && i < named; i++) {
		char *copy = claw_judged_compared(baseline, i);

		c.artifacts += has_bytes(copy);
		c.missing += access(copy, F_OK) != 0;
		free(copy);
	}
	c.empty = named - c.artifacts - c.missing;
	*ret_compared = c;
	return ret;
}

bool claw_compared_is_nothing(const struct claw_compared *compared)
{
	return compared->missing ||
		(compared->lines.compared == 0 && compared->artifacts == 0);
}

char *claw_compared_text(const struct claw_compared *c)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fputs("exit status", out);
	if (c->lines.lines)
		fprintf(out, ", %zu of %zu line%s", c->lines.compared,
			c->lines.lines, c->lines.lines == 1 ? "" : "s");
	if (c->lines.part)
		fprintf(out, " (%zu without numbers that vary)",
			c->lines.part);
	if (c->artifacts)
		fprintf(out, ", %zu artifact%s", c->artifacts,
			c->artifacts == 1 ? "" : "s");
	if (c->missing)
		fprintf(out, ", %zu artifact%s missing", c->missing,
			c->missing == 1 ? "" : "s");
	if (claw_compared_is_nothing(c) && !c->lines.lines)
		fputs(" alone", out);
	claw_text_end(out);
	return text;
}

const char *claw_compared_why(const struct claw_compared *c)
{
	if (c->missing)
		return "an artifact is missing without faults, too";
	if (c->empty)
		return "its artifact is empty without faults, too";
	if (c->lines.lines)
		return "every line that it prints varies without faults";
	return c->is_silent ? "it prints nothing" :
		"the output filter leaves nothing of what it prints";
}

static const struct {
	const char *magic;
	size_t offset;
	const char *hint;
} kinds[] = {
#define PIXELS "compare its pixels: --artifact-filter 'convert - rgb:-'"
	{ "\x89PNG", 0, PIXELS }, { "\xff\xd8\xff", 0, PIXELS },
	{ "GIF8", 0, PIXELS }, { "BM", 0, PIXELS }, { "II*", 0, PIXELS },
	{ "P5", 0, PIXELS }, { "P6", 0, PIXELS }, { "WEBP", 8, PIXELS },
#undef PIXELS
	{ "\x1f\x8b", 0, "--artifact-filter 'gzip -dc' compares what is in it" },
	{ "\xfd\x37zXZ", 0, "--artifact-filter 'xz -dc' compares what is in it" },
	{ "BZh", 0, "--artifact-filter 'bzip2 -dc' compares what is in it" },
	{ "PK\x03\x04", 0,
	  "--artifact-filter 'bsdtar -xO' compares what is in it" },
	{ "ustar", 257,
	  "--artifact-filter 'tar -xO' compares what is in it" },
};

/* By what the artifact begins with. */
static const char *hint_of(const char *path)
{
	FILE *in = path ? claw_outside_stream(path) : NULL;
	char head[512];
	size_t size = in ? fread(head, 1, sizeof(head), in) : 0;

	if (in)
		fclose(in);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t length = strlen(kinds[i].magic);

		if (kinds[i].offset + length <= size &&
		    memcmp(head + kinds[i].offset, kinds[i].magic,
			   length) == 0)
			return kinds[i].hint;
	}
	return "--artifact-filter CMD compares what CMD prints of it";
}

const char *claw_compared_hint(const struct claw_judged_run *run,
			       const char *difference, bool strict_output)
{
	const struct claw_strings *artifacts = &run->setup->artifacts;

	for (size_t i = 0; i < artifacts->count; i++) {
		const char *name = artifacts->items[i];
		char *copy;
		const char *hint;

		if (strncmp(difference, name, strlen(name)) != 0)
			continue;
		copy = claw_judged_artifact(run, i);
		hint = hint_of(copy);
		free(copy);
		return hint;
	}
	return strict_output ? "leave out --strict-output" :
		"compare a part of it with --output-filter CMD";
}
