/* SPDX-License-Identifier: Apache-2.0 */
/* The answers of "openclaw __query" and "openclaw __kernels". */
#include "config.h"

#include "answers.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"

static FILE *answers;

void claw_answers_begin(void)
{
	int fd = dup(STDOUT_FILENO);

	/* What a driver prints must not be mixed with the answers. */
	if (fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot duplicate standard output");
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	answers = claw_made(fdopen(fd, "w"));
}

void claw_answer(json_t *object)
{
	json_dumpf(object, answers, JSON_COMPACT);
	fputc('\n', answers);
	fflush(answers);
	json_decref(object);
}

void claw_answer_stage(const char *text)
{
	claw_answer(json_pack("{s:s, s:s}", "t", "stage", "text", text));
}

json_t *claw_answer_text(char *bytes, size_t size)
{
	json_t *value = json_stringn(bytes, size);

	if (value)
		return value;
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)bytes[i] >= 0x80)
			bytes[i] = '?';
	return json_stringn(bytes, size);
}
