/* SPDX-License-Identifier: Apache-2.0 */
/* What searches over commits and over drivers share: asking, the ends, lines. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bisect.h"
#include "bisect_found.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/text_clean.h"
#include "harness/base/text_list.h"
#include "harness/records/finding.h"
#include "harness/session/session.h"

/* Commits are shown with so many digits; findings, so many. */
enum { DIGITS = 12, LINES_MAX = 10 };

/* ---- lines --------------------------------------------------------------- */

static void put_text(const char *text)
{
	claw_text_put(stdout, text, strlen(text), "");
}

/* The log may be another one than we wrote. */
static const char *text_at(const json_t *array, size_t i)
{
	const char *text = json_string_value(json_array_get(array, i));

	return text ? text : "";
}

/* "1a2b3c4d5e6f  Subject" */
static void put_name(struct claw_bisect *all, const char *name)
{
	char *about = all->describe ? all->describe(all, name) : NULL;
	char *shown = all->describe ? claw_strndup(name, DIGITS) :
		claw_strdup(name);

	put_text(shown);
	if (about && *about) {
		fputs("  ", stdout);
		put_text(about);
	}
	free(shown);
	free(about);
}

static void put_why(const json_t *object)
{
	const char *why = claw_bisect_text(object, "why");

	if (*why) {
		fputs(": ", stdout);
		put_text(why);
	}
}

static void say(struct claw_bisect *all, const json_t *object,
		const char *behind)
{
	const char *driver = claw_bisect_text(object, "driver");
	double us = json_number_value(json_object_get(object, "median_us"));

	printf("%-8s  ", claw_bisect_text(object, "answer"));
	put_name(all, claw_bisect_text(object, "name"));
	if (!all->describe && *driver) {
		fputs(" (", stdout);
		put_text(driver);
		putchar(')');
	}
	if (us > 0)
		printf(", %.3f s", us / 1e6);
	put_why(object);
	puts(behind);
}

static void say_shown(const json_t *object)
{
	const json_t *shown = json_object_get(object, "shown");
	size_t count = json_array_size(shown);

	for (size_t i = 0; i < count && i < LINES_MAX; i++) {
		fputs("  ", stdout);
		put_text(text_at(shown, i));
		putchar('\n');
	}
	if (count > LINES_MAX)
		printf("  and %zu more\n", count - LINES_MAX);
}

/* ---- one ----------------------------------------------------------------- */

static void set_name(json_t *object, const char *name)
{
	json_t *text = json_string(name);

	json_object_set_new(object, "name", claw_made(text ? text :
						      json_string("?")));
}

/* "steps/3-1a2b3c4d5e6f", in the order in which they are judged. */
static char *outputs_of(const struct claw_bisect *all, const char *name)
{
	return claw_format("%s/steps/%zu-%.*s", all->directory,
			   json_object_size(all->known) + 1,
			   all->describe ? DIGITS : NAME_MAX / 2,
			   claw_base_name(name));
}

/* A new reference. NULL: interrupted. */
static json_t *judge(struct claw_bisect *all, const char *name)
{
	char *outputs = outputs_of(all, name);
	json_t *object;

	claw_directory_remove(outputs);	/* of a search that was interrupted */
	object = all->judge(all, name, outputs);
	free(outputs);
	if (object)
		set_name(object, name);
	return object;
}

/* Borrowed. NULL: interrupted, or it could not be written. */
static json_t *judge_and_know(struct claw_bisect *all, const char *name)
{
	json_t *object = judge(all, name);

	if (!object)
		return NULL;
	json_object_set_new(all->known, name, object);
	return claw_bisect_log_add(all, object) ? object : NULL;
}

const json_t *claw_bisect_ask(struct claw_bisect *all, const char *name)
{
	json_t *object = json_object_get(all->known, name);
	bool is_known = object != NULL;

	if (!object)
		object = judge_and_know(all, name);
	if (!object)
		return NULL;
	if (all->limits.cases && !claw_bisect_is(object, "skip"))
		claw_bisect_times_answer(&all->limits, object);
	all->judged++;
	all->skipped += claw_bisect_is(object, "skip");
	say(all, object, is_known ? " (already known)" : "");
	if (fflush(stdout) != 0 && errno == EPIPE)
		all->signal = SIGPIPE;	/* nobody reads what we find */
	return all->signal ? NULL : object;
}

/* ---- the ends ------------------------------------------------------------ */

static int cannot_judge(const struct claw_bisect *all,
			const struct claw_bisect_end *end, const json_t *object)
{
	int status = (int)json_integer_value(json_object_get(object, "status"));
	bool is_missing = status == CLAW_EXIT_NO_PROGRAM ||
		status == CLAW_EXIT_NOT_EXECUTABLE;

	claw_warn("%s cannot be judged: %s%s", end->label,
		  claw_bisect_text(object, "why"), is_missing && all->describe &&
		  !all->question.build ? "; is --build missing?" : "");
	/* Where one end has run, it is not that nothing can run here. */
	return status == CLAW_EXIT_USAGE ||
		(status == CLAW_EXIT_SKIPPED && all->judged == 1) ? status :
		CLAW_EXIT_UNKNOWN;
}

