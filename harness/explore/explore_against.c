/* SPDX-License-Identifier: Apache-2.0 */
/* The same inputs on another device: see explore_against.h. */
#include "config.h"

#include "explore_against.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "explore.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"
#include "harness/files/new_file.h"
#include "harness/process/runner.h"
#include "harness/session/called.h"
#include "harness/session/fault_plan.h"

enum { ROUNDS = 8 };			/* of making one input smaller */

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
	const struct claw_against *of;
	struct claw_compared *ret;
	const char *from;		/* the folder of the files */
	char *folder;			/* of those that run there */
	bool of_options;		/* the target is a build option */
	char **words;			/* of "openclaw test" there */
	unsigned int count;
	struct input *inputs;
};

static struct input *input_of(const struct comparing *all, const char *name)
{
	size_t length = strlen(all->of->kernel);
	unsigned long number = claw_begins(name, all->of->kernel) &&
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
	char *from = claw_path_in(all->of->directory, folder);
	char *output = claw_path_in(all->of->directory, "compared-run");
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

/* The files of those inputs, changed, in another folder: how many there are. */
static int change(const struct comparing *all, const char *from,
		  const char *folder, enum became which, const char *more)
{
	char *to = claw_path_in(all->of->directory, folder);
	int ret = 0, count = 0;

	claw_directory_remove(to);
	if (mkdir(to, 0777) < 0)
		ret = -CLAW_E_IO;
	for (unsigned int i = 0; ret >= 0 && i < all->count; i++) {
		char *old, *new;

		if (all->inputs[i].became != which)
			continue;
		old = claw_format("%s/%s/%s-%u.clw", all->of->directory, from,
				  all->of->kernel, i + 1);
		new = claw_format("%s/%s-%u.clw", to, all->of->kernel, i + 1);
		ret = claw_changed_write(old, new, more);
		count += ret > 0;
		free(old);
		free(new);
	}
	free(to);
	return ret < 0 ? ret : count;
}

static void free_inputs(struct input *inputs, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		free(inputs[i].message);
	free(inputs);
}

/* Its index, or how many there are. */
static unsigned int first_of(const struct comparing *all, enum became which)
{
	unsigned int i = 0;

	while (i < all->count && all->inputs[i].became != which)
		i++;
	return i;
}

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

