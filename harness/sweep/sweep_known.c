/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read, compare and write the list of known findings.
 */
#include "config.h"

#include "sweep_known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/new_file.h"
#include "harness/base/text.h"
#include "harness/base/text_clean.h"
#include "harness/base/text_list.h"
#include "harness/files/yaml_doc.h"
#include "harness/files/yaml_out.h"
#include "reports/points.h"

#define BEFORE " < "	/* between a function and its caller */

/*
 * What stands in a file: UTF-8, whatever a function is called, and a function
 * that calls itself once, for the compiler makes two of one, and one of two.
 */
static char *clean(const char *text)
{
	char *whole = claw_text_clean(text, strlen(text)), *at = whole, *next;

	while ((next = strstr(at, BEFORE))) {
		const char *other = next + strlen(BEFORE);
		char *blank = memrchr(at, ' ', (size_t)(next - at));
		size_t length;

		at = blank ? blank + 1 : at;	/* behind "SIGSEGV" */
		length = (size_t)(next - at);
		if (strncmp(at, other, length) == 0 &&
		    (!other[length] || claw_begins(other + length, BEFORE)))
			memmove(at, other, strlen(other) + 1);
		else
			at += length + strlen(BEFORE);
	}
	return whole;
}

/* ---- reading ---------------------------------------------------------- */

static int take_finding(const struct claw_yaml *yaml, const yaml_node_t *node,
			void *user)
{
	struct claw_sweep_known_finding *one = user;
	const char *text;
	int ret = claw_yaml_text(yaml, node, "a finding as a sweep names it",
				 &text);

	if (ret == 0)
		one->finding = clean(text);
	return ret;
}

static int take_chain(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	struct claw_sweep_known_finding *one = user;
	const char *text;
	int ret = claw_yaml_text(yaml, node, "functions as in \"load < main\"",
				 &text);

	if (ret == 0)
		claw_list_add(&one->at, clean(text));
	return ret;
}

static int take_at(const struct claw_yaml *yaml, const yaml_node_t *node,
		   void *user)
{
	return claw_yaml_each(yaml, node, "chains of functions", true,
			      take_chain, user);
}

static int take_example(const struct claw_yaml *yaml, const yaml_node_t *node,
			void *user)
{
	struct claw_sweep_known_finding *one = user;

	return claw_yaml_copy(yaml, node, "a point of a sweep", &one->example);
}

static int take_reason(const struct claw_yaml *yaml, const yaml_node_t *node,
		       void *user)
{
	struct claw_sweep_known_finding *one = user;

	return claw_yaml_copy(yaml, node, "a reason", &one->reason);
}

static const struct claw_yaml_key finding_keys[] = {
	{ "finding", take_finding },
	{ "at", take_at },
	{ "example", take_example },
	{ "reason", take_reason },
	{ NULL, NULL },
};

static int check_one(const struct claw_yaml *yaml, const yaml_node_t *node,
		     const struct claw_sweep_known *known,
		     const struct claw_sweep_known_finding *one)
{
	if (!one->finding)
		return claw_yaml_fail(yaml, node, "expected the key finding, "
				      "found a known finding without it");
	for (size_t i = 0; i < known->count; i++)
		if (strcmp(known->items[i].finding, one->finding) == 0)
			return claw_yaml_fail(yaml, node, "expected each "
					      "finding once, found \"%.48s\" "
					      "again", one->finding);
	return 0;
}

static void finding_release(struct claw_sweep_known_finding *one)
{
	free(one->finding);
	claw_list_free(one->at);
	free(one->example);
	free(one->reason);
	free(one->origin);
}

static int take_one(const struct claw_yaml *yaml, const yaml_node_t *node,
		    void *user)
{
	struct claw_sweep_known *known = user;
	struct claw_sweep_known_finding one = { .finding = NULL };
	int ret = claw_yaml_walk(yaml, node, "a known finding", finding_keys,
				 &one);

	if (ret == 0)
		ret = check_one(yaml, node, known, &one);
	if (ret < 0) {
		finding_release(&one);
		return ret;
	}
	one.origin = claw_format("%s:%zu", yaml->path,
				 node->start_mark.line + 1);
	known->items = claw_one_more(known->items, known->count,
				     sizeof(*known->items));
	known->items[known->count++] = one;
	return 0;
}

