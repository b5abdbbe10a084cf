/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feed damaged lists of known findings to their reader. Every answer has to be
 * 0 or an error with one non-empty line; what is accepted has findings with
 * names of their own, and is the same when it is written and read again.
 * Sanitizers see the rest.
 */
#include "config.h"

#include <unistd.h>

#include "harness/sweep/sweep_known.h"

#include "fuzz_text.h"

const char *const fuzz_seeds[] = {
	"# known\nknown:\n- finding: unheeded clCreateBuffer at load\n"
	"  at: [load < main, 'load < again < main']\n"
	"  example: 'clCreateBuffer oom once at load < main #1'\n"
	"  reason: the old reader\n- finding: SIGSEGV use < load < main\n"
	"- finding: hang clFinish at main\n  at: main\n",
	"known: [ {finding: \"leak buffer clCreateBuffer < \\u00e4\"} ]\r\n",
	"\xef\xbb\xbf" "known: []\n",
	"--- !!map &a\nknown: !!seq\n- &b {finding: |\n  a\n}\n- *b\n...\n",
	"[[[[[[[[[[[[[[{{{{{{{{{{{{",
	NULL,
};

const char *const fuzz_words[] = {
	"known:", "finding:", "at:", "example:", "reason:", "\n- ", "\n  ",
	"*a", "&a ", "? ", "---\n", "...\n", "\"", "'", "|\n", ">\n", "[", "]",
	"{", "}", "%YAML 1.1\n", "!!int ", "\\x00", "\\U0010ffff", "\\x7f",
	"\r\n", "\xef\xbb\xbf", "\xff\xfe", " < ", "#", "SIGSEGV", " after ",
	"null", "~", "\xc2\x85", "\xe2\x80\xa8",
	NULL,
};

static void refuse(const char *what, const char *text)
{
	fprintf(stderr, "%s: %s\n", what, text);
	abort();
}

static void check_names(const struct claw_sweep_known *known)
{
	for (size_t i = 0; i < known->count; i++) {
		const struct claw_sweep_known_finding *one = &known->items[i];

		if (!one->finding || !*one->finding || !one->origin)
			refuse("no name", one->origin ? one->origin : "?");
		for (size_t j = 0; j < i; j++)
			if (strcmp(one->finding, known->items[j].finding) == 0)
				refuse("twice", one->finding);
	}
}

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* As --save-accept writes what a sweep that was cut short has not seen. */
static void check_again(const struct claw_sweep_known *known)
{
	const struct claw_sweep sweep = { .how = NULL };
	char path[] = "/tmp/fuzz-known.XXXXXX", error[512] = "";
	struct claw_sweep_known again = { .count = 0 };
	int fd = mkstemp(path);

	if (fd < 0 || claw_sweep_known_write(path, known, &sweep, true) < 0 ||
	    claw_sweep_known_read(path, &again, error, sizeof(error)) < 0)
		refuse("not written and read", error);
	close(fd);
	unlink(path);
	if (again.count != known->count)
		refuse("another number of findings", "");
	for (size_t i = 0; i < known->count; i++) {
		const struct claw_sweep_known_finding *a = &known->items[i];
		const struct claw_sweep_known_finding *b = &again.items[i];
		size_t j = 0;

		while (a->at && b->at && a->at[j] &&
		       same(a->at[j], b->at[j]))
			j++;
		if (!same(a->finding, b->finding) ||
		    !same(a->reason, b->reason) ||
		    !same(a->example, b->example) || !a->at != !b->at ||
		    (a->at && (a->at[j] || b->at[j])))
			refuse("another finding", b->finding);
	}
	claw_sweep_known_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct claw_sweep_known known = { .count = 0 };
	char error[512] = "";
	int ret = claw_sweep_known_parse("fuzz", (const char *)bytes, size,
					 &known, error, sizeof(error));

	if (ret != 0 && (!*error || strchr(error, '\n')))
		refuse("bad error text", error);
	if (ret == 0) {
		check_names(&known);
		check_again(&known);
	}
	claw_sweep_known_release(&known);
	return 0;
}
