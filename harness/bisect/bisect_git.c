/* SPDX-License-Identifier: Apache-2.0 */
/* Run git: see bisect_git.h. */
#include "config.h"

#include "bisect_git.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/process/runner.h"

enum { WORDS_MAX = 32 };

/* A hook that runs us has set some of them. */
char *const claw_bisect_git_env[] = {
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR",
	"GIT_PREFIX", "GIT_NAMESPACE", "OPENCLAW_HISTORY=", NULL,
};

static char *const git_env[] = {
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR",
	"GIT_PREFIX", "GIT_NAMESPACE", "LC_ALL=C", "GIT_TERMINAL_PROMPT=0",
	"GIT_OPTIONAL_LOCKS=0", NULL,
};

/* Without "fatal: "; text is freed. */
static char *first_line(char *text)
{
	static const char mark[] = "fatal: ";
	const char *start = text + (claw_begins(text, mark) ? strlen(mark) : 0);
	char *line = claw_strndup(start, strcspn(start, "\n"));

	free(text);
	return line;
}

static char *without_end(char *text)
{
	size_t length = strlen(text);

	if (length && text[length - 1] == '\n')
		text[length - 1] = '\0';
	return text;
}

struct claw_bisect_git claw_bisect_git(const char *directory, ...)
{
	const char *argv[WORDS_MAX] = {
		"git", "-c", "core.hooksPath=/dev/null", "-c",
		"core.fsmonitor=false", "-c", "advice.detachedHead=false",
	};
	/* The names of many commits are long. */
	const struct claw_run_spec spec = {
		.argv = (char *const *)(uintptr_t)argv, .set_env = git_env,
		.directory = directory, .head_bytes = 1 << 24,
	};
	struct claw_bisect_git git = { .status = -1 };
	struct claw_run_result result = { .end = CLAW_END_INFRA };
	size_t count = 7;
	va_list words;
	int ret;

	va_start(words, directory);
	while (count < WORDS_MAX - 1 &&
	       (argv[count] = va_arg(words, const char *)) != NULL)
		count++;
	va_end(words);
	ret = claw_run_once(&spec, &result);
	git.signal = ret > 0 ? ret : 0;
	if (git.signal)
		claw_interrupt_pass_on(git.signal);
	git.out = without_end(claw_capture_text(&result.out));
	git.error = first_line(claw_capture_text(&result.err));
	if (result.end == CLAW_END_EXIT)
		git.status = result.code;
	if (git.status < 0 && !*git.error) {
		free(git.error);
		git.error = claw_format("git: %s", result.end ==
			CLAW_END_NOT_FOUND ? "no such program" :
			"did not run to its end");
	}
	claw_run_result_release(&result);
	return git;
}

void claw_bisect_git_release(struct claw_bisect_git *git)
{
	free(git->out);
	free(git->error);
	*git = (struct claw_bisect_git) { .status = -1 };
}
