/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Group findings. Two are the same when their kind, the stacks of their places
 * (as a person reads them, lines included) and their name are.
 */
#include "config.h"

#include "found_groups.h"

#include <stdlib.h>
#include <string.h>

#include "faults/shared/probe_format.h"
#include "harness/base/memory.h"

static void where_release(struct claw_found_where *where)
{
	free(where->api);
	claw_site_words_release(&where->site);
}

static void group_release(struct claw_found_group *group)
{
	for (size_t i = 0; i < CLAW_FOUND_PLACES; i++)
		where_release(&group->where[i]);
	claw_found_access_release(&group->access);
	claw_found_access_release(&group->other);
	free(group->key);
}

static void fill_where(const struct claw_found_place *place,
		       const struct claw_journal *journal,
		       struct claw_symbolizer *symbolizer,
		       struct claw_found_where *where)
{
	where->object = (enum claw_obj)place->object;
	if (place->api != CLAW_FOUND_NO_API)
		where->api = claw_strdup(claw_journal_get_api_name(journal,
								   place->api));
	claw_site_words_find(symbolizer, journal, place->site, &where->site);
}

/* malloced. */
static char *make_key(const struct claw_found_group *group)
{
	char *key = NULL;
	size_t size;
	FILE *out = claw_text_begin(&key, &size);

	fprintf(out, "%d %d %s", group->kind, group->first.answered,
		group->first.name);
	/* In a kernel it is the line that counts, and what it does there,
	 * whoever launched it. */
	if (group->access.file) {
		fprintf(out, "\n%s:%u %s %s", group->access.file,
			group->access.line, group->access.kind ?
			group->access.kind : "", group->access.space ?
			group->access.space : "");
		if (group->other.file)
			fprintf(out, " %s:%u", group->other.file,
				group->other.line);
		claw_text_end(out);
		return key;
	}
	for (size_t i = 0; i < CLAW_FOUND_PLACES; i++) {
		const struct claw_found_where *where = &group->where[i];

		fprintf(out, "\n%s %d\n%s", where->api ? where->api : "",
			where->object, where->site.stack);
	}
	claw_text_end(out);
	return key;
}

/* Which access of a race comes second is chance: people are told of the one
 * that stands further down. */
static void turn(struct claw_found_group *group)
{
	struct claw_found_access access = group->access;
	struct claw_found_entry *first = &group->first;
	uint64_t other = first->values[2], what = first->values[4] >> 32;
	bool is_known = what & CLAW_RACE_ITEM;

	if (group->kind != CLAW_FOUND_KERNEL_RACE || !access.file ||
	    !group->other.file ||
	    access.line > group->other.line ||
	    (access.line == group->other.line &&
	     access.column >= group->other.column))
		return;
	group->access = group->other;
	group->other = access;
	group->is_turned = true;
	first->values[2] = first->ids[0] | (uint64_t)first->ids[1] << 32;
	first->values[4] = (uint32_t)first->values[4] |
		((what & (CLAW_RACE_GROUP - 1)) | CLAW_RACE_ITEM |
		 (what & (CLAW_RACE_GROUP | CLAW_RACE_SAME)) |
		 (uint64_t)first->ids[2] << CLAW_RACE_Z_SHIFT) << 32;
	first->ids[0] = is_known ? (uint32_t)other : CLAW_FOUND_NO_ID;
	first->ids[1] = (uint32_t)(other >> 32);
	first->ids[2] = (uint32_t)(what >> CLAW_RACE_Z_SHIFT);
	if (!(what & CLAW_RACE_GROUP))
		first->ids[3] = CLAW_FOUND_NO_ID;
}

static int make_group(const struct claw_found_groups *groups,
		      const struct claw_found_entry *entry, uint32_t pid,
		      const struct claw_journal *journal,
		      struct claw_symbolizer *symbolizer,
		      struct claw_found_group *ret_group)
{
	const struct claw_found_place *const places[] = {
		&entry->at, &entry->second, &entry->third,
	};
	struct claw_found_group group = {
		.kind = (enum claw_found_kind)entry->kind, .first = *entry,
		.is_sure = entry->sure == CLAW_SURE_CERTAIN,
		.times = entry->times, .pid = pid, .last_pid = pid,
		.processes = 1,
	};
	int ret = 0;

	for (size_t i = 0; i < CLAW_FOUND_PLACES; i++)
		fill_where(places[i], journal, symbolizer, &group.where[i]);
	if (groups->accesses)
		ret = claw_found_access_find(groups->accesses, groups->path,
					     entry, &group.access);
	if (groups->accesses && ret == 0)
		ret = claw_found_access_find_other(groups->accesses,
						   groups->path, entry,
						   &group.other);
	turn(&group);
	group.key = make_key(&group);
	if (ret < 0)
		group_release(&group);
	else
		*ret_group = group;
	return ret;
}

