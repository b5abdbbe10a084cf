/* SPDX-License-Identifier: Apache-2.0 */
/* Tell the dynamic linker of libopenclaw-heap.so. */
#include "config.h"

#include "preload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

#define HEAP_FILE "libopenclaw-heap.so"

/* gcc's AddressSanitizer ends a program in which anything is preloaded. What
 * is ours only hands calls on, so that the order does not matter. */
#define ASAN_OPTION "verify_asan_link_order=0"

/* Beside the layer; NULL: it is not there, or cannot be named. */
static char *find_heap(void)
{
	char *layer = claw_layer_path();
	char *path = NULL;

	if (layer)
		path = claw_format("%.*s%s",
				   (int)(claw_base_name(layer) - layer), layer,
				   HEAP_FILE);
	free(layer);
	if (path && (access(path, R_OK) < 0 || strpbrk(path, ": "))) {
		free(path);
		path = NULL;
	}
	return path;
}

/* LD_PRELOAD with path at its end, malloced; what others have put there stays,
 * ours is there once. */
static char *preload_list(const char *path, const char *current)
{
	char *list = NULL;
	size_t size = 0;
	FILE *out = claw_text_begin(&list, &size);

	for (const char *part = current; part && *part;) {
		size_t length = strcspn(part, ": ");
		char *one = claw_strndup(part, length);

		if (length && strcmp(claw_base_name(one), HEAP_FILE))
			fprintf(out, "%s:", one);
		free(one);
		part += length + (part[length] != '\0');
	}
	fputs(path, out);
	claw_text_end(out);
	return list;
}

/* What the user has there comes behind, and so decides. */
static char *asan_options(const char *current)
{
	return claw_format("%s%s%s", ASAN_OPTION,
			   current && *current ? ":" : "",
			   current ? current : "");
}

int claw_session_preload(struct claw_session *session)
{
	char *path = find_heap();
	char *list, *options;
	int ret;

	if (!path)
		return 0;
	list = preload_list(path, getenv("LD_PRELOAD"));
	options = asan_options(getenv("ASAN_OPTIONS"));
	ret = claw_session_setenv(session, "LD_PRELOAD", list);
	if (ret == 0)
		ret = claw_session_setenv(session, "ASAN_OPTIONS", options);
	free(path);
	free(list);
	free(options);
	return ret;
}