static int wrong_end(const struct claw_bisect *all,
		     const struct claw_bisect_end *end, const json_t *object)
{
	bool is_bad = claw_bisect_is(object, "bad");

	if (all->question.finding && !is_bad)
		claw_warn("%s does not have the finding \"%s\"%s", end->label,
			  all->question.finding,
			  json_array_size(json_object_get(object, "shown")) ?
			  "; it has those on standard output" :
			  ", nor any other");
	else
		claw_warn("%s is %s; expected it to be %s", end->label,
			  is_bad ? "bad" : "good", is_bad ? "good" : "bad");
	say_shown(object);
	return CLAW_EXIT_UNKNOWN;
}

static int check_end(const struct claw_bisect *all,
		     const struct claw_bisect_end *end, const json_t *object,
		     const char *expected)
{
	if (claw_bisect_is(object, "skip"))
		return cannot_judge(all, end, object);
	if (all->question.is_slower || claw_bisect_is(object, expected))
		return 0;
	return wrong_end(all, end, object);
}

/* The same finding, should its words change. */
static void take_keys(struct claw_bisect *all, const json_t *object)
{
	const json_t *keys = json_object_get(object, "keys");

	for (size_t i = 0; i < json_array_size(keys); i++)
		claw_list_add(&all->question.keys,
			      claw_strdup(text_at(keys, i)));
}

static int set_limits(struct claw_bisect *all, const json_t *good,
		      const json_t *bad)
{
	char error[1024];

	if (!claw_bisect_limits_init(&all->limits, good, bad, all->percent, error,
				     sizeof(error))) {
		claw_warn("inconclusive: %s", error);
		return CLAW_EXIT_UNKNOWN;
	}
	printf("a %s is bad above %.3f s (good end %.3f s, bad end %.3f s)\n",
	       all->noun, all->limits.limit_us / 1e6, all->limits.good_us / 1e6,
	       all->limits.bad_us / 1e6);
	return 0;
}

/* A machine that became slower meanwhile makes any later end the bad one. */
static int measure_again(struct claw_bisect *all,
			 const struct claw_bisect_end *good)
{
	json_t *object = judge(all, good->name);
	int status = 0;

	if (!object)
		return -1;
	if (!claw_bisect_is(object, "skip"))
		claw_bisect_times_answer(&all->limits, object);
	say(all, object, " (again)");
	if (!claw_bisect_is(object, "good")) {
		claw_warn("inconclusive: %s is not good when it is measured "
			  "again: the machine has not been equally fast",
			  good->label);
		status = CLAW_EXIT_UNKNOWN;
	}
	json_decref(object);
	return status;
}

int claw_bisect_ask_ends(struct claw_bisect *all,
			 const struct claw_bisect_end *good,
			 const struct claw_bisect_end *bad)
{
	const json_t *of_good = claw_bisect_ask(all, good->name), *of_bad;
	int status;

	if (!of_good)
		return -1;
	status = check_end(all, good, of_good, "good");
	if (status)
		return status;
	of_bad = claw_bisect_ask(all, bad->name);
	if (!of_bad)
		return -1;
	status = check_end(all, bad, of_bad, "bad");
	if (status)
		return status;
	take_keys(all, of_bad);
	if (!all->question.is_slower)
		return 0;
	status = set_limits(all, of_good, of_bad);
	return status ? status : measure_again(all, good);
}

/* ---- the end of the search ----------------------------------------------- */

/* Do both show a finding of the same words? */
static bool has_common(const json_t *a, const json_t *b)
{
	const json_t *of_a = json_object_get(a, "shown");
	const json_t *of_b = json_object_get(b, "shown");
	bool is_common = false;

	for (size_t i = 0; i < json_array_size(of_a); i++) {
		char *one = claw_finding_without_numbers(text_at(of_a, i));

		for (size_t j = 0; j < json_array_size(of_b); j++) {
			char *other = claw_finding_without_numbers(
				text_at(of_b, j));

			is_common |= strcmp(one, other) == 0;
			free(other);
		}
		free(one);
	}
	return is_common;
}

void claw_bisect_say_first(struct claw_bisect *all, const char *name,
			   const char *last)
{
	const json_t *first = json_object_get(all->known, name);
	const json_t *bad = json_object_get(all->known, last);

	claw_bisect_log_text(all, "first_bad", name);
	printf("first bad %s: ", all->noun);
	put_name(all, name);
	putchar('\n');
	if (all->question.is_slower)
		return;
	say_shown(first);
	if (!all->question.finding && !has_common(first, bad))
		puts("note: the bad end has other findings; search for one of "
		     "them with --finding");
}

void claw_bisect_say_candidate(struct claw_bisect *all, const char *name)
{
	claw_bisect_log_text(all, "candidate", name);
	fputs("  ", stdout);
	put_name(all, name);
	put_why(json_object_get(all->known, name));
	putchar('\n');
}
