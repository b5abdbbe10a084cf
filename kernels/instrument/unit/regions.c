/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks with barriers: see regions.h. */
#include "config.h"

#include "regions.h"

#include <string.h>

enum { DEPTH_MAX = 8 };			/* of calls */

struct look {
	const struct claw_unit *unit;
	int depth;
	bool waits;
};

/* Functions of the language that all work-items of a group come to. */
static bool is_meeting(const char *name)
{
	static const char *const beginnings[] = {
		"barrier", "work_group_", "sub_group_", "async_work_group_",
		"wait_group_events",
	};

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
		if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

static enum CXChildVisitResult see_call(CXCursor cursor, CXCursor parent,
					CXClientData data);

static bool waits(const struct claw_unit *unit, CXCursor cursor, int depth)
{
	struct look look = { unit, depth, false };

	clang_visitChildren(cursor, see_call, &look);
	return look.waits;
}

static const struct claw_function *
definition_of(const struct claw_unit *unit, const struct claw_function *called)
{
	for (size_t i = 0; i < unit->function_count; i++)
		if (unit->functions[i].is_definition &&
		    strcmp(unit->functions[i].name, called->name) == 0)
			return &unit->functions[i];
	return NULL;
}

static enum CXChildVisitResult see_call(CXCursor cursor, CXCursor parent,
					CXClientData data)
{
	struct look *look = data;
	const struct claw_function *callee;

	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_CallExpr)
		return CXChildVisit_Recurse;
	CXString name = clang_getCursorSpelling(cursor);

	look->waits = is_meeting(clang_getCString(name));
	clang_disposeString(name);
	callee = look->waits ? NULL : claw_unit_callee(look->unit, cursor);
	if (callee)
		callee = definition_of(look->unit, callee);
	if (callee && look->depth < DEPTH_MAX)
		look->waits = waits(look->unit, callee->body_cursor,
				    look->depth + 1);
	return look->waits ? CXChildVisit_Break : CXChildVisit_Recurse;
}

bool claw_regions_are_in(const struct claw_rewrite *rewrite)
{
	const struct claw_unit *unit = rewrite->unit;

	if (!rewrite->request->version ||
	    !strcasestr(rewrite->request->version, "pocl"))
		return false;
	if (rewrite->request->is_separate)
		return true;		/* others may wait */
	for (size_t i = 0; i < unit->function_count; i++)
		if (unit->functions[i].is_definition &&
		    waits(unit, unit->functions[i].body_cursor, 0))
			return true;
	return false;
}

/* No compiler moves, merges or leaves out this statement, so that the block that
 * it is in stays one, which all ways through the text's block lead to. */
static enum CXChildVisitResult see_block(CXCursor cursor, CXCursor parent,
					 CXClientData data)
{
	struct claw_rewrite *rewrite = data;
	size_t start, end;

	if (clang_getCursorKind(cursor) == CXCursor_CompoundStmt &&
	    clang_getCursorKind(parent) != CXCursor_StmtExpr &&
	    waits(rewrite->unit, cursor, 0) &&
	    claw_unit_range(rewrite->unit, cursor, &start, &end))
		claw_edits_insert(&rewrite->edits, end - 1,
				  " __asm__ volatile(\"\"); ");
	return CXChildVisit_Recurse;
}

void claw_regions_rewrite(struct claw_rewrite *rewrite)
{
	const struct claw_unit *unit = rewrite->unit;

	for (size_t i = 0; rewrite->has_regions && i < unit->function_count; i++)
		if (unit->functions[i].is_definition)
			clang_visitChildren(unit->functions[i].cursor,
					    see_block, rewrite);
}
