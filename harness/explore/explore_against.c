/* SPDX-License-Identifier: Apache-2.0 */
/* The same inputs on another device: see explore_against.h. */
#include "config.h"

#include "explore_against.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "explore.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"
#include "harness/files/new_file.h"
#include "harness/files/outside_file.h"
#include "harness/process/runner.h"
#include "harness/session/called.h"
#include "harness/session/fault_plan.h"

enum {
	ROUNDING = 1024,		/* of the largest result: one part */
	FILE_BYTES_MAX = 64 << 20,
};

/* What may follow --against, and the option of "openclaw test" that it is. A
 * build option is put into the kernel files. */
static const struct target_kind {
	const char *begin, *option;
	bool has_more;
} kinds[] = {
	{ "oclgrind", "--under", false },
	{ "device:", "--device", true },
	{ "icd:", "--icd", true },
	{ "-", NULL, true },
};

static const struct target_kind *kind_of(const char *target)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t length = strlen(kinds[i].begin);

		if (claw_begins(target, kinds[i].begin) &&
		    (target[length] != '\0') == kinds[i].has_more)
			return &kinds[i];
	}
	return NULL;
}

/* ---- a run ------------------------------------------------------------------ */

/* "--device", "1"; nothing where the files say it. */
static void add_target(char ***line, const char *target)
{
	const struct target_kind *kind = kind_of(target);

	if (!kind->option)
		return;
	claw_list_add(line, claw_strdup(kind->option));
	claw_list_add(line, claw_strdup(target + (kind->has_more ?
				strlen(kind->begin) : 0)));
}

static void add_home(char ***line, const struct claw_explore_given *given)
{
	if (!given->device)
		return;
	claw_list_add(line, claw_strdup("--device"));
	claw_list_add(line, claw_strdup(given->device));
}

/* "openclaw test FOLDER", its records to OUTPUT. more: further words. Returns its
 * exit status or a negative error. ret_text: the first line of its stderr, or NULL. */
static int test(const char *folder, const char *output, char *const *more,
		char **ret_text)
{
	char *words[] = { "test", "--quiet", "--force", "--output", NULL };
	struct claw_run_result result = { 0 };
	char **line = NULL;
	struct claw_run_spec spec = { .no_core = true };
	int ret;

	claw_list_add(&line, realpath("/proc/self/exe", NULL));
	for (size_t i = 0; words[i]; i++)
		claw_list_add(&line, claw_strdup(words[i]));
	claw_list_add(&line, claw_strdup(output));
	claw_list_add(&line, claw_strdup(folder));
	for (; more && *more; more++)
		claw_list_add(&line, claw_strdup(*more));
	spec.argv = line;
	ret = claw_run_once(&spec, &result);
	if (ret > 0 || result.end == CLAW_END_CANCELLED)
		ret = -CLAW_E_CANCELLED;
	else if (ret == 0)
		ret = result.end == CLAW_END_EXIT ? result.code :
			-CLAW_E_SPAWN;
	if (ret_text) {
		*ret_text = claw_capture_text(&result.err);
		(*ret_text)[strcspn(*ret_text, "\n")] = '\0';
	}
	claw_run_result_release(&result);
	claw_list_free(line);
	return ret;
}

/* ---- what was given ---------------------------------------------------------- */

static const char trivial[] =
	"/*!\n[config]\n[test]\nname: one\nkernel_name: one\nglobal_size: 1\n"
	"arg_out: 0 buffer int[1] 1\n!*/\n"
	"kernel void one(global int *a) { a[0] = 1; }\n";

static int write_text(const char *path, const char *text)
{
	struct claw_new_file file;
	FILE *out = claw_new_file_begin(&file, path);

	if (!out)
		return -CLAW_E_IO;
	fputs(text, out);
	return claw_new_file_end(&file, true);
}

