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
		    !claw_begins(target, "--") &&
		    (target[length] != '\0') == kinds[i].has_more)
			return &kinds[i];
	}
	return NULL;
}

/* ---- a run ------------------------------------------------------------------ */

static void add_home(char ***line, const struct claw_explore_given *given)
{
	if (!given->device)
		return;
	claw_list_add(line, claw_strdup("--device"));
	claw_list_add(line, claw_strdup(given->device));
}

/* "--device", "1"; those of this device where the files say what is different. */
static void add_target(char ***line, const struct claw_explore_given *given,
		       const char *target)
{
	const struct target_kind *kind = kind_of(target);

	if (!kind->option) {
		add_home(line, given);
		return;
	}
	claw_list_add(line, claw_strdup(kind->option));
	claw_list_add(line, claw_strdup(target + (kind->has_more ?
				strlen(kind->begin) : 0)));
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

static int write_trivial(const char *path, const char *options)
{
	struct claw_new_file file;
	FILE *out = claw_new_file_begin(&file, path);

	if (!out)
		return -CLAW_E_IO;
	fprintf(out, "/*!\n[config]\n%s%s\n[test]\nname: one\n"
		"kernel_name: one\nglobal_size: 1\n"
		"arg_out: 0 buffer int[1] 1\n!*/\n"
		"kernel void one(global int *a) { a[0] = 1; }\n",
		options ? "build_options: " : "", options ? options : "");
	return claw_new_file_end(&file, true);
}

/* Does it run there at all? A build option that does not build is a mistake. */
static void try_target(const struct claw_explore_given *given,
		       const char *target, const char *directory)
{
	const char *options = kind_of(target)->option ? NULL : target;
	char *path = claw_path_in(directory, "one.clw"), **more = NULL;
	char *output = claw_path_in(directory, "run"), *said = NULL;
	int ret = write_trivial(path, options);

	add_target(&more, given, target);
	if (ret == 0)
		ret = test(path, output, more, &said);
	claw_directory_remove(directory);
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "explore: --against %s: %s", target,
			 claw_error_text(ret));
	if (ret > 0 && options)
		claw_die(CLAW_EXIT_USAGE, "explore: option --against: expected "
			 "a build option that the driver accepts, found \"%s\"",
			 target);
	if (ret > 0)
		claw_die(CLAW_EXIT_SKIPPED, "explore: --against %s: a trivial "
			 "kernel does not run there%s%s", target,
			 said && *said ? ": " : "", said ? said : "");
	claw_list_free(more);
	free(said);
	free(output);
	free(path);
}

/* What there is in words, and not twice. */
static void check_target(const struct claw_explore_given *given, size_t at)
{
	const char *target = given->against.items[at];
	const char *home = given->device ? given->device : "0";

	if (!kind_of(target))
		claw_die(CLAW_EXIT_USAGE, "explore: option --against: expected "
			 "oclgrind, device:N, icd:NAME or a build option, "
			 "found \"%s\"", target);
	if (claw_begins(target, "device:") &&
	    strcmp(target + strlen("device:"), home) == 0)
		claw_die(CLAW_EXIT_USAGE, "explore: option --against: expected "
			 "another device than the one that is explored, found "
			 "\"%s\"", target);
	for (size_t i = 0; i < at; i++)
		if (strcmp(given->against.items[i], target) == 0)
			claw_die(CLAW_EXIT_USAGE, "explore: option --against: "
				 "expected each target once, found \"%s\" twice",
				 target);
}

