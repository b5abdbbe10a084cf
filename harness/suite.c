/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Find suites, read their descriptions (YAML), and read what their programs
 * say about a case.
 */
#include "config.h"

#include "suite.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

#include "errors.h"
#include "options.h"
#include "records.h"

enum { CASE_FIELDS_MAX = 8 };

/* Directory of the running program; "" without /proc. */
static void own_directory(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size - 1);
	char *slash;

	path[length > 0 ? length : 0] = '\0';
	slash = strrchr(path, '/');
	if (slash && slash != path)
		*slash = '\0';
}

/* An installed tree that was moved, or that DESTDIR put elsewhere, is found
 * from its program. */
char *claw_data_path(const char *name)
{
	static const char *const places[] = {
		"", "../share/openclaw/",
	};
	char own[PATH_MAX], *path = NULL;

	own_directory(own, sizeof(own));
	for (size_t i = 0; i <= sizeof(places) / sizeof(*places); i++) {
		int made = i < sizeof(places) / sizeof(*places) ?
			asprintf(&path, "%s/%s%s", own, places[i], name) :
			asprintf(&path, "%s/%s", CLAW_PKGDATADIR, name);

		if (made < 0)
			return NULL;
		if (access(path, R_OK) == 0)
			return path;
		free(path);
	}
	return NULL;
}

/* Call visit for each directory that may hold descriptions, in order, until
 * it returns something else than 0; return that. */
static int each_directory(int (*visit)(const char *directory, void *user),
			  void *user)
{
	const char *named = getenv("OPENCLAW_SUITES");
	char path[PATH_MAX + sizeof("/../share/openclaw/suites")];
	char own[PATH_MAX];
	int ret = 0;

	while (named && *named && ret == 0) {
		size_t length = strcspn(named, ":");

		snprintf(path, sizeof(path), "%.*s", (int)length, named);
		if (length > 0)
			ret = visit(path, user);
		named += length + (named[length] == ':');
		if (!*named)
			return ret;
	}
	if (named && ret != 0)
		return ret;
	own_directory(own, sizeof(own));
	snprintf(path, sizeof(path), "%s/suites", own);
	ret = visit(path, user);
	if (ret != 0)
		return ret;
	snprintf(path, sizeof(path), "%s/../share/openclaw/suites", own);
	ret = visit(path, user);
	return ret ? ret : visit(CLAW_PKGDATADIR "/suites", user);
}

/* ---- names ----------------------------------------------------------- */

struct names {
	char **items;
	size_t count;
	bool failed;
};

static bool has_name(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->items[i], name) == 0)
			return true;
	return false;
}

static void add_name(struct names *names, const char *file)
{
	const char *dot = strrchr(file, '.');
	char **items, *name;

	if (!dot || dot == file || strcmp(dot, ".yaml") != 0)
		return;
	name = strndup(file, (size_t)(dot - file));
	if (name && has_name(names, name)) {
		free(name);
		return;
	}
	items = realloc(names->items, (names->count + 2) * sizeof(*items));
	if (!name || !items) {
		names->failed = true;
		free(name);
	}
	if (!items)
		return;
	names->items = items;
	if (name)
		items[names->count++] = name;
	items[names->count] = NULL;
}