void claw_against_check(const char *target, const char *directory)
{
	char *path, *output, *said = NULL, **more = NULL;
	int ret;

	if (!kind_of(target))
		claw_die(CLAW_EXIT_USAGE, "explore: option --against: expected "
			 "oclgrind, device:N, icd:NAME or a build option, "
			 "found \"%s\"", target);
	if (!directory)
		return;
	path = claw_path_in(directory, "one.clw");
	output = claw_path_in(directory, "run");
	mkdir(directory, 0777);
	ret = write_text(path, trivial);
	add_target(&more, target);
	if (ret == 0)
		ret = test(path, output, more, &said);
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "explore: --against %s: %s", target,
			 claw_error_text(ret));
	if (ret > 0)
		claw_die(CLAW_EXIT_SKIPPED, "explore: --against %s: a trivial "
			 "kernel does not run there: %s", target,
			 said && *said ? said : output);
	claw_directory_remove(directory);
	claw_list_free(more);
	free(said);
	free(output);
	free(path);
}

/* ---- kernel files, changed ------------------------------------------------------ */

/* Results as far from what is expected as a long sum that is rounded otherwise
 * may be. */
static void put_loosely(const char *line, size_t length, FILE *out)
{
	const char *at = memchr(line, ']', length), *end = line + length;
	double most = 0;

	fwrite(line, 1, (size_t)(strstr(line, " tolerance ") - line), out);
	for (at = at ? at + 1 : end; at < end; at++) {
		char *next;
		double number = strtod(at, &next);

		if (isfinite(number) && fabs(number) > most)
			most = fabs(number);
		if (next > at)
			at = next - 1;
		if (claw_begins(at, " tolerance "))
			break;
	}
	fprintf(out, " tolerance %.9g\n", most / ROUNDING);
}

/* line: up to its end. more: build options, or NULL: tolerances are wide. */
static void put_changed(const char *line, size_t length, const char *more,
			FILE *out)
{
	const char *wide = strstr(line, " tolerance ");

	if (!more && claw_begins(line, "arg_out: ") && wide &&
	    wide < line + length) {
		put_loosely(line, length, out);
	} else if (more && claw_begins(line, "build_options: ")) {
		fwrite(line, 1, length - 1, out);
		fprintf(out, " %s\n", more);
	} else {
		fwrite(line, 1, length, out);
		if (more && claw_begins(line, "[config]\n") &&
		    !claw_begins(line + length, "build_options: "))
			fprintf(out, "build_options: %s\n", more);
	}
}

static int write_changed(const char *from, const char *to, const char *more)
{
	struct claw_new_file file;
	bool in_header = true;
	char *text;
	size_t size;
	int ret = claw_outside_read(from, 0, FILE_BYTES_MAX, &text, &size);
	FILE *out = ret < 0 ? NULL : claw_new_file_begin(&file, to);

	if (ret < 0)
		return ret;
	for (const char *line = text; out && *line;) {
		size_t length = strcspn(line, "\n");

		length += line[length] == '\n';
		if (in_header)
			put_changed(line, length, more, out);
		else
			fwrite(line, 1, length, out);
		in_header = in_header && !claw_begins(line, "!*/");
		line += length;
	}
	free(text);
	return out ? claw_new_file_end(&file, true) : -CLAW_E_IO;
}

/* ---- what became of each input ------------------------------------------------ */

enum became { NOT_RUN, SAME, VARIES, ROUNDING_ONLY, DIFFERS, CRASHES };

struct comparing {
	struct claw_compared *ret;
	const char *directory, *kernel;
	bool at_home, is_loose;
	unsigned int count;
	struct input { enum became became; char *message; } *inputs;
};

static struct input *input_of(const struct comparing *all, const char *name)
{
	size_t length = strlen(all->kernel);
	unsigned long number = claw_begins(name, all->kernel) &&
		name[length] == '-' ? strtoul(name + length + 1, NULL, 10) : 0;

	return number && number <= all->count ? &all->inputs[number - 1] : NULL;
}

static void see_result(void *user, const struct claw_result *result)
{
	struct comparing *all = user;
	struct input *input = input_of(all, result->name);
	char class = claw_verdict_class(result->verdict);

	if (!input)
		return;
	if (all->at_home) {
		input->became = class == 'p' ? SAME : class != 'f' ? NOT_RUN :
			result->verdict == CLAW_FAILED ? VARIES : CRASHES;
		input->message = claw_strdup_or_null(result->message);
		return;
	}
	if (all->is_loose && class == 'p' && input->became == DIFFERS)
		input->became = ROUNDING_ONLY;
	if (all->is_loose || input->became != SAME)
		return;
	input->became = class == 'p' ? SAME : class == 'f' ? DIFFERS : NOT_RUN;
	free(input->message);
	input->message = claw_strdup_or_null(result->message);
}

