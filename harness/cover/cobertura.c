/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage as Cobertura's XML, which CI servers read: a package a folder, a
 * class a file, a method a function.
 */
#include "config.h"

#include "coverage_files.h"

#include <inttypes.h>
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/new_file.h"
#include "harness/base/text.h"

#define DTD "http://cobertura.sourceforge.net/xml/coverage-04.dtd"

static void attribute(xmlTextWriterPtr xml, const char *name,
		      const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void attribute(xmlTextWriterPtr xml, const char *name,
		      const char *format, ...)
{
	va_list args;

	va_start(args, format);
	xmlTextWriterWriteVFormatAttribute(xml, BAD_CAST name, format, args);
	va_end(args);
}

/* A path or a name as XML may have it. */
static void text_attribute(xmlTextWriterPtr xml, const char *name,
			   const char *text)
{
	char *copy = claw_strdup(text);

	for (char *c = copy; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = '_';
	if (!xmlCheckUTF8(BAD_CAST copy))
		for (char *c = copy; *c; c++)
			if ((unsigned char)*c >= 0x80)
				*c = '_';
	xmlTextWriterWriteAttribute(xml, BAD_CAST name, BAD_CAST copy);
	free(copy);
}

/* Of nothing at all no part has run. */
static double rate(const struct claw_coverage_sum *sum, uint64_t hit,
		   uint64_t all)
{
	return sum->lines == 0 ? 0 : claw_coverage_percent(hit, all) / 100;
}

static void put_rates(xmlTextWriterPtr xml, const struct claw_coverage_sum *sum)
{
	attribute(xml, "line-rate", "%.4f", rate(sum, sum->lines_hit, sum->lines));
	attribute(xml, "branch-rate", "%.4f",
		  rate(sum, sum->branches_hit, sum->branches));
	attribute(xml, "complexity", "0");
}

static void start(xmlTextWriterPtr xml, const char *name)
{
	xmlTextWriterStartElement(xml, BAD_CAST name);
}

static void end(xmlTextWriterPtr xml)
{
	xmlTextWriterEndElement(xml);
}

/* ---- lines --------------------------------------------------------------- */

/* The branches of a line, [first, end). */
static size_t find_branches(const struct claw_coverage_file *file,
			    unsigned int line, size_t *ret_end)
{
	size_t first = 0, last;

	while (first < file->branch_count && file->branches[first].line < line)
		first++;
	last = first;
	while (last < file->branch_count && file->branches[last].line == line)
		last++;
	*ret_end = last;
	return first;
}

static const char *type_of(const char *kind)
{
	return strcmp(kind, "case") == 0 || strcmp(kind, "default") == 0 ?
		"switch" : "jump";
}

/* A condition a block. */
static void put_conditions(xmlTextWriterPtr xml,
			   const struct claw_coverage_file *file, size_t at,
			   size_t last)
{
	unsigned int number = 0;

	start(xml, "conditions");
	while (at < last) {
		const struct claw_coverage_branch *first = &file->branches[at];
		unsigned int arms = 0, taken = 0;

		for (; at < last && file->branches[at].block == first->block;
		     at++) {
			arms++;
			taken += file->branches[at].taken > 0;
		}
		start(xml, "condition");
		attribute(xml, "number", "%u", number++);
		attribute(xml, "type", "%s", type_of(first->kind));
		attribute(xml, "coverage", "%u%%", taken * 100 / arms);
		end(xml);
	}
	end(xml);
}

static void put_line(xmlTextWriterPtr xml,
		     const struct claw_coverage_file *file,
		     const struct claw_coverage_line *line)
{
	size_t last, first = find_branches(file, line->number, &last);
	size_t taken = 0;

	for (size_t i = first; i < last; i++)
		taken += file->branches[i].taken > 0;
	start(xml, "line");
	attribute(xml, "number", "%u", line->number);
	attribute(xml, "hits", "%" PRIu64, line->runs);
	attribute(xml, "branch", "%s", last > first ? "true" : "false");
	if (last > first) {
		attribute(xml, "condition-coverage", "%zu%% (%zu/%zu)",
			  taken * 100 / (last - first), taken, last - first);
		put_conditions(xml, file, first, last);
	}
	end(xml);
}

/* Lines [first_line, last_line]. */
static void put_lines(xmlTextWriterPtr xml,
		      const struct claw_coverage_file *file,
		      unsigned int first_line, unsigned int last_line)
{
	start(xml, "lines");
	for (size_t i = 0; i < file->line_count; i++)
		if (file->lines[i].number >= first_line &&
		    file->lines[i].number <= last_line)
			put_line(xml, file, &file->lines[i]);
	end(xml);
}

/* ---- files --------------------------------------------------------------- */

static struct claw_coverage_sum
sum_of_lines(const struct claw_coverage_file *file, unsigned int first,
	     unsigned int last)
{
	struct claw_coverage_sum sum = { .lines = 0 };

	for (size_t i = 0; i < file->line_count; i++) {
		bool is_in = file->lines[i].number >= first &&
			file->lines[i].number <= last;

		sum.lines += is_in;
		sum.lines_hit += is_in && file->lines[i].runs > 0;
	}
	for (size_t i = 0; i < file->branch_count; i++) {
		bool is_in = file->branches[i].line >= first &&
			file->branches[i].line <= last;

		sum.branches += is_in;
		sum.branches_hit += is_in && file->branches[i].taken > 0;
	}
	return sum;
}

static void put_method(xmlTextWriterPtr xml,
		       const struct claw_coverage_file *file,
		       const struct claw_coverage_function *function)
{
	struct claw_coverage_sum sum = sum_of_lines(file, function->line,
						    function->last_line);

	start(xml, "method");
	text_attribute(xml, "name", function->name);
	attribute(xml, "signature", "()");
	put_rates(xml, &sum);
	put_lines(xml, file, function->line, function->last_line);
	end(xml);
}

/* path below root, or as it is. */
static const char *below(const char *root, const char *path)
{
	size_t length = root ? strlen(root) : 0;

	while (length > 0 && root[length - 1] == '/')
		length--;
	return length > 0 && strncmp(path, root, length) == 0 &&
		path[length] == '/' ? path + length + 1 : path;
}

static void put_class(xmlTextWriterPtr xml,
		      const struct claw_coverage_file *file, const char *root)
{
	struct claw_coverage_sum sum = claw_coverage_sum_of(file);

	start(xml, "class");
	text_attribute(xml, "name", claw_base_name(file->path));
	text_attribute(xml, "filename", below(root, file->path));
	put_rates(xml, &sum);
	start(xml, "methods");
	for (size_t i = 0; i < file->function_count; i++)
		put_method(xml, file, &file->functions[i]);
	end(xml);
	put_lines(xml, file, 0, UINT32_MAX);
	end(xml);
}

static size_t folder_length(const char *path)
{
	return (size_t)(claw_base_name(path) - path);
}

static bool is_same_folder(const struct claw_coverage_file *a,
			   const struct claw_coverage_file *b)
{
	size_t length = folder_length(a->path);

	return length == folder_length(b->path) &&
		strncmp(a->path, b->path, length) == 0;
}

static void add_sum(struct claw_coverage_sum *sum,
		    const struct claw_coverage_sum *more)
{
	sum->lines += more->lines;
	sum->lines_hit += more->lines_hit;
	sum->branches += more->branches;
	sum->branches_hit += more->branches_hit;
}

/* Is it the first of its folder? */
static bool is_first(const struct claw_coverage *coverage, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (is_same_folder(&coverage->files[i],
				   &coverage->files[index]))
			return false;
	return true;
}

/* "kernels.blur" of kernels/blur/x.cl; "." of x.cl. */
static void put_package_name(xmlTextWriterPtr xml, const char *root,
			     const char *path)
{
	const char *shown = below(root, path);
	size_t length = folder_length(shown);
	char *name = length > 1 ? claw_strndup(shown, length - 1) :
		claw_strdup(".");

	for (char *c = name; *c; c++)
		if (*c == '/')
			*c = '.';
	text_attribute(xml, "name", name);
	free(name);
}

static void put_package(xmlTextWriterPtr xml,
			const struct claw_coverage *coverage, size_t first,
			const char *root)
{
	struct claw_coverage_sum sum = { .lines = 0 };
	const struct claw_coverage_file *file = &coverage->files[first];

	for (size_t i = first; i < coverage->count; i++)
		if (is_same_folder(file, &coverage->files[i])) {
			struct claw_coverage_sum one =
				claw_coverage_sum_of(&coverage->files[i]);

			add_sum(&sum, &one);
		}
	start(xml, "package");
	put_package_name(xml, root, file->path);
	put_rates(xml, &sum);
	start(xml, "classes");
	for (size_t i = first; i < coverage->count; i++)
		if (is_same_folder(file, &coverage->files[i]))
			put_class(xml, &coverage->files[i], root);
	end(xml);
	end(xml);
}

static void put_all(xmlTextWriterPtr xml, const struct claw_coverage *coverage,
		    const char *root)
{
	struct claw_coverage_sum total = claw_coverage_total(coverage);

	xmlTextWriterSetIndent(xml, 1);
	xmlTextWriterStartDocument(xml, NULL, "UTF-8", NULL);
	xmlTextWriterWriteDTD(xml, BAD_CAST "coverage", NULL, BAD_CAST DTD,
			      NULL);
	start(xml, "coverage");
	put_rates(xml, &total);
	attribute(xml, "lines-covered", "%" PRIu64, total.lines_hit);
	attribute(xml, "lines-valid", "%" PRIu64, total.lines);
	attribute(xml, "branches-covered", "%" PRIu64, total.branches_hit);
	attribute(xml, "branches-valid", "%" PRIu64, total.branches);
	attribute(xml, "version", "openclaw " PACKAGE_VERSION);
	attribute(xml, "timestamp", "%lld", (long long)time(NULL));
	start(xml, "sources");
	start(xml, "source");
	xmlTextWriterWriteString(xml, BAD_CAST (root ? root : "/"));
	end(xml);
	end(xml);
	start(xml, "packages");
	for (size_t i = 0; i < coverage->count; i++)
		if (is_first(coverage, i))
			put_package(xml, coverage, i, root);
	end(xml);
	end(xml);
	xmlTextWriterEndDocument(xml);
}

int claw_coverage_write_cobertura(const char *path,
				  const struct claw_coverage *coverage,
				  const char *root)
{
	xmlBufferPtr buffer = claw_made(xmlBufferCreate());
	xmlTextWriterPtr xml = claw_made(xmlNewTextWriterMemory(buffer, 0));
	struct claw_new_file file;
	size_t length;
	int ret = -CLAW_E_IO;

	put_all(xml, coverage, root);
	xmlFreeTextWriter(xml);
	length = (size_t)xmlBufferLength(buffer);
	if (claw_new_file_begin(&file, path)) {
		fwrite(xmlBufferContent(buffer), 1, length, file.out);
		ret = claw_new_file_end(&file, true);
	}
	xmlBufferFree(buffer);
	return ret;
}
