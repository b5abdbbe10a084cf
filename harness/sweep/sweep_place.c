/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which functions are on the stack of a call, and which of the calls that come
 * from one of them it is. Counted as the guest counts: at= may be any frame.
 */
#include "config.h"

#include "sweep_place.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/session/at.h"
#include "harness/base/memory.h"
#include "harness/readers/symbolize.h"
#include "harness/base/text_list.h"

/* The call that a rule has hit. */
struct hit {
	const struct claw_journal *journal;
	const struct claw_journal_record *record;
	const struct claw_journal_site *site;
};

static bool find_hit(const struct claw_evidence *evidence, size_t rule,
		     struct hit *hit)
{
	for (size_t i = 0; i < evidence->count; i++) {
		const struct claw_journal *journal = evidence->journals[i];
		size_t count = claw_journal_get_call_count(journal);

		for (size_t j = 0; j < count; j++) {
			const struct claw_journal_record *record =
				claw_journal_get_call(journal, j);

			if (!record || record->rule != rule + 1)
				continue;
			*hit = (struct hit) {
				journal, record,
				claw_journal_find_site(journal, record->site),
			};
			return hit->site != NULL;
		}
	}
	return false;
}

/* ---- names of functions ----------------------------------------------- */

/* "ns::tile" of "_ZN2ns4tileEi"; the linker's name where that is more than
 * words; without what the compiler adds to the name of a part. malloced. */