static int read_results(struct comparing *all, const char *output)
{
	const struct claw_records_visitor visitor = { .result = see_result };
	char *path = claw_path_in(output, "records.jsonl");
	bool is_complete;
	uint64_t damaged;
	int ret = claw_records_read(path, &visitor, all, &is_complete,
				    &damaged);

	free(path);
	return ret < 0 ? ret : is_complete && !damaged ? 0 : -CLAW_E_DAMAGED;
}

static int run_folder(struct comparing *all, const char *folder,
		      char *const *more)
{
	char *from = claw_path_in(all->directory, folder);
	char *output = claw_format("%s/%s.run", all->directory, folder);
	int ret = test(from, output, more, NULL);

	if (ret >= 0)
		ret = read_results(all, output);
	claw_directory_remove(output);
	free(output);
	free(from);
	return ret;
}

/* The files of those inputs, changed, in another folder. */
static int change(const struct comparing *all, const char *from,
		  const char *folder, enum became which, const char *more)
{
	char *to = claw_path_in(all->directory, folder);
	int ret = 0;

	claw_directory_remove(to);
	if (mkdir(to, 0777) < 0)
		ret = -CLAW_E_IO;
	for (unsigned int i = 0; ret == 0 && i < all->count; i++) {
		char *old = claw_format("%s/%s/%s-%u.clw", all->directory,
					from, all->kernel, i + 1);
		char *new = claw_format("%s/%s-%u.clw", to, all->kernel, i + 1);

		if (all->inputs[i].became == which)
			ret = write_changed(old, new, more);
		free(old);
		free(new);
	}
	free(to);
	return ret;
}

/* ---- all of it -------------------------------------------------------------------- */

static bool has_any(const struct comparing *all, enum became which)
{
	for (unsigned int i = 0; i < all->count; i++)
		if (all->inputs[i].became == which)
			return true;
	return false;
}

static int run_home(struct comparing *all,
		    const struct claw_explore_given *given)
{
	char **line = NULL;
	int ret;

	add_home(&line, given);
	all->at_home = true;
	ret = run_folder(all, CLAW_COMPARED_FOLDER, line);
	all->at_home = false;
	claw_list_free(line);
	return ret;
}

static char *reproduce_of(const char *path, char *const *words)
{
	char *quoted = claw_shell_quote(path), *text;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fprintf(out, "%s test %s", claw_called(), quoted);
	free(quoted);
	for (; words && *words; words++) {
		quoted = claw_shell_quote(*words);
		fprintf(out, " %s", quoted);
		free(quoted);
	}
	claw_text_end(out);
	return text;
}

/* words: further words for "openclaw test". */
static void add_differences(const struct comparing *all, enum became which,
			    const char *folder, char *const *words)
{
	struct claw_compared *to = all->ret;

	for (unsigned int i = 0; i < all->count; i++) {
		struct claw_difference one;

		if (all->inputs[i].became != which)
			continue;
		one.case_path = claw_format("%s/%s/%s-%u.clw", all->directory,
					    folder, all->kernel, i + 1);
		one.message = claw_strdup_or_null(all->inputs[i].message);
		one.reproduce = reproduce_of(one.case_path, words);
		to->list = claw_one_more(to->list, to->differ,
					 sizeof(*to->list));
		to->list[to->differ++] = one;
		to->crashes += which == CRASHES;
	}
}

static int run_there(struct comparing *all,
		     const struct claw_explore_given *given)
{
	const char *options = kind_of(all->ret->target)->option ? NULL :
		all->ret->target;
	char *folder = options ? claw_format("%s%s", CLAW_COMPARED_FOLDER,
					     options) :
		claw_strdup(CLAW_COMPARED_FOLDER);
	char **line = NULL;
	int ret = 0;

	for (char *at = folder; (at = strpbrk(at, " /"));)
		*at = '_';
	add_target(&line, all->ret->target);
	if (options) {
		add_home(&line, given);
		ret = change(all, CLAW_COMPARED_FOLDER, folder, SAME, options);
	}
	if (ret == 0)
		ret = run_folder(all, folder, line);
	all->is_loose = true;
	if (ret == 0 && has_any(all, DIFFERS))
		ret = change(all, folder, "loose", DIFFERS, NULL);
	if (ret == 0 && has_any(all, DIFFERS))
		ret = run_folder(all, "loose", line);
	add_differences(all, DIFFERS, folder, line);
	claw_list_free(line);
	free(folder);
	return ret;
}