void claw_against_check(const struct claw_explore_given *given)
{
	for (size_t i = 0; i < given->against.count; i++)
		check_target(given, i);
	for (size_t i = 0; i < given->against.count; i++) {
		char *directory = claw_path_in(claw_session_temporary_base(),
					       "openclaw-explore.XXXXXX");

		if (!mkdtemp(directory))
			claw_die(CLAW_EXIT_INFRA, "explore: %s: %s", directory,
				 strerror(errno));
		try_target(given, given->against.items[i], directory);
		free(directory);
	}
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

/* line: up to its end. more: build options, or NULL: tolerances are wide. True:
 * it was changed. */
static bool put_changed(const char *line, size_t length, const char *more,
			FILE *out)
{
	const char *wide = strstr(line, " tolerance ");

	if (!more && claw_begins(line, "arg_out: ") && wide &&
	    wide < line + length) {
		put_loosely(line, length, out);
		return true;
	}
	if (more && claw_begins(line, "build_options: ")) {
		fwrite(line, 1, length - 1, out);
		fprintf(out, " %s\n", more);
	} else {
		fwrite(line, 1, length, out);
		if (more && claw_begins(line, "[config]\n") &&
		    !claw_begins(line + length, "build_options: "))
			fprintf(out, "build_options: %s\n", more);
	}
	return more != NULL;
}

/* No file where nothing is changed. */
static int write_changed(const char *from, const char *to, const char *more)
{
	struct claw_new_file file;
	bool in_header = true, is_changed = false;
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
			is_changed |= put_changed(line, length, more, out);
		else
			fwrite(line, 1, length, out);
		in_header = in_header && !claw_begins(line, "!*/");
		line += length;
	}
	free(text);
	return out ? claw_new_file_end(&file, is_changed) : -CLAW_E_IO;
}

/* ---- what became of each input ------------------------------------------------ */

enum became {
	NOT_HERE, NOT_THERE, SAME, VARIES, ROUNDING_ONLY, DIFFERS, CRASHES,
};

struct input {
	enum became became;
	bool is_wrong;			/* differs by a result, nothing else */
	char *message;
};

struct comparing {
	const struct claw_explore_given *given;
	struct claw_compared *ret;
	const char *directory, *kernel;
	char *folder;			/* of the files that run there */
	char **words;			/* of "openclaw test" there */
	unsigned int count;
	struct input *inputs;
};

static struct input *input_of(const struct comparing *all, const char *name)
{
	size_t length = strlen(all->kernel);
	unsigned long number = claw_begins(name, all->kernel) &&
		name[length] == '-' ? strtoul(name + length + 1, NULL, 10) : 0;

	return number && number <= all->count ? &all->inputs[number - 1] : NULL;
}

static void keep_message(struct input *input, const struct claw_result *result)
{
	free(input->message);
	input->message = claw_strdup_or_null(result->message);
}

/* A failure that nothing was seen of: it does not build, say. */
static bool is_unseen(const struct claw_result *result)
{
	return result->verdict == CLAW_FAILED && !result->seen;
}

static void see_here(void *user, const struct claw_result *result)
{
	struct input *input = input_of(user, result->name);
	char class = claw_verdict_class(result->verdict);

	if (!input)
		return;
	input->became = class == 'p' ? SAME :
		class != 'f' || is_unseen(result) ? NOT_HERE :
		result->verdict == CLAW_FAILED ? VARIES : CRASHES;
	keep_message(input, result);
}

static void see_there(void *user, const struct claw_result *result)
{
	struct input *input = input_of(user, result->name);
	char class = claw_verdict_class(result->verdict);

	if (!input || input->became != NOT_THERE)
		return;
	input->became = class == 'p' ? SAME :
		class == 'f' && !is_unseen(result) ? DIFFERS : NOT_THERE;
	input->is_wrong = result->verdict == CLAW_FAILED;
	keep_message(input, result);
}

static void see_loose(void *user, const struct claw_result *result)
{
	struct input *input = input_of(user, result->name);

	if (input && input->became == DIFFERS && input->is_wrong &&
	    claw_verdict_class(result->verdict) == 'p')
		input->became = ROUNDING_ONLY;
}

static int run_folder(struct comparing *all, const char *folder,
		      char *const *words,
		      void (*see)(void *, const struct claw_result *))
{
	const struct claw_records_visitor visitor = { .result = see };
	char *from = claw_path_in(all->directory, folder);
	char *output = claw_path_in(all->directory, "compared-run");
	char *records = claw_path_in(output, "records.jsonl");
	bool is_complete;
	uint64_t damaged;
	int ret;

	claw_directory_remove(output);
	ret = test(from, output, words, NULL);
	if (ret >= 0)
		ret = claw_records_read(records, &visitor, all, &is_complete,
					&damaged);
	if (ret >= 0 && (!is_complete || damaged))
		ret = -CLAW_E_DAMAGED;
	claw_directory_remove(output);
	free(records);
	free(output);
	free(from);
	return ret < 0 ? ret : 0;
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

static unsigned int count_of(const struct comparing *all, enum became which)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < all->count; i++)
		count += all->inputs[i].became == which;
	return count;
}

