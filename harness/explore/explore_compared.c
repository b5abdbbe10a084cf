/* SPDX-License-Identifier: Apache-2.0 */
/* What came of comparing, for people, for scripts and for the records. */
#include "config.h"

#include "explore_against.h"

#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"

bool claw_compared_is_unknown(const struct claw_compared *compared)
{
	return !compared->differ &&
	       (compared->why_not || !compared->inputs ||
		compared->same + compared->rounding < compared->inputs);
}

/* "48 inputs, 46 the same, 2 different" */
static char *summary_of(const struct claw_compared *compared)
{
	const struct { size_t count; const char *words; } parts[] = {
		{ compared->same, "the same" },
		{ compared->differ - compared->crashes, "different" },
		{ compared->crashes, "crash or hang here without probes" },
		{ compared->rounding, "different by rounding only" },
		{ compared->varies, "not the same here in each run, with and "
		  "without probes" },
		{ compared->not_here, "not run here" },
		{ compared->not_there, "not run there" },
		{ compared->left_out, "left out because of a finding" },
	};
	char *text;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fprintf(out, "%u input%s", compared->inputs,
		compared->inputs == 1 ? "" : "s");
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].count)
			fprintf(out, ", %zu %s", parts[i].count,
				parts[i].words);
	claw_text_end(out);
	return text;
}

void claw_compared_put(const struct claw_compared *compared, FILE *out)
{
	char *summary = summary_of(compared);

	fprintf(out, "  against %s: %s\n", compared->target, summary);
	free(summary);
	if (claw_compared_is_unknown(compared))
		fprintf(out, "    inconclusive: %s\n", compared->why_not ?
			compared->why_not :
			compared->same + compared->rounding ?
			"not all inputs were compared" :
			"nothing was compared");
	if (!compared->differ)
		return;
	if (compared->is_whole)
		fputs("    not made smaller, see smaller.log\n", out);
	fprintf(out, "    %s\n    reproduce: %s\n", compared->list[0].message ?
		compared->list[0].message : "ended otherwise",
		compared->list[0].reproduce);
}

json_t *claw_compared_json(const struct claw_compared *compared)
{
	json_t *list = claw_made(json_array());

	for (size_t i = 0; i < compared->differ; i++)
		json_array_append_new(list, claw_made(json_pack(
			"{s:s, s:s*, s:s}", "case", compared->list[i].case_path,
			"message", compared->list[i].message, "reproduce",
			compared->list[i].reproduce)));
	return claw_made(json_pack(
		"{s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:s*}",
		"target", compared->target, "inputs", (int)compared->inputs,
		"left_out", (int)compared->left_out, "same",
		(int)compared->same, "rounding", (int)compared->rounding,
		"varies", (int)compared->varies, "not_here",
		(int)compared->not_here, "not_there",
		(int)compared->not_there, "crashes", (int)compared->crashes,
		"differ", list, "why_not", compared->why_not));
}

void claw_compared_record(const struct claw_compared *compared,
			  const char *kernel, const char *file,
			  const char *text,
			  const struct claw_cmd_output *output)
{
	char *summary = summary_of(compared);
	const struct claw_result result = {
		.suite = "explore", .name = kernel,
		.configuration = compared->target, .attempt = 1,
		.message = summary, .detail = text, .file = file,
		.reproduce = compared->differ ? compared->list[0].reproduce :
			NULL,
		.verdict = compared->differ ? CLAW_FAILED :
			claw_compared_is_unknown(compared) ? CLAW_INCONCLUSIVE :
			CLAW_PASSED,
	};

	claw_records_result(output->records, &result);
	free(summary);
}