static unsigned int count_files(const char *directory, const char *kernel)
{
	unsigned int count = 0;
	struct stat st;
	bool is_there = true;

	while (is_there) {
		char *path = claw_format("%s/%s/%s-%u.clw", directory,
					 CLAW_COMPARED_FOLDER, kernel,
					 count + 1);

		is_there = stat(path, &st) == 0;
		count += is_there;
		free(path);
	}
	return count;
}

static int compare(struct comparing *all,
		   const struct claw_explore_given *given)
{
	struct claw_compared *ret = all->ret;
	char **home = NULL;
	unsigned int *counts[] = {
		[NOT_RUN] = &ret->not_run, [SAME] = &ret->same,
		[VARIES] = &ret->varies, [ROUNDING_ONLY] = &ret->rounding,
	};
	int err = has_any(all, SAME) ? run_there(all, given) : 0;

	all->is_loose = false;
	ret->inputs = all->count;
	add_home(&home, given);
	add_differences(all, CRASHES, CLAW_COMPARED_FOLDER, home);
	claw_list_free(home);
	for (unsigned int i = 0; i < all->count; i++) {
		if (all->inputs[i].became < DIFFERS)
			++*counts[all->inputs[i].became];
		free(all->inputs[i].message);
	}
	return err;
}

int claw_against_run(const struct claw_explore_given *given,
		     const char *directory, const char *kernel,
		     struct claw_compared *compared)
{
	struct comparing all = {
		.directory = directory, .kernel = kernel,
		.count = count_files(directory, kernel),
	};
	struct input *at_home = claw_calloc(all.count + 1,
					    sizeof(*all.inputs));
	char *loose = claw_path_in(directory, "loose");
	int err = 0;

	all.inputs = at_home;
	if (all.count)
		err = run_home(&all, given);
	all.inputs = claw_calloc(all.count + 1, sizeof(*all.inputs));
	for (size_t i = 0; err == 0 && i < given->against.count; i++) {
		for (unsigned int j = 0; j < all.count; j++)
			all.inputs[j] = (struct input) {
				at_home[j].became,
				claw_strdup_or_null(at_home[j].message),
			};
		all.ret = &compared[i];
		err = compare(&all, given);
	}
	claw_directory_remove(loose);
	free(loose);
	for (unsigned int i = 0; i < all.count; i++)
		free(at_home[i].message);
	free(all.inputs);
	free(at_home);
	return err;
}

void claw_compared_release(struct claw_compared *compared)
{
	for (size_t i = 0; i < compared->differ; i++) {
		free(compared->list[i].case_path);
		free(compared->list[i].message);
		free(compared->list[i].reproduce);
	}
	free(compared->list);
}

/* ---- words ------------------------------------------------------------------------ */

bool claw_compared_is_unknown(const struct claw_compared *compared)
{
	return !compared->same && !compared->rounding && !compared->differ;
}

/* "48 inputs, 46 the same, 2 differ" */
static char *summary_of(const struct claw_compared *compared)
{
	const struct { size_t count; const char *words; } parts[] = {
		{ compared->same, "the same" },
		{ compared->differ - compared->crashes, "different" },
		{ compared->crashes, "crash on this device without probes" },
		{ compared->rounding, "different by rounding only" },
		{ compared->varies, "not the same each time on this device" },
		{ compared->not_run, "not run there" },
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
		fputs("    inconclusive: nothing was compared\n", out);
	if (!compared->differ)
		return;
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
		"{s:s, s:i, s:i, s:i, s:i, s:i, s:o}", "target",
		compared->target, "inputs", (int)compared->inputs, "same",
		(int)compared->same, "rounding", (int)compared->rounding,
		"varies", (int)compared->varies, "not_run",
		(int)compared->not_run, "differ", list));
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
