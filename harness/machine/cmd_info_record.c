/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw info --record-faults": fault the device, once its owner agrees,
 * and keep the model that comes of it.
 */
#include "config.h"

#include "cmd_info.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "machine.h"
#include "harness/base/memory.h"
#include "harness/files/new_file.h"
#include "record_faults.h"

static bool is_agreed(void)
{
	char answer[16];

	fputs("This crashes kernels on the device about sixty times. Work of "
	      "other programs\n"
	      "on it may be lost. Its settings are not changed. Continue? "
	      "[y/N] ", stderr);
	return fgets(answer, sizeof(answer), stdin) &&
	       (*answer == 'y' || *answer == 'Y');
}

static void open_output(struct claw_new_file *out, const char *path,
			const char *suffix)
{
	char *whole = NULL;

	whole = claw_format("%s%s", path, suffix);
	if (!claw_new_file_begin(out, whole))
		claw_die(CLAW_EXIT_INFRA, "info: cannot write %s: %s", whole,
			 strerror(errno));
	free(whole);
}

/* False with errno: it could not be written. */
static bool close_output(struct claw_new_file *out, bool is_kept)
{
	return !out->out || claw_new_file_end(out, is_kept) == 0 || !is_kept;
}

static int say_outcome(enum claw_recorded outcome)
{
	static const char *const words[] = {
		[CLAW_RECORDED_NO_DEVICE] = "no OpenCL device ran a kernel, "
			"so no fault was recorded",
		[CLAW_RECORDED_SILENCE] = "the program died with every fault "
			"before it could record what follows (expected with a "
			"driver in the program's own process, such as pocl)",
		[CLAW_RECORDED_NOTHING] = "no fault had any effect: the "
			"device continued as before",
	};

	if (outcome == CLAW_RECORDED)
		return CLAW_EXIT_CLEAN;
	claw_warn("info: %s; no model was written", words[outcome]);
	return outcome == CLAW_RECORDED_NO_DEVICE ? CLAW_EXIT_SKIPPED :
		CLAW_EXIT_FINDINGS;
}

static int record_machine(const struct claw_machine *machine,
			  const char *output, bool is_sure)
{
	struct claw_new_file model = { .out = NULL }, lines = { .out = NULL };
	enum claw_recorded outcome = CLAW_RECORDED_NOTHING;
	bool is_kept, is_written;
	int ret;

	if (!machine->device_count) {
		claw_warn("info: no OpenCL device found, so no fault was "
			  "recorded (see openclaw doctor)");
		return CLAW_EXIT_SKIPPED;
	}
	if (!is_sure && !is_agreed())
		claw_die(CLAW_EXIT_USAGE, "info: nothing was recorded (use "
			 "--yes to skip the question)");
	if (output) {
		open_output(&model, output, "");
		open_output(&lines, output, ".jsonl");
	}
	ret = claw_record_faults(machine, output ? model.out : stdout,
				 lines.out, &outcome);
	is_kept = ret == 0 && outcome == CLAW_RECORDED;
	is_written = close_output(&lines, is_kept);
	is_written &= close_output(&model, is_kept && is_written);
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "info: cannot record the device's "
			 "faults: %s", claw_error_text(ret));
	if (!is_written || (is_kept && (fflush(stdout) || ferror(stdout))))
		claw_die(CLAW_EXIT_INFRA, "info: cannot write %s: %s",
			 output ? output : "standard output",
			 strerror(errno));
	return say_outcome(outcome);
}

int claw_info_record(const char *output, bool is_sure)
{
	struct claw_machine *machine;
	int ret = claw_machine_ask(NULL, &machine);

	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot query the OpenCL loader: %s",
			 claw_error_text(ret));
	ret = record_machine(machine, output, is_sure);
	claw_machine_free(machine);
	return ret;
}