/* A list of none is what a sweep without findings has written. */
static int take_known(const struct claw_yaml *yaml, const yaml_node_t *node,
		      void *user)
{
	if (node->type == YAML_SEQUENCE_NODE &&
	    node->data.sequence.items.start == node->data.sequence.items.top)
		return 0;
	return claw_yaml_each(yaml, node, "known findings", false, take_one,
			      user);
}

static const struct claw_yaml_key file_keys[] = {
	{ "known", take_known },
	{ NULL, NULL },
};

/* ret: of reading the document, which is released. */
static int take_file(struct claw_yaml *yaml, int ret,
		     struct claw_sweep_known *ret_known)
{
	struct claw_sweep_known known = { .items = NULL };

	if (ret == 0)
		ret = claw_yaml_walk(yaml, yaml->root, "known findings",
				     file_keys, &known);
	if (ret == 0 && yaml->root->data.mapping.pairs.start ==
	    yaml->root->data.mapping.pairs.top)
		ret = claw_yaml_fail(yaml, yaml->root, "expected the key "
				     "known, found an empty mapping");
	claw_yaml_release(yaml);
	if (ret < 0)
		claw_sweep_known_release(&known);
	else
		*ret_known = known;
	return ret;
}

int claw_sweep_known_read(const char *path, struct claw_sweep_known *ret_known,
			  char *error, size_t error_size)
{
	struct claw_yaml yaml;
	int ret = claw_yaml_read(path, &yaml, error, error_size);

	return take_file(&yaml, ret, ret_known);
}

int claw_sweep_known_parse(const char *path, const char *bytes, size_t size,
			   struct claw_sweep_known *ret_known, char *error,
			   size_t error_size)
{
	struct claw_yaml yaml;
	int ret = claw_yaml_parse(path, bytes, size, &yaml, error, error_size);

	return take_file(&yaml, ret, ret_known);
}

void claw_sweep_known_release(struct claw_sweep_known *known)
{
	for (size_t i = 0; i < known->count; i++)
		finding_release(&known->items[i]);
	free(known->items);
	*known = (struct claw_sweep_known) { .items = NULL };
}

/* ---- comparing -------------------------------------------------------- */

static bool is_finding(const struct claw_sweep_known_finding *one,
		       const char *signature)
{
	char *text = clean(signature);
	bool same = claw_sweep_same_signature(one->finding, text);

	free(text);
	return same;
}

/* The functions that call what fails at the point, malloced; without what
 * called the program back, which is another thing with each driver. */
static char *chain_of(const struct claw_sweep *sweep, size_t point)
{
	const struct claw_sweep_points *points = &sweep->points;
	char *text = clean(points->sites[points->items[point].site].name);
	char *module = strstr(text, ".so");

	while (module && module > text && strncmp(module, BEFORE, 3) != 0)
		module--;
	if (module && module > text)
		*module = '\0';
	return text;
}

const struct claw_sweep_known_finding *
claw_sweep_known_find(const struct claw_sweep_known *known,
		      const struct claw_sweep *sweep, size_t point,
		      const char *signature)
{
	const struct claw_sweep_known_finding *found = NULL;
	char *chain = known->count > 0 ? chain_of(sweep, point) : NULL;

	for (size_t i = 0; !found && i < known->count; i++)
		if (is_finding(&known->items[i], signature) &&
		    (!known->items[i].at ||
		     claw_list_has(known->items[i].at, chain)))
			found = &known->items[i];
	free(chain);
	return found;
}

void claw_sweep_known_mark(const struct claw_sweep_known *known,
			   struct claw_sweep *sweep, size_t point)
{
	struct claw_sweep_outcome *outcome = &sweep->outcomes[point];
	struct claw_sweep_group *group;

	if (outcome->group < 0)
		return;
	group = &sweep->groups[outcome->group];
	outcome->known = claw_sweep_known_find(known, sweep, point,
					       group->signature);
	if (group->first == point) {
		group->known = outcome->known;
	} else if (!outcome->known && group->known) {
		group->known = NULL;
		group->first = point;
		group->verdict = outcome->verdict;
	}
}

void claw_sweep_known_mark_all(const struct claw_sweep_known *known,
			       struct claw_sweep *sweep)
{
	for (size_t g = 0; g < sweep->group_count; g++)
		claw_sweep_known_mark(known, sweep, sweep->groups[g].first);
	for (size_t i = 0; i < sweep->points.count; i++)
		claw_sweep_known_mark(known, sweep, i);
}

bool claw_sweep_known_is_there(const struct claw_sweep_known_finding *finding,
			       const struct claw_sweep *sweep)
{
	for (size_t g = 0; g < sweep->group_count; g++)
		if (is_finding(finding, sweep->groups[g].signature))
			return true;
	return false;
}

