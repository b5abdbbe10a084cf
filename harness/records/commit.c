/* SPDX-License-Identifier: Apache-2.0 */
/* Ask git, which may not be there and may be slow. */
#include "config.h"

#include "commit.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/process/capture.h"
#include "harness/process/runner.h"

enum { GIT_MS = 2000, HASH_MIN = 40, HASH_MAX = 64 };

size_t claw_commit_length(const char *text)
{
	size_t length = strspn(text, "0123456789abcdef");
	const char *rest = text + length;

	if (length < HASH_MIN || length > HASH_MAX ||
	    (*rest && strcmp(rest, CLAW_COMMIT_CHANGES) != 0))
		return 0;
	return length;
}

/* One program says both; it takes no lock and starts nothing that the
 * repository's configuration names. */
static char *ask_git(void)
{
	static const char *const words[] = {
		"git", "--no-optional-locks", "-c", "core.fsmonitor=false",
		"describe", "--always", "--abbrev=64", "--exclude=*",
		"--dirty=+changes",	/* CLAW_COMMIT_CHANGES */
		NULL,
	};
	char *argv[sizeof(words) / sizeof(*words)];
	const struct claw_run_spec spec = {
		.argv = argv, .timeout_ms = GIT_MS, .grace_ms = 100,
	};
	struct claw_run_result result = { .end = CLAW_END_INFRA };
	char *text = NULL;
	int cancelled;

	memcpy(argv, words, sizeof(argv));
	cancelled = claw_run_once(&spec, &result);
	if (cancelled == 0 && result.end == CLAW_END_EXIT && result.code == 0)
		text = claw_capture_text(&result.out);
	claw_run_result_release(&result);
	if (cancelled > 0)
		raise(cancelled);	/* it was for us */
	return text;
}

const char *claw_commit(void)
{
	static char *commit;
	static bool is_asked;

	if (!is_asked) {
		commit = ask_git();
		is_asked = true;
	}
	if (commit)
		commit[strcspn(commit, "\n")] = '\0';
	return commit && claw_commit_length(commit) ? commit : NULL;
}
