/* SPDX-License-Identifier: Apache-2.0 */
/* See emit_plan.h. */
#include "config.h"

#include "emit_plan.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/crash/replay/replay.h"
#include "reports/report.h"
#include "harness/base/text_list.h"
#include "harness/files/yaml_out.h"

static void put_comment(FILE *out, const char *before, const char *text)
{
	fprintf(out, "# %s", before);
	claw_report_put(out, text);
	fputc('\n', out);
}

static int put_plan(FILE *stream, char *const *rules,
		    const struct claw_crash *crash, const char *name)
{
	struct claw_yaml_out out;

	put_comment(stream, "", crash->signature);
	put_comment(stream, "The failures in ", name);
	fputs("# openclaw inject --plan THIS_FILE -- PROGRAM\n", stream);
	claw_yaml_out_begin(&out, stream);
	claw_yaml_out_mapping(&out);
	claw_yaml_out_text(&out, "faults");
	claw_yaml_out_list(&out);
	for (; *rules; rules++)
		claw_yaml_out_text(&out, *rules);
	claw_yaml_out_list_end(&out);
	claw_yaml_out_mapping_end(&out);
	return claw_yaml_out_end(&out);
}

static int write_plan(char *const *rules, const struct claw_crash *crash,
		      const char *name, const char *path)
{
	FILE *stream = fopen(path, "wxe");
	int ret, error;

	if (!stream)
		return -CLAW_E_IO;
	ret = put_plan(stream, rules, crash, name);
	if (fclose(stream) != 0)
		ret = -CLAW_E_IO;
	error = errno;
	if (ret < 0)
		unlink(path);
	errno = error;
	return ret;
}

int claw_emit_plan(const struct claw_dump *dump, const struct claw_crash *crash,
		   const char *name, const char *path, size_t *ret_count)
{
	char **rules = claw_replay_schedule(dump->trace, dump);
	int ret;

	*ret_count = 0;
	while (rules[*ret_count])
		++*ret_count;
	ret = *ret_count ? write_plan(rules, crash, name, path) :
		-CLAW_E_NOT_FOUND;
	claw_list_free(rules);
	return ret;
}