	add_home(&line, all->of->given);
	ret = run_folder(all, all->from, line, see_here);
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
static void set_difference(const struct comparing *all, unsigned int at,
			   const char *folder, char *const *words,
			   struct claw_difference *ret)
{
	ret->case_path = claw_format("%s/%s/%s-%u.clw", all->of->directory,
				     folder, all->of->kernel, at + 1);
	ret->message = claw_strdup_or_null(all->inputs[at].message);
	ret->reproduce = reproduce_of(ret->case_path, words);
}

static void release_difference(struct claw_difference *one)
{
	free(one->case_path);
	free(one->message);
	free(one->reproduce);
}

static void add_differences(const struct comparing *all, enum became which,
			    const char *folder, char *const *words)
{
	struct claw_compared *to = all->ret;

	for (unsigned int i = 0; i < all->count; i++) {
		if (all->inputs[i].became != which)
			continue;
		to->list = claw_one_more(to->list, to->differ,
					 sizeof(*to->list));
		set_difference(all, i, folder, words, &to->list[to->differ++]);
		to->crashes += which == CRASHES;
	}
}

/* What no result comes of stays NOT_THERE. */
static int run_there(struct comparing *all)
{
	const char *options = all->of_options ? all->ret->target : NULL;
	int ret = 0;

	if (options)
		ret = change(all, all->from, all->folder, SAME, options);
	for (unsigned int i = 0; i < all->count; i++)
		if (all->inputs[i].became == SAME)
			all->inputs[i].became = NOT_THERE;
	if (ret >= 0)
		ret = run_folder(all, all->folder, all->words, see_there);
	if (ret == 0 && count_of(all, DIFFERS))
		ret = change(all, all->folder, "compared-loosely", DIFFERS,
			     NULL);
	if (ret > 0)
		ret = run_folder(all, "compared-loosely", all->words,
				 see_loose);
	return ret;
}

/* ---- smaller --------------------------------------------------------------------- */

/* The kernel file at differs there: it becomes ret, as PATH.clw, its case
 * PATH.case. */
static int keep_smaller(const struct comparing *some, unsigned int at,
			const char *path, struct claw_difference *ret)
{
	char *bytes = claw_format("%s/%s/%s-%u.case", some->of->directory,
				  some->from, some->of->kernel, at + 1);
	char *to_bytes = claw_format("%s.case", path);
	char *to = claw_format("%s.clw", path);
	struct claw_difference found;
	int err = 0;

	set_difference(some, at, some->folder, some->words, &found);
	if (rename(found.case_path, to) < 0 || rename(bytes, to_bytes) < 0)
		err = -CLAW_E_IO;
	release_difference(err ? &found : ret);
	if (!err) {
		*ret = found;
		free(ret->case_path);
		free(ret->reproduce);
		ret->case_path = claw_strdup(to);
		ret->reproduce = reproduce_of(to, some->words);
	}
	free(to);
	free(to_bytes);
	free(bytes);
	return err;
}

/* 1: something one step smaller than the case differs, too; 0: nothing does. */
static int step_smaller(const struct comparing *all, const char *case_path,
			const char *path, struct claw_difference *ret)
{
	struct comparing some = {
		.of = all->of, .ret = all->ret, .from = CLAW_SMALLER_FOLDER,
		.folder = all->of_options ? "smaller-there" :
			CLAW_SMALLER_FOLDER,
		.words = all->words, .of_options = all->of_options,
	};
	unsigned int at;
	int err = all->of->make_smaller(all->of->user, case_path, &some.count);

	some.inputs = claw_calloc(some.count + 1, sizeof(*some.inputs));
	if (err == 0 && some.count)
		err = run_here(&some);
	if (err == 0 && count_of(&some, SAME))
		err = run_there(&some);
	at = first_of(&some, DIFFERS);
	if (err == 0 && at < some.count)
		err = keep_smaller(&some, at, path, ret);
	free_inputs(some.inputs, some.count);
	return err ? err : at < some.count;
}

/* The smallest of the inputs that differ, by steps. */
static int make_smaller(const struct comparing *all, size_t target)
{
	struct claw_difference *best = &all->ret->list[0];
	char *path = claw_format("%s/%s-against-%zu", all->of->directory,
				 all->of->kernel, target + 1);
	char *from = claw_format("%s/%s/%s-%u.case", all->of->directory,
				 all->from, all->of->kernel,
				 first_of(all, DIFFERS) + 1);
	int ret = 1;

	for (int i = 0; ret == 1 && i < ROUNDS; i++) {
		ret = step_smaller(all, from, path, best);
		free(from);
		from = claw_format("%s.case", path);
	}
	free(from);
	free(path);
	return ret < 0 ? ret : 0;
}

/* ---- all of it -------------------------------------------------------------------- */

static int compare(struct comparing *all, size_t at)
{
	struct claw_compared *ret = all->ret;
	char **home = NULL;
	int err = 0;

	all->of_options = kind_of(ret->target)->option == NULL;
	all->folder = all->of_options ?
		claw_format("%s-%zu", CLAW_COMPARED_FOLDER, at + 1) :
		claw_strdup(CLAW_COMPARED_FOLDER);
	all->words = NULL;
	add_target(&all->words, all->of->given, ret->target);
	all->of->say(all->of->user, "comparing with ", ret->target);
	if (count_of(all, SAME))
		err = run_there(all);
	add_home(&home, all->of->given);
	add_differences(all, DIFFERS, all->folder, all->words);
	add_differences(all, CRASHES, CLAW_COMPARED_FOLDER, home);
	ret->same = count_of(all, SAME);
	ret->rounding = count_of(all, ROUNDING_ONLY);
	ret->varies = count_of(all, VARIES);
	ret->not_here = count_of(all, NOT_HERE);
	ret->not_there = count_of(all, NOT_THERE);
	if (err == 0 && count_of(all, DIFFERS)) {
		all->of->say(all->of->user, "making an input smaller whose "
			     "results differ on ", ret->target);
		err = make_smaller(all, at);
		ret->is_whole = err < 0;
	}
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

static void remove_folders(const struct claw_against *what)
{
	static const char *const folders[] = {
		"compared-loosely", CLAW_SMALLER_FOLDER, "smaller-there",
	};

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		char *path = claw_path_in(what->directory, folders[i]);

		claw_directory_remove(path);
		free(path);
	}
}

int claw_against_run(const struct claw_against *what,
		     struct claw_compared *compared)
{
	struct comparing all = {
		.of = what, .from = CLAW_COMPARED_FOLDER, .count = what->count,
	};
	struct input *here = claw_calloc(all.count + 1, sizeof(*here));
	struct input *there = claw_calloc(all.count + 1, sizeof(*there));
	int err = 0, here_err;

	all.inputs = here;
	what->say(what->user, "comparing with ", "itself without probes");
	here_err = all.count ? run_here(&all) : 0;
	all.inputs = there;
	for (size_t i = 0; i < what->given->against.count; i++) {
		compared[i].inputs = all.count;
		all.ret = &compared[i];
		copy_inputs(there, here, all.count);
		if (err != -CLAW_E_CANCELLED)
			err = here_err ? here_err : compare(&all, i);
		if (err < 0)
			compared[i].why_not = claw_strdup(claw_error_text(err));
	}
	remove_folders(what);
	free_inputs(here, all.count);
	free_inputs(there, all.count);
	return err == -CLAW_E_CANCELLED ? err : 0;
}

void claw_compared_release(struct claw_compared *compared)
{
	for (size_t i = 0; i < compared->differ; i++)
		release_difference(&compared->list[i]);
	free(compared->list);
	free(compared->why_not);
}
