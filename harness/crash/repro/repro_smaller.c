/* SPDX-License-Identifier: Apache-2.0 */
/* See repro_smaller.h. */
#include "config.h"

#include "repro_smaller.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/crash/dump/dump_copy.h"
#include "harness/crash/capture/dump_head.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/crash/replay/replay_crash.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"

enum { CHECK_RUNS = 3 };

/* What tells about the process is as it was. */
static const uint32_t copied = 1u << CLAW_DUMP_JOURNAL |
	1u << CLAW_DUMP_FOUND | 1u << CLAW_DUMP_STDOUT |
	1u << CLAW_DUMP_STDERR | 1u << CLAW_DUMP_STACKS |
	1u << CLAW_DUMP_SITES | 1u << CLAW_DUMP_DMESG;

/* What a link like latest.dmp leads to, beside it; malloced; NULL: it is no
 * such link. */
static char *follow(const char *path)
{
	int directory = (int)(claw_base_name(path) - path);
	char target[NAME_MAX + 1];
	ssize_t length = readlink(path, target, sizeof(target));

	if (length <= 0 || (size_t)length == sizeof(target))
		return NULL;
	target[length] = '\0';
	if (strchr(target, '/'))
		return realpath(path, NULL);
	return claw_format("%.*s%s", directory, path, target);
}

char *claw_smaller_name(const char *dump_path)
{
	char *followed = follow(dump_path), *name = NULL;
	const char *path = followed ? followed : dump_path;
	size_t length = strlen(path);

	if (length > 4 && strcmp(path + length - 4, ".dmp") == 0)
		length -= 4;
	name = claw_format("%.*s-min.dmp", (int)length, path);
	free(followed);
	return name;
}

/* ---- failures --------------------------------------------------------- */

static bool has_position(const struct claw_trace *trace,
			 const struct claw_replay_faults *faults,
			 uint64_t position)
{
	for (size_t i = 0; i < faults->count; i++)
		if (trace->calls[faults->items[i].call].position == position)
			return true;
	return false;
}

static void add_left_out(struct claw_smaller *smaller,
			 const struct claw_replay_rule *rule)
{
	const struct claw_trace_call *call =
		&smaller->dump->trace->calls[rule->call];

	claw_list_add(&smaller->left_out, claw_format(
		"#%u %s%s", call->number, rule->text,
		call->flags & CLAW_REC_INJECTED ? " (INJECTED)" : ""));
}

void claw_smaller_find_left_out(struct claw_smaller *smaller)
{
	const struct claw_trace *whole = smaller->dump->trace;
	const struct claw_trace *small = smaller->minimised->trace;
	struct claw_replay_faults all, kept = { .count = 0 };

	claw_replay_faults_find(whole, smaller->dump, &all);
	claw_replay_faults_find(small, smaller->dump, &kept);
	for (size_t i = 0; i < all.count; i++) {
		const struct claw_replay_rule *rule = &all.items[i];

		if (!has_position(small, &kept,
				  whole->calls[rule->call].position))
			add_left_out(smaller, rule);
	}
	claw_replay_faults_release(&all);
	claw_replay_faults_release(&kept);
}

/* ---- the dump --------------------------------------------------------- */

static json_t *size_json(const struct claw_minimise_size *size)
{
	return json_pack("{s:I,s:I,s:I,s:I,s:I}",
			 "calls", (json_int_t)size->calls,
			 "launches", (json_int_t)size->launches,
			 "work_items", (json_int_t)size->work_items,
			 "bytes", (json_int_t)size->bytes,
			 "replay_ns", (json_int_t)size->wall_ns);
}

static json_t *make_meta(const struct claw_smaller *smaller)
{
	const struct claw_minimised *m = smaller->minimised;
	json_t *meta = claw_made(json_deep_copy(smaller->dump->meta));
	json_t *from = json_pack("{s:s,s:o,s:o,s:I}",
		"file", claw_base_name(smaller->dump_path),
		"before", size_json(&m->before),
		"after", size_json(&m->after),
		"steps", (json_int_t)m->steps);

	if (!from)	/* a name that is not UTF-8 */
		from = json_pack("{s:o,s:o,s:I}",
				 "before", size_json(&m->before),
				 "after", size_json(&m->after),
				 "steps", (json_int_t)m->steps);
	json_object_set_new(meta, "minimised_from", from);
	return meta;
}

static int write_sections(struct claw_dump_writer *writer,
			  const struct claw_smaller *smaller,
			  const json_t *meta)
{
	int ret = claw_dump_write_json(writer, CLAW_DUMP_META, meta);

	if (ret == 0)
		ret = claw_dump_copy(writer, smaller->dump_path, copied);
	if (ret == 0)
		ret = claw_dump_write_trace(writer, smaller->minimised->trace);
	return ret;
}

