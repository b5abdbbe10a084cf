/* SPDX-License-Identifier: Apache-2.0 */
/* Add up the headers of a session's files of probes. */
#include "config.h"

#include "probe_sum.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "gap.h"
#include "harness/base/memory.h"
#include "harness/base/text_list.h"

enum { REASONS_SAID = 4 };

static const char left_out[] = "excluded by --kernel-name, --launch-skip or "
	"--launch-count, or in a command buffer";
static const char refused[] = "refused for resources with probes";

/* text: malloced, taken over. */
static void add_reason(struct claw_probe_sum *sum, char *text,
		       uint64_t launches)
{
	size_t i = 0;

	while (i < sum->reason_count && strcmp(sum->reasons[i].text, text) != 0)
		i++;
	if (i < sum->reason_count) {
		sum->reasons[i].launches += launches;
		free(text);
		return;
	}
	sum->reasons = claw_one_more(sum->reasons, i, sizeof(*sum->reasons));
	sum->reasons[sum->reason_count++] =
		(struct claw_probe_reason) { text, launches };
}

/* Why kernels of a program have no probes, or none of their accesses has a
 * check; malloced. */
static char *why_of(const struct claw_probe_header *header)
{
	enum claw_probe_state state = (enum claw_probe_state)header->state;
	const char *more = claw_probe_more(header);

	if (state == CLAW_PROBE_INSTRUMENTED)
		return claw_strdup(*more ? more : "unknown reason");
	return claw_format("%s%s%s", claw_probe_state_text(state),
			   *more ? ": " : "", more);
}

void claw_probe_compared_add(struct claw_probe_compared *compared,
			     const struct claw_probe_header *header)
{
	compared->same += header->verified;
	compared->changed += header->changed;
	compared->unknown += header->unverified;
	compared->launches += header->compared;
	compared->left_out += header->left_out;
	compared->why |= header->unverified_why;
}

static void put_unknown(FILE *out, uint32_t why)
{
	static const char *const texts[] = {
		"printf in the program", "shared virtual memory",
		"an image that cannot be copied", "no memory for copies",
		"a launch waited for something else",
		"a launch takes more than 5 seconds",
		"results vary from run to run", "errors were found",
		"the driver refused",
	};
	const char *before = " (";

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (why >> i & 1) {
			fprintf(out, "%s%s", before, texts[i]);
			before = "; ";
		}
	fputs(why ? ")" : "", out);
}

char *claw_probe_compared_text(const struct claw_probe_compared *compared)
{
	const struct {
		uint64_t count;
		const char *thing, *plural, *text;
	} parts[] = {
		{ compared->same, "kernel", "s", "the same without probes" },
		{ compared->changed, "kernel", "s", "different with probes" },
		{ compared->unknown, "kernel", "s", "not compared" },
		{ compared->left_out, "launch", "es", "not compared" },
	};
	const char *before = "results of ";
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (parts[i].count == 0)
			continue;
		fprintf(out, "%s%" PRIu64 " %s%s %s", before, parts[i].count,
			parts[i].thing, parts[i].count == 1 ? "" :
			parts[i].plural, parts[i].text);
		before = ", of ";
		if (i == 0 && compared->launches > compared->same)
			fprintf(out, " (%" PRIu64 " launches compared)",
				compared->launches);
	}
	if (compared->unknown || compared->left_out)
		put_unknown(out, compared->why);
	claw_text_end(out);
	return text;
}

static void add_file(struct claw_probe_sum *sum,
		     const struct claw_probe_header *header)
{
	uint64_t without = header->plain_kernel + header->plain_changed +
		header->unchecked;

	sum->modes |= header->modes;
	sum->launches += header->launches;
	sum->plain_kernel += header->plain_kernel;
	sum->plain_refused += header->plain_refused;
	sum->plain_other += header->plain_other;
	sum->plain_changed += header->plain_changed;
	claw_probe_compared_add(&sum->compared, header);
	sum->unchecked += header->unchecked;
	sum->partly += header->partly;
	if (header->partly > 0 && !sum->partly_why)
		sum->partly_why = claw_strdup(header->partly_why);
	sum->pending += header->pending;
	sum->programs += header->state == CLAW_PROBE_INSTRUMENTED;
	if (without > 0)
		add_reason(sum, why_of(header), without);
	if (header->plain_refused > 0)
		add_reason(sum, claw_strdup(refused), header->plain_refused);
	if (header->plain_other > 0)
		add_reason(sum, claw_strdup(left_out), header->plain_other);
}