size_t claw_sweep_known_news(const struct claw_sweep *sweep)
{
	size_t count = 0;

	for (size_t g = 0; g < sweep->group_count; g++)
		count += !sweep->groups[g].known && !sweep->groups[g].hardening;
	return count;
}

/* ---- writing ---------------------------------------------------------- */

/* Is it named by nothing but the function that calls, or by what any program
 * ends in? */
static bool needs_chains(const char *signature)
{
	return claw_begins(signature, "unheeded ") ||
		strstr(signature, " after ") || strstr(signature, ".so") ||
		strstr(signature, "terminate");
}

/* Chains of the points of such groups, each once. */
static void add_chains(const struct claw_sweep *sweep,
		       const struct claw_sweep_known_finding *one, char ***at)
{
	for (size_t i = 0; i < sweep->points.count; i++) {
		int group = sweep->outcomes[i].group;
		char *chain;

		if (group < 0 ||
		    !is_finding(one, sweep->groups[group].signature))
			continue;
		chain = chain_of(sweep, i);
		if (claw_list_has(*at, chain))
			free(chain);
		else
			claw_list_add(at, chain);
	}
}

static void put_list(struct claw_yaml_out *out, const char *key, char **texts)
{
	claw_yaml_out_text(out, key);
	claw_yaml_out_list(out);
	for (; texts && *texts; texts++)
		claw_yaml_out_text(out, *texts);
	claw_yaml_out_list_end(out);
}

/* with_at: by chains; keep: also those that were not seen. */
static void put_one(struct claw_yaml_out *out, const struct claw_sweep *sweep,
		    const struct claw_sweep_known_finding *one, bool with_at,
		    bool keep)
{
	char **at = keep ? claw_list_copy(one->at) : NULL;

	if (with_at)
		add_chains(sweep, one, &at);
	claw_yaml_out_mapping(out);
	claw_yaml_out_pair(out, "finding", one->finding);
	if (at)
		put_list(out, "at", at);
	if (one->example)
		claw_yaml_out_pair(out, "example", one->example);
	if (one->reason)
		claw_yaml_out_pair(out, "reason", one->reason);
	claw_yaml_out_mapping_end(out);
	claw_list_free(at);
}

/* Is there one that the group only adds chains to? */
static bool is_listed(const struct claw_sweep_known *known,
		      const struct claw_sweep_group *group)
{
	for (size_t i = 0; i < known->count; i++)
		if (is_finding(&known->items[i], group->signature))
			return true;
	return false;
}

static void put_findings(struct claw_yaml_out *out,
			 const struct claw_sweep_known *known,
			 const struct claw_sweep *sweep, bool keep)
{
	for (size_t i = 0; i < known->count; i++) {
		const struct claw_sweep_known_finding *one = &known->items[i];

		if (keep || claw_sweep_known_is_there(one, sweep))
			put_one(out, sweep, one, one->at != NULL, keep);
	}
	for (size_t g = 0; g < sweep->group_count; g++) {
		const struct claw_sweep_group *group = &sweep->groups[g];
		struct claw_sweep_known_finding one = {
			.finding = clean(group->signature),
			.example = sweep->points.items[group->first].name,
		};

		if (!group->hardening && !is_listed(known, group))
			put_one(out, sweep, &one, needs_chains(one.finding),
				false);
		free(one.finding);
	}
}

static int put_all(FILE *stream, const struct claw_sweep_known *known,
		   const struct claw_sweep *sweep, bool keep)
{
	struct claw_yaml_out out;

	fputs("# Known findings: openclaw sweep --accept FILE\n", stream);
	claw_yaml_out_begin(&out, stream);
	claw_yaml_out_mapping(&out);
	claw_yaml_out_text(&out, "known");
	claw_yaml_out_list(&out);
	put_findings(&out, known, sweep, keep);
	claw_yaml_out_list_end(&out);
	claw_yaml_out_mapping_end(&out);
	return claw_yaml_out_end(&out);
}

int claw_sweep_known_write(const char *path,
			   const struct claw_sweep_known *known,
			   const struct claw_sweep *sweep, bool keep)
{
	struct claw_new_file file;
	int ret;

	if (!claw_new_file_begin(&file, path))
		return -CLAW_E_IO;
	ret = put_all(file.out, known, sweep, keep);
	return claw_new_file_end(&file, ret == 0) < 0 ? -CLAW_E_IO : ret;
}
