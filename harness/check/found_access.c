/* SPDX-License-Identifier: Apache-2.0 */
/* Look up the access of a finding; sources are looked for only where there is
 * a finding. */
#include "config.h"

#include "found_access.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/readers/probe_reader.h"

bool claw_found_kind_is_kernels(enum claw_found_kind kind)
{
	return kind >= CLAW_FOUND_KERNEL_BOUNDS &&
		kind <= CLAW_FOUND_KERNEL_PIXEL;
}

static void make_finder(struct claw_found_accesses *accesses)
{
	char here[PATH_MAX];

	if (accesses->finder)
		return;
	accesses->finder =
		claw_source_finder_new(accesses->session->directory);
	accesses->texts.finder = accesses->finder;
	if (accesses->source)
		claw_source_finder_add(accesses->finder, accesses->source);
	if (getcwd(here, sizeof(here)))
		claw_source_finder_add(accesses->finder, here);
}

/* malloced, NULL for what is not there or for "-". */
static char *copy(const char *text)
{
	return text && strcmp(text, "-") != 0 ? claw_strdup(text) : NULL;
}

static void fill(const struct claw_probed_text *text, uint32_t number,
		 struct claw_found_access *ret_access)
{
	const struct claw_map_access *access =
		claw_probe_map_access(&text->map, number);
	struct claw_found_access found = { .file = NULL };

	if (!access)
		return;
	found.file = copy(claw_probed_text_place(text, access->file,
						 access->line, &found.line));
	found.column = access->column;
	found.bytes = access->bytes;
	found.kind = copy(access->kind);
	found.space = copy(access->space);
	found.function = copy(access->function);
	found.object = copy(access->object);
	found.text = copy(access->text);
	*ret_access = found;
}

/* "DIR/probes.12.0.3"; malloced. */
static char *probes_path(const char *found_path, uint32_t number)
{
	char *beside = claw_session_sibling(found_path, "probes"), *path;

	path = claw_format("%s.%u", beside, number - 1);
	free(beside);
	return path;
}

static int find(struct claw_found_accesses *accesses, const char *found_path,
		const struct claw_found_entry *entry, uint64_t wanted,
		struct claw_found_access *ret_access)
{
	const struct claw_probed_text *text;
	struct claw_probe_file file;
	char *path;
	size_t part;
	uint32_t number;
	int ret = 0;

	*ret_access = (struct claw_found_access) { .file = NULL };
	if (!claw_found_kind_is_kernels(entry->kind) || entry->probes == 0)
		return 0;
	path = probes_path(found_path, entry->probes);
	if (claw_probe_file_read(path, &file) < 0) {
		free(path);	/* then its line is not known */
		return 0;
	}
	make_finder(accesses);
	if (claw_probe_access(&file, wanted, &part, &number)) {
		ret = claw_probed_texts_get(&accesses->texts, accesses->session,
					    path, &file.parts[part], &text);
		if (ret == 0 && !text->why)
			fill(text, number, ret_access);
	}
	claw_probe_file_release(&file);
	free(path);
	return ret;
}

int claw_found_access_find(struct claw_found_accesses *accesses,
			   const char *found_path,
			   const struct claw_found_entry *entry,
			   struct claw_found_access *ret_access)
{
	return find(accesses, found_path, entry, entry->values[0], ret_access);
}

int claw_found_access_find_other(struct claw_found_accesses *accesses,
				 const char *found_path,
				 const struct claw_found_entry *entry,
				 struct claw_found_access *ret_access)
{
	uint32_t other = (uint32_t)entry->values[4];

	*ret_access = (struct claw_found_access) { .file = NULL };
	return (entry->kind != CLAW_FOUND_KERNEL_RACE &&
		entry->kind != CLAW_FOUND_KERNEL_DIVERGENCE) || other == 0 ? 0 :
		find(accesses, found_path, entry, other - 1, ret_access);
}

void claw_found_access_release(struct claw_found_access *access)
{
	free(access->file);
	free(access->kind);
	free(access->space);
	free(access->function);
	free(access->object);
	free(access->text);
	*access = (struct claw_found_access) { .file = NULL };
}

void claw_found_accesses_release(struct claw_found_accesses *accesses)
{
	claw_probed_texts_release(&accesses->texts);
	claw_source_finder_free(accesses->finder);
	accesses->finder = NULL;
}