static void count_again(struct claw_found_group *group,
			const struct claw_found_group *again)
{
	if (__builtin_add_overflow(group->times, again->times, &group->times))
		group->times = UINT64_MAX;
	group->is_sure |= again->is_sure;
	if (group->last_pid != again->pid)
		group->processes++;
	group->last_pid = again->pid;
}

static struct claw_found_group *find(struct claw_found_groups *groups,
				     const char *key)
{
	for (size_t i = 0; i < groups->count; i++)
		if (strcmp(groups->items[i].key, key) == 0)
			return &groups->items[i];
	return NULL;
}

int claw_found_groups_add(struct claw_found_groups *groups,
			  const struct claw_found_file *found,
			  const struct claw_journal *journal,
			  struct claw_symbolizer *symbolizer)
{
	for (size_t i = 0; i < found->count; i++) {
		struct claw_found_group group, *same;
		int ret = make_group(groups, &found->entries[i], found->pid,
				     journal, symbolizer, &group);

		if (ret < 0)
			return ret;
		same = find(groups, group.key);
		if (same) {
			count_again(same, &group);
			group_release(&group);
			continue;
		}
		groups->items = claw_one_more(groups->items, groups->count,
					      sizeof(*groups->items));
		groups->items[groups->count++] = group;
	}
	return 0;
}

/* Errors before notes, each in the order they came. */
void claw_found_groups_sort(struct claw_found_groups *groups)
{
	struct claw_found_group *sorted =
		claw_calloc(groups->count, sizeof(*sorted));
	size_t count = 0;

	for (int note = 0; note <= 1; note++)
		for (size_t i = 0; i < groups->count; i++)
			if (claw_found_kind_is_note(groups->items[i].kind) ==
			    (note == 1))
				sorted[count++] = groups->items[i];
	free(groups->items);
	groups->items = sorted;
}

void claw_found_groups_release(struct claw_found_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		group_release(&groups->items[i]);
	free(groups->items);
	*groups = (struct claw_found_groups) { .items = NULL };
}

/* ---- suppressions -------------------------------------------------------- */

static enum claw_suppression_kind suppression_kind(enum claw_found_kind kind)
{
	switch (claw_found_kind_mode(kind)) {
	case CLAW_FOUND_GUARDS:
		return CLAW_SUPPRESS_GUARDS;
	case CLAW_FOUND_KERNELS:
		return CLAW_SUPPRESS_KERNELS;
	default:
		return CLAW_SUPPRESS_LIFETIME;
	}
}

const char *claw_found_suppression(enum claw_found_kind kind)
{
	return claw_suppression_kind_name(suppression_kind(kind));
}

static const char *call_of(const struct claw_found_group *group)
{
	return group->where[0].api ? group->where[0].api : "";
}

char *claw_found_chain(const struct claw_found_group *group)
{
	bool is_kernels = claw_found_kind_is_kernels(group->kind);
	const char *call = is_kernels ? group->first.name : call_of(group);
	const char *place = is_kernels ? group->access.text :
		group->where[0].site.name;
	bool has_both = is_kernels ? place != NULL : *call;

	return claw_format("%s < %s%s%s", claw_found_kind_name(group->kind),
			   call, has_both ? " < " : "", place ? place : "");
}

/* "sort.cl:133", "" where it is not known; malloced. */
static char *line_of(const struct claw_found_access *access)
{
	return access->file ? claw_format("%s:%u", access->file, access->line) :
		claw_strdup("");
}

void claw_found_groups_suppress(struct claw_found_groups *groups,
				struct claw_suppressions *suppressions)
{
	for (size_t i = 0; i < groups->count; i++) {
		struct claw_found_group *group = &groups->items[i];
		char *chain = claw_found_chain(group);
		char *line = line_of(&group->access);
		char *other = line_of(&group->other);
		const char *const texts[] = {
			claw_found_kind_name(group->kind), call_of(group),
			group->first.name, chain, line, other, NULL,
		};
		const struct claw_suppression *one =
			claw_suppressions_find(suppressions,
					       suppression_kind(group->kind),
					       texts,
					       group->where[0].site.words, 1);

		group->suppressed_by = one ? one->glob : NULL;
		free(chain);
		free(line);
		free(other);
	}
}

void claw_found_write_suppression(const struct claw_found_group *group,
				  FILE *out)
{
	char *chain = claw_found_chain(group);

	claw_suppression_write(suppression_kind(group->kind), chain, out);
	free(chain);
}