int claw_smaller_write(const struct claw_smaller *smaller)
{
	struct claw_dump view = *smaller->dump;
	struct claw_dump_writer *writer = NULL;
	char *head;
	int ret;

	view.meta = make_meta(smaller);
	view.trace = smaller->minimised->trace;
	head = claw_dump_head(&view, claw_base_name(smaller->path));
	ret = claw_dump_writer_new(smaller->path, head, &writer);
	if (ret == 0) {
		ret = write_sections(writer, smaller, view.meta);
		if (ret < 0)
			claw_dump_writer_cancel(writer);
		else
			ret = claw_dump_writer_finish(writer);
	}
	free(head);
	json_decref(view.meta);
	return ret;
}

/* ---- does that one show it? ------------------------------------------- */

static int check(struct claw_smaller *smaller, const struct claw_dump *dump,
		 const struct claw_replay_spec *replay)
{
	struct claw_replay_spec spec = *replay;
	int ret = 0;

	spec.dump = dump;
	spec.trace = dump->trace;
	spec.dump_path = smaller->path;
	while (ret == 0 && smaller->hits == 0 && smaller->runs < CHECK_RUNS) {
		struct claw_replay_result result;

		ret = claw_replay_run(&spec, smaller->crash->signature,
				      &result);
		smaller->runs++;
		smaller->hits += ret == 0 && result.end == CLAW_REPLAY_SAME;
		claw_replay_result_release(&result);
	}
	return ret < 0 || smaller->hits ? ret : -CLAW_E_NOT_FOUND;
}

int claw_smaller_check(struct claw_smaller *smaller,
		       const struct claw_replay_spec *replay)
{
	struct claw_dump *dump = NULL;
	struct claw_crash crash = { .code = "" };
	char *calls = NULL;
	int ret = claw_dump_read(smaller->path, NULL, &dump);

	if (ret < 0)
		return ret;
	claw_replay_wanted(dump, &crash, &calls);
	ret = !dump->trace || strcmp(crash.signature,
				     smaller->crash->signature) != 0 ?
		-CLAW_E_NOT_FOUND : check(smaller, dump, replay);
	claw_crash_release(&crash);
	free(calls);
	claw_dump_free(dump);
	return ret;
}

/* ---- what is said ----------------------------------------------------- */

static void print_row(FILE *out, const char *name, uint64_t before,
		      uint64_t after)
{
	fprintf(out, "  %-12s%" PRIu64 " -> %" PRIu64, name, before, after);
	if (after && before >= 2 * after)
		fprintf(out, "  (%" PRIu64 "x)", before / after);
	fputc('\n', out);
}

void claw_smaller_print(const struct claw_smaller *smaller, FILE *out)
{
	const struct claw_minimised *m = smaller->minimised;

	fprintf(out, "reduced in %u replay%s\n", m->steps,
		m->steps == 1 ? "" : "s");
	print_row(out, "calls:", m->before.calls, m->after.calls);
	print_row(out, "launches:", m->before.launches, m->after.launches);
	print_row(out, "work-items:", m->before.work_items,
		  m->after.work_items);
	print_row(out, "bytes:", m->before.bytes, m->after.bytes);
	fprintf(out, "  %-12s%.1f ms -> %.1f ms\n", "a replay:",
		(double)m->before.wall_ns / 1e6,
		(double)m->after.wall_ns / 1e6);
	for (char **text = smaller->left_out; text && *text; text++)
		fprintf(out, "  not needed: %s\n", *text);
	if (m->is_capped)
		fputs("  capped:     limit of replays reached (--max-steps): "
		      "a further reduction may be possible\n", out);
	fprintf(out, "  written:    %s, which fails the same way (%u of %u run%s)\n",
		smaller->path, smaller->hits, smaller->runs,
		smaller->runs == 1 ? "" : "s");
}

json_t *claw_smaller_json(const struct claw_smaller *smaller)
{
	const struct claw_minimised *m = smaller->minimised;
	json_t *left_out = json_array();

	for (char **text = smaller->left_out; text && *text; text++)
		json_array_append_new(left_out, json_string(*text));
	return json_pack("{s:o,s:o,s:I,s:b,s:o,s:s?,s:I,s:I}",
			 "before", size_json(&m->before),
			 "after", size_json(&m->after),
			 "steps", (json_int_t)m->steps,
			 "capped", m->is_capped,
			 "not_needed", left_out,
			 "file", smaller->path,
			 "runs", (json_int_t)smaller->runs,
			 "hits", (json_int_t)smaller->hits);
}
