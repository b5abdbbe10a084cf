/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Make suites of kernel files and folders of them, as the command line names
 * them.
 */
#include "config.h"

#include "suite.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/errors.h"
#include "suite_cases.h"

static bool is_description(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* The folder of a file, or the folder itself, without the way there. */
static char *folder_name(const char *path, bool is_folder)
{
	char absolute[PATH_MAX], *slash;

	if (!realpath(path, absolute))
		return NULL;
	slash = strrchr(absolute, '/');
	if (!is_folder && slash) {
		*slash = '\0';
		slash = strrchr(absolute, '/');
	}
	return claw_suite_fit_name(slash ? slash + 1 : absolute);
}

static int fail_empty(const char *path, size_t headless,
		      struct claw_suite_error *reterr)
{
	if (headless > 0)
		snprintf(reterr->message, sizeof(reterr->message), "%s: "
			 "expected kernel files, found %zu without a header "
			 "(\"openclaw init FILE.cl\" writes one)", path,
			 headless);
	else
		snprintf(reterr->message, sizeof(reterr->message), "%s: "
			 "expected kernel files (.clw, .cl, .program_test, "
			 ".sim), found none", path);
	return -CLAW_E_NOT_FOUND;
}

static int add_kernels(struct claw_suite *suite, const char *operand,
		       bool is_folder, struct claw_suite_error *reterr)
{
	static const struct claw_suite_case like = { .kind = CLAW_CASE_CLW };
	int ret;

	suite->name = folder_name(operand, is_folder);
	if (!suite->name)
		return -CLAW_E_IO;
	suite->keeps_broken = is_folder;
	if (is_folder)
		ret = claw_suite_add_folder(suite, &like, operand, "", reterr);
	else
		ret = claw_suite_add_file(suite, &like, operand, "", reterr);
	if (ret == 0 && suite->case_count == 0)
		ret = fail_empty(operand, suite->headless, reterr);
	return ret;
}

static int read_kernels(const char *operand, bool is_folder,
			struct claw_suite **ret_suite,
			struct claw_suite_error *reterr)
{
	struct claw_suite *suite = claw_suite_new(operand);
	int ret = add_kernels(suite, operand, is_folder, reterr);

	if (ret < 0)
		claw_suite_free(suite);
	else
		*ret_suite = suite;
	return ret;
}

int claw_suite_read_operand(const char *operand, struct claw_suite **ret_suite,
			    struct claw_suite_error *reterr)
{
	struct stat status;
	bool is_folder;
	int ret;

	if (stat(operand, &status) < 0) {
		snprintf(reterr->message, sizeof(reterr->message), "%s: %s%s",
			 operand, strerror(errno), strchr(operand, '/') ? "" :
			 " (a suite is named with --suite)");
		return errno == ENOENT ? -CLAW_E_NOT_FOUND : -CLAW_E_IO;
	}
	is_folder = S_ISDIR(status.st_mode);
	if (!is_folder && !S_ISREG(status.st_mode)) {
		snprintf(reterr->message, sizeof(reterr->message), "%s: "
			 "expected a file or a folder, found a %s", operand,
			 S_ISFIFO(status.st_mode) ? "pipe" :
			 S_ISSOCK(status.st_mode) ? "socket" : "device");
		return -CLAW_E_SYNTAX;
	}
	if (!is_folder && is_description(operand)) {
		ret = claw_suite_read_file(operand, ret_suite, reterr);
	} else if (is_folder || claw_suite_is_kernel_file(operand)) {
		ret = read_kernels(operand, is_folder, ret_suite, reterr);
	} else {
		snprintf(reterr->message, sizeof(reterr->message), "%s: "
			 "expected a kernel file (.clw, .cl, .program_test, "
			 ".sim), a folder of them or a suite's description "
			 "(.yaml), found another file", operand);
		ret = -CLAW_E_SYNTAX;
	}
	for (size_t i = 0; ret == 0 && i < (*ret_suite)->case_count; i++)
		(*ret_suite)->cases[i].operand = operand;
	return ret;
}