static int run_here(struct comparing *all)
{
	char **line = NULL;
	int ret;

	add_home(&line, all->given);
	ret = run_folder(all, CLAW_COMPARED_FOLDER, line, see_here);
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

/* What no result comes of stays NOT_THERE. */
static int run_there(struct comparing *all)
{
	const char *options = kind_of(all->ret->target)->option ? NULL :
		all->ret->target;
	int ret = 0;

	if (options)
		ret = change(all, CLAW_COMPARED_FOLDER, all->folder, SAME,
			     options);
	for (unsigned int i = 0; i < all->count; i++)
		if (all->inputs[i].became == SAME)
			all->inputs[i].became = NOT_THERE;
	if (ret == 0)
		ret = run_folder(all, all->folder, all->words, see_there);
	if (ret == 0 && count_of(all, DIFFERS))
		ret = change(all, all->folder, "compared-loosely", DIFFERS,
			     NULL);
	if (ret == 0 && count_of(all, DIFFERS))
		ret = run_folder(all, "compared-loosely", all->words,
				 see_loose);
	return ret;
}

static int compare(struct comparing *all, size_t at)
{
	struct claw_compared *ret = all->ret;
	char **home = NULL;
	int err = 0;

	all->folder = kind_of(ret->target)->option ?
		claw_strdup(CLAW_COMPARED_FOLDER) :
		claw_format("%s-%zu", CLAW_COMPARED_FOLDER, at + 1);
	all->words = NULL;
	add_target(&all->words, all->given, ret->target);
	if (count_of(all, SAME))
		err = run_there(all);
	add_home(&home, all->given);
	add_differences(all, DIFFERS, all->folder, all->words);
	add_differences(all, CRASHES, CLAW_COMPARED_FOLDER, home);
	ret->same = count_of(all, SAME);
	ret->rounding = count_of(all, ROUNDING_ONLY);
	ret->varies = count_of(all, VARIES);
	ret->not_here = count_of(all, NOT_HERE);
	ret->not_there = count_of(all, NOT_THERE);
	claw_list_free(home);
	claw_list_free(all->words);
	free(all->folder);
	return err;
}

static void copy_inputs(struct input *to, const struct input *from,
			unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		free(to[i].message);
		to[i] = from[i];
		to[i].message = claw_strdup_or_null(from[i].message);
	}
}

int claw_against_run(const struct claw_explore_given *given,
		     const char *directory, const char *kernel,
		     unsigned int count, struct claw_compared *compared)
{
	struct comparing all = {
		.given = given, .directory = directory, .kernel = kernel,
		.count = count,
	};
	struct input *here = claw_calloc(all.count + 1, sizeof(*here));
	struct input *there = claw_calloc(all.count + 1, sizeof(*there));
	char *loose = claw_path_in(directory, "compared-loosely");
	int err = 0, here_err;

	all.inputs = here;
	here_err = all.count ? run_here(&all) : 0;
	all.inputs = there;
	for (size_t i = 0; i < given->against.count; i++) {
		compared[i].inputs = all.count;
		all.ret = &compared[i];
		copy_inputs(there, here, all.count);
		if (err != -CLAW_E_CANCELLED)
			err = here_err ? here_err : compare(&all, i);
		if (err < 0)
			compared[i].why_not = claw_strdup(claw_error_text(err));
	}
	claw_directory_remove(loose);
	free(loose);
	for (unsigned int i = 0; i < all.count; i++) {
		free(here[i].message);
		free(there[i].message);
	}
	free(here);
	free(there);
	return err == -CLAW_E_CANCELLED ? err : 0;
}

void claw_compared_release(struct claw_compared *compared)
{
	for (size_t i = 0; i < compared->differ; i++) {
		free(compared->list[i].case_path);
		free(compared->list[i].message);
		free(compared->list[i].reproduce);
	}
	free(compared->list);
	free(compared->why_not);
}

/* ---- words ------------------------------------------------------------------------ */

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