static int list_directory(const char *path, void *user)
{
	struct dirent *entry;
	DIR *directory = opendir(path);

	while (directory && (entry = readdir(directory)))
		add_name(user, entry->d_name);
	if (directory)
		closedir(directory);
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **claw_suite_names(void)
{
	struct names names = { .items = calloc(1, sizeof(char *)) };

	if (!names.items)
		return NULL;
	each_directory(list_directory, &names);
	qsort(names.items, names.count, sizeof(*names.items), compare_names);
	return names.items;
}

/* ---- descriptions ---------------------------------------------------- */

struct reading {
	const char *path;
	yaml_document_t *document;
	struct claw_suite_error *error;
};

__attribute__((format(printf, 3, 4)))
static int complain(const struct reading *reading, yaml_mark_t mark,
		    const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(reading->error->message, sizeof(reading->error->message),
		 "%s:%zu:%zu: %s", reading->path, mark.line + 1,
		 mark.column + 1, text);
	return -CLAW_E_SYNTAX;
}

/* The node's text, without NUL inside, as a copy. */
static int take_text(const struct reading *reading, const yaml_node_t *node,
		     char **ret_text)
{
	const char *text;

	if (node->type != YAML_SCALAR_NODE)
		return complain(reading, node->start_mark, "expected a text");
	text = (const char *)node->data.scalar.value;
	if (strlen(text) != node->data.scalar.length || !*text)
		return complain(reading, node->start_mark,
				"expected a text that is not empty");
	free(*ret_text);
	*ret_text = strdup(text);
	return *ret_text ? 0 : -CLAW_E_NO_MEMORY;
}

/* A name goes into file names, JUnit and command lines. */
static int take_name(const struct reading *reading, const yaml_node_t *node,
		     char **ret_text)
{
	static const char allowed[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789_-.";
	int ret = take_text(reading, node, ret_text);

	if (ret == 0 && (strspn(*ret_text, allowed) != strlen(*ret_text) ||
			 **ret_text == '.'))
		return complain(reading, node->start_mark,
				"\"%s\" is no name: letters, digits, _ - .",
				*ret_text);
	return ret;
}

static int take_word(const struct reading *reading, const yaml_node_t *node,
		     const char *word, bool *ret_is)
{
	char *text = NULL;
	int ret = take_text(reading, node, &text);

	if (ret == 0 && strcmp(text, word) == 0)
		*ret_is = true;
	else if (ret == 0)
		ret = complain(reading, node->start_mark,
			       "expected \"%s\", found \"%s\"", word, text);
	free(text);
	return ret;
}

static int take_list(const struct reading *reading, const yaml_node_t *node,
		     char ***ret_list)
{
	const yaml_node_item_t *item;
	size_t count, i = 0;
	char **list;
	int ret = 0;

	if (node->type != YAML_SEQUENCE_NODE)
		return complain(reading, node->start_mark, "expected a list");
	count = (size_t)(node->data.sequence.items.top -
			 node->data.sequence.items.start);
	list = calloc(count + 1, sizeof(*list));
	if (!list)
		return -CLAW_E_NO_MEMORY;
	*ret_list = list;
	for (item = node->data.sequence.items.start;
	     ret == 0 && item < node->data.sequence.items.top; item++)
		ret = take_name(reading,
				yaml_document_get_node(reading->document,
						       *item), &list[i++]);
	return ret;
}

typedef int take_member(const struct reading *reading, const char *key,
			const yaml_node_t *node, void *user);

/* Each key of a mapping once, given to take. */
static int walk_mapping(const struct reading *reading,
			const yaml_node_t *mapping, take_member *take,
			void *user)
{
	const yaml_node_pair_t *pair, *before;
	int ret = 0;

	if (mapping->type != YAML_MAPPING_NODE)
		return complain(reading, mapping->start_mark,
				"expected keys and values");
	for (pair = mapping->data.mapping.pairs.start;
	     ret == 0 && pair < mapping->data.mapping.pairs.top; pair++) {
		const yaml_node_t *key = yaml_document_get_node(
			reading->document, pair->key);
		const char *name;

		if (key->type != YAML_SCALAR_NODE)
			return complain(reading, key->start_mark,
					"expected a key");
		name = (const char *)key->data.scalar.value;
		for (before = mapping->data.mapping.pairs.start;
		     before < pair; before++)
			if (strcmp(name, (const char *)yaml_document_get_node(
				   reading->document, before->key)
				   ->data.scalar.value) == 0)
				return complain(reading, key->start_mark,
						"\"%s\" is there twice", name);
		ret = take(reading, name,
			   yaml_document_get_node(reading->document,
						  pair->value), user);
		if (ret == -CLAW_E_NOT_FOUND)
			ret = complain(reading, key->start_mark,
				       "unknown key \"%s\"", name);
	}
	return ret;
}

static int take_case_member(const struct reading *reading, const char *key,
			    const yaml_node_t *node, void *user)
{
	struct claw_suite_case *one = user;

	if (strcmp(key, "name") == 0)
		return take_name(reading, node, &one->name);
	if (strcmp(key, "proves") == 0)
		return take_text(reading, node, &one->proves);
	if (strcmp(key, "expect") == 0)
		return take_word(reading, node, "fail", &one->expect_fail);
	if (strcmp(key, "reason") == 0)
		return take_text(reading, node, &one->reason);
	if (strcmp(key, "only-under") == 0)
		return take_list(reading, node, &one->only_under);
	return -CLAW_E_NOT_FOUND;
}

static int take_case(const struct reading *reading, const yaml_node_t *node,
		     struct claw_suite *suite)
{
	struct claw_suite_case *one = &suite->cases[suite->case_count++];
	int ret = walk_mapping(reading, node, take_case_member, one);

	if (ret < 0)
		return ret;
	if (!one->name)
		return complain(reading, node->start_mark,
				"a case without a name");
	if (one->expect_fail && !one->reason)
		return complain(reading, node->start_mark,
				"%s is expected to fail: say the reason",
				one->name);
	for (size_t i = 0; i + 1 < suite->case_count; i++)
		if (strcmp(suite->cases[i].name, one->name) == 0)
			return complain(reading, node->start_mark,
					"case \"%s\" is there twice",
					one->name);
	return 0;
}

static int take_cases(const struct reading *reading, const yaml_node_t *node,
		      struct claw_suite *suite)
{
	const yaml_node_item_t *item;
	size_t count;
	int ret = 0;

	if (node->type != YAML_SEQUENCE_NODE)
		return complain(reading, node->start_mark, "expected a list");
	count = (size_t)(node->data.sequence.items.top -
			 node->data.sequence.items.start);
	if (count == 0)
		return complain(reading, node->start_mark,
				"expected at least one case");
	suite->cases = calloc(count, sizeof(*suite->cases));
	if (!suite->cases)
		return -CLAW_E_NO_MEMORY;
	for (item = node->data.sequence.items.start;
	     ret == 0 && item < node->data.sequence.items.top; item++)
		ret = take_case(reading,
				yaml_document_get_node(reading->document,
						       *item), suite);
	return ret;
}

static int take_suite_member(const struct reading *reading, const char *key,
			     const yaml_node_t *node, void *user)
{
	struct claw_suite *suite = user;

	if (strcmp(key, "name") == 0)
		return take_name(reading, node, &suite->name);
	if (strcmp(key, "summary") == 0)
		return take_text(reading, node, &suite->summary);
	if (strcmp(key, "program") == 0)
		return take_text(reading, node, &suite->program);
	if (strcmp(key, "cases") == 0)
		return take_cases(reading, node, suite);
	if (strcmp(key, "api-errors") == 0)
		return take_word(reading, node, "expected",
				 &suite->api_errors_expected);
	if (strcmp(key, "timeout") == 0) {
		char *text = NULL;
		int ret = take_text(reading, node, &text);

		if (ret == 0 &&
		    claw_duration_parse(text, &suite->timeout_ms) < 0)
			ret = complain(reading, node->start_mark,
				       "\"%s\" is no duration", text);
		free(text);
		return ret;
	}
	return -CLAW_E_NOT_FOUND;
}

/* Where the program of a description is: a path below the description's
 * directory, or a name there, beside openclaw, or installed. */
static char *find_program(const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');
	char own[PATH_MAX], path[5][2 * PATH_MAX];

	own_directory(own, sizeof(own));
	if (name[0] == '/')
		snprintf(path[0], sizeof(path[0]), "%s", name);
	else
		snprintf(path[0], sizeof(path[0]), "%.*s/%s",
			 slash ? (int)(slash - file) : 1, slash ? file : ".",
			 name);
	snprintf(path[1], sizeof(path[1]), "%s/suites/%s", own, name);
	snprintf(path[2], sizeof(path[2]), "%s/%s", own, name);
	snprintf(path[3], sizeof(path[3]), "%s/../libexec/openclaw/suites/%s",
		 own, name);
	snprintf(path[4], sizeof(path[4]), "%s/suites/%s", CLAW_PKGLIBEXECDIR,
		 name);
	for (size_t i = 0; i < (strchr(name, '/') ? 1 : 5); i++)
		if (access(path[i], X_OK) == 0)
			return strdup(path[i]);
	return NULL;
}

static int complete_suite(const struct reading *reading,
			  struct claw_suite *suite, yaml_mark_t mark)
{
	char *program;

	if (!suite->name)
		return complain(reading, mark, "a suite without a name");
	if (!suite->program)
		return complain(reading, mark, "suite %s has no program",
				suite->name);
	if (suite->case_count == 0)
		return complain(reading, mark, "suite %s has no cases",
				suite->name);
	program = find_program(reading->path, suite->program);
	if (!program)
		return complain(reading, mark, "program %s of suite %s is not "
				"there or cannot be executed", suite->program,
				suite->name);
	free(suite->program);
	suite->program = program;
	return 0;
}

static int load(struct reading *reading, yaml_parser_t *parser,
		struct claw_suite *suite)
{
	yaml_mark_t start = { 0 };
	yaml_node_t *root;
	int ret;

	if (!yaml_parser_load(parser, reading->document)) {
		yaml_mark_t mark = parser->problem_mark;

		reading->document = NULL;
		if (parser->error == YAML_MEMORY_ERROR)
			return -CLAW_E_NO_MEMORY;
		return complain(reading, mark, "%s",
				parser->problem ? parser->problem :
				"not YAML");
	}
	root = yaml_document_get_root_node(reading->document);
	if (!root)
		return complain(reading, start, "the file is empty");
	ret = walk_mapping(reading, root, take_suite_member, suite);
	return ret < 0 ? ret : complete_suite(reading, suite,
					      root->start_mark);
}

int claw_suite_read_file(const char *path, struct claw_suite **ret_suite,
			 struct claw_suite_error *reterr)
{
	struct claw_suite *suite = calloc(1, sizeof(*suite));
	FILE *in = fopen(path, "re");
	yaml_document_t document;
	struct reading reading = { path, &document, reterr };
	yaml_parser_t parser;
	int ret = -CLAW_E_NO_MEMORY;

	if (!in) {
		snprintf(reterr->message, sizeof(reterr->message), "%s: %s",
			 path, strerror(errno));
		ret = errno == ENOENT ? -CLAW_E_NOT_FOUND : -CLAW_E_IO;
		goto out;
	}
	if (!suite || !(suite->file = strdup(path)) ||
	    !yaml_parser_initialize(&parser))
		goto out;
	yaml_parser_set_input_file(&parser, in);
	ret = load(&reading, &parser, suite);
	if (reading.document)
		yaml_document_delete(&document);
	yaml_parser_delete(&parser);
	if (ret < 0)
		goto out;
	*ret_suite = suite;
	suite = NULL;
out:
	if (ret == -CLAW_E_NO_MEMORY)
		snprintf(reterr->message, sizeof(reterr->message), "%s",
			 claw_error_text(ret));
	claw_suite_free(suite);
	if (in)
		fclose(in);
	return ret;
}

struct search {
	const char *name;
	char *found;
};

static int try_directory(const char *directory, void *user)
{
	struct search *search = user;

	if (asprintf(&search->found, "%s/%s.yaml", directory,
		     search->name) < 0) {
		search->found = NULL;
		return -CLAW_E_NO_MEMORY;
	}
	if (access(search->found, F_OK) == 0)
		return 1;
	free(search->found);
	search->found = NULL;
	return 0;
}

int claw_suite_read(const char *name, struct claw_suite **ret_suite,
		    struct claw_suite_error *reterr)
{
	struct search search = { name, NULL };
	int ret = strchr(name, '/') ? 0 : each_directory(try_directory,
							 &search);

	if (ret > 0) {
		ret = claw_suite_read_file(search.found, ret_suite, reterr);
	} else if (ret == 0) {
		snprintf(reterr->message, sizeof(reterr->message),
			 "no suite \"%s\"", name);
		ret = -CLAW_E_NOT_FOUND;
	} else {
		snprintf(reterr->message, sizeof(reterr->message), "%s",
			 claw_error_text(ret));
	}
	free(search.found);
	return ret;
}

void claw_suite_free(struct claw_suite *suite)
{
	if (!suite)
		return;
	for (size_t i = 0; i < suite->case_count; i++) {
		struct claw_suite_case *one = &suite->cases[i];

		for (char **tool = one->only_under; tool && *tool; tool++)
			free(*tool);
		free(one->only_under);
		free(one->name);
		free(one->proves);
		free(one->reason);
	}
	free(suite->cases);
	free(suite->file);
	free(suite->name);
	free(suite->summary);
	free(suite->program);
	free(suite);
}

/* ---- what a suite program wrote -------------------------------------- */

/* Undo result_line()'s escapes in place. */
static void unescape(char *text)
{
	char *out = text;

	for (char *in = text; *in; in++) {
		if (*in == '\\' && in[1]) {
			in++;
			*out++ = *in == 'n' ? '\n' : *in == 't' ? '\t' : *in;
		} else {
			*out++ = *in;
		}
	}
	*out = '\0';
}

/* Split a line at its tabs. Fields that are not there are "". */
static size_t split(char *line, char *fields[CASE_FIELDS_MAX])
{
	size_t count = 0;
	char *rest = line, *field;

	while (count < CASE_FIELDS_MAX && (field = strsep(&rest, "\t"))) {
		unescape(field);
		fields[count++] = field;
	}
	for (size_t i = count; i < CASE_FIELDS_MAX; i++)
		fields[i] = line + strlen(line);
	return count;
}

static int add_fact(struct claw_case_report *report, const char *key,
		    const char *value)
{
	struct claw_case_fact *facts = realloc(report->facts,
		(report->fact_count + 1) * sizeof(*facts));

	if (!facts)
		return -CLAW_E_NO_MEMORY;
	report->facts = facts;
	facts += report->fact_count++;
	facts->key = strdup(key);
	facts->value = claw_text_clean(value, strlen(value));
	return facts->key && facts->value ? 0 : -CLAW_E_NO_MEMORY;
}

static int add_test(struct claw_case_report *report,
		    char *const fields[CASE_FIELDS_MAX])
{
	struct claw_case_test *test, *tests = realloc(report->tests,
		(report->test_count + 1) * sizeof(*tests));

	if (!tests)
		return -CLAW_E_NO_MEMORY;
	report->tests = tests;
	test = &tests[report->test_count++];
	test->name = strdup(fields[1]);
	test->word = strdup(fields[2]);
	test->place = strdup(fields[4]);
	test->message = claw_text_clean(fields[5], strlen(fields[5]));
	test->deviation = strdup(fields[6]);
	return test->name && test->word && test->place && test->message &&
	       test->deviation ? 0 : -CLAW_E_NO_MEMORY;
}

static int set_once(char **ret_text, const char *text)
{
	if (!*ret_text)
		*ret_text = strdup(text);
	return *ret_text ? 0 : -CLAW_E_NO_MEMORY;
}

static int take_line(struct claw_case_report *report,
		     char *fields[CASE_FIELDS_MAX])
{
	const char *word = fields[0];
	int ret;

	if (strcmp(word, "case") == 0) {
		ret = set_once(&report->suite, fields[1]);
		return ret < 0 ? ret : set_once(&report->name, fields[2]);
	}
	if (strcmp(word, "fact") == 0)
		return add_fact(report, fields[1], fields[2]);
	if (strcmp(word, "skip") == 0)
		return set_once(&report->skip, fields[1]);
	if (strcmp(word, "test") == 0)
		return add_test(report, fields);
	if (strcmp(word, "end") == 0)
		report->ended = report->name &&
				strcmp(fields[1], report->name) == 0 &&
				strtoul(fields[2], NULL, 10) ==
				report->test_count;
	return 0;
}

int claw_case_report_read(const char *path, struct claw_case_report *ret_report)
{
	FILE *in = fopen(path, "re");
	char *line = NULL, *fields[CASE_FIELDS_MAX];
	size_t size = 0;
	ssize_t length;
	int ret = 0;

	memset(ret_report, 0, sizeof(*ret_report));
	while (in && ret == 0 && (length = getline(&line, &size, in)) > 0) {
		if (line[length - 1] != '\n')
			break;
		line[length - 1] = '\0';
		split(line, fields);
		ret = take_line(ret_report, fields);
	}
	free(line);
	if (in)
		fclose(in);
	if (ret < 0)
		claw_case_report_release(ret_report);
	return ret;
}

void claw_case_report_release(struct claw_case_report *report)
{
	for (size_t i = 0; i < report->fact_count; i++) {
		free(report->facts[i].key);
		free(report->facts[i].value);
	}
	for (size_t i = 0; i < report->test_count; i++) {
		struct claw_case_test *test = &report->tests[i];

		free(test->name);
		free(test->word);
		free(test->place);
		free(test->message);
		free(test->deviation);
	}
	free(report->facts);
	free(report->tests);
	free(report->suite);
	free(report->name);
	free(report->skip);
	memset(report, 0, sizeof(*report));
}