static char *plain_name(const char *name)
{
	static const char words[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:~";
	char *plain = claw_symbol_demangle(name);
	size_t length = plain ? strspn(plain, words) : 0;
	char *text;

	if (length > 0 && plain[length] == '(')
		text = claw_strndup(plain, length);
	else
		text = claw_strndup(name, strcspn(name, "."));
	free(plain);
	return text;
}

static void add_name(char ***names, const char *name, bool is_python)
{
	char *text = is_python ? claw_strdup(name) : plain_name(name);

	if (!*text || claw_list_has(*names, text))
		free(text);
	else
		claw_list_add(names, text);
}

/* From the innermost. */
static char **list_names(struct claw_symbolizer *symbolizer,
			 const struct hit *hit)
{
	struct claw_symbol symbol;
	char **names = NULL;

	for (size_t i = 0; claw_symbolize(symbolizer, hit->journal, hit->site,
					  i, &symbol); i++) {
		if (symbol.function && !claw_symbol_is_ours(&symbol))
			add_name(&names, symbol.function, symbol.is_python);
		for (size_t j = 0; j < symbol.caller_count; j++)
			if (symbol.callers[j].function)
				add_name(&names, symbol.callers[j].function,
					 false);
		claw_symbol_release(&symbol);
	}
	return names;
}

/* ---- counting --------------------------------------------------------- */

static bool frame_is_in(const struct claw_journal *journal,
			const struct claw_journal_frame *frame,
			const struct claw_rule *rule)
{
	const struct claw_journal_module *module =
		claw_journal_find_module(journal, frame->module);

	for (unsigned int i = 0; module && i < rule->pc_count; i++) {
		const struct claw_pc_range *pc = &rule->pcs[i];

		if (frame->offset >= pc->low && frame->offset < pc->high &&
		    module->build_id_bytes == pc->build_id_bytes &&
		    memcmp(module->build_id, pc->build_id,
			   pc->build_id_bytes) == 0)
			return true;
	}
	return false;
}

static bool site_is_in(const struct claw_journal *journal,
		       const struct claw_journal_site *site,
		       const struct claw_rule *rule)
{
	if (!*rule->at)
		return true;
	for (uint32_t i = 0; site && i < site->frame_count &&
	     i < CLAW_JOURNAL_MAX_FRAMES; i++) {
		const struct claw_journal_frame *frame = &site->frames[i];

		if (site->kind == CLAW_SITE_PYTHON ?
		    strcmp(claw_journal_get_string(journal, frame->function),
			   rule->at) == 0 : frame_is_in(journal, frame, rule))
			return true;
	}
	return false;
}

/* Which of the calls that the rule looks at the hit is, from 1; 0: none. */
static uint64_t count_calls(const struct hit *hit, const struct claw_rule *rule)
{
	size_t count = claw_journal_get_call_count(hit->journal);
	uint64_t number = 1;

	if (!site_is_in(hit->journal, hit->site, rule))
		return 0;
	for (size_t i = 0; i < count; i++) {
		const struct claw_journal_record *record =
			claw_journal_get_call(hit->journal, i);

		if (record && record != hit->record &&
		    record->api == hit->record->api &&
		    record->ticks < hit->record->ticks &&
		    site_is_in(hit->journal,
			       claw_journal_find_site(hit->journal,
						      record->site), rule))
			number++;
	}
	return number;
}

/* ---- the rule --------------------------------------------------------- */

/* at: NULL for none. */
static bool make_rule(const struct claw_sweep_points *points, size_t index,
		      const char *at, uint64_t number, struct claw_rule *rule)
{
	const struct claw_sweep_point *point = &points->items[index];
	char last[32] = "", *text;
	struct claw_plan_error error;
	struct claw_rule old;
	int ret;

	if (claw_rule_parse(point->rule, true, &old, &error) < 0)
		return false;
	if (point->kind.mode == CLAW_SWEEP_FROM_HERE)
		snprintf(last, sizeof(last), "..");
	else if (point->kind.mode == CLAW_SWEEP_BURST)
		snprintf(last, sizeof(last), "..%" PRIu64,
			 number + point->kind.burst - 1);
	/* Quoted texts end at a quote: nothing with one is a name. */
	text = claw_format("%s:%s:when=%" PRIu64 "%s%s%s%s%s%s%s",
			   claw_api_table[points->sites[point->site].api].name,
			   point->kind.action, number, last,
			   at ? ":at=\"" : "", at ? at : "", at ? "\"" : "",
			   *old.exe ? ":exe=\"" : "", old.exe,
			   *old.exe ? "\"" : "");
	ret = claw_rule_parse(text, false, rule, &error);
	free(text);
	return ret == 0;
}

/* The rule by one function, resolved, and its number. 0: it does not do. */
static uint64_t try_name(const struct claw_sweep_points *points, size_t point,
			 const struct hit *hit, const struct claw_judge *judge,
			 const char *at, char **ret_text,
			 struct claw_rule *rule)
{
	char error[1024];
	uint64_t number;

	*ret_text = NULL;
	if (!make_rule(points, point, at, 1, rule) ||
	    claw_at_resolve(rule, judge->program, error, sizeof(error)) < 0)
		return 0;
	number = count_calls(hit, rule);
	if (number == 0 || !make_rule(points, point, at, number, rule))
		return 0;
	*ret_text = claw_strdup(rule->text);
	if (claw_at_resolve(rule, judge->program, error, sizeof(error)) == 0)
		return number;
	free(*ret_text);
	*ret_text = NULL;
	return 0;
}

char *claw_sweep_place_rule(const struct claw_sweep_points *points,
			    size_t point, const struct claw_evidence *evidence,
			    size_t rule, const struct claw_judge *judge,
			    enum claw_sweep_place_by by,
			    struct claw_rule *ret_rule)
{
	struct hit hit = { .journal = NULL };
	uint64_t best = UINT64_MAX, number;
	char **names, *text = NULL, *one;
	struct claw_rule found;

	if (!find_hit(evidence, rule, &hit))
		return NULL;
	if (by == CLAW_SWEEP_PLACE_NONE) {
		try_name(points, point, &hit, judge, NULL, &text, ret_rule);
		return text;
	}
	names = list_names(judge->symbolizer, &hit);
	for (char **name = names; name && *name; name++) {
		number = try_name(points, point, &hit, judge, *name, &one,
				  &found);
		if (number == 0 ||
		    (by == CLAW_SWEEP_PLACE_BEST && number >= best)) {
			free(one);
			continue;
		}
		best = number;
		free(text);
		text = one;
		*ret_rule = found;
	}
	claw_list_free(names);
	return text;
}
