/* SPDX-License-Identifier: Apache-2.0 */
/* Add up the headers of a session's files of probes. */
#include "config.h"

#include "probe_sum.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "gap.h"
#include "probe_reader.h"
#include "text_list.h"

static int add_file(struct claw_probe_sum *sum,
		    const struct claw_probe_header *header)
{
	enum claw_probe_state state = (enum claw_probe_state)header->state;
	const char *more;

	sum->launches += header->launches;
	sum->plain_kernel += header->plain_kernel;
	sum->plain_refused += header->plain_refused;
	sum->plain_other += header->plain_other;
	sum->pending += header->pending;
	sum->programs += state == CLAW_PROBE_INSTRUMENTED;
	if (state == CLAW_PROBE_NOT_ASKED ||
	    (state == CLAW_PROBE_INSTRUMENTED && !header->plain_kernel))
		return 0;
	if (state == CLAW_PROBE_INSTRUMENTED)
		return *header->why ? claw_gap_add(&sum->why, "%s",
						   header->why) : 0;
	more = claw_probe_more(header);
	return claw_gap_add(&sum->why, "%s%s%s", claw_probe_state_text(state),
			    *more ? ": " : "", more);
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

		ret = claw_probe_file_read(paths[i], &file);
		if (ret < 0) {
			ret = claw_gap_add_unread(&sum.gap, paths[i], ret);
			continue;
		}
		ret = add_file(&sum, &file.header);
		claw_probe_file_release(&file);
	}
	claw_list_free(paths);
	if (ret < 0)
		claw_probe_sum_release(&sum);
	else
		*ret_sum = sum;
	return ret;
}

void claw_probe_sum_release(struct claw_probe_sum *sum)
{
	free(sum->why);
	free(sum->gap);
	*sum = (struct claw_probe_sum) { .launches = 0 };
}

uint64_t claw_probe_sum_plain(const struct claw_probe_sum *sum)
{
	return sum->plain_kernel + sum->plain_refused + sum->plain_other;
}

char *claw_probe_sum_gap(const struct claw_probe_sum *sum, bool is_part)
{
	uint64_t plain = is_part && !sum->why ? sum->plain_refused :
		claw_probe_sum_plain(sum);
	char *text = NULL;
	int made = 0;

	if (sum->gap)
		return strdup(sum->gap);
	if (is_part && sum->launches == 0 && claw_probe_sum_plain(sum) > 0 &&
	    plain == 0)
		made = asprintf(&text, "none of %" PRIu64 " launch%s was chosen "
				"by --kernel-name, --launch-skip and "
				"--launch-count", claw_probe_sum_plain(sum),
				claw_probe_sum_plain(sum) == 1 ? "" : "es");
	else if (plain > 0)
		made = asprintf(&text, "%" PRIu64 " launch%s had no probes%s%s",
				plain, plain == 1 ? "" : "es", sum->why ? ": " :
				sum->plain_refused ? ": refused for resources "
				"with them" : "", sum->why ? sum->why : "");
	else if (sum->pending > 0)
		made = asprintf(&text, "%" PRIu64 " launch%s ended without "
				"saying what %s found", sum->pending,
				sum->pending == 1 ? "" : "es",
				sum->pending == 1 ? "it" : "they");
	return made < 0 ? NULL : text;
}
