/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the cases of a kernel file are called: after the file, and after the
 * test where there are several, fit for a file's name and one of a kind.
 */
#include "config.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clw_private.h"
#include "harness/base/memory.h"

enum { SLUG_BYTES_MAX = 100 };

/* Letters, digits, "_", "-" and "."; everything else is one "_". */
static char *make_slug(const char *text)
{
	char *slug = claw_calloc(1, SLUG_BYTES_MAX + 1);
	size_t length = 0;

	for (; *text && length < SLUG_BYTES_MAX; text++) {
		bool is_plain = strchr("abcdefghijklmnopqrstuvwxyz"
				       "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				       "0123456789_-.", *text);

		if (is_plain)
			slug[length++] = *text;
		else if (length > 0 && slug[length - 1] != '_')
			slug[length++] = '_';
	}
	while (length > 0 && slug[length - 1] == '_')
		slug[--length] = '\0';
	/* No option, no hidden file. */
	if (*slug == '-' || *slug == '.')
		*slug = '_';
	if (length == 0)
		memcpy(slug, "test", 5);
	return slug;
}

/* A name that is taken, and the number its next namesake gets. */
struct taken {
	char *name;
	unsigned int next;
};

static int compare_taken(const void *a, const void *b)
{
	const struct taken *left = a, *right = b;

	return strcmp(left->name, right->name);
}

static void free_taken(void *taken)
{
	free(((struct taken *)taken)->name);
	free(taken);
}

/* Take name over; true when nobody had it. */
static bool take_name(void **names, char *name, struct taken **ret_taken)
{
	struct taken *taken = claw_calloc(1, sizeof(*taken)), **found;

	*taken = (struct taken) { .name = name, .next = 2 };
	found = claw_made(tsearch(taken, names, compare_taken));
	*ret_taken = *found;
	if (*found == taken)
		return true;
	free(name);
	free(taken);
	return false;
}

/* base, or base.2 and so on; malloced. */
static char *unique_name(void **names, const char *base)
{
	struct taken *first, *taken;
	char *name;

	if (take_name(names, claw_strdup(base), &first))
		return claw_strdup(base);
	do
		name = claw_format("%s.%u", base, first->next++);
	while (!take_name(names, name, &taken));
	return claw_strdup(name);
}

/* "path/saxpy.clw": "saxpy" */
static char *file_stem(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');
	char *stem = claw_strndup(name, dot && dot > name ?
				  (size_t)(dot - name) : strlen(name));
	char *slug = make_slug(stem);

	free(stem);
	return slug;
}

static char *base_name(const struct claw_clw *clw, const char *stem,
		       const struct claw_clw_test *test)
{
	char *slug, *base;

	if (clw->test_count == 1 || !test->name)
		return claw_strdup(stem);
	slug = make_slug(test->name);
	base = claw_format("%s.%s", stem, slug);
	free(slug);
	return base;
}

void claw_clw_name_cases(struct claw_clw *clw)
{
	char *stem = file_stem(clw->path);
	void *names = NULL;

	if (!clw->name)
		clw->name = claw_strdup(stem);
	for (size_t i = 0; i < clw->test_count; i++) {
		struct claw_clw_test *test = &clw->tests[i];
		char *base = base_name(clw, stem, test);

		test->case_name = unique_name(&names, base);
		free(base);
	}
	tdestroy(names, free_taken);
	free(stem);
}