int claw_probe_sum_read(const struct claw_session *session,
			struct claw_probe_sum *ret_sum)
{
	struct claw_probe_sum sum = { .launches = 0 };
	char **paths = NULL;
	size_t count = 0;
	int ret = claw_session_probes(session, &paths, &count);

	for (size_t i = 0; ret == 0 && i < count; i++) {
		struct claw_probe_file file;
		int error = claw_probe_file_read(paths[i], &file);

		if (error < 0) {
			claw_gap_add_unread(&sum.gap, paths[i], error);
			continue;
		}
		add_file(&sum, &file.header);
		claw_probe_file_release(&file);
	}
	claw_list_free(paths);
	if (ret == 0)
		*ret_sum = sum;
	return ret;
}

void claw_probe_sum_release(struct claw_probe_sum *sum)
{
	for (size_t i = 0; i < sum->reason_count; i++)
		free(sum->reasons[i].text);
	free(sum->reasons);
	free(sum->gap);
	free(sum->partly_why);
	*sum = (struct claw_probe_sum) { .launches = 0 };
}

uint64_t claw_probe_sum_plain(const struct claw_probe_sum *sum)
{
	return sum->plain_kernel + sum->plain_refused + sum->plain_other +
		sum->plain_changed;
}

char *claw_probe_sum_partly(const struct claw_probe_sum *sum)
{
	return sum->partly == 0 ? NULL :
		claw_format("%" PRIu64 " launch%s had accesses that were not "
			    "checked (%s)", sum->partly, sum->partly == 1 ?
			    "" : "es", sum->partly_why);
}

/* Of how many launches at least one access was checked. */
static uint64_t launches_checked(const struct claw_probe_sum *sum)
{
	return sum->launches > sum->unchecked ? sum->launches - sum->unchecked :
		0;
}

/* "60: it cannot be instrumented: ...; 7: refused ..."; those that were not
 * asked for are no gap where only a part was. */
static void put_reasons(FILE *out, const struct claw_probe_sum *sum,
			bool is_part)
{
	size_t said = 0;

	for (size_t i = 0; i < sum->reason_count; i++) {
		if (is_part && strcmp(sum->reasons[i].text, left_out) == 0)
			continue;
		if (said++ == REASONS_SAID) {
			fputs("; and more", out);
			break;
		}
		fprintf(out, "%s%" PRIu64 ": %s", said > 1 ? "; " : "",
			sum->reasons[i].launches, sum->reasons[i].text);
	}
}

/* "5 of 72 launches were checked, 67 were not: ..." */
static char *unchecked_text(const struct claw_probe_sum *sum, uint64_t without,
			    bool is_part)
{
	uint64_t checked = launches_checked(sum);
	uint64_t all = checked + without;
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	if (checked > 0)
		fprintf(out, "%" PRIu64 " of %" PRIu64 " launches %s checked, "
			"%" PRIu64 " %s not: ", checked, all,
			checked == 1 ? "was" : "were", without,
			without == 1 ? "was" : "were");
	else
		fprintf(out, "none of %" PRIu64 " launch%s was checked: ", all,
			all == 1 ? "" : "es");
	put_reasons(out, sum, is_part);
	claw_text_end(out);
	return text;
}

char *claw_probe_sum_gap(const struct claw_probe_sum *sum, bool is_part)
{
	uint64_t without = claw_probe_sum_plain(sum) + sum->unchecked -
		(is_part ? sum->plain_other : 0);
	char *text = NULL;

	if (sum->gap)
		return claw_strdup(sum->gap);
	if (without > 0)
		return unchecked_text(sum, without, is_part);
	if (is_part && sum->launches == 0 && sum->plain_other > 0)
		text = claw_format("none of %" PRIu64 " launch%s matches "
				   "--kernel-name, --launch-skip and "
				   "--launch-count", sum->plain_other,
				   sum->plain_other == 1 ? "" : "es");
	else if (sum->pending > 0)
		text = claw_format("%" PRIu64 " launch%s ended without "
				   "reporting what %s found", sum->pending,
				   sum->pending == 1 ? "" : "es",
				   sum->pending == 1 ? "it" : "they");
	return text;
}
